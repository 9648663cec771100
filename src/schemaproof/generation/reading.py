"""What all writers of nodes share while one page is read: its outline, its pairs, its site, its images."""

from __future__ import annotations

import re
from functools import cached_property
from urllib.parse import urljoin, urlsplit

from schemaproof.agents.grounding.addresses import image_name, normal
from schemaproof.agents.grounding.folding import fold
from schemaproof.generation.keys import level
from schemaproof.agents.verdict import Evidence
from schemaproof.generation.contacts import CODE, linked_phone, postal_address
from schemaproof.generation.draft import address
from schemaproof.generation.labels import Pair, pairs
from schemaproof.generation.outline import Line, Outline
from schemaproof.page.model import Kind, Link, Page
from schemaproof.vocabulary import Vocabulary

_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|copyright|℗)\s*(?:copyright\s*)?(?:©\s*)?(?:\d{4}(?:\s?[-–/,]\s?\d{2,4})*)?[\s,|:·–-]*(?:by\s+)?", re.I
)
_COPYRIGHT_END = re.compile(
    r"\s*(?:[.|·•©,;]|\ball rights|\balle rechte|\btous droits|\btodos los|\btutti i|\ballrights|\ball right|\d{4}|"
    r"\bprivacy|\bterms|\bsite by|\bpowered|\s[-–—]\s|\bp\.?\s?iva|\bwebsite|\bdesigned|無断|版权|保留)",
    re.I,
)
_LOGO = re.compile(r"logo|brand(?:mark|ing)?(?:[._/-]|$)", re.I)
_ICON = re.compile(
    r"\bicon|icons?[._/-]|sprite|pixel|spacer|blank|avatar|gravatar|badge|flag|arrow|button|btn|loader|loading|placeholder|emoji|"
    r"tracking|doubleclick|googleads|1x1|captcha|payment|visa|mastercard|paypal|facebook|twitter|instagram|/ads?/|banner|widget|rating|star",
    re.I,
)
_SITE_WORDS = re.compile(r"\s*\b(?:logo|home(?:page)?|startseite|accueil|inicio)\b\s*", re.I)
_OTHER_LOGO = re.compile(
    r"(?:^|[/_. -])(?:f|fb|facebook|tw|twitter|x|in|linkedin|yt|youtube|ig|insta|instagram|g|google|pinterest|whatsapp|"
    r"visa|mastercard|paypal|partner|client|kunde|sponsor|eu|iso)[_. -]?logo|logo[_-](?:facebook|twitter|linkedin|visa|dhl)",
    re.I,
)
_PIECES = re.compile(r"\s+[-–—|:·»]\s+|\s*[|]\s*")
_HOST_LETTERS = re.compile(r"[^a-z0-9]+")


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

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Label-value pairs of the page's own content."""
        return tuple(pairs(self.outline, self.outline.own))

    @cached_property
    def outer_pairs(self) -> tuple[Pair, ...]:
        """Label-value pairs of the rest of the page: what the site says of itself."""
        own = {line.index for line in self.outline.own}
        rest = [line for line in self.outline.lines if line.index not in own and line.region not in ("nav", "form")]
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

    @cached_property
    def address(self) -> tuple[str, Evidence] | None:
        """The page's own address."""
        found = address(self.page)
        if found is None or "#" not in found[0]:
            return found
        bare = found[0].partition("#")[0]
        return bare, Evidence(-1, -1, bare, Kind.URL)

    def absolute(self, link: Link) -> str:
        """The address of a link or image, resolved against the page's own where the page was read without one."""
        url = link.url or link.href
        if url.startswith(("http://", "https://")) or self.address is None or ":" in url.split("/", 1)[0]:
            return url
        try:
            return urljoin(self.address[0], url)
        except ValueError:
            return url

    @cached_property
    def host(self) -> str:
        """The page's host without "www."."""
        if self.address is None:
            return ""
        try:
            return (urlsplit(self.address[0]).hostname or "").removeprefix("www.")
        except ValueError:
            return ""

    @cached_property
    def _host_key(self) -> str:
        labels = self.host.split(".")
        return _HOST_LETTERS.sub("", max(labels[:-1], key=len, default=""))

    # The site

    @cached_property
    def home(self) -> Link | None:
        """A visible link to the site's first page."""
        best: Link | None = None
        for link in self.page.links:
            if link.url.count("/") > 3 or "?" in link.url:
                continue
            try:
                parts = urlsplit(self.absolute(link))
            except ValueError:
                continue
            if parts.scheme in ("http", "https") and parts.path in ("", "/") and not parts.query and not parts.fragment:
                if (parts.hostname or "").removeprefix("www.") == self.host or not self.host:
                    if best is None or (best.start == best.end and link.end > link.start):
                        best = link
                    if best.end > best.start:
                        break
        return best

    @cached_property
    def site(self) -> tuple[str, Evidence] | None:
        """The site's name as it is seen on the page: in the copyright line, the logo's text or the link home."""
        candidates: list[tuple[str, Evidence, int]] = []
        text = self.page.text
        home = self.home
        if home is not None and home.end > home.start:
            self._candidate(candidates, text[home.start : home.end], home.start, 2)
        for image in self.outline.images[:12]:
            if image.end > image.start and (_LOGO.search(image.href) or _LOGO.search(text[image.start : image.end])):
                self._candidate(candidates, text[image.start : image.end], image.start, 2)
        for line in self.outline.lines[-40:]:
            match = _COPYRIGHT.search(line.text)
            if match:
                rest = line.text[match.end() :]
                end = _COPYRIGHT_END.search(rest)
                self._candidate(candidates, rest[: end.start()] if end else rest, line.start + match.end(), 2)
        parts = self.outline.title_parts
        last = parts[1:] if len(parts) > 1 else parts
        best: tuple[float, str, Evidence] | None = None
        for name, evidence, weight in candidates:
            key = level(name)
            letters = _HOST_LETTERS.sub("", fold(name).text)
            score = float(weight)
            if any(key == part for part in last):
                score += 3
            if self._host_key and len(letters) > 2 and (letters in self._host_key or self._host_key in letters):
                score += 4 if len(letters) < 2 * len(self._host_key) else 3
            score += sum(1 for other, _, _ in candidates if level(other) == key) - 1
            if best is None or score > best[0]:
                best = (score, name, evidence)
        if best is not None and best[0] >= 4:
            return best[1], best[2]
        return self._from_title()

    def _from_title(self) -> tuple[str, Evidence] | None:
        """A part of the title that the page's host spells as well, where it is visible."""
        for part in self.outline.title_parts[1:]:
            letters = _HOST_LETTERS.sub("", part)
            if len(letters) > 3 and self._host_key and (letters == self._host_key or letters in self._host_key):
                for line in self.outline.lines:
                    if len(line.text) < 60 and level(line.text) == part:
                        return line.text, line.evidence
        return None

    def _candidate(self, found: list[tuple[str, Evidence, int]], text: str, start: int, weight: int) -> None:
        match = _SITE_WORDS.sub(" ", text).strip(" .,-–|:®™©")
        pieces = _PIECES.split(match)
        if len(pieces) > 1 and self._host_key:
            # "Example - news from everywhere": the piece that the host spells too.
            letters = [_HOST_LETTERS.sub("", fold(piece).text) for piece in pieces]
            match = next(
                (
                    piece
                    for piece, own in zip(pieces, letters, strict=True)
                    if len(own) > 2 and (own in self._host_key or self._host_key in own)
                ),
                match,
            )
        if not 2 <= len(match) <= 60 or "\n" in match or match.lower().startswith(("http", "www.")):
            return
        at = text.find(match)
        if at >= 0 and any(character.isalpha() for character in match):
            kind = self._kind(start + at)
            found.append((match, Evidence(start + at, start + at + len(match), match, kind), weight))

    def _kind(self, offset: int) -> Kind:
        for mark in self.page.marks:
            if mark.start <= offset < mark.end:
                return mark.kind
        return Kind.TEXT

    @cached_property
    def logo(self) -> Link | None:
        """The site's logo: an image near the start of the page that says so, or whose text is the site's name."""
        site = self.site
        name = level(site[0]) if site is not None else ""
        home = self.home
        best: tuple[int, Link] | None = None
        for image in self.outline.images[:20]:
            file = image.href.rpartition("/")[2] or image.href
            alternative = self.page.text[image.start : image.end] if image.end > image.start else ""
            if _OTHER_LOGO.search(file) or _OTHER_LOGO.search(alternative):
                continue
            score = 2 * bool(_LOGO.search(file)) + bool(_LOGO.search(alternative)) + bool(_LOGO.search(image.href))
            key = level(alternative)
            score += 3 * bool(key and name and (key == name or f" {name} " in f" {key} "))
            score += 2 * bool(home is not None and home.start <= image.start < max(home.end, home.start + 1))
            score += bool(self._host_key and self._host_key in _HOST_LETTERS.sub("", file.lower()))
            if score >= 2 and (best is None or score > best[0]):
                best = (score, image)
        return best[1] if best is not None else None

    # Images

    @cached_property
    def pictures(self) -> tuple[Link, ...]:
        """Images of the page's own content: the likeliest main one, then others whose text speaks of the same thing."""
        body = self.outline.body
        if not body:
            return ()
        title = self.outline.title
        first = title.start if title else body[0].start
        low, last = max(0, first - 400), self._content_end
        words = set(level(title.text).split()) if title else set()
        apart = [
            (block.start, block.end) for block in self.page.blocks if block.region in ("nav", "aside", "footer", "form")
        ]
        links = {(link.start, link.end): link for link in self.page.links if link.end > link.start}
        own = self.address[0].lower() if self.address else ""
        logo = self.logo.url if self.logo else ""
        found: list[tuple[float, float, Link]] = []
        names: set[str] = set()
        places: set[tuple[int, int]] = set()
        for image in self.outline.images:
            place = (image.start, image.end)
            if not low <= image.start <= last or (place in places and image.end > image.start):
                continue
            alternative = self.page.text[image.start : image.end] if image.end > image.start else ""
            if image.url == logo or image.url.lower() == own or _ICON.search(image.href) or _ICON.search(alternative):
                continue
            key = level(alternative)
            shared = len(words & set(key.split())) / max(1, len(words))
            if shared < 0.3 and (
                _LOGO.search(image.href) or image.href.partition("?")[0].endswith(".svg") or image.rel == "css"
            ):
                continue
            if any(start <= image.start < end for start, end in apart):
                continue
            link = links.get(place)
            if link is not None and not _is_image(link.url) and shared < 0.5:
                continue  # the picture of another page
            name = image_name(normal(image.url))
            if name in names:
                continue
            names.add(name)
            places.add(place)
            score = (
                shared
                + (0.3 if image.start >= first else 0)
                + (0.2 if key else 0)
                - 0.0002 * max(0, image.start - first)
            )
            found.append((score, shared, image))
        if not found:
            return ()
        best = max(found, key=lambda each: each[0])
        if best[0] < -0.3:
            return ()
        return (best[2], *(image for _, shared, image in found if image is not best[2] and shared >= 0.5))

    @cached_property
    def _content_end(self) -> int:
        body = self.outline.body
        return body[-1].end if body else 0

    def alternative(self, image: Link) -> str:
        """The alternative text of an image, or ""."""
        return self.page.text[image.start : image.end] if image.end > image.start else ""

    @cached_property
    def has_contact(self) -> bool:
        """Whether the page's own content tells how to reach someone: a telephone number or a postal address."""
        if any(name in self.by_name for name in ("telephone", "address")):
            return True
        body = self.outline.body
        if not body:
            return False
        low, high = body[0].start, body[-1].end
        if any(low <= link.start <= high and linked_phone(link.href) for link in self.page.links):
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
            if line.rank or not is_prose(line) or (title is not None and line.text == title.text):
                continue
            if first is None and not _TRADE.search(line.text[:160]):
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
                    pair.line.index, start, pair.end, pair.value, pair.line.tag, pair.line.region, pair.line.group,
                    pair.line.row, pair.line.column, pair.line.depth, pair.line.block,
                )  # fmt: skip
        return None


