"""The tolerant JSON reader: what is forgiven, what is an error, where things stand, and that nothing breaks it."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schemaproof.json_reader import DEPTH_LIMIT, read_json
from schemaproof.json_scanner import Scanner

# text, values, codes of the warnings
FORGIVEN: list[tuple[str, list[Any], list[str]]] = [
    ('// product\n{"a":1}', [{"a": 1}], ["comment"]),
    ('{"a": /* why */ 1}', [{"a": 1}], ["comment"]),
    ('{"a":1} // done', [{"a": 1}], ["comment"]),
    ('{"u":"https://x.example/a//b", // note\n"b":"/* kept */"}',
     [{"u": "https://x.example/a//b", "b": "/* kept */"}], ["comment"]),
    ('{"a":[1,2,],}', [{"a": [1, 2]}], ["trailing-comma"]),
    ('<![CDATA[{"a":1}]]>', [{"a": 1}], ["cdata"]),
    ('<![CDATA[[[1]]]]>', [[[1]]], ["cdata"]),
    ('//<![CDATA[\n{"a":1}\n//]]>', [{"a": 1}], ["cdata"]),
    ('//<![CDATA[{"a":1}//]]>', [{"a": 1}], ["cdata"]),
    ('/*<![CDATA[*/ {"a":1} /*]]>*/', [{"a": 1}], ["cdata"]),
    ('<!--//--><![CDATA[//><!--\n{"a":1}\n//--><!]]>', [{"a": 1}], ["cdata"]),
    ('<!--\n{"a":1}\n-->', [{"a": 1}], ["html-comment"]),
    ('<!-- {"a":1} -->', [{"a": 1}], ["html-comment"]),
    ('<!-- by a plugin -->\n{"a":1}', [{"a": 1}], ["html-comment"]),
    ('<!-- {"old":1} -->{"a":1}', [{"a": 1}], ["html-comment"]),
    ('{"a":1}<!-- {"old":1} -->', [{"a": 1}], ["html-comment"]),
    ('[1,<!-- 2, -->3]', [[1, 3]], ["html-comment"]),
    ('<!-- hide from old browsers\n{"a":1}\n-->', [{"a": 1}], ["html-comment"]),
    ('\ufeff{"a":1}', [{"a": 1}], ["bom"]),
    ('ï»¿{"a":1}', [{"a": 1}], ["bom"]),
    ('{\u00a0"a"\u2003:\u200b1}', [{"a": 1}], ["invalid-whitespace"]),
    ('{"a":"x\u00a0y"}', [{"a": "x\u00a0y"}], []),
    ('{"a":\x0b1}', [{"a": 1}], ["control-character"]),
    ('{"a":1}\x00', [{"a": 1}], ["control-character"]),
    ('{"a":"one\ntwo"}', [{"a": "one\ntwo"}], ["raw-newline"]),
    ('{"a":"one\ttwo"}', [{"a": "one\ttwo"}], ["control-character"]),
    (r'{"a":"Bob\'s"}', [{"a": "Bob's"}], ["invalid-escape"]),
    (r'{"a":"Bob\x27s"}', [{"a": "Bob's"}], ["invalid-escape"]),
    (r'{"a":"\u{1F600}"}', [{"a": "\U0001f600"}], ["invalid-escape"]),
    ('{"a":"one \\\ntwo"}', [{"a": "one two"}], ["invalid-escape"]),
    ('{&quot;a&quot;:&quot;Salt &amp;amp; Pepper&quot;}', [{"a": "Salt &amp; Pepper"}], ["html-escaped"]),
    ('{&#34;a&#34;:&#x22;b&#x22;}', [{"a": "b"}], ["html-escaped"]),
    ('{&amp;quot;a&amp;quot;:1}', [{"a": 1}], ["html-escaped"]),
    ('{"a":"27&quot; screen"}', [{"a": "27&quot; screen"}], []),
    ('{"a":1}{"b":2}', [{"a": 1}, {"b": 2}], ["several-values"]),
    ('{"a":1},\n{"b":2},', [{"a": 1}, {"b": 2}], ["several-values", "trailing-text"]),
    ('{"a":1};', [{"a": 1}], ["trailing-text"]),
    ('{"a":1}; done', [{"a": 1}], ["trailing-text"]),
    ('{"a":1}}', [{"a": 1}], ["trailing-text"]),
    ('{"a":1}"', [{"a": 1}], ["trailing-text"]),
    ('{"a":1,"a":2}', [{"a": 2}], ["duplicate-key"]),
    ('{"a":{"b":1,"b":{"c":1,"c":2}}}', [{"a": {"b": {"c": 2}}}], ["duplicate-key", "duplicate-key"]),
    (r'{"a":"x \ud83d"}', [{"a": "x \ufffd"}], ["lone-surrogate"]),
    (r'{"a":"\ude00\ud83d\ude00"}', [{"a": "\ufffd\U0001f600"}], ["lone-surrogate"]),
    ('{"a":"\ud800"}', [{"a": "\ufffd"}], ["lone-surrogate"]),
    ('{"a":123456789012345678901234567890}', [{"a": 123456789012345678901234567890}], []),
    ('{"a":1e19,"b":-9223372036854775809}', [{"a": 1e19, "b": -9223372036854775809}], []),
    ("null", [None], []),
    (r'{"u":"https:\/\/schema.org"}', [{"u": "https://schema.org"}], []),
]  # fmt: skip

# text, code, line, column
REFUSED = [
    ('{“a”:1}', "smart-quotes", 1, 2),
    ('{"a":“b”}', "smart-quotes", 1, 6),
    ('{"a":"the "big" one"}', "unescaped-quote", 1, 12),
    ('{"a":"x" "b":1}', "missing-comma", 1, 10),
    ('{"a":NaN}', "no-json-value", 1, 6),
    ('{"a":\n  undefined}', "no-json-value", 2, 3),
    ('{"a":-Infinity}', "no-json-value", 1, 6),
    ('{"a":True}', "no-json-value", 1, 6),
    ('{"a":}', "missing-value", 1, 6),
    ('[1,,2]', "missing-value", 1, 4),
    ('{"a":1,,"b":2}', "unexpected-comma", 1, 8),
    ('{"a" 1}', "missing-colon", 1, 6),
    ("{'a':1}", "single-quotes", 1, 2),
    (r'{"a":"C:\users"}', "broken-escape", 1, 9),
    ("{a:1}", "unquoted-key", 1, 2),
    ('{"a":01}', "bad-number", 1, 6),
    ('{"a":1.}', "bad-number", 1, 6),
    ('{"a":+1}', "bad-number", 1, 6),
    ('{"a":1e999}', "number-out-of-range", 1, 6),
    ('{"a":[1}', "unexpected-token", 1, 8),
    ('{\n "a":"b"', "truncated", 1, 1),
    ('{"a":\n "b', "truncated", 2, 2),
    ('{"a":[1,2', "truncated", 1, 6),
    ('{"a":1} {"b":', "truncated", 1, 9),
    ('/* never closed', "truncated", 1, 1),
    ('<br />\n<b>Notice</b>: x\n{"a":1}', "html-in-json", 1, 1),
    ('{"a":<?php echo 1 ?>}', "html-in-json", 1, 6),
    ('{"a":{{ price }}}', "template", 1, 7),
    ('{"a":%PRICE%}', "template", 1, 6),
    ("", "empty", 1, 1),
    (" \n ", "empty", 1, 1),
    ("var x = 1", "no-json-value", 1, 1),
    ('{"a":&nbsp;}', "missing-value", 1, 12),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values", "codes"), FORGIVEN)
def test_what_can_be_read_in_one_way_only_is_read_with_a_warning(
    text: str, values: list[Any], codes: list[str]
) -> None:
    reading = read_json(text)
    assert reading.error is None
    assert list(reading.values) == values
    assert [warning.code for warning in reading.warnings] == codes
    assert all(warning.message and warning.line and warning.column for warning in reading.warnings)


@pytest.mark.parametrize(("text", "code", "line", "column"), REFUSED)
def test_what_needs_a_guess_is_an_error_with_its_place(text: str, code: str, line: int, column: int) -> None:
    reading = read_json(text)
    assert reading.values == ()
    assert reading.error is not None
    assert (reading.error.code, reading.error.line, reading.error.column) == (code, line, column)
    assert len(reading.error.message) > 15


def test_a_warning_is_given_once_with_its_count() -> None:
    reading = read_json("[1, // one\n2, // two\n3, // three\n]")
    assert [(warning.code, warning.line, warning.count) for warning in reading.warnings] == [
        ("comment", 1, 3),
        ("trailing-comma", 3, 1),
    ]
    assert "3 times" in reading.warnings[0].message


def test_each_duplicate_key_is_named_up_to_a_limit() -> None:
    text = "{" + ",".join(f'"k{n}":1,"k{n}":2' for n in range(100)) + "}"
    reading = read_json(text)
    named = [warning.message for warning in reading.warnings]
    assert len(named) == 21
    assert "k0" in named[0]
    assert reading.warnings[-1].count == 80
    assert reading.values[0] == {f"k{n}": 2 for n in range(100)}


def test_the_key_of_a_nested_object_is_no_duplicate() -> None:
    assert read_json('{"a":{"a":{"a":1}},"b":{"a":2},"c":"\\"a\\":"}').warnings == ()


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_depth_is_limited_and_named(opening: str) -> None:
    closing = "]" if opening == "[" else "}"
    within = read_json(opening * DEPTH_LIMIT + "1" + closing * DEPTH_LIMIT)
    assert within.error is None
    beyond = read_json(opening * (DEPTH_LIMIT + 1) + "1" + closing * (DEPTH_LIMIT + 1))
    assert beyond.error is not None
    assert beyond.error.code == "too-deep"
    assert str(DEPTH_LIMIT) in beyond.error.message
    assert beyond.error.column == len(opening) * DEPTH_LIMIT + 1


def test_many_brackets_side_by_side_are_not_deep() -> None:
    value = [[{}] * 1000, {"a": [[]] * 1000}]
    assert read_json(json.dumps(value)).values == (value,)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_a_hundred_thousand_levels_are_an_error_like_another(text: str) -> None:
    started = time.process_time()
    reading = read_json(text)
    assert reading.error is not None
    assert reading.error.code == "too-deep"
    assert time.process_time() - started < 1


def test_places_are_those_of_the_text_given() -> None:
    text = '{"a": 1,\n "b": [10, {"c/d": "x", "e~f": null},],\n "": 5}'
    reading = read_json(text)
    assert reading.locate("") == (1, 1)
    assert reading.locate("/b") == (2, 7)
    assert reading.locate("/b", key=True) == (2, 2)
    assert reading.locate("/b/1/c~1d") == (2, 20)
    assert reading.locate("/b/1/e~0f") == (2, 32)
    assert reading.locate("/") == (3, 6)
    assert reading.locate("/b/7/nothing") == reading.locate("/b")
    assert text[reading.offset("/b/1") :].startswith('{"c/d"')


def test_places_lead_through_html_escapes() -> None:
    text = "{&quot;a&quot;:1,\n &quot;b&quot;:[&quot;x&quot;, 2]}"
    reading = read_json(text)
    assert text[reading.offset("/b/1") :] == "2]}"
    assert reading.locate("/b", key=True) == (2, 2)


def test_places_of_several_values_and_of_duplicates() -> None:
    reading = read_json('{"a":1,"a":2}\n{"a":3}')
    assert reading.locate("/a") == (1, 12)
    assert reading.locate("/a", value=1) == (2, 6)
    with pytest.raises(LookupError):
        reading.locate("/a", value=2)
    with pytest.raises(LookupError):
        read_json("{").locate("")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON, st.booleans(), st.sampled_from([None, 1]))
@settings(deadline=None)
def test_every_json_value_comes_back_as_it_was(value: Any, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    reading = read_json(text)
    assert reading.error is None
    assert reading.warnings == ()
    assert reading.values == (value,)
    assert json.dumps(reading.values[0]) == json.dumps(value)  # -0.0 and 1.0 included


@given(JSON)
@settings(deadline=None)
def test_the_scanner_reads_what_the_fast_path_reads_and_knows_where(value: Any) -> None:
    text = json.dumps(value, indent=1)
    scanner = Scanner(text, spots=True)
    scanner.read()
    assert scanner.values == [value]
    pending = [(value, scanner.spots[0])]
    while pending:
        value, (start, key_start, children) = pending.pop()
        assert json.JSONDecoder().raw_decode(text, start)[0] == value
        if isinstance(value, dict):
            assert list(children) == list(value)
            for key, child in value.items():
                assert json.JSONDecoder().raw_decode(text, children[key][1])[0] == key
                pending.append((child, children[key]))
        elif isinstance(value, list):
            assert len(children) == len(value)
            pending += zip(value, children, strict=True)
        assert key_start <= start


NOISE = st.sampled_from(["", " ", "\n", "/* x */", "// x\n", "\u00a0", "<!-- x -->", "\x0c"])


@given(st.dictionaries(st.text(), JSON, min_size=1, max_size=4), st.lists(NOISE, min_size=8, max_size=8), st.booleans())
@settings(deadline=None)
def test_noise_between_tokens_changes_no_value(value: dict[str, Any], noise: list[str], comma: bool) -> None:
    members = [
        f"{noise[0]}{json.dumps(key)}{noise[1]}:{noise[2]}{json.dumps(each)}{noise[3]}" for key, each in value.items()
    ]
    text = noise[4] + "{" + ",".join(members) + ("," + noise[5] if comma else "") + "}" + noise[6]
    reading = read_json(text)
    assert reading.values == (value,)


@given(st.text(alphabet="{}[]\",:;\\/*<>!-&utrue nl0123.eE'\n\u00a0\ud800“”", max_size=60))
@example("<!--" * 20)
@example('{"a":1}' + "<!-- {" * 5)
@settings(deadline=None, max_examples=400)
def test_no_text_raises_and_errors_stand_inside(text: str) -> None:
    reading = read_json(text)
    lines = text.split("\n")
    for notice in (*reading.warnings, *([reading.error] if reading.error else [])):
        assert 1 <= notice.line <= len(lines)
        assert 1 <= notice.column <= len(lines[notice.line - 1]) + 1
    if reading.error is None:
        for number in range(len(reading.values)):
            reading.locate("", value=number)
        for value in reading.values:
            json.dumps(value).encode()


HOSTILE = [
    "<!--", "-->", "/*", "//\n", "<!--/*\n", "<!--{", '{"a":1}', '{"a":1},', '"', '"\\x', "&quot;", "&amp;", "]]>",
    "[]", "{", "[1,", '{"a":1}<!--\n', '{"":', "<![CDATA[", "\u00a0", "\\", "1 ", "\ufeff", "//<![CDATA[",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("prefix", ["", "[", '{"a":1}', "<!--"])
def test_reading_is_linear(piece: str, prefix: str) -> None:
    def seconds(count: int) -> float:
        text = prefix + piece * count
        started = time.process_time()
        reading = read_json(text)
        if reading.error is None and reading.values:
            reading.locate("/a/b")
        return time.process_time() - started

    small, large = 15_000, 60_000
    seconds(small)
    base = min(seconds(small) for _ in range(3))
    grown = min(seconds(large) for _ in range(2))
    assert grown < 8 * base + 0.1, f"{base:.3f} s for {small}, {grown:.3f} s for {large}"


def test_many_places_in_a_text_of_many_lines_are_found_in_linear_time() -> None:
    text = "[" + ",\n".join(f'"{number}"' for number in range(60_000)) + "]"
    reading = read_json(text)
    start = time.process_time()
    for number in range(0, 60_000, 3):
        assert reading.locate(f"/{number}") == (number + 1, 2 if number == 0 else 1)
    assert time.process_time() - start < 2.0
