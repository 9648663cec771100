"""Validity as closed SHACL shapes see it: one violation for each class whose shape a statement breaks."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote

from schemaproof.agents.policies import POLICIES, Policy
from schemaproof.agents.validity import judge_validity
from schemaproof.agents.validity_ranges import KEEP, Range
from schemaproof.agents.verdict import Decision, Verdict
from schemaproof.markup.literals import RDF, escaped, typed
from schemaproof.markup.model import Graph
from schemaproof.vocabulary import Vocabulary

CLOSED, RANGE, CLASS = "closed", "range", "class"

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_UNSAFE = re.compile(r"""[\x00-\x20<>"{}|^`\\]""")
# What relative addresses are resolved against where the page's address is not known.
_BASE = "https://base.invalid/"


class Violation(NamedTuple):
    """One class's shape broken by one statement.

    Attributes:
        statement: index in `Graph.statements`.
        type: for "closed" the type of the node that does not have the property; for "range" the class that the
            property is declared on; for "class" the name that is no class.
        component: "closed", "range" (the value does not fit) or "class" (the vocabulary does not have it).
    """

    statement: int
    type: str
    component: str


def violations(graph: Graph, vocabulary: Vocabulary, policy: Policy = POLICIES["paper"]) -> list[Violation]:
    """Every rejection of a policy that asks each type of a node, told apart by the type that asks.

    Arguments:
        graph: the markup.
        vocabulary: the vocabulary it is judged by.
        policy: one with `every_type`.

    Returns:
        The violations in the order of the statements; an unfit value once for each
        type and class that declares the property, as each closed shape refers to the shapes of its properties.
    """
    found: list[Violation] = []
    ranges: dict[str, Range] = {}
    result = judge_validity(graph, vocabulary, policy)
    for index, (statement, verdict) in enumerate(zip(graph.statements, result.verdicts, strict=True)):
        if verdict.decision is not Decision.REJECT:
            continue
        if statement.property == "@type":
            found.append(Violation(index, str(statement.value), CLASS))
            continue
        known = vocabulary.properties.get(statement.property)
        unfit = False
        if known is not None:
            fitting = ranges.get(known.name) or ranges.setdefault(known.name, Range(known.name, vocabulary, policy))
            outcome = fitting.outcome(statement, graph)
            unfit = isinstance(outcome, Verdict) and outcome is not KEEP
        for name in statement.types:
            allowed = vocabulary.properties_of(name)
            if not allowed:
                continue
            if statement.property not in allowed:
                found.append(Violation(index, name, CLOSED))
            elif known is not None and unfit:
                above = vocabulary.types[name].ancestors
                found += [Violation(index, each, RANGE) for each in known.domains if each in above]
    return found


def as_ntriples(graph: Graph, vocabulary: Vocabulary) -> str:
    """A graph in N-Triples as the closed shapes of `vocabulary.shapes` see it, for SHACL engines.

    Only statements and types of the vocabulary are there; nodes without an address are `_:n` and their index.
    """

    def term(iri: str) -> str:
        absolute = iri if _ABSOLUTE.match(iri) else _BASE + iri.lstrip("/")
        return f"<{_UNSAFE.sub(lambda found: quote(found[0]), absolute)}>"

    names = [f"_:n{node.index}" if node.id.startswith("_:") or not node.id else term(node.id) for node in graph.nodes]
    lines = [
        f"{names[node.index]} <{RDF}type> {term(vocabulary.iri(name))} ." for node in graph.nodes for name in node.types
    ]
    for each in graph.statements:
        if each.property == "@type":
            continue
        if each.object is not None:
            value = names[each.object]
        elif each.reference:
            value = term(str(each.value))
        elif each.language:
            value = f'"{escaped(str(each.value))}"@{each.language}'
        else:
            value = typed(
                "" if each.value is None else each.value, vocabulary.iri(each.datatype) if each.datatype else ""
            )
        lines.append(f"{names[each.subject]} {term(vocabulary.iri(each.property))} {value} .")
    return "\n".join(dict.fromkeys(lines)) + "\n"
