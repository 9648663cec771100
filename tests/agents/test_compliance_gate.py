"""Floors under the measured figures of the embedded compliance judge."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from schemaproof.agents.compliance import EmbeddedCompliance
from schemaproof.vocabulary import load

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "evaluate_compliance.py"


@pytest.fixture(scope="module")
def evaluation() -> ModuleType:
    spec = importlib.util.spec_from_file_location("evaluate_compliance", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def figure(line: str, name: str) -> float:
    found = re.search(rf"{name} ([\d.]+)", line)
    assert found is not None
    return float(found[1])


@pytest.mark.parametrize("which", [1, None])
def test_ground_truth_of_the_paper(shared: Path, evaluation: ModuleType, which: int | None) -> None:
    rows = [r for r in evaluation.paper_rows(shared / "paper") if which is None or evaluation.half(r.group) == which]
    line, _ = evaluation.measure(EmbeddedCompliance(load()), rows)
    assert figure(line, "BA") >= 0.80, line
    assert figure(line, "F1") >= 0.95, line


@pytest.mark.parametrize("which", [1, None])
def test_statements_of_real_pages(shared: Path, evaluation: ModuleType, which: int | None) -> None:
    languages = evaluation.languages_of(shared / "paper")
    rows = list(evaluation.gold_rows(shared / "gold", languages))
    chosen = [r for r in rows if which is None or evaluation.half(r.group, evaluation.EXTRA["gold"]) == which]
    line, _ = evaluation.measure(EmbeddedCompliance(load()), chosen)
    assert figure(line, "BA") >= 0.80, line
    assert figure(line, "F1") >= 0.95, line
