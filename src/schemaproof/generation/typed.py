"""A printed value as the value of a property: in the form that its range asks for, nested where it must be."""

from __future__ import annotations

import re
from collections.abc import Callable

from schemaproof.agents.compliance_identifiers import gs1_digit, isbn
from schemaproof.agents.compliance_names import currency_codes, language_code
from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.verdict import Evidence
from schemaproof.generation import facts
from schemaproof.generation.contacts import emails, phones
from schemaproof.generation.draft import Draft, span, target
from schemaproof.generation.entities import COMMAS, PEOPLE, PLACES, SEPARATORS, parts, people, place, postal
from schemaproof.generation.members import member
from schemaproof.generation.reading import Reading

_DATES = frozenset(("Date", "DateTime"))
_TEXT_LISTS = frozenset(
    (
        "keywords", "category", "genre", "recipeCuisine", "servesCuisine", "recipeCategory", "color", "material",
        "paymentAccepted", "award", "knowsAbout",
    )
)  # fmt: skip
_CODES = frozenset(("sku", "mpn", "productID", "identifier", "serialNumber", "courseCode", "model", "vatID", "taxID"))
_MEASURES = re.compile(r"^\s*[~≈<>±]?\s*\d")


def fill(reading: Reading, draft: Draft, name: str, start: int, end: int) -> bool:
    """Write what stands in a span of the page as the value (or values) of a property.

    Arguments:
        reading: of the page.
        draft: the node.
        name: a property that the node's types allow.
        start, end: the span of the printed value in the page's text.

    Returns: whether anything was written; nothing is where the text does not give a value of the right form.
    """
    text = reading.page.text[start:end].strip().rstrip("❘|·•").rstrip()
    if not text:
        return False
    start += reading.page.text[start:end].find(text)
    special = _SPECIAL.get(name)
    if special is not None:
        return special(reading, draft, name, text, start)
    ranges = frozenset(reading.vocabulary.properties[name].ranges)
    if name in _CODES and len(text) > 40:
        return False
    if ranges & _DATES:
        return _date(reading, draft, name, text, start, ranges)
    if "Duration" in ranges and (found := facts.durations(text, clock=True)):
        return len(text) < 80 and draft.add(name, found[0].value, _evidence(reading, start, found[0]))
    if ranges <= {"Integer", "Number"} and ranges:
        return _number(reading, draft, name, text, start, whole="Number" not in ranges)
    if ranges & {"MonetaryAmount"}:
        return _money(reading, draft, name, text, start)
    enumerations = [each for each in ranges if reading.vocabulary.is_enumeration(each)]
    if enumerations:
        chosen = member(reading.vocabulary, enumerations, text)
        if chosen:
            return draft.add(name, chosen, span(reading.page, start, start + len(text)))
    if "Place" in ranges and "Text" in ranges:
        return place(reading, draft, name, text, start)
    if "Text" in ranges:
        return _text(reading, draft, name, text, start)
    measured = ranges & {"Mass", "Distance", "Energy", "QuantitativeValue"}
    if measured and _MEASURES.match(text) and len(text) < 50:
        if ranges & {"Mass", "Distance", "Energy"}:
            return _measure(reading, draft, name, text, start)
        return _quantity(reading, draft, name, text, start)
    if ranges & PEOPLE:
        return people(reading, draft, name, text, start)
    if ranges & PLACES:
        return place(reading, draft, name, text, start)
    if ranges == {"URL"}:
        return _link(reading, draft, name, start, start + len(text))
    entities = reading.vocabulary.entity_ranges(name)
    if entities and not enumerations and len(text) < 100:
        return _entity(reading, draft, name, text, start, entities[0])
    return False


def _evidence(reading: Reading, start: int, fact: facts.Fact) -> Evidence:
    return span(reading.page, start + fact.start, start + fact.end)


