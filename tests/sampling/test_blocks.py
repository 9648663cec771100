"""Files of quads: packed in every way, cut short, damaged, with lines without an end."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.sampling import blocks as module
from schemaproof.sampling.blocks import BrokenInput, blocks
from schemaproof.sampling.quads import LINE_LIMIT, parse_line

LINES = b"".join(
    b'_:s%d <http://schema.org/name> "text %d" <http://p.example/> .\n' % (n, n * n) for n in range(20_000)
)


def read(path: Path) -> tuple[bytes, str]:
    """What is given, and why it breaks off."""
    found: list[bytes] = []
    try:
        found.extend(blocks(path))
    except BrokenInput as problem:
        return b"".join(found), str(problem) or "?"
    return b"".join(found), ""


def in_frames(data: bytes) -> bytes:
    make = zstandard.ZstdCompressor()
    half = len(data) // 2
    return make.compress(data[:half]) + b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc" + make.compress(data[half:])


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda data: data,
    "gzip": gzip.compress,
    "members": lambda data: gzip.compress(data[:999]) + b"\0" * 9 + gzip.compress(data[999:]) + b"\0",
    "zstd": zstandard.compress,
    "frames": in_frames,
    "skipped": lambda data: b"\x5f\x2a\x4d\x18\x01\x00\x00\x00x" + zstandard.compress(data),
}


@pytest.mark.parametrize("kind", PACKED)
def test_every_kind_is_read_whole(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a"
    path.write_bytes(PACKED[kind](LINES))
    assert read(path) == (LINES, "")
    assert all(block.endswith(b"\n") for block in blocks(path))


@pytest.mark.parametrize("kind", ["gzip", "members", "zstd", "frames"])
@pytest.mark.parametrize("share", [0.3, 0.8, 0.9999])
def test_what_stands_before_a_cut_is_read_and_the_cut_is_told(tmp_path: Path, kind: str, share: float) -> None:
    data = PACKED[kind](LINES)
    path = tmp_path / "a"
    path.write_bytes(data[: int(len(data) * share)])
    found, reason = read(path)
    assert reason
    assert LINES.startswith(found)
    if share > 0.5:
        assert len(found) > 100_000


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_what_follows_packed_data_is_told_and_costs_nothing_before(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a"
    path.write_bytes(PACKED[kind](LINES) + b"junk that is none of it")
    found, reason = read(path)
    assert found == LINES
    assert reason


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(["gzip", "zstd"]), st.integers(0, 10**6), st.integers(0, 7))
def test_a_damaged_file_breaks_off_and_stops_nothing(
    tmp_path_factory: pytest.TempPathFactory, kind: str, place: int, bit: int
) -> None:
    data = bytearray(PACKED[kind](LINES[:40_000]))
    data[4 + place % (len(data) - 4)] ^= 1 << bit
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(data)
    read(path)  # whatever it gives, no other exception


def test_a_line_beyond_the_limit_is_no_quad_and_hides_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK", 1 << 20)
    good = b'_:a <http://schema.org/name> "x" <http://p.example/> .\n'
    long = b'_:a <http://schema.org/name> "' + b"x" * (LINE_LIMIT + (2 << 20)) + b'" junk "' + b"y" * 1000
    path = tmp_path / "a.nq"
    for end in (b'" <http://p.example/> .\n' + good, b'" <http://p.example/> .'):
        path.write_bytes(good + long + end)
        first, middle, *last = b"".join(blocks(path)).split(b"\n")
        assert first + b"\n" == good
        assert parse_line(middle) == "longer than 16 MB"
        assert b"\n".join(last) == (good if end.endswith(b"\n") else b"")


@pytest.mark.parametrize(
    "line",
    [
        b"<s> <p> <o>" + b" " * 200_000 + b"x",
        b"<s> <p> " + b"_:a" * 60_000 + b" x",
        b"<s> <p> _:" + b"a." * 100_000 + b" x",
        b'<s> <p> "' + b"\\u00e9" * 40_000,
        b"<s> <p> " + b"<" * 200_000,
        b"\t" * 200_000 + b"x",
    ],
)
def test_no_line_costs_more_than_its_length(line: bytes) -> None:
    """With a way back these took minutes; the time limit of the whole suite is what would tell."""
    assert isinstance(parse_line(line), str)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from([b"a", b"\r", b"\n", b"\r\n", b"bc"])), st.integers(1, 9))
def test_a_carriage_return_ends_a_line_wherever_a_file_is_cut(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], size: int
) -> None:
    """Law: as universal newlines have it (N-Quads, EOL), whatever is read at a time."""
    data = b"".join(parts)
    path = tmp_path_factory.mktemp("ends") / "a.nq"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", size)
        assert read(path) == (data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"), "")
