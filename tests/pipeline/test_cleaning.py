"""Cleaning of markups of many statements."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schemaproof.page import read_page
from schemaproof.page.model import Page
from schemaproof.pipeline.checking import Checker, CheckOptions
from schemaproof.pipeline.cleaning import clean


def _shop(count: int) -> Page:
    rows = "".join(f"<tr><td>Thing {each}<td>{each}.50 EUR" for each in range(count))
    nodes = [
        {
            "@context": "https://schema.org",
            "@type": "Product",
            "name": f"Thing {each}",
            "offers": {"@type": "Offer", "price": f"{each}.50 EUR"},
        }
        for each in range(count)
    ]
    script = f"<script type='application/ld+json'>{json.dumps(nodes)}</script>"
    return read_page(f"<html lang=en><body><table>{rows}</table>{script}</body></html>")


def test_many_repairs_do_not_take_the_page_apart_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Taking a page's items apart costs its length: as often for many repairs as for few."""
    checker = Checker(CheckOptions(None, "embedded", "schema.org", None, None))
    whole = Page.items.fget  # type: ignore[attr-defined]  # mypy sees what the property gives, not the property
    taken: list[int] = []

    def counting(page: Page) -> Any:
        taken[-1] += 1
        return whole(page)

    monkeypatch.setattr(Page, "items", property(counting))
    for count in (5, 50):
        page = _shop(count)
        taken.append(0)
        cleaned = clean(page, checker, fix=True)
        assert len(cleaned.changes) == count
        assert not cleaned.removed
    assert taken[0] == taken[1]
