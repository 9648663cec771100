"""Addresses and telephone numbers, looked for in the text and in what links and media point to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from urllib.parse import urljoin

from schemaproof.agents.grounding import addresses
from schemaproof.agents.grounding.binding import bind
from schemaproof.agents.grounding.claim import Claim
from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.grounding.lexicon import name_words
from schemaproof.agents.grounding.outcome import Outcome
from schemaproof.agents.grounding.prepared import Prepared, Target
from schemaproof.agents.verdict import Evidence
from schemaproof.page.model import Kind

_IMAGES = frozenset(
    ("image", "logo", "thumbnailUrl", "photo", "primaryImageOfPage", "thumbnail", "images", "screenshot")
)
_MEDIA = frozenset(("contentUrl", "embedUrl", "video", "audio", "associatedMedia"))
_OWN = frozenset(("url", "mainEntityOfPage", "id", "item", "sameAs", "mainEntity", "isPartOf", "breadcrumb", "target"))
# Nodes that stand for somebody or something else than the page, where these properties lead.
_OTHERS = frozenset(
    [
        "author",
        "instructor",
        "member",
        "members",
        "employee",
        "performer",
        "actor",
        "director",
        "founder",
        "creator",
        "contributor",
    ]
)
# A property whose address must be of a page for just this purpose: the words of the link, or of the path, say so.
_PURPOSES: dict[str, str] = {
    "publishingPrinciples": "principles|editorial|guidelines|redaktion|richtlinien|principes|editoriales|standards",
    "correctionsPolicy": "correction|fehler|rectific|korrekt",
    "ethicsPolicy": "ethic|ethik|ethique|etica|conduct|charte",
    "diversityPolicy": "diversity|diversit|diversidad|vielfalt|inclusion",
    "diversityStaffingReport": "diversity|diversit|staffing",
    "missionCoveragePrioritiesPolicy": "mission|priorit|coverage",
    "masthead": "masthead|impressum|team|redaktion|staff|redaction|kunye",
    "ownershipFundingInfo": "ownership|funding|owner|finanz|about",
    "actionableFeedbackPolicy": "feedback",
    "verificationFactCheckingPolicy": "fact.?check|verif",
    "unnamedSourcesPolicy": "source|quellen",
    "noBylinesPolicy": "byline",
    "termsOfService": "terms|conditions|agb|nutzungsbedingungen|cgu|cgv|terminos|condizioni|voorwaarden|tos|legal",
    "privacyPolicy": "privacy|datenschutz|confidentialite|privacidad|privacybeleid",
    "hasMenu": "menu|speisekarte|carte|menukaart|carta",
    "menu": "menu|speisekarte|carte|menukaart|carta",
    "hasMap": "map|karte|plan|goo\\.gl|waze|directions",
    "map": "map|karte|plan|goo\\.gl|waze|directions",
    "license": "licen|creativecommons|copyright|rights|terms",
    "discussionUrl": "comment|discuss|forum|disqus|respond",
    "downloadUrl": "download|\\.zip|\\.exe|\\.apk|\\.dmg|store|play\\.google|itunes",
    "logo": "logo|brand|icon|marke",
}
_DECORATION = re.compile(r"banner|sprite|spacer|blank|placeholder|pixel|icon|avatar|loading|button|background|divider")
_STOP = frozenset(
    [
        "www",
        "com",
        "http",
        "https",
        "html",
        "htm",
        "php",
        "images",
        "image",
        "img",
        "media",
        "upload",
        "uploads",
        "content",
        "files",
        "static",
        "the",
        "and",
    ]
)


_RELATIVE = re.compile(r"(?![a-zA-Z][a-zA-Z0-9+.-]*:|//|#)[^\s<>\"]*[./][^\s<>\"]*$")


def judge_address(claim: Claim, prepared: Prepared) -> Outcome:
    """A web address: the page's own, a link's, a medium's, or printed."""
    value = re.sub(r"\s+", "", claim.text) if "\n" in claim.text else claim.text
    normal = addresses.normal(value)
    if not normal:
        return Outcome(0.1, "address-empty", "the address is empty")
    if claim.name not in _IMAGES and claim.name not in _MEDIA:
        own = _own(claim, prepared, normal)
        if own is not None:
            return own
    targets = _targets(prepared, normal, value)
    if not targets and prepared.page.base and _RELATIVE.match(value):
        targets = _targets(prepared, addresses.normal(urljoin(prepared.page.base, value)), value)
    if targets:
        return _linked(claim, prepared, targets)
    spans = prepared.printed_addresses.get(normal) or prepared.printed_addresses.get(addresses.without_query(normal))
    if spans:
        return Outcome(0.88, "address-printed", "the address stands in the text", spans=tuple(spans[:3]))
    folded = fold(value).text
    place = prepared.text.find(folded) if len(folded) > 6 else -1
    if place >= 0:
        return Outcome(0.8, "address-printed", "the address stands in the text", spans=((place, place + len(folded)),))
    if claim.name in _IMAGES or addresses.IMAGE.search(normal):
        named = prepared.image_names.get(addresses.image_name(normal))
        if named and len(addresses.image_name(normal)) >= 5:
            return _linked(claim, prepared, named, 0.85)
    return _not_there(claim, prepared, normal)


