"""Pages from WARC files, one record in memory at a time."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from schemaproof.errors import InputError
from schemaproof.sources.coding import BrokenBody, undone
from schemaproof.sources.model import PageSource, identifier, is_page_type

MAXIMUM_BYTES = 64 * 1024 * 1024
BLANK = 16  # bytes of line ends that may stand behind a record
AHEAD = 1 << 24  # bytes of a packed record that are checked whole before anything of it is taken
_PACKED = b"\x1f\x8b"


def read_warc(path: Path) -> Iterator[PageSource]:
    """The pages among the responses of a WARC file, compressed or not, in its order (ISO 28500).

    A record that is broken or cut off gives a source with `error`. Of a packed file the rest goes on with the next
    record that can be found; of a plain one it is lost, since what a page says could not be told from a record.

    Raises: InputError for a file that does not exist or is no WARC.
    """
    if not path.is_file():
        raise InputError("no such file", source=str(path))
    reader = _Reader(path)
    with path.open("rb") as stream:
        if stream.peek(2)[:2] != _PACKED:
            yield from reader.read(stream)
            if reader.broken and not reader.told:
                yield reader.lost(last=True)
            return
        place: int | None = 0
        while place is not None:
            member = Member(stream, place)
            yield from reader.read(member, member.problem if member.damaged else "")
            after = member.end()
            if after is not None and not reader.broken:
                place = _start(stream, after)
                continue
            reader.broken = member.problem or reader.broken
            place = next_member(stream, after or member.start + 1)
            if not reader.told:
                yield reader.lost(last=place is None)


class _Reader:
    """What was read of a file.

    Attributes:
        count: responses so far.
        broken: why reading did not come to the end of what it was given, or "".
        told: the page where it broke was given, with its error.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        self.broken = ""
        self.told = False

    def read(self, stream: Any, problem: str = "") -> Iterator[PageSource]:
        """The pages to the end, or to the first record that is broken.

        Arguments:
            stream: of records, not packed.
            problem: what is the matter with it, where that is known.
        """
        from warcio.archiveiterator import ArchiveIterator
        from warcio.exceptions import ArchiveLoadFailed

        self.broken, self.told = problem, False
        end = stream.tell()
        records = ArchiveIterator(stream)
        try:
            for record in records:
                if record.rec_headers.get_header("Content-Length") is None:
                    raise ValueError("a record without its length")
                found = self._page(record, problem)
                if found is not None:
                    self.told = found.data is None
                    yield found
                if _is_cut(record.raw_stream):
                    self.broken = problem or "the file breaks off in a record"
                    return
                end = stream.tell() - records.reader.rem_length()
            # The library ends without a word where a record has not even its headers.
            if stream.tell() - end > BLANK:
                self.broken = problem or "the file breaks off in a record's headers"
        except (ArchiveLoadFailed, EOFError, OSError, ValueError, AttributeError, TypeError) as wrong:
            # Two of them are what the library raises on records that lack the headers they must have.
            self.broken = problem or _short(wrong)

    def lost(self, *, last: bool) -> PageSource:
        """A source that says where the file is broken.

        Arguments:
            last: nothing more is read of it.

        Raises: InputError where nothing was or will be read of it.
        """
        if last and not self.count:
            raise InputError(f"not a readable WARC file ({self.broken})", source=str(self.path))
        name = f"{self.path}#{self.count + 1}"
        return PageSource(name, None, None, name, None, f"a record cannot be read: {self.broken}")

    def _page(self, record: Any, problem: str) -> PageSource | None:
        """The page of a record; None where it holds none."""
        if record.rec_type != "response" or record.http_headers is None:
            return None
        self.count += 1
        url = record.rec_headers.get_header("WARC-Target-URI") or f"{self.path}#{self.count}"
        kind = record.http_headers.get_header("Content-Type") or ""
        status = record.http_headers.get_statuscode() or ""
        if not status.startswith("2") or not is_page_type(kind):
            return None
        try:
            if problem:
                raise BrokenBody(problem)
            data = body_of(record, MAXIMUM_BYTES)
        except BrokenBody as broken:
            return PageSource(url, None, url, identifier(url), None, f"its record cannot be read: {broken}")
        if len(data) > MAXIMUM_BYTES:
            return PageSource(url, None, url, identifier(url), None, f"larger than {MAXIMUM_BYTES >> 20} MB")
        return PageSource(url, data, url, identifier(url), kind or None)


