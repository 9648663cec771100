"""`run` and `merge` where names, files, models and disks are not as one would wish."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., "subprocess.CompletedProcess[bytes]"]
PAGE = """<!doctype html><html lang="en"><title>{n}</title><script type="application/ld+json">
{{"@context": "https://schema.org", "@type": "Recipe", "name": "Pie {n}", "cookTime": "PT{n}M"}}
</script><h1>Pie {n}</h1><p>Cooking time: {n} minutes</p>"""


def pages(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(1, count + 1):
        (folder / f"p{number:03}.html").write_text(PAGE.format(n=number), encoding="utf-8")
    return folder


def parquet(path: Path, rows: list[tuple[str, str]]) -> str:
    import duckdb

    connection = duckdb.connect()
    connection.execute("CREATE TABLE pages (url VARCHAR, html VARCHAR)")
    connection.executemany("INSERT INTO pages VALUES (?, ?)", rows)
    connection.execute(f"COPY pages TO '{path}' (FORMAT parquet)")
    return str(path)


class Model(BaseHTTPRequestHandler):
    """A provider that answers 400 while `well` is false."""

    well = False
    asked = 0

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        type(self).asked += 1
        said = {"@context": "https://schema.org", "@type": "Recipe", "name": "Pie 1"}
        answer: dict[str, Any] = {"error": {"message": "no"}}
        if type(self).well:
            message = {"role": "assistant", "content": json.dumps(said)}
            answer = {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": "fake",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
        body = json.dumps(answer).encode()
        self.send_response(200 if type(self).well else 400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("SCHEMAPROOF_CACHE", str(tmp_path / "cache"))
    Model.well, Model.asked = False, 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"m=http://127.0.0.1:{server.server_address[1]}/v1#fake"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_model_that_answered_nothing_is_told_and_asked_again(schemaproof: Call, tmp_path: Path, model: str) -> None:
    command = ["run", str(pages(tmp_path / "in", 2)), "--contender", model, "--json"]
    first = schemaproof(*command)
    assert first.returncode == 3
    assert b"m failed for 2 of 2 units" in first.stderr
    assert json.loads(first.stdout)["totals"]["contenders"]["m"]["errors"] == 2
    Model.well = True
    again = schemaproof(*command, "--retry")
    assert (again.returncode, json.loads(again.stdout)["totals"]["contenders"]["m"]["errors"]) == (0, 0)
    asked = Model.asked
    assert schemaproof(*command, "--retry").returncode == 0
    assert Model.asked == asked


def test_answers_that_cannot_be_kept_stop_the_run(schemaproof: Call, tmp_path: Path, model: str) -> None:
    Model.well = True
    command = ["run", str(pages(tmp_path / "in", 1)), "--contender", model, "--json"]
    assert schemaproof(*command, "-o", "first.db").returncode == 0
    (tmp_path / "in" / "p002.html").write_text(PAGE.format(n=2))
    (memory,) = (tmp_path / "cache").rglob("answers.db")
    connection = sqlite3.connect(memory)
    connection.execute(
        "CREATE TRIGGER full BEFORE INSERT ON answers BEGIN SELECT raise(ABORT, 'database or disk is full'); END"
    )
    connection.commit()
    ran = schemaproof(*command)
    assert ran.returncode == 3
    assert b"cannot be kept" in ran.stderr
    assert b"the same command goes on" in ran.stderr
    connection.execute("DROP TRIGGER full")
    connection.commit()
    connection.close()
    result = json.loads(schemaproof(*command).stdout)
    assert result["totals"]["contenders"]["m"]["errors"] == 0
    assert len(result["pages"]) == 2


def test_the_vocabulary_file_is_in_the_signature(schemaproof: Call, tmp_path: Path) -> None:
    book = (tmp_path / "a.html", tmp_path / "v.ttl")
    book[0].write_text(PAGE.format(n=1))
    turtle = (
        "@prefix schema: <https://schema.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "schema:Thing a rdfs:Class . schema:Recipe a rdfs:Class ; rdfs:subClassOf schema:Thing .\n"
        "schema:Text a rdfs:Class, schema:DataType .\n"
        "schema:name a <http://www.w3.org/1999/02/22-rdf-syntax-ns#Property> ; schema:domainIncludes schema:Thing ;\n"
        "  schema:rangeIncludes schema:Text .\n"
    )
    found = []
    for text in (turtle, turtle.replace("schema:name", "schema:isbn")):
        book[1].write_text(text)
        ran = schemaproof("run", "a.html", "--vocabulary", "v.ttl", "--json")
        assert ran.returncode == 0, ran.stderr
        result = json.loads(ran.stdout)
        found.append((result["signature"], result["totals"]["contenders"]["human"]["valid"]))
    assert found[0][0] != found[1][0]
    assert found[0][1] == found[1][1] + 1


def test_pages_of_one_name_stay_apart(schemaproof: Call, tmp_path: Path) -> None:
    names = ["http://x/a", "http://x/a", "http://x/a#2", "http://x/b", "http://x/b", "http://x/a"]
    file = parquet(tmp_path / "p.parquet", [(name, PAGE.format(n=n)) for n, name in enumerate(names, 1)])
    whole = json.loads(schemaproof("run", file, "--json", "-o", "whole.db").stdout)
    assert len({page["page"] for page in whole["pages"]}) == 6
    for part in ("1", "2"):
        assert schemaproof("run", file, "--shard", f"{part}/2", "-o", f"{part}.db").returncode == 0
    assert schemaproof("merge", "1.db", "2.db", "-o", "both.db").returncode == 0
    both = json.loads(schemaproof("run", file, "--json", "-o", "both.db").stdout)
    assert both == whole
    again = schemaproof("run", file, "--verbose", "-o", "whole.db")
    assert b"p.parquet" not in again.stderr
    connection = sqlite3.connect(tmp_path / "both.db")
    assert connection.execute("SELECT count(*) FROM pages").fetchone() == (6,)
    connection.close()


@pytest.mark.skipif(sys.platform == "darwin", reason="file names are text there")
def test_a_file_name_that_is_no_text_stops_nothing(schemaproof: Call, tmp_path: Path) -> None:
    folder = pages(tmp_path / "in", 2)
    (tmp_path / "in" / os.fsdecode(b"b\xff.html")).write_text(PAGE.format(n=3))
    ran = schemaproof("run", str(folder), "--json")
    assert ran.returncode == 0, ran.stderr
    assert sorted(Path(page["page"]).name for page in json.loads(ran.stdout)["pages"]) == [
        "b\\xff.html",
        "p001.html",
        "p002.html",
    ]


def test_files_of_a_contender_that_cannot_be_read_cost_their_page_only(schemaproof: Call, tmp_path: Path) -> None:
    folder, files = pages(tmp_path / "in", 3), tmp_path / "files"
    (files / "p001_Recipe.jsonld").mkdir(parents=True)
    (files / "p002_Recipe.jsonld").symlink_to(tmp_path / "absent")
    (files / "p003.jsonld").write_text('{"@context": "https://schema.org", "@type": "Recipe", "name": "Pie 3"}')
    ran = schemaproof("run", str(folder), "--contender", f"x=files/{files}", "--json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["totals"]["contenders"]["x"]["errors"] == 2
    assert b"x failed for 2 of 3 units" in ran.stderr


def test_recorded_answers_that_changed_are_another_signature(tmp_path: Path) -> None:
    from schemaproof.cli.model_options import pinned_contenders
    from schemaproof.pipeline.plan import make_plan

    file = tmp_path / "rec.jsonl"
    found = set()
    for text in ("a", "b"):
        file.write_text(json.dumps({"key": text, "text": "{}"}))
        found.add(make_plan(pinned_contenders([f"m=recorded/{file}", "e=embedded"])).signature())
    assert len(found) == 2
    assert pinned_contenders(["e=embedded", "http://h/v1#x"]) == ("e=embedded", "http://h/v1#x")


def test_the_order_of_contenders_drops_no_pair(schemaproof: Call, tmp_path: Path) -> None:
    folder = pages(tmp_path / "in", 4)
    first, second = ["--contender", "a=embedded"], ["--contender", "b=embedded?k=1"]
    files = [str(path) for path in sorted(folder.iterdir())]
    assert schemaproof("run", *files[:2], *first, *second, "--all-pairs").returncode == 0
    result = json.loads(schemaproof("run", *files, *second, *first, "--all-pairs", "--json").stdout)
    pairs = {(pair["a"], pair["b"]): pair["units"] for pair in result["totals"]["memr"]}
    assert pairs == {("human", "b"): 4, ("human", "a"): 4, ("b", "a"): 4}


def test_merged_files_of_other_signatures_are_told(schemaproof: Call, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE.format(n=1))
    assert schemaproof("run", "a.html", "-o", "1.db").returncode == 0
    assert schemaproof("run", "a.html", "--policy", "google", "-o", "2.db").returncode == 0
    ran = schemaproof("merge", "1.db", "2.db", "-o", "m.db")
    assert (ran.returncode, b"1 page of another signature" in ran.stderr) == (0, True)
    ran = schemaproof("merge", "absent.db", "-o", "n.db")
    assert ran.returncode == 3
    assert not (tmp_path / "n.db").exists()
    (tmp_path / "zero.db").touch()
    assert schemaproof("report", "zero.db", "-o", "r.html").returncode == 3
    assert not (tmp_path / "zero.db").stat().st_size
    assert schemaproof("run", "a.html", "-o", "").returncode == 2


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_run_that_is_ended_leaves_no_process(tmp_path: Path) -> None:
    folder = pages(tmp_path / "in", 400)
    for number in (signal.SIGTERM, signal.SIGKILL):
        file = tmp_path / f"{number}.db"
        command = [sys.executable, "-m", "schemaproof", "run", str(folder), "--jobs", "2", "-o", str(file)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not (file.exists() and file.stat().st_size) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1)
        others = _children({process.pid}) - {process.pid}
        assert len(others) >= 2
        process.send_signal(number)
        process.wait()
        while any(Path(f"/proc/{each}").exists() for each in others) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not [each for each in others if Path(f"/proc/{each}").exists()]


def _children(known: set[int]) -> set[int]:
    """The processes, and those that they began."""
    found = set(known)
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, ValueError):
                continue
            if parent in found:
                found.add(int(process.name))
    return found
