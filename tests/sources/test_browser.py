"""Rendering with a real Chromium, against a server on loopback."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from schemaproof.sources.web import FetchLimits

PAGE = b"""<!doctype html><title>t</title><div id=a></div><script src=/fill.js></script>
<script>fetch('http://127.0.0.1:1/x').catch(() => document.body.append('refused'))</script>"""


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        bodies = {"/": (PAGE, "text/html"), "/fill.js": (b"a.textContent = 'filled by a script'", "text/javascript")}
        body, kind = bodies.get(self.path, (b"", "text/plain"))
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.slow
@pytest.mark.browser
def test_a_page_is_kept_as_its_scripts_made_it(site: str) -> None:
    pytest.importorskip("playwright")
    if not shutil.which("chromium"):
        pytest.skip("no chromium on this machine")
    from schemaproof.sources.browser import Browser

    visit = Browser(FetchLimits(seconds=60, allow_hosts=(site,), delay=0)).visit(f"http://{site}/")
    assert not visit.error
    assert visit.answer is not None
    assert b"filled by a script" in visit.answer.body
    assert b"refused" in visit.answer.body
