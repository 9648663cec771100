"""Numbers in the spellings of many locales; never a number inside a number."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.grounding.numbers import find_numbers, key, number_of


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.299,00 €", 1299),
        ("$1,299.00", 1299),
        ("1 299,50", 1299.5),
        ("1'299.-", 1299),
        ("1,29,900", 129900),
        ("12,5 %", 12.5),
        ("1.2k views", 1200),
        ("3 million", 3_000_000),
        ("1 ½ cups", 1.5),
        ("½ cup", 0.5),
        ("2 1/4 cups", 2.25),
        ("six months", 6),
        ("100g", 100),
        ("(128)", 128),
        ("-5 degrees", -5),
        ("٣٥ ريال", 35),
    ],
)
def test_found(text: str, value: float) -> None:
    assert key(value) in find_numbers(fold(text).text)


@pytest.mark.parametrize("text", ["14", "4.5", "4,5", "B4", "4,000", "1.4", "40", "2.4.1", "x4y"])
def test_four_is_not_in(text: str) -> None:
    assert key(4) not in find_numbers(text)


def test_words_of_the_page_language() -> None:
    assert 3.0 in find_numbers("drei zimmer", "de")
    assert 3.0 not in find_numbers("drei zimmer", "en")


def test_taken_spans_are_left_out() -> None:
    assert 5.0 not in find_numbers("on 5 may", "en", [(3, 4)])


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (5, 5.0),
        ("5.0", 5.0),
        (" 1,299.00 ", 1299.0),
        ("1e3", 1000.0),
        (True, None),
        ("12 kg", None),
        ("", None),
        (math.inf, None),
        ("9" * 400, None),
        (10**400, None),
        (math.nan, None),
        ("2021-05-01", None),
    ],
)
def test_number_of(value: object, number: float | None) -> None:
    assert number_of(value) == number


@settings(max_examples=200, deadline=None)
@given(st.integers(min_value=0, max_value=10**9))
def test_grouped_numbers_read_back(number: int) -> None:
    assert key(number) in find_numbers(f"in all {number:,} of them")
    assert key(number) in find_numbers(f"in all {number:,} of them".replace(",", "."))
    assert key(number) in find_numbers(f"in all {number} of them")


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=100))
def test_spans_lie_in_the_text(text: str) -> None:
    folded = fold(text).text
    for spans in find_numbers(folded).values():
        assert all(0 <= start < end <= len(folded) for start, end in spans)
