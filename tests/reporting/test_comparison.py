"""What changed between two runs adds up with the runs themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemaproof.pipeline.plan import make_plan
from schemaproof.pipeline.run import run
from schemaproof.pipeline.store import Store
from schemaproof.reporting.comparison import compare
from schemaproof.reporting.table import Table
from schemaproof.sources import open_sources

PAGES = Path(__file__).parent.parent.parent / "examples" / "pages"


@pytest.fixture(scope="module")
def tables(examples_run: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Table]:
    """The run of the examples against one by validity alone, of eleven of them."""
    before = tmp_path_factory.mktemp("before") / "before.db"
    names = [str(path) for path in sorted(PAGES.glob("*.html"))[1:]]
    with Store(before) as other:
        run(open_sources(names), make_plan(agents=("validity",)), other, workers=1)
        with Store(examples_run, must_exist=True) as store:
            return {table.name: table for table in compare(store, other)}


def test_pages_are_matched_by_name(tables: dict[str, Table]) -> None:
    numbers = {row[0]: row[1] for row in tables["changed-pages"].rows}
    assert (numbers["pages in both"], numbers["pages only here"], numbers["pages only before"]) == (11, 1, 0)
    assert numbers["other bytes"] == 0


def test_settings_that_differ_are_named(tables: dict[str, Table]) -> None:
    rows = tables["changed-signature"].rows
    assert ["agents:[validity]", ""] in rows
    assert ["", "agents:[validity,factuality,compliance]"] in rows
    assert not any("policy" in cell for row in rows for cell in row)


def test_moves_add_up_with_the_stages(tables: dict[str, Table]) -> None:
    compliant = {(row[0], row[1]): row[5] for row in tables["changed-stages"].rows}
    moves = tables["changed-outcomes"].rows
    assert moves
    for name in ("human", "extractor"):
        lost = sum(number for who, was, now, number in moves if who == name and was == "kept" and now != "kept")
        won = sum(number for who, was, now, number in moves if who == name and was != "kept" and now == "kept")
        assert compliant[name, "now"] - compliant[name, "before"] == won - lost
        assert lost > 0 or name == "extractor"
    assert len(tables["changed-statements"].rows) == sum(row[3] for row in moves)


def test_a_run_against_itself_changes_nothing(examples_run: Path) -> None:
    with Store(examples_run, must_exist=True) as store, Store(examples_run, must_exist=True) as other:
        names = {table.name for table in compare(store, other)}
    assert names == {"changed-pages", "changed-stages"}
