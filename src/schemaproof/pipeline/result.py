"""What a run knows of a page: plain data that crosses process borders and goes into the run file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

STAGES = ("input", "valid", "factual", "compliant", "unclear")


@dataclass(slots=True)
class MarkupResult:
    """One contender's markup of one unit.

    Attributes:
        contender: its name.
        counts: statements by stage: input, valid, factual, compliant (kept after the agent), unclear.
        facts: kept facts by property, what MeMR counts.
        documents: the markup as written.
        statements: one dictionary a statement of the unit, the form of `check --json`.
        sources: see `contenders.Written`.
        notes: see `contenders.Written`.
        error: why there is no markup, or None.
    """

    contender: str
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STAGES, 0))
    facts: dict[str, int] = field(default_factory=dict)
    documents: list[Any] = field(default_factory=list)
    statements: list[dict[str, Any]] = field(default_factory=list)
    sources: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    error: str | None = None


@dataclass(slots=True)
class UnitResult:
    """One unit: a page and one set of root types, with every contender's markup, the human's first."""

    types: list[str]
    markups: list[MarkupResult] = field(default_factory=list)


@dataclass(slots=True)
class PageResult:
    """One page.

    Attributes:
        name, url, id: see `PageSource`.
        digest: see `Plan.digest`.
        language, title: of the page.
        text: its visible text, for the report.
        error: why it could not be worked on, or None.
        units: its units.
        seconds: CPU seconds by stage ("read", "graph", "extractor", "validity"...).
    """

    name: str
    url: str | None
    id: str
    digest: str
    language: str = ""
    title: str = ""
    text: str = ""
    error: str | None = None
    units: list[UnitResult] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
