"""N-Quads as lines of bytes: opening files, and the exact reading of one line (W3C RDF 1.1 N-Quads)."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from schemaproof.errors import InputError, SourceError

BLOCK = 1 << 18
LINE_LIMIT = 1 << 24  # a longer line is no quad but a file of another kind


class Quad(NamedTuple):
    """One quad as tokens of bytes: subject, predicate and object as written, page decoded and without brackets."""

    subject: bytes
    predicate: bytes
    object: bytes
    page: bytes


_IRI = rb'<(?:[^\x00-\x20<>"{}|^`\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*>'
_BLANK = rb"_:[^\x00-\x2c/:;<=>?@\[\\\]^`{|}~](?:[^\x00-\x2c/;<=>?@\[\\\]^`{|}~]*[^\x00-\x2e/;<=>?@\[\\\]^`{|}~])?"
_LITERAL = rb'"(?:[^"\\\r\n]|\\[tbnrf"\'\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*"'
_SUFFIX = rb"(?:@[A-Za-z]+(?:-[A-Za-z0-9]+)*|\^\^[ \t]*" + _IRI + rb")?"
_SPACE = rb"[ \t]*"
_LINE = re.compile(
    _SPACE + rb"(" + _IRI + rb"|" + _BLANK + rb")" + _SPACE + rb"(" + _IRI + rb")" + _SPACE
    + rb"(" + _LITERAL + _SUFFIX + rb"|" + _IRI + rb"|" + _BLANK + rb")" + _SPACE
    + rb"(" + _IRI + rb"|" + _BLANK + rb")?" + _SPACE + rb"\." + _SPACE + rb"(?:#.*)?"
)  # fmt: skip
OBJECT = re.compile(_LITERAL + _SUFFIX + rb"|" + _IRI + rb"|" + _BLANK)
LITERAL = re.compile(_LITERAL + _SUFFIX)
SUBJECT = re.compile(_IRI + rb"|" + _BLANK)
PREDICATE = re.compile(_IRI)
BLANK = re.compile(_BLANK)
_START = re.compile(_SPACE + rb"(?:" + _IRI + rb"|" + _BLANK + rb")")
_ESCAPE = re.compile(rb"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


def parse_line(line: bytes) -> Quad | str | None:
    """Read one line, without its line feed.

    Returns: the quad; None for a blank line or a comment; for anything else the reason why it is no quad of a page.
    """
    found = _LINE.fullmatch(line)
    if found is None:
        # A byte order mark begins some files, and stands wherever such files were put together.
        stripped = line.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r")
        if not stripped or stripped.startswith(b"#"):
            return None
        if stripped != line:
            return parse_line(stripped)
        return _reason(stripped)
    if not _is_utf8(line):
        return "not UTF-8"
    subject, predicate, value, page = found.groups()
    if page is None:
        return "a triple without the page it stands on (the fourth term)"
    return Quad(subject, predicate, value, page_of(page))


def page_of(token: bytes) -> bytes:
    """The page that a graph's token names: its brackets and escapes taken off."""
    name = token[1:-1] if token[:1] == b"<" else token
    return _ESCAPE.sub(_unescape, name) if b"\\" in name else name


def _unescape(found: re.Match[bytes]) -> bytes:
    number = int(found[1] or found[2], 16)
    # White space and control characters would break the line that a sample is written on.
    if number <= 0x20 or 0xD800 <= number <= 0xDFFF or number > 0x10FFFF:
        return found[0]
    return chr(number).encode()


def _is_utf8(line: bytes) -> bool:
    if line.isascii():
        return True
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _reason(line: bytes) -> str:
    if not line.endswith(b".") and b" ." not in line:
        return "does not end with a full stop"
    start = _START.match(line)
    if start is None:
        return "does not start with <IRI> or _:label"
    rest = line[start.end() :].lstrip(b" \t")
    predicate = PREDICATE.match(rest)
    if predicate is None:
        return "no predicate in angle brackets after the subject"
    rest = rest[predicate.end() :].lstrip(b" \t")
    if OBJECT.match(rest) is None:
        return "a literal that is not closed or escaped as it should" if rest[:1] == b'"' else "an unreadable object"
    return "not of the form: subject predicate object <page> ."


