"""Comparing leaves by what they are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.errors import InputError
from schemaproof.extraction.comparators import character_f, compare, edit_distance, kind_of_leaf, rules_of

LEAVES = st.one_of(
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=60),
    st.sampled_from(["5", "5.0", "1,299.00", "1.299,00 €", "$5", "12 %", "007", "true", "No", "+1 555 123 4567"]),
    st.sampled_from(["2024-03-04", "04/03/2024", "4 March 2024", "a@b.example", "555-123-4567"]),
    st.sampled_from(["https://x.example/a?b=1&c=2", "www.x.example"]),
)


def levenshtein(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for at, char in enumerate(one, 1):
        new = [at]
        for to, against in enumerate(other, 1):
            new.append(min(row[to] + 1, new[-1] + 1, row[to - 1] + (char != against)))
        row = new
    return row[-1]


@given(st.text("abcde", max_size=12), st.text("abcde", max_size=12))
@settings(deadline=None)
def test_edit_distance_is_levenshteins(one: str, other: str) -> None:
    assert edit_distance(one, other) == levenshtein(one, other)


@given(LEAVES, LEAVES)
@settings(deadline=None, max_examples=400)
def test_comparison_is_symmetric_and_bounded(one: Any, other: Any) -> None:
    there, back = compare(one, other, {}), compare(other, one, {})
    assert there == back
    assert 0.0 <= there.similarity <= 1.0
    assert there.similarity == 1.0 or not there.correct or there.comparator == "long text"
    assert compare(one, one, {}).similarity == 1.0
    assert compare(one, one, {}).correct
    assert kind_of_leaf(one, {})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (5, "5"),
        (5, 5.0),
        (1299, "1,299.00"),
        ("1.299,00", "1,299.00"),
        (0.12, "12%"),
        ("$19.99", "19.99 USD"),
        ("€ 1.299,00", "1,299.00 EUR"),
        (19.99, "$19.99"),
        ("2024-03-04", "March 4, 2024"),
        ("2024-03-04", "4. März 2024"),
        ("2024-03-04", "2024年3月4日"),
        ("2024-03-04", "03/04/2024"),
        ("2024-03-04T10:30:00Z", "March 4, 2024 10:30 am"),
        ("https://X.example:443/a/", "http://x.example/a"),
        ("https://x.example/?b=2&a=1", "https://x.example/?a=1&b=2"),
        ("https://x.example/caf%C3%A9", "https://x.example/café"),
        ("+49 (0)30 123 45 67", "030 1234567"),
        ("+1 555-123-4567", "(555) 123-4567"),
        ("Mail@B.example", "mail@b.example"),
        (True, "yes"),
        ("ＡＢＣ　1", "abc 1"),
        ("it’s – so", "it's - so"),
        ("two  \n words", "two words"),
    ],
)
def test_two_writings_of_one_value(one: Any, other: Any) -> None:
    assert compare(one, other, {}).correct, compare(one, other, {})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (5, 6),
        (True, 1),
        ("1,299", "1.3"),
        ("$19.99", "€19.99"),
        ("$5", 6),
        ("2024-03-04T10:30", "2024-03-04T10:31"),
        ("https://x.example/a", "https://x.example/A"),
        ("https://x.example/a", "https://y.example/a"),
        ("+49 30 1234567", "+48 30 1234567"),
        ("007", "7"),
        ("Model 14", "Model 15"),
        ("x", ""),
    ],
)
def test_two_values(one: Any, other: Any) -> None:
    assert not compare(one, other, {}).correct


def test_long_texts_may_differ_a_little_but_not_in_a_number() -> None:
    text = "The workshop opened in 1987 and has made lamps of oak and brass by hand ever since, in small batches."
    assert compare(text, text.replace("small batches", "small batch"), {}).correct
    assert not compare(text, text.replace("1987", "1988"), {}).correct
    assert compare(text, text.replace("1987", "1988"), {}).similarity > 0.9
    assert character_f("台北市信義區", "台北市信義路") > 0.4


@pytest.mark.parametrize(
    "data",
    [
        [],
        {"fields": []},
        {"a": "fuzzy"},
        {"a": 5},
        {"a": {"comparator": "text", "limit": 1}},
        {"a": {"tolerance": 2}},
        {"a": {"threshold": True}},
    ],
)
def test_a_bad_file_of_comparators_is_told(data: Any) -> None:
    with pytest.raises(InputError, match=r"rules\.json"):
        rules_of(data, "rules.json")


def test_patterns_meet_paths() -> None:
    rules = rules_of({"a[*].b": "exact", "*.c": "ignore"})
    assert rules.of("a[*].b").comparator == "exact"
    assert rules.of("a[x].b").comparator == "auto"
    assert rules.of("x[*].c").comparator == "ignore"


@pytest.mark.parametrize(
    ("answer", "gold", "schema", "same"),
    [
        (10_000_002, 10_000_001, {"type": "integer"}, False),
        ("4006381333932", "4006381333931", {"type": "string"}, False),
        ("4006381333931", 4006381333931, {}, True),
        ("123456789012345678901", "123456789012345678902", {}, False),
        ("1,299,000", 1_299_001, {}, False),
        ("1,299,000", 1_299_000.0, {}, True),
        (0.1 + 0.2, 0.3, {}, True),
        (3.14159265, 3.1415926, {}, True),
        ("007", 7, {"type": "integer"}, True),
    ],
)
def test_a_whole_number_is_no_other(answer: Any, gold: Any, schema: dict[str, Any], same: bool) -> None:
    assert compare(answer, gold, schema).correct is same
    assert compare(gold, answer, schema).correct is same


def test_a_wished_tolerance_holds_for_whole_numbers_too() -> None:
    rule = rules_of({"views": {"comparator": "number", "tolerance": 0.01}}).of("views")
    assert compare(10_000_002, 10_000_001, {}, rule).correct


@pytest.mark.parametrize(
    ("answer", "gold", "same"),
    [
        ("2024-01-01T10:00:00-08:00", "2024-01-01T10:00:59Z", False),
        ("2024-01-01T11:00:00+01:00", "2024-01-01T10:00:00Z", True),
        ("2024-01-01T23:30-0500", "2024-01-02T04:30Z", True),
        ("2024-01-01T10:00:00Z", "2024-01-01T10:00", True),
        ("2024-01-01T10:00:00", "2024-01-01T10:00:59", False),
        ("2024-01-01T10:00:00", "January 1, 2024 10:00 AM", True),
        ("2024-01-01T10:00:00Z", "2024-01-01", True),
        ("2024-01-01T10:00:00Z", "2024-01-02", False),
        ("https://app.x.example/#/item/1", "https://app.x.example/#/item/2", False),
        ("https://app.x.example/a#top", "https://app.x.example/a", True),
        ("https://app.x.example/#/", "https://app.x.example", True),
    ],
)
def test_moments_and_addresses_of_scripts_are_told_apart(answer: str, gold: str, same: bool) -> None:
    assert compare(answer, gold, {}).correct is same
    assert compare(gold, answer, {}).correct is same
