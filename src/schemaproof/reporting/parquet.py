"""Tables as Parquet, written by DuckDB."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from schemaproof.errors import SourceError
from schemaproof.reporting.table import Table

_SQL = {"text": "VARCHAR", "count": "BIGINT", "interval": "DOUBLE[]", "shares": "DOUBLE[]"}


def write_rows(path: Path, columns: dict[str, str], rows: Iterable[dict[str, Any]]) -> Path:
    """Rows as one Parquet file, streamed through a file of JSON lines so that memory does not grow with them.

    Arguments:
        path: the file.
        columns: name to SQL type.
        rows: by column.

    Raises: SourceError.
    """
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / "rows.jsonl"
        with draft.open("w", encoding="utf-8") as target:
            for row in rows:
                # Lone surrogates have no place in Parquet's UTF-8.
                line = json.dumps(row, ensure_ascii=False).encode("utf-8", "replace").decode()
                target.write(line + "\n")
        shapes = ", ".join(f"{_quoted(name, chr(39))}: '{kind}'" for name, kind in columns.items())
        wanted = f"SELECT * FROM read_json(?, format='newline_delimited', columns={{{shapes}}})"
        if not draft.stat().st_size:
            empty = ", ".join(f"NULL::{kind} AS {_quoted(name, chr(34))}" for name, kind in columns.items())
            wanted = f"SELECT {empty} WHERE ? IS NULL"
        made = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            with duckdb.connect() as connection:
                target_name = _quoted(str(made), chr(39))
                connection.execute(f"COPY ({wanted}) TO {target_name} (FORMAT parquet, COMPRESSION zstd)", [str(draft)])
            made.replace(path)
        except (duckdb.Error, OSError) as problem:
            made.unlink(missing_ok=True)
            raise SourceError(str(path), f"cannot be written: {problem}") from None
    return path


def _quoted(text: str, mark: str) -> str:
    return mark + text.replace(mark, mark + mark) + mark


def write_table(path: Path, table: Table) -> Path:
    """One table of a report. Columns of one label get a number. Raises SourceError."""
    names: list[str] = []
    for column in table.columns:
        count = sum(name == column.label or name.startswith(f"{column.label} #") for name in names)
        names.append(column.label if not count else f"{column.label} #{count + 1}")
    kinds = {name: _SQL.get(column.kind, "DOUBLE") for name, column in zip(names, table.columns, strict=True)}
    rows = ({name: _plain(cell) for name, cell in zip(names, row, strict=True)} for row in table.rows)
    return write_rows(path, kinds, rows)


def _plain(cell: Any) -> Any:
    return None if isinstance(cell, float) and cell != cell else list(cell) if isinstance(cell, tuple) else cell
