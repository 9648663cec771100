"""Agreement of votes: equal to scikit-learn, to a coincidence matrix counted here, and to published examples."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schemaproof.assessment.agreement import Judged, against_memr, agree, binomial_p, judged_items, people
from schemaproof.assessment.ballot import CHOICES, Ballot, ConflictError
from schemaproof.assessment.plan import Wish, make_plan
from schemaproof.assessment.votes import COLUMNS, export, recorded
from schemaproof.errors import InputError
from schemaproof.pipeline.store import Store


def alpha_by_matrix(units: list[list[str]]) -> float:
    """Krippendorff's alpha from the coincidence matrix, counted pair by pair."""
    matrix: Counter[tuple[str, str]] = Counter()
    for votes in units:
        for i, j in itertools.permutations(range(len(votes)), 2):
            matrix[votes[i], votes[j]] += 1 / (len(votes) - 1)  # type: ignore[assignment]
    margins: Counter[str] = Counter()
    for (a, _), number in matrix.items():
        margins[a] += number
    n = sum(margins.values())
    seen = sum(number for (a, b), number in matrix.items() if a != b)
    expected = sum(margins[a] * margins[b] for a in margins for b in margins if a != b) / (n - 1)
    return 1 - seen / expected


@pytest.fixture
def voted(run_of: Callable[..., Path], tmp_path: Path) -> Path:
    """A file of random votes of three people on forty items, with repeats."""
    file = tmp_path / "votes.db"
    with Store(run_of(40), must_exist=True) as store:
        plan = make_plan(store, Wish(("ann", "bob", "cid"), repeats=0.1, seed=1))
    rng = random.Random(8)
    with Ballot.create(file, plan) as ballot:
        for assessor, name in enumerate(plan.assessors):
            for place in range(len(plan.tasks[name])):
                choice = rng.choices(CHOICES, (6, 3, 2, 1, 1))[0]
                ballot.vote(assessor, place, choice, f"{name}-{place}", 1.0 + place, "=1+1" if place == 3 else "")
    return file


def test_kappas_equal_scikit_learn(voted: Path) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="needs scikit-learn")
    with Ballot(voted) as ballot:
        found = agree(ballot)
        items = judged_items(ballot)
    checked = 0
    for row in found["people"]["cohen"]:
        pairs = [(i.votes[row["a"]], i.votes[row["b"]]) for i in items if {row["a"], row["b"]} <= set(i.votes)]
        if row["rule"] == "drop":
            pairs = [pair for pair in pairs if "tie" not in pair]
        elif row["rule"] == "tie-agrees":
            pairs = [(b if a == "tie" else a, a if b == "tie" else b) for a, b in pairs]
        ours = metrics.cohen_kappa_score([a for a, _ in pairs], [b for _, b in pairs])
        assert row["kappa"] == pytest.approx(ours, abs=1e-12)
        assert row["n"] == len(pairs)
        assert row["interval"][0] <= row["kappa"] <= row["interval"][1]
        checked += 1
    assert checked == 9
    for rule, mean in found["people"]["cohen_mean"].items():
        kappas = [row["kappa"] for row in found["people"]["cohen"] if row["rule"] == rule]
        assert mean == pytest.approx(sum(kappas) / 3)


def test_krippendorff_equals_the_coincidence_matrix(voted: Path) -> None:
    with Ballot(voted) as ballot:
        items = judged_items(ballot)
    found = people(items)
    units = [list(item.votes.values()) for item in items if len(item.votes) > 1]
    assert found["krippendorff"]["value"] == pytest.approx(alpha_by_matrix(units), abs=1e-12)


def judged(rows: list[list[str]]) -> list[Judged]:
    return [
        Judged(f"p{n}", f"k{n}", ("A", "B"), {str(r): v for r, v in enumerate(row) if v}) for n, row in enumerate(rows)
    ]


def test_the_worked_example_of_fleiss() -> None:
    # Ten subjects, fourteen raters, five classes; kappa 0.210 (Wikipedia, "Fleiss' kappa", worked example).
    table = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    rows = [[f"c{kind}" for kind, number in enumerate(row) for _ in range(number)] for row in table]
    assert people(judged(rows))["fleiss"]["value"] == pytest.approx(0.20993, abs=1e-5)


