"""Bylines: who wrote a work and when it was published and changed, as told near its main heading."""

from __future__ import annotations

import re
from itertools import pairwise

from schemaproof.agents.verdict import Evidence
from schemaproof.generation import facts
from schemaproof.generation.draft import Draft, span, target
from schemaproof.generation.entities import looks_like_name, people, person_or_organization
from schemaproof.generation.keys import level
from schemaproof.generation.outline import Line
from schemaproof.generation.prose import is_prose
from schemaproof.generation.reading import Reading
from schemaproof.page.model import Link

_BYLINE = re.compile(
    r"^\W{0,3}(?:(?:written|posted|published|created|reviewed|story|words|text|article|report(?:ed)?)\s+)?"
    r"(?:by|von|par|por|di|door|av|af|от|автор|przez|yazan|scritto da|escrito por|écrit par|geschrieben von|"
    r"ein artikel von|"
    r"文|著者|作者|筆者|執筆|بقلم|كتب|الكاتب)\s*[:：／/]?\s+(?P<name>\S.{1,70})",
    re.I,
)
_BYLINE_WIDE = re.compile(r"^\W{0,3}(?:文|著者|作者|筆者|執筆|取材)\s*[:：／/＝=]\s*(?P<name>\S.{1,30})")
_NAME_END = re.compile(
    r"\s*(?:[|·•–—,;/(\n\t]|\s-\s|\bon\b|\bam\b|\ble\b|\bel\b|\bil\b|\bop\b|\bin\b|\bem\b|\bupdated\b|"
    r"\bpublished\b|\d|\bfor\b|"
    r"\blast\b|\bfollow\b|@)",
    re.I,
)
_AUTHOR_LINK = re.compile(
    r"/(?:authors?|autor(?:en|es|i)?|auteurs?|people|person|profile|contributors?|writers?|redakt\w+|staff|by|"
    r"columnist\w*)/",
    re.I,
)
_NEAR = 14


def near_title(reading: Reading) -> list[Line]:
    """Short lines around the main heading, where bylines and dates stand: those after it first.

    After it they may go on until the running text has begun.
    """
    after: list[Line] = []
    paragraphs = 0
    for at, line in enumerate(reading.outline.body[:45]):
        if len(line.text) <= 220:
            after.append(line)
        if at >= _NEAR and is_prose(line):
            break
        if is_prose(line) and len(line.text) > 150:
            paragraphs += 1
            if paragraphs == 3:
                break
    before = [line for line in reading.outline.before[-5:] if len(line.text) <= 160 and not line.rank]
    return after + before


def authorship(reading: Reading, draft: Draft) -> None:
    """Write the author from the byline near the main heading."""
    if "author" in draft or not draft.allows("author") or draft.is_a("WebSite"):
        return
    for pair in reading.pairs:
        if pair.names[:1] == ("author",) and pair.strong and people(reading, draft, "author", pair.value, pair.start):
            return
    lines = near_title(reading)
    for line in lines:
        match = _BYLINE.match(line.text) or _BYLINE_WIDE.match(line.text)
        if match is None:
            continue
        start = match.start("name")
        name = match["name"]
        end = _NAME_END.search(name)
        link = next(reading.outline.links_in(line.start + start, line.start + start + 2), None)
        if link is not None and 2 <= link.end - link.start <= 60:
            name = reading.page.text[link.start : link.end].strip()
        elif end is not None:
            name = name[: end.start()]
        name = name.strip(" .")
        if name and looks_like_name(name) and name.count(" ") < 5 and _author(reading, draft, line.start + start, name):
            return
    for line in lines:
        for link in reading.outline.links_in(line.start, line.end):
            name = reading.page.text[link.start : link.end].strip()
            by_link = "author" in link.rel.split() or _AUTHOR_LINK.search(link.url)
            if by_link and looks_like_name(name) and " " in name and _author(reading, draft, link.start, name):
                return
    if draft.is_a("Article", "SocialMediaPosting", "Recipe", "HowTo"):
        _above_date(reading, draft, lines)


