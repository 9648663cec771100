"""RDFa."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from schemaproof.page.model import Notice

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser


@dataclass(slots=True)
class Rdfa:
    """Expanded JSON-LD objects, and what is to be said about them."""

    items: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[Notice] = field(default_factory=list)
    hints: list[Notice] = field(default_factory=list)


def read_rdfa(tree: LexborHTMLParser, base: str) -> Rdfa:
    """RDFa of a page."""
    found = Rdfa()
    if tree.css_first("[typeof], [vocab]") is not None:
        found.hints.append(Notice("rdfa-extra", "RDFa: pip install 'schemaproof[rdfa]'"))
    return found
