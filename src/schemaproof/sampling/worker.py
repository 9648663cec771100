"""One process of a count: `python -m schemaproof.sampling.worker`, its task as JSON on standard input,
which stays open as long as the answer is wanted.

A bare process instead of a pool: it starts with nothing but what counting needs, gives all its memory back, and one
that dies takes no other with it.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
from array import array
from dataclasses import asdict
from pathlib import Path
from typing import Any

from schemaproof.sampling.blocks import BrokenInput, blocks
from schemaproof.sampling.entry import page_digest
from schemaproof.sampling.folding import Counts, Fold
from schemaproof.sampling.names import Names
from schemaproof.sampling.spilling import Buckets, fold_bucket
from schemaproof.sampling.table import write_part
from schemaproof.sampling.tally import Done, Job

WATCHED = (5_000, 50_000)  # pages after which it is asked how many came back, to tell shuffled files early
MANY = 500
DIGESTS = 200_000
SETS = 20_000


class Shuffled(Exception):  # noqa: N818  (a finding, not an error)
    """The lines of a file do not come page by page."""


def work(job: Job) -> Done:
    """Do a task.

    Raises: InputError for a file that does not exist, SourceError for one that cannot be opened.
    """
    from schemaproof.vocabulary import load

    folder = Path(job.folder)
    folder.mkdir(parents=True, exist_ok=True)
    done = Done()

    def spill(counts: Counts) -> None:
        path = folder / f"part-{len(done.parts)}"
        write_part(path, ((cset, entry.instances, entry.pages, entry.sample) for cset, entry in counts))
        done.parts.append(str(path))

    names = Names(load(job.vocabulary), keep_unknown=job.keep_unknown)
    fold = Fold(names, size=job.size, spill=spill, limit=SETS)
    if job.buckets:
        for number, files in enumerate(job.buckets):
            fold_bucket([Path(name) for name in files], fold, folder / f"more-{number}")
    else:
        buckets = Buckets(folder / "buckets") if job.divert else None
        if buckets is not None:
            diverted = _diverted(job.divert)
            fold.arrived = lambda page: False if diverted is None else page_digest(page) not in diverted
            fold.diverted = buckets.add
            fold.loose = diverted is None
        try:
            for file in job.files:
                _read(file, fold, folder, done, watch=job.watch and buckets is None)
        except Shuffled:
            return Done(shuffled=True)
        if buckets is not None:
            buckets.close()
    spill(fold.take())
    done.tally = fold.tally
    _write_digests(fold, folder, done)
    return done


def _read(file: str, fold: Fold, folder: Path, done: Done, *, watch: bool) -> None:
    line = 1
    ahead = list(reversed(WATCHED)) if watch else []
    try:
        for block in blocks(file):
            line += fold.feed(block, file, line)
            if ahead and len(fold.digests) >= ahead[-1]:
                ahead.pop()
                if len(fold.digests) - len(set(fold.digests)) >= MANY:
                    raise Shuffled
            if len(fold.digests) >= DIGESTS:
                _write_digests(fold, folder, done)
    except BrokenInput as problem:
        fold.tally.broken.append((file, f"breaks off in line {line}: {problem}"))
    fold.end_page()


def _write_digests(fold: Fold, folder: Path, done: Done) -> None:
    if not fold.digests:
        return
    path = folder / f"digests-{len(done.digests)}"
    with path.open("wb") as stream:
        array("Q", sorted(fold.digests)).tofile(stream)
    done.digests.append(str(path))
    fold.digests = array("Q")


def _diverted(name: str) -> frozenset[int] | None:
    if name == "all":
        return None
    numbers = array("Q")
    numbers.frombytes(Path(name).read_bytes())
    return frozenset(numbers)


def _follow() -> None:
    """Die with the process that asked: its end of standard input closes, whatever it died of."""
    while os.read(0, 1024):  # past sys.stdin, whose lock would stand in the way of an orderly end
        pass
    os._exit(1)


def main() -> int:
    """Do the task on the first line of standard input; its answer goes to standard output as JSON."""
    from schemaproof.errors import SchemaproofError

    gc.disable()  # millions of small objects and no cycles
    job: dict[str, Any] = json.loads(sys.stdin.readline())
    threading.Thread(target=_follow, daemon=True).start()
    try:
        answer: dict[str, Any] = asdict(work(Job(**job)))
    except SchemaproofError as problem:
        answer = {"error": str(problem), "input": isinstance(problem, ValueError)}
    json.dump(answer, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
