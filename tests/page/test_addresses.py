"""Addresses against a base."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.page.addresses import Resolver, sources

BASES = ["https://e.example", "https://e.example/a/b?q=1#f", "http://e.example:8080/a/", "https://e.example/a/../b/c"]
TARGETS = [
    "", "x", "x/y?z#w", "/x", "//o.example/x", "?q", "#f", "./x", "../x", "../../../x", "https://o.example/", "x:y",
    "a/./b",
    "mailto:a@b.example", "tel:+43", "data:text/plain,x", "javascript:void(0)", "/a/../b", "x y", "é", "HTTP://O.example/x",
]  # fmt: skip


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("target", TARGETS)
def test_as_the_standard_library_says(base: str, target: str) -> None:
    assert Resolver(base).resolve(target) == urljoin(base, target)


def test_white_space_is_stripped_as_browsers_do() -> None:
    assert Resolver("https://e.example/a/").resolve(" \n x\n\ty ") == "https://e.example/a/xy"


@pytest.mark.parametrize("target", ["http://[bad", "//[bad", "http://[::1", "/x", "\x00"])
def test_nothing_raises(target: str) -> None:
    for base in ("https://e.example/a", "", "http://[bad", "file:///a/b", "not a base"):
        Resolver(base).resolve(target)


def test_without_a_base_addresses_stay_relative() -> None:
    assert Resolver("").resolve(" x/y ") == "x/y"


@given(st.sampled_from(BASES), st.text(alphabet="ab/.:?#[]%\\ é", max_size=12))
@settings(deadline=None, max_examples=300)
def test_any_target_gives_one_answer(base: str, target: str) -> None:
    resolver = Resolver(base)
    assert resolver.resolve(target) == resolver.resolve(target)


@pytest.mark.parametrize(
    ("srcset", "found"),
    [
        ("a.jpg", ["a.jpg"]),
        ("a.jpg 1x, b.jpg 2x", ["a.jpg", "b.jpg"]),
        ("a.jpg 100w,b.jpg 200w", ["a.jpg", "b.jpg"]),
        ("a,b.jpg 2x", ["a,b.jpg"]),
        ("a.jpg, b.jpg,", ["a.jpg", "b.jpg"]),
        (" , ,", []),
        ("data:image/gif;base64,R0 1x, b.jpg", ["data:image/gif;base64,R0", "b.jpg"]),
    ],
)
def test_sources_of_a_srcset(srcset: str, found: list[str]) -> None:
    assert sources(srcset) == found
