"""What every node has: its name, address, description and images; and what any type has, read from labels."""

from __future__ import annotations

import re

from schemaproof.agents.grounding.addresses import host_of, normal
from schemaproof.agents.verdict import Evidence
from schemaproof.generation.contacts import profile
from schemaproof.generation.draft import Draft, target, within
from schemaproof.generation.keys import level
from schemaproof.generation.labels import Pair, named_property
from schemaproof.generation.reading import Reading
from schemaproof.generation.typed import fill
from schemaproof.page.model import Kind, Link

# Types that stand for the site or its owner rather than for what the page is about.
SITES = ("WebSite", "OnlineBusiness", "NewsMediaOrganization", "GovernmentOrganization")
_OFTEN_LISTED = (
    "Place", "MedicalOrganization", "EducationalOrganization", "PerformingGroup", "SportsOrganization", "NGO",
    "Corporation",
)  # fmt: skip
_PICTURES = 3
_HEADLINE = 110


def of_site(reading: Reading, draft: Draft) -> bool:
    """Whether a node of these types, on this page, is the site or its owner, not what the main heading names."""
    if draft.is_a(*SITES):
        return True
    if not draft.is_a("Organization"):
        return False
    title = reading.outline.title
    if title is None or of_site_name(reading) or at_home(reading):
        return True
    if len(title.text) > 70 or title.text.endswith(("!", "?", ".", "…")):
        return True
    # A page that tells how to reach someone is about the one that its heading names: a directory's entry, a branch.
    listed = draft.is_a(*_OFTEN_LISTED)
    if reading.site is None or listed:
        told = sum(bool(property_of(reading, draft, pair)) for pair in reading.pairs) if listed else 0
        return not reading.has_contact and told < 2
    return True


def at_home(reading: Reading) -> bool:
    """Whether the page is the site's first."""
    if reading.address is None:
        return False
    path = reading.address[0].split("://", 1)[-1].partition("/")[2].strip("/")
    return bool(re.fullmatch(r"(?:index\.\w+|home|[a-z]{2}(?:[-_][a-z]{2})?)?", path, re.I))


def of_site_name(reading: Reading) -> bool:
    """Whether the main heading is the site's name."""
    title, site = reading.outline.title, reading.site
    return title is not None and site is not None and level(title.text) == level(site[0])


def site_in_title(reading: Reading) -> bool:
    """Whether the main heading has the site's name in it."""
    title, site = reading.outline.title, reading.site
    return title is not None and site is not None and level(site[0]) in level(title.text)


def identify(reading: Reading, draft: Draft) -> None:
    """Write name (or headline, or title), address, description and images."""
    site = of_site(reading, draft)
    title = reading.outline.title
    if site:
        if reading.site is not None:
            draft.add("name", *reading.site)
    elif draft.is_a("Quotation"):
        pass  # what is quoted has no name
    elif title is not None and title.text:
        _name(draft, title.text, title.evidence)
    _url(reading, draft, site=site)
    lead = reading.lead
    if (
        lead is not None
        and not draft.is_a("Quotation")
        and (not site or at_home(reading) or _speaks_of_site(reading, lead.text))
    ):
        cut = _label_length(reading, lead.text)
        draft.add("description", lead.text[cut:], within(lead, cut, len(lead.text)))
    if not site or (at_home(reading) and not draft.is_a("WebSite")):
        images(reading, draft, site=site)


def _label_length(reading: Reading, text: str) -> int:
    """How many characters of a paragraph are a label ("Summary: ") that only says what it is."""
    match = re.match(r"[^:：.]{2,30}[:：]\s*", text)
    if match is None or match.end() >= len(text):
        return 0
    return match.end() if "description" in reading.outline.lexicon.names(level(match.group())) else 0


def _speaks_of_site(reading: Reading, text: str) -> bool:
    return reading.site is not None and f" {level(reading.site[0])} " in f" {level(text)} "


