from __future__ import annotations

import math

import hypothesis.strategies as st
import pytest
from hypothesis import assume, given, settings

from schemaproof.scoring.correlation import ranks, spearman, t_test

NUMBERS = st.lists(st.integers(-20, 20).map(float), min_size=3, max_size=40)
PAIRS = st.lists(st.tuples(st.integers(-9, 9).map(float), st.integers(-9, 9).map(float)), min_size=3, max_size=40)


def test_ranks_share_their_mean() -> None:
    assert ranks([10, 30, 20, 20]) == [1, 4, 2.5, 2.5]
    assert ranks([]) == []


def test_spearman_by_hand() -> None:
    # Hours of television against IQ: the example of many textbooks, rho = -29/165.
    iq = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110]
    hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]
    result = spearman(iq, hours)
    assert result is not None
    assert result.rho == pytest.approx(-29 / 165, abs=1e-12)
    assert result.p == pytest.approx(0.6271883, abs=1e-6)


def test_edges() -> None:
    assert spearman([1], [1]) is None
    assert spearman([1, 1, 1], [1, 2, 3]) is None
    two = spearman([1, 2], [2, 1])
    assert two is not None
    assert two.rho == -1
    assert math.isnan(two.p)
    with pytest.raises(ValueError, match="length"):
        spearman([1, 2], [1])
    with pytest.raises(ValueError, match="NaN"):
        spearman([1, math.nan], [1, 2])
    assert t_test([1], [1, 2]) is None
    assert t_test([1, 1], [1, 1]) is None
    infinite = t_test([2, 2], [1, 1])
    assert infinite is not None
    assert (infinite.t, infinite.p_two_sided, infinite.p_less) == (math.inf, 0, 1)


@settings(deadline=None)
@given(PAIRS)
def test_spearman_equal_to_scipy(pairs: list[tuple[float, float]]) -> None:
    stats = pytest.importorskip("scipy.stats")
    x, y = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    result = spearman(x, y)
    if result is None:
        assert len(set(x)) == 1 or len(set(y)) == 1
        return
    expected = stats.spearmanr(x, y)
    assert result.rho == pytest.approx(expected.statistic, abs=1e-12)
    # Near |rho| = 1 scipy loses the digits of 1 - rho², and there p itself is next to 0.
    assert result.p == pytest.approx(expected.pvalue, abs=1e-12 if abs(result.rho) < 0.999 else 1e-6)


@settings(deadline=None)
@given(NUMBERS, NUMBERS, st.booleans())
def test_t_equal_to_scipy(a: list[float], b: list[float], equal: bool) -> None:
    stats = pytest.importorskip("scipy.stats")
    assume(len(set(a)) > 1 and len(set(b)) > 1)
    result = t_test(a, b, equal_variances=equal)
    assert result is not None
    expected = stats.ttest_ind(a, b, equal_var=equal)
    assert result.t == pytest.approx(expected.statistic, rel=1e-12, abs=1e-12)
    assert result.p_two_sided == pytest.approx(expected.pvalue, abs=1e-12)
    greater = stats.ttest_ind(a, b, equal_var=equal, alternative="greater")
    assert result.p_greater == pytest.approx(greater.pvalue, abs=1e-12)
    assert result.p_greater + result.p_less == pytest.approx(1, abs=1e-12)


@settings(deadline=None)
@given(PAIRS)
def test_laws_of_spearman(pairs: list[tuple[float, float]]) -> None:
    x, y = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    here, there = spearman(x, y), spearman(y, x)
    turned = spearman(x, [-value for value in y])
    if here is not None and there is not None and turned is not None:
        assert here.rho == there.rho == -turned.rho
        grown = spearman([value**3 for value in x], y)
        assert grown is not None
        assert grown.rho == here.rho