def _targets(prepared: Prepared, normal: str, value: str) -> list[Target]:
    found = prepared.targets.get(normal)
    if found:
        return found
    bare = addresses.without_query(normal)
    found = prepared.bare_targets.get(bare)
    # The query is part of the name of a page ("?id=7"), but not of an image ("?v=2").
    if found and (bare != normal or addresses.IMAGE.search(bare)):
        if addresses.IMAGE.search(bare) or re.search(r"[?&](?:utm_|ref|v|ver|fbclid)", normal):
            return found
    elif found:
        return [each for each in found if re.search(r"\?(?:utm_|ref|v=|ver=|fbclid)", each.normal)]
    path = value.strip()
    if path.startswith(("/", "./", "../")) and not path.startswith("//"):
        tail = addresses.normal(path.lstrip("."))
        return (
            prepared.target_paths.get(tail.lstrip("/"), [])
            or [
                each
                for targets in prepared.bare_targets.values()
                for each in targets
                if addresses.without_query(each.normal).endswith(addresses.without_query(tail))
            ][:10]
        )
    return []


def _own(claim: Claim, prepared: Prepared, normal: str) -> Outcome | None:
    """The page's own address, or the root of its site."""
    bare = addresses.without_query(normal)
    for each in prepared.own_addresses:
        if normal == each or bare == each or (bare == addresses.without_query(each) and "?" not in normal):
            if claim.depth and _of_another(claim):
                return None
            if claim.name not in _OWN and claim.name in _PURPOSES:
                return None
            evidence = Evidence(-1, -1, prepared.page.addresses[prepared.own_addresses.index(each)], Kind.URL)
            return Outcome(0.93, "own-address", "it is the page's own address", evidence=(evidence,))
    hosts = {addresses.host_of(each) for each in prepared.own_addresses}
    if bare in hosts and claim.name in ("url", "item", "sameAs", "id", "target", "mainEntityOfPage", "isPartOf"):
        if _of_another(claim):
            return Outcome(
                0.35, "site-address-of-another", "it is the address of the site, not of the one the statement is about",
                contradicted=True, evidence=(Evidence(-1, -1, bare, Kind.URL),),
            )  # fmt: skip
        return Outcome(
            0.88, "site-address", "it is the address of the page's site", evidence=(Evidence(-1, -1, bare, Kind.URL),)
        )
    return None


def _of_another(claim: Claim) -> bool:
    """Whether the node is a person, or somebody, whose address the page's own is not."""
    if any(
        each in ("Organization", "Corporation", "WebSite", "NewsMediaOrganization") or each.endswith("Business")
        for each in claim.types
    ):
        return False
    return any(step in _OTHERS for step in claim.path[:-1])


