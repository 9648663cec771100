"""Dates and times of day as pages print them, in the page's language and in English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from schemaproof.agents.grounding.locales import tables
from schemaproof.agents.grounding.words import Words, words_of

_NUMERIC = re.compile(
    r"(?<![\d./-])(?:(?P<y1>\d{4})(?P<s1>[-/.])(?P<m1>\d{1,2})(?P=s1)(?P<d1>\d{1,2})"
    r"|(?P<a>\d{1,2})(?P<s2>[-/.]) ?(?P<b>\d{1,2})(?P=s2) ?(?P<y2>\d{4}|\d{2})"
    r"|(?P<y3>\d{4}) ?[年년]? ?(?P<m3>\d{1,2}) ?[月월] ?(?P<d3>\d{1,2}) ?[日일]"
    r"|(?P<y4>\d{4})(?P<m4>0[1-9]|1[0-2])(?P<d4>0[1-9]|[12]\d|3[01])t\d{4}"
    r"|(?P<m5>\d{1,2})[月월] ?(?P<d5>\d{1,2})[日일])(?![\d])"
)
# What every date in figures starts with, quick to find.
_HINT = re.compile(r"\d\d{0,3}(?:[-/.] ?\d| ?[年월月년]|\d{4}t)")
_YEAR_MONTH = re.compile(r"(?<![\d./-])(?:(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})|(?P<m2>\d{1,2})/(?P<y2>\d{4}))(?![\d./-])")
_TIME = re.compile(
    r"(?<![\d:.,])(?P<h>[01]?\d|2[0-4])(?:(?:[:h.]|h ?|点|時|시 ?)(?P<m>[0-5]\d)(?::(?P<s>[0-5]\d)(?!\d))?)?"
    r" ?(?P<mark>a\.?m\b\.?|p\.?m\b\.?|uhr\b|h\b|o'clock\b|u\b|ч\b)?(?![\d:])"
)
_ISO = re.compile(
    r"\s*(?P<y>[-+]?\d{4})(?:-?(?P<m>\d{2})(?:-?(?P<d>\d{2})"
    r"(?:[T ]+(?P<h>\d{1,2})(?::?(?P<min>\d{2})(?::?(?P<s>\d{2})(?:[.,]\d+)?)?)?\s*"
    r"(?P<zone>Z|[-+]\d{2}(?::?\d{2})?)?)?)?)?\s*",
    re.IGNORECASE,
)
_NAMED_TIMES = {
    **dict.fromkeys(("noon", "midday", "midi", "mezzogiorno", "mediodia"), 720),
    **dict.fromkeys(("midnight", "mitternacht", "minuit", "mezzanotte", "medianoche"), 1440),
}
_NAMED_TIME = re.compile(rf"\b(?:{'|'.join(_NAMED_TIMES)})\b")
_CLOCK = re.compile(r"\s*T?(?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<s>\d{2})(?:\.\d+)?)?\s*(?:Z|[-+]\d{2}:?\d{2})?\s*")


@dataclass(frozen=True, slots=True)
class Moment:
    """A date that a markup states: 0 for what it leaves out; `time` in minutes of the day or -1."""

    year: int
    month: int = 0
    day: int = 0
    time: int = -1


@dataclass(frozen=True, slots=True)
class Printed:
    """A date on a page, and its span. 0 for what is not printed; `also`: day and month may be the other way round."""

    year: int
    month: int
    day: int
    start: int
    end: int
    also: bool = False


def moment_of(value: object) -> Moment | None:
    """The date of a value: ISO 8601 first, then any way a page would print it; None if it is none."""
    text = str(value)
    match = _ISO.fullmatch(text)
    if match:
        month, day = int(match["m"] or 0), int(match["d"] or 0)
        if month > 12 or day > 31:
            return None
        time = int(match["h"]) * 60 + int(match["min"] or 0) if match["h"] else -1
        return Moment(abs(int(match["y"])), month, day, time)
    if len(text) > 60:
        return None
    from schemaproof.agents.grounding.folding import fold

    folded = fold(text).text
    found = find_dates(folded, "en")
    if len(found) != 1 or found[0].end - found[0].start < len(folded.strip()) * 0.4:
        return None
    one = found[0]
    times = find_times(folded[one.end :])
    return Moment(one.year, one.month, one.day, next(iter(times), -1))


def clock_of(value: object) -> int | None:
    """Minutes of the day of a Time value ("18:00", "T18:00:00Z"), or None."""
    match = _CLOCK.fullmatch(str(value))
    return int(match["h"]) * 60 + int(match["m"]) if match and int(match["h"]) <= 24 else None


@lru_cache(maxsize=64)
def _named(language: str) -> tuple[re.Pattern[str], dict[str, int]] | None:
    """Pattern for dates with a month's name in one language."""
    months = tables(language).months
    if not months:
        return None
    names = "|".join(re.escape(name) for name in sorted(months, key=len, reverse=True) if len(name) > 1)
    ordinal = r"(?:st|nd|rd|th|er|º|ª|°|\.|-?го|,)?"
    link = r"(?: ?(?:de|of|d'|del|di|the|-|/))? ?"
    year = r"(?:(?:,|\.| de| del| of|-|/| г| yil)* ?(?P<y{0}>\d{{4}}|'\d{{2}}|(?<=[-/])\d{{2}}))?(?!\d)"
    # After a day, "-10" is the other end of a range, not a year.
    plain = r"(?:(?:,|\.| de| del| of)* ?(?P<y2>\d{4}|'\d{2}))?(?!\d)"
    pattern = (
        rf"(?<![\w])(?:(?P<d1>[0-3]?\d){ordinal}{link}(?P<m1>{names})\b\.?{year.format(1)}"
        rf"|(?P<m2>{names})\b\.? ?(?:the |-|/)?(?P<d2>[0-3]?\d){ordinal}(?![\d:]){plain}"
        rf"|(?P<m3>{names})\b\.?,? ?(?:de |del |/|-)?(?P<y3>\d{{4}})(?!\d)"
        rf"|(?P<y4>\d{{4}}),?[ -](?P<m4>{names})\b\.?(?:[ -](?P<d4>[0-3]?\d)(?!\d))?"
        rf"|(?<=\d)(?P<m5>{names}) (?P<d5>[0-3]?\d), (?P<y5>\d{{4}}))"
    )
    return re.compile(pattern), months


