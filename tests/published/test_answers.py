"""The recorded answers on the agents' ground truth: figures equal to a direct count."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from schemaproof.published.answers import SETS, find_truth, read_summaries, read_truth, score
from schemaproof.published.cells import Status
from schemaproof.published.reliability import reliability_tables
from schemaproof.scoring.classification import Binary


def rows(*entries: tuple[str, str, str, bool, str]) -> list[dict[str, Any]]:
    """(snippet, text, label, first, answer) as lines of a set."""
    return [
        {
            "id": f"{snippet}:{number}",
            "snippet_id": snippet,
            "text": text,
            "property": "name",
            "value": str(number),
            "type": "Thing",
            "label": label,
            "first": first,
            "mixtral": answer,
        }
        for number, (snippet, text, label, first, answer) in enumerate(entries)
    ]


def write(path: Path, entries: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return path


Y, N = "TOKPOS", "TOKNEG"
SOME = rows(
    ("a", "t1", "positive", True, Y),
    ("a", "t1", "positive", True, N),  # half of the snippet: still accepted
    ("b", "t1", "positive", True, N),
    ("b", "t1", "positive", False, N),
    ("b", "t1", "positive", False, Y),  # a third: rejected
    ("c", "t2", "negative", True, N),
    ("d", "t2", "negative", True, Y),
)


def test_by_snippet_by_statement_and_by_row(tmp_path: Path) -> None:
    truth = read_truth(write(tmp_path / "compliance.jsonl", SOME))
    assert truth.judges == ("mixtral",)
    by = {each.unit: each.figures for each in score(truth, "mixtral")}
    assert by == {
        "snippet": Binary(tp=1, fp=1, tn=1, fn=1),
        "statement": Binary(tp=1, fp=1, tn=1, fn=2),
        "row": Binary(tp=2, fp=1, tn=1, fn=3),
    }
    always = {each.unit: each.figures for each in score(truth, "always yes")}
    assert always["snippet"] == Binary(tp=2, fp=2, tn=0, fn=0)
    assert truth.sizes() == {"Positive": 5, "Negative": 2, "Total": 7}
    assert truth.sizes(distinct=True) == {"Positive": 3, "Negative": 2, "Total": 5}


def test_duplicates_are_found_where_the_file_does_not_say(tmp_path: Path) -> None:
    entries = [{key: value for key, value in entry.items() if key != "first"} for entry in SOME]
    for entry in entries[:3]:
        entry["value"] = "same"
    truth = read_truth(write(tmp_path / "compliance.jsonl", entries))
    assert [row.first for row in truth.rows] == [True, False, False, True, True, True, True]


def test_lines_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    path = tmp_path / "compliance.jsonl"
    write(path, SOME[:1])
    with path.open("a", encoding="utf-8") as file:
        file.write(
            '{"label": \n\n{"label": "maybe"}\n[1]\n{"label": "positive", "snippet_id": "x"}\n' + "[" * 10**5 + "\n"
        )
    truth = read_truth(path)
    assert len(truth.rows) == 1
    assert [problem.split(":")[1] for problem in truth.problems] == ["2", "4", "5", "6", "7"]
    assert read_truth(tmp_path / "none.jsonl").problems


def test_a_set_of_the_paper_s_size_is_compared(tmp_path: Path) -> None:
    entries = rows(
        *[(f"p{n}", f"t{n}", "positive", True, Y) for n in range(785)],
        *[(f"n{n}", f"t{n}", "negative", True, N) for n in range(147)],
    )
    write(tmp_path / "compliance.jsonl", entries)
    tables = {table.name: table for table in reliability_tables(find_truth([tmp_path]), {})}
    (_, sizes) = tables["3"].rows[0]
    assert [(cell.replayed, cell.status) for cell in sizes[:3]] == [
        (785, Status.EQUAL),
        (147, Status.EQUAL),
        (932, Status.EQUAL),
    ]
    (label, figures) = tables["4"].rows[0]
    assert label == "Compliance, mixtral, by snippet"
    assert {cell.status for cell in figures[:3]} == {Status.DIFFERS}
    assert "not reproducible" in figures[0].why
    assert {cell.status for _, cells in tables["2"].rows for cell in cells} == {Status.MISSING}


def test_the_artefact_s_own_summary_stands_in(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "WDC" / "SchemaOrg"
    folder.mkdir(parents=True)
    (folder / "compliance_mixtral_p.json").write_text(
        '{"precision": 0.8787, "recall": 0.9138, "f1-score": 0.8959, "accuracy": 0.84}'
    )
    (folder / "factual_intrinsic_mixtral_p.json").write_text('{"precision": 0.8665')
    (folder / "selfcheckgpt.json").write_text('{"precision": 1.0, "recall": 1.0, "f1-score": 1.0}')
    summaries = read_summaries(tmp_path)
    assert summaries == {"compliance": {"Precision": 0.8787, "Recall": 0.9138, "F1": 0.8959}}
    tables = {table.name: table for table in reliability_tables({}, summaries)}
    (_, cells) = tables["4"].rows[0]
    assert [cell.status for cell in cells] == [Status.DIFFERS, Status.EQUAL, Status.DIFFERS]
    assert any("own summary" in note for note in tables["4"].notes)
    assert read_summaries(tmp_path / "none") == {}


def test_the_intrinsic_set_gives_its_labels_away(shared: Path) -> None:
    # Fault 8: all its negatives, and those of compliance, lack a type.
    truths = find_truth([shared / "paper"])
    for name in ("factuality_intrinsic", "compliance"):
        blind = next(each.figures for each in score(truths[name], "yes if it has a type") if each.unit == "row")
        assert blind.f1 > 0.98
    always = next(each.figures for each in score(truths["compliance"], "always yes") if each.unit == "statement")
    assert always.f1 == pytest.approx(0.926, abs=5e-4)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("judge", ["mixtral", "selfcheckgpt"])
def test_recorded_answers_equal_a_direct_count(shared: Path, name: str, judge: str) -> None:
    lines = (shared / "paper" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    truth = find_truth([shared / "paper"])[name]
    assert truth.problems == ()
    found = {each.unit: each.figures for each in score(truth, judge)}

    def direct(pairs: list[tuple[bool, bool]]) -> tuple[int, int, int, int]:
        return tuple(  # type: ignore[return-value]
            sum(pair == cell for pair in pairs) for cell in ((True, True), (False, True), (False, False), (True, False))
        )

    statements = [(entry["label"] == "positive", entry[judge] == Y) for entry in entries if entry["first"]]
    cells = found["statement"]
    assert (cells.tp, cells.fp, cells.tn, cells.fn) == direct(statements)
    snippets: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for entry in entries:
        snippets[entry["snippet_id"]].append(entry)
    by_snippet = [
        (group[0]["label"] == "positive", group[0][f"{judge}_snippet_score"] >= 0.5) for group in snippets.values()
    ]
    cells = found["snippet"]
    assert (cells.tp, cells.fp, cells.tn, cells.fn) == direct(by_snippet)


def test_recorded_mixtral_by_statement_is_what_is_known_of_it(shared: Path) -> None:
    truths = find_truth([shared / "paper"])
    found = {
        name: next(each.figures for each in score(truth, "mixtral") if each.unit == "statement")
        for name, truth in truths.items()
    }
    assert found["factuality_extrinsic"].f1 == pytest.approx(0.921, abs=5e-4)
    assert found["factuality_extrinsic"].balanced_accuracy == pytest.approx(0.919, abs=5e-4)
    assert found["factuality_intrinsic"].balanced_accuracy == pytest.approx(0.845, abs=5e-4)
    assert found["compliance"].balanced_accuracy == pytest.approx(0.772, abs=5e-4)
    assert found["compliance"].f1 == pytest.approx(0.904, abs=5e-4)