def _linked(claim: Claim, prepared: Prepared, targets: list[Target], ceiling: float = 0.93) -> Outcome:
    """A link or medium has the address: is it for this purpose?"""
    evidence = prepared.target_evidence(targets[:4])
    name = claim.name
    where = "an image" if targets[0].medium else "a link"
    normal = targets[0].normal
    purpose = _PURPOSES.get(name)
    if name.endswith("Policy") and purpose is None:
        purpose = "|".join(name_words(name)) or None
    if purpose is not None:
        told = re.compile(purpose)
        if not any(told.search(_told(prepared, each)) for each in targets[:8]):
            if name == "logo":
                return _logo(claim, prepared, targets, evidence, ceiling)
            return Outcome(
                0.2, "link-of-another-purpose", f"the page links to it as {_told(prepared, targets[0])[:60]!r}, "
                f"which is no {' '.join(name_words(name)) or name}", contradicted=True, evidence=evidence,
            )  # fmt: skip
        return Outcome(ceiling, "address-linked", f"{where} of the page has this address", evidence=evidence)
    if name in _IMAGES and not any(each.medium for each in targets) and not addresses.IMAGE.search(normal):
        return Outcome(
            0.3, "link-is-no-image", "a link of the page has this address, but it is no image", contradicted=True,
            evidence=evidence,
        )  # fmt: skip
    types = " ".join(claim.types)
    if name in _MEDIA:
        medium = None
        if "Video" in types or any(step in ("video", "associatedMedia") for step in claim.path[:-1]):
            medium = addresses.VIDEO
        elif "Audio" in types:
            medium = addresses.AUDIO
        elif "Image" in types:
            medium = addresses.IMAGE
        another = addresses.DOCUMENT.search(normal) or addresses.IMAGE.search(normal)
        if medium is not None and another and not medium.search(normal):
            return Outcome(
                0.2, "link-of-another-medium", "the page links to this address, but it is another kind of medium",
                contradicted=True, evidence=evidence,
            )  # fmt: skip
    if name in _IMAGES and name != "logo":
        words = " ".join(_told(prepared, each) for each in targets[:4])
        if _DECORATION.search(words) and "Person" in claim.types:
            return Outcome(
                0.4, "image-of-decoration", "the image with this address looks like decoration of the page",
                contradicted=True, evidence=evidence,
            )  # fmt: skip
    return Outcome(ceiling, "address-linked", f"{where} of the page has this address", evidence=evidence)


def _told(prepared: Prepared, target: Target) -> str:
    """What a reader is told of a link: its text and its path, folded."""
    link = target.link
    text = prepared.page.text[link.start : link.end] if link.end > link.start else ""
    return fold(f"{text} {addresses.path_of(target.normal) or target.normal}").text


def _logo(
    claim: Claim, prepared: Prepared, targets: list[Target], evidence: tuple[Evidence, ...], ceiling: float
) -> Outcome:
    """An image that is not called a logo: the first images of a page's head are, and what links home."""
    for each in targets:
        if not each.medium:
            continue
        block = prepared.block_at(each.link.start)
        if block is not None and block.region == "header":
            return Outcome(
                ceiling * 0.9, "address-linked", "an image in the page's head has this address", evidence=evidence
            )
        host = addresses.host_of(each.normal).partition(".")[0]
        own = {addresses.host_of(one).rpartition(".")[0] for one in prepared.own_addresses}
        named = re.sub(r"[^a-z0-9]", "", _told(prepared, each))
        if any(
            len(one) > 3 and re.sub(r"[^a-z0-9]", "", one) in named
            for one in {*own, host} - {"cdn", "images", "static", "media"}
        ):
            return Outcome(
                ceiling * 0.85, "address-linked", "an image named like the site has this address", evidence=evidence
            )
        if any(each.link.href == one.href for one in prepared.page.images[:3]):
            return Outcome(0.65, "address-linked", "one of the page's first images has this address", evidence=evidence)
    return Outcome(
        0.4,
        "image-is-no-logo",
        "an image of the page has this address, but nothing says it is a logo",
        evidence=evidence,
    )


