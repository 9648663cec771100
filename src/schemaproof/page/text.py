"""The visible text of a page: one walk over the parsed tree, as a reader's eye would take it in.

What counts as visible, how white space collapses and where lines break follows the innerText algorithm (HTML section
3.2.7) and the user agent style sheet (HTML section 15), with these departures, each because the text is evidence:
alternative texts stand where their image does; elements that sit apart on the screen without a block box (buttons,
custom elements, inline blocks) are parted by a space; a closed `details` shows its content (one click away, like any
text below the fold); of a `select` only the chosen option shows; ruby annotations are left out, so that the base text
stays whole. What a style sheet outside the element hides cannot be seen here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schemaproof.page.addresses import Resolver, sources
from schemaproof.page.model import Block, Kind, Link, Mark

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# What an element does to the text around it.
_BLOCK, _SPACED, _SKIPPED, _QUIET, _BREAK, _IMAGE, _MEDIUM, _LINK = range(1, 9)

# fmt: off
_BLOCKS = (
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hgroup", "hr", "html", "legend", "li", "listing", "main", "menu", "nav", "ol", "p", "plaintext", "pre",
    "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "xmp",
)
_KINDS: dict[str, int] = {
    **dict.fromkeys(_BLOCKS, _BLOCK),
    **dict.fromkeys(("button", "select", "textarea", "option", "optgroup", "svg", "math", "input", "meter", "progress",
                     "output"), _SPACED),
    **dict.fromkeys(("-comment", "-doctype", "script", "style", "template", "head", "title", "meta", "link", "base",
                     "noembed", "noframes", "datalist", "rp", "rt", "rtc", "param", "track", "desc", "metadata", "defs",
                     "symbol", "annotation", "annotation-xml"), _SKIPPED),
    # Their children are shown only where the element itself does not work; addresses inside still count.
    **dict.fromkeys(("noscript", "canvas"), _QUIET),
    **dict.fromkeys(("video", "audio", "object", "iframe", "embed", "source", "amp-video", "amp-iframe"), _MEDIUM),
    **dict.fromkeys(("img", "amp-img", "image"), _IMAGE),
    "br": _BREAK,
    "a": _LINK,
    "area": _LINK,
}
# fmt: on
_REGIONS = {name: name for name in ("header", "nav", "main", "article", "aside", "footer", "form")}
_ROLES = {
    "banner": "header", "navigation": "nav", "main": "main", "article": "article", "complementary": "aside",
    "contentinfo": "footer", "form": "form", "search": "form",
}  # fmt: skip
_CONTAINERS = frozenset(("ul", "ol", "menu", "dir", "dl", "table"))
_PREFORMATTED = frozenset(("pre", "listing", "plaintext", "xmp", "textarea"))

_COLLAPSE = re.compile(r"[ \t\n\r\f]+")
_WHITE = " \t\n\r\f"
_DECLARATION = re.compile(r"(?:^|;)\s*(display|visibility|content-visibility)\s*:\s*([a-z-]+)")
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_CSS_URL = re.compile(r"url\(\s*(?:\"([^\"]*)\"|'([^']*)'|([^)\"'\s]*))\s*\)", re.IGNORECASE)
_LAZY_NAMES = ("data-src", "data-bg", "data-background", "data-background-image", "data-image", "data-lazy-src")
_ADDRESS_START = ("http://", "https://", "/", "./", "../")


@dataclass(slots=True)
class Text:
    """What the walk found; see `schemaproof.page.model.Page` for each."""

    text: str
    blocks: list[Block]
    marks: list[Mark]
    links: list[Link]
    images: list[Link]


@dataclass(slots=True)
class _Grid:
    """A list or table that is open: its number and how far it was filled."""

    group: int
    row: int = -1
    column: int = -1
    spans: dict[int, int] | None = None  # column -> rows that a cell above still covers


def _declarations(style: str) -> tuple[str, str]:
    """The last display and visibility of a style attribute, "" where not given."""
    style = style.lower()
    if "/*" in style:
        style = _CSS_COMMENT.sub("", style)
    display = visibility = ""
    for name, value in _DECLARATION.findall(style):
        if name == "display":
            display = value
        elif name == "visibility":
            visibility = value
        elif value == "hidden":
            display = "none"
    return display, visibility


def _span(value: str | None, limit: int) -> int:
    """A colspan or rowspan as a number from 1 to limit."""
    if value and value.isascii() and value.strip().isdigit() and len(value) < 6:
        return min(max(int(value), 1), limit)
    return 1


def _media_addresses(attributes: dict[str, str | None], lazy: bool) -> list[str]:
    """Every address at which an image element's attributes say that the image is."""
    found: list[str] = []
    for name, value in attributes.items():
        if not value:
            continue
        if name in ("src", "href", "xlink:href", "poster"):
            found.append(value)
        elif name == "srcset":
            found += sources(value)
        elif lazy and name.startswith("data-"):
            if name.endswith("srcset"):
                found += sources(value)
            elif name in _LAZY_NAMES or (value.startswith(_ADDRESS_START) and " " not in value):
                found.append(value)
    return found


