"""The memory of model answers: one SQLite file per user, so that nothing answered is ever asked (or paid) twice."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemaproof.errors import StoreError
from schemaproof.models.protocol import Ask, Reply
from schemaproof.vocabulary.release import cache_folder

VERSION = 1
NAME = "answers.db"
_TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
  key TEXT PRIMARY KEY, model TEXT NOT NULL, purpose TEXT NOT NULL, asked REAL NOT NULL, question TEXT NOT NULL,
  text TEXT NOT NULL, yes REAL, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, finish TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_time ON answers (asked);
"""
_SHOWN = 400


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the memory holds of one model and purpose.

    Attributes:
        model, purpose: of the questions.
        answers: how many.
        prompt_tokens, completion_tokens: what they cost when they were asked.
        first, last: seconds since 1970 of the oldest and the newest.
    """

    model: str
    purpose: str
    answers: int
    prompt_tokens: int
    completion_tokens: int
    first: float
    last: float


def memory_path() -> Path:
    """Where the memory is: in the user's cache folder, which SCHEMAPROOF_CACHE overrides."""
    return cache_folder() / NAME


class Memory:
    """The memory, for any number of threads of this process. Every answer is saved before it is used.

    Arguments:
        path: the file; made, with its folder, where it is not there.

    Raises: StoreError for a file that is no memory, of another version, or cannot be written.
    """

    def __init__(self, path: Path | str | None = None) -> None:
        self.path = memory_path() if path is None else Path(path)
        self._lock = threading.Lock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=30, check_same_thread=False, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.executescript(_TABLES)
            self._db.execute("INSERT OR IGNORE INTO meta VALUES ('version', ?)", (str(VERSION),))
            (found,) = self._db.execute("SELECT value FROM meta WHERE name = 'version'").fetchone()
        except (OSError, sqlite3.Error) as problem:
            raise StoreError(f"{self.path}: the memory of model answers cannot be used ({problem})") from None
        if found != str(VERSION):
            raise StoreError(f"{self.path}: is of version {found}, this is {VERSION}; move it away")

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def get(self, key: str) -> Reply | None:
        """The remembered answer to the question of this key."""
        with self._lock:
            row = self._read("SELECT text, yes, prompt_tokens, completion_tokens, finish FROM answers WHERE key=?", key)
        return None if row is None else Reply(row[0], row[1], row[2], row[3], row[4], True)

    def has(self, key: str) -> bool:
        """Whether the question of this key was answered."""
        with self._lock:
            return self._read("SELECT 1 FROM answers WHERE key=?", key) is not None

    def _read(self, query: str, *values: object) -> tuple[Any, ...] | None:
        try:
            row: tuple[Any, ...] | None = self._db.execute(query, values).fetchone()
        except sqlite3.Error as problem:
            raise StoreError(f"{self.path}: cannot be read ({problem})") from None
        return row

    def put(self, key: str, model: str, ask: Ask, reply: Reply) -> None:
        """Remember an answer; an earlier one to the same question stays."""
        question = ask.messages[-1].text[-_SHOWN:].encode("utf-8", "replace").decode() if ask.messages else ""
        text = reply.text.encode("utf-8", "replace").decode()
        values = (key, model, ask.purpose, time.time(), question, text, reply.yes)
        counted = (reply.prompt_tokens, reply.completion_tokens, reply.finish)
        with self._lock:
            try:
                self._db.execute("INSERT OR IGNORE INTO answers VALUES (?,?,?,?,?,?,?,?,?,?)", (*values, *counted))
            except sqlite3.Error as problem:
                raise StoreError(f"{self.path}: cannot be written ({problem})") from None

    def summary(self) -> list[Remembered]:
        """What it holds, by model and purpose."""
        with self._lock:
            rows = self._db.execute(
                "SELECT model, purpose, count(*), sum(prompt_tokens), sum(completion_tokens), min(asked), max(asked) "
                "FROM answers GROUP BY model, purpose ORDER BY model, purpose"
            ).fetchall()
        return [Remembered(*row) for row in rows]

    def latest(self, count: int) -> list[tuple[str, str, str, str, str]]:
        """The newest answers: key, model, purpose, end of the question, answer."""
        with self._lock:
            return self._db.execute(
                "SELECT key, model, purpose, question, text FROM answers ORDER BY asked DESC LIMIT ?", (count,)
            ).fetchall()

    def records(self) -> Iterable[dict[str, object]]:
        """Every answer as `recorded/FILE` reads it."""
        with self._lock:
            rows = self._db.execute(
                "SELECT key, model, text, yes, prompt_tokens, completion_tokens FROM answers ORDER BY asked, key"
            ).fetchall()
        for row in rows:
            yield dict(zip(("key", "model", "text", "yes", "prompt_tokens", "completion_tokens"), row, strict=True))

    def prune(self, *, before: float | None = None, model: str | None = None) -> int:
        """Forget answers; returns how many.

        Arguments:
            before: only those asked before this time, seconds since 1970.
            model: only those of this model.
        """
        conditions: list[str] = []
        values: list[float | str] = []
        if before is not None:
            conditions.append("asked < ?")
            values.append(before)
        if model is not None:
            conditions.append("model = ?")
            values.append(model)
        where = " WHERE " + " AND ".join(conditions) if conditions else ""
        with self._lock:
            count = self._db.execute(f"DELETE FROM answers{where}", values).rowcount
            self._db.execute("VACUUM")
        return int(count)
