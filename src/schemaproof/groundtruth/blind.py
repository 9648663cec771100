"""Judges that see too little to judge: what they reach beyond chance is what a benchmark gives away.

Each is a count of what it sees among right and wrong rows (naive Bayes), measured on groups that it was not counted
on. One that sees no text cannot know what is factual; one that sees no definition, or the value alone, cannot know what
is compliant.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence

from schemaproof.groundtruth.row import Row, digest
from schemaproof.scoring.classification import binary

CHANCE = 0.58
FOLDS = 5
Features = Callable[[Row], tuple[Hashable, ...]]


def value_shape(value: object) -> str:
    """The shape of a value: capitals, small letters and digits as A, a and 9, runs as one, at most 14 characters."""
    text = re.sub(r"[^\W\d_]", lambda found: "A" if found[0].isupper() else "a", str(value)[:80])
    text = re.sub(r"\d", "9", text)
    return re.sub(r"(.)\1+", r"\1", re.sub(r"(?:Aa? ?|a ?)+", lambda found: found[0][:2], text))[:14]


BASELINES: dict[str, Features] = {
    "type": lambda row: (row.types,),
    "property": lambda row: (row.property,),
    "value shape": lambda row: (value_shape(row.value),),
    "type, property, shape": lambda row: (row.types, row.property, (row.property, value_shape(row.value))),
    "property with value": lambda row: ((row.property, str(row.value)),),
}


def _fold(group: str) -> int:
    return int(digest(f"fold:{group}"), 16) % FOLDS


def predictions(rows: Sequence[Row], features: Features) -> list[bool]:
    """What a blind judge says of each row, counted on the groups of the other folds only."""
    seen = [features(row) for row in rows]
    folds = [_fold(row.group) for row in rows]
    said = [True] * len(rows)
    for fold in range(FOLDS):
        counts: list[dict[bool, Counter[Hashable]]] = []
        totals = {True: 0, False: 0}
        for row, each, own in zip(rows, seen, folds, strict=True):
            if own == fold:
                continue
            totals[row.label] += 1
            for place, feature in enumerate(each):
                while len(counts) <= place:
                    counts.append({True: Counter(), False: Counter()})
                counts[place][row.label][feature] += 1
        for index, (each, own) in enumerate(zip(seen, folds, strict=True)):
            if own == fold:
                said[index] = _odds(each, counts, totals) >= 0
    return said


def _odds(
    features: tuple[Hashable, ...], counts: list[dict[bool, Counter[Hashable]]], totals: dict[bool, int]
) -> float:
    """Log-odds of being right at even prior odds; 0 for what was never seen."""
    odds = 0.0
    for place, feature in enumerate(features[: len(counts)]):
        right, wrong = counts[place][True][feature], counts[place][False][feature]
        if right or wrong:
            odds += math.log((right + 0.5) / (totals[True] + 1)) - math.log((wrong + 0.5) / (totals[False] + 1))
    return odds


def blind_accuracies(rows: Sequence[Row]) -> dict[str, float]:
    """Balanced accuracy of every blind judge by name."""
    labels = [row.label for row in rows]
    return {name: binary(labels, predictions(rows, features)).balanced_accuracy for name, features in BASELINES.items()}


def always_yes(rows: Sequence[Row]) -> dict[str, float]:
    """Precision and F1 of who accepts everything."""
    counted = binary([row.label for row in rows], [True] * len(rows))
    return {"precision": counted.precision, "f1": counted.f1, "balanced_accuracy": counted.balanced_accuracy}


def telling_groups(rows: Sequence[Row], features: Features) -> dict[str, float]:
    """By group, how often a blind judge is right about it less how often it is wrong: what gives most away."""
    said = predictions(rows, features)
    found: dict[str, float] = defaultdict(float)
    for row, yes in zip(rows, said, strict=True):
        found[row.group] += 1.0 if yes == row.label else -1.0
    return found
