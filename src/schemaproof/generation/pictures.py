"""The pictures of a page: which of its images belong to what the page is about."""

from __future__ import annotations

import re

from schemaproof.agents.grounding.addresses import image_name, normal
from schemaproof.generation.keys import level
from schemaproof.generation.outline import Outline
from schemaproof.generation.site import LOGO, Site
from schemaproof.page.model import Link

_ICON = re.compile(r"\bicon|icons?[._/-]")
_IMAGE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg)(?:$|[?#])", re.I)
_DECORATION = [
    "sprite",
    "pixel",
    "spacer",
    "blank",
    "avatar",
    "gravatar",
    "badge",
    "flag",
    "arrow",
    "button",
    "btn",
    "loader",
    "loading",
    "placeholder",
    "silhouette",
    "no-image",
    "noimage",
    "noimg",
    "anonymous",
    "emoji",
    "tracking",
    "doubleclick",
    "googleads",
    "1x1",
    "captcha",
    "payment",
    "visa",
    "mastercard",
    "paypal",
    "facebook",
    "twitter",
    "instagram",
    "/ad/",
    "/ads/",
    "banner",
    "widget",
    "rating",
    "star",
]


def _decorates(text: str) -> bool:
    """Whether an address or an alternative text is that of an icon, an advertisement or another ornament."""
    low = text[:400].lower()
    # Looking for each word is many times quicker than one expression with all of them.
    return any(word in low for word in _DECORATION) or ("icon" in low and _ICON.search(low) is not None)


def pictures(outline: Outline, site: Site) -> tuple[Link, ...]:
    """Images of the page's own content: the likeliest main one, then others whose text speaks of the same thing."""
    body = outline.body
    if not body:
        return ()
    title = outline.title
    first = title.start if title else body[0].start
    low, last = max(0, first - 400), body[-1].end
    words = set(level(title.text).split()) if title else set()
    links = {(link.start, link.end): link for link in outline.page.links if link.end > link.start}
    own = site.address[0].lower() if site.address else ""
    logo = site.logo.url if site.logo else ""
    found: list[tuple[float, float, Link]] = []
    names: set[str] = set()
    places: set[tuple[int, int]] = set()
    for image in outline.images:
        place = (image.start, image.end)
        if not low <= image.start <= last or (place in places and image.end > image.start):
            continue
        alternative = outline.page.text[image.start : image.end] if image.end > image.start else ""
        if image.url == logo or image.url.lower() == own or _decorates(image.href) or _decorates(alternative):
            continue
        key = level(alternative)
        shared = len(words & set(key.split())) / max(1, len(words))
        if shared < 0.3 and (
            LOGO.search(image.href) or image.href.partition("?")[0].endswith(".svg") or image.rel == "css"
        ):
            continue
        if outline.region_at(image.start) in ("nav", "aside", "footer", "form"):
            continue
        link = links.get(place)
        if link is not None and not _is_image(link.url) and shared < 0.5:
            continue  # the picture of another page
        name = image_name(normal(image.url))
        if name in names:
            continue
        names.add(name)
        places.add(place)
        score = (
            shared + (0.3 if image.start >= first else 0) + (0.2 if key else 0) - 0.0002 * max(0, image.start - first)
        )
        found.append((score, shared, image))
    if not found:
        return ()
    best = max(found, key=lambda each: each[0])
    # A picture without a word in common with the heading is the main one only where it follows the heading at once.
    if best[1] < 0.2 and not -100 <= best[2].start - (title.end if title else first) <= 700:
        return ()
    return (best[2], *(image for _, shared, image in found if image is not best[2] and shared >= 0.5))


def _is_image(url: str) -> bool:
    return _IMAGE.search(url) is not None
