"""Opening what the command line calls PAGE: a file, a folder, a URL, standard input, Parquet, a WARC file."""

from __future__ import annotations

import glob
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from schemaproof.errors import InputError, SourceError
from schemaproof.page.model import Page
from schemaproof.sources.files import read_file, read_folder, read_stream
from schemaproof.sources.model import PageSource
from schemaproof.sources.parquet import read_parquet
from schemaproof.sources.visiting import Visitor
from schemaproof.sources.web import FetchLimits, is_url


def open_sources(
    arguments: Iterable[str],
    *,
    base: str | None = None,
    markup: bool = False,
    sitemaps: bool = False,
    limits: FetchLimits | None = None,
) -> Iterator[PageSource]:
    """The pages that the arguments name, in their order, one in memory at a time.

    Arguments:
        arguments: files, folders, globs, URLs, "-", Parquet and WARC files.
        base: address of the page, where its own is not known.
        markup: in folders take JSON-LD files too.
        sitemaps: a URL that ends in .xml or .xml.gz is a sitemap: the pages it names are fetched.
        limits: for what is fetched from the web.

    Raises: InputError for an argument that names nothing or a file of unknown shape, and at the end where all
        arguments together (folders, Parquet and WARC files, sitemaps) hold not one page.
    """
    given = list(arguments)
    empty = True
    for source in _sources(given, base, markup, sitemaps, limits):
        empty = False
        yield source
    if given and empty:
        raise InputError("no page in here", source=", ".join(given))


def _sources(
    arguments: list[str], base: str | None, markup: bool, sitemaps: bool, limits: FetchLimits | None
) -> Iterator[PageSource]:
    visitor = Visitor(limits)
    for argument in arguments:
        if sitemaps and is_url(argument) and argument.split("?")[0].lower().endswith((".xml", ".xml.gz")):
            from schemaproof.sources.sitemap import read_sitemap

            for address in read_sitemap(argument, visitor.visit):
                yield address if isinstance(address, PageSource) else visitor.visit(address).source()
        else:
            yield from _open(argument, base, markup, visitor)


def _open(argument: str, base: str | None, markup: bool, visitor: Visitor) -> Iterator[PageSource]:
    if argument == "-":
        yield read_stream(sys.stdin.buffer, "-", base=base, key="stdin")
    elif is_url(argument):
        yield visitor.visit(argument).source()
    else:
        path = Path(argument)
        lower = argument.lower()
        if path.is_dir():
            yield from read_folder(path, markup=markup, base=base)
            yield from _archives(path)
        elif not path.exists() and glob.has_magic(argument):
            matches = sorted(glob.glob(argument, recursive=True))  # noqa: PTH207  (Path.glob refuses absolute patterns)
            if not matches:
                raise InputError("no file matches this pattern", source=argument)
            for match in matches:
                yield from _open(match, base, markup, visitor)
        elif lower.endswith(".parquet"):
            if not path.is_file():
                raise InputError("no such file", source=argument)
            yield from read_parquet(path)
        elif lower.endswith((".warc.gz", ".warc")):
            from schemaproof.sources.warc import read_warc

            yield from read_warc(path)
        else:
            yield read_file(path, base=base)


def _archives(folder: Path) -> Iterator[PageSource]:
    """The pages of all WARC files below a folder, after its own pages; one that is broken costs only itself."""
    from schemaproof.sources.warc import read_warc

    for path in sorted(folder.rglob("*")):
        if path.name.lower().endswith((".warc.gz", ".warc")) and path.is_file():
            try:
                yield from read_warc(path)
            except InputError as problem:
                yield PageSource(str(path), None, None, path.stem, None, problem.message)


def to_page(source: PageSource) -> Page:
    """Read the page of a source.

    Raises: SourceError where the source could not be opened.
    """
    from schemaproof.page import read_document

    if source.data is None:
        raise SourceError(source.name, source.error or "cannot be opened")
    return read_document(source.data, url=source.url, name=source.name, content_type=source.content_type)


def open_page(argument: str, *, base: str | None = None, limits: FetchLimits | None = None) -> Page:
    """The one page that an argument names.

    Raises: InputError where it names none or several, SourceError where it cannot be opened.
    """
    sources = open_sources([argument], base=base, markup=True, limits=limits)
    first = next(sources)  # or InputError
    if next(sources, None) is not None:
        raise InputError("holds more than one page; name one of them", source=argument)
    return to_page(first)
