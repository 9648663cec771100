"""The file of an assessment: its plan, and votes that are only ever added, in one SQLite file."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemaproof.assessment.plan import Item, Plan
from schemaproof.errors import StoreError

APPLICATION_ID = 0x73636173  # "scas"
VERSION = 1
CHOICES = ("left", "right", "tie", "both-bad", "skip")
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE items (id INTEGER PRIMARY KEY, key TEXT NOT NULL, page TEXT NOT NULL, data TEXT NOT NULL);
CREATE TABLE assessors (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, token TEXT NOT NULL UNIQUE);
CREATE TABLE tasks (
    assessor INTEGER NOT NULL REFERENCES assessors, position INTEGER NOT NULL, item INTEGER NOT NULL,
    swapped INTEGER NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (assessor, position)
) WITHOUT ROWID;
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT, assessor INTEGER NOT NULL REFERENCES assessors, position INTEGER NOT NULL,
    choice TEXT NOT NULL, seconds REAL, comment TEXT NOT NULL, at REAL NOT NULL, attempt TEXT NOT NULL,
    UNIQUE (assessor, attempt)
);
CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'votes are only added'); END;
CREATE TRIGGER events_stand BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'votes are only added'); END;
"""


class ConflictError(Exception):
    """A vote for a place that is not the assessor's next one."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Where an assessor stands.

    Attributes:
        assessor: number of the assessor.
        position: of the next task, equal to total when all is done.
        total: number of tasks.
    """

    assessor: int
    position: int
    total: int


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote that stands (not undone), with sides turned back to the contenders.

    Attributes:
        assessor: name.
        item: number of the item, -1 for training.
        page: name of the page.
        key: of the item.
        kind: "training", "item" or "repeat".
        choice: as given: "left", "right", "tie", "both-bad" or "skip".
        origin: name of the contender chosen, or "tie", "both-bad", "skip".
        left, right: contenders as they stood.
        seconds: time taken, or None.
        comment: of the assessor.
        at: when, seconds since 1970.
    """

    assessor: str
    item: int
    page: str
    key: str
    kind: str
    choice: str
    origin: str
    left: str
    right: str
    seconds: float | None
    comment: str
    at: float


class Ballot:
    """An assessment's file.

    Arguments:
        path: the file; `create` makes one.

    Raises: StoreError for a file that is not there or no assessment.
    """

    def __init__(self, path: str | Path, *, _new: bool = False) -> None:
        self.path = str(path)
        if not _new and not Path(path).is_file():
            raise StoreError(f"{path}: there is no such assessment; make one with `schemaproof assess plan`")
        try:
            self.connection = sqlite3.connect(self.path, timeout=30.0, isolation_level=None, check_same_thread=False)
            if not _new:
                known = self.connection.execute("PRAGMA application_id").fetchone()[0]
                version = self.connection.execute("PRAGMA user_version").fetchone()[0]
                if known != APPLICATION_ID or version != VERSION:
                    raise StoreError(f"{path}: this is no assessment of schemaproof, or one of another version")
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = FULL")
        except sqlite3.Error as problem:
            raise StoreError(f"{path}: cannot be used as an assessment ({problem})") from None

    @classmethod
    def create(cls, path: str | Path, plan: Plan) -> Ballot:
        """Write a plan into a new file. Raises StoreError where there is a file already."""
        if Path(path).exists():
            raise StoreError(f"{path}: there is a file already; votes are never overwritten, choose another name")
        ballot = cls(path, _new=True)
        ask = ballot.connection.execute
        ballot.connection.executescript(f"BEGIN IMMEDIATE;{TABLES}")
        ask("INSERT INTO meta VALUES ('settings', ?)", (json.dumps(plan.settings),))
        ask("INSERT INTO meta VALUES ('left_out', ?)", (json.dumps(plan.left_out),))
        for number, item in enumerate(plan.items):
            ask("INSERT INTO items VALUES (?, ?, ?, ?)", (number, item.key, _plain(item.page), _packed(item)))
        for number, (name, token) in enumerate(plan.assessors.items()):
            ask("INSERT INTO assessors VALUES (?, ?, ?)", (number, name, token))
            for position, task in enumerate(plan.tasks[name]):
                ask("INSERT INTO tasks VALUES (?, ?, ?, ?, ?)", (number, position, task.item, task.swapped, task.kind))
        ask(f"PRAGMA application_id = {APPLICATION_ID}")
        ask(f"PRAGMA user_version = {VERSION}")
        ask("COMMIT")
        return ballot

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def __enter__(self) -> Ballot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def settings(self) -> dict[str, Any]:
        """How it was drawn."""
        found: dict[str, Any] = json.loads(
            self.connection.execute("SELECT value FROM meta WHERE key = 'settings'").fetchone()[0]
        )
        return found

    def links(self) -> list[tuple[str, str]]:
        """Name and token of every assessor."""
        return self.connection.execute("SELECT name, token FROM assessors ORDER BY id").fetchall()

    def assessor(self, token: str) -> int | None:
        """Number of the assessor with a token, or None."""
        row = self.connection.execute("SELECT id FROM assessors WHERE token = ?", (token,)).fetchone()
        return None if row is None else int(row[0])

    def item(self, number: int) -> Item:
        """An item."""
        row = self.connection.execute("SELECT key, page, data FROM items WHERE id = ?", (number,)).fetchone()
        return _unpacked(*row)

    def items(self) -> Iterator[Item]:
        """All items in order."""
        for row in self.connection.execute("SELECT key, page, data FROM items ORDER BY id").fetchall():
            yield _unpacked(*row)

    def task(self, assessor: int, position: int) -> tuple[int, bool, str] | None:
        """Item, whether sides are exchanged, and kind of a task; None behind the last."""
        row = self.connection.execute(
            "SELECT item, swapped, kind FROM tasks WHERE assessor = ? AND position = ?", (assessor, position)
        ).fetchone()
        return None if row is None else (int(row[0]), bool(row[1]), str(row[2]))

    def standing(self, assessor: int) -> dict[int, int]:
        """Position to the event that stands there; an undo leaves none."""
        found: dict[int, int] = {}
        for number, position, choice in self.connection.execute(
            "SELECT id, position, choice FROM events WHERE assessor = ? ORDER BY id", (assessor,)
        ):
            if choice == "undo":
                found.pop(position, None)
            else:
                found[position] = number
        return found

    def seat(self, assessor: int) -> Seat:
        """The first task without a vote."""
        total = self.connection.execute("SELECT count(*) FROM tasks WHERE assessor = ?", (assessor,)).fetchone()[0]
        voted = self.standing(assessor)
        position = next((place for place in range(total) if place not in voted), total)
        return Seat(assessor, position, total)

    def vote(
        self, assessor: int, position: int, choice: str, attempt: str, seconds: float | None = None, comment: str = ""
    ) -> Seat:
        """Store a vote at once. The same attempt again changes nothing and is no error.

        Raises: ConflictError for a position that is not the next one, ValueError for an unknown choice.
        """
        if choice not in CHOICES:
            raise ValueError(f"no choice {choice!r}")
        return self._add(assessor, position, choice, attempt, seconds, comment)

    def undo(self, assessor: int, position: int, attempt: str) -> Seat:
        """Take the vote before the next task back, by a further event.

        Raises: ConflictError where that is another one.
        """
        return self._add(assessor, position, "undo", attempt, None, "")

    def _add(
        self, assessor: int, position: int, choice: str, attempt: str, seconds: float | None, comment: str
    ) -> Seat:
        ask = self.connection.execute
        ask("BEGIN IMMEDIATE")
        try:
            known = ask("SELECT 1 FROM events WHERE assessor = ? AND attempt = ?", (assessor, attempt)).fetchone()
            if known is None:
                seat = self.seat(assessor)
                expected = seat.position - 1 if choice == "undo" else seat.position
                if position != expected or not 0 <= position < seat.total:
                    raise ConflictError
                ask(
                    "INSERT INTO events (assessor, position, choice, seconds, comment, at, attempt)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (assessor, position, choice, seconds, _plain(comment), time.time(), attempt),
                )
        except BaseException:
            ask("ROLLBACK")
            raise
        ask("COMMIT")
        return self.seat(assessor)

    def votes(self) -> list[Vote]:
        """All votes that stand, in the order of assessors and positions."""
        items = list(self.items())
        found = []
        for assessor, (name, _) in enumerate(self.links()):
            for position, event in sorted(self.standing(assessor).items()):
                choice, seconds, comment, at = self.connection.execute(
                    "SELECT choice, seconds, comment, at FROM events WHERE id = ?", (event,)
                ).fetchone()
                task = self.task(assessor, position)
                assert task is not None
                number, swapped, kind = task
                sides = ("", "") if number < 0 else items[number].origins
                left, right = (sides[1], sides[0]) if swapped else sides
                origin = {"left": left, "right": right}.get(choice, choice)
                page, key = ("", "") if number < 0 else (items[number].page, items[number].key)
                found.append(Vote(name, number, page, key, kind, choice, origin, left, right, seconds, comment, at))
        return found


def _plain(text: str) -> str:
    """Text without lone surrogates, which SQLite cannot hold."""
    return text.encode("utf-8", "replace").decode()


def _packed(item: Item) -> str:
    return json.dumps(
        [item.types, item.title, item.text, item.first, item.second, item.origins, item.scores, item.stratum]
    )


def _unpacked(key: str, page: str, data: str) -> Item:
    types, title, text, first, second, origins, scores, stratum = json.loads(data)
    return Item(
        key, page, tuple(types), title, text, [tuple(row) for row in first], [tuple(row) for row in second],
        (origins[0], origins[1]), None if scores is None else (scores[0], scores[1]), stratum,
    )  # fmt: skip
