"""The `schemaproof` command: a group that imports a command's module only when it is asked for."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from schemaproof import __version__
from schemaproof.cli.settings import apply, name_variables

# name -> (module, attribute, the line that `schemaproof --help` shows); the test of the command reference
# fails when a line differs from the first line of the command's own help.
COMMANDS: dict[str, tuple[str, str, str]] = {
    "run": ("schemaproof.cli.run", "run", "Compare contenders over many pages."),
    "merge": ("schemaproof.cli.merge", "merge", "Join the run files of shards."),
    "read": ("schemaproof.cli.read", "read", "Show what the tool sees in a page."),
    "check": ("schemaproof.cli.check", "check", "Judge every statement of a page's markup."),
    "clean": ("schemaproof.cli.clean", "clean", "Print the markup without its rejected statements."),
    "generate": ("schemaproof.cli.generate", "generate", "Write markup for a page."),
    "score": ("schemaproof.cli.score", "score", "MeMR of given markups."),
    "bench": ("schemaproof.cli.bench", "bench", "Measure the agents on ground truth."),
    "replay": ("schemaproof.cli.replay", "replay", "The authors' published artefacts as the paper's tables."),
    "extraction": ("schemaproof.cli.extraction", "extraction", "Score JSON answers under a JSON Schema."),
    "sample": ("schemaproof.cli.sample", "sample", "From quads to a stratified sample of pages."),
    "assess": ("schemaproof.cli.assess", "assess", "Blind human assessment of markups."),
    "report": ("schemaproof.cli.report", "report", "Write the report of a run."),
    "memory": ("schemaproof.cli.memory", "memory", "Show or prune the remembered model answers."),
    "vocabulary": (
        "schemaproof.cli.vocabulary",
        "vocabulary",
        "Look terms up, fetch definitions, write shapes.",
    ),
}


class LazyGroup(click.Group):
    """A group whose commands live in modules of their own, imported when asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, its module imported now; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), attribute)
        name_variables(command, f"SCHEMAPROOF_{cmd_name.upper()}")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table, so that help imports none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "SCHEMAPROOF"},
)
@click.version_option(__version__, prog_name="schemaproof")
@click.pass_context
def cli(context: click.Context) -> None:
    """Prove structured data: against its schema, the page it describes, and what each property means."""
    apply(context, list(COMMANDS))


def _open_streams() -> None:
    """Give a stream that the caller has closed to the null device: nothing to read, no one who reads."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115, PTH123  (must outlive this function)


def _complain(problem: object) -> None:
    from schemaproof.reporting.terminal import safe_lines

    click.echo(safe_lines(f"schemaproof: {problem}"), err=True)


def _unforeseen(problem: Exception) -> str:
    """What to say of an exception that no part expected; SCHEMAPROOF_DEBUG=1 shows where it was raised."""
    import sqlite3
    import zlib

    if isinstance(problem, sqlite3.OperationalError) and "full" in str(problem):
        return f"there is no room left on the disk ({problem}); what was saved is sound, the same command goes on"
    if isinstance(problem, sqlite3.Error | zlib.error):
        return f"a file of stored results is broken or locked ({problem}); try again, or use a new one"
    if isinstance(problem, MemoryError):
        return "there is not enough memory for this; try smaller files or fewer --jobs"
    kind = type(problem).__name__
    return f"an error of schemaproof itself, please report it ({kind}: {problem}); SCHEMAPROOF_DEBUG=1 shows where"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    Exit status: 0 done and clean, 1 findings or a floor not reached, 2 usage or unusable input, 3 a provider
    or I/O failed (what was done is saved), 130 interrupted.
    """
    from schemaproof.errors import InputError, MissingExtraError, SchemaproofError

    _open_streams()
    try:
        code: Any = cli.main(args=None if arguments is None else list(arguments), standalone_mode=False)
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.ClickException as problem:
        problem.show()
        code = problem.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        code = 130
    except BrokenPipeError:
        # The reader of a pipe has gone (`| head`): no one is left to tell.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123  (must outlive this function)
        code = 0
    except (InputError, MissingExtraError) as problem:
        _complain(problem)
        code = 2
    except (SchemaproofError, OSError) as problem:
        _complain(problem)
        code = 3
    except Exception as problem:
        if os.environ.get("SCHEMAPROOF_DEBUG"):
            raise
        _complain(_unforeseen(problem))
        code = 3
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
