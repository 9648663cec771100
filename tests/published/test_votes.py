from __future__ import annotations

import json
from pathlib import Path

import pytest

from schemaproof.errors import InputError, SourceError
from schemaproof.published.cells import Status
from schemaproof.published.votes import (
    Item,
    agreement,
    paper_table,
    preference,
    preference_table,
    read_votes,
    votes_table,
)


def test_table_9_from_the_paper_s_own_votes() -> None:
    table = paper_table()
    found = {label: {cell.column: cell for cell in cells} for label, cells in table.rows}
    for label, expected in (("GPT-3.5", (0.403, 0.750, 0.689)), ("GPT-4", (0.541, 0.8947, 0.806))):
        for rule, value in zip(("third-class", "tie-agrees", "drop"), expected, strict=True):
            assert found[label][f"kappa, {rule}"].replayed == pytest.approx(value, abs=5e-4)
        assert found[label]["kappa, tie-agrees"].status is Status.EQUAL


def test_preference_is_exact() -> None:
    assert (preference(0.5, 0.4), preference(0.4, 0.5), preference(0.5, 0.5)) == ("A", "B", "T")


def test_preferences_beside_the_artefact() -> None:
    page = "0aab6" + "0" * 27
    table = preference_table({"gpt3": {page: (0.2, 0.9)}, "gpt4": {page: (0.9, 0.2)}})
    assert table is not None
    ((label, cells),) = table.rows
    assert label == "0aab6…"
    assert [cell.status for cell in cells] == [Status.EQUAL, Status.DIFFERS]
    assert "h = 0.9000" in cells[1].why
    assert preference_table({"gpt3": {}}) is None


def test_votes_are_read(tmp_path: Path) -> None:
    path = tmp_path / "votes.json"
    data = [
        {"id": "x", "votes": {"Markup A": 3, "Markup B": 1, "Tie": 3}, "memr": "A"},
        {"id": "y", "votes": {"markup b": 2}, "memr": "B"},
        {"id": "z", "votes": {"Markup C": 2}},
        {"id": "w", "votes": {"Tie": -1}},
        {"id": "v", "votes": {"Tie": True}},
        {"id": "u"},
        7,
    ]
    path.write_text(json.dumps(data))
    items, problems = read_votes(path)
    assert items == [Item("x", {"A": 3, "B": 1, "T": 3}, "A"), Item("y", {"B": 2}, "B")]
    assert len(problems) == 5
    found = agreement(items)
    assert found.kappas["plurality"]["third-class"].observed == 0.5
    assert found.kappas["ties-for-both"]["third-class"].observed == 1
    assert (found.items, found.votes, found.fleiss) == (2, (2, 7), None)


def test_votes_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        read_votes(tmp_path / "none.json")
    (tmp_path / "v.json").write_text("{")
    with pytest.raises(InputError, match="not JSON"):
        read_votes(tmp_path / "v.json")
    (tmp_path / "v.json").write_text("{}")
    with pytest.raises(InputError, match="not a list"):
        read_votes(tmp_path / "v.json")


def test_appendix_e_from_the_recorded_votes(shared: Path) -> None:
    items, problems = read_votes(shared / "paper" / "human_votes_36.json")
    assert problems == []
    found = agreement(items)
    assert found.kappas["plurality"]["tie-agrees"].kappa == pytest.approx(0.8232, abs=5e-5)
    assert (found.items, found.votes) == (36, (31, 31))
    table = votes_table(items, {})
    assert any("31 votes a page" in note for note in table.notes)
    assert found.alpha is not None
    assert found.fleiss is not None
    assert found.alpha == pytest.approx(found.fleiss, abs=1e-3)  # nearly the same by construction


def test_recorded_preferences_are_checked_against_the_artefact() -> None:
    items = [Item("x", {"A": 3}, "A"), Item("y", {"B": 3}, "A")]
    table = votes_table(items, {"x": "A", "y": "B"})
    assert any("on 1 of 2 pages" in note for note in table.notes)
