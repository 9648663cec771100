"""What is said of a text that is not JSON: remarks where it can be read all the same, a refusal where one would guess.

Each has a code, a sentence and a place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORD = re.compile(r"[\w$.+-]+")
_SMART = "“”„‟«»‘’‚‹›＂″"
_NOT_VALUES = {
    "NaN": "NaN is no JSON value: leave the property out, or write null",
    "Infinity": "Infinity is no JSON value: leave the property out",
    "-Infinity": "-Infinity is no JSON value: leave the property out",
    "undefined": "undefined is no JSON value: leave the property out, or write null",
    "None": "None is Python: write null in JSON",
    "True": "True is Python: write true in JSON",
    "False": "False is Python: write false in JSON",
}


@dataclass(slots=True)
class Remark:
    """A warning of one kind: where it was first due, and how often."""

    code: str
    message: str
    offset: int
    count: int = 1


class Refusal(Exception):  # noqa: N818  (never leaves json_reader; it carries an error, it is not one)
    """What the scanner cannot read: a stable code, a sentence and the offset."""

    def __init__(self, code: str, message: str, offset: int) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.offset = offset


def truncated(text: str, opened: int) -> Refusal:
    """The text ends inside the container that starts at `opened`, or outside of all (-1)."""
    if opened < 0:
        return Refusal("truncated", "the text ends where a value must stand", len(text))
    what = "object" if text[opened] == "{" else "array"
    return Refusal("truncated", f"the text ends inside the {what} that is opened here: close it", opened)


def foreign(text: str, position: int) -> Refusal | None:
    """What is often found instead of JSON, or None."""
    first = text[position]
    if first in _SMART:
        message = f"a typographic quote ({first}): JSON wants straight double quotes"
        return Refusal("smart-quotes", message, position)
    if first == "<":
        message = "HTML instead of JSON (the output of a server's error or of a template?)"
        return Refusal("html-in-json", message, position)
    if first == "&":
        return Refusal("escaped-text", "an HTML entity where JSON must stand", position)
    if text.startswith(("{{", "{%", "<%", "${", "%", "#"), position):
        return Refusal("template", "a template was not filled in here", position)
    return None


def no_key(text: str, position: int, opened: int) -> Refusal:
    """No key in double quotes stands where one must."""
    if position >= len(text):
        return truncated(text, opened)
    first = text[position]
    if first == ",":
        return Refusal("unexpected-comma", "two commas, or a comma before the first member", position)
    if first == "'":
        return Refusal("single-quotes", "a key in single quotes: JSON wants double quotes", position)
    if first in "{%":
        return Refusal("template", "a template was not filled in here", position)
    if first in "]}":
        return Refusal("unexpected-token", f"{first!r} does not close the object that opens before", position)
    word = _WORD.match(text, position)
    if word:
        return Refusal("unquoted-key", f"the key {word.group()[:40]} stands without quotes", position)
    message = f"{first!r} where a key in double quotes must stand"
    return foreign(text, position) or Refusal("unexpected-token", message, position)


def no_colon(text: str, position: int, opened: int, key: str) -> Refusal:
    """No colon follows a key."""
    if position >= len(text):
        return truncated(text, opened)
    message = f"a colon is missing after the key {key[:40]!r}, or a quote before it is wrong"
    return foreign(text, position) or Refusal("missing-colon", message, position)


def no_value(text: str, position: int, opened: int) -> Refusal:
    """No value stands where one must."""
    if position >= len(text):
        return truncated(text, opened)
    word = _WORD.match(text, position)
    if word:
        name = word.group()
        if name in _NOT_VALUES:
            return Refusal("no-json-value", _NOT_VALUES[name], position)
        if name[0] in "-+.0123456789":
            return Refusal("bad-number", f"{name[:40]} is no JSON number", position)
        message = f"{name[:40]!r} is no JSON value: write texts in double quotes"
        return Refusal("no-json-value", message, position)
    first = text[position]
    if first == "'":
        return Refusal("single-quotes", "a text in single quotes: JSON wants double quotes", position)
    if first in ",}]:":
        what = "a value is missing before" if first != ":" else "a value must stand where there is"
        return Refusal("missing-value", f"{what} {first!r}", position)
    message = f"{first!r} where a value must stand"
    return foreign(text, position) or Refusal("unexpected-token", message, position)


def no_end(text: str, position: int, opened: int, closing: str) -> Refusal:
    """Neither a comma nor the closing mark follows a value."""
    if position >= len(text):
        return truncated(text, opened)
    what = "object" if closing == "}" else "array"
    first = text[position]
    if first in "]}":
        return Refusal("unexpected-token", f"{first!r} where the {what} must be closed by {closing!r}", position)
    if first in '"{[-' or first.isdigit():
        message = "a comma is missing, or a quote inside the text before is not escaped"
        return Refusal("missing-comma", message, position)
    message = 'text after a closed value: a quote inside a text must be written \\"'
    return foreign(text, position) or Refusal("unescaped-quote", message, position)


def place_of(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of an offset in a text; lines end at a line feed."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
