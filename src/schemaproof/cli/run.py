"""`schemaproof run`."""

from __future__ import annotations

import sys
from typing import Any

import click

from schemaproof.cli.model_options import dry_run_option, limits_options, mode_option, prompt_option
from schemaproof.cli.output import judging_options, print_json, say, table
from schemaproof.wording import counted


def _shard(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, int] | None:
    if value is None:
        return None
    first, _, second = value.partition("/")
    numbers = all(part.isascii() and part.isdigit() and len(part) < 10 for part in (first, second))
    if not numbers or not 1 <= int(first) <= int(second):
        raise click.BadParameter("write I/N with 1 <= I <= N, as in 2/8")
    return int(first), int(second)


@click.command()
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option(
    "--contender",
    "contenders",
    multiple=True,
    metavar="NAME=SPEC",
    help="Who writes markup beside the human (default: extractor=embedded). Repeatable.",
)
@judging_options
@click.option(
    "--type",
    "types",
    multiple=True,
    metavar="T",
    help="Root type to describe instead of those of the human markup; auto: models name them. Repeatable.",
)
@mode_option
@prompt_option
@limits_options
@dry_run_option
@click.option(
    "-o",
    "--output",
    default="schemaproof-run.db",
    show_default=True,
    metavar="RUN.db",
    help="The run file; a run that was stopped goes on from it.",
)
@click.option("--shard", callback=_shard, metavar="I/N", help="Only every Nth page, from the Ith.")
@click.option("--weights", metavar="FILE", help="Weights of properties in MeMR (JSON, TOML or CSV).")
@click.option("--all-pairs", is_flag=True, help="Compare every pair of contenders, not only with the human.")
@click.option(
    "--jobs", type=click.IntRange(min=0), default=0, show_default="processors", help="Pages worked on at once."
)
@click.option(
    "--master", metavar="URL", help="Work on Spark (local[2], spark://HOST:7077, yarn); PAGE are files. Extra spark."
)
@click.option("--retry", is_flag=True, help="Work again on pages that failed before.")
@click.option(
    "--page-seconds",
    type=click.FloatRange(min=0),
    default=300.0,
    show_default=True,
    help="Give a page up after this long; 0 for never.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["never", "page"]),
    default="never",
    show_default=True,
    help="Exit with 1 when a page failed.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the bootstrap.")
