"""`schemaproof bench prompts` and `schemaproof bench calibrate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from schemaproof.cli.bench_data import pages_of, sets_of
from schemaproof.cli.model_options import echo_usage, limits_options, set_limits, with_options
from schemaproof.cli.output import print_json, table

if TYPE_CHECKING:
    from schemaproof.groundtruth.row import Row
    from schemaproof.pipeline.calibration import Example
    from schemaproof.pipeline.forecast import Forecast

_data_option = click.option(
    "--data", multiple=True, required=True, metavar="FILE.jsonl", help="Benchmarks, as of `bench judges`."
)


@click.command()
@click.option("--judge", required=True, metavar="SPEC", help="The model that is asked.")
@_data_option
@click.option("--pages", metavar="FILE.parquet", help="The pages that rows name.")
@click.option(
    "--prompt", "chosen", multiple=True, metavar="NAME", help="Prompts to compare (default: all). Repeatable."
)
@click.option("--split", type=click.Choice(["fit", "tune", "test"]), help="Only rows of this split.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most so many rows of a set.")
@limits_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def prompts(
    judge: str,
    data: tuple[str, ...],
    pages: str | None,
    chosen: tuple[str, ...],
    split: str | None,
    limit: int | None,
    max_tokens: int | None,
    concurrency: int | None,
    as_json: bool,
) -> None:
    """Compare the words in which a model is asked, on ground truth."""
    from schemaproof.agents.llm_questions import WORDINGS
    from schemaproof.errors import SpecError
    from schemaproof.groundtruth.judging import measure
    from schemaproof.pipeline.judges import build_judges
    from schemaproof.vocabulary import load

    unknown = sorted(set(chosen) - set(WORDINGS))
    if unknown:
        raise SpecError(f"no prompt is called {', '.join(unknown)}; there are {', '.join(WORDINGS)}")
    set_limits({"max_tokens": max_tokens, "concurrency": concurrency})
    sets = sets_of(data, None, split, limit)
    html = pages_of(sets, pages)
    found: dict[str, dict[str, Any]] = {}
    rows = [
        ["prompt", "set", "n", "precision", "recall", "f1", "balanced_accuracy", "95% interval", "unclear", "tokens"]
    ]
    for name in chosen or tuple(WORDINGS):
        judges = build_judges(load(), ("factuality", "compliance"), "schema.org", with_options(judge, prompt=name))
        for kind, listed in sets.items():
            measured = measure(kind, listed, judges, html)
            found.setdefault(name, {})[kind] = measured.as_dict()
            low, high = measured.intervals.get("balanced_accuracy", (float("nan"), float("nan")))
            shown = [f"{getattr(measured.counted, key):.4f}" for key in rows[0][3:7]]
            rows.append(
                [name, kind, str(measured.counted.n), *shown, f"{low:.3f} to {high:.3f}", str(measured.unclear),
                 str(measured.tokens)]
            )  # fmt: skip
    echo_usage()
    if as_json:
        print_json({"schema_version": 1, "judge": judge, "prompts": found})
    else:
        click.echo(table(rows, right={2, 3, 4, 5, 6, 8, 9}))


@click.command()
@click.option("--judge", metavar="SPEC", help="The model behind the cascade.")
@click.option("--recorded", metavar="NAME", help="In a model's place: the answers that the rows have under this name.")
@_data_option
@click.option("--half", type=click.Choice(["0", "1"]), help="Fit on this half of the texts, report on the other.")
@click.option("--margin", type=click.FloatRange(0, 0.5), default=0.01, show_default=True, help="Loss that is borne.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE.json", help="Write the calibration.")
@limits_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def calibrate(
    judge: str | None,
    recorded: str | None,
    data: tuple[str, ...],
    half: str | None,
    margin: float,
    output: Path | None,
    max_tokens: int | None,
    concurrency: int | None,
    as_json: bool,
) -> None:
    """Fit where a cascade asks its model, and report it on the texts it was not fitted on.

    The model is asked about every row, once; the embedded judge gets those of its probabilities at which it is shown
    to be no worse. With --half the rows are split by text; without, everything is fitted on and nothing reported.
    """
    from schemaproof.pipeline.calibration import Calibration, fit, write_calibration

    if (judge is None) == (recorded is None):
        raise click.UsageError("give --judge SPEC, or --recorded NAME for answers that the rows have")
    judge = judge or f"recorded answers {recorded}"
    set_limits({"max_tokens": max_tokens, "concurrency": concurrency})
    sets = sets_of(data, None, None, None)
    told = {name: _examples([row for row in rows if row.first], judge, recorded) for name, rows in sets.items()}
    agents = {name: rows[0].agent for name, rows in sets.items()}
    thresholds = {}
    for agent in ("factuality", "compliance"):
        chosen = [
            [example for at, _, example in told[name] if half is None or at == int(half)]
            for name in told
            if agents[name] == agent
        ]
        thresholds[agent] = fit(chosen, margin=margin) if chosen else (0.5, 0.5)
    names = ", ".join(sets) + (f", half {half} by text" if half is not None else "")
    calibration = Calibration(
        thresholds["factuality"], thresholds["compliance"], names, f"model {judge}, margin {margin}"
    )
    if output is not None:
        write_calibration(calibration, output)
        click.echo(f"calibration: {output}", err=True)
    reports = {}
    for name, listed in told.items():
        rest = [(group, example) for at, group, example in listed if half is not None and at != int(half)]
        if rest:
            reports[name] = _report(rest, *thresholds[agents[name]])
    echo_usage()
    if as_json:
        print_json(
            {
                "schema_version": 1,
                "judge": judge,
                "factuality": list(calibration.factuality),
                "compliance": list(calibration.compliance),
                "data": calibration.data,
                "sets": reports,
            }
        )
        return
    for agent, (low, high) in thresholds.items():
        click.echo(f"{agent}: the model is asked from {low:.2f} to {high:.2f}")
    rows = [["set (other half)", "n", "asked", "figure", "cascade", "model alone", "embedded alone", "difference, 95%"]]
    for name, report in reports.items():
        for figure in ("f1", "balanced_accuracy"):
            one = report[figure]
            ends = f"{one['interval'][0]:+.4f} to {one['interval'][1]:+.4f}" if one["interval"] else "-"
            asked = f"{report['asked']:.3f} ({report['asked_interval'][0]:.3f} to {report['asked_interval'][1]:.3f})"
            shown = [f"{one[key]:.4f}" for key in ("cascade", "model", "embedded")]
            rows.append([name, str(report["n"]), asked, figure, *shown, ends])
    if reports:
        click.echo(table(rows, right={1, 4, 5, 6}))
        click.echo("intervals by bootstrap over texts")


def forecast_rows(
    sets: dict[str, list[Row]], html: dict[str, Any], judge: str, *, samples: int, together: bool
) -> Forecast:
    """Bounds of what `bench judges` would ask."""
    from schemaproof.groundtruth.batching import judge_together
    from schemaproof.groundtruth.judging import judge_rows
    from schemaproof.models import build_model
    from schemaproof.models.prices import price_of
    from schemaproof.pipeline.curation import Judges
    from schemaproof.pipeline.forecast import Forecast, StandIn
    from schemaproof.pipeline.model_judges import judges_of
    from schemaproof.pipeline.plan import EMBEDDED_KINDS
    from schemaproof.pipeline.specs import parse_spec
    from schemaproof.vocabulary import load

    told = Forecast()
    if parse_spec(judge).kind in EMBEDDED_KINDS:
        return told
    cascade = parse_spec(judge).kind == "cascade"
    for most, tally in ((False, told.low), (True, told.high)):
        seen: set[str] = set()
        for text in (judge, with_options(judge, samples=str(samples))) if samples else (judge,):
            spec = parse_spec(parse_spec(text).target) if cascade else parse_spec(text)
            session = build_model(spec)
            stand_in = StandIn(session, most=most, seen=seen)
            judges = Judges(None, *judges_of(load(), stand_in, spec, cascade=cascade))
            for rows in sets.values():
                first = [row for row in rows if row.first]
                (judge_together if together else judge_rows)(first, judges, html)
            tally.add(stand_in.tally)
            told.models, told.tokenizer = (session.name,), session.tokenizer
    price = price_of(told.models[0])
    told.prices = {} if price is None else {told.models[0]: price}
    return told


def _examples(rows: list[Row], judge: str, recorded: str | None) -> list[tuple[int, str, Example]]:
    """Half, group and example of each row on which the model has an answer."""
    from schemaproof.agents.compliance import EmbeddedCompliance
    from schemaproof.agents.factuality import EmbeddedFactuality
    from schemaproof.agents.llm_quotes import Locator, Reading
    from schemaproof.agents.verdict import Decision
    from schemaproof.groundtruth.judging import judge_rows
    from schemaproof.groundtruth.row import COMPLIANCE, markup_of
    from schemaproof.page import page_from_text
    from schemaproof.pipeline.calibration import Example, half_of
    from schemaproof.pipeline.judges import build_judges
    from schemaproof.vocabulary import load

    vocabulary = load()
    answers: list[bool | None]
    if recorded is not None:
        answers = [row.recorded.get(recorded) for row in rows]
    else:
        judges = build_judges(vocabulary, ("factuality", "compliance"), "schema.org", judge)
        answers = [
            None if verdict is None or verdict.decision is Decision.UNCLEAR else verdict.decision is Decision.KEEP
            for verdict in judge_rows(rows, judges)
        ]
    factuality, compliance = EmbeddedFactuality(vocabulary), EmbeddedCompliance(vocabulary)
    locator = Locator(factuality)
    readings: dict[str, Reading] = {}
    found = []
    for row, answer in zip(rows, answers, strict=True):
        if answer is None:
            continue
        graph, index = markup_of(row)
        if row.agent == COMPLIANCE:
            verdict = compliance.judge(graph, [index], row.language)[0][index]
            located = True
        else:
            if row.group not in readings:
                page = page_from_text(row.text, row.language or None)
                readings[row.group] = Reading(page, factuality.prepare(page))
            reading = readings[row.group]
            verdict = factuality.judge(graph, reading.prepared, [index])[index]
            located = bool(locator.located(graph, index, reading, verdict))
        chance = 1.0 if verdict is None or verdict.probability is None else verdict.probability
        found.append((half_of(row.group), row.group, Example(chance, located, answer, row.label)))
    return found


def _report(rows: list[tuple[str, Example]], low: float, high: float) -> dict[str, Any]:
    """The cascade beside the model alone and the embedded judge alone on rows it was not fitted on."""
    from collections import defaultdict
    from functools import partial

    from schemaproof.pipeline.calibration import decide, is_asked, share_asked
    from schemaproof.scoring.bootstrap import interval_of_sums
    from schemaproof.scoring.classification import Binary, binary

    labels = [example.label for _, example in rows]
    said = {
        "cascade": [decide(example, low, high) for _, example in rows],
        "model": [example.model for _, example in rows],
        "embedded": [example.chance >= 0.5 for _, example in rows],
    }
    counted = {name: binary(labels, answers) for name, answers in said.items()}
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0] * 10)
    for place, (group, example) in enumerate(rows):
        for at, name in ((0, "cascade"), (4, "model")):
            yes = said[name][place]
            sums[group][at + ((0 if yes else 3) if example.label else (1 if yes else 2))] += 1
        sums[group][8] += is_asked(example, low, high)
        sums[group][9] += 1

    def difference(figure: str, totals: Any) -> float:
        figures = []
        for at in (0, 4):
            tp, fp, tn, fn = (int(each) for each in totals[at : at + 4])
            figures.append(float(getattr(Binary(tp, fp, tn, fn), figure)))
        return figures[0] - figures[1]

    report: dict[str, Any] = {
        "n": len(rows),
        "asked": share_asked([example for _, example in rows], low, high),
    }
    ends = interval_of_sums(sums, lambda totals: totals[8] / totals[9] if totals[9] else 0.0)
    report["asked_interval"] = [0.0, 0.0] if ends is None else [ends.low, ends.high]
    for figure in ("f1", "balanced_accuracy"):
        ends = interval_of_sums(sums, partial(difference, figure))
        report[figure] = {
            **{name: getattr(each, figure) for name, each in counted.items()},
            "interval": None if ends is None else [ends.low, ends.high],
        }
    return report
