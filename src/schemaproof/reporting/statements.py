"""Every statement of a run as a row, for CSV and Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from schemaproof.errors import SourceError
from schemaproof.pipeline.store import Store
from schemaproof.reporting.collection import state_of

COLUMNS = (
    "page", "types", "contender", "path", "subject_types", "property", "value", "entity", "kept", "unclear", "agent",
    "rule", "kind", "reason", "probability",
)  # fmt: skip


def statement_rows(store: Store, signature: str, *, whole: bool = False) -> Iterable[list[Any]]:
    """Every statement of a run as a row of `COLUMNS`, one page in memory at a time."""
    for page in store.pages(signature, statements=True, whole=whole):
        for unit in page.units:
            for markup in unit.markups:
                for row in markup.statements:
                    agent = state_of(row)[1]
                    said = row["verdicts"].get(agent, {})
                    value = row["value"]
                    yield [
                        page.name, ", ".join(unit.types), markup.contender, row["path"], ", ".join(row["types"]),
                        row["property"], value if value is None or isinstance(value, str) else json.dumps(value),
                        None if row["entity"] is None else ", ".join(row["entity"]), row["kept"], row["unclear"],
                        agent, said.get("rule") or "", said.get("kind") or "", said.get("reason") or "",
                        said.get("probability"),
                    ]  # fmt: skip


def write_csv(path: Path, rows: Iterable[list[Any]]) -> Path:
    """Statements as CSV, of which no cell is a formula to a spreadsheet. Raises SourceError."""
    try:
        with path.open("w", encoding="utf-8", errors="replace", newline="") as target:
            writer = csv.writer(target)
            writer.writerow(COLUMNS)
            for row in rows:
                writer.writerow(
                    ""
                    if cell is None
                    else f"'{cell}"
                    if isinstance(cell, str) and cell[:1] in "=+-@\t\r" and cell
                    else cell
                    for cell in row
                )
    except OSError as problem:
        raise SourceError(str(path), f"cannot be written: {problem.strerror or problem}") from None
    return path


def write_parquet(path: Path, rows: Iterable[list[Any]]) -> Path:
    """Statements as Parquet. Raises SourceError."""
    from schemaproof.reporting.parquet import write_rows

    kinds = dict.fromkeys(COLUMNS, "VARCHAR") | {"kept": "BOOLEAN", "unclear": "BOOLEAN"}
    kinds["probability"] = "DOUBLE"
    return write_rows(path, kinds, (dict(zip(COLUMNS, row, strict=True)) for row in rows))
