"""Fetching from the web: bounded in time and size, and only from public addresses."""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

from schemaproof import __version__
from schemaproof.errors import SourceError
from schemaproof.sources.guard import Deadline, Refused, guarded_transport, normal_host, public_addresses
from schemaproof.sources.model import PageSource, identifier

PRODUCT = "schemaproof"
USER_AGENT = f"{PRODUCT}/{__version__} (structured data checker)"
HTML_ACCEPT = "text/html,application/xhtml+xml,application/ld+json;q=0.9,*/*;q=0.5"
# Answers that send elsewhere by their Location (RFC 9110, 15.4); 304 to 306 do not.
_REDIRECTS = (300, 301, 302, 303, 307, 308)
_PORTS = {"http": 80, "https": 443}
# What stands before the path, the path, the query with its mark (RFC 3986, appendix B).
_PARTS = re.compile(r"([^:/?#]+://[^/?#]*)([^?#]*)((?:\?[^#]*)?)")


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What a fetch may cost and where it may go.

    Attributes:
        seconds: for one request, connection to last byte.
        maximum_bytes: of the body after decompression.
        redirects: how many are followed.
        allow_private: also fetch from private, loopback and link-local addresses (for tests and intranets).
        allow_hosts: hosts ("intranet.example", "127.0.0.1:8080", "[::1]:8080") whose address may be private all the
            same, in any spelling.
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
        if self.allow_private or not self.allow_hosts:
            return self.allow_private
        try:
            asked = normal_host(host)
        except ValueError:
            return False
        return any(_host_and_port(text) in ((asked, None), (asked, port)) for text in self.allow_hosts)


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


@dataclass(frozen=True, slots=True)
class Address:
    """An http or https address, read as the client reads it that fetches it.

    Attributes:
        url: without fragment and dot segments: what is judged and what is asked for.
        scheme: "http" or "https".
        host: in its one spelling (see `guard.normal_host`).
        port: the port that is connected to, also where the URL leaves it out.
        robots: where the rules for it are: those of its scheme and authority (RFC 9309, 2.3).
    """

    url: str
    scheme: str
    host: str
    port: int
    robots: str


def read_address(url: str) -> Address:
    """An address taken apart, whatever its spelling.

    Raises: Refused where the scheme is not http(s), SourceError for what is no address.
    """
    import httpx2

    try:
        read = httpx2.URL(url)
        if read.scheme and read.scheme not in _PORTS:
            raise Refused(url, "only http and https addresses can be fetched")
        parts = _PARTS.match(url)
        if parts is None or not read.scheme or not read.raw_host:
            raise SourceError(url, "not an address (it names no host)")
        port = read.port or _PORTS[read.scheme]
        if not 0 < port < 1 << 16:
            raise SourceError(url, f"not an address (there is no port {port})")
        host = normal_host(read.raw_host.decode("ascii"))
        robots = str(read.copy_with(raw_path=b"/robots.txt", fragment=None))
    except (httpx2.InvalidURL, ValueError) as problem:
        raise SourceError(url, f"not an address ({problem})") from None
    return Address(parts[1] + without_dots(parts[2]) + parts[3], read.scheme, host, port, robots)


def without_dots(path: str) -> str:
    """A path without the segments "." and ".." (RFC 3986, 5.2.4), also where their dots are escaped (6.2.2.2).

    Arguments:
        path: beginning with "/", or empty.
    """
    kept: list[str] = []
    plain = ""
    for segment in path.split("/")[1:]:
        plain = segment.lower().replace("%2e", ".")
        if plain == "..":
            del kept[-1:]
        elif plain != ".":
            kept.append(segment)
    if plain in (".", ".."):
        kept.append("")  # it named a folder
    return path and "/" + "/".join(kept)


def _host_and_port(text: str) -> tuple[str, int | None] | None:
    """HOST or HOST:PORT as the command line takes it; None for what is neither."""
    bracket, _, after = text.strip().rpartition("]")
    host, colon, port = text.strip().rpartition(":")
    if (bracket and not after) or (text.count(":") != 1 and not bracket):
        host, colon, port = text.strip(), "", ""  # a name, or an IPv6 address by itself
    try:
        return normal_host(host), int(port) if colon else None
    except ValueError:
        return None


def is_url(text: str) -> bool:
    """Whether an argument of the command line is an address to fetch."""
    return text.lower().startswith(("http://", "https://"))


def check_address(url: str, limits: FetchLimits) -> list[str]:
    """The public addresses a URL's host resolves to.

    Raises: Refused where the scheme is not http(s) or an address is not public; SourceError where the host does not
        resolve, and for what is no address.
    """
    address = read_address(url)
    allowed = limits.may_be_private(address.host, address.port)
    try:
        return public_addresses(address.host, address.port, allow_private=allowed)
    except SourceError as problem:
        raise type(problem)(url, problem.reason) from None


def request(url: str, limits: FetchLimits, headers: Mapping[str, str] | None = None, *, beginning: int = 0) -> Answer:
    """One GET request, redirects not followed.

    Arguments:
        url: an http or https address.
        limits: see `FetchLimits`.
        headers: sent beside our own.
        beginning: where not 0, only so many bytes of the body are read, of a longer one the first; and none of a body
            that comes with another status than 2xx.

    Raises: Unavailable for what may work later (429, 500, 502 to 504, no connection, too slow); Refused for another
        scheme and an address that is not public; SourceError for what else will not work: a body beyond the limit, an
        unreadable answer, a redirect that leads nowhere.
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
            if 300 <= response.status_code < 400:
                to = answer.headers.get("location", "").strip()
                if response.status_code not in _REDIRECTS or not to:
                    said = f"{response.status_code} {response.reason_phrase}".strip()
                    raise SourceError(url, f"the server answered {said}, which is no page and leads to none")
                answer.location = urljoin(url, to).split("#")[0]
                return answer
            if response.status_code in (429, 500, 502, 503, 504):
                after = _seconds(answer.headers.get("retry-after", ""))
                raise Unavailable(
                    url, f"the server answered {response.status_code} {response.reason_phrase}".strip(), after
                )
            if not beginning:
                answer.body = _body(response, url, limits, deadline)
            elif response.is_success:
                answer.body = _beginning(response, url, beginning, limits, deadline)
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
    if re.fullmatch(r"[0-9]+", text.strip()):  # "²" is a digit too, and no number
        return float(text.strip()[:9])
    from email.utils import parsedate_to_datetime

    try:
        return max(parsedate_to_datetime(text).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError, IndexError, OverflowError, OSError):
        return 0.0


def _beginning(response: Any, url: str, bound: int, limits: FetchLimits, deadline: Deadline) -> bytes:
    """The first bytes of the body, the whole of a shorter one; what comes after them is not waited for."""
    coding = response.headers.get("content-encoding", "").strip().lower()
    read = bytearray()
    for part in _decoded(response.iter_raw(1 << 14), coding, url):
        read += part
        if len(read) >= bound:
            break
        if not deadline.left():
            raise Unavailable(url, f"took longer than {limits.seconds:g} s")
    return bytes(read[:bound])


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
