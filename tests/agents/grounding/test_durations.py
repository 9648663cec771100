"""Durations in the markup and on the page."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.agents.grounding.durations import find_durations, seconds_of
from schemaproof.agents.grounding.folding import fold


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30 minutes", 1800),
        ("30 min.", 1800),
        ("half an hour", 1800),
        ("an hour", 3600),
        ("1 h 20 min", 4800),
        ("1 Stunde und 20 Minuten", 4800),
        ("2 heures", 7200),
        ("1½ hours", 5400),
        ("20-30 minutes", 1800),
        ("3:45", 225),
        ("1:02:03", 3723),
        ("two weeks", 1209600),
        ("45 分", 2700),
        ("90 минут", 5400),
        ("daily", 86400),
        ("6 months", 15552000),
        ("media hora", 1800),
        ("17m", 1020),
    ],
)
def test_found(text: str, seconds: float) -> None:
    assert seconds in find_durations(fold(text).text)


@pytest.mark.parametrize(("text", "seconds"), [("130 minutes", 1800), ("30 minutiae", 1800), ("room 30", 1800)])
def test_not_found(text: str, seconds: float) -> None:
    assert seconds not in find_durations(text)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("PT30M", 1800),
        ("PT1H20M", 4800),
        ("P2D", 172800),
        ("pt90s", 90),
        ("PT0S", 0),
        ("P", None),
        ("PT", None),
        ("30 min", None),
    ],
)
def test_seconds_of(value: str, seconds: float | None) -> None:
    assert seconds_of(value) == seconds


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 23), st.integers(1, 59))
def test_what_a_page_prints_is_what_the_markup_says(hours: int, minutes: int) -> None:
    printed = f"{hours} hours {minutes} minutes" if hours else f"{minutes} minutes"
    assert seconds_of(f"PT{hours}H{minutes}M") in find_durations(printed)
