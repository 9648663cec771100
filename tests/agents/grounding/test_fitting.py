"""Values that cannot be what their property states; and those that can, though the definition may want another form."""

from __future__ import annotations

from typing import Any

import pytest

from schemaproof.agents.grounding.claim import Owners, claim_of
from schemaproof.agents.grounding.fitting import misfit
from schemaproof.markup.model import Graph, Node, Statement
from schemaproof.vocabulary import load

UNFIT = [
    ("startDate", "A course for cooks"),
    ("duration", "The Long Song"),
    ("email", "Jane Doe"),
    ("telephone", "https://a.example"),
    ("name", "https://a.example"),
    ("name", "2020-04-24T23:59"),
    ("description", "https://a.example"),
    ("postalCode", "Springfield"),
    ("courseCode", "University of Somewhere"),
    ("dayOfWeek", "Music Centre"),
    ("suitableForDiet", "https://a.example"),
    ("isAccessibleForFree", "49.88"),
    ("latitude", "133"),
    ("priceCurrency", "Pea Soup"),
    ("priceCurrency", "4.99"),
    ("image", "Desk Lamp"),
    ("url", "https://schema.org/InStock"),
    ("opens", "https://schema.org/Wednesday"),
    ("availableLanguage", "+49 30 12345678"),
    ("addressCountry", "12 Oak Street"),
    ("addressLocality", "12 Oak Street"),
    ("streetAddress", "90210"),
    ("position", "Desk Lamp"),
    ("videoFormat", "Vancouver"),
    ("fatContent", "English"),
    ("reviewBody", "Sep 22, 2021"),
    ("unitCode", "12"),
]
FIT = [
    ("startDate", "Spring 2021"),
    ("startDate", "2021-05-01T19:00"),
    ("duration", "PT3M"),
    ("email", "info (at) a.example"),
    ("name", "1984"),
    ("name", "Desk Lamp"),
    ("description", "Film of a hundred years"),
    ("postalCode", "SW1A 1AA"),
    ("courseCode", "CS 101"),
    ("dayOfWeek", "Montag"),
    ("dayOfWeek", "https://schema.org/Monday"),
    ("suitableForDiet", "https://schema.org/VeganDiet"),
    ("isAccessibleForFree", "True"),
    ("latitude", "48.1"),
    ("priceCurrency", "EUR"),
    ("image", "/a/l.jpg"),
    ("url", "https://a.example"),
    ("spouse", "Ida Holm"),
    ("availableLanguage", "Deutsch"),
    ("addressCountry", "Svizzera"),
    ("addressLocality", "75002 Paris"),
    ("streetAddress", "12 Oak Street"),
    ("streetAddress", "Marktplatz"),
    ("position", "3"),
    ("videoFormat", "HD"),
    ("fatContent", "6 g"),
    ("price", "podle dohody"),
    ("sameAs", "https://a.example"),
    ("author", "https://a.example/ida"),
    ("somethingNew", "anything at all"),
]


def said(name: str, value: Any) -> str:
    vocabulary = load()
    statement = Statement("/v", (), name, value, None, 0)
    graph = Graph((), (Node(0, "_:b0", (), "", (0,)),), (statement,), roots=(0,))
    return misfit(claim_of(Owners(graph), statement, vocabulary), vocabulary, "it")


@pytest.mark.parametrize(("name", "value"), UNFIT)
def test_unfit(name: str, value: str) -> None:
    assert said(name, value)


@pytest.mark.parametrize(("name", "value"), FIT)
def test_fit(name: str, value: str) -> None:
    assert said(name, value) == ""
