from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence

import pytest

from schemaproof.scoring.bootstrap import (
    interval,
    interval_of_sums,
    mean,
    paired_test,
    paired_test_of_sums,
)


def test_interval_of_a_mean_is_the_textbook_one() -> None:
    rng = random.Random(1)
    values = {str(page): [rng.gauss(0.6, 0.2)] for page in range(400)}
    result = interval(values, mean, n=4000)
    assert result is not None
    flat = [value for each in values.values() for value in each]
    error = math.sqrt(sum((value - mean(flat)) ** 2 for value in flat) / len(flat) / len(flat))
    assert result.estimate == pytest.approx(mean(flat), abs=1e-12)
    assert result.low == pytest.approx(mean(flat) - 1.96 * error, abs=0.15 * error)
    assert result.high == pytest.approx(mean(flat) + 1.96 * error, abs=0.15 * error)


def test_groups_are_resampled_whole() -> None:
    # Ten equal values of a page are one observation, not ten.
    rng = random.Random(2)
    pages = {page: [rng.random()] for page in range(50)}
    one = interval(pages, mean, seed=3)
    ten = interval({page: values * 10 for page, values in pages.items()}, mean, seed=3)
    assert one is not None
    assert ten is not None
    assert ten.high - ten.low == pytest.approx(one.high - one.low, rel=1e-9)


def test_any_statistic_and_sums_agree() -> None:
    pages = [[float(page % 7)] * (1 + page % 3) for page in range(40)]
    general = interval(pages, lambda values: sum(values) / len(values), seed=5)
    sums = interval(pages, mean, seed=5)
    assert general is not None
    assert sums is not None
    # Both draw with the same seed, so they draw the same pages.
    assert (general.low, general.high) == pytest.approx((sums.low, sums.high))


def test_f1_of_confusion_counts() -> None:
    def f1(totals: Sequence[float]) -> float:
        tp, fp, fn = totals
        return 2 * tp / (2 * tp + fp + fn)

    result = interval_of_sums([(3, 1, 0), (2, 0, 2), (0, 0, 0)], f1)
    assert result is not None
    assert result.estimate == pytest.approx(10 / 13)
    assert result.low <= result.estimate <= result.high
    assert result.resamples < 2000  # three times the third page has no F1


def test_counts_and_numbers_are_drawn_alike() -> None:
    counts = [(page % 5, 1 + page % 3) for page in range(50)]
    whole = interval_of_sums(counts)
    parts = interval_of_sums([(float(top), float(bottom)) for top, bottom in counts])
    assert whole is not None
    assert parts is not None
    assert (whole.low, whole.high) == (parts.low, parts.high)


def test_same_seed_same_interval() -> None:
    values = [[1.0, 2.0], [3.0], [], [5.0]]
    assert interval(values, seed=7) == interval(values, seed=7)
    assert interval(values, seed=7) != interval(values, seed=8)


def test_nothing_to_resample() -> None:
    assert interval({}) is None
    assert interval([], max) is None
    assert paired_test({}, {}) is None
    assert paired_test({"a": [1.0]}, {"b": [1.0]}) is None
    assert paired_test({"a": []}, {"a": []}) is None


def test_paired_test_sees_a_small_steady_difference() -> None:
    rng = random.Random(4)
    base = {page: rng.random() for page in range(60)}
    a = {page: [value] for page, value in base.items()}
    b = {page: [value + 0.02 + rng.gauss(0, 0.01)] for page, value in base.items()}
    result = paired_test(a, b)
    assert result is not None
    assert result.difference == pytest.approx(-0.02, abs=0.005)
    assert result.p < 0.001
    assert result.high < 0
    same = paired_test(a, a)
    assert same is not None
    assert (same.difference, same.p) == (0.0, 1.0)


def test_paired_test_of_few_groups_is_exact() -> None:
    # Four pages, all in one direction: 2 of 16 exchanges reach the difference.
    result = paired_test([[1.0], [2.0], [3.0], [4.0]], [[0.0], [0.0], [0.0], [0.0]])
    assert result is not None
    assert result.p == pytest.approx(2 / 16)


def test_p_is_uniform_when_nothing_differs() -> None:
    rng = random.Random(9)
    small = 0
    for _ in range(200):
        a = [[rng.random()] for _ in range(15)]
        b = [[rng.random()] for _ in range(15)]
        result = paired_test(a, b, n=200)
        assert result is not None
        small += result.p <= 0.1
    assert 8 <= small <= 36


def test_equal_to_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    numpy = pytest.importorskip("numpy")
    rng = random.Random(11)
    a, b = [rng.random() for _ in range(10)], [rng.random() + 0.2 for _ in range(10)]
    expected = stats.permutation_test(
        (numpy.array(a), numpy.array(b)), lambda x, y: numpy.mean(x) - numpy.mean(y), permutation_type="samples"
    )
    result = paired_test([[value] for value in a], [[value] for value in b])
    assert result is not None
    assert result.p == pytest.approx(expected.pvalue, abs=1e-12)


def test_mistakes_are_told() -> None:
    with pytest.raises(ValueError, match="same number of sums"):
        interval_of_sums([(1,), (1, 2)])
    with pytest.raises(ValueError, match="level"):
        interval([[1.0]], level=1)
    with pytest.raises(ValueError, match="resample"):
        interval([[1.0]], n=0)
    with pytest.raises(ValueError, match="same number of groups"):
        paired_test([[1.0]], [])
    with pytest.raises(ValueError, match="by name"):
        paired_test_of_sums({"a": (1, 1)}, [(1, 1)])


def test_fast_enough_for_every_cell_of_a_table() -> None:
    pages = [[0.1, 0.5]] * 200
    start = time.process_time()
    interval(pages)
    assert time.process_time() - start < 1.0
