from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from schemaproof.scoring.classification import binary, calibration

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


def test_a_case_by_hand() -> None:
    result = binary([True, True, True, False, False], [True, True, False, True, False])
    assert (result.tp, result.fp, result.tn, result.fn, result.n) == (2, 1, 1, 1, 5)
    assert result.precision == result.recall == result.f1 == pytest.approx(2 / 3)
    assert result.balanced_accuracy == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert result.macro_f1 == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert result.as_dict()["f1"] == result.f1


def test_no_decisions_and_no_denominators() -> None:
    empty = binary([], [])
    assert (empty.n, empty.precision, empty.f1, empty.balanced_accuracy, empty.macro_f1) == (0, 0, 0, 0, 0)
    assert binary([False], [False]).precision == 0.0
    assert calibration([], []) is None


@settings(deadline=None)
@given(PAIRS)
def test_equal_to_scikit_learn(pairs: list[tuple[bool, bool]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    labels, predictions = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    result = binary(labels, predictions)
    expected = {
        "precision": metrics.precision_score(labels, predictions, zero_division=0),
        "recall": metrics.recall_score(labels, predictions, zero_division=0),
        "f1": metrics.f1_score(labels, predictions, zero_division=0),
        "macro_f1": metrics.f1_score(labels, predictions, average="macro", zero_division=0),
    }
    if len(set(labels)) == 2:
        expected["balanced_accuracy"] = metrics.balanced_accuracy_score(labels, predictions)
    for name, value in expected.items():
        assert getattr(result, name) == pytest.approx(value, abs=1e-12), name


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=60))
def test_brier_equal_to_scikit_learn(pairs: list[tuple[bool, float]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    labels, probabilities = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    result = calibration(labels, probabilities)
    assert result is not None
    assert result.brier == pytest.approx(
        metrics.brier_score_loss(labels, probabilities, labels=[False, True]), abs=1e-12
    )
    assert sum(bar.n for bar in result.bins) == len(pairs)
    assert 0 <= result.ece <= 1


def test_reliability_by_hand() -> None:
    result = calibration([True, False, True, True], [0.85, 0.85, 1.0, 0.1], bins=10)
    assert result is not None
    assert [(bar.low, bar.n, bar.frequency) for bar in result.bins] == [(0.1, 1, 1.0), (0.8, 2, 0.5), (0.9, 1, 1.0)]
    assert result.ece == pytest.approx((0.9 + 2 * 0.35 + 0) / 4)


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan")])
def test_no_probability(bad: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        calibration([True], [bad])


def test_lengths_must_match() -> None:
    with pytest.raises(ValueError):
        binary([True], [])
