"""The calibration of a cascade: between which probabilities a model is asked, fitted on a named data set."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
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
DEFAULT = Calibration(
    (0.5, 0.94), (0.5, 0.5), "factuality_intrinsic, factuality_extrinsic and compliance of the paper, half 0 by text"
)


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
    """A row to fit on.

    Attributes:
        chance: of the embedded judge.
        located: whether a model's yes would count.
        model: what the model said.
        label: whether it is right.
    """

    chance: float
    located: bool
    model: bool
    label: bool


def fit(sets: Sequence[Sequence[Example]], *, margin: float = 0.01, errors: float = 1.0) -> tuple[float, float]:
    """The thresholds outside of which the embedded judge is shown to be no worse than the model.

    The embedded judge gets a tail of its probabilities only where, on every set, what balanced accuracy changes by
    leaving the tail to it is at least -margin, less so many standard errors (a test of non-inferiority). Where the
    sets do not show that, the model is asked: few rows make a cautious cascade, never a bold one.

    Arguments:
        sets: rows of one agent, set by set.
        margin: largest loss of balanced accuracy that is borne, per set and tail.
        errors: standard errors of safety.

    Returns:
        (low, high), low <= 0.5 <= high; a high of 1.01 leaves nothing to the embedded judge.
    """
    grid = [round(0.02 * step, 2) for step in range(51)] + [1.01]

    def borne(chosen: Callable[[Example], bool]) -> bool:
        for rows in sets:
            weight = {label: sum(row.label is label for row in rows) for label in (True, False)}
            total = squares = 0.0
            for row in rows:
                if chosen(row):
                    second = row.model and (row.located or row.chance >= 0.5)
                    change = ((row.chance >= 0.5) is row.label) - (second is row.label)
                    share = change / (2 * max(weight[row.label], 1))
                    total += share
                    squares += share * share
            if total - errors * math.sqrt(squares) < -margin:
                return False
        return True

    low = max((each for each in grid if each <= 0.5 and borne(lambda row: row.chance < each)), default=0.0)  # noqa: B023
    high = min((each for each in grid if each >= 0.5 and borne(lambda row: row.chance >= each)), default=1.01)  # noqa: B023
    return low, high


def decide(row: Example, low: float, high: float) -> bool:
    """Whether the cascade keeps a row."""
    if low <= row.chance < high:
        # A yes about a value that is not located does not count: the embedded judge's verdict stands. A no counts.
        return row.model and (row.located or row.chance >= 0.5)
    return row.chance >= 0.5


def half_of(group: str) -> int:
    """0 or 1 by a hash of a text's or page's id, for fitting on one half and reporting on the other."""
    return int(hashlib.md5(group.encode(), usedforsecurity=False).hexdigest(), 16) % 2


def share_asked(rows: Sequence[Example], low: float, high: float) -> float:
    """Share of rows that the cascade asks the model about."""
    return sum(is_asked(row, low, high) for row in rows) / max(len(rows), 1)


def is_asked(row: Example, low: float, high: float) -> bool:
    """Whether the cascade asks the model about a row: where the answer can change anything."""
    return low <= row.chance < high and (row.located or row.chance >= 0.5)
