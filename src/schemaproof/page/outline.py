"""The scripts of a page found in its source, without a tree.

A tree is most of what it costs to read JSON-LD. The scripts can be found by following only what may hide or move one:
comments, elements whose content is raw text, drawings, tables. Everything is decided by the tokenizer's rules (HTML
section 13.2.5); where a rule would need to know which elements are open, nothing is told, and a tree has to say.
What is told is what the tree says; see docs/decisions/016-scripts-without-a-tree.md.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_SPACE = r"[\t\n\f\r ]"
_END = r"(?=[\t\n\f\r />])"
_VALUE = r"(?:\"[^\"]*+\"|'[^']*+'|[^\t\n\f\r \"'<>=]++)"
_NAME = r"[^\t\n\f\r />\"'<=\0]++"
# Attributes that can be read in one way only: a tag that has others is no match.
_ATTRIBUTES = rf"(?:[\t\n\f\r /]++|{_NAME}(?:{_SPACE}*+={_SPACE}*+{_VALUE})?+)*+"


def _either_case(*names: str) -> str:
    """A pattern for names in any letter case, several times as fast as the flag IGNORECASE."""
    return "|".join("".join(f"[{letter}{letter.upper()}]" for letter in name) for name in names)


# What stops the scan; the number of a name's group in the pattern is its place here, from 1. A comment has none.
_SCRIPT = "script"
_RAW = ("style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")  # no tags inside
_STOPS = sorted(
    # The last four are given up at: what they hold is no script, or is tokenized in another way.
    (_SCRIPT, *_RAW, "svg", "select", "table", "base", "template", "math", "frameset", "plaintext")
)


def _stops() -> str:
    """A pattern for the names of `_STOPS`, sorted by first letters: most tags are passed at their first letter."""
    pattern = ""
    for index, name in enumerate(_STOPS):
        if not index or _STOPS[index - 1][0] != name[0]:
            pattern += f"{')|' if index else ''}{_either_case(name[0])}(?:"
        else:
            pattern += "|"
        pattern += f"{_either_case(name[1:])}()"
    return pattern + ")"


_TOKEN = re.compile(rf"<(?=[!bBfFiImMnNpPsStTxX])(?:!--|(?:{_stops()}){_END})")
_TABLE_END = re.compile(rf"</{_either_case('table')}{_END}")
_TAG = re.compile(rf"{_ATTRIBUTES}>")
_ATTRIBUTE = re.compile(rf"({_NAME})(?:{_SPACE}*+={_SPACE}*+({_VALUE}))?+")
_COMMENT_END = re.compile(r"--!?>")
_SCRIPT_END = re.compile(rf"</(?:{_either_case('script')}){_END}")
_SCRIPT_START = re.compile(rf"<(?:{_either_case('script')}){_END}")
_RAW_END = {name: re.compile(rf"</(?:{_either_case(name)}){_END}") for name in _RAW}
# A drawing of nothing but shapes: no element in it holds HTML or ends it before its end tag.
_SHAPES = [
    "a", "animate", "animatemotion", "animatetransform", "circle", "clippath", "defs", "ellipse", "feblend",
    "fecolormatrix", "fecomponenttransfer", "fecomposite", "feconvolvematrix", "fediffuselighting",
    "fedisplacementmap", "fedistantlight", "fedropshadow", "feflood", "fefunca", "fefuncb", "fefuncg", "fefuncr",
    "fegaussianblur", "feimage", "femerge", "femergenode", "femorphology", "feoffset", "fepointlight",
    "fespecularlighting", "fespotlight", "fetile", "feturbulence", "filter", "g", "hatch", "hatchpath", "image",
    "line", "lineargradient", "marker", "mask", "mesh", "meshpatch", "meshrow", "metadata", "mpath", "path",
    "pattern", "polygon", "polyline", "radialgradient", "rect", "set", "solidcolor", "stop", "switch", "symbol",
    "text", "textpath", "tspan", "unknown", "use", "view",
]  # fmt: skip
_SHAPE = rf"[^<]++|</?(?:{_either_case(*_SHAPES)}){_ATTRIBUTES}>|<!--(?!-?>)(?:[^-]++|-(?!-!?>))*+--!?>" + "".join(
    rf"|<{name}{_ATTRIBUTES}>[^<]*+</{name}{_SPACE}*+>" for name in map(_either_case, ("title", "style", "desc"))
)
_SVG = _either_case("svg")
_DRAWING = re.compile(
    rf"{_ATTRIBUTES}>(?:{_SHAPE}|<{_SVG}{_ATTRIBUTES}>(?:{_SHAPE})*+</{_SVG}{_SPACE}*+>)*+(?=</{_SVG}{_END})"
)
_CHOICE = re.compile(
    rf"{_ATTRIBUTES}>(?:[^<]++|</?(?:{_either_case('option', 'optgroup')}){_ATTRIBUTES}>)*+"
    rf"(?=</(?:{_either_case('select')}){_END})"
)
_ANY_TAG = re.compile(rf"</?[a-zA-Z][^\t\n\f\r />]*+{_ATTRIBUTES}>")
# Text and whole tags: where this ends, no tag is open.
_BETWEEN = re.compile(rf"(?:[^<]++|{_ANY_TAG.pattern}|<(?![a-zA-Z/!?])|<[!?][^>]*+>|</(?![a-zA-Z])[^>]*+>)*+")


class ScriptTag(NamedTuple):
    """A script element in the source.

    Attributes:
        tag: its attributes as written, up to the ">" and with it.
        start, end: offsets of its content.
    """

    tag: str
    start: int
    end: int


class Outline(NamedTuple):
    """What can be told of a source without a tree.

    Attributes:
        scripts: its script elements, in the order of the tree.
        base: the target of its first base element that has one, as written, or None.
    """

    scripts: list[ScriptTag]
    base: str | None


def outline(html: str) -> Outline | None:
    """Find the script elements of a page.

    Arguments:
        html: the decoded source.

    Returns:
        Those that a tree of the source would have, or None where that cannot be told without one. Linear in the length
        of the source.
    """
    scripts: list[ScriptTag] = []
    base: str | None = None
    sure = 0  # no tag, comment or element of raw text is open here
    position = 0  # where to look on
    tables = 0  # how many tables may be open: in them, elements are moved before others
    search = _TOKEN.search
    while token := search(html, position):
        start, end = token.span()
        if not _is_outside(html, sure, start):
            reached = _BETWEEN.match(html, sure, start)
            if reached is None or reached.end() < start:
                around = _ANY_TAG.match(html, reached.end() if reached else sure)
                if around is None:
                    return None
                sure = position = around.end()  # it stands in a value of this tag
                continue
        if tables:
            tables = _still_open(html, sure, start, tables)
        name = _STOPS[token.lastindex - 1] if token.lastindex else ""
        if name == _SCRIPT:
            tag = _TAG.match(html, end)
            if tag is None or tables:
                return None
            start = tag.end()
            position = _script_end(html, start)
            scripts.append(ScriptTag(tag.group(), start, position))
        elif not name:
            position = _comment_end(html, end)
        elif name in _RAW_END:
            tag = _TAG.match(html, end)
            close = _RAW_END[name].search(html, tag.end()) if tag else None
            position = close.start() if close else -1
        elif name == "svg" or name == "select":
            whole = (_DRAWING if name == "svg" else _CHOICE).match(html, end)
            position = whole.end() if whole else -1
        elif name == "base":
            tag = _TAG.match(html, end)
            if tag is None or tables:
                return None
            if base is None:
                base = attributes_of(tag.group()).get("href")
            position = tag.end()
        elif name == "table":
            tables += 1
            sure, position = start, end
            continue
        else:
            return None
        if position < 0:
            return None
        sure = position
    return Outline(scripts, base)


def _is_outside(html: str, sure: int, position: int) -> bool:
    """Whether no tag is open at a position, judged by the last few marks before it; False where they do not say.

    None is open at `sure`, and only text and tags stand in between. In a quoted value, the last quote of its kind is
    the one that opens it, after an equals sign. Elsewhere in a tag, the last ">" stands before the tag, or in a quoted
    value, and then a quote follows it.
    """
    opened = html.rfind("<", sure, position)
    if opened < 0:
        return True
    closed = html.rfind(">", opened, position)
    if closed < 0:
        return False
    quote = html.rfind('"', sure, position)
    if quote >= 0 and (quote > closed or html[quote - 1] in "= \t\n\f\r"):
        return False
    quote = html.rfind("'", sure, position)
    return quote < 0 or (quote < closed and html[quote - 1] not in "= \t\n\f\r")


def _still_open(html: str, start: int, end: int, tables: int) -> int:
    """How many tables may be open after a stretch of text and tags that begins outside of a tag."""
    for close in _TABLE_END.finditer(html, start, end):
        if tables and _is_outside(html, start, close.start()):
            tables -= 1
    return tables


def _comment_end(html: str, start: int) -> int:
    """Where a comment ends whose content starts here; -1 if it does not end."""
    if html.startswith((">", "->"), start):
        return html.index(">", start) + 1
    end = _COMMENT_END.search(html, start)
    return end.end() if end else -1


def _script_end(html: str, start: int) -> int:
    """Where the content of a script ends; -1 where the first end tag may not be its own."""
    close = _SCRIPT_END.search(html, start)
    if close is None:
        return -1
    end = close.start()
    escaped = html.find("<!--", start, end)
    return -1 if escaped >= 0 and _SCRIPT_START.search(html, escaped, end) else end


def attributes_of(tag: str) -> dict[str, str]:
    """The attributes of a script's tag, names in lower case; of equal names the first counts. Values as written."""
    found: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(tag):
        found.setdefault(name.lower(), value[1:-1] if value[:1] in ("'", '"') else value)
    return found
