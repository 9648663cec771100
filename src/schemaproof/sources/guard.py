"""Connections that go only where they may, and end when they must.

The check stands where the connection is made, so that no name can resolve to one address for the check and to another
for the connection.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import time
from collections.abc import Callable, Iterable
from typing import Any

from schemaproof.errors import SourceError

# IPv4 blocks that are not globally reachable (IANA IPv4 Special-Purpose Address Registry, RFC 6890), and multicast.
# 192.0.0.0/24 stands here whole: its few reachable addresses are anycast services of the network one stands in, none of
# them has pages. So do the relays of 6to4, which are given up (RFC 7526).
_SPECIAL_4 = tuple(
    ipaddress.IPv4Network(block)
    for block in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
    )
)  # fmt: skip
# All that IANA gives out of IPv6 for use in the Internet (IPv6 Global Unicast Address Assignments, RFC 4291, 2.4). What
# lies beyond is local, reserved or not assigned: ::/96, SIIT (::ffff:0:0:0/96), the local NAT64 (64:ff9b:1::/48, of
# RFC 8215), discard and dummy prefixes (100::/32), segment identifiers (5f00::/16), fc00::/7, fe80::/9, ff00::/8.
_GLOBAL_6 = ipaddress.IPv6Network("2000::/3")
# Blocks within it that are not globally reachable (IANA IPv6 Special-Purpose Address Registry): protocol assignments
# (Teredo, benchmarks, ORCHID; whole, as 192.0.0.0/24 is) and documentation.
_SPECIAL_6 = tuple(ipaddress.IPv6Network(block) for block in ("2001::/23", "2001:db8::/32", "3fff::/20"))
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052: stands for the IPv4 address at its end
_NUMERIC_4 = re.compile(r"[0-9a-fx.]+")


class Refused(SourceError):  # noqa: N818  (it says what became of the wish, not what broke)
    """Something that may not be fetched at all: asking again cannot help."""


def normal_host(host: str) -> str:
    """The one spelling of a host: lower case, A-labels, addresses as they are usually written, no brackets, no end dot.

    Arguments:
        host: a name or an address as it stands in a URL (RFC 3986, 3.2.2), with or without brackets.

    Raises: ValueError for what cannot be a host.
    """
    import httpx2

    text = host.removeprefix("[").removesuffix("]").removesuffix(".").lower()
    try:
        address = ipaddress.IPv6Address(text)
        return str(address.ipv4_mapped or address.compressed)
    except ValueError:
        pass
    if _NUMERIC_4.fullmatch(text):
        try:
            return socket.inet_ntoa(socket.inet_aton(text))  # reads 127.1 and 0x7f000001 as resolvers do
        except OSError:
            pass
    try:
        return httpx2.URL(scheme="http", host=text).raw_host.decode("ascii")
    except httpx2.InvalidURL as problem:
        raise ValueError(str(problem)) from None


def public_addresses(host: str, port: int, *, allow_private: bool) -> list[str]:
    """The addresses that a host resolves to.

    Raises: SourceError where it does not resolve; Refused where any of them is not public (private, loopback,
        link-local, reserved, multicast; also inside of an IPv6 address that carries an IPv4 one).
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, ValueError, OverflowError) as problem:
        raise SourceError(host, f"the host cannot be resolved ({problem})") from None
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not allow_private:
        for address in addresses:
            if not is_public(address):
                raise Refused(host, f"{host} is at {address}, which is not a public address; refused")
    return addresses


def is_public(address: str) -> bool:
    """Whether anyone on the Internet reaches this address (see `_SPECIAL_4`, `_GLOBAL_6` and `_SPECIAL_6`).

    Arguments:
        address: an IPv4 or IPv6 address; a zone ("%eth0") is left out.

    Raises: ValueError for what is no address.
    """
    ip = ipaddress.ip_address(address.split("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        carried = ip.ipv4_mapped or ip.sixtofour
        if carried is None and ip in _NAT64:
            carried = ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)
        if carried is None:
            # Python's own tables are asked too: a newer Python knows what was registered after this was written.
            return ip in _GLOBAL_6 and not any(ip in block for block in _SPECIAL_6) and ip.is_global
        ip = carried
    return not any(ip in block for block in _SPECIAL_4) and ip.is_global


class Deadline:
    """A point in time after which nothing is read any more."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds that are left, never less than 0."""
        return max(self.end - time.monotonic(), 0.0)


def guarded_transport(may_be_private: Callable[[str, int], bool], deadline: Deadline) -> Any:
    """A transport for one request whose connections are checked and end at a deadline."""
    import httpcore2
    import httpx2

    class Stream(httpcore2.NetworkStream):
        """A connection whose reading and writing ends at the deadline, however slowly the other side drips."""

        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
            left = deadline.left()
            if not left:
                raise httpcore2.ReadTimeout("took too long")
            data: bytes = self.inner.read(max_bytes, min(left, timeout or left))
            return data

        def write(self, buffer: bytes, timeout: float | None = None) -> None:
            self.inner.write(buffer, max(min(deadline.left(), timeout or 3600.0), 0.001))

        def close(self) -> None:
            self.inner.close()

        def start_tls(
            self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
        ) -> Stream:
            left = max(deadline.left(), 0.001)
            return Stream(self.inner.start_tls(ssl_context, server_hostname, min(left, timeout or left)))

        def get_extra_info(self, info: str) -> Any:
            return self.inner.get_extra_info(info)

    class Backend(httpcore2.NetworkBackend):
        """Connects to public addresses only."""

        def __init__(self) -> None:
            self.inner = httpcore2.SyncBackend()

        def connect_tcp(
            self,
            host: str,
            port: int,
            timeout: float | None = None,
            local_address: str | None = None,
            socket_options: Iterable[Any] | None = None,
        ) -> Stream:
            problem: Exception | None = None
            for address in public_addresses(host, port, allow_private=may_be_private(host, port)):
                try:
                    left = max(deadline.left(), 0.001)
                    options: Any = socket_options
                    return Stream(self.inner.connect_tcp(address, port, min(left, 10.0), local_address, options))
                except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as failed:
                    problem = failed
            raise problem or httpcore2.ConnectError("no address")

        def connect_unix_socket(self, *arguments: Any, **options: Any) -> Any:
            raise httpcore2.ConnectError("no local sockets")

        def sleep(self, seconds: float) -> None:
            time.sleep(seconds)

    transport = httpx2.HTTPTransport(trust_env=False, limits=httpx2.Limits(max_keepalive_connections=0))
    transport._pool._network_backend = Backend()
    return transport
