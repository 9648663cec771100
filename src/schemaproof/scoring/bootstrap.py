"""Intervals and paired tests that resample whole groups (pages), since what stands on one page hangs together.

Figures made of sums (a mean, precision, recall, F1, a rejection rate) are resampled as sums: each group brings a
vector of additive quantities, and the figure is a function of their totals. That is exact and fast.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any, TypeAlias, TypeVar

# Draws up to this many numbers are kept for the next figure over the same groups (a run has half a dozen).
_REMEMBERED = 1_000_000

T = TypeVar("T")
Sums: TypeAlias = Mapping[Any, Sequence[float]] | Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure and where it would lie had other groups been drawn.

    Attributes:
        estimate: the figure on the data itself.
        low, high: ends of the percentile interval.
        level: its confidence level, 0 to 1.
        groups: number of groups resampled.
        resamples: how many resamples had a figure at all.
    """

    estimate: float
    low: float
    high: float
    level: float
    groups: int
    resamples: int


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The difference of two systems on the same groups.

    Attributes:
        difference: figure of the first less that of the second.
        low, high: percentile interval of the difference.
        p: two-sided chance of a difference at least as large if the systems were interchangeable.
        groups: number of groups that both have.
    """

    difference: float
    low: float
    high: float
    p: float
    groups: int


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean; NaN of nothing."""
    return math.fsum(values) / len(values) if values else math.nan


def ratio(totals: Sequence[float]) -> float:
    """First total over the second: the mean where a group brings (sum, number). NaN over zero."""
    return totals[0] / totals[1] if totals[1] else math.nan


def _rows(groups: Mapping[Any, Sequence[T]] | Sequence[Sequence[T]]) -> list[Sequence[T]]:
    return list(groups.values()) if isinstance(groups, Mapping) else list(groups)


def _figure(statistic: Callable[[T], float | None], data: T) -> float:
    try:
        value = statistic(data)
    except ZeroDivisionError:
        return math.nan
    return math.nan if value is None else float(value)


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _ends(figures: Iterable[float], level: float) -> tuple[float, float, int]:
    usable = sorted(figure for figure in figures if not math.isnan(figure))
    if not usable:
        return math.nan, math.nan, 0
    return _quantile(usable, (1 - level) / 2), _quantile(usable, (1 + level) / 2), len(usable)


def _checked(n: int, level: float) -> None:
    if n < 1:
        raise ValueError("a bootstrap needs at least one resample")
    if not 0 < level < 1:
        raise ValueError("a confidence level lies between 0 and 1")


