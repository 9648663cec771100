"""The options that commands share where a model may be asked, and what they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from schemaproof.wording import counted

if TYPE_CHECKING:
    from schemaproof.pipeline.forecast import Forecast

F = TypeVar("F", bound=Callable[..., Any])

mode_option = click.option(
    "--mode",
    type=click.Choice(["one-pair", "batched"]),
    help="How a model judges: one statement a question, or many with quotes that are checked.",
)
tokens_option = click.option(
    "--max-tokens",
    type=click.IntRange(min=1),
    metavar="N",
    help="Budget of tokens for all models; the run stops before it is passed and can be gone on with.",
)
concurrency_option = click.option(
    "--concurrency", type=click.IntRange(min=1), metavar="N", help="Most questions at a model at a time (default 8)."
)
dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Ask nothing; tell how many questions, tokens and dollars it would take."
)
prompt_option = click.option("--prompt", metavar="NAME", help="Prompt of models that write markup.")


def limits_options(command: F) -> F:
    """--max-tokens and --concurrency."""
    return tokens_option(concurrency_option(command))


def set_limits(options: dict[str, Any]) -> None:
    """Put --max-tokens and --concurrency into force."""
    if options.get("max_tokens") is None and options.get("concurrency") is None:
        return
    from schemaproof.models.building import set_limits as put

    put(at_once=options.get("concurrency"), max_tokens=options.get("max_tokens"))


def with_options(spec: str, **wanted: str | None) -> str:
    """A SPEC with options added that it does not have; embedded and files stay as they are."""
    from schemaproof.pipeline.specs import parse_spec

    parsed = parse_spec(spec)
    if parsed.kind in ("embedded", "files"):
        return spec
    for name, value in wanted.items():
        if value is not None and parsed.option(name) is None:
            body = spec.rpartition("#")[2] if "://" in spec else spec
            spec += f"{'&' if '?' in body else '?'}{name}={value}"
    return spec


def pinned(spec: str) -> str:
    """A SPEC with the digest of the files that it names (calibration, recorded answers), so that a signature tells
    runs apart whose files changed under the same name; the digest decides nothing else."""
    from hashlib import sha256
    from pathlib import Path

    from schemaproof.pipeline.specs import parse_spec

    parsed = parse_spec(spec)
    inner = parse_spec(parsed.target) if parsed.kind == "cascade" else parsed
    key = sha256()
    files = [inner.option("calibration"), inner.target if inner.kind == "recorded" else None]
    found = [Path(name) for name in files if name is not None and Path(name).is_file()]
    if not found:
        return spec
    for path in found:
        key.update(path.read_bytes())
    return with_options(spec, digest=key.hexdigest()[:12])


def pinned_contenders(contenders: Iterable[str]) -> tuple[str, ...]:
    """Contenders (NAME=SPEC), each with the digest of the files that it names; see `pinned`."""
    from schemaproof.pipeline.specs import parse_contender

    found = []
    for text in contenders:
        name, spec = parse_contender(text)
        marked = pinned(spec.text)
        found.append(text if marked == spec.text else f"{name}={marked}")
    return tuple(found)


def contenders_with(contenders: Iterable[str], **wanted: str | None) -> tuple[str, ...]:
    """Contenders (NAME=SPEC) with options added to those that are models."""
    from schemaproof.pipeline.specs import parse_contender

    found = []
    for text in contenders:
        name, spec = parse_contender(text)
        found.append(f"{name}={with_options(spec.text, **wanted)}")
    return tuple(found)


def echo_forecast(told: Forecast, *, as_json: bool) -> None:
    """Print a forecast."""
    from schemaproof.cli.output import print_json, table

    if as_json:
        print_json(told.as_dict())
        return
    rows = [
        ["", "at least", "at most"],
        ["calls", str(told.low.calls), str(told.high.calls)],
        ["prompt tokens", str(told.low.prompt_tokens), str(told.high.prompt_tokens)],
        ["answer tokens", str(told.low.completion_tokens), str(told.high.completion_tokens)],
        ["remembered", str(told.low.remembered), str(told.high.remembered)],
    ]
    cost = told.cost()
    if cost is not None:
        rows.append(["dollars", f"{cost[0]:.4f}", f"{cost[1]:.4f}"])
    click.echo(table(rows, right={1, 2}))
    models = ", ".join(told.models) or "no model is asked"
    click.echo(f"{counted(told.pages, 'page')}; {models}; tokens by {told.tokenizer or 'none'}")
    if told.failed:
        click.echo(f"{counted(told.failed, 'page')} left out: cannot be read", err=True)
    if cost is None and told.models:
        from schemaproof.models.prices import prices_path

        missing = ", ".join(name for name in told.models if name not in told.prices)
        click.echo(f"no price of {missing} in {prices_path()}: no cost can be told", err=True)


def echo_usage() -> None:
    """Tell on standard error what the models of this process have used."""
    from schemaproof.models.building import sessions
    from schemaproof.models.prices import price_of

    for session in sessions():
        usage = session.usage
        if usage.calls or usage.remembered:
            price = price_of(session.name)
            cost = "" if price is None else f", {price.of(usage.prompt_tokens, usage.completion_tokens):.4f} dollars"
            click.echo(
                f"{session.name}: {counted(usage.calls, 'question')} asked, {usage.remembered} remembered, "
                f"{counted(usage.prompt_tokens, 'token')} of prompts, {usage.completion_tokens:,} of answers{cost}",
                err=True,
            )
