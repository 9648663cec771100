"""Opening hours: days and times of day as pages print them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.grounding.locales import tables
from schemaproof.agents.verdict import Evidence
from schemaproof.generation.outline import Line

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

# What CLDR does not list: short forms, and days in ways of their own.
_EXTRA = {
    "en": {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5,
           "sun": 6, "mo": 0, "tu": 1, "we": 2, "th": 3, "fr": 4, "sa": 5, "su": 6, "mondays": 0, "tuesdays": 1,
           "wednesdays": 2, "thursdays": 3, "fridays": 4, "saturdays": 5, "sundays": 6},
    "de": {"mo": 0, "di": 1, "mi": 2, "do": 3, "fr": 4, "sa": 5, "so": 6, "sonnabend": 5, "montags": 0, "dienstags": 1,
           "mittwochs": 2, "donnerstags": 3, "freitags": 4, "samstags": 5, "sonntags": 6},
    "nl": {"ma": 0, "di": 1, "wo": 2, "do": 3, "vr": 4, "za": 5, "zo": 6},
    "pt": {"segunda": 0, "terca": 1, "quarta": 2, "quinta": 3, "sexta": 4,
           "seg": 0, "ter": 1, "qua": 2, "qui": 3, "sex": 4},
    "ru": {"пн": 0, "вт": 1, "ср": 2, "чт": 3, "пт": 4, "сб": 5, "вс": 6},
    "uk": {"пн": 0, "вт": 1, "ср": 2, "чт": 3, "пт": 4, "сб": 5, "нд": 6},
    "ja": {"月": 0, "火": 1, "水": 2, "木": 3, "金": 4, "土": 5, "日": 6},
    "zh": {"周一": 0, "周二": 1, "周三": 2, "周四": 3, "周五": 4, "周六": 5, "周日": 6, "星期天": 6},
    "ko": {"월": 0, "화": 1, "수": 2, "목": 3, "금": 4, "토": 5, "일": 6},
}  # fmt: skip
_GROUPS = {
    "daily": (0, 7), "every day": (0, 7), "everyday": (0, 7), "7 days a week": (0, 7), "weekdays": (0, 5),
    "weekends": (5, 7), "weekend": (5, 7), "taglich": (0, 7), "jeden tag": (0, 7), "wochentags": (0, 5),
    "werktags": (0, 6), "tous les jours": (0, 7), "7j/7": (0, 7), "todos los dias": (0, 7),
    "tutti i giorni": (0, 7), "dagelijks": (0, 7), "todos os dias": (0, 7), "毎日": (0, 7), "年中無休": (0, 7),
    "平日": (0, 5), "土日": (5, 7), "每天": (0, 7), "周末": (5, 7), "ежедневно": (0, 7), "будни": (0, 5),
    "выходные": (5, 7), "codziennie": (0, 7), "her gun": (0, 7), "hafta ici": (0, 5), "hafta sonu": (5, 7),
    "يوميا": (0, 7), "denne": (0, 7), "щодня": (0, 7), "매일": (0, 7), "평일": (0, 5), "주말": (5, 7),
    "dagligen": (0, 7), "dagligt": (0, 7),
}  # fmt: skip
_THROUGH = (
    r"\s*(?:-|~|〜|～|to|through|thru|until|bis|au|à|a|al|alle|tot(?: en met)?|t/m|até|ate|до|по|do|ile|الى|حتى|to the|"
    r"till|から|至|到)\s*"
)
_AND = r"\s*(?:,|、|&|\+|/|and|und|et|y|e|en|i|и|ve|و|・|·)\s*"
_TIME = (
    r"(?<![\d:.])(\d{1,2})(?:\s?[:.h時点시]\s?([0-5]\d)?分?)?\s*((?:a|p)\.?\s?m\b\.?|uhr\b|h\b|u\b|uur\b|"
    r"(?:am|pm)\b)?"
)
_RANGE = re.compile(
    rf"{_TIME}\s*(?:-|~|〜|～|to|until|bis|à|a|al|alle|tot|até|ate|до|do|ile|till|as|às|الى|حتى|から|至|"
    rf"到)\s*{_TIME}(?![\d:])",
    re.I,
)
_CLOSED = re.compile(
    r"closed|geschlossen|ruhetag|ferme|cerrado|chiuso|gesloten|fechado|定休|休業|休み|休診|مغلق|عطله|закрыт|выходной|"
    r"zamkniet|nieczynne|kapali|休息|关闭|lukket|stangt|zavreno|휴무|выхідний|вихідний"
)


@dataclass(frozen=True, slots=True)
class Opening:
    """One statement of opening hours.

    Attributes:
        days: numbers of the days, 0 for Monday, ascending.
        opens, closes: hh:mm.
        day_evidence, time_evidence: where they stand.
        closes_at, opens_at: evidence of each end.
    """

    days: tuple[int, ...]
    opens: str
    closes: str
    day_evidence: Evidence
    time_evidence: Evidence


@lru_cache(maxsize=64)
def _days(language: str) -> tuple[re.Pattern[str], dict[str, int]]:
    """Pattern of a day's name in the language or English, and the names."""
    names: dict[str, int] = {}
    for each in dict.fromkeys((language, "en")):
        if each:
            names.update(
                {fold(word).text: day for word, day in _EXTRA.get(each, {}).items() if fold(word).text not in names}
            )
            for name, day in tables(each).days.items():
                if len(name) > 1 or not name.isascii():
                    names.setdefault(name, day)
    listed = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    wide = language in ("ja", "zh", "ko")
    pattern = rf"(?:{listed})\.?" if wide else rf"(?<![\w])(?:{listed})\b\.?(?:-feira)?"
    return re.compile(pattern), names


