"""One canonical rendering of a markup: its facts, and nothing of how, in which order or format they were written.

What a contender's habits would show (the order of keys, @id and @graph, microdata or JSON-LD, addresses of enumeration
members in full or bare) is gone, so that only what is said can give its writer away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# Depth, property ("" for a root), text, whether the text names types of an entity, whether the other side lacks it.
Row = tuple[int, str, str, bool, bool]
DEPTH_LIMIT = 12


@dataclass(slots=True)
class _Line:
    """A statement on its way into the tree."""

    property: str
    text: str
    entity: bool
    children: list[_Line] = field(default_factory=list)
    key: str = ""


def _segments(pointer: str) -> list[str]:
    return pointer.split("/")[1:]


def subject_pointer(path: str) -> str:
    """Where the subject of a statement stands: its pointer without the property, list positions and keywords."""
    parts = _segments(path)
    while parts and (parts[-1].isdigit() or parts[-1].startswith("@")):
        parts.pop()
    if parts:
        parts.pop()
    if parts and parts[-1] == "@reverse":
        parts.pop()
    return "".join(f"/{part}" for part in parts)


def _shown(statement: Mapping[str, Any]) -> str:
    value = statement["value"]
    if statement["entity"] is not None:
        return ", ".join(sorted(statement["entity"])) or "entity"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = " ".join(str(value).split())
    for start in ("https://schema.org/", "http://schema.org/"):
        if text.startswith(start) and len(text) > len(start):
            return text[len(start) :]
    return text


def tree(statements: Iterable[Mapping[str, Any]], *, kept_only: bool = True) -> list[_Line]:
    """The facts as trees, canonical: children sorted, equal ones once.

    Arguments:
        statements: of one markup, in the form of `check --json`.
        kept_only: leave out what an agent rejected or was unclear about.
    """
    rows = [row for row in statements if row["property"] != "@type" and (row["kept"] or not kept_only)]
    by_subject: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_subject.setdefault(subject_pointer(row["path"]), []).append(row)
    lines = {id(row): _Line(row["property"], _shown(row), row["entity"] is not None) for row in rows}
    entities: dict[str, Mapping[str, Any]] = {}
    for row in rows:
        if row["entity"] is not None:
            entities.setdefault(row["path"].rstrip("/"), row)
    roots: list[_Line] = []
    loose: list[tuple[str, list[Mapping[str, Any]]]] = []
    taken: set[int] = set()
    for subject, own in by_subject.items():
        parent = entities.get(subject)
        if parent is not None:
            lines[id(parent)].children += [lines[id(row)] for row in own]
            taken.add(id(parent))
        elif len(own[0]["chain"]) <= 1:
            roots.append(_root(own, lines))
        else:
            loose.append((subject, own))
    # Nodes that stand elsewhere and are referred to by @id: below the reference that leads to them.
    waiting: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in entities.values():
        if id(row) not in taken:
            waiting.setdefault(_chain(row["chain"]), []).append(row)
    loose.sort(key=lambda entry: len(entry[1][0]["chain"]))
    for _, own in loose:
        places = waiting.get(_chain(own[0]["chain"][:-1]), [])
        wanted = set(own[0]["types"])
        fitting = next((row for row in places if wanted & set(row["entity"] or ())), None)
        if fitting is None:
            roots.append(_root(own, lines))
        else:
            places.remove(fitting)
            lines[id(fitting)].children += [lines[id(row)] for row in own]
    for root in roots:
        _settle(root)
    return sorted({root.key: root for root in roots}.values(), key=lambda line: line.key)


def _chain(chain: Sequence[Any]) -> tuple[Any, ...]:
    return tuple((tuple(types), name) for types, name in chain)


def _root(own: Sequence[Mapping[str, Any]], lines: Mapping[int, _Line]) -> _Line:
    return _Line("", ", ".join(sorted(own[0]["types"])) or "entity", True, [lines[id(row)] for row in own])


def _settle(root: _Line) -> None:
    """Sort children and drop doubles from the leaves up, without recursion."""
    order = [root]
    seen = {id(root)}
    for line in order:  # grows while it is walked
        for child in line.children:
            if id(child) not in seen:
                seen.add(id(child))
                order.append(child)
    for line in reversed(order):
        line.children = sorted({child.key: child for child in line.children}.values(), key=lambda child: child.key)
        inner = hashlib.sha256("\x1e".join(child.key for child in line.children).encode("utf-8", "surrogatepass"))
        # A hash, not the text itself, of what stands below: a key does not grow with depth.
        line.key = f"{line.property}\x1f{line.text}\x1f{int(line.entity)}\x1f{inner.hexdigest()}"


def flat(lines: Sequence[_Line]) -> list[tuple[int, str, str, bool]]:
    """The rows of trees, top down: depth, property, text, whether the text names types."""
    rows: list[tuple[int, str, str, bool]] = []
    waiting = [(0, line) for line in reversed(lines)]
    while waiting:
        depth, line = waiting.pop()
        rows.append((min(depth, DEPTH_LIMIT), line.property, line.text, line.entity))
        waiting += [(depth + 1, child) for child in reversed(line.children)]
    return rows


def rendered(statements: Iterable[Mapping[str, Any]], *, kept_only: bool = True) -> list[tuple[int, str, str, bool]]:
    """A markup as canonical rows; see `tree` and `flat`."""
    return flat(tree(statements, kept_only=kept_only))


def marked(
    left: Sequence[tuple[int, str, str, bool]], right: Sequence[tuple[int, str, str, bool]]
) -> tuple[list[Row], list[Row]]:
    """Both sides with what the other lacks marked: a row is known by its property and text, and the way to it."""

    def ways(rows: Sequence[tuple[int, str, str, bool]]) -> list[tuple[str, ...]]:
        found: list[tuple[str, ...]] = []
        way: list[str] = []
        for depth, name, text, entity in rows:
            del way[depth:]
            found.append((*way, name, text.casefold()))
            way.append(name if entity else f"{name} {text}")
        return found

    left_ways, right_ways = ways(left), ways(right)
    on_left, on_right = set(left_ways), set(right_ways)
    return (
        [(*row, way not in on_right) for row, way in zip(left, left_ways, strict=True)],
        [(*row, way not in on_left) for row, way in zip(right, right_ways, strict=True)],
    )
