"""One word spelled in two ways."""

from __future__ import annotations

import pytest

from schemaproof.agents.grounding.spelling import canonical, respelled


@pytest.mark.parametrize(
    ("one", "other"), [("street", "st"), ("tsp", "teaspoons"), ("lamps", "lamp"), ("two", "2"), ("grams", "g")]
)
def test_same(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(("one", "other"), [("street", "road"), ("glass", "glas"), ("gas", "ga")])
def test_different(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("1/2 cup", "½ cup"),
        ("½ cup", "1/2 cup"),
        ("0.25 cup", "¼ cup"),
        ("1 1/2 cups", "1½ cups"),
        ("1.5 cups", "1½ cups"),
        ("1½ cups", "1 1/2 cups"),
    ],
)
def test_fractions(text: str, form: str) -> None:
    assert form in respelled(text)


def test_nothing_to_respell() -> None:
    assert respelled("2 cups") == []
