"""Families of texts: what speaks against a text of some shape under a property of some family.

Each weight is a log-odds. A text starts at `START` and loses what its kinds weigh in its family; the largest loss
gives the reason. Kinds are those of `compliance_shape`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from schemaproof.agents.compliance_shape import Shape
from schemaproof.agents.compliance_words import FUNCTION, MODES

START = 3.0
Weights = Mapping[str, Mapping[str, float]]


def _said(text: str) -> dict[str, str]:
    """Name to words, from "name: words" lines."""
    pairs = (line.split(":", 1) for line in text.strip().splitlines())
    return {name.strip(): words.strip() for name, words in pairs}


WHAT = _said(
    """
    url: an address (URL)
    path: a path of a site
    email: an e-mail address
    phone: a telephone number
    date: a date
    spoken-date: a date
    duration: a duration
    spoken-duration: a duration
    measured: a measure
    decimal: a bare number
    time: a time of day
    number: a bare number
    small-number: a bare number
    percent: a percentage
    money: an amount of money
    coordinates: coordinates
    hours: opening hours
    code: a code
    model: a code
    slug: a slug of an address
    media-type: a media type
    hash: a hash
    boolean: a boolean
    sentence: a sentence
    prose: a sentence of a description
    long: long prose
    very-long: long prose
    title-case: a proper name
    proper: a proper name
    country: a country
    no-region: a country
    no-town: a country
    pair: a code of two letters
    language: a language
    street: a street address
    house: a street and number
    job: a profession
    organisation: an organisation
    landmark: a landmark
    audience: an audience
    property-name: the name of a property
    words: words without any figure
    no-cue: nothing of the kind
    brief: nothing of the kind
    wordless-digits: figures only
    short-title: a short title, not prose
    word: a single word
    many: a phrase
    call: a station's call sign
    keyword: a keyword of the notation, not a value
    file-name: the name of a file
    debris: a torn piece of code
    currency-code: a currency
    hole: a text with undefined parts
    acronym: an acronym
    """
)

ASKS = _said(
    """
    name: a name
    title: a title
    prose: text that describes
    long: running text
    street: a street and number
    locality: a town
    region: a region within a country
    place: a place
    job: a profession or role
    audience: a kind of people
    service: a kind of service
    food: an ingredient
    payment: ways of payment
    colour: a colour
    code: a code
    token: a short term of a list
    mode: a way of teaching
    signal: a technical label
    type: a type, by address or name
    ordinal: a number in a row
    price-range: a range of prices
    measure: a number or a measure
    party: a person or an organisation
    structured: a structured value
    label: a label
    cuisine: a cuisine
    contact: a purpose of contact
    nation: a country
    term: a text
    any: a text
    reference: a text
    """
)


def _weights(text: str) -> dict[str, dict[str, float]]:
    """Family to kind to weight, from "family: kind=weight ..." lines; `*` gives what holds for all."""
    table: dict[str, dict[str, float]] = {}
    for line in text.strip().splitlines():
        family, _, entries = line.partition(":")
        own = {kind: float(weight) for kind, weight in (entry.split("=") for entry in entries.split())}
        table.setdefault(family.strip(), {}).update(own)
    shared = table.pop("*")
    return {family: {**shared, **own} for family, own in table.items()}


FAMILIES = _weights(
    """
    *: url=6 path=3 email=5.5 phone=5 date=4.5 spoken-date=3.5 duration=5 time=4.5 percent=3.5 money=4.5
    *: coordinates=5 hours=4.5 media-type=5 hash=3.5 boolean=4.5 property-name=4 debris=4.5 file-name=3.3 hole=3.5
    name: number=1.5 small-number=1.8 code=3.4 slug=3.4 very-long=3 sentence=0.6 prose=2.8
    title: number=1.5 small-number=1.8 code=3.4 slug=3.4 very-long=3 sentence=0.4
    prose: number=3.6 code=3.8 slug=3.8 model=3.3 acronym=1 short-title=0.8 word=1
    long: number=4.5 code=4.5 slug=4.5 word=4 short-title=4
    street: spoken-duration=4 measured=4
    street: number=1.5 country=4.5 sentence=4 job=3.6 no-cue=2.2 brief=1 language=4 wordless-digits=3.2
    street: spoken-date=4.5
    locality: spoken-duration=4 measured=4
    locality: number=4 code=3.5 sentence=4.5 long=3.5 job=3.6 no-town=3.6 street=1.2 house=2.4 language=4 pair=3.2
    region: spoken-duration=4 measured=4
    region: number=3.6 code=2 sentence=4.5 long=3.5 job=3.6 no-region=3.8 language=4 street=1 house=2.6
    place: url=0 path=0.5 number=4 code=3 sentence=2 job=3.2 language=3.6
    job: spoken-duration=4 measured=4
    job: number=4 code=3.5 sentence=1.5 very-long=3 country=4 organisation=1.6 language=3.8
    audience: spoken-duration=4 measured=4
    audience: number=3.6 code=3.2 country=4 very-long=3 language=3.8
    service: spoken-duration=2 measured=4
    service: number=4 code=3.2 country=4 audience=4.6 very-long=3 url=0 language=3.8
    food: spoken-duration=4
    food: number=4.5 code=4 country=4 landmark=4 job=3.8 organisation=3.6 proper=4.5 language=3.8
    payment: spoken-duration=4 measured=4
    payment: url=0 number=4 code=3.5 country=4 no-cue=1.2 proper=3.6 language=4
    colour: spoken-duration=4 measured=4
    colour: number=3.8 country=4 sentence=3.5 very-long=3.5 job=3.8 language=4 organisation=2.5
    code: sentence=5 words=3.8 date=1.5 hash=0 property-name=1 url=3.6 phone=0.8 duration=4 boolean=4 very-long=5
    code: spoken-date=4
    mode: number=4 code=2.5 sentence=3 proper=3.6 country=4 very-long=4
    token: number=4 code=2.5 sentence=4 title-case=3.6 many=3.4 country=4
    signal: words=3.6 sentence=4.5 country=4.5 call=3.6 percent=0.5 date=1.5
    type: url=0 number=4 code=3.2 sentence=3.6 proper=3.4 property-name=1.5
    ordinal: words=3.6 sentence=5 email=6
    price-range: money=0 sentence=1.5 words=1.5 currency-code=4 number=2.8 country=4 percent=1
    measure: words=3.6 sentence=2.5 money=1 percent=0 duration=0
    party: spoken-duration=3.6 measured=3.6
    party: url=0 path=1 email=3.2 number=3.6 code=2.5 sentence=2.5 very-long=3.5 country=2 language=3.2
    structured: url=0 path=0.5 email=2 phone=2 date=3 duration=1 money=1 percent=1 coordinates=1 hours=0.5
    label: spoken-duration=3.2 measured=3.2 decimal=0.6
    label: number=2.8 code=2.2 very-long=1.5 sentence=1.8 date=4 slug=0.5
    cuisine: number=2.8 code=2.2 very-long=1.5 sentence=1.8 date=4 slug=0.5
    cuisine: spoken-duration=4 measured=4 landmark=4 job=3.8 street=3.6
    contact: spoken-duration=4 measured=4
    contact: number=4 code=3.2 very-long=3 sentence=2 language=3.6 country=3.6
    nation: spoken-duration=4 measured=4
    nation: number=4 code=3.6 sentence=4 very-long=4 job=3.6 street=3.4 organisation=2
    term: number=2.8 code=1.8 very-long=0.5 date=4 slug=0.5
    any: url=2 path=1 email=2 phone=2 date=2 percent=1 money=1.5 hours=1.5 boolean=2 time=2 duration=2
    reference: keyword=4
    """
)


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
            if " " in shape.text and count >= 2 and latin and not shape.text.isupper() and "url" not in kinds:
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
    if family == "price-range" and re.fullmatch(r"[A-Z]{3}", shape.text):
        found.add("currency-code")
    if family == "signal" and _CALL.fullmatch(shape.text):
        found.add("call")
    if family == "street" and not kinds & {"digits", "street"} and latin:
        found.add("no-cue")
        if count <= 2:
            found.add("brief")
    if family in ("locality", "region") and "street" in kinds and re.search(r"^\d+\w?[\s,]|[\s]\d+\w?$", shape.text):
        found.add("house")
    if family == "locality" and re.fullmatch(r"[A-Z]{2}", shape.text):
        found.add("pair")
    if family in ("name", "title") and "number" in kinds and len(shape.text) <= 3:
        found.add("small-number")
    if family in ("name", "title") and "number" in kinds and sum(map(str.isdigit, shape.text)) >= 7:
        found.add("code")
    ends = shape.text.endswith((".", "。"))
    if family == "name" and count > 12 and ends and sum(word.casefold() in FUNCTION for word in shape.words) >= 3:
        found.add("prose")
    if family == "mode" and "title-case" in kinds and not {w.casefold() for w in shape.words} & MODES:
        found.add("proper")
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


def fit(
    family: str,
    shape: Shape,
    *,
    url: bool = False,
    extra: frozenset[str] = frozenset(),
    weights: Weights | None = None,
) -> Fit:
    """How well a text fits a family.

    Arguments:
        family: name of a family.
        shape: the text's shape.
        url: true where an address fits the property too.
        extra: kinds found by others ("property-name").
        weights: family to kind to log-odds lost, in place of `FAMILIES`.
    """
    table = FAMILIES if weights is None else weights
    own = table.get(family) or table["any"]
    kinds = shape.kinds | derived(family, shape) | extra
    if url and kinds & {"url", "path"}:
        return Fit(_logistic(START))
    if "food" in kinds or "measure" in kinds:
        kinds = kinds - {"landmark", "job", "organisation"} if family == "food" else kinds
    if family == "street" and "digits" in kinds:
        kinds = kinds - {"job"}
    if "service" in kinds:
        kinds = kinds - {"audience"}
    total, worst, against = START, 0.0, ""
    for kind in kinds:
        weight = own.get(kind, 0.0)
        total -= weight
        if weight > worst:
            worst, against = weight, kind
    return Fit(_logistic(total), against)


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))
