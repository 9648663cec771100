from __future__ import annotations

import time
from collections.abc import Hashable

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from schemaproof.scoring.agreement import cohen_kappa, fleiss_kappa, krippendorff_alpha, plurality, ties_for_both

# Table 9 of the paper: markup preferred by people and by MeMR (A human, B model, tie), per document.
GPT3 = ["BB", "AB", "BB", "BB", "AA", "AA", "AA", "AA", "AA", "AA", "BB", "BA", "AA", "AT", "TA", "TB", "AA", "TA"]
GPT4 = ["BB", "TB", "TT", "AB", "BB", "TA", "BB", "BB", "AA", "AA", "BB", "BB", "AA", "BB", "BB", "BB", "TA", "TA"]


def _kappa(votes: list[str], rule: str) -> float:
    result = cohen_kappa([vote[0] for vote in votes], [vote[1] for vote in votes], rule=rule, tie="T")
    assert result is not None
    return result.kappa


def test_table_9_of_the_paper_by_each_tie_rule() -> None:
    assert _kappa(GPT3, "tie-agrees") == pytest.approx(0.750, abs=1e-12)
    assert _kappa(GPT4, "tie-agrees") == pytest.approx(0.8947, abs=5e-5)
    assert [round(_kappa(GPT3, rule), 3) for rule in ("third-class", "drop")] == [0.403, 0.689]
    assert [round(_kappa(GPT4, rule), 3) for rule in ("third-class", "drop")] == [0.541, 0.806]


def test_cohen_edges() -> None:
    assert cohen_kappa([], []) is None
    assert cohen_kappa(["tie"], ["A"], rule="drop") is None
    same = cohen_kappa(["A", "A"], ["A", "A"])
    assert same is not None
    assert same.kappa == 1
    never = cohen_kappa(["A"], ["B"])
    assert never is not None
    assert never.kappa == 0
    with pytest.raises(ValueError, match="third-class"):
        cohen_kappa(["A"], ["A"], rule="guess")
    with pytest.raises(ValueError):
        cohen_kappa(["A"], [])


RATINGS = st.lists(st.tuples(st.sampled_from("ABT"), st.sampled_from("ABT")), min_size=2, max_size=50)


@settings(deadline=None)
@given(RATINGS)
def test_cohen_equal_to_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    a, b = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    result = cohen_kappa(a, b)
    assert result is not None
    if result.expected < 1:
        assert result.kappa == pytest.approx(metrics.cohen_kappa_score(a, b), abs=1e-12)
    dropped = cohen_kappa(a, b, rule="drop", tie="T")
    rest = [pair for pair in pairs if "T" not in pair]
    assert (dropped is None) == (not rest)
    if dropped is not None:
        assert dropped.n == len(rest)


@settings(deadline=None)
@given(RATINGS)
def test_cohen_is_symmetric_and_bounded(pairs: list[tuple[str, str]]) -> None:
    a, b = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    for rule in ("third-class", "tie-agrees", "drop"):
        here, there = cohen_kappa(a, b, rule=rule, tie="T"), cohen_kappa(b, a, rule=rule, tie="T")
        assert (here is None) == (there is None)
        if here is not None and there is not None:
            assert here.kappa == there.kappa
            assert here.kappa <= 1
            assert (here.observed == 1) == (here.kappa == 1)


def test_fleiss_of_14_raters() -> None:
    """The widely printed example of 14 raters, ten subjects and five classes: 0.210."""
    table = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    assert fleiss_kappa(table) == pytest.approx(0.20993, abs=5e-6)


def test_fleiss_1971_psychiatrists() -> None:
    """Fleiss 1971, table 1: 30 patients, 6 psychiatrists, 5 diagnoses; kappa 0.430."""
    table = [
        (0, 0, 0, 6, 0), (0, 3, 0, 0, 3), (0, 1, 4, 0, 1), (0, 0, 0, 0, 6), (0, 3, 0, 3, 0),
        (2, 0, 4, 0, 0), (0, 0, 4, 0, 2), (2, 0, 3, 1, 0), (2, 0, 0, 4, 0), (0, 0, 0, 0, 6),
        (1, 0, 0, 5, 0), (1, 1, 0, 4, 0), (0, 3, 3, 0, 0), (1, 0, 0, 5, 0), (0, 2, 0, 3, 1),
        (0, 0, 5, 0, 1), (3, 0, 0, 1, 2), (5, 1, 0, 0, 0), (0, 2, 0, 4, 0), (1, 0, 2, 0, 3),
        (0, 0, 0, 0, 6), (0, 1, 0, 5, 0), (0, 2, 0, 1, 3), (2, 0, 0, 4, 0), (1, 0, 0, 4, 1),
        (0, 5, 0, 1, 0), (4, 0, 0, 0, 2), (0, 2, 0, 4, 0), (1, 0, 5, 0, 0), (0, 0, 0, 0, 6),
    ]  # fmt: skip
    assert fleiss_kappa(table) == pytest.approx(0.430, abs=5e-4)


