from __future__ import annotations

import time

import pytest

from schemaproof.sources.robots import read_robots

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
