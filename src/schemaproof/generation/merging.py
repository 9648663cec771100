"""Joining the markups that were written for the chunks of one page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from schemaproof.generation.schema import roots_of

# Properties that tell whether two things of one type are the same, surest first.
_TELLING = (
    "@id",
    "url",
    "identifier",
    "sku",
    "isbn",
    "gtin13",
    "name",
    "headline",
    "text",
    "streetAddress",
    "position",
)
_SPACE = re.compile(r"\s+")
_DEPTH = 24


@dataclass
class Merged:
    """The markup of a page.

    Attributes:
        documents: JSON-LD objects.
        conflicts: what the chunks say differently: path, and the values with the number of their chunk from 1.
    """

    documents: list[dict[str, Any]]
    conflicts: list[tuple[str, list[tuple[int, Any]]]] = field(default_factory=list)


def merge_shallow(parts: Sequence[Any]) -> Merged:
    """The paper's merge: top-level keys, the last chunk wins (section 3.2 and its code). Loses statements."""
    whole: dict[str, Any] = {}
    for part in parts:
        for root in [part] if isinstance(part, dict) else roots_of(part):
            whole.update(root)
    return Merged([whole] if whole else [])


def merge_deep(parts: Sequence[Any]) -> Merged:
    """Join the same things, lists one behind the other without repetition, and keep both sides of a conflict.

    Arguments:
        parts: the answers, chunk by chunk: objects, lists, or objects with an @graph. They are not changed.
    """
    merged = Merged([])
    origins: list[dict[str, int]] = []
    for number, part in enumerate(parts, 1):
        outer = part.get("@context") if isinstance(part, dict) else None
        for root in roots_of(part):
            if outer is not None and "@context" not in root:
                root = {"@context": outer, **root}
            home = next((place for place, known in enumerate(merged.documents) if _same(known, root, root=True)), None)
            if home is None:
                merged.documents.append(dict(root))
                origins.append(dict.fromkeys(root, number))
            else:
                name = _types(root)[:1]
                merged.documents[home] = _join(
                    merged.documents[home], root, number, "/".join(name), merged.conflicts, origins[home], _DEPTH
                )
    return merged


def _types(node: dict[str, Any]) -> list[str]:
    kinds = node.get("@type")
    listed = kinds if isinstance(kinds, list) else [kinds]
    return [each.rsplit("/", 1)[-1].rsplit("#", 1)[-1] for each in listed if isinstance(each, str)]


def _level(value: Any) -> str:
    return _SPACE.sub(" ", str(value)).strip().casefold() if not isinstance(value, (dict, list)) else ""


def _same(a: dict[str, Any], b: dict[str, Any], *, root: bool = False) -> bool:
    """Whether two objects describe one thing: types that meet, and the first telling property both have agrees."""
    kinds = set(_types(a)), set(_types(b))
    if kinds[0] and kinds[1] and not kinds[0] & kinds[1]:
        return False
    for name in _TELLING:
        mine, other = _level(a.get(name, "")), _level(b.get(name, ""))
        if mine and other:
            return mine == other
    # Chunks of one page describe its one subject; a nested thing that nothing tells apart is its property's.
    return root or kinds[0] == kinds[1]


def _join(
    a: dict[str, Any],
    b: dict[str, Any],
    number: int,
    path: str,
    conflicts: list[tuple[str, list[tuple[int, Any]]]],
    origins: dict[str, int],
    depth: int,
) -> dict[str, Any]:
    joined = dict(a)
    for name, value in b.items():
        if name not in joined or joined[name] in (None, "", []):
            joined[name] = value
            origins.setdefault(name, number)
        elif name == "@type":
            kinds = list(dict.fromkeys([*_types(a), *_types(b)]))
            joined[name] = kinds[0] if len(kinds) == 1 else kinds
        elif not name.startswith("@"):
            joined[name] = _values(
                joined[name], value, number, f"{path}/{name}", conflicts, origins.get(name, 1), depth
            )
    return joined


def _values(
    a: Any,
    b: Any,
    number: int,
    path: str,
    conflicts: list[tuple[str, list[tuple[int, Any]]]],
    origin: int,
    depth: int,
) -> Any:
    if value_equal(a, b):
        return a
    single = not isinstance(a, list) and not isinstance(b, list)
    found = list(a) if isinstance(a, list) else [a]
    levelled = {_level(each) for each in found if not isinstance(each, (dict, list))}
    for value in b if isinstance(b, list) else [b]:
        if value is None:
            continue
        if isinstance(value, dict) and depth > 0:
            home = next((place for place, one in enumerate(found) if isinstance(one, dict) and _same(one, value)), None)
            if home is not None:
                inner = dict.fromkeys(found[home], origin)
                found[home] = _join(found[home], value, number, path, conflicts, inner, depth - 1)
            else:
                found.append(value)
        elif isinstance(value, (dict, list)):
            if value not in found:
                found.append(value)
        elif _level(value) not in levelled:
            if single and not isinstance(a, dict):
                conflicts.append((path, [(origin, a), (number, value)]))
            levelled.add(_level(value))
            found.append(value)
    return found[0] if len(found) == 1 and not isinstance(a, list) else found


def value_equal(a: Any, b: Any) -> bool:
    """Whether two literals are one, space and letter case apart."""
    literal = not isinstance(a, (dict, list)) and not isinstance(b, (dict, list))
    return literal and _level(a) == _level(b)
