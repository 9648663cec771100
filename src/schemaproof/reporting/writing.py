"""From a run file to the report in the format asked for."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemaproof.errors import InputError, SourceError
from schemaproof.pipeline.store import Store, encode
from schemaproof.reporting import statements
from schemaproof.reporting.collection import collect
from schemaproof.reporting.summaries import all_tables, unit_table
from schemaproof.reporting.table import Table, as_csv, as_latex, as_markdown, markdown
from schemaproof.wording import counted


@dataclass(frozen=True, slots=True)
class Wanted:
    """What report is wanted.

    Attributes:
        form: "html", "md", "latex", "csv", "parquet" or "json".
        title: its heading; None for one made of the run.
        compare: path of another run file, or None.
        strata, judges, weights: paths of files, or None; see the command.
        every: compare every pair of contenders.
        whole: all pages of the run's signature in the file, not only those that the last run covered.
        seed: of the bootstrap.
    """

    form: str = "html"
    title: str | None = None
    compare: str | None = None
    strata: str | None = None
    judges: str | None = None
    weights: str | None = None
    every: bool = False
    whole: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """What was written.

    Attributes:
        text: the report where it was not written to a file, or None.
        files: the files written.
        others: what to say of pages that are in the run file and not in the report, or "".
    """

    text: str | None
    files: list[Path]
    others: str = ""


def write_report(run_file: str, output: str | None, wanted: Wanted) -> Report:
    """Write a report.

    Arguments:
        run_file: the run.
        output: file or folder; None to get the text back (not for csv and parquet).
        wanted: see there.

    Raises: StoreError, InputError, SourceError.
    """
    from schemaproof.scoring.weights import read_weights

    weights = read_weights(wanted.weights) if wanted.weights else None
    given = read_strata(wanted.strata) if wanted.strata else None
    measured = read_object(wanted.judges) if wanted.judges else None
    html = wanted.form == "html"
    with Store(run_file, must_exist=True) as store:
        found = collect(store, every=wanted.every, weights=weights, seed=wanted.seed, pack=html, whole=wanted.whole)
        others = told_others(found.others)
        tables = all_tables(found, given=given, measured=measured)
        changes: list[Table] = []
        if wanted.compare:
            from schemaproof.reporting.comparison import compare

            with Store(wanted.compare, must_exist=True) as other:
                changes = compare(store, other, whole=wanted.whole)
        if wanted.form in ("csv", "parquet"):
            assert output is not None
            everything = [*tables, *changes, unit_table(found)]
            rows = statements.statement_rows(store, found.signature, whole=wanted.whole)
            return Report(None, _write_folder(Path(output), everything, rows, wanted.form), others)
    if html:
        from schemaproof.reporting.html import report_html

        heading = wanted.title or f"{' and '.join(found.names)} on {counted(found.totals['pages'], 'page')}"
        text = report_html(found, tables, title=heading, changes=changes, others=others)
    elif wanted.form == "md":
        head = f"# {markdown(wanted.title)}\n\n" if wanted.title else ""
        tail = f"\n{others}\n" if others else ""
        text = f"{head}{as_markdown([*tables, *changes])}{tail}\n`{found.signature}`\n"
    elif wanted.form == "latex":
        text = as_latex([*tables, *changes]) + (f"% {others}\n" if others else "")
    else:
        text = encode(
            {
                "schema_version": 1,
                "signature": found.signature,
                "pages": len(found.pages),
                "other_pages": found.others,
                "tables": {
                    table.name: {
                        "title": table.title,
                        "note": table.note,
                        "columns": [column.label for column in table.columns],
                        "rows": table.rows,
                    }
                    for table in [*tables, *changes]
                },
            }
        )
    if output is None or output == "-":
        return Report(text, [], others)
    return Report(None, [write_text(Path(output), text)], others)


def told_others(number: int) -> str:
    """What a report says of pages of earlier runs that it leaves out; "" where there are none."""
    if not number:
        return ""
    verb = "is" if number == 1 else "are"
    return (
        f"{counted(number, 'more page')} of earlier runs with the same settings {verb} in the run file; this report "
        "shows what the last run covered, and with --all-pages everything."
    )


def write_text(path: Path, text: str) -> Path:
    """Write a file whole or not at all. Raises SourceError."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        draft.replace(path)
    except OSError as problem:
        draft.unlink(missing_ok=True)
        raise SourceError(str(path), f"cannot be written: {problem.strerror or problem}") from None
    return path


def _write_folder(folder: Path, tables: Sequence[Table], rows: Iterable[list[Any]], form: str) -> list[Path]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise SourceError(str(folder), f"cannot be made: {problem.strerror or problem}") from None
    if form == "csv":
        written = [write_text(folder / f"{table.name}.csv", as_csv(table)) for table in tables]
        return [*written, statements.write_csv(folder / "statements.csv", rows)]
    from schemaproof.reporting.parquet import write_table

    written = [write_table(folder / f"{table.name}.parquet", table) for table in tables]
    return [*written, statements.write_parquet(folder / "statements.parquet", rows)]


def read_object(file: str) -> dict[str, Any]:
    """A JSON object from a file. Raises SourceError, InputError."""
    try:
        value = json.loads(Path(file).read_bytes())
    except OSError as problem:
        raise SourceError(file, f"cannot be read: {problem.strerror or problem}") from None
    except (ValueError, RecursionError) as problem:
        raise InputError(f"not JSON: {problem}", source=file) from None
    if not isinstance(value, dict):
        raise InputError("not a JSON object", source=file)
    return value


def read_strata(file: str) -> dict[str, str]:
    """Page (name, URL or id) to its stratum, from CSV with a head or JSON Lines.

    Raises: SourceError for a file that cannot be read, InputError for one without the columns page (or url, or id)
        and stratum.
    """
    try:
        text = Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise SourceError(file, f"cannot be read: {problem}") from None
    rows: list[tuple[int, dict[str, Any]]] = []
    if text.lstrip()[:1] == "{":
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                try:
                    value = json.loads(line)
                except (ValueError, RecursionError) as problem:
                    raise InputError(f"not JSON: {problem}", source=file, line=number) from None
                if not isinstance(value, dict):
                    raise InputError("not a JSON object", source=file, line=number)
                rows.append((number, value))
    else:
        rows = list(enumerate(csv.DictReader(text.splitlines()), 2))
    found: dict[str, str] = {}
    for number, row in rows:
        pages = [str(row[key]) for key in ("page", "url", "id") if row.get(key)]
        if not pages or row.get("stratum") in (None, ""):
            raise InputError("a row needs page (or url, or id) and stratum", source=file, line=number)
        found.update(dict.fromkeys(pages, str(row["stratum"])))
    if not found:
        raise InputError("holds no row", source=file)
    return found
