from __future__ import annotations

import socket
from typing import Any

import pytest

from schemaproof.errors import SourceError
from schemaproof.sources.guard import is_public
from schemaproof.sources.web import FetchLimits, check_address, fetch


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1",
     "224.0.0.1",
     "::1", "::", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
     "ff02::1"],
)  # fmt: skip
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:93.184.216.34"])
def test_addresses_that_are(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    ["http://2130706433/", "http://0x7f.1/", "http://localhost/", "http://[::1]/", "http://127.1/", "ftp://a.example/"],
)
def test_other_spellings_of_loopback_are_refused(url: str) -> None:
    with pytest.raises(SourceError, match=r"not a public|only http|cannot be resolved"):
        check_address(url, FetchLimits())


def test_a_name_that_changes_its_address_is_refused_when_the_connection_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def resolve(host: str, port: int, *arguments: Any, **options: Any) -> Any:
        asked.append(host)
        address = "93.184.216.34" if len(asked) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    source = fetch("http://rebinding.example/", FetchLimits(seconds=3))
    assert source.error is not None
    assert "127.0.0.1, which is not a public address" in source.error
    assert len(asked) == 2
