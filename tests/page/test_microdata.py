"""Microdata by the algorithm of HTML section 5.2."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.page import read_page

FIXTURES = Path(__file__).parent.parent / "fixtures" / "pages-read"


def items(body: str, url: str = "https://e.example/d/p") -> list[dict[str, Any]]:
    return list(read_page(f"<!doctype html><body>{body}", url=url).microdata)


def properties(body: str) -> dict[str, Any]:
    [item] = items(f"<div itemscope>{body}</div>")
    found: dict[str, Any] = item["properties"]
    return found


@pytest.mark.parametrize(
    ("element", "value"),
    [
        ("<span itemprop=p> a \n <b>b</b></span>", "a b"),
        ("<div itemprop=p><p>a</p><p>b</p><script>c</script></div>", "a\nb"),
        ("<meta itemprop=p content=' a  b '>", " a  b "),
        ("<meta itemprop=p>", ""),
        ("<span itemprop=p content=9.50>9,50</span>", "9.50"),
        ("<img itemprop=p src=x.jpg>", "https://e.example/d/x.jpg"),
        ("<img itemprop=p>", ""),
        ("<a itemprop=p href=/x>text</a>", "https://e.example/x"),
        ("<link itemprop=p href=https://schema.org/InStock>", "https://schema.org/InStock"),
        ("<object itemprop=p data=o.pdf></object>", "https://e.example/d/o.pdf"),
        ("<iframe itemprop=p src=//v.example/></iframe>", "https://v.example/"),
        ("<data itemprop=p value=978>Nine</data>", "978"),
        ("<meter itemprop=p value=4 max=5>4 of 5</meter>", "4"),
        ("<time itemprop=p datetime=2024-01-02>today</time>", "2024-01-02"),
        ("<time itemprop=p>2024-01-03</time>", "2024-01-03"),
        ("<p hidden itemprop=p>also hidden</p>", "also hidden"),
    ],
)
def test_the_value_of_an_element(element: str, value: str) -> None:
    assert properties(element) == {"p": [value]}


def test_names_and_types_are_sets_of_tokens() -> None:
    [item] = items('<div itemscope itemtype="A  B A" itemid="#i"><b itemprop="x y x">1</b><b itemprop="x">2</b></div>')
    assert item == {
        "type": ["A", "B"],
        "id": "https://e.example/d/p#i",
        "properties": {"x": ["1", "2"], "y": ["1"]},
    }


def test_items_nest_and_orphans_are_no_items() -> None:
    found = items(
        "<div itemscope itemtype=A><div itemprop=b itemscope itemtype=B><i itemprop=n>1</i></div><i itemprop=n>2</i>"
        "<div itemscope itemtype=C><i itemprop=n>3</i></div></div><i itemprop=n>4</i>"
    )
    assert found == [
        {"type": ["A"], "properties": {"b": [{"type": ["B"], "properties": {"n": ["1"]}}], "n": ["2"]}},
        {"type": ["C"], "properties": {"n": ["3"]}},
    ]


def test_itemref_adds_elements_in_tree_order_once() -> None:
    [item] = items(
        "<i id=z itemprop=p>1</i><div itemscope itemref='y z y gone'><i itemprop=p>2</i></div>"
        "<p id=y><i itemprop=p>3</i></p>"
    )
    assert item["properties"] == {"p": ["1", "2", "3"]}
    page = read_page("<div itemscope itemref=gone></div>")
    assert [notice.code for notice in page.warnings] == ["microdata-itemref"]


def test_an_item_that_refers_to_itself_counts_each_element_once() -> None:
    [item] = items('<div id="a" itemscope itemref="a"><span itemprop="name">Lamp</span></div>')
    assert item["properties"] == {"name": ["Lamp"]}


def test_cycles_are_cut_with_a_warning() -> None:
    page = read_page((FIXTURES / "review.html").read_bytes(), url="https://kino.example/k/review")
    [event] = page.microdata
    place = event["properties"]["location"][0]
    assert place["properties"]["name"] == ["Kino am Markt"]
    hall = place["properties"]["containsPlace"][0]
    assert hall["properties"] == {"name": ["Saal 1"], "geo": [{"type": [], "properties": {}}]}
    assert event["properties"]["organizer"] == ["https://kino.example/verein"]
    assert "microdata-itemref-cycle" in {notice.code for notice in page.warnings}
    json.dumps(page.microdata)


def test_references_cannot_multiply_a_page_without_end() -> None:
    # Each level names the next one twice: 2 ** 60 items if nothing stopped it.
    levels = "".join(
        f"<div id=l{n}><p itemprop=a itemscope itemref=l{n + 1}></p><p itemprop=b itemscope itemref=l{n + 1}></p></div>"
        for n in range(60)
    )
    started = time.process_time()
    page = read_page(f"<div itemscope itemref=l0></div>{levels}")
    assert time.process_time() - started < 20
    assert "microdata-work" in {notice.code for notice in page.warnings}


SOUP = (
    "<div_itemscope> <div_itemscope_itemprop=a> <div_itemscope_itemprop=b_itemref=x_id=y> <p_id=x> <p_itemprop=c> </p> "
    "<div_id=x_itemscope_itemref=y_itemprop=d> </div> <meta_itemprop=e_content=1> text "
    "<div_itemscope_itemref='x_y_z'> <b_itemprop='a_b'>"
)
PIECES = st.sampled_from(SOUP.split(" ")).map(lambda piece: piece.replace("_", " "))


@given(st.lists(PIECES, max_size=25))
@settings(deadline=None, max_examples=200)
def test_any_soup_ends_and_can_be_written(pieces: list[str]) -> None:
    json.dumps(read_page("".join(pieces)).microdata)
