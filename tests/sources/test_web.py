"""Fetching, against a real server on loopback."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from schemaproof.sources.web import FetchLimits, _seconds, fetch, request, without_dots

HOME = FetchLimits(seconds=5, maximum_bytes=100_000, allow_private=True)


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        bodies = {
            "/page": b"<p>hello</p>",
            "/bomb": gzip.compress(b"0" * 50_000_000),
        }
        path = self.path.split("?")[0]
        if path == "/loop":
            self.send_response(302)
            self.send_header("Location", "/loop")
            self.end_headers()
        elif path == "/metadata":
            self.send_response(302)
            self.send_header("Location", "http://169.254.169.254/latest")
            self.end_headers()
        elif path == "/nowhere":
            self.send_response(304)
            self.end_headers()
        elif path in bodies:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=iso-8859-1")
            if path == "/bomb":
                self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            self.wfile.write(bodies[path])
        else:
            self.send_error(404)

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_page_comes_with_its_type(site: str) -> None:
    source = fetch(f"{site}/page", HOME)
    assert (source.data, source.content_type) == (b"<p>hello</p>", "text/html; charset=iso-8859-1")


@pytest.mark.parametrize(
    ("path", "reason"),
    [("/loop", "redirects"), ("/bomb", "larger than"), ("/absent", "404"), ("/metadata", ""), ("/nowhere", "304")],
)
def test_what_cannot_be_had_says_why(site: str, path: str, reason: str) -> None:
    limits = FetchLimits(seconds=2, maximum_bytes=100_000, allow_private=path != "/metadata")
    source = fetch(f"{site}{path}", limits)
    assert source.data is None
    assert source.error is not None
    assert reason in source.error


def test_private_addresses_are_refused(site: str) -> None:
    source = fetch(f"{site}/page")
    assert source.error is not None
    assert "not a public address" in source.error


@pytest.mark.parametrize("url", ["http://", "http://[::1", "http://nowhere.invalid/", "http://127.0.0.1:99999/"])
def test_addresses_that_are_none(url: str) -> None:
    assert fetch(url, HOME).error is not None


def test_only_the_beginning_is_read_where_that_is_enough(site: str) -> None:
    answer = request(f"{site}/bomb", HOME, beginning=100)
    assert answer.body == b"0" * 100
    assert request(f"{site}/page", HOME, beginning=100).body == b"<p>hello</p>"
    absent = request(f"{site}/absent", HOME, beginning=100)
    assert (absent.status, absent.body) == (404, b"")


@pytest.mark.parametrize(
    ("path", "without"),
    [
        ("", ""), ("/", "/"), ("/a/b", "/a/b"), ("/a/./b/../c", "/a/c"), ("/a/b/..", "/a/"), ("/a/.", "/a/"),
        ("/../..", "/"), ("/a//../b", "/a/b"), ("/%2e/a/%2E./b", "/b"), ("/...", "/..."), ("//a", "//a"),
    ],
)  # fmt: skip
def test_dot_segments_are_taken_out(path: str, without: str) -> None:
    assert without_dots(path) == without


@pytest.mark.parametrize(
    "text", ["", "\u00b2", "-1", "1.5", "soon", "Mon, 99 Foo 2020", "Wed, 21 Oct 2015 07:28:00 GMT"]
)
def test_a_wait_that_is_none(text: str) -> None:
    assert _seconds(text) == 0.0


def test_a_wait_in_seconds() -> None:
    assert _seconds(" 120 ") == 120.0
    assert _seconds("Fri, 31 Dec 9998 23:59:59 GMT") > 1e9