def _not_there(claim: Claim, prepared: Prepared, normal: str) -> Outcome:
    other: tuple[Evidence, ...] = ()
    if claim.name == "url" and prepared.own_addresses and claim.depth == 0:
        other = (Evidence(-1, -1, prepared.page.addresses[0], Kind.URL),)
    return Outcome(0.04, "address-not-on-page", "no link, image or text of the page has this address", evidence=other)


def judge_email(claim: Claim, prepared: Prepared) -> Outcome:
    """An e-mail address: printed, disguised, or the target of a link."""
    wanted = addresses.email_of(claim.text)
    spans = prepared.emails.get(fold(wanted).text, [])
    if spans:
        return Outcome(0.94, "email-in-text", "the address stands in the text", spans=tuple(spans[:3]))
    evidence = _mail_links(wanted, prepared)
    if evidence:
        return Outcome(0.93, "email-linked", "a link of the page writes to this address", evidence=evidence)
    others = tuple(next(iter(prepared.emails.values()), [])[:1])
    return Outcome(
        0.04, "email-not-on-page", "the e-mail address stands neither in the text nor in a link",
        contradicted=bool(others), spans=others,
    )  # fmt: skip


def _mail_links(wanted: str, prepared: Prepared) -> tuple[Evidence, ...]:
    return prepared.target_evidence(prepared.written_to.get(wanted, [])[:3])


def judge_phone(claim: Claim, prepared: Prepared) -> Outcome:
    """A telephone number in any spelling, printed or the target of a link; told from a fax number."""
    wanted = addresses.digits_of(claim.text.partition(";")[0])
    if len(wanted) < 4:
        return Outcome(0.1, "phone-unreadable", f"{claim.text!r} is no telephone number")
    near = prepared.phones_by_tail.get(wanted[-6:], [])
    same = ((start, end) for digits, start, end in near if addresses.same_phone(digits, wanted))
    spans = list(islice(same, 10))
    if not spans:
        spans = list(_digits_in_text(wanted, prepared))
    called = prepared.called_by_tail.get(wanted.lstrip("0")[-6:], [])
    targets = (target for digits, target in called if addresses.same_phone(digits, wanted))
    evidence = prepared.target_evidence(list(islice(targets, 3)))
    if spans:
        wrong = "fax" if claim.name != "faxNumber" else "telephone"
        bindings = [bind(prepared, claim.concepts, *span) for span in spans[:10]]
        if not evidence and all(each.rival > each.own + 0.1 and each.concept == wrong for each in bindings):
            return Outcome(
                0.2, "phone-of-another", f"the number stands on the page as {bindings[0].rival_label!r}",
                contradicted=True, spans=(spans[0],),
            )  # fmt: skip
        return Outcome(
            0.94, "phone-in-text", "the number stands on the page", spans=tuple(spans[:3]), evidence=evidence
        )
    if evidence:
        return Outcome(0.9, "phone-linked", "a link of the page calls this number", evidence=evidence)
    other = next(((start, end) for _, start, end in prepared.phones if _is_phone(prepared, start, end)), None)
    return Outcome(
        0.04, "phone-not-on-page", "the telephone number stands neither in the text nor in a link",
        contradicted=other is not None, spans=(other,) if other else (),
    )  # fmt: skip


def _is_phone(prepared: Prepared, start: int, end: int) -> bool:
    return bind(prepared, ("telephone",), start, end).own >= 0.7


def _digits_in_text(wanted: str, prepared: Prepared) -> Iterable[tuple[int, int]]:
    """Short or oddly grouped numbers ("1-800-FLOWERS", "112"): the same digits in a row, separators between."""
    if len(wanted) < 5:
        return
    tail = wanted.lstrip("0")[-9:]
    span = prepared.digits(tail) if len(tail) >= 7 else None
    if span is not None:
        yield span
