"""The cascade: the embedded judge decides what is clear, a model the rest."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from schemaproof.agents.compliance import EmbeddedCompliance
from schemaproof.agents.factuality import EmbeddedFactuality
from schemaproof.agents.llm_factuality import literals
from schemaproof.agents.llm_quotes import Locator, Reading
from schemaproof.agents.verdict import Decision, Finding, Verdict
from schemaproof.markup.model import Graph
from schemaproof.page.model import Page


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Between which probabilities of the embedded judge a model is asked.

    Attributes:
        low: below it the embedded judge rejects by itself.
        high: from it on the embedded judge keeps by itself.
    """

    low: float
    high: float

    def asks(self, probability: float | None) -> bool:
        """Whether a statement of this probability goes to the model."""
        return probability is not None and self.low <= probability < self.high


class SecondStage(Protocol):
    """A model's judge that knows the embedded judge's verdicts."""

    @property
    def usage(self) -> object: ...
    def prepare(self, page: Page) -> Reading: ...
    def judge_known(
        self, graph: Graph, reading: Reading, asked: Sequence[int], known: Sequence[Verdict | None]
    ) -> list[Verdict | None]: ...


class ModelCompliance(Protocol):
    """A model's judge of compliance."""

    @property
    def usage(self) -> object: ...
    def judge(
        self, graph: Graph, indices: Container[int] | Iterable[int] | None = None, language: str = ""
    ) -> tuple[list[Verdict | None], list[Finding]]: ...


class CascadeFactuality:
    """Factuality in two stages.

    What the embedded judge rejects because its value is nowhere is never asked: a model's yes would not count for it.

    Arguments:
        embedded: the first stage.
        second: the second.
        thresholds: what goes to it.
    """

    def __init__(self, embedded: EmbeddedFactuality, second: SecondStage, thresholds: Thresholds) -> None:
        self.embedded = embedded
        self.second = second
        self.thresholds = thresholds
        self.locator = Locator(embedded)
        self.judged = 0
        self.asked = 0

    @property
    def usage(self) -> object:
        """What the model has used so far."""
        return self.second.usage

    def prepare(self, page: Page) -> Reading:
        """Read a page once for any number of markups."""
        return self.second.prepare(page)

    def judge(self, graph: Graph, prepared: Reading, indices: Iterable[int] | None = None) -> list[Verdict | None]:
        """See `EmbeddedFactuality.judge`."""
        wanted = literals(graph, indices)
        verdicts = self.embedded.judge(graph, prepared.prepared, wanted)
        for index in wanted:
            verdict = verdicts[index]
            if verdict is not None and verdict.decision is Decision.KEEP and _forged(verdict, prepared):
                verdicts[index] = _FORGED
        asked = [
            index
            for index in wanted
            if (verdict := verdicts[index]) is not None
            and verdict.decision is not Decision.UNCLEAR
            and self.thresholds.asks(verdict.probability)
            and (verdict.decision is Decision.KEEP or self.locator.located(graph, index, prepared, verdict))
        ]
        self.judged += len(wanted)
        self.asked += len(asked)
        if asked:
            answers = self.second.judge_known(graph, prepared, asked, verdicts)
            for index in asked:
                answer = answers[index]
                # A yes without proof does not count: what the embedded judge said stands.
                if answer is not None and answer.decision is not Decision.UNCLEAR:
                    verdicts[index] = answer
        return verdicts


_FORGED = Verdict(
    Decision.UNCLEAR, "forged-evidence", "It stands only in text that imitates the answers of a judge.", 0.5
)


def _forged(verdict: Verdict, reading: Reading) -> bool:
    """Whether all places of a verdict are lines that speak to a judge."""
    places = [each for each in verdict.evidence if each.start >= 0]
    return bool(places) and not any(reading.trusted(each.start, each.end) for each in places)


class CascadeCompliance:
    """Compliance in two stages; see `CascadeFactuality`."""

    def __init__(self, embedded: EmbeddedCompliance, second: ModelCompliance, thresholds: Thresholds) -> None:
        self.embedded = embedded
        self.second = second
        self.thresholds = thresholds
        self.judged = 0
        self.asked = 0

    @property
    def usage(self) -> object:
        """What the model has used so far."""
        return self.second.usage

    def judge(
        self, graph: Graph, indices: Container[int] | Iterable[int] | None = None, language: str = ""
    ) -> tuple[list[Verdict | None], list[Finding]]:
        """See `EmbeddedCompliance.judge`."""
        verdicts, findings = self.embedded.judge(graph, indices, language)
        asked = [
            index
            for index, verdict in enumerate(verdicts)
            if verdict is not None and self.thresholds.asks(verdict.probability)
        ]
        self.judged += sum(verdict is not None for verdict in verdicts)
        self.asked += len(asked)
        if asked:
            answers, _ = self.second.judge(graph, asked, language)
            for index in asked:
                verdicts[index] = answers[index] or verdicts[index]
        return verdicts, findings