def test_the_worked_examples_of_krippendorff() -> None:
    # Krippendorff 2011, section C: four observers, twelve units, five classes, gaps; nominal alpha 0.743.
    data = ["1", "2", "3", "3", "2", "1", "4", "1", "2", "", "", ""]
    others = (
        ["1", "2", "3", "3", "2", "2", "4", "1", "2", "5", "", "3"],
        ["", "3", "3", "3", "2", "3", "4", "2", "2", "5", "1", ""],
        ["1", "2", "3", "3", "2", "4", "4", "1", "2", "5", "1", ""],
    )
    rows = [list(unit) for unit in zip(data, *others, strict=True)]
    assert people(judged(rows))["krippendorff"]["value"] == pytest.approx(0.743, abs=5e-4)
    # Section A: two observers, ten units, two classes; alpha 0.095.
    first, second = "0100000010", "1110010000"
    two = [[f"c{a}", f"c{b}"] for a, b in zip(first, second, strict=True)]
    assert people(judged(two))["krippendorff"]["value"] == pytest.approx(0.095, abs=5e-4)


def test_memr_against_the_majority_with_scores() -> None:
    items = judged([["A", "A", "B"], ["B", "B", "A"], ["tie", "tie", "A"], ["both-bad", "both-bad", "B"]])
    for item, scores in zip(items, [(0.9, 0.1), (0.8, 0.2), (0.5, 0.5), (0.1, 0.2)], strict=True):
        item.scores = scores
    found = {(row["votes"], row["rule"]): row for row in against_memr(items)}
    # People A, B, tie, tie; MeMR A, A, tie, B.
    assert found["plurality", "third-class"]["observed"] == 0.5
    assert found["plurality", "drop"]["n"] == 2
    assert found["plurality", "tie-agrees"]["observed"] == 0.75


def test_position_bias_and_consistency(voted: Path) -> None:
    with Ballot(voted) as ballot:
        found = agree(ballot)
        votes = ballot.votes()
    sided = [vote for vote in votes if vote.choice in ("left", "right") and vote.kind != "training"]
    assert found["position"]["left"] == sum(vote.choice == "left" for vote in sided)
    assert found["position"]["p"] < 0.001
    assert 0 < found["consistency"]["n"] <= 12
    assert binomial_p(5, 10) == 1
    assert binomial_p(0, 5) == pytest.approx(2 / 32)
    assert binomial_p(0, 0) is None


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_votes_go_out_in_three_formats(voted: Path, tmp_path: Path, ending: str) -> None:
    import csv

    target = tmp_path / f"votes.{ending}"
    with Ballot(voted) as ballot:
        votes = ballot.votes()
        assert export(ballot, target) == len(votes)
    rows: list[dict[str, Any]]
    if ending == "csv":
        with target.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert {row["comment"] for row in rows} == {"", "'=1+1"}
    elif ending == "jsonl":
        rows = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    else:
        import duckdb

        found = duckdb.sql(f"SELECT * FROM '{target}'")
        assert found is not None
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    assert [(row["assessor"], row["choice"], row["key"]) for row in rows] == [
        (vote.assessor, vote.choice, vote.key) for vote in votes
    ]
    assert tuple(rows[0]) == COLUMNS
    with Ballot(voted) as ballot, pytest.raises(InputError, match=r"\.csv"):
        export(ballot, tmp_path / "votes.xlsx")


def test_votes_are_only_added(voted: Path) -> None:
    import sqlite3

    with Ballot(voted) as ballot:
        before = len(ballot.votes())
        for sql in ("DELETE FROM events", "UPDATE events SET choice = 'tie'"):
            with pytest.raises(sqlite3.IntegrityError, match="only added"):
                ballot.connection.execute(sql)
        total = ballot.seat(0).total
        with pytest.raises(ConflictError):
            ballot.vote(0, 0, "left", "another one")
        with pytest.raises(ConflictError):
            ballot.vote(0, total, "left", "behind the end")
        with pytest.raises(ConflictError):
            ballot.undo(0, 2, "not the last")
        assert ballot.undo(0, total - 1, "the last").position == total - 1
        assert len(ballot.votes()) == before - 1


def test_recorded_votes_of_the_second_assessment(shared: Path) -> None:
    found, problems = recorded(shared / "paper" / "human_votes_36.json")
    assert problems == []
    assert found["items"] == 36
    kappas = {(row["votes"], row["rule"]): row["kappa"] for row in found["memr"]}
    assert kappas["plurality", "tie-agrees"] == pytest.approx(0.8232, abs=5e-5)
    assert found["people"]["fleiss"]["items"] == 36
