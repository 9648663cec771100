"""The tasks for Inspect, run offline as a user runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from schemaproof.extraction.reference import METRICS

needs_inspect = pytest.mark.skipif(find_spec("inspect_ai") is None, reason="the extra inspect is not installed")
pytestmark = [needs_inspect, pytest.mark.slow]


def environment(folder: Path) -> dict[str, str]:
    """No network, no cache, no user settings."""
    dead = "http://127.0.0.1:9"
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("TIKTOKEN", "DATA_GYM", "INSPECT"))
    }
    return {
        **kept,
        "SCHEMAPROOF_CACHE": str(folder / "cache"),
        "HTTPS_PROXY": dead,
        "HTTP_PROXY": dead,
        "NO_COLOR": "1",
    }


def evaluate(folder: Path, task: str, *arguments: str) -> dict[str, Any]:
    """The log of `inspect eval schemaproof/TASK --model mockllm/model`."""
    program = "from inspect_ai._cli.main import main; main()"
    done = subprocess.run(
        [
            sys.executable, "-c", program, "eval", f"schemaproof/{task}", "--model", "mockllm/model", "--log-format",
            "json", "--log-dir", str(folder / "logs"), "--display", "plain", *arguments,
        ],
        capture_output=True,
        cwd=folder,
        env=environment(folder),
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    (log,) = (folder / "logs").glob("*.json")
    found: dict[str, Any] = json.loads(log.read_text(encoding="utf-8"))
    assert found["status"] == "success", found.get("error")
    return found


def metrics(log: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Scorer's name to metric to value."""
    return {
        score["name"]: {name: metric["value"] for name, metric in score["metrics"].items()}
        for score in log["results"]["scores"]
    }


def test_scrapegraph_shows_the_nine_metrics(tmp_path: Path) -> None:
    log = evaluate(tmp_path, "scrapegraph")
    found = metrics(log)
    assert set(found) == set(METRICS)
    for name in METRICS:
        assert {"mean", "stderr"} <= set(found[name])
    assert found["is_valid_json"]["mean"] == 0.0  # the mock model writes prose
    assert found["missing_keys"]["mean"] > 1
    assert any("0-50" in name for name in found["key_f1"])
    assert log["results"]["total_samples"] == 100
    assert log["eval"]["config"].get("epochs", 1) == 1


def test_rows_of_a_file_with_its_own_columns(tmp_path: Path) -> None:
    rows = [
        {"content": f"# Page {n}", "schema": json.dumps({"type": "object"}), "response": json.dumps({"a": n})}
        for n in range(3)
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    log = evaluate(tmp_path, "scrapegraph", "-T", "data=rows.jsonl", "-T", "profile=aligned")
    assert {"leaf_f1", *METRICS} <= set(metrics(log))
    assert log["results"]["total_samples"] == 3


@pytest.mark.parametrize("task", ["factuality", "compliance"])
def test_judging(tmp_path: Path, task: str) -> None:
    log = evaluate(tmp_path, task, "--limit", "40")
    (found,) = metrics(log).values()
    assert {"mean", "stderr", "balanced_accuracy", "f1_of_yes", "answered"} <= set(found)
    assert found["answered"] == 0.0
    assert found["balanced_accuracy"] == 0.5


PROGRAM = """
import json, sys, warnings
warnings.simplefilter("ignore")
from inspect_ai import eval
from inspect_ai.model import ModelOutput, get_model
from schemaproof.models.inspect_tasks import factuality, scrapegraph

def answers(task, reply):
    outputs = [ModelOutput.from_content("mockllm", reply(sample)) for sample in task.dataset]
    model = get_model("mockllm/model", custom_outputs=outputs)
    (log,) = eval(task, model=model, display="none", log_dir=sys.argv[1], max_connections=1, max_samples=1)
    assert log.status == "success", log.error
    return {score.name: {name: metric.value for name, metric in score.metrics.items()} for score in log.results.scores}

perfect = answers(scrapegraph(), lambda sample: "```json\\n" + sample.target + "\\n```")
broken = answers(scrapegraph(), lambda sample: "5" if sample.id.endswith("1") else sample.target)
right = answers(factuality(), lambda sample: "Yes." if sample.target == "yes" else "No, it does not.")
always = answers(factuality(), lambda sample: "yes")
print(json.dumps([perfect, broken, right, always]))
"""


def test_figures_of_known_answers(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "logs")],
        capture_output=True,
        cwd=tmp_path,
        env=environment(tmp_path),
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    perfect, broken, right, always = json.loads(done.stdout.splitlines()[-1])
    assert perfect["key_f1"]["mean"] == perfect["is_schema_compliant"]["mean"] == 1.0
    # An answer that cannot be scored is left out of the means, not counted as 0.
    assert broken["key_f1"]["mean"] == 1.0
    (right_figures,), (always_figures,) = right.values(), always.values()
    assert right_figures["mean"] == right_figures["balanced_accuracy"] == right_figures["f1_of_yes"] == 1.0
    assert always_figures["balanced_accuracy"] == 0.5
    assert abs(always_figures["f1_of_yes"] - 2 / 3) < 1e-9
