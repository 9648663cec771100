"""Files of quads as blocks of whole lines: plain, gzip or zstandard, and where they break off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from schemaproof.errors import InputError, SourceError
from schemaproof.sampling.quads import CUT, LINE_LIMIT

BLOCK = 1 << 18
PACKED = 1 << 16
PIECE = 1 << 10  # of a zstandard file, whose library has no bound on what comes out of it: 32 MB at the worst
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
ZSTD_SKIPPED = b"\x2a\x4d\x18"  # ends the four bytes that a frame to be passed over begins with
EARLY = "the compressed data end too early"


class BrokenInput(Exception):  # noqa: N818  (never leaves this part: it ends a file early)
    """A file breaks off; what stood before was read."""


def blocks(path: str | Path) -> Iterator[bytes]:
    """A file of quads in blocks of whole lines; the last block may lack its line feed.

    A line of more than `LINE_LIMIT` bytes is given without its rest, as no quad.

    Raises: BrokenInput where the file breaks off, after what could be read; InputError for a file that does not exist,
        SourceError where it cannot be opened.
    """
    pending: list[bytes] = []
    held = 0  # bytes of a line whose end was not reached
    broken: BrokenInput | None = None
    try:
        for data in _one_line_end(_opened(path)):
            cut = data.rfind(b"\n") + 1
            if not cut:
                if held < LINE_LIMIT:
                    pending.append(data)
                held += len(data)
                continue
            start = 0
            if held >= LINE_LIMIT:
                start = data.index(b"\n")
                pending.append(CUT)
            pending.append(data[start:cut])
            yield b"".join(pending) if len(pending) > 1 else pending[0]
            pending, held = [data[cut:]] if cut < len(data) else [], len(data) - cut
    except BrokenInput as problem:
        broken = problem
    if held >= LINE_LIMIT:
        pending.append(CUT)
    if pending:
        yield b"".join(pending)
    if broken is not None:
        raise broken


def _one_line_end(stream: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes, with line feeds wherever a line ends: a carriage return ends one too (EOL of the grammar)."""
    held = b""
    for data in stream:
        data = held + data if held else data
        held = b""
        if b"\r" in data:
            if data.endswith(b"\r"):
                data, held = data[:-1], b"\r"  # what follows tells whether it is half of one end
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if data:
            yield data
    if held:
        yield b"\n"


def _opened(path: str | Path) -> Iterator[bytes]:
    """The plain bytes of a file, packed or not, as its first bytes tell."""
    name = str(path)
    try:
        stream = Path(path).open("rb")  # noqa: SIM115  (closed below, where opening it is done with)
    except FileNotFoundError:
        raise InputError("no such file", source=name) from None
    except OSError as problem:
        raise SourceError(name, problem.strerror or str(problem)) from None
    with stream:
        try:
            magic = stream.peek(4)[:4]  # a pipe cannot be set back
            if magic[:2] == GZIP:
                yield from _gzip(stream)
            elif magic == ZSTD or (magic[1:] == ZSTD_SKIPPED and 0x50 <= magic[0] <= 0x5F):
                yield from _zstd(stream)
            else:
                while data := stream.read(BLOCK):
                    yield data
        except OSError as problem:
            raise BrokenInput(problem.strerror or str(problem)) from None


def _gzip(stream: IO[bytes]) -> Iterator[bytes]:
    """What a gzip file of any number of members holds; all there is before it says that the file breaks off."""
    from isal import isal_zlib

    error: Any = isal_zlib.error  # the library's own types call the class an instance
    rest = b""
    while True:
        # Zeros may stand between members and behind the last one.
        while not (rest := rest.lstrip(b"\0")):
            rest = stream.read(PACKED)
            if not rest:
                return
        if len(rest) == 1:
            rest += stream.read(1)
        if rest[:2] != GZIP:
            raise BrokenInput("something else follows the compressed data")
        opened: Any = isal_zlib.decompressobj(wbits=31)
        while not opened.eof:
            data = rest or stream.read(PACKED)
            try:
                # With nothing left to read, the library may still hold output back that it had no room for.
                out: bytes = opened.decompress(data, BLOCK)
            except error as problem:
                raise BrokenInput(str(problem)) from None
            if out:
                yield out
            elif not data and not opened.eof:
                raise BrokenInput(EARLY)
            rest = opened.unconsumed_tail
        rest = opened.unused_data


def _zstd(stream: IO[bytes]) -> Iterator[bytes]:
    """What a zstandard file of any number of frames holds."""
    import zstandard

    make = zstandard.ZstdDecompressor().decompressobj
    opened, begun = make(), False
    out: list[bytes] = []
    held = 0
    broken = ""
    rest = b""
    while data := rest or stream.read(PIECE):
        begun = True
        try:
            out.append(opened.decompress(data))
        except zstandard.ZstdError as problem:
            broken = str(problem)
            break
        held += len(out[-1])
        rest = b""
        if opened.eof:
            rest = opened.unused_data
            opened, begun = make(), False
        if held >= BLOCK:
            yield b"".join(out)
            out, held = [], 0
    if held:
        yield b"".join(out)
    if broken or begun:
        raise BrokenInput(broken or EARLY)
