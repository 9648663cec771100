"""Files of answers → scores, row by row in their order, in as many processes as wished, in flat memory."""

from __future__ import annotations

import glob
import io
import signal
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import IO, Any, cast

from schemaproof.errors import InputError, SourceError
from schemaproof.extraction.rows import COLUMNS, COMPLEXITY, RowError, parse_line, row_of
from schemaproof.extraction.scorer import Score, Settings, score_row
from schemaproof.extraction.totals import BLOCKS, RESAMPLES
from schemaproof.pipeline.extraction_store import MAGIC, ExtractionStore
from schemaproof.pipeline.processors import processors

EXAMPLE = "example"
_DATA = "schemaproof.extraction.data"
_DATA_FILE = "example.jsonl.gz"
# Rows are handed over in chunks: few enough to keep memory flat, enough to make handing over cheap.
_ROWS, _BYTES = 64, 1 << 19
# Below this many bytes starting processes costs more than it saves.
POOL_FROM = 4 << 20

Item = tuple[int, bytes | dict[str, Any]]


def is_example(name: str) -> bool:
    """Whether a name means the packaged data set: `example`, where no file is called so."""
    return name == EXAMPLE and not Path(name).exists()


def example_bytes() -> bytes:
    """The packaged data set, JSON Lines."""
    import gzip

    return gzip.decompress(resources.files(_DATA).joinpath(_DATA_FILE).read_bytes())


def read_items(name: str) -> Iterator[Item]:
    """The rows of a file, unparsed, with their numbers from 1.

    Arguments:
        name: a JSON Lines file (maybe `.gz`), a JSON file that holds one array, a Parquet file, a run file of
            `extraction run`, `-` for standard input, or `example`.

    Raises:
        SourceError: for a file that cannot be opened or is damaged.
        InputError: for a file that holds no rows of this kind.
    """
    if is_example(name):
        yield from _lines(io.BytesIO(example_bytes()), name)
        return
    if name == "-":
        yield from _lines(sys.stdin.buffer, name)
        return
    path = Path(name)
    if path.is_dir():
        raise SourceError(name, "is a folder; give a JSON Lines or Parquet file")
    if path.suffix.lower() in (".parquet", ".pq"):
        yield from _parquet(path)
        return
    try:
        with path.open("rb") as plain:
            head = plain.peek(2)[:2] if isinstance(plain, io.BufferedReader) else b""
            if head == b"SQ" and plain.peek(len(MAGIC))[: len(MAGIC)] == MAGIC:
                yield from _run_file(path)
            elif head == b"\x1f\x8b":
                import gzip

                with gzip.open(path, "rb") as unpacked:
                    yield from _lines(cast("IO[bytes]", unpacked), name)
            else:
                yield from _lines(plain, name)
    except FileNotFoundError:
        raise SourceError(name, "there is no such file") from None
    except (EOFError, OSError) as problem:
        if isinstance(problem, SourceError):
            raise
        raise SourceError(name, f"cannot be read: {problem}") from None


def _run_file(path: Path) -> Iterator[Item]:
    with ExtractionStore(path, must_exist=True) as store:
        yield from enumerate(store.answered(), 1)


def _lines(stream: IO[bytes], name: str) -> Iterator[Item]:
    first = True
    for number, line in enumerate(stream, 1):
        if first:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line.strip():
            continue
        if first and line.lstrip()[:1] == b"[":
            yield from _array(line + stream.read(), name)
            return
        first = False
        yield number, line


def _array(data: bytes, name: str) -> Iterator[Item]:
    import json

    try:
        rows = json.loads(data)
    except (ValueError, RecursionError) as problem:
        raise InputError(f"opens with a bracket but is no JSON array of rows: {problem}", source=name) from None
    for number, row in enumerate(rows, 1):
        yield number, row if isinstance(row, dict) else {}


def _parquet(path: Path) -> Iterator[Item]:
    import duckdb

    if not path.is_file():
        raise SourceError(str(path), "there is no such file")
    try:
        with duckdb.connect() as database:
            # Bounded, so that a large row group does not fill the memory.
            database.execute("SET threads = 1")
            result = database.execute(
                "SELECT * FROM read_parquet(?, hive_partitioning = false)", [glob.escape(str(path))]
            )
            names = [str(each[0]) for each in result.description or ()]
            known = {alias for aliases in COLUMNS.values() for alias in aliases} | set(COMPLEXITY)
            number = 0
            while rows := result.fetchmany(_ROWS):
                for row in rows:
                    number += 1
                    # Columns of other types (times, decimals) are none of ours; they stay out of the way.
                    pairs = zip(names, row, strict=True)
                    yield number, {n: v for n, v in pairs if n in known or isinstance(v, str | int | float)}
    except duckdb.Error as problem:
        raise SourceError(str(path), f"cannot be read as Parquet: {str(problem).splitlines()[0]}") from None


def size_of(name: str) -> int:
    """Bytes to be scored, as far as they are known beforehand."""
    path = Path(name)
    if name == "-" or not path.is_file():
        return 0
    return path.stat().st_size * (5 if path.suffix.lower() in (".gz", ".parquet", ".pq") else 1)


