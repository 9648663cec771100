"""What labels near a span say of it."""

from __future__ import annotations

import pytest

from schemaproof.agents.grounding.binding import bind, negated
from schemaproof.agents.grounding.prepared import Prepared
from schemaproof.page import page_from_text, read_page


def place(prepared: Prepared, text: str) -> tuple[int, int]:
    start = prepared.text.index(text)
    return start, start + len(text)


@pytest.mark.parametrize(
    ("body", "text", "concept"),
    [
        ("<p>Width: 60 cm</p>", "60", "width"),
        ("<dl><dt>Width</dt><dd>60 cm</dd></dl>", "60", "width"),
        ("<table><tr><td>Width</td><td>60 cm</td></tr></table>", "60", "width"),
        ("<table><tr><th>Item</th><th>Width</th></tr><tr><td>Lamp</td><td>60</td></tr></table>", "60", "width"),
        ("<div>60</div><div>Width</div>", "60", "width"),
        ("<h3>Width</h3><p>It is about 60 all in all</p>", "60", "width"),
        ("<p>128 reviews</p>", "128", "reviewcount"),
    ],
)
def test_bound(body: str, text: str, concept: str) -> None:
    prepared = Prepared(read_page(f"<html lang=en><body>{body}</body></html>"))
    assert bind(prepared, (concept,), *place(prepared, text)).own >= 0.5


def test_plain_text_with_bars() -> None:
    prepared = Prepared(page_from_text("Method | Starts | Ends\n---|---|---\nFull | 29 Aug | 23 Jun", "en"))
    assert bind(prepared, ("end",), *place(prepared, "23 jun")).own >= 0.7
    assert bind(prepared, ("start",), *place(prepared, "29 aug")).own >= 0.7


def test_a_label_with_a_number_of_its_own_is_weaker() -> None:
    prepared = Prepared(page_from_text("250 reviews 1901 Lemur Ave", "en"))
    assert bind(prepared, ("reviewcount",), *place(prepared, "250"), lone=True).own > 0.9
    assert bind(prepared, ("reviewcount",), *place(prepared, "1901"), lone=True).own < 0.98


def test_rivals_and_weak_labels() -> None:
    prepared = Prepared(page_from_text("Published 1 May 2020. Updated 3 May 2020.", "en"))
    first, second = place(prepared, "1 may 2020"), place(prepared, "3 may 2020")
    assert bind(prepared, ("published",), *first).own > bind(prepared, ("published",), *first).rival
    assert bind(prepared, ("published",), *second).concept == "modified"
    assert bind(prepared, ("published",), *second).rival > bind(prepared, ("published",), *second).own


@pytest.mark.parametrize(
    ("text", "word", "denied"),
    [
        ("Not suitable for vegans", "vegans", True),
        ("Nicht vegan", "vegan", True),
        ("Sans gluten ni lait", "lait", True),
        ("No meat. Vegan food", "vegan", False),
        ("A vegan stew", "vegan", False),
    ],
)
def test_negated(text: str, word: str, denied: bool) -> None:
    prepared = Prepared(page_from_text(text, "en"))
    assert negated(prepared, *place(prepared, word)) is denied
