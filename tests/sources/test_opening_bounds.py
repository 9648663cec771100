"""What is too long, empty or oddly named is told, not read without end or taken for something else."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from schemaproof.errors import InputError
from schemaproof.sources import files, open_sources

HTML = "<title>t</title><p>x</p>"


class Endless(io.RawIOBase):
    """A stream that never ends and counts what was taken from it."""

    taken = 0

    def read(self, size: int = -1) -> bytes:
        assert size >= 0, "read without a bound"
        self.taken += size
        return b" " * size


def test_standard_input_is_read_as_far_as_a_page_may_go(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Endless()
    monkeypatch.setattr(files, "MAXIMUM_BYTES", 1 << 20)
    monkeypatch.setattr("sys.stdin", type("Input", (), {"buffer": stream}))
    (source,) = open_sources(["-"])
    assert source.data is None
    assert source.error == "larger than 1 MB"
    assert stream.taken == (1 << 20) + 1


def test_standard_input_of_a_usual_size_is_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", type("Input", (), {"buffer": io.BytesIO(HTML.encode())}))
    (source,) = open_sources(["-"], base="https://a.example/")
    assert (source.data, source.url, source.id, source.error) == (HTML.encode(), "https://a.example/", "stdin", None)


def parquet(path: Path, query: str) -> Path:
    import duckdb

    plain = path.parent / "written.tmp"
    duckdb.sql(f"COPY ({query}) TO '{plain}' (FORMAT parquet)")
    return plain.rename(path)


@pytest.mark.parametrize("name", ["a*.parquet", "a?.parquet", "a[b].parquet", "a[.parquet", "year=1/c.parquet"])
def test_the_name_of_a_parquet_file_is_no_pattern(tmp_path: Path, name: str) -> None:
    parquet(tmp_path / "ab.parquet", f"SELECT 'https://other.example/' AS url, '{HTML}' AS html")
    (tmp_path / name).parent.mkdir(exist_ok=True)
    file = parquet(tmp_path / name, f"SELECT 'https://own.example/' AS url, '{HTML}' AS html")
    assert [source.url for source in open_sources([str(file)])] == ["https://own.example/"]


@pytest.mark.parametrize(
    ("column", "query"),
    [
        ("html", "SELECT 'u' AS url, ['<p>'] AS html"),
        ("html", "SELECT 'u' AS url, {'text': '<p>'} AS html"),
        ("URL", "SELECT {'a': 'u'} AS URL, '<p>' AS html"),
        ("url", "SELECT 'u'::BLOB AS url, '<p>' AS html"),
        ("id", "SELECT ['u'] AS id, '<p>' AS html"),
    ],
)
def test_a_column_that_holds_no_text_is_named(tmp_path: Path, column: str, query: str) -> None:
    file = parquet(tmp_path / "p.parquet", query)
    with pytest.raises(InputError, match=f"the column {column} is of the type") as caught:
        list(open_sources([str(file)]))
    assert caught.value.source == str(file)


def test_bytes_are_html(tmp_path: Path) -> None:
    file = parquet(tmp_path / "p.parquet", f"SELECT 7 AS id, '{HTML}'::BLOB AS html")
    (source,) = open_sources([str(file)])
    assert (source.id, source.data) == ("7", HTML.encode())


def test_where_nothing_holds_a_page_that_is_told(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty.warc").write_bytes(b"")
    parquet(tmp_path / "empty.parquet", "SELECT 'u' AS url, '<p>' AS html WHERE false")
    given = [str(tmp_path / name) for name in ("folder", "empty.warc", "empty.parquet")]
    for each in given:
        with pytest.raises(InputError, match="no page in here"):
            list(open_sources([each]))
    with pytest.raises(InputError, match="no page in here"):
        list(open_sources(given))
    # One that is empty does not stop the others.
    (tmp_path / "a.html").write_text(HTML)
    assert [source.error for source in open_sources([*given, str(tmp_path / "a.html")])] == [None]
    assert list(open_sources([])) == []
