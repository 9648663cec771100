"""A polite visitor of web pages: robots.txt, a pause between requests to a host, patience with busy servers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from schemaproof.errors import SourceError
from schemaproof.sources.guard import Refused
from schemaproof.sources.model import PageSource, identifier
from schemaproof.sources.robots import MAXIMUM_BYTES, Robots, read_robots
from schemaproof.sources.web import (
    PRODUCT,
    Address,
    Answer,
    FetchLimits,
    Unavailable,
    check_address,
    page_of,
    read_address,
    request,
)

LONGEST_WAIT = 60.0  # seconds that a server may ask us to wait; where it asks for more, its pages fail until then
RULES_HOLD = 24 * 3600.0  # seconds, RFC 9309, 2.4
ABSENCE_HOLDS = 60.0  # seconds after which a robots.txt that could not be had is asked for again
ROBOTS_SECONDS = 10.0
ROBOTS_REDIRECTS = 5  # RFC 9309, 2.3.1.2


@dataclass(slots=True)
class Visit:
    """How the visit of one page went.

    Attributes:
        url: what was asked for.
        answer: the last answer, None where there is none.
        error: why there is no page, or "".
        refused: it may not be fetched: by the rules of robots.txt, or since its address is private or not of the web.
            Asking again cannot help. Where the rules could not be had for now, it is an error as others are.
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


