"""Addresses and telephone numbers compared the way people would."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.agents.grounding import addresses


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://www.Shop.example/a/", "http://shop.example/a"),
        ("//shop.example/a", "https://shop.example/a"),
        ("https://shop.example/index.html", "https://shop.example"),
        ("https://shop.example/%C3%BC", "https://shop.example/ü"),
        ("https://shop.example/a#top", "https://shop.example/a"),
        ("shop.example/a", "https://shop.example/a"),
    ],
)
def test_same_address(one: str, other: str) -> None:
    assert addresses.normal(one) == addresses.normal(other)


def test_the_query_tells_pages_apart() -> None:
    assert addresses.normal("https://a.example/p?id=1") != addresses.normal("https://a.example/p?id=2")


@pytest.mark.parametrize(
    "value", ["https://a.example", "//a.example/b", "/img/l.jpg", "www.a.example", "lamp.html", "a.com"]
)
def test_is_address(value: str) -> None:
    assert addresses.is_address(value)


@pytest.mark.parametrize("value", ["Desk Lamp", "4/5", "and/or", "", "e.g.", "Mr. Smith", "12.50"])
def test_is_no_address(value: str) -> None:
    assert not addresses.is_address(value)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("+49 (0)30 1234567", "030 / 12 34 567", True),
        ("0049 30 1234567", "+49-30-1234567", True),
        ("+1-555-123-4567", "(555) 123-4567", True),
        ("555-123-4567", "555-123-4568", False),
        ("1234567", "0001234", False),
    ],
)
def test_phones(one: str, other: str, same: bool) -> None:
    assert addresses.same_phone(addresses.digits_of(one), addresses.digits_of(other)) is same


def test_emails() -> None:
    assert addresses.email_of("mailto:Hi@Lamp.example?subject=x") == "hi@lamp.example"
    assert addresses.email_of("hi (at) lamp.example") == "hi@lamp.example"
    assert addresses.email_of("not one") == ""
    assert set(addresses.find_emails("write to info [at] lamp.example or a@b.example")) == {
        "info@lamp.example",
        "a@b.example",
    }


def test_sizes_of_an_image_share_a_name() -> None:
    names = {
        addresses.image_name(f"a.example/i/desk-lamp{size}.jpg")
        for size in ("", "-300x200", "-scaled", "_thumb", "@2x")
    }
    assert names == {"desk-lamp"}
    assert addresses.image_name("a.example/i/1.jpg") == "1"


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_nothing_breaks(text: str) -> None:
    normal = addresses.normal(text)
    addresses.image_name(normal)
    assert addresses.host_of(normal) in normal
    addresses.is_address(text)
    addresses.email_of(text)
