"""Common Crawl's index and files, against a server on loopback that answers in their form."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest

from schemaproof.sources.archive import Archive
from schemaproof.sources.commoncrawl import CommonCrawl
from schemaproof.sources.visiting import Visit
from schemaproof.sources.warc import Member
from schemaproof.sources.web import Answer, FetchLimits


class Site(BaseHTTPRequestHandler):
    data: ClassVar[bytes] = b""
    missing = 0  # bytes of a range that do not come
    places: ClassVar[dict[str, tuple[int, int]]] = {}

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        status, body = 404, b"{}"
        if parts.path == "/CC-MAIN-2022-40-index":
            url = parse_qs(parts.query)["url"][0]
            if url in Site.places:
                start, size = Site.places[url]
                entry = {"filename": "crawl-data/a.warc.gz", "offset": str(start), "length": str(size), "status": "200"}
                status, body = 200, json.dumps(entry).encode() + b"\n"
        elif parts.path == "/crawl-data/a.warc.gz":
            first, last = map(int, self.headers["Range"].removeprefix("bytes=").split("-"))
            status, body = 206, Site.data[first : last + 1 - Site.missing]
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass


def members(file: Path) -> Iterator[tuple[int, int, bytes]]:
    """Start, end and WARC headers of each record."""
    with file.open("rb") as stream:
        start = 0
        while start < file.stat().st_size:
            member = Member(stream, start)
            head = member.read().partition(b"\r\n\r\n")[0]
            end = member.end()
            assert end is not None
            yield start, end, head
            start = end


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    file = tmp_path / "a.warc.gz"
    with Archive(file) as archive:
        for number in range(3):
            url = f"https://a.example/{number}?x=1&y=2"
            archive.add(Visit(url, Answer(url, 200, "OK", {"content-type": "text/html"}, b"<p>%d</p>" % number)))
    Site.data = file.read_bytes()
    Site.places.clear()
    for start, end, head in members(file):
        if b"WARC-Type: response" in head:
            url = next(line[17:] for line in head.decode().split("\r\n") if line.startswith("WARC-Target-URI: "))
            Site.places[url] = (start, end - start)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_page_is_looked_up_and_read_by_its_range(site: str) -> None:
    limits = FetchLimits(seconds=5, allow_hosts=(site,), delay=0, retries=0)
    crawl = CommonCrawl("CC-MAIN-2022-40", limits, index=f"http://{site}/", data=f"http://{site}/")
    visit = crawl.visit("https://a.example/1?x=1&y=2")
    assert not visit.error
    source = visit.source()
    assert (source.data, source.content_type, source.url) == (b"<p>1</p>", "text/html", "https://a.example/1?x=1&y=2")
    assert crawl.visit("https://absent.example/").error == "not in CC-MAIN-2022-40"


def test_a_range_that_comes_short_is_no_page(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Site, "missing", 20)
    limits = FetchLimits(seconds=5, allow_hosts=(site,), delay=0, retries=0)
    crawl = CommonCrawl("CC-MAIN-2022-40", limits, index=f"http://{site}/", data=f"http://{site}/")
    visit = crawl.visit("https://a.example/1?x=1&y=2")
    assert visit.answer is None
    assert "bytes of its record" in visit.error
