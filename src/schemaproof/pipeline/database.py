"""A SQLite file of ours: made once, known by its number, one process writing it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from schemaproof.errors import StoreError


@dataclass(frozen=True, slots=True)
class Layout:
    """What tells a kind of file from others.

    Attributes:
        application: SQLite's application id of the kind.
        version: of its tables.
        tables: SQL that makes them, each statement closed by a semicolon; `meta` among them.
        refusal: what is said of a SQLite file of another kind.
    """

    application: int
    version: int
    tables: str
    refusal: str


class Database:
    """An open file. One process writes it, any number may read it meanwhile.

    Arguments:
        path: the file; made where it does not exist (unless `must_exist`).
        must_exist: raise instead of making one.

    Raises: StoreError for a file of another kind or version, one that is no SQLite file, or one that stays locked.
    """

    layout: Layout

    def __init__(self, path: str | Path, *, must_exist: bool = False) -> None:
        self.path = str(path)
        if must_exist and not Path(path).is_file():
            raise StoreError(f"{path}: there is no such run file")
        if must_exist and not Path(path).stat().st_size:
            raise StoreError(f"{path}: the file is empty")
        try:
            self.connection = sqlite3.connect(self.path, timeout=60.0, isolation_level=None)
        except sqlite3.Error as problem:
            raise StoreError(f"{path}: cannot be opened as a run file ({problem})") from None
        try:
            self._prepare()
        except sqlite3.Error as problem:
            self.connection.close()
            raise StoreError(f"{path}: cannot be used as a run file ({problem})") from None
        except StoreError:
            self.connection.close()
            raise

    def _prepare(self) -> None:
        ask, layout = self.connection.execute, self.layout
        application, version = (ask(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
        if application == 0 and not self._tables():
            ask("PRAGMA journal_mode = WAL")
            with self.transaction():
                # Another process may have been quicker between the question and the lock.
                if not self._tables():
                    for statement in layout.tables.split(";"):
                        ask(statement)
                    ask(f"PRAGMA application_id = {layout.application}")
                    ask(f"PRAGMA user_version = {layout.version}")
        elif application != layout.application:
            raise StoreError(f"{self.path}: {layout.refusal}; choose another with -o")
        elif version != layout.version:
            raise StoreError(
                f"{self.path}: run file of format {version}, this version reads {layout.version}; use a new one"
            )
        ask("PRAGMA foreign_keys = ON")
        ask("PRAGMA synchronous = NORMAL")

    def _tables(self) -> int:
        return int(self.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written inside is there afterwards, or nothing of it."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            # On a full disk SQLite has taken all back already; to ask for it again would hide why.
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def set_meta(self, key: str, value: str) -> None:
        """Remember a fact about the run."""
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def meta(self, key: str) -> str | None:
        """A fact about the run, or None."""
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])
