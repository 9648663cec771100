"""The site that a page belongs to, as it is seen on the page: its name, its first page, its logo."""

from __future__ import annotations

import re
from functools import cached_property
from urllib.parse import urljoin, urlsplit

from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.verdict import Evidence
from schemaproof.generation.draft import address
from schemaproof.generation.keys import level
from schemaproof.generation.outline import Outline
from schemaproof.page.model import Kind, Link

_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|copyright|℗)\s*(?:copyright\s*)?(?:©\s*)?(?:\d{4}(?:\s?[-–/,]\s?\d{2,4})*)?[\s,|:·–-]*(?:by\s+)?", re.I
)
_COPYRIGHT_END = re.compile(
    r"(?<=\w{5})\.(?:\s|$)|\s*(?:[|·•©,;]|\ball rights|\balle rechte|\btous droits|\btodos los|"
    r"\btutti i|\ballrights|\ball right|\d{4}|"
    r"\bprivacy|\bterms|\bsite by|\bpowered|\s[-–—]\s|\bp\.?\s?iva|\bwebsite|\bdesigned|無断|版权|保留)",
    re.I,
)
_SITE_WORDS = re.compile(r"\s*\b(?:logo|home(?:page)?|startseite|accueil|inicio)\b\s*", re.I)
_OTHER_LOGO = re.compile(
    r"(?:^|[/_. -])(?:f|fb|facebook|tw|twitter|x|in|linkedin|yt|youtube|ig|insta|instagram|g|google|pinterest|whatsapp|"
    r"visa|mastercard|paypal|partner|client|kunde|sponsor|eu|iso)[_. -]?logo|logo[_-](?:facebook|twitter|"
    r"linkedin|visa|dhl)",
    re.I,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_PIECES = re.compile(r"\s+[-–—|:·»]\s+|\s*[|]\s*")
_HOST_LETTERS = re.compile(r"[^a-z0-9]+")
LOGO = re.compile(r"logo|brand(?:mark|ing)?(?:[._/-]|$)", re.I)


class Site:
    """The site of a page; parts are worked out when first asked for.

    Arguments:
        outline: of the page.
    """

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.page = outline.page

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
            first = (
                parts.scheme in ("http", "https") and parts.path in ("", "/") and not (parts.query or parts.fragment)
            )
            own = not self.host or (parts.hostname or "").removeprefix("www.") == self.host
            if first and own and (best is None or (best.start == best.end and link.end > link.start)):
                best = link
                if best.end > best.start:
                    break
        return best

    @cached_property
    def name(self) -> tuple[str, Evidence] | None:
        """The site's name as it is seen on the page: in the copyright line, the logo's text or the link home."""
        candidates: list[tuple[str, Evidence, int]] = []
        text = self.page.text
        home = self.home
        if home is not None and home.end > home.start:
            self._candidate(candidates, text[home.start : home.end], home.start, 2)
        for image in self.outline.images[:12]:
            if image.end > image.start and (LOGO.search(image.href) or LOGO.search(text[image.start : image.end])):
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

    @cached_property
    def rights(self) -> tuple[tuple[str, Evidence] | None, tuple[str, Evidence] | None]:
        """Year and holder of the copyright line; the year only where one alone is named."""
        for line in reversed(self.outline.lines[-60:]):
            match = _COPYRIGHT.search(line.text) if len(line.text) <= 300 else None
            if match is None:
                continue
            years = list(_YEAR.finditer(match.group()))
            year: tuple[str, Evidence] | None = None
            if len(years) == 1 and len(_YEAR.findall(line.text)) == 1:
                start = line.start + match.start() + years[0].start()
                year = years[0].group(), Evidence(start, start + 4, years[0].group())
            rest = line.text[match.end() :]
            end = _COPYRIGHT_END.search(rest)
            name = (rest[: end.start()] if end else rest).strip(" .,-–|:®™©")
            holder: tuple[str, Evidence] | None = None
            if 2 <= len(name) <= 60 and name[0].isalnum() and not name[0].islower() and not name[0].isdigit():
                start = line.start + match.end() + rest.find(name)
                holder = name, Evidence(start, start + len(name), name)
            if year is not None or holder is not None:
                return year, holder
        return None, None

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
        name = level(self.name[0]) if self.name is not None else ""
        home = self.home
        best: tuple[int, Link] | None = None
        for image in self.outline.images[:20]:
            file = image.href.rpartition("/")[2] or image.href
            alternative = self.page.text[image.start : image.end] if image.end > image.start else ""
            if _OTHER_LOGO.search(file) or _OTHER_LOGO.search(alternative):
                continue
            score = 2 * bool(LOGO.search(file)) + bool(LOGO.search(alternative)) + bool(LOGO.search(image.href))
            key = level(alternative)
            score += 3 * bool(key and name and (key == name or f" {name} " in f" {key} "))
            score += 2 * bool(home is not None and home.start <= image.start < home.end)
            score += bool(self._host_key and self._host_key in _HOST_LETTERS.sub("", file.lower()))
            if score >= 2 and (best is None or score > best[0]):
                best = (score, image)
        return best[1] if best is not None else None
