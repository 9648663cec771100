"""Depth and breadth of a page's tags bounded before it is parsed.

The tree construction of HTML (section 13.2.6) looks through the open elements at almost every tag, and opens unclosed
formatting elements anew in every paragraph: both make the parse quadratic on input nested without end (200,000 nested
div elements: 124 CPU seconds in lexbor). So does one tag with attributes without end (34,000: 5 CPU seconds). Browsers
cap the depth; so do we, in the source, and only where it matters.
"""

from __future__ import annotations

import re

DEPTH_LIMIT = 512
"""How many elements may be open at once; the cap of Chromium's parser."""

FORMATTING_LIMIT = 16
"""How many formatting elements may be open at once; each is opened anew in every paragraph while it is not closed."""

ATTRIBUTE_PARTS = 2000
"""How many names, values and gaps the attributes of a tag may have, all counted."""

_FEW_TAGS = 2000  # fewer cannot do harm
_SHORT = 100_000  # a source of fewer characters has no room for harmful attributes
_STRETCH = 1 << 14
_DEEP = 2500  # open elements that a stretch may have at most, by a rough count, without a closer look
_FORMATTING_TAG = re.compile(r"<(/?)([bcefistuBCEFISTU][a-zA-Z]{0,5})[\s/>]")
_TOKEN = re.compile(
    r"<!--.*?(?:--!?>|\Z)|<(script|style|textarea|title|xmp|iframe|noembed|noframes)\b[^>]*>.*?(?=</\1[\s/>]|\Z)|"
    r"<(/?)([a-z][^\s/>]*)(?:[^>=]++|=\s*+\"[^\"]*\"|=\s*+'[^']*'|=)*+(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_PART = r"(?:[^\s/>\"']++|\"[^\"]*+\"|'[^']*+'|[\s/]++)"
_BROAD_TAG = re.compile(rf"<[a-zA-Z]({_PART}{{{ATTRIBUTE_PARTS}}}){_PART}*+")
_UNCOUNTED = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
     # An end tag is implied where the next one begins, so they do not nest by being left open.
     "p", "li", "dt", "dd", "option", "optgroup", "tr", "td", "th", "tbody", "thead", "tfoot", "colgroup", "caption",
     "rb", "rt", "rtc", "rp", "html", "head", "body", "a", "nobr")
)  # fmt: skip
_FORMATTING = frozenset(("b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"))
_SPELLINGS = {spelling: name for name in _FORMATTING for spelling in (name, name.upper(), name.capitalize())}


def flatten(html: str) -> tuple[str, bool]:
    """Take out the start tags that would open elements beyond the limits, and attributes beyond theirs.

    Arguments:
        html: the source.

    Returns:
        The source to parse, and whether anything was taken out. Almost every page comes back as it is, after a count
        of its tags.
    """
    broad = False
    if len(html) > _SHORT and _BROAD_TAG.search(html):
        html = _BROAD_TAG.sub(lambda tag: tag.group()[: tag.end(1) - tag.start()], html)
        broad = True
    tags = html.count("<")
    if tags < _FEW_TAGS or not (_formatted(html) or (tags > _DEEP and _deep(html))):
        return html, broad
    pieces: list[str] = []
    last = 0
    open_tags: list[str] = []
    counts: dict[str, int] = {}
    formatting = 0
    for token in _TOKEN.finditer(html):
        name = (token.group(3) or "").lower()
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
            pieces.append(html[last : token.start()])
            last = token.end()
            continue
        open_tags.append(name)
        counts[name] = counts.get(name, 0) + 1
        formatting += name in _FORMATTING
    if not pieces:
        return html, broad
    pieces.append(html[last:])
    return "".join(pieces), True


def _deep(html: str) -> bool:
    """Whether some stretch may have very many elements open, by counting tags opened and closed."""
    balance = 0
    for start in range(0, len(html), _STRETCH):
        end = start + _STRETCH
        tags = html.count("<", start, end)
        closed = html.count("</", start, end)
        if balance + tags - closed > _DEEP:
            return True
        balance = max(0, balance + tags - 2 * closed)
    return False


def _formatted(html: str) -> bool:
    """Whether more formatting elements than the limit are open somewhere."""
    counts: dict[str, int] = {}
    total = 0
    for slash, spelling in _FORMATTING_TAG.findall(html):
        name = _SPELLINGS.get(spelling) or (spelling.lower() if spelling.lower() in _FORMATTING else "")
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
