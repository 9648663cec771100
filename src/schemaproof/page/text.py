"""The visible text of a page: one walk over the parsed tree, as a reader's eye would take it in.

What counts as visible, how white space collapses and where lines break follows the innerText algorithm (HTML section
3.2.7), with these departures, each because the text is evidence: alternative texts stand where their image does;
elements that sit apart on the screen without a block box (buttons, custom elements, inline blocks) are parted by a
space; a closed `details` shows its content (one click away, like any text below the fold); of a drop-down only the
chosen option shows; ruby annotations and soft hyphens are left out, so that words stay whole. What a style sheet hides
cannot be seen here. See docs/decisions/010-visible-text.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schemaproof.page import elements
from schemaproof.page.addresses import Resolver
from schemaproof.page.elements import (
    ADDRESS_START,
    BLOCK,
    BREAK,
    IMAGE,
    INLINE,
    KINDS,
    LAZY_NAMES,
    LINK,
    MEDIUM,
    OPTION,
    QUIET,
    SKIPPED,
    SPACED,
    STRUCTURE,
    TELLING,
)
from schemaproof.page.model import Block, Kind, Link, Mark

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_COLLAPSE = re.compile(r"[ \t\n\r\f]+")
_WHITE = " \t\n\r\f"

# What has to be undone when an element closes.
_UNDO_BLOCK, _UNDO_SPACE, _UNDO_CONTEXT, _UNDO_LINK, _UNDO_ARIA, _UNDO_PRE, _UNDO_QUIET, _UNDO_GRID, _UNDO_SEEN = (
    1 << bit for bit in range(9)
)
_HIDDEN = -1

_Context = tuple[str, str, int, int, int]
_Attributes = dict[str, str | None]


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


def read_text(root: LexborNode, resolver: Resolver) -> Text:
    """Walk a parsed page.

    Arguments:
        root: the html element.
        resolver: resolves addresses against the page's base.

    Returns:
        Visible text, its blocks and marks, links and images with their spans. Linear in the number of nodes;
        never recurses.
    """
    walk = _Walk(resolver)
    walk.run(root)
    walk.end_block()
    text = "".join(walk.parts)
    links = [_tightened(text, link) for link in walk.links]
    return Text(text, walk.blocks, _tightened_marks(text, walk.marks), links, walk.images)


class _Walk:
    """The state of the walk. `run` is the hot path; the other methods are what happens seldom."""

    __slots__ = (
        "aria_from", "begun", "blocks", "context", "contexts", "depth", "facts", "grids", "groups", "images",
        "invisible", "length", "link_from", "links", "marks", "parts", "pending", "preformatted", "quiet", "resolve",
    )  # fmt: skip

    def __init__(self, resolver: Resolver) -> None:
        self.resolve = resolver.resolve
        self.parts: list[str] = []  # what was written so far
        self.length = 0  # its length
        self.pending = ""  # white space due before the next text: "", " ", "\t", "\n" or the end of preformatted text
        self.begun = -1  # where the open block starts; -1 if none is
        self.facts: tuple[str, str, int, int, int, int] = ("", "", -1, -1, -1, 0)  # of the open block
        self.blocks: list[Block] = []
        self.marks: list[Mark] = []
        self.links: list[Link] = []
        self.images: list[Link] = []
        self.context: _Context = ("html", "", -1, -1, -1)  # tag, region, group, row, column
        self.contexts: list[_Context] = []
        self.grids: list[_Grid] = []
        self.groups = 0
        self.depth = 0
        self.preformatted = 0
        self.quiet = 0  # inside content shown only as a fall-back
        self.invisible = False  # visibility: hidden, which a descendant may take back
        self.aria_from: list[int] = []
        self.link_from: list[tuple[str, str, int]] = []

    def run(self, root: LexborNode) -> None:
        """Visit every node below `root` in document order."""
        stack: list[tuple[LexborNode, int]] = []
        kind_of = KINDS.get
        node: LexborNode | None = root
        while node is not None:
            tag = node.tag
            if tag == "-text":
                if not self.quiet and not self.invisible:
                    content = node.text_content
                    if content:
                        if self.preformatted:
                            self.write_preformatted(content)
                        else:
                            if content.isascii():
                                text = " ".join(content.split())
                            else:
                                text = _COLLAPSE.sub(" ", content.replace("\u00ad", "")).strip(" ")
                                if self.begun < 0 and text.isspace():
                                    text = ""  # no-break spaces that only hold a paragraph open
                            if text:
                                if content[0] in _WHITE and not self.pending and self.begun >= 0:
                                    self.pending = " "
                                self.write(text)
                                self.pending = " " if content[-1] in _WHITE else ""
                            elif not self.pending:
                                self.pending = " "
            else:
                kind = kind_of(tag, INLINE)  # type: ignore[arg-type]
                if kind == BREAK:
                    if self.begun >= 0 and not self.quiet and not self.invisible:
                        self.pending = self.pending + "\n" if self.preformatted else "\n"
                elif kind != SKIPPED:
                    undo = self.open(node, tag or "", kind)
                    if undo >= 0:
                        child = node.first_child
                        if child is not None:
                            stack.append((node, undo))
                            self.depth += 1
                            node = child
                            continue
                        if undo:
                            self.close(undo)
            following = node.next if stack else None
            while following is None:
                if not stack:
                    return
                node, undo = stack.pop()
                self.depth -= 1
                if undo:
                    self.close(undo)
                if not stack:
                    return
                following = node.next
            node = following

    # Text

    def write(self, text: str) -> None:
        """Write text that is not empty, the white space due before it first."""
        length = self.length
        if self.pending and length:
            self.parts.append(self.pending)
            length += len(self.pending)
        if self.begun < 0:
            self.begun = length
            self.facts = (*self.context, self.depth)
        self.parts.append(text)
        self.length = length + len(text)

    def write_preformatted(self, content: str) -> None:
        """Write text as it is; white space at its end waits for what follows."""
        content = content.replace("\u00ad", "")
        kept = content.rstrip(_WHITE)
        if kept and not (self.begun < 0 and kept.isspace()):
            if self.begun < 0 and self.pending[:1] not in ("\n", "\t"):
                self.pending = "\n"
            self.write(kept)
            self.pending = content[len(kept) :]
        elif self.begun >= 0:
            self.pending += content

    def write_alternative(self, alternative: str | None) -> tuple[int, int]:
        """Write an alternative text, parted by spaces and marked; returns its span."""
        if alternative and not self.quiet and not self.invisible:
            text = _COLLAPSE.sub(" ", alternative).strip(" ")
            if text:
                self.pending = self.pending or " "
                self.write(text)
                self.pending = " "
                span = (self.length - len(text), self.length)
                self.marks.append(Mark(*span, Kind.ALT))
                return span
        return self.length, self.length

    def end_block(self) -> None:
        """Close the block that is open, if one is; the next text starts on a new line."""
        if self.begun >= 0:
            self.blocks.append(Block(self.begun, self.length, *self.facts))
            self.begun = -1
        self.pending = "\n"

    # Elements

    def open(self, node: LexborNode, tag: str, kind: int) -> int:
        """Enter an element; returns what to undo when it closes, or -1 where it is hidden with all it holds."""
        attributes = node.attributes
        undo = 0
        landmark = ""
        if attributes and not TELLING.isdisjoint(attributes):
            kind, undo = self.told(tag, kind, attributes)
            if undo < 0:
                return _HIDDEN
            landmark = elements.ROLES.get(attributes.get("role") or "", "")
        if kind == BLOCK or landmark:
            self.contexts.append(self.context)
            undo |= _UNDO_CONTEXT
            if landmark:
                self.context = (self.context[0], landmark, *self.context[2:])
        if kind == BLOCK:
            self.end_block()
            undo |= _UNDO_BLOCK
            if tag in STRUCTURE and not (landmark and tag in elements.REGIONS):
                return self.structured(tag, attributes, undo)
            context = self.context
            self.context = (tag, context[1], context[2], context[3], context[4])
        elif kind == LINK:
            href = attributes.get("href")
            if href is not None and not self.quiet and not self.invisible:
                rel = attributes.get("rel") or ""
                if tag == "area":
                    self.links.append(
                        Link(href, self.resolve(href), *self.write_alternative(attributes.get("alt")), rel)
                    )
                else:
                    self.link_from.append((href, rel, self.length))
                    undo |= _UNDO_LINK
        elif kind == INLINE:
            if "-" in tag:
                self.pending = self.pending or " "
                undo |= _UNDO_SPACE
        elif kind == IMAGE:
            self.image(attributes)
        elif kind == SPACED:
            self.pending = self.pending or " "
            undo |= _UNDO_SPACE
            if tag == "textarea":
                self.preformatted += 1
                undo |= _UNDO_PRE
            elif tag == "input" and (attributes.get("type") or "").lower() == "image":
                self.image(attributes)
        elif kind == OPTION:
            if not _chosen(node, attributes):
                return _HIDDEN
            self.pending = self.pending or " "
            undo |= _UNDO_SPACE
        else:  # QUIET, MEDIUM
            if kind == MEDIUM:
                self.medium(tag, attributes)
            self.quiet += 1
            undo |= _UNDO_QUIET
        return undo

    def close(self, undo: int) -> None:
        """Leave an element."""
        if undo & _UNDO_LINK:
            href, rel, start = self.link_from.pop()
            self.links.append(Link(href, self.resolve(href), start, self.length, rel))
        if undo & _UNDO_ARIA:
            start = self.aria_from.pop()
            if self.length > start and not self.aria_from:
                self.marks.append(Mark(start, self.length, Kind.ARIA))
        if undo & _UNDO_BLOCK:
            self.end_block()
        elif undo & _UNDO_SPACE and not self.pending:
            self.pending = " "
        if undo & _UNDO_CONTEXT:
            self.context = self.contexts.pop()
        if undo & _UNDO_PRE:
            self.preformatted -= 1
        if undo & _UNDO_QUIET:
            self.quiet -= 1
        if undo & _UNDO_GRID:
            self.grids.pop()
        if undo & _UNDO_SEEN:
            self.invisible = not self.invisible

    def told(self, tag: str, kind: int, attributes: _Attributes) -> tuple[int, int]:
        """What attributes change: the kind of the element and what to undo, -1 where it is hidden."""
        if "hidden" in attributes or "popover" in attributes:
            return kind, _HIDDEN
        undo = 0
        style = attributes.get("style")
        if style:
            display, visibility = elements.declarations(style)
            if display == "none":
                return kind, _HIDDEN
            if visibility and (visibility in ("hidden", "collapse")) != self.invisible:
                self.invisible = not self.invisible
                undo |= _UNDO_SEEN
            if display:
                kind = _displayed(kind, display)
            for address in elements.style_addresses(style):
                self.images.append(Link(address, self.resolve(address), self.length, self.length, "css"))
        if attributes.get("role") == "img" and kind != IMAGE:
            self.write_alternative(attributes.get("aria-label"))
        if attributes.get("aria-hidden") == "true" and not self.quiet:
            self.aria_from.append(self.length)
            undo |= _UNDO_ARIA
        if kind in (BLOCK, INLINE):
            for name in LAZY_NAMES:
                lazy = attributes.get(name)
                if lazy and lazy.startswith(ADDRESS_START):
                    self.images.append(Link(lazy, self.resolve(lazy), self.length, self.length, "css"))
        return kind, undo

    def structured(self, tag: str, attributes: _Attributes, undo: int) -> int:
        """Enter a block that is a region, a list, a table or a part of one, or preformatted."""
        _, region, group, row, column = self.context
        if tag in elements.REGIONS:
            region = tag
        elif tag in elements.CONTAINERS:
            self.grids.append(_Grid(self.groups))
            group, row, column = self.groups, -1, -1
            self.groups += 1
            undo |= _UNDO_GRID
        elif tag in elements.PREFORMATTED:
            self.preformatted += 1
            undo |= _UNDO_PRE
        elif tag == "dialog":
            if "open" not in attributes:
                self.context = self.contexts.pop()
                return _HIDDEN
        elif self.grids:
            grid = self.grids[-1]
            if tag == "td" or tag == "th":
                row, column = self.cell(grid, attributes)
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
            else:  # dd
                grid.column = 1
                grid.row = max(grid.row, 0)
                row, column = grid.row, 1
        self.context = (tag, region, group, row, column)
        return undo

    def cell(self, grid: _Grid, attributes: _Attributes) -> tuple[int, int]:
        """Row and column of the table cell that opens; a tab parts it from the cell before."""
        if grid.column >= 0:
            self.pending = "\t"
        grid.column += 1
        spans = grid.spans
        if spans:
            while spans.get(grid.column, 0) > 0:
                grid.column += 1
        column = grid.column
        wide = elements.number_of(attributes.get("colspan"), 1000) if "colspan" in attributes else 1
        if "rowspan" in attributes:
            tall = elements.number_of(attributes.get("rowspan"), 65534)
            if tall > 1:
                if spans is None:
                    spans = grid.spans = {}
                for covered in range(column, column + wide):
                    spans[covered] = tall
        grid.column += wide - 1
        return max(grid.row, 0), column

    # Images and other media

    def image(self, attributes: _Attributes) -> None:
        """An image: its alternative text, and every address it may have."""
        start, end = self.write_alternative(attributes.get("alt") or attributes.get("aria-label"))
        for address in elements.media_addresses(attributes):
            self.images.append(Link(address, self.resolve(address), start, end, "img"))

    def medium(self, tag: str, attributes: _Attributes) -> None:
        """An embedded medium, or one of its sources."""
        for address in elements.media_addresses(attributes):
            self.images.append(Link(address, self.resolve(address), self.length, self.length, tag))


def _displayed(kind: int, display: str) -> int:
    """The kind of an element whose style says how it is displayed."""
    if kind not in (BLOCK, INLINE, LINK):
        return kind
    if display == "inline":
        return INLINE if kind == BLOCK else kind
    if display == "contents" or display.startswith("inline"):
        return SPACED if kind != LINK else kind
    return BLOCK if kind == INLINE else kind


def _chosen(option: LexborNode, attributes: _Attributes) -> bool:
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


# One element at a time


def is_apart(tag: str) -> bool:
    """Whether an element of this name is kept apart from the text around it."""
    return KINDS.get(tag, INLINE) in (BLOCK, SPACED, BREAK)


def is_never_text(tag: str) -> bool:
    """Whether what an element of this name holds is never text of the page."""
    return KINDS.get(tag, INLINE) in (SKIPPED, QUIET, MEDIUM)


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
            kind = KINDS.get(tag, INLINE)
            if kind in (BLOCK, BREAK):
                parts.append("\n")
            elif kind == SPACED:
                parts.append(" ")
            if kind not in (SKIPPED, QUIET, MEDIUM):
                child = node.first_child
        if child is not None:
            stack.append(node)
            node = child
            continue
        while node is not None and node.next is None:
            node = stack.pop()
            if not stack:
                node = None
            elif KINDS.get(node.tag or "", INLINE) == BLOCK:
                parts.append("\n")
        if node is not None:
            node = node.next
    lines = (_COLLAPSE.sub(" ", line).strip(" ") for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)


# Spans


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
        if end > start and not text[start:end].isspace():
            found.append(Mark(start, end, mark.kind))
    found.sort(key=lambda mark: (mark.start, -mark.end))
    return found
