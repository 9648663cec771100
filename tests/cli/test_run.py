"""`run` and `merge` as a user calls them."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., "subprocess.CompletedProcess[bytes]"]
EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "pages"
PAGE = """<!doctype html><html lang="en"><title>{n}</title><script type="application/ld+json">
{{"@context": "https://schema.org", "@type": "Recipe", "name": "Pie {n}", "cookTime": "PT{n}M", "prise": "x"}}
</script><h1>Pie {n}</h1><p>Cooking time: {n} minutes</p>"""


def pages(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(1, count + 1):
        (folder / f"p{number:03}.html").write_text(PAGE.format(n=number), encoding="utf-8")
    return folder


def answer(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_json_holds_stage_counts_and_memr(schemaproof: Call, tmp_path: Path) -> None:
    result = answer(schemaproof("run", str(pages(tmp_path / "in", 2)), "--json"))
    assert result["schema_version"] == 1
    assert [Path(page["page"]).name for page in result["pages"]] == ["p001.html", "p002.html"]
    (unit,) = result["pages"][0]["units"]
    assert unit["types"] == ["Recipe"]
    human = unit["contenders"]["human"]
    assert {key: human[key] for key in ("input", "valid", "factual", "compliant", "unclear")} == {
        "input": 3,
        "valid": 2,
        "factual": 2,
        "compliant": 2,
        "unclear": 0,
    }
    assert set(unit["contenders"]) == {"human", "extractor"}
    (score,) = unit["memr"]
    assert (score["a"], score["b"]) == ("human", "extractor")
    assert 0 <= score["a_score"] <= 1
    totals = result["totals"]
    assert totals["contenders"]["human"]["rejection_rate"] == pytest.approx(1 / 3)
    assert totals["units"] == 2
    assert "policy:schema.org" in result["signature"]


def test_the_table_says_it_for_people(schemaproof: Call, tmp_path: Path) -> None:
    done = schemaproof("run", str(pages(tmp_path / "in", 2)))
    text = done.stdout.decode()
    assert done.returncode == 0
    assert "MeMR" in text
    assert "p001.html" in text
    assert "95% interval" in text


def test_pages_are_not_worked_on_twice(schemaproof: Call, tmp_path: Path) -> None:
    folder = pages(tmp_path / "in", 3)
    first = schemaproof("run", str(folder), "--json")
    before = rowids(tmp_path / "schemaproof-run.db")
    assert schemaproof("run", str(folder), "--json").stdout == first.stdout
    assert rowids(tmp_path / "schemaproof-run.db") == before
    (folder / "p002.html").write_text(PAGE.format(n=99))
    schemaproof("run", str(folder), "--json")
    after = rowids(tmp_path / "schemaproof-run.db")
    assert {name for name in before if before[name] != after[name]} == {str(folder / "p002.html")}


def test_another_signature_is_another_result(schemaproof: Call, tmp_path: Path) -> None:
    folder = str(pages(tmp_path / "in", 1))
    one = answer(schemaproof("run", folder, "--json"))
    two = answer(schemaproof("run", folder, "--json", "--agents", "validity"))
    assert one["signature"] != two["signature"]
    assert two["pages"][0]["units"][0]["contenders"]["human"]["compliant"] == 2


def rowids(file: Path) -> dict[str, int]:
    with sqlite3.connect(file) as connection:
        found = dict(connection.execute("SELECT name, id FROM pages").fetchall())
    connection.close()
    return found


def test_a_bad_page_is_told_and_the_rest_goes_on(schemaproof: Call, tmp_path: Path) -> None:
    folder = pages(tmp_path / "in", 2)
    done = schemaproof("run", str(folder), str(tmp_path / "absent.html"), "--json")
    result = answer(done)
    assert [page["error"] for page in result["pages"]] == [None, None, "no such file"]
    assert result["totals"]["failed"] == 1
    assert schemaproof("run", str(tmp_path / "absent.html"), "--fail-on", "page").returncode == 1


def test_shards_merge_to_the_whole(schemaproof: Call, tmp_path: Path) -> None:
    folder = str(pages(tmp_path / "in", 5))
    whole = answer(schemaproof("run", folder, "--json", "-o", "whole.db"))
    for number in (1, 2):
        schemaproof("run", folder, "--shard", f"{number}/2", "-o", f"part{number}.db")
    assert schemaproof("merge", "part1.db", "part2.db", "-o", "joined.db").returncode == 0
    assert answer(schemaproof("run", folder, "--json", "-o", "joined.db")) == whole
    assert schemaproof("run", folder, "--shard", "3/2").returncode == 2


def test_files_are_a_contender(schemaproof: Call, tmp_path: Path) -> None:
    folder = pages(tmp_path / "in", 2)
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "p001.jsonld").write_text('{"@type": "Recipe", "name": "Pie 1"}')
    result = answer(schemaproof("run", str(folder), "--contender", "mine=files/made", "--json"))
    first, second = (page["units"][0] for page in result["pages"])
    assert first["contenders"]["mine"]["compliant"] == 1
    assert first["memr"][0]["a_score"] == 1.0
    assert "p002.jsonld" in second["contenders"]["mine"]["error"]
    assert second["memr"][0]["a_score"] is None
    assert result["totals"]["contenders"]["mine"]["errors"] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--contender", "a=nothing"], "is no SPEC"),
        (["--contender", "a=files/absent"], "no folder"),
        (["--type", "Recette"], "no type 'Recette'"),
        (["--policy", "strict"], "policy"),
        (["--agents", "truth"], "no agent"),
        (["--vocabulary", "absent.ttl"], "absent.ttl"),
    ],
)
def test_what_cannot_be_used_is_said_before_any_page(schemaproof: Call, arguments: list[str], words: str) -> None:
    done = schemaproof("run", str(EXAMPLES), *arguments)
    assert done.returncode == 2, done.stderr.decode()
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_types_may_be_given(schemaproof: Call, tmp_path: Path) -> None:
    (tmp_path / "plain.html").write_text("<html lang=en><h1>Pie</h1><p>Cooking time: 5 minutes</p>")
    bare = answer(schemaproof("run", "plain.html", "--json"))
    assert (bare["totals"]["units"], bare["totals"]["without_units"]) == (0, 1)
    given = answer(schemaproof("run", "plain.html", "--json", "--type", "Recipe"))
    (unit,) = given["pages"][0]["units"]
    assert unit["memr"][0]["a_score"] == 0.0


@pytest.mark.slow
def test_killed_at_random_moments_it_comes_to_the_same_result(tmp_path: Path) -> None:
    folder = str(pages(tmp_path / "in", 120))
    command = [sys.executable, "-m", "schemaproof", "run", folder, "--json", "--jobs", "2"]
    undisturbed = subprocess.run([*command, "-o", "a.db"], cwd=tmp_path, capture_output=True, check=True).stdout
    chance = random.Random(5)
    saved: dict[str, int] = {}
    for _ in range(10):
        process = subprocess.Popen(
            [*command, "-o", "b.db"], cwd=tmp_path, stdout=subprocess.PIPE, start_new_session=True
        )
        time.sleep(chance.uniform(0.3, 1.6))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        if (tmp_path / "b.db").exists():
            try:
                now = rowids(tmp_path / "b.db")
            except sqlite3.OperationalError:
                continue  # killed before the tables were there
            assert {name: now.get(name) for name in saved} == saved, "a committed page was worked on again"
            saved = now
    done = subprocess.run([*command, "-o", "b.db"], cwd=tmp_path, capture_output=True, check=True)
    assert done.stdout == undisturbed
    final = rowids(tmp_path / "b.db")
    assert {name: final[name] for name in saved} == saved


@pytest.mark.slow
def test_an_interrupt_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    folder = str(pages(tmp_path / "in", 200))
    command = [sys.executable, "-m", "schemaproof", "run", folder, "-o", "c.db"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not (tmp_path / "c.db").exists():
        time.sleep(0.02)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    if process.returncode == 0:
        pytest.skip("the run was over before the interrupt came")
    assert process.returncode == 130
    assert b"goes on from there" in errors
    assert b"Traceback" not in errors


def test_a_refused_run_does_not_hide_the_one_before(schemaproof: Call, tmp_path: Path) -> None:
    folder = str(pages(tmp_path / "in", 1))
    assert schemaproof("run", folder).returncode == 0
    assert schemaproof("run", folder, "--contender", "m=recorded/absent.jsonl").returncode != 0
    done = schemaproof("report", "schemaproof-run.db", "--format", "json", "-o", "r.json")
    assert done.returncode == 0, done.stderr
    assert "extractor" in (tmp_path / "r.json").read_text()


def test_no_page_at_all_is_no_success(schemaproof: Call, tmp_path: Path) -> None:
    assert schemaproof("run", "absent.html").returncode == 3
    (tmp_path / "empty").mkdir()
    assert schemaproof("check", "empty").returncode == 2


def test_one_page_is_one_page(schemaproof: Call, tmp_path: Path) -> None:
    text = schemaproof("run", str(pages(tmp_path / "in", 1))).stdout.decode()
    assert "1 page, 1 unit\n" in text
    assert "mean over 1 unit;" in text