def _above_date(reading: Reading, draft: Draft, lines: list[Line]) -> None:
    """A line that is nothing but a person's name, right above a date of publication, is a byline."""
    for line, following in pairwise(lines):
        if (
            following.number != line.number + 1
            or line.rank
            or not 1 <= line.text.count(" ") <= 3
            or len(line.text) > 40
        ):
            continue
        found = facts.dates(following.text, reading.language)
        words = line.text.split()
        named = all(word[0].isupper() and word[1:2].islower() for word in words if len(word) > 2)
        if found and _only_date(following, found[0]) and named and looks_like_name(line.text):
            _author(reading, draft, line.start, line.text)
            return


def _author(reading: Reading, draft: Draft, start: int, name: str) -> bool:
    start = reading.page.text.find(name, start)
    if start < 0:
        return False
    node = draft.new(person_or_organization(name))
    node.add("name", name, span(reading.page, start, start + len(name)))
    link = link_of(reading, start, start + len(name))
    if link is not None:
        node.add("url", reading.absolute(link), target(link))
    return draft.add("author", node)


def label_before(reading: Reading, text: str, end: int) -> tuple[str, ...]:
    """What the words right before an offset of a line name."""
    words = level(text[max(0, end - 40) : end]).split()
    for count in range(min(4, len(words)), 0, -1):
        names = reading.outline.lexicon.names(" ".join(words[-count:]))
        if names:
            return names
    return ()


def publication(reading: Reading, draft: Draft) -> None:
    """Write the dates of publication and change that stand near the main heading."""
    if draft.is_a(
        "WebSite", "Movie", "Book", "MusicRecording", "MusicAlbum", "TVSeries", "TVSeason", "Course", "Quotation"
    ):
        return
    published = (
        draft.first_allowed(("uploadDate",)) if draft.is_a("VideoObject") else draft.first_allowed(("datePublished",))
    )
    bare: tuple[str, Evidence] | None = None
    for line in near_title(reading):
        if line.rank and line is not reading.outline.title:
            continue
        for fact in facts.dates(line.text, reading.language):
            if len(str(fact.value)) < 10:
                continue
            names = label_before(reading, line.text, fact.start)
            evidence = span(reading.page, line.start + fact.start, line.start + fact.end)
            if "dateModified" in names:
                if "dateModified" not in draft:
                    draft.add("dateModified", fact.value, evidence)
            elif names and "datePublished" in names and published and published not in draft:
                draft.add(published, fact.value, evidence)
            elif (bare is None and _only_date(line, fact) and not names) or (bare is None and "author" in names):
                bare = str(fact.value), evidence
    if (
        bare is not None
        and published
        and published not in draft
        and draft.is_a("Article", "SocialMediaPosting", "Recipe", "HowTo", "VideoObject", "Review")
    ):
        modified = draft.literal("dateModified")
        if modified is None or str(modified)[:10] >= bare[0][:10]:
            draft.add(published, *bare)


def _only_date(line: Line, fact: facts.Fact) -> bool:
    """Whether a line is a date, or a date among the few words of a byline."""
    return len(line.text) - (fact.end - fact.start) <= 60


def of_byline(reading: Reading, line: Line) -> bool:
    """Whether a short line is a byline or a date of publication, after which the text begins."""
    if len(line.text) > 120:
        return False
    return bool(_BYLINE.match(line.text)) or any(
        _only_date(line, fact) for fact in facts.dates(line.text, reading.language)
    )


def link_of(reading: Reading, start: int, end: int) -> Link | None:
    """The first web link in a span."""
    return next(
        (
            link
            for link in reading.outline.links_in(start, end)
            if link.href[:1] != "#" and reading.absolute(link).startswith(("http://", "https://"))
        ),
        None,
    )
