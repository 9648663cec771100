"""The validity agent: each statement against the vocabulary, by table look-up (section 3.3 of the paper)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from schemaproof.agents.policies import POLICIES, Policy, policy
from schemaproof.agents.validity_plans import Plan, Plans, Surroundings
from schemaproof.agents.validity_ranges import KEEP, Advice, Outcome
from schemaproof.agents.verdict import Finding, Verdict
from schemaproof.markup.model import Graph
from schemaproof.vocabulary import Vocabulary

__all__ = ["POLICIES", "Policy", "ValidityResult", "judge_validity", "policy"]

# Rejected, but only a hint in a report: Schema.org's conformance allows properties "from several independent types".
_HINTS = frozenset({"wrong-domain"})


@dataclass(frozen=True, slots=True)
class ValidityResult:
    """What the validity agent says of a graph.

    Attributes:
        verdicts: one for each statement of the graph, in its order.
        findings: what to report: each rejection at its place, and advice on what is kept.
    """

    verdicts: list[Verdict]
    findings: list[Finding]


def judge_validity(graph: Graph, vocabulary: Vocabulary, policy: Policy = POLICIES["schema.org"]) -> ValidityResult:
    """Judge every statement of a graph by the vocabulary alone.

    Arguments:
        graph: the markup, references resolved.
        vocabulary: the vocabulary it is judged by.
        policy: what is accepted; see `policies.policy`.

    Returns:
        One verdict for each statement, and findings. Linear in the number of statements.

    Sources: section 3.3 of the paper (its three rules); schema.org/docs/datamodel.html (conformance: any of several
    types, text where an entity is expected); schema.org/docs/actions.html part 4 (-input, -output); the Role pattern
    (blog.schema.org, 16 June 2014).
    """
    result = _judge(graph, _plans(vocabulary, policy))
    if policy.rich_results:
        from schemaproof.agents.google import rich_result_findings

        result.findings.extend(rich_result_findings(graph, vocabulary))
    return result


@lru_cache(maxsize=16)
def _plans(vocabulary: Vocabulary, policy: Policy) -> Plans:
    return Plans(vocabulary, policy)


def _judge(graph: Graph, known: Plans) -> ValidityResult:
    verdicts: list[Verdict] = []
    findings: list[Finding] = []
    surroundings = Surroundings(graph)
    told: set[Advice] = set()
    strict, advice = known.policy.any_text, known.policy.advice
    types: tuple[str, ...] | None = None
    plans: dict[str, Plan] = {}
    judged = verdicts.append
    for statement in graph.statements:
        if statement.types is not types:
            types = statement.types
            plans = known.of_types(types)
        plan = plans.get(statement.property) or known.make(plans, statement)
        if (
            plan.quick
            and type(statement.value) is str
            and not (strict and (statement.reference or statement.language or statement.datatype))
        ):
            judged(KEEP)
            continue
        outcome: Outcome | None = plan.verdict
        if outcome is None and plan.guard is not None:
            outcome = plan.guard(surroundings, statement)
        if outcome is None:
            fitting = plan.range
            if fitting is None:
                outcome = KEEP
            elif statement.entity is None:
                outcome = fitting.literal(statement)
            else:
                outcome = fitting.entity(statement, graph)
        if outcome is not KEEP:
            if isinstance(outcome, Verdict):
                judged(outcome)
                if not plan.silent:
                    findings.append(_rejection(outcome, statement.path))
                continue
            if advice:
                findings.append(_finding(outcome, statement.path))
        judged(KEEP)
        if plan.notes:
            findings.extend(_finding(note, statement.path) for note in _untold(plan.notes, told))
    if advice:
        for node in graph.nodes:
            notes = known.type_notes(node.types)
            if notes:
                findings.extend(_finding(note, f"{node.pointer}/@type") for note in _untold(notes, told))
    return ValidityResult(verdicts, findings)


def _untold(notes: tuple[Advice, ...], told: set[Advice]) -> Iterator[Advice]:
    """The notes to tell: informations only once a graph."""
    for note in notes:
        if note.severity != "info" or note not in told:
            told.add(note)
            yield note


def _rejection(verdict: Verdict, path: str) -> Finding:
    severity = "warning" if verdict.rule in _HINTS else "error"
    return Finding(verdict.rule, severity, path, verdict.reason, verdict.suggestion)


def _finding(advice: Advice, path: str) -> Finding:
    return Finding(advice.rule, advice.severity, path, advice.message, advice.suggestion)
