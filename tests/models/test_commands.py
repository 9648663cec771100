"""The commands that ask models, as a user calls them, against a server on loopback."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from schemaproof.cli.main import cli
from schemaproof.models import building

loopback: Any = sys.modules["schemaproof_loopback"]
Said: Any = loopback.Said
PAGE = (
    "<html lang=en><title>Soup</title><h1>Pea soup</h1><p>For 4 people, by Ada Finch.</p>"
    '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Recipe", "name": "Pea soup", '
    '"recipeYield": "4 people", "recipeCuisine": "Martian"}</script>'
)
ROWS = [
    {"id": str(n), "text": f"Pea soup number {n}, for {n} people", "property": name, "value": value, "type": "Recipe",
     "label": label}
    for n in range(1, 7)
    for name, value, label in (("name", f"Pea soup number {n}", "positive"), ("recipeCuisine", "Martian", "negative"))
]  # fmt: skip


def answer(body: dict[str, Any], _: int) -> Any:
    text = body["messages"][-1]["content"]
    if 'has the recipeCuisine "Martian"' in text:
        return Said("No", yes=0.1)
    if "types" in text and "Name one" in text:
        return Said('{"types": ["Recipe", "Person"]}')
    if body["messages"][0]["content"].startswith("You write"):
        return Said('{"@context": "https://schema.org", "@graph": [{"@type": "Recipe", "name": "Pea soup"}, '
                    '{"@type": "Person", "name": "Ada Finch"}]}')  # fmt: skip
    if "Statements:" in text:
        lines = [line for line in text.rpartition("Statements:")[2].splitlines() if line[:1].isdigit()]
        answers = [
            {
                "n": int(line.split(".")[0]),
                "verdict": "unsupported" if "Martian" in line else "supported",
                "quote": json.loads(line.rpartition(" = ")[2]),
            }
            for line in lines
        ]
        return Said(json.dumps({"answers": answers}))
    return Said("Yes", yes=0.9)


def call(*arguments: str) -> Result:
    building.forget_models()
    return CliRunner().invoke(cli, arguments, catch_exceptions=False)


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "soup.html"
    path.write_text(PAGE)
    return str(path)


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "factuality_small.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return str(path)


@pytest.mark.parametrize("mode", ["one-pair", "batched"])
def test_check_by_a_model(page: str, mode: str) -> None:
    with loopback.Loopback(answer) as server:
        options = ("--judge", server.spec(), "--mode", mode, "--agents", "validity,factuality")
        told = json.loads(call("check", page, *options, "--dry-run", "--json").stdout)
        done = call("check", page, *options, "--json")
        kept = {each["property"]: each["kept"] for each in json.loads(done.stdout)["statements"]}
        assert kept == {"name": True, "recipeYield": True, "recipeCuisine": False}
        assert told["calls"][0] <= server.log.requests <= told["calls"][1]
        assert server.log.requests == (3 if mode == "one-pair" else 2)
        assert call("check", page, *options, "--json").exit_code == done.exit_code == 1
        assert server.log.requests == (3 if mode == "one-pair" else 2)


def test_generate_with_types_that_the_model_names(page: str) -> None:
    with loopback.Loopback(answer) as server:
        writing = ("generate", page, "--by", server.spec(), "--prompt", "bare")
        told = json.loads(call(*writing, "--type", "Recipe", "--dry-run", "--json").stdout)
        assert told["calls"] == [1, 2]
        assert server.log.requests == 0
        done = call(*writing, "--type", "auto")
        assert done.exit_code == 0
        assert [each["@type"] for each in json.loads(done.stdout)] == ["Recipe", "Person"]
        assert "types that the page's own markup does not have: Person" in done.stderr


def test_a_run_tells_which_types_a_side_missed(page: str, tmp_path: Path) -> None:
    with loopback.Loopback(answer) as server:
        run = ("run", page, "--contender", f"m={server.spec()}", "--type", "auto", "--prompt", "bare")
        done = call(*run, "-o", str(tmp_path / "run.db"), "--quiet")
        assert done.exit_code == 0
        assert "m: types that the page's own markup does not have: Person" in done.stdout


def test_bench_judges_beside_samples(rows: str) -> None:
    with loopback.Loopback(answer) as server:
        run = ("bench", "judges", "--judge", server.spec(), "--data", rows, "--samples", "3", "--resamples", "20")
        told = json.loads(call(*run, "--dry-run", "--json").stdout)
        assert told["calls"] == [48, 48]
        done = call(*run, "--json")
        assert abs(server.log.prompt_tokens - told["prompt_tokens"][0]) <= 0.05 * server.log.prompt_tokens
        sets = json.loads(done.stdout)["sets"]
        assert set(sets) == {"factuality_small", "factuality_small (3 samples)"}
        assert {each["balanced_accuracy"] for each in sets.values()} == {1.0}
        assert sets["factuality_small"]["calls"] == 12
        assert sets["factuality_small (3 samples)"]["calls"] == 36
        assert {body.get("temperature") for body in server.log.asked} == {0.0, 1.0}


def test_bench_judges_batched_asks_about_a_text_at_once(rows: str) -> None:
    with loopback.Loopback(answer) as server:
        run = ("bench", "judges", "--judge", server.spec(), "--data", rows, "--mode", "batched", "--resamples", "20")
        found = json.loads(call(*run, "--json").stdout)["sets"]["factuality_small"]
        assert found["balanced_accuracy"] == 1.0
        # Six texts with two statements each, in two orders.
        assert found["calls"] == 12


def test_bench_prompts_compares_words(rows: str) -> None:
    with loopback.Loopback(answer) as server:
        done = call("bench", "prompts", "--judge", server.spec(), "--data", rows, "--json")
        found = json.loads(done.stdout)["prompts"]
        assert set(found) == {"plain", "strict", "short"}
        assert server.log.requests == 36
        bad = CliRunner().invoke(
            cli, ["bench", "prompts", "--judge", server.spec(), "--data", rows, "--prompt", "none"]
        )
        assert "no prompt is called none" in str(bad.exception)


def test_bench_calibrate_writes_what_a_cascade_reads(rows: str, page: str, tmp_path: Path) -> None:
    file = tmp_path / "calibration.json"
    with loopback.Loopback(answer) as server:
        done = call(
            "bench", "calibrate", "--judge", server.spec(), "--data", rows, "--half", "0", "-o", str(file), "--json"
        )
        assert done.exit_code == 0
        told = json.loads(done.stdout)
        written = json.loads(file.read_text())
        assert written["factuality"] == told["factuality"]
        assert "half 0 by text" in written["data"]
        checked = call("check", page, "--judge", f"cascade:{server.spec(f'calibration={file}')}", "--json")
        assert json.loads(checked.stdout)["statements"]


def test_the_memory_is_shown_exported_and_pruned(page: str, tmp_path: Path) -> None:
    assert call("memory", "show").exit_code == 1
    with loopback.Loopback(answer) as server:
        call("check", page, "--judge", server.spec(), "--json")
        shown = json.loads(call("memory", "show", "--last", "2", "--json").stdout)
        # Factuality of three statements, compliance of the two that are left.
        assert {each["purpose"]: each["answers"] for each in shown["answers"]} == {"factuality": 3, "compliance": 2}
        assert len(shown["newest"]) == 2
        file = tmp_path / "answers.jsonl"
        call("memory", "export", "-o", str(file))
        assert len(file.read_text().splitlines()) == 5
        assert CliRunner().invoke(cli, ["memory", "prune"]).exit_code == 2
        assert json.loads(call("memory", "prune", "--older-than", "1d", "--json").stdout)["forgotten"] == 0
        assert json.loads(call("memory", "prune", "--model", server.spec().split("?")[0], "--json").stdout) == {
            "schema_version": 1,
            "forgotten": 5,
        }


def test_an_exported_memory_answers_as_a_recorded_model(page: str, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    with loopback.Loopback(answer) as server:
        first = json.loads(call("check", page, "--judge", server.spec(), "--json").stdout)
        call("memory", "export", "-o", str(file))
    again = json.loads(call("check", page, "--judge", f"recorded/{file}", "--json").stdout)
    assert again["statements"] == first["statements"]
    assert [each["kept"] for each in again["statements"]] == [True, True, False]
