"""Every format that Schema.org's definitions ask for, by name."""

from __future__ import annotations

from functools import lru_cache

from schemaproof.agents import compliance_names as names
from schemaproof.agents.compliance_contacts import (
    country,
    email,
    image,
    language_code,
    mime_type,
    postal_code,
    telephone,
    url,
)
from schemaproof.agents.compliance_fault import Check, Fault
from schemaproof.agents.compliance_identifiers import gtin, gtin_of, isbn, issn, pattern
from schemaproof.agents.compliance_numbers import (
    bounded,
    count,
    currencies,
    currency,
    dimension,
    integer,
    latitude,
    longitude,
    number,
    price,
    rating,
    scale_end,
    unit_code,
    year,
)
from schemaproof.agents.compliance_times import date, date_or_time, duration, opening_hours, time

_ZONE = r"[A-Z][A-Za-z_]+(?:/[A-Z][A-Za-z_+\-0-9]+)+|UTC|GMT|Z|[+-]\d{2}:?\d{2}|[A-Z]{3,4}"
_PAIR = r"[+-]?\d{1,3}(?:\.\d+)?[,\s]\s*[+-]?\d{1,3}(?:\.\d+)?"
_PAIRS = rf"{_PAIR}(?:[\s,;]+{_PAIR})*"


def boolean(text: str, _language: str) -> Fault | None:
    """True or false, in the spellings that consumers read."""
    plain = names.bare_term(text).casefold()
    if plain in ("true", "false"):
        return None
    better = {"yes": "true", "no": "false", "1": "true", "0": "false", "y": "true", "n": "false"}.get(plain, "")
    return Fault("not-a-boolean", "is neither true nor false", better, 0.15)


@lru_cache(maxsize=1)
def formats() -> dict[str, Check]:
    """Every format by its name, see `compliance_expectations`."""
    return {
        "number": number,
        "integer": integer,
        "count": count,
        "price": price,
        "rating": rating,
        "scale-end": scale_end,
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
        "mass": dimension("mass"),
        "energy": dimension("energy"),
        "distance": dimension("length"),
        "year": year,
        "gtin": gtin,
        "gtin8": gtin_of(8),
        "gtin12": gtin_of(12),
        "gtin13": gtin_of(13),
        "gtin14": gtin_of(14),
        "gln": gtin_of(13),
        "isbn": isbn,
        "issn": issn,
        "lei": pattern("lei-code", "a legal entity identifier of 20 characters", r"[A-Z0-9]{18}\d{2}"),
        "duns": pattern("duns", "a D-U-N-S number of nine digits", r"\d{2}-?\d{3}-?\d{4}"),
        "naics": pattern("naics", "a NAICS code of two to six digits", r"\d{2,6}(?:-\d{2})?(?:[\s,;]+\d{2,6})*"),
        "isic": pattern("isic", "an ISIC code", r"[A-Z]?\d{1,4}"),
        "iso6523": pattern("iso6523", "an identifier of ISO 6523 (XXXX:YYYY)", r"\d{4}:[^\s:]+(?::[^\s:]+)?"),
        "npi": pattern("npi", "a National Provider Identifier of ten digits", r"\d{10}"),
        "iata": pattern("iata-code", "an IATA code of two or three characters", r"[A-Z0-9]{2,3}\*?"),
        "icao": pattern("icao-code", "an ICAO code of three or four letters", r"[A-Z]{3}[A-Z0-9]?"),
        "vin": pattern("vin", "a vehicle identification number of 17 characters", r"[A-HJ-NPR-Z0-9]{11,17}"),
        "isrc": pattern("isrc", "an ISRC", r"[A-Z]{2}-?[A-Z0-9]{3}-?\d{2}-?\d{5}"),
        "iswc": pattern("iswc", "an ISWC", r"T-?\d{3}\.?\d{3}\.?\d{3}-?\d"),
        "eidr": pattern("eidr", "an EIDR identifier (10.5240/...)", r"(?:https?://\S+|(?:doi:)?10\.\d{4,5}/\S+)"),
        "sha256": pattern("sha256", "a SHA-256 sum of 64 hexadecimal digits", r"[0-9a-fA-F]{64}"),
        "time-zone": pattern("time-zone", "a time zone of IANA", _ZONE),
        "by-day": pattern("by-day", "a day such as Monday or 2MO", r"[+-]?\d{0,2}(?:MO|TU|WE|TH|FR|SA|SU)|(?:https?://schema\.org/)?(?:[MTWFS][a-z]+day|PublicHolidays)"),
        "css": pattern("css-selector", "a CSS selector", r"[.#\[*:a-zA-Z][^{}]{0,200}"),
        "xpath": pattern("xpath", "an XPath expression", r"(?:/|\.|\(|id\(|[a-z*@][\w:-]*(?:/|\[|::|$)).{0,400}"),
        "points": pattern("coordinates", "a list of points, each latitude and longitude", _PAIRS),
        "circle": pattern("circle", "a point and a radius", rf"{_PAIR}[\s,]+\d+(?:\.\d+)?.*"),
        "http-method": pattern("http-method", "a method of HTTP", r"(?i:get|put|post|delete|patch|head|options)"),
        "ticker": pattern("ticker-symbol", "a ticker symbol", r"[A-Z]{2,8}[\s:]+[A-Z0-9.&-]{1,10}|[A-Z0-9.]{1,6}"),
        "month": bounded(integer, 1, 12, "months run from 1 to 12"),
        "month-day": bounded(integer, -31, 31, "days run from 1 to 31"),
    }  # fmt: skip
