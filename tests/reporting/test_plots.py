"""Axes of the plots."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemaproof.reporting.collection import Collection, PageRow, UnitRow
from schemaproof.reporting.plots import length_ticks, lengths


@pytest.mark.parametrize(
    ("least", "most", "ticks"),
    [
        (1, 100_000, [1, 10, 100, 1000, 10_000, 100_000]),
        (40, 900, [50, 100, 200, 500]),
        (150, 199, [150, 160, 170, 180, 190]),
        (612, 618, [612, 614, 616, 618]),
        (7, 8, [7, 8]),
        (1, 2, [1, 2]),
    ],
)
def test_ticks_are_round(least: int, most: int, ticks: list[int]) -> None:
    assert length_ticks(least, most) == ticks


@given(st.integers(1, 10**7), st.integers(1, 10**7))
def test_there_are_always_ticks_and_never_too_many(one: int, other: int) -> None:
    if one == other:
        return
    least, most = sorted((one, other))
    ticks = length_ticks(least, most)
    assert min(3, most - least + 1) <= len(ticks) <= 8
    assert all(least <= tick <= most for tick in ticks)
    assert all(before < after for before, after in pairwise(ticks))


def test_a_narrow_range_has_numbers_under_its_axis() -> None:
    pages = [PageRow(f"p{n}", "", "en", None, "", "", tokens=n) for n in (612, 615, 618)]
    units = [UnitRow(n, ("Thing",), {}, {("human", "x"): (0.5, 0.6)}) for n in range(3)]
    svg = lengths(Collection("s", ("human", "x"), pages, units), ("human", "x"))
    assert re.findall(r'text-anchor="middle" class="soft">([^<]+)<', svg) == ["612", "614", "616", "618"]
