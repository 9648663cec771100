"""The embedded factuality agent: does the page say what the statement says (paper, section 3.4)?

A value is said the ways a page in its language would print it, located in the text, and bound to its property by the
labels near it. What a reader cannot see (scripts, hidden blocks, meta elements) is no evidence; the targets of links
and images are, for addresses and codes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from schemaproof.agents.factuality_addresses import judge_address, judge_email, judge_phone
from schemaproof.agents.factuality_codes import (
    judge_country,
    judge_currency,
    judge_language,
    judge_mime,
    judge_region,
    judge_unit,
)
from schemaproof.agents.factuality_dates import judge_date, judge_duration, judge_time
from schemaproof.agents.factuality_hours import judge_day, judge_hours
from schemaproof.agents.factuality_members import judge_member, judge_truth
from schemaproof.agents.factuality_numbers import judge_number
from schemaproof.agents.factuality_texts import judge_text
from schemaproof.agents.grounding.claim import Claim, Owners, claim_of
from schemaproof.agents.grounding.fitting import misfit
from schemaproof.agents.grounding.outcome import Outcome
from schemaproof.agents.grounding.prepared import Prepared
from schemaproof.agents.grounding.shapes import Shape
from schemaproof.agents.verdict import Decision, Evidence, Verdict
from schemaproof.markup.model import Graph
from schemaproof.page.model import Page
from schemaproof.vocabulary import Vocabulary

__all__ = ["EmbeddedFactuality", "Prepared"]

_CANNOT = Verdict(
    Decision.UNCLEAR,
    rule="page-without-text",
    reason="Cannot check: the page shows no text without running its scripts.",
    probability=0.5,
)


_INSTRUCTION = Verdict(
    Decision.KEEP,
    rule="instruction",
    reason="Tells programs how to fill an action in; no page prints that, and validity judges it.",
    probability=0.5,
)
# Properties that hold URI templates (RFC 6570).
_TEMPLATES = frozenset({"urlTemplate", "target", "checkoutPageURLTemplate"})


def _instructs(name: str, value: object) -> bool:
    """Whether a statement is an instruction to programs: PROPERTY-input, PROPERTY-output, or a URI template."""
    return name.endswith(("-input", "-output")) or (name in _TEMPLATES and isinstance(value, str) and "{" in value)


class EmbeddedFactuality:
    """Judges literals against the page, with no model.

    Arguments:
        vocabulary: where ranges and enumeration members are looked up.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def prepare(self, page: Page) -> Prepared:
        """Index a page once for any number of markups."""
        return Prepared(page)

    def judge(self, graph: Graph, prepared: Prepared, indices: Iterable[int] | None = None) -> list[Verdict | None]:
        """One verdict per statement of the graph, parallel to `graph.statements`.

        Arguments:
            graph: the markup; statements beside the judged ones are context.
            prepared: of `prepare`.
            indices: the statements to judge; all if None.

        Returns:
            None for statements that were not asked for and for entities; only literals are judged.
        """
        verdicts: list[Verdict | None] = [None] * len(graph.statements)
        owners = Owners(graph)
        for index in range(len(graph.statements)) if indices is None else indices:
            statement = graph.statements[index]
            if statement.value is None or statement.property == "@type":
                continue
            if prepared.empty:
                verdicts[index] = _CANNOT
                continue
            if _instructs(statement.property, statement.value):
                verdicts[index] = _INSTRUCTION
                continue
            claim = claim_of(owners, statement, self.vocabulary)
            verdicts[index] = self._verdict(claim, prepared, self._outcome(claim, prepared))
        return verdicts

    def _outcome(self, claim: Claim, prepared: Prepared) -> Outcome:
        outcome = _JUDGES.get(claim.shape, judge_text)(claim, prepared)
        if outcome.probability >= 0.5:
            wanted = misfit(claim, self.vocabulary, prepared.language)
            if wanted:
                return Outcome(
                    0.2,
                    "value-of-another-kind",
                    f"{wanted} was looked for, and what stands on the page is something else",
                    contradicted=True,
                    spans=outcome.spans,
                    evidence=outcome.evidence,
                )
        return outcome

    def _verdict(self, claim: Claim, prepared: Prepared, outcome: Outcome) -> Verdict:
        evidence: tuple[Evidence, ...] = (
            *(prepared.evidence(*span) for span in outcome.spans[:6]),
            *outcome.evidence,
        )
        keep = outcome.probability >= 0.5
        kind = "" if keep else "contradicted" if outcome.contradicted else "unsupported"
        reason = f"{claim.name}: {outcome.reason}."
        return Verdict(
            Decision.KEEP if keep else Decision.REJECT,
            rule=outcome.rule,
            reason=reason,
            probability=round(outcome.probability, 4),
            kind=kind,
            evidence=evidence,
        )


_JUDGES: dict[Shape, Callable[[Claim, Prepared], Outcome]] = {
    Shape.NUMBER: judge_number,
    Shape.DATE: judge_date,
    Shape.TIME: judge_time,
    Shape.DURATION: judge_duration,
    Shape.ADDRESS: judge_address,
    Shape.EMAIL: judge_email,
    Shape.PHONE: judge_phone,
    Shape.MEMBER: judge_member,
    Shape.BOOLEAN: judge_truth,
    Shape.CURRENCY: judge_currency,
    Shape.COUNTRY: judge_country,
    Shape.LANGUAGE: judge_language,
    Shape.REGION: judge_region,
    Shape.UNIT: judge_unit,
    Shape.MIME: judge_mime,
    Shape.DAY: judge_day,
    Shape.HOURS: judge_hours,
}
