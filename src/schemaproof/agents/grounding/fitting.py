"""Whether a value is of the kind that its property states at all.

A page that prints "HNC Accounting" does not thereby say when a course starts. What stands on the page but cannot be
what the property asks for says something else there, so the statement contradicts the page. Only plain cases are told:
where a person would need the definition's fine print, that is the compliance agent's work.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from schemaproof.agents.grounding import addresses
from schemaproof.agents.grounding.claim import Claim
from schemaproof.agents.grounding.dates import clock_of, moment_of
from schemaproof.agents.grounding.durations import seconds_of
from schemaproof.agents.grounding.locales import tables
from schemaproof.agents.grounding.numbers import number_of
from schemaproof.agents.grounding.shapes import Shape, bare_member
from schemaproof.vocabulary import Vocabulary

# Ranges of which only an address can be given as a literal.
_ADDRESSED = frozenset(
    ["URL", "ImageObject", "MediaObject", "VideoObject", "AudioObject", "WebPage", "WebSite", "Photograph", "Clip"]
)
_MACHINE = frozenset((Shape.NUMBER, Shape.DATE, Shape.DURATION, Shape.EMAIL, Shape.PHONE, Shape.TIME))
_NUMERIC = frozenset(("Number", "Integer", "Float", "QuantitativeValue", "MonetaryAmount", "StructuredValue"))
_MEASURED = frozenset(("Mass", "Distance", "Energy", "Duration"))
_DATED = frozenset(("Date", "DateTime"))
_NUMBER_WORD = re.compile(r"\d|½|¼|¾|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|half|none|no|free)\b")
_HTTP = re.compile(r"\s*(?:https?:)?//", re.IGNORECASE)
_MACHINE_DATE = re.compile(r"\s*\d{4}-\d{2}-\d{2}(?:[T ].*)?\s*")

_NAMES = frozenset(
    [
        "name",
        "headline",
        "alternateName",
        "alternativeHeadline",
        "givenName",
        "familyName",
        "jobTitle",
        "legalName",
        "description",
        "text",
        "caption",
        "articleBody",
        "reviewBody",
        "articleSection",
        "keywords",
        "characterName",
        "addressLocality",
        "addressRegion",
        "streetAddress",
        "telephone",
        "faxNumber",
        "postalCode",
        "color",
        "material",
        "slogan",
        "additionalName",
        "streetAddress",
        "postOfficeBoxNumber",
        "courseMode",
        "servesCuisine",
        "openingHours",
        "paymentAccepted",
        "award",
    ]
)


# Codes that are never a few plain words.
_WORDLESS = frozenset(
    ["sku", "mpn", "productID", "courseCode", "serialNumber", "codeValue", "termCode", "accountId", "callSign"]
)
_PROSE = frozenset(
    [
        "description",
        "reviewBody",
        "articleBody",
        "text",
        "genre",
        "keywords",
        "category",
        "jobTitle",
        "caption",
        "disambiguatingDescription",
    ]
)
# How many words a name has at most.
_LONGEST = {"name": 40, "alternateName": 25, "headline": 45, "legalName": 16, "characterName": 12, "slogan": 40}
_PHONE_ONLY = re.compile(r"\s*(?:\+|00|\()?\d[\d ()./-]{7,20}\d\s*")
_POSTAL_CODE = re.compile(
    r"\d{4,6}(?:-\d{3,4})?|[a-z]{1,2}\d[a-z\d]? \d[a-z]{2}|[a-z]\d[a-z] ?\d[a-z]\d|\d{4} ?[a-z]{2}|\d{3}[- ]\d{2,4}"
)


@lru_cache(maxsize=4096)
def _data_ranges(vocabulary: Vocabulary, name: str) -> tuple[frozenset[str], bool, bool]:
    """The range, whether it has text, whether members of an enumeration and no data types are asked for."""
    known = vocabulary.properties.get(name)
    ranges = frozenset(known.ranges) if known else frozenset()
    enumerated = any(map(vocabulary.is_enumeration, ranges)) and not any(map(vocabulary.is_data_type, ranges))
    return ranges, not ranges or "Text" in ranges, enumerated


@lru_cache(maxsize=1)
def _expected() -> tuple[dict[str, tuple[int, bool]], dict[str, re.Pattern[str]]]:
    """Property → (words at most, whether a digit is sure), and property → stock of words; from `expected.txt`."""
    limits: dict[str, tuple[int, bool]] = {}
    stocks: dict[str, re.Pattern[str]] = {}
    text = (files("schemaproof.agents.grounding") / "expected.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        name, mark, rest = re.split(r" ?([:~]) ", line, maxsplit=1)
        if mark == "~":
            stocks[name] = re.compile(rest)
        else:
            words, _, digit = rest.partition(" ")
            limits[name] = int(words), digit == "+"
    return limits, stocks


def _length(claim: Claim) -> int:
    """Words of a text as its script counts them: by spaces, or three characters a word."""
    alone = sum(1 for word in claim.words if word > "\u0e00" and len(word) == 1)
    return max(len(claim.text.split()), alone // 3)


def misfit(claim: Claim, vocabulary: Vocabulary, language: str = "") -> str:
    """What the property asks for that the value cannot be; "" where it fits or nobody can tell.

    Arguments:
        claim: the statement.
        vocabulary: for ranges.
        language: the page's, for names of countries and languages.
    """
    ranges, textual, enumerated = _data_ranges(vocabulary, claim.name)
    member = bare_member(claim.text)
    if member != claim.text.strip() and member in vocabulary.individuals:
        return _wrong_member(claim, vocabulary, ranges, member)
    return (
        _by_range(claim, ranges, textual, enumerated)
        or _by_name(claim, language)
        or _by_form(claim, vocabulary, ranges, textual)
    )


def _wrong_member(claim: Claim, vocabulary: Vocabulary, ranges: frozenset[str], member: str) -> str:
    """A member of an enumeration, given by its address, under a property of something else."""
    if not ranges or claim.name == "additionalType":
        return ""
    if any(vocabulary.is_a(of, each) for of in vocabulary.member_types(member) for each in ranges):
        return ""
    if claim.name in ("dayOfWeek", "byDay"):
        return "a day of the week"
    if "Text" in ranges and claim.name not in _NAMES:
        return ""
    return "a text" if "Text" in ranges else "something else than a member of that enumeration"


def _by_range(claim: Claim, ranges: frozenset[str], textual: bool, enumerated: bool) -> str:
    """What the range alone rules out."""
    if not ranges or textual:
        return ""
    text, folded, shape = claim.text, claim.folded, claim.shape
    http = bool(_HTTP.match(text))
    digits = any(map(str.isdigit, folded))
    counted = digits or (len(claim.words) <= 4 and bool(_NUMBER_WORD.search(folded)))
    if ranges <= _DATED | {"Time"} and not _dated(claim):
        return "a date" if ranges & _DATED else "a time of day"
    if ranges <= _NUMERIC | _MEASURED | {"PropertyValue"}:
        if http or not counted:
            return "a number" if ranges & _NUMERIC else "an amount"
        if "Duration" in ranges and shape not in (Shape.NUMBER, Shape.DURATION) and not digits:
            return "a duration"
    if "Boolean" in ranges and shape is not Shape.BOOLEAN and not _truth(folded) and not http:
        return "true or false"
    if (
        "URL" in ranges
        and ranges <= _ADDRESSED
        and shape is not Shape.ADDRESS
        and shape is not Shape.EMAIL
        and not http
    ):
        return "" if re.match(r"[a-z][a-z0-9+.-]*:\S|#", text) else "a web address"
    if enumerated and (http or shape in _MACHINE):
        return "a member of an enumeration"
    return ""


def _by_name(claim: Claim, language: str) -> str:
    """What is known of single properties."""
    name, text, folded, shape = claim.name, claim.text, claim.folded, claim.shape
    http = bool(_HTTP.match(text))
    digits = any(map(str.isdigit, folded))
    count = len(claim.words)
    if name in ("latitude", "longitude"):
        number = number_of(claim.value)
        if number is not None and abs(number) > (90 if name == "latitude" else 180):
            return "a coordinate"
        return "a coordinate" if number is None and (http or not digits) else ""
    if shape is Shape.CURRENCY:
        return "" if _is_currency(claim) else "a currency"
    if name == "email":
        fits = "@" in text or re.search(r"\b(?:at|ät|arroba)\b|\[email|protected", folded)
        return "" if fits else "an e-mail address"
    if name in ("telephone", "faxNumber") and (sum(map(str.isdigit, folded)) < 3 or http):
        return "a telephone number"
    if name in ("contentSize", "fileSize", "position") and not digits:
        return "a number"
    # "On request" and its like are said of prices too.
    if name in ("price", "lowPrice", "highPrice") and not digits and (http or re.fullmatch(r"[A-Z]{3}", text)):
        return "a number"
    if name == "position" and (count > 3 or shape in (Shape.DURATION, Shape.ADDRESS, Shape.DATE)):
        return "a place in a list"
    if name in ("unitCode", "unitText") and number_of(claim.value) is not None:
        return "a unit"
    if name == "addressCountry" and not _is_country(claim, language):
        return "a country"
    if name in ("availableLanguage", "inLanguage", "knowsLanguage") and not _is_language(claim, language):
        return "a language"
    # "75002 Paris" is a place with its code; a house number is not.
    numbered = re.match(r"\d+\w?\s", folded) or re.search(r"\d{4}", folded)
    if name in ("addressLocality", "addressRegion") and numbered and not re.match(r"\d{4,6}\s+[^\W\d]", folded):
        return "a place"
    if name == "streetAddress":
        if _POSTAL_CODE.fullmatch(folded.strip()):
            return "a street address"
        street = _expected()[1]["_street"]
        if not digits and ((count > 7 and "," in text) or (count <= 2 and not street.search(folded))):
            return "a street address"
    if name == "openingHours" and not digits:
        known = re.search(r"24|open|clos|geoff|ferm|abiert|apert|always|daily", folded)
        return "" if known else "opening hours"
    limits, stocks = _expected()
    code = limits.get(name)
    if code is not None:
        prose = _length(claim) > code[0] or (name in _WORDLESS and count >= 3 and not digits)
        if prose or (code[1] and not digits):
            return "a telephone number" if name in ("telephone", "faxNumber") else "a code or a short text"
    stock = stocks.get(name)
    return f"a usual {name}" if stock is not None and not stock.search(folded) else ""


def _by_form(claim: Claim, vocabulary: Vocabulary, ranges: frozenset[str], textual: bool) -> str:
    """What the form of the value itself rules out: addresses, dates, durations and numbers under names and prose."""
    name, text, shape = claim.name, claim.text, claim.shape
    http = bool(_HTTP.match(text))
    if http:
        if name in _NAMES or ("URL" not in ranges and textual and not _holds_address(name, ranges, vocabulary)):
            return "a text, not a web address"
        if name == "url" and addresses.IMAGE.search(text) and not any(each.endswith("Object") for each in claim.types):
            return "the address of a page, not of an image"
        return ""
    if not ranges:
        return ""
    if (
        not ranges & _DATED
        and name in _NAMES | _PROSE
        and (_MACHINE_DATE.fullmatch(text) or (name in _PROSE and _is_date_text(text)))
    ):
        return "a text, not a date"
    if (
        not ranges & {"Duration", "QuantitativeValue"}
        and len(text) > 2
        and text[0] == "P"
        and seconds_of(text) is not None
    ):
        return "a text, not a duration"
    if name in _NAMES:
        reached = shape is Shape.EMAIL or _PHONE_ONLY.fullmatch(text)
        if reached and name not in ("telephone", "faxNumber", "postalCode"):
            return "a name or text"
        longest = _LONGEST.get(name)
        if longest is not None and _length(claim) > longest:
            return "a short text"
    return ""


def _dated(claim: Claim) -> bool:
    text = claim.text
    if moment_of(claim.value) is not None or clock_of(text) is not None or moment_of(text) is not None:
        return True
    if _HTTP.match(text) or not any(map(str.isdigit, claim.folded)):
        return False
    return len(claim.words) <= 14


def _truth(folded: str) -> bool:
    return folded.strip() in (
        "true",
        "false",
        "yes",
        "no",
        "1",
        "0",
        "ja",
        "nein",
        "oui",
        "non",
        "si",
        "y",
        "n",
        "0.0",
        "1.0",
    )


def _is_date_text(text: str) -> bool:
    """Whether a text is nothing but a date with its day and year."""
    if len(text) > 30:
        return False
    moment = moment_of(text)
    return moment is not None and moment.day > 0 and moment.year > 0


def _is_country(claim: Claim, language: str) -> bool:
    text = claim.text.strip()
    if re.fullmatch(r"[A-Za-z]{2,3}|[A-Z]\.[A-Z]\.(?:[A-Z]\.)?", text):
        return True
    joined = " ".join(claim.words)
    for each in dict.fromkeys((language or "en", "en", "de", "fr", "es", "it", "nl")):
        if joined in tables(each).territory_names:
            return True
    if http_like(text):
        return True
    return any(
        part in joined
        for part in ("england", "scotland", "wales", "ireland", "united", "america", "republic", "holland", "korea")
    )


def http_like(text: str) -> bool:
    """Whether a text starts as a web address does."""
    return bool(_HTTP.match(text))


def _is_language(claim: Claim, language: str) -> bool:
    text = claim.text.strip()
    if re.fullmatch(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*", text) or http_like(text):
        return True
    known = {
        name for each in dict.fromkeys((language or "en", "en", "de", "fr")) for name in tables(each).language_names
    }
    return any(word in known or word in _LANGUAGES for word in claim.words) or " ".join(claim.words) in known


_LANGUAGES = frozenset(
    [
        "deutsch",
        "francais",
        "espanol",
        "italiano",
        "nederlands",
        "english",
        "portugues",
        "cestina",
        "polski",
        "русский",
        "turkce",
        "dansk",
        "svenska",
        "norsk",
        "mandarin",
        "cantonese",
    ]
)


def _is_currency(claim: Claim) -> bool:
    text = claim.text.strip()
    if not any(character.isalpha() for character in text):
        return not any(character.isdigit() for character in text)
    if len(text) <= 3:
        return True
    known = tables("en")
    codes = [part for part in re.split(r"[,;/\s]+", text) if part]
    if all(part.upper() in known.currencies for part in codes):
        return True
    joined = " ".join(claim.words)
    return joined in known.currencies.values() or any(
        part in joined
        for part in ("euro", "dollar", "pound", "yen", "franc", "krone", "bitcoin", "cash", "rupee", "peso", "currenc")
    )


def _holds_address(name: str, ranges: frozenset[str], vocabulary: Vocabulary) -> bool:
    """Whether an address may stand for what the property asks for though its range does not say URL."""
    if name not in vocabulary.properties:
        return True
    if re.search(
        r"(?i)url|uri|link|template|identifier|codeset|^id$|propertyID|xpath|selector|target|schema|license|type$", name
    ):
        return True
    # An entity may be given by its address.
    return any(not vocabulary.is_data_type(each) for each in ranges)
