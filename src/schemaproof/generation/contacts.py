"""Ways to reach someone: telephone numbers, e-mail addresses, profiles elsewhere and postal addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from schemaproof.agents.compliance_names import country_name
from schemaproof.agents.compliance_words import SOCIAL
from schemaproof.agents.grounding.addresses import email_of, find_phones
from schemaproof.agents.grounding.folding import fold
from schemaproof.generation.facts import Fact, fold_digits


@dataclass(frozen=True, slots=True)
class Address:
    """A postal address taken apart.

    Attributes:
        parts: property of PostalAddress → fact, offsets into the text that was given.
        start, end: the whole of it.
    """

    parts: dict[str, Fact] = field(default_factory=dict)
    start: int = 0
    end: int = 0


_EMAIL = re.compile(r"(?<![\w.+-])[A-Za-z0-9][\w.+%-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,24}(?![\w-])")
_DATE_LIKE = re.compile(
    r"^\(?(?:19|20)\d\d\s?[-–/]\s?(?:19|20)?\d\d\)?$|^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$|^\d{4}-\d{2}-\d{2}"
)


def phones(text: str) -> list[Fact]:
    """Telephone numbers as printed. The text should be one that speaks of telephones; digits alone say little."""
    folded = fold(text)
    found = []
    for digits, start, end in find_phones(folded.text):
        first, last = folded.original(start), folded.original(end - 1) + 1
        printed = text[first:last].strip()
        if len(digits) < 7 or _DATE_LIKE.match(printed) or text[last : last + 1] in ("%", "€"):
            continue
        found.append(Fact(printed, first, last))
    return found


def emails(text: str) -> list[Fact]:
    """E-mail addresses as printed."""
    if "@" not in text:
        return []
    return [Fact(match.group(), match.start(), match.end()) for match in _EMAIL.finditer(text)]


def linked_email(href: str) -> str:
    """The address of a mailto: link, or ""."""
    return email_of(href) if href[:7].lower() == "mailto:" else ""


def linked_phone(href: str) -> str:
    """The number of a tel: link as written, or ""."""
    return href[4:].strip() if href[:4].lower() == "tel:" else ""


_SHARING = re.compile(
    r"/(?:share|sharer|intent|dialog|pin/create|submit|send|sharing|shareArticle|home\?status|login|signup|"
    r"hashtag|search)\b|"
    r"[?&](?:url|u|text|body|status)=",
    re.I,
)
_POST = re.compile(
    r"/(?:status|statuses|posts?|p|reel|videos?|watch|photos?|events?|groups?|wiki/Special|story\.php|explore|"
    r"tags?|joinchat|"
    r"playlist|hashtag)(?:/|\?|$)",
    re.I,
)
_MORE = frozenset(
    (
        "twitch.tv", "bandcamp.com", "behance.net", "dribbble.com", "patreon.com", "orcid.org", "researchgate.net",
        "mixcloud.com", "gitlab.com", "letterboxd.com", "houzz.com", "about.me", "linktr.ee", "deviantart.com",
        "kickstarter.com", "stackoverflow.com", "dailymotion.com",
    )
)  # fmt: skip


def profile(url: str) -> bool:
    """Whether an address is a profile on a site that keeps profiles: not a button for sharing, not one post."""
    # The host by hand: thousands of links are asked for, few are of these hosts.
    host = url.split("/", 3)[2].lower().removeprefix("www.") if url.count("/") > 2 else ""
    base = ".".join(host.rsplit(".", 2)[-2:])
    if base not in SOCIAL and host not in SOCIAL and base not in _MORE:
        return False
    path = url.split("://", 1)[-1].partition("/")[2].strip("/")
    if path.count("/") > 3 or re.search(
        r"\.(?:js|css|png|jpe?g|svg|php|html?|json|xml)$", path.partition("?")[0], re.I
    ):
        return False
    return bool(path) and not _SHARING.search(url) and not _POST.search("/" + path)


_UK = re.compile(r"\b([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})\b")
_CANADA = re.compile(r"\b([A-Z]\d[A-Z] ?\d[A-Z]\d)\b")
_US = re.compile(
    r"(?:^|,)\s*(?P<city>[A-Z][\w.' -]{2,40}?),?\s+(?P<state>[A-Z]{2})\.?,?\s+(?P<code>\d{5}(?:-\d{4})?)\b"
)
_AUSTRALIA = re.compile(
    r"(?:^|,)\s*(?P<city>[A-Z][\w.' -]{2,40}?),?\s+(?P<state>NSW|VIC|QLD|WA|SA|TAS|ACT|NT)\.?,?\s+(?P<code>\d{4})\b"
)
_JAPAN = re.compile(
    r"〒?\s?(?P<code>\d{3}[-‐–－]\d{4})\s*(?P<region>(?:東京都|北海道|(?:大阪|京都)府|..県|...県))"
    r"(?P<city>[^\d\s,、]{1,6}?[市郡](?:[^\d\s,、]{1,5}?[区町村](?!通|筋|屋))?|[^\d\s,、]{1,5}?区)(?P<street>[^\n、,]{2,60})"
)
_DUTCH = re.compile(r"^(?:NL-)?(?P<code>\d{4} ?[A-Z]{2})\s+(?P<city>[^\W\d_][^\d,;|]{1,40})$")
_CONTINENT = re.compile(
    r"^(?:[A-Z]{1,2}[-–])?(?P<code>\d{4,5}|\d{2}-\d{3}|\d{3}\s\d{2})\s+(?P<city>[^\W\d_][^\d,;|:@]{1,40})$"
)
_CITY_CODE = re.compile(r"^(?P<city>[^\W\d_][^\d,;|:@]{1,40}?)[\s-]+(?P<code>\d{4,6})$")
_STATE_CODE = re.compile(r"\b(?P<state>[A-Z]{2})\.?,?\s+(?P<code>\d{5}(?:-\d{4})?)$")
# What a text must have somewhere to hold a postal code.
CODE = re.compile(r"\d{4}|\d{3}[\s-]\d{2}|\d{2}-\d{3}|\d[A-Z]{2}\b|[A-Z]\d[A-Z] ?\d")
_PART = re.compile(r"[^,;|\n·•]+")
_STREET = re.compile(
    r"(?:stra(?:ß|ss)e|str\.?|weg|platz|allee|gasse|ring|damm|ufer|laan|straat|plein|gracht|kade|gade|vej|gatan|"
    r"vägen)\s*\d|"
    r"\b(?:rue|avenue|av|boulevard|bd|quai|place|chemin|impasse|route|street|st|road|rd|lane|ln|drive|dr|square|"
    r"court|ct|"
    r"highway|hwy|parkway|pkwy|way|blvd|ave|terrace|close|calle|plaza|paseo|carrer|c/|via|viale|piazza|corso|"
    r"rua|travessa|"
    r"ул|улица|проспект|пр-т|ulica|ul|al|aleja|cad|caddesi|sok|sokak|mah)\b",
    re.I,
)
_NUMBERED = re.compile(r"^\d{1,5}[a-zA-Z]?,?\s+[A-Z]|^[^\W\d_][^\d]{3,40}\s\d{1,4}(?:/\d{1,4})?[a-zA-Z]?$")


def postal_address(text: str, language: str, *, sure: bool = False) -> Address | None:
    """A postal address in a short text, or None where it cannot be taken apart.

    Arguments:
        text: a line or a few, parted by commas or line breaks.
        language: of the page, for names of countries.
        sure: the text is known to be an address; otherwise it must have a street before its postal code.
    """
    if not 8 <= len(text) <= 300:
        return None
    plain = fold_digits(text)
    match = _JAPAN.search(plain)
    if match:
        parts = {"postalCode": match["code"], "addressRegion": match["region"], "addressLocality": match["city"]}
        names = {"postalCode": "code", "addressRegion": "region", "addressLocality": "city"}
        found = {name: Fact(text[slice(*match.span(names[name]))], *match.span(names[name])) for name in parts}
        start, end = match.span("street")
        street = text[start:end].strip()
        start += text[start:end].find(street)
        found["streetAddress"] = Fact(street, start, start + len(street))
        return Address(found, match.start(), match.end())
    pieces = [
        (match.start() + len(match.group()) - len(match.group().lstrip()), match.group().strip())
        for match in _PART.finditer(plain)
        if match.group().strip()
    ]
    if len(pieces) < 2:
        return None
    return _western(text, plain, pieces, language, sure)


def _western(text: str, plain: str, pieces: list[tuple[int, str]], language: str, sure: bool) -> Address | None:
    found: dict[str, tuple[int, int]] = {}
    at = -1  # the piece with the town
    for pattern in (_US, _AUSTRALIA):
        match = pattern.search(plain.replace("\n", ","))
        if match:
            found = {
                "addressLocality": match.span("city"),
                "addressRegion": match.span("state"),
                "postalCode": match.span("code"),
            }
            at = next(
                (i for i, (start, piece) in enumerate(pieces) if start <= match.start("city") < start + len(piece)), -1
            )
            break
    if not found:
        for index, (start, piece) in enumerate(pieces):
            if index == 0 and len(pieces) > 1 and not sure:
                continue
            match = _DUTCH.match(piece) or _CONTINENT.match(piece)
            if match:
                found = {"postalCode": _at(start, match, "code"), "addressLocality": _at(start, match, "city")}
                at = index
                break
            code = _UK.search(piece) or _CANADA.search(piece)
            if code:
                found = {"postalCode": _at(start, code, 1)}
                before = piece[: code.start()].strip()
                at = index
                if before and not any(c.isdigit() for c in before):
                    region = re.fullmatch(r"(?:(?P<city>.+?)\s+)?(?P<region>[A-Z]{2})", before)
                    if region and _CANADA.search(piece) and region["region"] in _PROVINCES:
                        found["addressRegion"] = _at(start, region, "region")
                        before = region["city"] or ""
                    if before:
                        found["addressLocality"] = (start, start + len(before))
                if "addressLocality" not in found and index > 1 and not any(c.isdigit() for c in pieces[index - 1][1]):
                    town_start, town = pieces[index - 1]
                    state = re.search(r"\s([A-Z]{2})$", town)
                    if state and state[1] in _PROVINCES:
                        found["addressRegion"] = _at(town_start, state, 1)
                        town = town[: state.start()]
                    found["addressLocality"] = (town_start, town_start + len(town))
                    at = index - 1
                break
            match = _STATE_CODE.search(piece)
            if match and language == "en":
                found = {"addressRegion": _at(start, match, "state"), "postalCode": _at(start, match, "code")}
                at = index
                break
            match = _CITY_CODE.match(piece)
            if match and sure and index and language not in ("ja", "zh", "ko"):
                found = {"postalCode": _at(start, match, "code"), "addressLocality": _at(start, match, "city")}
                at = index
                break
    if not found or (at < 1 and "addressRegion" not in found):
        return None
    locality = found.get("addressLocality")
    if locality is not None and not _names_town(plain[locality[0] : locality[1]]):
        return None
    # The street: the piece before the town that has a number or a word for streets; what is before it is a name.
    for index in range(at - 1, -1, -1):
        start, piece = pieces[index]
        if any(c.isdigit() for c in piece) or (sure and _STREET.search(piece)):
            likely = _STREET.search(piece) or _NUMBERED.search(piece)
            if 4 <= len(piece) <= 80 and (sure or likely) and "@" not in piece and any(c.isalpha() for c in piece):
                found["streetAddress"] = (start, start + len(piece))
            break
    if "streetAddress" not in found and not sure:
        return None
    for start, piece in pieces[at + 1 : at + 3]:
        if len(piece) > 2 and country_name(piece.rstrip("."), language):
            found["addressCountry"] = (start, start + len(piece.rstrip(".")))
            break
    facts = {name: Fact(text[start:end].strip(), start, end) for name, (start, end) in found.items()}
    return Address(facts, min(fact.start for fact in facts.values()), max(fact.end for fact in facts.values()))


def _names_town(text: str) -> bool:
    """Whether a text can name a town: it starts with a capital where its script has any."""
    text = text.strip()
    return len(text) > 2 and (text[0].isupper() or not text[0].islower() or text[:2] in ("s-", "'s", "d'"))


_PROVINCES = frozenset(["AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT"])


def _at(start: int, match: re.Match[str], group: str | int) -> tuple[int, int]:
    return start + match.start(group), start + match.end(group)
