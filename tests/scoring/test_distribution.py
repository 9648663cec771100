from __future__ import annotations

import math

import hypothesis.strategies as st
import pytest
from hypothesis import assume, given, settings

from schemaproof.scoring.distribution import incomplete_beta, student_tail


def test_closed_forms() -> None:
    assert incomplete_beta(1, 1, 0.3) == pytest.approx(0.3, abs=1e-15)
    assert incomplete_beta(2, 1, 0.3) == pytest.approx(0.09, abs=1e-15)
    assert incomplete_beta(1, 3, 0.3) == pytest.approx(1 - 0.7**3, abs=1e-15)
    assert (incomplete_beta(2, 3, 0), incomplete_beta(2, 3, 1)) == (0, 1)
    # One degree of freedom is Cauchy's distribution, two have a closed form.
    assert student_tail(1.5, 1) == pytest.approx(0.5 - math.atan(1.5) / math.pi, abs=1e-15)
    assert student_tail(1.5, 2) == pytest.approx(0.5 - 1.5 / (2 * math.sqrt(2 + 1.5**2)), abs=1e-15)
    assert (student_tail(math.inf, 3), student_tail(-math.inf, 3), student_tail(0, 3)) == (0, 1, 0.5)


@settings(deadline=None, max_examples=300)
@given(st.floats(0.2, 500), st.floats(0.2, 500), st.floats(0, 1))
def test_equal_to_scipy(a: float, b: float, x: float) -> None:
    special = pytest.importorskip("scipy.special")
    assert incomplete_beta(a, b, x) == pytest.approx(special.betainc(a, b, x), abs=1e-12)


@settings(deadline=None, max_examples=300)
@given(st.floats(-50, 50), st.integers(1, 5000))
def test_student_equal_to_scipy(t: float, degrees: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    # Nearer to 0 it is scipy that is wrong, by up to 5e-9 with one degree of freedom: see the next test.
    assume(abs(t) > 1e-2)
    assert student_tail(t, degrees) == pytest.approx(stats.t.sf(t, degrees), abs=1e-12)


@settings(deadline=None)
@given(st.floats(-1e4, 1e4) | st.floats(-1e-3, 1e-3))
def test_student_equal_to_its_closed_forms(t: float) -> None:
    assert student_tail(t, 1) == pytest.approx(0.5 - math.atan(t) / math.pi, abs=1e-12)
    assert student_tail(t, 2) == pytest.approx(0.5 - t / (2 * math.sqrt(2 + t * t)), abs=1e-12)


@settings(deadline=None)
@given(st.floats(0.2, 300), st.floats(0.2, 300), st.floats(0, 1), st.floats(0, 1))
def test_symmetric_and_rising(a: float, b: float, x: float, y: float) -> None:
    assert incomplete_beta(a, b, x) == pytest.approx(1 - incomplete_beta(b, a, 1 - x, x), abs=1e-12)
    low, high = sorted((x, y))
    assert incomplete_beta(a, b, low) <= incomplete_beta(a, b, high) + 1e-13


def test_outside_its_range() -> None:
    with pytest.raises(ValueError):
        incomplete_beta(0, 1, 0.5)
    with pytest.raises(ValueError):
        incomplete_beta(1, 1, 1.5)
    with pytest.raises(ValueError):
        student_tail(1, 0)