def read_text(root: LexborNode, resolver: Resolver) -> Text:
    """Walk a parsed page.

    Arguments:
        root: the html element.
        resolver: resolves addresses against the page's base.

    Returns:
        Visible text, its blocks and marks, links and images with their spans. Linear in the number of nodes;
        never recurses.
    """
    parts: list[str] = []  # what was written so far
    length = 0  # its length
    pending = ""  # white space to write before the next text: "", " ", "\t", "\n" or the end of preformatted text
    begun = -1  # where the open block starts; -1 if none is
    facts = ("", "", -1, -1, -1, 0)  # of the open block
    blocks: list[Block] = []
    marks: list[Mark] = []
    links: list[Link] = []
    images: list[Link] = []
    seen_images: set[tuple[str, int]] = set()

    tag_of_block, region, group, row, column = "html", "", -1, -1, -1
    grids: list[_Grid] = []
    groups = 0
    preformatted = 0
    quiet = 0  # inside content shown only as a fall-back
    invisible = False  # visibility: hidden, which a descendant may take back
    aria_from: list[int] = []
    link_from: list[tuple[str, str, int]] = []
    stack: list[tuple[LexborNode, tuple[object, ...] | None, int]] = []
    # What has to be undone when an element closes, as bits beside its frame.
    block_bit, spaced_bit, link_bit, aria_bit, pre_bit, quiet_bit, grid_bit, visible_bit = 1, 2, 4, 8, 16, 32, 64, 128
    resolve = resolver.resolve

    def write(text: str, lead: bool) -> tuple[int, int]:
        """Write non-empty text with the white space due before it; returns its span."""
        nonlocal length, pending, begun, facts
        if lead and not pending:
            pending = " "
        if length and pending:
            parts.append(pending)
            length += len(pending)
        pending = ""
        if begun < 0:
            begun = length
            facts = (tag_of_block, region, group, row, column, len(stack))
        start = length
        parts.append(text)
        length += len(text)
        return start, length

    node: LexborNode | None = root
    while node is not None:
        tag = node.tag
        descend = False
        if tag == "-text":
            if not quiet and not invisible:
                content = node.text_content
                if content:
                    if preformatted:
                        kept = content.rstrip(_WHITE)
                        if kept:
                            if begun < 0 and pending[:1] not in ("\n", "\t"):
                                pending = "\n"
                            write(kept, False)
                            pending = content[len(kept) :]
                        elif begun >= 0:
                            pending += content
                    else:
                        if content.isascii():
                            text = " ".join(content.split())
                        else:
                            text = _COLLAPSE.sub(" ", content).strip(" ")
                        if text:
                            lead = content[0] in _WHITE and begun >= 0
                            if lead and not pending:
                                pending = " "
                            if length and pending:
                                parts.append(pending)
                                length += len(pending)
                            if begun < 0:
                                begun = length
                                facts = (tag_of_block, region, group, row, column, len(stack))
                            parts.append(text)
                            length += len(text)
                            pending = " " if content[-1] in _WHITE else ""
                        elif not pending:
                            pending = " "
        else:
            kind = _KINDS.get(tag or "", 0)
            if kind == _BREAK:
                if not quiet and not invisible and begun >= 0:
                    pending = "\n" if not preformatted else pending + "\n"
            elif kind != _SKIPPED and not (tag == "option" and not _chosen(node)):
                attributes = node.attributes
                bits = 0
                saved: tuple[object, ...] | None = None
                hidden = False
                display = ""
                if attributes:
                    if "hidden" in attributes or "popover" in attributes:
                        hidden = True
                    elif (style := attributes.get("style")) is not None and style:
                        display, visibility = _declarations(style)
                        if display == "none":
                            hidden = True
                        elif visibility:
                            now = visibility in ("hidden", "collapse")
                            if now != invisible:
                                bits |= visible_bit
                                invisible = now
                        if not hidden and "url(" in style:
                            for quoted in _CSS_URL.findall(style):
                                address = quoted[0] or quoted[1] or quoted[2]
                                if address and not address.startswith(("data:", "#")):
                                    images.append(Link(address, resolve(address), length, length, "css"))
                if tag == "dialog" and "open" not in attributes:
                    hidden = True
                if not hidden:
                    if not kind:
                        if tag and "-" in tag:
                            kind = _SPACED
                        if display and display not in ("inline", "contents"):
                            kind = _SPACED if display.startswith("inline") else _BLOCK
                    elif kind == _BLOCK and display:
                        if display == "inline":
                            kind = 0
                        elif display == "contents":
                            kind = _SPACED
                    if kind == _BLOCK or (display and kind == _LINK and display in ("block", "flex", "grid")):
                        if begun >= 0:
                            blocks.append(Block(begun, length, *facts))
                            begun = -1
                        pending = "\n"
                        bits |= block_bit
                        saved = (tag_of_block, region, group, row, column)
                        tag_of_block = tag or ""
                        if tag in _REGIONS:
                            region = tag
                        if tag in _CONTAINERS:
                            grids.append(_Grid(groups))
                            group, row, column = groups, -1, -1
                            groups += 1
                            bits |= grid_bit
                        elif grids:
                            grid = grids[-1]
                            if tag in ("td", "th"):
                                first = grid.column < 0
                                grid.column += 1
                                spans = grid.spans
                                if spans:
                                    while spans.get(grid.column, 0) > 0:
                                        grid.column += 1
                                if not first and length:
                                    pending = "\t"
                                row, column = max(grid.row, 0), grid.column
                                wide = _span(attributes.get("colspan"), 1000) if "colspan" in attributes else 1
                                if "rowspan" in attributes:
                                    tall = _span(attributes.get("rowspan"), 65534)
                                    if tall > 1:
                                        if spans is None:
                                            spans = grid.spans = {}
                                        for covered in range(column, column + wide):
                                            spans[covered] = tall
                                grid.column += wide - 1
                            elif tag == "tr":
                                if grid.spans:
                                    grid.spans = {at: left - 1 for at, left in grid.spans.items() if left > 1}
                                grid.row += 1
                                grid.column = -1
                            elif tag == "li":
                                grid.row += 1
                                row, column = grid.row, -1
                            elif tag == "dt":
                                if grid.column != 0:
                                    grid.row += 1
                                grid.column = 0
                                row, column = grid.row, 0
                            elif tag == "dd":
                                grid.column = 1
                                grid.row = max(grid.row, 0)
                                row, column = grid.row, 1
                        if tag in _PREFORMATTED:
                            preformatted += 1
                            bits |= pre_bit
                    elif kind == _SPACED:
                        if not pending:
                            pending = " "
                        bits |= spaced_bit
                        if tag in _PREFORMATTED:
                            preformatted += 1
                            bits |= pre_bit
                        elif tag == "input" and (attributes.get("type") or "").lower() == "image":
                            kind = _IMAGE
                    elif kind == _QUIET:
                        quiet += 1
                        bits |= quiet_bit
                    elif kind == _MEDIUM:
                        for address in _media_addresses(attributes, True):
                            images.append(Link(address, resolve(address), length, length, tag or ""))
                        if data := attributes.get("data"):
                            images.append(Link(data, resolve(data), length, length, tag or ""))
                        quiet += 1
                        bits |= quiet_bit
                    elif kind == _LINK and not quiet and not invisible and (href := attributes.get("href")) is not None:
                        if tag == "area":
                            alternative = " ".join((attributes.get("alt") or "").split())
                            span = (length, length)
                            if alternative:
                                span = write(alternative, begun >= 0)
                                marks.append(Mark(*span, Kind.ALT))
                                pending = " "
                            links.append(Link(href, resolve(href), *span, attributes.get("rel") or ""))
                        else:
                            link_from.append((href, attributes.get("rel") or "", length))
                            bits |= link_bit
                    if attributes:
                        if kind == _IMAGE or (attributes.get("role") == "img" and "aria-label" in attributes):
                            alternative = attributes.get("alt") or attributes.get("aria-label") or ""
                            span = (length, length)
                            if alternative and not quiet and not invisible:
                                alternative = _COLLAPSE.sub(" ", alternative).strip(" ")
                                if alternative:
                                    span = write(alternative, begun >= 0)
                                    marks.append(Mark(*span, Kind.ALT))
                                    pending = " "
                            if kind == _IMAGE:
                                for address in _media_addresses(attributes, True):
                                    if not address.startswith("data:") and (address, span[0]) not in seen_images:
                                        seen_images.add((address, span[0]))
                                        images.append(Link(address, resolve(address), *span, "img"))
                        elif kind == _BLOCK:
                            for name in _LAZY_NAMES:
                                if (address := attributes.get(name)) and address.startswith(_ADDRESS_START):
                                    images.append(Link(address, resolve(address), length, length, "css"))
                        if "role" in attributes and (landmark := _ROLES.get(attributes["role"] or "")):
                            if saved is None:
                                saved = (tag_of_block, region, group, row, column)
                            region = landmark
                        if attributes.get("aria-hidden") == "true" and not quiet:
                            aria_from.append(length)
                            bits |= aria_bit
                    descend = True
        if descend:
            child = node.first_child
            stack.append((node, saved, bits))
            if child is not None:
                node = child
                continue
            leaving = True
        else:
            leaving = False
        # Go to the next node, closing what ends on the way.
        while True:
            if leaving:
                node, saved, bits = stack.pop()
                if bits:
                    if bits & link_bit:
                        href, rel, start = link_from.pop()
                        links.append(Link(href, resolve(href), start, length, rel))
                    if bits & aria_bit:
                        start = aria_from.pop()
                        if length > start and not aria_from:
                            marks.append(Mark(start, length, Kind.ARIA))
                    if bits & block_bit:
                        if begun >= 0:
                            blocks.append(Block(begun, length, *facts))
                            begun = -1
                        pending = "\n"
                    elif bits & spaced_bit and not pending:
                        pending = " "
                    if bits & pre_bit:
                        preformatted -= 1
                    if bits & quiet_bit:
                        quiet -= 1
                    if bits & grid_bit:
                        grids.pop()
                    if bits & visible_bit:
                        invisible = not invisible
                if saved is not None:
                    tag_of_block, region, group, row, column = saved  # type: ignore[assignment]
            following = node.next if stack else None
            if following is not None:
                node = following
                break
            if not stack:
                node = None
                break
            leaving = True
    if begun >= 0:
        blocks.append(Block(begun, length, *facts))
    text = "".join(parts)
    return Text(
        text,
        blocks,
        _tightened_marks(text, marks),
        [_tightened(text, link) for link in links],
        images,
    )


