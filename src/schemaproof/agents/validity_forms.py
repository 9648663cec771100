"""The lexical forms of Schema.org's data types, and what a value out of form was meant to be.

Sources: schema.org/DataType and the pages of its data types; ISO 8601-1:2019 (dates, times, durations); XML Schema
part 2 (numbers, Booleans).
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from functools import lru_cache

from schemaproof.agents import compliance_repair as repair

_NUMBER = re.compile(r"\s*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\s*")
_INTEGER = re.compile(r"\s*[+-]?[0-9]+\s*")
_ZONE = r"(?:Z|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?)"
_DATE = re.compile(
    r"([+-]?[0-9]{4,6})(?:-([0-9]{2})(?:-([0-9]{2}))?|-?W([0-9]{2})(?:-?([1-7]))?|-([0-9]{3}))?" + _ZONE + "?"
)
_CLOCK = re.compile(
    r"(?:(?:[01][0-9]|2[0-3])(?::[0-5][0-9](?::(?:[0-5][0-9]|60)(?:[.,][0-9]+)?)?)|24:00(?::00(?:[.,]0+)?)?)"
    + _ZONE
    + "?"
)
_BASIC_CLOCK = re.compile(r"(?:[01][0-9]|2[0-3])[0-5][0-9](?:[0-5][0-9](?:[.,][0-9]+)?)?" + _ZONE + "?")
_DURATION = re.compile(
    r"[+-]?P(?=[0-9T])(?:[0-9]+(?:[.,][0-9]+)?Y)?(?:[0-9]+(?:[.,][0-9]+)?M)?(?:[0-9]+(?:[.,][0-9]+)?W)?"
    r"(?:[0-9]+(?:[.,][0-9]+)?D)?(?:T(?=[0-9])(?:[0-9]+(?:[.,][0-9]+)?H)?(?:[0-9]+(?:[.,][0-9]+)?M)?"
    r"(?:[0-9]+(?:[.,][0-9]+)?S)?)?"
    r"|P[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}"
)
_QUANTITY = re.compile(
    r"\s*[<>≤≥~≈±]?\s*[+-]?(?:[0-9][0-9.,]*(?:\s?[/–-]\s?[0-9][0-9.,]*|\s[0-9]+/[0-9]+)?|[½¼¾⅓⅔])"
    r"\s*(?:[^\W\d_µμ]*[^\d]{0,40})"
)
_NO_ADDRESS = re.compile(r"[^\s/.#?:][^/.:#?]*\s[^/:#?]*")
_MEANT = {
    **dict.fromkeys(("true", "yes", "y", "1", "on", "ja", "oui", "sí", "si", "sim", "はい", "نعم"), "true"),
    **dict.fromkeys(("false", "no", "n", "0", "off", "nein", "non", "não", "いいえ", "لا"), "false"),
}

Value = str | int | float | bool


def _is_date(text: str) -> bool:
    try:
        # The usual forms, told by the standard library.
        datetime.date.fromisoformat(text)
        return True
    except ValueError:
        found = _DATE.fullmatch(text)
    if found is None:
        return False
    year, month, day, week, weekday, ordinal = found.groups()
    # Years that the standard library does not have: the day by a leap year's months.
    calendar = int(year) if 1 <= int(year) <= 9999 else 2000
    try:
        if week:
            datetime.date.fromisocalendar(calendar, int(week), int(weekday or 1))
        elif ordinal:
            return 1 <= int(ordinal) <= 366
        else:
            datetime.date(calendar, int(month or 1), int(day or 1))
    except ValueError:
        return False
    return True


def _is_date_time(text: str) -> bool:
    day, mark, clock = text.partition("T")
    if not mark or day[-1:] == "Z" or len(day) < 8:
        return False
    return (_CLOCK.fullmatch(clock) or _BASIC_CLOCK.fullmatch(clock)) is not None and _is_date(day)


def _is_time(text: str) -> bool:
    return _CLOCK.fullmatch(text.removeprefix("T")) is not None


def _is_duration(text: str) -> bool:
    return _DURATION.fullmatch(text) is not None


def looks_like_address(text: str) -> bool:
    """Whether a text can be an IRI reference: not several words without any mark of an address.

    Templates in braces and unescaped characters pass; they are told apart from prose only.
    """
    if text.startswith(("https://", "http://")):
        return True
    plain = text.strip()
    return bool(plain) and _NO_ADDRESS.fullmatch(plain) is None


def _quantity(value: Value) -> bool:
    return not isinstance(value, bool) and (not isinstance(value, str) or _QUANTITY.fullmatch(value) is not None)


def _integer(value: Value) -> bool:
    if isinstance(value, str):
        return _INTEGER.fullmatch(value) is not None
    return not isinstance(value, bool) and (isinstance(value, int) or value.is_integer())


def _number(value: Value) -> bool:
    if isinstance(value, str):
        return _NUMBER.fullmatch(value) is not None
    return not isinstance(value, bool) and value == value and value not in (float("inf"), float("-inf"))


def _boolean(value: Value) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in ("true", "false")
    return isinstance(value, bool)


def _of_text(check: Callable[[str], bool]) -> Callable[[Value], bool]:
    # A year may be written as a JSON number; XML Schema collapses white space around all of these.
    def fits(value: Value) -> bool:
        return not isinstance(value, bool) and check(str(value).strip())

    return fits


# Data type -> whether a value has its form. Text and its kin have none. URL is told by `looks_like_address`.
FORMS: dict[str, Callable[[Value], bool]] = {
    "Boolean": _boolean,
    "Integer": _integer,
    "Number": _number,
    "Float": _number,
    "Date": _of_text(_is_date),
    "DateTime": _of_text(_is_date_time),
    "Time": _of_text(_is_time),
    "Duration": _of_text(_is_duration),
    "Mass": _quantity,
    "Distance": _quantity,
    "Energy": _quantity,
    "Quantity": _quantity,
}

ASKED = {
    "Boolean": "true or false",
    "Integer": "a whole number (224)",
    "Number": "a number in digits with a point (19.99)",
    "Float": "a number in digits with a point (19.99)",
    "Date": "an ISO 8601 date (2026-05-01)",
    "DateTime": "an ISO 8601 date and time joined by T (2026-05-01T18:30:00Z)",
    "Time": "an ISO 8601 time of day (18:30:00)",
    "Duration": "an ISO 8601 duration (PT1H30M)",
    "Mass": "a number and a unit (5 kg)",
    "Distance": "a number and a unit (5 cm)",
    "Energy": "a number and a unit (250 kcal)",
    "Quantity": "a number and a unit",
    "URL": "an address",
}


def fits(data_type: str, value: Value) -> bool:
    """Whether a value has the form of a data type; true for data types without a form of their own."""
    check = FORMS.get(data_type)
    return check is None or check(value)


def repaired(data_types: tuple[str, ...], value: Value, language: str = "") -> str:
    """The value in the form of one of the data types, as it was most likely meant, or "" if that is not clear."""
    if isinstance(value, str):
        return _repaired(data_types, value, language)
    if isinstance(value, bool):
        return ""
    if "Boolean" in data_types and value in (0, 1):
        return "true" if value else "false"
    if {"Date", "DateTime"} & {*data_types}:
        return _from_epoch(float(value))
    return ""


def _from_epoch(seconds: float) -> str:
    # Seconds or milliseconds since 1970, from 1990 to 2100 or so: smaller numbers could mean anything.
    for scale in (1, 1000):
        if 631_152_000 <= seconds / scale <= 4_102_444_800:
            moment = datetime.datetime.fromtimestamp(seconds / scale, datetime.UTC)
            return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    return ""


@lru_cache(maxsize=4096)
def _repaired(data_types: tuple[str, ...], text: str, language: str) -> str:
    if len(text) > 120:
        return ""
    plain = text.strip()
    for data_type in data_types:
        better = _REPAIRS[data_type](plain, language) if data_type in _REPAIRS else ""
        if better and better != text and FORMS[data_type](better):
            return better
    return ""


def _whole(text: str, _language: str) -> str:
    plain = repair.number(text.rstrip("+").strip())
    if not plain and (found := re.fullmatch(r"\D{0,20}?(\d[\d.,  ]*)\s*[^\d]{0,20}", repair.ascii_digits(text))):
        plain = repair.number(found[1].strip())
    return plain.removesuffix(".0").removesuffix(".00")


def _spoken_date_time(text: str, language: str) -> str:
    plain = repair.ascii_digits(text)
    found = re.search(
        r"(?<!\d)(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?\s*([ap]\.?m\.?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?",
        plain,
        re.I,
    )
    day = repair.date(plain[: found.start()] or plain[found.end() :] if found else plain, language)
    if not found or not day or len(day) < 10:
        return ""
    hour = int(found[1])
    if found[4]:
        hour = hour % 12 + (12 if found[4][0] in "pP" else 0)
    zone = found[5] or ""
    return f"{day}T{hour:02}:{found[2]}:{found[3] or '00'}{'Z' if zone.isalpha() and zone else zone}"


def _spoken_duration(text: str, _language: str) -> str:
    upper = text.upper()
    if _is_duration(upper):
        return upper
    found = re.fullmatch(r"(\d{1,3}):(\d{2}):(\d{2})", text)
    if found:
        return f"PT{int(found[1])}H{int(found[2])}M{int(found[3])}S"
    if re.fullmatch(r"T?(?:\d+[HMS]){1,3}", upper):
        return "PT" + upper.removeprefix("T")
    if re.fullmatch(r"(?:\d+[YMWD])+", upper):
        return "P" + upper
    return repair.duration(text)


_REPAIRS: dict[str, Callable[[str, str], str]] = {
    "Boolean": lambda text, _: _MEANT.get(text.rpartition("/")[2].casefold(), ""),
    "Integer": _whole,
    "Number": lambda text, _: repair.number(text),
    "Float": lambda text, _: repair.number(text),
    "DateTime": _spoken_date_time,
    "Date": repair.date,
    "Time": lambda text, _: repair.clock(text),
    "Duration": _spoken_duration,
}