def score_item(item: Item, settings: Settings, columns: Mapping[str, str] | None = None) -> Score:
    """The scores of one unparsed row; a row that cannot be used has an error."""
    number, data = item
    try:
        row = parse_line(data, number, columns) if isinstance(data, bytes) else row_of(data, number, columns)
    except RowError as problem:
        return Score(id=problem.row_id, model=problem.model, line=number, error=problem.message, unreadable=True)
    return score_row(row, settings)


def score_file(
    name: str, settings: Settings, *, columns: Mapping[str, str] | None = None, workers: int = 0
) -> Iterator[Score]:
    """Score every row of a file, in its order.

    Arguments:
        name: see `read_items`.
        settings: profile, reading, comparators.
        columns: our name of a column to its name in the file, where they differ.
        workers: processes; 0 for one a processor where the file is large enough to be worth it.

    Raises:
        SourceError, InputError: see `read_items`. Rows never raise.
    """
    count = workers or (processors() if size_of(name) >= POOL_FROM else 1)
    if count == 1:
        for item in read_items(name):
            yield score_item(item, settings, columns)
        return
    yield from _parallel(read_items(name), settings, columns, count)


def _chunks(items: Iterator[Item]) -> Iterator[list[Item]]:
    chunk: list[Item] = []
    size = 0
    for item in items:
        chunk.append(item)
        size += len(item[1]) if isinstance(item[1], bytes) else sum(len(str(v)) for v in item[1].values())
        if len(chunk) >= _ROWS or size >= _BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _start() -> None:
    # The parent decides what an interrupt means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _score_chunk(chunk: Sequence[Item], settings: Settings, columns: Mapping[str, str] | None) -> list[Score]:
    return [score_item(item, settings, columns) for item in chunk]


def _executor(count: int) -> ProcessPoolExecutor:
    import multiprocessing

    forkserver = "forkserver" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if forkserver else "spawn")
    if forkserver:
        context.set_forkserver_preload(["schemaproof.pipeline.extraction_score", "sacrebleu", "jsonschema_rs"])
    return ProcessPoolExecutor(count, mp_context=context, initializer=_start)


def _parallel(
    items: Iterator[Item], settings: Settings, columns: Mapping[str, str] | None, count: int
) -> Iterator[Score]:
    """Chunks go to the processes and come back in order; at most three a process are under way."""
    executor = _executor(count)
    waiting: deque[tuple[list[Item], Future[list[Score]]]] = deque()
    chunks = _chunks(items)
    try:
        more = True
        while more or waiting:
            while more and len(waiting) < 3 * count:
                chunk = next(chunks, None)
                if chunk is None:
                    more = False
                    break
                try:
                    future = executor.submit(_score_chunk, chunk, settings, columns)
                except BrokenProcessPool:
                    future = Future()
                    future.set_exception(BrokenProcessPool())
                waiting.append((chunk, future))
            if not waiting:
                break
            chunk, future = waiting.popleft()
            try:
                yield from future.result()
            except BrokenProcessPool:
                # A process died (killed, out of memory): every row under way gets one of its own, so that only
                # the culprit is lost.
                suspects = [chunk, *(each for each, _ in waiting)]
                waiting.clear()
                executor.shutdown(wait=False, cancel_futures=True)
                yield from _one_by_one(chain.from_iterable(suspects), settings, columns)
                executor = _executor(count)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _one_by_one(items: Iterable[Item], settings: Settings, columns: Mapping[str, str] | None) -> Iterator[Score]:
    """Score rows in a process of their own, started anew whenever one kills it."""
    single: ProcessPoolExecutor | None = None
    try:
        for item in items:
            single = single or _executor(1)
            try:
                score = single.submit(_score_chunk, [item], settings, columns).result()[0]
            except BrokenProcessPool:
                single.shutdown(wait=False, cancel_futures=True)
                single = None
                message = "the process scoring this row died; it may need more memory than there is"
                score = Score(id=item[0], line=item[0], error=message)
            yield score
    finally:
        if single is not None:
            single.shutdown(wait=False, cancel_futures=True)


def recipe(name: str, settings: Settings) -> dict[str, Any]:
    """All that the figures of a scored file depend on, for `scoring.signature`."""
    import hashlib
    from importlib.metadata import version

    import schemaproof

    about: dict[str, Any] = {
        "task": "extraction",
        **settings.described(),
        "schemaproof": schemaproof.__version__,
        "sacrebleu": version("sacrebleu"),
        "jsonschema-rs": version("jsonschema-rs"),
        "bootstrap": f"{RESAMPLES}x{BLOCKS}, seed 0",
    }
    if is_example(name):
        about["data"] = hashlib.sha256(example_bytes()).hexdigest()[:12]
    elif name != "-" and Path(name).is_file():  # a pipe has nothing left to be read
        with Path(name).open("rb") as stream:
            about["data"] = hashlib.file_digest(stream, "sha256").hexdigest()[:12]
    return about
