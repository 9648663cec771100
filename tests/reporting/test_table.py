"""Tables in each format: figures as people read them, page text inert."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.reporting.parquet import write_table
from schemaproof.reporting.table import Column, Table, as_csv, as_html, as_latex, as_markdown, inert, show


def table(*texts: str) -> Table:
    columns = [Column("name"), Column("n", "count"), Column("score", "score"), Column("ends", "interval")]
    rows = [[text, number, 0.5, (-0.25, 0.125)] for number, text in enumerate(texts)]
    return Table("made", "Made", columns, [*rows, ["none", None, float("nan"), None]], "A note.")


@pytest.mark.parametrize(
    ("cell", "kind", "expected"),
    [
        (None, "score", "–"), (float("nan"), "score", "–"), (0.12345, "score", "0.123"), (12, "count", "12"),
        (123456, "count", "123\u202f456"), (0.4123, "share", "41.2%"), (-0.5, "signed", "\u22120.500"),
        ((0.1, 0.2), "shares", "10.0 to 20.0%"), ((-0.1, 0.2), "interval", "\u22120.100 to 0.200"),
        (0.0004, "p", "< 0.001"), (0.25, "p", "0.250"), ("text", "text", "text"),
    ],
)  # fmt: skip
def test_cells_as_people_read_them(cell: object, kind: str, expected: str) -> None:
    assert show(cell, kind) == expected


def test_markdown_has_one_line_a_row_whatever_a_page_says() -> None:
    text = as_markdown([table("a | b", "<script>x</script>", "[x](javascript:y)", "two\nlines", "`code` **bold**")])
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) == 8
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 5 for row in rows)
    assert "<script>" not in text.replace("\\<", "")
    assert r"\[x\](javascript:y)" in text


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=40))
def test_every_text_stays_one_cell(text: str) -> None:
    made = table(text)
    markdown = [line for line in as_markdown([made]).split("\n") if line.startswith("|")]
    assert len(markdown) == 4
    html = as_html(made)
    assert html.count("<tr>") == 3
    assert html.count("<th") == html.count("</th>") + html.count("<thead")
    latex = as_latex([made])
    assert latex.count(r"\\" + "\n") == 3
    assert len(list(csv.reader(io.StringIO(as_csv(made), newline="")))) == 3


def test_csv_is_raw_and_no_formula() -> None:
    rows = list(csv.reader(io.StringIO(as_csv(table("=1+1", "plain")), newline="")))
    assert rows[0] == ["name", "n", "score", "ends low", "ends high"]
    assert rows[1] == ["'=1+1", "0", "0.5", "-0.25", "0.125"]
    assert rows[3] == ["none", "", "", "", ""]


def test_latex_prints_what_stands_there() -> None:
    text = as_latex([table(r"50% of $x_1 & {y} #2 \input{/etc/passwd} ^~")])
    assert (
        r"50\% of \$x\_1 \& \{y\} \#2 \textbackslash{}input\{/etc/passwd\} \textasciicircum{}\textasciitilde{}" in text
    )
    assert r"\begin{tabular}{lrrr}" in text


def test_html_folds_long_tables_and_keeps_every_row() -> None:
    html = as_html(table(*(f"row{number}" for number in range(30))), limit=10)
    assert html.count("<tr>") == 1 + 1 + 31
    assert "21 more rows" in html


def test_inert_text_turns_nothing() -> None:
    assert inert('\u202e<b a="1">\x07') == "\ufffd&lt;b a=&quot;1&quot;&gt;\ufffd"


def test_parquet_keeps_types(tmp_path: Path) -> None:
    import duckdb

    made = table("a", "b\ud800")
    made.columns.append(Column("ends", "interval"))
    for row in made.rows:
        row.append(None)
    path = write_table(tmp_path / "made.parquet", made)
    found = duckdb.sql(f"SELECT * FROM '{path}'")
    assert found is not None
    assert found.columns == ["name", "n", "score", "ends", "ends #2"]
    assert found.fetchall() == [
        ("a", 0, 0.5, [-0.25, 0.125], None),
        ("b?", 1, 0.5, [-0.25, 0.125], None),
        ("none", None, None, None, None),
    ]
    empty = Table("none", "None", [Column("a"), Column("b", "count")])
    assert duckdb.sql(f"SELECT count(*) FROM '{write_table(tmp_path / 'e.parquet', empty)}'").fetchall() == [(0,)]  # type: ignore[union-attr]
