"""Curation: the agents over one markup, and what they leave of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Protocol

from schemaproof.agents.verdict import Decision, Finding, Verdict
from schemaproof.markup.model import Graph
from schemaproof.page.model import Page

AGENTS = ("validity", "factuality", "compliance")


class FactualityJudge(Protocol):
    """What answers for the factuality agent."""

    def prepare(self, page: Page) -> Any:
        """What is computed once a page; opaque to the caller."""
        ...

    def judge(self, graph: Graph, prepared: Any, indices: Sequence[int] | None = None) -> list[Verdict | None]:
        """Verdicts parallel to the graph's statements; None for what it does not judge."""
        ...


class ComplianceJudge(Protocol):
    """What answers for the compliance agent."""

    def judge(
        self, graph: Graph, indices: Sequence[int] | None = None, language: str = ""
    ) -> tuple[list[Verdict | None], list[Finding]]:
        """Verdicts parallel to the graph's statements, and findings about untidy values."""
        ...


class ValidityJudge(Protocol):
    """What answers for the validity agent."""

    def __call__(self, graph: Graph) -> tuple[Sequence[Verdict], Sequence[Finding]]:
        """Verdicts parallel to the graph's statements, and findings."""
        ...


@dataclass(frozen=True, slots=True)
class Judges:
    """The agents that run; None for one that does not."""

    validity: ValidityJudge | None = None
    factuality: FactualityJudge | None = None
    compliance: ComplianceJudge | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the agents that run, in their order."""
        given = (self.validity, self.factuality, self.compliance)
        return tuple(name for name, judge in zip(AGENTS, given, strict=True) if judge is not None)


@dataclass(frozen=True, slots=True)
class Curation:
    """What the agents said of one markup.

    Attributes:
        graph: the markup.
        agents: names of the agents that ran.
        verdicts: for each statement of the graph the verdicts by agent; an agent says nothing of a statement that
            was rejected before it, nor of what it does not judge.
        alive: for each agent that ran, the statements no agent up to it rejected, what stands below a rejected
            entity left out.
        unclear: statements that are alive at the end and of which some agent is unclear.
        findings: what to report to the author.
    """

    graph: Graph
    agents: tuple[str, ...]
    verdicts: tuple[dict[str, Verdict], ...]
    alive: dict[str, frozenset[int]]
    unclear: frozenset[int]
    findings: tuple[Finding, ...]
    _last: frozenset[int] = field(default=frozenset())

    @property
    def kept(self) -> frozenset[int]:
        """Statements that no agent rejects and none is unclear about."""
        return self._last - self.unclear

    def after(self, agent: str) -> frozenset[int]:
        """Statements that are alive after an agent; those before it where it did not run."""
        answer = frozenset(range(len(self.graph.statements)))
        for name in AGENTS[: AGENTS.index(agent) + 1]:
            answer = self.alive.get(name, answer)
        return answer

    def facts(self, chosen: frozenset[int] | None = None) -> frozenset[int]:
        """The kept statements (or those chosen) that say something: links to a nameless node of which nothing is
        left are taken out, and so on upwards. This is what is counted in MeMR and what `clean` leaves."""
        kept = set(self.kept if chosen is None else chosen)
        nodes, statements = self.graph.nodes, self.graph.statements
        left = [0] * len(nodes)
        links: dict[int, list[int]] = {}
        for index in kept:
            statement = statements[index]
            left[statement.subject] += 1
            if statement.object is not None:
                links.setdefault(statement.object, []).append(index)
        empty = [n for n in links if left[n] == 0 and nodes[n].id.startswith("_:")]
        while empty:
            for index in links[empty.pop()]:
                kept.discard(index)
                subject = statements[index].subject
                left[subject] -= 1
                if left[subject] == 0 and subject in links and nodes[subject].id.startswith("_:"):
                    empty.append(subject)
        return frozenset(kept)


def below(graph: Graph, dropped: Iterable[int], among: Iterable[int]) -> set[int]:
    """The statements that stand below one of the dropped entities (by their JSON Pointers).

    Arguments:
        graph: the markup.
        dropped: indices of rejected statements.
        among: indices of the statements to look at.
    """
    statements = graph.statements
    roots = {statements[index].path for index in dropped if statements[index].entity is not None}
    if not roots:
        return set()
    found: set[int] = set()
    for index in among:
        path = statements[index].path
        cut = path.rfind("/")
        while cut > 0:
            path = path[:cut]
            if path in roots:
                found.add(index)
                break
            cut = path.rfind("/")
    return found


def curate(
    graph: Graph,
    judges: Judges,
    page: Page | None = None,
    prepared: Any = None,
    stage: Callable[[str], AbstractContextManager[None]] = lambda _: nullcontext(),
) -> Curation:
    """Run the agents over a markup, each on what the ones before left.

    Arguments:
        graph: the markup.
        judges: the agents that run.
        page: the page it describes; the factuality agent needs it.
        prepared: what the factuality judge prepared for this page, if it did already.
        stage: opened around each agent's work with its name, for timing.

    Returns: the verdicts and what is left.
    """
    count = len(graph.statements)
    verdicts: list[dict[str, Verdict]] = [{} for _ in range(count)]
    alive = set(range(count))
    stages: dict[str, frozenset[int]] = {}
    doubted: set[int] = set()
    findings: list[Finding] = []

    def take(agent: str, answers: Sequence[Verdict | None]) -> None:
        rejected: list[int] = []
        for index in sorted(alive):
            verdict = answers[index]
            if verdict is None:
                continue
            verdicts[index][agent] = verdict
            if verdict.decision is Decision.REJECT:
                rejected.append(index)
            elif verdict.decision is Decision.UNCLEAR:
                doubted.add(index)
        alive.difference_update(rejected)
        alive.difference_update(below(graph, rejected, alive))
        stages[agent] = frozenset(alive)

    if judges.validity is not None:
        with stage("validity"):
            answers, said = judges.validity(graph)
        findings.extend(said)
        take("validity", answers)
    literals = [index for index in sorted(alive) if graph.statements[index].entity is None]
    if judges.factuality is not None:
        if page is None:
            raise ValueError("the factuality agent needs the page")
        with stage("factuality"):
            ready = judges.factuality.prepare(page) if prepared is None else prepared
            grounded = judges.factuality.judge(graph, ready, literals)
        take("factuality", grounded)
        literals = [index for index in literals if index in alive]
    if judges.compliance is not None:
        language = page.language if page is not None else ""
        with stage("compliance"):
            judged, said = judges.compliance.judge(graph, literals, language)
        findings.extend(said)
        take("compliance", judged)
    for agent in ("factuality", "compliance"):
        findings.extend(_findings(graph, verdicts, agent))
    return Curation(
        graph, judges.names, tuple(verdicts), stages, frozenset(doubted & alive), tuple(findings), frozenset(alive)
    )


def _findings(graph: Graph, verdicts: Sequence[dict[str, Verdict]], agent: str) -> Iterable[Finding]:
    """Findings of the agents that judge content: their rejections are errors, what they cannot tell is information."""
    for statement, said in zip(graph.statements, verdicts, strict=True):
        verdict = said.get(agent)
        if verdict is not None and verdict.decision is not Decision.KEEP:
            severity = "error" if verdict.decision is Decision.REJECT else "info"
            rule = verdict.rule or f"{agent}-{verdict.decision}"
            yield Finding(rule, severity, statement.path, verdict.reason, verdict.suggestion, agent)
