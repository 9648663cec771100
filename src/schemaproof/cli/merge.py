"""`schemaproof merge`."""

from __future__ import annotations

from pathlib import Path

import click

from schemaproof.cli.output import print_json, say
from schemaproof.wording import counted


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="RUN.db...", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, metavar="RUN.db", help="The run file to write (pages are added to it).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def merge(files: tuple[Path, ...], output: str, as_json: bool) -> None:
    """Join the run files of shards.

    A page that is in several files is taken once, one without error before one with.
    """
    from schemaproof.errors import StoreError
    from schemaproof.pipeline.run import merge as join
    from schemaproof.pipeline.store import Store

    for path in files:
        if not path.is_file():
            raise StoreError(f"{path}: there is no such run file")
    with Store(output) as target:
        copied = join(files, target)
        shown = target.meta("signature")
        others = target.elsewhere(shown) if shown is not None else 0
    if others:
        say(
            f"{counted(others, 'page')} of another signature: made with other contenders, judges or versions. A report"
            f" of {output} covers those of {shown}"
        )
    if as_json:
        print_json({"schema_version": 1, "output": output, "pages": copied})
    else:
        click.echo(f"{counted(copied, 'page')} copied to {output}", err=True)
