"""Pages from files and folders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from schemaproof.sources.model import PageSource

PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
MARKUP_SUFFIXES = frozenset({".jsonld", ".json"})
MAXIMUM_BYTES = 256 * 1024 * 1024  # a page larger than this is a mistake; it would not fit twice in memory


def read_file(path: Path, *, base: str | None = None) -> PageSource:
    """The page in one file.

    Arguments:
        path: an HTML or JSON-LD file.
        base: address to resolve relative addresses against; also the page's URL.

    Returns: the source; a file that cannot be read gives one with `error`.
    """
    # A file name that is no text stays one that can be written and shown.
    name, stem = (os.fsencode(text).decode("utf-8", "backslashreplace") for text in (path, path.stem))
    try:
        with path.open("rb") as stream:  # a device or a pipe has no size, and may never end
            if path.stat().st_size > MAXIMUM_BYTES:
                return PageSource(name, None, base, stem, None, _too_large())
            return read_stream(stream, name, base=base, key=stem)
    except FileNotFoundError:
        return PageSource(name, None, base, stem, None, "no such file")
    except OSError as problem:
        return PageSource(name, None, base, stem, None, problem.strerror or str(problem))


def read_stream(stream: BinaryIO, name: str, *, base: str | None = None, key: str = "") -> PageSource:
    """The page that a stream holds, which may never end: no more than `MAXIMUM_BYTES` and one are read.

    Arguments:
        stream: what is read.
        name: what the page is called in reports.
        base: see `read_file`.
        key: the page's id.

    Returns: the source; a stream that is too long gives one with `error`.
    """
    data = stream.read(MAXIMUM_BYTES + 1)
    if len(data) > MAXIMUM_BYTES:
        return PageSource(name, None, base, key, None, _too_large())
    return PageSource(name, data, base, key)


def _too_large() -> str:
    return f"larger than {MAXIMUM_BYTES >> 20} MB"


def read_folder(folder: Path, *, markup: bool = False, base: str | None = None) -> Iterator[PageSource]:
    """The pages below a folder, by path; other files are passed over, links to folders are not followed.

    Arguments:
        folder: the folder.
        markup: take JSON-LD files too.
        base: see `read_file`.
    """
    wanted = PAGE_SUFFIXES | MARKUP_SUFFIXES if markup else PAGE_SUFFIXES
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in wanted and path.is_file():
            yield read_file(path, base=base)
