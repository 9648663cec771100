"""The run file: one SQLite file that holds every page, unit, markup and statement of a run."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from schemaproof.pipeline.database import Database, Layout
from schemaproof.pipeline.result import STAGES, MarkupResult, PageResult, UnitResult

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE pages (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, signature TEXT NOT NULL, digest TEXT NOT NULL,
    url TEXT, page_id TEXT NOT NULL, language TEXT NOT NULL, title TEXT NOT NULL, text BLOB NOT NULL,
    error TEXT, seconds TEXT NOT NULL, UNIQUE (name, signature)
);
CREATE TABLE units (
    id INTEGER PRIMARY KEY, page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE, types TEXT NOT NULL
);
CREATE INDEX units_of_page ON units (page);
CREATE TABLE markups (
    id INTEGER PRIMARY KEY, unit INTEGER NOT NULL REFERENCES units ON DELETE CASCADE, contender TEXT NOT NULL,
    input INTEGER NOT NULL, valid INTEGER NOT NULL, factual INTEGER NOT NULL, compliant INTEGER NOT NULL,
    unclear INTEGER NOT NULL, facts TEXT NOT NULL, documents BLOB NOT NULL, sources BLOB NOT NULL,
    notes TEXT NOT NULL, error TEXT
);
CREATE INDEX markups_of_unit ON markups (unit);
CREATE TABLE statements (
    markup INTEGER NOT NULL REFERENCES markups ON DELETE CASCADE, path TEXT NOT NULL, types TEXT NOT NULL,
    property TEXT NOT NULL, value TEXT NOT NULL, entity TEXT, kept INTEGER NOT NULL, unclear INTEGER NOT NULL,
    agent TEXT, rule TEXT, kind TEXT, reason TEXT, chain TEXT NOT NULL, verdicts TEXT NOT NULL
);
CREATE INDEX statements_of_markup ON statements (markup);
"""
# Which pages the last run was given, in that order. Beside the tables above, so that files made before it stay usable.
COVERED = "CREATE TABLE IF NOT EXISTS covered (place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)"


def encode(value: Any) -> str:
    """JSON text of plain data; integers of any size."""
    import orjson

    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):
        return json.dumps(value, ensure_ascii=True)


def packed(value: Any) -> bytes:
    """Compressed JSON text, for what is large and only ever read whole."""
    return zlib.compress(encode(value).encode(), 1)


def unpacked(data: bytes) -> Any:
    """What `packed` packed."""
    return json.loads(zlib.decompress(data))


