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
    SKIPPED,
    SPACED,
    STRUCTURE,
    TELLING,
)
from schemaproof.page.grid import Grid
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
        self.grids: list[Grid] = []
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
            if not elements.is_chosen(node, attributes):
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
                kind = elements.displayed(kind, display)
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
            self.grids.append(Grid(self.groups))
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
            if tag in ("td", "th") and grid.column >= 0:
                self.pending = "\t"
            row, column = grid.place(tag, attributes, row, column)
        self.context = (tag, region, group, row, column)
        return undo

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
