"""Fetching many pages from a server on loopback that does what servers on the web do."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from schemaproof.errors import InputError
from schemaproof.sampling.pages import copied, fetch_pages
from schemaproof.sources import open_sources
from schemaproof.sources.archive import Archive
from schemaproof.sources.visiting import Visitor
from schemaproof.sources.web import FetchLimits

COUNT = 300
ROBOTS = "User-agent: *\nDisallow: /private/\nAllow: /private/open\n\nUser-agent: other\nDisallow: /\n"


class Site(BaseHTTPRequestHandler):
    asked: ClassVar[Counter[str]] = Counter()
    pause = 0.0

    def do_GET(self) -> None:
        Site.asked[self.path] += 1
        name = self.path.strip("/")
        if name == "robots.txt":
            return self.answer(ROBOTS.encode(), kind="text/plain")
        if name.startswith("jump-"):
            to = {"jump-meta": "http://169.254.169.254/latest", "jump-lan": "http://10.1.2.3/", "jump-file": "file:///etc/passwd",
                  "jump-other": "http://localhost:1/", "jump-ok": "/page/7?from=jump", "jump-loop": "/jump-loop",
                  "jump-robots": "/private/x"}[name]  # fmt: skip
            self.send_response(302)
            self.send_header("Location", to)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return None
        if name == "endless":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"x" * 65536)
            except OSError:
                return None
        if name == "drip":
            self.send_response(200)
            self.end_headers()
            try:
                for _ in range(200):
                    self.wfile.write(b"x")
                    self.wfile.flush()
                    time.sleep(0.1)
            except OSError:
                pass
            return None
        if name == "bomb":
            return self.answer(gzip.compress(b"0" * 60_000_000), coding="gzip")
        if name == "packed":
            return self.answer(gzip.compress(b"<p>packed</p>"), coding="gzip")
        if name == "busy" and Site.asked[self.path] < 3:
            self.send_response(429)
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return None
        if name == "gone":
            self.send_error(404)
            return None
        if name == "latin":
            return self.answer(
                "<meta charset=utf-8><p>Stück</p>".encode("latin-1"), kind="text/html; charset=iso-8859-1"
            )
        if name == "wrong":
            return self.answer("<p>Stück</p>".encode(), kind="text/html; charset=no-such-charset")
        if Site.pause:
            time.sleep(Site.pause)
        return self.answer(f"<p>This is the page {name} of the site.</p>".encode())

    def answer(self, body: bytes, kind: str = "text/html", coding: str = "") -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if coding:
            self.send_header("Content-Encoding", coding)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass

    def log_message(self, *arguments: object) -> None:
        pass


class Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    Site.asked.clear()
    Site.pause = 0.0
    server = Quiet(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def limits(site: str, **options: object) -> FetchLimits:
    values = {"seconds": 1.5, "maximum_bytes": 1_000_000, "allow_hosts": (site,), "delay": 0.0, **options}
    return FetchLimits(**values)  # type: ignore[arg-type]


REFUSED = {
    "jump-meta": "169.254.169.254",
    "jump-lan": "10.1.2.3",
    "jump-file": "only http",
    "jump-other": "not a public address",
    "jump-robots": "robots.txt",
    "private/a": "robots.txt",
}
FAILED = {
    "jump-loop": "redirects",
    "endless": "larger than",
    "drip": "longer than",
    "bomb": "larger than",
    "gone": "404",
}
GOOD = ["jump-ok", "packed", "busy", "latin", "wrong", "private/open"]


@pytest.mark.slow
def test_every_allowed_page_is_kept_once_and_every_other_has_its_reason(site: str, tmp_path: Path) -> None:
    good = [f"page/{number}" for number in range(COUNT - len(GOOD) - len(REFUSED) - len(FAILED))] + GOOD
    urls = [f"http://{site}/{name}" for name in [*good, *REFUSED, *FAILED]]
    assert len(urls) == COUNT
    file = tmp_path / "pages.warc.gz"
    with Archive(file) as archive:
        report = fetch_pages([*urls, urls[0]], Visitor(limits(site)).visit, archive)
    assert report.fetched == len(good)
    assert {url.partition(f"{site}/")[2] for url in report.refused} == set(REFUSED)
    assert {url.partition(f"{site}/")[2] for url in report.failed} == set(FAILED)
    for name, reason in [*REFUSED.items(), *FAILED.items()]:
        url = f"http://{site}/{name}"
        assert reason in {**report.refused, **report.failed}[url], name
    assert not [path for path in Site.asked if path.startswith("/private/") and path != "/private/open"]
    assert {Site.asked[f"/page/{number}"] for number in range(200)} == {1}
    pages = {source.url: source for source in open_sources([str(file)])}
    assert list(pages) == [f"http://{site}/{name}" for name in good]
    assert pages[f"http://{site}/packed"].data == b"<p>packed</p>"
    assert pages[f"http://{site}/jump-ok"].data == b"<p>This is the page page/7?from=jump of the site.</p>"
    (metadata,) = [json.loads(body) for head, body in records(file) if b"metadata" in head and b"/jump-ok" in head]
    assert metadata["redirects"] == [f"http://{site}/page/7?from=jump"]
    before = Counter(Site.asked)
    with Archive(file) as archive:
        again = fetch_pages(urls, Visitor(limits(site)).visit, archive)
    assert (again.fetched, again.known) == (0, COUNT)
    assert Site.asked == before


@pytest.mark.slow
def test_it_goes_on_after_being_killed(site: str, tmp_path: Path) -> None:
    Site.pause = 0.01
    urls = tmp_path / "urls.txt"
    urls.write_text("".join(f"http://{site}/page/{number}\n" for number in range(120)))
    file = tmp_path / "pages.warc.gz"
    command = [sys.executable, "-m", "schemaproof", "sample", "pages", str(urls), "-o", str(file), "--json"]
    command += ["--delay", "0", "--allow-host", site]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while sum(Site.asked.values()) < 20 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    with file.open("ab") as stream:
        stream.write(b"\x1f\x8b\x08\x00half a record")
    ran = subprocess.run(command, capture_output=True, check=True)
    answer = json.loads(ran.stdout)
    assert answer["fetched"] + answer["known"] == 120
    assert answer["known"] >= 15
    found = [str(source.url) for source in open_sources([str(file)])]
    assert sorted(found) == sorted(f"http://{site}/page/{number}" for number in range(120))
    # Only what was under way when it was killed may have been asked for twice.
    assert sum(count - 1 for path, count in Site.asked.items() if path.startswith("/page/")) <= 1


def test_a_pause_is_made_between_requests_to_a_host(site: str) -> None:
    visitor = Visitor(limits(site, delay=0.2))
    started = time.monotonic()
    for number in range(4):
        assert not visitor.visit(f"http://{site}/page/{number}").error
    assert time.monotonic() - started >= 0.6


def test_private_addresses_are_refused_where_nothing_allows_them(site: str) -> None:
    visit = Visitor(FetchLimits(seconds=2)).visit(f"http://{site}/page/1")
    assert visit.refused
    assert "not a public address" in visit.error
    assert not Site.asked


def test_pages_at_hand_are_copied(tmp_path: Path, site: str) -> None:
    first = tmp_path / "all.warc.gz"
    urls = [f"http://{site}/page/{number}" for number in range(5)]
    with Archive(first) as archive:
        fetch_pages(urls, Visitor(limits(site)).visit, archive)
    wanted = {urls[1], urls[3], "http://absent.example/"}
    with Archive(tmp_path / "some.warc.gz") as archive:
        for visit in copied(open_sources([str(first)]), wanted):
            archive.add(visit)
    assert wanted == {"http://absent.example/"}
    assert [source.url for source in open_sources([str(tmp_path / "some.warc.gz")])] == [urls[1], urls[3]]


def records(path: Path) -> list[tuple[bytes, bytes]]:
    """Head and body of each."""
    found = []
    with gzip.open(path) as stream:
        while line := stream.readline():
            head = b""
            while line.strip():
                head += line
                line = stream.readline()
            length = int(head.partition(b"Content-Length: ")[2].split(b"\r\n")[0])
            found.append((head, stream.read(length)))
            assert stream.read(4) == b"\r\n\r\n"
    return found


def test_a_file_of_another_kind_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(b"something else")
    with pytest.raises(InputError, match=r"not a \.warc\.gz"):
        Archive(tmp_path / "a.warc.gz")
    (tmp_path / "b.warc.gz").write_bytes(gzip.compress(b"something else"))
    with pytest.raises(InputError, match="WARC"):
        Archive(tmp_path / "b.warc.gz")
    assert (tmp_path / "a.warc.gz").read_bytes() == b"something else"
