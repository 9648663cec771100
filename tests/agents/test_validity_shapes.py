"""The look-up finds what SHACL engines find on the exported shapes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.agents.policies import policy
from schemaproof.agents.validity import judge_validity
from schemaproof.agents.validity_violations import CLASS, CLOSED, as_ntriples, violations
from schemaproof.agents.verdict import Decision
from schemaproof.markup.graph import build_graph
from schemaproof.markup.model import Graph
from schemaproof.vocabulary import load
from schemaproof.vocabulary.shapes import SHAPES, shapes

SH = "http://www.w3.org/ns/shacl#"
Key = tuple[str, str]


def ours(graph: Graph) -> Counter[Key]:
    """(shape, triple) of each violation; a triple that is stated twice is one in RDF."""
    vocabulary = load()
    lines: dict[int, str] = {}
    for index, statement in enumerate(graph.statements):
        alone = Graph(graph.documents, graph.nodes, (statement,))
        lines[index] = as_ntriples(alone, vocabulary).splitlines()[-1]
    seen: set[tuple[Any, ...]] = set()
    found: Counter[Key] = Counter()
    first: dict[str, int] = {}
    for index, line in lines.items():
        first.setdefault(line, index)
    for each in violations(graph, vocabulary):
        if each.component == CLASS or first[lines[each.statement]] != each.statement:
            continue
        statement = graph.statements[each.statement]
        shape = each.type if each.component == CLOSED else f"{each.type}-{statement.property}"
        found[shape, lines[each.statement]] += 1
        seen.add((each.statement, shape))
    return found


def term(text: str) -> str:
    """A term as the engines print it, blank nodes alike."""
    return text if text.startswith(("<", '"')) else "_:"


def blank(line: str) -> Key:
    """The predicate and value of a triple's line, blank nodes alike."""
    _, predicate, value = line.removesuffix(" .").split(" ", 2)
    return predicate, term(value)


@lru_cache(maxsize=2)
def compiled(name: str) -> Any:
    shacl = pytest.importorskip("shacl", reason="pip install shacl")
    return shacl.Shapes.from_turtle("".join(shapes(load(), name)))


def by_shacl(data: str) -> Counter[tuple[str, str, str]]:
    report = compiled("paper").validate_text(data, format="ntriples")
    return Counter(
        (each.source_shape.strip("<>").removeprefix(SHAPES), each.path, term(each.value)) for each in report.results
    )


def alike(found: Counter[Key]) -> Counter[tuple[str, str, str]]:
    counted: Counter[tuple[str, str, str]] = Counter()
    for (shape, line), count in found.items():
        counted[shape, *blank(line)] += count
    return counted


def graphs(documents: Iterable[Any]) -> list[Graph]:
    read = [each if isinstance(each, list) else [each] for each in documents]
    return [build_graph(each, vocabulary=load(), assume_schema_org=True) for each in read]


def official_examples(shared: Path) -> list[Any]:
    import json
    import re

    text = (shared / "vocabulary" / "30.0" / "schemaorg-all-examples.txt").read_text(encoding="utf-8")
    found = []
    for block in re.findall(r'<script type="application/ld\+json">(.*?)</script>', text, re.S):
        try:
            found.append(json.loads(block))
        except ValueError:
            continue
    return found


def human_markups(shared: Path) -> list[Any]:
    import json

    import duckdb

    with duckdb.connect() as connection:
        query = f"select coalesce(human_input_original, human_input) from '{shared / 'paper' / 'units.parquet'}'"
        rows = connection.execute(query).fetchall()
    return [json.loads(row[0]) for row in rows]


TYPES = ["Recipe", "Person", "Offer", "Thing", "WebPage", "Hotel", "Duration", "Recette", "QuantitativeValue"]
NAMES = ["name", "author", "url", "price", "aggregateRating", "mainEntityOfPage", "isbn", "weight", "cookoo", "image"]
LITERALS = (
    st.sampled_from(["x", "5", "2026-05-01", "https://schema.org/InStock", 'say "a"\n\\b', ""])
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([1.5, -0.25])
    | st.just({"@value": "x", "@language": "fr"})
    | st.just({"@value": "5", "@type": "http://www.w3.org/2001/XMLSchema#integer"})
    | st.just({"@value": "5", "@type": "http://www.w3.org/2001/XMLSchema#date"})
    | st.just({"@id": "https://a.example/elsewhere"})
    | st.just({"@id": "https://a.example/1"})
)


