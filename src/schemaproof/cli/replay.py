"""`schemaproof replay`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from schemaproof.cli.output import print_json, styled, table
from schemaproof.wording import counted

if TYPE_CHECKING:
    from schemaproof.published.cells import Cell, Table

_MARKS = {"differs": "≠", "partial": "~", "equal-cut-off": "=", "equal": "="}
_LEGEND = "= as printed (rounded or cut off)   ~ from a part of the data   ≠ differs   - not here"


def _number(value: float | int | str | None, column: str) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.2f}" if column == "RR" or column[:2] in ("PV", "DS") else f"{value:.4f}"
    return str(value)


def _block(shown: Table) -> str:
    """A table with a line for the paper and one for the replay under it, where the paper prints a number."""
    columns = list(dict.fromkeys(cell.column for _, cells in shown.rows for cell in cells))
    lines = [["", "", *columns]]
    for label, cells in shown.rows:
        by_column: dict[str, Cell] = {cell.column: cell for cell in cells}
        printed = any(cell.published is not None for cell in cells)
        if printed:
            paper = [by_column[name].published or "" if name in by_column else "" for name in columns]
            lines.append([label, "paper", *paper])
        found = []
        for name in columns:
            cell = by_column.get(name)
            mark = _MARKS.get(cell.status.value, "") if cell is not None else ""
            found.append("" if cell is None else f"{mark}{' ' if mark else ''}{_number(cell.replayed, name)}")
        lines.append(["" if printed else label, "replayed" if printed else "", *found])
    text = table(lines, right=set(range(2, len(columns) + 2)))
    return "\n".join(
        (styled(f"Table {shown.name}: {shown.title}", bold=True), text, *(f"  {note}" for note in shown.notes))
    )


@click.command()
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--protocol",
    type=click.Choice(["published", "ours"]),
    default="published",
    show_default=True,
    help="The paper's protocol bug for bug, or ours with a row for each fault mended.",
)
@click.option(
    "--truth",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Where the agents' ground truth is (JSON Lines); by default FOLDER.",
)
@click.option(
    "--votes",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Recorded human votes (JSON); by default human_votes_36.json beside the ground truth.",
)
@click.option("--prompt", default="text2kg_prompt3", show_default=True, help="Which of the models' prompts to read.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def replay(folder: Path, as_json: bool, **options: Any) -> None:
    """The authors' published artefacts as the paper's tables.

    FOLDER is a clone of the artefact, its data/WDC/Pset, or a part of that such as count_sum alone. Prints each
    number beside the paper's and lists every one that differs with why.
    """
    from schemaproof.published.replay import replay as run

    found = run(folder, **options)
    if as_json:
        print_json(found.as_dict())
        return
    click.echo(f"{counted(found.units, 'unit')} of {counted(found.pages, 'page')} ({', '.join(found.features)})")
    for each in found.tables:
        click.echo(f"\n{_block(each)}")
    if found.protocol == "published":
        click.echo(f"\n{_LEGEND}")
        differing = found.differences()
        click.echo(
            f"\n{counted(len(differing), 'cell differs', 'cells differ')} from the paper:"
            if differing
            else "\nNo cell differs from the paper."
        )
        for cell in differing:
            click.echo(
                f"  Table {cell['table']}, {cell['row']}, {cell['column']}: printed {cell['published']}, "
                f"replayed {_number(cell['replayed'], cell['column'])}: {cell['why']}"
            )
    if found.notes:
        click.echo("\nNotes")
        for note in found.notes:
            click.echo(f"  {note}")
    for problem in found.problems:
        click.echo(f"schemaproof: {problem}", err=True)
