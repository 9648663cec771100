"""`replay` as a user calls it."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with one unit."""
    corpus = tmp_path / "clone" / "data" / "WDC" / "Pset" / "count_sum" / "stratum_1" / "corpus"
    page = hashlib.md5(b"https://a.example/", usedforsecurity=False).hexdigest()
    markup = {"@type": "Recipe", "name": "Pie", "recipeYield": 4}
    for folder, kind, tree in (
        ("baseline", "expected", [markup]),
        ("GPT_3_Turbo_16K/text2kg_prompt3", "pred", markup),
        ("GPT_4_Turbo_Preview/text2kg_prompt3", "pred", {**markup, "author": "Ann"}),
    ):
        (corpus / folder).mkdir(parents=True)
        stem = corpus / folder / f"{page}_Recipe"
        Path(f"{stem}.jsonld").write_text(json.dumps(tree))
        Path(f"{stem}_shacl_{kind}.json").write_text('{"msgs": {}, "score": 1.0}')
        key = "recipeYield[TOK_Q_DELIM]4[TOK_Q_DELIM]Recipe"
        Path(f"{stem}_factual_{kind}.json").write_text(json.dumps({"chunk_0": {key: {"response": "TOKNEG"}}}))
        Path(f"{stem}_semantic_{kind}.json").write_text("{}")
    (corpus / f"{page}.txt").write_text("Pie")
    return tmp_path / "clone"


def test_json(schemaproof: Call, clone: Path) -> None:
    done = schemaproof("replay", str(clone), "--json")
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert (found["schema_version"], found["protocol"], found["units"], found["pages"]) == (1, "published", 1, 1)
    tables = {table["table"]: table for table in found["tables"]}
    human = tables["7"]["rows"][0]["cells"]
    assert [human[stage]["replayed"] for stage in ("Input", "Valid", "Fact", "Comp")] == [2, 2, 1, 1]
    assert human["Input"] == {
        "published": "5690",
        "replayed": 2,
        "status": "partial",
        "why": "over 1 units, the paper's is over 198",
    }
    assert found["differences"] == []


def test_the_table_shows_both_numbers(schemaproof: Call, clone: Path) -> None:
    done = schemaproof("replay", str(clone))
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr.decode()
    assert "Table 8a" in text
    printed, replayed = text[text.index("Table 7") :].splitlines()[2:4]
    assert printed.split() == ["Human", "paper", "5690", "4875", "3315", "2719", "52.2"]
    assert replayed.split() == ["replayed", "~", "2", "~", "2", "~", "1", "~", "1", "~", "50.00"]
    assert "= 0.8947" in text
    assert "No cell differs from the paper." in text


def test_ours(schemaproof: Call, clone: Path) -> None:
    done = schemaproof("replay", str(clone), "--protocol", "ours", "--json")
    assert done.returncode == 0, done.stderr.decode()
    table = json.loads(done.stdout)["tables"][0]
    assert table["rows"][0]["row"] == "published (1 units): Human"
    assert b"ours (1 units): GPT-4" in schemaproof("replay", str(clone), "--protocol", "ours").stdout


def test_mistakes_have_their_exit_status(schemaproof: Call, clone: Path, tmp_path: Path) -> None:
    gone = schemaproof("replay", str(tmp_path / "none"))
    assert gone.returncode == 3
    (tmp_path / "empty").mkdir()
    empty = schemaproof("replay", str(tmp_path / "empty"))
    assert empty.returncode == 2
    assert b"layout" in empty.stderr
    assert schemaproof("replay", str(clone), "--protocol", "theirs").returncode == 2
    assert schemaproof("replay", str(clone), "--votes", str(tmp_path / "none.json")).returncode == 3
