"""What a benchmark gives away: blind judges, and a judge whose texts are exchanged for others'."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from schemaproof.groundtruth.blind import CHANCE, always_yes, blind_accuracies
from schemaproof.groundtruth.judging import accepted, judge_rows
from schemaproof.groundtruth.row import FACTUALITY, Row
from schemaproof.pipeline.curation import Judges
from schemaproof.scoring.classification import binary


@dataclass(frozen=True, slots=True)
class Leaks:
    """What a set gives away.

    Attributes:
        name: of the set.
        n, right: rows, and how many of them are right.
        blind: balanced accuracy of blind judges by name.
        always_yes: figures of who accepts everything.
        judge: balanced accuracy of the judge, None where none was asked.
        swapped: balanced accuracy of the same judge with every text exchanged for another's; None for compliance,
            which reads no text.
    """

    name: str
    n: int
    right: int
    blind: dict[str, float]
    always_yes: dict[str, float]
    judge: float | None = None
    swapped: float | None = None

    @property
    def warnings(self) -> list[str]:
        """What a judge can tell without judging, in words."""
        found = [
            f"{self.name}: a judge that sees only {name} reaches a balanced accuracy of {value:.3f}"
            for name, value in self.blind.items()
            if value > CHANCE
        ]
        if self.swapped is not None and self.swapped > CHANCE:
            found.append(f"{self.name}: the judge reaches {self.swapped:.3f} on exchanged texts")
        return found

    def as_dict(self) -> dict[str, Any]:
        """For `--json` and leaks.json."""
        return {
            "n": self.n,
            "positive": self.right,
            "blind": self.blind,
            "always_yes": self.always_yes,
            "judge": self.judge,
            "judge_with_swapped_texts": self.swapped,
            "warnings": self.warnings,
        }


def exchanged_texts(rows: Sequence[Row], seed: int = 0) -> dict[str, str]:
    """For each group the text of another group, drawn at random."""
    by_group = {row.group: row.text for row in rows if row.label}
    by_group = {**{row.group: row.text for row in rows}, **by_group}
    groups = sorted(by_group)
    random.Random(seed).shuffle(groups)
    return {group: by_group[groups[place - 1]] for place, group in enumerate(groups)}


def on_exchanged_texts(rows: Sequence[Row], judges: Judges, seed: int = 0) -> float | None:
    """Balanced accuracy of a judge whose texts are exchanged for others'; None where no text is read."""
    rows = [row for row in rows if row.first]
    if not rows or any(row.agent != FACTUALITY or row.page for row in rows):
        return None
    verdicts = judge_rows(rows, judges, texts=exchanged_texts(rows, seed))
    return binary([row.label for row in rows], [accepted(each) for each in verdicts]).balanced_accuracy


def leaks_of(name: str, rows: Sequence[Row], judges: Judges | None = None, seed: int = 0) -> Leaks:
    """The leak report of one set.

    Arguments:
        name: of the set.
        rows: its rows.
        judges: who answers beside the blind ones; None for none.
        seed: of the exchange of texts.
    """
    rows = [row for row in rows if row.first]
    labels = [row.label for row in rows]
    judge = swapped = None
    if judges is not None and rows:
        judge = binary(labels, [accepted(each) for each in judge_rows(rows, judges)]).balanced_accuracy
        swapped = on_exchanged_texts(rows, judges, seed)
    return Leaks(name, len(rows), sum(labels), blind_accuracies(rows), always_yes(rows), judge, swapped)