def nodes(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    value = inner | st.lists(inner, max_size=3)
    body = st.dictionaries(st.sampled_from(NAMES), value, max_size=4)
    types = st.sampled_from(TYPES) | st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True)
    return st.builds(
        lambda body, types, identifier: {**body, **types, **identifier},
        body,
        st.just({}) | st.builds(lambda each: {"@type": each}, types),
        st.just({}) | st.builds(lambda number: {"@id": f"https://a.example/{number}"}, st.integers(1, 2)),
    )


MARKUPS = nodes(st.recursive(LITERALS, nodes, max_leaves=8))


@settings(deadline=None, max_examples=25)
@given(MARKUPS)
def test_generated_markups_break_the_same_shapes(markup: dict[str, Any]) -> None:
    (graph,) = graphs([markup])
    assert alike(ours(graph)) == by_shacl(as_ntriples(graph, load()))


@settings(deadline=None, max_examples=60)
@given(MARKUPS)
def test_the_default_policy_rejects_what_its_shapes_find(markup: dict[str, Any]) -> None:
    (graph,) = graphs([markup])
    report = compiled("schema.org").validate_text(as_ntriples(graph, load()), format="ntriples")
    result = judge_validity(graph, load(), policy("schema.org"))
    rejected: Counter[str] = Counter()
    for statement, verdict in zip(graph.statements, result.verdicts, strict=True):
        rejected[statement.property] += verdict.decision is Decision.REJECT
    for each in report.results:
        shape = each.source_shape.strip("<>").removeprefix(SHAPES)
        assert rejected[shape.removeprefix("values-")], (shape, each.value)


@pytest.mark.slow
@settings(deadline=None, max_examples=600)
@given(MARKUPS)
def test_many_generated_markups_break_the_same_shapes(markup: dict[str, Any]) -> None:
    (graph,) = graphs([markup])
    assert alike(ours(graph)) == by_shacl(as_ntriples(graph, load()))


def test_the_look_up_and_the_engine_can_disagree() -> None:
    (graph,) = graphs([{"@type": "Person", "isbn": "1"}])
    data = as_ntriples(graph, load()).replace("isbn", "name")
    assert alike(ours(graph)) != by_shacl(data)


def test_some_markups_break_the_same_shapes(shared: Path) -> None:
    assert differing(graphs([*official_examples(shared)[::25], *human_markups(shared)[::10]])) == []


@pytest.mark.slow
def test_all_official_examples_break_the_same_shapes(shared: Path) -> None:
    read = graphs(official_examples(shared))
    assert len(read) > 400
    assert differing(read) == []


@pytest.mark.slow
def test_all_human_markups_break_the_same_shapes(shared: Path) -> None:
    read = graphs(human_markups(shared))
    assert len(read) == 98
    assert sum(sum(ours(graph).values()) for graph in read) > 100
    assert differing(read) == []


def differing(read: list[Graph]) -> list[Graph]:
    return [graph for graph in read if alike(ours(graph)) != by_shacl(as_ntriples(graph, load()))]


@pytest.mark.slow
def test_every_tenth_markup_breaks_the_same_shapes_by_pyshacl(shared: Path) -> None:
    pyshacl = pytest.importorskip("pyshacl", reason="pip install pyshacl")
    rdflib = pytest.importorskip("rdflib")
    every = rdflib.Graph().parse(data="".join(shapes(load(), "paper")), format="turtle")
    vocabulary = load()
    for graph in graphs([*official_examples(shared)[::10], *human_markups(shared)[::10]]):
        data = rdflib.Graph().parse(data=as_ntriples(graph, vocabulary), format="nt")
        # pySHACL compiles all shapes that it is given: only those of the types in the markup, and what they refer to.
        wanted = {rdflib.URIRef(SHAPES + name) for node in graph.nodes for name in node.types}
        part = rdflib.Graph()
        while wanted:
            name = wanted.pop()
            for triple in every.triples((name, None, None)):
                if triple not in part:
                    part.add(triple)
                    wanted.add(triple[2])
        _, report, _ = pyshacl.validate(data, shacl_graph=part, inplace=True)
        found: Counter[tuple[str, str, str]] = Counter()
        for result in report.subjects(rdflib.RDF.type, rdflib.URIRef(SH + "ValidationResult")):
            path, value, shape = (
                report.value(result, rdflib.URIRef(SH + each)) for each in ("resultPath", "value", "sourceShape")
            )
            found[str(shape).removeprefix(SHAPES), path.n3(), term(_n3(value))] += 1
        assert found == alike(ours(graph))


def _n3(value: Any) -> str:
    """A term of rdflib in N-Triples."""
    from rdflib.plugins.serializers.nt import _quoteLiteral  # the only spelling of it there is

    return str(_quoteLiteral(value)) if hasattr(value, "datatype") else str(value.n3())
