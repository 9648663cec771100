"""Floors of the measured quality, and that no answer of a benchmark is inside (both need the recorded data)."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
import re
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from schemaproof.agents.factuality import EmbeddedFactuality
from schemaproof.markup import page_graph
from schemaproof.vocabulary import load

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def measuring() -> ModuleType:
    """The script that measures."""
    name = "evaluate_factuality"
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def judge() -> EmbeddedFactuality:
    return EmbeddedFactuality(load())


@pytest.mark.slow
def test_ground_truth(shared: Path, measuring: ModuleType, judge: EmbeddedFactuality) -> None:
    """Every text, half of which was looked at; the half that was not must reach the floors too."""
    balanced = {}
    for name, floors in (("extrinsic", (0.97, 0.97)), ("intrinsic", (0.86, 0.78))):
        rows = list(measuring.paper_rows(shared / "paper" / f"factuality_{name}.jsonl"))
        groups = [row.group for row in rows]
        prepared = measuring.prepare_texts(judge, groups)
        found = measuring.measure(judge, rows, prepared)
        apart = measuring.measure(judge, [row for row in rows if measuring.half(row.group) == 1], prepared)
        print(f"{name}: {found.line()}\n  half not looked at: {apart.line()}")
        for each in (found, apart):
            assert measuring.Measured.f1(each.total) >= floors[0]
            assert measuring.Measured.balanced(each.total) >= floors[1]
        balanced[name] = measuring.Measured.balanced(found.total)
        if name == "intrinsic":
            blind = measuring.prepare_texts(judge, groups, measuring.exchanged(groups))
            swapped = measuring.measure(judge, rows, blind)
            assert measuring.Measured.balanced(swapped.total) <= balanced[name] - 0.2


@pytest.mark.slow
def test_no_type_helps(shared: Path, measuring: ModuleType, judge: EmbeddedFactuality) -> None:
    """The sets' wrong rows lack a type: with the types taken off the right ones too, the figures stay."""
    for name in ("extrinsic", "intrinsic"):
        rows = list(measuring.paper_rows(shared / "paper" / f"factuality_{name}.jsonl"))
        bare = [
            measuring.Row(
                row.group,
                measuring.alone((), row.graph.statements[0].property, row.graph.statements[0].value),
                0,
                row.label,
            )
            for row in rows
        ]
        prepared = measuring.prepare_texts(judge, [row.group for row in rows])
        with_types = measuring.Measured.balanced(measuring.measure(judge, rows, prepared).total)
        without = measuring.Measured.balanced(measuring.measure(judge, bare, prepared).total)
        assert abs(with_types - without) <= 0.02


@pytest.mark.slow
def test_real_pages(shared: Path, measuring: ModuleType, judge: EmbeddedFactuality) -> None:
    rows = list(measuring.gold_rows(shared, judge.vocabulary))
    pages = measuring.pages_of(shared, (row.group for row in rows))
    prepared = {group: judge.prepare(page) for group, page in pages.items()}
    found = measuring.measure(judge, rows, prepared)
    apart = measuring.measure(judge, [row for row in rows if measuring.half(row.group) == 1], prepared)
    print(f"real pages: {found.line()}\n  half not looked at: {apart.line()}")
    assert measuring.Measured.balanced(found.total) >= 0.85
    assert measuring.Measured.balanced(apart.total) >= 0.82
    supported = sum(row.label for row in rows)
    assert found.overlapping >= 0.8 * supported


@pytest.mark.slow
def test_cost(shared: Path, measuring: ModuleType, judge: EmbeddedFactuality) -> None:
    """CPU on the recorded pages, their own markup; the first round warms the tables of the languages."""
    pages = measuring.pages_of(shared)
    graphs = {name: page_graph(page, judge.vocabulary) for name, page in pages.items()}
    preparing = judging = 0.0
    count = 0
    for timed in (False, True):
        for name, page in pages.items():
            started = time.process_time()
            prepared = judge.prepare(page)
            ready = time.process_time()
            verdicts = judge.judge(graphs[name], prepared)
            if timed:
                preparing += ready - started
                judging += time.process_time() - ready
                count += sum(verdict is not None for verdict in verdicts)
    assert preparing / len(pages) <= 0.010
    assert judging / count <= 0.0005


def pairs(shared: Path) -> set[tuple[str, str]]:
    """Every (property, value) pair of the ground truth and of the official examples."""
    found: set[tuple[str, str]] = set()
    for file in (shared / "paper").glob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if "property" in row:
                found.add((row["property"], str(row["value"])))
    for file in (shared / "vocabulary" / "30.0").iterdir():
        if "example" in file.name:
            text = file.read_text(encoding="utf-8", errors="replace")
            found |= set(re.findall(r'"(\w+)"\s*:\s*"([^"\\]{4,200})"', text))
            found |= set(re.findall(r'itemprop="(\w+)"[^>]*>([^<]{4,200})<', text))
    return found


def digest(name: str, words: str) -> bytes:
    return hashlib.sha256(f"{name.lower()}\0{words}".encode()).digest()


def shipped(file: Path) -> list[str]:
    """Entries of a word list; the constants of a module, less its docstrings."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".txt":
        return re.split(r"\n\s*\n", text) if file.name == "labels.txt" else text.splitlines()
    tree = ast.parse(text)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict | ast.Tuple | ast.Set | ast.List)
        or (isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings)
    ]


def test_no_answers_inside(shared: Path) -> None:
    """No pair of a benchmark or an example is in what the judge ships: property and value never stand together."""
    known = pairs(shared)
    assert len(known) > 2000
    wanted: set[bytes] = set()
    for name, value in known:
        words = re.findall(r"\w+", value.lower())
        # Single words and terms of the vocabulary are words of the language, not answers.
        if 2 <= len(words) <= 12 and len(value) >= 8 and not value.startswith(("http", "schema:", "@")):
            wanted.add(digest(name, " ".join(words)))
    names = {name.lower() for name, _ in known}
    agents = ROOT / "src" / "schemaproof" / "agents"
    files = [
        *agents.glob("factuality*.py"),
        *(agents / "grounding").glob("*.py"),
        *(agents / "grounding").glob("*.txt"),
    ]
    assert len(files) > 20
    found = set()
    for file in files:
        for block in shipped(file):
            words = re.findall(r"\w+", block.lower())
            here = names.intersection(words)
            if here:
                for size in range(2, 13):
                    for start in range(len(words) - size + 1):
                        phrase = " ".join(words[start : start + size])
                        found |= {(file.name, name, phrase) for name in here if digest(name, phrase) in wanted}
    assert not found


@pytest.mark.slow
def test_benchmark_floors(shared: Path) -> None:
    """Foreign, exchanged and verbatim values on the real pages, both judges; the floors are the benchmark's."""
    from benchmarks import judges

    vocabulary = load()
    bench = judges.Bench(judges.read_corpus(shared, vocabulary), vocabulary, seed=3)
    tallies, _, missed = judges.measure(bench)
    assert tallies["exchanged"].asked > 1500
    assert tallies["verbatim"].asked > 400
    assert not missed
