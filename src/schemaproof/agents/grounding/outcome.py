"""What looking for one value came to."""

from __future__ import annotations

from dataclasses import dataclass

from schemaproof.agents.verdict import Evidence

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What looking for one value came to.

    Attributes:
        probability: chance that the statement is right.
        rule: stable id in kebab-case.
        reason: a clause that says what was looked for and what stands there instead.
        contradicted: true where the page says something else; only read when the statement is rejected.
        spans: evidence in folded text, best first.
        evidence: evidence that is no text.
    """

    probability: float
    rule: str
    reason: str
    contradicted: bool = False
    spans: tuple[Span, ...] = ()
    evidence: tuple[Evidence, ...] = ()
