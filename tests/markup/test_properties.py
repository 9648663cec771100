"""Laws of the graph, of pruning and of the triples, on markups of any shape."""

from __future__ import annotations

import os
from typing import Any

import pyoxigraph
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.markup import Graph, Statement, build_graph, prune, prune_each, to_nquads, to_triples
from schemaproof.markup.quick import QuickWalk
from schemaproof.vocabulary import load

VOCABULARY = load()
# More of them for a long fuzz: SCHEMAPROOF_EXAMPLES=20000 pytest tests/markup/test_properties.py
laws = settings(deadline=None, max_examples=int(os.environ.get("SCHEMAPROOF_EXAMPLES", "60")))
BASE = "https://example.com/page"
KEYS = [
    "name",
    "url",
    "offers",
    "price",
    "startDate",
    "knows",
    "image",
    "sameAs",
    "Name",
    "brand",
    "gr:x",
    "@name",
    "x y",
]
TYPES = ["Person", "Product", "Offer", "product", "", "gr:Thing", "https://schema.org/Event", "Unheard"]
IDS = ["#a", "#b", "_:b0", "https://example.com/c", "not an id", ""]

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-10, 10**22),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "text", "https://example.com/x", "a b", "#a", "www.example.org", "_:b0", "@id", 'quo"te\n\\']),
    st.text(max_size=8),
)
value_objects = st.fixed_dictionaries(
    {"@value": scalars},
    optional={"@type": st.sampled_from(["Date", "http://a/b", "a b", ""]), "@language": st.sampled_from(["en", "x y"])},
)
references = st.fixed_dictionaries({"@id": st.sampled_from(IDS)})


def nodes(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    properties = st.dictionaries(st.sampled_from(KEYS), values, max_size=4)
    extras = st.fixed_dictionaries(
        {},
        optional={
            "@id": st.sampled_from(IDS),
            "@type": st.one_of(st.sampled_from(TYPES), st.lists(st.sampled_from(TYPES), max_size=3), st.none()),
            "@reverse": st.dictionaries(st.sampled_from(["worksFor", "author"]), values, max_size=1),
            "@graph": st.lists(values, max_size=2),
        },
    )
    return st.builds(lambda first, second: {**first, **second}, extras, properties)


values = st.recursive(
    st.one_of(scalars, value_objects, references),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        nodes(inner),
        st.fixed_dictionaries({"@list": st.lists(inner, max_size=3)}),
        st.fixed_dictionaries({"@set": inner}),
    ),
    max_leaves=12,
)
contexts = st.sampled_from(
    [
        "https://schema.org",
        "http://schema.org/",
        "http://www.schema.org",
        ["https://schema.org", {"gr": "http://purl.org/goodrelations/v1#"}],
        ["https://schema.org", {"@language": "en", "name": "schema:headline", "label": "schema:name"}],
        {"@vocab": "https://schema.org/", "knows": {"@type": "@id"}},
        {"@vocab": "http://schema.org/", "brand": {"@reverse": "schema:brand"}},
        None,
    ]
)
documents = st.lists(
    st.builds(lambda context, node: {"@context": context, **node}, contexts, nodes(values)), min_size=1, max_size=3
)
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.one_of(
                st.sampled_from(
                    [
                        *KEYS,
                        "@context",
                        "@id",
                        "@type",
                        "@value",
                        "@list",
                        "@set",
                        "@graph",
                        "@reverse",
                        "@nest",
                        "@included",
                        "@index",
                        "@language",
                        "@vocab",
                        "@base",
                        "@container",
                        "@import",
                        "@propagate",
                        "@none",
                        "@json",
                        "@direction",
                        "type",
                        "id",
                    ]
                ),
                st.text(max_size=3),
            ),
            inner,
            max_size=5,
        ),
    ),
    max_leaves=40,
)


def graph_of(markup: list[Any]) -> Graph:
    return build_graph(markup, base=BASE, vocabulary=VOCABULARY)