def is_apart(tag: str) -> bool:
    """Whether an element of this name is kept apart from the text around it."""
    return _KINDS.get(tag, 0) in (_BLOCK, _SPACED, _BREAK)


def is_never_text(tag: str) -> bool:
    """Whether what an element of this name holds is never text of the page."""
    return _KINDS.get(tag, 0) in (_SKIPPED, _QUIET, _MEDIUM)


def element_text(element: LexborNode, work: list[int]) -> str:
    """The text of one element with white space collapsed and its blocks parted by newlines, scripts left out.

    Arguments:
        element: the element.
        work: one number, how many nodes may still be visited; it is counted down, and the text ends where it is 0.
    """
    child = element.first_child
    if child is None:
        return ""
    if child.next is None and child.tag == "-text":
        return _COLLAPSE.sub(" ", child.text_content or "").strip(" ")
    parts: list[str] = []
    stack: list[LexborNode] = [element]
    node: LexborNode | None = child
    while node is not None and work[0] > 0:
        work[0] -= 1
        tag = node.tag or ""
        child = None
        if tag == "-text":
            parts.append(_COLLAPSE.sub(" ", node.text_content or ""))
        else:
            kind = _KINDS.get(tag, 0)
            if kind in (_BLOCK, _BREAK):
                parts.append("\n")
            elif kind == _SPACED:
                parts.append(" ")
            if kind not in (_SKIPPED, _QUIET, _MEDIUM):
                child = node.first_child
        if child is not None:
            stack.append(node)
            node = child
            continue
        while node is not None and node.next is None:
            node = stack.pop()
            if not stack:
                node = None
            elif _KINDS.get(node.tag or "", 0) == _BLOCK:
                parts.append("\n")
        if node is not None:
            node = node.next
    lines = (_COLLAPSE.sub(" ", line).strip(" ") for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)


def _chosen(option: LexborNode) -> bool:
    """Whether an option shows while its select is closed: the selected one, else the first of a drop-down."""
    if "selected" in option.attributes:
        return True
    parent = option.parent
    if parent is None or parent.tag != "select":
        return False
    attributes = parent.attributes
    if "multiple" in attributes or (attributes.get("size") or "1") not in ("", "1"):
        return True  # a list box shows its options
    first = parent.first_child
    while first is not None and first.tag != "option":
        first = first.next
    return first is not None and first.mem_id == option.mem_id and parent.css_first("option[selected]") is None


def _edges(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in _WHITE:
        start += 1
    while end > start and text[end - 1] in _WHITE:
        end -= 1
    return start, end


def _tightened(text: str, link: Link) -> Link:
    if link.start == link.end or text[link.start] not in _WHITE:
        return link
    start, end = _edges(text, link.start, link.end)
    return Link(link.href, link.url, start, end, link.rel)


def _tightened_marks(text: str, marks: list[Mark]) -> list[Mark]:
    found = []
    for mark in marks:
        start, end = _edges(text, mark.start, mark.end)
        if end > start:
            found.append(Mark(start, end, mark.kind))
    found.sort(key=lambda mark: (mark.start, -mark.end))
    return found
