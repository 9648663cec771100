"""JSON as it is found on pages and in model answers: read strictly and fast, or forgivingly with warnings.

Strict JSON (RFC 8259) goes to orjson. What orjson refuses, or reads otherwise than it is written (numbers beyond 64
bits, duplicate keys, nesting beyond the limit), goes to the scanner of `schemaproof.json_scanner`. What needs a guess
is an error, never a value.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

import orjson

from schemaproof.json_refusal import Refusal, Remark, place_of
from schemaproof.json_scanner import DEPTH_LIMIT, Scanner, Spot

__all__ = ["DEPTH_LIMIT", "JSONNotice", "Reading", "read_json"]

_COLON_AFTER_QUOTE = re.compile(r'"[ \t\n\r]*:')
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
_LINE_FEED = re.compile("\n")
_UNESCAPES = 3  # text that went through a template engine more often than that is not JSON any more


@dataclass(frozen=True, slots=True)
class JSONNotice:
    """A warning or an error of the reader.

    Attributes:
        code: stable id in kebab-case ("trailing-comma").
        message: one sentence for people.
        line, column: where it is first due, counted from 1 in the text given.
        count: how often it is due.
    """

    code: str
    message: str
    line: int
    column: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read.

    Attributes:
        text: the text given.
        values: the JSON values in it, in order; empty after an error.
        warnings: what had to be forgiven, one notice of a kind, in order.
        error: why nothing could be read, or None.
    """

    text: str
    values: tuple[Any, ...]
    warnings: tuple[JSONNotice, ...] = ()
    error: JSONNotice | None = None
    _depth_limit: int = field(default=DEPTH_LIMIT, repr=False, compare=False)
    _spots: list[Spot] = field(default_factory=list, repr=False, compare=False)
    _source: list[_Source] = field(default_factory=list, repr=False, compare=False)
    _lines: list[int] = field(default_factory=list, repr=False, compare=False)

    def locate(self, pointer: str, *, value: int = 0, key: bool = False) -> tuple[int, int]:
        """Line and column, from 1, of what a JSON Pointer (RFC 6901) points at.

        Arguments:
            pointer: starts at the value ("" is the value itself).
            value: which of `values`, for a text with several.
            key: the place of the member's key instead of its value's.

        Returns:
            The place; where the pointer leads nowhere, that of the last step that exists. The first call scans the
            text once; memory is in proportion to the number of values.

        Raises:
            LookupError: the text was not readable, or has no such value.
        """
        offset = self.offset(pointer, value=value, key=key)
        if not self._lines:
            # Counting line feeds from the start for each of many places would be quadratic.
            self._lines.extend([0, *(found.end() for found in _LINE_FEED.finditer(self.text))])
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def offset(self, pointer: str, *, value: int = 0, key: bool = False) -> int:
        """As `locate`, as an offset into the text (UTF-8 is not counted, characters are)."""
        if not self._spots:
            if self.error is not None:
                raise LookupError("the text could not be read")
            source = _scan(self.text, self._depth_limit, spots=True)[1]
            self._source.append(source)
            self._spots.extend(source.scanner.spots)
        if not 0 <= value < len(self._spots):
            raise LookupError(f"the text has {len(self._spots)} values, there is no number {value}")
        start, key_start, children = self._spots[value]
        for step in pointer.split("/")[1:]:
            found: Spot | None = None
            if isinstance(children, dict):
                found = children.get(step.replace("~1", "/").replace("~0", "~"))
            elif isinstance(children, list) and step.isascii() and step.isdigit() and len(step) < 10:
                found = children[int(step)] if int(step) < len(children) else None
            if found is None:
                break
            start, key_start, children = found
        return self._source[0].original(key_start if key else start)


@dataclass(frozen=True, slots=True)
class _Source:
    """The text that was scanned in the end, and how its offsets lead back to the text given."""

    scanner: Scanner
    maps: tuple[tuple[list[int], list[int]], ...] = ()  # one a round of unescaping: offsets here, offsets before

    def original(self, offset: int) -> int:
        for here, before in reversed(self.maps):
            index = bisect_right(here, offset) - 1
            offset = before[index] + offset - here[index]
        return offset


