from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from schemaproof.errors import InputError, SourceError
from schemaproof.published.replay import replay

SIDES = {
    "human": [{"@type": "Recipe", "name": "Pie", "recipeYield": 4}],
    "gpt3": {"@type": "Recipe", "name": "Pie"},
    "gpt4": {"@type": "Recipe", "name": "Pie", "author": "Ann"},
}


def test_all_tables_in_the_paper_s_order(artefact: Any, tmp_path: Path) -> None:
    artefact.add("https://a.example/", "Recipe", SIDES)
    found = replay(artefact.root)
    assert [table.name for table in found.tables] == ["1", "2", "3", "4", "6", "7", "8a", "8b", "9", "H"]
    assert (found.units, found.pages, found.features) == (1, 1, ("count_sum",))
    assert found.differences() == []
    (tmp_path / "votes.json").write_text('[{"id": "x", "votes": {"Markup A": 1}, "memr": "A"}, {}]')
    with_votes = replay(artefact.root, votes=tmp_path / "votes.json")
    assert "E" in [table.name for table in with_votes.tables]
    assert len(with_votes.problems) == 1


def test_differences_have_a_reason_each(unpacked: Path, shared: Path) -> None:
    found = replay(unpacked, truth=shared / "paper")
    differing = found.differences()
    assert {(cell["table"], cell["column"]) for cell in differing} == {("6", "PV mean"), ("6", "PV max")}
    assert all(cell["why"] and cell["why"] != "no reason known" for cell in differing)
    assert len(found.problems) == 2
    answer = found.as_dict()
    assert answer["schema_version"] == 1
    cells = {
        (table["table"], row["row"], column): cell
        for table in answer["tables"]
        for row in table["rows"]
        for column, cell in row["cells"].items()
    }
    assert cells["8a", "Human Medium", "Input"] == {"published": "861", "replayed": 861, "status": "equal", "why": ""}
    assert cells["E", "plurality, recorded MeMR", "kappa, tie-agrees"]["replayed"] == pytest.approx(0.8232, abs=5e-5)
    assert cells["6", "count_sum Low", "DP"]["status"] == "equal"
    assert cells["9 (MeMR)", "21a44…", "gpt4"] == {"published": "T", "replayed": "T", "status": "equal", "why": ""}


def test_the_human_column_printed_again_is_told(artefact: Any) -> None:
    from schemaproof.published.outcome import _repeated

    assert _repeated("pset_length", "gpt4", "High", "Input") == "the paper prints the human column again"
    assert _repeated("pset_length", "gpt4", "Low", "Input") == ""
    assert _repeated("count_sum", "gpt4", "High", "Input") == ""


def test_ours(artefact: Any) -> None:
    artefact.add("https://a.example/", "Recipe", SIDES)
    found = replay(artefact.root, protocol="ours")
    table, kappas = found.tables
    assert kappas.name == "9"
    assert len(table.rows) == 8 * 3
    assert found.as_dict()["tables"][0]["table"] == "ours"


def test_mistakes(artefact: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="published and ours"):
        replay(tmp_path, protocol="theirs")
    with pytest.raises(SourceError, match="ground truth"):
        replay(tmp_path, truth=tmp_path / "none")
    with pytest.raises(InputError, match="layout"):
        replay(tmp_path)
