"""What styles and attributes say."""

from __future__ import annotations

import pytest

from schemaproof.page import elements
from schemaproof.page.elements import declarations, media_addresses, number_of, style_addresses


@pytest.mark.parametrize(
    ("style", "said"),
    [
        ("", ("", "")),
        ("display:none", ("none", "")),
        (" color : red ; DISPLAY : None ! important ", ("none", "")),
        ("display:none;display:block", ("block", "")),
        ("visibility:hidden", ("", "hidden")),
        ("display:inline-block;visibility:visible", ("inline-block", "visible")),
        ("/* display:none */color:red", ("", "")),
        ("background:url(display:none)", ("", "")),
        ("my-display:none", ("", "")),
        ("content-visibility:hidden", ("none", "")),
        ("position:absolute;left:-9999px", ("none", "")),
        ("left:-10000px;position:fixed", ("none", "")),
        ("position:absolute;top:-999em", ("none", "")),
        ("position:absolute;left:-20px", ("", "")),
        ("position:relative;left:-9999px", ("", "")),
    ],
)
def test_declarations(style: str, said: tuple[str, str]) -> None:
    assert declarations(style) == said


def test_addresses_of_styles() -> None:
    assert style_addresses("background: URL( 'a b.png' ), url(c.png); mask:url(#m); x:url(data:image/png,x)") == [
        "a b.png",
        "c.png",
    ]
    assert style_addresses("color: red") == []


def test_addresses_of_media_once_each() -> None:
    attributes = {
        "src": "data:x", "data-src": "a.jpg", "srcset": "a.jpg 1x, /b.jpg 2x", "data-full": "/c.jpg",
        "data-note": "see /d", "data-lazy-srcset": "e.jpg 1x", "alt": "/no", "poster": None,
    }  # fmt: skip
    assert media_addresses(attributes) == ["a.jpg", "/b.jpg", "/c.jpg", "e.jpg"]


@pytest.mark.parametrize(
    ("value", "number"), [("3", 3), (" 2 ", 2), ("0", 1), ("-1", 1), ("x", 1), (None, 1), ("99999", 9), ("٣", 1)]
)
def test_spans_are_numbers_within_bounds(value: str | None, number: int) -> None:
    assert number_of(value, 9) == number


def test_every_structure_is_a_block() -> None:
    assert all(elements.KINDS[tag] == elements.BLOCK for tag in elements.STRUCTURE - {"textarea"})
