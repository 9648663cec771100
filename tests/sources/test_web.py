"""Fetching, against a real server on loopback."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from schemaproof.sources.web import FetchLimits, fetch

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
    [("/loop", "redirects"), ("/bomb", "larger than"), ("/absent", "404"), ("/metadata", "")],
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
