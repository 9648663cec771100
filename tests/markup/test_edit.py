from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.errors import MarkupError
from schemaproof.markup.edit import Change, Fix, apply_fixes, replace_scripts
from schemaproof.markup.rendering import render
from schemaproof.page.model import Page, ScriptBlock

SCHEMA = "https://schema.org"


def fixed(document: dict[str, Any], *fixes: Fix) -> tuple[Any, list[Change]]:
    documents, changes = apply_fixes([document], fixes, pointer_root=False)
    return documents[0], changes


def test_keys_are_renamed_in_their_place() -> None:
    document = {"@context": SCHEMA, "Name": "Lamp", "offers": {"Price": [1, 2], "schema:Sku": "x"}, "url": "u"}
    found, changes = fixed(
        document,
        Fix("/Name", "rename-key", "name"),
        Fix("/offers/Price/0", "rename-key", "price"),
        Fix("/offers/Price/1", "rename-key", "price"),
        Fix("/offers/schema:Sku", "rename-key", "sku"),
    )
    assert json.dumps(found) == json.dumps(
        {"@context": SCHEMA, "name": "Lamp", "offers": {"price": [1, 2], "schema:sku": "x"}, "url": "u"}
    )
    assert [(c.before, c.after) for c in changes] == [
        ("Name", "name"),
        ("Price", "price"),
        ("schema:Sku", "schema:sku"),
    ]
    assert "Name" in document


def test_a_key_that_is_there_already_gets_the_values() -> None:
    found, _ = fixed({"name": "A", "Name": ["B", "C"]}, Fix("/Name/0", "rename-key", "name"))
    assert found == {"name": ["A", "B", "C"]}


def test_keys_above_lists_and_maps() -> None:
    document = {"Name": {"en": "Sea"}, "Items": {"@list": ["a"]}, "Size": {"@value": 1}}
    found, _ = fixed(
        document,
        Fix("/Name/en", "rename-key", "name"),
        Fix("/Items/@list/0", "rename-key", "itemListElement"),
        Fix("/Size", "rename-key", "size"),
    )
    assert found == {"name": {"en": "Sea"}, "itemListElement": {"@list": ["a"]}, "size": {"@value": 1}}


@pytest.mark.parametrize(
    ("before", "pointer", "new", "after"),
    [
        ("product", "/@type", "Product", "Product"),
        ("schema:product", "/@type", "Product", "schema:Product"),
        ("http://schema.org/product", "/@type", "Product", "http://schema.org/Product"),
        ("product", "/@type", "https://schema.org/Product", "Product"),
        (["Thing", "product"], "/@type/1", "Product", ["Thing", "Product"]),
        (["product"], "/@type", "Product", ["Product"]),
    ],
)
def test_types_are_renamed(before: Any, pointer: str, new: str, after: Any) -> None:
    assert fixed({"@type": before}, Fix(pointer, "rename-type", new))[0] == {"@type": after}


@pytest.mark.parametrize(
    ("before", "new", "after"),
    [
        ("1,5", "1.5", "1.5"),
        (5, "5.0", "5.0"),
        ("http://schema.org/instock", "InStock", "http://schema.org/InStock"),
        ("instock", "https://schema.org/InStock", "https://schema.org/InStock"),
        ({"@id": "https://schema.org/instock"}, "InStock", {"@id": "https://schema.org/InStock"}),
        ({"@value": "5.5.26", "@type": "Date"}, "2026-05-05", {"@value": "2026-05-05", "@type": "Date"}),
        ({"name": "x"}, "y", {"name": "x"}),
    ],
)
def test_values_are_replaced(before: Any, new: str, after: Any) -> None:
    assert fixed({"x": before}, Fix("/x", "replace-value", new))[0] == {"x": after}


def test_what_points_nowhere_or_changes_nothing_is_passed_over() -> None:
    document = {"name": ["x"]}
    fixes = [Fix(pointer, "replace-value", "y") for pointer in ("", "/nothing", "/name/7", "/name/x", "no pointer")]
    assert fixed(document, *fixes, Fix("/name/0", "replace-value", "x"), Fix("/name/0", "rename-key", "name")) == (
        document,
        [],
    )


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(MarkupError, match="no kind of repair"):
        fixed({}, Fix("/x", "delete", ""))


