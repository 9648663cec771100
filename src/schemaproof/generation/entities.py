"""Things that a text names: persons, organisations, places and their addresses, each as a node."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemaproof.agents.compliance_names import country_name
from schemaproof.generation.contacts import postal_address
from schemaproof.generation.draft import Draft, span, target
from schemaproof.generation.reading import Reading

COMMAS = re.compile(r"\s*[,;|•·、،；，\n\t]\s*")
SEPARATORS = re.compile(r"\s*(?:[,;|•·/、،；，\n\t]|\s[-–]\s|\s(?:&|and|und|et|y|e|en|i|и|ve|och|og|a)\s)\s*")
_COMPANY = re.compile(
    r"\b(?:ltd|limited|inc|llc|gmbh|ag|kg|corp|co|plc|s\.?a\.?|s\.?r\.?l|b\.?v|n\.?v|oy|ab|aps|as|e\.?\s?v|sarl|"
    r"sas|company|"
    r"group|gruppe|verlag|press|books|publishing|publishers|pictures|films?|studios?|records|university|"
    r"universität|université|"
    r"institut\w*|school|college|academy|association|foundation|society|agency|agentur|museum|team|redaktion|"
    r"staff|editorial|"
    r"rédaction|news|media|magazine|times|post|journal|editors?|association|verein|stiftung|orchestra|quartet|"
    r"quatuor|band|"
    r"ensemble|trio|choir|club|ministry|department|council|city of|church|bank|hotel|restaurant|shop|store|"
    r"labs?|network|"
    r"издательство|ооо|株式会社|出版|editora|éditions|editorial|editions|w\.?e\.?|api)\b|株式会社|出版社|大学|会社|協会",
    re.I,
)
_NOT_A_NAME = re.compile(r"[!?;:@#<>{}\[\]=_]|https?|\d{3,}|www\.", re.I)
PEOPLE = frozenset(("Person", "Organization", "PerformingGroup", "MusicGroup"))
PLACES = frozenset(("Place", "AdministrativeArea", "City", "Country", "PostalAddress", "VirtualLocation", "State"))
# Properties whose values are organisations unless their name is plainly a person's.
_FIRMS = frozenset(
    (
        "publisher", "provider", "organizer", "hiringOrganization", "manufacturer", "productionCompany",
        "sponsor", "recordLabel", "seller", "worksFor", "affiliation", "alumniOf", "brand",
        "parentOrganization", "department", "memberOf", "copyrightHolder",
    )
)  # fmt: skip


def parts(reading: Reading, text: str, start: int, separators: re.Pattern[str]) -> Iterator[tuple[str, int]]:
    """The items of a printed list with their offsets: its links where they cover it, else cut at the separators."""
    links = [
        link
        for link in reading.outline.links_in(start, start + len(text))
        if link.start < link.end <= start + len(text)
    ]
    covered = sum(link.end - link.start for link in links)
    if links and covered > 0.6 * len(text):
        for link in links:
            item = reading.page.text[link.start : link.end].strip()
            if item:
                yield item, link.start + reading.page.text[link.start : link.end].find(item)
        return
    at = 0
    for match in [*separators.finditer(text), None]:
        stop = match.start() if match else len(text)
        item = text[at:stop].strip(" .❘|")
        if item:
            yield item, start + at + text[at:stop].find(item)
        at = match.end() if match else stop


def looks_like_name(text: str) -> bool:
    """Whether a text can be the name of a person or an organisation."""
    if not 2 <= len(text) <= 80 or _NOT_A_NAME.search(text) or text.count(" ") > 7:
        return False
    first = text[0]
    return ((first.isupper() or not first.islower()) and first.isalpha() and not text.endswith((".", "…"))) or bool(
        _COMPANY.search(text) and len(text) < 60 and first.isalpha()
    )


def person_or_organization(text: str) -> str:
    """Which of the two a name belongs to."""
    return "Organization" if _COMPANY.search(text) else "Person"


_ROLE = re.compile(r"\s*(?:\(.*\)|\[.*\]|[-–—,|/·]\s.*| as .*)$")
_BY = re.compile(r"^(?:by|von|par|por|di|door|от|av|af|przez|written by|text by|words by)\s+", re.I)


def people(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    """Write persons or organisations that a text names, each as a node with its name."""
    ranges = reading.vocabulary.properties[name].ranges
    done = False
    single = bool(_COMPANY.search(text)) and "," not in text
    items = [(text, start)] if single else list(parts(reading, text, start, COMMAS if name in _FIRMS else SEPARATORS))
    for item, at in items[:30]:
        match = _BY.match(item)
        if match:
            at += match.end()
            item = item[match.end() :]
        if not single:
            item = _ROLE.sub("", item)
        item = item.strip()
        if not looks_like_name(item):
            continue
        kind = "Organization" if name in _FIRMS or _is_site(reading, item) else person_or_organization(item)
        if kind not in ranges and not any(reading.vocabulary.is_a(kind, each) for each in ranges):
            kind = next((each for each in ranges if each in PEOPLE), "")
        if name == "brand" and "Brand" in ranges:
            kind = "Brand"
        if not kind:
            continue
        node = draft.new(kind)
        node.add("name", item, span(reading.page, at, at + len(item)))
        link = next(reading.outline.links_in(at, at + len(item)), None)
        if link is not None and link.href[:1] != "#":
            url = reading.absolute(link)
            if url.startswith(("http://", "https://")) and not _same_page(reading, url):
                node.add("url", url, target(link))
        done |= draft.add(name, node)
    return done


def _is_site(reading: Reading, text: str) -> bool:
    return reading.site is not None and reading.site[0] == text


def _same_page(reading: Reading, url: str) -> bool:
    return reading.address is not None and url.split("#")[0] == reading.address[0]


def address_node(reading: Reading, draft: Draft, text: str, start: int, *, sure: bool = True) -> Draft | None:
    """A PostalAddress from a text, or None where it cannot be taken apart."""
    found = postal_address(text, reading.language, sure=sure)
    if found is None:
        return None
    node = draft.new("PostalAddress")
    for name in ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry"):
        fact = found.parts.get(name)
        if fact is not None:
            node.add(name, fact.value, span(reading.page, start + fact.start, start + fact.end))
    return node


def postal(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    """Write a postal address: taken apart where it can be, else as its text."""
    node = address_node(reading, draft, text, start)
    if node is not None:
        return draft.add(name, node)
    if len(text) > 200 or "@" in text or not any(c.isdigit() for c in text):
        return False
    return draft.add(name, text, span(reading.page, start, start + len(text)))


def place(reading: Reading, draft: Draft, name: str, text: str, start: int) -> bool:
    """Write a place that a text names: by its address where it is one, else by its name."""
    if len(text) > 200:
        return False
    ranges = reading.vocabulary.properties[name].ranges
    if set(ranges) == {"Country"} or (
        name in ("countryOfOrigin", "nationality") and country_name(text, reading.language)
    ):
        done = False
        for item, at in parts(reading, text, start, COMMAS):
            if country_name(item, reading.language):
                done |= draft.add(name, draft.named("Country", item, span(reading.page, at, at + len(item))))
        return done
    node = draft.new("Place" if "Place" in ranges else next((each for each in ranges if each in PLACES), "Place"))
    address = address_node(reading, draft, text, start, sure=True)
    if address is not None and node.allows("address"):
        node.add("address", address)
        first = text.split(",")[0].strip()
        if first and not any(c.isdigit() for c in first) and len(first) > 2 and text.count(",") > 1:
            node.add("name", first, span(reading.page, start, start + len(first)))
    elif len(text) <= 100 and not _NOT_A_NAME.search(text):
        node.add("name", text, span(reading.page, start, start + len(text)))
    return draft.add(name, node)
