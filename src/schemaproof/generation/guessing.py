"""What a page is about, as root types, from what a reader sees of it: used where no one says and no markup tells."""

from __future__ import annotations

from schemaproof.generation import facts
from schemaproof.generation.bylines import near_title
from schemaproof.generation.offers import buy_line
from schemaproof.generation.prose import is_prose
from schemaproof.generation.reading import Reading
from schemaproof.generation.things import at_home, of_site_name
from schemaproof.page.model import Page
from schemaproof.vocabulary import Vocabulary

# Labels that only things of one kind have → the kind and how much they say.
_TELLING = {
    "Recipe": {"prepTime": 2, "cookTime": 2, "recipeYield": 1, "recipeCuisine": 1, "totalTime": 1},
    "JobPosting": {"baseSalary": 2, "employmentType": 2, "validThrough": 1, "hiringOrganization": 1, "workHours": 1,
                   "datePosted": 2},
    "Movie": {"director": 2, "actor": 2, "musicBy": 1, "productionCompany": 1, "duration": 1},
    "Book": {"isbn": 3, "numberOfPages": 2, "bookFormat": 1, "publisher": 1},
    "Course": {"courseCode": 2, "instructor": 2, "courseMode": 2, "coursePrerequisites": 2, "educationalLevel": 1,
               "provider": 1},
    "Event": {"doorTime": 3, "organizer": 2, "performer": 2, "location": 1, "endDate": 1},
    "Product": {"sku": 2, "brand": 1, "gtin13": 2, "mpn": 2, "color": 1, "weight": 1, "AVAILABILITY": 1, "material": 1},
    "SoftwareApplication": {"operatingSystem": 3, "softwareVersion": 2, "fileSize": 1},
    "MusicAlbum": {"byArtist": 2},
    "LocalBusiness": {"openingHours": 2, "priceRange": 1, "telephone": 1, "address": 1},
    "Person": {"birthDate": 3, "birthPlace": 2, "nationality": 1, "jobTitle": 1, "deathDate": 2},
}  # fmt: skip
_ENOUGH = 3.0


def guess_types(page: Page, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The likeliest root type of a page; WebPage where nothing speaks for another.

    Arguments:
        page: the page; its embedded markup is not looked at.
        vocabulary: types that it does not have are not guessed; an empty tuple where it has none of ours.
    """
    reading = Reading(page, vocabulary)
    scores = _scores(reading)
    for name, score in sorted(scores.items(), key=lambda each: -each[1]):
        if score >= _ENOUGH and name in vocabulary.types:
            return (name,)
    return ("WebPage",) if "WebPage" in vocabulary.types else ()


def _scores(reading: Reading) -> dict[str, float]:
    outline = reading.outline
    scores: dict[str, float] = {}
    seen: set[str] = set()
    for pair in reading.pairs:
        seen.update(pair.names)
    for kind, telling in _TELLING.items():
        scores[kind] = float(sum(weight for name, weight in telling.items() if name in seen))
    headings: set[str] = set()
    questions = 0
    for section in outline.sections:
        if section.heading is not None:
            headings.update(outline.lexicon.names(section.key) or outline.lexicon.starting(section.key))
    for line in outline.body:
        if len(line.text) < 200 and line.text.rstrip().endswith(("?", "？", "؟")) and not is_prose(line):
            questions += 1
    scores["Recipe"] += 3.0 * ("INGREDIENTS" in headings) + ("INSTRUCTIONS" in headings)
    scores["HowTo"] = 1.5 * ("INSTRUCTIONS" in headings) + 1.5 * ("TOOLS" in headings) + ("SUPPLIES" in headings)
    if "INGREDIENTS" in headings and "TOOLS" not in headings:
        scores["HowTo"] = 0.0
    scores["JobPosting"] += ("qualifications" in headings) + ("responsibilities" in headings)
    scores["FAQPage"] = 1.2 * questions if questions >= 3 and questions * 4 >= len(outline.sections) else 0.0
    address = reading.address[0] if reading.address else ""
    if buy_line(reading) is not None and any(
        facts.prices(line.text, reading.language, address) for line in outline.body[:40] if len(line.text) < 140
    ):
        scores["Product"] += 3.0
        scores["Book"] += 1.0
    scores["LocalBusiness"] += 1.0 * ("openingHours" in headings)
    if any(facts.dates(line.text, reading.language) for line in near_title(reading) if len(line.text) < 160):
        if "PRICE" in seen or "location" in seen:
            scores["Event"] += 2.0 * ("startDate" in seen) + 1.0
        paragraphs = sum(is_prose(line) for line in outline.body)
        scores["Article"] = 1.0 + 0.5 * min(paragraphs, 8)
    if of_site_name(reading) or at_home(reading):
        scores["Organization"] = 3.5 if not scores["LocalBusiness"] >= _ENOUGH else 0.0
    return scores
