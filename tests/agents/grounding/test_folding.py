"""Folding keeps offsets and levels what is written in two ways."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.agents.grounding.folding import fold


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bob’s “Salt”", 'bob\'s "salt"'),
        ("a\u00a0b – c", "a b - c"),
        ("Loué Décor", "loue decor"),
        ("ＡＢＣ１２", "abc12"),
        ("Soft\u00adware", "software"),
        ("Cafe\u0301", "café"),
        ("٢٠٢١", "2021"),
        ("İstanbul", "istanbul"),
        ("Łódź", "lodz"),
        ("ΟΔΟΣ", "οδοσ"),
        ("ёлка", "елка"),
    ],
)
def test_levels(one: str, other: str) -> None:
    assert fold(one).text == fold(other).text


def test_letters_that_an_accent_makes_stay_apart() -> None:
    assert fold("が").text != fold("か").text
    assert fold("й").text != fold("и").text


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=80))
def test_every_offset_leads_back(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(text) - len(folded.removed)
    seen = [folded.original(offset) for offset in range(len(folded.text))]
    assert seen == sorted(set(seen))
    assert all(0 <= offset < len(text) for offset in seen)
    for offset, place in enumerate(seen):
        assert fold(text[place]).text in (folded.text[offset], "")


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_folding_twice_is_folding_once(text: str) -> None:
    once = fold(text).text
    assert fold(once).text == once
