"""Fetching from the web: bounded in time and size, and only from public addresses."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

from schemaproof import __version__
from schemaproof.errors import SourceError
from schemaproof.sources.guard import Deadline, guarded_transport, public_addresses
from schemaproof.sources.model import PageSource, identifier

PRODUCT = "schemaproof"
USER_AGENT = f"{PRODUCT}/{__version__} (structured data checker)"
HTML_ACCEPT = "text/html,application/xhtml+xml,application/ld+json;q=0.9,*/*;q=0.5"


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What a fetch may cost and where it may go.

    Attributes:
        seconds: for one request, connection to last byte.
        maximum_bytes: of the body after decompression.
        redirects: how many are followed.
        allow_private: also fetch from private, loopback and link-local addresses (for tests and intranets).
        allow_hosts: hosts ("intranet.example", "127.0.0.1:8080") whose address may be private all the same.
        delay: seconds between two requests to one host.
        retries: how often a request is repeated that failed for the moment (429, 503, no connection).
        robots: obey robots.txt.
    """

    seconds: float = 30.0
    maximum_bytes: int = 32 * 1024 * 1024
    redirects: int = 5
    allow_private: bool = False
    allow_hosts: tuple[str, ...] = ()
    delay: float = 1.0
    retries: int = 2
    robots: bool = True

    def may_be_private(self, host: str, port: int) -> bool:
        """Whether this host may have a private address."""
        return self.allow_private or host in self.allow_hosts or f"{host}:{port}" in self.allow_hosts


@dataclass(slots=True)
class Answer:
    """What a server answered to one request.

    Attributes:
        url: what was asked for.
        status: the status code.
        reason: its words.
        headers: names in lower case to values.
        body: the body, decompressed; empty for a redirect.
        location: where a redirect leads, absolute, or "".
    """

    url: str
    status: int
    reason: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    location: str = ""


class Unavailable(SourceError):  # noqa: N818  (it says what is the matter with the server, as httpx names its own)
    """A request that failed for the moment: it may succeed later.

    Arguments:
        source, reason: see SourceError.
        after: seconds the server asks to wait, 0 if it does not say.
    """

    def __init__(self, source: str, reason: str, after: float = 0.0) -> None:
        super().__init__(source, reason)
        self.after = after


def is_url(text: str) -> bool:
    """Whether an argument of the command line is an address to fetch."""
    return text.lower().startswith(("http://", "https://"))


