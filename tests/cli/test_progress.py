"""What a person is told while a run goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from schemaproof.cli.progress import Watch, duration, expected_pages
from schemaproof.pipeline.result import PageResult
from schemaproof.pipeline.run import Progress

Call = Callable[..., "subprocess.CompletedProcess[bytes]"]
EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "pages"


def test_the_line_tells_speed_time_left_and_errors() -> None:
    now = [100.0]
    watch = Watch(100, lambda: now[0])
    assert watch.line() == "0 of 100 pages"
    now[0] += 10
    failed = PageResult("a\x1b[2J", None, "", "", error="broken\nhtml")
    watch.told(Progress(20, 40, 1, failed))
    assert watch.line("5 tokens") == "60 of 100 pages  4.0 pages/s  10 s left  5 tokens  20 from the run file  1 failed"
    assert list(watch.errors) == ["a\ufffd[2J: broken\ufffdhtml"]
    for number in range(41, 50):
        watch.told(Progress(20, number, number, PageResult(f"p{number}", None, "", "", error="no")))
    assert [each.partition(":")[0] for each in watch.errors] == ["p47", "p48", "p49"]


def test_slow_runs_are_told_by_the_minute() -> None:
    now = [0.0]
    watch = Watch(None, lambda: now[0])
    now[0] = 60.0
    watch.told(Progress(0, 3, 0, PageResult("a", None, "", "")))
    assert watch.line() == "3 pages  3.0 pages/min"


@pytest.mark.parametrize(("seconds", "text"), [(8.4, "8 s"), (240, "4 min"), (7800, "2 h 10 min")])
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_pages_are_counted_without_reading_them(tmp_path: Path) -> None:
    import duckdb

    table = tmp_path / "pages.parquet"
    duckdb.sql(f"COPY (SELECT 'u' || range AS url, 'x' AS html FROM range(7)) TO '{table}'")
    assert expected_pages([str(EXAMPLES)]) == 12
    assert expected_pages([str(EXAMPLES), str(table), "https://e.example/"]) == 20
    assert expected_pages([str(EXAMPLES)], (2, 5)) == 3
    assert expected_pages([str(tmp_path / "*.html")]) is None
    assert expected_pages([str(tmp_path / "a.warc.gz")]) is None


def test_verbose_tells_each_page_and_quiet_none(schemaproof: Call, tmp_path: Path) -> None:
    page = str(EXAMPLES / "faq.html")
    done = schemaproof("run", page, "no.html", "-o", "a.db", "--verbose", "--jobs", "1")
    lines = done.stderr.decode().splitlines()
    assert any(line.startswith(f"{page}: 1 unit, ") for line in lines)
    assert any("no such file" in line for line in lines)
    assert schemaproof("run", page, "-o", "b.db", "--quiet", "--jobs", "1").stderr == b""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_a_terminal_sees_it_live_and_nothing_stays(tmp_path: Path) -> None:
    import pty

    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    command = [sys.executable, "-m", "schemaproof", "run", str(EXAMPLES), "-o", str(tmp_path / "a.db"), "--jobs", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=slave, env=environment)
    os.close(slave)
    seen = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        seen += part
    assert process.stdout is not None
    with process.stdout:
        table = process.stdout.read().decode()
    assert process.wait() == 0
    os.close(master)
    assert b"of 12 pages" in seen
    assert b"pages/s" in seen
    # Everything but the signature, which is one line to be quoted.
    assert max(len(line) for line in table.splitlines() if "|" not in line) <= 80
