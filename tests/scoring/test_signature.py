from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from schemaproof.scoring.signature import signature


def test_reads_well_and_keeps_its_order() -> None:
    here = {"version": "0.1.0", "judge": {"name": "embedded", "threshold": 0.5}, "seed": 0, "agents": ["a", "b"]}
    there = dict(reversed(list(here.items())))
    line = 'agents:[a,b]|judge.name:embedded|judge.threshold:0.5|seed:0|version:"0.1.0'
    assert signature(here) == signature(there) == line
    assert signature({"model": "http://localhost:8080/v1#name"}) == "model:http://localhost:8080/v1#name"


def test_types_are_told_apart() -> None:
    values: list[Any] = [1, "1", True, "true", None, "null", "", [], "[]", {}, "{}", [1], ["1"], ["1,2"], [1, 2], " "]
    assert len({signature({"x": value}) for value in values}) == len(values)


def test_separators_and_lines_are_escaped() -> None:
    assert signature({"a": "x|b:y"}) != signature({"a": "x", "b": "y"})
    assert signature({"a.b": 1}) != signature({"a": {"b": 1}})
    assert "\n" not in signature({"a\n": "b\r\n\u2028\x85"})
    assert len(signature({"a": "b\n\u2028\x0b\x85"}).splitlines()) == 1


def test_what_it_does_not_hold() -> None:
    with pytest.raises(TypeError, match="object"):
        signature({"a": object()})
    deep: dict[str, Any] = {}
    for _ in range(50):
        deep = {"a": deep}
    with pytest.raises(ValueError, match="twenty"):
        signature(deep)
    deeper: list[Any] = []
    for _ in range(50):
        deeper = [deeper]
    with pytest.raises(ValueError, match="twenty"):
        signature({"a": deeper})


KEYS = st.text(st.sampled_from('ab.:|,\\ "\n[{'), max_size=4)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(st.sampled_from('a1.:|,\\ "\n[]{}'), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return ("dict", frozenset((key, _frozen(each)) for key, each in value.items()))
    if isinstance(value, list):
        return ("list", tuple(_frozen(each) for each in value))
    return (type(value).__name__, value)


@settings(deadline=None, max_examples=300)
@given(st.dictionaries(KEYS, VALUES, max_size=3), st.dictionaries(KEYS, VALUES, max_size=3))
def test_equal_exactly_when_the_mappings_are(a: dict[str, Any], b: dict[str, Any]) -> None:
    assert (signature(a) == signature(b)) == (_frozen(a) == _frozen(b))
    assert len(signature(a).splitlines()) <= 1
