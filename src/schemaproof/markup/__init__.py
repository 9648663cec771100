"""Markup: JSON-LD, microdata and RDFa as one graph of nodes and statements; triples; pruning; edits."""

from __future__ import annotations

from schemaproof.markup.graph import build_graph, page_graph
from schemaproof.markup.model import Diagnostic, Graph, Node, Scalar, Source, Statement, Step, Triple
from schemaproof.markup.pruning import prune, prune_each
from schemaproof.markup.serialization import to_nquads, to_ntriples, to_turtle
from schemaproof.markup.triples import to_triples

__all__ = [
    "Diagnostic",
    "Graph",
    "Node",
    "Scalar",
    "Source",
    "Statement",
    "Step",
    "Triple",
    "build_graph",
    "page_graph",
    "prune",
    "prune_each",
    "to_nquads",
    "to_ntriples",
    "to_triples",
    "to_turtle",
]