def read_json(text: str, *, depth_limit: int = DEPTH_LIMIT) -> Reading:
    """Read all JSON values of a text.

    Arguments:
        text: JSON, or what was meant to be JSON. Text around it is the caller's affair.
        depth_limit: how many objects and arrays may stand inside each other; more is an error ("too-deep").

    Returns:
        The values (integers exact, however long), with warnings for what was forgiven, or an error. Never raises;
        linear in the length of the text.
    """
    try:
        value = orjson.loads(text)
    except (orjson.JSONDecodeError, RecursionError):
        pass
    else:
        if _faithful(text, value, depth_limit):
            return Reading(text, (value,), _depth_limit=depth_limit)
    try:
        remarks, source = _scan(text, depth_limit)
    except _Failure as failure:
        refusal = failure.refusal
        line, column = place_of(text, failure.offset)
        return Reading(text, (), (), JSONNotice(refusal.code, refusal.message, line, column))
    warnings = tuple(
        JSONNotice(remark.code, _worded(remark), *place_of(text, remark.offset), remark.count) for remark in remarks
    )
    return Reading(text, tuple(source.scanner.values), warnings, _depth_limit=depth_limit)


def _worded(remark: Remark) -> str:
    return remark.message if remark.count == 1 else f"{remark.message} ({remark.count} times)"


def _faithful(text: str, value: Any, depth_limit: int) -> bool:
    """Whether orjson's value is all that the text says.

    orjson keeps the last of duplicate keys in silence, turns integers beyond 64 bits into floats and has a depth limit
    of its own. Each is ruled out by counting: every key is a quote followed by a colon (more such pairs may stand
    inside of strings; then the scanner has the last word), and nothing is nested deeper than brackets open.
    """
    if not isinstance(value, dict | list):
        return not (isinstance(value, float) and abs(value) >= 2**63)
    if text.count("{") + text.count("[") > depth_limit and _depth(value) > depth_limit:
        return False
    keys = 0
    pending: list[Any] = [value]
    while pending:
        container = pending.pop()
        if type(container) is dict:
            keys += len(container)
            members: Any = container.values()
        else:
            members = container
        for member in members:
            kind = type(member)
            if kind is dict or kind is list:
                pending.append(member)
            elif kind is float and not -9.2e18 < member < 9.2e18:
                return False
    return keys == len(_COLON_AFTER_QUOTE.findall(text))


def _depth(value: Any) -> int:
    """How deeply containers are nested in a value, level by level."""
    depth = 0
    level = [value]
    while level:
        depth += 1
        level = [
            member
            for container in level
            for member in (container.values() if type(container) is dict else container)
            if type(member) is dict or type(member) is list
        ]
    return depth


class _Failure(Exception):  # noqa: N818  (never leaves this module)
    """A refusal with its offset in the text given."""

    def __init__(self, refusal: Refusal, offset: int) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal
        self.offset = offset


def _scan(text: str, depth_limit: int, *, spots: bool = False) -> tuple[list[Remark], _Source]:
    """Scan a text, undoing HTML escapes only where it cannot be read with them.

    Raises:
        _Failure: it cannot be read.
    """
    maps: tuple[tuple[list[int], list[int]], ...] = ()
    current = text
    escaped_at = -1
    while True:
        source = _Source(Scanner(current, depth_limit, spots=spots), maps)
        try:
            source.scanner.read()
        except Refusal as refusal:
            if refusal.code == "escaped-text" and len(maps) < _UNESCAPES:
                if escaped_at < 0:
                    escaped_at = source.original(refusal.offset)
                unescaped, mapping = _unescape(current)
                if unescaped != current:
                    current, maps = unescaped, (*maps, mapping)
                    continue
            raise _Failure(refusal, source.original(refusal.offset)) from None
        remarks = source.scanner.remarks
        for remark in remarks:
            remark.offset = source.original(remark.offset)
        if maps:
            message = "HTML-escaped JSON (html escaped): a script is raw text, write it without entities"
            remarks.insert(0, Remark("html-escaped", message, escaped_at))
        return remarks, source


def _unescape(text: str) -> tuple[str, tuple[list[int], list[int]]]:
    """Undo one round of HTML escapes; also the offsets at which the two texts run in step again."""
    pieces: list[str] = []
    here, before = [0], [0]
    last = length = 0
    for entity in _ENTITY.finditer(text):
        plain = html.unescape(entity.group())
        if plain == entity.group():
            continue
        pieces += (text[last : entity.start()], plain)
        length += entity.start() - last + len(plain)
        last = entity.end()
        here.append(length)
        before.append(last)
    pieces.append(text[last:])
    return "".join(pieces), (here, before)
