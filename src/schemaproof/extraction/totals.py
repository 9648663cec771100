"""Totals over rows, in one pass and in memory that does not grow with their number.

Means are summed the way the published script's Python does. For the intervals, rows are dealt into at most 1,000 blocks
and whole blocks are drawn: up to 1,000 rows that is the plain bootstrap over rows. Further rows are dealt at random (by
their number alone, so that the same rows give the same interval): in turn, rows that a file has in some order, model
after model or every other one of a kind, would make the blocks alike or unlike, and the interval too narrow or wide.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from schemaproof.extraction.complexity import bins
from schemaproof.extraction.reference import METRICS
from schemaproof.extraction.scorer import LEAF_METRICS, VERDICTS, Score

BLOCKS = 1000
_WORD = (1 << 64) - 1
RESAMPLES = 1000
LEVEL = 0.95
# Heterogeneous schemas have any number of fields; the rest is counted together.
FIELDS = 2000
OTHER_FIELDS = "(other fields)"
EXAMPLES = 20


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its percentile interval at 95%.

    Attributes:
        mean, low, high: the figure and its interval; NaN without rows.
        rows: number of rows it is over.
    """

    mean: float
    low: float
    high: float
    rows: int


class Sum:
    """A running sum with Neumaier's correction: the same last bit as `sum` of all values on Python 3.12."""

    __slots__ = ("correction", "total")

    def __init__(self) -> None:
        self.total = self.correction = 0.0

    def add(self, value: float) -> None:
        """Add a value."""
        grown = self.total + value
        if abs(self.total) >= abs(value):
            self.correction += (self.total - grown) + value
        else:
            self.correction += (value - grown) + self.total
        self.total = grown

    @property
    def value(self) -> float:
        """The sum so far."""
        return self.total + self.correction


def block_of(row: int, blocks: int) -> int:
    """The block that a row is dealt into where there are more rows than blocks.

    Arguments:
        row: its number, from 0.
        blocks: how many there are.

    Source: Steele, Lea and Flood 2014 (SplitMix64).
    """
    mixed = (row + 1) * 0x9E3779B97F4A7C15 & _WORD
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
    return (mixed ^ mixed >> 31) % blocks


class Dealt:
    """Sums over rows, row by row up to a limit, and beyond it over blocks that all rows are dealt into.

    Arguments:
        width: how many figures a row has.
        limit: the number of blocks.

    Attributes:
        sums: of each block the sums of the figures, and the number of its rows.
    """

    def __init__(self, width: int, limit: int = BLOCKS) -> None:
        self.sums: list[list[float]] = []
        self._width = width
        self._limit = limit
        self._rows = 0

    def add(self, values: Sequence[float]) -> None:
        """Add a row."""
        if self._rows < self._limit:
            self.sums.append([*values, 1.0])
        else:
            if self._rows == self._limit:
                first, self.sums = self.sums, [[0.0] * (self._width + 1) for _ in range(self._limit)]
                for row, block in enumerate(first):
                    self._into(row, block)
            self._into(self._rows, (*values, 1.0))
        self._rows += 1

    def _into(self, row: int, values: Sequence[float]) -> None:
        block = self.sums[block_of(row, self._limit)]
        for place, value in enumerate(values):
            block[place] += value


