"""The outline of a page: its lines, its main heading, its sections, and which lines are its own content."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from schemaproof.agents.verdict import Evidence
from schemaproof.generation.keys import level
from schemaproof.generation.lexicon import Lexicon, lexicon
from schemaproof.page.model import Kind, Link, Page

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
# Where a site says things about itself or sends the reader elsewhere.
_APART = frozenset(("nav", "aside", "footer", "form"))
_TITLE_PARTS = re.compile(r"\s+[|\-–—·»:•/]+\s+|\s*[|»•｜]\s*|:\s+")
_LONGEST_HEADING = 300


class Line(NamedTuple):
    """A line of visible text: a block, or one of its parts where the author broke it; alternative texts cut off.

    Attributes:
        number: its number in `Outline.lines`.
        start, end: half-open offsets into `Page.text`.
        text: `Page.text[start:end]`.
        tag, region, group, row, column, depth: of its block, see `schemaproof.page.model.Block`.
        block: number of its block.
    """

    number: int
    start: int
    end: int
    text: str
    tag: str
    region: str
    group: int
    row: int
    column: int
    depth: int
    block: int

    @property
    def rank(self) -> int:
        """Level of a heading, 1 to 6; 0 for other lines."""
        return HEADINGS.get(self.tag, 0)

    @property
    def evidence(self) -> Evidence:
        """The whole line as evidence."""
        return Evidence(self.start, self.end, self.text)


def _as_titled(key: str, parts: tuple[str, ...]) -> float:
    """How much a heading is what the title element, or a part of it, says; a title that breaks off counts too."""
    if not parts:
        return 0.0
    if key in parts[:2]:
        return 1.0
    if key in parts:
        return 0.4
    return 1.0 if any(len(part) > 15 and key.startswith(part) for part in parts[:2]) else 0.0


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the lines below it, up to the next heading.

    Attributes:
        heading: the heading's line, or None for what stands before the first.
        key: the heading levelled (see `schemaproof.agents.grounding.locales.level`), enumeration taken off.
        rank: level of the heading, 1 to 6.
        lines: the lines below.
    """

    heading: Line | None
    key: str
    rank: int
    lines: tuple[Line, ...]


