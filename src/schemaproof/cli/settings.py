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
    chosen = context.invoked_subcommand
    if chosen in settings and isinstance(context.command, click.Group):
        command = context.command.get_command(context, chosen)
        if command is not None:
            context.default_map = {chosen: _defaults(command, settings[chosen], f"[{chosen}]", str(path))}


def name_variables(command: click.Command, prefix: str) -> None:
    """Let every option be set by the variable of its own name (SCHEMAPROOF_CHECK_FORMAT for `check --format`).

    Arguments:
        command: the command, or a group of them.
        prefix: of its variables.
    """
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            name_variables(inner, f"{prefix}_{name.upper().replace('-', '_')}")
    for option in command.params:
        # Several flags of one name (--json, --text) each have a value of their own: a variable cannot tell them.
        if isinstance(option, click.Option) and not option.is_flag and option.envvar is None:
            names = [word[2:] for word in option.opts if word.startswith("--")]
            if names:
                option.envvar = f"{prefix}_{names[0].upper().replace('-', '_')}"


def _defaults(command: click.Command, table: dict[str, Any], name: str, source: str) -> dict[str, Any]:
    """The options of a table by the names that click knows them by.

    Raises: InputError for an option that the command does not have, or a value that no option can have.
    """
    found: dict[str, Any] = {}
    options = {
        word[2:]: option
        for option in command.params
        if isinstance(option, click.Option)
        for word in option.opts
        if word.startswith("--")
    }
    for written, value in table.items():
        if isinstance(command, click.Group):
            inner = command.commands.get(written)
            if inner is not None and isinstance(value, dict):
                found[written] = _defaults(inner, value, f"{name[:-1]}.{written}]", source)
                continue
        if written == "paths" and command.name == "check":
            continue
        option = options.get(written.replace("_", "-"))
        if option is None or option.name is None:
            known = ", ".join(sorted(options)) or "no options"
            raise InputError(f"{name} has no option {written}; there are {known}", source=source)
        found[option.name] = _value(option, value, f"{written} of {name}", source)
    return {key: value for key, value in found.items() if value is not None}


def _value(option: click.Option, value: Any, what: str, source: str) -> Any:
    """A value as click takes it; None for a flag that is not set."""
    if option.is_flag:
        if not isinstance(value, bool):
            raise InputError(f"{what} is true or false", source=source)
        if not isinstance(option.flag_value, str):
            return value
        return option.flag_value if value else None
    if option.multiple:
        values = value if isinstance(value, list) else [value]
        if not all(isinstance(each, str) for each in values):
            raise InputError(f"{what} is a text, or a list of texts", source=source)
        return values
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InputError(f"{what} is one text or number", source=source)
    return value if isinstance(value, float | int) else str(value)


def path_rules(context: click.Context) -> tuple[PathRule, ...]:
    """The settings by path of `check`.

    Raises: InputError for an entry of another form.
    """
    from schemaproof.pipeline.selection import PathRule

    found = context.find_root().obj or {}
    rules = []
    entries = found.get("settings", {}).get("check", {}).get("paths", [])
    for entry in entries if isinstance(entries, list) else [entries]:
        known = isinstance(entry, dict) and isinstance(entry.get("pattern"), str)
        if not known or set(entry) - {"pattern", "select", "ignore"}:
            raise InputError("an entry of [[check.paths]] has a pattern, and select or ignore", source=found["source"])
        select, ignore = (_rules(entry.get(key, []), key, found["source"]) for key in ("select", "ignore"))
        rules.append(PathRule(entry["pattern"], select, ignore))
    return tuple(rules)


def _rules(value: Any, key: str, source: str) -> tuple[str, ...]:
    """Names of rules, as a list or by commas."""
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise InputError(f"{key} of [[check.paths]] is a list of rules or agents", source=source)
    return tuple(each.strip() for each in names if each.strip())
