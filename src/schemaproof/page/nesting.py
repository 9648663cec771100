"""Depth and breadth of a page's tags bounded before it is parsed.

The tree construction of HTML (section 13.2.6) looks through the open elements at almost every tag, and opens unclosed
formatting elements anew in every paragraph: both make the parse quadratic on input nested without end (200,000 nested
div elements: 124 CPU seconds in lexbor). So does one tag with attributes without end (34,000: 5 CPU seconds). Browsers
cap the depth; so do we, in the source, and only where it matters. See docs/decisions/012-bounded-parse.md.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

DEPTH_LIMIT = 512
"""How many elements may be open at once; the cap of Chromium's parser."""

FORMATTING_LIMIT = 16
"""How many formatting elements may be open at once; each is opened anew in every paragraph while it is not closed."""

ATTRIBUTE_PARTS = 2000
"""How many names, values and gaps the attributes of a tag may have, all counted."""

FLATTENED = "elements nested deeper than a browser would show them were flattened"
"""What is said of a page from which tags were taken out."""

# What cannot do harm is not looked at: with so few tags, or bytes, the worst case is a third of a CPU second.
_FEW_TAGS = 2000  # nothing to look for
_MANY_TAGS = 10_000  # from here on depth counts
_STRAY_FORMATTING = 64  # formatting elements that are not closed right after their text
_SHORT = 100_000  # bytes: no room for harmful attributes
_HUGE = 400_000  # bytes: attributes are looked at closely

_LONG = 3000  # bytes without a ">" that a tag must have to be looked at
_TAG_START = re.compile(rb"<[a-zA-Z]")
_PART = rb"(?:[^\s/>\"']++|\"[^\"]*+\"|'[^']*+'|[\s/]++)"
_BROAD_TAG = re.compile(rb"<[a-zA-Z](%b{%d})%b*+" % (_PART, ATTRIBUTE_PARTS, _PART))
_ATTRIBUTES = rb"(?:[^>=]++|=\s*+\"[^\"]*+\"|=\s*+'[^']*+'|=)*+"
_STRAY = re.compile(
    rb"<(b|big|code|em|font|i|s|small|strike|strong|tt|u)(?=[\s/>])" + _ATTRIBUTES + rb">(?![^<]*+</\1>)", re.IGNORECASE
)
_FORMATTING_START = re.compile(
    rb"<(?=[bBcCeEfFiIsStTuU])(?:[bBiIsSuU]|[bB][iI][gG]|[cC][oO][dD][eE]|[eE][mM]|[fF][oO][nN][tT]|[tT][tT]"
    rb"|[sS](?:[mM][aA][lL][lL]|[tT][rR](?:[iI][kK][eE]|[oO][nN][gG])))(?=[\s/>])"
)
_TOKEN = re.compile(
    rb"<!--.*?(?:--!?>|\Z)|<(/?)([a-z][^\s/>]*)" + _ATTRIBUTES + rb"(?:>|\Z)", re.IGNORECASE | re.DOTALL
)
_RAW_END = {
    name: re.compile(rb"</%b(?=[\s/>])" % name, re.IGNORECASE)
    for name in b"script style textarea title xmp iframe noembed noframes".split()
}

_VOID = frozenset(b"area base br col embed frame hr img input link meta param source track wbr".split())
_FORMATTING = frozenset(b"a b big code em font i nobr s small strike strong tt u".split())
_HEADINGS = frozenset(b"h1 h2 h3 h4 h5 h6".split())
_ROWS = frozenset(b"tr tbody thead tfoot table".split())
_CELLS = frozenset(b"td th".split())
_CLOSES_PARAGRAPH = _HEADINGS | frozenset(
    b"address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form "
    b"header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp".split()
)
# End tags do not reach beyond these (HTML section 13.2.4.2, "has an element in scope").
_FOREIGN_BARRIER = frozenset(b"foreignobject desc mi mo mn ms mtext annotation-xml".split())
_BARRIER = _FOREIGN_BARRIER | frozenset(b"table template object marquee applet select td th caption frameset".split())
_SPECIAL = (
    _CLOSES_PARAGRAPH
    | _BARRIER
    | _ROWS
    | frozenset(b"body button colgroup frameset head html iframe noscript optgroup option script style".split())
)
# Their end tags reach over everything but a barrier; those of others stop at any special element.
_REACHING = (_CLOSES_PARAGRAPH - frozenset(b"hr plaintext xmp".split())) | frozenset(
    b"button select object marquee applet template".split()
)
_HTML = _SPECIAL | _FORMATTING | frozenset(
    b"abbr acronym audio bdi bdo canvas cite data del dfn ins kbd label legend map mark meter output picture progress "
    b"q rb rp rt rtc ruby samp slot span sub sup time var video".split()
)  # fmt: skip
_NOT_DRAWN = _HTML | _VOID | _FOREIGN_BARRIER
_ONLY_IN_TABLES = _CELLS | _ROWS - {b"table"} | {b"caption", b"colgroup"}
_NEVER_NESTED = frozenset(b"html head body".split())
_IMPLIED = frozenset(b"dd dt li option optgroup p rb rp rt rtc".split())
_ITSELF = {b"dt": (b"dt", b"dd"), b"dd": (b"dt", b"dd"), b"li": (b"li",)}


