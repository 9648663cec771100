"""`report` as a user calls it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., "subprocess.CompletedProcess[bytes]"]
EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "pages"


@pytest.fixture
def runs(schemaproof: Call, tmp_path: Path) -> tuple[str, str]:
    """A run of three pages, and one of two of them under another policy."""
    pages = [str(EXAMPLES / name) for name in ("book.html", "faq.html", "news.html")]
    schemaproof("run", *pages, "-o", "now.db", "--quiet", "--jobs", "1")
    schemaproof("run", *pages[:2], "-o", "before.db", "--policy", "paper", "--quiet", "--jobs", "1")
    return "now.db", "before.db"


def test_every_format(schemaproof: Call, runs: tuple[str, str], tmp_path: Path) -> None:
    now, before = runs
    done = schemaproof("report", now)
    assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "report.html").read_bytes().startswith(b"<!doctype html>")
    text = schemaproof("report", now, "--format", "md", "--compare", before, "--title", "My *run*").stdout.decode()
    assert text.startswith("# My \\*run\\*\n")
    assert "## Statements by stage" in text
    assert "policy:paper" in text
    assert "| pages only here | 1 |" in text
    told = json.loads(schemaproof("report", now, "--format", "json").stdout)
    assert told["schema_version"] == 1
    rows = told["tables"]["stages"]["rows"]
    assert [row[0] for row in rows] == ["human", "extractor"]
    assert b"\\begin{tabular}" in schemaproof("report", now, "--format", "latex").stdout
    for form in ("csv", "parquet"):
        assert schemaproof("report", now, "--format", form, "-o", form).returncode == 0
        names = {path.name for path in (tmp_path / form).iterdir()}
        assert {f"stages.{form}", f"statements.{form}", f"units.{form}"} <= names
    lines = (tmp_path / "csv" / "statements.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) - 1 >= sum(row[1] for row in rows)


def test_strata_and_judges(schemaproof: Call, runs: tuple[str, str], tmp_path: Path) -> None:
    strata = "page,stratum\n" + "".join(
        f"{EXAMPLES / name},{level}\n" for name, level in (("book.html", "low"), ("faq.html", "high"))
    )
    (tmp_path / "strata.csv").write_text(strata, encoding="utf-8")
    judges = {
        "judge": "embedded",
        "sets": {"x": {"n": 4, "precision": 1, "recall": 1, "f1": 1, "balanced_accuracy": 1, "interval": None}},
    }
    (tmp_path / "judges.json").write_text(json.dumps(judges), encoding="utf-8")
    done = schemaproof("report", runs[0], "--format", "md", "--strata", "strata.csv", "--judges", "judges.json")
    text = done.stdout.decode()
    assert "## By stratum" in text
    assert "## Reliability of the judge" in text


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("none.db",), 3, "no such run file"),
        (("now.db", "-o", "now.db"), 2, "overwrite"),
        (("now.db", "--strata", "none.csv"), 3, "cannot be read"),
        (("now.db", "-o", "no/such/folder/r.html"), 3, "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_said(
    schemaproof: Call, runs: tuple[str, str], arguments: tuple[str, ...], code: int, words: str
) -> None:
    done = schemaproof("report", *arguments)
    assert done.returncode == code
    assert words in done.stderr.decode()


def test_the_report_covers_what_the_run_printed(schemaproof: Call, tmp_path: Path) -> None:
    """Pages of an earlier run with the same settings are in the file, and not in the figures of the next run."""
    book, faq, news = (str(EXAMPLES / name) for name in ("book.html", "faq.html", "news.html"))

    def totals(*pages: str, into: str = "r.db") -> dict[str, int]:
        printed = schemaproof("run", *pages, "-o", into, "--quiet", "--jobs", "1", "--json").stdout
        return {name: entry["input"] for name, entry in json.loads(printed)["totals"]["contenders"].items()}

    def reported(*options: str, of: str = "r.db") -> dict[str, object]:
        told: dict[str, object] = json.loads(schemaproof("report", of, "--format", "json", *options).stdout)
        return told

    def inputs(told: dict[str, object]) -> dict[str, int]:
        tables = told["tables"]
        assert isinstance(tables, dict)
        return {row[0]: row[1] for row in tables["stages"]["rows"]}

    both = totals(book, faq)
    told = reported()
    assert inputs(told) == both
    assert (told["pages"], told["other_pages"]) == (2, 0)
    one = totals(news)
    told = reported()
    assert inputs(told) == one
    assert (told["pages"], told["other_pages"]) == (1, 2)
    whole = reported("--all-pages")
    assert inputs(whole) == {name: both[name] + one[name] for name in both}
    assert (whole["pages"], whole["other_pages"]) == (3, 0)
    # Pages taken from the file count as covered, also where nothing was left to do.
    assert totals(faq) == inputs(reported())
    done = schemaproof("report", "r.db", "--format", "md")
    assert b"2 more pages of earlier runs with the same settings are in the run file" in done.stdout
    assert b"2 more pages" in done.stderr
    assert b"--all-pages" in done.stderr
    schemaproof("report", "r.db", "-o", "r.html")
    assert "2 more pages of earlier runs" in (tmp_path / "r.html").read_text(encoding="utf-8")
    schemaproof("report", "r.db", "-o", "all.html", "--all-pages")
    assert "of earlier runs" not in (tmp_path / "all.html").read_text(encoding="utf-8")
    schemaproof("report", "r.db", "--format", "csv", "-o", "tables")
    statements = (tmp_path / "tables" / "statements.csv").read_text(encoding="utf-8")
    assert "faq.html" in statements
    assert "news.html" not in statements
    changes = json.loads(schemaproof("report", "r.db", "--format", "json", "--compare", "r.db").stdout)["tables"]
    assert ["pages in both", 1] in changes["changed-pages"]["rows"]


def test_the_report_of_joined_shards_covers_them_all(schemaproof: Call) -> None:
    pages = [str(EXAMPLES / name) for name in ("book.html", "faq.html", "news.html")]
    for number in (1, 2):
        schemaproof("run", *pages, "-o", f"{number}.db", "--shard", f"{number}/2", "--quiet", "--jobs", "1")
    schemaproof("merge", "1.db", "2.db", "-o", "whole.db")
    told = json.loads(schemaproof("report", "whole.db", "--format", "json").stdout)
    assert (told["pages"], told["other_pages"]) == (3, 0)


def test_markdown_by_its_name(schemaproof: Call, runs: tuple[str, str]) -> None:
    now, _ = runs
    short = schemaproof("report", now, "--format", "md")
    assert short.returncode == 0
    assert schemaproof("report", now, "--format", "markdown").stdout == short.stdout
