"""Organisations, places and persons: how to reach them, where they are, when they are open."""

from __future__ import annotations

import re
from collections.abc import Iterable

from schemaproof.agents.compliance_shape import shape
from schemaproof.agents.grounding.folding import fold
from schemaproof.generation.contacts import CODE, emails, linked_email, linked_phone, phones
from schemaproof.generation.draft import Draft, span, target
from schemaproof.generation.entities import address_node
from schemaproof.generation.hours import DAYS, Opening, day_numbers, openings, time_ranges
from schemaproof.generation.labels import Pair
from schemaproof.generation.outline import Line
from schemaproof.generation.reading import Reading
from schemaproof.generation.things import of_site, profiles, property_of
from schemaproof.generation.typed import fill
from schemaproof.page.model import Kind

_DIGITS = re.compile(r"\d(?:[\d ()./+-]*\d){4}")
_NUMBER = re.compile(r"\d")
_PHONE_WORD = re.compile(
    r"\b(?:tel|phone|telephone|call|mobile|telefon|telefono|telefone|telephon|fon|ruf|appel|llama|chiama|bel|"
    r"тел|телефон|"
    r"hotline|cell|whatsapp|tlf)\b|電話|电话|هاتف|전화|☎|📞|✆"
)


def write_organization(reading: Reading, draft: Draft) -> None:
    """Write what organisations and places have in common."""
    site = of_site(reading, draft)
    if site:
        _site_pairs(reading, draft)
        logo = reading.logo
        if logo is not None and draft.allows("logo"):
            draft.add("logo", reading.absolute(logo), target(logo, Kind.IMAGE))
    contact(reading, draft, anywhere=site)
    where(reading, draft, anywhere=site)
    profiles(reading, draft, anywhere=site)
    opening_hours(reading, draft, anywhere=site)


def _site_pairs(reading: Reading, draft: Draft) -> None:
    """Labels outside of the page's content speak of the site."""
    for pair in reading.outer_pairs:
        name = property_of(reading, draft, pair)
        if name and name in OF_SITE and name not in draft:
            fill(reading, draft, name, pair.start, pair.end)


# What the labels of a page may say of the site that it belongs to.
OF_SITE = frozenset(
    (
        "telephone", "faxNumber", "email", "address", "foundingDate", "vatID", "taxID", "legalName", "paymentAccepted",
        "numberOfEmployees", "founder", "currenciesAccepted", "priceRange", "servesCuisine",
    )
)  # fmt: skip


def _lines(reading: Reading, *, anywhere: bool) -> tuple[Line, ...]:
    return reading.outline.lines if anywhere else reading.outline.own


def contact(reading: Reading, draft: Draft, *, anywhere: bool) -> None:
    """Write telephone number and e-mail address: linked, or in a line that speaks of them."""
    low, high = _range(reading, anywhere)
    text = reading.page.text
    for link in reading.page.links:
        if not low <= link.start <= high:
            continue
        if "email" not in draft and (address := linked_email(link.href)):
            shown = emails(text[link.start : link.end])
            if shown:
                draft.add(
                    "email", shown[0].value, span(reading.page, link.start + shown[0].start, link.start + shown[0].end)
                )
            else:
                draft.add("email", address, target(link))
        if "telephone" not in draft and (number := linked_phone(link.href)):
            shown = phones(text[link.start : link.end])
            if shown:
                draft.add(
                    "telephone",
                    shown[0].value,
                    span(reading.page, link.start + shown[0].start, link.start + shown[0].end),
                )
            elif sum(c.isdigit() for c in number) >= 7:
                draft.add("telephone", number, target(link))
    for line in _lines(reading, anywhere=anywhere):
        if len(line.text) > 300:
            continue
        if "email" not in draft and draft.allows("email") and "@" in line.text:
            for fact in emails(line.text)[:1]:
                draft.add("email", fact.value, span(reading.page, line.start + fact.start, line.start + fact.end))
        if "telephone" not in draft and _DIGITS.search(line.text) and draft.allows("telephone"):
            folded = fold(line.text)
            word = _PHONE_WORD.search(folded.text)
            if word:
                for fact in phones(line.text):
                    if fact.start >= folded.original(word.start()):
                        draft.add(
                            "telephone", fact.value, span(reading.page, line.start + fact.start, line.start + fact.end)
                        )
                        break


def _range(reading: Reading, anywhere: bool) -> tuple[int, int]:
    own = reading.outline.own
    if anywhere or not own:
        return 0, len(reading.page.text)
    return own[0].start, own[-1].end


