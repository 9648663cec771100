"""The scripts found without a tree are those of the tree, or none are told."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.page.nesting import parse
from schemaproof.page.outline import attributes_of, outline

LD = "<script type=application/ld+json>"
PIECES = [
    "<p>", "</p>", "<div>", "</div>", "<div a='", "<div a=\"", "'>", "\">", "'", "\"", ">", "<", "</", "<!", "<?x ",
    "=",
    " ", "\n", "\r", "\r\n", "\0", "a=b", "text", "é\U0001f600", "/", "/>", "<!--", "-->", "--!>", "-", "<!-->",
    "<!--->",
    "<!doctype html>", "<![CDATA[", "]]>", LD, "<script>", "<SCRIPT TYPE='a'>", "<script ", "<script/>", "</script>",
    "</script ", "</SCRIPT/>", "</scripty>", "<scripty>", "{}", "var a = '<!--'", "<script src=x></script>",
    "<style>", "</style>", "<title>", "</title>", "<textarea>", "</textarea>", "<xmp>", "</xmp>", "<iframe>",
    "</iframe>",
    "<noembed>", "</noembed>", "<noframes>", "</noframes>", "<noscript>", "</noscript>", "<template>", "</template>",
    "<plaintext>", "<svg>", "</svg>", "<svg/>", "<g>", "</g>", "<path d='M0'/>", "<desc>", "</desc>", "<foreignObject>",
    "</foreignObject>", "<math>", "</math>", "<mi>", "<select>", "</select>", "<option>", "<optgroup>", "<table>",
    "</table>",
    "<tr>", "<td>", "</td>", "<caption>", "<colgroup>", "<col>", "<b>", "</b>", "<a>", "</a>", "<frameset>",
    "</frameset>",
    "<frame>", "<head>", "</head>", "<body>", "</body>", "</html>", "<base href=x>", "<base href='y'target=z>",
    "<script type='a`'async>", "<script type=b`c>", "<input>", "<button>", "</button>",
    "<option>x</option>", f"{LD}{{}}</script>", f"{LD}[1]</script>", f"<!-- {LD}</script> -->", f"<p title='{LD}'>",
    f'<a data-x = "<b>{LD}</b>">', "<svg><title>x</title><style>a>b</style><g><path d=\"<\"/></g></svg>",
    "<select><option value=1>x<option>y</select>", "<object>", "</object>", "<li>", "<form>", "</form>",
]  # fmt: skip


Told = tuple[str | None, list[tuple[str, str]]]


def by_tree(html: str) -> Told:
    """The first base element's target, and type and content of the script elements of a tree."""
    found = []
    tree = parse(html.encode())
    for script in tree.css("script"):
        child = script.first_child
        found.append((script.attributes.get("type") or "", (child.text_content or "") if child is not None else ""))
    base = tree.css_first("base[href]")
    return None if base is None else base.attributes["href"] or "", found


def by_outline(html: str) -> Told | None:
    outlined = outline(html)
    if outlined is None:
        return None
    return outlined.base, [
        (
            attributes_of(tag).get("type", ""),
            html[start:end].replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd"),
        )
        for tag, start, end in outlined.scripts
    ]


@given(st.lists(st.sampled_from(PIECES), max_size=30))
@settings(deadline=None, max_examples=1500)
def test_what_is_told_is_what_the_tree_says(pieces: list[str]) -> None:
    html = "".join(pieces)
    told = by_outline(html)
    assert told is None or told == by_tree(html)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_what_is_told_of_many_soups_is_what_the_tree_says(seed: int) -> None:
    choose = random.Random(seed)
    told = 0
    for _ in range(25_000):
        some = choose.choices(PIECES, k=choose.randint(4, 14))
        html = "".join(choose.choices(some, k=choose.randint(1, 20)))
        outlined = by_outline(html)
        if outlined is not None:
            told += bool(outlined[1])
            assert outlined == by_tree(html), html
    assert told > 1000


@pytest.mark.parametrize(
    "html",
    [
        f"{LD}1</script><!-- {LD}2</script> -->{LD}3</script>",
        f"<p title='{LD}2</script>'>{LD}3</script>",
        f"<style>a>b{{}} <!-- {LD}2</script> --></style>{LD}3</script>",
        f"<textarea>{LD}2</script></textarea><noscript>{LD}3</script></noscript>",
        f"<svg viewBox='0 0 1 1'><title>a &amp; b</title><g><path d='M0 0'/></g></svg>{LD}3</script>",
        f"<svg><svg><path/></svg></svg><select class=x multiple><option selected>a</select>{LD}3</script>",
        f"<table><tr><td>x</table>{LD}3</script><TABLE></TABLE >",
        f"<?xml version='1.0'?><!DOCTYPE html PUBLIC \"a>b\">{LD}3</script>",
        f'<p>a < b & "c" = \'d{LD}3</script>',
    ],
)
def test_ordinary_pages_are_told_without_a_tree(html: str) -> None:
    assert by_outline(html) == by_tree(html)
    assert by_tree(html)[1][-1][1] == "3"


@pytest.mark.parametrize(
    "html",
    [
        f"<template>{LD}3</script></template>",
        f"<svg>{LD}3</script></svg>",
        f"<table>{LD}1</script><b>{LD}2</script></b></table>",
        f'{LD}{{"a": "<!-- <script>"}}</script> --></script>',
        f"<plaintext>{LD}1</script>",
        f"{LD}1",
        f"<!-- {LD}1</script>",
        "<script type = application/ld+json a='b'\">1</script>",
        "<math><mi>x</mi></math>",
        f"<select><style></select>{LD}1</script>",
    ],
)
def test_what_depends_on_the_open_elements_is_left_to_the_tree(html: str) -> None:
    assert outline(html) is None


def test_the_first_base_element_with_a_target_is_told() -> None:
    pages = ("<BASE target=x><base HREF=' y '><base href=z>", "<!-- <base href=x> -->", "<basefont href=x>")
    assert [told and told.base for told in map(outline, pages)] == [" y ", None, None]


def test_of_equal_attributes_the_first_counts() -> None:
    assert attributes_of(" TYPE='a' type=b\n async data-x = \"c d\" /x=y>") == {
        "type": "a",
        "async": "",
        "data-x": "c d",
        "x": "y",
    }


@pytest.mark.parametrize(
    "piece",
    ["<", "<a x='", "<!--", "<!-->", "<script>", "<svg>", "<svg><g>", "<select>", "<table>", "</table>", "<a =\"",
    "\"<p>'",
     "<script></script>", "<table></table>", "<a x='<base >'>", "<style></style>", "\0", "<a " + "b=c " * 20],
)  # fmt: skip
def test_it_takes_linear_time(piece: str) -> None:
    def seconds(size: int) -> float:
        html = piece * (size // len(piece))
        started = time.process_time()
        outline(html)
        return time.process_time() - started

    assert min(seconds(400_000) for _ in range(2)) < 1.0
