"""Units of a page, and the statements that belong to one."""

from __future__ import annotations

from collections.abc import Sequence

from schemaproof.markup.model import Graph
from schemaproof.scoring.memr import Unit, unit_groups


def statements_of(graph: Graph, roots: Sequence[int]) -> frozenset[int]:
    """Statements about the nodes that can be reached from some roots, through @reverse too.

    Arguments:
        graph: the markup.
        roots: indices of nodes.
    """
    backwards: dict[int, list[int]] = {}
    for statement in graph.statements:
        if statement.reversed and statement.object is not None:
            backwards.setdefault(statement.object, []).append(statement.subject)
    seen = set(roots)
    waiting = list(roots)
    found: list[int] = []
    while waiting:
        node = waiting.pop()
        near = list(backwards.get(node, ()))
        for index in graph.nodes[node].statements:
            found.append(index)
            target = graph.statements[index].object
            if target is not None:
                near.append(target)
        for other in near:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return frozenset(found)


def units(graph: Graph, types: Sequence[str] = ()) -> list[Unit]:
    """The units of a page.

    Arguments:
        graph: the human markup.
        types: root types given by the user: then there is one unit, of the roots with any of these types.

    Returns: units in the order of their first root; none for a page without typed roots and no types given.
    """
    groups = unit_groups(graph)
    if not types:
        return groups
    wanted = set(types)
    roots = tuple(root for unit in groups if wanted & set(unit.types) for root in unit.roots)
    return [Unit(tuple(sorted(wanted)), roots)]


def matching_roots(graph: Graph, types: Sequence[str], *, alone: bool) -> tuple[int, ...]:
    """The roots of a contender's markup that answer for a unit.

    Arguments:
        graph: the contender's markup of the whole page.
        types: the unit's types.
        alone: whether the markup was written for this unit only: then all its roots answer.

    Returns: roots with exactly these types, else those that share one, else (alone) all.
    """
    if alone:
        return graph.roots
    wanted = frozenset(types)
    exact = tuple(root for root in graph.roots if frozenset(graph.nodes[root].types) == wanted)
    return exact or tuple(root for root in graph.roots if wanted & set(graph.nodes[root].types))
