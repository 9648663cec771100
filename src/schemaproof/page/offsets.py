"""From a span of the visible text back to the HTML it was read from, only when asked.

The parser keeps no source positions. So the source is read once more with an invisible mark (a private use character)
set before every run of text and every alternative text: where the marks come out in the visible text, there stand the
runs, however the parser has moved, closed or hidden them. Inside of a run, characters are counted off side by side.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right

from schemaproof.page.addresses import Resolver
from schemaproof.page.model import Page
from schemaproof.page.nesting import flatten, parse
from schemaproof.page.text import read_text

_FIRST, _MARKS = 0xF0000, 0xFFF0
_MARK = re.compile(f"[{chr(_FIRST)}-{chr(_FIRST + _MARKS - 1)}]")
_TOKEN = re.compile(
    r"<!--.*?(?:--!?>|\Z)|"
    r"<(script|style|xmp|iframe|noembed|noframes|template)\b[^>]*>.*?(?:</\1[\s/>]|\Z)|"
    r"<textarea\b[^>]*>(?P<area>.*?)(?=</textarea[\s/>]|\Z)|"
    r"(?P<tag><[a-z/!?](?:[^>=]++|=\s*+\"[^\"]*\"|=\s*+'[^']*'|=)*+(?:>|\Z))|"
    r"(?P<run>(?:[^<]++|<(?![a-z/!?]))+)",
    re.IGNORECASE | re.DOTALL,
)
_ALTERNATIVE = re.compile(r"\s(?:alt|aria-label)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);?")
_WHITE = " \t\n\r\f"


class SourceMap:
    """Spans of a page's text as spans of its HTML.

    Arguments:
        page: a page read from HTML. One more parse, about what reading its text cost; the rest is linear in the length
            of what is asked for.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._text_starts: list[int] = []  # where a run's first character stands in the text
        self._runs: list[tuple[int, int]] = []  # where it stands in the HTML: from its first character to its end
        if page.html and page.text:
            self._align()

    def _align(self) -> None:
        source, runs = _marked(self._page.html)
        root = parse(flatten(source.encode())[0]).root
        if root is None:
            return
        marked = read_text(root, Resolver("")).text
        if _MARK.sub("", marked) != self._page.text:
            return  # a source that has such characters of its own, or that marks make the parser read otherwise
        number = 0
        for removed, mark in enumerate(_MARK.finditer(marked)):
            # Marks repeat after 65,520 runs; the parser moves text a little, never that far.
            step = (ord(mark.group()) - _FIRST - number) % _MARKS
            number += step if step < _MARKS // 2 else step - _MARKS
            self._text_starts.append(mark.start() - removed)
            self._runs.append(runs[number])

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """The span of `Page.html` that a span of `Page.text` was read from.

        Arguments:
            start, end: half-open offsets into the text.

        Returns:
            Half-open offsets into the HTML, from the first character's to the last one's (tags between them included),
            white space at the ends left out; None where the text cannot be aligned, or is white space only.
        """
        text = self._page.text
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if start >= end or not self._runs:
            return None
        first, last = self._character(start), self._character(end - 1)
        if first is None or last is None:
            return None
        return min(first[0], last[0]), max(first[1], last[1])

    def _character(self, offset: int) -> tuple[int, int] | None:
        """The span of the HTML that one character of the text, no white space, was read from."""
        index = bisect_right(self._text_starts, offset) - 1
        if index < 0:
            return None
        text = self._page.text
        at = self._text_starts[index]
        position, end = self._runs[index]
        source = self._page.html
        while position < end:
            char = source[position]
            after = position + 1
            plain = char
            if char == "&" and (entity := _ENTITY.match(source, position, end)):
                plain = html.unescape(entity.group())
                # Without a semicolon only a part of the name may be the entity.
                after = entity.end() - (len(plain) - 1 if len(plain) > 2 and plain[0] != "&" else 0)
                plain = plain if after == entity.end() else plain[0]
            for piece in plain:
                if piece in _WHITE or piece == "\u00ad":
                    continue
                while at < len(text) and text[at] in _WHITE:
                    at += 1
                if at >= len(text) or (text[at] != piece and piece != "\0"):
                    return None
                if at == offset:
                    return position, after
                at += 1
            position = after
        return None


def html_span(page: Page, start: int, end: int) -> tuple[int, int] | None:
    """The span of `page.html` that `page.text[start:end]` was read from, or None; see `SourceMap`, which for several
    spans of one page is made once."""
    return SourceMap(page).span(start, end)


def _marked(source: str) -> tuple[str, list[tuple[int, int]]]:
    """The source with a mark before each run of text, and the runs in order."""
    pieces: list[str] = []
    runs: list[tuple[int, int]] = []
    last = 0

    def mark(start: int, end: int) -> None:
        nonlocal last
        pieces.append(source[last:start])
        pieces.append(chr(_FIRST + len(runs) % _MARKS))
        runs.append((start, end))
        last = start

    for token in _TOKEN.finditer(source):
        if token.lastgroup in ("run", "area"):
            run = token.group(token.lastgroup)
            lead = len(run) - len(run.lstrip(_WHITE))
            # A run of no-break spaces only is not marked: it may be left out, and a mark would keep it.
            if lead < len(run) and not (html.unescape(run) if "&" in run else run).isspace():
                mark(token.start(token.lastgroup) + lead, token.end(token.lastgroup))
        elif token.lastgroup == "tag" and ("alt" in token.group() or "aria-label" in token.group()):
            for value in _ALTERNATIVE.finditer(source, token.start(), token.end()):
                group = value.lastindex or 1
                words = value.group(group)
                lead = len(words) - len(words.lstrip(_WHITE))
                if lead < len(words):
                    mark(value.start(group) + lead, value.end(group))
    pieces.append(source[last:])
    return "".join(pieces), runs
