"""From the visible text back to the HTML."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.page import page_from_text, read_page
from schemaproof.page.offsets import SourceMap, html_span

FIXTURES = Path(__file__).parent.parent / "fixtures" / "pages-read"


@pytest.mark.parametrize(
    ("source", "wanted", "found"),
    [
        ("<p>Ap<b>ple</b> pie</p>", "Apple", "Ap<b>ple"),
        ("<p>Ap<b>ple</b> pie</p>", "ple pie", "ple</b> pie"),
        ("<p>a \n\t b</p>", "a b", "a \n\t b"),
        ("<p>Salt &amp; Pepper &eacute;</p>", "& Pepper é", "&amp; Pepper &eacute;"),
        ("<p>x &copy y</p>", "© y", "&copy y"),
        ("<p>9&nbsp;EUR</p>", "EUR", "EUR"),
        ("<p>long&shy;word</p>", "word", "word"),
        ("<p>1 < 2</p>", "< 2", "< 2"),
        ('<img src="lamp.jpg" alt=" Teal lamp ">', "lamp", "lamp"),
        ("<p hidden>lamp</p><!-- lamp --><script>'lamp'</script><p>lamp</p>", "lamp", "lamp"),
        ("<table><tr><td>in</td>out</tr></table>", "out", "out"),
        ("<textarea>\na <b></textarea>", "a <b>", "a <b>"),
        ("<p title='lamp'>lamp", "lamp", "lamp"),
        ("<p>caf\u00e9 \U0001f600 x</p>", "\U0001f600 x", "\U0001f600 x"),
    ],
)
def test_spans_lead_back(source: str, wanted: str, found: str) -> None:
    page = read_page(source)
    start = page.text.index(wanted)
    span = html_span(page, start, start + len(wanted))
    assert span is not None
    assert page.html[span[0] : span[1]] == found


def test_the_right_one_of_equal_words() -> None:
    source = "<p hidden>lamp</p><p>lamp</p><noscript>lamp</noscript><p>lamp</p>"
    page = read_page(source)
    spans = SourceMap(page)
    assert spans.span(0, 4) == (source.index("<p>lamp") + 3, source.index("<p>lamp") + 7)
    assert spans.span(5, 9) == (source.rindex("lamp"), source.rindex("lamp") + 4)


def test_no_span_where_there_is_nothing_to_align() -> None:
    page = read_page("<p>a b</p>")
    assert html_span(page, 1, 2) is None
    assert html_span(page, 1, 1) is None
    assert html_span(page_from_text("a"), 0, 1) is None
    assert html_span(read_page("<p>\U000f0001x</p>"), 0, 1) is None


def seen(source: str) -> str:
    """Text of a stretch of HTML without white space, tags taken out the simple way."""
    plain = re.sub(r"<!--.*?-->|<(script|style|noscript|title)\b.*?</\1>|<[^>]*>", "", source, flags=re.DOTALL)
    return re.sub(r"\s+", "", html.unescape(plain)).replace("\u00ad", "")


@pytest.mark.parametrize("name", ["shop.html", "review.html"])
def test_every_block_of_a_page_without_alternative_texts_leads_back(name: str) -> None:
    page = read_page((FIXTURES / name).read_bytes())
    spans = SourceMap(page)
    marked = {offset for mark in page.marks if mark.kind == "alt" for offset in (mark.start,)}
    for block in page.blocks:
        span = spans.span(block.start, block.end)
        assert span is not None
        if block.start not in marked:
            assert seen(page.html[span[0] : span[1]]) == re.sub(r"\s+", "", page.text[block.start : block.end])


WORDS = st.text(alphabet="abcé&;<>\u00a0 \n\"'", min_size=1, max_size=8)


@given(st.lists(st.tuples(st.sampled_from(["p", "b", "td", "div hidden", "i", "li"]), WORDS), max_size=8))
@settings(deadline=None, max_examples=200)
def test_every_character_leads_to_itself(pieces: list[tuple[str, str]]) -> None:
    source = "".join(f"<{tag}>{html.escape(words)}</{tag.split()[0]}>" for tag, words in pieces)
    page = read_page(source)
    spans = SourceMap(page)
    for offset, char in enumerate(page.text):
        span = spans.span(offset, offset + 1)
        if not char.isspace():
            assert span is not None
            assert html.unescape(page.html[span[0] : span[1]]) == char
