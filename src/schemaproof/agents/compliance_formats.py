"""The formats that Schema.org's definitions ask for, each a function from a text to what is wrong with it.

Sources: the definitions of the properties on schema.org (price, priceCurrency, openingHours, cookTime, addressCountry,
inLanguage...), ISO 8601, ISO 4217, ISO 3166-1, IETF BCP 47, GS1 General Specifications (check digit, 7.9), RFC 5322
(addr-spec), RFC 3986.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from schemaproof.agents import compliance_codes as codes
from schemaproof.agents import compliance_names as names
from schemaproof.agents import compliance_repair as repair


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a value.

    Attributes:
        rule: stable rule id.
        reason: the end of a sentence that starts with the value ("is not an ISO 8601 duration").
        suggestion: what to write instead, or "".
        probability: chance that the value is right all the same; at 0.5 and above it is only untidy.
    """

    rule: str
    reason: str
    suggestion: str = ""
    probability: float = 0.03

    @property
    def untidy(self) -> bool:
        """True where the value may stand but deserves a warning."""
        return self.probability >= 0.5


Check = Callable[[str, str], Fault | None]

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d+(?:\.0+)?", re.ASCII)
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):(?!\d+(?:/|$))")
_WEB = re.compile(r"(?i)(?:https?|ftp)://[^\s/?#]+(?:[/?#]\S*)?$")
_HOSTLIKE = re.compile(r"(?i)(?:[\w-]+\.)+[a-z]{2,24}(?::\d+)?(?:[/?#]\S*)?$")
_FILELIKE = re.compile(r"[^\s<>\"{}|\\^`]*[/#?.][^\s<>\"{}|\\^`]*$")
_EMAIL = re.compile(r"[^\s@<>,;:()\[\]\"/]+@[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{2,24}")
_HIDDEN_EMAIL = re.compile(
    r"(?i)\[?email\s*protected\]?|\S+\s*[\[({]\s*(?:at|@|æt)\s*[\])}]\s*\S+|\S+\s+at\s+\S+\s+dot\s+\S+"
)
_PHONE = re.compile(r"[+(\d][\d\s().+/ ‐-–-]*(?:(?:ext|extension|x|poste|wew|int|доб)\.?\s*[:#]?\s*\d{1,6})?", re.I)
_VANITY = re.compile(r"\+?1?[-. (]*8\d\d[-. )]*[A-Z0-9-]{7,12}")
_EMERGENCY = frozenset({"110", "111", "112", "113", "114", "115", "116", "117", "118", "119", "122", "999", "911"})
_DATE = re.compile(r"([+-]?\d{4})(?:-(\d{2})(?:-(\d{2}))?|-W\d{2}(?:-[1-7])?|-\d{3})?", re.ASCII)
_BASIC_DATE = re.compile(r"(\d{4})(\d{2})(\d{2})", re.ASCII)
_TIME = re.compile(r"(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?", re.ASCII)
_DURATION = re.compile(
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
_LANGUAGE = re.compile(r"[a-zA-Z]{2,3}(?:[-_][a-zA-Z0-9]{2,8})*")
_MIME = re.compile(
    r"(?:application|audio|chemical|font|example|image|message|model|multipart|text|video)/[\w.+*-]+(?:\s*;.*)?"
)
_UNIT = re.compile(r"[A-Z0-9]{1,3}|[A-Za-z]+:[^\s:]+|https?://\S+")
_QUANTITY = re.compile(
    r"[<>~≈±]?\s*[+-]?(?:\d[\d.,]*(?:\s?[/–-]\s?\d[\d.,]*)?|[½¼¾⅓⅔])\s*(?:[^\W\d_][^\d]*|[%°\"'′″].*|μg.*)", re.S
)
_IMAGE_NAMES = "jpg jpeg png gif webp svg avif bmp ico tif tiff jfif heic apng"
IMAGES = frozenset(_IMAGE_NAMES.split())
_MEDIA = frozenset((_IMAGE_NAMES + " mp4 webm mov avi mkv m4v mp3 ogg wav m4a flac m3u8").split())
_PAGE_NAMES = "html htm php asp aspx jsp xhtml shtml cfm pdf doc docx xml rss atom"
_PAGES = frozenset(_PAGE_NAMES.split())
_LONG_BREAK = re.compile(r"\s")


def number(text: str, _language: str) -> Fault | None:
    """A number in ASCII digits with a point as decimal mark (definitions of price and ratingValue)."""
    if _NUMBER.fullmatch(text):
        return None
    better = repair.number(text)
    if better:
        if repair.ascii_digits(text) != text:
            return Fault("digits-not-ascii", "uses digits other than 0 to 9", better)
        if re.search(r"[^\d\s.,+'’-]", text):
            return Fault("number-with-symbol", "carries a symbol beside the number", better)
        return Fault(
            "number-separator", "has a decimal comma or thousands separators; numbers use a point only", better
        )
    return Fault("not-a-number", "is not a number")


def integer(text: str, language: str) -> Fault | None:
    """A whole number."""
    if _INTEGER.fullmatch(text):
        return None
    if _NUMBER.fullmatch(text):
        return Fault("not-an-integer", "is not a whole number", probability=0.2)
    fault = number(text, language)
    if fault and not fault.suggestion and (found := re.match(r"\s*(\d[\d.,  ]*)\s*[^\d]*$", text)):
        return Fault("number-with-words", "carries words beside the number", repair.number(found[1].strip()), 0.1)
    return fault


def count(text: str, language: str) -> Fault | None:
    """How many of something: a whole number not below zero."""
    if text.startswith("-") and _INTEGER.fullmatch(text):
        return Fault("negative-count", "is below zero, and it counts something")
    return integer(text, language)


def price(text: str, language: str) -> Fault | None:
    """A price: a number alone; the currency belongs into priceCurrency (definition of price)."""
    fault = number(text, language)
    if fault is None or fault.suggestion:
        return fault
    found = re.fullmatch(
        r"(?:[^\W\d_]{1,12}\.?\s*)?(?:[$€£¥₹₽₴₺₩₫]\s*)?(\d[\d.,\s'’]*)(?:,-|\.-)?\s*[^\W\d_]{0,12}\.?", text
    )
    better = repair.number(found[1].strip()) if found else ""
    if better:
        return Fault("number-with-symbol", "carries the currency, which belongs into priceCurrency", better)
    if text.strip().casefold() in ("free", "gratis", "kostenlos", "gratuit", "kostenfrei", "бесплатно", "無料", "免费"):
        return Fault("not-a-number", "is a word; a price of nothing is 0", "0")
    if re.fullmatch(r"\D{0,4}\d[\d.,]*\D{0,5}[-–—]\D{0,4}\d[\d.,]*\D{0,5}", text):
        return Fault("price-range", "is a range; use lowPrice and highPrice, or minPrice and maxPrice")
    return Fault("not-a-number", "is not a price in figures")


def currency(text: str, language: str) -> Fault | None:
    """ISO 4217 code, ticker symbol of a cryptocurrency, or name of a local exchange trading system."""
    if text in names.currency_codes() or text in codes.TICKERS or text.casefold() in codes.LOCAL_CURRENCIES:
        return None
    upper = text.upper()
    if upper in names.currency_codes() or upper in codes.TICKERS:
        return Fault("currency-case", "should be in capitals", upper, 0.6)
    better = names.currency_code(text, language)
    if better or not re.fullmatch(r"[A-Z]{3,5}", text):
        return Fault(
            "not-a-currency-code", "is not a currency code (ISO 4217, such as EUR, or a ticker symbol)", better
        )
    return Fault("unknown-currency-code", "is no code of ISO 4217 and no ticker symbol known here", probability=0.25)


def currencies(text: str, language: str) -> Fault | None:
    """One currency, or several parted by commas (currenciesAccepted)."""
    parts = [part for part in re.split(r"\s*[,;/|]\s*|\s+", text) if part]
    if len(parts) > 1 and not currency(parts[0], language) and len(parts[0]) <= 5:
        return next((fault for part in parts if (fault := currency(part, language))), None)
    return currency(text, language)


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
    if _DURATION.fullmatch(text):
        return Fault("duration-for-date", "is a duration, not a date")
    better = repair.date(text, language)
    return Fault("not-a-date", "is not a date in ISO 8601 (such as 2024-05-31)", better, 0.1 if better else 0.03)


def _real_date(found: re.Match[str] | None, text: str) -> Fault | None:
    if not found or not found[2]:
        return None
    month, day = int(found[2]), int(found[3] or 1)
    try:
        datetime.date(max(1, min(9999, abs(int(found[1])))), month, day)
    except ValueError:
        better = f"{found[1]}-{found[3]}-{found[2]}" if found[3] and month > 12 >= day else ""
        return Fault("no-such-date", "is no day of the calendar", better, 0.05)
    return None


def _clock_time(text: str) -> bool:
    """True where the text is no ISO 8601 time of day."""
    found = _TIME.fullmatch(text)
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
    if _DURATION.fullmatch(text):
        return None
    if _DURATION.fullmatch(text.upper()) and not text.isupper():
        return Fault("duration-case", "should be in capitals", text.upper(), 0.5)
    better = repair.duration(text)
    return Fault("not-a-duration", "is not a duration in ISO 8601 (such as PT30M)", better)


def boolean(text: str, _language: str) -> Fault | None:
    """True or false, in the spellings that consumers read."""
    plain = names.bare_term(text).casefold()
    if plain in ("true", "false"):
        return None
    better = {"yes": "true", "no": "false", "1": "true", "0": "false", "y": "true", "n": "false"}.get(plain, "")
    return Fault("not-a-boolean", "is neither true nor false", better, 0.15)


def opening_hours(text: str, _language: str) -> Fault | None:
    """Two-letter days, then times of the 24-hour clock (definition of openingHours)."""
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


def url(text: str, _language: str) -> Fault | None:
    """An address: absolute, or one that can be resolved against the page."""
    plain = text.strip()
    if _WEB.match(plain):
        return None
    if _LONG_BREAK.search(plain):
        if _WEB.match(plain.split()[0]) and _SCHEME.match(plain) and not re.search(r"\s(?:https?|www)", plain):
            return Fault(
                "url-with-spaces", "has spaces, which addresses write as %20", re.sub(r"\s", "%20", plain), 0.5
            )
        return Fault("not-a-url", "is not an address (URL)")
    if _EMAIL.fullmatch(plain):
        return Fault("email-for-url", "is an e-mail address, not the address of a page", probability=0.08)
    if scheme := _SCHEME.match(plain):
        name = scheme[1].casefold()
        if name in ("tel", "mailto", "javascript", "data", "sms", "about", "callto"):
            return Fault("not-a-web-address", f"is a {name}: address, not the address of a page", probability=0.2)
        if name in ("http", "https"):
            return Fault("not-a-url", "is an incomplete address (URL)")
        if name == "file":
            return Fault("local-url", "points to a file of somebody's own machine", probability=0.5)
        return None
    if plain.startswith("//") and _HOSTLIKE.match(plain[2:]):
        return None
    if plain.startswith("www.") and _HOSTLIKE.match(plain):
        return Fault(
            "relative-url", "lacks its scheme and would be read as relative to the page", "https://" + plain, 0.6
        )
    if (
        _FILELIKE.match(plain)
        and not re.fullmatch(r"[\d.,:/-]+|\.+|[A-Z]\.|[a-z]{1,3}/[a-z]{1,3}", plain)
        and not plain.endswith(".")
    ):
        return Fault("relative-url", "is a relative address; only an absolute one is safe elsewhere", probability=0.75)
    return Fault("not-a-url", "is not an address (URL)")


def extension(text: str) -> str:
    """The file extension of an address, lower case, or ""."""
    path = re.split(r"[?#]", text, maxsplit=1)[0]
    last = path.rsplit("/", 1)[-1] if "://" not in path or path.count("/") > 2 else ""
    return last.rsplit(".", 1)[-1].casefold() if "." in last and len(last.rsplit(".", 1)[-1]) <= 5 else ""


def image(text: str, language: str) -> Fault | None:
    """The address of an image."""
    fault = url(text, language)
    if fault and not fault.untidy:
        return (
            Fault("data-url", "embeds the image in the markup", probability=0.6)
            if text.startswith("data:image/")
            else fault
        )
    if "#" in text and extension(text) not in IMAGES:
        return fault  # names a node of the page's own graph
    if extension(text) in _PAGES or is_home(text):
        return Fault("page-for-image", "is the address of a page, not of an image", probability=0.15)
    return fault


def is_home(text: str) -> bool:
    """True for the address of a whole site ("https://shop.example/")."""
    return bool(re.fullmatch(r"(?i)https?://[^/?#]+/?", text))


def media(text: str) -> bool:
    """True for the address of an image, a film or a recording, by its extension."""
    return extension(text) in _MEDIA


def email(text: str, _language: str) -> Fault | None:
    """One e-mail address."""
    plain = text.strip()
    if re.match(r"(?i)mailto:", plain):
        inner = re.split(r"\?", plain[7:])[0]
        return None if _EMAIL.fullmatch(inner) else Fault("not-an-email", "is not an e-mail address")
    if _EMAIL.fullmatch(plain):
        return None
    if _HIDDEN_EMAIL.search(plain):
        return Fault("email-hidden", "is a disguise of an e-mail address, which no program can use")
    found = _EMAIL.search(plain)
    return Fault("not-an-email", "is not an e-mail address", found[0] if found else "")


def telephone(text: str, _language: str) -> Fault | None:
    """One telephone or fax number."""
    plain = repair.ascii_digits(text.strip())
    plain = re.sub(r"(?i)^tel:\s*", "", plain)
    digits = re.sub(r"\D", "", plain)
    if plain in _EMERGENCY:
        return None
    if _PHONE.fullmatch(plain):
        if re.fullmatch(r"(?:19|20)\d\d[-./]\d\d?[-./]\d\d?|\d\d?[./]\d\d?[./](?:19|20)\d\d", plain):
            return Fault("date-for-telephone", "is a date, not a telephone number", probability=0.1)
        if len(digits) < 5:
            return Fault("not-a-telephone", "is too short for a telephone number", probability=0.1)
        if len(digits) > 22 or re.fullmatch(r"[+-]?\d+\.\d{4,}|\d+\.\d\d?", plain):
            return Fault("not-a-telephone", "is not a telephone number", probability=0.15)
        return None
    if _VANITY.fullmatch(plain):
        return None
    found = re.search(r"\+?\(?\d[\d\s().+/-]{5,}\d", plain)
    letters = sum(char.isalpha() for char in plain)
    if found and letters <= 24 and "@" not in plain:
        return Fault("telephone-with-words", "carries words beside the number", found[0].strip(), 0.5)
    return Fault("not-a-telephone", "is not a telephone number")


def country(text: str, language: str) -> Fault | None:
    """ISO 3166-1 code of two or three letters, or the full name of a country."""
    if names.country_code(text, language):
        return None
    if text.upper() in codes.ALPHA2 and len(text) == 2:
        return Fault("country-case", "should be in capitals", text.upper(), 0.6)
    if re.search(r"[\d@/:]", text) or len(text) > 60:
        return Fault("not-a-country", "is neither a country's code nor its name")
    if re.fullmatch(r"[A-Z]{2}", text):
        return Fault("not-a-country", "is no code of ISO 3166-1", probability=0.2)
    if text.isascii() and (not language or language == "en"):
        return Fault("not-a-country", "is neither a country's code nor its English name", probability=0.25)
    return None


def language_code(text: str, language: str) -> Fault | None:
    """A language tag of BCP 47."""
    found = _LANGUAGE.fullmatch(text)
    if found and names.is_language_code(re.split(r"[-_]", text)[0].lower()):
        better = text.replace("_", "-")
        return None if better == text else Fault("language-untidy", "uses _ where BCP 47 has -", better, 0.6)
    better = names.language_code(text, language)
    return Fault("not-a-language-code", "is not a language code of BCP 47 (such as en or pt-BR)", better, 0.1)


def latitude(text: str, language: str) -> Fault | None:
    """Degrees north (WGS 84), -90 to 90."""
    return _degrees(text, language, 90, "a latitude lies between -90 and 90")


def longitude(text: str, language: str) -> Fault | None:
    """Degrees east (WGS 84), -180 to 180."""
    return _degrees(text, language, 180, "a longitude lies between -180 and 180")


def _degrees(text: str, language: str, limit: float, said: str) -> Fault | None:
    if re.fullmatch(r"\d{1,3}\s?°.*[NSEWnsewО]?", text):
        return Fault("not-decimal-degrees", "is in degrees and minutes; decimal degrees are asked", probability=0.3)
    fault = number(text, language)
    if fault:
        return fault
    return None if abs(float(text)) <= limit else Fault("out-of-range", f"is out of range: {said}")


def postal_code(text: str, _language: str) -> Fault | None:
    """A postal code alone."""
    plain = repair.ascii_digits(text.strip())
    if re.fullmatch(r"[A-Za-z0-9]{1,10}(?:[\s‐-―-][A-Za-z0-9]{1,6}){0,2}", plain) and len(plain) <= 12:
        digits = sum(char.isdigit() for char in plain)
        if digits >= 2 and not re.search(r"[A-Za-z]{5}", plain):
            if re.fullmatch(r"\d+", plain) and not 3 <= len(plain) <= 10:
                return Fault("not-a-postal-code", "is too short or too long for a postal code", probability=0.2)
            if re.match(r"[A-Z]{3} \d{4}$", plain):
                return Fault("postal-code-untidy", "carries the region", plain[4:], 0.5)
            return None
    if plain.startswith("〒"):
        return None
    found = re.search(r"(?<!\d)\d{4,6}(?!\d)", plain)
    return Fault("not-a-postal-code", "is not a postal code", found[0] if found and len(plain) < 40 else "", 0.06)


def unit_code(text: str, _language: str) -> Fault | None:
    """UN/CEFACT Common Code of up to three characters, a prefixed code or a URL."""
    if _UNIT.fullmatch(text):
        return None
    better = codes.UNIT_CODES.get(text.casefold(), "")
    return Fault("not-a-unit-code", "is not a unit code of UN/CEFACT (such as KGM)", better, 0.1)


def mime_type(text: str, language: str) -> Fault | None:
    """A media type, or an address that names a format."""
    if _MIME.fullmatch(text.casefold()):
        return None
    if _WEB.match(text):
        return None
    if "/" in text or len(text.split()) > 3:
        return Fault("not-a-media-type", "is not a media type (such as application/pdf)", probability=0.15)
    return Fault("media-type-untidy", "names a format; a media type such as application/pdf is asked", probability=0.5)


def quantity(text: str, _language: str) -> Fault | None:
    """A number with its unit ("<Number> <unit>": Mass, Energy, Distance)."""
    if _QUANTITY.fullmatch(text):
        return None
    if _NUMBER.fullmatch(text) or repair.number(text):
        return Fault("unit-missing", "has no unit; '<number> <unit>' is asked", probability=0.6)
    return Fault("not-a-quantity", "is not a number with its unit", probability=0.08)


def year(text: str, language: str) -> Fault | None:
    """A year."""
    if re.fullmatch(r"[12]\d{3}|\d{1,4}", text, re.ASCII):
        return None
    if (fault := date(text, language)) is None and len(text) > 4:
        return Fault("date-for-year", "is a whole date where the year is asked", text[:4], 0.3)
    found = re.findall(r"(?<!\d)[12]\d{3}(?!\d)", text)
    return fault and Fault("not-a-year", "is not a year", found[0] if len(found) == 1 else "", 0.1)


def gtin(text: str, _language: str, lengths: tuple[int, ...] = (8, 12, 13, 14)) -> Fault | None:
    """GS1 number with its check digit."""
    plain = re.sub(r"[\s-]", "", text)
    if _WEB.match(plain):
        return None
    asked = " or ".join(str(length) for length in lengths)
    if not re.fullmatch(r"\d+", plain, re.ASCII):
        return Fault("not-a-gtin", f"is not a number of {asked} digits")
    if len(plain) not in lengths:
        return Fault("gtin-length", f"has {len(plain)} digits; {asked} are asked")
    if gs1_digit(plain[:-1]) != plain[-1]:
        return Fault("gtin-check-digit", f"has a wrong check digit: {plain[-1]} instead of {gs1_digit(plain[:-1])}")
    return None


def gs1_digit(body: str) -> str:
    """Check digit of a GS1 number without it (weights 3, 1, 3... from the right)."""
    total = sum(int(char) * (3 if index % 2 == 0 else 1) for index, char in enumerate(reversed(body)))
    return str(-total % 10)


def isbn(text: str, language: str) -> Fault | None:
    """ISBN of 10 or 13 digits with its check digit."""
    plain = re.sub(r"(?i)^(?:urn:)?isbn(?:-1[03])?[:\s]*|[\s‐-―-]", "", text)
    if re.fullmatch(r"\d{9}[\dXx]", plain, re.ASCII):
        total = sum((10 if char in "Xx" else int(char)) * (10 - index) for index, char in enumerate(plain))
        return Fault("isbn-check-digit", "has a wrong check digit", probability=0.15) if total % 11 else None
    if re.fullmatch(r"97[89]\d{10}", plain, re.ASCII):
        good = gs1_digit(plain[:-1]) == plain[-1]
        return (
            None
            if good
            else Fault("isbn-check-digit", "has a wrong check digit", plain[:-1] + gs1_digit(plain[:-1]), 0.15)
        )
    return Fault("not-an-isbn", "is not an ISBN of 10 or 13 digits")


def issn(text: str, _language: str) -> Fault | None:
    """ISSN: eight digits, the last a check digit."""
    plain = re.sub(r"(?i)^issn[:\s]*|[\s‐-―-]", "", text)
    if not re.fullmatch(r"\d{7}[\dXx]", plain, re.ASCII):
        return Fault("not-an-issn", "is not an ISSN of eight digits")
    total = sum((10 if char in "Xx" else int(char)) * (8 - index) for index, char in enumerate(plain))
    return Fault("issn-check-digit", "has a wrong check digit", probability=0.15) if total % 11 else None


def _pattern(rule: str, asked: str, expression: str) -> Check:
    compiled = re.compile(expression)

    def check(text: str, _language: str) -> Fault | None:
        return None if compiled.fullmatch(text.strip()) else Fault(f"not-{rule}", f"is not {asked}", probability=0.1)

    return check


def _gtin(*lengths: int) -> Check:
    return lambda text, language: gtin(text, language, lengths)


def _bounded(check: Check, low: float, high: float, said: str) -> Check:
    def bounded(text: str, language: str) -> Fault | None:
        fault = check(text, language)
        if fault:
            return fault
        return (
            None if low <= float(text) <= high else Fault("out-of-range", f"is out of range: {said}", probability=0.1)
        )

    return bounded


_ZONE = r"[A-Z][A-Za-z_]+(?:/[A-Z][A-Za-z_+\-0-9]+)+|UTC|GMT|Z|[+-]\d{2}:?\d{2}|[A-Z]{3,4}"
_PAIR = r"[+-]?\d{1,3}(?:\.\d+)?[,\s]\s*[+-]?\d{1,3}(?:\.\d+)?"
_PAIRS = rf"{_PAIR}(?:[\s,;]+{_PAIR})*"


@lru_cache(maxsize=1)
def formats() -> dict[str, Check]:
    """Every format by its name, see `compliance_expectations`."""
    return {
        "number": number,
        "integer": integer,
        "count": count,
        "price": price,
        "currency": currency,
        "currencies": currencies,
        "date": date,
        "time": time,
        "date-or-time": date_or_time,
        "duration": duration,
        "boolean": boolean,
        "opening-hours": opening_hours,
        "url": url,
        "image": image,
        "email": email,
        "telephone": telephone,
        "country": country,
        "language": language_code,
        "latitude": latitude,
        "longitude": longitude,
        "postal-code": postal_code,
        "unit-code": unit_code,
        "media-type": mime_type,
        "quantity": quantity,
        "year": year,
        "gtin": gtin,
        "gtin8": _gtin(8),
        "gtin12": _gtin(12),
        "gtin13": _gtin(13),
        "gtin14": _gtin(14),
        "gln": _gtin(13),
        "isbn": isbn,
        "issn": issn,
        "lei": _pattern("lei-code", "a legal entity identifier of 20 characters", r"[A-Z0-9]{18}\d{2}"),
        "duns": _pattern("duns", "a D-U-N-S number of nine digits", r"\d{2}-?\d{3}-?\d{4}"),
        "naics": _pattern("naics", "a NAICS code of two to six digits", r"\d{2,6}(?:-\d{2})?(?:[\s,;]+\d{2,6})*"),
        "isic": _pattern("isic", "an ISIC code", r"[A-Z]?\d{1,4}"),
        "iso6523": _pattern("iso6523", "an identifier of ISO 6523 (XXXX:YYYY)", r"\d{4}:[^\s:]+(?::[^\s:]+)?"),
        "npi": _pattern("npi", "a National Provider Identifier of ten digits", r"\d{10}"),
        "iata": _pattern("iata-code", "an IATA code of two or three characters", r"[A-Z0-9]{2,3}\*?"),
        "icao": _pattern("icao-code", "an ICAO code of three or four letters", r"[A-Z]{3}[A-Z0-9]?"),
        "vin": _pattern("vin", "a vehicle identification number of 17 characters", r"[A-HJ-NPR-Z0-9]{11,17}"),
        "isrc": _pattern("isrc", "an ISRC", r"[A-Z]{2}-?[A-Z0-9]{3}-?\d{2}-?\d{5}"),
        "iswc": _pattern("iswc", "an ISWC", r"T-?\d{3}\.?\d{3}\.?\d{3}-?\d"),
        "eidr": _pattern("eidr", "an EIDR identifier (10.5240/...)", r"(?:https?://\S+|(?:doi:)?10\.\d{4,5}/\S+)"),
        "sha256": _pattern("sha256", "a SHA-256 sum of 64 hexadecimal digits", r"[0-9a-fA-F]{64}"),
        "time-zone": _pattern("time-zone", "a time zone of IANA", _ZONE),
        "by-day": _pattern("by-day", "a day such as Monday or 2MO", r"[+-]?\d{0,2}(?:MO|TU|WE|TH|FR|SA|SU)|(?:https?://schema\.org/)?(?:[MTWFS][a-z]+day|PublicHolidays)"),
        "css": _pattern("css-selector", "a CSS selector", r"[.#\[*:a-zA-Z][^{}]{0,200}"),
        "xpath": _pattern("xpath", "an XPath expression", r"(?:/|\.|\(|id\(|[a-z*@][\w:-]*(?:/|\[|::|$)).{0,400}"),
        "points": _pattern("coordinates", "a list of points, each latitude and longitude", _PAIRS),
        "circle": _pattern("circle", "a point and a radius", rf"{_PAIR}[\s,]+\d+(?:\.\d+)?.*"),
        "http-method": _pattern("http-method", "a method of HTTP", r"(?i:get|put|post|delete|patch|head|options)"),
        "ticker": _pattern("ticker-symbol", "a ticker symbol", r"[A-Z]{2,8}[\s:]+[A-Z0-9.&-]{1,10}|[A-Z0-9.]{1,6}"),
        "month": _bounded(integer, 1, 12, "months run from 1 to 12"),
        "month-day": _bounded(integer, -31, 31, "days run from 1 to 31"),
    }  # fmt: skip


def country_like(text: str, language: str) -> bool:
    """True for the full name of a country (not its code)."""
    return len(text) <= 40 and bool(names.country_name(text, language))