class Member:
    """One member of a gzip file, a record of a WARC as a rule, unpacked as it is read; a file for the library.

    Arguments:
        stream: the file.
        start: where the member begins in it.

    Attributes:
        start: see above.
        problem: why it ends early, or "": known before anything is read where it holds no more than `AHEAD` bytes.
        damaged: its bytes are not those that were packed.
    """

    def __init__(self, stream: IO[bytes], start: int) -> None:
        self.start = start
        self.problem = ""
        self.damaged = False
        self._stream = stream
        self._opened = zlib.decompressobj(31)
        self._packed = b""
        self._ahead: list[bytes] = []
        self._given = 0
        stream.seek(start)
        held = 0
        while held <= AHEAD and (data := self._more(1 << 18)):
            held += len(data)
            self._ahead.append(data)
        self._ahead.reverse()

    def read(self, size: int = -1) -> bytes:
        """Some bytes, nothing at the end."""
        size = size if size > 0 else 1 << 18
        data = self._ahead.pop() if self._ahead else self._more(size)
        if len(data) > size:
            self._ahead.append(data[size:])
            data = data[:size]
        self._given += len(data)
        return data

    def tell(self) -> int:
        """How many bytes were read."""
        return self._given

    def end(self) -> int | None:
        """Where the member ends in the file; None where it cannot be read to its end."""
        while self._more(1 << 18):
            pass
        if self.problem:
            return None
        return self._stream.tell() - len(self._opened.unused_data)

    def _more(self, size: int) -> bytes:
        while not (self._opened.eof or self.problem):
            data = self._packed or self._stream.read(1 << 16)
            before = self._opened.copy()
            try:
                out = self._opened.decompress(data, size)
            except zlib.error:
                self.problem, self.damaged = "its packed data are damaged", True
                return _salvaged(before, data)
            self._packed = self._opened.unconsumed_tail
            if out:
                return out
            if not data:
                self.problem = "the file breaks off in it"
        return b""


def _salvaged(opened: Any, data: bytes) -> bytes:
    """What comes before the fault: the library gives nothing of a piece that has one."""
    out = []
    try:
        for start in range(len(data)):
            out.append(opened.decompress(data[start : start + 1]))
    except zlib.error:
        pass
    return b"".join(out)


def body_of(record: Any, limit: int) -> bytes:
    """The page in a response: its body as it was before it was coded to be sent.

    Arguments:
        record: of warcio, not read yet.
        limit: bytes; of a larger page, more than `limit` are given.

    Raises: BrokenBody where it is cut off, damaged, or packed in a way that cannot be undone.
    """
    raw = bytearray()
    try:
        while len(raw) <= limit and (data := record.raw_stream.read(1 << 18)):
            raw += data
    except Exception as problem:  # the library passes on whatever its decoders raise
        raise BrokenBody(_short(problem)) from None
    if len(raw) <= limit and getattr(record.raw_stream, "limit", 0) > 0:
        raise BrokenBody("the file breaks off in it")
    headers = record.http_headers
    transfer, content = (headers.get_header(name) or "" for name in ("Transfer-Encoding", "Content-Encoding"))
    try:
        return undone(bytes(raw), transfer, content, limit)
    except BrokenBody:
        # What a crawler cut on purpose is all there is of the page.
        if record.rec_headers.get_header("WARC-Truncated"):
            raise BrokenBody("the crawler kept only its beginning, packed") from None
        raise


def _is_cut(stream: Any) -> bool:
    """Whether a record ends before it should; what was not wanted of it is read."""
    try:
        while stream.read(1 << 18):
            pass
    except Exception:  # see `body_of`
        return True
    return bool(getattr(stream, "limit", 0) > 0)


def _short(problem: Exception) -> str:
    """What a library says, which may quote the file, on one short line."""
    text = "".join(char if char.isprintable() else " " for char in str(problem)[:200])
    return " ".join(text.split()) or type(problem).__name__


def _start(stream: IO[bytes], place: int) -> int | None:
    """Where the next member begins, zeros before it passed over; None at the end of the file."""
    while True:
        stream.seek(place)
        data = stream.read(1 << 16)
        if not data:
            return None
        place += len(data) - len(data.lstrip(b"\0"))
        if data.strip(b"\0"):
            return place


def next_member(stream: IO[bytes], place: int) -> int | None:
    """Where the next packed record begins, from some place on; None where none does."""
    while True:
        stream.seek(place)
        data = stream.read(1 << 20)
        found = data.find(_PACKED)
        while found >= 0:
            stream.seek(place + found)
            try:
                head = zlib.decompressobj(31).decompress(stream.read(1 << 10), 5)
            except zlib.error:
                head = b""
            if head == b"WARC/":
                return place + found
            found = data.find(_PACKED, found + 1)
        if len(data) < 1 << 20:
            return None
        place += len(data) - 1
