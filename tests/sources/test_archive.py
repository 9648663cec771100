"""The archive of visited pages: killed, damaged, foreign, written twice at once."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from schemaproof.errors import InputError, SourceError
from schemaproof.sources.archive import Archive
from schemaproof.sources.visiting import Visit
from schemaproof.sources.warc import read_warc
from schemaproof.sources.web import Answer

HTML = {"content-type": "text/html"}


def visit(number: int) -> Visit:
    url = f"http://h/{number}"
    body = b"<p>%d " % number + b"".join(b"%d " % (number * n * n) for n in range(200))
    return Visit(url, Answer(url, 200, "OK", HTML, body))


def fill(path: Path, count: int = 5) -> list[int]:
    """Pages, and where the file ended after each."""
    ends = []
    with Archive(path) as archive:
        for number in range(count):
            archive.add(visit(number))
            ends.append(path.stat().st_size)
    return ends


def pages(path: Path) -> list[str | None]:
    return [source.url for source in read_warc(path) if source.data is not None]


@pytest.mark.parametrize("tail", ["cut", "zeros", "noise"])
def test_what_was_being_written_is_cut_off_wherever_it_was_torn(tmp_path: Path, tail: str) -> None:
    file = tmp_path / "a.warc.gz"
    ends = fill(file)
    whole = file.read_bytes()
    for place in [*range(1, 40), *range(ends[2] - 3, ends[3] + 1, 7), len(whole) - 1, len(whole)]:
        rest = {"cut": b"", "zeros": bytes(len(whole) - place), "noise": os.urandom(50)}[tail]
        file.write_bytes(whole[:place] + rest)
        if rest and place < 9 + 3:
            continue  # another file's beginning may look like that
        with Archive(file) as archive:
            known = set(archive.done)
            for number in range(5):
                if f"http://h/{number}" not in archive.done:
                    archive.add(visit(number))
        assert sorted(filter(None, pages(file))) == [f"http://h/{number}" for number in range(5)]
        assert known >= {f"http://h/{number}" for number in range(5) if ends[number] <= place}


def test_a_page_whose_metadata_was_lost_is_there_once(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    ends = fill(file, 2)
    file.write_bytes(file.read_bytes()[: ends[1] - 20])
    with Archive(file) as archive:
        assert archive.done == {"http://h/0": "", "http://h/1": ""}
    assert pages(file) == ["http://h/0", "http://h/1"]


def test_a_damaged_file_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    ends = fill(file)
    data = bytearray(file.read_bytes())
    for place in ((ends[0] + ends[1]) // 2, ends[0] + 1, ends[2] - 4):
        damaged = bytearray(data)
        damaged[place] ^= 0x10
        file.write_bytes(damaged)
        with pytest.raises(InputError, match="damaged at byte"):
            Archive(file)
        assert file.read_bytes() == damaged


@pytest.mark.parametrize(
    "data",
    [
        b"something else",
        gzip.compress(b"something else"),
        gzip.compress(os.urandom(200_000))[:100_000],
        gzip.compress(b"some text " * 1000)[:-10],
        b"\x1f\x8b" + b"x" * 30,
    ],
    ids=["plain", "packed", "noise, cut", "text, cut", "damaged"],
)
def test_a_foreign_file_is_left_as_it_is(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(data)
    with pytest.raises(InputError, match="not a"):
        Archive(file)
    assert file.read_bytes() == data


def test_what_another_program_kept_counts_as_there(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>"
    head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/x\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
    head += b"WARC-Record-ID: <urn:uuid:0>\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n" % len(http)
    file.write_bytes(gzip.compress(head + http + b"\r\n\r\n"))
    with Archive(file) as archive:
        assert archive.done == {"http://h/x": ""}
        archive.add(visit(0))
    assert pages(file) == ["http://h/x", "http://h/0"]


def test_refusals_are_known_again(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    with Archive(file) as archive:
        archive.add(Visit("http://h/no", error="robots.txt forbids it", refused=True))
        archive.add(Visit("http://h/later", error="Connection refused"))
    with Archive(file) as archive:
        assert archive.done == {"http://h/no": "robots.txt forbids it", "http://h/later": "Connection refused"}
        assert archive.refused == {"http://h/no"}


def test_any_address_can_be_noted(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    with Archive(file) as archive:
        for url in ("http://h/\ud800", "http://h/a\nb", "http://h/é", "no address"):
            archive.add(Visit(url, error="not an address \udfff\n"))
        archive.add(visit(0))
    with Archive(file) as archive:
        assert {"http://h/é", "no address", "http://h/0"} <= archive.done.keys()
    assert pages(file) == ["http://h/0"]


def test_two_processes_do_not_write_one_file(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    file = tmp_path / "a.warc.gz"
    code = "import sys, pathlib, schemaproof.sources.archive as module; module.Archive(pathlib.Path(sys.argv[1]))"
    with Archive(file) as archive:
        archive.add(visit(0))
        other = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True)
        assert "another process is writing it" in other.stderr
        archive.add(visit(1))
    assert pages(file) == ["http://h/0", "http://h/1"]
    assert subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True).returncode == 0


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be written"):
        Archive(tmp_path / "absent" / "a.warc.gz")