def find_dates(text: str, language: str = "", words: Words | None = None) -> list[Printed]:
    """Every date of a folded text, in order of position.

    Arguments:
        text: folded text.
        language: the page's; English names of months are read as well.
        words: of the same text, so that only the places of months are looked at.
    """
    found: list[Printed] = []
    done = 0
    for hint in _HINT.finditer(text):
        if hint.start() < done:
            continue
        match = _NUMERIC.match(text, hint.start())
        if match is None:
            continue
        start, end = match.span()
        done = end
        if match["y1"]:
            _add(found, int(match["y1"]), int(match["m1"]), int(match["d1"]), start, end)
        elif match["y2"]:
            year = _full_year(match["y2"])
            first, second = int(match["a"]), int(match["b"])
            if len(match["y2"]) == 2 and first > 31:
                continue
            # Day first is the world's habit; slashes in English pages may be month first.
            american = match["s2"] == "/" and language in ("en", "")
            if first > 12:
                _add(found, year, second, first, start, end)
            elif second > 12:
                _add(found, year, first, second, start, end)
            elif american:
                _add(found, year, first, second, start, end, also=True)
            else:
                _add(found, year, second, first, start, end, also=match["s2"] != "." and language in ("en", ""))
        elif match["y3"]:
            _add(found, int(match["y3"]), int(match["m3"]), int(match["d3"]), start, end)
        elif match["y4"]:
            _add(found, int(match["y4"]), int(match["m4"]), int(match["d4"]), start, end)
        else:
            _add(found, 0, int(match["m5"]), int(match["d5"]), start, end)
    spans = {(one.start, one.end) for one in found}
    for name in dict.fromkeys((language or "en", "en")):
        named = _named(name)
        if named is None:
            continue
        pattern, months = named
        for match in _near_months(pattern, months, text, words):
            if match.span() in spans:
                continue
            spans.add(match.span())
            for number in "12345":
                if match.group(f"m{number}"):
                    groups = match.groupdict()
                    day = int(groups.get(f"d{number}") or 0)
                    year = _full_year(groups.get(f"y{number}") or "0")
                    _add(found, year, months[match.group(f"m{number}")], day, match.start(), match.end())
    for one in list(found):
        if one.day:
            before = _DAY_BEFORE.search(text, max(0, one.start - 16), one.start)
            if before and 1 <= int(before[1]) < 32 and text[one.start].isdigit():
                found.append(Printed(one.year, one.month, int(before[1]), before.start(1), before.end(1)))
            after = _DAY_AFTER.match(text, one.end)
            if after and one.month and not text[one.start].isdigit() and 1 <= int(after[1]) < 32:
                year = int(after[2] or one.year)
                found.append(Printed(year, one.month, int(after[1]), after.start(1), after.end()))
                if year and not one.year:
                    found.append(Printed(year, one.month, one.day, one.start, one.end))
    found.sort(key=lambda one: (one.start, -one.year))
    return found