class Store(Database):
    """A run file; see `Database`."""

    layout = Layout(0x73637072, 1, TABLES, "this SQLite file is no run file of schemaproof")  # "scpr"

    def begin(self, signature: str, names: Sequence[str]) -> None:
        """Make a run the one that is read from this file; it has covered no page yet.

        Arguments:
            signature: of the run.
            names: its contenders, the human first.
        """
        with self.transaction():
            self.set_meta("signature", signature)
            self.set_meta("contenders", "\n".join(names))
            self.set_meta("covered", signature)
            self.connection.execute(COVERED)
            self.connection.execute("DELETE FROM covered")

    def cover(self, names: Iterable[str]) -> None:
        """Note that the run that began last was given these pages."""
        with self.transaction():
            self.connection.execute(COVERED)
            self.connection.executemany("INSERT OR IGNORE INTO covered (name) VALUES (?)", ((name,) for name in names))

    def tells_covered(self, signature: str) -> bool:
        """Whether the file knows which pages its last run covered, and that run had this signature."""
        return self.meta("covered") == signature

    def others(self, signature: str) -> int:
        """How many pages under the signature of the last run it did not cover: earlier runs left them."""
        if not self.tells_covered(signature):
            return 0
        row = self.connection.execute(
            "SELECT count(*) FROM pages WHERE signature = ? AND name NOT IN (SELECT name FROM covered)", (signature,)
        ).fetchone()
        return int(row[0])

    def numbers(self, signature: str, *, whole: bool = True) -> dict[str, int]:
        """Names of the pages under a signature, to their numbers in the file.

        Arguments:
            signature: of the run.
            whole: all of them in the order they were saved; else those that the last run covered, in the order it was
                given them (all where the file does not tell: one of an older version, or of another signature).
        """
        wanted = "SELECT name, id FROM pages WHERE signature = ? ORDER BY id"
        if not whole and self.tells_covered(signature):
            wanted = "SELECT name, id FROM covered JOIN pages USING (name) WHERE signature = ? ORDER BY place"
        return dict(self.connection.execute(wanted, (signature,)).fetchall())

    def done(self, signature: str) -> dict[str, tuple[str, bool]]:
        """The pages that are there under a signature: name to (digest, whether it failed)."""
        rows = self.connection.execute(
            "SELECT name, digest, error IS NOT NULL FROM pages WHERE signature = ?", (signature,)
        )
        return {name: (digest, bool(failed)) for name, digest, failed in rows}

    def elsewhere(self, signature: str) -> int:
        """How many pages the file holds under other signatures."""
        row = self.connection.execute("SELECT count(*) FROM pages WHERE signature != ?", (signature,)).fetchone()
        return int(row[0])

    def lacking(self, signature: str) -> frozenset[str]:
        """Names of the pages under a signature for which a contender failed."""
        rows = self.connection.execute(
            "SELECT DISTINCT name FROM pages JOIN units ON units.page = pages.id"
            " JOIN markups ON markups.unit = units.id WHERE signature = ? AND markups.error IS NOT NULL",
            (signature,),
        )
        return frozenset(name for (name,) in rows)

    def save(self, page: PageResult, signature: str) -> None:
        """Write one page with everything below it, in one transaction; what was there of it is replaced."""
        ask = self.connection.execute
        with self.transaction():
            ask("DELETE FROM pages WHERE name = ? AND signature = ?", (page.name, signature))
            text = zlib.compress(page.text.encode("utf-8", "replace"), 1)
            row = (page.name, signature, page.digest, page.url, page.id, page.language, page.title, text, page.error)
            inserted = ask(
                "INSERT INTO pages (name, signature, digest, url, page_id, language, title, text, error, seconds)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, encode(page.seconds)),
            )
            for unit in page.units:
                number = ask("INSERT INTO units (page, types) VALUES (?, ?)", (inserted.lastrowid, encode(unit.types)))
                for markup in unit.markups:
                    self._save_markup(number.lastrowid, markup)

    def _save_markup(self, unit: int | None, markup: MarkupResult) -> None:
        inserted = self.connection.execute(
            "INSERT INTO markups (unit, contender, input, valid, factual, compliant, unclear, facts, documents,"
            " sources, notes, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                unit,
                markup.contender,
                *(markup.counts[stage] for stage in STAGES),
                encode(markup.facts),
                packed(markup.documents),
                packed(markup.sources),
                encode(markup.notes),
                markup.error,
            ),
        )
        self.connection.executemany(
            "INSERT INTO statements VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [_row(inserted.lastrowid, statement) for statement in markup.statements],
        )

    def pages(self, signature: str, *, statements: bool = False, whole: bool = True) -> Iterator[PageResult]:
        """The pages under a signature, one in memory at a time.

        Arguments:
            signature: of the run.
            statements: also read texts, documents and statements.
            whole: see `numbers`.
        """
        for number in self.numbers(signature, whole=whole).values():
            yield self.page(number, statements)

    def page(self, number: int, whole: bool) -> PageResult:
        """One page by its number in the file; `whole`: with texts, documents and statements."""
        ask = self.connection.execute
        name, url, key, digest, language, title, text, error, seconds = ask(
            "SELECT name, url, page_id, digest, language, title, text, error, seconds FROM pages WHERE id = ?",
            (number,),
        ).fetchone()
        shown = zlib.decompress(text).decode() if whole else ""
        page = PageResult(name, url, key, digest, language, title, shown, error, [], json.loads(seconds))
        for unit, types in ask("SELECT id, types FROM units WHERE page = ? ORDER BY id", (number,)).fetchall():
            entry = UnitResult(json.loads(types))
            page.units.append(entry)
            for row in ask(
                "SELECT id, contender, input, valid, factual, compliant, unclear, facts, documents, sources, notes,"
                " error FROM markups WHERE unit = ? ORDER BY id",
                (unit,),
            ).fetchall():
                markup = MarkupResult(
                    row[1],
                    dict(zip(STAGES, row[2:7], strict=True)),
                    json.loads(row[7]),
                    unpacked(row[8]) if whole else [],
                    self._statements(row[0]) if whole else [],
                    {pointer: tuple(span) for pointer, span in unpacked(row[9]).items()} if whole else {},
                    json.loads(row[10]),
                    row[11],
                )
                entry.markups.append(markup)
        return page

    def _statements(self, markup: int) -> list[dict[str, Any]]:
        rows = self.connection.execute(
            "SELECT path, types, property, value, entity, kept, unclear, chain, verdicts FROM statements"
            " WHERE markup = ? ORDER BY rowid",
            (markup,),
        )
        return [
            {
                "path": path,
                "types": json.loads(types),
                "property": name,
                "value": json.loads(value),
                "entity": None if entity is None else json.loads(entity),
                "kept": bool(kept),
                "unclear": bool(unclear),
                "chain": json.loads(chain),
                "verdicts": json.loads(verdicts),
            }
            for path, types, name, value, entity, kept, unclear, chain, verdicts in rows
        ]

    def absorb(self, other: Store) -> int:
        """Copy the pages of another run file that are not here or failed here; returns how many were copied.

        Where both files were last written by a run of the same signature, what that run covered is joined too.
        """
        copied = 0
        signatures = [row[0] for row in other.connection.execute("SELECT DISTINCT signature FROM pages")]
        for signature in signatures:
            here = self.done(signature)
            for page in other.pages(signature, statements=True):
                known = here.get(page.name)
                if known is None or (known[1] and page.error is None):
                    self.save(page, signature)
                    copied += 1
        empty = self.meta("signature") is None
        for key, value in other.connection.execute("SELECT key, value FROM meta").fetchall():
            if empty or (key != "covered" and self.meta(key) is None):
                self.set_meta(key, value)
        line = other.meta("signature")
        if line is not None and self.meta("signature") == line and self.tells_covered(line):
            self.cover(other.numbers(line, whole=False))
        return copied


def _row(markup: int | None, statement: dict[str, Any]) -> tuple[Any, ...]:
    """One row of the table of statements: the deciding verdict in columns of its own, for people who ask in SQL."""
    decisive: tuple[str | None, dict[str, Any]] = next(
        ((agent, said) for agent, said in statement["verdicts"].items() if said["verdict"] != "keep"), (None, {})
    )
    agent, said = decisive
    entity = statement["entity"]
    return (
        markup,
        statement["path"],
        encode(statement["types"]),
        statement["property"],
        encode(statement["value"]),
        None if entity is None else encode(entity),
        int(statement["kept"]),
        int(statement["unclear"]),
        agent,
        said.get("rule"),
        said.get("kind"),
        said.get("reason"),
        encode(statement["chain"]),
        encode(statement["verdicts"]),
    )
