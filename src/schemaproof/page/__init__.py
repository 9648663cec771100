"""Pages: HTML to visible text, links, images and embedded markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemaproof.page.model import Block, Kind, Link, Mark, Notice, Page, ScriptBlock

if TYPE_CHECKING:
    from schemaproof.page.embedded import Embedded


def read_page(
    data: bytes | str, *, url: str | None = None, name: str | None = None, content_type: str | None = None
) -> Page:
    """Read a page; see `schemaproof.page.reader.read_page`."""
    from schemaproof.page.reader import read_page as read

    return read(data, url=url, name=name, content_type=content_type)


def read_document(
    data: bytes | str, *, url: str | None = None, name: str | None = None, content_type: str | None = None
) -> Page:
    """Read a page or a bare JSON-LD document; see `schemaproof.page.reader.read_document`."""
    from schemaproof.page.reader import read_document as read

    return read(data, url=url, name=name, content_type=content_type)


def read_embedded(
    data: bytes | str, *, url: str | None = None, content_type: str | None = None, microdata: bool = True
) -> Embedded:
    """Read the JSON-LD and microdata of a page and nothing else; see `schemaproof.page.embedded.read_embedded`."""
    from schemaproof.page.embedded import read_embedded as read

    return read(data, url=url, content_type=content_type, microdata=microdata)


def page_from_text(text: str, language: str | None = None) -> Page:
    """A page of plain text; see `schemaproof.page.reader.page_from_text`."""
    from schemaproof.page.reader import page_from_text as read

    return read(text, language)


__all__ = [
    "Block", "Kind", "Link", "Mark", "Notice", "Page", "ScriptBlock", "page_from_text", "read_document",
    "read_embedded", "read_page",
]  # fmt: skip
