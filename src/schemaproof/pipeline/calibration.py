"""The calibration of a cascade: between which probabilities a model is asked, fitted on a named data set."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from schemaproof.errors import InputError, SourceError

VERSION = 1


@dataclass(frozen=True, slots=True)
class Calibration:
    """See the module.

    Attributes:
        factuality, compliance: (low, high): the embedded judge decides below low and from high on.
        data: what they were fitted on, for people.
        note: how.
    """

    factuality: tuple[float, float]
    compliance: tuple[float, float]
    data: str = ""
    note: str = ""


# Fitted on half 0 (by text) of the paper's factuality and compliance sets; see docs/decisions/092-cascade.md.
DEFAULT = Calibration((0.3, 0.7), (0.3, 0.7), "built in")


def read_calibration(path: str | None) -> Calibration:
    """The calibration in a file, or the packaged one.

    Raises:
        SourceError: the file cannot be opened.
        InputError: it is no calibration.
    """
    if path is None:
        return DEFAULT
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise SourceError(path, f"cannot be read: {problem}") from None
    try:
        record = json.loads(text)
        if record["calibration_version"] != VERSION:
            raise ValueError(f"is of version {record['calibration_version']}, this is {VERSION}")
        return Calibration(
            _pair(record["factuality"]),
            _pair(record["compliance"]),
            str(record.get("data", "")),
            str(record.get("note", "")),
        )
    except (KeyError, TypeError, ValueError, RecursionError) as problem:
        raise InputError(f"is no calibration of a cascade ({problem})", source=path) from None


def _pair(value: object) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError("thresholds are a list of two numbers")
    low, high = float(value[0]), float(value[1])
    if not 0 <= low <= high <= 1.01:
        raise ValueError("thresholds are 0 <= low <= high <= 1")
    return low, high


def write_calibration(calibration: Calibration, path: Path) -> None:
    """Write a calibration as `read_calibration` reads it."""
    record = {"calibration_version": VERSION, **asdict(calibration)}
    path.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Example:
    """A row to fit on: chance of the embedded judge, whether a model's yes would count, the model's yes, the label."""

    chance: float
    located: bool
    model: bool
    label: bool


def fit(rows: Sequence[Example], *, ask_at_most: float = 1.0) -> tuple[float, float]:
    """The thresholds with which a cascade is best on some rows.

    Arguments:
        rows: of one agent, at least one of each label.
        ask_at_most: largest share of rows that may go to the model.

    Returns:
        (low, high) with the largest mean of F1 and balanced accuracy over a grid; of equals, the one that asks least.
    """
    grid = [round(0.02 * step, 2) for step in range(51)] + [1.01]
    best: tuple[float, float, float] | None = None
    chosen = (0.5, 0.5)
    for low in grid:
        for high in grid:
            if low > 0.5 or high < 0.5:
                continue
            figure, share = quality(rows, low, high)
            if share <= ask_at_most and (best is None or (round(figure, 6), -share) > (best[0], best[1])):
                best, chosen = (round(figure, 6), -share, 0.0), (low, high)
    return chosen


def decide(row: Example, low: float, high: float) -> bool:
    """Whether the cascade keeps a row."""
    if low <= row.chance < high and row.located:
        return row.model
    return row.chance >= 0.5


def quality(rows: Sequence[Example], low: float, high: float) -> tuple[float, float]:
    """Mean of F1 and balanced accuracy of a cascade on rows, and the share of rows that it asks the model about."""
    from schemaproof.scoring.classification import binary

    counted = binary([row.label for row in rows], [decide(row, low, high) for row in rows])
    asked = sum(low <= row.chance < high and row.located for row in rows)
    return (counted.f1 + counted.balanced_accuracy) / 2, asked / len(rows)
