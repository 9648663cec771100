"""The JSON-LD scripts of a page: which they are, where they stand in the source, and what they hold.

Source: JSON-LD 1.1 section 7 (JSON-LD in HTML); HTML section 4.12.1 (the script element's type).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from schemaproof.json_reader import DEPTH_LIMIT, JSONNotice, read_json
from schemaproof.json_refusal import place_of
from schemaproof.page.model import Notice, ScriptBlock

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MEDIA_TYPE = "application/ld+json"
_NEARLY = re.compile(r"ld\W{0,3}json|json\W{0,3}ld")
_NO_DATA = ("json-ld#context", "json-ld#frame")  # profiles of scripts that hold no statements
_TOKENS = re.compile(r"<!--|<script(?=[\s/>])|<(style|textarea|title|xmp|iframe|noembed|noframes)(?=[\s/>])", re.I)
_TAG_END = re.compile(r"(?:[^>\"'=]++|=\s*+(?:\"[^\"]*\"|'[^']*')|[=\"'])*+>")
_COMMENT_END = re.compile(r"--!?>")


@dataclass(slots=True)
class Scripts:
    """JSON-LD blocks and all that is to be said about them."""

    blocks: list[ScriptBlock] = field(default_factory=list)
    errors: list[Notice] = field(default_factory=list)
    warnings: list[Notice] = field(default_factory=list)
    hints: list[Notice] = field(default_factory=list)
    other: int = 0  # scripts that are no JSON-LD and could change the page
    mentions: bool = False  # whether one of them mentions ld+json


def read_scripts(scripts: list[LexborNode], html: str, depth_limit: int = DEPTH_LIMIT) -> Scripts:
    """Read the JSON-LD of a page.

    Arguments:
        scripts: its script elements, in order.
        html: its source.
        depth_limit: of the JSON reader.

    Returns:
        Blocks with their place in the source. A block that cannot be read is an error of its own and hides no other.
    """
    found = Scripts()
    contents: list[str] = []
    others: list[LexborNode] = []
    for script in scripts:
        attributes = script.attributes
        media = (attributes.get("type") or "").lower()
        if "json" in media:
            if media.partition(";")[0].strip() == MEDIA_TYPE:
                if not any(profile in media for profile in _NO_DATA):
                    contents.append(_content(script))
                continue
            if _NEARLY.search(media):
                shown = (attributes.get("type") or "").strip()[:60]
                message = f"a script whose type contains ld+json was skipped: its type is {shown!r}, not {MEDIA_TYPE}"
                found.hints.append(Notice("script-type", message))
                continue
        elif "template" not in media and "html" not in media:
            found.other += 1
        if "src" not in attributes:
            others.append(script)
    if not contents and "ld+json" in html:
        found.mentions = any("ld+json" in _content(script) for script in others)
    for script in others:
        head = _content(script)[:400].lstrip()
        if head[:1] in ("{", "[") and '"@context"' in head:
            found.other -= "json" not in (script.attributes.get("type") or "").lower()  # it changes nothing
            message = f"a script that looks like JSON-LD was skipped: its type is not {MEDIA_TYPE}"
            found.hints.append(Notice("script-type", message))
    line, counted, newline = 1, 0, -1
    for index, (content, start) in enumerate(zip(contents, _places(contents, html), strict=True)):
        if start >= counted:
            line += html.count("\n", counted, start)
            newline = max(newline, html.rfind("\n", counted, start))
            counted = start
        place = (line, start - newline) if start >= 0 else (0, 0)
        _read_block(found, index, content, html, start, place, depth_limit)
    return found


def _content(script: LexborNode) -> str:
    child = script.first_child
    return (child.text_content or "") if child is not None else ""


def read_bare(source: str, depth_limit: int = DEPTH_LIMIT) -> Scripts:
    """Read a JSON-LD document that stands alone, as one block."""
    found = Scripts()
    _read_block(found, 0, source, source, 0, (1, 1), depth_limit)
    return found


def _read_block(
    found: Scripts, index: int, content: str, html: str, start: int, place: tuple[int, int], depth_limit: int
) -> None:
    line, column = place
    end = start + _source_length(content, html, start) if start >= 0 else 0
    source = html[start:end] if start >= 0 else content
    # The parser turns every CR into LF; only those before an LF are line ends of the source too.
    lone_returns = start >= 0 and source.count("\r") != source.count("\r\n")
    reading = read_json(content, depth_limit=depth_limit)

    def notice(code: str, message: str, at_line: int, at_column: int) -> Notice:
        if start < 0:
            return Notice(code, message, index, 0, 0)
        if lone_returns:
            return Notice(code, message, index, *_place_in_source(content, html, start, at_line, at_column))
        return Notice(code, message, index, line + at_line - 1, at_column + (column - 1 if at_line == 1 else 0))

    def noted(said: JSONNotice) -> Notice:
        return notice(said.code, said.message, said.line, said.column)

    found.warnings += map(noted, reading.warnings)
    if reading.error is not None:
        found.errors.append(noted(reading.error))
    values = []
    for number, value in enumerate(reading.values):
        if isinstance(value, dict | list):
            values.append(value)
            if isinstance(value, list) and (strange := sum(not isinstance(member, dict) for member in value)):
                what = (
                    "member of the array is not an object" if strange == 1 else "members of the array are not objects"
                )
                found.warnings.append(notice("not-an-object", f"{strange} {what}", *reading.locate("", value=number)))
            continue
        at = reading.locate("", value=number)
        message = f"not an object or array but {_kind(value)}: it states nothing"
        found.warnings.append(notice("not-an-object", message, *at))
        if isinstance(value, str) and value.lstrip()[:1] in ("{", "[") and not read_json(value).error:
            message = "looks like JSON encoded twice: write the object itself, not a text that holds it"
            found.warnings.append(notice("double-encoded", message, *at))
    found.blocks.append(ScriptBlock(index, max(start, 0), end, line, column, source, tuple(values)))


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    return "a text" if isinstance(value, str) else "a number"


def _source_length(content: str, html: str, start: int) -> int:
    """How long a content is in the source, where line ends may be longer."""
    if html.startswith(content, start):
        return len(content)
    position = start
    for line in content.split("\n")[:-1]:
        position += len(line)
        position += 2 if html.startswith("\r\n", position) else 1
    return position + len(content) - content.rfind("\n") - 1 - start


def _place_in_source(content: str, html: str, start: int, line: int, column: int) -> tuple[int, int]:
    """Line and column in the source of a place in a content that starts there."""
    position = start
    for before in content.split("\n", line - 1)[: line - 1]:
        position += len(before)
        position += 2 if html.startswith("\r\n", position) else 1
    return place_of(html, position + column - 1)


def _same(content: str, html: str, start: int) -> bool:
    """Whether the source has this content here; the parser turns CR LF and CR into LF and NUL into U+FFFD."""
    if html.startswith(content, start):
        return True
    if not html.startswith(content[:200].partition("\n")[0].partition("\ufffd")[0], start):
        return False
    length = _source_length(content, html, start)
    source = html[start : start + length]
    return source.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd") == content


def _places(contents: list[str], html: str) -> list[int]:
    """Offset of each script's content in the source; -1 where it cannot be aligned."""
    if len(contents) > 50:  # below, each content is looked for in all of the source
        return _aligned_places(contents, html)
    places: list[int] = []
    position = 0
    returns = False  # whether the source ends its lines with CR LF, which the parser turns into LF
    for content in contents:
        written = content.replace("\n", "\r\n") if returns else content
        start = html.find(written, position) if content else -1
        if start < 0 and not returns and "\n" in content and "\r\n" in html:
            returns = True
            written = content.replace("\n", "\r\n")
            start = html.find(written, position)
        # Enough for almost every page: the content follows a tag, and no comment is open there.
        if start < 0 or html[start - 1 : start] != ">":
            return _aligned_places(contents, html)
        comment = html.rfind("<!--", position, start)
        if comment >= 0 and html.find("-->", comment, start) < 0:
            return _aligned_places(contents, html)
        places.append(start)
        position = start + len(written)
    return places


def _aligned_places(contents: list[str], html: str) -> list[int]:
    """As `_places`, by a scan that knows comments and raw text, so that scripts in comments are not taken."""
    starts: list[int] = []
    position = 0
    while token := _TOKENS.search(html, position):
        position = token.end()
        if token.group() == "<!--":
            if html.startswith((">", "->"), position):
                continue
            close = _COMMENT_END.search(html, position)
            position = close.end() if close else len(html)
            continue
        tag = _TAG_END.match(html, position)
        if tag is None:
            break
        position = tag.end()
        name = (token.group(1) or "script").lower()
        if name == "script" and "json" in tag.group().lower():
            starts.append(position)
        close = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(html, position)
        position = close.start() if close else len(html)
    places: list[int] = []
    index = misses = 0
    for content in contents:
        at = index
        while misses < 8 and at < len(starts) and not _fits(content, html, starts[at]):
            at += 1
        if misses < 8 and at < len(starts):
            places.append(starts[at])
            index = at + 1
        else:
            places.append(-1)
            misses += 1  # a source that cannot be followed here is not followed for long
    return places


def _fits(content: str, html: str, start: int) -> bool:
    if not content:
        return html.startswith("</", start) or start == len(html)
    return _same(content, html, start)
