from __future__ import annotations

import pytest

from schemaproof.pipeline.result import MarkupResult, PageResult, UnitResult
from schemaproof.pipeline.totals import page_dict, pairs_of, totals


def markup(name: str, *counts: int, **facts: int) -> MarkupResult:
    return MarkupResult(
        name, dict(zip(("input", "valid", "factual", "compliant", "unclear"), counts, strict=True)), facts
    )


def page(name: str, *units: UnitResult, error: str | None = None) -> dict[str, object]:
    return page_dict(PageResult(name, None, name, "", error=error, units=list(units)))


def test_figures_of_a_run() -> None:
    one = page(
        "1", UnitResult(["Recipe"], [markup("human", 10, 9, 8, 6, 2, a=2), markup("m", 4, 4, 4, 4, 0, a=1, b=1)])
    )
    two = page("2", UnitResult(["Event"], [markup("human", 10, 5, 5, 5, 0), markup("m", 0, 0, 0, 0, 0)]))
    answer = totals([one, two, page("3", error="broken"), page("4")], ["human", "m"])
    assert answer["contenders"]["human"]["input"] == 20
    assert answer["contenders"]["human"]["rejection_rate"] == pytest.approx(7 / 20)
    (pair,) = answer["memr"]
    assert (pair["a_score"], pair["b_score"]) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert pair["units"] == 1
    assert (answer["units"], answer["left_out"], answer["pages"]) == (2, 1, 4)
    assert (answer["failed"], answer["without_units"]) == (1, 1)
    assert answer["share"]["human"] == pytest.approx(2 / 3)


def test_a_contender_that_failed_is_left_out_of_its_pairs() -> None:
    failed = MarkupResult("m", error="no file")
    answer = totals([page("1", UnitResult(["A"], [markup("human", 1, 1, 1, 1, 0, a=1), failed]))], ["human", "m"])
    assert answer["memr"][0]["a_score"] is None
    assert answer["left_out"] == 1


def test_nothing_gives_no_figures() -> None:
    answer = totals([], ["human", "m"])
    assert answer["contenders"]["human"]["rejection_rate"] is None
    assert answer["memr"][0]["a_score"] is None


def test_pairs() -> None:
    assert pairs_of(["human", "a", "b"]) == [("human", "a"), ("human", "b")]
    assert pairs_of(["human", "a", "b"], every=True) == [("human", "a"), ("human", "b"), ("a", "b")]