def _date(reading: Reading, draft: Draft, name: str, text: str, start: int, ranges: frozenset[str]) -> bool:
    found = facts.dates(text, reading.language)
    if len(text) > 120:
        return False
    if found:
        fact = found[0]
        value = str(fact.value)
        if "DateTime" not in ranges:
            value = value.partition("T")[0]
        done = draft.add(name, value, _evidence(reading, start, fact))
        ends = len(found) == 2 and str(found[1].value) > str(fact.value)
        if done and name == "startDate" and ends and "endDate" not in draft:
            draft.add("endDate", found[1].value, _evidence(reading, start, found[1]))
        return done
    years = facts.years(text)
    if len(years) == 1 and (len(text) <= 12 or name in ("foundingDate", "birthDate", "deathDate")):
        return draft.add(name, str(years[0].value), _evidence(reading, start, years[0]))
    return False


def _time(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    found = facts.times(text)
    return bool(found) and len(text) < 40 and draft.add(name, found[0].value, _evidence(reading, start, found[0]))


def _number(reading: Reading, draft: Draft, name: str, text: str, start: int, *, whole: bool) -> bool:
    found = facts.numbers(text)
    if not found or len(text) > 40 or len(found) > 2:
        return False
    value = found[0].value
    if whole and not isinstance(value, int):
        return False
    return draft.add(name, value, _evidence(reading, start, found[0]))


def _quantity(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    found = facts.numbers(text)
    if not found or len(found) > 2:
        return False
    node = draft.new("QuantitativeValue")
    if len(found) == 2 and re.fullmatch(r"\s*(?:-|–|to|bis|à|a|до)\s*", text[found[0].end : found[1].start]):
        node.add("minValue", found[0].value, _evidence(reading, start, found[0]))
        node.add("maxValue", found[1].value, _evidence(reading, start, found[1]))
    elif len(found) == 1:
        node.add("value", found[0].value, _evidence(reading, start, found[0]))
        rest = text[found[0].end :].strip()
        unit = re.match(r"[^\W\d_²³°%]{1,12}[²³]?|[°%][CF]?", rest)
        if unit and name != "numberOfEmployees":
            at = start + text.find(rest, found[0].end)
            node.add("unitText", unit.group(), span(reading.page, at, at + len(unit.group())))
    return draft.add(name, node)


_PER = (
    ("HOUR", r"hour|stunde|heure|hora\b|ora\b|uur|hr\b|時給|час|godz|saat|小时|/h\b|ساعه"),
    ("DAY", r"\bday|\btag\b|jour\b|\bdia\b|giorno|\bdag\b|日給|день|dzien|/d\b"),
    ("WEEK", r"week|woche|semaine|semana|settimana|неделю|tydzien"),
    ("MONTH", r"month|monat|mois|\bmes\b|mensu|mese|maand|月給|месяц|miesi|\bay\b|月薪|شهر|aylik|月額"),
    (
        "YEAR",
        r"year|annual|annum|jahr|\ban\b|annuel|\bano\b|anual|anno|annu|jaar|年収|год|rok\b|roczn|yil|年薪|سنه|p\.?a\.?\b",
    ),
)


def _money(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    found = facts.prices(text, reading.language, reading.address[0] if reading.address else "")
    if not found or len(text) > 120:
        return False
    price = found[0]
    node = draft.new("MonetaryAmount")
    if price.currency:
        node.add("currency", price.currency, span(reading.page, start + price.start, start + price.end))
    high = price.high
    other = found[1] if len(found) > 1 and found[1].currency == price.currency else None
    if high is None and other is not None and float(other.amount.value) > float(price.amount.value):
        high = other.amount
    folded = fold(text)
    unit = next(((code, match) for code, word in _PER if (match := re.search(word, folded.text))), None)
    if high is None and unit is None:
        node.add("value", price.amount.value, _evidence(reading, start, price.amount))
        return draft.add(name, node)
    inner = draft.new("QuantitativeValue")
    if high is None:
        inner.add("value", price.amount.value, _evidence(reading, start, price.amount))
    else:
        inner.add("minValue", price.amount.value, _evidence(reading, start, price.amount))
        inner.add("maxValue", high.value, _evidence(reading, start, high))
    if unit is not None and name in ("baseSalary", "estimatedSalary"):
        first, last = folded.original(unit[1].start()), folded.original(unit[1].end() - 1) + 1
        inner.add("unitText", unit[0], span(reading.page, start + first, start + last))
    node.add("value", inner)
    return draft.add(name, node)


def _text(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    if name in _TEXT_LISTS:
        done = False
        for item, at in parts(reading, text, start, COMMAS):
            if len(item) <= 60:
                done |= draft.add(name, item, span(reading.page, at, at + len(item)))
        return done
    if len(text) > 500:
        return False
    return draft.add(name, text, span(reading.page, start, start + len(text)))


def _link(reading: Reading, draft: Draft, name: str, start: int, end: int) -> bool:
    for link in reading.outline.links_in(start, end):
        url = reading.absolute(link)
        if url.startswith(("http://", "https://")):
            return draft.add(name, url, target(link))
    return False


def _entity(reading: Reading, draft: Draft, name: str, text: str, start: int, kind: str) -> bool:
    node = draft.new(kind)
    if not node.allows("name"):
        return False
    node.add("name", text, span(reading.page, start, start + len(text)))
    return draft.add(name, node)


def _phone(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    found = phones(text)
    return bool(found) and draft.add(name, found[0].value, _evidence(reading, start, found[0]))


def _email(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    found = emails(text)
    return bool(found) and draft.add(name, found[0].value, _evidence(reading, start, found[0]))


def _language(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    done = False
    for item, at in parts(reading, text, start, SEPARATORS):
        code = language_code(item, reading.language)
        if code:
            done |= draft.add(name, code, span(reading.page, at, at + len(item)))
    return done


_ISBN = re.compile(r"(?<!\d)(?:97[89][-\s]?)?\d[\d\s-]{7,13}[\dXx](?!\d)")


def _isbn(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    done = False
    for match in list(_ISBN.finditer(facts.fold_digits(text)))[:2]:
        if isbn(match.group(), "") is None:
            done |= draft.add(
                name, match.group().strip(), span(reading.page, start + match.start(), start + match.end())
            )
    return done


def _gtin(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    match = re.fullmatch(r"\d{8}|\d{12,14}", text)
    if not match or gs1_digit(text[:-1]) != text[-1]:
        return False
    exact = {8: "gtin8", 12: "gtin12", 13: "gtin13", 14: "gtin14"}[len(text)]
    wanted = exact if draft.allows(exact) else "gtin"
    return draft.add(wanted, text, span(reading.page, start, start + len(text)))


def _currencies(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    done = False
    for match in re.finditer(r"\b[A-Z]{3}\b", text):
        if match.group() in currency_codes():
            done |= draft.add(name, match.group(), span(reading.page, start + match.start(), start + match.end()))
    return done


def _nothing(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    """Properties that other writers take care of, or that a label alone does not settle."""
    return False


def _people(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    return people(reading, draft, name, text, start)


def _short(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    return len(text) <= 60 and draft.add(name, text, span(reading.page, start, start + len(text)))


def _measure(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    if not _MEASURES.match(text) or len(text) > 40 or not re.search(r"[^\W\d_]|[\"″′%]", text):
        return False
    return draft.add(name, text, span(reading.page, start, start + len(text)))


_NUTRITION = (
    "calories", "proteinContent", "fatContent", "saturatedFatContent", "unsaturatedFatContent",
    "transFatContent", "carbohydrateContent", "sugarContent", "fiberContent", "sodiumContent",
    "cholesterolContent",
)  # fmt: skip
_Filler = Callable[[Reading, Draft, str, str, int], bool]
_SPECIAL: dict[str, _Filler] = {
    "currenciesAccepted": _currencies, "description": _nothing,
    "telephone": _phone, "faxNumber": _phone, "email": _email, "inLanguage": _language, "availableLanguage": _language,
    "knowsLanguage": _language, "isbn": _isbn, "gtin": _gtin, "gtin13": _gtin, "gtin12": _gtin, "gtin8": _gtin,
    "gtin14": _gtin, "address": postal, "openingHours": _nothing, "doorTime": _time, "brand": _people,
    "contentRating": _short, "priceRange": _short, "employmentType": _short, "size": _short, "recipeYield": _short,
    "yield": _short, "softwareVersion": _short, "version": _short, "weight": _measure, "width": _measure,
    "height": _measure, "depth": _measure, **dict.fromkeys(_NUTRITION, _measure),
}  # fmt: skip
