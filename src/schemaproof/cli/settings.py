"""`schemaproof.toml`: defaults of options by command, and settings of `check` by path.

[check]
policy = "google"
ignore = ["missing-type"]

[[check.paths]]
pattern = "blog/**"
ignore = ["unsupported"]
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from schemaproof.errors import InputError

if TYPE_CHECKING:
    from schemaproof.pipeline.selection import PathRule

NAME = "schemaproof.toml"


def find(start: Path) -> Path | None:
    """The settings file of a folder or of the nearest folder above it that has one, no further than a repository."""
    for folder in (start, *start.parents):
        if (folder / NAME).is_file():
            return folder / NAME
        if (folder / ".git").exists():
            break
    return None


def read_settings(path: Path) -> dict[str, Any]:
    """The settings of a file: command to option to value.

    Raises: InputError for a file that is not TOML or holds something else than tables.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"not TOML: {problem}", source=str(path)) from None
    except UnicodeDecodeError:
        raise InputError("not UTF-8", source=str(path)) from None
    for name, value in data.items():
        if not isinstance(value, dict):
            raise InputError(
                f"{name} stands outside of a table; write it under [check] or another command", source=str(path)
            )
    return data


def apply(context: click.Context, commands: list[str]) -> None:
    """Make the settings of the current folder the defaults of the commands' options.

    Raises: InputError for settings that name no command.
    """
    path = find(Path.cwd())
    if path is None:
        return
    settings = read_settings(path)
    unknown = sorted(set(settings) - set(commands))
    if unknown:
        raise InputError(f"[{unknown[0]}] is no command; there are {', '.join(commands)}", source=str(path))
    context.obj = {"settings": settings, "source": str(path)}
    context.default_map = {
        command: {option.replace("-", "_"): value for option, value in options.items() if option != "paths"}
        for command, options in settings.items()
    }


def path_rules(context: click.Context) -> tuple[PathRule, ...]:
    """The settings by path of `check`.

    Raises: InputError for an entry of another form.
    """
    from schemaproof.pipeline.selection import PathRule

    found = context.find_root().obj or {}
    rules = []
    for entry in found.get("settings", {}).get("check", {}).get("paths", []):
        known = isinstance(entry, dict) and isinstance(entry.get("pattern"), str)
        if not known or set(entry) - {"pattern", "select", "ignore"}:
            raise InputError("an entry of [[check.paths]] has a pattern, and select or ignore", source=found["source"])
        rules.append(PathRule(entry["pattern"], tuple(entry.get("select", ())), tuple(entry.get("ignore", ()))))
    return tuple(rules)
