"""Pages from a Parquet file with columns url and html, and id where there is one."""

from __future__ import annotations

import glob
from collections.abc import Iterator
from pathlib import Path

from schemaproof.errors import InputError
from schemaproof.sources.model import PageSource, identifier

_READ = "read_parquet(?, hive_partitioning = false)"
# Types whose values would become text that nobody wrote ("['<p>']", "b'http'").
_NESTED = ("STRUCT", "MAP", "UNION", "VARIANT", "LIST")
_WANTED = {"id": "text", "url": "text", "html": "text or bytes"}


def read_parquet(path: Path) -> Iterator[PageSource]:
    """The pages of a Parquet file in its order, a few rows in memory at a time.

    Arguments:
        path: a Parquet file with a column html (text or bytes) and one or both of url and id (text).

    Raises: InputError for a file that is no Parquet, lacks the columns or has them in types that are no text.
    """
    import duckdb

    # The reader takes patterns; a file's name is none, whatever is in it, and its folders are no columns.
    name = glob.escape(str(path))
    connection = duckdb.connect(":memory:", config={"threads": "1"})
    try:
        try:
            described = connection.execute(f"DESCRIBE SELECT * FROM {_READ}", [name]).fetchall()
            names = [str(row[0]) for row in described]
        except duckdb.Error as problem:
            first = str(problem).splitlines()[0]
            raise InputError(f"not a readable Parquet file ({first})", source=str(path)) from None
        columns = {name.lower(): name for name in names}
        if "html" not in columns or not {"url", "id"} & set(columns):
            raise InputError(
                f"a Parquet file of pages needs the columns html and url (or id); this one has {', '.join(names)}",
                source=str(path),
            )
        types = {str(row[0]).lower(): str(row[1]) for row in described}
        for column, wanted in _WANTED.items():
            kind = types.get(column, "")
            if kind.startswith(_NESTED) or kind.endswith("]") or (kind == "BLOB" and column != "html"):
                raise InputError(
                    f"the column {columns[column]} is of the type {kind[:80]}; it must hold {wanted}", source=str(path)
                )
        chosen = [f'"{columns[name]}"' if name in columns else "NULL" for name in ("id", "url", "html")]
        cursor = connection.execute(f"SELECT {', '.join(chosen)} FROM {_READ}", [name])
        number = 0
        while rows := cursor.fetchmany(8):
            for key, url, html in rows:
                number += 1
                called = str(url or key or f"{path}#{number}")
                data = (
                    html if isinstance(html, bytes) else None if html is None else str(html).encode("utf-8", "replace")
                )
                # Text in a Parquet file is decoded already: what the page's own meta charset says is history.
                declared = None if isinstance(html, bytes) else "text/html; charset=utf-8"
                error = "the column html is empty" if data is None else None
                own = str(key) if key is not None else identifier(called)
                yield PageSource(called, data, None if url is None else str(url), own, declared, error)
    finally:
        connection.close()
