"""Spearman's rank correlation and Student's t-test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from schemaproof.scoring.distribution import student_tail


@dataclass(frozen=True, slots=True)
class Correlation:
    """A rank correlation.

    Attributes:
        rho: -1 to 1.
        p: two-sided, by the t approximation; NaN for two pairs.
        n: number of pairs.
    """

    rho: float
    p: float
    n: int


@dataclass(frozen=True, slots=True)
class TTest:
    """Student's t-test.

    Attributes:
        t: the statistic; positive where the first sample's mean is larger.
        degrees: degrees of freedom.
        p_two_sided: chance of a |t| at least as large.
        p_greater: chance of a t at least as large (the first mean is larger).
        p_less: chance of a t at most as large.
    """

    t: float
    degrees: float
    p_two_sided: float
    p_greater: float
    p_less: float


def ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1, equal values sharing the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    out = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in range(start, end + 1):
            out[order[place]] = (start + end) / 2 + 1
        start = end + 1
    return out


def spearman(x: Sequence[float], y: Sequence[float]) -> Correlation | None:
    """Spearman's rank correlation, ties by mean rank.

    Arguments:
        x, y: paired values.

    Returns:
        The correlation; None for fewer than two pairs or where one side is constant.

    Raises:
        ValueError: for sequences of different lengths or with NaN.

    Source: Spearman 1904; paper, section 4.3 (C-sets).
    """
    if len(x) != len(y):
        raise ValueError("a correlation needs pairs: both sequences have the same length")
    if any(math.isnan(value) for value in (*x, *y)):
        raise ValueError("a correlation has no place for NaN")
    n = len(x)
    if n < 2:
        return None
    middle = (n + 1) / 2
    left = [rank - middle for rank in ranks(x)]
    right = [rank - middle for rank in ranks(y)]
    norm = math.fsum(value * value for value in left) * math.fsum(value * value for value in right)
    if not norm:
        return None
    rho = math.fsum(a * b for a, b in zip(left, right, strict=True)) / math.sqrt(norm)
    rho = max(-1.0, min(1.0, rho))
    if n == 2:
        return Correlation(rho, math.nan, n)
    if abs(rho) == 1:
        return Correlation(rho, 0.0, n)
    t = rho * math.sqrt((n - 2) / ((1 + rho) * (1 - rho)))
    return Correlation(rho, 2 * student_tail(abs(t), n - 2), n)


def _moments(values: Sequence[float]) -> tuple[int, float, float]:
    n = len(values)
    mean = math.fsum(values) / n
    return n, mean, math.fsum((value - mean) ** 2 for value in values)


def t_test(a: Sequence[float], b: Sequence[float], *, equal_variances: bool = True) -> TTest | None:
    """Student's t-test of two independent samples.

    Arguments:
        a, b: the samples, two values or more each.
        equal_variances: pooled variance (Student); else Welch's.

    Returns:
        Statistic and p; None for a sample of fewer than two values or where neither varies and means agree.

    Source: Student 1908, Welch 1947; paper, Appendix H.
    """
    if len(a) < 2 or len(b) < 2:
        return None
    n_a, mean_a, squares_a = _moments(a)
    n_b, mean_b, squares_b = _moments(b)
    if equal_variances:
        degrees = float(n_a + n_b - 2)
        error = math.sqrt((squares_a + squares_b) / degrees * (1 / n_a + 1 / n_b))
    else:
        part_a, part_b = squares_a / (n_a - 1) / n_a, squares_b / (n_b - 1) / n_b
        error = math.sqrt(part_a + part_b)
        bottom = part_a**2 / (n_a - 1) + part_b**2 / (n_b - 1)
        degrees = (part_a + part_b) ** 2 / bottom if bottom else float(n_a + n_b - 2)
    difference = mean_a - mean_b
    if not error:
        if not difference:
            return None
        t = math.copysign(math.inf, difference)
    else:
        t = difference / error
    greater = student_tail(t, degrees)
    return TTest(t, degrees, min(1.0, 2 * student_tail(abs(t), degrees)), greater, student_tail(-t, degrees))
