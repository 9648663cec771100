from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemaproof.markup.iri import is_absolute, is_damaged, is_doubtful, is_well_formed, lacks_scheme, resolve

BASE = "http://a/b/c/d;p?q"

# Reference → target, RFC 3986 clause 5.4.
RESOLVED = {
    "g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g",
    "//g": "http://g", "?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q#s",
    "g#s": "http://a/b/c/g#s", "g?y#s": "http://a/b/c/g?y#s", ";x": "http://a/b/c/;x", "g;x": "http://a/b/c/g;x",
    "": BASE, ".": "http://a/b/c/", "./": "http://a/b/c/", "..": "http://a/b/", "../": "http://a/b/",
    "../g": "http://a/b/g", "../..": "http://a/", "../../g": "http://a/g", "../../../g": "http://a/g",
    "/./g": "http://a/g", "/../g": "http://a/g", "g.": "http://a/b/c/g.", ".g": "http://a/b/c/.g",
    "g..": "http://a/b/c/g..", "./../g": "http://a/b/g", "./g/.": "http://a/b/c/g/", "g/./h": "http://a/b/c/g/h",
    "g/../h": "http://a/b/c/h", "g;x=1/./y": "http://a/b/c/g;x=1/y", "g;x=1/../y": "http://a/b/c/y",
    "g?y/../x": "http://a/b/c/g?y/../x", "g#s/../x": "http://a/b/c/g#s/../x",
}  # fmt: skip


@pytest.mark.parametrize("reference", RESOLVED)
def test_references_resolve_as_the_standard_says(reference: str) -> None:
    assert resolve(reference, BASE) == RESOLVED[reference]


@pytest.mark.parametrize(
    ("reference", "base", "target"),
    [
        ("#p", "https://example.com/page#old", "https://example.com/page#p"),
        ("img/l.jpg", "https://example.com", "https://example.com/img/l.jpg"),
        ("#p", "", "#p"),
        ("#p", None, "#p"),
        ("#p", "not/absolute", "#p"),
        ("x", "urn:isbn:1", "urn:x"),
    ],
)
def test_bases_of_other_shapes(reference: str, base: str | None, target: str) -> None:
    assert resolve(reference, base) == target


@pytest.mark.parametrize(
    ("text", "well_formed"),
    [
        ("https://example.com/a", True),
        ("https://example.com/ä?q=ü#ß", True),
        ("mailto:a@b.example", True),
        ("https://example.com/?q={term}", True),
        ("https://example.com/a b", False),
        ("https://example.com/<b>", False),
        ('https://example.com/"', False),
        ("https://example.com/a\\b", False),
        ("https://example.com/a\nb", False),
        ("/relative", False),
        ("", False),
    ],
)
def test_well_formed(text: str, well_formed: bool) -> None:
    assert is_well_formed(text) is well_formed


def test_templates_are_doubtful() -> None:
    assert is_doubtful("https://example.com/?q={term}")
    assert not is_doubtful("https://example.com/?q=term")


@pytest.mark.parametrize(
    ("reference", "lacks"),
    [
        ("www.example.org", True),
        ("WWW.example.org/a?b", True),
        ("example.co.uk/shop", True),
        ("img.jpg", False),
        ("a/b.html", False),
        ("index.php?x=1", False),
        ("/lamp", False),
        ("#p", False),
        ("Lamp", False),
        ("v1.2", False),
    ],
)
def test_forgotten_schemes(reference: str, lacks: bool) -> None:
    assert lacks_scheme(reference) is lacks


@pytest.mark.parametrize(
    ("reference", "damaged"),
    [
        ("https//b.example", True),
        ("http:/b.example", True),
        ("http:b.example", True),
        ("https:///b.example", True),
        ("http;//b.example", True),
        ("htp://b.example", True),
        ("ttps://b.example", True),
        ("hhttps://b.example", True),
        ("https://https://b.example", True),
        ("http://http//b.example", True),
        ("https://", True),
        ("https://b.example", False),
        ("HTTP://b.example/https://c.example", False),
        ("http-status.html", False),
        ("https.html", False),
        ("/http/b", False),
        ("mailto:http@b.example", False),
    ],
)
def test_damaged_schemes(reference: str, damaged: bool) -> None:
    assert is_damaged(reference) is damaged


@given(st.text(max_size=40), st.text(max_size=40))
def test_resolving_never_fails_and_gives_absolute_iris(reference: str, path: str) -> None:
    assert is_absolute(resolve(reference, "https://example.com/" + path))