def _name(draft: Draft, text: str, evidence: Evidence) -> None:
    if draft.is_a("JobPosting"):
        draft.add("title", text, evidence)
        return
    if draft.is_a("Article", "SocialMediaPosting"):
        draft.add("headline", text, evidence)
        return
    draft.add("name", text, evidence)


def _url(reading: Reading, draft: Draft, *, site: bool) -> None:
    if site and not at_home(reading):
        home = reading.home
        if home is not None:
            draft.add("url", reading.absolute(home), target(home))
        return
    if reading.address is not None:
        draft.add("url", *reading.address)


def images(reading: Reading, draft: Draft, *, site: bool = False) -> None:
    """Write the images of the page's own content, with their alternative texts where the property takes nodes."""
    name = draft.first_allowed(("image",))
    if draft.is_a("WebPage") and draft.allows("primaryImageOfPage"):
        name = "primaryImageOfPage"
    if not name:
        return
    limit = 1 if name == "primaryImageOfPage" else _PICTURES
    for image in reading.pictures[:limit]:
        # Pictures of a first page are of what is on offer; of the site are those that have its name.
        if site and not (reading.site and level(reading.site[0]) in level(reading.alternative(image))):
            continue
        draft.add(name, picture(reading, draft, image))


def picture(reading: Reading, draft: Draft, image: Link) -> Draft:
    """An image as a node."""
    node = draft.new("ImageObject")
    node.add("url", reading.absolute(image), target(image, Kind.IMAGE))
    alternative = reading.alternative(image)
    if len(alternative) > 3:
        node.add("caption", alternative, Evidence(image.start, image.end, alternative, Kind.ALT))
    return node


def profiles(reading: Reading, draft: Draft, *, anywhere: bool, outside: tuple[int, int] | None = None) -> None:
    """Write the visible links to profiles elsewhere as sameAs.

    Arguments:
        anywhere: of the whole page (the site's own profiles), else only of its content.
        outside: a span of the page's text that is passed over.
    """
    body = reading.outline.body
    low, high = (0, len(reading.page.text)) if anywhere or not body else (body[0].start, body[-1].end)
    found: dict[str, list[Link]] = {}
    seen: set[str] = set()
    for link in reading.page.links:
        key = link.url.rstrip("/").lower()
        if outside is not None and outside[0] <= link.start <= outside[1]:
            continue
        if low <= link.start <= high and key not in seen and profile(link.url):
            seen.add(key)
            found.setdefault(host_of(normal(link.url)), []).append(link)
    for links in found.values():
        if len(links) <= 2:  # many profiles on one site are those of others
            for link in links:
                draft.add("sameAs", link.url, target(link))


def labelled(reading: Reading, draft: Draft, *, only: frozenset[str] | None = None) -> None:
    """Write what the labels of the page's content say of a node of these types, whatever they are.

    Arguments:
        reading: of the page.
        draft: the node.
        only: the properties that may be written; None for all.
    """
    written: dict[str, str] = {}
    for pair in reading.pairs:
        name = property_of(reading, draft, pair)
        if not name or (only is not None and name not in only):
            continue
        # A property that was written from one label takes more values only from the same label in the same place.
        if name in draft and (written.get(name) != pair.key or _single(reading, name)):
            continue
        if fill(reading, draft, name, pair.start, pair.end):
            written[name] = pair.key


_SINGLE = frozenset(
    ("Date", "DateTime", "Time", "Duration", "Number", "Integer", "QuantitativeValue", "MonetaryAmount", "Boolean")
)


def _single(reading: Reading, name: str) -> bool:
    """Whether a thing has one value of the property at most: a date, a number, an amount."""
    return not _SINGLE.isdisjoint(reading.vocabulary.properties[name].ranges)


def property_of(reading: Reading, draft: Draft, pair: Pair) -> str:
    """The property of the node that a label names, or ""."""
    for name in pair.names:
        if name.isupper():
            continue
        if draft.allows(name):
            return name
    if not pair.names and pair.strong:
        name = named_property(reading.vocabulary, pair.key)
        if name and draft.allows(name):
            return name
    return ""
