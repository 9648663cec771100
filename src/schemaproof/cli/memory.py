"""`schemaproof memory`."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import click

from schemaproof.cli.output import print_json, table
from schemaproof.wording import counted

if TYPE_CHECKING:
    from schemaproof.models.memory import Memory

_AGE = re.compile(r"(\d+)([hdw])")
_SECONDS = {"h": 3600, "d": 86400, "w": 604800}


@click.group()
def memory() -> None:
    """Show or prune the remembered model answers."""


def _opened() -> Memory:
    from schemaproof.models.memory import Memory, memory_path

    path = memory_path()
    if not path.is_file():
        raise click.ClickException(f"nothing is remembered yet ({path})")
    return Memory(path)


@memory.command()
@click.option(
    "--last", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="The newest answers."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(last: int, as_json: bool) -> None:
    """Show what is remembered, by model and purpose."""
    with _opened() as opened:
        found = opened.summary()
        newest = opened.latest(last) if last else []
        path = opened.path
    if as_json:
        print_json(
            {
                "schema_version": 1,
                "file": str(path),
                "bytes": path.stat().st_size,
                "answers": [
                    {
                        "model": each.model,
                        "purpose": each.purpose,
                        "answers": each.answers,
                        "prompt_tokens": each.prompt_tokens,
                        "completion_tokens": each.completion_tokens,
                        "first": each.first,
                        "last": each.last,
                    }
                    for each in found
                ],
                "newest": [
                    {"key": key, "model": model, "purpose": purpose, "question": question, "answer": answer}
                    for key, model, purpose, question, answer in newest
                ],
            }
        )
        return
    rows = [["model", "purpose", "answers", "prompt tokens", "answer tokens", "last asked"]]
    for each in found:
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.last))
        rows.append(
            [each.model, each.purpose, str(each.answers), str(each.prompt_tokens), str(each.completion_tokens), day]
        )
    click.echo(table(rows, right={2, 3, 4}))
    click.echo(f"{path}, {counted(path.stat().st_size, 'byte')}")
    for key, model, purpose, question, answer in newest:
        click.echo(f"\n{key[:12]} {model} {purpose}\n  … {question[-160:]!r}\n  → {answer[:160]!r}")


@memory.command()
@click.option("--older-than", metavar="AGE", help="Only answers older than this: 12h, 30d, 8w.")
@click.option("--model", metavar="NAME", help="Only answers of this model, as `memory show` names it.")
@click.option("--all", "everything", is_flag=True, help="All answers.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def prune(older_than: str | None, model: str | None, everything: bool, as_json: bool) -> None:
    """Forget answers."""
    if older_than is None and model is None and not everything:
        raise click.UsageError("say what to forget: --older-than AGE, --model NAME or --all")
    before = None
    if older_than is not None:
        found = _AGE.fullmatch(older_than.strip())
        if found is None or len(found[1]) > 6:
            raise click.BadParameter("write a number and h, d or w, as in 30d", param_hint="--older-than")
        before = time.time() - int(found[1]) * _SECONDS[found[2]]
    with _opened() as opened:
        count = opened.prune(before=before, model=model)
    if as_json:
        print_json({"schema_version": 1, "forgotten": count})
    else:
        click.echo(f"{counted(count, 'answer')} forgotten")


@memory.command()
@click.option("-o", "--output", default="-", show_default=True, metavar="FILE.jsonl", help="Where to write.")
def export(output: str) -> None:
    """Write all answers as `recorded/FILE` reads them."""
    from schemaproof.pipeline.store import encode

    with _opened() as opened, click.open_file(output, "w", encoding="utf-8") as target:
        for record in opened.records():
            target.write(encode(record) + "\n")
