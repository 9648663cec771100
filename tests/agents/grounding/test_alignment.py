"""Texts found in pieces, and numbers that differ."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.agents.grounding.alignment import align
from schemaproof.agents.grounding.words import Words, words_of


def aligned(page: str, text: str):  # type: ignore[no-untyped-def]
    return align(Words(page), tuple(words_of(text)))


def test_whole() -> None:
    found = aligned("so line a 9 inch dish with paper now", "line a 9 inch dish with paper")
    assert found.coverage == 1
    assert found.runs == ((0, 1, 7),)
    assert not found.changed


def test_a_changed_number() -> None:
    assert aligned("line a 9 inch dish with paper", "line a 10 inch dish with paper").changed == (("10", "9"),)


def test_a_number_from_elsewhere_on_the_page_is_no_change() -> None:
    page = "flat with 50 gb for all of you and another one flat with 4 gb"
    assert not aligned(page, "flat with 4 gb for all of you").changed


def test_other_spelling_in_a_gap() -> None:
    assert (
        aligned("visit us at 12 oak st in springfield today", "visit us at 12 oak street in springfield").coverage == 1
    )


def test_nothing() -> None:
    assert aligned("a page of other things", "quantum chromodynamics for absolute beginners").coverage == 0
    assert aligned("", "a b c").coverage == 0


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from("abcdefg12"), max_size=40), st.lists(st.sampled_from("abcdefg12"), min_size=1, max_size=20)
)
def test_coverage_is_a_share(page: list[str], text: list[str]) -> None:
    found = align(Words(" ".join(page)), tuple(text))
    assert 0 <= found.coverage <= 1
    for start, spot, length in found.runs:
        assert text[start : start + length] == page[spot : spot + length]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.from_regex(r"[a-z]{2,6}", fullmatch=True), min_size=6, max_size=20))
def test_a_part_of_the_page_is_covered(words: list[str]) -> None:
    assert align(Words(" ".join(words)), tuple(words[:6])).coverage == 1
