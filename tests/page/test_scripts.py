"""Scripts find their place in the source, whatever stands around them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.page import read_page

LD = '<script type="application/ld+json">'
AROUND = [
    "<p>x</p>", "\n", "\r\n", "\r", f'<!-- {LD}{{"n":1}}</script> -->', "<script>var a = '<!--';</script>",
    "<style>a>b{}</style>", f"<textarea>{LD}{{}}</textarea>", "<script src=x></script>", "<!-->", "<title>a</title>",
    f"<template>{LD}[]</script></template>",
    "é\U0001f600", f'<iframe>{LD}{{"n":1}}</iframe>',
]  # fmt: skip
CONTENTS = [
    '{"n":1}',
    '{"n":1}',
    '\n{"n":\n2}\n',
    '\r\n{"n":3}\r\n',
    "[]",
    '{"n": "\0"}',
    "<!--\n{}\n-->",
    "",
    "{\r}",
    "oops",
]


@given(st.lists(st.tuples(st.sampled_from(AROUND), st.sampled_from(CONTENTS)), max_size=6), st.sampled_from(AROUND))
@settings(deadline=None, max_examples=300)
def test_every_script_stands_where_it_says(pieces: list[tuple[str, str]], tail: str) -> None:
    html = "".join(f"{around}{LD}{content}</script>" for around, content in pieces) + tail
    page = read_page(html)
    assert [script.source for script in page.scripts] == [content for _, content in pieces]
    for script in page.scripts:
        assert page.html[script.start : script.end] == script.source
        assert page.html[: script.start].endswith(LD)
        assert script.line == page.html.count("\n", 0, script.start) + 1
        assert script.column == script.start - page.html.rfind("\n", 0, script.start)


@pytest.mark.parametrize("count", [60, 400])
def test_many_scripts_are_placed_too(count: int) -> None:
    page = read_page("".join(f'<p>{n}</p>\n{LD}{{"n":{n % 7}}}</script>' for n in range(count)))
    assert [script.line for script in page.scripts] == [n + 2 for n in range(count)]
    assert [script.values[0]["n"] for script in page.scripts] == [n % 7 for n in range(count)]


def test_a_script_whose_end_is_escaped_is_whole() -> None:
    page = read_page(f'{LD}{{"a":"<\\/script>","b":"<!-- <script>"}}</script><p>x</p></script>{LD}{{"c":1}}</script>')
    assert page.scripts[0].values == ({"a": "</script>", "b": "<!-- <script>"},) or page.errors
