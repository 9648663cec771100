"""Time and memory grow with the markup and no faster, whatever its shape."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from schemaproof.markup import build_graph, prune, to_triples
from schemaproof.vocabulary import load

SCHEMA = "https://schema.org"


def items(n: int) -> Any:
    members = [
        {"@type": "ListItem", "position": i, "item": {"@type": "Product", "name": f"P{i}", "sku": f"S{i}"}}
        for i in range(n // 5)
    ]
    return {"@context": SCHEMA, "@type": "ItemList", "itemListElement": members}


def chain(n: int) -> Any:
    members = [{"@id": f"#{i}", "@type": "Person", "name": "n", "knows": {"@id": f"#{i + 1}"}} for i in range(n // 2)]
    return {"@context": SCHEMA, "@graph": members}


def one_node(n: int) -> Any:
    return {"@context": SCHEMA, "@graph": [{"@id": "#x", "@type": "Person", "name": f"n{i}"} for i in range(n)]}


def keys(n: int) -> Any:
    return {"@context": SCHEMA, "@type": "Person", **{f"key{i}": 1 for i in range(n)}}


def types(n: int) -> Any:
    return {"@context": SCHEMA, "@type": [f"T{i}" for i in range(n)], "name": ["x"] * n}


def contexts(n: int) -> Any:
    terms = [{f"t{i}": f"http://example.org/{i}"} for i in range(n // 5)]
    return {"@context": [SCHEMA, *terms], "@type": "Person", "name": ["x"] * n}


def inner_contexts(n: int) -> Any:
    terms = {f"t{i}": f"http://example.org/{i}" for i in range(300)}
    members = [{"@context": {"a": "http://example.org/"}, "@type": "Person", "name": "n"} for _ in range(n)]
    return {"@context": [SCHEMA, terms], "@graph": members}


def crowd(n: int) -> Any:
    return {
        "@context": SCHEMA,
        "@graph": [
            {"@id": "#a", "@type": "Person", "knows": [{"@id": "#b"}] * (n // 2)},
            {"@id": "#b", "@type": "Person", "knows": [{"@id": "#a"}] * (n // 2)},
        ],
    }


def broken(n: int) -> Any:
    return {
        "@context": SCHEMA,
        "@type": "Person",
        **{f"@key{chr(97 + i % 26)}{i}": 1 for i in range(n)},
        "url": ["a b"] * n,
    }


def maps(n: int) -> Any:
    context = [SCHEMA, {"name": {"@id": "schema:name", "@container": "@language"}}]
    return {"@context": context, "@type": "Person", "name": {"en": [f"x{i}" for i in range(n)]}}


SHAPES = [items, chain, one_node, keys, types, contexts, inner_contexts, crowd, broken, maps]


def work(document: Any) -> None:
    graph = build_graph([document], base="https://example.com/", vocabulary=load())
    to_triples([document], base="https://example.com/")
    prune([document], [statement.path for statement in graph.statements[::2]])


def seconds(make: Callable[[int], Any], n: int) -> float:
    document = make(n)
    best = float("inf")
    for _ in range(2):
        started = time.process_time()
        work(document)
        best = min(best, time.process_time() - started)
    return best


@pytest.mark.slow
@pytest.mark.parametrize("make", SHAPES)
def test_time_is_linear(make: Callable[[int], Any]) -> None:
    small, large = seconds(make, 4_000), seconds(make, 40_000)
    # Ten times as much; quadratic would be a hundred. The garbage collector costs a part that grows a little.
    assert large < 30 * max(small, 0.004)


@pytest.mark.slow
def test_two_hundred_thousand_statements_in_bounded_memory() -> None:
    document = items(200_000)
    started = time.process_time()
    graph = build_graph([document], base="https://example.com/", vocabulary=load())
    assert time.process_time() - started < 20  # measured 2.7 s
    assert len(graph.statements) == 200_000
    del graph
    tracemalloc.start()
    build_graph([document], base="https://example.com/", vocabulary=load())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 400e6  # 2 KB a statement


def test_a_markup_of_a_real_size_is_quick() -> None:
    document = items(50)
    vocabulary = load()
    build_graph([document], base="https://example.com/", vocabulary=vocabulary)
    best = float("inf")
    for _ in range(20):
        started = time.process_time()
        for _ in range(10):
            build_graph([document], base="https://example.com/", vocabulary=vocabulary)
        best = min(best, (time.process_time() - started) / 10)
    # Measured 0.4 ms on a slow machine; the floor is what the whole main job can bear.
    assert best < 0.002
