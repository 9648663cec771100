"""`schemaproof extraction`: score JSON answers under a JSON Schema, or let a model write them first."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from schemaproof.cli.extraction_options import (
    floors_of,
    floors_option,
    form_options,
    pairs_of,
    profile_option,
    status_of,
)
from schemaproof.cli.extraction_run import run
from schemaproof.wording import counted

if TYPE_CHECKING:
    from schemaproof.extraction.comparators import Rules
    from schemaproof.extraction.scorer import Score, Settings
    from schemaproof.extraction.totals import Pairing, Report


@click.group()
def extraction() -> None:
    """Score JSON answers under a JSON Schema.

    The metrics of ScrapeGraphAI-100k (arXiv:2602.15189). Try it: schemaproof extraction score example
    """


def _rules(path: Path | None) -> Rules:
    from schemaproof.errors import InputError
    from schemaproof.extraction.comparators import NO_RULES, rules_of

    if path is None:
        return NO_RULES
    import json
    import tomllib

    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except UnicodeDecodeError:
        raise InputError("is not UTF-8", source=str(path)) from None
    except json.JSONDecodeError as problem:
        raise InputError(problem.msg, source=str(path), line=problem.lineno, column=problem.colno) from None
    except tomllib.TOMLDecodeError as problem:
        raise InputError(str(problem), source=str(path)) from None
    return rules_of(data, str(path))


@extraction.command()
@click.argument("file")
@profile_option(
    "reference: the published numbers' code, bit for bit. card: the recipe printed on the data set's card. "
    "aligned: lists matched item by item, values compared by what they are."
)
@click.option("--strict", is_flag=True, help="Take every response as it stands; do not look for JSON inside it.")
@click.option(
    "--reading",
    type=click.Choice(["tolerant", "first", "raw"]),
    default="tolerant",
    show_default=True,
    help="How the JSON is found in a response; first is the published scripts' rule, raw is --strict.",
)
@click.option("--rows", is_flag=True, help="One JSON line a row on standard output; the totals go to standard error.")
@click.option("--details", is_flag=True, help="With --rows: breaches of the schema and, with aligned, every fault.")
@click.option("--compare", nargs=2, metavar="A B", help="Compare two models of FILE, or two files, row by row.")
@form_options
@click.option(
    "--comparators",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With aligned: JSON or TOML that says how fields are compared.",
)
@click.option("--column", "columns", multiple=True, metavar="NAME=COLUMN", help="What FILE calls one of our columns.")
@click.option("--workers", type=click.IntRange(0), default=0, help="Processes; 0 chooses by size. [default: 0]")
@floors_option
@click.option("--fail-on", type=click.Choice(["row"]), help="Exit status 1 if a row could not be scored.")
@click.pass_context
def score(
    ctx: click.Context,
    file: str,
    profile: str,
    strict: bool,
    reading: str,
    rows: bool,
    details: bool,
    compare: tuple[str, str] | None,
    form: str,
    as_json: bool,
    comparators: Path | None,
    columns: tuple[str, ...],
    workers: int,
    floors: tuple[str, ...],
    fail_on: str | None,
) -> None:
    """Score the answers in FILE.

    FILE is JSON Lines (maybe .gz) or Parquet with the columns id, response (the model's text), gold and schema
    (JSON values or text), and maybe model, content, page; - reads standard input, example is a data set inside
    the package. A row that cannot be scored is told and left out, never more.
    """
    from schemaproof.extraction.rows import COLUMNS
    from schemaproof.extraction.scorer import Settings

    if comparators is not None and profile != "aligned":
        raise click.UsageError("--comparators goes with --profile aligned")
    names = pairs_of(columns, "--column")
    for name in names:
        if name not in COLUMNS:
            raise click.UsageError(f"--column: there is no column {name!r}; there are {', '.join(COLUMNS)}")
    limits = floors_of(floors, profile)
    settings = Settings(profile, "raw" if strict else reading, _rules(comparators), details)
    form = "json" if as_json else form
    report, pairing = _scored(file, settings, names, workers, compare, rows, form == "json")
    _check_rows(report, file)
    _tell(report, pairing, file, settings, compare, form, to_error=rows)
    ctx.exit(status_of(report, limits, fail_on))


def _scored(
    file: str,
    settings: Settings,
    columns: dict[str, str],
    workers: int,
    compare: tuple[str, str] | None,
    rows: bool,
    version: bool,
) -> tuple[Report, Pairing | None]:
    from schemaproof.cli.output import print_json
    from schemaproof.extraction.records import row_json
    from schemaproof.extraction.totals import Pairing, totals_of
    from schemaproof.pipeline.extraction_score import score_file

    pairing = Pairing(settings.profile) if compare else None

    def each(score: Score) -> None:
        if rows:
            print_json(row_json(score, details=settings.details, version=version))
        for side, name in enumerate(compare or ()):
            if pairing is not None and (name == file or (name == score.model and not Path(name).is_file())):
                pairing.add(side, score)

    report = totals_of(score_file(file, settings, columns=columns, workers=workers), settings.profile, each)
    for side, name in enumerate(compare or ()):
        if pairing is not None and name != file and Path(name).is_file():
            for other in score_file(name, settings, columns=columns, workers=workers):
                pairing.add(side, other)
    if pairing is not None and compare is not None:
        _check_pairing(pairing, compare, report)
    return report, pairing


def _check_pairing(pairing: Pairing, compare: tuple[str, str], report: Report) -> None:
    first, second, both = pairing.numbers
    for number, name in ((first, compare[0]), (second, compare[1])):
        if not number:
            known = ", ".join(sorted(model for model in report.models if model)) or "no column model"
            raise click.UsageError(f"--compare: {name!r} is neither a file nor a model with scores in FILE ({known})")
    if not both:
        raise click.UsageError("--compare: the two have no id in common; rows are paired by their id")


def _tell(
    report: Report,
    pairing: Pairing | None,
    file: str,
    settings: Settings,
    compare: tuple[str, str] | None,
    form: str,
    *,
    to_error: bool,
) -> None:
    from schemaproof.extraction.records import comparison_json, report_csv, report_json
    from schemaproof.extraction.table import report_text
    from schemaproof.pipeline.extraction_score import recipe
    from schemaproof.pipeline.store import encode
    from schemaproof.scoring.signature import signature

    line = signature(recipe(file, settings))
    comparison: dict[str, Any] | None = None
    if pairing is not None and compare is not None:
        comparison = comparison_json(compare, pairing.numbers, pairing.differences())
    if form == "json":
        text = encode(report_json(report, file, line, comparison)) + "\n"
    elif form == "csv":
        text = report_csv(report, line, comparison)
    else:
        text = report_text(report, file, line, comparison)
    click.echo(text, nl=False, err=to_error)


def _check_rows(report: Report, file: str) -> None:
    """A file without a single row is not what the user meant. Raises InputError."""
    from schemaproof.errors import InputError

    whole = report.whole
    if not whole.rows:
        raise InputError("holds no rows", source=file)
    if whole.unreadable == whole.rows:
        first = whole.problems[0]
        raise InputError(f"holds no row of answers: {first.message}", source=file, line=first.line or None)


@extraction.command()
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write; else printed.")
def example(output: Path | None) -> None:
    """Write the packaged data set: 200 made-up rows with known faults."""
    from schemaproof.pipeline.extraction_score import example_bytes

    data = example_bytes()
    if output is None:
        sys.stdout.buffer.write(data)
        return
    output.write_bytes(data)
    click.echo(f"{output}: {counted(len(data.splitlines()), 'row')}", err=True)


extraction.add_command(run)
