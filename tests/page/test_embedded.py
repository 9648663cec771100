"""The markup of a page alone is the markup of the whole page."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.page import read_embedded, read_page

LD = '<script type="application/ld+json">'
URL = "https://e.example/d/p"
PIECES = [
    f'{LD}{{"@context":"https://schema.org","@type":"Thing","name":"a"}}</script>', f"{LD}[1, {{}}]</script>",
    f"{LD}{{'a':1}}</script>", f'{LD}{{"a":1,}}\r\n</script>', f"<!-- {LD}{{}}</script> -->",
    f"<svg>{LD}{{}}</script></svg>",
    '<script type="application/ld&#43;json">{}</script>',
    '<script type="Application/LD+JSON; charset=utf-8">{}</script>',
    '<script type="application/json+ld">{}</script>', '<script>{"@context": 1}</script>',
    "<script src=x>{'ld+json'}</script>",
    '<script type="application/json"> {"@context": 1}</script>', "<script>document.write('ld+json')</script>",
    '<script type="text/template">{"@context":</script>', '<script type="application/ld+json#context">{}</script>',
    "<div ITEMSCOPE itemtype=https://schema.org/Thing>", "<div iTeMsCoPe itemref=r>", "<b itemprop=name>x</b>",
    "<a itemprop=url href=y>z</a>", "<i id=r itemprop=c itemscope></i>", "</div>", "<base href='/b/'>", "<template>",
    "</template>", "<p>\n\r\0", "\r\n", "\ufffd\ud800", "<table>", "</table>", "é",
    "<link rel=canonical href='https://c.example/x/'>", '<meta property="og:url" content="https://o.example/">',
]  # fmt: skip


def same(html: bytes | str, url: str | None) -> None:
    page, found = read_page(html, url=url), read_embedded(html, url=url)
    assert found.scripts == page.scripts
    assert found.microdata == page.microdata
    assert found.errors == page.errors
    assert found.warnings == page.warnings
    assert list(found.hints) == [hint for hint in page.hints if hint.code == "script-type"]
    assert (found.base, found.html, found.items) == (page.base, page.html, page.items)


@given(st.lists(st.sampled_from(PIECES), max_size=8), st.sampled_from([URL, None]))
@settings(deadline=None, max_examples=500)
def test_it_is_that_of_the_whole_page(pieces: list[str], url: str | None) -> None:
    same("".join(pieces), url)


@given(st.lists(st.sampled_from(PIECES), max_size=6))
@settings(deadline=None, max_examples=100)
def test_bytes_are_decoded_alike(pieces: list[str]) -> None:
    html = "<meta charset=utf-8>" + "".join(pieces)
    same(html.encode("utf-8", "replace"), URL)
    same(html.encode("latin-1", "replace"), URL)


def test_microdata_can_be_left_out() -> None:
    html = f"<p itemscope><b itemprop=a>x</b></p>{LD}[{{}}]</script>"
    assert read_embedded(html, microdata=False).microdata == ()
    assert read_embedded(html, microdata=False).items == ({},)
    assert read_embedded(html).microdata == ({"type": [], "properties": {"a": ["x"]}},)


@pytest.mark.slow
def test_recorded_pages_are_read_alike(shared: Path) -> None:
    import duckdb

    rows = duckdb.execute("select html, url from read_parquet(?)", [str(shared / "paper" / "pages.parquet")]).fetchall()
    for html, url in rows:
        same(html, url)
