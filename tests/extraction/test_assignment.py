"""Assignments against trying every one."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.extraction.assignment import FREE, assign

MATRICES = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, 6), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


@given(MATRICES)
@settings(deadline=None)
def test_no_assignment_is_better(weights: list[list[int]]) -> None:
    rows, columns = len(weights), len(weights[0])
    chosen = assign(weights)
    used = [column for column in chosen if column != FREE]
    assert len(used) == len(set(used)) == min(rows, columns)
    got = sum(weights[row][column] for row, column in enumerate(chosen) if column != FREE)
    if rows <= columns:
        best = max(sum(weights[r][c] for r, c in enumerate(order)) for order in permutations(range(columns), rows))
    else:
        best = max(sum(weights[r][c] for c, r in enumerate(order)) for order in permutations(range(rows), columns))
    assert got == best


def test_nothing_to_assign() -> None:
    assert assign([]) == []
    assert assign([[], []]) == [FREE, FREE]


def test_large_weights_keep_their_last_digit() -> None:
    big = 1 << 80
    assert assign([[big, big + 1], [big, big]]) == [1, 0]
