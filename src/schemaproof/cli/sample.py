"""`schemaproof sample`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from schemaproof.cli.output import print_json

if TYPE_CHECKING:
    from schemaproof.sampling.folding import Tally

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
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def count(**options: Any) -> None:
    """Count the characteristic sets of N-Quads files.

    QUADS are N-Quads files, plain, gzip or zstandard. The set of a subject on a page is its properties and, as
    isa:Name, its types. The table has the columns cset, instances, properties, pages and sample.
    """
    from schemaproof.sampling.counting import count as count_sets
    from schemaproof.sampling.table import write_table

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
        click.echo(f"{file}:{line}: {reason}", err=True)
    if tally.malformed > len(tally.examples):
        click.echo(f"... and {tally.malformed - len(tally.examples)} more malformed lines", err=True)
    for file, reason in tally.broken:
        click.echo(f"schemaproof: {file}: {reason}; what stood before is counted", err=True)
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
        text = f"{rows} characteristic sets of {tally.instances} instances on {tally.pages} pages; {tally.quads} quads"
        if tally.malformed:
            text += f", {tally.malformed} malformed lines skipped"
        if way != "pages":
            text += "; not all quads came page by page, so they were counted in any order"
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
        click.echo(f"{rows} characteristic sets")
