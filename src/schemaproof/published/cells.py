"""Tables of the paper, each cell with its printed and its replayed number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How a replayed number stands to the printed one."""

    EQUAL = "equal"  # the same when rounded to the printed digits
    CUT = "equal-cut-off"  # the same when cut off after the printed digits: the paper does both
    DIFFERS = "differs"
    PARTIAL = "partial"  # made of a part of the data, so not to be compared
    MISSING = "missing"  # the data for it are not here
    EXTRA = "extra"  # nothing is printed for it


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of a table.

    Attributes:
        column: name of its column.
        published: as printed in the paper, or None.
        replayed: what the data give, or None.
        status: how the two stand to each other.
        why: for a difference, what is known of its reason; for a missing or partial cell, what is not here.
    """

    column: str
    published: str | None
    replayed: float | int | str | None
    status: Status
    why: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """One table.

    Attributes:
        name: its number in the paper ("7", "8a", "E"), or a name of our own for what the paper does not have.
        title: what it shows.
        rows: label and cells; rows may have different columns.
        notes: what a reader must know, one sentence each.
    """

    name: str
    title: str
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    notes: tuple[str, ...] = ()


def compare(printed: str, replayed: float) -> Status:
    """Whether a number is the printed one: rounded to its digits, or cut off after them."""
    digits = len(printed.partition(".")[2])
    unit = 10.0**-digits
    value = float(printed)
    if abs(replayed - value) <= unit / 2 + 1e-9:
        return Status.EQUAL
    if math.floor(replayed / unit + 1e-9) == round(value / unit):
        return Status.CUT
    return Status.DIFFERS


def cell(
    column: str,
    published: str | None,
    replayed: float | int | None,
    *,
    partial: str = "",
    missing: str = "",
    why: str = "",
) -> Cell:
    """A cell with its status.

    Arguments:
        column: name of its column.
        published: as printed, or None.
        replayed: what the data give, or None where they do not reach.
        partial: why it cannot be compared, where it is made of a part of the data.
        missing: what is not here, where there is no number.
        why: the reason known for a difference.
    """
    if replayed is None:
        return Cell(column, published, None, Status.MISSING, missing or "the data for it are not here")
    if published is None:
        return Cell(column, None, replayed, Status.EXTRA)
    if partial:
        return Cell(column, published, replayed, Status.PARTIAL, partial)
    status = compare(published, replayed)
    return Cell(column, published, replayed, status, (why or "no reason known") if status is Status.DIFFERS else "")