_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_TRADE = re.compile(
    r"in stock|delivery|shipping|auf lager|lieferung|lieferzeit|versand|livraison|en stock|envío|spedizione|levertijd|verzend|"
    r"доставк|送料|配送|returns?\b|add to|our price|inkl\. mwst|vat\b",
    re.I,
)
_NO_PROSE = re.compile(
    r"cookie|javascript|newsletter|copyright|©|log ?in|sign ?up|subscribe|add to (?:cart|basket)|browser|privacy policy|"
    r"datenschutz|publicité|advertisement|anmelden|captcha",
    re.I,
)


def is_prose(line: Line) -> bool:
    """Whether a line is running text that a reader would take for a paragraph of the content."""
    text = line.text
    if line.tag in (
        "li",
        "td",
        "th",
        "dt",
        "dd",
        "figcaption",
        "caption",
        "button",
        "label",
        "nav",
        "footer",
        "summary",
    ):
        return False
    wide = bool(_WIDE.search(text))
    if len(text) < (24 if wide else 60):
        return False
    if text.count(" ") < 7 and not wide:
        return False
    if not re.search(r"[.!?…。！？؟]", text) and len(text) < 100:
        return False
    return not _NO_PROSE.search(text[:200])


def _is_image(url: str) -> bool:
    return bool(re.search(r"\.(?:jpe?g|png|gif|webp|avif|svg)(?:$|[?#])", url, re.I))
