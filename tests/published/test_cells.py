from __future__ import annotations

import pytest

from schemaproof.published.cells import Status, cell, compare


@pytest.mark.parametrize(
    ("printed", "replayed", "status"),
    [
        ("0.687", 0.686682, Status.EQUAL),
        ("0.707", 0.707961, Status.CUT),
        ("0.895", 0.894736, Status.EQUAL),
        ("910", 910, Status.EQUAL),
        ("910", 911, Status.DIFFERS),
        ("52.2", 52.21, Status.EQUAL),
        ("55", 55.82, Status.CUT),
        ("55", 54.4, Status.DIFFERS),
        ("0.907", 0.8959, Status.DIFFERS),
        ("0.9", 0.8787, Status.EQUAL),
        ("0.5", 0.55, Status.EQUAL),
        ("0.29", 0.299999, Status.CUT),
        ("0.3", 0.3 - 1e-12, Status.EQUAL),
    ],
)
def test_rounded_or_cut_off(printed: str, replayed: float, status: Status) -> None:
    assert compare(printed, replayed) is status


def test_kinds_of_cells() -> None:
    assert cell("h", "0.5", None).status is Status.MISSING
    assert cell("h", None, 0.5).status is Status.EXTRA
    assert cell("h", "0.5", 0.9, partial="half").status is Status.PARTIAL
    different = cell("h", "0.5", 0.9)
    assert (different.status, different.why) == (Status.DIFFERS, "no reason known")
    assert cell("h", "0.5", 0.9, why="swapped").why == "swapped"
    assert cell("h", "0.5", 0.5, why="swapped").why == ""