def test_fleiss_edges() -> None:
    assert fleiss_kappa([]) is None
    assert fleiss_kappa([(1, 0), (0, 1)]) is None
    assert fleiss_kappa([(3, 0), (3, 0)]) == 1
    assert fleiss_kappa([(3, 0), (0, 3)]) == 1
    with pytest.raises(ValueError, match="same classes"):
        fleiss_kappa([(1, 2), (1, 1)])
    with pytest.raises(ValueError, match="0 or more"):
        fleiss_kappa([(4, -1)])


def test_krippendorff_2011_two_observers() -> None:
    """Krippendorff 2011, section A: binary data, two observers, ten units; alpha 0.095."""
    meg = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    owen = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert krippendorff_alpha(zip(meg, owen, strict=True)) == pytest.approx(0.095, abs=5e-4)


def test_krippendorff_2011_nominal_two_observers() -> None:
    """Krippendorff 2011, section B: nominal data, two observers, twelve units; alpha 0.692."""
    ben = ["a", "a", "b", "b", "d", "c", "c", "c", "e", "d", "d", "a"]
    gerry = ["b", "a", "b", "b", "b", "c", "c", "c", "e", "d", "d", "d"]
    assert krippendorff_alpha(zip(ben, gerry, strict=True)) == pytest.approx(0.692, abs=5e-4)


def test_krippendorff_2011_many_observers_with_gaps() -> None:
    """Krippendorff 2011, section C: four observers, twelve units, gaps; nominal alpha 0.743."""
    gap = None
    observers: list[list[Hashable | None]] = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, gap, gap, gap],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, gap, 3],
        [gap, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, gap],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, gap],
    ]
    items = list(zip(*observers, strict=True))
    assert krippendorff_alpha(items) == pytest.approx(0.743, abs=5e-4)
    tallies = [{vote: item.count(vote) for vote in set(item) if vote is not None} for item in items]
    assert krippendorff_alpha(tallies) == krippendorff_alpha(items)


def test_krippendorff_edges() -> None:
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([["a", None], ["b"]]) is None
    assert krippendorff_alpha([["a", "a"], ["a", "a"]]) is None
    assert krippendorff_alpha([["a", "a"], ["b", "b"]]) == 1


def _by_pairs(items: list[list[str | None]]) -> float | None:
    """Alpha straight from its definition: all pairs of votes within units against all pairs at all."""
    units = [[vote for vote in item if vote is not None] for item in items]
    units = [unit for unit in units if len(unit) > 1]
    votes = [vote for unit in units for vote in unit]
    n = len(votes)
    observed = sum(
        (unit[i] != unit[j]) / (len(unit) - 1)
        for unit in units
        for i in range(len(unit))
        for j in range(len(unit))
        if i != j
    )
    expected = sum(votes[i] != votes[j] for i in range(n) for j in range(n) if i != j)
    return 1 - (observed / n) / (expected / (n * (n - 1))) if expected else None


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from(["a", "b", "c", None]), max_size=6), max_size=15))
def test_krippendorff_equal_to_its_definition(items: list[list[str | None]]) -> None:
    assert krippendorff_alpha(items) == pytest.approx(_by_pairs(items), abs=1e-12)


def test_krippendorff_is_linear_in_the_votes() -> None:
    def seconds(size: int) -> float:
        items = [["a", "b", "a", None, "b"]] * size
        start = time.process_time()
        krippendorff_alpha(items)
        return time.process_time() - start

    seconds(1000)
    assert seconds(40_000) < 2.0


def test_who_leads_the_votes() -> None:
    votes = {"A": 3, "B": 2, "T": 5}
    assert (plurality(votes, tie="T"), ties_for_both(votes, tie="T")) == ("T", "A")
    votes = {"A": 5, "B": 2, "T": 5}
    assert (plurality(votes, tie="T"), ties_for_both(votes, tie="T")) == ("T", "A")
    votes = {"A": 3, "B": 3, "T": 1}
    assert (plurality(votes, tie="T"), ties_for_both(votes, tie="T")) == ("T", "T")
    for nobody in ({}, {"A": 0, "T": 0}):
        assert plurality(nobody, tie="T") == ties_for_both(nobody, tie="T") == "T"