class Outline:
    """What the extractor reads a page by; every part is worked out once, when first asked for.

    Arguments:
        page: the page.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.language = page.language
        self.lexicon: Lexicon = lexicon(page.language)

    # Lines

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every line of the page that has text of its own."""
        text = self.page.text
        alternatives = [(mark.start, mark.end) for mark in self.page.marks if mark.kind is Kind.ALT]
        found: list[Line] = []
        at = 0
        for number, block in enumerate(self.page.blocks):
            while at < len(alternatives) and alternatives[at][1] <= block.start:
                at += 1
            start = block.start
            while start < block.end:
                end = text.find("\n", start, block.end)
                if end < 0:
                    end = block.end
                first, last = start, end
                mark = at
                while mark < len(alternatives) and alternatives[mark][0] < last:
                    if alternatives[mark][0] <= first < alternatives[mark][1]:
                        first = min(alternatives[mark][1], last)
                        while first < last and text[first].isspace():
                            first += 1
                    elif alternatives[mark][1] >= last:
                        last = max(alternatives[mark][0], first)
                    mark += 1
                part = text[first:last]
                stripped = part.strip()
                if stripped:
                    first += part.find(stripped)
                    found.append(
                        Line(
                            len(found), first, first + len(stripped), stripped, block.tag, block.region,
                            block.group, block.row, block.column, block.depth, number,
                        )
                    )  # fmt: skip
                start = end + 1
        return tuple(found)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [line.start for line in self.lines]

    def line_at(self, offset: int) -> Line | None:
        """The line that holds, or else follows, this offset of the page's text."""
        at = bisect_left(self._line_starts, offset + 1) - 1
        if at >= 0 and offset < self.lines[at].end:
            return self.lines[at]
        return self.lines[at + 1] if at + 1 < len(self.lines) else None

    @cached_property
    def _block_starts(self) -> list[int]:
        return [block.start for block in self.page.blocks]

    def region_at(self, offset: int) -> str:
        """The region of the block that an offset of the page's text is in, or follows."""
        at = bisect_right(self._block_starts, offset) - 1
        return self.page.blocks[at].region if at >= 0 else ""

    # Links and images

    @cached_property
    def _links(self) -> tuple[list[int], list[Link]]:
        ordered = sorted((link for link in self.page.links), key=lambda link: (link.start, link.end))
        return [link.start for link in ordered], ordered

    def links_in(self, start: int, end: int) -> Iterator[Link]:
        """Links that begin within a span of the text, in order."""
        starts, ordered = self._links
        for at in range(bisect_left(starts, start), len(ordered)):
            if ordered[at].start >= end:
                return
            yield ordered[at]

    @cached_property
    def images(self) -> tuple[Link, ...]:
        """Embedded images that a reader is shown, in order of the page, each address once."""
        found: dict[str, Link] = {}
        for image in self.page.images:
            if image.rel in ("img", "css") and image.url and not image.url.startswith("data:"):
                known = found.get(image.url)
                if known is None or (known.start == known.end and image.end > image.start):
                    found[image.url] = image
        return tuple(sorted(found.values(), key=lambda image: image.start))

    # Title

    @cached_property
    def title_parts(self) -> tuple[str, ...]:
        """The title element, whole and in parts, levelled: a hint, never a value."""
        title = self.page.title
        parts = [level(part) for part in (title, *_TITLE_PARTS.split(title))] if title else []
        return tuple(dict.fromkeys(part for part in parts if part))

    @cached_property
    def title(self) -> Line | None:
        """The main heading: the h1 that fits the title element best, else another line that says what it says."""
        parts = self.title_parts
        words = set(parts[0].split()) if parts else set()
        best: tuple[float, int, Line] | None = None
        headings = [line for line in self.lines if line.rank and len(line.text) <= _LONGEST_HEADING]
        for line in headings:
            if line.region in ("nav", "footer", "aside") and line.rank != 1:
                continue
            key = level(line.text)
            own = key.split()
            if not own:
                continue
            both = len(words.intersection(own))
            shared = both / len(set(own))
            score = shared + both / max(1, len(words)) + _as_titled(key, parts)
            if line.rank == 1:
                score += 0.75 if line.region not in ("nav", "footer", "aside") else 0.25
            elif score < 1.6 and not (shared > 0.7 and len(own) > 2):
                continue
            if best is None or score > best[0] + 0.01:
                best = (score, -line.number, line)
        if best is not None:
            return best[2]
        for line in self.lines:
            if line.region not in _APART and len(line.text) < 160 and line.text and words:
                key = level(line.text)
                if len(key) > 5 and _as_titled(key, parts) == 1.0:
                    return line
        return None

    # The page's own content

    @cached_property
    def body(self) -> tuple[Line, ...]:
        """The lines of the page's own content, from its main heading on, in order.

        Left out: navigation, asides, footers, forms, and what stands under a heading that announces other pages.
        """
        title = self.title
        lines = self.lines
        first = title.number + 1 if title else 0
        framed = any(line.region in ("main", "article") for line in lines[first:])
        heading_region = bool(title) and title is not None and title.region == "header"
        found: list[Line] = []
        skipped_rank = 0
        for line in lines[first:]:
            region = line.region
            if region in _APART:
                continue
            if region == "header":
                if not heading_region:
                    continue
            elif region in ("main", "article"):
                heading_region = False
            elif framed and title is not None and title.region in ("main", "article"):
                continue
            rank = line.rank
            if rank:
                if skipped_rank and rank > skipped_rank:
                    continue
                skipped_rank = rank if self.announces_others(line.text) else 0
                if skipped_rank:
                    continue
            elif skipped_rank:
                continue
            elif len(line.text) < 40 and line.group < 0 and self.announces_others(line.text):
                skipped_rank = 4
                continue
            found.append(line)
        return tuple(found)

    def announces_others(self, heading: str) -> bool:
        """Whether a heading announces other pages ("You may also like")."""
        return len(heading) < 60 and "RELATED" in self.lexicon.starting(level(heading))

    @cached_property
    def before(self) -> tuple[Line, ...]:
        """The lines shortly before the main heading that belong to it (kicker, date, breadcrumb)."""
        if self.title is None:
            return ()
        index = self.title.number
        return tuple(line for line in self.lines[max(0, index - 8) : index] if line.region not in ("footer", "form"))

    @cached_property
    def own(self) -> tuple[Line, ...]:
        """Lines shortly before the heading, then the content."""
        return self.before + self.body

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The content cut at its headings; a short line of bold kind that is a known heading word cuts as well."""
        found: list[Section] = []
        heading: Line | None = None
        key, rank = "", 0
        lines: list[Line] = []
        for line in self.body:
            own_key = ""
            own_rank = line.rank
            if own_rank:
                own_key = heading_key(line.text)
            elif len(line.text) < 48 and line.tag not in ("li", "td", "th", "dt", "dd") and line.text[-1:] not in ".!":
                own_key = heading_key(line.text)
                if own_key and self.lexicon.is_heading(own_key):
                    own_rank = 5
            if own_rank:
                found.append(Section(heading, key, rank, tuple(lines)))
                heading, key, rank, lines = line, own_key, own_rank, []
            else:
                lines.append(line)
        found.append(Section(heading, key, rank, tuple(lines)))
        return tuple(found)

    def subsections(self, at: int) -> tuple[Section, ...]:
        """The sections with deeper headings that follow section number `at`."""
        own = self.sections[at]
        found = []
        for section in self.sections[at + 1 :]:
            if section.rank <= own.rank:
                break
            found.append(section)
        return tuple(found)


_ENUMERATION = re.compile(
    r"^\s*(?:(?:step|schritt|étape|etape|paso|passo|stap|шаг|krok|adım|الخطوة|第)\s*)?\d{1,2}\s*[.):：·–-]?\s+", re.I
)


def heading_key(text: str) -> str:
    """A heading levelled, its enumeration and its colon taken off."""
    return level(_ENUMERATION.sub("", text, count=1))


def without_enumeration(line: Line) -> tuple[int, int, str]:
    """Start, end and text of a line without the number it starts with."""
    match = _ENUMERATION.match(line.text)
    cut = match.end() if match and match.end() < len(line.text) else 0
    return line.start + cut, line.end, line.text[cut:]
