"""Counting and running on Spark (extra `spark`, PySpark 4): the same numbers as on one machine.

Quads are folded page by page where they lie, however the files were split; the parts of a page meet by its name, so
that no partition cuts one. Pages of a run go file by file; each task works in processes of its own, so that a page
that kills its process is the only one lost and Spark sees no failure.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any
from zlib import crc32

from schemaproof.errors import MissingExtraError
from schemaproof.sampling.blocks import blocks
from schemaproof.sampling.counting import Counting
from schemaproof.sampling.entry import page_digest
from schemaproof.sampling.folding import Fold, Shape, key_of
from schemaproof.sampling.names import Names
from schemaproof.sampling.table import Row
from schemaproof.sampling.tally import Tally

if TYPE_CHECKING:
    from schemaproof.pipeline.plan import Plan
    from schemaproof.pipeline.run import Progress, RunReport
    from schemaproof.pipeline.store import Store

LINES = 2000  # folded at a time
ATTEMPTS = 4  # at a task, as on a cluster: Spark alone would give up a local session at the first that fails
Subjects = dict[bytes, bytes]


@contextmanager
def session_of(master: str) -> Iterator[Any]:
    """A Spark session of our own, stopped afterwards.

    Arguments:
        master: "local[2]", "spark://HOST:7077", "yarn"...

    Raises: MissingExtraError without PySpark.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtraError("pyspark", "spark", "working on Spark") from None
    if master.startswith("local"):
        # Else Spark starts the first python3 of the path, which need not have this package.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        found = re.fullmatch(r"local(?:\[(\d+|\*)\])?", master)
        if found:
            master = f"local[{found[1] or 1},{ATTEMPTS}]"
    session = (
        SparkSession.builder.master(master)
        .appName("schemaproof")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    try:
        yield session
    finally:
        session.stop()


class _Pages(Fold):
    """A fold that hands pages out instead of counting them."""

    def __init__(self, names: Names) -> None:
        super().__init__(names)
        self.out: list[tuple[bytes, Subjects]] = []

    def finish(self, page: bytes, subjects: dict[bytes, Shape]) -> None:
        """Hand a page out."""
        self.out.append((page, {subject: key_of(shape) for subject, shape in subjects.items()}))


def _fold_lines(
    lines: Iterable[bytes], keep_unknown: bool, vocabulary: str | None
) -> Iterator[tuple[int, tuple[bytes, Subjects] | Tally]]:
    """Pages of one partition by digest, and its tally under -1."""
    from schemaproof.vocabulary import load

    fold = _Pages(Names(load(vocabulary), keep_unknown=keep_unknown))
    ahead = iter(lines)
    while chunk := list(islice(ahead, LINES)):
        fold.feed(b"\n".join(chunk) + b"\n", "", 0)
        yield from ((page_digest(page), (page, subjects)) for page, subjects in fold.out)
        fold.out.clear()
    fold.end_page()
    yield from ((page_digest(page), (page, subjects)) for page, subjects in fold.out)
    fold.tally.examples = [(file, 0, reason) for file, _, reason in fold.tally.examples]
    yield -1, fold.tally


def _count_pages(
    grouped: Iterable[tuple[int, Iterable[tuple[bytes, Subjects] | Tally]]],
    size: int,
    keep_unknown: bool,
    vocabulary: str | None,
) -> Iterator[tuple[bytes, tuple[int, int, tuple[bytes, ...]] | Tally]]:
    """Counts of the pages of one partition, and its tally under b""."""
    from schemaproof.vocabulary import load

    fold = Fold(Names(load(vocabulary), keep_unknown=keep_unknown), size=size)
    read = Tally()
    for digest, parts in grouped:
        pages: dict[bytes, Subjects] = {}
        for part in parts:
            if isinstance(part, Tally):
                read.add(part)
                continue
            page, subjects = part
            known = pages.setdefault(page, {})
            for subject, key in subjects.items():
                known[subject] = b"%b %b" % (known[subject], key) if subject in known else key
        if digest >= 0:
            for page, subjects in pages.items():
                fold.count_page(page, subjects)
    for cset, entry in fold.take():
        yield cset, (entry.instances, entry.pages, tuple(entry.sample))
    read.pages, read.instances, read.emptied = fold.tally.pages, fold.tally.instances, fold.tally.emptied
    yield b"", read


def _join(size: int, a: Any, b: Any) -> Any:
    if isinstance(a, Tally):
        a.add(b)
        return a
    return a[0] + b[0], a[1] + b[1], tuple(sorted({*a[2], *b[2]})[:size])


def _place(key: int) -> int:
    return key


def _read_lines(path: str) -> Iterator[bytes]:
    for block in blocks(path):
        lines = block.split(b"\n")
        yield from lines if lines[-1] else lines[:-1]


def count(
    session: Any,
    files: Sequence[str],
    *,
    size: int = 5,
    keep_unknown: bool = False,
    vocabulary: str | None = None,
    partitions: int = 0,
) -> Counting:
    """Count characteristic sets on Spark; see `counting.count`. Quads may come in any order.

    Arguments:
        session: a Spark session (classic, not Connect).
        files: N-Quads, plain or gzip, by any path that Spark reads; zstandard by a path that all workers see.
        size, keep_unknown, vocabulary: see `counting.count`.
        partitions: of the shuffle; 0 for Spark's own number.

    Returns: the counts; malformed lines are shown without their place.
    """
    context = session.sparkContext
    number = partitions or max(context.defaultParallelism, 2)
    packed = [file for file in files if file.lower().endswith((".zst", ".zstd"))]
    rest = [file for file in files if file not in packed]
    lines = context.emptyRDD()
    if rest:
        lines = context.textFile(",".join(rest), minPartitions=number, use_unicode=False)
    if packed:
        lines = lines.union(context.parallelize(packed, len(packed)).flatMap(_read_lines))
    folded = lines.mapPartitions(partial(_fold_lines, keep_unknown=keep_unknown, vocabulary=vocabulary))
    grouped = folded.groupByKey(number, _place)
    counted = grouped.mapPartitions(
        partial(_count_pages, size=size, keep_unknown=keep_unknown, vocabulary=vocabulary), preservesPartitioning=False
    )
    joined = counted.reduceByKey(partial(_join, size), number, crc32).cache()
    tallies = joined.filter(_is_tally).values().collect()
    tally = Tally()
    for each in tallies:
        tally.add(each)
    rows = joined.filter(_is_row).sortByKey(numPartitions=number).toLocalIterator()
    return Counting(tally, (_row(pair) for pair in rows), "any", 0)


def _is_tally(pair: tuple[bytes, Any]) -> bool:
    return not pair[0]


def _is_row(pair: tuple[bytes, Any]) -> bool:
    return bool(pair[0])


def _row(pair: tuple[bytes, Any]) -> Row:
    return Row(pair[0].decode("utf-8", "surrogatepass"), *pair[1])


def _work_on(files: Iterable[str], plan: Plan, known: Any, retry: bool) -> Iterator[Any]:
    """Results of the pages of some files; ("reused", name, failed) for those that are in the run file."""
    from schemaproof.pipeline.pool import Task, execute
    from schemaproof.pipeline.work import lost, worker
    from schemaproof.sources import open_sources

    task = Task(partial(worker, plan), lost, plan.page_seconds, plan.uses_model)
    reused: list[tuple[str, str, bool]] = []

    def jobs() -> Iterator[Any]:
        for source in open_sources(files):
            digest = plan.digest(source.data, source.id) if source.data is not None else ""
            before = known.value.get(source.name)
            if before is not None and digest and before[0] == digest and not (before[1] and retry):
                reused.append(("reused", source.name, before[1]))
            else:
                yield source, digest

    # A process of its own even for one worker: what a page does to its process must not reach Spark's.
    yield from execute(jobs(), task, 1, isolated=True)
    yield from reused


def run(
    session: Any,
    arguments: Sequence[str],
    plan: Plan,
    store: Store,
    *,
    retry: bool = False,
    told: Callable[[Progress], None] = lambda _: None,
) -> RunReport:
    """Work on the pages of many files on Spark, and save each; see `pipeline.run.run`.

    Arguments:
        session: a Spark session (classic, not Connect).
        arguments: WARC, Parquet or HTML files that every worker sees by this path.
        plan, store, retry, told: see `pipeline.run.run`.

    Raises: InputError, StoreError; what was done is saved.
    """
    from dataclasses import replace

    from schemaproof.pipeline.run import RunReport

    line = plan.signature()
    report = RunReport(line, ("human", *(name for name, _ in plan.contenders)))
    store.begin(line, report.names)
    progress = report.progress
    context = session.sparkContext
    known = context.broadcast(store.done(line))
    files = context.parallelize(list(arguments), max(len(arguments), 1))
    results = files.mapPartitions(partial(_work_on, plan=plan, known=known, retry=retry))
    taken: dict[str, int] = {}
    for result in results.toLocalIterator(prefetchPartitions=True):
        if isinstance(result, tuple):
            _, name, failed = result
            progress.reused += 1
            progress.failed += failed
        else:
            count = taken[result.name] = taken.get(result.name, 0) + 1
            if count > 1:
                result = replace(result, name=f"{result.name}#{count}")
            name = result.name
            store.save(result, line)
            report.add(result)
        report.order.append(name)
        store.cover((name,))
        told(progress)
    return report
