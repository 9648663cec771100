"""Key paths against a straightforward independent version."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.errors import InputError
from schemaproof.extraction.flattening import DEPTH_LIMIT, EMPTY, flatten

KEYS = st.sampled_from(["a", "b", "c", "", "a.b", "x\\y", "[*]", "名", "a[*]"])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["", "x", "long text"]))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=20,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=5)


def pairs(value: Any, path: str) -> list[tuple[str, Any]]:
    """One (path, value) after the other, later ones hiding earlier ones of the same path."""
    if isinstance(value, dict) and value:
        found: list[tuple[str, Any]] = []
        for key, inner in value.items():
            name = "".join("\\" + char if char in ".\\" else char for char in key)
            found += pairs(inner, f"{path}.{name}" if path else name)
        return found
    if isinstance(value, dict):
        return [(path, EMPTY)]
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        columns: dict[str, list[Any]] = {}
        for item in value:
            if isinstance(item, dict | list) and item != {}:
                for name, inner in dict(pairs(item, path + "[*]")).items():
                    columns.setdefault(name, []).append(inner)
        return list(columns.items())
    return [(path, value)]


@given(OBJECTS)
@settings(deadline=None, max_examples=200)
def test_paths_are_those_of_the_plain_version(value: dict[str, Any]) -> None:
    expected = dict(pair for key, inner in value.items() for pair in pairs({key: inner}, ""))
    assert flatten(value) == expected


def test_the_corner_cases() -> None:
    assert flatten({"a": {"b": 1}, "c": [{"d": 1}, {"d": 2}]}) == {"a.b": 1, "c[*].d": [1, 2]}
    assert flatten({"a": [{}]}) == {}
    assert flatten({"a": {}}) == {"a": EMPTY}
    assert flatten({"a": [{"b": 1}, 5, None]}) == {"a[*].b": [1]}
    assert flatten({"a": [[1, 2], [3]]}) == {"a": [[1, 2], [3]]}
    assert flatten({"a.b": 1, "c\\d": 2}) == {"a\\.b": 1, "c\\\\d": 2}


def test_depth_is_bounded() -> None:
    value: Any = 1
    for _ in range(DEPTH_LIMIT):
        value = {"a": value}
    assert len(flatten(value)) == 1
    for _ in range(5000):
        value = {"a": [value]}
    with pytest.raises(InputError, match="nested deeper"):
        flatten(value)
