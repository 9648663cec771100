"""Pages from WARC files, one record in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from schemaproof.errors import InputError
from schemaproof.sources.model import PageSource, identifier

HTML_TYPES = ("text/html", "application/xhtml+xml")
MAXIMUM_BYTES = 64 * 1024 * 1024


def read_warc(path: Path) -> Iterator[PageSource]:
    """The HTML responses of a WARC file, compressed or not, in its order (ISO 28500).

    A record that is broken gives a source with `error` and the rest goes on where the file can be followed.

    Raises: InputError for a file that does not exist or is no WARC.
    """
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    if not path.is_file():
        raise InputError("no such file", source=str(path))
    count = 0
    with path.open("rb") as stream:
        try:
            for record in ArchiveIterator(stream):
                if record.rec_type != "response" or record.http_headers is None:
                    continue
                count += 1
                url = record.rec_headers.get_header("WARC-Target-URI") or f"{path}#{count}"
                kind = record.http_headers.get_header("Content-Type") or ""
                status = record.http_headers.get_statuscode() or ""
                if kind and not kind.strip().lower().startswith(HTML_TYPES):
                    continue
                if not status.startswith("2"):
                    continue
                try:
                    body = record.content_stream().read(MAXIMUM_BYTES + 1)
                except Exception as problem:  # the library passes on whatever its decoders raise
                    yield PageSource(url, None, url, identifier(url), None, f"broken record: {problem}")
                    continue
                if len(body) > MAXIMUM_BYTES:
                    yield PageSource(url, None, url, identifier(url), None, f"larger than {MAXIMUM_BYTES >> 20} MB")
                    continue
                yield PageSource(url, body, url, identifier(url), kind or None)
        except (ArchiveLoadFailed, EOFError, OSError, ValueError, AttributeError, TypeError) as problem:
            # The last two are what the library raises on records that lack the headers they must have.
            if count == 0:
                raise InputError(f"not a readable WARC file ({problem})", source=str(path)) from None
            name = f"{path}#{count + 1}"
            yield PageSource(name, None, None, name, None, f"the file breaks off after {count} pages: {problem}")
