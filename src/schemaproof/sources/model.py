"""What a source yields: the bytes of one page with its name, or the reason why there are none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageSource:
    """One page as it came, before anything is read from it.

    Attributes:
        name: its URL, else its path, else "-".
        data: its bytes, or None where it could not be opened.
        url: its address, or None.
        id: what contenders' files call it: the column id, else the file's stem, else the md5 of the URL.
        content_type: the header it came with, or None.
        error: why it could not be opened and what to do, or None.
    """

    name: str
    data: bytes | None
    url: str | None = None
    id: str = ""
    content_type: str | None = None
    error: str | None = None


def identifier(url: str) -> str:
    """The id of a page known by its address alone: md5 of the URL, as in the paper's artefact."""
    from hashlib import md5

    return md5(url.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


# What a page may be sent as; bare markup too.
PAGE_TYPES = ("text/html", "application/xhtml+xml", "application/ld+json")


def is_page_type(content_type: str) -> bool:
    """Whether a header Content-Type says that a page comes; where there is none, one may."""
    kind = content_type.strip().lower()
    return not kind or kind.startswith(PAGE_TYPES)
