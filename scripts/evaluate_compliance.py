"""Measure the embedded compliance judge: ground truth of the paper's agents, and statements of real pages.

    python scripts/evaluate_compliance.py [--shared FOLDER] [--errors] [--half 0|1]

Prints, per set and half (texts or pages split by a hash), precision, recall, F1 and balanced accuracy with 95%
bootstrap intervals by text or page, and always-yes beside. Half 0 was looked at while the judge was built, half 1 was
not. Every row is judged alone. With --errors the mistakes of half 0 are listed (never those of half 1).
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemaproof.agents.compliance import EmbeddedCompliance
from schemaproof.agents.verdict import Decision
from schemaproof.markup.model import Graph, Node, Statement
from schemaproof.scoring.bootstrap import interval_of_sums
from schemaproof.vocabulary import load

EXTRA = {"paper": "", "gold": "2"}


@dataclass(frozen=True, slots=True)
class Row:
    """One decision: its group (text or page), what is judged, and the label."""

    group: str
    types: tuple[str, ...]
    property: str
    value: Any
    language: str
    label: bool
    note: str = ""


def half(group: str, extra: str = "") -> int:
    """0 (looked at) or 1 (kept apart), by a hash of the text or page id.

    Arguments:
        group: text or page id.
        extra: groups whose hash (hexadecimal) is below this were looked at too; "2" for the gold pages makes
            12 of 24.
    """
    digest = hashlib.sha256(f"half:{group}".encode()).hexdigest()
    return 0 if digest < extra else int(digest, 16) % 2


def alone(row: Row) -> Graph:
    """The row's statement as a markup of its own."""
    statement = Statement("/value", row.types, row.property, row.value, None, 0)
    return Graph((), (Node(0, "_:b0", row.types, "", (0,)),), (statement,), roots=(0,))


def paper_rows(folder: Path) -> Iterator[Row]:
    """Rows of the agents' ground truth, first occurrences only."""
    for line in (folder / "compliance.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["first"]:
            types = (row["type"],) if row["type"] else ()
            yield Row(row["text"], types, row["property"], row["value"], "en", row["label"] == "positive")


def gold_rows(folder: Path, languages: dict[str, str]) -> Iterator[Row]:
    """Statements of real pages with a clear label; debatable ones are left out."""
    for line in (folder / "statements.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["compliant"] in ("yes", "no"):
            yield Row(
                row["page"],
                tuple(row["types"]),
                row["property"],
                row["value"],
                languages.get(row["page"], ""),
                row["compliant"] == "yes",
                row["reason"],
            )


def languages_of(folder: Path) -> dict[str, str]:
    """Language of every page."""
    import duckdb

    with duckdb.connect() as connection:
        rows = connection.execute("select id, lang from read_parquet(?)", [str(folder / "pages.parquet")]).fetchall()
    return {page: str(lang or "").split("-")[0] for page, lang in rows}


def measure(judge: EmbeddedCompliance, rows: Iterable[Row]) -> tuple[str, list[tuple[Row, str]]]:
    """The line of figures, and the mistakes."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0] * 4)
    errors: list[tuple[Row, str]] = []
    for row in rows:
        verdict = judge.judge(alone(row), None, row.language)[0][0]
        said = verdict is None or verdict.decision is Decision.KEEP
        sums[row.group][(0 if said else 3) if row.label else (1 if said else 2)] += 1
        if said != row.label:
            errors.append((row, "" if verdict is None else f"{verdict.rule}: {verdict.reason}"))

    def precision(s: Any) -> float:
        return float(s[0] / (s[0] + s[1]))

    def recall(s: Any) -> float:
        return float(s[0] / (s[0] + s[3]))

    def f1(s: Any) -> float:
        return float(2 * s[0] / (2 * s[0] + s[1] + s[3]))

    def balanced(s: Any) -> float:
        return float((recall(s) + s[2] / (s[1] + s[2])) / 2)

    total = [sum(column) for column in zip(*sums.values(), strict=True)]
    yes, no = total[0] + total[3], total[1] + total[2]
    parts = [f"n {int(yes + no):4} (no {int(no):3})"]
    for name, statistic in (("P", precision), ("R", recall), ("F1", f1), ("BA", balanced)):
        found = interval_of_sums(sums, statistic)
        if found is not None:
            parts.append(f"{name} {found.estimate:.3f} [{found.low:.3f}, {found.high:.3f}]")
    parts.append(f"rejected {int(total[2])} of {int(no)} no; always-yes F1 {2 * yes / (2 * yes + no):.3f}")
    return "  ".join(parts), errors


def main() -> None:
    """Run the measurement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[2] / "shared")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--half", type=int, choices=(0, 1), default=None)
    options = parser.parse_args()
    judge = EmbeddedCompliance(load())
    sets = {
        "paper": list(paper_rows(options.shared / "paper")),
        "gold": list(gold_rows(options.shared / "gold", languages_of(options.shared / "paper"))),
    }
    for name, rows in sets.items():
        for which in (0, 1, None):
            if options.half is not None and which != options.half:
                continue
            line, errors = measure(
                judge, [row for row in rows if which is None or half(row.group, EXTRA[name]) == which]
            )
            print(f"{name:5} {'all ' if which is None else f'half {which}'}  {line}")
            if options.errors and which == 0:
                for row, said in errors:
                    mark = "wrongly rejected" if row.label else "wrongly kept"
                    print(f"    {mark}: {row.types} {row.property} {str(row.value)[:80]!r} {said} {row.note}")


if __name__ == "__main__":
    main()
