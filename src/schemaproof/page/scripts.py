"""The JSON-LD scripts of a page: which they are, where they stand in the source, and what they hold.

Source: JSON-LD 1.1 section 7 (JSON-LD in HTML); HTML section 4.12.1 (the script element's type).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from schemaproof.json_reader import DEPTH_LIMIT, JSONNotice, read_json
from schemaproof.page.model import Notice, ScriptBlock
from schemaproof.page.outline import ScriptTag, attributes_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MEDIA_TYPE = "application/ld+json"
_NEARLY = re.compile(r"ld\W{0,3}json|json\W{0,3}ld")
_NO_DATA = ("json-ld#context", "json-ld#frame")  # profiles of scripts that hold no statements
_TELLING = ("json", "&", "template", "html", "\0")  # a type without these is another script's, whatever it is
_HEAD = 400  # characters of another script that are looked at
_NOTHING, _DATA, _OTHER = range(3)
_TOKENS = re.compile(
    r"<!--|<script(?=[\t\n\f\r />])|<(style|textarea|title|xmp|iframe|noembed|noframes)(?=[\t\n\f\r />])", re.I
)
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


class _Other(NamedTuple):
    """A script that is no JSON-LD."""

    media: str  # its type as written
    content: str


def read_scripts(scripts: list[LexborNode], html: str, depth_limit: int = DEPTH_LIMIT) -> Scripts:
    """Read the JSON-LD of a page that is parsed.

    Arguments:
        scripts: its script elements, in order.
        html: its source.
        depth_limit: of the JSON reader.

    Returns:
        Blocks with their place in the source. A block that cannot be read is an error of its own and hides no other.
    """
    found = Scripts()
    contents: list[str] = []
    others: list[_Other] = []
    for script in scripts:
        attributes = script.attributes
        media = attributes.get("type") or ""
        kind = _sorted(found, media)
        if kind == _DATA:
            contents.append(_content(script))
        elif kind == _OTHER and "src" not in attributes:
            others.append(_Other(media, _content(script)))
    _hint(found, others, mentioned=not contents and "ld+json" in html)
    _read_blocks(found, contents, _places(contents, html), html, depth_limit)
    return found


def read_outlined(scripts: list[ScriptTag], html: str, depth_limit: int = DEPTH_LIMIT) -> Scripts | None:
    """Read the JSON-LD of a page that is not parsed.

    Arguments:
        scripts: its script elements as they stand in the source, see `schemaproof.page.outline`.
        html: the source.
        depth_limit: of the JSON reader.

    Returns:
        What `read_scripts` returns for a tree of the source; None where a type is written so that it needs a tree.
    """
    found = Scripts()
    data: list[ScriptTag] = []
    rest: list[tuple[str, ScriptTag]] = []
    for script in scripts:
        tag = script.tag.lower()
        media = ""
        if "type" in tag and any(part in tag for part in _TELLING):  # no other type changes anything
            media = attributes_of(script.tag).get("type", "")
            if any(mark in media for mark in "&\0\r"):
                return None
        kind = _sorted(found, media)
        if kind == _DATA:
            data.append(script)
        elif kind == _OTHER and script.start < script.end:
            rest.append((media, script))
    mentioned = not data and "ld+json" in html
    others: list[_Other] = []
    for media, (tag, start, end) in rest:
        # Twice as much as is looked at: line ends may be two characters in the source.
        head = html[start : min(end, start + 2 * _HEAD)].lstrip()
        if (head[:1] in ("{", "[") or (mentioned and html.find("ld+json", start, end) >= 0)) and "src" not in (
            attributes_of(tag)
        ):
            others.append(_Other(media, _as_parsed(html[start:end])))
    _hint(found, others, mentioned)
    contents = [_as_parsed(html[start:end]) for _, start, end in data]
    _read_blocks(found, contents, [script.start for script in data], html, depth_limit)
    return found


def _as_parsed(source: str) -> str:
    """The content of a script as the parser gives it (HTML sections 13.2.3.5 and 13.2.5.4)."""
    if "\r" in source:
        source = source.replace("\r\n", "\n").replace("\r", "\n")
    return source.replace("\0", "\ufffd") if "\0" in source else source


def _sorted(found: Scripts, written: str) -> int:
    """Whether a script of this type holds data, or is another; counts those that may change the page."""
    media = written.lower()
    if "json" in media:
        if media.partition(";")[0].strip() == MEDIA_TYPE:
            return _NOTHING if any(profile in media for profile in _NO_DATA) else _DATA
        if _NEARLY.search(media):
            shown = written.strip()[:60]
            message = f"a script whose type contains ld+json was skipped: its type is {shown!r}, not {MEDIA_TYPE}"
            found.hints.append(Notice("script-type", message))
            return _NOTHING
    elif "template" not in media and "html" not in media:
        found.other += 1
    return _OTHER


def _hint(found: Scripts, others: list[_Other], mentioned: bool) -> None:
    """Tell of scripts that look like JSON-LD, or, on a page without (`mentioned`), write it."""
    found.mentions = mentioned and any("ld+json" in other.content for other in others)
    for media, content in others:
        head = content[:_HEAD].lstrip()
        if head[:1] in ("{", "[") and '"@context"' in head:
            found.other -= "json" not in media.lower()  # it changes nothing
            message = f"a script that looks like JSON-LD was skipped: its type is not {MEDIA_TYPE}"
            found.hints.append(Notice("script-type", message))


def _read_blocks(found: Scripts, contents: list[str], starts: list[int], html: str, depth_limit: int) -> None:
    """Read contents that start at these offsets of the source, -1 where that is not known."""
    line, counted, newline = 1, 0, -1
    for index, (content, start) in enumerate(zip(contents, starts, strict=True)):
        if start >= counted:
            line += html.count("\n", counted, start)
            newline = max(newline, html.rfind("\n", counted, start))
            counted = start
        place = (line, start - newline) if start >= 0 else (0, 0)
        _read_block(found, index, content, html, start, place, depth_limit)


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
    starts: list[int] = []  # where each line of the content starts in the source, if that has to be known
    reading = read_json(content, depth_limit=depth_limit)

    def notice(code: str, message: str, at_line: int, at_column: int) -> Notice:
        if start < 0:
            return Notice(code, message, index, 0, 0)
        if lone_returns:
            if not starts:
                starts.extend(_line_starts(content, html, start))
            at = starts[at_line - 1] + at_column - 1
            after = html.rfind("\n", start, at) + 1
            return Notice(
                code,
                message,
                index,
                line + html.count("\n", start, at),
                at - after + 1 if after else column + at - start,
            )
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


def _line_starts(content: str, html: str, start: int) -> list[int]:
    """Where each line of a content that starts here starts in the source."""
    starts = [start]
    for line in content.split("\n")[:-1]:
        end = starts[-1] + len(line)
        starts.append(end + (2 if html.startswith("\r\n", end) else 1))
    return starts


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
        close = re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE).search(html, position)
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
