from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from schemaproof.agents.verdict import Decision, Finding, Verdict
from schemaproof.groundtruth.browsing import mistakes_page
from schemaproof.groundtruth.judging import judge_rows, measure
from schemaproof.groundtruth.leaks import exchanged_texts, leaks_of
from schemaproof.groundtruth.reading import read_rows
from schemaproof.groundtruth.row import Row
from schemaproof.markup.model import Graph
from schemaproof.page.model import Page
from schemaproof.pipeline.curation import Judges


class Reader:
    """Says that a statement is right where its value stands in the text."""

    def __init__(self) -> None:
        self.prepared = 0

    def prepare(self, page: Page) -> Any:
        self.prepared += 1
        return page.text

    def judge(self, graph: Graph, prepared: Any, indices: Sequence[int] | None = None) -> list[Verdict | None]:
        verdicts: list[Verdict | None] = [None] * len(graph.statements)
        for index in indices or ():
            value = str(graph.statements[index].value)
            decision = Decision.UNCLEAR if value == "?" else Decision.KEEP if value in prepared else Decision.REJECT
            verdicts[index] = Verdict(decision, "read", "It was looked for.", 0.5)
        return verdicts


class Numbers:
    """Says that prices are right where they are figures."""

    def judge(
        self, graph: Graph, indices: Sequence[int] | None = None, language: str = ""
    ) -> tuple[list[Verdict | None], list[Finding]]:
        verdicts: list[Verdict | None] = [None] * len(graph.statements)
        for index in indices or ():
            right = str(graph.statements[index].value).isdigit()
            verdicts[index] = Verdict(Decision.KEEP if right else Decision.REJECT, "figures", f"In {language}.", 0.9)
        return verdicts, []


def row(
    number: int, value: Any, label: bool, text: str = "red and blue", agent: str = "factuality", **more: Any
) -> Row:
    return Row(str(number), "set", agent, f"g{number % 3}", ("Thing",), "color", value, label, text, **more)


ROWS = [row(0, "red", True), row(1, "green", False), row(2, "blue", False), row(3, "?", True), row(4, "and", True)]


def test_figures_are_counted_by_decision() -> None:
    judge = Reader()
    found = measure("set", ROWS, Judges(None, judge, None), resamples=50)
    assert found.counted.as_dict() | {"tp": 2, "fp": 1, "tn": 1, "fn": 1} == found.counted.as_dict()
    assert found.unclear == 1
    assert judge.prepared == 1, "one text is made ready once"
    assert {mistake.row.id for mistake in found.mistakes} == {"2", "3"}
    low, high = found.intervals["balanced_accuracy"]
    assert low <= found.counted.balanced_accuracy <= high
    assert found.as_dict()["interval"] == [low, high]
    assert found.always_yes["f1"] == pytest.approx(2 * 3 / (2 * 3 + 2))


def test_pages_are_read_from_their_html() -> None:
    rows = [row(0, "red", True, text="", page="p1"), row(1, "blue", True, text="", page="p1")]
    pages = {"p1": (b"<p>A red door</p>", None, "text/html")}
    verdicts = judge_rows(rows, Judges(None, Reader(), None), pages)
    assert [verdict and verdict.decision for verdict in verdicts] == [Decision.KEEP, Decision.REJECT]


def test_compliance_is_judged_in_the_language_of_the_page() -> None:
    html = b"<html lang='de'><p>Ein Satz mit deutschen W\xc3\xb6rtern.</p></html>"
    rows = [
        row(0, "5", True, agent="compliance", text="", page="p"),
        row(1, "five", True, agent="compliance", language="en"),
    ]
    verdicts = judge_rows(rows, Judges(None, None, Numbers()), {"p": (html, None, None)})
    assert [verdict and verdict.reason for verdict in verdicts] == ["In de.", "In en."]


def test_recorded_answers_by_statement_and_by_snippet() -> None:
    rows = [
        row(0, "red", True, snippet="a", recorded={"m": True}, snippet_recorded={"m": True}),
        row(1, "blue", True, snippet="a", recorded={"m": False}, snippet_recorded={"m": True}),
        row(2, "x", False, snippet="b", recorded={"m": True}, snippet_recorded={"m": False}),
        row(3, "x", False, snippet="c", recorded={"m": True}, snippet_recorded={"m": True}, first=False),
    ]
    found = measure("set", rows, Judges(None, Reader(), None), resamples=10)
    assert found.counted.n == 3
    assert (found.recorded["m"]["tp"], found.recorded["m"]["fp"], found.recorded["m"]["fn"]) == (1, 1, 1)
    assert found.recorded["m"]["with_duplicates"]["fp"] == 2
    assert found.recorded["m"]["snippets"] | {"tp": 1, "fp": 1, "tn": 1, "fn": 0} == found.recorded["m"]["snippets"]


def test_a_judge_that_reads_falls_to_chance_on_exchanged_texts() -> None:
    rows = []
    for number in range(40):
        own, other = f"word{number}", f"word{number + 1}"
        rows.append(Row(f"{number}", "s", "factuality", f"g{number}", ("T",), "name", own, True, f"say {own}"))
        rows.append(Row(f"{number}w", "s", "factuality", f"g{number}", ("T",), "name", other, False, f"say {own}"))
    report = leaks_of("s", rows, Judges(None, Reader(), None))
    assert report.judge == 1.0
    assert report.swapped is not None
    assert report.swapped <= 0.55
    assert report.warnings == []
    texts = exchanged_texts(rows)
    assert all(texts[row.group] != row.text for row in rows)


def test_a_set_that_tells_is_warned_of() -> None:
    rows = [
        Row(f"{n}", "s", "factuality", f"g{n}", ("T",) if n % 2 else (), "name", f"v{n}", bool(n % 2), "t")
        for n in range(60)
    ]
    assert any("sees only type" in warning for warning in leaks_of("s", rows).warnings)


def test_the_page_of_mistakes_shows_hostile_texts_as_text() -> None:
    rows = [row(0, "<script>alert(1)</script>", True, text="<img src=x onerror=alert(1)>")]
    page = mistakes_page([measure("<b>", rows, Judges(None, Reader(), None), resamples=5)], "embedded")
    assert "<script>" not in page
    assert "<img" not in page
    assert "&lt;script&gt;" in page


def test_recorded_figures_of_the_paper_equal_a_direct_count(shared: Path) -> None:
    for name in ("factuality_intrinsic", "factuality_extrinsic", "compliance"):
        file = shared / "paper" / f"{name}.jsonl"
        found = measure(name, read_rows(file), Judges(None, None, None), resamples=2).recorded
        records = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        for judge in ("mixtral", "selfcheckgpt"):
            snippets: dict[str, list[tuple[bool, bool]]] = {}
            for each in records:
                snippets.setdefault(each["snippet_id"], []).append(
                    (each["label"] == "positive", each[judge] == "TOKPOS")
                )
            right = {key: all(label for label, _ in votes) for key, votes in snippets.items()}
            said = {key: 2 * sum(vote for _, vote in votes) >= len(votes) for key, votes in snippets.items()}
            counted = found[judge]["snippets"]
            assert counted["n"] == len(snippets)
            assert counted["tp"] == sum(right[key] and said[key] for key in snippets)
            assert counted["fp"] == sum(not right[key] and said[key] for key in snippets)
            first = [each for each in records if each["first"]]
            assert found[judge]["tp"] == sum(each["label"] == "positive" and each[judge] == "TOKPOS" for each in first)
