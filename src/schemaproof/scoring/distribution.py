"""Tails of the distributions that the tests here need, by the regularised incomplete beta function."""

from __future__ import annotations

import math


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by the modified Lentz method."""
    tiny = 1e-300
    front, c = 1.0, 1.0
    d = 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    front = d
    for m in range(1, 20_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + numerator * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + numerator / c
            c = c if abs(c) > tiny else tiny
            step = d * c
            front *= step
        if abs(step - 1) < 1e-16:
            break
    return front


def _log_gamma_correction(x: float) -> float:
    """log Γ(x) less Stirling's leading terms, for x of 10 and more."""
    inverse = 1 / (x * x)
    series = 0.0
    for coefficient in (1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12):
        series = series * inverse + coefficient
    return series / x


def _log_front(a: float, b: float, x: float, y: float) -> float:
    """log of x^a y^b / B(a, b) without the cancellation of three large log-gammas."""
    if min(a, b) >= 10:
        total = a + b
        mean_x, mean_y = a / total, b / total
        # a log(x total / a) and its twin nearly cancel near the mode: take both as log1p of the gap.
        gap_a, gap_b = (x - mean_x) / mean_x, (y - mean_y) / mean_y
        power = a * (math.log1p(gap_a) if gap_a > -0.5 else math.log(x / mean_x))
        power += b * (math.log1p(gap_b) if gap_b > -0.5 else math.log(y / mean_y))
        shape = 0.5 * math.log(a * b / (2 * math.pi * total))
        return power + shape + _log_gamma_correction(total) - _log_gamma_correction(a) - _log_gamma_correction(b)
    power = a * (math.log1p(-y) if y < 0.5 else math.log(x)) + b * (math.log1p(-x) if x < 0.5 else math.log(y))
    large, small = max(a, b), min(a, b)
    if large < 10:
        return math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + power
    total = a + b
    growth = (large - 0.5) * math.log1p(small / large) + small * (math.log(total) - 1)  # of log Γ, large to total
    growth += _log_gamma_correction(total) - _log_gamma_correction(large)
    return growth - math.lgamma(small) + power


def incomplete_beta(a: float, b: float, x: float, y: float | None = None) -> float:
    """The regularised incomplete beta function I_x(a, b).

    Arguments:
        a, b: shape, more than 0.
        x: 0 to 1.
        y: 1 - x, where the caller knows it more exactly than by subtracting.

    Raises:
        ValueError: for arguments outside these ranges.

    Source: DLMF 8.17.22 (continued fraction) and 8.17.4 (symmetry).
    """
    y = 1 - x if y is None else y
    if not (a > 0 and b > 0 and 0 <= x <= 1):
        raise ValueError("the incomplete beta function needs a > 0, b > 0 and x from 0 to 1")
    if x == 0 or y == 0:
        return float(y == 0)
    if x > (a + 1) / (a + b + 2):
        return 1 - math.exp(_log_front(a, b, x, y)) * _fraction(b, a, y) / b
    return math.exp(_log_front(a, b, x, y)) * _fraction(a, b, x) / a


def student_tail(t: float, degrees: float) -> float:
    """Chance that Student's t is at least t.

    Arguments:
        t: any number, infinite ones included.
        degrees: degrees of freedom, more than 0.

    Source: DLMF 8.17.9; Abramowitz and Stegun 26.7.1.
    """
    if not degrees > 0:
        raise ValueError("Student's t needs more than 0 degrees of freedom")
    if math.isinf(t):
        return 0.0 if t > 0 else 1.0
    square = t * t
    tail = incomplete_beta(degrees / 2, 0.5, degrees / (degrees + square), square / (degrees + square)) / 2
    return tail if t > 0 else 1 - tail
