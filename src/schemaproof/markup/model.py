"""Markup as data: one graph of nodes a page, and the flat list of its statements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Source:
    """Where a statement was stated.

    Attributes:
        format: "json-ld", "microdata" or "rdfa".
        block: number of the script block, or of the item; -1 if unknown.
        pointer: JSON Pointer (RFC 6901) into the page's items, see `Statement.path`.
    """

    format: str
    block: int
    pointer: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way from a root to a statement: a node's types and the property that leads on."""

    types: tuple[str, ...]
    property: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One property-value-type fact of a markup, at one place.

    Attributes:
        path: JSON Pointer (RFC 6901) of the value. For a page it starts at the list of its JSON-LD items
            ("/0/offers/price"); for a document of one object at the object ("/offers/price"); microdata and
            RDFa items come after the JSON-LD items in the same list. An unknown type is a statement with
            property "@type" and the pointer of its @type.
        types: types of the subject node: bare names where Schema.org's ("Product"), else absolute IRIs;
            names outside the vocabulary stay as written. Empty where it has none.
        property: bare name where Schema.org's, else absolute IRI. As written where it is not in the vocabulary.
        value: the literal as in the source (never trimmed or converted); None for an entity. The IRI as
            written for a reference to a node that is not here.
        entity: types of the object node for an entity (maybe empty), else None.
        subject: index of the subject in `Graph.nodes`.
        object: index of the object node, or None for a literal or an unresolved reference.
        reference: true where the value was given as {"@id": ...} or by the context as an IRI.
        language: language tag of a tagged text, or "".
        datatype: data type given in the source ({"@type"} of a value object), bare name or IRI, or "".
        reversed: true where it was stated through @reverse; `subject` is then the real subject.
        chain: the way from the root, this statement's own step last.
        sources: all places that state it; two for a fact given in two formats.
    """

    path: str
    types: tuple[str, ...]
    property: str
    value: Scalar | None
    entity: tuple[str, ...] | None
    subject: int
    object: int | None = None
    reference: bool = False
    language: str = ""
    datatype: str = ""
    reversed: bool = False
    chain: tuple[Step, ...] = ()
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """One node of the graph: all places with the same @id are one node.

    Attributes:
        index: its index in `Graph.nodes`.
        id: absolute IRI, or a blank node label ("_:b0") made by us or the author's.
        types: as in `Statement.types`.
        pointer: where it first stands.
        statements: indices into `Graph.statements` of the statements whose subject it is.
        list_like: true for plumbing that no one asserts (an @list wrapper).
    """

    index: int
    id: str
    types: tuple[str, ...]
    pointer: str
    statements: tuple[int, ...] = ()
    list_like: bool = False


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something about a markup that is not about one statement's validity.

    Attributes:
        code: stable id in kebab-case ("no-context", "unknown-context", "unknown-keyword", "missing-type").
        message: one sentence for people, with what to do.
        path: JSON Pointer, or "".
        severity: "error", "warning" or "info".
    """

    code: str
    message: str
    path: str = ""
    severity: str = "warning"


@dataclass(frozen=True, slots=True)
class Graph:
    """The markup of one page (or one document) as one graph, references resolved.

    Attributes:
        documents: what paths point into, in order: JSON-LD objects, then microdata items, then RDFa objects.
        nodes: every node.
        statements: every statement of the vocabulary in source order, entity links included; unknown types
            as statements with property "@type". Statements of foreign vocabularies are left out.
        foreign: how many were left out for being of a foreign vocabulary.
        roots: indices of the root nodes: top-level nodes; in an @graph those that no other node refers to.
        diagnostics: about contexts, keywords and references.
    """

    documents: tuple[Any, ...]
    nodes: tuple[Node, ...]
    statements: tuple[Statement, ...]
    foreign: int = 0
    roots: tuple[int, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


class Triple(NamedTuple):
    """An RDF quad in N-Quads spelling, each part with its brackets or quotes; graph is "" for the default.

    A named tuple and not a dataclass: it is made and hashed once for every triple, four times as fast.
    """

    subject: str
    predicate: str
    object: str
    graph: str = ""