def where(reading: Reading, draft: Draft, *, anywhere: bool) -> None:
    """Write the postal address: by its label, else one in a line of its own that can be taken apart."""
    if "address" in draft or not draft.allows("address"):
        return
    pairs: Iterable[Pair] = (*reading.pairs, *(reading.outer_pairs if anywhere else ()))
    for pair in pairs:
        if "address" not in pair.names:
            continue
        # The label may stand above an address of several lines.
        for following in reading.outline.lines[pair.line.number + 2 : pair.line.number : -1]:
            node = address_node(reading, draft, reading.page.text[pair.start : following.end], pair.start)
            if node is not None and following.end - pair.start < 200:
                draft.add("address", node)
                return
        if fill(reading, draft, "address", pair.start, pair.end):
            return
    lines = _lines(reading, anywhere=anywhere)
    for at, line in enumerate(lines):
        if len(line.text) > 240 or not _NUMBER.search(line.text):
            continue
        node = address_node(reading, draft, line.text, line.start, sure=False) if CODE.search(line.text) else None
        if node is not None:
            draft.add("address", node)
            return
        # Street and town in lines of their own.
        if len(line.text) > 70 or not any(CODE.search(each.text) for each in lines[at + 1 : at + 3]):
            continue
        for count in (2, 3):
            street = lines[at : at + count]
            if (
                len(street) == count
                and street[-1].number == line.number + count - 1
                and all(len(each.text) < 70 for each in street)
            ):
                whole = reading.page.text[line.start : street[-1].end]
                node = address_node(reading, draft, whole, line.start, sure=False)
                if node is not None:
                    draft.add("address", node)
                    return


def opening_hours(reading: Reading, draft: Draft, *, anywhere: bool) -> None:
    """Write opening hours as specifications of days and times."""
    if not draft.allows("openingHoursSpecification"):
        return
    found = _hours(reading, anywhere=anywhere)
    merged: dict[tuple[str, str], list[Opening]] = {}
    for opening in found:
        merged.setdefault((opening.opens, opening.closes), []).append(opening)
    for (opens, closes), same in merged.items():
        node = draft.new("OpeningHoursSpecification")
        for opening in same:
            for day in opening.days:
                node.add("dayOfWeek", reading.vocabulary.iri(DAYS[day]), opening.day_evidence)
        node.add("opens", opens, same[0].time_evidence)
        node.add("closes", closes, same[0].time_evidence)
        draft.add("openingHoursSpecification", node)


def _hours(reading: Reading, *, anywhere: bool) -> list[Opening]:
    """Opening hours in the section or at the label that says so, else in lines with days and times alone."""
    outline = reading.outline
    for section in outline.sections:
        if section.heading is not None and "openingHours" in outline.lexicon.starting(section.key):
            found = openings(section.lines, reading.language)
            if found:
                return found
    lines = _lines(reading, anywhere=anywhere)
    for at, line in enumerate(lines):
        if len(line.text) < 60 and "openingHours" in outline.lexicon.starting(_label(line.text)):
            found = openings(lines[at : at + 18], reading.language)
            if found:
                return found
    # Lines that are nothing but days and times.
    return openings(
        [line for line in lines if len(line.text) <= 60 and _only_hours(line.text, reading.language)],
        reading.language,
    )


def _only_hours(text: str, language: str) -> bool:
    """Whether a line is nothing but days and times."""
    ranges = time_ranges(text)
    days = day_numbers(text[: ranges[0][2]], language) if ranges else None
    if days is None:
        return False
    rest = text[: days[1]] + text[days[2] : ranges[0][2]] + text[ranges[-1][3] :]
    return sum(character.isalpha() for character in rest) <= 3


def _label(text: str) -> str:
    from schemaproof.generation.keys import level

    return level(text.split(":", 1)[0].split("：", 1)[0])


def write_person(reading: Reading, draft: Draft) -> None:
    """Write what a page about a person shows of them."""
    profession(reading, draft)
    contact(reading, draft, anywhere=False)
    where(reading, draft, anywhere=False)
    profiles(reading, draft, anywhere=False)


def profession(reading: Reading, draft: Draft) -> None:
    """Write the profession that stands in a line of its own right below the name."""
    if "jobTitle" in draft:
        return
    for line in reading.outline.body[:3]:
        if line.rank in (1, 2) or len(line.text) > 60 or "," in line.text:
            continue
        if "job" in shape(line.text, reading.language).kinds:
            draft.add("jobTitle", line.text, line.evidence)
            return


def write_service(reading: Reading, draft: Draft) -> None:
    """Write the site's owner as the one who provides a service, with how to reach them."""
    if "provider" in draft or reading.site is None:
        return
    node = draft.new("Organization")
    node.add("name", *reading.site)
    home, logo = reading.home, reading.logo
    if home is not None:
        node.add("url", reading.absolute(home), target(home))
    if logo is not None:
        node.add("logo", reading.absolute(logo), target(logo, Kind.IMAGE))
    contact(reading, node, anywhere=True)
    where(reading, node, anywhere=True)
    profiles(reading, node, anywhere=True)
    draft.add("provider", node)