@click.option("--markup/--no-markup", default=True, show_default=True, help="Markups in the JSON.")
@click.option("--quiet", is_flag=True, help="No progress.")
@click.option("--verbose", is_flag=True, help="A line for each page on standard error.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def run(**options: Any) -> None:
    """Compare contenders over many pages.

    PAGE is an HTML file, a folder, a URL, a .warc.gz or a Parquet file with columns url and html.
    """
    from schemaproof.cli.model_options import (
        contenders_with,
        echo_forecast,
        echo_usage,
        pinned,
        pinned_contenders,
        set_limits,
        with_options,
    )
    from schemaproof.cli.progress import progress_of
    from schemaproof.errors import ModelError, StoreError
    from schemaproof.pipeline.judges import parse_agents
    from schemaproof.pipeline.plan import EMBEDDED_KINDS, make_plan
    from schemaproof.pipeline.run import answer
    from schemaproof.pipeline.run import run as execute
    from schemaproof.pipeline.store import Store
    from schemaproof.scoring.weights import read_weights
    from schemaproof.sources import open_sources

    if not options["output"]:
        raise click.UsageError("-o names no file")
    auto = "auto" in options["types"]
    contenders = contenders_with(options["contenders"], prompt=options["prompt"], types="auto" if auto else None)
    set_limits(options)
    plan = make_plan(
        pinned_contenders(contenders),
        judge=pinned(with_options(options["judge"], mode=options["mode"])),
        agents=parse_agents(options["agents"]),
        policy=options["policy"],
        types=tuple(name for name in options["types"] if name != "auto"),
        vocabulary=options["vocabulary"],
        page_seconds=options["page_seconds"],
    )
    if options["dry_run"]:
        from schemaproof.pipeline.forecast import forecast
        from schemaproof.pipeline.run import in_shard

        sources = (each for at, each in enumerate(open_sources(options["pages"])) if in_shard(at, options["shard"]))
        echo_forecast(forecast(sources, plan), as_json=options["as_json"])
        return
    weights = read_weights(options["weights"]) if options["weights"] else None
    output = options["output"]
    with Store(output) as store:
        try:
            with progress_of(
                quiet=options["quiet"], verbose=options["verbose"], pages=options["pages"], shard=options["shard"]
            ) as told:
                if options["master"]:
                    from schemaproof.sampling import spark

                    with spark.session_of(options["master"]) as session:
                        report = spark.run(session, options["pages"], plan, store, retry=options["retry"], told=told)
                else:
                    report = execute(
                        open_sources(options["pages"]),
                        plan,
                        store,
                        workers=options["jobs"],
                        shard=options["shard"],
                        retry=options["retry"],
                        told=told,
                    )
        except (KeyboardInterrupt, ModelError, StoreError) as problem:
            what = "what was answered cannot be kept" if isinstance(problem, StoreError) else "a model failed"
            reason = "interrupted" if isinstance(problem, KeyboardInterrupt) else f"{what}: {problem}"
            say(f"schemaproof: {reason}")
            echo_usage()
            say(f"What was done is saved in {output}; the same command goes on from there.")
            sys.exit(130 if isinstance(problem, KeyboardInterrupt) else 3)
        echo_usage()
        shown = options["as_json"]
        result = answer(
            store,
            report,
            weights=weights,
            every=options["all_pairs"],
            seed=options["seed"],
            markup=shown and options["markup"],
        )
    if shown:
        if not options["markup"]:
            for page in result["pages"]:
                for unit in page["units"]:
                    for entry in unit["contenders"].values():
                        del entry["markup"]
        print_json(result)
    else:
        click.echo(summary(result))
        if not options["quiet"]:
            click.echo(f"\nEvery statement with its reason: schemaproof report {output} -o report.html", err=True)
        if auto:
            _echo_types(result)
    failed = [page for page in result["pages"] if page["error"] is not None]
    if failed and not shown:
        click.echo(f"\n{len(failed)} of {counted(len(result['pages']), 'page')} failed:", err=True)
        for page in failed[:20]:
            say(f"  {page['page']}: {page['error']}")
        if len(failed) > 20:
            say(f"  ... and {len(failed) - 20} more (all with --json)")
    lost = _tell_lacking(result)
    if failed and options["fail_on"] == "page":
        sys.exit(1)
    if failed and len(failed) == len(result["pages"]):
        sys.exit(3)  # not one page could be worked on: that is no result
    if any(dict(plan.specs)[name].kind not in EMBEDDED_KINDS for name in lost if name in dict(plan.specs)):
        sys.exit(3)  # a model that answered nothing at all


def _tell_lacking(result: dict[str, Any]) -> list[str]:
    """Say which contenders failed for some units, and why; returns those that failed for all."""
    reasons: dict[str, list[str]] = {}
    for page in result["pages"]:
        for unit in page["units"]:
            for name, entry in unit["contenders"].items():
                if entry.get("error"):
                    reasons.setdefault(name, []).append(entry["error"])
    units = result["totals"]["units"]
    for name, found in reasons.items():
        say(f"{name} failed for {len(found)} of {counted(units, 'unit')}, as with: {found[0]} (--retry tries again)")
    return [name for name, found in reasons.items() if len(found) == units]


def _echo_types(result: dict[str, Any]) -> None:
    """Which root types one side has and the other missed, where models named them."""
    for page in result["pages"]:
        for unit in page["units"]:
            for name, entry in unit["contenders"].items():
                for note in entry.get("notes") or ():
                    if note.startswith("types that "):
                        click.echo(f"{_short(page['page'])} {name}: {note}")


def summary(result: dict[str, Any]) -> str:
    """The tables of a run for people."""
    parts = []
    if len(result["pages"]) <= 40:
        parts.append(_page_table(result))
    totals = result["totals"]
    rows = [["contender", "input", "valid", "factual", "compliant", "unclear", "rejected (95% interval)"]]
    for name, entry in totals["contenders"].items():
        rate, ends = entry["rejection_rate"], entry["rejection_interval"]
        shown = "-" if rate is None else f"{100 * rate:.1f}%"
        if ends is not None:
            shown += f" ({100 * ends[0]:.1f} to {100 * ends[1]:.1f})"
        rows.append([name, *(str(entry[s]) for s in ("input", "valid", "factual", "compliant", "unclear")), shown])
    parts.append(table(rows, right={1, 2, 3, 4, 5}))
    for pair in totals["memr"]:
        if pair["a_score"] is None:
            continue
        line = f"MeMR  {pair['a']} {_score(pair, 'a')}  {pair['b']} {_score(pair, 'b')}"
        if pair["interval"] is not None:
            ends, p = pair["interval"], pair["p"]
            line += f"\n      difference {ends[0]:+.3f} to {ends[1]:+.3f}, p = {p:.3g}"
        parts.append(f"{line}\n      mean over {counted(pair['units'], 'unit')}; 95% intervals by bootstrap over pages")
    notes = f"{counted(totals['pages'], 'page')}, {counted(totals['units'], 'unit')}"
    for key, noun, words in (
        ("failed", "page", "failed"),
        ("without_units", "page", "without typed markup"),
        ("left_out", "unit", "left out of MeMR (nothing kept, or a contender without markup)"),
    ):
        if totals[key]:
            notes += f"\n{counted(totals[key], noun)} {words}"
    parts.append(f"{notes}\n{result['signature']}")
    return "\n\n".join(parts)


def _score(pair: dict[str, Any], side: str) -> str:
    ends = pair[f"{side}_interval"]
    return f"{pair[f'{side}_score']:.3f}" + (f" ({ends[0]:.3f} to {ends[1]:.3f})" if ends else "")


def _page_table(result: dict[str, Any]) -> str:
    """A line a unit: statements that each contender gave and that were kept, and MeMR."""
    names = list(result["totals"]["contenders"])
    heads = [_cut(name, 10) for name in names]
    rows = [["page", "types", *heads, *(f"MeMR {name}" if not at else name for at, name in enumerate(heads))]]
    for page in result["pages"]:
        for unit in page["units"]:
            kept = []
            for name in names:
                entry = unit["contenders"].get(name)
                wrong = entry is None or entry.get("error")
                kept.append("failed" if wrong else f"{entry['input']}/{entry['compliant']}")
            shares = [f"{unit['share'][name]:.2f}" if name in unit["share"] else "-" for name in names]
            if len(names) == 2 and unit["memr"] and unit["memr"][0]["a_score"] is not None:
                shares = [f"{unit['memr'][0][side]:.2f}" for side in ("a_score", "b_score")]
            rows.append([_short(page["page"]), _cut(",".join(unit["types"]), 17), *kept, *shares])
        if not page["units"]:
            rows.append(
                [_short(page["page"]), "failed" if page["error"] else "no typed markup", *["-"] * (2 * len(names))]
            )
    legend = "Statements of each contender, given/kept; MeMR: the part of the merged markup\nthat it covers"
    return f"{table(rows, right=set(range(2, 2 + 2 * len(names))))}\n\n{legend}"


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _short(name: str) -> str:
    """The end of a page's name, which tells pages of one site apart."""
    shown = name.split("?")[0].rstrip("/").rsplit("/", 1)[-1] or name
    return _cut(shown, 18)
