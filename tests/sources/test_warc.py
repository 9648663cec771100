"""WARC files: whole, cut, damaged, with bodies packed in every way."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.errors import InputError
from schemaproof.sources import warc as module
from schemaproof.sources.warc import read_warc

LONG = b"<p>" + b"".join(b"%d, " % (number * number) for number in range(6000))
HTML = "Content-Type: text/html\r\n"


def record(url: str, body: bytes, headers: str = HTML, extra: str = "") -> bytes:
    http = f"HTTP/1.1 200 OK\r\n{headers}\r\n".encode() + body
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
    head += f"WARC-Record-ID: <urn:uuid:0>\r\nContent-Type: application/http\r\n{extra}Content-Length: {len(http)}\r\n"
    return head.encode() + b"\r\n" + http + b"\r\n\r\n"


A, B, C = (record(f"http://h/{name}", LONG + name.encode()) for name in "abc")
PA, PB, PC = map(gzip.compress, (A, B, C))


def read(path: Path, data: bytes, name: str = "a.warc.gz") -> list[tuple[str, bytes | str | None]]:
    """Name and page or error of each source."""
    file = path / name
    file.write_bytes(data)
    found = [
        (
            source.name,
            source.error if source.data is None else source.data[-1:] if len(source.data) > 99 else source.data,
        )
        for source in read_warc(file)
    ]
    return [(each.replace(f"{file}", "file"), what) for each, what in found]


def test_whole_files_are_read_in_order(tmp_path: Path) -> None:
    expected = [("http://h/a", b"a"), ("http://h/b", b"b")]
    assert read(tmp_path, PA + PB) == expected
    assert read(tmp_path, gzip.compress(A + B)) == expected  # packed as one
    assert read(tmp_path, A + B, "a.warc") == expected
    assert read(tmp_path, PA + b"\0" * 600 + PB + b"\0" * 99) == expected
    assert read(tmp_path, b"") == []


def test_a_cut_file_is_told_and_what_stands_before_is_read(tmp_path: Path) -> None:
    cut = "its record cannot be read: the file breaks off in it"
    assert read(tmp_path, PA + PB[: len(PB) // 2]) == [("http://h/a", b"a"), ("http://h/b", cut)]
    assert read(tmp_path, gzip.compress(A + B)[: -len(PB) // 2]) == [("http://h/a", b"a"), ("http://h/b", cut)]
    assert read(tmp_path, A + B[: len(B) // 2], "a.warc") == [("http://h/a", b"a"), ("http://h/b", cut)]
    for place in (20, 40, 60, 150, 200):
        for data, name in ((A + B[:place], "a.warc"), (gzip.compress(A + B[:place]), "a.warc.gz")):
            first, (other, error) = read(tmp_path, data, name)
            assert first == ("http://h/a", b"a")
            assert other == ("file#2" if place < 200 else "http://h/b")
            assert "cannot be read" in str(error)


@pytest.mark.parametrize("share", [0.001, 0.3, 0.99])
def test_after_a_cut_or_damaged_record_the_rest_is_read(tmp_path: Path, share: float) -> None:
    place = int(len(PB) * share)
    flipped = PB[:place] + bytes([PB[place] ^ 0x20]) + PB[place + 1 :]
    for broken in (PB[:place], flipped, PB[:-8] + bytes(4) + PB[-4:]):
        found = read(tmp_path, PA + broken + PC)
        if broken is flipped and share < 0.01:
            continue  # a flag of gzip's header, which may mean nothing
        assert (found[0], found[-1]) == (("http://h/a", b"a"), ("http://h/c", b"c"))
        # Cut right after its beginning it is no record any more, and else it is named with its reason.
        assert len(found) == 3
        assert "cannot be read" in str(found[1][1])
        assert found[1][0] == ("http://h/b" if share > 0.01 or len(broken) == len(PB) else "file#2")
    assert read(tmp_path, PB[: len(PB) // 2] + PC)[-1] == ("http://h/c", b"c")


@pytest.mark.parametrize(
    "data",
    [
        b"something else",
        gzip.compress(b"something else"),
        PA[:40],
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<p>",
    ],
    ids=["plain", "packed", "cut", "no address"],
)
def test_a_file_without_a_record_is_an_input_error(tmp_path: Path, data: bytes) -> None:
    for name in ("a.warc.gz", "a.warc"):
        with pytest.raises(InputError, match="not a readable WARC file"):
            read(tmp_path, data, name)


def chunks(body: bytes) -> bytes:
    half = len(body) // 2
    parts = [b"%x;ext=1\r\n%b\r\n" % (len(part), part) for part in (body[:half], body[half:])]
    return b"".join(parts) + b"0\r\nTrailer: x\r\n\r\n"


def raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(body) + packer.flush()


CODED: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("Content-Encoding: gzip\r\n", gzip.compress),
    ("Content-Encoding: X-GZip\r\n", gzip.compress),
    ("Content-Encoding: deflate\r\n", zlib.compress),
    ("Content-Encoding: deflate\r\n", raw_deflate),
    ("Content-Encoding: zstd\r\n", zstandard.compress),
    ("Content-Encoding: gzip, zstd\r\n", lambda body: zstandard.compress(gzip.compress(body))),
    ("Transfer-Encoding: Chunked\r\n", chunks),
    ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", lambda body: chunks(gzip.compress(body))),
]


@pytest.mark.parametrize(("headers", "pack"), CODED)
def test_codings_are_undone(tmp_path: Path, headers: str, pack: Callable[[bytes], bytes]) -> None:
    body = LONG + b"a"
    packed = pack(body)
    assert read(tmp_path, record("http://h/a", packed, HTML + headers)) == [("http://h/a", b"a")]
    # Kept undone, with the headers as they came.
    assert read(tmp_path, record("http://h/a", body, HTML + headers)) == [("http://h/a", b"a")]
    short = read(tmp_path, record("http://h/a", packed[: len(packed) // 2], HTML + headers) + C)
    assert short[0][0] == "http://h/a"
    assert "cannot be read" in str(short[0][1])
    assert short[1:] == [("http://h/c", b"c")]


@pytest.mark.parametrize("coding", ["br", "compress", "zstd", "gzip", "deflate"])
def test_a_body_that_cannot_be_undone_is_no_page(tmp_path: Path, coding: str) -> None:
    packed = b"\x1f\x9d\x90" + bytes(range(256))
    ((_, error),) = read(tmp_path, record("http://h/a", packed, f"{HTML}Content-Encoding: {coding}\r\n"))
    assert "cannot be read" in str(error)
    assert "packed" in str(error)


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, zstandard.compress])
def test_a_bomb_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(module, "MAXIMUM_BYTES", 1 << 20)
    name = "gzip" if pack is gzip.compress else "deflate" if pack is zlib.compress else "zstd"
    bomb = record("http://h/a", pack(b"<p>" + bytes(40 << 20)), f"{HTML}Content-Encoding: {name}\r\n")
    assert read(tmp_path, gzip.compress(bomb) + PB) == [("http://h/a", "larger than 1 MB"), ("http://h/b", b"b")]


def test_only_pages_are_read(tmp_path: Path) -> None:
    kinds = ["text/html; charset=utf-8", "application/ld+json", "application/pdf", "Application/XHTML+xml", "image/png"]
    data = b"".join(record(f"http://h/{n}", b"<p>", f"Content-Type: {kind}\r\n") for n, kind in enumerate(kinds))
    assert [name for name, _ in read(tmp_path, data)] == ["http://h/0", "http://h/1", "http://h/3"]
    assert read(tmp_path, record("http://h/a", b"<p>", "")) == [("http://h/a", b"<p>")]


@settings(deadline=None, max_examples=100)
@given(st.lists(st.integers(0, len(PA + PB + PC) - 1), min_size=1, max_size=3), st.integers(1, 255))
def test_damage_never_raises_nor_hides_a_record(
    tmp_path_factory: pytest.TempPathFactory, places: list[int], mask: int
) -> None:
    """Law: a record none of whose bytes was touched is read; of one that was, nothing wrong is."""
    data = bytearray(PA + PB + PC)
    touched = set()
    for place in places:
        data[place] ^= mask
        touched.add("a" if place < len(PA) else "b" if place < len(PA + PB) else "c")
    folder = tmp_path_factory.mktemp("damage")
    file = folder / "a.warc.gz"
    file.write_bytes(data)
    try:
        found = {source.name[-1]: source.data for source in read_warc(file) if source.data is not None}
    except InputError:
        found = {}
        assert touched >= {"a"}
    for name in {"a", "b", "c"} - touched:
        # What cannot be told from another kind of file is not gone through.
        assert found.get(name) == LONG + name.encode() or "a" in touched
    for name in found:
        assert name not in "abc" or found[name] == LONG + name.encode()
