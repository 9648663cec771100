"""Triples as text: N-Triples, N-Quads, and Turtle (TriG where there are named graphs)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from schemaproof.markup.literals import RDF, TYPE, XSD
from schemaproof.markup.model import Triple

_SCHEMA_ORG = ("http://schema.org/", "https://schema.org/")
_LOCAL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_DOUBLE = re.compile(r"[+-]?[0-9]+\.[0-9]*[eE][+-]?[0-9]+")
_XSD_TYPED = re.compile(rf'"(.*)"\^\^<{re.escape(XSD)}(integer|double|boolean)>', re.DOTALL)


def to_ntriples(triples: Iterable[Triple]) -> str:
    """N-Triples, one line each; triples of named graphs stand among the others, without their graph."""
    return "".join(
        f"{subject} {predicate} {value} .\n"
        for subject, predicate, value in dict.fromkeys(triple[:3] for triple in triples)
    )


def to_nquads(triples: Iterable[Triple]) -> str:
    """N-Quads, one line each; where no graph is named, the text is N-Triples too."""
    return "".join(
        f"{subject} {predicate} {value} {graph} .\n" if graph else f"{subject} {predicate} {value} .\n"
        for subject, predicate, value, graph in triples
    )


def to_turtle(triples: Iterable[Triple]) -> str:
    """Turtle grouped by subject, types first; TriG where a graph is named."""
    graphs: dict[str, dict[str, dict[str, list[str]]]] = {}
    for subject, predicate, value, graph in triples:
        graphs.setdefault(graph, {}).setdefault(subject, {}).setdefault(predicate, []).append(value)
    writer = _Turtle()
    parts = [writer.graph(name, subjects) for name, subjects in sorted(graphs.items(), key=lambda item: item[0] != "")]
    head = "".join(f"@prefix {prefix}: <{namespace}> .\n" for prefix, namespace in writer.used.items())
    return "\n".join(([head] if head else []) + parts)


class _Turtle:
    """Writes graphs and notes which prefixes they need."""

    def __init__(self) -> None:
        self.used: dict[str, str] = {}

    def graph(self, name: str, subjects: dict[str, dict[str, list[str]]]) -> str:
        text = "\n".join(self.subject(subject, properties) for subject, properties in subjects.items())
        if not name:
            return text
        inner = "".join(f"  {line}\n" if line else "\n" for line in text.split("\n")[:-1])
        return f"{self.term(name)} {{\n{inner}}}\n"

    def subject(self, subject: str, properties: dict[str, list[str]]) -> str:
        order = sorted(properties, key=lambda predicate: predicate != TYPE)
        lines = [
            f"{'a' if predicate == TYPE else self.term(predicate)} {', '.join(map(self.term, properties[predicate]))}"
            for predicate in order
        ]
        return f"{self.term(subject)} " + " ;\n    ".join(lines) + " .\n"

    def term(self, term: str) -> str:
        if term[0] == "<":
            return self.iri(term)
        if term[0] == '"':
            native = _XSD_TYPED.fullmatch(term)
            if native is not None:
                text, kind = native.groups()
                if (
                    (kind == "boolean" and text in ("true", "false"))
                    or (kind == "integer" and _INTEGER.fullmatch(text))
                    or (kind == "double" and _DOUBLE.fullmatch(text))
                ):
                    return text
            literal, typed, datatype = term.rpartition('"^^')
            return f'{literal}"^^{self.iri(datatype)}' if typed else term
        return term

    def iri(self, term: str) -> str:
        iri = term[1:-1]
        for prefix, namespace in (("schema", _SCHEMA_ORG[0]), ("schemas", _SCHEMA_ORG[1]), ("xsd", XSD), ("rdf", RDF)):
            if iri.startswith(namespace) and _LOCAL.fullmatch(iri, len(namespace)):
                self.used[prefix] = namespace
                return f"{prefix}:{iri[len(namespace) :]}"
        return term
