"""What kind of value a property states: decided by its range first, then by the value's own shape."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from schemaproof.agents.grounding import addresses
from schemaproof.agents.grounding.dates import clock_of, moment_of
from schemaproof.agents.grounding.durations import seconds_of
from schemaproof.agents.grounding.numbers import number_of
from schemaproof.vocabulary import Vocabulary


class Shape(StrEnum):
    """The kinds of values, each looked for in its own way."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    DURATION = "duration"
    BOOLEAN = "truth value"
    ADDRESS = "web address"
    EMAIL = "e-mail address"
    PHONE = "telephone number"
    COUNTRY = "country"
    REGION = "state or province"
    LANGUAGE = "language"
    CURRENCY = "currency"
    UNIT = "unit"
    HOURS = "opening hours"
    MEMBER = "enumeration member"
    MIME = "media type"
    DAY = "day of the week"


_BY_NAME = {
    "email": Shape.EMAIL,
    "telephone": Shape.PHONE,
    "faxNumber": Shape.PHONE,
    "phone": Shape.PHONE,
    "addressCountry": Shape.COUNTRY,
    "addressRegion": Shape.REGION,
    "nationality": Shape.COUNTRY,
    "countryOfOrigin": Shape.COUNTRY,
    "eligibleRegion": Shape.COUNTRY,
    "inLanguage": Shape.LANGUAGE,
    "availableLanguage": Shape.LANGUAGE,
    "knowsLanguage": Shape.LANGUAGE,
    "language": Shape.LANGUAGE,
    "priceCurrency": Shape.CURRENCY,
    "currency": Shape.CURRENCY,
    "currenciesAccepted": Shape.CURRENCY,
    "salaryCurrency": Shape.CURRENCY,
    "unitCode": Shape.UNIT,
    "unitText": Shape.UNIT,
    "openingHours": Shape.HOURS,
    "hoursAvailable": Shape.HOURS,
    "encodingFormat": Shape.MIME,
    "fileFormat": Shape.MIME,
    "dayOfWeek": Shape.DAY,
    "byDay": Shape.DAY,
}
# A number under these alone is a name or a code that happens to be of digits.
_TEXTUAL = frozenset(("Text", "URL", "PropertyValue", "DefinedTerm", "CategoryCode", "PostalCodeRangeSpecification"))
# Constants that job postings use, though the range is Text (Google's documentation of JobPosting).
_EMPLOYMENT = frozenset(("FULL_TIME", "PART_TIME", "CONTRACTOR", "TEMPORARY", "INTERN", "VOLUNTEER"))
_SCHEMA = re.compile(r"https?://(?:www\.)?schema\.org/+", re.IGNORECASE)
_COUNTRY_CODE = re.compile(r"[A-Za-z]{2,3}")


@lru_cache(maxsize=4096)
def _ranges(vocabulary: Vocabulary, name: str) -> frozenset[str]:
    known = vocabulary.properties.get(name)
    return frozenset(known.ranges) if known else frozenset()


def bare_member(value: str) -> str:
    """The name of a term written as a Schema.org IRI, or the value itself."""
    return _SCHEMA.sub("", value.strip(), count=1)


def shape_of(vocabulary: Vocabulary, name: str, value: object) -> Shape:
    """The shape of a value under a property.

    Arguments:
        vocabulary: what ranges are looked up in.
        name: the property.
        value: the literal as in the source.
    """
    if isinstance(value, bool):
        return Shape.BOOLEAN
    ranges = _ranges(vocabulary, name)
    if isinstance(value, (int, float)):
        if "Boolean" in ranges and value in (0, 1) and not ranges & {"Number", "Integer", "Text"}:
            return Shape.BOOLEAN
        return Shape.PHONE if name in ("telephone", "faxNumber") else Shape.NUMBER
    text = str(value).strip()
    known = _BY_NAME.get(name)
    if known is not None:
        if known is Shape.EMAIL and addresses.email_of(text):
            return known
        if known is Shape.PHONE and sum(c.isdigit() for c in text) >= 5:
            return known
        if known not in (Shape.EMAIL, Shape.PHONE):
            return known
    bare = bare_member(text)
    if name == "employmentType" and bare in _EMPLOYMENT:
        return Shape.MEMBER
    if bare in ("True", "False") and text.lower() not in ("true", "false"):
        return Shape.BOOLEAN
    if (
        bare not in ("True", "False")
        and bare in vocabulary.individuals
        and (bare != text or _is_member(vocabulary, ranges, bare))
    ):
        return Shape.MEMBER
    if bare != text and re.fullmatch(r"[A-Z]\w+", bare):
        return Shape.MEMBER
    if text.lower() in ("true", "false") and (not ranges or "Boolean" in ranges or "Text" not in ranges):
        return Shape.BOOLEAN
    if "Boolean" in ranges and text.lower() in ("true", "false", "yes", "no"):
        return Shape.BOOLEAN
    if text.lower().startswith("mailto:") or (addresses.email_of(text) and "@" in text):
        return Shape.EMAIL
    if text.lower().startswith("tel:"):
        return Shape.PHONE
    if addresses.is_address(text):
        return Shape.ADDRESS
    if ("Duration" in ranges or text[:1] in "Pp-") and seconds_of(text) is not None and len(text) > 2:
        return Shape.DURATION
    dated = bool(ranges & {"Date", "DateTime"})
    if (dated or (re.match(r"[-+]?\d{4}-\d{2}", text) and number_of(text) is None)) and moment_of(text) is not None:
        return Shape.DATE
    if ("Time" in ranges or re.fullmatch(r"T?\d{1,2}:\d{2}(?::\d{2})?.*", text)) and clock_of(text) is not None:
        return Shape.TIME
    if number_of(text) is not None and (not ranges or not ranges <= _TEXTUAL):
        return Shape.NUMBER
    return Shape.TEXT


def _is_member(vocabulary: Vocabulary, ranges: frozenset[str], bare: str) -> bool:
    return any(vocabulary.is_a(of, each) for of in vocabulary.member_types(bare) for each in ranges)


def wanted_shapes(vocabulary: Vocabulary, name: str) -> frozenset[Shape]:
    """The shapes that a property's range allows; empty where any will do."""
    return _wanted(vocabulary, name)


_OF_RANGE = {
    "Date": Shape.DATE,
    "DateTime": Shape.DATE,
    "Time": Shape.TIME,
    "Duration": Shape.DURATION,
    "Number": Shape.NUMBER,
    "Integer": Shape.NUMBER,
    "Float": Shape.NUMBER,
    "QuantitativeValue": Shape.NUMBER,
    "Boolean": Shape.BOOLEAN,
    "URL": Shape.ADDRESS,
}


@lru_cache(maxsize=4096)
def _wanted(vocabulary: Vocabulary, name: str) -> frozenset[Shape]:
    return frozenset(shape for each, shape in _OF_RANGE.items() if each in _ranges(vocabulary, name))
