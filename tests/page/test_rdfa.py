"""RDFa: through the library where it is installed, a hint where it is not, nothing where no one meant it."""

from __future__ import annotations

import json
import socket
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.page import read_page

FIXTURES = Path(__file__).parent.parent / "fixtures" / "pages-read"
S = "https://schema.org/"


@pytest.fixture(scope="module", autouse=True)
def _library() -> None:
    pytest.importorskip("pyRdfa")


def items(body: str) -> list[dict[str, Any]]:
    return list(read_page(f'<body vocab="{S}">{body}</body>', url="https://e.example/d/p").rdfa)


def test_nodes_stand_inside_of_what_refers_to_them() -> None:
    page = read_page((FIXTURES / "review.html").read_bytes(), url="https://kino.example/k/review")
    [webpage] = page.rdfa
    assert webpage["@type"] == [S + "WebPage"]
    [review] = webpage[S + "mainEntity"]
    assert review["@id"] == "https://kino.example/k/review#review"
    assert list(review) == ["@id", "@type", *(S + name for name in (
        "headline", "author", "datePublished", "itemReviewed", "reviewBody", "reviewRating"
    ))]  # fmt: skip
    assert review[S + "author"][0][S + "name"] == [{"@value": "Jana Feld", "@language": "de"}]
    assert review[S + "datePublished"][0]["@value"] == "2024-03-09"
    assert review[S + "reviewRating"][0][S + "ratingValue"][0]["@value"] == "4"


@pytest.mark.parametrize(
    ("element", "value"),
    [
        ("<b property=p>a \n <i>b</i></b>", {"@value": "a b"}),
        ("<div property=p><p>a</p><p>b</p><script>c</script></div>", {"@value": "a b"}),
        ("<meta property=p content='9.5'>", {"@value": "9.5"}),
        ("<b property=p content='9.5'>9,5</b>", {"@value": "9.5"}),
        ("<a property=p href=/x>x</a>", {"@id": "https://e.example/x"}),
        ("<img property=p src=x.jpg>", {"@id": "https://e.example/d/x.jpg"}),
        ("<link property=p href=https://schema.org/InStock>", {"@id": "https://schema.org/InStock"}),
        ("<b property=p lang=fr>a</b>", {"@value": "a", "@language": "fr"}),
        ("<a rel='nofollow license' href=/l>x</a><b property=p>a</b>", {"@value": "a"}),
    ],
)
def test_values(element: str, value: dict[str, str]) -> None:
    [thing] = items(f"<div typeof=Thing>{element}</div>")
    assert thing[S + "p"] == [value]
    assert S + "nofollow" not in thing


def test_lists_and_patterns() -> None:
    [thing] = items("<div typeof=Thing><i property=p inlist>a</i><i property=p inlist>b</i></div>")
    assert thing[S + "p"] == [{"@list": [{"@value": "a"}, {"@value": "b"}]}]
    found = items(
        '<div resource="#p" typeof="rdfa:Pattern"><b property=brand>Larch</b></div>'
        '<div typeof=Product><link property="rdfa:copy" href="#p"><b property=name>Stool</b></div>'
    )
    assert [item.get(S + "brand") for item in found if S + "Product" in item["@type"]] == [[{"@value": "Larch"}]]


def test_open_graph_alone_is_no_rdfa() -> None:
    page = read_page('<head><meta property="og:title" content="x"></head><p>typeof= vocab=</p>')
    assert page.rdfa == ()
    assert page.hints == ()


def test_without_the_library_there_is_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyRdfa", None)
    page = read_page('<div vocab="https://schema.org/" typeof="Thing"><b property="name">x</b></div>')
    assert page.rdfa == ()
    assert [hint.code for hint in page.hints] == ["rdfa-extra"]
    assert "schemaproof[rdfa]" in page.hints[0].message


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any, **keywords: Any) -> None:
        raise AssertionError("the network was asked for")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    assert items(
        '<div vocab="http://vocabulary.example/v#" typeof="T" prefix="x: http://x.example/"><b property=n>a</b></div>'
    )


def test_the_answer_is_the_same_each_time() -> None:
    body = "".join(
        f'<div typeof="T{n}"><b property="n">{n}</b><p property="m" typeof="U"></p></div>' for n in range(20)
    )
    first = items(body)
    assert [item["@type"] for item in first] == [[f"{S}T{n}"] for n in range(20)]
    assert items(body) == first


def test_depth_and_size_are_bounded() -> None:
    started = time.process_time()
    deep = read_page('<div vocab="https://schema.org/" typeof="T" property="a">' * 400)
    assert "rdfa-too-large" in {warning.code for warning in deep.warnings}
    json.dumps(deep.rdfa)
    read_page('<body vocab="https://schema.org/">' + '<b typeof="T" property="a">x</b>' * 3000)
    assert time.process_time() - started < 20


ATTRIBUTES = (
    "typeof=T property=p rel=r rev=v resource=#a about=_:b href=x inlist vocab= vocab=http://v/ prefix='a: b' "
    "content=c property='a:b _:c' typeof= resource=[bad] href=http://[x datatype=rdf:HTML lang=x about=[_:b] "
    "rel=rdfa:copy"
)
PIECES = st.lists(st.sampled_from(ATTRIBUTES.split(" ")), max_size=4).map(lambda names: f"<div {' '.join(names)}>t")


@given(st.lists(PIECES | st.just("</div>"), max_size=15))
@settings(deadline=None, max_examples=100)
def test_any_soup_ends_and_can_be_written(pieces: list[str]) -> None:
    json.dumps(read_page("<body vocab=http://s/ typeof=X property=y>" + "".join(pieces)).rdfa)
