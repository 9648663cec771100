"""Tables of characteristic sets: sorted part files while counting, CSV and Parquet for people."""

from __future__ import annotations

import glob
import heapq
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import IO, Any, NamedTuple

from schemaproof.errors import InputError, SourceError
from schemaproof.sampling.quads import name_of, readable

COLUMNS = ("cset", "instances", "properties", "pages", "sample")
OPEN = 100  # part files that are read at the same time
SORTED = 10_000  # rows of a table that are sorted in memory
LINE = 2_000_000  # bytes of a line of CSV that are always expected
_CSET = attrgetter("cset")
_SPECIAL = re.compile('[",\\r\\n]')
_STRUCT = '[{"url":"VARCHAR","subject":"VARCHAR","hash":"VARCHAR"}]'


class Row(NamedTuple):
    """One characteristic set with its counts.

    Attributes:
        cset: its names sorted by code point, one space between; types as `isa:Name`.
        instances: subjects of pages that have it.
        pages: pages with such a subject.
        sample: keys of instances, see `entry.Entry`; sorted.
    """

    cset: str
    instances: int
    pages: int
    sample: tuple[bytes, ...]

    @property
    def properties(self) -> int:
        """Size of the set, types counted."""
        return self.cset.count(" ") + 1


class Instance(NamedTuple):
    """One instance of a sample: the page and the subject on it, and the hash it was drawn by."""

    url: str
    subject: str
    hash: str


def instance_of(key: bytes) -> Instance:
    """A key of a sample taken apart."""
    return Instance(**_named(key))


def _named(key: bytes) -> dict[str, str]:
    page, _, subject = key[8:].partition(b" ")
    return {"url": readable(page), "subject": subject.decode("utf-8", "replace"), "hash": key[:8].hex()}


def key_of(instance: Instance) -> bytes:
    """The key of an instance."""
    return b"%b%b %b" % (bytes.fromhex(instance.hash), name_of(instance.url), instance.subject.encode())


# Part files: a line a set, in the order of the sets as bytes, which for UTF-8 is the order of code points.


def write_part(path: Path, rows: Iterable[tuple[bytes, int, int, Iterable[bytes]]]) -> None:
    """Write rows (set, instances, pages, sample), sorted already, as a part file."""
    with path.open("wb") as stream:
        _write_rows(stream, rows)


def _write_rows(stream: IO[bytes], rows: Iterable[tuple[bytes, int, int, Iterable[bytes]]]) -> None:
    for cset, instances, pages, sample in rows:
        fields = [cset, b"%d" % instances, b"%d" % pages]
        fields += [key[:8].hex().encode() + key[8:] for key in sample]
        stream.write(b"\t".join(fields) + b"\n")


def read_part(path: Path) -> Iterator[Row]:
    """The rows of a part file."""
    with path.open("rb") as stream:
        for line in stream:
            cset, instances, pages, *sample = line.rstrip(b"\n").split(b"\t")
            keys = tuple(bytes.fromhex(field[:16].decode()) + field[16:] for field in sample)
            yield Row(cset.decode("utf-8", "surrogatepass"), int(instances), int(pages), keys)


def merge_rows(parts: Iterable[Iterable[Row]], size: int) -> Iterator[Row]:
    """Join counts of disjoint pages: sums, and the smallest keys of all; parts and result are sorted by set.

    Associative and commutative, as long as every part holds at least `size` instances of a set or all it has.
    """
    for _, group in groupby(heapq.merge(*parts, key=_CSET), key=_CSET):
        rows = list(group)
        if len(rows) == 1 and len(rows[0].sample) <= size:
            yield rows[0]
            continue
        keys = sorted({key for row in rows for key in row.sample})[:size]
        yield Row(rows[0].cset, sum(row.instances for row in rows), sum(row.pages for row in rows), tuple(keys))


def _fields(rows: Iterable[Row]) -> Iterator[tuple[bytes, int, int, Iterable[bytes]]]:
    for row in rows:
        yield row.cset.encode("utf-8", "surrogatepass"), row.instances, row.pages, row.sample


def merge_parts(parts: Sequence[Path], size: int, folder: Path) -> Iterator[Row]:
    """Join any number of part files, few of them open at a time; see `merge_rows`.

    Arguments:
        parts: the files.
        size: see `merge_rows`.
        folder: where parts of parts are written.
    """
    waiting = list(parts)
    number = 0
    while len(waiting) > OPEN:
        path = folder / f"joined-{number}"
        write_part(path, _fields(merge_rows(map(read_part, waiting[:OPEN]), size)))
        waiting = [*waiting[OPEN:], path]
        number += 1
    yield from merge_rows(map(read_part, waiting), size)


# Files for people.


def write_table(path: Path, rows: Iterable[Row]) -> int:
    """Write a table as Parquet or, where the name ends in .csv, as CSV; returns the number of rows.

    The sample is a list of structs in Parquet and its JSON in CSV.

    Raises: InputError for a name that ends otherwise, SourceError where the file cannot be written.
    """
    kind = path.suffix.lower()
    if kind not in (".csv", ".parquet"):
        raise InputError("write the table to a file that ends in .parquet or .csv", source=str(path))
    try:
        if kind == ".csv":
            return _replace_csv(path, rows)
        with tempfile.TemporaryDirectory(prefix="schemaproof-") as folder:
            between = Path(folder) / "rows.csv"
            count, longest = _write_csv(between, rows)
            _to_parquet(between, path, longest)
        return count
    except OSError as problem:
        raise SourceError(str(path), f"cannot be written ({problem.strerror or problem})") from None


