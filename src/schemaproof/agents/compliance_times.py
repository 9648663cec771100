"""Formats of dates, times, durations and opening hours.

Sources: ISO 8601 and the definition of openingHours on schema.org.
"""

from __future__ import annotations

import datetime
import re

from schemaproof.agents import compliance_repair as repair
from schemaproof.agents.compliance_fault import Fault

_DATE = re.compile(r"([+-]?\d{4})(?:-(\d{2})(?:-(\d{2}))?|-W\d{2}(?:-[1-7])?|-\d{3})?", re.ASCII)
_BASIC_DATE = re.compile(r"(\d{4})(\d{2})(\d{2})", re.ASCII)
TIME = re.compile(r"(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?", re.ASCII)
DURATION = re.compile(
    r"[+-]?P(?=\d|T\d)(?:[\d.,]+Y)?(?:[\d.,]+M)?(?:[\d.,]+W)?(?:[\d.,]+D)?(?:T(?=\d)(?:[\d.,]+H)?(?:[\d.,]+M)?(?:[\d.,]+S)?)?",
    re.ASCII,
)
_HOURS = re.compile(
    r"(?:(?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH)(?:\s?[-–,]\s?(?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH))*\s*)?"
    r"(?:\d{1,2}:\d{2}\s?[-–]\s?\d{1,2}:\d{2}(?:\s?,?\s?\d{1,2}:\d{2}\s?[-–]\s?\d{1,2}:\d{2})*)?",
)
_TIDY_HOURS = re.compile(
    r"(?:Mo|Tu|We|Th|Fr|Sa|Su)(?:[-,](?:Mo|Tu|We|Th|Fr|Sa|Su))*"
    r"(?: \d{2}:\d{2}-\d{2}:\d{2}(?:[, ]\d{2}:\d{2}-\d{2}:\d{2})*)?"
)


def date(text: str, language: str) -> Fault | None:
    """ISO 8601 date, with or without a time of day."""
    found = _DATE.match(text)
    if found and found.end() == len(text):
        return _real_date(found, text)
    if found and found[3] and text[found.end()] in "T t":
        rest = text[found.end() + 1 :].strip()
        time_fault = _clock_time(rest)
        if time_fault:
            return Fault("not-a-date", "has a time of day that ISO 8601 does not know", found[0], 0.2)
        real = _real_date(found, text)
        if real:
            return real
        if text[found.end()] != "T":
            return Fault("date-untidy", "lacks the T between date and time", f"{found[0]}T{rest.replace(' ', '')}", 0.7)
        return None
    if (basic := _BASIC_DATE.match(text)) and (basic.end() == len(text) or text[basic.end()] == "T"):
        written = f"{basic[1]}-{basic[2]}-{basic[3]}"
        return _real_date(_DATE.match(written), text) or Fault("date-untidy", "is a date without hyphens", written, 0.6)
    if "/" in text:
        parts = text.split("/")
        if len(parts) == 2 and all(part in ("", "..") or date(part, language) is None for part in parts) and any(parts):
            return None
    if DURATION.fullmatch(text):
        return Fault("duration-for-date", "is a duration, not a date")
    better = repair.date(text, language)
    return Fault("not-a-date", "is not a date in ISO 8601 (such as 2024-05-31)", better, 0.1 if better else 0.03)


def _real_date(found: re.Match[str] | None, text: str) -> Fault | None:
    if not found or not found[2]:
        return None
    if re.match(r"000\d-01-01", text):
        return Fault("placeholder", "is the date that stands for none", probability=0.1)
    month, day = int(found[2]), int(found[3] or 1)
    try:
        datetime.date(max(1, min(9999, abs(int(found[1])))), month, day)
    except ValueError:
        better = f"{found[1]}-{found[3]}-{found[2]}" if found[3] and month > 12 >= day else ""
        return Fault("no-such-date", "is no day of the calendar", better, 0.05)
    return None


def _clock_time(text: str) -> bool:
    """True where the text is no ISO 8601 time of day."""
    found = TIME.fullmatch(text)
    return not found or int(found[1]) > 24 or int(found[2]) > 59 or int(found[3] or 0) > 60


def time(text: str, _language: str) -> Fault | None:
    """ISO 8601 time of day."""
    plain = text.removeprefix("T")
    if not _clock_time(plain):
        return None
    if re.fullmatch(r"\d:\d{2}(?::\d{2})?", text) and (better := repair.clock(text)):
        return Fault("time-untidy", "lacks the leading zero of the hour", better, 0.6)
    return Fault("not-a-time", "is not a time of day in ISO 8601 (such as 09:00)", repair.clock(text))


def date_or_time(text: str, language: str) -> Fault | None:
    """A time of day, or a date with one (ranges DateTime and Time)."""
    fault = time(text, language)
    return fault if fault is None or date(text, language) else None


def duration(text: str, _language: str) -> Fault | None:
    """ISO 8601 duration."""
    if DURATION.fullmatch(text):
        return None
    if DURATION.fullmatch(text.upper()) and not text.isupper():
        return Fault("duration-case", "should be in capitals", text.upper(), 0.5)
    better = repair.duration(text)
    return Fault("not-a-duration", "is not a duration in ISO 8601 (such as PT30M)", better)


def opening_hours(text: str, _language: str) -> Fault | None:
    """Two-letter days, then times of the 24-hour clock (definition of openingHours)."""
    if any(int(hour) > 24 or int(minute) > 59 for hour, minute in re.findall(r"(\d{1,2}):(\d{2})", text)):
        return Fault("no-such-time", "has a time that no clock shows")
    if _TIDY_HOURS.fullmatch(text):
        return None
    if _HOURS.fullmatch(text) and text.strip() and not re.match(r"\d", text):
        tidy = re.sub(r"(?<!\d)(\d):", r"0\1:", re.sub(r"\s?[-–]\s?", "-", re.sub(r"\s?,\s?", ",", text)))
        return Fault("opening-hours-untidy", "is not written as the definition asks", tidy, 0.7)
    pieces = [piece.strip() for piece in re.split(r"[;\n]|,\s+(?=[A-Z][a-z]\b)", text) if piece.strip()]
    if len(pieces) > 1 and all(_HOURS.fullmatch(piece) for piece in pieces):
        return Fault(
            "opening-hours-untidy", "holds several lines; each belongs into a value of its own", probability=0.6
        )
    better = repair.opening_hours(text)
    return Fault("not-opening-hours", "is not in the form of openingHours (such as Mo-Fr 09:00-17:00)", better)
