"""Counting in any order: what pages say is spread over buckets on disk, and each bucket is folded alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from schemaproof.sampling.folding import Fold, Said

BUCKETS = 64
BUCKET_LIMIT = 24 << 20  # bytes of a bucket that are folded at once; a larger one is spread again
DEPTH = 4
WAITING = 20_000  # lines in memory before they are written


class Buckets:
    """Files of what lines say, each page in one of them.

    Arguments:
        folder: where they are written.
        depth: how often the lines were spread before; decides which part of a page's checksum counts.
    """

    def __init__(self, folder: Path, depth: int = 0) -> None:
        self.folder = folder
        self._shift = 6 * depth
        self._open: dict[int, IO[bytes]] = {}
        self._waiting: list[list[bytes]] = [[] for _ in range(BUCKETS)]
        self._count = 0
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, lines: Iterable[Said]) -> None:
        """Write each to its page's bucket."""
        waiting, shift = self._waiting, self._shift
        for line in lines:
            waiting[crc32(line[0]) >> shift & BUCKETS - 1].append(b"%b\t%b\t%b\n" % line)
            self._count += 1
        if self._count >= WAITING:
            self._write()

    def _write(self) -> None:
        for number, lines in enumerate(self._waiting):
            if lines:
                file = self._open.get(number)
                if file is None:
                    file = self._open[number] = (self.folder / f"{number:02}").open("ab", buffering=0)
                file.write(b"".join(lines))
                lines.clear()
        self._count = 0

    def close(self) -> None:
        """Write what waits, and close all files."""
        self._write()
        for file in self._open.values():
            file.close()
        self._open.clear()


def fold_bucket(paths: Iterable[Path], fold: Fold, folder: Path, depth: int = 1) -> None:
    """Count the pages whose lines stand in these files, which together are one bucket; the files are removed.

    A bucket beyond the limit is spread over smaller ones first, which a page alone cannot be.
    """
    files = [path for path in paths if path.is_file()]
    if sum(path.stat().st_size for path in files) > BUCKET_LIMIT and depth <= DEPTH:
        smaller = Buckets(folder / f"d{depth}", depth)
        for path in files:
            with path.open("rb") as stream:
                while lines := stream.readlines(1 << 18):
                    smaller.add(
                        (page, subject, key) for page, subject, key in (line[:-1].split(b"\t") for line in lines)
                    )
            path.unlink()
        smaller.close()
        for path in sorted(smaller.folder.iterdir()):
            fold_bucket([path], fold, smaller.folder / f"{path.name}-", depth + 1)
        return
    said: dict[bytes, list[bytes]] = {}  # page and subject: keys
    shared: dict[bytes, bytes] = {}  # one object for the keys, which come again and again
    for path in files:
        with path.open("rb") as stream:
            for line in stream:
                front, _, key = line.rpartition(b"\t")
                key = shared.setdefault(key, key)
                known = said.get(front)
                if known is None:
                    said[front] = [key]
                else:
                    known.append(key)
        path.unlink()
    pages: dict[bytes, dict[bytes, bytes]] = {}
    for front, keys in said.items():
        page, _, subject = front.partition(b"\t")
        # Sorted, so that subjects with the same tokens are alike.
        pages.setdefault(page, {})[subject] = b" ".join(sorted(set(b"".join(keys).split())))
    del said
    for page, subjects in pages.items():
        fold.count_page(page, subjects)
        fold.make_room()
