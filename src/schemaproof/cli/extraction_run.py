"""`schemaproof extraction run`: let a model answer a data set, then score it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from schemaproof.cli.extraction_options import floors_of, floors_option, form_options, profile_option, status_of
from schemaproof.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemaproof.extraction.scorer import Settings
    from schemaproof.extraction.totals import Report
    from schemaproof.pipeline.extraction_run import RunReport
    from schemaproof.pipeline.extraction_store import ExtractionStore


@click.command()
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
@profile_option("How answers are scored, see extraction score.")
@click.option("--strict", is_flag=True, help="Score every response as it stands.")
@form_options
@floors_option
@click.pass_context
def run(ctx: click.Context, /, dataset: str, spec: str, output: str, **options: Any) -> None:
    """Answer every row of DATASET, then score the answers.

    DATASET is a Parquet or JSON Lines file, a folder of them, scrapegraphai-100k, scrapegraph-100k-finetuning or
    OWNER/NAME on the hub, or example. The question holds the schema and the content, as in the published
    evaluation. Later, extraction score RUN.db scores the same answers again.
    """
    from schemaproof.errors import InputError, ModelError
    from schemaproof.extraction.prompting import PROMPT, checked_template
    from schemaproof.extraction.scorer import Settings
    from schemaproof.pipeline.extraction_run import RunSettings, build_writer, run_extraction
    from schemaproof.pipeline.extraction_store import ExtractionStore

    limits = floors_of(options["floors"], options["profile"])
    path: Path | None = options["prompt_file"]
    settings = RunSettings(
        split=options["split"],
        template=PROMPT if path is None else checked_template(_read(path), str(path)),
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
        if report.unusable == report.rows:
            number, why = report.problems[0] if report.problems else (None, "")
            raise InputError(f"holds no row to answer: {why}" if why else "holds no rows", source=dataset, line=number)
        _tell_run(report, dataset, settings.max_prompt_tokens)
        scoring = Settings(options["profile"], "raw" if options["strict"] else "tolerant")
        totals = _scored_run(store, report, scoring)
        _tell_totals(totals, output, report, scoring, "json" if options["as_json"] else options["form"])
    ctx.exit(status_of(totals, limits, None))


def _read(path: Path) -> str:
    """The text of a file. Raises InputError where it is none."""
    from schemaproof.errors import InputError

    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as problem:
        raise InputError(f"not UTF-8 text (byte {problem.start + 1})", source=str(path)) from None


def _progress() -> Callable[[RunReport], None]:
    """Tells how many rows are done, where a person can see it."""
    if not sys.stderr.isatty():
        return lambda _: None

    def told(report: RunReport) -> None:
        if report.asked % 10 == 0:
            click.echo(
                f"\r{counted(report.rows, 'row')}, {report.asked} asked, {report.reused} from the run file",
                nl=False,
                err=True,
            )

    return told


def _tell_run(report: RunReport, dataset: str, longest: int) -> None:
    click.echo(
        f"{dataset}: {counted(report.rows, 'row')}; {report.left_out} left out, their prompt is longer than "
        f"{counted(longest, 'token')} by {report.tokenizer}; "
        f"{report.asked} asked now, {report.reused} answered before, {report.refused} refused",
        err=True,
    )
    if report.repeated:
        click.echo(
            f"{counted(report.repeated, 'row')} skipped: the id, page and schema are those of an earlier one", err=True
        )
    for number, message in report.problems or ():
        click.echo(f"{dataset}:{number}: {message}", err=True)


def _scored_run(store: ExtractionStore, report: RunReport, settings: Settings) -> Report:
    from schemaproof.extraction.totals import totals_of
    from schemaproof.pipeline.extraction_score import score_item

    rows = enumerate(store.answered(report.signature, report.numbers), 1)
    return totals_of((score_item(row, settings) for row in rows), settings.profile)


def _tell_totals(totals: Report, source: str, report: RunReport, settings: Settings, form: str) -> None:
    from schemaproof.extraction.records import report_csv, report_json
    from schemaproof.extraction.table import report_text
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
