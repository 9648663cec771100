"""The run file of an extraction: one SQLite file with every row and every answer; a run goes on where it stopped."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Any

from schemaproof.errors import StoreError
from schemaproof.pipeline.database import Database, Layout

MAGIC = b"SQLite format 3\x00"
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE rows (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, page TEXT NOT NULL, gold TEXT NOT NULL, schema TEXT NOT NULL,
    content BLOB NOT NULL, complexity TEXT NOT NULL, tokens INTEGER NOT NULL, left_out TEXT NOT NULL
);
CREATE TABLE answers (
    signature TEXT NOT NULL, number INTEGER NOT NULL, question TEXT NOT NULL, model TEXT NOT NULL, response TEXT,
    refusal TEXT NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (signature, number)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A row of the data set as the run file keeps it.

    Attributes:
        number: its number in the data set, from 1.
        id, page: of the row.
        gold, schema: JSON texts.
        content: the page.
        complexity: the data set's columns on the schema.
        tokens: length of the prompt.
        left_out: why it is not asked, or "".
    """

    number: int
    id: Any
    page: str
    gold: str
    schema: str
    content: str
    complexity: dict[str, float]
    tokens: int
    left_out: str


class ExtractionStore(Database):
    """A run file of extractions; see `Database`."""

    layout = Layout(0x73637865, 1, _TABLES, "is no run file of extraction run")  # "scxe"

    def add_row(self, row: StoredRow) -> None:
        """Keep a row; the same number again replaces it.

        Raises: StoreError where the row of that number is one of another data set and has answers: they would be
            scored by what this one should have been answered.
        """
        before = self.connection.execute(
            "SELECT id, gold, content FROM rows WHERE number = ? AND number IN (SELECT number FROM answers)",
            (row.number,),
        ).fetchone()
        if before is not None:
            content = zlib.decompress(before[2]).decode("utf-8", "replace")
            changed = before[1] != _writable(row.gold) and content != _writable(row.content)
            if before[0] != json.dumps(row.id) or changed:
                raise StoreError(
                    f"{self.path}: holds answers to another data set (row {row.number} is another there); choose"
                    " another file with -o"
                )
        self.connection.execute(
            "INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                row.number,
                json.dumps(row.id),
                _writable(row.page),
                _writable(row.gold),
                _writable(row.schema),
                zlib.compress(row.content.encode("utf-8", "replace"), 1),
                json.dumps(row.complexity),
                row.tokens,
                row.left_out,
            ),
        )

    def add_answer(
        self, signature: str, number: int, question: str, model: str, response: str | None, refusal: str, seconds: float
    ) -> None:
        """Keep an answer to a question (its digest), at once and for good."""
        text = None if response is None else _writable(response)
        self.connection.execute(
            "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)",
            (signature, number, question, _writable(model), text, _writable(refusal), seconds),
        )

    def done(self, signature: str) -> dict[int, str]:
        """The rows that have an answer under a signature: number to digest of the question."""
        rows = self.connection.execute("SELECT number, question FROM answers WHERE signature = ?", (signature,))
        return {int(number): str(question) for number, question in rows}

    def answered(self, signature: str | None = None, numbers: Set[int] | None = None) -> Iterator[dict[str, Any]]:
        """Rows with their answers as columns of a file of answers, in order.

        Arguments:
            signature: of the answers; without one, all.
            numbers: only these rows.
        """
        where, values = ("WHERE a.signature = ?", (signature,)) if signature else ("", ())
        cursor = self.connection.execute(
            "SELECT r.number, r.id, r.page, r.gold, r.schema, r.complexity, a.model, a.response, a.refusal "
            f"FROM answers a JOIN rows r ON r.number = a.number {where} ORDER BY a.signature, a.number",
            values,
        )
        for number, identity, page, gold, schema, complexity, model, response, refusal in cursor:
            if numbers is not None and number not in numbers:
                continue
            yield {
                "id": json.loads(identity),
                "page": page,
                "gold": gold,
                "schema": schema,
                "model": model,
                "response": response,
                "error": refusal,
                **json.loads(complexity),
            }


def _writable(text: str) -> str:
    """A text as SQLite can hold it: a lone surrogate becomes a question mark."""
    return text.encode("utf-8", "replace").decode()
