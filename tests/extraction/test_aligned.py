"""The profile `aligned`: verdicts on every known weakness of the published metrics, and its laws."""

from __future__ import annotations

import json
import random
import time
import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.errors import InputError
from schemaproof.extraction.aligned import align, canonical, count_leaves, is_nothing
from schemaproof.extraction.comparators import rules_of
from schemaproof.extraction.rows import Row
from schemaproof.extraction.scorer import Settings, leaf_metrics, score_row

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([1.5, 2.0]),
    st.sampled_from(["", "x", "1", "Ann", "Anne", "2024-03-04", "March 4, 2024", "$5", "https://a.example/1", "no"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from("abc"), inner, max_size=3)),
    max_leaves=14,
)
OBJECTS = st.dictionaries(st.sampled_from("abcd"), VALUES, max_size=4)


def verdicts(answer: Any, gold: Any, schema: Any = None) -> tuple[int, ...]:
    return leaf_metrics(align(answer, gold, schema))[1]


def figures(answer: Any, gold: Any, schema: Any = None) -> dict[str, float]:
    row = Row("r", json.dumps(answer), gold, schema or {}, schema_text=json.dumps(schema or {}))
    score = score_row(row, Settings(profile="aligned", reading="raw"))
    assert not score.error, score.error
    return dict(score.metrics)


def shuffled(value: Any, rng: random.Random) -> Any:
    if isinstance(value, dict):
        members = [(key, shuffled(inner, rng)) for key, inner in value.items()]
        rng.shuffle(members)
        return dict(members)
    if isinstance(value, list):
        items = [shuffled(item, rng) for item in value]
        rng.shuffle(items)
        return items
    return value


# The weaknesses that the published metrics have, one test each: (correct, wrong, missing, invented).
def test_rows_scrambled_across_fields_are_wrong() -> None:
    gold = {"p": [{"name": "Ann", "age": 31}, {"name": "Bob", "age": 47}, {"name": "Cleo", "age": 52}]}
    scrambled = {"p": [{"name": "Ann", "age": 47}, {"name": "Bob", "age": 52}, {"name": "Cleo", "age": 31}]}
    assert verdicts(scrambled, gold) == (3, 3, 0, 0)
    assert figures(scrambled, gold)["leaf_f1"] == 0.5
    assert figures(scrambled, gold)["value_score"] == 0.5


def test_invented_rows_cost_precision() -> None:
    answer = {"p": [{"name": f"name {n}"} for n in range(501)]}
    got = figures(answer, {"p": [{"name": "name 7"}]})
    assert verdicts(answer, {"p": [{"name": "name 7"}]}) == (1, 0, 0, 500)
    assert got["leaf_precision"] == got["key_precision"] == 1 / 501
    assert got["leaf_recall"] == 1.0
    assert got["extra_keys"] == 500.0


def test_one_typo_costs_one_name() -> None:
    names = ["Alice Johnson", "Bruno Castell", "Clara Nakano", "David Ferro", "Edith Moreau"]
    answer = {"p": [{"name": name} for name in ["Alice Jonson", *names[1:]]]}
    gold = {"p": [{"name": name} for name in names]}
    assert verdicts(answer, gold) == (4, 1, 0, 0)
    assert 0.97 < figures(answer, gold)["value_score"] < 1.0


def test_chinese_is_compared_by_character() -> None:
    gold, answer = {"a": "台北市信義區信義路五段7號"}, {"a": "台北市信義區信義路五段8號"}
    got = figures(answer, gold)
    assert verdicts(answer, gold) == (0, 1, 0, 0)
    assert 0.85 < got["value_score"] < 1.0
    assert got["overall_bleu"] > 0.7


def test_unicode_forms_are_the_same_text() -> None:
    gold = {"a": unicodedata.normalize("NFC", "Café Über Ångström")}
    answer = {"a": unicodedata.normalize("NFD", "Café Über Ångström")}
    assert gold != answer
    assert verdicts(answer, gold) == (1, 0, 0, 0)


