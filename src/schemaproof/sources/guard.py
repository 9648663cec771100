"""Connections that go only where they may, and end when they must.

The check stands where the connection is made, so that no name can resolve to one address for the check and to another
for the connection.
"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Callable, Iterable
from typing import Any

from schemaproof.errors import SourceError


def public_addresses(host: str, port: int, *, allow_private: bool) -> list[str]:
    """The addresses that a host resolves to.

    Raises: SourceError where it does not resolve, or where any of them is not public (private, loopback,
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
                raise SourceError(host, f"{host} is at {address}, which is not a public address; refused")
    return addresses


def is_public(address: str) -> bool:
    """Whether anyone on the Internet reaches this address."""
    ip: Any = ipaddress.ip_address(address.split("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        number = int(ip)
        if ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        elif ip.sixtofour is not None:
            ip = ip.sixtofour
        elif number >> 32 == 0x0064_FF9B_0000_0000_0000_0000:  # NAT64, RFC 6052
            ip = ipaddress.IPv4Address(number & 0xFFFF_FFFF)
        elif number >> 32 == 0:  # IPv4-compatible
            return False
    return bool(ip.is_global and not ip.is_multicast)


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
