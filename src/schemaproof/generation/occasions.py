"""Events, courses and jobs."""

from __future__ import annotations

import re

from schemaproof.generation import facts
from schemaproof.generation.draft import Draft, span
from schemaproof.generation.entities import address_node, people
from schemaproof.generation.keys import level
from schemaproof.generation.labels import Pair
from schemaproof.generation.members import mentioned
from schemaproof.generation.outline import Line, Section
from schemaproof.generation.reading import Reading
from schemaproof.generation.typed import fill

_STATUS = ("EventCancelled", "EventPostponed", "EventRescheduled")


def write_event(reading: Reading, draft: Draft) -> None:
    """Write when and where an event takes place, and who takes part."""
    _when(reading, draft)
    venue(reading, draft, "location")
    for section in reading.outline.sections:
        names = reading.outline.lexicon.names(section.key) if section.heading is not None else ()
        if "performer" in names or "actor" in names:
            for line in section.lines[:30]:
                if line.tag == "li" or len(line.text) < 50:
                    people(reading, draft, "performer" if draft.allows("performer") else "actor", line.text, line.start)
    for line in reading.outline.own[:30]:
        if len(line.text) < 60:
            name = mentioned(level(line.text), _STATUS)
            if name and level(line.text).count(" ") < 5:
                draft.add("eventStatus", reading.vocabulary.iri(name), line.evidence)
                break


def _when(reading: Reading, draft: Draft) -> None:
    if "startDate" in draft or not draft.allows("startDate"):
        return
    for line in (*reading.outline.body[:25], *reading.outline.before):
        if len(line.text) > 160 or line.rank:
            continue
        found = [fact for fact in facts.dates(line.text, reading.language) if len(str(fact.value)) >= 10]
        if found:
            first = found[0]
            draft.add("startDate", first.value, span(reading.page, line.start + first.start, line.start + first.end))
            if len(found) == 2 and found[1].value > first.value:  # type: ignore[operator]
                draft.add(
                    "endDate",
                    found[1].value,
                    span(reading.page, line.start + found[1].start, line.start + found[1].end),
                )
            return


def venue(reading: Reading, draft: Draft, name: str) -> None:
    """Complete the place of a node with the address and telephone number that stand at labels of their own."""
    place = draft.node(name)
    if place is None and draft.allows(name):
        address = next(iter(reading.labelled("address")), None)
        if address is None:
            return
        place = draft.new("Place")
        _place_address(reading, place, address)
        if place:
            draft.add(name, place)
    elif place is not None and place.allows("address") and "address" not in place:
        for pair in reading.labelled("address")[:1]:
            _place_address(reading, place, pair)
    if place is not None and place.allows("telephone"):
        for pair in reading.labelled("telephone")[:1]:
            if not draft.allows("telephone"):
                fill(reading, place, "telephone", pair.start, pair.end)


def _place_address(reading: Reading, place: Draft, pair: Pair) -> None:
    node = address_node(reading, place, pair.value, pair.start)
    if node is not None:
        place.add("address", node)
    elif len(pair.value) < 120:
        place.add("address", pair.value, span(reading.page, pair.start, pair.end))


_INSTANCE = ("startDate", "endDate", "courseMode", "location", "instructor", "courseWorkload")


def write_course(reading: Reading, draft: Draft) -> None:
    """Write the instance of a course: when, where, how and by whom it is held; and who offers it."""
    instance = draft.new("CourseInstance")
    for pair in reading.pairs:
        for name in pair.names:
            if name in _INSTANCE and instance.allows(name) and name not in instance:
                fill(reading, instance, name, pair.start, pair.end)
                break
    if instance.node("location") is not None:
        venue(reading, instance, "location")
    if instance:
        draft.add("hasCourseInstance", instance)
    if "provider" not in draft:
        for pair in reading.labelled("provider"):
            if people(reading, draft, "provider", pair.value, pair.start):
                return
        if reading.site is not None:
            draft.add("provider", draft.named("Organization", *reading.site))


_SECTIONS = (
    "responsibilities",
    "qualifications",
    "jobBenefits",
    "experienceRequirements",
    "educationRequirements",
    "skills",
)


def write_job(reading: Reading, draft: Draft) -> None:
    """Write a vacancy: its sections by their headings, its employer, its place."""
    for section in reading.outline.sections:
        if section.heading is None:
            continue
        for name in reading.outline.lexicon.names(section.key):
            if name in _SECTIONS and name not in draft:
                _section_text(reading, draft, name, section)
                break
    if "hiringOrganization" not in draft and reading.site is not None:
        draft.add("hiringOrganization", draft.named("Organization", *reading.site))
    if "jobLocation" not in draft:
        for pair in (*reading.labelled("jobLocation"), *reading.labelled("location")):
            if fill(reading, draft, "jobLocation", pair.start, pair.end):
                break
    venue(reading, draft, "jobLocation")


def _section_text(reading: Reading, draft: Draft, name: str, section: Section) -> None:
    """The lines below a heading: each item of a list is a value, else all is one text."""
    items = [line for line in section.lines if line.tag == "li"]
    if items:
        for line in items[:25]:
            draft.add(name, line.text, line.evidence)
        return
    lines: list[Line] = []
    for line in section.lines:
        link = next(reading.outline.links_in(line.start, line.end), None)
        if "@" in line.text or (link is not None and link.end - link.start >= len(line.text) - 2):
            break  # a button, or how to apply
        lines.append(line)
    if lines and sum(len(line.text) for line in lines) < 4000:
        start, end = lines[0].start, lines[-1].end
        text = reading.page.text[start:end]
        if re.search(r"\w", text) and end - start < 5000:
            draft.add(name, text, span(reading.page, start, end))
