from __future__ import annotations

import pyoxigraph
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.markup import Triple, to_nquads, to_ntriples, to_turtle
from schemaproof.markup.literals import RDF, XSD, escaped

A, B, G = "<https://example.com/a>", "_:b0", "<https://example.com/g>"
NAME = "<http://schema.org/name>"


def test_lines() -> None:
    triples = [Triple(A, NAME, '"x"'), Triple(B, NAME, '"x"@en', G), Triple(A, NAME, '"x"', G)]
    assert to_nquads(triples) == f'{A} {NAME} "x" .\n{B} {NAME} "x"@en {G} .\n{A} {NAME} "x" {G} .\n'
    assert to_ntriples(triples) == f'{A} {NAME} "x" .\n{B} {NAME} "x"@en .\n'
    assert to_nquads([]) == to_ntriples([]) == to_turtle([]) == ""


def test_turtle_groups_by_subject_with_the_type_first() -> None:
    triples = [
        Triple(A, NAME, '"Lamp"'),
        Triple(A, f"<{RDF}type>", "<http://schema.org/Product>"),
        Triple(A, NAME, '"Light"'),
        Triple(A, "<http://schema.org/price>", f'"5"^^<{XSD}integer>'),
        Triple(A, "<http://schema.org/validFrom>", '"2026"^^<http://schema.org/Date>'),
        Triple(A, "<https://example.com/p>", f'"x y"^^<{XSD}token>'),
    ]
    assert to_turtle(triples) == (
        "@prefix schema: <http://schema.org/> .\n"
        "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
        "\n"
        f"{A} a schema:Product ;\n"
        '    schema:name "Lamp", "Light" ;\n'
        "    schema:price 5 ;\n"
        '    schema:validFrom "2026"^^schema:Date ;\n'
        '    <https://example.com/p> "x y"^^xsd:token .\n'
    )


def test_named_graphs_make_it_trig() -> None:
    text = to_turtle([Triple(A, NAME, '"x"', G), Triple(B, NAME, '"y"')])
    assert text.index(B) < text.index(f"{G} {{")
    assert len(list(pyoxigraph.parse(text, pyoxigraph.RdfFormat.TRIG))) == 2


subjects = st.sampled_from([A, "_:b0", "_:b1", "<http://schema.org/Person>", "<http://schema.org/a/b>"])
predicates = st.sampled_from([NAME, f"<{RDF}type>", "<https://schema.org/url>", "<https://example.com/p#q>"])
literals = st.builds(
    lambda text, rest: f'"{escaped(text)}"{rest}',
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.sampled_from(["", "@en", "^^<http://schema.org/Date>", f"^^<{XSD}token>"]),
)
numbers = st.sampled_from(
    [f'"5"^^<{XSD}integer>', f'"-5.0E0"^^<{XSD}double>', f'"true"^^<{XSD}boolean>', f'"5,0"^^<{XSD}integer>']
)
triples_ = st.lists(
    st.builds(Triple, subjects, predicates, st.one_of(subjects, literals, numbers), st.sampled_from(["", "", G])),
    max_size=12,
)


@settings(deadline=None, max_examples=150)
@given(triples_)
def test_all_three_say_the_same(triples: list[Triple]) -> None:
    quads = set(pyoxigraph.parse(to_nquads(triples), pyoxigraph.RdfFormat.N_QUADS))
    assert len(quads) == len(set(triples))
    assert set(pyoxigraph.parse(to_turtle(triples), pyoxigraph.RdfFormat.TRIG)) == quads
    bare = {(quad.subject, quad.predicate, quad.object) for quad in quads}
    lines = pyoxigraph.parse(to_ntriples(triples), pyoxigraph.RdfFormat.N_TRIPLES)
    assert {(quad.subject, quad.predicate, quad.object) for quad in lines} == bare
