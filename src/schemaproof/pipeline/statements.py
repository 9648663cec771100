"""Statements with their verdicts as plain dictionaries: the form of `check --json`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from schemaproof.agents.verdict import Verdict
from schemaproof.pipeline.curation import Curation


def verdict_dict(agent: str, verdict: Verdict) -> dict[str, Any]:
    """One verdict in the contract's form: validity has rule and reason, the judges probability and evidence too."""
    answer: dict[str, Any] = {"verdict": str(verdict.decision), "rule": verdict.rule, "reason": verdict.reason}
    if agent != "validity":
        answer["probability"] = None if verdict.probability is None else round(verdict.probability, 4)
        answer["kind"] = verdict.kind or None
        answer["evidence"] = [
            {"start": e.start, "end": e.end, "text": e.text, "kind": str(e.kind)} for e in verdict.evidence
        ]
    if verdict.suggestion:
        answer["suggestion"] = verdict.suggestion
    return answer


def statement_dicts(curation: Curation, indices: Iterable[int] | None = None) -> list[dict[str, Any]]:
    """The statements of a curated markup.

    Arguments:
        curation: what the agents said.
        indices: which statements; None for all.

    Returns: dictionaries in the graph's order: path, types, property, value, entity, kept, unclear, verdicts, chain.
    """
    kept, statements = curation.kept, curation.graph.statements
    chosen = range(len(statements)) if indices is None else sorted(indices)
    answer = []
    for index in chosen:
        statement = statements[index]
        answer.append(
            {
                "path": statement.path,
                "types": list(statement.types),
                "property": statement.property,
                "value": statement.value,
                "entity": None if statement.entity is None else list(statement.entity),
                "kept": index in kept,
                "unclear": index in curation.unclear,
                "chain": [[list(step.types), step.property] for step in statement.chain],
                "verdicts": {name: verdict_dict(name, said) for name, said in curation.verdicts[index].items()},
            }
        )
    return answer
