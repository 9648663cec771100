"""`assess` as a user calls it (voting itself: tests/assessment)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

Call = Callable[..., "subprocess.CompletedProcess[bytes]"]
EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "pages"


def test_from_a_run_to_agreement(schemaproof: Call, tmp_path: Path) -> None:
    schemaproof("run", str(EXAMPLES), "-o", "run.db", "--quiet", "--jobs", "1")
    done = schemaproof("assess", "plan", "run.db", "--assessor", "ann", "--assessor", "bob", "--items", "6", "--json")
    assert done.returncode == 0, done.stderr.decode()
    plan = json.loads(done.stdout)
    assert plan["settings"]["items"] == 6
    assert set(plan["links"]) == {"ann", "bob"}
    assert len(set(plan["links"].values())) == 2
    from schemaproof.assessment.ballot import Ballot

    with Ballot(tmp_path / "assessment.db") as ballot:
        for assessor in (0, 1):
            for place in range(ballot.seat(assessor).total):
                ballot.vote(assessor, place, "left", f"attempt-{place}", 2.0)
    told = json.loads(schemaproof("assess", "agree", "assessment.db", "--json", "--export", "votes.csv").stdout)
    assert told["items"] == 6
    assert told["votes"] == 12
    assert told["position"]["share"] == 1.0
    assert len((tmp_path / "votes.csv").read_text(encoding="utf-8").splitlines()) > 12
    shown = schemaproof("assess", "agree", "assessment.db").stdout.decode()
    assert "Krippendorff's alpha" in shown
    assert "left side chosen" in shown
    again = schemaproof("assess", "plan", "run.db", "--assessors", "2")
    assert again.returncode == 3
    assert b"never overwritten" in again.stderr


def test_recorded_votes(schemaproof: Call, tmp_path: Path) -> None:
    votes = [
        {"id": "a", "votes": {"Markup A": 5, "Markup B": 1, "Tie": 0}, "memr": "A"},
        {"id": "b", "votes": {"Markup A": 1, "Markup B": 4, "Tie": 1}, "memr": "A"},
        {"id": "c", "votes": {"Markup A": -1}},
    ]
    (tmp_path / "votes.json").write_text(json.dumps(votes), encoding="utf-8")
    done = schemaproof("assess", "agree", "votes.json")
    assert done.returncode == 0
    assert b"12 votes on 2 items" in done.stdout
    assert b"entry 3" in done.stderr


def test_what_cannot_be_done_is_said(schemaproof: Call, tmp_path: Path) -> None:
    assert schemaproof("assess", "agree", "none.db").returncode == 3
    (tmp_path / "other.db").write_bytes(b"no database at all, but long enough to look at" * 20)
    done = schemaproof("assess", "serve", "other.db")
    assert done.returncode == 3
    assert b"cannot be used" in done.stderr
    done = schemaproof("assess", "plan", "none.db")
    assert done.returncode == 2
    assert b"--assessors" in done.stderr
