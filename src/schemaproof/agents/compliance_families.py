"""Families of texts: what speaks against a text of some shape under a property of some family.

Each weight is a log-odds. A text starts at `START` and loses what its kinds weigh in its family; the largest loss
gives the reason. Kinds are those of `compliance_shape`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from schemaproof.agents.compliance_shape import Shape

START = 3.0

# fmt: off
WHAT = {
    "url": "an address (URL)",
    "path": "a path of a site",
    "email": "an e-mail address",
    "phone": "a telephone number",
    "date": "a date",
    "spoken-date": "a date",
    "duration": "a duration",
    "time": "a time of day",
    "number": "a bare number",
    "percent": "a percentage",
    "money": "an amount of money",
    "coordinates": "coordinates",
    "hours": "opening hours",
    "code": "a code",
    "slug": "a slug of an address",
    "camel": "a programmer's name",
    "media-type": "a media type",
    "hash": "a hash",
    "boolean": "a boolean",
    "sentence": "a sentence",
    "long": "long prose",
    "very-long": "long prose",
    "title-case": "a proper name",
    "country": "a country",
    "language": "a language",
    "street": "a street address",
    "job": "a profession",
    "honorific": "a person",
    "organisation": "an organisation",
    "landmark": "a landmark",
    "audience": "an audience",
    "property-name": "the name of a property",
    "type-name": "the name of a type",
    "words": "words without any figure",
    "no-cue": "none that is recognised as one",
    "wordless-digits": "figures only",
    "short-title": "a short title, not prose",
}

ASKS = {
    "name": "a name or title",
    "prose": "text that describes",
    "long": "running text",
    "street": "a street and number",
    "locality": "a town",
    "region": "a region within a country",
    "place": "a place",
    "job": "a profession or role",
    "audience": "a kind of people",
    "service": "a kind of service",
    "food": "an ingredient",
    "payment": "ways of payment",
    "colour": "a colour",
    "code": "a code",
    "token": "a short term of a list",
    "signal": "a technical label",
    "type": "a type, by address or name",
    "ordinal": "a number in a row",
    "price-range": "a range of prices",
    "measure": "a number or a measure",
    "party": "a person or an organisation",
    "structured": "a structured value",
    "term": "a term",
    "any": "a text",
    "reference": "a text",
}

_FOREIGN = {
    "url": 6.0,
    "path": 3.0,
    "email": 5.5,
    "phone": 5.0,
    "date": 4.5,
    "spoken-date": 3.5,
    "duration": 5.0,
    "time": 4.5,
    "percent": 3.5,
    "money": 4.5,
    "coordinates": 5.0,
    "hours": 4.5,
    "media-type": 5.0,
    "hash": 3.5,
    "boolean": 4.5,
    "property-name": 4.0,
}

# fmt: on


def _family(**other: float) -> dict[str, float]:
    return {**_FOREIGN, **{name.replace("_", "-"): weight for name, weight in other.items()}}


# fmt: off
FAMILIES: dict[str, dict[str, float]] = {
    "name": _family(number=1.5, code=3.4, slug=3.4, very_long=3.0, sentence=0.6),
    "prose": _family(number=3.6, code=3.8, slug=3.8, acronym=1.0, short_title=0.8),
    "long": _family(number=4.5, code=4.5, slug=4.5, word=4.0, short_title=4.0),
    "street": _family(number=1.5, country=4.5, sentence=4.0, job=3.6, no_cue=2.2, language=4.0, spoken_date=4.5),
    "locality": _family(number=4.0, code=3.5, sentence=4.5, long=3.5, job=3.6, country=1.8, street=1.2, language=4.0),
    "region": _family(number=3.6, code=2.0, sentence=4.5, long=3.5, job=3.6, country=3.8, language=4.0, street=1.0),
    "place": _family(url=0.0, path=0.5, number=4.0, code=3.0, sentence=2.0, job=3.2, language=3.6),
    "job": _family(number=4.0, code=3.5, sentence=1.5, very_long=3.0, country=4.0, organisation=1.6, language=3.8),
    "audience": _family(number=3.6, code=3.2, country=4.0, very_long=3.0, language=3.8),
    "service": _family(number=4.0, code=3.2, country=4.0, audience=4.6, very_long=3.0, url=0.0, language=3.8),
    "food": _family(
        number=4.5, code=4.0, country=4.0, landmark=4.0, job=3.8, organisation=3.6, proper=4.5, language=3.8
    ),
    "payment": _family(url=0.0, number=4.0, code=3.5, country=4.0, no_cue=1.2, proper=3.6, language=4.0),
    "colour": _family(number=3.8, country=4.0, sentence=3.5, very_long=3.5, job=3.8, language=4.0, organisation=2.5),
    "code": _family(
        sentence=5.0,
        words=3.8,
        date=1.5,
        number=0.0,
        hash=0.0,
        property_name=1.0,
        url=3.6,
        phone=0.8,
        duration=4.0,
        boolean=4.0,
        very_long=5.0,
        spoken_date=4.0,
    ),
    "token": _family(number=4.0, code=2.5, sentence=4.0, title_case=3.6, many=3.4, country=4.0, slug=0.0),
    "signal": _family(words=3.6, sentence=4.5, country=4.5, call=3.6, percent=0.5, date=1.5),
    "type": _family(url=0.0, number=4.0, code=3.2, sentence=3.6, proper=3.4, property_name=1.5),
    "ordinal": _family(words=3.6, sentence=5.0, email=6.0),
    "price-range": _family(money=0.0, sentence=1.5, words=1.5, country=4.0, percent=1.0),
    "measure": _family(words=3.6, sentence=2.5, money=1.0, percent=0.0, duration=0.0, date=4.5),
    "party": _family(
        url=0.0, path=1.0, email=3.2, number=3.6, code=2.5, sentence=2.5, very_long=3.5, country=2.0, language=3.2
    ),
    "structured": _family(
        url=0.0,
        path=0.5,
        email=2.0,
        phone=2.0,
        date=3.0,
        duration=1.0,
        money=1.0,
        percent=1.0,
        coordinates=1.0,
        hours=0.5,
    ),
    "term": _family(url=6.0, path=3.0, number=2.8, code=1.8, very_long=1.5, date=4.0, slug=0.5),
    "any": _family(
        url=2.0,
        path=1.0,
        email=2.0,
        phone=2.0,
        date=2.0,
        percent=1.0,
        money=1.5,
        hours=1.5,
        boolean=2.0,
        time=2.0,
        duration=2.0,
    ),
    "reference": _family(keyword=4.0),
}
# fmt: on


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a text fits a family: chance that it is right, and what speaks most against it ("" if nothing)."""

    probability: float
    against: str = ""


