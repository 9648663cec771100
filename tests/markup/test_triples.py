from __future__ import annotations

import math
from typing import Any

import pytest

from schemaproof.markup import Diagnostic, Triple, to_nquads, to_triples
from schemaproof.markup.literals import double, escaped, typed

BASE = "https://example.com/page"
SCHEMA = "https://schema.org"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"
NAME = "<http://schema.org/name>"


def of(*documents: Any, base: str = BASE, **options: Any) -> tuple[list[Triple], list[Diagnostic]]:
    return to_triples(documents, base=base, **options)


def lines(*documents: Any, **options: Any) -> list[str]:
    return to_nquads(of(*documents, **options)[0]).splitlines()


def objects(*documents: Any) -> list[str]:
    """Objects of all triples but the types."""
    return [triple.object for triple in of(*documents)[0] if not triple.predicate.endswith("#type>")]


def codes(*documents: Any, **options: Any) -> list[str]:
    return [diagnostic.code for diagnostic in of(*documents, **options)[1]]


def test_a_small_document() -> None:
    assert lines({"@context": SCHEMA, "@type": "Person", "@id": "#ann", "name": "Ann", "knows": {"name": "Bob"}}) == [
        f"<https://example.com/page#ann> <{RDF}type> <http://schema.org/Person> .",
        f'<https://example.com/page#ann> {NAME} "Ann" .',
        "<https://example.com/page#ann> <http://schema.org/knows> _:b0 .",
        f'_:b0 {NAME} "Bob" .',
    ]


@pytest.mark.parametrize(
    ("given", "term"),
    [
        ({"price": 10.0}, f'"10"^^<{XSD}integer>'),
        ({"price": 10.5}, f'"1.05E1"^^<{XSD}double>'),
        ({"price": 10**21}, f'"1.0E21"^^<{XSD}double>'),
        ({"price": 10**400}, f'"INF"^^<{XSD}double>'),
        ({"price": -0.001}, f'"-1.0E-3"^^<{XSD}double>'),
        ({"isAccessibleForFree": True}, f'"true"^^<{XSD}boolean>'),
        ({"startDate": "2026-05-01"}, '"2026-05-01"^^<http://schema.org/Date>'),
        ({"merchantReturnDays": 30}, '"30"^^<http://schema.org/Date>'),
        ({"startDate": {"@value": "2026-05-01", "@type": "DateTime"}}, '"2026-05-01"^^<http://schema.org/DateTime>'),
        ({"name": {"@value": "x", "@type": f"{XSD}string"}}, '"x"'),
        ({"name": {"@value": "x", "@language": "en-GB"}}, '"x"@en-GB'),
        ({"name": 'a"b\\c\nd'}, '"a\\"b\\\\c\\nd"'),
        ({"url": "/lamp"}, "<https://example.com/lamp>"),
        ({"url": "schema:Person"}, "<http://schema.org/Person>"),
        ({"url": "mailto:a@example.com"}, "<mailto:a@example.com>"),
        ({"sameAs": "https://example.com/?q={x}"}, "<https://example.com/?q={x}>"),
        ({"sameAs": ""}, f"<{BASE}>"),
        ({"name": "https://example.com/"}, '"https://example.com/"'),
        ({"url": 5}, f'"5"^^<{XSD}integer>'),
        ({"author": {"@id": "#ann"}}, f"<{BASE}#ann>"),
    ],
)
def test_values(given: dict[str, Any], term: str) -> None:
    assert objects({"@context": SCHEMA, **given}) == [term]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"url": "https://shop.example/a b.html"}, "invalid-url"),
        ({"license": "All rights reserved"}, "invalid-url"),
        ({"author": {"@id": "https://a b"}}, "invalid-url"),
        ({"name": {"@value": "x", "@language": "a b"}}, "invalid-language"),
        ({"name": {"@value": "x", "@language": "en", "@type": "Text"}}, "invalid-value"),
        ({"name": {"@value": "x", "@type": "a b"}}, "invalid-value"),
        ({"name": {"@value": ["x"]}}, "invalid-value"),
        ({"@reverse": {"author": "x"}}, "invalid-reverse"),
        ({"@reverse": "x"}, "invalid-reverse"),
        ({"@name": "x"}, "unknown-keyword"),
        ({"@value2": "x"}, ""),
    ],
)
def test_what_is_no_rdf_is_left_out_with_a_word(given: dict[str, Any], code: str) -> None:
    document = {"@context": SCHEMA, "@id": "#a", "description": "stays", **given}
    triples, diagnostics = of(document)
    if code:
        assert [triple.object for triple in triples] == ['"stays"']
        assert [diagnostic.code for diagnostic in diagnostics] == [code]
        assert diagnostics[0].path.startswith("/0")
    else:
        assert len(triples) == 2


