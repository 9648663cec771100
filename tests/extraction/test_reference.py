"""The profile `reference` against recorded results of the published code and an independent version."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.errors import InputError
from schemaproof.extraction.flattening import EMPTY, flatten
from schemaproof.extraction.reference import METRICS, compare, measure, score
from schemaproof.extraction.schema_check import SchemaCheck

ANY = SchemaCheck({})
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2),
    st.sampled_from([1.0, 1.0 + 1e-10, 1.1, 0.0, 1e-13]),
    st.sampled_from(["", "x", "1", "True", "None", "the cat sat", "the cat sat down"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from("abc"), inner, max_size=3)),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.sampled_from("abcd"), VALUES, max_size=4)


def test_every_recorded_case_is_met_bit_for_bit(shared: Path) -> None:
    lines = (shared / "extraction" / "reference_oracle.jsonl").read_text(encoding="utf-8").splitlines()
    cases: list[dict[str, Any]] = [json.loads(line) for line in lines]
    assert len(cases) == 422
    for case in cases:
        gold, check = json.loads(case["gold_json"]), SchemaCheck(case["schema"])
        if "raises" in case["expected"]:
            with pytest.raises(InputError):
                score(case["pred"], gold, check)
        else:
            got = score(case["pred"], gold, check)
            assert tuple(got) == METRICS
            assert got == case["expected"], case["id"]


def plain_compare(answer: Any, gold: Any) -> float:
    """The rules of comparison, one after the other."""
    if gold is EMPTY:
        return float(answer is EMPTY)
    if gold is None:
        return float(answer is None)
    if isinstance(gold, str):
        other = answer if isinstance(answer, str) else str(answer)
        if "" in (gold, other):
            return float(gold == other)
        import sacrebleu

        return float(sacrebleu.sentence_bleu(other, [gold]).score) / 100
    if isinstance(gold, list):
        if not isinstance(answer, list):
            return 0.0
        if any(isinstance(item, list | dict) for item in [*answer, *gold]):
            return float(sorted(answer, key=str) == sorted(gold, key=str))
        return float(Counter(answer) == Counter(gold))
    if not isinstance(gold, bool) and (isinstance(gold, float) or isinstance(answer, float)):
        if not isinstance(answer, int | float):
            return 0.0
        return float(abs(answer - gold) <= max(1e-9 * max(abs(answer), abs(gold)), 1e-12))
    return float(answer == gold)


@given(OBJECTS, OBJECTS)
@settings(deadline=None, max_examples=120)
def test_comparison_is_that_of_the_plain_version(one: dict[str, Any], other: dict[str, Any]) -> None:
    answer, gold = flatten(one), flatten(other)
    for path in answer.keys() & gold.keys():
        assert math.isclose(compare(answer[path], gold[path]), plain_compare(answer[path], gold[path]), rel_tol=1e-14)


@given(OBJECTS, OBJECTS)
@settings(deadline=None, max_examples=120)
def test_measures_are_those_of_the_plain_version(one: dict[str, Any], other: dict[str, Any]) -> None:
    got = measure(one, other)
    answer, gold = flatten(one), flatten(other)
    both = answer.keys() & gold.keys()
    assert got["missing_keys"] == len(gold.keys() - both)
    assert got["extra_keys"] == len(answer.keys() - both)
    if answer and gold:
        assert got["key_precision"] == len(both) / len(answer)
        assert got["key_recall"] == len(both) / len(gold)
        expected = sum(plain_compare(answer[path], gold[path]) for path in both) / len(gold)
        assert math.isclose(got["value_score"], expected, rel_tol=1e-12)
    elif not answer and not gold:
        assert got["key_precision"] == got["key_recall"] == got["key_f1"] == got["value_score"] == 1.0
    else:
        assert got["key_f1"] == got["value_score"] == 0.0


def test_weaknesses_are_kept() -> None:
    gold = {"p": [{"n": "A", "c": 1}, {"n": "B", "c": 2}]}
    scrambled = {"p": [{"n": "A", "c": 2}, {"n": "B", "c": 1}]}
    assert measure(scrambled, gold)["value_score"] == 1.0
    invented = measure({"p": [{"n": str(n)} for n in range(501)]}, {"p": [{"n": "0"}]})
    assert invented["key_precision"] == invented["key_recall"] == invented["key_f1"] == 1.0
    names = ["Ann", "Bob", "Cleo", "Dan", "Eve"]
    typo = measure({"p": [{"n": n} for n in [*names[:4], "Ev"]]}, {"p": [{"n": n} for n in names]})
    assert typo["value_score"] == 0.0


@pytest.mark.parametrize(
    ("response", "gold"),
    [
        ("5", {"a": 1}),
        ("null", {"a": 1}),
        ('{"a": 18446744073709551616}', {"a": 1}),
        ('{"a": ' + "9" * 300 + "}", {"a": 1}),
        ('{"a":' * 300 + "1" + "}" * 300, {"a": 1}),
        ('{"a":1}', {"a": "\ud800"}),
        ('{"a":1}', 7),
        ("nonsense", 7),
    ],
    ids=["number", "null", "big-integer", "huge-integer", "deep", "surrogate", "scalar-gold", "scalar-gold-invalid"],
)
def test_what_cannot_be_scored_says_why(response: str, gold: Any) -> None:
    with pytest.raises(InputError) as caught:
        score(response, gold, ANY)
    assert len(caught.value.message) > 20


def test_repeated_keys_are_dropped_for_the_metrics_and_not_for_the_schema() -> None:
    check = SchemaCheck({"type": "object", "required": ["a"]})
    got = score('{"a": 1, "a": 1, "b": 2}', {"a": 1, "b": 2}, check)
    assert got["is_schema_compliant"] == 1.0
    assert got["key_recall"] == 0.5


def test_a_reference_to_an_address_is_never_followed() -> None:
    check = SchemaCheck({"$ref": "http://127.0.0.1:9/schema.json"})
    assert "nothing is fetched" in check.broken
    assert not check.complies({})
    assert SchemaCheck({"$ref": "file:///etc/hostname"}).broken


def test_odd_schemas_are_broken_and_never_raise() -> None:
    schemas: list[Any] = [5, None, "text", [], {"type": 5}, {"$schema": "http://no.example/x"}, {"pattern": "("}]
    for schema in schemas:
        check = SchemaCheck(schema)
        assert check.broken
        assert not check.complies({})
        assert check.errors({})[0].message.startswith("the schema cannot be used")
    assert SchemaCheck(True).complies({})
    assert not SchemaCheck(False).complies({})


def test_schema_errors_carry_pointers() -> None:
    check = SchemaCheck({"properties": {"a/b": {"items": {"type": "integer"}}}})
    (error,) = check.errors({"a/b": [1, "x"]})
    assert error.pointer == "/a~1b/1"
    assert error.keyword == "/properties/a~1b/items/type"
