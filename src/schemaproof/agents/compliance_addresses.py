"""Addresses that point to something else than their property means: an image for a page, a share link for a profile."""

from __future__ import annotations

import re

from schemaproof.agents.compliance_contacts import IMAGES, extension, is_home, media
from schemaproof.agents.compliance_fault import Fault
from schemaproof.agents.compliance_names import bare_term
from schemaproof.agents.compliance_words import SOCIAL, words
from schemaproof.vocabulary import Vocabulary

_HOST = re.compile(r"(?:https?:)?//(?:[^@/]*@)?(?:www\.|m\.|[a-z]{2}\.|[a-z]{2}-[a-z]{2}\.)?([^/?#:]+)", re.I)
_SHARE = re.compile(
    r"facebook\.com/(?:sharer|share\.php|dialog)|(?:twitter|x)\.com/(?:intent|share|home\?status)|"
    r"linkedin\.com/(?:shareArticle|sharing)|pinterest\.[a-z.]+/pin/create|(?:api\.whatsapp\.com|wa\.me)/\S*text=|"
    r"t\.me/share|reddit\.com/submit|vk\.com/share|plus\.google\.com/share|tumblr\.com/share",
    re.I,
)
_PAGES = words(
    """
    url sameAs mainEntityOfPage discussionUrl significantLink significantLinks relatedLink item
    """
)
_DOCUMENTS = words(
    """
    license sdLicense acquireLicensePage usageInfo publishingPrinciples correctionsPolicy ethicsPolicy
    diversityPolicy termsOfService ownershipFundingInfo actionableFeedbackPolicy unnamedSourcesPolicy
    verificationFactCheckingPolicy noBylinesPolicy missionCoveragePrioritiesPolicy masthead diversityStaffingReport
    documentation releaseNotes
    """
)
_MEDIA_RANGES = frozenset({"URL", "Thing", "CreativeWork", "Clip", "MusicRecording", "Product", "Photograph"})
_MAPS = frozenset({"hasMap", "map", "maps"})
_MAP_LIKE = re.compile(r"map|goo\.gl|g\.page|plan|karte|carte|directions|geo|waze|2gis|place", re.I)
_CONTACT = re.compile(r"/(?:contact|kontakt|contatti|contacto|about|impressum|imprint)\b", re.I)
_REFERENCES = frozenset({"wikipedia.org", "wikidata.org", "github.com", "imdb.com", "musicbrainz.org", "discogs.com"})
_NO_LICENCE = re.compile(r"//(?:dx\.)?doi\.org/|privacy|datenschutz|cookie|/contact|/kontakt|/login|/cart", re.I)


def host(text: str) -> str:
    """The host of an address without www and language, lower case, or ""."""
    found = _HOST.match(text)
    return found[1].casefold() if found else ""


def address_fault(vocabulary: Vocabulary, name: str, text: str, types: tuple[str, ...]) -> Fault | None:
    """What speaks against an address under a property, whatever stands at it.

    Arguments:
        vocabulary: of the types.
        name: the property.
        text: a well-formed address.
        types: of the entity that it describes.
    """
    if _SHARE.search(text) and name not in ("target", "urlTemplate"):
        return Fault("share-link", "is a link for sharing a page, not the address of anything", probability=0.12)
    if name == "urlTemplate" and bare_term(text) != text:
        return Fault("term-for-url", "is a term of Schema.org, not the address of a page", probability=0.2)
    if name in _PAGES:
        # media have their own address for url; /wiki/File:x.jpg is a page about an image
        about_media = any(vocabulary.is_a(each, "MediaObject") or each == "EntryPoint" for each in types)
        if media(text) and "/wiki/" not in text and not about_media:
            return Fault("image-for-page", "is the address of an image or recording, not of a page", probability=0.25)
        if name == "sameAs" and extension(text) in ("rss", "atom", "xml"):
            return Fault("feed-for-page", "is a feed, not a page that shows what the thing is", probability=0.3)
    elif name in ("contentUrl", "embedUrl", "downloadUrl"):
        if is_home(text):
            return Fault("page-for-media", "is the address of a whole site, not of a file or player", probability=0.3)
    elif name in _DOCUMENTS:
        if media(text):
            return Fault(
                "image-for-page", "is the address of an image or recording, not of a document", probability=0.15
            )
        if name in ("license", "sdLicense") and (is_home(text) or _NO_LICENCE.search(text)):
            return Fault("no-licence", "is not the address of a licence", probability=0.3)
    elif name in _MAPS:
        elsewhere = is_home(text) or media(text) or _CONTACT.search(text)
        if elsewhere and not _MAP_LIKE.search(text.split("//", 1)[-1]):
            return Fault("no-map", "is not the address of a map", probability=0.25)
    elif name == "additionalType":
        if host(text) in SOCIAL - _REFERENCES:
            return Fault("profile-for-type", "is a profile, not the address of a type", probability=0.1)
        if extension(text) in ("html", "htm", "php") or media(text) or is_home(text):
            return Fault("page-for-type", "is a page, not the address of a type", probability=0.25)
    elif name in ("image", "logo", "photo", "thumbnailUrl"):
        if host(text) in SOCIAL and extension(text) not in IMAGES:
            return Fault("profile-for-image", "is a page of a social network, not an image", probability=0.2)
    elif media(text) and not _media_fit(vocabulary, name):
        return Fault("image-for-other", "is the address of an image or recording", probability=0.2)
    return None


def _media_fit(vocabulary: Vocabulary, name: str) -> bool:
    known = vocabulary.properties.get(name)
    ranges = known.ranges if known else ()
    return not ranges or any(each in _MEDIA_RANGES or vocabulary.is_a(each, "MediaObject") for each in ranges)
