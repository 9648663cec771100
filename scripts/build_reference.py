"""Write docs/reference/commands.md, the command reference, from the code.

python scripts/build_reference.py [--check]
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from schemaproof.cli.main import COMMANDS, cli

TARGET = Path(__file__).parent.parent / "docs" / "reference" / "commands.md"


def page(command: click.Command, name: str) -> str:
    """The help of a command and its subcommands, as Markdown."""
    context = click.Context(command, info_name=name, terminal_width=100, max_content_width=100)
    text = f"\n## {name}\n\n```\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            inner = command.get_command(context, each)
            if inner is not None:
                text += page(inner, f"{name} {each}")
    return text


def reference() -> str:
    """The whole reference."""
    context = click.Context(cli, info_name="schemaproof")
    text = "# Command reference\n\nMade from the code by `scripts/build_reference.py`; do not edit.\n"
    for name in COMMANDS:
        command = cli.get_command(context, name)
        if command is not None:
            text += page(command, f"schemaproof {name}")
    return text


def main() -> int:
    """Write the reference, or with --check only compare; exit status 1 when it is out of date."""
    text = reference()
    if "--check" in sys.argv[1:]:
        return 0 if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text else 1
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
