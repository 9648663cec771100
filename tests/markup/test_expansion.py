"""What only the whole of JSON-LD has: the documents here go through expansion."""

from __future__ import annotations

from typing import Any

import pytest

from schemaproof.markup import to_nquads, to_triples
from schemaproof.markup.emission import canonical_json

EX = "http://example.org/"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def lines(context: Any, **document: Any) -> list[str]:
    whole = {"@context": context, "@id": "#s", **{key.replace("__", "@"): value for key, value in document.items()}}
    return to_nquads(to_triples([whole], base=EX)[0]).replace(EX, "ex:").splitlines()


def test_language_maps() -> None:
    context = {"label": {"@id": EX + "label", "@container": "@language"}}
    assert lines(
        context, label={"en": ["Sea", "Ocean"], "fr": "Mer", "@none": "Meer", "de": None, "x y": "left out"}
    ) == [
        '<ex:#s> <ex:label> "Sea"@en .',
        '<ex:#s> <ex:label> "Ocean"@en .',
        '<ex:#s> <ex:label> "Mer"@fr .',
        '<ex:#s> <ex:label> "Meer" .',
    ]


def test_id_type_and_index_maps() -> None:
    context = {
        "@vocab": EX,
        "by": {"@container": "@id"},
        "of": {"@container": "@type"},
        "in": {"@container": "@index"},
        "at": {"@container": "@index", "@index": "place"},
    }
    assert lines(context, by={"#a": {"n": "1"}, "@none": {"n": "2"}}) == [
        "<ex:#s> <ex:by> <ex:#a> .",
        "<ex:#s> <ex:by> _:b0 .",
        '<ex:#a> <ex:n> "1" .',
        '_:b0 <ex:n> "2" .',
    ]
    assert lines(context, of={"T": [{"n": "x"}, "#r"]}) == [
        "<ex:#s> <ex:of> _:b0 .",
        "<ex:#s> <ex:of> <ex:#r> .",
        f"_:b0 <{RDF}type> <ex:T> .",
        '_:b0 <ex:n> "x" .',
        f"<ex:#r> <{RDF}type> <ex:T> .",
    ]
    assert lines(context, **{"in": {"a": "one", "b": ["two"]}}) == [
        '<ex:#s> <ex:in> "one" .',
        '<ex:#s> <ex:in> "two" .',
    ]
    assert sorted(lines(context, at={"Ulm": {"n": "x"}})) == sorted(
        ["<ex:#s> <ex:at> _:b0 .", '_:b0 <ex:place> "Ulm" .', '_:b0 <ex:n> "x" .']
    )


def test_lists_of_lists_and_list_containers() -> None:
    context = {"l": {"@id": EX + "l", "@container": "@list"}}
    rows = [line.split(" ", 1)[1] for line in lines(context, l=["a", ["b", []]])]
    assert sum(row.startswith(f"<{RDF}first>") for row in rows) == 4
    assert sum(row.startswith(f"<{RDF}rest>") for row in rows) == 4
    assert lines(context, l=[]) == [f"<ex:#s> <ex:l> <{RDF}nil> ."]


def test_graph_containers() -> None:
    context = {"@vocab": EX, "g": {"@container": "@graph"}, "h": {"@container": ["@graph", "@id"]}}
    assert lines(context, g={"n": "x"}) == ["<ex:#s> <ex:g> _:b0 .", '_:b1 <ex:n> "x" _:b0 .']
    assert lines(context, h={"#g": {"n": "x"}}) == ["<ex:#s> <ex:h> <ex:#g> .", '_:b0 <ex:n> "x" <ex:#g> .']


def test_contexts_of_properties_and_of_types() -> None:
    context = {
        "@vocab": EX,
        "a": {"@context": {"n": EX + "inner"}},
        "T": {"@context": {"n": EX + "typed"}},
        "U": {"@context": {"@propagate": True, "n": EX + "spread"}},
    }
    assert '_:b0 <ex:inner> "x" .' in lines(context, a={"n": "x"})
    typed = lines(context, __type="T", n="x", b={"n": "y"})
    assert '<ex:#s> <ex:typed> "x" .' in typed
    assert '_:b0 <ex:n> "y" .' in typed
    spread = lines(context, __type="U", b={"n": "y"})
    assert '_:b0 <ex:spread> "y" .' in spread


def test_nest_included_and_vocab_coercion() -> None:
    context = {"@vocab": EX, "more": "@nest", "kind": {"@type": "@vocab"}, "plain": {"@type": "@none"}}
    assert lines(context, more=[{"n": "x"}, {"m": "y"}]) == ['<ex:#s> <ex:n> "x" .', '<ex:#s> <ex:m> "y" .']
    assert lines(context, kind="Thing", plain="t") == ["<ex:#s> <ex:kind> <ex:Thing> .", '<ex:#s> <ex:plain> "t" .']
    assert lines(context, __included=[{"@id": "#i", "n": "x"}]) == ['<ex:#i> <ex:n> "x" .']


def test_json_literals_are_canonical() -> None:
    context = {"j": {"@id": EX + "j", "@type": "@json"}}
    assert lines(context, j={"b": [1.0, None, "é"], "a": 1e30}) == [
        f'<ex:#s> <ex:j> "{{\\"a\\":1e+30,\\"b\\":[1,null,\\"é\\"]}}"^^<{RDF}JSON> .'
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (333333333.33333329, "333333333.3333333"),
        (1e30, "1e+30"),
        (4.50, "4.5"),
        (2e-3, "0.002"),
        (1e-27, "1e-27"),
        (1e-6, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (123e-7, "0.0000123"),
        (-1.5e-6, "-0.0000015"),
        (10.0, "10"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        ({"\u20ac": 1, "\r": 2, "1": 3, "\U0001f602": 4, "ö": 5}, '{"\\r":2,"1":3,"ö":5,"€":1,"😂":4}'),
        ([[], {}, True], "[[],{},true]"),
    ],
)
def test_canonical_json(value: Any, text: str) -> None:
    assert canonical_json(value) == text


def test_faults_cost_only_what_is_wrong() -> None:
    context = {"@vocab": EX, "m": {"@container": "@language"}}
    document = {
        "@context": context,
        "@id": "#s",
        "m": {"en": 5},
        "a": {"@value": "x", "@type": 5},
        "b": {"@list": ["x"], "c": "y"},
        "@reverse": {"d": "z"},
        "n": "stays",
    }
    triples, diagnostics = to_triples([document], base=EX)
    assert [triple.object for triple in triples] == ['"stays"']
    codes = {diagnostic.code for diagnostic in diagnostics}
    assert codes >= {"invalid-language-map", "invalid-type", "invalid-value", "invalid-json-ld", "invalid-reverse"}
