"""A JSON value as key paths, as the ScrapeGraphAI-100k metrics see it.

`{"shop": {"name": "x"}, "items": [{"price": 1}, {"price": 2}]}` becomes
`{"shop.name": "x", "items[*].price": [1, 2]}`. The corner cases are the published code's, on purpose: objects in a
list lose their rows, scalars beside objects in a list are dropped, `[{}]` vanishes, an empty key adds no dot.
"""

from __future__ import annotations

from typing import Any, Final

from schemaproof.errors import InputError

DEPTH_LIMIT = 254
ROOT = "[root]"


class _EmptyObject:
    """Stands for `{}` at a leaf. As text it reads like the placeholder of the published code."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<object object at 0x7f0000000000>"


EMPTY: Final = _EmptyObject()


def flatten(value: dict[str, Any]) -> dict[str, Any]:
    """Paths of a JSON object.

    Arguments:
        value: the object; wrap a list as `{ROOT: value}` first.

    Returns:
        Path to value. Dots and backslashes inside a key carry a backslash; `[*]` stands for the objects of a
        list, whose values are gathered in a list; `EMPTY` stands for `{}`.

    Raises:
        InputError: nested deeper than 254 levels (the published code cannot serialise it either).

    Source: card of ScrapeGraphAI-100k, "dot-notation paths with [*] wildcards for arrays" (arXiv:2602.15189).
    """
    paths: dict[str, Any] = {}
    _object(value, "", paths, DEPTH_LIMIT)
    return paths


def _object(value: dict[str, Any], prefix: str, paths: dict[str, Any], depth: int) -> None:
    if depth < 0:
        raise InputError(f"nested deeper than {DEPTH_LIMIT} levels")
    for key, inner in value.items():
        if "." in key or "\\" in key:
            key = key.replace("\\", "\\\\").replace(".", "\\.")
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(inner, dict):
            if inner:
                _object(inner, path, paths, depth - 1)
            else:
                paths[path] = EMPTY
        elif isinstance(inner, list):
            _list(inner, path, paths, depth - 1)
        else:
            paths[path] = inner


def _list(value: list[Any], path: str, paths: dict[str, Any], depth: int) -> None:
    if depth < 0:
        raise InputError(f"nested deeper than {DEPTH_LIMIT} levels")
    if not any(isinstance(item, dict) for item in value):
        paths[path] = value
        return
    gathered: dict[str, list[Any]] = {}
    below = path + "[*]"
    for item in value:
        own: dict[str, Any] = {}
        if isinstance(item, dict):
            _object(item, below, own, depth - 1)
        elif isinstance(item, list):
            _list(item, below, own, depth - 1)
        for name, inner in own.items():
            gathered.setdefault(name, []).append(inner)
    paths.update(gathered)