class Means:
    """Means of several figures over rows, with intervals.

    Arguments:
        names: of the figures.
        blocks: how many blocks the rows are dealt into.
    """

    def __init__(self, names: Sequence[str], blocks: int = BLOCKS) -> None:
        self.names = tuple(names)
        self.rows = 0
        self._sums = [Sum() for _ in self.names]
        self._blocks = Dealt(len(self.names), blocks)

    def add(self, figures: Mapping[str, float]) -> None:
        """Add the figures of one row."""
        values = [figures[name] for name in self.names]
        for total, value in zip(self._sums, values, strict=True):
            total.add(value)
        self._blocks.add(values)
        self.rows += 1

    def sum(self, name: str) -> float:
        """Sum of a figure."""
        return self._sums[self.names.index(name)].value

    def means(self, resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Mean]:
        """The mean of every figure with its interval; the same rows in the same order give the same interval."""
        if not self.rows:
            return {name: Mean(math.nan, math.nan, math.nan, 0) for name in self.names}
        blocks = [block for block in self._blocks.sums if block[-1]]
        columns = [[block[place] for block in blocks] for place in range(len(self.names) + 1)]
        drawn: list[list[float]] = [[] for _ in self.names]
        rng, numbers = random.Random(seed), range(len(blocks))
        varies = [_varies(column, columns[-1]) for column in columns[:-1]]
        for _ in range(resamples):
            chosen = rng.choices(numbers, k=len(numbers))
            size = math.fsum(map(columns[-1].__getitem__, chosen))
            for place, column in enumerate(columns[:-1]):
                if varies[place]:
                    drawn[place].append(sum(map(column.__getitem__, chosen)) / size)
        found = {}
        for place, name in enumerate(self.names):
            mean = self._sums[place].value / self.rows
            ordered = sorted(drawn[place]) or [mean]
            found[name] = Mean(
                mean, _quantile(ordered, (1 - LEVEL) / 2), _quantile(ordered, (1 + LEVEL) / 2), self.rows
            )
        return found


def _varies(sums: Sequence[float], sizes: Sequence[float]) -> bool:
    """Whether the means of blocks differ by more than what adding up makes of equal figures."""
    means = [value / size for value, size in zip(sums, sizes, strict=True)]
    low, high = min(means), max(means)
    return high - low > 1e-12 * max(abs(low), abs(high))


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


@dataclass(slots=True)
class Problem:
    """A row that could not be scored: its line, id, model and why."""

    line: int
    id: Any
    model: str
    message: str


@dataclass
class Totals:
    """All that is told of a set of rows (of one model, or of a whole file).

    Attributes:
        profile: of the scores.
        rows: all of them.
        refused: the provider gave no answer.
        failed: answered, but they cannot be scored; `unreadable` of them are no rows at all.
        valid, compliant: scored rows whose answer is JSON, and keeps to its schema.
        gap: valid and compliant, but value score below 0.5.
        means: over scored rows.
        by_bin: bin of schema complexity to means over its scored rows; `bin_rows` counts all rows.
        computed: rows whose complexity had to be computed.
        broken_schemas: rows whose JSON Schema cannot be used, so that nothing complies with it.
        verdicts, by_field, by_kind, by_depth: leaves in the order of `VERDICTS`, with profile `aligned`.
        notes: what was done to find the JSON, by number of rows.
        problems: the first rows that could not be scored, with their lines.
    """

    profile: str
    rows: int = 0
    refused: int = 0
    failed: int = 0
    unreadable: int = 0
    valid: int = 0
    compliant: int = 0
    gap: int = 0
    computed: int = 0
    broken_schemas: int = 0
    means: Means = field(init=False)
    by_bin: dict[str, Means] = field(init=False)
    bin_rows: Counter[str] = field(default_factory=Counter)
    verdicts: list[int] = field(default_factory=lambda: [0] * len(VERDICTS))
    by_field: dict[str, list[int]] = field(default_factory=dict)
    by_kind: dict[str, list[int]] = field(default_factory=dict)
    by_depth: dict[int, list[int]] = field(default_factory=dict)
    notes: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        names = metric_names(self.profile)
        self.means = Means(names)
        self.by_bin = {name: Means(names, blocks=200) for name in bins()}

    @property
    def scored(self) -> int:
        """Rows that have scores."""
        return self.means.rows

    @property
    def answered(self) -> int:
        """Rows that the provider answered."""
        return self.rows - self.refused

    def add(self, score: Score) -> None:
        """Add one row."""
        self.rows += 1
        place = score.complexity.bin if score.complexity is not None else ""
        if score.complexity is not None:
            self.computed += score.complexity.computed
            self.bin_rows[place] += 1
        for note in score.notes:
            self.notes["value-chosen" if note.startswith("value-") else note] += 1
        self.broken_schemas += bool(score.schema_problem)
        if score.error or score.refusal:
            self.refused += not score.error
            self.failed += bool(score.error)
            self.unreadable += score.unreadable
            if score.error and len(self.problems) < EXAMPLES:
                self.problems.append(Problem(score.line, score.id, score.model, score.error))
            return
        got = score.metrics
        self.valid += got["is_valid_json"] == 1.0
        self.compliant += got["is_valid_json"] == got["is_schema_compliant"] == 1.0
        self.gap += score.gap
        self.means.add(got)
        if place:
            self.by_bin[place].add(got)
        for at, number in enumerate(score.verdicts):
            self.verdicts[at] += number
        _add(self.by_field, score.by_field, FIELDS)
        _add(self.by_kind, score.by_kind)
        _add(self.by_depth, score.by_depth)


