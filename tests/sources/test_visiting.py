"""Politeness and patience, against a server on loopback that answers as each test tells it to."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from schemaproof.sources import visiting
from schemaproof.sources.visiting import Visitor
from schemaproof.sources.web import Address, Answer, FetchLimits, read_address, request

PAGE = b"<p>a page</p>"
CLOSED = b"User-agent: *\nDisallow: /\n"
Said = tuple[int | str, dict[str, str], bytes]


class Site(ThreadingHTTPServer):
    """A site that answers what `answers` holds for a path: the first of several answers, the last one again and again.

    Attributes:
        answers: path to answers; a page where there is none, and no robots.txt.
        paths: those that were asked for.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: dict[str, list[Said]] = {"/robots.txt": [(404, {}, b"")]}
        self.paths: list[str] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def rules(self, *said: Said | bytes) -> None:
        self.answers["/robots.txt"] = [(200, {}, each) if isinstance(each, bytes) else each for each in said]

    def handle_error(self, request: object, client_address: object) -> None:
        pass


class Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.paths.append(self.path)
        left = self.server.answers.get(self.path, [(200, {"Content-Type": "text/html"}, PAGE)])
        status, headers, body = left.pop(0) if len(left) > 1 else left[0]
        code, _, reason = str(status).partition(" ")
        self.send_response(int(code), reason or None)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass


