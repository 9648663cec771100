"""A polite visitor of web pages: robots.txt, a pause between requests to a host, patience with busy servers."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from schemaproof.errors import SourceError
from schemaproof.sources.model import PageSource, identifier
from schemaproof.sources.robots import CLOSED, FREE, MAXIMUM_BYTES, Robots, read_robots
from schemaproof.sources.web import PRODUCT, Answer, FetchLimits, Unavailable, page_of, request

LONGEST_WAIT = 60.0


@dataclass(slots=True)
class Visit:
    """How the visit of one page went.

    Attributes:
        url: what was asked for.
        answer: the last answer, None where there is none.
        error: why there is no page, or "".
        refused: we did not even ask, or must not (robots.txt, a private address).
        hops: the addresses of redirects, in order.
    """

    url: str
    answer: Answer | None = None
    error: str = ""
    refused: bool = False
    hops: list[str] = field(default_factory=list)

    def source(self) -> PageSource:
        """The visit as a page."""
        if self.answer is not None and not self.error:
            page = page_of(self.answer, self.url)
            return replace(page, url=self.answer.url)
        return PageSource(self.url, None, self.url, identifier(self.url), None, self.error)


class Visitor:
    """Visits pages; may be used from several threads.

    Arguments:
        limits: see `FetchLimits`.
    """

    def __init__(self, limits: FetchLimits | None = None) -> None:
        self.limits = limits or FetchLimits()
        self._robots: dict[str, Robots] = {}
        self._next: dict[str, float] = {}
        self._lock = threading.Lock()
        self._asking: dict[str, threading.Lock] = {}

    def visit(self, url: str) -> Visit:
        """Fetch a page, following redirects; never raises for what goes wrong on the way."""
        found = Visit(url)
        current = url.split("#")[0]
        try:
            for _ in range(self.limits.redirects + 1):
                self._check_robots(current)
                answer = self._ask(current)
                if not answer.location:
                    found.answer = answer
                    if answer.status >= 400:
                        raise SourceError(url, f"the server answered {answer.status} {answer.reason}".strip())
                    return found
                current = answer.location
                found.hops.append(current)
            raise SourceError(url, f"more than {self.limits.redirects} redirects")
        except SourceError as problem:
            found.error = problem.reason
            found.refused = "refused" in problem.reason or "only http" in problem.reason
        return found

    def _ask(self, url: str) -> Answer:
        """One request, repeated with patience where it fails for the moment."""
        host = urlsplit(url).netloc
        for attempt in range(self.limits.retries + 1):
            self._pause(host)
            try:
                return request(url, self.limits)
            except Unavailable as problem:
                wait = problem.after or min(self.limits.delay * 2**attempt, LONGEST_WAIT)
                if attempt == self.limits.retries or wait > LONGEST_WAIT:
                    raise
                with self._lock:
                    self._next[host] = max(self._next.get(host, 0.0), time.monotonic() + wait)
        raise AssertionError("unreachable")

    def _pause(self, host: str) -> None:
        """Wait for this host's turn, and take it."""
        with self._lock:
            now = time.monotonic()
            turn = max(self._next.get(host, 0.0), now)
            robots = self._robots.get(host)
            self._next[host] = turn + max(self.limits.delay, robots.delay if robots and self.limits.delay else 0.0)
        if turn > now:
            time.sleep(turn - now)

    def _check_robots(self, url: str) -> None:
        """Raises: SourceError where robots.txt forbids the page."""
        if not self.limits.robots:
            return
        try:
            parts = urlsplit(url)
        except ValueError as problem:
            raise SourceError(url, f"not an address ({problem})") from None
        with self._lock:
            asking = self._asking.setdefault(parts.netloc, threading.Lock())
        with asking:
            robots = self._robots.get(parts.netloc)
            if robots is None:
                robots = self._robots[parts.netloc] = self._read_robots(f"{parts.scheme}://{parts.netloc}/robots.txt")
        if robots is CLOSED:
            raise SourceError(
                url, "robots.txt of the site cannot be had, so nothing may be fetched (RFC 9309); refused"
            )
        if not robots.allows(url):
            raise SourceError(url, "the site's robots.txt forbids it; refused")

    def _read_robots(self, url: str) -> Robots:
        limits = replace(self.limits, seconds=min(self.limits.seconds, 10.0), maximum_bytes=4 * MAXIMUM_BYTES)
        current = url
        for attempt in range(5 + 1):
            try:
                answer = request(current, limits)
            except Unavailable:
                # A server that is there and fails may have rules we do not know: all is forbidden.
                if attempt < min(self.limits.retries, 2):
                    time.sleep(min(self.limits.delay, 1.0))
                    continue
                return CLOSED
            except SourceError as problem:
                if "refused" in problem.reason or "resolved" in problem.reason or "only http" in problem.reason:
                    raise
                return FREE  # an endless or unreadable file has no rules
            if answer.location:
                current = answer.location
                continue
            return read_robots(answer.body, PRODUCT) if answer.status < 300 else FREE
        return FREE