def _replace_csv(path: Path, rows: Iterable[Row]) -> int:
    """Write beside and rename, so that a table that stands there may be one of those that are merged."""
    between = _beside(path)
    count, _ = _write_csv(between, rows)
    between.replace(path)
    return count


def _beside(path: Path) -> Path:
    """Where a file is written before it takes its name: another place for each process."""
    return path.with_name(f"{path.name}.{os.getpid()}.part")


def _write_csv(path: Path, rows: Iterable[Row]) -> tuple[int, int]:
    """Returns how many rows there are, and an upper bound of the bytes of the longest line."""
    import orjson

    count, longest = 0, len(",".join(COLUMNS)) + 1
    with path.open("w", encoding="utf-8", newline="", errors="surrogatepass") as stream:
        stream.write(",".join(COLUMNS) + "\n")
        for row in rows:
            sample = orjson.dumps([_named(key) for key in row.sample]).decode()
            # csv.writer looks at each character of the long last field: a third of the time.
            line = f"{_cell(row.cset)},{row.instances},{row.properties},{row.pages},{_cell(sample)}\n"
            stream.write(line)
            longest = max(longest, len(line))
            count += 1
    return count, 4 * longest  # a character may take four bytes


def _cell(text: str) -> str:
    """A field of a CSV file (RFC 4180)."""
    return '"' + text.replace('"', '""') + '"' if _SPECIAL.search(text) else text


def _to_parquet(csv_file: Path, path: Path, longest: int) -> None:
    connection = _connect(csv_file.parent)
    between = _beside(path)
    try:
        connection.execute(
            "COPY (SELECT cset, instances, properties, pages, from_json(sample, ?) AS sample FROM read_csv(?,"
            f" header = true, all_varchar = false, max_line_size = {max(longest, LINE)}, columns = {{'cset': 'VARCHAR',"
            " 'instances': 'BIGINT', 'properties': 'INTEGER', 'pages': 'BIGINT', 'sample': 'VARCHAR'}, delim = ',',"
            " quote = '\"', escape = '\"')) TO '" + str(between).replace("'", "''") + "' (FORMAT parquet,"
            " COMPRESSION zstd, ROW_GROUP_SIZE 20000)",
            [_STRUCT, str(csv_file)],
        )
    finally:
        connection.close()
    between.replace(path)


def _connect(folder: Path) -> Any:
    """A connection that works row group by row group: no more memory than that is asked for, and none forbidden."""
    import duckdb

    return duckdb.connect(":memory:", config={"threads": "1", "temp_directory": str(folder / "spill")})


def _longest_line(path: Path) -> int:
    with path.open("rb") as stream:
        longest = held = 0
        while data := stream.read(1 << 18):
            first, *more = data.split(b"\n")
            held += len(first)
            if more:
                longest = max(longest, held, max(map(len, more)))
                held = len(more[-1])
    return max(longest, held) + 1


def read_table(path: Path) -> Iterator[Row]:
    """The rows of a table in its order, which is that of the sets where we wrote it; a few in memory at a time.

    Raises: InputError for a file that does not exist or holds something else.
    """
    import duckdb

    if not path.is_file():
        raise InputError("no such file", source=str(path))
    plain = path.suffix.lower() == ".csv"
    with tempfile.TemporaryDirectory(prefix="schemaproof-") as folder:
        connection = _connect(Path(folder))
        try:
            if plain:
                longest = max(_longest_line(path), LINE)
                source = (
                    f"read_csv(?, header = true, hive_partitioning = false, max_line_size = {longest},"
                    " delim = ',', quote = '\"', escape = '\"',"
                    " columns = {'cset': 'VARCHAR', 'instances': 'BIGINT', 'properties': 'INTEGER', 'pages': 'BIGINT',"
                    " 'sample': 'VARCHAR'})"
                )
                chosen = f"cset, instances, pages, from_json(sample, '{_STRUCT}')"
            else:
                source, chosen = "read_parquet(?, hive_partitioning = false)", "cset, instances, pages, sample"
            cursor = connection.execute(f"SELECT {chosen} FROM {source}", [glob.escape(str(path))])
            while rows := cursor.fetchmany(1000):
                for cset, instances, pages, sample in rows:
                    if not cset or instances is None or pages is None:
                        raise ValueError("a row without its set or its counts")
                    keys = sorted(key_of(Instance(s["url"], s["subject"], s["hash"])) for s in sample or ())
                    yield Row(cset, instances, pages, tuple(keys))
        except (duckdb.Error, ValueError, KeyError, TypeError) as problem:
            first = str(problem).splitlines()[0]
            raise InputError(
                f"not a table of `sample count` with the columns {', '.join(COLUMNS)} ({first})", source=str(path)
            ) from None
        finally:
            connection.close()


def merge_tables(paths: Iterable[Path], size: int) -> Iterator[Row]:
    """Join any number of tables; see `merge_rows`. Their rows may stand in any order."""
    with tempfile.TemporaryDirectory(prefix="schemaproof-") as name:
        parts: list[Path] = []
        for path in paths:
            parts += _sorted_parts(read_table(path), Path(name), len(parts))
        yield from merge_parts(parts, size, Path(name))


def _sorted_parts(rows: Iterator[Row], folder: Path, number: int) -> Iterator[Path]:
    """Write rows as sorted part files: one where they come in order, else one for so many of them."""
    ahead = sorted(islice(rows, SORTED), key=_CSET)
    while ahead:
        path = folder / f"table-{number}"
        with path.open("wb") as stream:
            last = ""
            while ahead and ahead[0].cset >= last:
                last = ahead[-1].cset
                _write_rows(stream, _fields(ahead))
                ahead = sorted(islice(rows, SORTED), key=_CSET)
        yield path
        number += 1
