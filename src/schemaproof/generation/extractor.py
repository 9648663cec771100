"""The contender that needs no model: from what a reader sees of a page to JSON-LD of the wanted root types.

Nothing that the author embedded for machines is looked at: no JSON-LD, microdata or RDFa; the title element and the
meta description serve only to choose among visible texts. Only properties that the vocabulary allows for a node's
types are written, in the form that their range asks for, and every value has the place that it was taken from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from schemaproof.agents.verdict import Evidence
from schemaproof.errors import VocabularyError
from schemaproof.generation.breadcrumbs import breadcrumbs, listed_items, write_items
from schemaproof.generation.draft import Draft
from schemaproof.generation.guides import total_time, write_instructions, write_questions, write_recipe
from schemaproof.generation.occasions import write_course, write_event, write_job
from schemaproof.generation.offers import write_offers, write_rating
from schemaproof.generation.parties import OF_SITE, write_organization, write_person, write_service
from schemaproof.generation.reading import Reading
from schemaproof.generation.things import identify, labelled, of_site
from schemaproof.generation.voices import write_comments, write_reviews
from schemaproof.generation.works import OF_PAGE, tags, write_work
from schemaproof.page.model import Page
from schemaproof.vocabulary import Vocabulary

# Classes that say too little about what a thing is to make two types one thing.
_VAGUE = frozenset(("Thing", "Intangible", "StructuredValue", "Enumeration"))
_LISTS = ("BreadcrumbList",)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was read from a page.

    Attributes:
        documents: JSON-LD objects, one for each thing that was asked for and found.
        sources: JSON Pointer of a value, from the list of documents on ("/0/offers/price"), to where it stands.
    """

    documents: list[dict[str, Any]] = field(default_factory=list)
    sources: dict[str, Evidence] = field(default_factory=dict)


def extract(page: Page, types: Sequence[str], vocabulary: Vocabulary, *, reading: Reading | None = None) -> Extraction:
    """Write markup for a page, with no model.

    Arguments:
        page: the page.
        types: names of the wanted root types. Types that can be of one thing (NewsArticle and Recipe) give one
            node with all of them, others (Product and BreadcrumbList) a document each.
        vocabulary: what may be written.
        reading: what was read of this page before, for other types of it: most of the work is shared.

    Returns: the documents and their sources; no document for a type of which nothing was found.

    Raises:
        VocabularyError: a type that the vocabulary does not have; the message names the nearest.
    """
    for name in types:
        if name not in vocabulary.types:
            near = vocabulary.nearest_type(name)
            hint = f"; did you mean {near}?" if near else ""
            raise VocabularyError(f"the vocabulary has no type {name}{hint}")
    if reading is None or reading.page is not page:
        reading = Reading(page, vocabulary)
    extraction = Extraction()
    for group in kinds(types, vocabulary):
        draft = Draft(group, vocabulary)
        write(reading, draft)
        if draft:
            pointer = f"/{len(extraction.documents)}"
            body = draft.render(pointer, extraction.sources)
            extraction.documents.append({"@context": "https://schema.org", **body})
    return extraction


def kinds(types: Sequence[str], vocabulary: Vocabulary) -> list[tuple[str, ...]]:
    """The types in groups that can be of one thing: those that share a class that says what a thing is."""
    groups: list[list[str]] = []
    for name in dict.fromkeys(types):
        own = vocabulary.types[name].ancestors - _VAGUE
        for group in groups:
            if any(own & (vocabulary.types[other].ancestors - _VAGUE) for other in group):
                group.append(name)
                break
        else:
            groups.append([name])
    return [tuple(group) for group in groups]


def write(reading: Reading, draft: Draft) -> None:
    """Write all that the page shows of a node of these types."""
    if draft.is_a(*_LISTS):
        write_items(reading, draft, breadcrumbs(reading))
        return
    if draft.is_a("ItemList") and (listed := listed_items(reading, draft)) is not None:
        draft.take(listed, "itemListElement")
    identify(reading, draft)
    if draft.is_a("CreativeWork"):
        write_work(reading, draft)
    if draft.is_a("Course"):
        write_course(reading, draft)
    if of_site(reading, draft):
        labelled(reading, draft, only=OF_SITE)
    elif draft.is_a("WebPage"):
        labelled(reading, draft, only=OF_PAGE)
    else:
        labelled(reading, draft)
    if draft.is_a("Recipe"):
        write_recipe(reading, draft)
    if draft.is_a("HowTo") and not draft.is_a("Recipe"):
        write_instructions(reading, draft)
        total_time(reading, draft)
    if draft.is_a("FAQPage", "QAPage"):
        write_questions(reading, draft)
    if draft.is_a("Event"):
        write_event(reading, draft)
    if draft.is_a("JobPosting"):
        write_job(reading, draft)
    if draft.is_a("Organization", "Place"):
        write_organization(reading, draft)
    if draft.is_a("Service"):
        write_service(reading, draft)
    if draft.is_a("Person"):
        write_person(reading, draft)
    if draft.is_a("CreativeWork"):
        tags(reading, draft)
        write_comments(reading, draft)
    if not of_site(reading, draft):
        write_offers(reading, draft)
        write_rating(reading, draft)
        write_reviews(reading, draft)
