"""`schemaproof report`."""

from __future__ import annotations

from pathlib import Path

import click

FORMATS = ("html", "md", "latex", "csv", "parquet", "json")
OTHER_NAMES = {"markdown": "md", "tex": "latex"}
SUFFIXES = {".html": "html", ".htm": "html", ".md": "md", ".tex": "latex", ".json": "json"}


class _Format(click.Choice[str]):
    """One of `FORMATS`, also under the other name that people call it by."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert(OTHER_NAMES.get(value, value), param, ctx)


@click.command()
@click.argument("run_file", metavar="RUN.db")
@click.option("-o", "--output", metavar="FILE", help="Where to write; a folder for csv and parquet.")
@click.option(
    "--format",
    "form",
    type=_Format(FORMATS),
    help="What to write (default: by the file's ending, else html). markdown is md too.",
)
@click.option("--compare", metavar="OTHER.db", help="Also show what changed since that run.")
@click.option("--strata", metavar="FILE", help="Stratum of each page: CSV or JSON Lines with page and stratum.")
@click.option("--judges", metavar="FILE.json", help="The judge's figures, as `bench judges --json` prints them.")
@click.option("--weights", metavar="FILE", help="Weights of properties in MeMR (JSON, TOML or CSV).")
@click.option("--all-pairs", is_flag=True, help="Compare every pair of contenders, not only with the human.")
@click.option(
    "--all-pages", is_flag=True, help="Also show pages that earlier runs with the same settings left in the file."
)
@click.option("--title", metavar="TEXT", help="Heading of the report.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the bootstrap.")
def report(
    run_file: str,
    output: str | None,
    form: str | None,
    compare: str | None,
    strata: str | None,
    judges: str | None,
    weights: str | None,
    all_pairs: bool,
    all_pages: bool,
    title: str | None,
    seed: int,
) -> None:
    """Write the report of a run: of the pages that the last run into this file was given.

    The HTML is one file that needs no network. Markdown, LaTeX and JSON go to standard output unless -o names a file.
    """
    from schemaproof.errors import InputError
    from schemaproof.reporting.writing import Wanted, write_report

    chosen = form or (SUFFIXES.get(Path(output).suffix.lower(), "html") if output else "html")
    if chosen in ("html", "csv", "parquet") and output is None:
        output = "report.html" if chosen == "html" else f"report-{chosen}"
    if output is not None and Path(output).resolve() == Path(run_file).resolve():
        raise InputError("the report would overwrite the run file; choose another name with -o", source=output)
    wanted = Wanted(chosen, title, compare, strata, judges, weights, all_pairs, all_pages, seed)
    made = write_report(run_file, output, wanted)
    if made.text is not None:
        click.echo(made.text, nl=not made.text.endswith("\n"))
    for path in made.files:
        click.echo(str(path), err=True)
    if made.others:
        click.echo(made.others, err=True)
