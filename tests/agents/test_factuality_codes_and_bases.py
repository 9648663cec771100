"""Codes printed in groups, instructions to programs, the © sign, and the address of a file on disk."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from schemaproof.agents.factuality import EmbeddedFactuality
from schemaproof.agents.verdict import Decision
from schemaproof.markup import page_graph
from schemaproof.page import read_page
from schemaproof.vocabulary import load


def decisions(markup: Mapping[str, object], body: str, head: str = "") -> dict[str, Decision]:
    script = json.dumps({"@context": "https://schema.org", **markup})
    page = read_page(
        f"<html lang=en><head>{head}<script type='application/ld+json'>{script}</script></head><body>{body}</body>"
    )
    graph = page_graph(page, load())
    judge = EmbeddedFactuality(load())
    verdicts = judge.judge(graph, judge.prepare(page))
    return {s.property: v.decision for s, v in zip(graph.statements, verdicts, strict=True) if v is not None}


@pytest.mark.parametrize(
    ("name", "value", "shown", "expected"),
    [
        ("isbn", "9780000001320", "ISBN 978-0-00-000132-0", Decision.KEEP),
        ("isbn", "978-0-00-000132-0", "ISBN 9780000001320", Decision.KEEP),
        ("isbn", "9780000001321", "ISBN 978-0-00-000132-0", Decision.REJECT),
        ("isbn", "9780000001320", "ISBN 978-0-00-000132-05", Decision.REJECT),
        ("gtin13", "4006381333931", "EAN 4 006381 333931", Decision.KEEP),
        ("gtin13", "4006381333931", "EAN 14 006381 333931", Decision.REJECT),
    ],
)
def test_codes_in_groups(name: str, value: str, shown: str, expected: Decision) -> None:
    kind = "Book" if name == "isbn" else "Product"
    assert decisions({"@type": kind, name: value}, f"<h1>x</h1><p>{shown}</p>")[name] is expected


@pytest.mark.parametrize(("shown", "expected"), [("158 00 Praha", Decision.KEEP), ("158 001 Praha", Decision.REJECT)])
def test_postal_codes_in_groups(shown: str, expected: Decision) -> None:
    assert decisions({"@type": "PostalAddress", "postalCode": "15800"}, f"<p>{shown}</p>")["postalCode"] is expected


def test_instructions_to_programs_are_not_looked_for_on_the_page() -> None:
    action = {"@type": "SearchAction", "target": "https://a.example/?s={q}", "query-input": "required name=q"}
    found = decisions(action, "<h1>Shop</h1>")
    assert found == {"target": Decision.KEEP, "query-input": Decision.KEEP}


def test_the_copyright_sign_is_a_label() -> None:
    found = decisions({"@type": "Book", "copyrightYear": 2026}, "<h1>Reeds</h1><footer>© 2026 Reed House</footer>")
    assert found["copyrightYear"] is Decision.KEEP


@pytest.mark.parametrize(
    "head",
    [
        '<link rel="canonical" href="https://a.example/b/1">',
        '<meta property="og:url" content="https://a.example/b/1">',
        '<base href="https://a.example/b/">',
    ],
)
def test_a_file_on_disk_has_the_address_that_its_author_gives(head: str) -> None:
    product = {"@type": "Product", "image": "https://a.example/img/r.jpg"}
    assert decisions(product, '<img src="/img/r.jpg" alt="cover">', head)["image"] is Decision.KEEP
    assert decisions(product, '<img src="/img/r.jpg" alt="cover">')["image"] is Decision.REJECT
