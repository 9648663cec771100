"""Bodies of recorded answers as pages: the codings that HTTP put around them undone (RFC 9110, 8.4; RFC 9112, 7.1)."""

from __future__ import annotations

import re
import zlib
from codecs import BOM_UTF8
from importlib import import_module
from typing import Any

EARLY = "its packed data end too early"
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")


class BrokenBody(ValueError):  # noqa: N818  (it says what is the matter with the body)
    """A body that cannot be had whole."""


def undone(body: bytes, transfer: str, content: str, limit: int) -> bytes:
    """The body as it was before it was coded to be sent.

    Some crawlers keep bodies undone but the headers as they came: a body that is not what its header says is taken as
    it stands where it may be one.

    Arguments:
        body: as it was recorded.
        transfer, content: the headers Transfer-Encoding and Content-Encoding.
        limit: bytes; of more, `limit` + 1 are given.

    Raises: BrokenBody where it ends early, is damaged, or is packed in a way that cannot be undone here.
    """
    if "chunked" in transfer.lower():
        body = _joined(body)
    for coding in reversed([name.strip() for name in content.lower().split(",")]):
        if coding not in ("", "identity", "none"):
            body = _unpacked(body, coding, limit)
    return body


def _joined(body: bytes) -> bytes:
    """The chunks put together."""
    parts: list[bytes] = []
    place = 0
    while True:
        size = _SIZE.match(body, place)
        if size is None:
            if not place:
                return body
            raise BrokenBody("its chunks break off" if place >= len(body) else "its chunks are damaged")
        length = int(size[1], 16)
        if not length:
            return b"".join(parts)
        start = size.end()
        parts.append(body[start : start + length])
        if len(parts[-1]) < length:
            raise BrokenBody("its chunks break off")
        place = start + length
        place += 2 if body[place : place + 2] == b"\r\n" else 1


def _unpacked(body: bytes, coding: str, limit: int) -> bytes:
    if coding in ("gzip", "x-gzip"):
        return _inflated(body, 31, limit) if body.startswith(b"\x1f\x8b") else _as_it_stands(body, coding)
    if coding == "deflate":
        for bits in (zlib.MAX_WBITS, -zlib.MAX_WBITS):  # many servers send it without its frame
            try:
                return _inflated(body, bits, limit)
            except BrokenBody as problem:
                if str(problem) == EARLY:
                    raise
        return _as_it_stands(body, coding)
    if coding == "zstd":
        return _zstd(body, limit) if body.startswith(b"\x28\xb5\x2f\xfd") else _as_it_stands(body, coding)
    if coding == "br":
        return _brotli(body, limit)
    return _as_it_stands(body, coding)


def _as_it_stands(body: bytes, coding: str, why: str = "") -> bytes:
    """A body that is not packed after all."""
    start = body[:512].removeprefix(BOM_UTF8).lstrip()
    if not start or (start[:1] in b"<{[" and b"\0" not in start):
        return body
    raise BrokenBody(why or f"it is not packed by {coding[:40]!r}, as its header says")


def _inflated(body: bytes, bits: int, limit: int) -> bytes:
    out = bytearray()
    while body:
        opened = zlib.decompressobj(bits)
        try:
            out += opened.decompress(body, limit + 1 - len(out))
        except zlib.error as problem:
            raise BrokenBody(f"its packed data are damaged ({problem})") from None
        if len(out) > limit:
            break
        if not opened.eof:
            raise BrokenBody(EARLY)
        # Another member of gzip may follow; whatever else does is no part of the page.
        body = opened.unused_data if opened.unused_data.startswith(b"\x1f\x8b") else b""
    return bytes(out)


def _zstd(body: bytes, limit: int) -> bytes:
    import zstandard

    out = bytearray()
    opened = zstandard.ZstdDecompressor().decompressobj()
    try:
        for start in range(0, len(body), 1 << 10):  # the library has no bound on what comes out of a piece
            out += opened.decompress(body[start : start + (1 << 10)])
            if len(out) > limit or opened.eof:
                return bytes(out[: limit + 1])
    except zstandard.ZstdError as problem:
        raise BrokenBody(f"its packed data are damaged ({problem})") from None
    raise BrokenBody(EARLY)


def _brotli(body: bytes, limit: int) -> bytes:
    try:
        brotli: Any = import_module("brotli")  # not required: few archives keep pages packed by it
    except ImportError:
        return _as_it_stands(body, "br", "it is packed by brotli; pip install brotli to read it")
    opened = brotli.Decompressor()
    out = bytearray()
    try:
        for start in range(0, len(body), 1 << 10):
            out += opened.process(body[start : start + (1 << 10)])
            if len(out) > limit:
                return bytes(out[: limit + 1])
    except brotli.error:
        return _as_it_stands(body, "br")
    if not opened.is_finished():
        raise BrokenBody(EARLY)
    return bytes(out)
