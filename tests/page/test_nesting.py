"""What is taken out before the parse, and that ordinary pages come back as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.page import read_page
from schemaproof.page.nesting import ATTRIBUTE_PARTS, DEPTH_LIMIT, FORMATTING_LIMIT, flatten, parse

FILLER = b"<i>x</i>" * 1500


def real_depth(source: bytes) -> int:
    """How many elements the parser has open at once."""
    deepest, stack = 0, [parse(source).root]
    node = stack[0].first_child if stack[0] is not None else None
    while node is not None:
        deepest = max(deepest, len(stack) + 1)
        child = node.first_child
        if child is not None:
            stack.append(node)
            node = child
            continue
        while node is not None and node.next is None:
            node = stack.pop() if len(stack) > 1 else None
        node = node.next if node is not None else None
    return deepest


@pytest.mark.parametrize("tag", [b"div", b"span", b"object", b"ul", b"SECTION", b"x-y", b"svg"])
def test_elements_beyond_the_depth_of_browsers_are_taken_out(tag: bytes) -> None:
    opening, closing = b"<%b>" % tag, b"</%b>" % tag
    source = opening * 9000 + b"deep" + closing * 9000 + FILLER
    flat, changed = flatten(source)
    assert changed
    assert flat.count(opening) == DEPTH_LIMIT
    assert b"deep" in flat
    assert flat.endswith(FILLER)
    assert real_depth(flat) <= DEPTH_LIMIT + 5


@pytest.mark.parametrize("tag", [b"p", b"li", b"td", b"tr", b"option", b"dd", b"br", b"img", b"input", b"a"])
def test_elements_that_do_not_nest_are_left_alone(tag: bytes) -> None:
    source = b"<%b>x" % tag * 5000
    assert flatten(source) == (source, False)
    page = read_page(b"<ul>" + b"<li>x" * 5000)
    assert len(page.blocks) == 5000
    assert page.blocks[-1].row == 4999


def test_formatting_elements_that_are_never_closed_are_taken_out() -> None:
    source = b"".join(b"<font color=%d>" % n for n in range(800)) + b"<p>x</p>" * 1500
    flat, changed = flatten(source)
    assert changed
    assert flat.count(b"<font") == FORMATTING_LIMIT
    assert flat.count(b"<p>x</p>") == 1500


def test_formatting_elements_that_are_closed_are_left_alone() -> None:
    source = b"<b><i><u>x</u></i></b>" * 2000
    assert flatten(source) == (source, False)


def test_attributes_without_end_are_cut() -> None:
    source = b"<div " + b" ".join(b"a%d=1" % n for n in range(30_000)) + b">x</div>"
    flat, changed = flatten(source)
    assert changed
    assert len(flat) < 20 * ATTRIBUTE_PARTS
    assert flat.endswith(b">x</div>")


def test_long_values_are_no_attributes_without_end() -> None:
    source = b"<img src='data:image/png;base64," + b"Ab/+ =" * 40_000 + b"' alt=x>"
    assert flatten(source) == (source, False)


def test_scripts_and_comments_open_nothing() -> None:
    source = b"<!--" + b"<div>" * 14000 + b"--><script>" + b"if(a<b)" * 4000 + b"'<div>'</script>" + FILLER
    assert flatten(source) == (source, False)


NAMES = b"div p span b font table tr td ul li a h1 section form button dl dd object i x-y pre ol".split()
TAGS = st.tuples(st.booleans(), st.sampled_from(NAMES)).map(lambda tag: b"<%b%b>" % (b"/" if tag[0] else b"", tag[1]))


@given(st.lists(TAGS | st.sampled_from([b"x", b"<br>", b"<path/>", b"<a b='>'>"]), min_size=1, max_size=8))
@settings(deadline=None, max_examples=150)
def test_depth_is_bounded_whatever_comes(motif: list[bytes]) -> None:
    source = b"".join(motif)
    flat, _ = flatten(source * (10_500 // max(source.count(b"<"), 1) + 1))
    assert real_depth(flat) <= 4 * DEPTH_LIMIT


def test_no_recorded_page_loses_more_than_formatting(shared: Path) -> None:
    import duckdb

    rows = duckdb.execute("select html from read_parquet(?)", [str(shared / "paper" / "pages.parquet")]).fetchall()
    changed = [html for (html,) in rows if flatten(html.encode())[1]]
    assert len(changed) <= 1
