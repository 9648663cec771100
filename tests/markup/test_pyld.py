"""Triples against PyLD with Schema.org's official context, on recorded markups and the official examples.

pip install PyLD
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest

from schemaproof.markup import to_nquads, to_triples

BASE = "https://example.com/page"
SCRIPT = re.compile(r"<script[^>]*application/ld\+json[^>]*>(.*?)</script>", re.DOTALL)

# (part of the source, why the two differ)
EXPLAINED = {
    '"url": "123.45.678.90:2342"': "no IRI, since a scheme begins with a letter: JSON-LD 1.1 API 5.2.2 resolves it "
    "against the base as a relative reference; PyLD takes it for an absolute IRI and then drops it",
}


def canonical(text: str) -> pyoxigraph.Dataset:
    quads = []
    for quad in pyoxigraph.parse(text, pyoxigraph.RdfFormat.N_QUADS, lenient=True):
        value = quad.object
        if isinstance(value, pyoxigraph.Literal) and value.language:
            value = pyoxigraph.Literal(value.value, language=value.language.lower())
        quads.append(pyoxigraph.Quad(quad.subject, quad.predicate, value, quad.graph_name))
    found = pyoxigraph.Dataset(quads)
    found.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
    return found


def markups(shared: Path) -> list[Any]:
    import duckdb

    query = f"select coalesce(human_input_original, human_input) from '{shared / 'paper' / 'units.parquet'}'"
    rows = duckdb.execute(query).fetchall()
    found = [json.loads(row[0]) for row in rows]
    for script in SCRIPT.findall((shared / "vocabulary/30.0/schemaorg-all-examples.txt").read_text("utf-8")):
        try:
            found.append(json.loads(script))
        except ValueError:  # not every example is JSON
            continue
    return found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_triples_equal_those_of_pyld(shared: Path) -> None:
    if importlib.util.find_spec("pyld") is None:
        pytest.skip("PyLD is not installed: pip install PyLD")
    jsonld: Any = importlib.import_module("pyld.jsonld")
    context = json.loads((shared / "vocabulary/30.0/schemaorgcontext.jsonld").read_bytes())

    def load(url: str, options: Any = None) -> dict[str, Any]:
        return {"contentType": "application/ld+json", "contextUrl": None, "documentUrl": url, "document": context}

    options = {"documentLoader": load, "format": "application/n-quads", "base": BASE}
    different = []
    found = markups(shared)
    assert len(found) > 500
    for markup in found:
        theirs = jsonld.to_rdf(markup, options)
        ours, _ = to_triples(markup if isinstance(markup, list) else [markup], base=BASE)
        if canonical(theirs) != canonical(to_nquads(ours)):
            different.append(json.dumps(markup, ensure_ascii=False))
    assert len(different) <= 0.005 * len(found)
    for text in different:
        assert any(part in text for part in EXPLAINED), text[:500]
