"""Pages and markups as they may be given."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from schemaproof.errors import InputError, PageError
from schemaproof.page.model import Page

PageLike: TypeAlias = Page | str | bytes | Path
Markup: TypeAlias = PageLike | Mapping[str, Any] | Sequence[Any]


def read_page(page: PageLike, *, url: str | None = None) -> Page:
    """Read a page.

    Arguments:
        page: a path, a URL, HTML (text with a `<` in it, or bytes), JSON-LD text (that opens with a brace or bracket),
            or a `Page`, which comes back.
        url: its address, where it is given as HTML or file.

    Raises: InputError where it names no page or several, SourceError where it cannot be opened.
    """
    from schemaproof.page import read_document
    from schemaproof.sources import open_page

    if isinstance(page, Page):
        return page
    if isinstance(page, bytes) or (isinstance(page, str) and ("<" in page or page.lstrip()[:1] in ("{", "["))):
        return read_document(page, url=url, name=url)
    if isinstance(page, str | Path):
        return open_page(str(page), base=url)
    raise PageError(f"a page is a path, a URL, HTML or a Page, not {type(page).__name__}")


def read_markup(markup: Markup, *, url: str | None = None) -> Page:
    """Read a markup: a page's, or a JSON-LD object alone.

    Arguments:
        markup: what `read_page` takes, or the object.
        url: address of the page, where it is not known.

    Raises: InputError for what is no markup, SourceError.
    """
    if isinstance(markup, Page | str | bytes | Path):
        return read_page(markup, url=url)
    if not isinstance(markup, Mapping | Sequence):
        raise PageError(f"a markup is a JSON-LD object or a page, not {type(markup).__name__}")
    try:
        text = json.dumps(markup)
    except (TypeError, ValueError, RecursionError) as problem:
        raise InputError(f"a markup is a JSON-LD object: {problem}") from None
    return read_page(text)
