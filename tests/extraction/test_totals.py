"""Totals, their intervals, and how they are told."""

from __future__ import annotations

import csv
import io
import json
import math
import random
from collections import Counter

import pytest

from schemaproof.extraction.records import comparison_json, report_csv, report_json, row_json
from schemaproof.extraction.rows import Row
from schemaproof.extraction.scorer import Score, Settings, score_row
from schemaproof.extraction.table import meanings, report_text
from schemaproof.extraction.totals import Means, Pairing, Report, Totals, block_of, metric_names, totals_of


def rows(count: int, quality: float, model: str = "", seed: int = 0) -> list[Score]:
    rng = random.Random(seed)
    found = []
    for number in range(count):
        right = rng.random() < quality
        row = Row(
            number, json.dumps({"a": 1 if right else 2}), {"a": 1}, {}, schema_text="{}", model=model, line=number + 1
        )
        found.append(score_row(row, Settings("aligned")))
    return found


def test_means_are_those_of_all_rows() -> None:
    means = Means(("x",), blocks=10)
    values = [((n * 37) % 101) / 101 for n in range(1234)]
    for value in values:
        means.add({"x": value})
    got = means.means()["x"]
    assert math.isclose(got.mean, math.fsum(values) / 1234, rel_tol=1e-15)
    assert got.low < got.mean < got.high
    assert got.rows == 1234


def test_an_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    hits = 0
    for seed in range(120):
        rng = random.Random(seed)
        means = Means(("x",), blocks=100)
        for _ in range(400):
            means.add({"x": float(rng.random() < 0.3)})
        got = means.means(200)["x"]
        hits += got.low <= 0.3 <= got.high
    assert 0.88 <= hits / 120 <= 1.0


def test_blocks_give_the_interval_of_rows() -> None:
    rng = random.Random(5)
    fine, coarse = Means(("x",)), Means(("x",), blocks=200)
    for _ in range(1000):
        value = {"x": rng.gauss(0, 1)}
        fine.add(value)
        coarse.add(value)
    one, other = fine.means()["x"], coarse.means()["x"]
    assert abs((one.high - one.low) - (other.high - other.low)) < 0.03


def test_without_rows_there_is_no_figure() -> None:
    assert math.isnan(Means(("x",)).means()["x"].mean)
    text = report_text(Report("card"), "f", "s")
    assert "0 rows" in text
    json.dumps(report_json(Report("card"), "f", "s"), allow_nan=False)


def test_every_row_is_counted_once() -> None:
    totals = Totals("aligned")
    for score in [
        *rows(8, 0.5),
        Score("e", error="cannot", line=9),
        Score("r", refusal="no"),
    ]:
        totals.add(score)
    assert (totals.rows, totals.answered, totals.scored, totals.failed, totals.refused) == (10, 9, 8, 1, 1)
    assert totals.problems[0].line == 9


def test_the_number_of_fields_kept_is_bounded() -> None:
    totals = Totals("aligned")
    for number in range(2500):
        row = Row(number, json.dumps({f"k{number}": 1}), {}, {}, schema_text="{}")
        totals.add(score_row(row, Settings("aligned")))
    assert len(totals.by_field) == 2001
    assert sum(numbers[3] for numbers in totals.by_field.values()) == 2500


def test_report_in_three_forms() -> None:
    report = totals_of(
        [*rows(30, 0.9, "one"), *rows(30, 0.2, "two", 1), Score("x|y", "one", 61, error="bad | row")], "aligned"
    )
    data = report_json(report, "f.jsonl", "sig")
    assert data["schema_version"] == 1
    assert data["totals"]["rows"] == 61
    assert data["models"]["one"]["metrics"]["leaf_f1"]["mean"] > data["models"]["two"]["metrics"]["leaf_f1"]["mean"]
    assert data["errors"] == [{"file": "f.jsonl", "line": 61, "id": "x|y", "model": "one", "error": "bad | row"}]
    json.dumps(data, allow_nan=False)

    text = report_text(report, "f.jsonl", "sig")
    for needed in (
        "61 rows",
        "60 scored",
        "leaf_f1",
        "95% interval",
        "f.jsonl:61",
        "x\\|y",
        "Signature: sig",
        "By model",
    ):
        assert needed in text
    for meaning in meanings("aligned").values():
        assert meaning in text

    table = list(csv.DictReader(io.StringIO(report_csv(report, "sig"))))
    assert {row["model"] for row in table} == {"(all)", "one", "two"}
    assert {row["metric"] for row in table if row["group"] == "all"} >= set(metric_names("aligned"))


def test_two_models_are_compared_on_the_rows_that_both_have() -> None:
    pairing = Pairing("aligned")
    for side, scores in enumerate((rows(60, 0.95), rows(50, 0.3, seed=1))):
        for score in scores:
            pairing.add(side, score)
    pairing.add(0, Score(3, error="later error of a row does not count"))
    assert pairing.numbers == (60, 50, 50)
    found = {each.metric: each for each in pairing.differences(300)}
    assert found["leaf_f1"].difference > 0.4
    assert found["leaf_f1"].p < 0.01
    assert found["leaf_f1"].low > 0
    assert found["is_valid_json"].difference == 0
    assert comparison_json(("a", "b"), pairing.numbers, found.values())["metrics"]["leaf_f1"]["p"] < 0.01


def test_one_row_as_data() -> None:
    (score,) = rows(1, 1.0)
    found = row_json(score)
    assert set(found) == {"id", "leaves", *metric_names("aligned")}
    assert row_json(Score(7, error="bad", line=3), version=True) == {
        "schema_version": 1,
        "id": 7,
        "error": "bad",
        "line": 3,
    }
    assert "no answer" in row_json(Score(7, refusal="x"))["error"]


@pytest.mark.parametrize("kind", ["in order", "in turn", "mixed"])
def test_the_order_of_rows_makes_no_interval_narrow_or_wide(kind: str) -> None:
    """Half of 4,000 rows are right: the interval is that of a coin, whatever order they come in."""
    values = [float(at < 2000) if kind == "in order" else float(at % 2) for at in range(4000)]
    if kind == "mixed":
        random.Random(1).shuffle(values)
    means = Means(("x",))
    for value in values:
        means.add({"x": value})
    found = means.means()["x"]
    expected = 1.96 * math.sqrt(0.25 / 4000)
    assert found.mean == 0.5
    assert 0.8 * expected < (found.high - found.low) / 2 < 1.2 * expected


def test_a_constant_has_no_width() -> None:
    means = Means(("x",), blocks=7)
    for _ in range(100):
        means.add({"x": 0.1})
    assert means.means()["x"].low == means.means()["x"].high == pytest.approx(0.1)


def test_rows_are_dealt_evenly() -> None:
    blocks = [block_of(row, 100) for row in range(100_000)]
    counts = Counter(blocks)
    assert sum((counts[block] - 1000) ** 2 / 1000 for block in range(100)) < 150  # chi-square, 99