def test_numbers_as_text_are_symmetric() -> None:
    assert verdicts({"a": "5"}, {"a": 5}) == verdicts({"a": 5}, {"a": "5"}) == (1, 0, 0, 0)
    assert verdicts({"a": "6"}, {"a": 5}) == verdicts({"a": 5}, {"a": "6"}) == (0, 1, 0, 0)


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("https://shop.example/p/1", "https://shop.example/p/2"),
        ("2024-03-04", "2024-03-05"),
        ("March 4, 2024", "March 5, 2024"),
        ("+49 30 1234567", "+49 30 1234568"),
        ("(555) 123-4567", "(555) 123-4568"),
        ("$19.99", "$19.98"),
        ("€1,000", "€1"),
        ("a@b.example", "c@b.example"),
    ],
)
def test_a_wrong_exact_value_scores_nothing(answer: str, gold: str) -> None:
    got = figures({"a": answer}, {"a": gold})
    assert got["value_score"] == 0.0
    assert got["leaf_f1"] == 0.0


def test_items_are_matched_before_their_fields() -> None:
    gold = {"p": [{"n": "A", "tags": ["x", "y"]}, {"n": "B", "tags": ["z"]}]}
    assert verdicts({"p": [{"n": "B", "tags": ["z"]}, {"n": "A", "tags": ["y", "x"]}]}, gold) == (5, 0, 0, 0)
    assert verdicts({"p": [{"n": "B", "tags": ["z"]}]}, gold) == (2, 0, 3, 0)
    assert verdicts({"p": [{"n": "A", "x": 1}, {"n": "B"}]}, {"p": [{"n": "A"}, {"n": "B", "x": 1}]}) == (2, 0, 1, 1)


def test_items_without_anything_in_common_are_not_each_others_version() -> None:
    assert verdicts({"t": ["a1", "b2"]}, {"t": ["a1", "zz"]}) == (1, 0, 1, 1)
    assert verdicts({"t": ["Nakano"]}, {"t": ["Nakamo"]}) == (0, 1, 0, 0)


def test_saying_nothing_is_leaving_out() -> None:
    nothings: list[Any] = [None, "", "  ", [], {}, [None, {}], {"x": None}]
    for nothing in nothings:
        assert is_nothing(nothing)
        assert verdicts({"a": nothing, "b": 1}, {"b": 1}) == (1, 0, 0, 0)
        assert verdicts({"a": nothing}, {"a": 1}) == (0, 0, 1, 0)
        assert verdicts({"a": 1}, {"a": nothing}) == (0, 0, 0, 1)
        assert figures({"a": nothing}, {"a": nothing})["leaf_f1"] == 1.0


def test_another_shape_is_missing_and_invented() -> None:
    assert verdicts({"a": {"b": 1, "c": 2}}, {"a": 5}) == (0, 0, 1, 2)
    assert verdicts({"a": [1, 2]}, {"a": {"b": 1}}) == (0, 0, 1, 2)


def test_leaves_say_where_they_stand() -> None:
    gold = {"a/b": [{"n": 1}, {"n": 2}], "c": {"d.e": "x"}}
    answer = {"a/b": [{"n": 2}, {"n": 3}], "c": {"d.e": "y"}}
    found = {(leaf.path, leaf.verdict): leaf for leaf in align(answer, gold)}
    right = found["a/b[*].n", "correct"]
    assert (right.answer_pointer, right.gold_pointer, right.depth) == ("/a~1b/0/n", "/a~1b/1/n", 3)
    assert found["a/b[*].n", "missing"].gold_pointer == "/a~1b/0/n"
    assert found["a/b[*].n", "invented"].answer_pointer == "/a~1b/1/n"
    assert found["c.d\\.e", "wrong"].comparator == "text"


def test_the_schema_chooses_comparators() -> None:
    schema = {
        "properties": {
            "size": {"$ref": "#/$defs/size"},
            "ok": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
            "code": {"type": "string"},
        },
        "$defs": {"size": {"enum": ["S", "M", "XL"]}},
    }
    found = align({"size": "XS", "ok": "yes", "code": "007"}, {"size": "S", "ok": True, "code": "7"}, schema)
    assert [(leaf.comparator, leaf.verdict) for leaf in found] == [
        ("enum", "wrong"),
        ("boolean", "correct"),
        ("text", "wrong"),
    ]
    assert found[0].similarity == 0.0


