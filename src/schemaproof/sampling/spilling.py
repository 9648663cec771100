"""Counting in any order: what pages say is spread over buckets on disk, and each bucket is folded alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from schemaproof.sampling.folding import Fold

BUCKETS = 64
BUCKET_LIMIT = 24 << 20  # bytes of a bucket that are folded at once; a larger one is spread again
DEPTH = 4


class Buckets:
    """Files that hold (page, subject, token) lines, each page in one of them.

    Arguments:
        folder: where they are written.
        depth: how often the lines were spread before; decides which part of a page's checksum counts.
    """

    def __init__(self, folder: Path, depth: int = 0) -> None:
        self.folder = folder
        self.depth = depth
        self._open: dict[int, IO[bytes]] = {}
        self._page = b""
        self._file: IO[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, page: bytes, subject: bytes, token: bytes) -> None:
        """Write one line to its page's bucket."""
        if page != self._page or self._file is None:
            number = (crc32(page) >> (6 * self.depth)) % BUCKETS
            found = self._open.get(number)
            if found is None:
                found = self._open[number] = (self.folder / f"{number:02}").open("ab", buffering=1 << 14)
            self._page, self._file = page, found
        self._file.write(b"%b\t%b\t%b\n" % (page, subject, token))

    def close(self) -> None:
        """Close all files."""
        for file in self._open.values():
            file.close()
        self._open.clear()
        self._file = None


def fold_bucket(paths: Iterable[Path], fold: Fold, folder: Path, depth: int = 1) -> None:
    """Count the pages whose lines stand in these files, which together are one bucket; the files are removed.

    A bucket beyond the limit is spread over smaller ones first, which a page alone cannot be.
    """
    files = [path for path in paths if path.is_file()]
    if sum(path.stat().st_size for path in files) > BUCKET_LIMIT and depth <= DEPTH:
        smaller = Buckets(folder / f"d{depth}", depth)
        for path in files:
            with path.open("rb") as stream:
                for line in stream:
                    smaller.add(*line[:-1].split(b"\t"))
            path.unlink()
        smaller.close()
        for path in sorted(smaller.folder.iterdir()):
            fold_bucket([path], fold, smaller.folder / f"{path.name}-", depth + 1)
        return
    pages: dict[bytes, dict[bytes, dict[bytes, None]]] = {}
    shared: dict[bytes, bytes] = {}  # one object for the tokens, which come again and again
    for path in files:
        with path.open("rb") as stream:
            for line in stream:
                page, subject, token = line[:-1].split(b"\t")
                pages.setdefault(page, {}).setdefault(subject, {})[shared.setdefault(token, token)] = None
        path.unlink()
    for page, subjects in pages.items():
        fold.count_page(page, {subject: b" ".join(tokens) for subject, tokens in subjects.items()})
        fold.make_room()
