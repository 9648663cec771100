"""How good a judge's yes and no are: the counts and the figures made of them, and how far its probabilities hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class Binary:
    """Decisions against labels, counted. Figures without a denominator are 0.

    Attributes:
        tp, fp, tn, fn: true and false positives and negatives.
        calibration: how far the probabilities hold, where there were any.
    """

    tp: int
    fp: int
    tn: int
    fn: int
    calibration: Calibration | None = None

    @property
    def n(self) -> int:
        """Number of decisions."""
        return self.tp + self.fp + self.tn + self.fn

    @property
    def precision(self) -> float:
        """Share of the accepted that are right."""
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """Share of the right that are accepted."""
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def specificity(self) -> float:
        """Share of the wrong that are rejected."""
        return _ratio(self.tn, self.tn + self.fp)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall of the positive class."""
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def negative_f1(self) -> float:
        """F1 of the negative class."""
        return _ratio(2 * self.tn, 2 * self.tn + self.fp + self.fn)

    @property
    def macro_f1(self) -> float:
        """Mean of both classes' F1; a class that neither labels nor decisions know is left out."""
        known = [
            score
            for score, size in ((self.f1, self.tp + self.fp + self.fn), (self.negative_f1, self.tn + self.fp + self.fn))
            if size
        ]
        return _ratio(sum(known), len(known))

    @property
    def accuracy(self) -> float:
        """Share of right decisions."""
        return _ratio(self.tp + self.tn, self.n)

    @property
    def balanced_accuracy(self) -> float:
        """Mean of recall and specificity; a class without labels is left out."""
        known = [
            score for score, size in ((self.recall, self.tp + self.fn), (self.specificity, self.tn + self.fp)) if size
        ]
        return _ratio(sum(known), len(known))

    def as_dict(self) -> dict[str, float | int]:
        """Counts and figures by name, for `--json`."""
        return {
            "n": self.n,
            "tp": self.tp,
            "fp": self.fp,
            "tn": self.tn,
            "fn": self.fn,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "macro_f1": self.macro_f1,
            "balanced_accuracy": self.balanced_accuracy,
        }


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar of a reliability diagram: probabilities in [low, high), the last bar's end included.

    Attributes:
        low, high: its edges.
        n: decisions in it.
        probability: their mean probability.
        frequency: share of them that is right.
    """

    low: float
    high: float
    n: int
    probability: float
    frequency: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far probabilities hold.

    Attributes:
        brier: mean squared difference of probability and outcome, 0 (best) to 1 (Brier 1950).
        ece: expected calibration error over the bins, 0 to 1 (Naeini et al. 2015).
        bins: the reliability diagram; bars without decisions are left out.
    """

    brier: float
    ece: float
    bins: tuple[Bin, ...]


def calibration(labels: Iterable[bool], probabilities: Iterable[float], *, bins: int = 10) -> Calibration | None:
    """How far probabilities hold against what turned out right.

    Arguments:
        labels: what is right.
        probabilities: the probability given to each, 0 to 1.
        bins: number of equally wide bars.

    Returns:
        Brier score, expected calibration error and the reliability diagram; None without decisions.

    Raises:
        ValueError: for a probability outside 0 to 1 (NaN included) or sequences of different lengths.
    """
    if bins < 1:
        raise ValueError("a reliability diagram has at least one bin")
    sums = [[0, 0.0, 0] for _ in range(bins)]
    squares = 0.0
    n = 0
    for label, probability in zip(labels, probabilities, strict=True):
        if not 0 <= probability <= 1:
            raise ValueError(f"a probability lies between 0 and 1, not {probability}")
        bar = sums[min(int(probability * bins), bins - 1)]
        bar[0] += 1
        bar[1] += probability
        bar[2] += bool(label)
        squares += (probability - bool(label)) ** 2
        n += 1
    if not n:
        return None
    bars = tuple(
        Bin(index / bins, (index + 1) / bins, int(size), total / size, right / size)
        for index, (size, total, right) in enumerate(sums)
        if size
    )
    ece = sum(bar.n * abs(bar.probability - bar.frequency) for bar in bars) / n
    return Calibration(squares / n, ece, bars)


def binary(
    labels: Sequence[bool], predictions: Sequence[bool], scores: Sequence[float] | None = None, *, bins: int = 10
) -> Binary:
    """Count decisions against labels.

    Arguments:
        labels: what is right, one a decision.
        predictions: what the judge decided.
        scores: the judge's probabilities, if it gave any.
        bins: bars of the reliability diagram.

    Returns:
        Counts, with every figure as a property.

    Raises:
        ValueError: for sequences of different lengths or a score outside 0 to 1.
    """
    cells = [0, 0, 0, 0]
    for label, prediction in zip(labels, predictions, strict=True):
        cells[(2 if label else 0) + (1 if prediction else 0)] += 1
    tn, fp, fn, tp = cells
    return Binary(tp, fp, tn, fn, None if scores is None else calibration(labels, scores, bins=bins))
