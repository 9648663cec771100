"""Fetching one page from the web: polite, bounded and only from public addresses."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

from schemaproof import __version__
from schemaproof.errors import SourceError
from schemaproof.sources.model import PageSource, identifier

USER_AGENT = f"schemaproof/{__version__} (structured data checker)"


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What a fetch may cost and where it may go.

    Attributes:
        seconds: for one request, connection to last byte.
        maximum_bytes: of the body after decompression.
        redirects: how many are followed.
        allow_private: also fetch from private, loopback and link-local addresses (for tests and intranets).
    """

    seconds: float = 30.0
    maximum_bytes: int = 32 * 1024 * 1024
    redirects: int = 5
    allow_private: bool = False


def is_url(text: str) -> bool:
    """Whether an argument of the command line is an address to fetch."""
    return text.lower().startswith(("http://", "https://"))


def check_address(url: str, limits: FetchLimits) -> list[str]:
    """The public addresses a URL's host resolves to.

    Raises: SourceError where the scheme is not http(s), the host does not resolve, or an address is not public.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SourceError(url, "only http and https addresses can be fetched")
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, ValueError) as problem:
        raise SourceError(url, f"the host cannot be resolved ({problem})") from None
    addresses = [str(entry[4][0]) for entry in found]
    if not limits.allow_private:
        for address in addresses:
            ip = ipaddress.ip_address(address.split("%")[0])
            mapped = getattr(ip, "ipv4_mapped", None)
            if not (mapped or ip).is_global:
                raise SourceError(url, f"{parts.hostname} is at {address}, which is not a public address; refused")
    return addresses


def fetch(url: str, limits: FetchLimits | None = None) -> PageSource:
    """Fetch one page.

    Arguments:
        url: an http or https address.
        limits: see `FetchLimits`.

    Returns: its bytes with the final URL and content type; a failure gives a source with `error`.
    """
    import httpx2

    limits = limits or FetchLimits()
    current = url.split("#")[0]
    try:
        with httpx2.Client(
            headers={
                "User-Agent": USER_AGENT,
                "Accept": "text/html,application/xhtml+xml,application/ld+json;q=0.9,*/*;q=0.5",
            },
            timeout=limits.seconds,
            follow_redirects=False,
            trust_env=False,
        ) as client:
            for _ in range(limits.redirects + 1):
                check_address(current, limits)
                with client.stream("GET", current) as response:
                    if response.is_redirect:
                        current = urljoin(current, response.headers.get("location", ""))
                        continue
                    if response.status_code >= 400:
                        raise SourceError(
                            url, f"the server answered {response.status_code} {response.reason_phrase}".strip()
                        )
                    return PageSource(
                        url,
                        _body(response, limits),
                        str(response.url),
                        identifier(url),
                        response.headers.get("content-type"),
                    )
            raise SourceError(url, f"more than {limits.redirects} redirects")
    except SourceError as problem:
        return PageSource(url, None, url, identifier(url), None, problem.reason)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as problem:
        return PageSource(
            url, None, url, identifier(url), None, f"cannot be fetched: {problem or type(problem).__name__}"
        )


def _body(response: Any, limits: FetchLimits) -> bytes:
    """The body, read no further than the limit: a bomb of compressed zeros must not fill the memory."""
    parts: list[bytes] = []
    size = 0
    for part in response.iter_bytes():
        size += len(part)
        if size > limits.maximum_bytes:
            raise SourceError(str(response.url), f"the page is larger than {limits.maximum_bytes >> 20} MB")
        parts.append(part)
    return b"".join(parts)