HTML = '<html>\r\n<script type="application/ld+json">{"name":"A"}</script>\r\n<b>é</b><script>[1]</script></html>'


def page(html: str = HTML, encoding: str = "utf-8", **fields: Any) -> Page:
    blocks = []
    for index, source in enumerate(('{"name":"A"}', "[1]")):
        start = html.index(source)
        blocks.append(ScriptBlock(index, start, start + len(source), 1, 1, source, ()))
    return Page("p", None, "", html, encoding, "", scripts=tuple(blocks), **fields)


def test_only_the_scripts_change() -> None:
    text = replace_scripts(page(), {1: "[2]", 0: '{"name":"Longer"}'})
    assert text == HTML.replace('{"name":"A"}', '{"name":"Longer"}').replace("[1]", "[2]")
    assert replace_scripts(page(), {}) == HTML


@pytest.mark.parametrize("text", ["</script><script>alert(1)", "<!-- <script>", "<SCRIPT", "</SCRIPT >", "a < b"])
def test_what_would_end_the_script_is_escaped(text: str) -> None:
    written = replace_scripts(page(), {0: json.dumps({"name": text})})
    content = written[HTML.index("{") : written.index("</script>\r\n<b>")]
    assert json.loads(content) == {"name": text}
    lower = content.lower()
    assert "</" not in lower
    assert "<!--" not in lower
    assert "<script" not in lower


def test_letters_that_the_encoding_lacks_are_escaped() -> None:
    text = replace_scripts(page(encoding="iso-8859-1"), {0: '{"name":"é € 😂"}'})
    assert '{"name":"é \\u20ac \\ud83d\\ude02"}' in text
    assert text.encode("iso-8859-1")


def test_bare_json_ld_needs_no_escapes() -> None:
    text = replace_scripts(page(metadata={"bare": "json-ld"}), {0: '{"name":"</b>"}'})
    assert "</b>" in text


def test_scripts_that_cannot_be_rewritten() -> None:
    with pytest.raises(MarkupError, match="no script 7"):
        replace_scripts(page(), {7: "{}"})
    lost = Page("p", None, "", HTML, "utf-8", "", scripts=(ScriptBlock(0, 5, 5, 3, 9, "{}", ()),))
    with pytest.raises(MarkupError, match="p:3:9"):
        replace_scripts(lost, {0: "{}"})


SOURCES = [
    '{"@context":"https:\\/\\/schema.org","name":"caf\\u00e9","price":19.90}',
    '{"a": 1, "b": [1, 2], "c": {}}',
    '\n  {\n    "a": "x",\n    "b": {\n      "c": [1.50, 1e3],\n      "d": []\n    }\n  }\n',
    '{\n\t"a": [\n\t\t1,\n\t\t2\n\t]\n}',
    '[\n  {\n    "a": "Grüße </b>"\n  }\n]\n',
    "[]",
    '{\n "a": {\n  "b": true\n }\n}',
]


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_is_written_as_it_was(source: str) -> None:
    assert render(json.loads(source), source=source) == source


def test_what_was_taken_out_leaves_the_rest_as_it_was() -> None:
    source = '{\n  "name": "A",\n  "price": 19.90,\n  "url": "x"\n}\n'
    document = json.loads(source)
    del document["name"]
    assert render(document, source=source) == '{\n  "price": 19.90,\n  "url": "x"\n}\n'


def test_broken_sources_are_written_as_json() -> None:
    source = '{\'a\': "x\ny", // why\n "b": 01,}'
    assert json.loads(render({"a": "x\ny", "b": 1}, source=source)) == {"a": "x\ny", "b": 1}


def test_deep_values_need_no_stack() -> None:
    value: Any = 1
    for _ in range(5000):
        value = [value]
    assert render(value, source="[1]") == "[" * 5000 + "1" + "]" * 5000


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=20,
)
indents = st.sampled_from([None, 1, 2, 4, "\t"])


@settings(deadline=None, max_examples=200)
@given(values, indents, st.booleans())
def test_writing_is_reading_backwards(value: Any, indent: Any, ascii_only: bool) -> None:
    source = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert json.loads(render(value, source=source)) == value
    if indent is None and isinstance(value, dict | list) and value:
        assert render(value, source=source) == source