@laws
@given(anything)
def test_no_shape_of_data_raises(value: Any) -> None:
    graph = build_graph([value], base=BASE, vocabulary=VOCABULARY, microdata=[{"type": value, "properties": value}])
    prune([value], [statement.path for statement in graph.statements])
    triples, _ = to_triples([value], base=BASE)
    list(pyoxigraph.parse(to_nquads(triples), pyoxigraph.RdfFormat.N_QUADS, lenient=True))


@laws
@given(documents)
def test_the_graph_holds_together(markup: list[Any]) -> None:
    graph = graph_of(markup)
    for index, statement in enumerate(graph.statements):
        assert index in graph.nodes[statement.subject].statements
        assert statement.types == graph.nodes[statement.subject].types
        assert at(markup, statement.path) is not None
        assert statement.chain[-1].property == statement.property
        assert statement.sources
        if statement.entity is not None:
            assert statement.value is None
            assert statement.object is not None
            assert statement.entity == graph.nodes[statement.object].types
        else:
            assert statement.object is None
            assert statement.value is not None
    assert len({node.id for node in graph.nodes}) == len(graph.nodes)
    assert sum(len(node.statements) for node in graph.nodes) == len(graph.statements)


def at(markup: Any, pointer: str) -> Any:
    for part in pointer[1:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        markup = markup[int(name)] if isinstance(markup, list) else markup[name]
    return markup


@laws
@given(documents)
def test_pruning_nothing_copies(markup: list[Any]) -> None:
    pruned = prune(markup, [])
    assert pruned == markup
    assert all(one is not other for one, other in zip(pruned, markup, strict=True))


def facts(graph: Graph, statements: list[Statement]) -> list[tuple[Any, ...]]:
    """Statements as facts that stay the same when array indices move: property, value, and the way to it."""
    return sorted(
        (statement.property, repr(statement.value), repr(statement.entity), repr(statement.types))
        for statement in statements
    )


@laws
@given(documents, st.data())
def test_pruning_removes_exactly_what_was_named_and_what_is_below(markup: list[Any], data: st.DataObject) -> None:
    graph = graph_of(markup)
    literals = [
        statement for statement in graph.statements if statement.entity is None and statement.property != "@type"
    ]
    chosen = data.draw(st.lists(st.sampled_from(literals), unique_by=lambda s: s.path) if literals else st.just([]))
    paths = {statement.path for statement in chosen}
    pruned = graph_of(prune(markup, paths, base=BASE))
    kept = [s for s in literals if s.path not in paths]
    # Literals: exactly the others are left. Links: those to entities of which nothing is left go with them.
    after = [s for s in pruned.statements if s.entity is None and s.property != "@type"]
    references = {s.path for s in literals if s.reference}
    plain = [s for s in kept if s.path not in references]
    assert facts(graph, plain) == facts(pruned, [s for s in after if not s.reference])
    assert len(pruned.statements) <= len(graph.statements) - len(chosen)


@laws
@given(documents)
def test_pruning_all_leaves_nothing_to_state(markup: list[Any]) -> None:
    graph = graph_of(markup)
    pruned = graph_of(prune(markup, [statement.path for statement in graph.statements], base=BASE))
    assert not pruned.statements


@laws
@given(documents)
def test_pruned_documents_keep_their_places(markup: list[Any]) -> None:
    graph = graph_of(markup)
    paths = [statement.path for statement in graph.statements][::2]
    each = prune_each(markup, paths, base=BASE)
    assert len(each) == len(markup)
    assert [one for one in each if one is not None] == prune(markup, paths, base=BASE)


@laws
@given(documents)
def test_the_quick_walk_and_the_whole_algorithms_agree(markup: list[Any]) -> None:
    quick, _ = to_triples(markup, base=BASE)
    walk = QuickWalk(BASE)
    for number, document in enumerate(markup):
        walk.whole(document, number, 0)
    assert canonical(quick) == canonical(walk.found)


def canonical(triples: Any) -> pyoxigraph.Dataset:
    rows = [(*triple[:3], triple[3]) for triple in triples]
    text = "".join(" ".join(part for part in row if part) + " .\n" for row in rows)
    dataset = pyoxigraph.Dataset(pyoxigraph.parse(text, pyoxigraph.RdfFormat.N_QUADS, lenient=True))
    dataset.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
    return dataset
