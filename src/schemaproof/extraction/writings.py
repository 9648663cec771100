"""One value, many writings: what a number, price, date, address or phone number may mean.

Each reader gives every reading of a text that is not excluded by its form ("03/04/2024" has two, "1.299" has two), so
that two texts agree when they share a reading. A text that is not wholly of the kind has none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from functools import lru_cache, wraps
from typing import NamedTuple, TypeVar
from urllib.parse import parse_qsl, quote, unquote, urlsplit

# Nothing longer is one number, price, date or phone number; expressions need not look at it.
_LONGEST = 60
_LONGEST_ADDRESS = 4000

_REMEMBERED = 2_000  # characters
R = TypeVar("R")


def remembered(reader: Callable[[str], R]) -> Callable[[str], R]:
    """A reader that remembers what it read: of short texts thousands, of long ones few, whose memory counts."""
    short, long = lru_cache(maxsize=8192)(reader), lru_cache(maxsize=64)(reader)

    @wraps(reader)
    def read(text: str) -> R:
        return short(text) if len(text) <= _REMEMBERED else long(text)

    return read


_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\uff0d]")
_QUOTES = {ord(char): "'" for char in "\u2018\u2019\u201a\u201b\u2032\u02bc`\u00b4"} | {
    ord(char): '"' for char in "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"
}
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")

_NUMBER = re.compile(r"([-+]?)(\d[\d.,' ]*\d|\d|[.,]\d+)([eE][-+]?\d+)?\s*(%?)\Z")
_GROUPED = re.compile(r"\d{1,3}(?:([.,' ])\d{3})(?:\1\d{3})*\Z")
_CURRENCIES = {
    "$": "USD", "us$": "USD", "usd": "USD", "\u20ac": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR",
    "\u00a3": "GBP", "gbp": "GBP", "\u00a5": "JPY", "jpy": "JPY", "cny": "CNY", "rmb": "CNY", "\u20b9": "INR",
    "rs": "INR", "rs.": "INR", "inr": "INR", "\u20a9": "KRW", "krw": "KRW", "\u20bd": "RUB", "rub": "RUB",
    "chf": "CHF", "cad": "CAD", "c$": "CAD", "ca$": "CAD", "aud": "AUD", "a$": "AUD", "au$": "AUD", "nz$": "NZD",
    "nzd": "NZD", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "kr": "kr", "kr.": "kr", "pln": "PLN", "z\u0142": "PLN",
    "czk": "CZK", "k\u010d": "CZK", "brl": "BRL", "r$": "BRL", "mxn": "MXN", "zar": "ZAR", "twd": "TWD", "nt$": "TWD",
    "hkd": "HKD", "hk$": "HKD", "sgd": "SGD", "s$": "SGD", "try": "TRY", "\u20ba": "TRY", "ils": "ILS", "\u20aa": "ILS",
    "thb": "THB", "\u0e3f": "THB", "vnd": "VND", "\u20ab": "VND", "uah": "UAH", "\u20b4": "UAH", "\u5143": "CNY",
    "\u5186": "JPY", "\uc6d0": "KRW",
}  # fmt: skip
_PRICE = re.compile(r"([-+]?)\s*([^\d\s,'+-][^\d,'+-]*?)?\s*([-+]?\d[\d.,' ]*)\s*([^\d\s]\D*)?\Z")

_MONTH_NAMES = (
    "january jan januar janvier janv enero ene gennaio gen januari janeiro leden styczen",
    "february feb februar fevrier fevr fev febrero febbraio februari fevereiro luty",
    "march mar marz maerz mars marzo maart mrt marco marzec",
    "april apr avril avr abril abr aprile kwiecien",
    "may mai mayo mag maggio mei maio maj",
    "june jun juni juin junio giugno giu junho czerwiec",
    "july jul juli juillet juil julio luglio lug julho lipiec",
    "august aug aout agosto ago augustus sierpien",
    "september sept sep septembre septiembre settembre set setembro wrzesien",
    "october oct oktober okt octobre octubre ottobre ott outubro out pazdziernik",
    "november nov novembre noviembre novembro listopad",
    "december dec dezember dez decembre diciembre dic dicembre dezembro grudzien",
)
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_ISO = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?\Z",
    re.IGNORECASE,
)
_NUMERIC_DATE = re.compile(r"(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})\Z")
_EAST_DATE = re.compile("(\\d{4})\\s*[\u5e74\ub144]\\s*(\\d{1,2})\\s*[\u6708\uc6d4]\\s*(\\d{1,2})\\s*[\u65e5\uc77c]\\Z")
_WEEKDAY = re.compile(r"[^\W\d]{2,10}\.?,\s+(?=\S)")
_CLOCK = re.compile(r",?\s+(?:at\s+)?(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap]\.?m\.?)?\s*(?:Z|GMT|UTC)?\Z", re.IGNORECASE)
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er|\.)?\Z", re.IGNORECASE)
_URL = re.compile(r"(?:(?:https?|ftp):)?//[^\s/?#]+\S*\Z|www\.[^\s/]+\.\S+\Z", re.IGNORECASE)
_EMAIL = re.compile(r"(?:mailto:)?([^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+)\Z", re.IGNORECASE)
_PHONE = re.compile(r"(?:tel:)?\+?[\d\s().\-/\u00a0]{7,}\Z", re.IGNORECASE)


@remembered
def normalised(text: str) -> str:
    """Text without differences that no reader sees: compatibility forms, quotes, dashes, white space, case."""
    text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    text = _DASHES.sub("-", _INVISIBLE.sub("", text))
    return " ".join(text.split()).casefold()


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text)
    return "".join(char for char in folded if not unicodedata.combining(char)).casefold()


@remembered
def numbers(text: str) -> tuple[float, ...]:
    """Readings of a text that is one number: thousands may be grouped, the decimal sign may be a comma."""
    match = _NUMBER.match(normalised(text)) if len(text) <= _LONGEST else None
    if match is None:
        return ()
    sign, digits, exponent, percent = match.groups()
    found: list[float] = []
    if digits[0] != "0" and (grouped := _GROUPED.match(digits)) is not None:
        found.append(float(re.sub(r"[.,' ]", "", digits)))
        if grouped.group(1) == "." and digits.count(".") == 1:
            # "1.299" may be a decimal fraction too; with a comma that is rare enough to leave out.
            found.append(float(digits))
    else:
        last = max(digits.rfind("."), digits.rfind(","))
        whole, part = (digits[:last], digits[last + 1 :]) if last >= 0 else (digits, "")
        separators = set(re.findall(r"[.,' ]", whole))
        if not part.isdigit() and last >= 0:
            return ()
        if separators and (len(separators) > 1 or digits[last] in separators or not _GROUPED.match(whole)):
            return ()
        found.append(float((re.sub(r"[.,' ]", "", whole) or "0") + "." + (part or "0")))
    scale = float("1" + exponent) if exponent else 1.0
    if not 0 < scale < 1e300:
        return ()
    factor = (-1.0 if sign == "-" else 1.0) * scale / (100.0 if percent else 1.0)
    return tuple(dict.fromkeys(value * factor for value in found))


@remembered
def prices(text: str) -> tuple[tuple[str, float], ...]:
    """Readings of a text that is one amount with a currency sign or code: (currency, amount) pairs."""
    match = _PRICE.match(normalised(text)) if len(text) <= _LONGEST else None
    if match is None:
        return ()
    sign, before, amount, after = match.groups()
    names = [name.strip() for name in (before, after) if name and name.strip()]
    tail = ""
    if names and names[-1] in (".-", ",-", "-"):
        tail = names.pop()
    currencies = {_CURRENCIES.get(name) for name in names}
    if len(currencies) != 1 or None in currencies:
        return ()
    currency = str(next(iter(currencies)))
    if tail:
        amount = amount.rstrip(".,-")
    minus = -1.0 if sign == "-" else 1.0
    # Three digits behind the only separator of an amount of money are thousands: the first reading.
    return tuple((currency, minus * value) for value in numbers(amount.strip())[:1])


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _year(text: str) -> int:
    number = int(text)
    return number + (2000 if number < 70 else 1900) if len(text) <= 2 else number


class Moment(NamedTuple):
    """A date as it is written.

    Attributes:
        day: the day.
        clock: minutes since midnight, or None.
        second: of the minute, or None.
        offset: minutes that the clock is ahead of UTC, or None.
    """

    day: date
    clock: int | None = None
    second: int | None = None
    offset: int | None = None


def same_moment(one: Moment, other: Moment) -> bool:
    """Whether two dates are one, as far as both say: the day, the time, and where in the world."""
    if one.clock is None or other.clock is None:
        return one.day == other.day
    if one.second is not None and other.second is not None and one.second != other.second:
        return False
    apart = (one.day - other.day).days * 1440 + one.clock - other.clock
    if one.offset is not None and other.offset is not None:
        apart -= one.offset - other.offset
    return apart == 0


def _offset(zone: str) -> int:
    if zone in "Zz":
        return 0
    hours, minutes = int(zone[1:3]), int(zone[-2:])
    return (hours * 60 + minutes) * (-1 if zone[0] == "-" else 1)


@remembered
def dates(text: str) -> tuple[Moment, ...]:
    """Readings of a text that is one date, maybe with its time: ISO 8601, day and month in either order, months by
    name in twelve languages, East Asian writing."""
    if len(text) > _LONGEST:
        return ()
    text = " ".join(unicodedata.normalize("NFKC", text).split())
    if len(text) < 6 or not any(char.isdigit() for char in text):
        return ()
    if (match := _ISO.match(text)) is not None:
        found = _day(int(match[1]), int(match[2]), int(match[3]))
        if found is None or not match[4]:
            return (Moment(found),) if found else ()
        minutes, second = int(match[4]) * 60 + int(match[5]), int(match[6]) if match[6] else None
        return (Moment(found, minutes, second, _offset(match[7]) if match[7] else None),)
    clock = None
    if (match := _CLOCK.search(text)) is not None:
        hour = int(match[1])
        if match[4]:
            hour = hour % 12 + (12 if match[4][0] in "pP" else 0)
        clock, text = hour * 60 + int(match[2]), text[: match.start()]
    if (match := _WEEKDAY.match(text)) is not None and _plain(match[0].strip(" .,")) not in _MONTHS:
        text = text[match.end() :]
    return tuple(dict.fromkeys(Moment(found, clock) for found in _days(text)))


def _days(text: str) -> list[date]:
    found: list[date | None] = []
    if (match := _EAST_DATE.match(text)) is not None:
        found = [_day(int(match[1]), int(match[2]), int(match[3]))]
    elif (match := _NUMERIC_DATE.match(text)) is not None:
        first, middle, last = match[1], match[3], match[4]
        if len(first) == 4:
            found = [_day(int(first), int(middle), int(last))]
        elif len(last) in (2, 4) and len(first) <= 2:
            year = _year(last)
            found = [_day(year, int(middle), int(first)), _day(year, int(first), int(middle))]
    else:
        parts = [part for part in re.split(r"[\s,]+|(?<=\d)-(?=\D)|(?<=\D)-(?=\d)", text) if part]
        parts = [part for part in parts if _plain(part) not in ("de", "of", "the", "del", "le")]
        if len(parts) == 3:
            months = [_MONTHS.get(_plain(part.rstrip("."))) for part in parts]
            named = [place for place, month in enumerate(months) if month]
            if len(named) == 1:
                others = [part for place, part in enumerate(parts) if place != named[0]]
                if len(others[0]) == 4 and others[0].isdigit():
                    others.reverse()
                day = _DAY.match(others[0])
                if day and others[1].isdecimal() and len(others[1]) == 4:
                    found = [_day(int(others[1]), months[named[0]] or 0, int(day[1]))]
    return [each for each in found if each is not None]


@remembered
def urls(text: str) -> tuple[str, ...]:
    """The web address that a text is, without what does not change where it leads: http or https, letter case of
    the host, default port, a trailing slash, order of the query, escapes that are not needed, a fragment that names a
    place of the page (one that begins with / or ! is how pages of scripts are addressed)."""
    text = text.strip()
    if len(text) > _LONGEST_ADDRESS or _URL.match(text) is None:
        return ()
    try:
        parts = urlsplit(text if "//" in text[:8] else "//" + text)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return ()
    if not host:
        return ()
    place = f":{port}" if port and port not in (80, 443) else ""
    path = quote(unquote(parts.path), safe="/%:@!$&'()*+,;=~-._", errors="surrogatepass").rstrip("/")
    query = "&".join(f"{name}={value}" for name, value in sorted(parse_qsl(parts.query, keep_blank_values=True)))
    inner = f"#{parts.fragment}" if parts.fragment[:1] in ("/", "!") and parts.fragment != "/" else ""
    return (f"{host}{place}{path}{'?' + query if query else ''}{inner}",)


@remembered
def emails(text: str) -> tuple[str, ...]:
    """The e-mail address that a text is."""
    match = _EMAIL.match(text.strip()) if len(text) <= 320 else None
    return (match[1].casefold(),) if match else ()


@remembered
def phones(text: str) -> tuple[tuple[str, bool], ...]:
    """The phone number that a text is: its digits, and whether they start with the country's code."""
    text = unicodedata.normalize("NFKC", text).strip()
    if len(text) > _LONGEST or _PHONE.match(text) is None:
        return ()
    bare = text.lower().removeprefix("tel:")
    digits = re.sub(r"\D", "", bare.replace("(0)", ""))
    international = bare.startswith("+") or digits.startswith("00")
    digits = digits.removeprefix("00") if international else digits.removeprefix("0")
    return ((digits, international),) if 6 <= len(digits) <= 15 else ()


def same_phone(one: tuple[str, bool], other: tuple[str, bool]) -> bool:
    """Whether two phone numbers are one, where one of them may lack the country's code."""
    if one[1] == other[1]:
        return one[0] == other[0]
    long, short = (one[0], other[0]) if one[1] else (other[0], one[0])
    return long.endswith(short) and 1 <= len(long) - len(short) <= 3
