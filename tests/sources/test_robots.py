from __future__ import annotations

import time

import pytest

from schemaproof.sources.robots import MAXIMUM_BYTES, read_robots

FILE = b"""# rules
User-agent: googlebot
User-agent: schemaproof
Disallow: /a
Allow: /a/b
Disallow: /*.pdf$
Disallow: /*?session=
Disallow: /caf%C3%A9
Allow: /$
Crawl-delay: 3

User-agent: *
Disallow: /
"""


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", True),
        ("/x", True),
        ("/a", False),
        ("/a/c", False),
        ("/a/b/c", True),
        ("/file.pdf", False),
        ("/file.pdf?x", True),
        ("/x?session=1", False),
        ("/caf\u00e9", False),
        ("/robots.txt", True),
    ],
)
def test_the_longest_rule_decides(path: str, allowed: bool) -> None:
    robots = read_robots(FILE, "schemaproof")
    assert robots.allows(f"https://a.example{path}") is allowed
    assert robots.delay == 3


def test_groups() -> None:
    assert not read_robots(FILE, "another").allows("https://a.example/x")
    assert read_robots(b"User-agent: x\nDisallow: /", "another").allows("https://a.example/x")
    assert read_robots(b"<html>no rules</html>", "another").allows("https://a.example/x")
    assert read_robots(b"User-agent: *\nDisallow:\n", "another").allows("https://a.example/x")
    both = read_robots(b"User-agent: *\nDisallow: /p\nAllow: /p\n", "another")
    assert both.allows("https://a.example/p")


def test_piled_up_stars_cost_no_time() -> None:
    robots = read_robots(b"User-agent: *\nDisallow: /" + b"*a" * 200 + b"$\n", "x")
    started = time.process_time()
    assert robots.allows("https://a.example/" + "a" * 5000 + "b")
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("rule", "path", "matches"),
    [
        # Escapes, as in the table of RFC 9309, 2.2.2.
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", True),
        ("/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", True),
        ("/foo/bar/\u30c4", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%e3%83%84", "/foo/bar/\u30c4", True),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz", True),
        ("/foo/bar/baz", "/foo/bar/%62%61%7a", True),
        ("/%7ejoe", "/~joe", True),
        # Reserved characters are not their escapes.
        ("/a%2Fb", "/a/b", False),
        ("/a/b", "/a%2fb", False),
        ("/a%2fb", "/a%2Fb", True),
        ("/a%3Fb", "/a?b", False),
        ("/a?b", "/a%3Fb", False),
        ("/*%2Fb", "/x?u=%2Fb", True),
        ("/*/b", "/x?u=/b", True),
        ("/a?x=1%262", "/a?x=1&2", False),
        ("/100%", "/100%25", True),
        ("/a b", "/a%20b", True),
        # Special characters (2.2.3).
        ("/price-%24", "/price-$", True),
        ("/price-%24", "/price-%24x", True),
        ("/price-%24", "/price-", False),
        ("/a-%2A.html", "/a-*.html", True),
        ("/a-%2a.html", "/a-x.html", False),
        ("/a$b", "/a$b", True),
        ("/a*$", "/ab?c", True),
        ("/*b$", "/abab", True),
        ("/ab*b$", "/ab", False),
        ("/*?", "/x?", True),
        ("/*?", "/x", False),
        ("/*?$", "/x?", True),
        ("/*?$", "/x?y", False),
        # Dot segments (RFC 3986, 5.2.4).
        ("/private/", "/pub/../private/x", True),
        ("/private/", "/./private/x", True),
        ("/private/", "/private/../pub", False),
    ],
)
def test_a_rule_is_compared_by_its_normal_form(rule: str, path: str, matches: bool) -> None:
    robots = read_robots(f"User-agent: *\nDisallow: {rule}\n".encode(), "x")
    assert robots.allows(f"https://a.example{path}") is not matches


@pytest.mark.parametrize(
    "between", ["Crawl-delay: 1", "Sitemap: https://a.example/s.xml", "Host: a.example", "", "nothing"]
)
def test_other_records_end_no_group(between: str) -> None:
    text = f"User-agent: schemaproof\n{between}\nUser-agent: *\nDisallow: /\n{between}\nDisallow: /x\n"
    for product in ("schemaproof", "another"):
        robots = read_robots(text.encode(), product)
        assert not robots.allows("https://a.example/a")
        assert robots.delay == (1.0 if between.startswith("Crawl") else 0.0)


def test_a_rule_ends_the_names_of_a_group() -> None:
    text = b"User-agent: schemaproof\nCrawl-delay: 2\nDisallow:\nUser-agent: *\nCrawl-delay: 5\nDisallow: /\n"
    assert read_robots(text, "schemaproof").allows("https://a.example/a")
    assert read_robots(text, "schemaproof").delay == 2
    assert not read_robots(text, "another").allows("https://a.example/a")


def test_groups_of_one_name_are_one() -> None:
    text = b"User-agent: SchemaProof/2.0\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\n"
    robots = read_robots(text + b"User-agent: schemaproof\nDisallow: /b\n", "schemaproof")
    assert [robots.allows(f"https://a.example/{path}") for path in "abc"] == [False, False, True]


@pytest.mark.parametrize("delay", ["nan", "-1", "x", "1e999"])
def test_a_delay_that_is_none(delay: str) -> None:
    robots = read_robots(f"User-agent: *\nCrawl-delay: {delay}\n".encode(), "x")
    assert robots.delay == (30.0 if delay == "1e999" else 0.0)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_lines_end_where_the_grammar_says(end: str) -> None:
    text = f"\ufeffUser-agent: *{end}Disallow: /a{end}"
    assert not read_robots(text.encode(), "x").allows("https://a.example/a")


@pytest.mark.parametrize("inside", ["\u2028", "\x85", "\x0c", "\x0b", "\x1e"])
def test_lines_end_nowhere_else(inside: str) -> None:
    text = f"User-agent: *\nDisallow: /a{inside}Allow: /\n"
    assert not read_robots(f"User-agent: *\nDisallow: /\n# x{inside}Allow: /\n".encode(), "x").allows(
        "https://a.example/a"
    )
    assert not read_robots(text.encode(), "x").allows(f"https://a.example/a{inside}Allow:%20/")


def test_a_long_file_holds_as_far_as_it_is_read() -> None:
    filling = b"# filling\n" * (MAXIMUM_BYTES // 10)
    first = b"User-agent: *\nDisallow: /a\n"
    cut = first + filling + b"Disallow: /b\n"
    assert not read_robots(cut, "x").allows("https://a.example/a")
    # The line that is cut off would otherwise forbid everything.
    begun = b"Disallow: /"
    short = first + b"#" * (MAXIMUM_BYTES - len(first) - len(begun) - 1) + b"\n" + begun + b"private\n"
    assert read_robots(short, "x").allows("https://a.example/c")
    assert MAXIMUM_BYTES >= 500 * 1024
    late = first + b"#" * (500 * 1024 - len(first) - 13) + b"\nDisallow: /z" + b"\n" + filling
    assert not read_robots(late, "x").allows("https://a.example/z")
    assert read_robots(b"x" * (MAXIMUM_BYTES + 1), "x").allows("https://a.example/a")
