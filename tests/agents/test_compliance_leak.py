"""Nothing that the judge ships holds a pair of property and value of an official example or of the paper's sets."""

from __future__ import annotations

import hashlib
import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import schemaproof.agents

MODULES = [
    importlib.import_module(f"schemaproof.agents.{each.name}")
    for each in pkgutil.iter_modules(schemaproof.agents.__path__)
    if each.name.startswith("compliance")
]


def key(prop: str, value: str) -> str:
    """Hash of a pair, so that the pairs themselves stand nowhere in the test's output."""
    return hashlib.sha256(f"{prop}\x00{' '.join(value.split()).casefold()}".encode()).hexdigest()


def paper_pairs(folder: Path) -> Iterator[tuple[str, str]]:
    for name in ("compliance", "factuality_intrinsic", "factuality_extrinsic"):
        for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            yield str(row["property"]), str(row["value"])


def example_pairs(file: Path) -> Iterator[tuple[str, str]]:
    for prop, value in re.findall(r'"([a-zA-Z]\w*)"\s*:\s*"([^"\n]*)"', file.read_text("utf-8")):
        yield prop, value
    for prop, value in re.findall(r'itemprop="([\w ]+)"[^>]*>([^<\n]+)<', file.read_text("utf-8")):
        yield prop, value


def shipped_pairs() -> Iterator[tuple[str, str]]:
    """Every value that a table of the judge keeps under the name of a property."""
    from schemaproof.vocabulary import load

    names = set(load().properties)
    for module in MODULES:
        pending: list[Any] = [value for name, value in vars(module).items() if not name.startswith("__")]
        seen: set[int] = set()
        while pending:
            value = pending.pop()
            if isinstance(value, dict) and id(value) not in seen:
                seen.add(id(value))
                for prop, kept in value.items():
                    if prop in names:
                        values = kept if isinstance(kept, (set, frozenset, list, tuple, dict)) else [kept]
                        yield from ((prop, str(each)) for each in values)
                    pending.append(kept)


@pytest.fixture(scope="module")
def official(shared: Path) -> frozenset[str]:
    examples = next((shared / "vocabulary").glob("*/schemaorg-all-examples.txt"))
    found = {key(*pair) for pair in paper_pairs(shared / "paper")} | {key(*pair) for pair in example_pairs(examples)}
    assert len(found) > 3000
    return frozenset(found)


def test_no_table_of_the_judge_holds_an_official_pair(official: frozenset[str]) -> None:
    pairs = list(shipped_pairs())
    assert len(pairs) > 50, "the search found the tables"
    assert not {prop for prop, value in pairs if key(prop, value) in official}


def test_no_official_text_of_some_length_stands_in_the_judge(shared: Path) -> None:
    source = " ".join(" ".join(Path(str(m.__file__)).read_text("utf-8").split()) for m in MODULES).casefold()
    examples = next((shared / "vocabulary").glob("*/schemaorg-all-examples.txt"))
    values = {value for _, value in [*paper_pairs(shared / "paper"), *example_pairs(examples)]}
    long = {" ".join(value.split()).casefold() for value in values if len(value) >= 16 or value.count(" ") >= 2}
    assert len(long) > 1500
    # addresses of Schema.org's terms stand in messages
    assert [value for value in long if len(value) >= 12 and value in source and "schema.org/" not in value] == []


def test_the_search_would_find_a_pair() -> None:
    assert key("a", "B  c") == key("a", "b c") != key("a", "bc")
