"""`score` as a user calls it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def markups(tmp_path: Path) -> Path:
    """The paper's worked example in kind: 12 facts against 5, 15 in the merge."""
    human = {
        "@context": "https://schema.org",
        "@type": "Recipe",
        "name": "Apple pie",
        "recipeCategory": "dessert",
        "recipeCuisine": "American",
        "recipeIngredient": [f"ingredient {number}" for number in range(9)],
    }
    model = {
        "@context": "https://schema.org",
        "@type": "Recipe",
        "name": "Apple pie",
        "recipeCategory": "dessert",
        "recipeInstructions": ["mix", "bake", "serve"],
    }
    (tmp_path / "human.jsonld").write_text(json.dumps(human))
    (tmp_path / "model.jsonld").write_text(json.dumps(model))
    return tmp_path


def answer(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_worked_example(schemaproof: Call, markups: Path) -> None:
    found = answer(schemaproof("score", "human.jsonld", "model.jsonld", "--json"))
    assert found["schema_version"] == 1
    assert found["memr"] == [{"a": "human.jsonld", "b": "model.jsonld", "a_score": 12 / 15, "b_score": 5 / 15}]
    assert found["share"] == {"human.jsonld": 12 / 15, "model.jsonld": 5 / 15}
    assert found["markups"]["model.jsonld"] == {
        "facts": 5,
        "properties": {"name": 1, "recipeCategory": 1, "recipeInstructions": 3},
    }


def test_every_pair_of_several_and_the_table(schemaproof: Call, markups: Path) -> None:
    (markups / "empty.jsonld").write_text("[]")
    done = schemaproof("score", "human.jsonld", "model.jsonld", "empty.jsonld", "human.jsonld", "--properties")
    text = done.stdout.decode()
    assert done.returncode == 0
    assert "human.jsonld#2" in text
    assert text.count("0.800") >= 3
    assert "recipeIngredient" in text
    (markups / "nothing.jsonld").write_text("{}")
    found = answer(schemaproof("score", "empty.jsonld", "nothing.jsonld", "--json"))
    assert found["share"] is None
    assert found["memr"][0]["a_score"] is None
    assert b"-" in schemaproof("score", "empty.jsonld", "nothing.jsonld").stdout


def test_weights_and_types(schemaproof: Call, markups: Path) -> None:
    (markups / "w.csv").write_text("recipeInstructions,0\nrecipeIngredient,0\n")
    found = answer(schemaproof("score", "human.jsonld", "model.jsonld", "--weights", "w.csv", "--json"))
    assert (found["memr"][0]["a_score"], found["memr"][0]["b_score"]) == (1.0, 2 / 3)
    (markups / "two.jsonld").write_text(
        '[{"@type": "Recipe", "name": "Apple pie"}, {"@type": "Person", "name": "Ann", "email": "a@b.example"}]'
    )
    found = answer(schemaproof("score", "human.jsonld", "two.jsonld", "--type", "Person", "--json"))
    assert found["memr"][0] == {"a": "human.jsonld", "b": "two.jsonld", "a_score": 0.0, "b_score": 1.0}
    done = schemaproof("score", "human.jsonld", "two.jsonld", "--type", "Person")
    assert b"human.jsonld: no root of type Person" in done.stderr


def test_html_counts_as_its_markup(schemaproof: Call, markups: Path) -> None:
    script = (markups / "model.jsonld").read_text()
    (markups / "page.html").write_text(f'<html><script type="application/ld+json">{script}</script></html>')
    found = answer(schemaproof("score", "model.jsonld", "page.html", "--json"))
    assert (found["memr"][0]["a_score"], found["memr"][0]["b_score"]) == (1.0, 1.0)


def test_mistakes_have_their_exit_status(schemaproof: Call, markups: Path) -> None:
    assert schemaproof("score", "human.jsonld").returncode == 2
    gone = schemaproof("score", "human.jsonld", "none.jsonld")
    assert gone.returncode == 3
    assert b"none.jsonld" in gone.stderr
    (markups / "bad.jsonld").write_text('{"a')
    bad = schemaproof("score", "human.jsonld", "bad.jsonld")
    assert bad.returncode == 2
    assert b"bad.jsonld:1:2: no markup can be read" in bad.stderr
    (markups / "w.json").write_text('{"name": "heavy"}')
    weights = schemaproof("score", "human.jsonld", "model.jsonld", "--weights", "w.json")
    assert weights.returncode == 2
    assert b"0 or more" in weights.stderr
