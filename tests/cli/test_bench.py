from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]
EXAMPLES = Path(__file__).resolve().parent.parent / "fixtures" / "groundtruth" / "examples.txt"
ROW = {
    "id": "1",
    "set": "mine",
    "agent": "compliance",
    "group": "g",
    "types": ["Offer"],
    "property": "priceCurrency",
    "value": "EUR",
    "label": "positive",
}


def test_build_writes_the_sets_and_the_leak_report(schemaproof: Run, tmp_path: Path) -> None:
    done = schemaproof("bench", "build", "--examples", str(EXAMPLES), "-o", "truth", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["schema_version"] == 1
    assert set(answer["sets"]) == {"factuality_extrinsic", "factuality_intrinsic", "compliance"}
    for name, found in answer["sets"].items():
        rows = [json.loads(line) for line in (tmp_path / "truth" / f"{name}.jsonl").read_text("utf-8").splitlines()]
        assert len(rows) == found["n"]
        assert set(found["blind"]) >= {"type", "property", "value shape"}
    assert json.loads((tmp_path / "truth" / "leaks.json").read_text("utf-8")) == answer
    assert b"2 examples have no text" in done.stderr


def test_judges_reads_what_build_writes(schemaproof: Run, tmp_path: Path) -> None:
    schemaproof("bench", "build", "--examples", str(EXAMPLES), "-o", "truth")
    data = str(tmp_path / "truth" / "factuality_intrinsic.jsonl")
    done = schemaproof("bench", "judges", "--data", data, "--resamples", "20", "--errors", "errors.html")
    assert done.returncode == 0, done.stderr
    assert b"balanced_accuracy" in done.stdout
    assert b"factuality_intrinsic" in done.stdout
    assert (tmp_path / "errors.html").read_text("utf-8").startswith("<!doctype html>")


def test_judges_in_json_with_a_floor(schemaproof: Run, tmp_path: Path) -> None:
    wrong = {**ROW, "id": "2", "value": "Euro", "label": "negative", "group": "h"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROW) + "\n" + json.dumps(wrong) + "\n", "utf-8")
    call = ("bench", "judges", "--data", "rows.jsonl", "--resamples", "20", "--json")
    done = schemaproof(*call, "--floor", "0.9", "--errors", "errors.jsonl")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["sets"]["mine"]
    assert (found["n"], found["balanced_accuracy"], found["f1"]) == (2, 1.0, 1.0)
    assert len(found["interval"]) == 2
    assert (tmp_path / "errors.jsonl").read_text("utf-8") == ""
    (tmp_path / "rows.jsonl").write_text(json.dumps({**ROW, "label": "negative"}) + "\n" + json.dumps(wrong), "utf-8")
    assert schemaproof(*call, "--floor", "0.9").returncode == 1


def test_unusable_input_is_named(schemaproof: Run, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROW) + "\n{broken\n", "utf-8")
    done = schemaproof("bench", "judges", "--data", "rows.jsonl")
    assert done.returncode == 2
    assert b"rows.jsonl:2:" in done.stderr
    assert schemaproof("bench", "judges", "--data", "missing.jsonl").returncode == 3
    assert schemaproof("bench", "judges", "--data", "rows.jsonl", "--judge", "nonsense").returncode == 2
    gold = {"id": 1, "page": "p", "property": "name", "value": "x", "factual": "supported"}
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold), "utf-8")
    done = schemaproof("bench", "judges", "--data", "gold.jsonl")
    assert done.returncode == 2
    assert b"--pages" in done.stderr
    done = schemaproof("bench", "build", "--examples", "nothing.txt")
    assert done.returncode == 3
    assert b"nothing.txt" in done.stderr


def test_export_of_a_run(schemaproof: Run, tmp_path: Path) -> None:
    (tmp_path / "lamp.html").write_text(
        '<html lang="en"><title>Lamp</title><script type="application/ld+json">{"@context":"https://schema.org",'
        '"@type":"Product","name":"Lamp","offers":{"@type":"Offer","price":"5","priceCurrency":"Euro"}}</script>'
        "<h1>Lamp</h1><p>Price: 5 Euro. A small lamp for the desk, made of brass.</p>",
        "utf-8",
    )
    assert schemaproof("run", "lamp.html", "-o", "run.db", "--quiet").returncode == 0
    done = schemaproof("bench", "export", "run.db", "-o", "train.jsonl", "--licence", "CC0")
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in (tmp_path / "train.jsonl").read_text("utf-8").splitlines()]
    assert {record["agent"] for record in records} == {"factuality", "compliance"}
    assert {record["licence"] for record in records} == {"CC0"}
    assert any('"suggestion": "EUR"' in record["messages"][2]["content"] for record in records)
    assert schemaproof("bench", "export", "nothing.db").returncode == 3
