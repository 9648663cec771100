"""The page as data: what a reader sees of it, and what its author embedded for machines.

Block, Mark and Link are named tuples, not dataclasses: a page has hundreds, and they are made four times as fast.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple


class Kind(StrEnum):
    """Where a piece of evidence stands."""

    TEXT = "text"  # what a reader sees
    ALT = "alt"  # alternative text of an image; stands in Page.text too, marked
    ARIA = "aria-hidden"  # seen by readers, hidden from screen readers; stands in Page.text, marked
    TITLE = "title"  # the title element; not in Page.text
    META = "meta"  # the meta description; not in Page.text
    LINK = "link"  # target of a link
    IMAGE = "image"  # target of an image or other embedded medium
    URL = "url"  # the page's own address, canonical address included


class Block(NamedTuple):
    """A run of visible text that the layout keeps apart from its neighbours (a paragraph, a cell, an item).

    A line break (br) inside of it is a newline in its text: an address of three lines is one block.

    Attributes:
        start, end: half-open character offsets into `Page.text`.
        tag: name of the nearest block-level element ("p", "h1", "li", "dt", "dd", "td", "th", "div"...).
        region: nearest landmark: "header", "nav", "main", "article", "aside", "footer", "form" or "".
        group: number of the nearest list, definition list or table; -1 outside. Equal numbers, same container.
        row, column: position in a table, spans counted; for a list, row is the item's position; in a definition list
            row counts the terms, column is 0 for a term and 1 for its definition; -1 where it has no meaning.
        depth: number of open elements, for telling siblings from descendants.
    """

    start: int
    end: int
    tag: str
    region: str = ""
    group: int = -1
    row: int = -1
    column: int = -1
    depth: int = 0


class Mark(NamedTuple):
    """A part of `Page.text` that is not plain text: kind is ALT or ARIA. An ALT may stand inside of an ARIA."""

    start: int
    end: int
    kind: Kind


class Link(NamedTuple):
    """A link (or an embedded medium): its target as written and resolved, and the span of text it covers.

    Attributes:
        href: the target as in the HTML.
        url: the target resolved against the page's base.
        start, end: span of `Page.text` (anchor text, or the alternative text of an image); equal if none.
        rel: value of the rel attribute, or of the element for media ("img", "source", "video", "css"...); for the
            preview images that a page names in its head, the name of the meta element ("og:image").
    """

    href: str
    url: str
    start: int
    end: int
    rel: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell about the source: an error, a warning or a hint, with its place.

    Attributes:
        code: stable id, kebab-case ("trailing-comma").
        message: one sentence for people.
        block: number of the markup block it belongs to, or -1.
        line, column: counted from 1 in the file given; 0 if unknown.
    """

    code: str
    message: str
    block: int = -1
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class ScriptBlock:
    """One JSON-LD script of a page.

    Attributes:
        index: its number on the page, from 0.
        start, end: offsets of its content in `Page.html`; equal where the source cannot be aligned.
        line, column: where its content starts in the file, from 1.
        source: its content.
        values: the JSON values read from it (dicts and lists only; others are warned of and left out).
    """

    index: int
    start: int
    end: int
    line: int
    column: int
    source: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """One web page, read once and never changed. Offsets count characters of `text` unless said otherwise.

    Attributes:
        name: its URL if it has one, else its path, else "-".
        url: its address or None.
        base: what relative addresses are resolved against (the base element, else url, else "").
        html: the decoded source.
        encoding: the encoding it was decoded from.
        text: the visible text; blocks are parted by newlines, cells of one table row by tabs; alternative texts stand
            where their image does.
        blocks: runs of `text` in document order; they do not overlap.
        marks: parts of `text` that are alternative or aria-hidden text.
        title, description: of the head; evidence of their own kind, not part of `text`. The description is the meta
            element's, else og:description's.
        links, images: targets with their span of text.
        addresses: the page's own addresses: url, canonical, og:url.
        language: BCP 47 primary subtag ("en"), or "" if it cannot be told.
        language_source: "html", "detected" or "".
        scripts: the JSON-LD blocks.
        microdata: items as {"type": [...], "id": str?, "properties": {name: [value or item]}}.
        rdfa: expanded JSON-LD objects read from RDFa.
        errors, warnings, hints: notices about the embedded markup and the source.
        needs_rendering: true where the visible text is (nearly) empty and scripts would fill the page.
        metadata: "bare" is "json-ld" where the source is a JSON-LD document and no page.
    """

    name: str
    url: str | None
    base: str
    html: str
    encoding: str
    text: str
    blocks: tuple[Block, ...] = ()
    marks: tuple[Mark, ...] = ()
    title: str = ""
    description: str = ""
    links: tuple[Link, ...] = ()
    images: tuple[Link, ...] = ()
    addresses: tuple[str, ...] = ()
    language: str = ""
    language_source: str = ""
    scripts: tuple[ScriptBlock, ...] = ()
    microdata: tuple[dict[str, Any], ...] = ()
    rdfa: tuple[dict[str, Any], ...] = ()
    errors: tuple[Notice, ...] = ()
    warnings: tuple[Notice, ...] = ()
    hints: tuple[Notice, ...] = ()
    needs_rendering: bool = False
    metadata: dict[str, str] = field(default_factory=dict)

    @property
    def items(self) -> tuple[dict[str, Any], ...]:
        """The JSON-LD objects of all blocks in order, arrays at the root taken apart."""
        return items_of(self.scripts)


def items_of(scripts: tuple[ScriptBlock, ...]) -> tuple[dict[str, Any], ...]:
    """The JSON-LD objects of blocks in order, arrays at the root taken apart."""
    return tuple(
        item
        for script in scripts
        for value in script.values
        for item in (value if isinstance(value, list) else [value])
        if isinstance(item, dict)
    )
