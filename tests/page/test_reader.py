"""Pages as a whole: head, scripts and their places, hints, languages, bare documents, hostile input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.page import Page, page_from_text, read_document, read_page

FIXTURES = Path(__file__).parent.parent / "fixtures" / "pages-read"
LD = '<script type="application/ld+json">'


def shop() -> Page:
    return read_page((FIXTURES / "shop.html").read_bytes(), url="https://larch.example/stools/fern?x=1")


def codes(page: Page) -> tuple[list[str], list[str], list[str]]:
    return tuple([notice.code for notice in kind] for kind in (page.errors, page.warnings, page.hints))  # type: ignore[return-value]


def test_the_head_of_a_page() -> None:
    page = shop()
    assert page.title == "Fern stool – Larch & Lathe"
    assert page.description == "A three-legged stool in ash."
    assert page.addresses == ("https://larch.example/stools/fern?x=1", "https://larch.example/stools/fern")
    assert (page.language, page.language_source) == ("en", "html")
    assert page.name == page.url
    assert page.base == page.url
    assert [image.rel for image in page.images if image.url.endswith("fern-wide.jpg")] == ["og:image"]
    assert [link.url for link in page.links if link.rel == "canonical"] == ["https://larch.example/stools/fern"]


def test_blocks_stand_in_the_source_and_one_bad_block_hides_no_other() -> None:
    page = shop()
    assert [item["@type"] for item in page.items] == ["Product", "WebSite"]
    assert len(page.scripts) == 3
    for script in page.scripts:
        assert page.html[script.start : script.end] == script.source
        line = page.html.split("\n")[script.line - 1]
        assert line[: script.column - 1].endswith('<script type="application/ld+json">')
    assert codes(page) == (["truncated"], ["comment", "trailing-comma", "trailing-text"], [])
    [error] = page.errors
    assert (error.block, error.line) == (1, 19)
    assert page.html.split("\n")[error.line - 1][error.column - 1 :].startswith('{"@context"')
    comma = page.warnings[1]
    assert (comma.block, comma.line) == (0, 15)
    assert page.html.split("\n")[comma.line - 1][comma.column - 1] == ","


def test_places_hold_in_files_with_other_line_ends_and_copies_in_comments() -> None:
    source = f'<!-- {LD}{{"a":1}}</script> -->\r\n<p>x\r\n{LD}\r\n{{"a":\r\n1}}</script>{LD}{{"a":1}}</script>'
    page = read_page(source)
    assert [script.values for script in page.scripts] == [({"a": 1},), ({"a": 1},)]
    assert [(script.line, page.html[script.start : script.end]) for script in page.scripts] == [
        (3, '\r\n{"a":\r\n1}'),
        (5, '{"a":1}'),
    ]


def test_a_lone_carriage_return_is_no_line_end() -> None:
    page = read_page(f'<p>x</p>\n{LD}\r{{"a":1,\r"a":2}}\r\n</script>')
    [script] = page.scripts
    assert page.html[script.start : script.end] == script.source
    [warning] = page.warnings
    assert (warning.code, warning.line) == ("duplicate-key", 2)
    assert page.html.split("\n")[1][warning.column - 1 :].startswith('"a":2')


@pytest.mark.parametrize(
    ("markup", "blocks"),
    [
        ('<script type="application/ld+json; charset=utf-8">{}</script>', 1),
        ('<script type=" Application/LD+JSON ">{}</script>', 1),
        ('<SCRIPT TYPE="application/ld+json">{}</SCRIPT>', 1),
        ("<script type=application/ld+json>{}</script>", 1),
        ('<div hidden><script type="application/ld+json">{}</script></div>', 1),
        ('<!-- <script type="application/ld+json">{}</script> -->', 0),
        ('<template><script type="application/ld+json">{}</script></template>', 0),
        ('<textarea><script type="application/ld+json">{}</script></textarea>', 0),
        ('<script type="application/ld+json;profile=http://www.w3.org/ns/json-ld#frame">{}</script>', 0),
        ("<script>document.write('<script type=\"application/ld+json\">{}<\\/script>')</script><p>" + "x" * 80, 0),
        ("<script type='application/json'>{}</script>", 0),
    ],
)
def test_which_scripts_are_json_ld(markup: str, blocks: int) -> None:
    assert len(read_page(markup).scripts) == blocks


@pytest.mark.parametrize(
    ("body", "errors", "warnings", "hints"),
    [
        (f"{LD}null</script>{LD}7</script>", [], ["not-an-object", "not-an-object"], []),
        (f'{LD}[{{"a":1}},2,null]</script>', [], ["not-an-object"], []),
        (f'{LD}"{{\\"a\\":1}}"</script>', [], ["not-an-object", "double-encoded"], []),
        (f"{LD}</script>", ["empty"], [], []),
        ("<script type=”application/ld+json”>{}</script>", [], [], ["script-type"]),
        ('<script type="application/json+ld">{}</script>', [], [], ["script-type"]),
        ('<script type="text/javascript">{"@context":"https://schema.org"}</script>', [], [], ["script-type"]),
        (f'{LD}{{"a":"@context"}}</script>', [], [], []),
        ("<p>" + "word " * 30 + '</p><script>add("application/ld+json")</script>', [], [], ["markup-by-script"]),
        ("", [], [], []),
    ],
)
def test_what_is_said_about_scripts(body: str, errors: list[str], warnings: list[str], hints: list[str]) -> None:
    assert codes(read_page(f"<html><body>{body}</body></html>")) == (errors, warnings, hints)


def test_a_page_that_scripts_fill_needs_rendering() -> None:
    page = read_page((FIXTURES / "app.html").read_bytes())
    assert page.needs_rendering
    assert not page.text
    assert codes(page)[2] == ["needs-rendering"]
    assert "ld+json" in page.hints[0].message
    assert not shop().needs_rendering
    assert not read_page(f"<body>{LD}{{}}</script></body>").needs_rendering
    assert read_page('<div id="app">Loading...</div><script src=x></script>').needs_rendering
    assert not read_page("<p>Short page</p><script src=x></script>").needs_rendering


@pytest.mark.parametrize(
    ("html", "language", "source"),
    [
        ("<html lang=de-AT>", "de", "html"),
        ("<html xml:lang='fr'>", "fr", "html"),
        ("<html><meta http-equiv=Content-Language content='es, en'>", "es", "html"),
        ("<html lang='en_US'>", "en", "html"),
        ("<html lang='und'><p>Der Tisch ist aus Holz und wird mit Öl gepflegt, auch für die Küche.", "de", "detected"),
        ("<html lang='{{ lang }}'>x", "", ""),
        ("<html lang=en><p>" + "これは日本語の文章です。" * 20, "ja", "detected"),
    ],
)
def test_the_language_is_declared_or_detected(html: str, language: str, source: str) -> None:
    page = read_page(html)
    assert (page.language, page.language_source) == (language, source)


def test_a_wrong_declaration_is_said() -> None:
    assert codes(read_page("<html lang=en><p>" + "これは日本語の文章です。" * 20))[2] == ["language-mismatch"]


def test_plain_text_is_a_page_of_lines() -> None:
    page = page_from_text("  One line\n\n two \r\nthree")
    assert [page.text[block.start : block.end] for block in page.blocks] == ["One line", "two", "three"]
    assert page.text == "  One line\n\n two \r\nthree"
    assert page_from_text("x", "fr").language == "fr"


@pytest.mark.parametrize(
    ("data", "keywords", "bare"),
    [
        (b'{"@type":"Thing"}', {}, True),
        (b' \n[{"@type":"Thing"}]', {}, True),
        (b'\xef\xbb\xbf{"@type":"Thing"}', {}, True),
        (b'// note\n/* more */ {"@type":"Thing"}', {}, True),
        (b"<p>x</p>", {}, False),
        (b"{{ header }}<html><p>x</p></html>", {}, False),
        (b'{"@type":"Thing"}', {"name": "a.html"}, False),
        (b'{"@type":"Thing"}', {"content_type": "text/html; charset=utf-8"}, False),
        (b'"text"', {"name": "x/a.JSONLD"}, True),
        (b"oops", {"content_type": "application/ld+json"}, True),
        (b"", {}, False),
    ],
)
def test_a_document_of_json_ld_is_told_from_a_page(data: bytes, keywords: dict[str, str], bare: bool) -> None:
    page = read_document(data, **keywords)
    assert (page.metadata.get("bare") == "json-ld") is bare
    assert len(page.scripts) == bare
    if bare:
        assert page.text == ""
        assert page.html[page.scripts[0].start : page.scripts[0].end] == page.html


def test_a_bare_document_has_places_of_its_file() -> None:
    page = read_document(b'{"a": 1,\n "a": 2,}', name="x.jsonld", url="https://e.example/x")
    assert [(w.code, w.line, w.column) for w in page.warnings] == [("duplicate-key", 2, 2), ("trailing-comma", 2, 8)]
    assert page.name == "x.jsonld"
    assert page.base == "https://e.example/x"


@given(st.binary(max_size=300) | st.text(max_size=200))
@settings(deadline=None, max_examples=200)
def test_no_input_raises(data: bytes | str) -> None:
    for page in (read_page(data), read_document(data), read_document(data, name="x.jsonld")):
        json.dumps([page.items, page.microdata, page.rdfa, page.text])


def test_nested_options_do_not_crash_the_process() -> None:
    source = (
        "<math><mi>x</mi><anlected>" + "<option selected>" * 12 + "<option sehttp://[lected>" + "<option selected>" * 6
        + "<option sele<meta charset=utf-16>cted>" + "<option selected>" * 15 + "<op</p>tion selected>"
        + "<option selected>" * 16 + "<option sn selected><option selected>" * 4 + "<option sn selected>"
        + "<option selected>" * 29
        + '<otext": "https://x.example", "@type": "Organization", "name": >"L & L"ption selected>'
    )  # fmt: skip
    program = "import sys; from schemaproof.page import read_page\nfor _ in range(15): read_page(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", program, source], env={**os.environ, "MALLOC_PERTURB_": "165"}, check=False
    )
    assert done.returncode == 0


HOSTILE = {
    "div": "<div>", "formatting": "<b><i><font color=1>", "table": "<table>", "cells": "<table><tr><td>",
    "paragraphs": "<p>", "items": "<li>", "select": "<select><option>", "svg": "<svg><g>", "script": "<script>",
    "blocks": LD + "{}</script>", "microdata": "<div itemscope itemprop=a>", "comment": "<!--", "tag": "<a ",
    "attribute": "<i a=", "link": "<a href=x>y", "image": "<img src=x alt=y>", "entity": "&amp;&#65;",
    "form": "<form><input>", "template": "<template>", "definition": "<dl><dt>x<dd>", "heading": "<h1><h2>",
    "option": "<option selected>x", "aria": "<i aria-hidden=true>x", "style": "<p style='display:none'>",
    "brackets": LD + "[" * 50, "mixed": "<div><b><p>",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_reading_is_linear_in_hostile_pages(name: str) -> None:
    def seconds(count: int) -> float:
        source = HOSTILE[name] * count
        started = time.process_time()
        read_page(source)
        return time.process_time() - started

    base = min(seconds(10_000) for _ in range(2))
    grown = min(seconds(40_000) for _ in range(2))
    assert grown < 8 * base + 0.2, f"{base:.3f} s, four times as much {grown:.3f} s"


@pytest.mark.slow
def test_unclosed_formatting_and_endless_attributes_cannot_stall_the_parser() -> None:
    started = time.process_time()
    fonts = "".join(f"<font color={n}>" for n in range(700))
    read_page(fonts + "<p>x</p>" * 30_000)
    read_page("<div " + " ".join(f"a{n}=1" for n in range(100_000)) + ">x</div>")
    assert time.process_time() - started < 10


def test_depth_is_cut_where_browsers_cut_it_and_said() -> None:
    page = read_page("<div>" * 6000 + "deep" + "</div>" * 6000 + "<p>after</p>")
    assert page.text == "deep\nafter"
    assert "too-deep" in codes(page)[1]


def test_a_block_nested_a_hundred_thousand_deep_is_one_error() -> None:
    deep = '{"a":' * 100_000
    page = read_page(f'<p>Shown</p>{LD}{deep}</script>{LD}{{"@type":"Thing"}}</script>')
    assert codes(page)[0] == ["too-deep"]
    assert page.items == ({"@type": "Thing"},)


@pytest.mark.slow
def test_fifty_megabytes_are_read_in_linear_time_and_bounded_memory() -> None:
    import resource

    piece = (FIXTURES / "shop.html").read_text(encoding="utf-8").replace("<!doctype html>", "")
    small = piece * (5_000_000 // len(piece))
    large = piece * (50_000_000 // len(piece))
    started = time.process_time()
    read_page(small)
    base = time.process_time() - started
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    page = read_page(large)
    seconds = time.process_time() - started
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"50 MB: {seconds:.1f} CPU s, {grown:.0f} MB more; 5 MB: {base:.1f} CPU s")
    assert len(page.text) > 1_000_000
    assert seconds < 15 * base + 1
    assert grown < 40 * len(large) / 1_000_000
