"""IRIs: resolving references (RFC 3986, clause 5.2) and telling what may stand in one (RFC 3987)."""

from __future__ import annotations

import re

_PARTS = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# RFC 3987 forbids { } | ^ ` as well, yet addresses with them work on the web and stand in a third of the pages that
# have a search box ("?q={search_term_string}"): they are kept, and `is_doubtful` tells them.
_WELL_FORMED = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20\x7f<>\"\\\ud800-\udfff]*")
_DOUBTFUL = re.compile(r"[{}|^`]")
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,})(?::\d+)?(?:[/?#].*)?", re.IGNORECASE | re.DOTALL)
# A scheme of the web with a letter too many or too few, or with its colon or slashes lost or doubled.
_DAMAGED = re.compile(
    r"https?(?::/(?!/)|:///|:(?!/)|[;.,]?//?(?!/))|(?:ttps?|hhttps?|htttps?|htps?|httpss|hptts?)[:;]?/"
    r"|https?://https?:?/|https?://?$",
    re.IGNORECASE,
)
# Endings of files that look like the last part of a host name.
_FILES = frozenset(
    {"asp", "aspx", "css", "csv", "do", "gif", "htm", "html", "ico", "jpeg", "jpg", "js", "json", "jsp", "md"}
    | {"mp3", "mp4", "pdf", "php", "png", "svg", "txt", "webm", "webp", "xhtml", "xml", "zip"}
)


def is_absolute(iri: str) -> bool:
    """Whether a string begins with a scheme."""
    return _ABSOLUTE.match(iri) is not None


def is_well_formed(iri: str) -> bool:
    """Whether a string is an absolute IRI with no space, control character, quote, angle bracket or backslash."""
    return _WELL_FORMED.fullmatch(iri) is not None


def is_doubtful(iri: str) -> bool:
    """Whether an IRI has a character that strict readers refuse, though the web takes it (braces, bars...)."""
    return _DOUBTFUL.search(iri) is not None


def lacks_scheme(reference: str) -> bool:
    """Whether a relative reference looks like an address whose scheme was forgotten ("www.example.org")."""
    found = _HOST.fullmatch(reference)
    if found is None:
        return False
    return reference[:4].lower() == "www." or found[1].lower() not in _FILES


def is_damaged(reference: str) -> bool:
    """Whether a reference begins with what was meant to be "https://" or "http://" and is not ("https//b.example")."""
    return _DAMAGED.match(reference) is not None


def resolve(reference: str, base: str | None) -> str:
    """A reference resolved against a base; unchanged where there is no base or it is not absolute.

    Arguments:
        reference: an absolute or relative reference.
        base: an absolute IRI; its fragment does not count.
    """
    if not base or _ABSOLUTE.match(reference):
        return reference
    found = _PARTS.fullmatch(base)
    given = _PARTS.fullmatch(reference)
    if found is None or given is None or found[1] is None:
        return reference
    _, authority, path, query, fragment = given.groups()
    fragment = fragment or ""
    if authority is not None:
        return f"{found[1]}://{authority}{_without_dots(path)}{query or ''}{fragment}"
    base_authority, base_path = found[2], found[3]
    if not path:
        path = base_path
        query = query if query is not None else found[4]
    elif path.startswith("/"):
        path = _without_dots(path)
    elif base_authority is not None and not base_path:
        path = _without_dots("/" + path)
    else:
        path = _without_dots(base_path[: base_path.rfind("/") + 1] + path)
    start = f"{found[1]}:" if base_authority is None else f"{found[1]}://{base_authority}"
    return f"{start}{path}{query or ''}{fragment}"


def _without_dots(path: str) -> str:
    """A path without "." and ".." segments (RFC 3986, clause 5.2.4)."""
    if "." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")
    rooted = path.startswith("/")
    for place, segment in enumerate(segments):
        last = place == len(segments) - 1
        if segment == ".":
            if last:
                kept.append("")
        elif segment == "..":
            if len(kept) > (1 if rooted else 0):
                kept.pop()
            if last:
                kept.append("")
        else:
            kept.append(segment)
    return "/".join(kept)