def check_address(url: str, limits: FetchLimits) -> list[str]:
    """The public addresses a URL's host resolves to.

    Raises: SourceError where the scheme is not http(s), the host does not resolve, or an address is not public.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as problem:
        raise SourceError(url, f"not an address ({problem})") from None
    if parts.scheme not in ("http", "https") or not host:
        raise SourceError(url, "only http and https addresses can be fetched")
    try:
        return public_addresses(host, port, allow_private=limits.may_be_private(host, port))
    except SourceError as problem:
        raise SourceError(url, problem.reason) from None


def request(url: str, limits: FetchLimits, headers: Mapping[str, str] | None = None) -> Answer:
    """One GET request, redirects not followed.

    Arguments:
        url: an http or https address.
        limits: see `FetchLimits`.
        headers: sent beside our own.

    Raises: Unavailable for what may work later (429, 500, 502 to 504, no connection, too slow); SourceError for what
        will not: a refused address, another scheme, a body beyond the limit, an unreadable answer.
    """
    import httpx2

    check_address(url, limits)
    deadline = Deadline(limits.seconds)
    sent = {"User-Agent": USER_AGENT, "Accept": HTML_ACCEPT, "Accept-Encoding": "gzip, deflate", **(headers or {})}
    try:
        with (
            httpx2.Client(
                headers=sent,
                timeout=limits.seconds,
                follow_redirects=False,
                trust_env=False,
                transport=guarded_transport(limits.may_be_private, deadline),
            ) as client,
            client.stream("GET", url) as response,
        ):
            answer = Answer(url, response.status_code, response.reason_phrase)
            answer.headers = {name.lower(): value for name, value in response.headers.items()}
            if response.is_redirect:
                answer.location = urljoin(url, answer.headers.get("location", "")).split("#")[0]
                return answer
            if response.status_code in (429, 500, 502, 503, 504):
                after = _seconds(answer.headers.get("retry-after", ""))
                raise Unavailable(
                    url, f"the server answered {response.status_code} {response.reason_phrase}".strip(), after
                )
            answer.body = _body(response, url, limits, deadline)
            return answer
    except (httpx2.ConnectError, httpx2.TimeoutException, httpx2.ReadError, httpx2.RemoteProtocolError) as problem:
        if not deadline.left():
            raise Unavailable(url, f"took longer than {limits.seconds:g} s") from None
        raise Unavailable(url, f"cannot be fetched: {problem or type(problem).__name__}") from None
    except SourceError:
        raise
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError, zlib.error) as problem:
        raise SourceError(url, f"cannot be fetched: {problem or type(problem).__name__}") from None


def _seconds(text: str) -> float:
    """A Retry-After header as seconds (RFC 9110, 10.2.3)."""
    if text.strip().isdigit():
        return float(text.strip()[:9])
    from email.utils import parsedate_to_datetime

    try:
        return max(parsedate_to_datetime(text).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError, OverflowError):
        return 0.0


def _body(response: Any, url: str, limits: FetchLimits, deadline: Deadline) -> bytes:
    """The body, read no further than the limit: a bomb of compressed zeros must not fill the memory."""
    coding = response.headers.get("content-encoding", "").strip().lower()
    parts: list[bytes] = []
    size = 0
    for part in _decoded(response.iter_raw(1 << 14), coding, url):
        size += len(part)
        if size > limits.maximum_bytes:
            raise SourceError(url, f"the page is larger than {limits.maximum_bytes / (1 << 20):.3g} MB")
        if not deadline.left():
            raise Unavailable(url, f"took longer than {limits.seconds:g} s")
        parts.append(part)
    return b"".join(parts)


def _decoded(parts: Iterator[bytes], coding: str, url: str) -> Iterator[bytes]:
    """Undo gzip or deflate, at most 64 KB at a time."""
    if coding in ("", "identity"):
        yield from parts
        return
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise SourceError(url, f"the page is packed by {coding[:40]!r}, which was not asked for")
    opened = zlib.decompressobj(47 if coding != "deflate" else zlib.MAX_WBITS)
    first = True
    begun = False
    for part in parts:
        data = part
        begun = True
        # With nothing left to read, output may still be held back that there was no room for.
        while data or not opened.eof:
            try:
                out = opened.decompress(data, 1 << 16)
            except zlib.error as problem:
                if coding == "deflate" and first:
                    opened = zlib.decompressobj(-zlib.MAX_WBITS)  # many servers send it without its frame
                    first = False
                    continue
                raise SourceError(url, f"broken compression: {problem}") from None
            first = False
            data = opened.unconsumed_tail
            if out:
                yield out
            elif not data:
                break
            if opened.eof:
                return
    if begun and not opened.eof:
        raise Unavailable(url, "its compressed data end too early")


def fetch(url: str, limits: FetchLimits | None = None) -> PageSource:
    """Fetch one page; robots.txt is not asked (see `visiting.Visitor`).

    Arguments:
        url: an http or https address.
        limits: see `FetchLimits`.

    Returns: its bytes with the final URL and content type; a failure gives a source with `error`.
    """
    limits = limits or FetchLimits()
    current = url.split("#")[0]
    try:
        for _ in range(limits.redirects + 1):
            answer = request(current, limits)
            if not answer.location:
                return page_of(answer, url)
            current = answer.location
        raise SourceError(url, f"more than {limits.redirects} redirects")
    except SourceError as problem:
        return PageSource(url, None, url, identifier(url), None, problem.reason)


def page_of(answer: Answer, url: str) -> PageSource:
    """The page of an answer.

    Raises: SourceError for an answer that is none (4xx).
    """
    if answer.status >= 400:
        raise SourceError(url, f"the server answered {answer.status} {answer.reason}".strip())
    return PageSource(url, answer.body, answer.url, identifier(url), answer.headers.get("content-type"))
