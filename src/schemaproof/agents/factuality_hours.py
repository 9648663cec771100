"""Days of the week and opening hours."""

from __future__ import annotations

import itertools
import re

from schemaproof.agents.factuality_texts import judge_text
from schemaproof.agents.grounding.binding import bind
from schemaproof.agents.grounding.claim import Claim
from schemaproof.agents.grounding.locales import tables
from schemaproof.agents.grounding.outcome import Outcome, Span
from schemaproof.agents.grounding.phrases import find
from schemaproof.agents.grounding.prepared import Prepared
from schemaproof.agents.grounding.shapes import bare_member
from schemaproof.agents.grounding.words import words_of

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT_DAYS = {"mo": 0, "tu": 1, "we": 2, "th": 3, "fr": 4, "sa": 5, "su": 6}
_DAY_RANGE = re.compile(r"^[^\w\n]{0,3}(?:-|to|bis|au|a|al|tot|до|through|thru|~|から)?[^\w\n]{0,3}$")


def judge_day(claim: Claim, prepared: Prepared) -> Outcome:
    """A day of the week, named or within a range of days."""
    name = bare_member(claim.text).lower()
    name = name.rpartition("/")[2]
    number = next(
        (index for index, day in enumerate(_DAYS) if day == name or (len(name) >= 2 and day.startswith(name))), None
    )
    if number is None:
        return judge_text(claim, prepared)
    spans = _day_spans(prepared, number)
    if spans:
        return Outcome(0.8, "day-in-text", f"the page says {prepared.text[slice(*spans[0])]!r}", spans=tuple(spans[:3]))
    return Outcome(0.08, "day-not-in-text", f"the page names no {_DAYS[number].capitalize()}")


def _named_days(prepared: Prepared) -> list[tuple[int, int, int]]:
    """Days named on the page in order: number, start, end."""
    names: dict[str, int] = {}
    for language in dict.fromkeys(("en", prepared.language or "en")):
        names.update(tables(language).days)
    if prepared.language in ("", "en"):
        names.update({"mo": 0, "tu": 1, "tue": 1, "tues": 1, "thu": 3, "thur": 3, "thurs": 3, "su": 6})
    found: list[tuple[int, int, int]] = []
    for name, number in names.items():
        if len(name) < 2 and not name > "\u3000":
            continue
        if name > "\u3000":
            start = prepared.text.find(name)
            while start >= 0 and len(found) < 200:
                found.append((number, start, start + len(name)))
                start = prepared.text.find(name, start + 1)
        else:
            found += [(number, *span) for span in find(prepared, " ".join(words_of(name)), 20)]
            found += [(number, *span) for span in find(prepared, " ".join(words_of(name)) + "s", 5)]
    found.sort(key=lambda one: one[1])
    return found


def _day_spans(prepared: Prepared, number: int) -> list[Span]:
    known = prepared.days.get(number)
    if known is None:
        known = prepared.days[number] = _find_day(prepared, number)
    return known


def _find_day(prepared: Prepared, number: int) -> list[Span]:
    days = _named_days(prepared)
    exact = [(start, end) for day, start, end in days if day == number]
    if exact:
        return exact
    for (first, start, end), (last, begin, stop) in itertools.pairwise(days):
        if 0 < begin - end <= 12 and _DAY_RANGE.match(prepared.text[end:begin]) and "," not in prepared.text[end:begin]:
            covered = range(first, last + 1) if first <= last else (*range(first, 7), *range(last + 1))
            if number in covered:
                return [(start, stop)]
    for phrase in _EVERY_DAY:
        for start, end in find(prepared, phrase, 8):
            # "Daily 9-17", not "a daily commuter".
            if re.search(r"\d", prepared.text[max(0, start - 25) : end + 25]):
                return [(start, end)]
    return []


_EVERY_DAY = (
    "daily", "every day", "7 days a week", "taglich", "tous les jours", "todos los dias", "tutti i giorni", "dagelijks",
    "alle tage", "todos os dias", "codziennie", "ежедневно", "каждый день", "her gun", "毎日", "年中無休", "每天",
)  # fmt: skip
_PERIOD = re.compile(
    r"(?P<days>(?:(?:mo|tu|we|th|fr|sa|su)[a-z]*(?:\s*[-,]\s*)?)+)?\s*"
    r"(?P<from>\d{1,2}(?::\d{2})?(?:\s*[ap]m)?)\s*-\s*(?P<to>\d{1,2}(?::\d{2})?(?:\s*[ap]m)?)"
)


def judge_hours(claim: Claim, prepared: Prepared) -> Outcome:
    """Opening hours ("Mo-Fr 10:00-19:00"): its days and its times are on the page."""
    text = claim.folded
    periods = list(_PERIOD.finditer(text))
    if not periods:
        return judge_text(claim, prepared)
    asked = 0
    found: list[Span] = []
    for period in periods:
        for name in ("from", "to"):
            asked += 1
            minutes = _clock(period[name])
            spans = prepared.times.get(minutes) or (prepared.times.get(minutes - 720) if minutes >= 780 else None)
            if not spans and minutes % 60 == 0:
                hour = minutes // 60
                spans = [
                    span for each in (hour, hour - 12) if each >= 0 for span in prepared.numbers.get(float(each), [])
                ]
            if spans:
                found.append(spans[0])
        for day in re.findall(r"mo|tu|we|th|fr|sa|su", period["days"] or ""):
            asked += 1
            spans = _day_spans(prepared, _SHORT_DAYS[day])
            if spans:
                found.append(spans[0])
    share = len(found) / asked
    if share >= 0.99:
        return Outcome(0.85, "hours-in-text", "its days and times stand on the page", spans=tuple(found[:4]))
    near = bind(prepared, claim.concepts, *found[0]).own if found else 0.0
    if share >= 0.8 and near >= 0.5:
        return Outcome(
            0.55, "hours-mostly-in-text", "most of its days and times stand on the page", spans=tuple(found[:4])
        )
    return Outcome(
        0.12, "hours-not-in-text", f"only {len(found)} of its {asked} days and times stand on the page",
        contradicted=near >= 0.5, spans=tuple(found[:2]),
    )  # fmt: skip


def _clock(text: str) -> int:
    match = re.match(r"(\d{1,2})(?::(\d{2}))?\s*([ap]m)?", text)
    if match is None:
        return -1
    hour = int(match[1]) % 24
    if match[3] == "pm" and hour < 12:
        hour += 12
    return hour * 60 + int(match[2] or 0)
