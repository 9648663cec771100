"""What each HTML element does to the text around it, and what its attributes say about it.

Source: the user agent style sheet (HTML section 15.3), CSS Display and CSS 2 for inline styles.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemaproof.page.addresses import sources

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# Kinds of elements. INLINE is what is not in the table.
INLINE, BLOCK, SPACED, SKIPPED, QUIET, BREAK, IMAGE, MEDIUM, LINK, OPTION = range(10)
"""BLOCK: parted by newlines. SPACED: parted by a space. SKIPPED: neither it nor what it holds is text of the page.
QUIET: what it holds shows only where it does not work itself; addresses inside count. MEDIUM: QUIET with addresses of
its own."""

# fmt: off
KINDS: dict[str, int] = {
    **dict.fromkeys((
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir",
        "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset", "h1", "h2", "h3", "h4",
        "h5", "h6", "header", "hgroup", "hr", "html", "legend", "li", "listing", "main", "menu", "nav", "ol", "p",
        "plaintext", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
        "xmp",
    ), BLOCK),
    **dict.fromkeys((
        "button", "select", "textarea", "optgroup", "svg", "math", "input", "output", "marquee",
    ), SPACED),
    **dict.fromkeys((
        "-comment", "-doctype", "script", "style", "template", "head", "title", "meta", "link", "base", "noembed",
        "noframes", "datalist", "rp", "rt", "rtc", "param", "track", "desc", "metadata", "defs", "symbol", "annotation",
        "annotation-xml",
    ), SKIPPED),
    **dict.fromkeys(("noscript", "canvas", "meter", "progress"), QUIET),
    **dict.fromkeys((
        "video", "audio", "object", "iframe", "embed", "source", "amp-video", "amp-iframe",
    ), MEDIUM),
    **dict.fromkeys(("img", "amp-img", "image"), IMAGE),
    "br": BREAK, "a": LINK, "area": LINK, "option": OPTION,
}
# fmt: on

PREFORMATTED = frozenset(("pre", "listing", "plaintext", "xmp", "textarea"))
CONTAINERS = frozenset(("ul", "ol", "menu", "dir", "dl", "table"))
STRUCTURE = CONTAINERS | {
    "header", "nav", "main", "article", "aside", "footer", "form", "td", "th", "tr", "li", "dt", "dd", "dialog",
} | PREFORMATTED  # fmt: skip
"""Blocks that change more than where the text breaks."""

REGIONS = frozenset(("header", "nav", "main", "article", "aside", "footer", "form"))
ROLES = {
    "banner": "header", "navigation": "nav", "main": "main", "article": "article", "complementary": "aside",
    "contentinfo": "footer", "form": "form", "search": "form",
}  # fmt: skip

LAZY_NAMES = ("data-src", "data-bg", "data-background", "data-background-image", "data-image", "data-lazy-src")
TELLING = frozenset(("hidden", "popover", "style", "aria-hidden", "role", *LAZY_NAMES))
"""Attributes that may change how an element of any name is read."""

ADDRESS_START = ("http://", "https://", "/", "./", "../")

_DECLARATION = re.compile(
    r"(?:^|;)\s*(display|visibility|content-visibility|position|left|top)\s*:\s*(-?[0-9][0-9.]*(?:px|em|rem|%)?|[a-z-]+)"
)
_FAR_AWAY = re.compile(r"-(?:[0-9]{4,}(?:\.[0-9]*)?(?:px)?|999px|[0-9]{3,}(?:\.[0-9]*)?(?:em|rem))")
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_CSS_URL = re.compile(r"url\(\s*(?:\"([^\"]*)\"|'([^']*)'|([^)\"'\s]*))\s*\)", re.IGNORECASE)


def declarations(style: str) -> tuple[str, str]:
    """The display and visibility that a style attribute leads to, "" where it says nothing of them.

    Far outside of the screen, where texts for screen readers and for robots stand, is display "none" here.
    """
    style = style.lower()
    if "/*" in style:
        style = _CSS_COMMENT.sub("", style)
    display = visibility = ""
    placed = away = False
    for name, value in _DECLARATION.findall(style):
        if name == "display":
            display = value
        elif name == "visibility":
            visibility = value
        elif name == "position":
            placed = value in ("absolute", "fixed")
        elif name == "content-visibility":
            display = "none" if value == "hidden" else display
        else:
            away = away or _FAR_AWAY.fullmatch(value) is not None
    if placed and away:
        display = "none"
    return display, visibility


def style_addresses(style: str) -> list[str]:
    """The addresses of images in a style attribute."""
    if "url(" not in style and "URL(" not in style:
        return []
    found = (double or single or bare for double, single, bare in _CSS_URL.findall(style))
    return [address for address in found if address and not address.startswith(("data:", "#"))]


def media_addresses(attributes: dict[str, str | None]) -> list[str]:
    """Every address at which a medium's attributes say that it is, those for lazy loading included."""
    found: list[str] = []
    for name, value in attributes.items():
        if not value:
            continue
        if name in ("src", "href", "xlink:href", "poster", "data"):
            found.append(value)
        elif name == "srcset":
            found += sources(value)
        elif name.startswith("data-"):
            if name.endswith("srcset"):
                found += sources(value)
            elif name in LAZY_NAMES or (value.startswith(ADDRESS_START) and " " not in value):
                found.append(value)
    return [address for address in dict.fromkeys(found) if not address.startswith("data:")]


def number_of(value: str | None, limit: int) -> int:
    """A colspan or rowspan as a number from 1 to limit."""
    if value and value.isascii() and value.strip().isdigit() and len(value) < 6:
        return min(max(int(value), 1), limit)
    return 1


def displayed(kind: int, display: str) -> int:
    """The kind of an element whose style says how it is displayed."""
    if kind not in (BLOCK, INLINE, LINK):
        return kind
    if display == "inline":
        return INLINE if kind == BLOCK else kind
    if display == "contents" or display.startswith("inline"):
        return SPACED if kind != LINK else kind
    return BLOCK if kind == INLINE else kind


def is_chosen(option: LexborNode, attributes: dict[str, str | None]) -> bool:
    """Whether an option shows while its select is closed: the selected one, else the first of a drop-down."""
    if "selected" in attributes:
        return True
    parent = option.parent
    while parent is not None and parent.tag == "optgroup":
        parent = parent.parent
    if parent is None or parent.tag != "select":
        return False
    of_select = parent.attributes
    if "multiple" in of_select or (of_select.get("size") or "1") not in ("", "1"):
        return True  # a list box shows its options
    first = parent.css_first("option")
    return first is not None and first.mem_id == option.mem_id and parent.css_first("option[selected]") is None
