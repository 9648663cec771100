"""Telephone numbers, e-mail addresses, profiles and postal addresses."""

from __future__ import annotations

import pytest

from schemaproof.generation.contacts import emails, linked_email, linked_phone, phones, postal_address, profile


@pytest.mark.parametrize(
    ("text", "language", "wanted"),
    [
        (
            "14 Quayside Road, Hexley NE99 4XZ, United Kingdom", "en",
            {"streetAddress": "14 Quayside Road", "addressLocality": "Hexley", "postalCode": "NE99 4XZ",
             "addressCountry": "United Kingdom"},
        ),
        (
            "3 place du Marché, 59999 Valmorel-sur-Lys", "fr",
            {"streetAddress": "3 place du Marché", "postalCode": "59999", "addressLocality": "Valmorel-sur-Lys"},
        ),
        (
            "Lindenstraße 8, 10999 Berlin", "de",
            {"streetAddress": "Lindenstraße 8", "postalCode": "10999", "addressLocality": "Berlin"},
        ),
        (
            "〒604-0000 京都府京都市中京区御幸町通霧灯下る1-2", "ja",
            {"postalCode": "604-0000", "addressRegion": "京都府", "addressLocality": "京都市中京区",
             "streetAddress": "御幸町通霧灯下る1-2"},
        ),
        (
            "123 Main St, Springfield, IL 62701, USA", "en",
            {"streetAddress": "123 Main St", "addressLocality": "Springfield", "addressRegion": "IL",
             "postalCode": "62701", "addressCountry": "USA"},
        ),
        (
            "33 Mill St., Toronto ON M5A 3R3", "en",
            {"streetAddress": "33 Mill St.", "addressLocality": "Toronto", "addressRegion": "ON",
             "postalCode": "M5A 3R3"},
        ),
        (
            "Singel 1, 1015 CN Amsterdam", "nl",
            {"streetAddress": "Singel 1", "postalCode": "1015 CN", "addressLocality": "Amsterdam"},
        ),
        (
            "Mostní 24/1, 746\u00a001 Opava", "cs",
            {"streetAddress": "Mostní 24/1", "postalCode": "746\u00a001", "addressLocality": "Opava"},
        ),
    ],
)  # fmt: skip
def test_postal_addresses(text: str, language: str, wanted: dict[str, str]) -> None:
    found = postal_address(text, language, sure=True)
    assert found is not None
    assert {name: fact.value for name, fact in found.parts.items()} == wanted
    assert all(text[fact.start : fact.end] == fact.value for fact in found.parts.values())


@pytest.mark.parametrize(
    "text",
    [
        "Intel Core i9-9900K, NVIDIA GeForce RTX 3060",
        "2 minuty čtení, 1378 přečtení",
        "Posted on May 3, 2024, 1200 views",
        "Room 5, floor 2, 10000 visitors",
    ],
)
def test_what_is_no_address(text: str) -> None:
    assert postal_address(text, "en") is None


def test_phones() -> None:
    assert [fact.value for fact in phones("Ring 01632 960 118 or +44 1632 960 119")] == [
        "01632 960 118",
        "+44 1632 960 119",
    ]
    assert [fact.value for fact in phones("電話 075-000-0142")] == ["075-000-0142"]
    assert phones("2019-2022, 12.05.2024, 1234567 %") == [] or all("%" not in str(f.value) for f in phones("2019-2022"))


def test_emails_and_links() -> None:
    assert [fact.value for fact in emails("write to a.b@shop.example.")] == ["a.b@shop.example"]
    assert emails("user @ home") == []
    assert linked_email("mailto:hello@shop.example?subject=x") == "hello@shop.example"
    assert linked_phone("tel:+441632960118") == "+441632960118"
    assert linked_email("https://shop.example") == linked_phone("mailto:a@b.example") == ""


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("https://www.facebook.com/larkfield", True),
        ("https://www.facebook.com/sharer/sharer.php?u=x", False),
        ("https://twitter.com/intent/tweet?text=x", False),
        ("https://twitter.com/larkfield", True),
        ("https://twitter.com/larkfield/status/1", False),
        ("https://www.instagram.com/explore/tags/pie/", False),
        ("https://facebook.com/", False),
        ("https://notfacebook.com/larkfield", False),
        ("/facebook.com/x", False),
        ("javascript:void(0)", False),
    ],
)
def test_profiles(url: str, wanted: bool) -> None:
    assert profile(url) is wanted
