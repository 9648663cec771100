"""The markup embedded in a page, and nothing else of it.

For those who want the JSON-LD and microdata of many pages and neither their text nor their links: most pages are read
without a tree. See docs/decisions/016-scripts-without-a-tree.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from schemaproof.page.addresses import Resolver, base_of
from schemaproof.page.decoding import decode, decoding_notices
from schemaproof.page.microdata import Microdata, read_microdata
from schemaproof.page.model import Notice, ScriptBlock, items_of
from schemaproof.page.nesting import FLATTENED, flatten, parse
from schemaproof.page.outline import Outline, outline
from schemaproof.page.scripts import read_outlined, read_scripts

_SAYS_ADDRESS = re.compile("canonical|og:url|&", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Embedded:
    """The JSON-LD and microdata of a page; every part as `schemaproof.page.model.Page` has it.

    Attributes:
        base: what relative addresses are resolved against.
        html: the decoded source.
        scripts: the JSON-LD blocks, with their places.
        microdata: the top-level items.
        errors, warnings, hints: notices about the two. Hints that need a page's text or RDFa are not among them.
    """

    base: str
    html: str
    scripts: tuple[ScriptBlock, ...] = ()
    microdata: tuple[dict[str, Any], ...] = ()
    errors: tuple[Notice, ...] = ()
    warnings: tuple[Notice, ...] = ()
    hints: tuple[Notice, ...] = ()

    @property
    def items(self) -> tuple[dict[str, Any], ...]:
        """The JSON-LD objects of all blocks in order, arrays at the root taken apart."""
        return items_of(self.scripts)


def read_embedded(
    data: bytes | str, *, url: str | None = None, content_type: str | None = None, microdata: bool = True
) -> Embedded:
    """Read the JSON-LD and microdata of a page.

    Arguments:
        data: the HTML, as bytes or already decoded.
        url: its address, if it has one; relative addresses are resolved against it or the base element.
        content_type: value of the HTTP header Content-Type, if there was one.
        microdata: False to leave it out.

    Returns:
        The blocks and items that `read_page` gives. Never raises on input of any kind; linear in its size.
    """
    decoded = decode(data, content_type)
    html = decoded.text
    outlined = outline(html)
    scripts = read_outlined(outlined.scripts, html) if outlined else None
    base = _base(outlined, url, html)
    # Names of attributes may be written in any letter case.
    has_items = microdata and b"itemscope" in decoded.encoded().lower()
    found = Microdata()
    warnings = decoding_notices(decoded)
    if has_items or base is None or scripts is None:
        source, flattened = flatten(decoded.encoded())
        if flattened:
            warnings.append(Notice("too-deep", FLATTENED))
        tree = parse(source)
        base = base_of(tree, url or "")
        if scripts is None or flattened:
            scripts = read_scripts(tree.css("script"), html)
        if has_items:
            found = read_microdata(tree, Resolver(base), len(html))
    return Embedded(
        base,
        html,
        tuple(scripts.blocks),
        tuple(found.items),
        tuple(scripts.errors),
        (*warnings, *scripts.warnings, *found.warnings),
        tuple(scripts.hints),
    )


def _base(outlined: Outline | None, url: str | None, html: str) -> str | None:
    """What addresses are relative to, or None where a tree has to say."""
    if outlined is None:
        return None
    if outlined.base is None:
        return url or (None if _SAYS_ADDRESS.search(html) else "")
    if any(mark in outlined.base for mark in "&\0\r"):
        return None
    return Resolver(url or "").resolve(outlined.base) or url or None
