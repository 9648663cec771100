from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schemaproof.agents.verdict import Decision
from schemaproof.errors import InputError, SourceError, SpecError
from schemaproof.groundtruth.judging import accepted, judge_rows
from schemaproof.groundtruth.reading import read_rows
from schemaproof.groundtruth.row import Row
from schemaproof.models import building
from schemaproof.pipeline.calibration import (
    DEFAULT,
    Calibration,
    Example,
    decide,
    fit,
    half_of,
    read_calibration,
    share_asked,
    write_calibration,
)
from schemaproof.pipeline.judges import build_judges
from schemaproof.scoring.classification import binary
from schemaproof.vocabulary import load

ROOT = Path(__file__).resolve().parent.parent.parent
SETS = ("factuality_intrinsic", "factuality_extrinsic")


@pytest.fixture(autouse=True)
def own_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SCHEMAPROOF_CACHE", str(tmp_path / "cache"))
    building.forget_models()
    yield
    building.forget_models()


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    path = tmp_path / "recorded.jsonl"
    row = {
        "text": "Pea soup",
        "property": "name",
        "value": "Pea soup",
        "type": "Recipe",
        "label": "positive",
        "id": "1",
    }
    path.write_text(json.dumps({**row, "mixtral": "TOKNEG"}) + "\n")
    return path


def judged(spec: str, rows: list[Row]) -> list[bool]:
    judges = build_judges(load(), ("factuality", "compliance"), "schema.org", spec)
    return [accepted(verdict) for verdict in judge_rows(rows, judges)]


@pytest.mark.parametrize("options", ["mode=both", "prompt=none", "samples=x", "mode=batched&samples=3", "chunks=-1"])
def test_unusable_options_are_told(options: str, recorded: Path) -> None:
    with pytest.raises(SpecError):
        build_judges(load(), ("factuality",), "schema.org", f"recorded/{recorded}?{options}")


def test_a_cascade_follows_its_calibration(recorded: Path, tmp_path: Path) -> None:
    rows = read_rows(recorded)
    assert judged("embedded", rows) == [True]
    assert judged(f"recorded/{recorded}", rows) == [False]
    for low, high, kept in ((0.5, 0.5, True), (0.0, 1.01, False)):
        path = tmp_path / "calibration.json"
        write_calibration(Calibration((low, high), (low, high)), path)
        assert judged(f"cascade:recorded/{recorded}?mode=one-pair&calibration={path}", rows) == [kept]


def test_calibrations_come_back_as_written(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    written = Calibration((0.25, 0.75), (0.5, 1.01), "a set", "a note")
    write_calibration(written, path)
    assert read_calibration(str(path)) == written
    assert read_calibration(None) == DEFAULT


@pytest.mark.parametrize(
    "content", ["[]", "{}", '{"calibration_version": 2}', '{"calibration_version": 1, "factuality": [1, 0]}']
)
def test_what_is_no_calibration_is_told(content: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(content)
    with pytest.raises(InputError, match="no calibration"):
        read_calibration(str(path))


def test_a_missing_calibration_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        read_calibration(str(tmp_path / "none.json"))


def test_fitting_leaves_a_tail_to_the_embedded_judge_only_where_it_is_shown_to_be_good() -> None:
    good = [Example(0.9, True, number % 4 > 0, True) for number in range(200)]
    bad = [Example(0.7, True, False, False) for _ in range(200)]
    low, high = fit([good + bad])
    assert 0.7 < high <= 0.9
    assert low == 0.5
    few = [Example(0.9, True, True, True), Example(0.9, True, False, False)]
    assert fit([few])[1] > 0.9


def test_fitting_bears_no_set_that_loses() -> None:
    good = [Example(0.9, True, False, True)] * 50 + [Example(0.1, True, False, False)] * 50
    losing = [Example(0.9, True, False, False)] * 50 + [Example(0.1, True, True, True)] * 50
    assert fit([good])[1] <= 0.9
    assert fit([good, losing]) == (0.1, 0.92)


def test_a_yes_about_what_is_not_located_changes_nothing() -> None:
    assert not decide(Example(0.3, False, True, True), 0.0, 1.01)
    assert decide(Example(0.7, False, True, True), 0.0, 1.01)
    assert not decide(Example(0.7, False, False, True), 0.0, 1.01)
    assert share_asked([Example(0.3, False, True, True), Example(0.7, False, True, True)], 0.0, 1.01) == 0.5


def _examples(rows: list[Row]) -> list[Example]:
    from schemaproof.cli.bench_models import _examples

    return [example for _, _, example in _examples(rows, "", "mixtral")]


@pytest.mark.slow
@pytest.mark.parametrize("half", [0, 1])
def test_the_cascade_is_no_worse_than_the_recorded_answers_alone(half: int, shared: Path, tmp_path: Path) -> None:
    """Fitted on one half by text, measured on the other, through the judges themselves."""
    rows = {
        name: [row for row in read_rows(shared / "paper" / f"{name}.jsonl") if row.first and "mixtral" in row.recorded]
        for name in SETS
    }
    low, high = fit([_examples([row for row in rows[name] if half_of(row.group) == half]) for name in SETS])
    path = tmp_path / "calibration.json"
    write_calibration(Calibration((low, high), (0.5, 0.5)), path)
    for name in SETS:
        rest = [row for row in rows[name] if half_of(row.group) != half]
        said = judged(
            f"cascade:recorded/{shared}/paper/{name}.jsonl?mode=one-pair&calibration={path}&answers=mixtral", rest
        )
        labels = [row.label for row in rest]
        cascade, alone = binary(labels, said), binary(labels, [row.recorded["mixtral"] for row in rest])
        assert cascade.f1 >= alone.f1, name
        assert cascade.balanced_accuracy >= alone.balanced_accuracy, name
        examples = _examples(rest)
        assert said == [decide(each, low, high) for each in examples]
        assert share_asked(examples, low, high) < 0.75


@pytest.mark.slow
def test_the_cascade_asks_a_tenth_of_the_papers_calls(shared: Path) -> None:
    spec = importlib.util.spec_from_file_location("calls_benchmark", ROOT / "benchmarks" / "calls.py")
    assert spec is not None
    assert spec.loader is not None
    calls: Any = importlib.util.module_from_spec(spec)
    sys.modules["calls_benchmark"] = calls
    spec.loader.exec_module(calls)
    vocabulary = load()
    units = calls.read_units(shared / "paper", vocabulary)
    recorded = [calls.recorded_questions(unit) for unit in units]
    assert (sum(a for a, _ in recorded), sum(c for _, c in recorded)) == (2551, 476)
    pair = calls.measure(units, vocabulary, "mode=one-pair", cascade=False)
    assert pair["calls"] == 2551
    assert pair["not_recorded"] == 0
    many = calls.measure(units, vocabulary, "mode=batched", cascade=True)
    assert many["calls"] <= 0.10 * pair["calls"]
    assert many["prompt_tokens"] <= 0.15 * pair["prompt_tokens"]


def test_unclear_is_what_a_model_without_an_answer_says(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(json.dumps({"property": "sku", "value": "1", "answer": True, "text": "one"}) + "\n")
    row = Row("1", "s", "factuality", "g", ("Product",), "sku", "2", True, "two 2")
    judges = build_judges(load(), ("factuality",), "schema.org", f"recorded/{path}")
    (verdict,) = judge_rows([row], judges)
    assert verdict is not None
    assert verdict.decision is Decision.UNCLEAR
