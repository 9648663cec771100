"""A page made ready for locating values: folded text, words, lines, and indexes built at first use.

All offsets in here count characters of the folded text; `Prepared.evidence` turns a span into one of the page.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property

from schemaproof.agents.grounding import addresses, dates, durations, numbers
from schemaproof.agents.grounding.dates import Printed
from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.grounding.lexicon import labels
from schemaproof.agents.grounding.locales import level
from schemaproof.agents.grounding.words import Words
from schemaproof.agents.verdict import Evidence
from schemaproof.page.model import Block, Kind, Link, Page

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Target:
    """A link or medium of the page.

    Attributes:
        normal: its address, normalised.
        link: as read.
        medium: true for an image, a video or another embedded medium.
    """

    normal: str
    link: Link
    medium: bool


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a span, folded.

    Attributes:
        before, after: the rest of its own line, nearest part.
        above: what labels the line as a whole: the term of a definition, the head of a row, the short line above.
        column: head of its table column.
        below: the short line below where the span is all of its own line, as on a card of figures.
        heading: the heading it stands under.
    """

    before: str
    after: str
    above: str
    column: str
    below: str
    heading: str


_RUN = re.compile(r"\d+")
_MARKED = re.compile(r"\s*(?:[*•-]|\d+[.)])\s")
_TRAIL = re.compile(r'(?<=\S) [›>/→|"] (?=\S)')
_ORDINAL = re.compile(r"(?m)(?:^|\t)\W{0,2}([0-9]+)[.):]?(?=\s)")
_CHAIN = re.compile(r"\d+(?:[\s().\-/]{1,3}\d+)*")


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a value stands: the rows (see `owner.row_of`) and the spans."""

    rows: frozenset[tuple[int, int]]
    spans: frozenset[Span]


STRAY = Standing(frozenset(), frozenset())  # somewhere without words of its own


class Prepared:
    """See the module.

    Arguments:
        page: the page.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.folded = fold(page.text)
        self.text = self.folded.text
        self.language = page.language
        self.words = Words(self.text)
        self.empty = page.needs_rendering or not self.words.words
        self._amounts: list[Span] | None = None
        self._labels: dict[str, list[Span]] = {}
        self._around: dict[int, Surroundings] = {}
        self._digits: dict[int, dict[str, Span]] = {}
        # What the judges found out once: many statements ask the same of one page.
        self.bindings: dict[tuple[object, ...], object] = {}
        self.standing: dict[tuple[str, Hashable], Standing] = {}
        self.rows: dict[str, dict[tuple[int, int], list[tuple[int, Span]]]] = {}
        self.days: dict[int, list[Span]] = {}
        self.fields: dict[str, list[Span]] = {}
        self.moments: dict[tuple[int, int, int], list[tuple[Printed, float]]] = {}

    # Lines and blocks

    @cached_property
    def marked_lines(self) -> int:
        """How many lines start as items of a list do: with a bullet or a number."""
        return sum(1 for line in self.text.split("\n") if _MARKED.match(line))

    @cached_property
    def longest_trail(self) -> int:
        """How many steps the longest trail of links has that a line holds: "Home › Shelves › Oak"."""
        return max((len(_TRAIL.findall(line)) + 1 for line in self.text.split("\n")), default=0)

    @cached_property
    def ordinals(self) -> dict[str, Span]:
        """Numbers that lines start with as items of a list do, each with its first place."""
        found: dict[str, Span] = {}
        for match in _ORDINAL.finditer(self.text):
            found.setdefault(match[1], match.span(1))
        return found

    @cached_property
    def lines(self) -> list[int]:
        """Where each line starts; cells of a table are lines too."""
        starts = [0]
        find = self.text.find
        place = find("\n")
        while place >= 0:
            starts.append(place + 1)
            place = find("\n", place + 1)
        if "\t" in self.text:
            place = find("\t")
            while place >= 0:
                starts.append(place + 1)
                place = find("\t", place + 1)
            starts.sort()
        return starts

    def line_number(self, offset: int) -> int:
        """The number of the line that an offset is in."""
        return bisect_right(self.lines, offset) - 1

    def line(self, number: int) -> Span:
        """The span of a line, without its break."""
        lines = self.lines
        end = lines[number + 1] - 1 if number + 1 < len(lines) else len(self.text)
        return lines[number], end

    @cached_property
    def _block_starts(self) -> list[int]:
        removed = self.folded.removed
        if not removed:
            return [block.start for block in self.page.blocks]
        sources = [offset + number for number, offset in enumerate(removed)]
        return [block.start - bisect_left(sources, block.start) for block in self.page.blocks]

    def block_number(self, offset: int) -> int:
        """The index of the block that an offset is in, or -1."""
        return bisect_right(self._block_starts, offset) - 1

    def block_at(self, offset: int) -> Block | None:
        """The block that an offset is in."""
        number = self.block_number(offset)
        return self.page.blocks[number] if number >= 0 else None

    def block_text(self, number: int) -> str:
        """The folded text of a block."""
        starts = self._block_starts
        end = starts[number + 1] if number + 1 < len(starts) else len(self.text)
        return self.text[starts[number] : end].strip()

    @cached_property
    def headings(self) -> list[int]:
        """Indices of the blocks that are headings."""
        return [
            number
            for number, block in enumerate(self.page.blocks)
            if (len(block.tag) == 2 and block.tag[0] == "h" and block.tag[1].isdigit()) or block.tag == "caption"
        ]

    @cached_property
    def _cells(self) -> dict[tuple[int, int, int], int]:
        """(group, row, column) → index of the first block there."""
        found: dict[tuple[int, int, int], int] = {}
        for number, block in enumerate(self.page.blocks):
            if block.group >= 0 and block.column >= 0:
                found.setdefault((block.group, block.row, block.column), number)
        return found

    @cached_property
    def list_lengths(self) -> dict[int, int]:
        """Container → how many items or rows it has."""
        found: dict[int, int] = {}
        for block in self.page.blocks:
            if block.group >= 0:
                found[block.group] = max(found.get(block.group, 0), block.row + 1)
        return found

    def surroundings(self, start: int, end: int) -> Surroundings:
        """What stands around a span (see the class)."""
        known = self._around.get(start)
        if known is not None:
            return known
        number = self.line_number(start)
        low, high = self.line(number)
        before = self.text[max(low, start - 110) : start]
        after = self.text[end : min(max(high, end), end + 70)]
        above = column = below = heading = ""
        if start - low <= 2 and high - end <= 2 and number + 1 < len(self.lines):
            a, b = self.line(number + 1)
            below = self.text[a:b].strip() if b - a <= 60 else ""
        index = self.block_number(start)
        if index >= 0:
            block = self.page.blocks[index]
            first = self._block_starts[index]
            if block.group >= 0 and block.column > 0:
                head = self._cells.get((block.group, block.row, 0))
                if head is not None and head != index:
                    above = self.block_text(head)[:90]
            if block.group >= 0 and block.row > 0 and block.tag in ("td", "th", "p", "div"):
                top = self._cells.get((block.group, 0, block.column))
                if top is not None and top != index and len(self.block_text(top)) < 60:
                    column = self.block_text(top)
            if not above and start - first < 45:
                # The line above, where it is short and not a sentence of its own.
                if low > first and number > 0:
                    a, b = self.line(number - 1)
                    above = self.text[a:b].strip()
                elif index > 0:
                    above = self.block_text(index - 1)[-90:]
                if len(above) > 60:
                    above = ""
            place = bisect_right(self.headings, index) - 1
            if place >= 0 and self.headings[place] != index and index - self.headings[place] < 40:
                heading = self.block_text(self.headings[place])[:120]
        elif number > 0 and start - low < 45:
            a, b = self.line(number - 1)
            above = self.text[a:b].strip() if b - a <= 60 else ""
        if not column and "|" in before:
            column = self._piped_head(number, low, start)
        found = self._around[start] = Surroundings(before, after, above, column, below, heading)
        return found

    def _piped_head(self, number: int, low: int, start: int) -> str:
        """The head of a column of a table drawn with bars, as plain text has them."""
        place = self.text.count("|", low, start)
        head = ""
        for above in range(number - 1, max(-1, number - 60), -1):
            a, b = self.line(above)
            cells = self.text[a:b].split("|")
            if len(cells) <= place:
                # A cell that was wrapped onto a line of its own.
                if len(cells) == 1 and above > number - 59 and cells[0].strip():
                    continue
                break
            head = cells[place].strip() if re.search(r"[^\W_]", cells[place]) else head
        return head[:60]

    # Indexes of what stands on the page

    @cached_property
    def dates(self) -> list[Printed]:
        """Every date, in order."""
        return dates.find_dates(self.text, self.language, self.words)

    @cached_property
    def dates_by_day(self) -> dict[tuple[int, int, int], list[tuple[int, Printed]]]:
        """Year, month and day as printed → the dates with their places in `dates`, in order."""
        found: dict[tuple[int, int, int], list[tuple[int, Printed]]] = {}
        for place, one in enumerate(self.dates):
            found.setdefault((one.year, one.month, one.day), []).append((place, one))
        return found

    @cached_property
    def dates_by_month(self) -> dict[tuple[int, int], list[tuple[int, Printed]]]:
        """Year and month → the dates with their places in `dates`, in order."""
        found: dict[tuple[int, int], list[tuple[int, Printed]]] = {}
        for place, one in enumerate(self.dates):
            found.setdefault((one.year, one.month), []).append((place, one))
        return found

    @cached_property
    def year_months(self) -> list[Printed]:
        """Months written in figures."""
        return dates.find_year_months(self.text)

    @cached_property
    def times(self) -> dict[int, list[Span]]:
        """Times of day by minutes."""
        return dates.find_times(self.text)

    @cached_property
    def durations(self) -> dict[float, list[Span]]:
        """Durations by seconds."""
        return durations.find_durations(self.text)

    @cached_property
    def numbers(self) -> dict[float, list[Span]]:
        """Numbers that are not part of a date or a telephone number."""
        taken = [(one.start, one.end) for one in self.dates if one.day and one.year]
        return numbers.find_numbers(self.text, self.language, taken)

    def amounts(self, told: Callable[[str, int, int], bool]) -> list[Span]:
        """Spans of the numbers that `told` says are money, given the text and the span; found once."""
        if self._amounts is None:
            spans = {span for listed in self.numbers.values() for span in listed}
            self._amounts = sorted(span for span in spans if told(self.text, *span))
        return self._amounts

    @cached_property
    def emails(self) -> dict[str, list[Span]]:
        """E-mail addresses in the text."""
        return addresses.find_emails(self.text)

    @cached_property
    def phones(self) -> list[tuple[str, int, int]]:
        """Telephone numbers in the text: digits, start, end."""
        return addresses.find_phones(self.text)

    @cached_property
    def phones_by_tail(self) -> dict[str, list[tuple[str, int, int]]]:
        """Telephone numbers in the text by their last six digits."""
        found: dict[str, list[tuple[str, int, int]]] = {}
        for each in self.phones:
            found.setdefault(each[0][-6:], []).append(each)
        return found

    def digits(self, wanted: str) -> Span | None:
        """Where these digits stand in a row first, at most three separators between two and no digit behind.

        All rows of that many digits are indexed when the first is asked for: one walk over the text for any number
        of values.
        """
        count = len(wanted)
        found = self._digits.get(count)
        if found is None:
            found = self._digits[count] = {}
            for chain in _CHAIN.finditer(self.text):
                digits, starts = "", list[int]()
                for run in _RUN.finditer(self.text, *chain.span()):
                    digits = (digits + run.group()[-count:])[-count:]
                    starts = (starts + list(range(max(run.start(), run.end() - count), run.end())))[-count:]
                    if len(digits) == count:
                        found.setdefault(digits, (starts[0], run.end()))
        return found.get(wanted)

    @cached_property
    def called(self) -> list[tuple[str, Target]]:
        """Links that call a number: its digits and the link."""
        return [
            (addresses.digits_of(link.href), Target(link.href, link, False))
            for link in self.page.links
            if link.href[:4].lower() == "tel:"
        ]

    @cached_property
    def called_by_tail(self) -> dict[str, list[tuple[str, Target]]]:
        """Links that call a number by its last six digits, zeros before it left out."""
        found: dict[str, list[tuple[str, Target]]] = {}
        for each in self.called:
            found.setdefault(each[0].lstrip("0")[-6:], []).append(each)
        return found

    @cached_property
    def written_to(self) -> dict[str, list[Target]]:
        """Links that write to an e-mail address, by the address."""
        found: dict[str, list[Target]] = {}
        for link in self.page.links:
            if link.href[:7].lower() == "mailto:":
                found.setdefault(addresses.email_of(link.href), []).append(Target(link.href, link, False))
        return found

    @cached_property
    def printed_addresses(self) -> dict[str, list[Span]]:
        """Web addresses in the text."""
        return addresses.find_addresses(self.text)

    @cached_property
    def own_addresses(self) -> list[str]:
        """The page's own addresses, normalised."""
        return [addresses.normal(each) for each in self.page.addresses]

    @cached_property
    def targets(self) -> dict[str, list[Target]]:
        """Links and media by their normalised address."""
        found: dict[str, list[Target]] = {}
        for medium, listed in ((False, self.page.links), (True, self.page.images)):
            for link in listed:
                target = addresses.normal(link.url or link.href)
                found.setdefault(target, []).append(Target(target, link, medium))
        return found

    @cached_property
    def bare_targets(self) -> dict[str, list[Target]]:
        """Links and media by their address without the query."""
        found: dict[str, list[Target]] = {}
        for normal, each in self.targets.items():
            found.setdefault(addresses.without_query(normal), []).extend(each)
        return found

    @cached_property
    def target_paths(self) -> dict[str, list[Target]]:
        """Links and media by the path of their address, whatever the host."""
        found: dict[str, list[Target]] = {}
        for normal, each in self.targets.items():
            found.setdefault(addresses.path_of(normal), []).extend(each)
        return found

    @cached_property
    def image_names(self) -> dict[str, list[Target]]:
        """Images by file name, sizes levelled."""
        found: dict[str, list[Target]] = {}
        for normal, each in self.targets.items():
            if addresses.IMAGE.search(normal) or any(one.medium for one in each):
                name = addresses.image_name(normal)
                if name:
                    found.setdefault(name, []).extend(each)
        return found

    @cached_property
    def roots(self) -> frozenset[str]:
        """The beginnings of the page's words, so that forms of one word are one."""
        return frozenset(word[:5] for word in self.words.known)

    @cached_property
    def head(self) -> str:
        """Title and meta description, as words: what readers of the page do not see."""
        return f" {level(self.page.title)} | {level(self.page.description)} "

    # Labels

    def labels_of(self, concept: str) -> list[Span]:
        """Where labels of a concept stand, as ranges of word indices in order of phrase."""
        known = self._labels.get(concept)
        if known is None:
            known = self._labels[concept] = []
            listed = labels(concept, self.language)
            for phrase in listed.phrases if listed else ():
                known.extend(self.words.find(phrase, limit=40))
        return known

    # Evidence

    def written(self, start: int, end: int) -> str:
        """The page's own spelling of a span of the folded text."""
        return self.page.text[self.folded.original(start) : self.folded.original(max(start, end - 1)) + 1]

    def evidence(self, start: int, end: int) -> Evidence:
        """The page's own text at a span of the folded text, with the kind of what it covers."""
        first = self.folded.original(start)
        last = self.folded.original(end - 1) + 1 if end > start else first
        kind = Kind.TEXT
        for mark in self.page.marks:
            if mark.start <= first and last <= mark.end:
                kind = mark.kind
                break
            if mark.start > last:
                break
        return Evidence(first, last, self.page.text[first:last], kind)

    def target_evidence(self, targets: Iterable[Target]) -> tuple[Evidence, ...]:
        """Addresses of links and media, each with the span of its text where it has one."""
        found: list[Evidence] = []
        for target in targets:
            link = target.link
            kind = Kind.IMAGE if target.medium else Kind.LINK
            if link.end > link.start:
                found.append(Evidence(link.start, link.end, self.page.text[link.start : link.end], kind))
            found.append(Evidence(-1, -1, link.href, kind))
        return tuple(dict.fromkeys(found))
