"""Reviews and comments: what readers say on a page, each with its author, date and rating as far as they are shown."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from schemaproof.agents.verdict import Evidence
from schemaproof.generation import facts
from schemaproof.generation.draft import Draft, span
from schemaproof.generation.entities import looks_like_name
from schemaproof.generation.outline import Line, Section
from schemaproof.generation.reading import Reading

_MOST = 25
_JUNK = re.compile(r"^[\s\-–—|·•,:()]+|[\s\-–—|·•,:()]+$")
_SAYS = re.compile(
    r"^(?:by|von|par|por|di|door|from|reviewed by|posted by|comment by|says|said|on|am|le|el|il|op|в|от)\s+|"
    r"\s+(?:says|said|sagt|schreibt|dit|a dit|dice|zegt|wrote|schrieb|пишет|says on|on|am|le|el|il|op|um|at|à|"
    r"in [\w ,.]+)\s*:?$",
    re.I,
)
_DAYS = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b,?|\b\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?|uhr)?", re.I
)


@dataclass(frozen=True, slots=True)
class Voice:
    """What one reader said.

    Attributes:
        author: name and its evidence, or None.
        date: ISO 8601 and its evidence, or None.
        rating: the rating and the offset its spans count from, or None.
        text: the line that holds the text.
    """

    author: tuple[str, Evidence] | None
    date: tuple[str, Evidence] | None
    rating: tuple[facts.RatingFact, int] | None
    text: Line


def voices(reading: Reading, meaning: str) -> list[Voice]:
    """What readers said below the heading of this meaning ("REVIEWS", "COMMENTS").

    Two layouts are read: a heading for each voice (its author), and signatures of author and date before or after
    each text.
    """
    outline = reading.outline
    for at, section in enumerate(outline.sections):
        if section.heading is None or len(section.key) > 80:
            continue
        if meaning not in outline.lexicon.starting(section.key) and meaning not in outline.lexicon.names(
            _last_word(section.key)
        ):
            continue
        parts = outline.subsections(at)
        found = [voice for part in parts if (voice := _headed(reading, part)) is not None]
        if not found:
            lines = list(section.lines)
            for part in parts:
                lines.extend(part.lines)
            found = _signed(reading, lines)
        if found:
            return found[:_MOST]
    return []


def _last_word(key: str) -> str:
    return key.rpartition(" ")[2]


def _headed(reading: Reading, section: Section) -> Voice | None:
    heading = section.heading
    if heading is None or not section.lines or len(section.lines) > 14:
        return None
    name = _JUNK.sub("", heading.text)
    if not looks_like_name(name) or name.count(" ") > 3:
        return None
    start = heading.start + heading.text.find(name)
    author = name, span(reading.page, start, start + len(name))
    date: tuple[str, Evidence] | None = None
    rating: tuple[facts.RatingFact, int] | None = None
    text: Line | None = None
    for line in section.lines:
        if len(line.text) < 80:
            if rating is None and (found := facts.rating_in(line.text, stars=True)) is not None:
                rating = found, line.start
            if date is None and (dated := _date(reading, line)) is not None:
                date = dated[0], dated[1]
                continue
            if rating is not None and rating[1] == line.start:
                continue
        if len(line.text) > 20 and (text is None or len(line.text) > len(text.text)):
            text = line
    if text is None or (date is None and rating is None):
        return None
    return Voice(author, date, rating, text)


def _date(reading: Reading, line: Line) -> tuple[str, Evidence, int, int] | None:
    for fact in facts.dates(line.text, reading.language):
        if len(str(fact.value)) >= 10:
            return (
                str(fact.value),
                span(reading.page, line.start + fact.start, line.start + fact.end),
                fact.start,
                fact.end,
            )
    return None


@dataclass(frozen=True, slots=True)
class _Signature:
    number: int  # of the line in the section
    author: tuple[str, Evidence]
    date: tuple[str, Evidence]


def _signed(reading: Reading, lines: list[Line]) -> list[Voice]:
    """Voices told apart by their signatures: author and date in one line, or in two that follow one another."""
    signatures: list[_Signature] = []
    for at, line in enumerate(lines):
        if len(line.text) > 110:
            continue
        dated = _date(reading, line)
        if dated is None:
            continue
        value, evidence, start, end = dated
        head, tail = _bare(line.text[:start]), _bare(line.text[end:])
        author = _name(reading, line, head) if head and not tail else _name(reading, line, tail) if not head else None
        alone = len(_JUNK.sub("", _DAYS.sub(" ", line.text[:start] + line.text[end:]))) < 3
        if (
            author is None
            and alone
            and at
            and len(lines[at - 1].text) <= 50
            and lines[at - 1].number == line.number - 1
        ):
            author = _name(reading, lines[at - 1], lines[at - 1].text)
        if author is not None:
            signatures.append(_Signature(at, author, (value, evidence)))
    if not signatures:
        return []
    # Buttons and hints repeat from voice to voice, what readers say does not.
    repeated = Counter(line.text for line in lines)
    said = [line if len(line.text) > 20 and repeated[line.text] == 1 else None for line in lines]
    first, last = signatures[0].number, signatures[-1].number
    before = _longest(said[max(0, first - 25) : first]) > _longest(said[last + 1 : last + 15])
    found = []
    for number, signature in enumerate(signatures):
        if before:
            low = signatures[number - 1].number + 1 if number else max(0, signature.number - 25)
            high = signature.number
        else:
            low = signature.number + 1
            high = signatures[number + 1].number if number + 1 < len(signatures) else min(len(lines), low + 15)
        part = [line for line in said[low:high] if line is not None]
        if not part:
            continue
        text = max(part, key=lambda line: len(line.text))
        rating = next(
            (
                (rated, line.start)
                for line in lines[low : signature.number + 1 if before else high]
                if len(line.text) < 60 and (rated := facts.rating_in(line.text, stars=True)) is not None
            ),
            None,
        )
        found.append(Voice(signature.author, signature.date, rating, text))
    return found


def _bare(text: str) -> str:
    """A part of a signature without the words and marks around a name."""
    bare = _DAYS.sub(" ", text)
    for _ in range(3):
        bare = _JUNK.sub("", _SAYS.sub("", _JUNK.sub("", bare)))
    return bare


def _longest(lines: list[Line | None]) -> int:
    return max((len(line.text) for line in lines if line is not None), default=0)


def _name(reading: Reading, line: Line, text: str) -> tuple[str, Evidence] | None:
    """The name that is left of a part of a signature when the words around it are taken off."""
    bare = _bare(text)
    if (
        not 2 <= len(bare) <= 40
        or bare.count(" ") > 3
        or not looks_like_name(bare.rstrip(".").title())
        or any(c.isdigit() for c in bare)
    ):
        return None
    at = line.text.find(bare)
    if at < 0:
        return None
    return bare, span(reading.page, line.start + at, line.start + at + len(bare))


def write_reviews(reading: Reading, draft: Draft) -> None:
    """Write the reviews of the page's thing."""
    if not draft.allows("review") or draft.is_a("WebPage", "WebSite", "Article"):
        return
    for voice in voices(reading, "REVIEWS"):
        node = draft.new("Review")
        _write(reading, node, voice, "reviewBody")
        if voice.rating is not None:
            rating, base = voice.rating
            inner = draft.new("Rating")
            inner.add(
                "ratingValue",
                rating.value.value,
                span(reading.page, base + rating.value.start, base + rating.value.end),
            )
            if rating.best is not None:
                inner.add(
                    "bestRating",
                    rating.best.value,
                    span(reading.page, base + rating.best.start, base + rating.best.end),
                )
            node.add("reviewRating", inner)
        draft.add("review", node)


def write_comments(reading: Reading, draft: Draft) -> None:
    """Write the comments below an article."""
    if not draft.allows("comment") or not draft.is_a("Article", "SocialMediaPosting", "Recipe", "VideoObject"):
        return
    for voice in voices(reading, "COMMENTS"):
        node = draft.new("Comment")
        _write(reading, node, voice, "text")
        draft.add("comment", node)


def _write(reading: Reading, node: Draft, voice: Voice, name: str) -> None:
    if voice.author is not None:
        node.add("author", node.named("Person", *voice.author))
    if voice.date is not None:
        node.add("datePublished", *voice.date)
    node.add(name, voice.text.text, voice.text.evidence)
