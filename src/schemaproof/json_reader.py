"""JSON as it is found on pages and in model answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson

DEPTH_LIMIT = 512


@dataclass(frozen=True, slots=True)
class JSONNotice:
    code: str
    message: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Reading:
    text: str
    values: tuple[Any, ...]
    warnings: tuple[JSONNotice, ...] = ()
    error: JSONNotice | None = None

    def locate(self, pointer: str) -> tuple[int, int]:
        return 1, 1


def read_json(text: str, *, depth_limit: int = DEPTH_LIMIT) -> Reading:
    try:
        return Reading(text, (orjson.loads(text),))
    except orjson.JSONDecodeError as problem:
        return Reading(text, (), (), JSONNotice("not-json", str(problem), problem.lineno, problem.colno))
