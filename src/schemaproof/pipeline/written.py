"""Contenders: who writes a markup for a unit of a page, and what they wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from schemaproof.page.model import Page


@dataclass(frozen=True, slots=True)
class Written:
    """What a contender wrote for a unit.

    Attributes:
        documents: JSON-LD objects.
        alone: whether they were written for this unit only (else they cover the whole page).
        sources: for the extractor: pointer of a value to (start, end, text) of the page it was taken from.
        notes: what to tell about it: repairs, chunks, warnings.
    """

    documents: tuple[Any, ...]
    alone: bool = True
    sources: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Contender(Protocol):
    """Something that writes markup for a page."""

    def write(self, page: Page, page_id: str, types: Sequence[str]) -> Written:
        """Markup of the wanted root types. Raises SchemaproofError where it cannot."""
        ...
