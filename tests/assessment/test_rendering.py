"""The canonical rendering: what is said, not how."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.assessment.rendering import marked, rendered, subject_pointer
from schemaproof.pipeline.plan import make_plan
from schemaproof.pipeline.result import UnitResult
from schemaproof.pipeline.work import make_bench, work
from schemaproof.sources.model import PageSource

PAGE = '<html lang="en"><title>Pie</title><script type="application/ld+json">{}</script><p>Pie by Ann</p>'


def unit(markup: str) -> UnitResult:
    source = PageSource("p", PAGE.replace("{}", markup).encode(), None, "p")
    return work(source, "", make_bench(make_plan(agents=("validity",)))).units[0]


def rows(markup: str) -> list[tuple[int, str, str, bool]]:
    return rendered(unit(markup).markups[0].statements)


NESTED = """{"@context": "https://schema.org", "@type": "Recipe", "name": "Pie", "recipeYield": "4",
 "author": {"@type": "Person", "name": "Ann", "address": {"@type": "PostalAddress", "addressLocality": "Ulm"}}}"""
GRAPH = """{"@context": "http://schema.org/", "@graph": [
 {"@id": "#z", "@type": "PostalAddress", "addressLocality": "Ulm"},
 {"recipeYield": "4", "author": {"@id": "#a"}, "@type": "Recipe", "@id": "#r", "name": "Pie"},
 {"@type": "Person", "address": {"@id": "#z"}, "name": "Ann", "@id": "#a"}]}"""


def test_the_way_of_writing_does_not_show() -> None:
    expected = [
        (0, "", "Recipe", True), (1, "author", "Person", True), (2, "address", "PostalAddress", True),
        (3, "addressLocality", "Ulm", False), (2, "name", "Ann", False), (1, "name", "Pie", False),
        (1, "recipeYield", "4", False),
    ]  # fmt: skip
    assert rows(NESTED) == expected
    assert rows(GRAPH) == expected


def test_members_of_enumerations_stand_bare() -> None:
    full = '{"@context": "https://schema.org", "@type": "Offer", "availability": "https://schema.org/InStock"}'
    assert (1, "availability", "InStock", False) in rows(full)
    assert rows(full) == rows(full.replace("https://schema.org/InStock", "http://schema.org/InStock"))


def test_rejected_statements_are_shown_only_on_request() -> None:
    wrong = '{"@context": "https://schema.org", "@type": "Recipe", "name": "Pie", "prise": "3"}'
    statements = unit(wrong).markups[0].statements
    assert [row[1] for row in rendered(statements)] == ["", "name"]
    assert [row[1] for row in rendered(statements, kept_only=False)] == ["", "name", "prise"]


def test_differences_are_marked_on_both_sides_alike() -> None:
    other = NESTED.replace("Ulm", "Bonn").replace('"recipeYield": "4",', "")
    left, right = marked(rows(NESTED), rows(other))
    assert [row[2] for row in left if row[4]] == ["Ulm", "4"]
    assert [row[2] for row in right if row[4]] == ["Bonn"]
    assert marked(rows(other), rows(NESTED)) == (right, left)


def test_subjects_of_paths() -> None:
    assert subject_pointer("/0/offers/price") == "/0/offers"
    assert subject_pointer("/0/offers/2") == "/0"
    assert subject_pointer("/0/itemListElement/@list/3") == "/0"
    assert subject_pointer("/0/@reverse/author/1") == "/0"
    assert subject_pointer("/name") == ""


VALUES = st.recursive(
    st.text(max_size=8),
    lambda inner: st.dictionaries(st.sampled_from(["name", "author", "about", "image"]), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(st.sampled_from(["name", "author", "about"]), VALUES, min_size=1), st.randoms())
def test_the_order_of_keys_never_shows(value: dict[str, Any], rng: Any) -> None:
    def flattened(value: dict[str, Any], path: str, chain: list[Any], out: list[dict[str, Any]]) -> None:
        keys = list(value)
        rng.shuffle(keys)
        for key in keys:
            inner = value[key]
            link = [*chain, [["Thing"], key]]
            entity = ["Thing"] if isinstance(inner, dict) else None
            out.append({"path": f"{path}/{key}", "types": ["Thing"], "property": key, "kept": True, "chain": link,
                        "value": None if entity else inner, "entity": entity})  # fmt: skip
            if isinstance(inner, dict):
                flattened(inner, f"{path}/{key}", link, out)

    orders = []
    for _ in range(2):
        statements: list[dict[str, Any]] = []
        flattened(value, "/0", [], statements)
        orders.append(rendered(statements))
    assert orders[0] == orders[1]
    assert len(orders[0]) == len(statements) + 1


def test_a_deep_markup_is_no_trouble() -> None:
    path = "/0"
    chain: list[Any] = []
    statements: list[dict[str, Any]] = []
    for _ in range(3000):
        path += "/about"
        chain.append([["Thing"], "about"])
        statements.append({"path": path, "types": ["Thing"], "property": "about", "kept": True, "chain": chain[-3:],
                           "value": None, "entity": ["Thing"]})  # fmt: skip
    statements[0]["chain"] = statements[0]["chain"][:1]
    assert len(rendered(statements)) == 3001
