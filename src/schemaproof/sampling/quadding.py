"""Pages to quads: the embedded markup of pages as N-Quads, in the form of WebDataCommons' extracts."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from schemaproof.errors import SchemaproofError, SourceError
from schemaproof.sampling.entry import page_digest
from schemaproof.sources.model import PageSource


@dataclass(slots=True)
class Quadded:
    """What was written.

    Attributes:
        pages: pages read.
        quads: quads written.
        repeated: further captures of pages that were read, left out.
        failed: pages that could not be read, with the reason.
    """

    pages: int = 0
    quads: int = 0
    repeated: int = 0
    failed: dict[str, str] = field(default_factory=dict)


def write_quads(sources: Iterable[PageSource], path: Path) -> Quadded:
    """Write the JSON-LD of pages as N-Quads, a page's quads together, its URL as the fourth term.

    Of a page that comes several times the first that can be read is taken: blank nodes of two captures have the same
    labels, and would become one subject.

    Arguments:
        sources: the pages; those without a URL are called by their name.
        path: the file; packed where it ends in .gz.

    Raises: SourceError where the file cannot be written.
    """
    # Beside and renamed, so that whatever goes wrong what stood there stands; a pipe is written as it is.
    plain = path.exists() and not path.is_file()
    between = path if plain else path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with between.open("wb") as raw:
            packed: IO[bytes] = (
                gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=6, mtime=0) if path.suffix == ".gz" else raw  # type: ignore[assignment]
            )
            with io.TextIOWrapper(packed, encoding="utf-8", errors="replace", newline="\n") as stream:
                done = _write(sources, stream)
        if not plain:
            between.replace(path)
    except OSError as problem:
        raise SourceError(str(path), problem.strerror or str(problem)) from None
    finally:
        if not plain:
            between.unlink(missing_ok=True)
    return done


def _write(sources: Iterable[PageSource], stream: IO[str]) -> Quadded:
    from schemaproof.markup import to_triples

    done = Quadded()
    seen: set[int] = set()
    for source in sources:
        name = source.url or source.name
        digest = page_digest(name.encode("utf-8", "surrogatepass"))
        if digest in seen:
            done.repeated += 1
            continue
        try:
            items, base = _json_ld(source)
            triples, _ = to_triples(items, base=base)
        except SchemaproofError as problem:
            done.failed[source.name] = getattr(problem, "reason", str(problem))
            continue
        seen.add(digest)
        done.pages += 1
        lines = _lines(triples, name)
        done.quads += len(lines)
        stream.write("".join(lines))
    return done


def _json_ld(source: PageSource) -> tuple[list[Any], str]:
    """The JSON-LD of a page and what its addresses are relative to. Raises SourceError where it could not be opened."""
    from schemaproof.page import read_embedded
    from schemaproof.page.reader import is_bare
    from schemaproof.sources import to_page

    if source.data is None or is_bare(source.data, source.name or source.url, source.content_type):
        page = to_page(source)
        return list(page.items), page.base
    # Neither text nor links are wanted: an eighth of what reading all of a page costs.
    found = read_embedded(source.data, url=source.url, content_type=source.content_type, microdata=False)
    return list(found.items), found.base


def _lines(triples: Iterable[Any], name: str) -> list[str]:
    graph = "".join(_escaped(char) for char in name)
    return list(dict.fromkeys(f"{one.subject} {one.predicate} {one.object} <{graph}> .\n" for one in triples))


def _escaped(char: str) -> str:
    """A character of an IRI; those that may not stand in one as a numeric escape."""
    return f"\\u{ord(char):04X}" if char <= " " or char in '<>"{}|^`\\' else char
