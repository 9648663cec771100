"""The tables add up: with each other, with the run file, and with the totals of `run --json`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from schemaproof.errors import InputError
from schemaproof.pipeline.store import Store
from schemaproof.reporting.collection import Collection, PageRow, UnitRow, collect, state_of
from schemaproof.reporting.summaries import (
    all_tables,
    chunks_of,
    grouped,
    missed_types,
    properties,
    reliability,
    rules,
    sizes,
    stages,
    strata,
    terciles,
)
from schemaproof.reporting.table import Table


@pytest.fixture(scope="module")
def found(examples_run: Path) -> Collection:
    with Store(examples_run, must_exist=True) as store:
        return collect(store)


def column(table: Table, label: str) -> list[Any]:
    place = [each.label for each in table.columns].index(label)
    return [row[place] for row in table.rows]


def test_stages_are_those_of_the_run_file(found: Collection, examples_run: Path) -> None:
    table = stages(found)
    with Store(examples_run, must_exist=True) as store:
        sums = store.connection.execute(
            "SELECT contender, sum(input), sum(compliant) FROM markups GROUP BY 1"
        ).fetchall()
    shown = {row[0]: (row[1], row[4]) for row in table.rows}
    assert shown == {name: (total, kept) for name, total, kept in sums}


def test_groups_add_up_to_the_whole(found: Collection) -> None:
    whole = {row[0]: row for row in stages(found).rows}
    for table in all_tables(found):
        if table.name in ("languages", "types", "chunks", "sizes", "instances"):
            assert sum(column(table, "units")) == len(found.units)
            for name in found.names:
                assert sum(column(table, f"{name} input")) == whole[name][1]
                assert sum(column(table, f"{name} kept")) == whole[name][4]


def test_fates_and_rules_add_up(found: Collection) -> None:
    by_property = properties(found)
    total = sum(entry["input"] for entry in found.totals["contenders"].values())
    kept = sum(entry["compliant"] for entry in found.totals["contenders"].values())
    assert sum(column(by_property, "statements")) == total
    assert sum(column(by_property, "kept")) == kept
    outcomes = [each.label for each in by_property.columns[3:-1]]
    assert sum(sum(column(by_property, label)) for label in outcomes) == total
    objected = sum(sum(column(rules(found), name)) for name in found.names)
    below = sum(column(by_property, "below a rejected entity"))
    assert objected + below + kept == total


def test_missed_types_name_pages(found: Collection) -> None:
    table = missed_types(found)
    rows = {row[0]: row[2:] for row in table.rows}
    assert rows["Recipe"] == [1, 0, 0]
    assert all(sum(row) <= len(found.pages) for row in rows.values())


def test_a_mean_of_a_group_is_over_its_units() -> None:
    made = Collection("s", ("human", "m"), pages=[PageRow(f"p{n}", "", "en", None, "", str(n)) for n in range(4)])
    made.pairs = (("human", "m"),)
    scores = [(1.0, 0.0), (0.5, 1.0), (0.25, 0.75), (0.25, 0.75)]
    made.units = [
        UnitRow(page, ("A",), {}, {("human", "m"): pair}, {}) for page, pair in zip((0, 0, 1, 2), scores, strict=True)
    ]
    table = grouped(made, "x", "X", lambda _: "all")
    assert column(table, "MeMR human") == [0.5]
    assert column(table, "MeMR m") == [0.625]
    assert column(table, "pages") == [3]


def test_strata_from_outside_win_over_nothing(found: Collection) -> None:
    given = {page.name: "high" if number < 3 else "low" for number, page in enumerate(found.pages[:9])}
    table = strata(found, given)[0]
    assert table.name == "strata"
    assert column(table, "group") == ["low", "high"]
    assert sum(column(table, "pages")) == 9


def test_terciles_keep_equal_values_together() -> None:
    level = terciles([1, 1, 1, 1, 2, 3, 4, 5, 6])
    assert [level(value) for value in (1, 2, 3, 6)] == ["low", "medium", "medium", "high"]
    assert [chunks_of(tokens) for tokens in (0, 4096, 4097, 8193)] == [1, 1, 2, 3]


def test_the_t_test_is_told(found: Collection) -> None:
    made = Collection("s", ("human", "m"), tokenizer="t")
    made.pages = [PageRow(f"p{n}", "", "en", None, "", str(n), tokens=100 if n < 4 else 9000) for n in range(8)]
    made.pairs = (("human", "m"),)
    made.units = [UnitRow(n, ("A",), {}, {("human", "m"): (n / 10, 1 - n / 10)}, {}) for n in range(8)]
    note = sizes(made)[-1].note
    assert "n = 4 and 4" in note
    # Means 0.15 and 0.55, both variances 1/60: t = -0.4 / sqrt(1/60 * 1/2).
    assert f"t = {-0.4 / math.sqrt(1 / 120):.3f}" in note


def test_states_of_statements() -> None:
    def row(kept: bool, unclear: bool, **said: str) -> dict[str, Any]:
        return {"kept": kept, "unclear": unclear, "verdicts": {name: {"verdict": each} for name, each in said.items()}}

    assert state_of(row(True, False, validity="keep")) == ("keep", "")
    assert state_of(row(False, False, validity="keep", factuality="reject")) == ("reject", "factuality")
    assert state_of(row(False, True, factuality="unclear")) == ("unclear", "factuality")
    assert state_of(row(False, False, validity="keep")) == ("below", "")


def test_reliability_reads_what_bench_prints() -> None:
    figures = {"n": 10, "precision": 0.9, "recall": 0.8, "f1": 0.85, "balanced_accuracy": 0.86, "interval": [0.8, 0.9]}
    table = reliability({"judge": "embedded", "sets": {"intrinsic": figures}})
    assert table.rows == [["intrinsic", 10, 0.9, 0.8, 0.85, 0.86, (0.8, 0.9)]]
    wrongs: list[dict[str, Any]] = [{}, {"sets": []}, {"sets": {"a": {"n": 1}}}]
    for wrong in wrongs:
        with pytest.raises(InputError, match="bench judges"):
            reliability(wrong)