class BrokenInput(Exception):  # noqa: N818  (never leaves this part: it ends a file early)
    """A file breaks off; what stood before was read."""


class _Gzip:
    """A gzip file of any number of members as a stream; gives all there is before it says that the file breaks off."""

    def __init__(self, stream: IO[bytes]) -> None:
        from isal import isal_zlib

        self.stream = stream
        self.make: Any = isal_zlib.decompressobj
        self.opened: Any = self.make(wbits=31)
        self.begun = False
        self.rest = b""

    def read(self, size: int) -> bytes:
        """At most so many bytes, b"" at the end. Raises: EOFError where a member is cut off, or what zlib raises."""
        while True:
            if self.opened.eof:
                self.rest = self.opened.unused_data.lstrip(b"\0") or self.stream.read(1 << 16).lstrip(b"\0")
                if not self.rest:
                    return b""
                self.opened, self.begun = self.make(wbits=31), False
            data = self.rest or self.stream.read(1 << 16)
            if not data and not self.opened.eof:
                # The library may hold output back that it had no room for.
                out: bytes = self.opened.decompress(b"", size) if self.begun else b""
                if out:
                    return out
                raise EOFError("the compressed data end too early")
            self.begun = True
            out = self.opened.decompress(data, size)
            self.rest = b"" if self.opened.eof else self.opened.unconsumed_tail
            if out:
                return out

    def close(self) -> None:
        """Close the file."""
        self.stream.close()

    def __enter__(self) -> _Gzip:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_quads(path: str | Path) -> IO[bytes]:
    """A file of quads as a stream of plain bytes: plain, gzip or zstandard, told by its first bytes.

    Raises: InputError for a file that does not exist, SourceError where it cannot be opened.
    """
    name = str(path)
    try:
        stream: Any = Path(path).open("rb")  # noqa: SIM115  (the caller closes it)
        magic = stream.read(4)
        stream.seek(0)
    except FileNotFoundError:
        raise InputError("no such file", source=name) from None
    except OSError as problem:
        raise SourceError(name, problem.strerror or str(problem)) from None
    if magic[:2] == b"\x1f\x8b":
        return _Gzip(stream)  # type: ignore[return-value]
    if magic == b"\x28\xb5\x2f\xfd":
        import zstandard

        return zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True, closefd=True)
    return stream  # type: ignore[no-any-return]


def blocks(path: str | Path, size: int = BLOCK) -> Iterator[bytes]:
    """A file of quads in blocks of whole lines; the last block may lack its line feed.

    Raises: BrokenInput where the file breaks off, after what could be read; see also `open_quads`.
    """
    with open_quads(path) as stream:
        pending: list[bytes] = []
        held = 0
        while True:
            try:
                data = stream.read(size)
            except Exception as problem:  # every library names its broken streams differently
                if (
                    not isinstance(problem, OSError | EOFError | zlib.error | ValueError)
                    and "std" not in type(problem).__name__.lower()
                ):
                    raise
                if pending:
                    yield b"".join(pending)
                raise BrokenInput(str(problem)) from None
            if not data:
                if pending:
                    yield b"".join(pending)
                return
            cut = data.rfind(b"\n") + 1
            if cut:
                pending.append(data[:cut])
                yield b"".join(pending) if len(pending) > 1 else pending[0]
                pending, held = [data[cut:]] if cut < len(data) else [], len(data) - cut
            elif held < LINE_LIMIT:
                pending.append(data)
                held += len(data)
            # else: the rest of a line beyond the limit is dropped; its beginning is reported as no quad
