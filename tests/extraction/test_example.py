"""The packaged data set."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from pathlib import Path
from typing import Any

from schemaproof.extraction.scorer import Settings
from schemaproof.pipeline.extraction_score import example_bytes, score_file

SCRIPT = Path(__file__).parent.parent.parent / "scripts" / "build_extraction_example.py"


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in example_bytes().splitlines()]


def test_it_is_what_the_script_writes() -> None:
    spec = importlib.util.spec_from_file_location("build_extraction_example", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.data() == example_bytes()


def test_it_has_200_rows_of_two_models_with_named_faults() -> None:
    data = rows()
    assert len(data) == 200
    assert Counter(row["model"] for row in data) == {"careful": 100, "hasty": 100}
    assert len({(row["id"], row["model"]) for row in data}) == 200
    faults = Counter(fault for row in data for fault in row["fault"])
    assert faults["none"] >= 60
    assert len(faults) >= 20


def test_the_metrics_see_the_faults() -> None:
    reference = list(score_file("example", Settings("reference"), workers=1))
    aligned = list(score_file("example", Settings("aligned"), workers=1))
    for row, plain, better in zip(rows(), reference, aligned, strict=True):
        faults = set(row["fault"])
        if faults == {"none"}:
            assert better.metrics["leaf_f1"] == 1.0
            assert plain.metrics["key_f1"] == 1.0
        if faults == {"refused"}:
            assert plain.refusal
            assert better.refusal
        if faults == {"scalar"}:
            assert plain.error
        if faults in ({"number-as-text"}, {"other-date"}, {"decomposed"}, {"shuffled-rows"}):
            assert better.metrics["leaf_f1"] == 1.0, row
        if faults == {"scrambled-rows"}:
            assert plain.metrics["value_score"] > 0.999
            assert better.metrics["leaf_f1"] < 1.0
        if faults == {"invented-rows"}:
            assert plain.metrics["key_precision"] == 1.0
            assert better.metrics["leaf_precision"] < 1.0
        if faults <= {"fence", "prose", "thinking", "two-answers"}:
            assert better.metrics["leaf_f1"] == 1.0
