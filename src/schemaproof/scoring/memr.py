"""MeMR, the merged markup ratio: whose markup covers more (paper, section 3.6 and Algorithm 1)."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from schemaproof.markup.model import Graph, Statement
from schemaproof.scoring.weights import bare, weight_of
from schemaproof.scoring.weights import read_weights as read_weights

Counts: TypeAlias = Mapping[str, int]
"""Property to number of distinct facts."""

# Role and the types below it (https://schema.org/Role).
ROLES = frozenset({"Role", "LinkRole", "OrganizationRole", "EmployeeRole", "PerformanceRole"})
_TYPE = frozenset({"@type", "rdf:type", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"})


@dataclass(frozen=True, slots=True)
class MeMR:
    """How much of the merged markup each of two contenders brings.

    Attributes:
        a_score, b_score: share of the merged markup, 0 to 1; both may be 1.
        a_total, b_total: weighted sums of the contenders' counts.
        merged: weighted sum of the larger counts, the denominator of both scores; more than 0.
    """

    a_score: float
    b_score: float
    a_total: float
    b_total: float
    merged: float


@dataclass(frozen=True, slots=True)
class Unit:
    """One set of root types of a page.

    Attributes:
        types: the types, sorted, each once; empty for roots without a type.
        roots: indices of the roots in `Graph.nodes`.
    """

    types: tuple[str, ...]
    roots: tuple[int, ...]


def _value_key(statement: Statement) -> tuple[object, ...]:
    """What makes two values of a property of one node the same fact."""
    value = statement.value
    if isinstance(value, bool):
        return ("literal", "true" if value else "false", "")
    if isinstance(value, int | float):
        return ("number", value)
    if value is None:
        return ("empty", statement.path)
    text = bare(" ".join(value.split()))
    if len(text) < 40 and text[-1:].isdigit():
        try:
            number = float(text) if "_" not in text else None
        except ValueError:
            number = None
        # A long row of digits (a telephone, a GTIN) is no quantity: a float would merge neighbours.
        if number is not None and abs(number) < 1e15:
            return ("number", number)
    if text in ("True", "False"):
        text = text.lower()
    return ("literal", text, statement.language.lower())


def _reachable(graph: Graph, live: Container[int], roots: Iterable[int]) -> list[int]:
    """Nodes that the roots lead to through live statements, in order of discovery."""
    # A fact stated through @reverse stands below its object: from there the way leads back to the subject.
    backwards: dict[int, list[int]] = {}
    for index, statement in enumerate(graph.statements):
        if statement.reversed and statement.object is not None and index in live:
            backwards.setdefault(statement.object, []).append(statement.subject)
    order = list(dict.fromkeys(roots))
    seen = set(order)
    for node in order:  # grows while it is walked
        ends = [graph.statements[index].object for index in graph.nodes[node].statements if index in live]
        for end in (*ends, *backwards.get(node, ())):
            if end is not None and end not in seen:
                seen.add(end)
                order.append(end)
    return order


def counts(
    graph: Graph,
    kept: Collection[int] | None,
    roots: Sequence[int] | None = None,
    *,
    roles: Collection[str] = ROLES,
) -> dict[str, int]:
    """Count the distinct facts of a unit by property.

    Arguments:
        graph: the markup.
        kept: indices of the kept statements in `Graph.statements`; None for all.
        roots: indices of the unit's roots in `Graph.nodes`; None for all roots of the graph.
        roles: names of the types that stand between a subject and the real value.

    Returns:
        Property to number of distinct (subject, property, value) over the nodes reachable from the roots through
        kept statements. Types are left out. A Role counts as the values it holds, a list as its members. Values
        are compared with white space collapsed, numbers by value, Schema.org IRIs and bare names alike.

    Source: paper, section 3.6; https://schema.org/Role for the collapse.
    """
    statements, nodes = graph.statements, graph.nodes
    live = range(len(statements)) if kept is None else kept if isinstance(kept, Set) else frozenset(kept)

    def transparent(node: int, name: str) -> bool:
        """Whether a node only stands in the way between a subject and the values of a property."""
        if nodes[node].list_like:
            return True
        return any(kind in roles for kind in nodes[node].types) and any(
            statements[index].property == name for index in nodes[node].statements
        )

    reached = _reachable(graph, live, graph.roots if roots is None else roots)
    # Middle node -> properties that its own statements state for the subject before it.
    middles: dict[int, set[str]] = {}
    stated: list[Statement] = []
    for node in reached:
        for index in nodes[node].statements:
            statement = statements[index]
            if index in live and statement.property not in _TYPE:
                stated.append(statement)
                if statement.object is not None and transparent(statement.object, statement.property):
                    middles.setdefault(statement.object, set()).add(statement.property)

    facts: dict[str, set[tuple[object, ...]]] = {}
    for statement in stated:
        subject, name = statement.subject, statement.property
        if subject in middles and (nodes[subject].list_like or name in middles[subject]):
            continue
        found = facts.setdefault(name, set())
        waiting, passed = [statement], {subject}
        while waiting:
            current = waiting.pop()
            target = current.object
            if target is None:
                found.add((subject, *_value_key(current)))
            elif target not in middles or name not in middles[target]:
                found.add((subject, "node", target))
            elif target not in passed:
                passed.add(target)
                waiting += (
                    statements[index]
                    for index in nodes[target].statements
                    if index in live
                    and statements[index].property not in _TYPE
                    and (nodes[target].list_like or statements[index].property == name)
                )
    return {name: len(found) for name, found in facts.items() if found}


def memr(a: Counts, b: Counts, weights: Mapping[str, float] | None = None) -> MeMR | None:
    """Score two markups of the same unit against each other.

    Arguments:
        a, b: facts by property, see `counts`.
        weights: property to weight of 0 or more, "*" for those not named (else 1).

    Returns:
        Σ w·min(Ca, Cm) / Σ w·Cm for each with Cm the larger count; None where nothing is left to compare: both
        empty, or all of weight 0.

    Source: paper, Algorithm 1. For counts within their maximum, min(Ca, Cm) is Ca.
    """
    a_total = b_total = merged = 0.0
    for name in sorted(a.keys() | b.keys()):  # sums of weights must not depend on the order of a set
        weight = weight_of(weights, name)
        in_a, in_b = a.get(name, 0), b.get(name, 0)
        a_total += weight * in_a
        b_total += weight * in_b
        merged += weight * max(in_a, in_b)
    if not merged:
        return None
    return MeMR(a_total / merged, b_total / merged, a_total, b_total, merged)


def share(contenders: Iterable[Counts], weights: Mapping[str, float] | None = None) -> list[float] | None:
    """The same ratio for any number of contenders, against the maximum over all of them.

    Arguments:
        contenders: facts by property of each.
        weights: see `memr`.

    Returns:
        One share a contender in the order given, each 0 to 1; None where all are empty.
    """
    given = list(contenders)
    totals = [0.0] * len(given)
    merged = 0.0
    for name in sorted({name for each in given for name in each}):
        weight = weight_of(weights, name)
        numbers = [each.get(name, 0) for each in given]
        merged += weight * max(numbers)
        for index, number in enumerate(numbers):
            totals[index] += weight * number
    return [total / merged for total in totals] if merged else None


def unit_groups(graph: Graph, *, untyped: bool = False) -> list[Unit]:
    """The units of a page: its roots by their set of types.

    Arguments:
        graph: the markup.
        untyped: whether roots without a type form a unit (types empty) or are left out.

    Returns:
        Units in the order of their first root.
    """
    groups: dict[tuple[str, ...], list[int]] = {}
    for root in graph.roots:
        types = tuple(sorted(set(graph.nodes[root].types)))
        if types or untyped:
            groups.setdefault(types, []).append(root)
    return [Unit(types, tuple(roots)) for types, roots in groups.items()]
