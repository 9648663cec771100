from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from schemaproof.errors import InputError, SourceError
from schemaproof.sources import identifier, open_page, open_sources

HTML = "<!doctype html><title>t</title><p>Körbe</p>"


def names(arguments: list[str], markup: bool = False) -> list[str]:
    return [Path(source.name).name for source in open_sources(arguments, markup=markup)]


def test_a_folder_gives_its_pages_by_path(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text(HTML)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.HTM").write_text(HTML)
    (tmp_path / "x.jsonld").write_text("{}")
    (tmp_path / "notes.txt").write_text("no page")
    assert names([str(tmp_path)]) == ["b.html", "a.HTM"]
    assert names([str(tmp_path)], markup=True) == ["b.html", "a.HTM", "x.jsonld"]


def test_a_pattern_gives_what_matches(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(HTML)
    (tmp_path / "b.html").write_text(HTML)
    assert names([str(tmp_path / "*.html")]) == ["a.html", "b.html"]
    with pytest.raises(InputError, match="no file matches"):
        names([str(tmp_path / "*.htm")])


def test_a_missing_file_is_a_page_with_an_error(tmp_path: Path) -> None:
    (source,) = open_sources([str(tmp_path / "absent.html")])
    assert source.data is None
    assert source.error == "no such file"


def test_parquet_gives_pages_in_its_order(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    file = tmp_path / "pages.parquet"
    rows = "('a', 'https://a.example/', '<p>é</p>'), (NULL, 'https://b.example/', '<p>b</p>'), ('c', NULL, NULL)"
    duckdb.sql(f"COPY (SELECT * FROM (VALUES {rows}) t(id, url, html)) TO '{file}' (FORMAT parquet)")
    a, b, c = open_sources([str(file)])
    assert (a.name, a.id, a.data) == ("https://a.example/", "a", "<p>é</p>".encode())
    assert b.id == identifier("https://b.example/")
    assert (c.name, c.data) == ("c", None)
    assert c.error is not None


def test_a_parquet_file_without_the_columns_says_what_it_needs(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    file = tmp_path / "other.parquet"
    duckdb.sql(f"COPY (SELECT 1 AS x) TO '{file}' (FORMAT parquet)")
    with pytest.raises(InputError, match="columns html and url"):
        list(open_sources([str(file)]))
    (tmp_path / "broken.parquet").write_text("no parquet")
    with pytest.raises(InputError, match="Parquet"):
        list(open_sources([str(tmp_path / "broken.parquet")]))


def record(url: str, status: str = "200 OK", kind: str = "text/html; charset=utf-8") -> bytes:
    """One WARC response record."""
    body = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n".encode() + HTML.encode()
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{url}>\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body + b"\r\n\r\n"


def test_a_warc_gives_its_html_responses(tmp_path: Path) -> None:
    file = tmp_path / "pages.warc.gz"
    records = [
        record("https://a.example/1"),
        record("https://a.example/2", status="404 Not Found"),
        record("https://a.example/3", kind="image/png"),
        record("https://a.example/4", kind="application/xhtml+xml"),
    ]
    file.write_bytes(b"".join(map(gzip.compress, records)))
    found = list(open_sources([str(file)]))
    assert [source.url for source in found] == ["https://a.example/1", "https://a.example/4"]
    assert found[0].data == HTML.encode()
    assert found[0].content_type == "text/html; charset=utf-8"


def test_a_warc_that_breaks_off_keeps_what_was_read(tmp_path: Path) -> None:
    file = tmp_path / "pages.warc.gz"
    whole = b"".join(gzip.compress(record(f"https://a.example/{number}")) for number in range(3))
    file.write_bytes(whole[:-60])
    found = list(open_sources([str(file)]))
    assert [source.url for source in found[:2]] == ["https://a.example/0", "https://a.example/1"]
    (tmp_path / "no.warc").write_text("no warc at all")
    with pytest.raises(InputError, match="WARC"):
        list(open_sources([str(tmp_path / "no.warc")]))


def test_one_page_is_one_page(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(HTML)
    assert "Körbe" in open_page(str(tmp_path / "a.html")).text
    with pytest.raises(SourceError, match="no such file"):
        open_page(str(tmp_path / "absent.html"))
    (tmp_path / "b.html").write_text(HTML)
    with pytest.raises(InputError, match="more than one"):
        open_page(str(tmp_path))
