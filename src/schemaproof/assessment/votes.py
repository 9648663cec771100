"""Votes out of an assessment, and recorded votes of others into the same figures."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from schemaproof.assessment.agreement import RESAMPLES, VOTE_RULES
from schemaproof.assessment.ballot import Ballot, Vote
from schemaproof.errors import InputError, SourceError
from schemaproof.published.votes import Item, read_votes
from schemaproof.scoring.agreement import TIE, TIE_RULES, cohen_kappa, fleiss_kappa, krippendorff_alpha, plurality
from schemaproof.scoring.bootstrap import interval

COLUMNS = tuple(Vote.__dataclass_fields__)


def export(ballot: Ballot, target: Path) -> int:
    """Write the votes that stand, one row each; returns how many.

    Arguments:
        ballot: the assessment.
        target: .csv, .jsonl or .parquet.

    Raises: InputError for another ending, SourceError where it cannot be written.
    """
    rows = [asdict(vote) for vote in ballot.votes()]
    ending = target.suffix.lower()
    try:
        if ending == ".csv":
            with target.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, COLUMNS)
                writer.writeheader()
                # A comment that a spreadsheet would take for a formula gets an apostrophe before it.
                writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)
        elif ending in (".jsonl", ".ndjson"):
            target.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        elif ending == ".parquet":
            _parquet(rows, target)
        else:
            raise InputError("votes are written as .csv, .jsonl or .parquet", source=str(target))
    except OSError as problem:
        if isinstance(problem, SourceError):
            raise
        raise SourceError(str(target), f"cannot be written: {problem.strerror or problem}") from None
    return len(rows)


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _parquet(rows: list[dict[str, Any]], target: Path) -> None:
    import duckdb

    kinds = dict.fromkeys(COLUMNS, "VARCHAR") | {"item": "BIGINT", "seconds": "DOUBLE", "at": "DOUBLE"}
    shape = ", ".join(f'"{name}" {kind}' for name, kind in kinds.items())
    name = str(target).replace("'", "''")
    try:
        with duckdb.connect() as connection:
            connection.execute(f"CREATE TABLE votes ({shape})")
            if rows:
                marks = ", ".join("?" for _ in COLUMNS)
                connection.executemany(
                    f"INSERT INTO votes VALUES ({marks})", [[row[name] for name in COLUMNS] for row in rows]
                )
            connection.execute(f"COPY votes TO '{name}' (FORMAT parquet)")
    except duckdb.Error as problem:
        raise SourceError(str(target), f"cannot be written: {problem}") from None


def _named(side: str | None) -> str | None:
    return {"A": "Markup A", "B": "Markup B", "T": TIE}.get(side or "")


def recorded(path: Path, seed: int = 0) -> tuple[dict[str, Any], list[str]]:
    """The figures of recorded votes, in the form of `agreement.agree` as far as counts allow.

    Arguments:
        path: see `published.votes.read_votes`.
        seed: of the bootstrap over items.

    Returns: the answer, and what could not be used.

    Raises: see `read_votes`.
    """
    items, problems = read_votes(path)
    found = [
        (item.page, {str(_named(side)): number for side, number in item.votes.items()}, _named(item.memr))
        for item in items
    ]
    judged = [(votes, memr) for _, votes, memr in found if memr is not None]
    memr = []
    for name, choose in VOTE_RULES.items():
        pairs = [(choose(votes), side) for votes, side in judged]
        for rule in TIE_RULES:
            kappa = cohen_kappa([a for a, _ in pairs], [b for _, b in pairs], rule=rule)
            if kappa is not None:
                ends = interval([[pair] for pair in pairs], partial(_kappa, rule), n=RESAMPLES, seed=seed)
                memr.append(
                    {"pair": ["Markup A", "Markup B"], "votes": name, "rule": rule, "kappa": kappa.kappa, "n": kappa.n,
                     "observed": kappa.observed, "interval": None if ends is None else [ends.low, ends.high]}
                )  # fmt: skip
    return {
        "schema_version": 1,
        "settings": {"source": str(path)},
        "items": len(items),
        "votes": sum(sum(item.votes.values()) for item in items),
        "people": _people(items),
        "memr": memr,
        "disagreements": [
            {"page": page, "item": page, "people": plurality(votes), "memr": side, "votes": votes, "scores": {}}
            for page, votes, side in found
            if side is not None and plurality(votes) != side
        ],
    }, problems


def _kappa(rule: str, pairs: Any) -> float | None:
    found = cohen_kappa([a for a, _ in pairs], [b for _, b in pairs], rule=rule)
    return None if found is None else found.kappa


def _people(items: list[Item]) -> dict[str, Any]:
    sizes = {sum(item.votes.values()) for item in items}
    classes = sorted({side for item in items for side in item.votes})
    same = sum(number * (number - 1) for item in items for number in item.votes.values())
    pairs = sum(sum(item.votes.values()) * (sum(item.votes.values()) - 1) for item in items)
    even = len(sizes) == 1
    return {
        "raw": {"value": same / pairs if pairs else None, "interval": None},
        "cohen": [],
        "cohen_mean": {},
        "fleiss": {
            "value": fleiss_kappa([[item.votes.get(side, 0) for side in classes] for item in items]) if even else None,
            "interval": None,
            "items": len(items) if even else 0,
            "votes": max(sizes, default=0) if even else 0,
        },
        "krippendorff": {"value": krippendorff_alpha(item.votes for item in items), "interval": None},
    }
