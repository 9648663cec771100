from __future__ import annotations

import socket
from typing import Any

import pytest

from schemaproof.errors import SourceError
from schemaproof.sources.guard import Refused, is_public, normal_host
from schemaproof.sources.web import FetchLimits, check_address, fetch


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1",
     "224.0.0.1",
     "::1", "::", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
     "ff02::1",
     # The rest of the registries of IANA, and what is not given out for use in the Internet.
     "192.0.0.1", "192.0.0.8", "192.0.0.9", "192.0.0.170", "192.0.2.1", "192.88.99.2", "198.18.0.1", "198.51.100.1",
     "203.0.113.1", "240.0.0.1", "255.255.255.255", "0.1.1.1",
     "fec0::1", "64:ff9b:1::7f00:1", "64:ff9b:1::5db8:d822", "::ffff:0:7f00:1", "::ffff:0:5db8:d822", "3fff::1",
     "100::1", "100:0:0:1::1", "5f00::1", "2001::1", "2001:2::1", "2001:10::1", "2001:db8::1", "4000::1", "ff0e::1",
     "fe80::1%eth0", "64:ff9b::c000:201"],
)  # fmt: skip
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    ["93.184.216.34", "192.175.48.1", "2606:2800:220:1::1", "::ffff:93.184.216.34", "64:ff9b::5db8:d822",
     "2002:5db8:d822::1", "2620:4f:8000::1", "2001:4860:4860::8888", "2a00:1450::1"],
)  # fmt: skip
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


@pytest.mark.parametrize(
    ("host", "normal"),
    [
        ("LocalHost", "localhost"), ("a.example.", "a.example"), ("b\u00fccher.example", "xn--bcher-kva.example"),
        ("[::1]", "::1"), ("0:0::0001", "::1"), ("[::ffff:7f00:1]", "127.0.0.1"), ("cafe", "cafe"),
        ("127.1", "127.0.0.1"), ("0x7f000001", "127.0.0.1"), ("2130706433", "127.0.0.1"),
    ],
)  # fmt: skip
def test_a_host_has_one_spelling(host: str, normal: str) -> None:
    assert normal_host(host) == normal


@pytest.mark.parametrize(
    ("allowed", "host", "port", "may"),
    [
        ("[::1]:8080", "::1", 8080, True),
        ("[::1]:8080", "::1", 8081, False),
        ("[::1]", "::1", 8080, True),
        ("::1", "::1", 8080, True),
        ("[0:0::1]:8080", "::1", 8080, True),
        ("LocalHost", "localhost", 80, True),
        ("LOCALHOST:8080", "localhost", 8080, True),
        ("localhost.", "LOCALHOST", 1, True),
        ("127.0.0.1:8080", "127.0.0.1", 8080, True),
        ("127.0.0.1:8080", "127.0.0.1", 80, False),
        ("b\u00fccher.example", "xn--bcher-kva.example", 80, True),
        ("localhost:x", "localhost", 80, False),
        ("", "localhost", 80, False),
        ("a b", "localhost", 80, False),
    ],
)
def test_an_allowed_host_is_meant_in_any_spelling(allowed: str, host: str, port: int, may: bool) -> None:
    assert FetchLimits(allow_hosts=("other.example", allowed)).may_be_private(host, port) is may


def test_what_is_refused_is_told_from_what_failed() -> None:
    for url in ("http://127.0.0.1/", "ftp://a.example/"):
        with pytest.raises(Refused):
            check_address(url, FetchLimits())
    for url in ("http://nowhere.invalid/", "http://", "http://a.example:0x/"):
        with pytest.raises(SourceError) as caught:
            check_address(url, FetchLimits())
        assert not isinstance(caught.value, Refused)
