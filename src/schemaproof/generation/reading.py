"""What all writers of nodes share while one page is read: its outline, its pairs, its site, its pictures, its lead."""

from __future__ import annotations

from functools import cached_property

from schemaproof.agents.verdict import Evidence
from schemaproof.generation.contacts import CODE, linked_phone, postal_address
from schemaproof.generation.keys import level
from schemaproof.generation.labels import Pair, pairs
from schemaproof.generation.outline import Line, Outline
from schemaproof.generation.pictures import pictures
from schemaproof.generation.prose import TRADE, is_prose
from schemaproof.generation.site import Site
from schemaproof.page.model import Link, Page
from schemaproof.vocabulary import Vocabulary


class Reading:
    """One page while markup for it is written; parts are worked out when first asked for.

    Arguments:
        page: the page.
        vocabulary: what may be written.
    """

    def __init__(self, page: Page, vocabulary: Vocabulary) -> None:
        self.page = page
        self.vocabulary = vocabulary
        self.language = page.language
        self.outline = Outline(page)
        self._site = Site(self.outline)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Label-value pairs of the page's own content; lists before the heading are menus."""
        before = [line for line in self.outline.before if line.tag != "li" and line.region != "nav"]
        return tuple(pairs(self.outline, (*before, *self.outline.body)))

    @cached_property
    def outer_pairs(self) -> tuple[Pair, ...]:
        """Label-value pairs of the rest of the page: what the site says of itself."""
        own = {line.number for line in self.outline.own}
        rest = [line for line in self.outline.lines if line.number not in own and line.region not in ("nav", "form")]
        return tuple(pairs(self.outline, rest))

    @cached_property
    def by_name(self) -> dict[str, list[Pair]]:
        """The pairs by the first thing that their label names, and by every other."""
        found: dict[str, list[Pair]] = {}
        for pair in self.pairs:
            for name in pair.names:
                found.setdefault(name, []).append(pair)
        return found

    def labelled(self, name: str) -> list[Pair]:
        """Pairs whose label names this, likeliest or not."""
        return self.by_name.get(name, [])

    # The site

    @property
    def address(self) -> tuple[str, Evidence] | None:
        """The page's own address."""
        return self._site.address

    @property
    def home(self) -> Link | None:
        """A visible link to the site's first page."""
        return self._site.home

    @property
    def site(self) -> tuple[str, Evidence] | None:
        """The site's name as it is seen on the page."""
        return self._site.name

    @property
    def logo(self) -> Link | None:
        """The site's logo."""
        return self._site.logo

    @property
    def rights(self) -> tuple[tuple[str, Evidence] | None, tuple[str, Evidence] | None]:
        """Year and holder of the copyright line."""
        return self._site.rights

    def absolute(self, link: Link) -> str:
        """The address of a link or image, see `Site.absolute`."""
        return self._site.absolute(link)

    # Images

    @cached_property
    def pictures(self) -> tuple[Link, ...]:
        """Images of the page's own content, see `schemaproof.generation.pictures.pictures`."""
        return pictures(self.outline, self._site)

    def alternative(self, image: Link) -> str:
        """The alternative text of an image, or ""."""
        return self.page.text[image.start : image.end] if image.end > image.start else ""

    @cached_property
    def has_contact(self) -> bool:
        """Whether the page's own content tells how to reach someone: a telephone number or a postal address."""
        # What a site says of itself at its foot stands last on pages without landmarks.
        body = [line for at, line in enumerate(self.outline.body) if at < 60 or line.region in ("main", "article")]
        if not body:
            return False
        if not any(line.region in ("main", "article") for line in body):
            body = body[: max(12, len(body) * 2 // 3)]
        low, high = body[0].start, body[-1].end
        if any(low <= link.start <= high and linked_phone(link.href) for link in self.page.links):
            return True
        if any(low <= pair.start <= high for name in ("telephone", "address") for pair in self.labelled(name)):
            return True
        return any(
            postal_address(line.text, self.language) is not None
            for line in body
            if len(line.text) < 240 and CODE.search(line.text)
        )

    # Prose

    @cached_property
    def lead(self) -> Line | None:
        """The paragraph that introduces the content: what the meta description says too, else the first one."""
        title = self.outline.title
        meta = set(level(self.page.description).split())
        said = self._described
        if said is not None and not meta:
            return said
        first: Line | None = None
        best: tuple[float, Line] | None = None
        low = title.end if title is not None else 0
        for line in self.outline.body[:60]:
            if line.start - low > 2500:
                break
            if (
                line.rank
                or line.text[0] in '“«„"'
                or not is_prose(line)
                or (title is not None and line.text == title.text)
            ):
                continue
            if first is None and not TRADE.search(line.text[:160]):
                first = line
                if len(meta) < 5:
                    break
            words = set(level(line.text[:400]).split())
            shared = len(words & meta) / max(1, min(len(words), len(meta)))
            if best is None or shared > best[0] + 0.05:
                best = (shared, line)
        if best is not None and best[0] >= 0.6:
            return best[1]
        return said or first

    @cached_property
    def _described(self) -> Line | None:
        """The first paragraph below a heading, or the value of a label, that says "description"."""
        for section in self.outline.sections:
            if section.heading is not None and "description" in self.outline.lexicon.names(section.key):
                for line in section.lines[:6]:
                    if is_prose(line):
                        return line
        for pair in self.labelled("description"):
            if len(pair.value) >= 60 and pair.line.start <= pair.start and pair.end == pair.line.end:
                start = pair.start
                return Line(
                    pair.line.number, start, pair.end, pair.value, pair.line.tag, pair.line.region, pair.line.group,
                    pair.line.row, pair.line.column, pair.line.depth, pair.line.block,
                )  # fmt: skip
        return None