def test_a_forgotten_scheme_is_resolved_and_warned_of() -> None:
    document = {"@context": SCHEMA, "url": "www.example.org"}
    assert objects(document) == ["<https://example.com/www.example.org>"]
    assert codes(document) == ["url-without-scheme"]
    assert of(document)[1][0].path == "/0/url"


@pytest.mark.parametrize(
    ("url", "code"), [("", "empty-url"), ("https//b.example", "damaged-url"), ("https://", "damaged-url")]
)
def test_addresses_that_are_none_in_all_likelihood(url: str, code: str) -> None:
    assert codes({"@context": SCHEMA, "url": url}) == [code]


def test_without_a_base_what_is_relative_is_left_out() -> None:
    document = {"@context": SCHEMA, "@id": "#p", "name": "Lamp"}
    assert lines(document, base="") == []
    assert codes(document, base="") == ["relative-iri"]


def test_without_a_context_types_resolve_against_the_page() -> None:
    assert lines({"@type": "Person", "name": "Ann"}) == [f"_:b0 <{RDF}type> <https://example.com/Person> ."]
    assert codes({"@type": "Person", "name": "Ann"}) == ["no-context"]


def test_an_empty_type_is_the_vocabulary_itself() -> None:
    assert lines({"@context": SCHEMA, "@type": ""}) == [f"_:b0 <{RDF}type> <http://schema.org/> ."]
    assert codes({"@context": SCHEMA, "@type": ""}) == ["empty-type"]


def test_what_is_said_twice_is_one_triple() -> None:
    document = {"@context": SCHEMA, "@id": "#a", "name": ["x", "x"]}
    assert lines(document, document) == [f'<https://example.com/page#a> {NAME} "x" .']


def test_lists_sets_and_arrays() -> None:
    assert lines({"@context": SCHEMA, "name": {"@list": ["a", "b"]}}) == [
        f'_:b1 <{RDF}first> "a" .',
        f"_:b1 <{RDF}rest> _:b2 .",
        f'_:b2 <{RDF}first> "b" .',
        f"_:b2 <{RDF}rest> <{RDF}nil> .",
        f"_:b0 {NAME} _:b1 .",
    ]
    assert objects({"@context": SCHEMA, "name": {"@list": []}}) == [f"<{RDF}nil>"]
    assert objects({"@context": SCHEMA, "name": [["a"], {"@set": ["b", ["c"]]}]}) == ['"a"', '"b"', '"c"']


def test_named_graphs() -> None:
    document = {"@context": SCHEMA, "@id": "#g", "name": "G", "@graph": [{"@id": "#a", "name": "A"}]}
    assert lines(document) == [
        f'<{BASE}#g> {NAME} "G" .',
        f'<{BASE}#a> {NAME} "A" <{BASE}#g> .',
    ]
    assert lines({"@context": SCHEMA, "@graph": [{"@id": "#a", "name": "A"}]}) == [f'<{BASE}#a> {NAME} "A" .']


def test_reverse() -> None:
    document = {"@context": SCHEMA, "@id": "#o", "@reverse": {"worksFor": [{"@id": "#a"}, {"@id": "#b", "name": "B"}]}}
    assert lines(document) == [
        f"<{BASE}#a> <http://schema.org/worksFor> <{BASE}#o> .",
        f"<{BASE}#b> <http://schema.org/worksFor> <{BASE}#o> .",
        f'<{BASE}#b> {NAME} "B" .',
    ]