def _near_months(
    pattern: re.Pattern[str], months: dict[str, int], text: str, words: Words | None
) -> Iterator[re.Match[str]]:
    """Matches of a pattern of dates around the months that the text names."""
    if words is None:
        yield from pattern.finditer(text)
        return
    places = sorted(
        words.starts[first] for name in months for first, _ in words.find(" ".join(words_of(name)), limit=400)
    )
    done = 0
    for place in places:
        start = max(done, place - 16)
        while (match := pattern.search(text, start, place + 60)) is not None and match.start() <= place:
            done = start = match.end()
            yield match


# The other end of "7-10 June 2020" and of "June 7-10, 2020".
_DAY_BEFORE = re.compile(
    r"(?<![\d.,:/-])([0-3]?\d)(?:st|nd|rd|th|\.|er)? ?(?:\\?-|~|to|until|bis|al|au|a|tot|and|und|et|y|e|&) ?(?:the )?$"
)
_DAY_AFTER = re.compile(r" ?(?:\\?-|~|to|and|&) ?([0-3]?\d)(?:st|nd|rd|th)?(?![\d:/.-])(?:,? (\d{4})(?!\d))?")


def find_year_months(text: str) -> list[Printed]:
    """Months of a year written in figures ("2022-05", "05/2022")."""
    return [
        Printed(int(match["y1"] or match["y2"]), int(match["m1"] or match["m2"]), 0, match.start(), match.end())
        for match in _YEAR_MONTH.finditer(text)
        if 1 <= int(match["m1"] or match["m2"]) <= 12
    ]


def _full_year(text: str) -> int:
    digits = text.lstrip("'")
    year = int(digits)
    if len(digits) != 2:
        return year
    return 2000 + year if year < 70 else 1900 + year


def _add(found: list[Printed], year: int, month: int, day: int, start: int, end: int, *, also: bool = False) -> None:
    if 1 <= month <= 12 and 0 <= day <= 31:
        found.append(Printed(year, month, day, start, end, also))


def find_times(text: str) -> dict[int, list[tuple[int, int]]]:
    """Times of day: minutes of the day → spans. A bare hour counts only with its mark ("7 pm", "19 Uhr")."""
    found: dict[int, list[tuple[int, int]]] = {}
    for match in _TIME.finditer(text):
        hour, minute, mark = int(match["h"]), match["m"], (match["mark"] or "").replace(".", "")
        if minute is None and not mark:
            continue
        if match.group()[len(match["h"]) :][:1] == "." and not mark:
            continue
        minutes = hour * 60 + int(minute or 0)
        both = [minutes]
        if mark.startswith("p") and hour < 12:
            both = [minutes + 720]
        elif mark.startswith("a") and hour == 12:
            both = [minutes - 720]
        elif not mark and 1 <= hour < 12:
            both = [minutes, minutes + 720] if hour < 8 else [minutes]
        for one in both:
            found.setdefault(one, []).append(match.span())
    if any(name in text for name in _NAMED_TIMES):
        for match in _NAMED_TIME.finditer(text):
            found.setdefault(_NAMED_TIMES[match[0]], []).append(match.span())
    return found
