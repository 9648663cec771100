"""Verdicts and findings: what the agents yield."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from schemaproof.page.model import Kind


class Decision(StrEnum):
    """What an agent says of a statement."""

    KEEP = "keep"
    REJECT = "reject"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A span of the page that speaks for (or against) a statement.

    Attributes:
        start, end: half-open offsets into `Page.text`; both -1 where the evidence is no part of it.
        text: the evidence itself: exactly `Page.text[start:end]`, or the address, title or description.
        kind: where it stands.
    """

    start: int
    end: int
    text: str
    kind: Kind = Kind.TEXT


@dataclass(frozen=True, slots=True)
class Verdict:
    """One agent's verdict on one statement.

    Attributes:
        decision: keep, reject or unclear.
        rule: stable id of the rule that decided, kebab-case ("unknown-property", "value-not-in-text").
        reason: one sentence that a person understands without knowing the tool.
        probability: chance that the statement is right, 0 to 1; None where the rule is certain (validity).
        kind: for a rejection by factuality "contradicted" (intrinsic) or "unsupported" (extrinsic), else "".
        evidence: spans, best first.
        suggestion: what to write instead, or "".
    """

    decision: Decision
    rule: str = ""
    reason: str = ""
    probability: float | None = None
    kind: str = ""
    evidence: tuple[Evidence, ...] = ()
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to report to the author of a markup, for `check`.

    Attributes:
        rule: stable rule id.
        severity: "error", "warning" or "info".
        path: JSON Pointer of the statement or value, see `Statement.path`; "" for the whole page.
        message: one sentence.
        suggestion: what to write instead, or "".
        agent: "validity", "factuality", "compliance", "markup" (reading) or "google".
        line, column: place in the source given, from 1; 0 if unknown. Filled in by the pipeline.
    """

    rule: str
    severity: str
    path: str
    message: str
    suggestion: str = ""
    agent: str = "validity"
    line: int = 0
    column: int = 0
