from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., subprocess.CompletedProcess[bytes]]
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
LINES = [
    f"_:a {TYPE} <http://schema.org/Recipe> <https://a.example/> .",
    '_:a <http://schema.org/name> "Apple pie" <https://a.example/> .',
    '_:a <http://schema.org/nmae> "typo" <https://a.example/> .',
    "this is no quad",
    f"_:a {TYPE} <https://schema.org/Recipe> <https://b.example/> .",
    '_:a <https://schema.org/name> "Plum pie"@en <https://b.example/> .',
    '_:b <http://schema.org/text> "Bake." <https://b.example/> .',
]


def write(path: Path, lines: list[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines))
    return str(path)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_count_writes_the_table_and_tells_malformed_lines(tmp_path: Path, schemaproof: Call) -> None:
    file = write(tmp_path / "a.nq", LINES)
    ran = schemaproof("sample", "count", file, "-o", "sets.csv", "--json")
    assert ran.returncode == 0
    found = json.loads(ran.stdout)
    assert (found["schema_version"], found["quads"], found["malformed"], found["pages"]) == (1, 6, 1, 2)
    assert f"{file}:4: ".encode() in ran.stderr
    table = rows(tmp_path / "sets.csv")
    assert [list(row.values())[:4] for row in table] == [["isa:Recipe name", "2", "2", "2"], ["text", "1", "1", "1"]]
    sample = json.loads(table[0]["sample"])
    assert {one["url"] for one in sample} == {"https://a.example/", "https://b.example/"}


def test_merge_of_parts_is_the_count_of_all(tmp_path: Path, schemaproof: Call) -> None:
    first, second = write(tmp_path / "a.nq", LINES[:3]), write(tmp_path / "b.nq", LINES[4:])
    for name, files in (("a.parquet", [first]), ("b.parquet", [second]), ("all.csv", [first, second])):
        assert schemaproof("sample", "count", *files, "-o", name).returncode == 0
    assert schemaproof("sample", "merge", "b.parquet", "a.parquet", "-o", "merged.csv").returncode == 0
    assert (tmp_path / "merged.csv").read_bytes() == (tmp_path / "all.csv").read_bytes()


def test_draw_prints_the_paper_s_tables(tmp_path: Path, schemaproof: Call) -> None:
    lines = []
    for number in range(40):
        url = f"https://site{number}.example/"
        lines += [f"_:a {TYPE} <http://schema.org/Recipe> <{url}> ."]
        lines += [
            f'_:a <http://schema.org/{name}> "x" <{url}> .' for name in ["name", "text", "image", "url"][: number % 5]
        ]
    assert schemaproof("sample", "count", write(tmp_path / "a.nq", lines), "-o", "sets.parquet").returncode == 0
    ran = schemaproof("sample", "draw", "sets.parquet", "-n", "2", "-o", "sample.csv", "--plot", "figure.svg")
    assert ran.returncode == 0
    text = ran.stdout.decode()
    assert "# instances" in text
    assert "Sets by number of properties" in text
    assert (tmp_path / "figure.svg").read_text().startswith("<svg")
    drawn = rows(tmp_path / "sample.csv")
    assert {row["feature"] for row in drawn} == {"instances", "properties"}
    assert len({row["url"] for row in drawn}) == len(drawn)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["count", "absent.nq", "-o", "x.csv"], 2, "no such file"),
        (["count", "a.nq", "-o", "x.txt"], 2, ".parquet or .csv"),
        (["merge", "a.nq", "-o", "x.csv"], 2, "not a table"),
        (["draw", "absent.csv", "-o", "x.csv"], 2, "no such file"),
        (["draw", "a.nq", "-o", "x.csv", "--language"], 2, "--pages"),
        (["pages", "a.nq", "-o", "x.zip"], 2, ".warc.gz"),
        (["pages", "http://127.0.0.1:9/", "-o", "x.warc.gz"], 0, "not a public address"),
    ],
)
def test_what_cannot_be_done_says_why(
    tmp_path: Path, schemaproof: Call, arguments: list[str], code: int, words: str
) -> None:
    write(tmp_path / "a.nq", LINES)
    ran = schemaproof("sample", *arguments)
    assert ran.returncode == code
    assert words in ran.stderr.decode()


def test_a_file_that_breaks_off_is_exit_status_3(tmp_path: Path, schemaproof: Call) -> None:
    import gzip

    (tmp_path / "a.nq.gz").write_bytes(gzip.compress("".join(f"{line}\n" for line in LINES * 500).encode())[:-20])
    ran = schemaproof("sample", "count", "a.nq.gz", "-o", "sets.csv")
    assert ran.returncode == 3
    assert b"breaks off" in ran.stderr
    assert rows(tmp_path / "sets.csv")


def test_nothing_that_is_read_is_overwritten(tmp_path: Path, schemaproof: Call) -> None:
    page = tmp_path / "a.html"
    page.write_text('<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Thing"}</script>')
    quads = write(tmp_path / "a.nq", LINES)
    assert schemaproof("sample", "count", quads, "-o", "a.csv").returncode == 0
    for command in (
        ["sample", "quads", "a.html", "-o", "a.html"],
        ["sample", "draw", "a.csv", "-o", "a.csv"],
        ["sample", "count", quads, "-o", quads],
    ):
        ran = schemaproof(*command)
        assert ran.returncode == 2, command
        assert b"would overwrite" in ran.stderr or b"ends in" in ran.stderr
    assert page.stat().st_size > 50
    ran = schemaproof("sample", "draw", "a.csv", "-o", "a.parquet")
    assert (ran.returncode, b".csv or .jsonl" in ran.stderr) == (2, True)


def test_quads_of_nothing_but_failures_are_exit_status_3(tmp_path: Path, schemaproof: Call) -> None:
    ran = schemaproof("sample", "quads", "http://127.0.0.1:1/", "-o", "a.nq")
    assert ran.returncode == 3
    assert b"refused" in ran.stderr
