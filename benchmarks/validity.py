"""Validity by table look-up beside SHACL engines, on the same markups and the same closed shapes, in one run.

python -m benchmarks.validity [MARKUPS] [--pyshacl N] [--repeat N]

MARKUPS is a Parquet file with a column human_input of JSON-LD, or a folder of .jsonld files; default: the folder of
recorded data beside the checkout, else the example pages. Peers, not needed otherwise: pip install shacl pyshacl

What is timed is judging alone: a graph in memory for the look-up, compiled shapes and a string of N-Triples for the
PyPI package shacl, graphs in memory for pySHACL (inference='both', as the paper has it; slow, so only the first N
markups). CPU seconds of the process. The same violations come out of all of them: tests/agents/test_validity_shapes.py.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from schemaproof.agents.policies import POLICIES
from schemaproof.agents.validity import judge_validity
from schemaproof.agents.validity_violations import as_ntriples
from schemaproof.markup.graph import build_graph
from schemaproof.markup.model import Graph
from schemaproof.vocabulary import load
from schemaproof.vocabulary.shapes import shapes

RECORDED = Path(__file__).resolve().parent.parent.parent / "shared" / "paper" / "units.parquet"
EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "pages"
GOALS = {"shacl": 300, "pySHACL": 20_000}


def markups(source: Path) -> list[Any]:
    """The JSON-LD documents of a source, see the module's docstring."""
    if source.suffix == ".parquet":
        import duckdb

        with duckdb.connect() as connection:
            rows = connection.execute(f"select human_input from '{source}' where human_input is not null").fetchall()
        return [json.loads(row[0]) for row in rows]
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(source.glob("*.jsonld"))]
    if not found:
        from schemaproof.page.reader import read_page

        found = [list(read_page(path.read_bytes()).items) for path in sorted(source.glob("*.html"))]
    return found


def seconds(call: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    started = time.process_time()
    call()
    return time.process_time() - started


def look_up(graphs: list[Graph], policy: str, repeat: int) -> list[float]:
    """Seconds a markup, one figure a repetition."""
    vocabulary = load()
    chosen = POLICIES[policy]

    def all_of_them() -> None:
        for graph in graphs:
            judge_validity(graph, vocabulary, chosen)

    all_of_them()
    return [seconds(all_of_them) / len(graphs) for _ in range(repeat)]


def by_shacl(data: list[str], turtle: str, repeat: int) -> list[float]:
    """Seconds a markup, one figure a repetition."""
    import shacl

    compiled = shacl.Shapes.from_turtle(turtle)

    def all_of_them() -> None:
        for each in data:
            compiled.validate_text(each, format="ntriples")

    all_of_them()
    return [seconds(all_of_them) / len(data) for _ in range(repeat)]


def by_pyshacl(data: list[str], turtle: str) -> list[float]:
    """Seconds a markup, one figure a markup."""
    import pyshacl
    import rdflib

    shapes_graph = rdflib.Graph().parse(data=turtle, format="turtle")
    found = []
    for each in data:
        graph = rdflib.Graph().parse(data=each, format="nt")
        found.append(seconds(lambda graph=graph: pyshacl.validate(graph, shacl_graph=shapes_graph, inference="both")))  # type: ignore[misc]
    return found


def row(name: str, figures: list[float], own: float) -> str:
    """One line of the table: median and quartiles in milliseconds, and how many times the look-up's median."""
    low, middle, high = statistics.quantiles(figures, n=4) if len(figures) > 1 else (figures[0],) * 3
    goal = f"  (goal: {GOALS[name]:,})" if name in GOALS else ""
    return f"{name:22}{1000 * middle:12.4f}{1000 * low:12.4f}{1000 * high:12.4f}{middle / own:14,.0f}x{goal}"


def main() -> int:
    """Measure and print; exit status 1 when a goal is missed."""
    parser = argparse.ArgumentParser(description="Validity: look-up beside SHACL engines.")
    parser.add_argument("markups", nargs="?", type=Path, default=RECORDED if RECORDED.exists() else EXAMPLES)
    parser.add_argument("--pyshacl", type=int, default=5, metavar="N", help="markups that pySHACL judges; 0 for none")
    parser.add_argument("--repeat", type=int, default=7, metavar="N")
    options = parser.parse_args()
    vocabulary = load()
    documents = markups(options.markups)
    graphs = [
        build_graph(each if isinstance(each, list) else [each], vocabulary=vocabulary, assume_schema_org=True)
        for each in documents
    ]
    data = [as_ntriples(graph, vocabulary) for graph in graphs]
    turtle = "".join(shapes(vocabulary, "paper"))
    statements = sum(len(graph.statements) for graph in graphs)
    print(f"{len(graphs)} markups, {statements} statements, Schema.org {vocabulary.release}")
    print(f"{'ms a markup':22}{'median':>12}{'quartile':>12}{'quartile':>12}{'ratio':>15}")
    own = look_up(graphs, "paper", max(options.repeat, 15))
    base = statistics.median(own)
    print(row("look-up, paper", own, base))
    print(row("look-up, schema.org", look_up(graphs, "schema.org", max(options.repeat, 15)), base), flush=True)
    missed = False
    peers: list[tuple[str, Callable[[], list[float]]]] = [("shacl", lambda: by_shacl(data, turtle, options.repeat))]
    if options.pyshacl:
        peers.append(("pySHACL", lambda: by_pyshacl(data[: options.pyshacl], turtle)))
    for name, measure in peers:
        try:
            figures = measure()
        except ImportError as problem:
            print(f"{name:22}  not measured: {problem}")
            continue
        print(row(name, figures, base), flush=True)
        missed = missed or statistics.median(figures) / base < GOALS[name]
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
