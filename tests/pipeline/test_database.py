"""What the run files share."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from schemaproof.errors import StoreError
from schemaproof.pipeline.database import Database, Layout
from schemaproof.pipeline.extraction_store import ExtractionStore
from schemaproof.pipeline.store import Store

META = "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"


class Small(Database):
    layout = Layout(77, 3, META, "is nothing small")


def test_a_file_is_made_and_known_again(tmp_path: Path) -> None:
    with Small(tmp_path / "a.db") as made:
        made.set_meta("k", "v")
    with Small(tmp_path / "a.db", must_exist=True) as again:
        assert again.meta("k") == "v"
        assert again.meta("other") is None


@pytest.mark.parametrize("kind", [Store, ExtractionStore])
def test_a_file_of_another_kind_version_or_none_is_refused(tmp_path: Path, kind: type[Database]) -> None:
    with pytest.raises(StoreError, match="no such run file"):
        kind(tmp_path / "none.db", must_exist=True)
    with pytest.raises(StoreError, match="opened"):
        kind(tmp_path / "no" / "folder.db")
    Small(tmp_path / "small.db").close()
    with pytest.raises(StoreError, match="choose another with -o"):
        kind(tmp_path / "small.db")
    kind(tmp_path / "old.db").close()
    with sqlite3.connect(tmp_path / "old.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="format 99"):
        kind(tmp_path / "old.db")
    (tmp_path / "text.db").write_text("no database at all, only a text that is long enough " * 40, encoding="utf-8")
    with pytest.raises(StoreError, match="used as a run file"):
        kind(tmp_path / "text.db")