def metric_names(profile: str) -> tuple[str, ...]:
    """The metrics that a profile yields."""
    return (*METRICS, *LEAF_METRICS) if profile == "aligned" else METRICS


def _add(into: dict[Any, list[int]], more: Mapping[Any, Sequence[int]], limit: int = 0) -> None:
    for name, numbers in more.items():
        if limit and name not in into and len(into) >= limit:
            name = OTHER_FIELDS
        known = into.setdefault(name, [0] * len(VERDICTS))
        for at, number in enumerate(numbers):
            known[at] += number


@dataclass
class Report:
    """Totals of a file: of all rows, and of each model where there are several."""

    profile: str
    whole: Totals = field(init=False)
    models: dict[str, Totals] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.whole = Totals(self.profile)

    def add(self, score: Score) -> None:
        """Add one row."""
        self.whole.add(score)
        if score.model not in self.models and len(self.models) < 200:
            self.models[score.model] = Totals(self.profile)
        if score.model in self.models:
            self.models[score.model].add(score)


@dataclass(frozen=True, slots=True)
class Difference:
    """One metric of two sets of answers on the rows that both have.

    Attributes:
        metric: its name.
        first, second: means of either.
        difference: first less second.
        low, high: its 95% interval, NaN where there is none.
        p: two-sided, by exchanging the answers of whole rows (or blocks of rows).
    """

    metric: str
    first: float
    second: float
    difference: float
    low: float
    high: float
    p: float


class Pairing:
    """Pairs the scores of two sets of answers by id. Keeps one entry a row until its counterpart comes."""

    def __init__(self, profile: str) -> None:
        self.names = metric_names(profile)
        self._seen: tuple[dict[str, tuple[float, ...]], dict[str, tuple[float, ...]]] = ({}, {})

    def add(self, side: int, score: Score) -> None:
        """Add a row to side 0 or 1; of rows with the same id the last counts, rows without scores do not."""
        if score.metrics:
            self._seen[side][str(score.id)] = tuple(score.metrics[name] for name in self.names)

    @property
    def numbers(self) -> tuple[int, int, int]:
        """Scored rows of the first, of the second, and of both."""
        return len(self._seen[0]), len(self._seen[1]), len(self._seen[0].keys() & self._seen[1].keys())

    def differences(self, resamples: int = RESAMPLES) -> list[Difference]:
        """Every metric, compared on the rows that both have; empty without any."""
        from schemaproof.scoring.bootstrap import paired_test_of_sums

        shared = [name for name in self._seen[0] if name in self._seen[1]]
        found: list[Difference] = []
        for place, metric in enumerate(self.names if shared else ()):
            dealt = Dealt(2)
            for name in shared:
                dealt.add([self._seen[side][name][place] for side in (0, 1)])
            filled = [block for block in dealt.sums if block[-1]]
            blocks = [[[block[side], block[-1]] for block in filled] for side in (0, 1)]
            first, second = (math.fsum(block[0] for block in side) / len(shared) for side in blocks)
            test = paired_test_of_sums(blocks[0], blocks[1], n=resamples)
            if test is not None:
                found.append(Difference(metric, first, second, first - second, test.low, test.high, test.p))
        return found


def totals_of(scores: Iterable[Score], profile: str, each: Callable[[Score], None] | None = None) -> Report:
    """The report of scores, taken one by one.

    Arguments:
        scores: rows in the order of the file.
        profile: theirs.
        each: called with every score, to print it as it comes.
    """
    report = Report(profile)
    for score in scores:
        report.add(score)
        if each is not None:
            each(score)
    return report
