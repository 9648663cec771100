"""From bytes to text as a browser decides it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.page import read_page
from schemaproof.page.decoding import codec, decode, decode_json


@pytest.mark.parametrize(
    ("data", "content_type", "text", "encoding"),
    [
        ("é".encode(), None, "é", "utf-8"),
        (b"\xef\xbb\xbf\xc3\xa9", "text/html; charset=latin1", "é", "utf-8-sig"),
        ("é".encode("utf-16"), None, "é", "utf-16-le"),
        (b"\xfe\xff\x00\xe9", None, "é", "utf-16-be"),
        (b"caf\xe9 \x80", None, "café €", "windows-1252"),
        (b"caf\xe9 \x80", "text/html; Charset='ISO-8859-1'", "café €", "windows-1252"),
        ("Привет".encode("cp1251"), "text/html;charset=windows-1251", "Привет", "cp1251"),
        ("東京".encode("shift_jis"), "text/html; charset=Shift_JIS", "東京", "cp932"),
        ("東京".encode("euc-jp"), 'text/html; charset="euc-jp"', "東京", "euc_jp"),
        (b"\x81", None, "\x81", "windows-1252"),
        ("é".encode(), "text/html; charset=nonsense", "é", "utf-8"),
        ("é".encode(), "text/html; charset=base64", "é", "utf-8"),
    ],
)
def test_mark_then_header_then_utf8_then_windows_1252(
    data: bytes, content_type: str | None, text: str, encoding: str
) -> None:
    decoded = decode(data, content_type)
    assert (decoded.text, decoded.encoding, decoded.replaced) == (text, encoding, 0)


@pytest.mark.parametrize(
    "meta",
    [
        '<meta charset="windows-1251">', "<META CHARSET=cp1251>",
        "<!-- <meta charset=utf-8> --><meta charset='windows-1251'/>",
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        "<meta name=x charset = windows-1251 >",
    ],
)  # fmt: skip
def test_the_meta_element_counts_where_the_header_says_nothing(meta: str) -> None:
    data = f"<html><head>{meta}</head><body>Привет</body></html>".encode("cp1251")
    assert read_page(data).text == "Привет"
    assert read_page(data, content_type="text/html").text == "Привет"


def test_a_meta_element_cannot_mean_utf_16() -> None:
    assert decode("<meta charset=utf-16>é".encode()).text.endswith("é")


def test_bytes_that_do_not_fit_are_replaced_and_said() -> None:
    page = read_page(b"<meta charset=utf-8><p>caf\xe9 \xff</p>")
    assert page.text == "caf\ufffd \ufffd"
    assert [(notice.code, "2 places" in notice.message) for notice in page.warnings] == [("bad-bytes", True)]


def test_text_keeps_no_lone_surrogates() -> None:
    page = read_page("\ufeff<p>a\ud800b</p>")
    assert page.text == "a\ufffdb"
    assert page.html == "<p>a\ufffdb</p>"


def test_json_is_not_searched_for_meta_elements() -> None:
    data = '{"a":"<meta charset=windows-1251>é"}'.encode()
    assert "é" in decode_json(data).text


@given(
    st.binary(max_size=200),
    st.sampled_from([None, "x; charset=utf-8", "x;charset=gbk", "x;charset=utf-16", "charset=utf-7"]),
)
@settings(deadline=None)
def test_no_bytes_raise(data: bytes, content_type: str | None) -> None:
    decode(data, content_type).text.encode()
    decode_json(data).text.encode()


@given(st.text(max_size=20))
@settings(deadline=None)
def test_no_label_raises(label: str) -> None:
    name = codec(label)
    assert name is None or isinstance(b"abc".decode(name, "replace"), str)