@dataclass(slots=True)
class _Host:
    """What is known of one host and port, whatever the scheme.

    Attributes:
        asked: when the last request went to it.
        free: no request before then, which is waited for.
        held: no request before then, which is not waited for: the server asked for more than `LONGEST_WAIT`.
        ruling: held by the thread that asks for its rules.
    """

    asked: float = float("-inf")
    free: float = float("-inf")
    held: float = float("-inf")
    ruling: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules of a site, or why they could not be had ("" where they were), and until when that holds."""

    robots: Robots
    problem: str
    until: float


class Visitor:
    """Visits pages; may be used from several threads.

    Arguments:
        limits: see `FetchLimits`.
        clock: tells the time in seconds, never backwards.
    """

    def __init__(self, limits: FetchLimits | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits or FetchLimits()
        self._clock = clock
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._hosts: dict[tuple[str, int], _Host] = {}
        self._rules: dict[tuple[str, str, int], _Rules] = {}

    def stop(self) -> None:
        """Call off all visits: those that wait end at once with an error, without their request, and so do later ones.

        What is being read from a server is read to its end or to its limit.
        """
        self._stopped.set()

    def visit(self, url: str) -> Visit:
        """Fetch a page, following redirects; never raises, whatever goes wrong on the way.

        Arguments:
            url: its address.

        Returns: the answer, or the error that says why there is none.
        """
        found = Visit(url)
        try:
            self._follow(found)
        except SourceError as problem:
            found.error = problem.reason
            found.refused = isinstance(problem, Refused)
        except Exception as problem:  # an answer or an address that nobody thought of costs its page, not the run
            found.error = f"cannot be fetched: {type(problem).__name__}: {problem}"
        return found

    def _follow(self, found: Visit) -> None:
        """Raises: SourceError where there is no page."""
        current = found.url
        for _ in range(self.limits.redirects + 1):
            address = read_address(current)
            check_address(address.url, self.limits)  # before its host is asked for rules, and without its turn
            robots = self._robots(address)
            if not robots.allows(address.url):
                raise Refused(found.url, "the site's robots.txt forbids it; refused")
            # Without a pause of our own, none is made for the site either: for tests and for one's own server.
            pause = max(self.limits.delay, robots.delay) if self.limits.delay else 0.0
            answer = self._ask(address, self.limits, pause)
            if not answer.location:
                found.answer = answer
                if answer.status >= 400:
                    raise SourceError(found.url, f"the server answered {answer.status} {answer.reason}".strip())
                return
            current = answer.location
            found.hops.append(current)
        raise SourceError(found.url, f"more than {self.limits.redirects} redirects")

    def _host(self, address: Address) -> _Host:
        with self._lock:
            return self._hosts.setdefault((address.host, address.port), _Host())

    def _ask(self, address: Address, limits: FetchLimits, pause: float, beginning: int = 0) -> Answer:
        """One request in the host's turn, repeated with patience where it fails for the moment."""
        host = self._host(address)
        for attempt in range(limits.retries + 1):
            self._wait(host, address.url, pause)
            try:
                return request(address.url, limits, beginning=beginning)
            except Unavailable as problem:
                now = self._clock()
                if problem.after > LONGEST_WAIT:
                    with self._lock:
                        host.held = max(host.held, now + problem.after)
                    reason = f"{problem.reason}; it asks to wait {problem.after:.0f} s"
                    raise Unavailable(address.url, reason, problem.after) from None
                last = attempt == limits.retries
                with self._lock:
                    # What the server asks for holds for its other pages too, when this one is given up.
                    own = 0.0 if last else min(limits.delay * 2**attempt, LONGEST_WAIT)
                    host.free = max(host.free, now + (problem.after or own))
                if last:
                    raise
        raise AssertionError("unreachable")

    def _wait(self, host: _Host, url: str, pause: float) -> None:
        """Wait for this host's turn, and take it.

        Raises: Unavailable where the server asked for a longer wait than ours, SourceError where visits were called
            off.
        """
        while True:
            self._check(host, url)
            with self._lock:
                now = self._clock()
                left = max(host.asked + pause, host.free) - now
                if left <= 0:
                    host.asked = now
                    return
            self._stopped.wait(left)

    def _check(self, host: _Host, url: str) -> None:
        """Raises: see `_wait`."""
        if self._stopped.is_set():
            raise SourceError(url, "the visit was called off")
        left = host.held - self._clock()
        if left > 0:
            raise Unavailable(url, f"not asked: the server wants to be left alone for another {left:.0f} s", left)

    def _robots(self, address: Address) -> Robots:
        """The rules for an address: those of its scheme, host and port (RFC 9309, 2.3).

        Raises: Unavailable where they cannot be had for now.
        """
        if not self.limits.robots:
            return Robots()
        host = self._host(address)
        key = (address.scheme, address.host, address.port)
        with host.ruling:
            self._check(host, address.url)
            rules = self._rules.get(key)
            if rules is None or rules.until <= self._clock():
                rules = self._rules[key] = self._read_rules(address)
        if rules.problem:
            reason = "robots.txt of the site cannot be had for now, so nothing may be fetched (RFC 9309): "
            raise Unavailable(address.url, reason + rules.problem, max(rules.until - self._clock(), 0.0))
        return rules.robots

    def _read_rules(self, address: Address) -> _Rules:
        """Ask for the rules; what is neither a file nor a plain "there is none" forbids all (RFC 9309, 2.3.1.4)."""
        seconds, retries = min(self.limits.seconds, ROBOTS_SECONDS), min(self.limits.retries, 2)
        limits = replace(self.limits, seconds=seconds, retries=retries)
        robots, problem, current = Robots(), "", address.robots
        try:
            for _ in range(ROBOTS_REDIRECTS + 1):
                answer = self._ask(read_address(current), limits, limits.delay, MAXIMUM_BYTES + 1)
                if not answer.location:
                    if 200 <= answer.status < 300:
                        robots = read_robots(answer.body, PRODUCT)
                    elif not 400 <= answer.status < 500:
                        problem = f"the server answered {answer.status} {answer.reason}".strip()
                    break
                current = answer.location
            # After more redirects than these, and with 4xx, there are no rules (2.3.1.2, 2.3.1.3).
        except SourceError as failed:
            if self._stopped.is_set():
                raise
            problem = failed.reason
        return _Rules(robots, problem, self._clock() + (ABSENCE_HOLDS if problem else RULES_HOLD))
