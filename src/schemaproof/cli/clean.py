"""`schemaproof clean`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from schemaproof.cli.output import judging_options, print_json, say
from schemaproof.wording import counted


@click.command()
@click.argument("page", metavar="PAGE|-")
@click.option("--base", metavar="URL", help="Address of the page, where its own is not known.")
@click.option("--page", "evidence", metavar="FILE", help="The page that bare JSON-LD describes.")
@judging_options
@click.option("--strict", is_flag=True, help="Also take out what could not be judged.")
@click.option("--fix", is_flag=True, help="First repair what is only written wrongly, and say what was changed.")
@click.option("--in-place", is_flag=True, help="Rewrite the file; outside of the markup every byte stays as it is.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: documents, removed, changes.")
def clean(**options: Any) -> None:
    """Print the markup without its rejected statements.

    Order, spelling and context stay the author's. What was taken out and changed is told on standard error.
    """
    from schemaproof.pipeline.checking import Checker, CheckOptions
    from schemaproof.pipeline.cleaning import clean as curated
    from schemaproof.pipeline.judges import parse_agents
    from schemaproof.sources import open_page, open_sources

    name = options["page"]
    if options["in_place"] and (name == "-" or not Path(name).is_file()):
        raise click.UsageError("--in-place needs a file")
    evidence = None
    if options["evidence"] is not None:
        evidence = next(open_sources([options["evidence"]], base=options["base"]), None)
    settings = CheckOptions(
        None if options["agents"] is None else parse_agents(options["agents"]),
        options["judge"],
        options["policy"],
        options["vocabulary"],
        evidence,
    )
    checker = Checker(settings)
    page = open_page(name, base=options["base"])
    result = curated(page, checker, strict=options["strict"], fix=options["fix"])
    for pointer, before, after in result.changes:
        say(f"changed {pointer}: {before} -> {after}")
    for pointer, _, reason in result.removed:
        say(f"removed {pointer}: {reason}")
    if result.unclear:
        say(f"kept without a judgement: {counted(result.unclear, 'statement')}; --strict takes them out")
    if result.elsewhere:
        say(f"in microdata or RDFa, which is not rewritten: {counted(result.elsewhere, 'rejected statement')}")
    for notice in page.errors:
        say(f"{page.name}:{notice.line}:{notice.column}: {notice.message}")
    if options["in_place"]:
        _rewrite(Path(name), page, result.documents)
    if options["as_json"]:
        print_json(
            {
                "schema_version": 1,
                "page": page.name,
                "documents": [each for each in result.documents if each is not None],
                "removed": [{"path": path, "property": prop, "reason": why} for path, prop, why in result.removed],
                "changes": [{"path": path, "before": before, "after": after} for path, before, after in result.changes],
                "unclear": result.unclear,
            }
        )
    elif not options["in_place"]:
        from schemaproof.markup.edit import render

        left = [each for each in result.documents if each is not None]
        whole = left[0] if len(result.documents) == 1 and left else left
        # The white space around a script belongs to the page, not to what is printed.
        click.echo(render(whole, source=page.scripts[0].source if page.scripts else None).strip())
    if page.errors and not page.scripts:
        sys.exit(1)


def _rewrite(path: Path, page: Any, documents: list[Any | None]) -> None:
    """Write the file anew with what is left of each script; a script of which nothing is left becomes an empty list."""
    from schemaproof.markup.edit import render
    from schemaproof.pipeline.rewriting import rewritten, write_file

    texts: dict[int, str] = {}
    left = iter(documents)
    for script in page.scripts:
        values: list[Any] = []
        for value in script.values:
            if isinstance(value, list):
                kept = [next(left) if isinstance(item, dict) else item for item in value]
                values.append([item for item in kept if item is not None])
            else:
                item = next(left) if isinstance(value, dict) else value
                if item is not None:
                    values.append(item)
        if values == list(script.values):
            continue
        texts[script.index] = render(values[0] if len(values) == 1 else values, source=script.source)
    if not texts:
        return
    write_file(path, rewritten(path.read_bytes(), page, texts))