class Clock:
    """A clock that goes on when it is told to, and when somebody waits."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> bool:
        self.now += seconds
        return False


def paced(monkeypatch: pytest.MonkeyPatch, limits: FetchLimits) -> tuple[Visitor, list[float]]:
    """A visitor by a clock of its own, and when it asks."""
    clock = Clock()
    visitor = Visitor(limits, clock=clock)
    monkeypatch.setattr(visitor._stopped, "wait", clock.wait)
    moments: list[float] = []

    def noted(url: str, *arguments: Any, **options: Any) -> Answer:
        moments.append(clock.now)
        return request(url, *arguments, **options)

    monkeypatch.setattr(visiting, "request", noted)
    return visitor, moments


@pytest.fixture
def site() -> Iterator[Site]:
    server = Site()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def limits(**options: Any) -> FetchLimits:
    return FetchLimits(**{"seconds": 5.0, "allow_private": True, "delay": 0.0, "retries": 0, **options})


@pytest.mark.parametrize("status", [300, 304, 429, 500, 501, 503, 505, 508, 520, 599])
def test_a_server_that_fails_to_give_its_rules_forbids_all_for_now(site: Site, status: int) -> None:
    site.rules((status, {}, b""))
    visit = Visitor(limits()).visit(site.url("/page"))
    assert str(status) in visit.error
    assert "robots.txt" in visit.error
    assert not visit.refused
    assert site.paths == ["/robots.txt"]


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_a_server_that_has_no_rules_allows_all(site: Site, status: int) -> None:
    site.rules((status, {"Content-Encoding": "br"}, b"not there"))
    assert not Visitor(limits()).visit(site.url("/page")).error


def test_rules_that_are_too_long_hold_as_far_as_they_are_read(site: Site) -> None:
    site.rules(CLOSED + b"# filling\n" * 300_000)
    visit = Visitor(limits()).visit(site.url("/page"))
    assert visit.refused
    assert site.paths == ["/robots.txt"]


@pytest.mark.parametrize(
    ("coding", "body"),
    [("br", CLOSED), ("gzip", CLOSED), ("gzip", gzip.compress(CLOSED)[:20])],
    ids=["unasked", "not packed", "cut"],
)
def test_rules_that_cannot_be_read_forbid_all_for_now(site: Site, coding: str, body: bytes) -> None:
    site.rules((200, {"Content-Encoding": coding}, body))
    visit = Visitor(limits()).visit(site.url("/page"))
    assert "robots.txt" in visit.error
    assert not visit.refused
    assert site.paths == ["/robots.txt"]


def test_a_wait_that_is_no_number_changes_nothing(site: Site) -> None:
    site.rules((503, {"Retry-After": "\u00b2"}, b""))
    visit = Visitor(limits()).visit(site.url("/page"))
    assert "503" in visit.error
    assert site.paths == ["/robots.txt"]


def test_rules_are_followed_through_redirects_and_retries(site: Site) -> None:
    for number in range(5):
        site.answers["/" + "x" * number if number else "/robots.txt"] = [
            (503, {}, b""),
            (301, {"Location": "/" + "x" * (number + 1)}, b""),
        ]
    site.answers["/xxxxx"] = [(200, {}, CLOSED)]
    assert Visitor(limits(retries=1)).visit(site.url("/page")).refused


def test_rules_that_could_not_be_had_are_asked_for_again_later(site: Site) -> None:
    clock = Clock()
    site.rules((503, {}, b""), b"User-agent: *\nDisallow: /private\n")
    visitor = Visitor(limits(), clock=clock)
    assert "503" in visitor.visit(site.url("/a")).error
    assert "503" in visitor.visit(site.url("/b")).error
    assert site.paths == ["/robots.txt"]
    clock.now += visiting.ABSENCE_HOLDS + 1
    assert not visitor.visit(site.url("/a")).error
    assert visitor.visit(site.url("/private")).refused
    clock.now += 24 * 3600 + 1
    assert not visitor.visit(site.url("/a")).error
    assert site.paths == ["/robots.txt", "/robots.txt", "/a", "/robots.txt", "/a"]


@pytest.mark.parametrize("path", ["/pub/../private/x", "/./private/x", "/pub/%2E%2e/private/x", "/private/y/..", "/.."])
def test_a_path_is_judged_as_it_is_asked_for(site: Site, path: str) -> None:
    site.rules(b"User-agent: *\nDisallow: /private/\n")
    visit = Visitor(limits()).visit(site.url(path))
    assert visit.refused == (path != "/..")
    assert site.paths == ["/robots.txt", "/"][: 1 + (path == "/..")]


def test_what_was_judged_is_what_is_asked_for(site: Site) -> None:
    site.rules(b"User-agent: *\nDisallow: /private/\n")
    site.answers["/jump"] = [(302, {"Location": site.url("/pub/%2e%2e/private/x")}, b"")]
    visitor = Visitor(limits())
    visit = visitor.visit(site.url("/private/../a//../b?q=/../#part"))
    assert visit.answer is not None
    assert visit.answer.url == site.url("/a/b?q=/../")
    assert visitor.visit(site.url("/jump")).refused
    assert site.paths == ["/robots.txt", "/a/b?q=/../", "/jump"]


def test_only_what_may_not_be_fetched_is_refused(site: Site) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{free.getsockname()[1]}/"
    site.answers["/page"] = [("403 Request refused only http", {}, b"")]
    site.answers["/file"] = [(302, {"Location": "file:///etc/passwd"}, b"")]
    visitor = Visitor(limits())
    for url in (nobody, site.url("/page"), "http://", "http://[::1", "http://127.0.0.1:99999/"):
        visit = visitor.visit(url)
        assert visit.error
        assert not visit.refused, url
    assert "refused" in visitor.visit(nobody).error
    for url in (site.url("/file"), "ftp://a.example/"):
        assert visitor.visit(url).refused, url
    assert Visitor(limits(allow_private=False)).visit(site.url("/page")).refused


def test_rules_hold_for_their_scheme_and_authority_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def request(url: str, *_: object, **__: object) -> Answer:
        asked.append(url)
        rules = CLOSED if url.startswith("http://") else b""
        return Answer(url, 200, "OK", {"content-type": "text/html"}, rules if url.endswith("/robots.txt") else PAGE)

    monkeypatch.setattr(visiting, "request", request)
    monkeypatch.setattr(visiting, "check_address", lambda *_: [])
    visitor = Visitor(limits())
    assert visitor.visit("http://a.example:8000/x").refused
    assert not visitor.visit("https://a.example:8000/x").error
    assert visitor.visit("http://a.example:8000/y").refused
    assert visitor.visit("http://u@A.example.:8000/y").refused
    assert asked == [
        "http://a.example:8000/robots.txt",
        "https://a.example:8000/robots.txt",
        "https://a.example:8000/x",
    ]


def test_a_host_is_one_however_it_is_written(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor, moments = paced(monkeypatch, limits(delay=10.0))
    for host in ("127.0.0.1", "u@127.0.0.1", "127.1", "0x7f.0.0.1"):
        visitor.visit(f"http://{host}:{site.port}/")
    assert site.paths == ["/robots.txt", "/", "/", "/", "/"]
    assert moments == [1000.0, 1010.0, 1020.0, 1030.0, 1040.0]


def test_robots_txt_counts_among_the_requests_of_its_host(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.rules((503, {"Retry-After": "30"}, b""), b"User-agent: *\nCrawl-delay: 5\n")
    visitor, moments = paced(monkeypatch, limits(delay=2.0, retries=1))
    assert not visitor.visit(site.url("/page")).error
    assert site.paths == ["/robots.txt", "/robots.txt", "/page"]
    # What the server asked for; then the longer one of its pause and ours.
    assert moments == [1000.0, 1030.0, 1035.0]


def test_a_long_wait_holds_for_the_whole_host(site: Site) -> None:
    clock = Clock()
    site.answers["/a"] = [(429, {"Retry-After": "3600"}, b""), (200, {"Content-Type": "text/html"}, PAGE)]
    visitor = Visitor(limits(retries=2), clock=clock)
    first = visitor.visit(site.url("/a"))
    assert "429" in first.error
    assert "3600 s" in first.error
    clock.now += 600
    for path in ("/b", "/c"):
        visit = visitor.visit(site.url(path))
        assert "another 3000 s" in visit.error
        assert not visit.refused
    assert site.paths == ["/robots.txt", "/a"]
    clock.now += 3001
    assert not visitor.visit(site.url("/a")).error


def test_a_long_wait_of_robots_txt_holds_for_the_whole_host(site: Site) -> None:
    clock = Clock()
    site.rules((503, {"Retry-After": "3600"}, b""), b"")
    visitor = Visitor(limits(retries=2), clock=clock)
    assert "3600 s" in visitor.visit(site.url("/a")).error
    clock.now += 600
    assert "another 3000 s" in visitor.visit(site.url("/b")).error
    assert site.paths == ["/robots.txt"]
    clock.now += 3001
    assert not visitor.visit(site.url("/b")).error


def test_a_short_wait_holds_for_the_next_page_too(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.answers["/a"] = [(503, {"Retry-After": "10"}, b"")]
    visitor, moments = paced(monkeypatch, limits())
    assert "503" in visitor.visit(site.url("/a")).error
    assert not visitor.visit(site.url("/b")).error
    assert moments == [1000.0, 1000.0, 1010.0]


@pytest.mark.parametrize(
    ("status", "headers"),
    [(300, {}), (301, {}), (302, {"Location": ""}), (304, {}), (304, {"Location": "/b"}), (399, {})],
)
def test_a_redirect_that_leads_nowhere_is_an_error(site: Site, status: int, headers: dict[str, str]) -> None:
    site.answers["/a"] = [(status, headers, b"")]
    visit = Visitor(limits()).visit(site.url("/a"))
    assert str(status) in visit.error
    assert not visit.refused
    assert site.paths == ["/robots.txt", "/a"]


def test_visits_that_wait_end_when_they_are_called_off(site: Site) -> None:
    visitor = Visitor(limits(delay=25.0, robots=False))
    assert not visitor.visit(site.url("/a")).error
    found = []
    waiting = [
        threading.Thread(target=lambda path=path: found.append(visitor.visit(site.url(path)))) for path in ("/b", "/c")
    ]
    for thread in waiting:
        thread.start()
    time.sleep(0.1)
    visitor.stop()
    for thread in waiting:
        thread.join(20)  # well before their turn would come
    assert [visit.error for visit in found] == ["the visit was called off"] * 2
    assert not any(visit.refused for visit in found)
    assert "called off" in visitor.visit("http://127.0.0.1:1/").error
    assert site.paths == ["/a"]


def test_robots_txt_is_not_asked_for_again_after_visits_were_called_off(site: Site) -> None:
    site.rules((503, {"Retry-After": "30"}, b""))
    visitor = Visitor(limits(retries=2))
    found = []
    thread = threading.Thread(target=lambda: found.append(visitor.visit(site.url("/a"))))
    thread.start()
    while not site.paths:
        time.sleep(0.01)
    time.sleep(0.1)
    visitor.stop()
    thread.join(5)
    assert [visit.error for visit in found] == ["the visit was called off"]
    assert site.paths == ["/robots.txt"]


@pytest.mark.parametrize(
    "url", ["http://a.example/\ud800", "http://\ud800/", "http://a.example:x/", "http:a", "", "\0"]
)
def test_an_address_that_is_none_costs_itself_alone(url: str) -> None:
    visit = Visitor(limits()).visit(url)
    assert "not an address" in visit.error
    assert not visit.refused
    assert visit.source().data is None


def test_a_fault_that_nobody_thought_of_costs_its_page_alone(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(url: str, *_: object, **__: object) -> Answer:
        raise RuntimeError("unheard of")

    monkeypatch.setattr(visiting, "request", broken)
    assert Visitor(limits()).visit(site.url("/a")).error == "cannot be fetched: RuntimeError: unheard of"


def test_turns_are_taken_by_one_thread_at_a_time(site: Site) -> None:
    visitor = Visitor(limits(delay=0.1, robots=False))
    threads = [threading.Thread(target=visitor.visit, args=(site.url(f"/{number}"),)) for number in range(5)]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(site.paths) == 5
    assert time.monotonic() - started >= 0.4


def test_an_address_is_taken_apart() -> None:
    assert read_address("HTTP://u:p@LocalHost.:80/a b/../?q#part") == Address(
        "HTTP://u:p@LocalHost.:80/?q", "http", "localhost", 80, "http://u:p@localhost./robots.txt"
    )
