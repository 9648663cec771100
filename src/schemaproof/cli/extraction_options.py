"""What the commands of `schemaproof extraction` share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from schemaproof.wording import counted

if TYPE_CHECKING:
    from schemaproof.extraction.totals import Report

F = TypeVar("F", bound=Callable[..., Any])

floors_option = click.option(
    "--fail-under", "floors", multiple=True, metavar="METRIC=X", help="Exit status 1 if a mean is below X."
)


def profile_option(told: str) -> Callable[[F], F]:
    """--profile, with its help."""
    return click.option(
        "--profile",
        type=click.Choice(["reference", "card", "aligned"]),
        default="reference",
        show_default=True,
        help=told,
    )


def form_options(command: F) -> F:
    """--format and --json: the form of the totals."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="The same as --format json."),
        click.option(
            "--format",
            "form",
            type=click.Choice(["markdown", "json", "csv"]),
            default="markdown",
            show_default=True,
            help="Form of the totals.",
        ),
    ):
        command = option(command)
    return command


def pairs_of(values: tuple[str, ...], option: str) -> dict[str, str]:
    found = {}
    for value in values:
        name, sign, rest = value.partition("=")
        if not sign or not name or not rest:
            raise click.UsageError(f"{option} wants NAME=VALUE, not {value!r}")
        found[name.strip()] = rest.strip()
    return found


FEWER = ("missing_keys", "extra_keys")  # metrics of which fewer are better


def floors_of(values: tuple[str, ...], profile: str) -> dict[str, float]:
    from schemaproof.extraction.totals import metric_names

    floors = {}
    for name, text in pairs_of(values, "--fail-under").items():
        if name not in metric_names(profile):
            raise click.UsageError(
                f"--fail-under: profile {profile} has no metric {name!r}; it has {', '.join(metric_names(profile))}"
            )
        try:
            floors[name] = float(text)
        except ValueError:
            raise click.UsageError(f"--fail-under {name}: {text!r} is no number") from None
        if floors[name] != floors[name]:
            raise click.UsageError(f"--fail-under {name}: {text!r} is no floor")
        if name in FEWER:
            raise click.UsageError(f"--fail-under {name}: of these fewer are better; a floor says nothing")
    return floors


def status_of(report: Report, floors: dict[str, float], fail_on: str | None) -> int:
    whole = report.whole
    status = 0
    for name, floor in floors.items():
        mean = whole.means.sum(name) / whole.scored if whole.scored else float("nan")
        if not mean >= floor:
            click.echo(f"{name} is {mean:.4f}, below {floor:g}", err=True)
            status = 1
    if fail_on == "row" and whole.failed:
        click.echo(f"{counted(whole.failed, 'row')} could not be scored", err=True)
        status = 1
    return status
