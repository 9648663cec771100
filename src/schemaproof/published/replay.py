"""The whole replay: from the artefact's folder to the paper's tables and what differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemaproof.errors import InputError, SourceError
from schemaproof.published.answers import find_truth, read_summaries
from schemaproof.published.cells import Status, Table
from schemaproof.published.corpus import corpus_table
from schemaproof.published.layout import MODELS, PROMPT, Artefact, read_artefact
from schemaproof.published.outcome import (
    UnitResult,
    chunk_table,
    evaluate,
    notes,
    pipeline_table,
    strata_table,
    token_counts,
)
from schemaproof.published.reliability import reliability_tables
from schemaproof.published.stages import paper_validity
from schemaproof.published.votes import paper_table, preference, preference_table, read_votes, votes_table
from schemaproof.vocabulary import Vocabulary, load

PROTOCOLS = ("published", "ours")
VOTES = "human_votes_36.json"


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay found.

    Attributes:
        protocol: "published" or "ours".
        root: the folder that was read.
        features: the artefact's features that are in it.
        units, pages: how many were counted.
        tables: the tables, in the paper's order.
        notes: how the numbers came about, one sentence each.
        problems: what could not be used and why, one sentence each.
    """

    protocol: str
    root: Path
    features: tuple[str, ...]
    units: int
    pages: int
    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    problems: tuple[str, ...]

    def differences(self) -> list[dict[str, Any]]:
        """Every cell that is not what the paper prints, with why."""
        return [
            {
                "table": table.name,
                "row": label,
                "column": cell.column,
                "published": cell.published,
                "replayed": cell.replayed,
                "why": cell.why,
            }
            for table in self.tables
            for label, cells in table.rows
            for cell in cells
            if cell.status is Status.DIFFERS
        ]

    def as_dict(self) -> dict[str, Any]:
        """All of it for `--json`."""
        return {
            "schema_version": 1,
            "protocol": self.protocol,
            "folder": str(self.root),
            "features": list(self.features),
            "units": self.units,
            "pages": self.pages,
            "tables": [
                {
                    "table": table.name,
                    "title": table.title,
                    "rows": [
                        {
                            "row": label,
                            "cells": {
                                cell.column: {
                                    "published": cell.published,
                                    "replayed": cell.replayed,
                                    "status": cell.status.value,
                                    "why": cell.why,
                                }
                                for cell in cells
                            },
                        }
                        for label, cells in table.rows
                    ],
                    "notes": list(table.notes),
                }
                for table in self.tables
            ],
            "differences": self.differences(),
            "notes": list(self.notes),
            "problems": list(self.problems),
        }


def _scores(results: Sequence[UnitResult]) -> dict[str, dict[str, tuple[float, float]]]:
    """Model to page to (h, l) at the end; of a page's units the first one speaks."""
    found: dict[str, dict[str, tuple[float, float]]] = {model: {} for model in MODELS}
    for result in results:
        for model in MODELS:
            found[model].setdefault(result.unit.page, result.memr[model][-1])
    return found


def _published(
    artefact: Artefact,
    results: Sequence[UnitResult],
    vocabulary: Vocabulary,
    truth: Path,
    votes: Path | None,
    problems: list[str],
) -> list[Table]:
    truths = find_truth(dict.fromkeys((truth, artefact.root)))
    for each in truths.values():
        problems += each.problems
    scores = _scores(results)
    tables = [
        *reliability_tables(truths, read_summaries(truth)),
        corpus_table(artefact.units, vocabulary.properties),
        pipeline_table(results),
        strata_table(results, "count_sum"),
        strata_table(results, "pset_length"),
        paper_table(),
    ]
    preferred = preference_table(scores)
    if preferred is not None:
        tables.append(preferred)
    if votes is not None:
        items, wrong = read_votes(votes)
        problems += wrong
        tables.append(votes_table(items, {page: preference(*pair) for page, pair in scores["gpt4"].items()}))
    tables.append(chunk_table(results, token_counts(artefact.units)))
    return tables


def replay(
    folder: Path,
    *,
    protocol: str = "published",
    truth: Path | None = None,
    votes: Path | None = None,
    prompt: str = PROMPT,
    vocabulary: Vocabulary | None = None,
) -> Replay:
    """Replay the paper's evaluation on the authors' artefact.

    Arguments:
        folder: a clone of the artefact, its `data/WDC/Pset`, or a part of that.
        protocol: "published", bug for bug, each cell beside the printed one; or "ours", fault by fault mended.
        truth: the folder of the agents' ground truth; by default looked for in `folder`.
        votes: a file of recorded human votes; by default `human_votes_36.json` of that folder, where it is.
        prompt: which of the models' prompts to read.
        vocabulary: by default Schema.org's.

    Returns:
        Tables, notes and problems.

    Raises:
        SourceError: the folder or a file named cannot be opened.
        InputError: the folder has no artefact, a file cannot be used, or there is no such protocol.
    """
    if protocol not in PROTOCOLS:
        raise InputError(f"no protocol {protocol!r}; there are {' and '.join(PROTOCOLS)}.")
    if truth is not None and not truth.is_dir():
        raise SourceError(str(truth), "no such folder of ground truth")
    vocabulary = load() if vocabulary is None else vocabulary
    artefact = read_artefact(folder, prompt=prompt)
    problems = list(artefact.problems)
    judge = paper_validity(vocabulary)
    results = [evaluate(unit, judge) for unit in artefact.units]
    data = folder if truth is None else truth
    if votes is None and (data / VOTES).is_file():
        votes = data / VOTES
    told = notes(results)
    if protocol == "published":
        tables = _published(artefact, results, vocabulary, data, votes, problems)
    else:
        from schemaproof.published.ours import ladder, ours_table

        truths = find_truth(dict.fromkeys((data, artefact.root)))
        summaries = read_summaries(data)
        agents = [table for table in reliability_tables(truths, summaries) if table.name in ("2", "4") and truths]
        tables = [ours_table(ladder(artefact.units, vocabulary), results), *agents, paper_table()]
    pages = len({unit.page for unit in artefact.units})
    return Replay(
        protocol, artefact.root, artefact.features, len(results), pages, tuple(tables), tuple(told), tuple(problems)
    )
