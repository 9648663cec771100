"""`schemaproof vocabulary` as a user calls it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHEMAPROOF_CACHE", str(tmp_path / "cache"))


def test_show_a_type(schemaproof: Run) -> None:
    done = schemaproof("vocabulary", "show", "HowToStep")
    assert done.returncode == 0
    text = done.stdout.decode()
    assert "https://schema.org/HowToStep" in text
    assert "below: CreativeWork, ItemList, ListItem" in text
    assert "properties of ListItem: item, nextItem, position, previousItem" in text


def test_show_as_json(schemaproof: Run) -> None:
    done = schemaproof("vocabulary", "show", "http://schema.org/vendor", "InStock", "Duration", "--json")
    vendor, in_stock, duration = map(json.loads, done.stdout.splitlines())
    assert vendor["kinds"] == ["property"]
    assert vendor["superseded_by"] == ["seller"]
    assert vendor["ranges"] == ["Organization", "Person"]
    assert vendor["schema_version"] == 1
    assert in_stock["member_of"] == ["ItemAvailability"]
    assert duration["data_type"] is True
    assert duration["release"] == "30.0"


def test_an_unknown_term_gets_a_suggestion(schemaproof: Run) -> None:
    done = schemaproof("vocabulary", "show", "Prodct", "Person")
    assert done.returncode == 2
    assert "did you mean Product?" in done.stderr.decode()
    assert b"https://schema.org/Person" in done.stdout


def test_show_of_another_vocabulary(schemaproof: Run, tmp_path: Path) -> None:
    file = tmp_path / "zoo.ttl"
    file.write_text(
        "@prefix : <http://zoo.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        '@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . :Bird a owl:Class ; rdfs:comment "It flies." .'
    )
    done = schemaproof("vocabulary", "show", "Bird", "--vocabulary", str(file))
    assert done.returncode == 0
    assert "It flies." in done.stdout.decode()
    file.write_text("@prefix : <broken")
    done = schemaproof("vocabulary", "show", "Bird", "--vocabulary", str(file))
    assert done.returncode == 2
    assert f"{file}:1:" in done.stderr.decode()


def test_shapes(schemaproof: Run) -> None:
    done = schemaproof("vocabulary", "shapes", "--policy", "schema.org")
    assert done.returncode == 0
    assert b"sh:targetSubjectsOf v:isbn" in done.stdout
    assert schemaproof("vocabulary", "shapes", "--policy", "google").returncode == 2


def test_fetch_from_a_folder(schemaproof: Run, shared: Path, tmp_path: Path) -> None:
    done = schemaproof("vocabulary", "fetch", "--from", str(shared / "vocabulary" / "30.0"))
    assert done.returncode == 0
    assert all(Path(line).is_file() for line in done.stdout.decode().splitlines())
    shown = schemaproof("vocabulary", "show", "InStock")
    assert "in stock" in shown.stdout.decode()
    assert not shown.stderr
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("x")
    assert schemaproof("vocabulary", "fetch", "--from", str(wrong)).returncode == 2


def test_where_definitions_come_from_is_a_hint_told_once(schemaproof: Run) -> None:
    done = schemaproof("vocabulary", "show", "Product", "price")
    assert done.returncode == 0
    assert b"vocabulary fetch" not in done.stdout
    assert done.stderr.decode().strip() == "Hint: with their definitions after schemaproof vocabulary fetch"
    # Of a term that is not there nothing but that is said.
    assert b"Hint" not in schemaproof("vocabulary", "show", "Prodct").stderr
