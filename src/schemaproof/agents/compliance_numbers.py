"""Formats of numbers, prices, currencies, quantities and coordinates.

Sources: the definitions of price, priceCurrency, ratingValue, unitCode, calories and latitude on schema.org; ISO 4217.
"""

from __future__ import annotations

import re

from schemaproof.agents import compliance_codes as codes
from schemaproof.agents import compliance_names as names
from schemaproof.agents import compliance_repair as repair
from schemaproof.agents.compliance_fault import Check, Fault
from schemaproof.agents.compliance_times import date
from schemaproof.agents.compliance_words import UNITS

NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d+(?:\.0+)?", re.ASCII)
_UNIT_CODES = frozenset(codes.UNIT_CODES.values())
_UNIT = re.compile(r"[A-Z0-9]{1,3}|[A-Za-z]+:[^\s:]+|https?://\S+")
_QUANTITY = re.compile(
    r"[<>~≈±]?\s*[+-]?(?:\d[\d.,]*(?:\s?[/–-]\s?\d[\d.,]*)?|[½¼¾⅓⅔])\s*(?:[^\W\d_][^\d]*|[%°\"'′″].*|μg.*)", re.S
)


def number(text: str, _language: str) -> Fault | None:
    """A number in ASCII digits with a point as decimal mark (definitions of price and ratingValue)."""
    if NUMBER.fullmatch(text):
        return None
    better = repair.number(text)
    if better:
        if re.search(r"[-–]", text.strip()[1:]):
            return Fault("number-range", "is a range, not one number", probability=0.1)
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
    if NUMBER.fullmatch(text):
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


def rating(text: str, language: str) -> Fault | None:
    """A rating: a number (definition of ratingValue); the scale belongs into bestRating and worstRating."""
    fault = number(text, language)
    if fault is None or fault.suggestion:
        return fault
    if found := re.fullmatch(r"(\d+(?:[.,]\d+)?)\s*(?:/|of|out of|von|sur|de|su|van|из)\s*\d+.*", text):
        better = found[1].replace(",", ".")
        return Fault("rating-with-scale", "carries its scale, which belongs into bestRating", better, 0.1)
    if found := re.fullmatch(
        r"(\d+(?:[.,]\d+)?)\s*(?:%|stars?|sterne?|étoiles?|stelle|estrellas|points?|★+)", text, re.I
    ):
        return Fault("number-with-words", "carries words beside the number", found[1].replace(",", "."), 0.1)
    if stars := text.count("★"):
        return Fault("not-a-number", "is drawn, not written in figures", str(stars), 0.1)
    if re.search(r"\d", text) or len(text.split()) != 1:
        return Fault("not-a-number", "is not a rating in figures", probability=0.15)
    return Fault("rating-in-words", "is a grade in words, which few programs can use", probability=0.5)


def scale_end(text: str, language: str) -> Fault | None:
    """The best or worst rating of a scale: a small or round number."""
    fault = number(text, language)
    if fault or not text:
        return fault if fault and fault.suggestion else None
    value = float(text)
    if value != int(value) or (abs(value) > 10 and value % 5):
        return Fault("odd-scale", "is no end that a scale of ratings would have", probability=0.35)
    return None


def price(text: str, language: str) -> Fault | None:
    """A price: a number alone; the currency belongs into priceCurrency (definition of price)."""
    fault = number(text, language)
    if fault is None or fault.suggestion:
        return fault
    found = re.fullmatch(
        r"(?:[^\W\d_]{1,12}\.?\s*)?(?:[$€£¥₹₽₴₺₩₫]\s*)?(\d[\d.,\s'’]*)[-–—]*\s*[^\W\d_]{0,12}\.?", text
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


def latitude(text: str, language: str) -> Fault | None:
    """Degrees north (WGS 84), -90 to 90."""
    return _degrees(text, language, 90, "a latitude lies between -90 and 90")


def longitude(text: str, language: str) -> Fault | None:
    """Degrees east (WGS 84), -180 to 180."""
    return _degrees(text, language, 180, "a longitude lies between -180 and 180")


def _degrees(text: str, language: str, limit: float, said: str) -> Fault | None:
    if re.fullmatch(r"\d{1,3}\s?°.*[NSEWnsew]?", text):
        return Fault("not-decimal-degrees", "is in degrees and minutes; decimal degrees are asked", probability=0.3)
    if found := re.fullmatch(r"([+-]?\d+(?:[.,]\d+)?)\s?°?\s?([NSEWnsew])", text):
        sign = "-" if found[2] in "SWsw" else ""
        better = sign + found[1].replace(",", ".")
        return Fault("number-with-symbol", "carries the direction, which the sign gives", better, 0.1)
    fault = number(text, language)
    if fault:
        return fault
    return None if abs(float(text)) <= limit else Fault("out-of-range", f"is out of range: {said}")


def unit_code(text: str, _language: str) -> Fault | None:
    """UN/CEFACT Common Code of up to three characters, a prefixed code or a URL."""
    better = codes.UNIT_CODES.get(text.casefold(), "")
    if text.isdecimal():
        return Fault("not-a-unit-code", "is a number, not a unit code", probability=0.25)
    if _UNIT.fullmatch(text) and (not better or text in _UNIT_CODES):
        return None
    return Fault("not-a-unit-code", "is not a unit code of UN/CEFACT (such as KGM)", better, 0.1)


def quantity(text: str, _language: str) -> Fault | None:
    """A number with its unit ("<Number> <unit>": Mass, Energy, Distance)."""
    if _QUANTITY.fullmatch(text):
        return None
    if NUMBER.fullmatch(text) or repair.number(text):
        return Fault("unit-missing", "has no unit; '<number> <unit>' is asked", probability=0.6)
    return Fault("not-a-quantity", "is not a number with its unit", probability=0.08)


def dimension(own: str) -> Check:
    """A quantity whose unit, where it is a known one, is of one dimension."""

    def check(text: str, language: str) -> Fault | None:
        fault = quantity(text, language)
        unit = re.search(r"[^\W\d_]+", text)
        if fault or not unit:
            return fault
        measured = {name for name, units in UNITS.items() if unit[0].casefold() in units}
        if measured and own not in measured:
            return Fault("unit-of-other-kind", f"has a unit of {measured.pop()}, and {own} is asked", probability=0.1)
        return None

    return check


def year(text: str, language: str) -> Fault | None:
    """A year."""
    if re.fullmatch(r"[12]\d{3}|\d{1,4}", text, re.ASCII):
        return None
    if (fault := date(text, language)) is None and len(text) > 4:
        return Fault("date-for-year", "is a whole date where the year is asked", text[:4], 0.3)
    found = re.findall(r"(?<!\d)[12]\d{3}(?!\d)", text)
    return fault and Fault("not-a-year", "is not a year", found[0] if len(found) == 1 else "", 0.1)


def bounded(check: Check, low: float, high: float, said: str) -> Check:
    def bounded(text: str, language: str) -> Fault | None:
        fault = check(text, language)
        if fault:
            return fault
        return (
            None if low <= float(text) <= high else Fault("out-of-range", f"is out of range: {said}", probability=0.1)
        )

    return bounded