def parse(source: bytes) -> LexborHTMLParser:
    """Parse a source that `flatten` gave back.

    Without the parser's events: they copy the chosen option of a select into its button, and in selectolax 1.0.2 they
    touch freed memory on nested options (a crash of the process, found by fuzzing).
    """
    from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

    return LexborHTMLParser(source, options=LexborDocumentOptions.WO_EVENTS)


def flatten(source: bytes) -> tuple[bytes, bool]:
    """Take out the start tags that would open elements beyond the limits, and attributes beyond theirs.

    Arguments:
        source: the page in UTF-8.

    Returns:
        The source to parse, and whether anything was taken out. Almost every page comes back as it is, after a count
        of its tags.
    """
    broad = False
    size = len(source)
    if size > _SHORT and (size > _HUGE or _has_long_tag(source)) and _BROAD_TAG.search(source):
        source = _BROAD_TAG.sub(lambda tag: tag.group()[: tag.end(1) - tag.start()], source)
        broad = True
    tags = source.count(b"<")
    if tags < _FEW_TAGS or (tags < _MANY_TAGS and not _has_stray_formatting(source)):
        return source, broad
    flat, dropped = _Flattener().run(source)
    return flat, dropped or broad


def _has_long_tag(source: bytes) -> bool:
    """Whether a tag starts that has no ">" for long: what is so long covers a whole block without one."""
    half = _LONG // 2
    block = position = 0
    while block + half <= len(source):
        if source.find(b">", block, block + half) >= 0:
            block += half
            continue
        start = source.rfind(b">", position, block) + 1 or position
        end = source.find(b">", block)
        end = len(source) if end < 0 else end
        if end - start > _LONG + 1 and (tag := _TAG_START.search(source, start, end)) and end - tag.end() >= _LONG:
            return True
        position = end
        block = (end // half + 1) * half if end % half else end
    return False


def _has_stray_formatting(source: bytes) -> bool:
    """Whether there are many formatting elements that are not closed right after their text."""
    starts = _FORMATTING_START.findall(source)
    return len(starts) > _STRAY_FORMATTING and len(_STRAY.findall(source)) > _STRAY_FORMATTING


class _Flattener:
    """Follows which elements are open, as the parser will, erring towards too many."""

    def __init__(self) -> None:
        self.stack: list[bytes] = []
        self.counts: dict[bytes, int] = {}
        self.formatting = 0

    def run(self, source: bytes) -> tuple[bytes, bool]:
        """The source without the tags that are too many, and whether there were any."""
        pieces: list[bytes] = []
        last = position = 0
        dropped = False
        while token := _TOKEN.search(source, position):
            position = token.end()
            name = token.group(2)
            if name is None:
                continue
            name = name.lower()
            foreign = self.foreign()
            if name in _VOID and not foreign:
                if name == b"hr":
                    self.close_paragraph()
                continue
            if token.group(1):
                self.end(name)
                continue
            raw_end = None if foreign or self.counts.get(b"frameset") else _RAW_END.get(name)
            if raw_end is not None:
                end = raw_end.search(source, position)
                position = end.start() if end else len(source)
            elif not self.start(name):
                pieces.append(source[last : token.start()])
                last = position
                dropped = True
            elif name not in _HTML and source[position - 2 : position] == b"/>":
                # Closed in SVG, left open in HTML; with an end tag it is closed in both.
                pieces += (source[last:position], b"</", name, b">")
                last = position
                self.end(name)
        pieces.append(source[last:])
        return b"".join(pieces), dropped

    def start(self, name: bytes) -> bool:
        """Open an element, closing what it closes; False where there is no room for it."""
        stack, counts = self.stack, self.counts
        if self.foreign():
            return self.push(name)
        if name in _NEVER_NESTED or (
            name in _ONLY_IN_TABLES and not counts.get(b"table") and not counts.get(b"template")
        ):
            return True  # the parser does not open it
        if name == b"select" and counts.get(name):
            self.pop_through((name,), frozenset())  # inside of a select, its start tag is an end tag
            return True
        if name in _CLOSES_PARAGRAPH:
            self.close_paragraph()
        if name == b"table":
            # Outside of a cell, a table ends the table that it stands in.
            self.pop_through((name,), _CELLS | {b"caption", b"template", b"frameset"})
        if name in _ITSELF:
            self.pop_through(_ITSELF[name], _SPECIAL - {b"address", b"div", b"p"})
        elif name in _ONLY_IN_TABLES:
            # A cell ends the cell before, a row the row before.
            ends = _ROWS if name in _CELLS else _ROWS - {b"tr"} if name == b"tr" else frozenset((b"table",))
            if counts.get(b"table"):
                while stack and stack[-1] not in ends and stack[-1] not in (b"template", b"frameset"):
                    self.pop()
        elif stack and (
            (name in _HEADINGS and stack[-1] in _HEADINGS)
            or (name in (b"option", b"optgroup") and stack[-1] == b"option")
            or (name == b"optgroup" and stack[-1] == b"optgroup" and counts.get(b"select"))
        ):
            self.pop()
        elif name in (b"a", b"nobr", b"button") and counts.get(name):
            self.end(name)
        return self.push(name)

    def push(self, name: bytes) -> bool:
        """Put an element on top of the open ones, if there is room."""
        if len(self.stack) >= DEPTH_LIMIT or (self.formatting >= FORMATTING_LIMIT and name in _FORMATTING):
            return False
        self.stack.append(name)
        self.counts[name] = self.counts.get(name, 0) + 1
        self.formatting += name in _FORMATTING
        return True

    def end(self, name: bytes) -> None:
        """Close an element as its end tag does."""
        if not self.counts.get(name) or (self.counts.get(b"frameset") and name != b"frameset"):
            return
        if name in _FORMATTING:
            # Closed for sure only where it is the innermost. Else it may be opened anew in the next paragraph.
            if self.stack[-1] == name:
                self.pop()
                self.formatting -= 1
        elif name in _FOREIGN_BARRIER:
            if self.stack[-1] == name:
                self.pop()
        elif self.foreign():
            # HTML elements in between may have ended the drawing; then this tag closes nothing.
            self.pop_through((name,), _NOT_DRAWN - {name})
        elif name == b"form":
            while self.stack[-1] in _IMPLIED:
                self.pop()
            if self.stack[-1] == name:
                self.pop()
        elif name in _ONLY_IN_TABLES or name == b"table":
            self.pop_through((name,), frozenset((b"table", b"template")))
        elif name in _HEADINGS:
            self.pop_through(tuple(_HEADINGS), _BARRIER)
        elif name == b"li":
            self.pop_through((name,), _BARRIER | {b"ul", b"ol"})
        else:
            self.pop_through((name,), _BARRIER if name in _REACHING else _SPECIAL)

    def foreign(self) -> bool:
        """Whether an SVG or MathML element may be open: there, tags nest as they are written."""
        return bool(self.counts.get(b"svg") or self.counts.get(b"math"))

    def close_paragraph(self) -> None:
        """Close the paragraph that is open, as most blocks do."""
        if self.counts.get(b"p"):
            self.pop_through((b"p",), _BARRIER | {b"button"})

    def pop_through(self, names: tuple[bytes, ...], barrier: frozenset[bytes]) -> None:
        """Close everything down to the nearest of these elements, if no barrier stands before it."""
        stack = self.stack
        for at in range(len(stack) - 1, -1, -1):
            if stack[at] in names:
                while len(stack) > at:
                    self.pop()
                return
            if stack[at] in barrier:
                return

    def pop(self) -> None:
        """Close the innermost element. One for formatting stays to be opened anew: it counts until its own end."""
        self.counts[self.stack.pop()] -= 1
