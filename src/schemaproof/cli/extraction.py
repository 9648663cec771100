"""`schemaproof extraction`: score JSON answers under a JSON Schema, or let a model write them first."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemaproof.extraction.comparators import Rules
    from schemaproof.extraction.scorer import Score, Settings
    from schemaproof.extraction.totals import Pairing, Report
    from schemaproof.pipeline.extraction_run import RunReport
    from schemaproof.pipeline.extraction_store import ExtractionStore


@click.group()
def extraction() -> None:
    """Score JSON answers under a JSON Schema.

    The metrics of ScrapeGraphAI-100k (arXiv:2602.15189). Try it: schemaproof extraction score example
    """


def _pairs(values: tuple[str, ...], option: str) -> dict[str, str]:
    found = {}
    for value in values:
        name, sign, rest = value.partition("=")
        if not sign or not name or not rest:
            raise click.UsageError(f"{option} wants NAME=VALUE, not {value!r}")
        found[name.strip()] = rest.strip()
    return found


def _floors(values: tuple[str, ...], profile: str) -> dict[str, float]:
    from schemaproof.extraction.totals import metric_names

    floors = {}
    for name, text in _pairs(values, "--fail-under").items():
        if name not in metric_names(profile):
            raise click.UsageError(
                f"--fail-under: profile {profile} has no metric {name!r}; it has {', '.join(metric_names(profile))}"
            )
        try:
            floors[name] = float(text)
        except ValueError:
            raise click.UsageError(f"--fail-under {name}: {text!r} is no number") from None
    return floors


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
@click.option(
    "--profile",
    type=click.Choice(["reference", "card", "aligned"]),
    default="reference",
    show_default=True,
    help="reference: the published numbers' code, bit for bit. card: the recipe printed on the data set's card. "
    "aligned: lists matched item by item, values compared by what they are.",
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
@click.option(
    "--format",
    "form",
    type=click.Choice(["markdown", "json", "csv"]),
    default="markdown",
    show_default=True,
    help="Form of the totals.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--comparators",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With aligned: JSON or TOML that says how fields are compared.",
)
@click.option("--column", "columns", multiple=True, metavar="NAME=COLUMN", help="What FILE calls one of our columns.")
@click.option("--workers", type=click.IntRange(0), default=0, help="Processes; 0 chooses by size. [default: 0]")
@click.option("--fail-under", "floors", multiple=True, metavar="METRIC=X", help="Exit status 1 if a mean is below X.")
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
    names = _pairs(columns, "--column")
    for name in names:
        if name not in COLUMNS:
            raise click.UsageError(f"--column: there is no column {name!r}; there are {', '.join(COLUMNS)}")
    limits = _floors(floors, profile)
    settings = Settings(profile, "raw" if strict else reading, _rules(comparators), details)
    form = "json" if as_json else form
    report, pairing = _scored(file, settings, names, workers, compare, rows, form == "json")
    _check_rows(report, file)
    _tell(report, pairing, file, settings, compare, form, to_error=rows)
    ctx.exit(_status(report, limits, fail_on))


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
    from schemaproof.extraction.table import row_json
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
    from schemaproof.extraction.table import comparison_json, report_csv, report_json, report_text
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


def _status(report: Report, floors: dict[str, float], fail_on: str | None) -> int:
    whole = report.whole
    status = 0
    for name, floor in floors.items():
        mean = whole.means.sum(name) / whole.scored if whole.scored else float("nan")
        if not mean >= floor:
            click.echo(f"{name} is {mean:.4f}, below {floor:g}", err=True)
            status = 1
    if fail_on == "row" and whole.failed:
        click.echo(f"{whole.failed} rows could not be scored", err=True)
        status = 1
    return status


@extraction.command()
@click.argument("dataset")
@click.option("--by", "spec", required=True, metavar="SPEC", help="Who answers: a model, or embedded (no model).")
@click.option("--split", default="test", show_default=True, help="Of a folder or the hub: train, test, human_eval.")
@click.option(
    "-o",
    "--output",
    default="schemaproof-extraction.db",
    show_default=True,
    metavar="RUN.db",
    help="The run file; a run that was stopped goes on from it.",
)
@click.option("--limit", type=click.IntRange(0), default=0, help="Only the first rows; 0 for all. [default: 0]")
@click.option(
    "--tokenizer",
    metavar="NAME",
    help="Counts the prompt: o200k_base, cl100k_base, chars/4, or a tokenizer.json (the evaluated model's).",
)
@click.option(
    "--max-prompt-tokens",
    type=click.IntRange(0),
    default=8192,
    show_default=True,
    help="Leave rows with a longer prompt out; 0 for none.",
)
@click.option("--max-answer-tokens", type=click.IntRange(1), default=4096, show_default=True, help="Of an answer.")
@click.option("--temperature", type=click.FloatRange(0, 2), default=0.0, show_default=True, help="Of sampling.")
@click.option("--constrained", is_flag=True, help="Have the provider keep answers to the schema.")
@click.option(
    "--prompt",
    "prompt_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The question, with the marks {schema} and {content}.",
)
@click.option("--jobs", type=click.IntRange(0), default=0, help="Questions under way; 0 chooses. [default: 0]")
@click.option(
    "--profile",
    type=click.Choice(["reference", "card", "aligned"]),
    default="reference",
    show_default=True,
    help="How answers are scored, see extraction score.",
)
@click.option("--strict", is_flag=True, help="Score every response as it stands.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["markdown", "json", "csv"]),
    default="markdown",
    show_default=True,
    help="Form of the totals.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--fail-under", "floors", multiple=True, metavar="METRIC=X", help="Exit status 1 if a mean is below X.")
@click.pass_context
def run(ctx: click.Context, /, dataset: str, spec: str, output: str, **options: Any) -> None:
    """Answer every row of DATASET, then score the answers.

    DATASET is a Parquet or JSON Lines file, a folder of them, scrapegraphai-100k, scrapegraph-100k-finetuning or
    OWNER/NAME on the hub, or example. The question holds the schema and the content, as in the published
    evaluation. Later, extraction score RUN.db scores the same answers again.
    """
    from schemaproof.errors import ModelError
    from schemaproof.extraction.prompting import PROMPT, checked_template
    from schemaproof.extraction.scorer import Settings
    from schemaproof.pipeline.extraction_run import RunSettings, build_writer, run_extraction
    from schemaproof.pipeline.extraction_store import ExtractionStore

    limits = _floors(options["floors"], options["profile"])
    path: Path | None = options["prompt_file"]
    settings = RunSettings(
        split=options["split"],
        template=PROMPT if path is None else checked_template(path.read_text(encoding="utf-8"), str(path)),
        tokenizer=options["tokenizer"] or "",
        max_prompt_tokens=options["max_prompt_tokens"],
        max_answer_tokens=options["max_answer_tokens"],
        temperature=options["temperature"],
        constrained=options["constrained"],
        limit=options["limit"],
        at_once=options["jobs"],
    )
    with ExtractionStore(output) as store:
        try:
            report = run_extraction(dataset, build_writer(spec), store, settings, _progress())
        except (KeyboardInterrupt, ModelError) as problem:
            reason = "interrupted" if isinstance(problem, KeyboardInterrupt) else f"a model failed: {problem}"
            click.echo(f"schemaproof: {reason}", err=True)
            click.echo(f"What was answered is saved in {output}; the same command goes on from there.", err=True)
            ctx.exit(130 if isinstance(problem, KeyboardInterrupt) else 3)
        _tell_run(report, dataset, settings.max_prompt_tokens)
        scoring = Settings(options["profile"], "raw" if options["strict"] else "tolerant")
        totals = _scored_run(store, report, scoring)
        _tell_totals(totals, output, report, scoring, "json" if options["as_json"] else options["form"])
    ctx.exit(_status(totals, limits, None))


def _progress() -> Callable[[RunReport], None]:
    """Tells how many rows are done, where a person can see it."""
    if not sys.stderr.isatty():
        return lambda _: None

    def told(report: RunReport) -> None:
        if report.asked % 10 == 0:
            click.echo(
                f"\r{report.rows} rows, {report.asked} asked, {report.reused} from the run file", nl=False, err=True
            )

    return told


def _tell_run(report: RunReport, dataset: str, longest: int) -> None:
    click.echo(
        f"{dataset}: {report.rows} rows; {report.left_out} left out, their prompt is longer than {longest} tokens by "
        f"{report.tokenizer}; {report.asked} asked now, {report.reused} answered before, {report.refused} refused",
        err=True,
    )
    if report.repeated:
        click.echo(
            f"{report.repeated} rows repeat the id, page and schema of an earlier one and were skipped", err=True
        )
    for number, message in report.problems or ():
        click.echo(f"{dataset}:{number}: {message}", err=True)


def _scored_run(store: ExtractionStore, report: RunReport, settings: Settings) -> Report:
    from schemaproof.extraction.totals import totals_of
    from schemaproof.pipeline.extraction_score import score_item

    rows = enumerate(store.answered(report.signature, report.numbers), 1)
    return totals_of((score_item(row, settings) for row in rows), settings.profile)


def _tell_totals(totals: Report, source: str, report: RunReport, settings: Settings, form: str) -> None:
    from schemaproof.extraction.table import report_csv, report_json, report_text
    from schemaproof.pipeline.extraction_score import recipe
    from schemaproof.pipeline.store import encode
    from schemaproof.scoring.signature import signature

    run = {"rows": report.rows, "left_out": report.left_out, "tokenizer": report.tokenizer}
    line = signature({**recipe("-", settings), "answers": report.signature, "run": run})
    if form == "json":
        data = report_json(totals, source, line)
        data["run"] = {
            **run, "asked": report.asked, "reused": report.reused, "refused": report.refused,
            "repeated": report.repeated, "unusable": report.unusable, "signature": report.signature,
        }  # fmt: skip
        click.echo(encode(data))
    else:
        text = report_csv(totals, line) if form == "csv" else report_text(totals, source, line)
        click.echo(text, nl=False)


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
    click.echo(f"{output}: {len(data.splitlines())} rows", err=True)
