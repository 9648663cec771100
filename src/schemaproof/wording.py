"""How counts are worded for people."""

from __future__ import annotations


def counted(number: int, noun: str, many: str = "") -> str:
    """A count with its noun: "1 page", "2 pages", "12,345 pages".

    Arguments:
        number: how many.
        noun: for one, other words may stand before it ("more page").
        many: for any other number; without it the noun with an s.
    """
    return f"{number:,} {noun if number == 1 else many or noun + 's'}"
