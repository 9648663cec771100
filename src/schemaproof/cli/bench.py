"""`schemaproof bench`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from schemaproof.cli.bench_data import EXAMPLES, built_from, pages_of, sets_of
from schemaproof.cli.bench_models import calibrate, forecast_rows, prompts
from schemaproof.cli.model_options import (
    dry_run_option,
    echo_forecast,
    echo_usage,
    limits_options,
    mode_option,
    set_limits,
    with_options,
)
from schemaproof.cli.output import print_json, styled, table
from schemaproof.wording import counted

if TYPE_CHECKING:
    from schemaproof.groundtruth.judging import Measured
    from schemaproof.groundtruth.row import Row


@click.group()
def bench() -> None:
    """Measure the agents on ground truth."""


@bench.command()
@click.option("--examples", metavar="FILE", help=f"The official {EXAMPLES} (default: the one fetched before).")
@click.option("--pages", metavar="FILE.parquet", help="Real pages: factuality sets are also built inside their texts.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random numbers.")
@click.option("-o", "--output", default="ground-truth", show_default=True, metavar="FOLDER", help="Where to write.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def build(examples: str | None, pages: str | None, seed: int, output: str, as_json: bool) -> None:
    """Build ground truth for the agents from Schema.org's official examples.

    Writes one JSON Lines file a set, each row with its split (fit, tune, test; by example), and leaks.json: how far
    judges get that see no text or no definition, and the embedded judge on exchanged texts. A set that gives its
    answers away is balanced until they are at chance; what cannot be balanced is said.
    """
    from schemaproof.groundtruth.leaks import leaks_of
    from schemaproof.pipeline.judges import build_judges
    from schemaproof.pipeline.store import encode

    builder, built, notes = built_from(examples, seed)
    if pages is not None:
        texts = _page_texts(pages)
        for name in [each for each in built.sets if each.startswith("factuality")]:
            built.sets[f"{name}_long"] = builder.long(built.sets[name], texts)
    judges = build_judges(builder.vocabulary, ("factuality", "compliance"), "schema.org")
    reports = {name: leaks_of(name, rows, judges, seed) for name, rows in built.sets.items()}
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in built.sets.items():
        lines = "".join(encode(row.as_dict()) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    warnings = [*built.warnings, *(each for report in reports.values() for each in report.warnings)]
    answer = {
        "schema_version": 1,
        "seed": seed,
        "sets": {
            name: {
                **report.as_dict(),
                "dropped_groups": built.dropped.get(name, 0),
                "splits": _splits(built.sets[name]),
                "file": str(folder / f"{name}.jsonl"),
            }
            for name, report in reports.items()
        },
        "warnings": warnings,
        "notes": notes,
    }
    (folder / "leaks.json").write_text(encode(answer) + "\n", encoding="utf-8")
    for note in notes:
        click.echo(note, err=True)
    for warning in warnings:
        click.echo(styled(f"WARNING: {warning}", fg="red", bold=True), err=True)
    if as_json:
        print_json(answer)
        return
    names = list(next(iter(reports.values())).blind)
    head = ["set", "n", "fit", "tune", "test", *names, "always yes", "judge", "swapped texts"]
    body = [head]
    for name, report in reports.items():
        splits = _splits(built.sets[name])
        body.append(
            [
                name,
                str(report.n),
                *(str(splits[each]) for each in ("fit", "tune", "test")),
                *(f"{report.blind[each]:.3f}" for each in names),
                f"{report.always_yes['balanced_accuracy']:.3f}",
                "-" if report.judge is None else f"{report.judge:.3f}",
                "-" if report.swapped is None else f"{report.swapped:.3f}",
            ]
        )
    click.echo(table(body, right=set(range(1, len(head)))))
    click.echo("balanced accuracies; the blind judges see only what their column names, counted on other examples")


def _splits(rows: list[Row]) -> dict[str, int]:
    return {name: sum(row.split == name for row in rows) for name in ("fit", "tune", "test")}


def _page_texts(file: str) -> list[tuple[str, str, str]]:
    from schemaproof.errors import InputError
    from schemaproof.page import read_page
    from schemaproof.sources.parquet import read_parquet

    found = []
    for source in read_parquet(Path(file)):
        if source.data is not None:
            page = read_page(source.data, url=source.url, content_type=source.content_type)
            if len(page.text) >= 200:
                found.append((source.id, page.text, page.language))
    if not found:
        raise InputError("holds no page with a visible text", source=file)
    return found


@bench.command()
@click.option("--judge", "judge", default="embedded", show_default=True, metavar="SPEC", help="Who is measured.")
@mode_option
@click.option(
    "--samples",
    type=click.IntRange(min=0),
    default=0,
    metavar="K",
    help="SelfCheck: majority of K samples, beside one.",
)
@limits_options
@dry_run_option
@click.option("--data", multiple=True, metavar="FILE.jsonl", help="A benchmark (default: built now, its test split).")
@click.option("--pages", metavar="FILE.parquet", help="The pages that rows name (columns id, url, html).")
@click.option("--examples", metavar="FILE", help="As for `bench build`, where no data are given.")
@click.option("--split", type=click.Choice(["fit", "tune", "test"]), help="Only rows of this split.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most so many rows of a set.")
@click.option("--errors", metavar="FILE.html", help="Write the mistakes as a page to browse (or .jsonl).")
@click.option("--resamples", type=click.IntRange(min=1), default=2000, show_default=True, help="Of the bootstrap.")
@click.option("--swapped", is_flag=True, help="Judge factuality again with every text exchanged for another's.")
@click.option("--floor", type=click.FloatRange(0, 1), metavar="X", help="Exit with 1 below this balanced accuracy.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def judges(
    judge: str,
    mode: str | None,
    samples: int,
    max_tokens: int | None,
    concurrency: int | None,
    dry_run: bool,
    data: tuple[str, ...],
    pages: str | None,
    examples: str | None,
    split: str | None,
    limit: int | None,
    errors: str | None,
    resamples: int,
    swapped: bool,
    floor: float | None,
    as_json: bool,
) -> None:
    """Measure a judge of factuality and compliance, each row alone.

    FILE.jsonl is what `bench build` writes, the ground truth of the paper's agents (text, property, value, type,
    label), or statements of real pages judged by readers (page, path, property, value, factual, compliant; needs
    --pages).
    """
    from schemaproof.groundtruth.judging import measure
    from schemaproof.groundtruth.leaks import on_exchanged_texts
    from schemaproof.pipeline.judges import build_judges
    from schemaproof.vocabulary import load

    sets = sets_of(data, examples, split, limit)
    html = pages_of(sets, pages)
    set_limits({"max_tokens": max_tokens, "concurrency": concurrency})
    judge = with_options(judge, mode=mode)
    together = mode == "batched"
    if dry_run:
        echo_forecast(forecast_rows(sets, html, judge, samples=samples, together=together), as_json=as_json)
        return
    answering = build_judges(load(), ("factuality", "compliance"), "schema.org", judge)
    measured = []
    for name, rows in sets.items():
        with _told(name, sum(row.first for row in rows)) as done:
            found = measure(name, rows, answering, html, resamples=resamples, progress=done, together=together)
        if samples:
            voting = build_judges(
                load(), ("factuality", "compliance"), "schema.org", with_options(judge, samples=str(samples))
            )
            voted = measure(f"{name} ({counted(samples, 'sample')})", rows, voting, html, resamples=resamples)
            measured.append(voted)
        if swapped:
            found.swapped = on_exchanged_texts(rows, answering)
        measured.append(found)
    echo_usage()
    if errors is not None:
        _write_errors(Path(errors), measured, judge)
    if as_json:
        print_json(
            {
                "schema_version": 1,
                "judge": judge,
                "resamples": resamples,
                "sets": {each.name: each.as_dict() for each in measured},
            }
        )
    else:
        click.echo(_judges_table(measured))
        _echo_recorded(measured)
    if floor is not None and any(each.counted.balanced_accuracy < floor for each in measured):
        raise click.exceptions.Exit(1)


@contextmanager
def _told(name: str, n: int) -> Iterator[Callable[[int], None]]:
    """Tells how far a set is: a bar on a terminal, else one line when it starts."""
    if not sys.stderr.isatty():
        click.echo(f"{name}: {counted(n, 'row')}", err=True)
        yield lambda _: None
        return
    with click.progressbar(length=n, label=name, file=sys.stderr) as bar:
        yield lambda done: bar.update(done - bar.pos)


def _write_errors(file: Path, measured: list[Measured], judge: str) -> None:
    from schemaproof.groundtruth.browsing import mistakes_page
    from schemaproof.pipeline.store import encode

    if file.suffix.casefold() in (".jsonl", ".json"):
        lines = [encode({"set": each.name, **error}) for each in measured for error in each.as_dict()["errors"]]
        file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    else:
        file.write_text(mistakes_page(measured, judge), encoding="utf-8")
    click.echo(f"mistakes: {file}", err=True)


def _judges_table(measured: list[Measured]) -> str:
    head = ["set", "n", "precision", "recall", "f1", "macro_f1", "balanced_accuracy", "95% interval", "calls", "tokens"]
    rows = [[*head, "seconds", "always-yes f1", "best blind", "swapped texts"]]
    for each in measured:
        figures = each.counted
        low, high = each.intervals.get("balanced_accuracy", (float("nan"), float("nan")))
        blind = max(each.blind.values(), default=0.0)
        rows.append(
            [
                each.name,
                str(figures.n),
                *(f"{getattr(figures, name):.4f}" for name in head[2:7]),
                f"{low:.3f} to {high:.3f}",
                str(each.calls),
                str(each.tokens),
                f"{each.seconds:.2f}",
                f"{each.always_yes['f1']:.4f}",
                f"{blind:.3f}",
                "-" if each.swapped is None else f"{each.swapped:.3f}",
            ]
        )
    return table(rows, right=set(range(1, len(rows[0]))))


def _echo_recorded(measured: list[Measured]) -> None:
    """Recorded answers beside: single vote and SelfCheck, by statement and by snippet (paper, table 20)."""
    rows = [["recorded", "set", "over", "n", "precision", "recall", "f1", "balanced_accuracy"]]
    for each in measured:
        for name, figures in each.recorded.items():
            for over, part in (("statements", figures), ("snippets", figures.get("snippets"))):
                if part is not None:
                    shown = (f"{part[key]:.4f}" for key in ("precision", "recall", "f1", "balanced_accuracy"))
                    rows.append([name, each.name, over, str(part["n"]), *shown])
    if len(rows) > 1:
        click.echo()
        click.echo(table(rows, right={3, 4, 5, 6, 7}))


@bench.command()
@click.argument("run_file", metavar="RUN.db")
@click.option("-o", "--output", default="-", show_default=True, metavar="FILE.jsonl", help="Where to write.")
@click.option("--agents", default="factuality,compliance", show_default=True, metavar="LIST", help="Whose verdicts.")
@click.option("--licence", default="unknown", show_default=True, metavar="TEXT", help="Licence of the pages' content.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the split.")
def export(run_file: str, output: str, agents: str, licence: str, seed: int) -> None:
    """Write the verdicts of a run as chat-format training data.

    One JSON object a line: messages (task, text and statement, verdict with evidence), agent, split (by site), page,
    licence and provenance. Equal questions are written once; unclear verdicts not at all.
    """
    from schemaproof.errors import DefinitionsMissingError
    from schemaproof.groundtruth.export import records, signatures_of
    from schemaproof.pipeline.judges import parse_agents
    from schemaproof.pipeline.store import Store, encode
    from schemaproof.vocabulary import load
    from schemaproof.vocabulary.prose import definitions

    chosen = tuple(name for name in parse_agents(agents) if name != "validity")
    try:
        told = dict(definitions(load()))
    except DefinitionsMissingError:
        told = {}
        click.echo("no definitions on this machine: questions to the compliance agent come without them", err=True)
    seen: set[str] = set()
    written = 0
    with Store(run_file, must_exist=True) as store, click.open_file(output, "w", encoding="utf-8") as target:
        for signature in signatures_of(store):
            for page in store.pages(signature, statements=True):
                for record in records(
                    page,
                    agents=chosen,
                    definitions=told,
                    licence=licence,
                    signature=signature,
                    seen=seen,
                    seed=seed,
                ):
                    target.write(encode(record) + "\n")
                    written += 1
    click.echo(counted(written, "record"), err=True)


bench.add_command(prompts)
bench.add_command(calibrate)