_ROMAN = re.compile(r"[ivxlcdmIVXLCDM]+")
_CALL = re.compile(r"[A-Z0-9]{2,5}-[A-Z]{2}")


def derived(family: str, shape: Shape) -> set[str]:
    """Kinds that only have a meaning within a family."""
    kinds = shape.kinds
    found: set[str] = set()
    count = len(shape.words)
    latin = "latin" in kinds
    if family in ("code", "signal", "ordinal", "measure", "price-range") and "digits" not in kinds:
        if family == "code":
            if count >= 2 and latin and not shape.text.isupper() and "url" not in kinds:
                found.add("words")
        elif family == "signal":
            if "acronym" not in kinds and latin and not shape.text.isupper():
                found.add("words")
        elif family == "ordinal":
            if not _ROMAN.fullmatch(shape.text) and (count > 1 or len(shape.text) > 2) and "url" not in kinds:
                found.add("words")
        elif family == "price-range":
            if latin and not re.search(r"[$€£¥₹₽₺]", shape.text):
                found.add("words")
        elif latin and "url" not in kinds and not (family == "measure" and shape.text.startswith("{")):
            found.add("words")
    if family == "signal" and _CALL.fullmatch(shape.text):
        found.add("call")
    if family == "street" and not kinds & {"digits", "street"} and latin:
        found.add("no-cue")
    if family == "payment" and "payment" not in kinds and latin:
        found.add("no-cue")
    if family in ("food", "payment", "type") and not kinds & {"food", "measure", "payment", "digits"}:
        starts = shape.words[:1] and shape.words[0].casefold() in ("the", "la", "le", "der", "die", "das", "el", "il")
        if "title-case" in kinds and (family != "food" or (starts and count > 2)):
            found.add("proper")
    if family == "token" and count >= 3:
        found.add("many")
    if family in ("prose", "long") and count <= 4 and "capitalised" in kinds and not re.search(r"[.!?,:;]", shape.text):
        found.add("short-title")
    if family == "reference" and re.fullmatch(r"required(?:\s+\w+=\S+)*|optional", shape.text.strip()):
        found.add("keyword")
    return found


def fit(family: str, shape: Shape, *, url: bool = False, extra: frozenset[str] = frozenset()) -> Fit:
    """How well a text fits a family.

    Arguments:
        family: name of a family.
        shape: the text's shape.
        url: true where an address fits the property too.
        extra: kinds found by others ("property-name").
    """
    weights = FAMILIES.get(family) or FAMILIES["any"]
    kinds = shape.kinds | derived(family, shape) | extra
    if url and kinds & {"url", "path"}:
        return Fit(_logistic(START))
    if "food" in kinds or "measure" in kinds:
        kinds = kinds - {"landmark", "job", "organisation"} if family == "food" else kinds
    if "service" in kinds:
        kinds = kinds - {"audience"}
    total, worst, against = START, 0.0, ""
    for kind in kinds:
        weight = weights.get(kind, 0.0)
        total -= weight
        if weight > worst:
            worst, against = weight, kind
    return Fit(_logistic(total), against)


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))
