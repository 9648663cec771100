"""Following a JSON Schema beside a value: which part of it speaks about a member or an item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_STEPS = 40
NOTHING: Mapping[str, Any] = {}


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
        if not target.startswith("#"):
            return None
        node: Any = self.root
        for part in target[1:].split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(node, Mapping) or part not in node:
                return None
            node = node[part]
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
