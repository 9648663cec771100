"""Visible text: what is in it, where it breaks, what its blocks, marks, links and images say."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.page import Kind, Page, read_page

FIXTURES = Path(__file__).parent.parent / "fixtures" / "pages-read"


def text(body: str) -> str:
    return read_page(f"<!doctype html><html><body>{body}</body></html>").text


def blocks(page: Page) -> list[tuple[str, str]]:
    return [(block.tag, page.text[block.start : block.end]) for block in page.blocks]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>Ap<b>ple</b> pie<br>tasty</p>", "Apple pie\ntasty"),
        ("<p>one</p><p>two</p>", "one\ntwo"),
        ("one<div>two</div>three", "one\ntwo\nthree"),
        ("<ul><li>2 eggs</li><li>100 g flour</li></ul>", "2 eggs\n100 g flour"),
        (
            "<table><tr><td>Price</td><td>9 EUR</td></tr><tr><td>Size</td><td>L</td></tr></table>",
            "Price\t9 EUR\nSize\tL",
        ),
        ("<dl><dt>Wood<dd>Ash</dl>", "Wood\nAsh"),
        ("  <p>  white \n\t space </p> ", "white space"),
        ("<p>a <i> b</i> c</p>", "a b c"),
        ("<p>a<i> b </i>c</p>", "a b c"),
        ("a<span> </span>b", "a b"),
        ("a&nbsp;&nbsp;b", "a\u00a0\u00a0b"),
        ("a<br><br>b", "a\nb"),
        ("<br>a<br>", "a"),
        ("<pre> x\n   y </pre>z", " x\n   y\nz"),
        ("<pre><b>x</b>  y\n</pre>", "x  y"),
        ("<p>&nbsp;</p><p>a</p><p> &nbsp;&emsp; </p><p>b", "a\nb"),
        ("<pre>&nbsp;</pre><p>a", "a"),
        ("<pre> &shy;</pre><p>a<pre>b &shy;</pre>", "a\nb"),
        ("long&shy;word", "longword"),
        ("a<wbr>b", "ab"),
        ("<button>Buy</button><button>Sell</button>", "Buy Sell"),
        ("<my-price>9</my-price><my-unit>EUR</my-unit>", "9 EUR"),
        ('<span style="display:inline-block">a</span><span style="display:inline-block">b</span>', "a b"),
        ('<span style="display: block">a</span>b', "a\nb"),
        ('<ul><li style="display:inline">a</li><li style="display:inline">b</li></ul>', "ab"),
        ("<details><summary>Q</summary><p>A</p></details>", "Q\nA"),
        ("<select><option>S<option>M</select>", "S"),
        ("<select><option>S<option selected>M</select>", "M"),
        ("<select multiple><option>S<option>M</select>", "S M"),
        ("<textarea>\n a\n  b</textarea>", " a\n  b"),
        ("<ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京</ruby>", "東京"),
        ("<svg><title>t</title><text>drawn</text></svg>", "drawn"),
        ("x<hr>y", "x\ny"),
        ("<h1>a</h1>b<!-- c -->d", "a\nbd"),
        ("<table>loose<tr><td>in</table>", "loose\nin"),
        ("1 < 2 &lt; 3 &amp;amp;", "1 < 2 < 3 &amp;"),
    ],
)
def test_text_breaks_where_a_reader_sees_a_break(body: str, expected: str) -> None:
    assert text(body) == expected


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>x</p>", '<p hidden="until-found">x</p>', '<p style="display:none">x</p>',
        '<p style="color:red; DISPLAY : NONE !important">x</p>', '<p style="display:/**/none">x</p>',
        '<p style="display:block;display:none">x</p>', '<p style="visibility:hidden">x</p>',
        '<p style="visibility:collapse">x<b>x</b></p>', '<div hidden><p>x</p>x</div>',
        '<p style="position:absolute;left:-9999px">x</p>', '<p style="position:fixed; top: -200em">x</p>',
        "<script>x</script>", "<style>x{}</style>", "<template>x</template>", "<noscript>x</noscript>",
        "<dialog>x</dialog>", "<div popover>x</div>", "<iframe>x</iframe>", "<object>x</object>", "<video>x</video>",
        "<canvas>x</canvas>", "<datalist><option>x</datalist>", "<input type=hidden value=x>", "<!-- x -->",
        "<meter value=4>x</meter>", "<noembed>x</noembed>", "<svg><desc>x</desc></svg>",
        "<span content-visibility=hidden></span><span style='content-visibility:hidden'>x</span>",
    ],
)  # fmt: skip
def test_what_a_reader_cannot_see_is_left_out(hidden: str) -> None:
    assert text(f"<p>Shown</p>{hidden}<p>also</p>") == "Shown\nalso"


@pytest.mark.parametrize(
    "shown",
    [
        '<p style="display:none;display:block">x</p>', '<p style="displays:none">x</p>', "<dialog open>x</dialog>",
        '<div style="visibility:hidden"><p style="visibility:visible">x</p></div>', '<p style="left:-9999px">x</p>',
        '<p style="text-indent:-1px">x</p>', '<p aria-hidden="true">x</p>', '<p class="hidden">x</p>',
        '<p style="opacity:0">x</p>', "<p data-hidden>x</p>",
    ],
)  # fmt: skip
def test_what_may_be_seen_stays(shown: str) -> None:
    assert text(f"<p>Shown</p>{shown}") == "Shown\nx"


def test_visibility_ends_with_its_element() -> None:
    assert text('<p style="visibility:hidden">a<b style="visibility:visible">b</b>c</p>d') == "b\nd"


def test_alternative_texts_stand_where_the_image_does_and_are_marked() -> None:
    page = read_page(
        '<p>Our<img src="l.jpg" alt=" Teal\n lamp ">here</p><img alt=""><i role=img aria-label="4 of 5"></i>'
    )
    assert page.text == "Our Teal lamp here\n4 of 5"
    assert [(mark.kind, page.text[mark.start : mark.end]) for mark in page.marks] == [
        (Kind.ALT, "Teal lamp"),
        (Kind.ALT, "4 of 5"),
    ]


def test_aria_hidden_text_stays_and_is_marked_once() -> None:
    page = read_page('a <span aria-hidden="true"> b <i aria-hidden="true">c</i><img alt="d"></span> e')
    assert page.text == "a b c d e"
    assert [(mark.kind.value, page.text[mark.start : mark.end]) for mark in page.marks] == [
        ("aria-hidden", "b c d"),
        ("alt", "d"),
    ]


def test_blocks_know_region_group_and_position() -> None:
    page = read_page((FIXTURES / "shop.html").read_bytes(), url="https://larch.example/stools/fern?x=1")
    found = {page.text[block.start : block.end]: block for block in page.blocks}
    assert found["Stools"].region == "nav"
    assert found["Tables"].row == 1
    assert found["Stools"].group == found["Tables"].group >= 0
    assert (found["Height"].tag, found["Height"].row, found["Height"].column) == ("th", 0, 0)
    assert (found["32\u00a0cm"].tag, found["32\u00a0cm"].row, found["32\u00a0cm"].column) == ("td", 1, 1)
    assert (found["Finish"].row, found["Finish"].column) == (1, 0)
    assert (found["Linseed oil"].row, found["Linseed oil"].column) == (1, 1)
    assert found["Fern stool"].tag == "h1"
    assert found["Fern stool"].region == "main"
    assert found["Made in Graz"].region == "footer"
    assert found["Made in Graz"].group == -1
    assert "Turned by hand.\nOiled, never varnished." in found
    assert "Hidden offer" not in page.text
    assert "Fallback" not in page.text


def test_regions_come_from_roles_too_and_end_with_their_element() -> None:
    page = read_page("<div role=navigation><p>a</p></div><p>b</p><span role=main>c</span>d<nav role=main>e</nav>f")
    assert [(page.text[b.start : b.end], b.region) for b in page.blocks] == [
        ("a", "nav"), ("b", ""), ("cd", "main"), ("e", "main"), ("f", ""),
    ]  # fmt: skip


def test_spans_of_cells_move_their_neighbours() -> None:
    page = read_page(
        "<table><tr><td rowspan=2>a<td colspan=2>b<td>c<tr><td>d<td>e<td>f<tr><td>g</table>"
        "<table><tr><td>h<table><tr><td>i</table><td>j</table>"
    )
    places = {page.text[b.start : b.end]: (b.group, b.row, b.column) for b in page.blocks}
    assert places == {
        "a": (0, 0, 0), "b": (0, 0, 1), "c": (0, 0, 3), "d": (0, 1, 1), "e": (0, 1, 2), "f": (0, 1, 3), "g": (0, 2, 0),
        "h": (1, 0, 0), "i": (2, 0, 0), "j": (1, 0, 1),
    }  # fmt: skip


def test_links_cover_their_text_and_are_resolved() -> None:
    page = read_page(
        '<base href="/b/"><p>See <a href=" x " rel="nofollow"> the <b>lamp</b> </a>now</p><a href="#top"></a>'
        '<a name=x>no</a><map><area href="/area" alt="Map of Graz"></map><p hidden><a href=gone>gone</a></p>',
        url="https://e.example/a/page",
    )
    assert page.base == "https://e.example/b/"
    assert [(link.href, link.url, page.text[link.start : link.end], link.rel) for link in page.links] == [
        (" x ", "https://e.example/b/x", "the lamp", "nofollow"),
        ("#top", "https://e.example/b/#top", "", ""),
        ("/area", "https://e.example/area", "Map of Graz", ""),
    ]


def test_images_come_with_all_their_addresses() -> None:
    page = read_page(
        '<img src="a.jpg" srcset="a2.jpg 2x, a3.jpg 300w" data-lazy="/a4.jpg" data-id="77" alt="A">'
        '<img src="data:image/gif;base64,R0lG" data-src="b.jpg">'
        '<picture><source srcset="c.webp"><img src="c.jpg"></picture><noscript><img src="d.jpg" alt="no"></noscript>'
        '<div style="background: url(&quot;e.png&quot;)"></div><section data-bg="https://x.example/f.jpg"></section>'
        '<video poster="g.jpg"><source src="g.mp4">old browser</video><iframe src="//v.example/h"></iframe>'
        '<object data="i.pdf"></object><embed src="j.swf"><svg><image href="k.png"/></svg><p hidden><img src=gone></p>',
        url="https://e.example/",
    )
    assert [(image.url.removeprefix("https://e.example/"), image.rel) for image in page.images] == [
        ("a.jpg", "img"), ("a2.jpg", "img"), ("a3.jpg", "img"), ("a4.jpg", "img"), ("b.jpg", "img"),
        ("c.webp", "source"), ("c.jpg", "img"), ("d.jpg", "img"), ("e.png", "css"),
        ("https://x.example/f.jpg", "css"), ("g.jpg", "video"), ("g.mp4", "source"), ("https://v.example/h", "iframe"),
        ("i.pdf", "object"), ("j.swf", "embed"), ("k.png", "img"),
    ]  # fmt: skip
    assert page.text == "A"
    assert page.text[page.images[0].start : page.images[0].end] == "A"


def holds(page: Page) -> None:
    """The laws that every page obeys."""
    last = 0
    for block in page.blocks:
        assert last <= block.start < block.end <= len(page.text)
        between = page.text[last : block.start]
        assert between == "" if not last and block is page.blocks[0] else between in ("\n", "\t")
        assert page.text[block.start : block.end].strip()
        assert page.text[block.end - 1] not in " \t\n\r\f"
        last = block.end
    assert last == len(page.text)
    spans = [(each.start, each.end) for each in page.marks]
    spans += [(each.start, each.end) for each in page.links + page.images]
    assert all(0 <= start <= end <= len(page.text) for start, end in spans)
    for mark in page.marks:
        assert page.text[mark.start : mark.end].strip()
    page.text.encode()


SOUP = (
    "<p> </p> <div> </div> <b> </b> <i> </i> <table> </table> <tr> <td> <td_rowspan=2> </td> <ul> <li> </ul> <dl> <dt> "
    "<dd> <pre> </pre> <br> <hr> <a_href=x> </a> <img_alt=y> <select> <option> </select> <svg> </svg> <noscript> "
    "</noscript> <textarea> </textarea> <p_hidden> <i_style=visibility:hidden> <i_style=visibility:visible> <template> "
    "</template> <i_aria-hidden=true> <p_style=display:inline> <i_style=display:block> <form> <dialog> <nav> "
    "<div_role=main> <x-y> <object> <math> <caption> <title> </title> <!-- --> <script> </script> w ö &amp; &nbsp; "
    "&shy; \u3000 <"
)
PIECES = st.sampled_from(SOUP.split(" ")).map(lambda piece: piece.replace("_", " "))


@given(st.lists(PIECES | st.sampled_from([" ", "\n", "word ", " word"]), max_size=40))
@settings(deadline=None, max_examples=300)
def test_the_laws_hold_on_any_soup(pieces: list[str]) -> None:
    holds(read_page("".join(pieces)))


@pytest.mark.parametrize("name", ["shop.html", "review.html", "app.html", "broken.html"])
def test_the_laws_hold_on_the_fixtures(name: str) -> None:
    holds(read_page((FIXTURES / name).read_bytes()))


def test_the_laws_hold_on_recorded_pages(shared: Path) -> None:
    import duckdb

    rows = duckdb.execute("select url, html from read_parquet(?)", [str(shared / "paper" / "pages.parquet")]).fetchall()
    for url, html in rows:
        page = read_page(html, url=url)
        holds(page)
        assert page.text
