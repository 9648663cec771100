"""What commands share at their edge: JSON lines, colour, and the options that many have."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from schemaproof.errors import InputError

_CONTROLS = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
F = TypeVar("F", bound=Callable[..., Any])


def print_json(value: Any) -> None:
    """One JSON value on one line of standard output."""
    from schemaproof.pipeline.store import encode

    text = encode(value)
    if _CONTROLS.search(text) is not None:  # JSON lets them stand as they are; a terminal would obey them
        text = _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    click.echo(text)


def colour() -> bool:
    """Whether standard output may be coloured: a terminal, and NO_COLOR is not set (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def styled(text: str, **style: Any) -> str:
    """One line of text with a style where output may be coloured."""
    from schemaproof.reporting.terminal import safe

    text = safe(text)
    return click.style(text, **style) if colour() else text


def say(text: str) -> None:
    """One line on standard error; what pages say in it cannot control the terminal."""
    from schemaproof.reporting.terminal import safe

    click.echo(safe(text), err=True)


def check_other(output: Path, inputs: Iterable[str | Path]) -> None:
    """Raises: InputError where a file to write is one of those to read."""
    if output.exists() and any(Path(name).exists() and output.samefile(name) for name in inputs):
        raise InputError("it would overwrite what is read; choose another name with -o", source=str(output))


def table(rows: list[list[str]], *, right: set[int] | None = None) -> str:
    """Rows (the first is the head) as aligned columns, two spaces apart.

    Arguments:
        rows: cells as text; every row as long as the first.
        right: numbers of columns that are aligned to the right.
    """
    import unicodedata

    from schemaproof.reporting.terminal import safe

    def width(text: str) -> int:
        return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)

    rows = [[safe(cell) for cell in row] for row in rows]
    widths = [max(width(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = []
        for column, cell in enumerate(row):
            space = " " * (widths[column] - width(cell))
            cells.append(space + cell if right and column in right else cell + space)
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def judging_options(command: F) -> F:
    """The options of every command that judges markup: --agents, --judge, --policy, --vocabulary."""
    for option in reversed(
        (
            click.option("--agents", metavar="LIST", help="Agents that run: validity,factuality,compliance."),
            click.option(
                "--judge",
                metavar="SPEC",
                default="embedded",
                show_default=True,
                help="What answers for factuality and compliance.",
            ),
            click.option(
                "--policy",
                metavar="NAME",
                default="schema.org",
                show_default=True,
                help="Policy of the validity agent: schema.org, paper or google.",
            ),
            click.option(
                "--vocabulary", metavar="FILE", help="Another vocabulary (Turtle or JSON-LD) in Schema.org's place."
            ),
        )
    ):
        command = option(command)
    return command
