"""Ground truth as the commands of `schemaproof bench` are given it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from schemaproof.wording import counted

if TYPE_CHECKING:
    from schemaproof.groundtruth.row import Row

EXAMPLES = "schemaorg-all-examples.txt"


def examples_file(given: str | None) -> Path:
    from schemaproof.errors import DefinitionsMissingError, SourceError
    from schemaproof.vocabulary.release import cached

    if given is not None:
        if not Path(given).is_file():
            raise SourceError(given, "there is no such file of examples")
        return Path(given)
    found = cached(EXAMPLES)
    if found is None:
        raise DefinitionsMissingError(
            "the official examples are not on this machine: run `schemaproof vocabulary fetch`, or give the file with "
            "--examples FILE"
        )
    return found


def built_from(examples: str | None, seed: int) -> tuple[Any, Any, list[str]]:
    """Builder, what it built, and notes about what was left out."""
    from schemaproof.errors import DefinitionsMissingError, InputError
    from schemaproof.groundtruth.building import Builder
    from schemaproof.groundtruth.distance import Distance
    from schemaproof.groundtruth.examples import read_examples
    from schemaproof.vocabulary import load
    from schemaproof.vocabulary.prose import definitions

    file = examples_file(examples)
    found, left_out = read_examples(file.read_text(encoding="utf-8", errors="replace"))
    if not found:
        raise InputError("holds no example with a text and JSON-LD", source=str(file))
    notes = []
    if left_out:
        notes = [f"{counted(len(left_out), 'example has', 'examples have')} no text or no JSON-LD that can be read"]
    vocabulary = load()
    try:
        told = dict(definitions(vocabulary))
    except DefinitionsMissingError:
        told = {}
        notes.append("no definitions on this machine: distances between properties are those of their names and ranges")
    builder = Builder(found, vocabulary, Distance(vocabulary, told), seed)
    return builder, builder.build(), notes


def sets_of(data: tuple[str, ...], examples: str | None, split: str | None, limit: int | None) -> dict[str, list[Row]]:
    from schemaproof.errors import InputError
    from schemaproof.groundtruth.reading import read_rows

    sets: dict[str, list[Row]] = {}
    if data:
        for file in data:
            # two files may have sets of one name: the paper's compliance.jsonl, and readers' verdicts on compliance
            taken = set(sets)
            for row in read_rows(file):
                sets.setdefault(row.set if row.set not in taken else f"{row.set}@{Path(file).stem}", []).append(row)
    else:
        _, built, notes = built_from(examples, 0)
        for note in notes:
            click.echo(note, err=True)
        sets, split = built.sets, split or "test"
    found = {}
    for name, rows in sets.items():
        chosen = [row for row in rows if split is None or row.split == split][:limit]
        if chosen:
            found[name] = chosen
    if not found:
        raise InputError(f"no row is of the split {split}")
    return found


def pages_of(sets: dict[str, list[Row]], file: str | None) -> dict[str, Any]:
    from schemaproof.errors import InputError
    from schemaproof.groundtruth.reading import read_pages

    wanted = {row.page for rows in sets.values() for row in rows if row.page}
    if not wanted:
        return {}
    if file is None:
        raise InputError("these statements are judged on their pages: give the pages with --pages FILE.parquet")
    found = read_pages(file, wanted)
    missing = sorted(wanted - set(found))
    if missing:
        for name, rows in list(sets.items()):
            sets[name] = [row for row in rows if row.page not in missing]
        click.echo(
            f"{counted(len(missing), 'page is', 'pages are')} not in {file}; their statements are left out", err=True
        )
        if not any(sets.values()):
            raise InputError("holds none of the pages that the statements name", source=file)
    return found
