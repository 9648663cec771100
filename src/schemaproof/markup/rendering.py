"""Writing a JSON-LD object the way its author did: order, indentation, and the spelling of every text and number."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

_TOKEN = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?')
_INDENT = re.compile(r"\n([ \t]+)\S")
_SHORT_ARRAY = re.compile(r"\[[ \t]*[^\s\[\]{}][^\[\]{}\n]*\]")
_LONG_ARRAY = re.compile(r"\[[ \t]*\n[^\[\]{}]*\]")


@dataclass(slots=True)
class Style:
    """How a source is written.

    Attributes:
        indent: what one level is indented by; "" where all stands on one line.
        margin: what every line but the first is indented by on top of that.
        before, after: white space around the whole.
        comma, colon: with the spaces after them.
        short_arrays: true where arrays without objects stand on one line although the rest is indented.
        ascii: true where letters outside of ASCII are escaped.
        slash: true where slashes are escaped.
        tokens: values as the source spells them, for values that it spells in one way only.
    """

    indent: str = "  "
    margin: str = ""
    before: str = ""
    after: str = ""
    comma: str = ","
    colon: str = ": "
    short_arrays: bool = False
    ascii: bool = False
    slash: bool = False
    tokens: dict[tuple[type, Any], str | None] = field(default_factory=dict)


def style_of(source: str) -> Style:
    """How a JSON text is written, as far as it can be told.

    Arguments:
        source: content of a script block, or a file; it need not be valid JSON.
    """
    style = Style()
    body = source.strip()
    start = source.find(body) if body else 0
    style.before, style.after = source[:start], source[start + len(body) :]
    bare = _TOKEN.sub('""', body)
    indents = sorted({found[1] for found in _INDENT.finditer(bare)}, key=len)
    if "\n" in bare:
        closing = bare.rpartition("\n")[2]
        if closing.strip() in ("}", "]"):  # where the source ends tells its margin
            style.margin = closing[: len(closing) - len(closing.lstrip())]
        inner = next((each for each in indents if len(each) > len(style.margin)), style.margin + "  ")
        style.indent = inner[len(style.margin) :] if inner.startswith(style.margin) else inner
        style.short_arrays = bool(_SHORT_ARRAY.search(bare)) and not _LONG_ARRAY.search(bare)
    elif body:
        style.indent = ""
        style.comma = ", " if ", " in bare else ","
    if body:
        style.colon = ": " if '": ' in bare else ":"
    style.slash = "\\/" in body and not re.search(r"[^\\]/", body)
    style.ascii = "\\u" in body and body.isascii()
    for found in _TOKEN.finditer(body):
        _note(style, found[0])
    return style


def _note(style: Style, token: str) -> None:
    try:
        value = json.loads(token)
    except ValueError:
        return
    key = (type(value), value)
    if style.tokens.setdefault(key, token) != token:
        style.tokens[key] = None


def render(value: Any, *, source: str | None = None) -> str:
    """A JSON value as text: keys in their order, written like the source.

    Arguments:
        value: what JSON can hold.
        source: the text that the value was read from, before anything was taken out of it; None for two spaces
            a level. Texts and numbers are spelled as there ("19.90", "caf\\u00e9").

    Returns:
        Valid JSON, with the white space that stands around the source.
    """
    style = style_of(source) if source is not None else Style()
    parts: list[str] = [style.before]
    # What is still to be written: a piece of text, or a value and how deep it stands.
    pending: list[str | tuple[Any, int]] = [(value, 0)]
    while pending:
        task = pending.pop()
        if isinstance(task, str):
            parts.append(task)
            continue
        each, depth = task
        if isinstance(each, dict | list) and each:
            pending.extend(reversed(_container(each, depth, style)))
        elif isinstance(each, dict | list):
            parts.append("{}" if isinstance(each, dict) else "[]")
        else:
            parts.append(_scalar(each, style))
    parts.append(style.after)
    return "".join(parts)


def _container(value: dict[str, Any] | list[Any], depth: int, style: Style) -> list[str | tuple[Any, int]]:
    flat = not style.indent or (
        style.short_arrays and isinstance(value, list) and not any(isinstance(each, dict | list) for each in value)
    )
    if flat:
        comma = style.comma if not style.indent else ", "
        inner = outer = ""
    else:
        comma = ","
        inner = "\n" + style.margin + style.indent * (depth + 1)
        outer = "\n" + style.margin + style.indent * depth
    pieces: list[str | tuple[Any, int]] = ["{" if isinstance(value, dict) else "["]
    entries = value.items() if isinstance(value, dict) else ((None, each) for each in value)
    for number, (key, each) in enumerate(entries):
        pieces.append((comma if number else "") + inner)
        if key is not None:
            pieces.append(_scalar(key, style) + style.colon)
        pieces.append((each, depth + 1))
    pieces.append(outer)
    pieces.append("}" if isinstance(value, dict) else "]")
    return pieces


def _scalar(value: Any, style: Style) -> str:
    token = style.tokens.get((type(value), value))
    if token is not None:
        return token
    text = json.dumps(value, ensure_ascii=style.ascii)
    return text.replace("/", "\\/") if style.slash and isinstance(value, str) else text
