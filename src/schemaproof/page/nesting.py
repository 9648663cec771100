"""Depth and breadth of a page's tags bounded before it is parsed.

The tree construction of HTML (section 13.2.6) looks through the open elements at almost every tag, and opens unclosed
formatting elements anew in every paragraph: both make the parse quadratic on input nested without end (200,000 nested
div elements: 124 CPU seconds in lexbor). So does one tag with attributes without end (34,000: 5 CPU seconds). Browsers
cap the depth; so do we, in the source, and only where it matters.
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

_FEW_TAGS = 2000  # fewer cannot do harm
_STRETCH = 1 << 14
_DEEP = 2500  # open elements that a stretch may have at most, by a rough count, without a closer look
_SHORT = 100_000  # a source of fewer bytes has no room for harmful attributes
_LONG = 400_000  # one of more is looked at closely
_LONG_TAG = re.compile(rb"<[a-zA-Z][^>]{3000}")
_PART = rb"(?:[^\s/>\"']++|\"[^\"]*+\"|'[^']*+'|[\s/]++)"
_BROAD_TAG = re.compile(rb"<[a-zA-Z](%b{%d})%b*+" % (_PART, ATTRIBUTE_PARTS, _PART))
_FORMATTING_TAG = re.compile(rb"<(/?)([bcefistuBCEFISTU][a-zA-Z]{0,5})[\s/>]")
_TOKEN = re.compile(
    rb"<!--.*?(?:--!?>|\Z)|<(script|style|textarea|title|xmp|iframe|noembed|noframes)\b[^>]*>.*?(?=</\1[\s/>]|\Z)|"
    rb"<(/?)([a-z][^\s/>]*)(?:[^>=]++|=\s*+\"[^\"]*\"|=\s*+'[^']*'|=)*+(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_UNCOUNTED = frozenset(
    b"area base br col embed hr img input link meta param source track wbr "
    # An end tag is implied where the next one begins, so they do not nest by being left open.
    b"p li dt dd option optgroup tr td th tbody thead tfoot colgroup caption rb rt rtc rp html head body a nobr".split()
)
_FORMATTING = frozenset(b"b big code em font i s small strike strong tt u".split())
_SPELLINGS = {spelling: name for name in _FORMATTING for spelling in (name, name.upper(), name.capitalize())}


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
    if size > _SHORT and (size > _LONG or _LONG_TAG.search(source)) and _BROAD_TAG.search(source):
        source = _BROAD_TAG.sub(lambda tag: tag.group()[: tag.end(1) - tag.start()], source)
        broad = True
    tags = source.count(b"<")
    if tags < _FEW_TAGS or not (_formatted(source) or (tags > _DEEP and _deep(source))):
        return source, broad
    pieces: list[bytes] = []
    last = 0
    open_tags: list[bytes] = []
    counts: dict[bytes, int] = {}
    formatting = 0
    for token in _TOKEN.finditer(source):
        name = (token.group(3) or b"").lower()
        if not name or name in _UNCOUNTED:
            continue
        if token.group(2):
            if counts.get(name):
                # Whatever was left open inside is closed with it.
                while open_tags:
                    closed = open_tags.pop()
                    counts[closed] -= 1
                    formatting -= closed in _FORMATTING
                    if closed == name:
                        break
            continue
        if len(open_tags) >= DEPTH_LIMIT or (formatting >= FORMATTING_LIMIT and name in _FORMATTING):
            pieces.append(source[last : token.start()])
            last = token.end()
            continue
        open_tags.append(name)
        counts[name] = counts.get(name, 0) + 1
        formatting += name in _FORMATTING
    if not pieces:
        return source, broad
    pieces.append(source[last:])
    return b"".join(pieces), True


def _deep(source: bytes) -> bool:
    """Whether some stretch may have very many elements open, by counting tags opened and closed."""
    balance = 0
    for start in range(0, len(source), _STRETCH):
        end = start + _STRETCH
        tags = source.count(b"<", start, end)
        closed = source.count(b"</", start, end)
        if balance + tags - closed > _DEEP:
            return True
        balance = max(0, balance + tags - 2 * closed)
    return False


def _formatted(source: bytes) -> bool:
    """Whether more formatting elements than the limit are open somewhere."""
    counts: dict[bytes, int] = {}
    total = 0
    for slash, spelling in _FORMATTING_TAG.findall(source):
        name = _SPELLINGS.get(spelling) or (spelling.lower() if spelling.lower() in _FORMATTING else b"")
        if not name:
            continue
        count = counts.get(name, 0)
        if not slash:
            counts[name] = count + 1
            total += 1
            if total > FORMATTING_LIMIT:
                return True
        elif count:
            counts[name] = count - 1
            total -= 1
    return False
