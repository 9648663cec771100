"""`schemaproof sample`."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from schemaproof.cli.output import check_other, print_json, say
from schemaproof.cli.sample_pages import pages, quads
from schemaproof.errors import InputError
from schemaproof.wording import counted

if TYPE_CHECKING:
    from schemaproof.sampling.tally import Tally

_TABLE = click.Path(path_type=Path)


@click.group()
def sample() -> None:
    """From quads to a stratified sample of pages."""


@sample.command()
@click.argument("quads", nargs=-1, required=True, metavar="QUADS...")
@click.option("-o", "--output", required=True, type=_TABLE, help="The table to write: .parquet or .csv.")
@click.option("--sample-size", type=click.IntRange(min=0), default=5, show_default=True, help="Pages kept of each set.")
@click.option("--keep-unknown", is_flag=True, help="Keep names that the vocabulary does not have.")
@click.option("--vocabulary", metavar="FILE", help="Another vocabulary (Turtle or JSON-LD) in Schema.org's place.")
@click.option(
    "--order",
    type=click.Choice(["auto", "pages", "any"]),
    default="auto",
    show_default=True,
    help="Whether the quads of a page stand together; auto finds out.",
)
@click.option("--jobs", type=click.IntRange(min=0), default=0, show_default="processors", help="Files read at once.")
@click.option("--temporary", metavar="FOLDER", help="Where temporary files go.")
@click.option("--master", metavar="URL", help="Count on Spark: local[2], spark://HOST:7077, yarn (extra spark).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def count(**options: Any) -> None:
    """Count the characteristic sets of N-Quads files.

    QUADS are N-Quads files, plain, gzip or zstandard. The set of a subject on a page is its properties and, as
    isa:Name, its types. The table has the columns cset, instances, properties, pages and sample.
    """
    from schemaproof.sampling.counting import count as count_sets
    from schemaproof.sampling.table import write_table

    output: Path = options["output"]
    check_other(output, options["quads"])
    if options["master"]:
        from schemaproof.sampling import spark

        with spark.session_of(options["master"]) as session:
            there = spark.count(
                session,
                options["quads"],
                size=options["sample_size"],
                keep_unknown=options["keep_unknown"],
                vocabulary=options["vocabulary"],
            )
            rows = write_table(options["output"], there.rows)
        _tell(there.tally, rows, there.way, 0, options["output"], as_json=options["as_json"])
        return
    # So that who is told to end leaves no temporary files behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with count_sets(
        options["quads"],
        size=options["sample_size"],
        keep_unknown=options["keep_unknown"],
        vocabulary=options["vocabulary"],
        order=options["order"],
        processes=options["jobs"],
        folder=options["temporary"],
    ) as found:
        rows = write_table(options["output"], found.rows)
    _tell(found.tally, rows, found.way, found.scattered, options["output"], as_json=options["as_json"])


def _tell(tally: Tally, rows: int, way: str, scattered: int, output: Path, *, as_json: bool) -> None:
    """Say what a count found: malformed lines and broken files on standard error; exits with 3 for the latter."""
    for file, line, reason in tally.examples:
        say(f"{file}:{line}: {reason}")
    if tally.malformed > len(tally.examples):
        say(f"... and {tally.malformed - len(tally.examples)} more malformed lines")
    for file, reason in tally.broken:
        say(f"schemaproof: {file}: {reason}; what stood before is counted")
    if as_json:
        print_json(
            {
                "schema_version": 1,
                "output": str(output),
                "csets": rows,
                "quads": tally.quads,
                "malformed": tally.malformed,
                "pages": tally.pages,
                "instances": tally.instances,
                "emptied": tally.emptied,
                "way": way,
                "scattered": scattered,
                "examples": [dict(zip(("file", "line", "message"), each, strict=True)) for each in tally.examples],
                "broken": [dict(zip(("file", "message"), each, strict=True)) for each in tally.broken],
            }
        )
    else:
        text = f"{counted(rows, 'characteristic set')} of {counted(tally.instances, 'instance')}"
        text += f" on {counted(tally.pages, 'page')}; {counted(tally.quads, 'quad')}"
        if tally.malformed:
            text += f", {counted(tally.malformed, 'malformed line')} skipped"
        if way == "mixed":
            text += f"; {counted(scattered, 'page')} came in pieces and went a longer way"
        elif way == "any":
            text += "; counted in any order, for quads that do not come page by page"
        click.echo(text)
    if tally.broken:
        sys.exit(3)


@sample.command()
@click.argument("tables", nargs=-1, required=True, metavar="TABLE...", type=_TABLE)
@click.option("-o", "--output", required=True, type=_TABLE, help="The table to write: .parquet or .csv.")
@click.option("--sample-size", type=click.IntRange(min=0), default=5, show_default=True, help="Pages kept of each set.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def merge(tables: tuple[Path, ...], output: Path, sample_size: int, as_json: bool) -> None:
    """Join tables of `sample count` over different pages.

    Counts are added up; of the samples, those that a count of everything would have kept are kept. No page may be
    in two tables: count files together where pages are cut.
    """
    from schemaproof.sampling.table import merge_tables, write_table

    rows = write_table(output, merge_tables(tables, sample_size))
    if as_json:
        print_json({"schema_version": 1, "output": str(output), "csets": rows})
    else:
        click.echo(counted(rows, "characteristic set"))


@sample.command()
@click.argument("table", metavar="TABLE", type=_TABLE)
@click.option("-o", "--output", required=True, type=_TABLE, help="The sample to write: .csv or .jsonl.")
@click.option(
    "-n", "--number", type=click.IntRange(min=1), default=30, show_default=True, help="Pages of each stratum."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the draw.")
@click.option(
    "--per-site", type=click.IntRange(min=0), default=2, show_default=True, help="Most pages of a site in a stratum."
)
@click.option(
    "--pages",
    multiple=True,
    metavar="PAGE",
    help="Draw only from these pages (WARC, Parquet, folder); says what they are like (Table 6). Repeatable.",
)
@click.option("--language", "by_language", is_flag=True, help="Language as a third feature; needs --pages.")
@click.option("--plot", type=_TABLE, metavar="FILE.svg", help="Write Figure 10 as SVG.")
@click.option("--vocabulary", metavar="FILE", help="Another vocabulary (Turtle or JSON-LD) in Schema.org's place.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def draw(**options: Any) -> None:
    """Draw a stratified sample of pages from a table of `sample count`.

    Sets are parted by their number of instances and of properties into low, medium and high (thirds); from each
    stratum sets are drawn at random, and of each set one page.
    """
    from schemaproof.sampling.drawing import draw as draw_pages
    from schemaproof.sampling.figures import svg
    from schemaproof.sampling.sample import characteristics, facts_of, languages_of, roots_with, write_sample
    from schemaproof.sampling.strata import distribution
    from schemaproof.sampling.table import read_table
    from schemaproof.sources import open_sources
    from schemaproof.vocabulary import load

    if options["by_language"] and not options["pages"]:
        raise click.UsageError("--language needs --pages: only pages at hand have a language")
    table: Path = options["table"]
    if options["output"].suffix.lower() not in (".csv", ".jsonl"):
        raise InputError("write the sample to a file that ends in .csv or .jsonl", source=str(options["output"]))
    check_other(options["output"], [table, *options["pages"]])
    vocabulary = load(options["vocabulary"])
    spread = distribution(read_table(table))
    languages = languages_of(open_sources(options["pages"]), vocabulary, say) if options["pages"] else None
    found = draw_pages(
        lambda: read_table(table),
        spread,
        number=options["number"],
        seed=options["seed"],
        per_site=options["per_site"],
        languages=languages,
        by_language=options["by_language"],
    )
    roots: dict[tuple[str, str], list[tuple[str, ...]]] = {}
    rows: dict[tuple[str, str], Any] = {}
    if options["pages"]:
        wanted: dict[str, list[Any]] = {}
        for page in found.pages:
            wanted.setdefault(page.instance.url, []).append(page)
        facts = []
        for source in open_sources(options["pages"]):
            name = source.url or source.name
            if name not in wanted or source.data is None:
                continue  # of several captures the first that can be read, as above
            own = facts_of(source, vocabulary)
            for page in wanted.pop(name):
                roots[page.instance.url, page.row.cset] = roots_with(own.graph, page.row.cset)
                facts.append((page.feature, page.stratum, own))
        order = {(stratum.feature, stratum.name): place for place, stratum in enumerate(found.strata)}
        rows = characteristics(sorted(facts, key=lambda each: order[each[0], each[1]]))
    write_sample(options["output"], found.pages, roots if options["pages"] else None)
    if options["plot"]:
        options["plot"].write_text(svg(spread), encoding="utf-8")
    _show_draw(found, spread, rows, options)


def _show_draw(found: Any, spread: Any, rows: dict[tuple[str, str], Any], options: dict[str, Any]) -> None:
    """Print what was drawn: as JSON, or as the paper's tables and figure."""
    rho = spread.correlation()
    for (feature, stratum), missing in found.short.items():
        say(f"{feature} {stratum}: {counted(missing, 'page')} fewer than wanted")
    if options["as_json"]:
        print_json(
            {
                "schema_version": 1,
                "output": str(options["output"]),
                "seed": options["seed"],
                "csets": len(spread.instances),
                "spearman": None
                if rho is None
                else {"rho": rho.rho, "p": None if rho.p != rho.p else rho.p, "n": rho.n},
                "strata": [
                    {
                        "feature": stratum.feature,
                        "stratum": stratum.name,
                        "minimum": stratum.minimum,
                        "maximum": stratum.maximum,
                        "csets": stratum.sets,
                        "pages": sum((p.feature, p.stratum) == (stratum.feature, stratum.name) for p in found.pages),
                    }
                    for stratum in found.strata
                ],
                "pages": len(found.pages),
                "characteristics": [
                    {"feature": feature, "stratum": stratum, **row.as_dict()}
                    for (feature, stratum), row in rows.items()
                ],
            }
        )
        return
    from schemaproof.cli.output import table
    from schemaproof.sampling.figures import bars, text_chart
    from schemaproof.sampling.strata import FEATURES

    shown = [["C-set", "# instances", "# properties", "URLs"]]
    for stratum in found.strata[:6]:
        first = next((p for p in found.pages if (p.feature, p.stratum) == (stratum.feature, stratum.name)), None)
        if first is not None:
            row = first.row
            cset = row.cset if len(row.cset) <= 70 else row.cset[:69] + "…"
            shown.append([cset, str(row.instances), str(row.properties), first.instance.url])
    parts = [table(shown, right={1, 2})]
    for feature in FEATURES:
        parts.append(f"Sets by number of {feature}\n{text_chart(bars(spread, feature))}")
    strata = [["feature", "stratum", "from", "to", "sets", "pages"]]
    for stratum in found.strata:
        ends = ["-" if end is None else str(end) for end in (stratum.minimum, stratum.maximum)]
        pages = sum((p.feature, p.stratum) == (stratum.feature, stratum.name) for p in found.pages)
        strata.append([stratum.feature, stratum.name, *ends, str(stratum.sets), str(pages)])
    parts.append(table(strata, right={2, 3, 4, 5}))
    if rho is not None:
        parts.append(
            f"Spearman's rho of instances and properties {rho.rho:.3f}, p = {rho.p:.3g}, {counted(rho.n, 'set')}"
        )
    if rows:
        parts.append(_characteristics_table(rows))
    parts.append(f"{counted(len(found.pages), 'page')} in {options['output']}, seed {options['seed']}")
    click.echo("\n\n".join(parts))


def _characteristics_table(rows: dict[tuple[str, str], Any]) -> str:
    """Table 6: property-value pairs, distinct properties, distinct types, document size in KB."""
    from schemaproof.cli.output import table

    shown = [["feature", "stratum", "pages", "PV", "DP", "DT", "DS"]]
    for (feature, stratum), row in rows.items():
        entry = row.as_dict()
        pairs, sizes = (
            "-"
            if entry[key] is None
            else "/".join(f"{value:.3g}" if value < 1000 else f"{value:,.0f}" for value in entry[key])
            for key in ("pairs", "kilobytes")
        )
        shown.append(
            [feature, stratum, str(entry["pages"]), pairs, str(entry["properties"]), str(entry["types"]), sizes]
        )
    note = (
        "PV property-value pairs (min/avg/max), DP distinct properties, DT distinct types, DS size in KB (min/avg/max)"
    )
    return f"{table(shown, right={2, 3, 4, 5, 6})}\n{note}"


sample.add_command(pages)
sample.add_command(quads)
