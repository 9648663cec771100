"""A page in Markdown as what can be looked up in it: titles, labelled values, tables, lists, links."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from schemaproof.extraction.writings import normalised

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(.*\S)\s*$")
_ROW = re.compile(r"\s*\|(.*)\|\s*$")
_RULE = re.compile(r"[\s|:-]+$")
_LABELLED = re.compile(r"([^:：|]{1,60}?)\s*[:：]\s*(\S.*)$")
_LINK = re.compile(r"(!?)\[([^\[\]\n]{0,300})\]\(\s*<?([^)\s>]+)>?[^)]*\)")
_EMPHASIS = re.compile(r"(\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w))")
_CELL = re.compile(r"(?<!\\)\|")
# A page of one endless list must not cost more than what anyone looks at.
_LINES = 20_000


@dataclass(frozen=True, slots=True)
class Link:
    """A link or an image: text, address, and whether it is an image."""

    text: str
    url: str
    image: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of a list: its plain text and the links in it."""

    text: str
    links: tuple[Link, ...]


@dataclass(slots=True)
class Listing:
    """A list: the heading or label above it, and its items."""

    title: str
    entries: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class Table:
    """A table: the heading above it, its head, and its rows of plain text."""

    title: str
    head: list[str]
    rows: list[list[str]] = field(default_factory=list)


@dataclass(slots=True)
class Outline:
    """What a page holds.

    Attributes:
        titles: texts of headings with their level, in order.
        labels: (label, value) pairs in order: "Label: value", cells of two-column tables, a heading and the line
            below it.
        paragraphs: other text.
        listings, tables, links: in order.
    """

    titles: list[tuple[int, str]] = field(default_factory=list)
    labels: list[tuple[str, str]] = field(default_factory=list)
    paragraphs: list[str] = field(default_factory=list)
    listings: list[Listing] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)


def plain(text: str) -> str:
    """Markdown of one line as its text."""
    text = _LINK.sub(lambda match: match[2], text)
    return " ".join(_EMPHASIS.sub("", text).replace("\\|", "|").split())


def outline(content: str) -> Outline:
    """Read a page in Markdown; never raises, time linear in its length."""
    page = Outline()
    title, above = "", ""
    listing: Listing | None = None
    table: Table | None = None
    pending = ""
    for line in content.splitlines()[:_LINES]:
        stripped = line.strip()
        if not stripped:
            listing = table = None
            continue
        links = tuple(Link(plain(m[2]), m[3], bool(m[1])) for m in _LINK.finditer(line))
        page.links += links
        if (heading := _HEADING.match(stripped)) is not None:
            title = above = pending = plain(heading[2])
            page.titles.append((len(heading[1]), title))
            listing = table = None
        elif (row := _ROW.match(line)) is not None:
            table = _table_row(page, table, [plain(cell) for cell in _CELL.split(row[1])], title)
        elif (bullet := _BULLET.match(line)) is not None:
            if listing is None:
                listing = Listing(above or title)
                page.listings.append(listing)
            text = plain(bullet[1])
            listing.entries.append(Entry(text, links))
            _labelled(page, text)
        else:
            text = plain(line)
            if not _labelled(page, text):
                page.paragraphs.append(text)
                if pending and len(text) < 120:
                    page.labels.append((pending, text))
            pending = ""
            above = text.rstrip(":：") if len(text) <= 60 and text.endswith((":", "：")) else title
    return page


def _table_row(page: Outline, table: Table | None, cells: list[str], title: str) -> Table | None:
    if all(not cell or _RULE.match(cell) for cell in cells):
        return table
    if table is None:
        table = Table(title, cells)
        page.tables.append(table)
    else:
        table.rows.append(cells)
    if len(cells) == 2 and cells[0] and cells[1]:
        page.labels.append((cells[0], cells[1]))
    return table


def _labelled(page: Outline, text: str) -> bool:
    """Take "Label: value" up, several in a line apart where bars or dots part them."""
    found = False
    for part in re.split(r"\s+[|·•]\s+", text):
        match = _LABELLED.match(part)
        if match is not None and not match[2].startswith("//"):
            page.labels.append((match[1].strip(), match[2].strip()))
            found = True
    return found


def words(text: str) -> list[str]:
    """The words of a name or label: `reviewCount`, `review_count` and "Review count:" are the same two."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return re.findall(r"\w+", normalised(parted).replace("_", " "))
