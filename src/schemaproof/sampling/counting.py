"""Counting characteristic sets of files of quads: processes, pages that come back, parts joined."""

from __future__ import annotations

import heapq
import json
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from schemaproof.errors import InputError, SourceError
from schemaproof.pipeline.processors import processors
from schemaproof.sampling.spilling import BUCKETS
from schemaproof.sampling.table import Row, merge_parts
from schemaproof.sampling.tally import Done, Job, Tally

ORDERS = ("auto", "pages", "any")
SCATTERED = 300_000  # pages that come back, from which all pages are counted in any order


@dataclass(slots=True)
class Counting:
    """What a count found.

    Attributes:
        tally: what was read.
        rows: the sets in order, sorted by name; to be read once, inside of `count`'s context.
        way: "pages" where all came page by page, "mixed" where some pages came back, "any" otherwise.
        scattered: number of pages that came back, where it is known.
    """

    tally: Tally
    rows: Iterator[Row]
    way: str
    scattered: int


@contextmanager
def count(
    files: Sequence[str],
    *,
    size: int = 5,
    keep_unknown: bool = False,
    vocabulary: str | None = None,
    order: str = "auto",
    processes: int = 0,
    folder: str | None = None,
) -> Iterator[Counting]:
    """Count the characteristic sets of the subjects of each page.

    Arguments:
        files: N-Quads, plain, gzip or zstandard.
        size: instances kept of each set as a sample.
        keep_unknown: keep names outside the vocabulary.
        vocabulary: path of another vocabulary.
        order: "pages": the quads of a page stand together, else it is an error; "any": they need not;
            "auto": pages that come back are found, and counted apart in a second reading.
        processes: 0 for as many as there are processors.
        folder: where temporary files go; they need about as much space as the plain quads where order is "any".

    Returns: a context with the counts; temporary files are removed when it is left.

    Raises: InputError for a file that does not exist or, for order "pages", pages that come back; SourceError where
        a file cannot be opened or a process dies. Files that break off are told in `tally.broken`.

    Source: paper, section 4.3; Neumann and Moerkotte 2011 (characteristic sets).
    """
    chosen = list(dict.fromkeys(str(Path(file)) for file in files))
    workers = min(processes or processors(), len(chosen))
    with tempfile.TemporaryDirectory(prefix="schemaproof-", dir=folder) as name:
        base = Path(name)
        if order != "any":
            jobs = [
                Job(str(base / f"first-{number}"), [file], size, keep_unknown, vocabulary)
                for number, file in enumerate(chosen)
            ]
            done = _run(jobs, workers)
            shuffled = any(each.shuffled for each in done)
            again = base / "again"
            scattered = 0 if shuffled else _find_again([Path(p) for each in done for p in each.digests], again)
            if not shuffled and not scattered:
                yield Counting(_total(done), _joined(done, size, base), "pages", 0)
                return
            if order == "pages":
                found = "many" if shuffled else str(scattered)
                raise InputError(
                    f"the quads of {found} pages do not stand together (sorting by the fourth term would mend it);"
                    " count with --order auto or any",
                    source=chosen[0] if len(chosen) == 1 else None,
                )
            divert = "all" if shuffled or scattered > SCATTERED else str(again)
        else:
            divert, scattered = "all", 0
        jobs = [
            Job(str(base / f"second-{number}"), [file], size, keep_unknown, vocabulary, divert)
            for number, file in enumerate(chosen)
        ]
        done = _run(jobs, workers)
        buckets = [
            [str(base / f"second-{each}" / "buckets" / f"{number:02}") for each in range(len(chosen))]
            for number in range(BUCKETS)
        ]
        filled = [each for each in buckets if any(Path(file).is_file() for file in each)]
        hands = min(processes or processors(), len(filled) or 1)
        jobs = [
            Job(str(base / f"third-{number}"), [], size, keep_unknown, vocabulary, buckets=filled[number::hands])
            for number in range(hands)
        ]
        done += _run(jobs, hands)
        way = "any" if divert == "all" else "mixed"
        yield Counting(_total(done), _joined(done, size, base), way, scattered)


def _total(done: Sequence[Done]) -> Tally:
    tally = Tally()
    for each in done:
        tally.add(each.tally)
    return tally


def _joined(done: Sequence[Done], size: int, folder: Path) -> Iterator[Row]:
    return merge_parts([Path(part) for each in done for part in each.parts], size, folder)


def _run(jobs: Sequence[Job], workers: int) -> list[Done]:
    running: list[subprocess.Popen[bytes]] = []
    with ThreadPoolExecutor(max(workers, 1)) as threads:
        try:
            return list(threads.map(partial(_process, running=running), jobs))
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            for process in running:
                process.kill()
            raise


def _process(job: Job, running: list[subprocess.Popen[bytes]]) -> Done:
    command = [sys.executable, "-m", "schemaproof.sampling.worker"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        running.append(process)
        # The pipe stays open: the process ends when it closes, so that none is left behind however this one dies.
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(asdict(job)).encode() + b"\n")
            process.stdin.flush()
        said = process.stdout.read()
        told = process.stderr.read()
        with suppress(BrokenPipeError):
            process.stdin.close()
    if process.returncode != 0:
        last = told.decode("utf-8", "replace").strip().rsplit("\n", 1)[-1]
        reason = f"the process counting it died ({last or f'status {process.returncode}'})"
        raise SourceError(" ".join(job.files) or "buckets", reason)
    answer = json.loads(said)
    if "error" in answer:
        raise (
            InputError(answer["error"])
            if answer["input"]
            else SourceError(" ".join(job.files) or "buckets", answer["error"])
        )
    tally = answer.pop("tally")
    tally["examples"] = [tuple(each) for each in tally["examples"]]
    tally["broken"] = [tuple(each) for each in tally["broken"]]
    return Done(tally=Tally(**tally), **answer)


def _find_again(files: Sequence[Path], target: Path) -> int:
    """Write the digests that stand in these sorted files more than once; returns how many there are."""
    found = array("Q")
    count = 0
    last = previous = -1
    with target.open("wb") as stream:
        for digest in heapq.merge(*map(_numbers, files)):
            if digest == last and digest != previous:
                previous = digest
                count += 1
                found.append(digest)
                if len(found) >= 10_000:
                    found.tofile(stream)
                    found = array("Q")
            last = digest
        found.tofile(stream)
    return count


def _numbers(path: Path) -> Iterator[int]:
    with path.open("rb") as stream:
        while data := stream.read(1 << 16):
            numbers = array("Q")
            numbers.frombytes(data)
            yield from numbers