def day_numbers(text: str, language: str) -> tuple[tuple[int, ...], int, int] | None:
    """The days that a text names ("Mo-Fr", "Saturday and Sunday", "daily"), and the span of their names.

    Returns None where it names none, or names them in a way that is not understood.
    """
    folded = fold(text)
    plain = folded.text
    for words, (first, last) in _GROUPS.items():
        at = plain.find(words)
        if at >= 0 and not (at and plain[at - 1].isalpha() and words.isascii()):
            return tuple(range(first, last)), folded.original(at), folded.original(at + len(words) - 1) + 1
    pattern, names = _days(language)
    matches = list(pattern.finditer(plain))
    if not matches:
        return None
    chosen: set[int] = set()
    last_end = -1
    last_day = -1
    for match in matches:
        day = (
            names[match.group().removesuffix("-feira").rstrip(".")]
            if match.group().rstrip(".").removesuffix("-feira") in names
            else -1
        )
        if day < 0:
            return None
        if last_day >= 0:
            between = plain[last_end : match.start()]
            if re.fullmatch(_THROUGH, between):
                step = last_day
                while step != day:
                    chosen.add(step)
                    step = (step + 1) % 7
            elif between.strip() and not re.fullmatch(_AND, between):
                return None
        chosen.add(day)
        last_end, last_day = match.end(), day
    start, end = matches[0].start(), matches[-1].end()
    return tuple(sorted(chosen)), folded.original(start), folded.original(end - 1) + 1


def _clock(match: re.Match[str], first: int) -> str:
    hour, minute, mark = (
        int(match[first]),
        int(match[first + 1] or 0),
        (match[first + 2] or "").lower().replace(".", ""),
    )
    if mark.startswith("p") and hour < 12:
        hour += 12
    elif mark.startswith("a") and hour == 12:
        hour = 0
    return f"{hour:02}:{minute:02}" if hour <= 24 else ""


def time_ranges(text: str) -> list[tuple[str, str, int, int]]:
    """Ranges of times of day: opens, closes, and the span of each."""
    folded = fold(text)
    found = []
    for match in _RANGE.finditer(folded.text):
        explicit = [bool(match[2] or match[3]), bool(match[5] or match[6])]
        if not any(explicit) and not re.search(r"[時点시h]|uhr", match.group()):
            continue
        opens, closes = _clock(match, 1), _clock(match, 4)
        late = (match[6] or "").startswith(("p", "a"))
        # "9-5pm" is nine in the morning, "1-5pm" one in the afternoon.
        afternoon = (match[6] or "").lower().startswith("p") and int(match[1]) % 12 <= int(match[4]) % 12
        if late and not match[3] and int(match[1]) <= 12 and afternoon:
            opens = f"{int(match[1]) % 12 + 12:02}:{int(match[2] or 0):02}"
        if opens and closes:
            found.append((opens, closes, folded.original(match.start()), folded.original(match.end() - 1) + 1))
    return found


def openings(lines: Iterable[Line], language: str) -> list[Opening]:
    """Opening hours in some lines: days and times in one line, or the days in the cell or line before the times."""
    found: list[Opening] = []
    pending: tuple[tuple[int, ...], Evidence] | None = None
    for line in lines:
        if len(line.text) > 160:
            pending = None
            continue
        for start, end in _clauses(line.text):
            text = line.text[start:end]
            base = line.start + start
            ranges = time_ranges(text)
            # Days are looked for where no time is, so that "h" and "a" of times do not get in the way.
            head = text[: ranges[0][2]] if ranges else text
            days = day_numbers(head, language)
            if days is None and ranges:
                days = day_numbers(text[ranges[-1][3] :], language)
                if days is not None:
                    shift = ranges[-1][3]
                    days = (days[0], days[1] + shift, days[2] + shift)
            if days is not None:
                evidence = Evidence(base + days[1], base + days[2], text[days[1] : days[2]])
                pending = (days[0], evidence)
            elif not ranges:
                if _CLOSED.search(fold(text).text) or len(text) > 40:
                    pending = None
                continue
            if ranges and pending is not None:
                for opens, closes, first, last in ranges:
                    found.append(
                        Opening(
                            pending[0], opens, closes, pending[1], Evidence(base + first, base + last, text[first:last])
                        )
                    )
                if days is None:
                    pending = None
    return _unique(found)


def _clauses(text: str) -> list[tuple[int, int]]:
    """The parts of a line at semicolons and bars."""
    found, start = [], 0
    for match in re.finditer(r"[;|]", text):
        found.append((start, match.start()))
        start = match.end()
    found.append((start, len(text)))
    return found


def _unique(openings_found: list[Opening]) -> list[Opening]:
    """Each day and time once; days with the same hours that follow one another joined."""
    joined: list[Opening] = []
    seen: set[tuple[int, str, str]] = set()
    for each in openings_found:
        days = tuple(day for day in each.days if (day, each.opens, each.closes) not in seen)
        if not days:
            continue
        seen.update((day, each.opens, each.closes) for day in days)
        joined.append(Opening(days, each.opens, each.closes, each.day_evidence, each.time_evidence))
    return joined