def _columns(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        raise ValueError("every group brings the same number of sums")
    return [[row[index] for row in rows] for index in range(width)]


def _drawn(size: int, n: int, seed: int) -> Iterable[Callable[[Sequence[float]], Sequence[float]]]:
    """n resamples of a number of groups, each as a function that picks its members of a column."""
    rng = random.Random(seed)
    numbers = range(size)
    for _ in range(n):
        picked = rng.choices(numbers, k=size)
        # itemgetter of one number gives the bare member.
        yield itemgetter(*picked) if size > 1 else list


@lru_cache(maxsize=2)
def _remembered(size: int, n: int, seed: int) -> tuple[Callable[[Sequence[float]], Sequence[float]], ...]:
    return tuple(_drawn(size, n, seed))


def _resampled_totals(columns: list[list[float]], size: int, n: int, seed: int) -> Iterable[Sequence[float]]:
    """Totals of the columns over resampled groups. All figures over the same groups are resampled alike."""
    small = size * n <= _REMEMBERED
    for pick in _remembered(size, n, seed) if small else _drawn(size, n, seed):
        yield [sum(pick(column)) for column in columns]


def interval(
    values_by_group: Mapping[Any, Sequence[T]] | Sequence[Sequence[T]],
    statistic: Callable[[Sequence[T]], float | None] = mean,  # type: ignore[assignment]
    *,
    n: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval | None:
    """Percentile bootstrap over groups.

    Arguments:
        values_by_group: page to its values; a page without values may be there and takes part in the drawing.
        statistic: from all values to the figure; NaN, None or a division by zero leaves a resample out.
        n: number of resamples.
        level: confidence level.
        seed: of the random numbers; the same seed and data give the same interval.

    Returns:
        The interval; None without any group.

    Raises:
        ValueError: for n below 1 or a level outside 0 to 1.

    Source: Efron 1979; resampling clusters: Davison and Hinkley 1997, section 3.8.
    """
    rows = _rows(values_by_group)
    _checked(n, level)
    if statistic is mean:
        return interval_of_sums(
            [(math.fsum(row), float(len(row))) for row in rows],  # type: ignore[arg-type]
            ratio,
            n=n,
            level=level,
            seed=seed,
        )
    if not rows:
        return None
    rng = random.Random(seed)
    figures = (_figure(statistic, list(chain.from_iterable(rng.choices(rows, k=len(rows))))) for _ in range(n))
    low, high, usable = _ends(figures, level)
    return Interval(_figure(statistic, list(chain.from_iterable(rows))), low, high, level, len(rows), usable)


def interval_of_sums(
    sums_by_group: Sums,
    statistic: Callable[[Sequence[float]], float | None] = ratio,
    *,
    n: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval | None:
    """Percentile bootstrap over groups of a figure made of sums.

    Arguments:
        sums_by_group: page to its vector of additive quantities, all of one length: (sum, number) for a mean,
            (tp, fp, tn, fn) for F1.
        statistic: from the vector of totals to the figure.
        n, level, seed: see `interval`.

    Returns:
        The interval; None without any group.

    Raises:
        ValueError: for vectors of different lengths, n below 1 or a level outside 0 to 1.
    """
    rows = _rows(sums_by_group)
    _checked(n, level)
    if not rows:
        return None
    columns = _columns(rows)
    figures = (_figure(statistic, totals) for totals in _resampled_totals(columns, len(rows), n, seed))
    low, high, usable = _ends(figures, level)
    return Interval(_figure(statistic, [math.fsum(column) for column in columns]), low, high, level, len(rows), usable)


def _shared(a: Sums, b: Sums) -> tuple[list[Sequence[float]], list[Sequence[float]]]:
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        names = [name for name in a if name in b]
        return [a[name] for name in names], [b[name] for name in names]
    if isinstance(a, Mapping) or isinstance(b, Mapping):
        raise ValueError("give both systems by name of the group, or both in the same order")
    if len(a) != len(b):
        raise ValueError("two systems in the same order have the same number of groups")
    return list(a), list(b)


def paired_test_of_sums(
    a: Sums,
    b: Sums,
    statistic: Callable[[Sequence[float]], float | None] = ratio,
    *,
    n: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> PairedTest | None:
    """Whether two systems differ in a figure made of sums: permutation test and bootstrap interval, by group.

    Arguments:
        a, b: group to vector of sums, see `interval_of_sums`; by name (only shared names count) or both in the
            same order.
        statistic: from the vector of totals to the figure.
        n: number of permutations and of resamples; up to 12 groups all 2^groups exchanges are tried instead.
        level, seed: see `interval`.

    Returns:
        The difference of a and b; None without a shared group or where one of them has no figure.

    Raises:
        ValueError: for groups or vectors that do not match, n below 1 or a level outside 0 to 1.

    Source: approximate randomisation, Noreen 1989; with (1 + hits) / (1 + n), Phipson and Smyth 2010.
    """
    _checked(n, level)
    rows_a, rows_b = _shared(a, b)
    size = len(rows_a)
    if not size:
        return None
    columns_a, columns_b = _columns(rows_a), _columns(rows_b)
    if len(columns_a) != len(columns_b):
        raise ValueError("every group brings the same number of sums")
    totals_a = [math.fsum(column) for column in columns_a]
    totals_b = [math.fsum(column) for column in columns_b]
    difference = _figure(statistic, totals_a) - _figure(statistic, totals_b)
    if math.isnan(difference):
        return None

    # Exchanging a group moves its gap from one side to the other.
    gaps = [[y - x for x, y in zip(left, right, strict=True)] for left, right in zip(columns_a, columns_b, strict=True)]
    uneven = [index for index in range(size) if any(gap[index] for gap in gaps)]
    rng = random.Random(seed)
    exact = len(uneven) <= 12
    rounds = 1 << len(uneven) if exact else n
    threshold = abs(difference) * (1 - 1e-12) - 1e-15
    hits = usable = 0
    for round_number in range(rounds):
        mask = round_number if exact else rng.getrandbits(len(uneven))
        chosen = [index for place, index in enumerate(uneven) if mask >> place & 1]
        moved = [sum(map(gap.__getitem__, chosen)) for gap in gaps]
        left = _figure(statistic, [total + step for total, step in zip(totals_a, moved, strict=True)])
        right = _figure(statistic, [total - step for total, step in zip(totals_b, moved, strict=True)])
        if math.isnan(left - right):
            continue
        usable += 1
        hits += abs(left - right) >= threshold
    p = hits / usable if exact and usable else (1 + hits) / (1 + usable)

    both = columns_a + columns_b
    width = len(columns_a)
    figures = (
        _figure(statistic, totals[:width]) - _figure(statistic, totals[width:])
        for totals in _resampled_totals(both, size, n, seed)
    )
    low, high, _ = _ends(figures, level)
    return PairedTest(difference, low, high, p, size)


def paired_test(
    a: Mapping[Any, Sequence[float]] | Sequence[Sequence[float]],
    b: Mapping[Any, Sequence[float]] | Sequence[Sequence[float]],
    *,
    n: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> PairedTest | None:
    """Whether the means of two contenders that share pages differ.

    Arguments:
        a, b: page to the contender's values there (MeMR scores of its units).
        n, level, seed: see `paired_test_of_sums`.

    Returns:
        Difference of the means over all values, its interval and p; None without a shared page or values.
    """
    rows_a, rows_b = _shared(a, b)
    return paired_test_of_sums(
        [(math.fsum(row), float(len(row))) for row in rows_a],
        [(math.fsum(row), float(len(row))) for row in rows_b],
        n=n,
        level=level,
        seed=seed,
    )