def test_rules_of_the_user_come_first() -> None:
    rules = rules_of(
        {
            "fields": {
                "items[*].price": {"comparator": "number", "tolerance": 0.05},
                "*.note": "ignore",
                "title": {"comparator": "text", "threshold": 0.8},
            }
        }
    )
    gold = {"items": [{"price": 100, "note": "a"}], "title": "Oak lamp"}
    answer = {"items": [{"price": 104, "note": "b"}], "title": "Oak lamps"}
    assert leaf_metrics(align(answer, gold, None, rules))[1] == (2, 0, 0, 0)
    assert verdicts(answer, gold)[0] == 0


@given(OBJECTS, OBJECTS, st.integers(0, 1000))
@settings(deadline=None, max_examples=150)
def test_shuffling_changes_nothing(answer: dict[str, Any], gold: dict[str, Any], seed: int) -> None:
    rng = random.Random(seed)
    assert figures(shuffled(answer, rng), shuffled(gold, rng)) == figures(answer, gold)


@given(OBJECTS, OBJECTS)
@settings(deadline=None, max_examples=150)
def test_swapping_swaps_precision_and_recall(one: dict[str, Any], other: dict[str, Any]) -> None:
    there, back = figures(one, other), figures(other, one)
    assert (there["leaf_f1"], there["key_f1"]) == (back["leaf_f1"], back["key_f1"])
    assert (there["leaf_precision"], there["key_precision"]) == (back["leaf_recall"], back["key_recall"])
    correct, wrong, missing, invented = verdicts(one, other)
    assert verdicts(other, one) == (correct, wrong, invented, missing)


@given(OBJECTS, st.integers(0, 1000))
@settings(deadline=None, max_examples=150)
def test_identical_is_exactly_one(value: dict[str, Any], seed: int) -> None:
    got = figures(shuffled(value, random.Random(seed)), value)
    counts = ("missing_keys", "extra_keys")
    assert {figure for name, figure in got.items() if name not in counts} == {1.0}
    assert [got[name] for name in counts] == [0.0, 0.0]


@given(OBJECTS, OBJECTS)
@settings(deadline=None, max_examples=150)
def test_every_leaf_has_one_verdict(answer: dict[str, Any], gold: dict[str, Any]) -> None:
    correct, wrong, missing, invented = verdicts(answer, gold)
    assert correct + wrong + invented == count_leaves(answer)
    assert correct + wrong + missing == count_leaves(gold)


def test_canonical_text_ignores_order_and_nothings() -> None:
    assert canonical({"b": [2, 1, None], "a": 1.0, "c": {}}) == canonical({"a": 1, "b": [1, 2]})


def test_long_lists_are_thinned_out_first() -> None:
    gold: dict[str, Any] = {"p": [{"n": f"name {n}", "c": n, "u": f"https://x.example/{n}"} for n in range(600)]}
    answer = {"p": [{**item, "c": item["c"] + 1} for item in gold["p"]]}
    start = time.process_time()
    assert verdicts(answer, gold) == (1200, 600, 0, 0)
    assert time.process_time() - start < 3.0
    mixed = shuffled(answer, random.Random(1))
    assert verdicts(mixed, shuffled(gold, random.Random(2))) == (1200, 600, 0, 0)


@pytest.mark.slow
def test_time_is_bounded_for_hostile_answers() -> None:
    text = "long words of no use, again and again; " * 50
    many = {"p": [{f"k{k}": f"{text}{n}{k}" for k in range(10)} for n in range(60)]}
    other = {"p": [{f"k{k}": f"{text[::-1]}{n}{k}" for k in range(10)} for n in range(60)]}
    nested = {"p": [{"q": [{"n": f"{n} {k} name"} for k in range(40)]} for n in range(30)]}
    other_nested = {"p": [{"q": [{"n": f"{n} {k} other"} for k in range(40)]} for n in range(30)]}
    for answer, gold in ((many, other), (nested, other_nested)):
        start = time.process_time()
        assert sum(verdicts(answer, gold)[:3]) == count_leaves(gold)
        assert time.process_time() - start < 15.0


def test_depth_is_bounded() -> None:
    value: Any = 1
    for _ in range(99):
        value = {"a": value}
    assert verdicts(value, value) == (1, 0, 0, 0)
    for _ in range(5000):
        value = [value]
    with pytest.raises(InputError, match="nested deeper"):
        align(value, value)
