from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.models.protocol import Reply, chance_of_yes, probability, said_yes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Yes", True),
        ("yes.", True),
        ("**No**", False),
        ("Answer: no", False),
        ("The answer is yes", True),
        ('{"answer": true}', True),
        ("Perhaps", None),
        ("", None),
        ("I cannot say, yes or no", None),
    ],
)
def test_yes_and_no_are_read_from_words(text: str, said: bool | None) -> None:
    assert said_yes(text) is said


def test_the_chance_is_renormalised_over_yes_and_no() -> None:
    tokens = {"Yes": math.log(0.3), " yes": math.log(0.1), "No": math.log(0.1), "Maybe": math.log(0.5)}
    assert chance_of_yes(tokens) == pytest.approx(0.8)


def test_neither_word_among_the_tokens_gives_no_chance() -> None:
    assert chance_of_yes({"Maybe": -0.1}) is None
    assert chance_of_yes({}) is None


def test_log_probabilities_win_over_the_word() -> None:
    assert probability(Reply("Yes", yes=0.4)) == 0.4
    assert probability(Reply("Yes")) == 1.0
    assert probability(Reply("Hm")) is None


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=6), st.floats(allow_nan=True)))
def test_a_chance_is_between_0_and_1(tokens: dict[str, float]) -> None:
    chance = chance_of_yes(tokens)
    assert chance is None or 0 <= chance <= 1
