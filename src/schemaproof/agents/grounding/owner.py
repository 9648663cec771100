"""Values that a list or a table gives to another one: "Lamp €20" and "Chair €45" in lines of their own."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable

from schemaproof.agents.grounding.prepared import STRAY, Prepared, Standing

Span = tuple[int, int]
_NAME_WORD = re.compile(r"[^\W\d_]{3,}")


def row_of(prepared: Prepared, offset: int) -> tuple[int, int]:
    """What stands together: the item of a list, the row of a table, else the line."""
    block = prepared.block_at(offset)
    if block is not None and block.group >= 0 and block.row >= 0:
        return block.group, block.row
    return -1, prepared.line_number(offset)


def given_to_another(
    prepared: Prepared, owner: str, spans: Iterable[Span], others: Iterable[Span], key: tuple[str, Hashable]
) -> Span | None:
    """The value that the page gives the owner instead, where a row says so.

    Arguments:
        prepared: the page.
        owner: name of the entity that the value is stated of, folded words joined by spaces; "" if it has none. Names
            of one word are not looked for.
        spans: where the value stands.
        others: where values of the same kind stand.
        key: the kind, and the value: what is found out about either is remembered for the page.

    Returns:
        None unless every row with the value has words of its own and not the owner's name, while a row with the
        owner's name has another value.
    """
    if " " not in owner:
        return None  # one word stands in too many rows
    named = {row_of(prepared, prepared.words.starts[first]) for first, _ in prepared.words.find(owner, limit=20)}
    if not named:
        return None
    standing = prepared.standing.get(key)
    if standing is None:
        standing = prepared.standing[key] = _standing(prepared, spans)
    if standing is STRAY or not named.isdisjoint(standing.rows):
        return None
    rows = prepared.rows.get(key[0])
    if rows is None:
        rows = prepared.rows[key[0]] = {}
        for place, span in enumerate(others):
            rows.setdefault(row_of(prepared, span[0]), []).append((place, span))
    beside = (each for row in named for each in rows.get(row, ()) if each[1] not in standing.spans)
    return min(beside, default=(0, None))[1]


def _standing(prepared: Prepared, spans: Iterable[Span]) -> Standing:
    """The rows that a value stands in, or `STRAY` where one of them has no words of its own."""
    listed = list(spans)
    for start, end in listed:
        low, high = prepared.line(prepared.line_number(start))
        beside = prepared.text[max(low, start - 80) : start] + " " + prepared.text[end : min(high, end + 80)]
        block = prepared.block_at(start)
        in_row = block is not None and block.group >= 0 and block.row >= 0 and block.tag in ("td", "dd")
        if not in_row and not _NAME_WORD.search(beside):
            return STRAY
    return Standing(frozenset(row_of(prepared, start) for start, _ in listed), frozenset(listed))