def test_blank_node_labels_belong_to_their_block() -> None:
    documents = [{"@context": SCHEMA, "@id": "_:x", "name": "A"}, {"@context": SCHEMA, "@id": "_:x", "email": "B"}]
    assert len({triple.subject for triple in of(*documents)[0]}) == 1
    assert len({triple.subject for triple in of(*documents, blocks=[0, 1])[0]}) == 2


def test_inline_contexts() -> None:
    document = {
        "@context": [
            SCHEMA,
            {
                "@language": "de",
                "gr": "http://purl.org/goodrelations/v1#",
                "label": "schema:name",
                "homepage": {"@id": "schema:url", "@type": "@id"},
                "born": {"@id": "schema:birthDate", "@type": "http://www.w3.org/2001/XMLSchema#date"},
            },
        ],
        "@id": "#a",
        "label": "x",
        "homepage": "h",
        "born": "2000-01-01",
        "gr:x": "y",
        "url": "u",
    }
    assert [triple[1:3] for triple in of(document)[0]] == [
        (NAME, '"x"@de'),
        ("<http://schema.org/url>", "<https://example.com/h>"),
        ("<http://schema.org/birthDate>", f'"2000-01-01"^^<{XSD}date>'),
        ("<http://purl.org/goodrelations/v1#x>", '"y"@de'),
        ("<http://schema.org/url>", "<https://example.com/u>"),
    ]


def test_official_terms_stay_schema_orgs_under_another_vocab() -> None:
    document = {"@context": [SCHEMA, {"@vocab": "https://example.com/v#"}], "@id": "#a", "name": "x", "watt": 5}
    assert [triple.predicate for triple in of(document)[0]] == [NAME, "<https://example.com/v#watt>"]


def test_remote_contexts_are_taken_from_those_at_hand_only() -> None:
    document = {"@context": "ctx.jsonld", "@id": "#a", "label": "x"}
    assert codes(document) == ["unknown-context"]
    known = {"https://example.com/ctx.jsonld": {"@context": {"label": "http://schema.org/name"}}}
    assert lines(document, contexts=known) == [f'<{BASE}#a> {NAME} "x" .']


def test_contexts_that_include_each_other_end() -> None:
    known = {
        "https://example.com/a": {"@context": ["/b"]},
        "https://example.com/b": {"@context": ["/a", {"@vocab": "x:"}]},
    }
    triples, diagnostics = of({"@context": "/a", "@id": "#a", "label": "x"}, contexts=known)
    assert [triple.predicate for triple in triples] == ["<x:label>"]
    assert "invalid-context" in {diagnostic.code for diagnostic in diagnostics}


def test_one_bad_document_does_not_touch_the_next() -> None:
    bad = {"@context": {"x": {"@id": 5}, "@vocab": 7}, "x": {"@value": {}}, "@id": 9, "@type": {}}
    good = {"@context": SCHEMA, "@id": "#a", "name": "x"}
    assert lines(bad, "nothing", None, good)[-1] == f'<{BASE}#a> {NAME} "x" .'


def test_deep_nesting_is_left_out_with_a_word() -> None:
    document: dict[str, Any] = {"@context": SCHEMA}
    inner = document
    for _ in range(50_000):
        inner["knows"] = {}
        inner = inner["knows"]
    assert "too-deep" in codes(document)
    document["@context"] = [SCHEMA, {"also": {"@id": "schema:name", "@container": "@set"}}]
    document["also"] = ["x"]
    triples, diagnostics = of(document)
    assert "too-deep" in {diagnostic.code for diagnostic in diagnostics}
    assert len(triples) < 600


def test_numbers_in_canonical_form() -> None:
    assert [double(x) for x in (5.5, 1e21, -0.001, 1 / 3)] == ["5.5E0", "1.0E21", "-1.0E-3", "3.333333333333333E-1"]
    assert typed(math.inf, "") == f'"INF"^^<{XSD}double>'
    assert typed(math.nan, "") == f'"NaN"^^<{XSD}double>'
    assert typed(10.0, f"{XSD}double") == f'"1.0E1"^^<{XSD}double>'
    assert escaped("\x00\x7f") == "\\u0000\\u007F"
