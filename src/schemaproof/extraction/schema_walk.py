"""Following a JSON Schema beside a value: which part of it speaks about a member or an item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

_STEPS = 40
_PARTS = 10_000  # of a schema that are looked at for an anchor
_VALUES = ("enum", "const", "default", "examples")  # hold data, not schemas
NOTHING: Mapping[str, Any] = {}


def inside(schema: Any, target: str) -> Any:
    """What a reference inside of a JSON Schema refers to; None where that is nothing, or outside.

    Arguments:
        schema: the whole JSON Schema.
        target: of `$ref`: "#", a JSON pointer (RFC 6901, 6) or the name of an anchor behind it.
    """
    if not target.startswith("#"):
        return None
    fragment = unquote(target[1:])
    if fragment and not fragment.startswith("/"):
        return next(_anchored(schema, fragment), None)
    node = schema
    for part in fragment.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, Mapping):
            node = node.get(part)
        elif isinstance(node, list) and part.isascii() and part.isdigit() and int(part[:9]) < len(node):
            node = node[int(part[:9])]
        else:
            return None
    return node


def _anchored(schema: Any, name: str) -> Iterator[Any]:
    """The parts of that anchor: `$anchor`, or "#name" as `$id` in drafts before 2019-09."""
    waiting, steps = [schema], 0
    while waiting and steps < _PARTS:
        node, steps = waiting.pop(), steps + 1
        if isinstance(node, Mapping):
            anchors, ids = ("$anchor", "$dynamicAnchor"), ("$id", "id")
            if any(node.get(word) == name for word in anchors) or any(node.get(word) == f"#{name}" for word in ids):
                yield node
            waiting.extend(inner for word, inner in node.items() if word not in _VALUES)
        elif isinstance(node, list):
            waiting.extend(node)


class SchemaWalk:
    """A JSON Schema to walk down. Only references inside it are followed; a part that is none counts as {}.

    Arguments:
        schema: the whole JSON Schema, of any shape.
    """

    def __init__(self, schema: Any) -> None:
        self.root: Mapping[str, Any] = schema if isinstance(schema, Mapping) else NOTHING

    def parts(self, node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """The node, what it refers to, and its alternatives, those that only allow null left out."""
        waiting, steps = [node], 0
        while waiting and steps < _STEPS:
            current, steps = waiting.pop(0), steps + 1
            target = current.get("$ref")
            if isinstance(target, str):
                found = self._resolve(target)
                if found is not None:
                    waiting.insert(0, found)
            if current.get("type") != "null":
                yield current
            for word in ("allOf", "anyOf", "oneOf"):
                inner = current.get(word)
                if isinstance(inner, list):
                    waiting.extend(part for part in inner if isinstance(part, Mapping))

    def _resolve(self, target: str) -> Mapping[str, Any] | None:
        node = inside(self.root, target)
        return node if isinstance(node, Mapping) else None

    def member(self, node: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        """The part that speaks about an object's member, {} if none."""
        for part in self.parts(node):
            properties = part.get("properties")
            if isinstance(properties, Mapping) and isinstance(properties.get(key), Mapping):
                found: Mapping[str, Any] = properties[key]
                return found
        for part in self.parts(node):
            rest = part.get("additionalProperties")
            if isinstance(rest, Mapping):
                return rest
        return NOTHING

    def items(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        """The part that speaks about a list's items, {} if none."""
        for part in self.parts(node):
            inner = part.get("items")
            if isinstance(inner, list):
                inner = inner[0] if len(inner) == 1 else None
            if isinstance(inner, Mapping):
                return inner
        return NOTHING

    def leaf(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        """Type, format and enum that hold for a leaf."""
        merged: dict[str, Any] = {}
        for part in self.parts(node):
            for word in ("type", "format", "enum", "const"):
                if word in part and word not in merged:
                    merged[word] = part[word]
        kinds = merged.get("type")
        if isinstance(kinds, list):
            kinds = [kind for kind in kinds if kind != "null"]
            merged["type"] = kinds[0] if len(kinds) == 1 else ""
        return merged

    def kind(self, node: Mapping[str, Any] | None = None) -> str:
        """The one type that a node (the root) allows besides null, or ""."""
        found = {part["type"] for part in self.parts(self.root if node is None else node) if _single(part)}
        return str(next(iter(found))) if len(found) == 1 else ""


def _single(part: Mapping[str, Any]) -> bool:
    return isinstance(part.get("type"), str)
