"""`schemaproof extraction` as a user calls it."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from schemaproof.cli.main import main

# bpe-openai opens its own data in a way that Python 3.11 and 3.12 call deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:open_binary is deprecated:DeprecationWarning")

Call = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def schemaproof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Call:
    """The command line in this process, which is what makes these tests quick."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SCHEMAPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SCHEMAPROOF_MODEL_PAUSE", "0")
    monkeypatch.setenv("SCHEMAPROOF_MODEL_ATTEMPTS", "2")

    def call(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfdbinary.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        told = capfdbinary.readouterr()
        return subprocess.CompletedProcess(arguments, int(stop.value.code or 0), told.out, told.err)

    return call


GOOD: dict[str, Any] = {
    "id": "good",
    "response": '{"a": 1, "b": "x y"}',
    "gold": {"a": 1, "b": "x y"},
    "schema": {"required": ["a"]},
}
FENCED = {**GOOD, "id": "fenced", "response": '```json\n{"a": 1}\n```', "model": "m2"}
ROWS: list[dict[str, Any]] = [
    GOOD,
    FENCED,
    {**GOOD, "id": "scalar", "response": "5"},
    {**GOOD, "id": "refused", "response": None},
]


def write(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" if not isinstance(row, str) else row + "\n" for row in rows))
    return path


def lines(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_example_tells_a_newcomer_what_it_means(schemaproof: Call) -> None:
    done = schemaproof("extraction", "score", "example")
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode()
    for needed in (
        "200 rows", "194 answered", "188 scored", "share of answers that keep to their JSON Schema", "95% interval",
        "Looks right, is wrong", "example:40", "careful", "Signature:", "Gold is what should have been answered",
    ):  # fmt: skip
        assert needed in text
    assert done.stderr == b""


def test_rows_go_to_standard_output_and_totals_to_standard_error(schemaproof: Call, tmp_path: Path) -> None:
    done = schemaproof("extraction", "score", str(write(tmp_path / "f.jsonl", ROWS)), "--strict", "--rows")
    assert done.returncode == 0
    good, fenced, scalar, refused = lines(done)
    assert set(good) == {
        "id", "is_valid_json", "is_schema_compliant", "key_precision", "key_recall", "key_f1", "missing_keys",
        "extra_keys", "value_score", "overall_bleu",
    }  # fmt: skip
    assert math.isclose(good["value_score"], 1.0)
    assert fenced["is_valid_json"] == 0.0
    assert (scalar["id"], scalar["line"]) == ("scalar", 3)
    assert "only an object or an array" in scalar["error"]
    assert "no answer" in refused["error"]
    assert b"4 rows in the file" in done.stderr
    assert b"f.jsonl:3" in done.stderr


def test_json_says_everything_with_denominators(schemaproof: Call, tmp_path: Path) -> None:
    done = schemaproof("extraction", "score", str(write(tmp_path / "f.jsonl", ROWS)), "--json")
    (data,) = lines(done)
    assert data["schema_version"] == 1
    totals = data["totals"]
    assert [totals[name] for name in ("rows", "answered", "scored", "valid", "valid_and_compliant")] == [4, 3, 2, 2, 2]
    assert set(totals["metrics"]["key_f1"]) == {"mean", "low", "high", "rows", "over_all_rows"}
    assert totals["reading"] == {"fence": 1}
    assert data["errors"][0]["line"] == 3
    assert "profile:reference" in data["signature"]
    assert "reading:tolerant" in data["signature"]


def test_csv(schemaproof: Call, tmp_path: Path) -> None:
    done = schemaproof("extraction", "score", str(write(tmp_path / "f.jsonl", ROWS)), "--format", "csv")
    table = {
        (row["model"], row["group"], row["metric"]): row for row in csv.DictReader(io.StringIO(done.stdout.decode()))
    }
    assert float(table["(all)", "all", "key_recall"]["value"]) == 0.75
    assert table["(all)", "all", "scored"]["value"] == "2"


def test_bad_rows_never_stop_the_others(schemaproof: Call, tmp_path: Path) -> None:
    deep = '{"id": "deep", "schema": {}, "gold": {}, "response": "' + "[" * 400 + "]" * 400 + '"}'
    surrogate = '{"id": "surrogate", "schema": {}, "response": "{}", "gold": {"a": "\\ud800"}}'
    file = write(tmp_path / "f.jsonl", ["nonsense", "[]", '{"id": 5}', deep, surrogate, "", GOOD])
    for profile in ("reference", "card", "aligned"):
        done = schemaproof("extraction", "score", str(file), "--rows", "--profile", profile)
        assert done.returncode == 0, done.stderr
        found = lines(done)
        # The recipe of the card looks only at keys, and a list of lists has none below its own.
        bad = 3 if profile == "card" else 4
        assert [row.get("line") for row in found[:bad]] == [1, 2, 3, 4][:bad]
        assert all("error" in row for row in found[:bad])
        assert found[-1]["key_f1"] == 1.0
    assert b"f.jsonl:1: id 1: the line is not JSON" in done.stderr


def test_exit_statuses(schemaproof: Call, tmp_path: Path) -> None:
    file = str(write(tmp_path / "f.jsonl", ROWS))
    assert schemaproof("extraction", "score", file, "--fail-under", "key_f1=0.7").returncode == 0
    low = schemaproof("extraction", "score", file, "--fail-under", "key_f1=0.99")
    assert low.returncode == 1
    assert b"key_f1 is 0.8333, below 0.99" in low.stderr
    assert schemaproof("extraction", "score", file, "--fail-on", "row").returncode == 1
    for arguments, message in (
        ((file, "--fail-under", "leaf_f1=1"), b"has no metric 'leaf_f1'"),
        ((file, "--fail-under", "key_f1"), b"wants NAME=VALUE"),
        ((file, "--fail-under", "key_f1=x"), b"is no number"),
        ((file, "--column", "answer=x"), b"there is no column 'answer'"),
        ((file, "--compare", "m2", "nobody"), b"'nobody' is neither a file nor a model"),
        ((str(write(tmp_path / "empty.jsonl", [])),), b"holds no rows"),
        (
            (str(write(tmp_path / "bad.jsonl", ["x", "y"])),),
            b"bad.jsonl:1: holds no row of answers: the line is not JSON",
        ),
        ((file, "--comparators", file), b"--profile aligned"),
    ):
        done = schemaproof("extraction", "score", *arguments)
        assert done.returncode == 2, arguments
        assert message in done.stderr, done.stderr
    missing = schemaproof("extraction", "score", "nowhere.jsonl")
    assert missing.returncode == 3
    assert b"nowhere.jsonl: there is no such file" in missing.stderr


def test_a_file_of_rows_that_cannot_be_scored_is_told_row_by_row(schemaproof: Call, tmp_path: Path) -> None:
    file = str(write(tmp_path / "f.jsonl", [{**GOOD, "response": "5"}, {**GOOD, "response": "null"}]))
    done = schemaproof("extraction", "score", file)
    assert done.returncode == 0
    assert b"0 scored (2 could not be scored" in done.stdout
    assert b"f.jsonl:2: id good: the answer is null" in done.stdout
    assert lines(schemaproof("extraction", "score", file, "--json"))[0]["totals"]["errors"] == 2


def test_forms_of_files_give_the_same(schemaproof: Call, tmp_path: Path) -> None:
    import duckdb

    plain = write(tmp_path / "f.jsonl", ROWS)
    expected = schemaproof("extraction", "score", str(plain), "--rows").stdout
    (tmp_path / "f.jsonl.gz").write_bytes(gzip.compress(plain.read_bytes()))
    (tmp_path / "f.json").write_text(json.dumps(ROWS, indent=1))
    texts = [{**row, "gold": json.dumps(row["gold"]), "schema": json.dumps(row["schema"])} for row in ROWS]
    for name in ("f.jsonl.gz", "f.json"):
        assert schemaproof("extraction", "score", str(tmp_path / name), "--rows").stdout == expected, name
    assert schemaproof("extraction", "score", "-", "--rows", stdin=plain.read_bytes()).stdout == expected
    with duckdb.connect() as database:
        database.execute(
            "CREATE TABLE t (id VARCHAR, response VARCHAR, gold VARCHAR, schema VARCHAR, model VARCHAR, day DATE)"
        )
        for row in texts:
            database.execute(
                "INSERT INTO t VALUES (?, ?, ?, ?, ?, today())",
                [row["id"], row["response"], row["gold"], row["schema"], row.get("model")],
            )
        database.execute(f"COPY t TO '{tmp_path / 'f.parquet'}' (FORMAT parquet)")
    assert schemaproof("extraction", "score", str(tmp_path / "f.parquet"), "--rows").stdout == expected
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 nothing")
    assert schemaproof("extraction", "score", str(tmp_path / "broken.parquet")).returncode == 3


def test_two_processes_give_the_same_rows_in_the_same_order(schemaproof: Call, tmp_path: Path) -> None:
    rows = [{**GOOD, "id": n, "response": json.dumps({"a": n % 3, "b": "x " * (n % 5)})} for n in range(400)]
    file = str(write(tmp_path / "f.jsonl", [*rows, "nonsense"]))
    one = schemaproof("extraction", "score", file, "--rows", "--workers", "1")
    two = schemaproof("extraction", "score", file, "--rows", "--workers", "2")
    assert one.returncode == two.returncode == 0, two.stderr
    assert one.stdout == two.stdout
    assert one.stderr == two.stderr


def test_models_are_compared(schemaproof: Call) -> None:
    done = schemaproof(
        "extraction", "score", "example", "--profile", "aligned", "--compare", "careful", "hasty", "--json"
    )
    (data,) = lines(done)
    compared = data["compare"]
    assert compared["rows_in_both"] == 88
    assert compared["metrics"]["leaf_f1"]["low"] > 0
    assert set(data["models"]) == {"careful", "hasty"}


def test_two_files_are_compared(schemaproof: Call, tmp_path: Path) -> None:
    one = write(tmp_path / "one.jsonl", [{**GOOD, "id": n} for n in range(20)])
    two = write(tmp_path / "two.jsonl", [{**GOOD, "id": n, "response": '{"a": 2}'} for n in range(5, 25)])
    done = schemaproof("extraction", "score", str(one), "--compare", str(one), str(two))
    assert b"on the 15 rows that both have" in done.stdout
    other = write(tmp_path / "other.jsonl", [{**GOOD, "id": "elsewhere"}])
    assert b"no id in common" in schemaproof("extraction", "score", str(one), "--compare", str(one), str(other)).stderr


@pytest.mark.parametrize("form", ["json", "toml"])
def test_comparators_of_a_file(schemaproof: Call, tmp_path: Path, form: str) -> None:
    file = write(tmp_path / "f.jsonl", [{**GOOD, "response": '{"a": 1.04, "b": "other"}'}])
    rules = tmp_path / f"rules.{form}"
    if form == "json":
        rules.write_text('{"fields": {"a": {"comparator": "number", "tolerance": 0.1}, "b": "ignore"}}')
    else:
        rules.write_text('[fields]\na = {comparator = "number", tolerance = 0.1}\nb = "ignore"\n')
    arguments = ("extraction", "score", str(file), "--profile", "aligned", "--rows")
    assert lines(schemaproof(*arguments))[0]["leaf_f1"] == 0.0
    assert lines(schemaproof(*arguments, "--comparators", str(rules)))[0]["leaf_f1"] == 1.0
    rules.write_text("{")
    broken = schemaproof(*arguments, "--comparators", str(rules))
    assert broken.returncode == 2
    assert rules.name.encode() in broken.stderr


def test_details_show_faults_and_breaches(schemaproof: Call, tmp_path: Path) -> None:
    row = {**GOOD, "response": '{"a": 2, "z": "new"}', "schema": {"properties": {"a": {"type": "string"}}}}
    file = write(tmp_path / "f.jsonl", [row])
    done = schemaproof("extraction", "score", str(file), "--profile", "aligned", "--rows", "--details", "--json")
    (found,) = lines(done)
    assert found["schema_version"] == 1
    assert {(fault["path"], fault["verdict"]) for fault in found["faults"]} == {
        ("a", "wrong"), ("b", "missing"), ("z", "invented"),
    }  # fmt: skip
    assert found["schema_errors"] == [
        {"pointer": "/a", "keyword": "/properties/a/type", "message": '2 is not of type "string"'}
    ]


def test_the_recorded_cases_through_the_command(schemaproof: Call, tmp_path: Path, shared: Path) -> None:
    cases = [json.loads(line) for line in (shared / "extraction" / "reference_oracle.jsonl").read_text().splitlines()]
    file = write(
        tmp_path / "f.jsonl",
        [{"id": c["id"], "response": c["pred"], "gold": c["gold_json"], "schema": c["schema"]} for c in cases],
    )
    done = schemaproof("extraction", "score", str(file), "--profile", "reference", "--strict", "--rows")
    found = lines(done)
    assert [row.pop("id") for row in found] == [case["id"] for case in cases]
    for case, row in zip(cases, found, strict=True):
        if "raises" in case["expected"]:
            assert row["error"]
        else:
            assert row == case["expected"], case["id"]


def test_the_example_can_be_written(schemaproof: Call, tmp_path: Path) -> None:
    done = schemaproof("extraction", "example", "-o", "answers.jsonl")
    assert done.returncode == 0
    assert len((tmp_path / "answers.jsonl").read_text().splitlines()) == 200
    assert schemaproof("extraction", "example").stdout == (tmp_path / "answers.jsonl").read_bytes()


class Server(BaseHTTPRequestHandler):
    """Answers chat completions: the page's title as the name; 500 or 400 where the page says so."""

    asked: ClassVar[list[dict[str, Any]]] = []

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(question)
        text = question["messages"][0]["content"]
        title = text.split("# ", 1)[1].split("\n", 1)[0]
        status = 500 if title == "down" else 400 if title == "refused" else 200
        message = {"role": "assistant", "content": "```json\n" + json.dumps({"name": title}) + "\n```"}
        body: dict[str, Any] = {
            "id": "x", "object": "chat.completion", "created": 0, "model": question["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        }  # fmt: skip
        if status != 200:
            body = {"error": {"message": "content filter", "type": "x", "code": status}}
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[str]:
    """SPEC of a model on loopback."""
    from schemaproof.models.building import forget_models

    Server.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1#tiny"
    forget_models()
    server.shutdown()
    server.server_close()
    thread.join()


def data_set(path: Path, titles: list[str]) -> str:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    rows = [{"content": f"# {t}\n", "schema": schema, "response": {"name": t}} for t in titles]
    return str(write(path, rows))


def test_run_asks_a_model_and_scores_it(schemaproof: Call, tmp_path: Path, endpoint: str) -> None:
    data = data_set(tmp_path / "d.jsonl", ["One", "Two", "refused", "Three"])
    done = schemaproof("extraction", "run", data, "--by", endpoint, "--json", "--constrained")
    assert done.returncode == 0, done.stderr
    (found,) = lines(done)
    assert found["run"]["asked"] == 4
    assert found["run"]["left_out"] == 0
    totals = found["totals"]
    assert [totals[name] for name in ("rows", "answered", "scored", "valid_and_compliant")] == [4, 3, 3, 3]
    assert totals["metrics"]["value_score"]["mean"] > 0.999
    assert b"0 left out, their prompt is longer than 8,192 tokens by" in done.stderr
    question = Server.asked[0]
    assert question["temperature"] == 0
    assert question["max_tokens"] == 4096
    assert question["response_format"]["json_schema"]["schema"]["properties"] == {"name": {"type": "string"}}

    again = schemaproof("extraction", "run", data, "--by", endpoint, "--json", "--constrained")
    assert lines(again)[0]["run"]["reused"] == 4
    assert lines(again)[0]["totals"] == totals
    scored = schemaproof("extraction", "score", "schemaproof-extraction.db", "--json")
    assert lines(scored)[0]["totals"]["metrics"] == totals["metrics"]


def test_run_says_how_to_go_on_where_the_provider_is_down(schemaproof: Call, tmp_path: Path, endpoint: str) -> None:
    data = data_set(tmp_path / "d.jsonl", ["One", "down", "Two"])
    done = schemaproof("extraction", "run", data, "--by", endpoint, "--jobs", "1", "-o", "run.db")
    assert done.returncode == 3
    assert b"saved in run.db; the same command goes on from there" in done.stderr
    assert done.stdout == b""


def test_run_without_a_model(schemaproof: Call, tmp_path: Path) -> None:
    done = schemaproof("extraction", "run", "example", "--by", "embedded", "--limit", "16", "--profile", "aligned")
    assert done.returncode == 0
    assert b"16 rows in the file" in done.stdout
    assert b"leaf_f1" in done.stdout
    floor = schemaproof(
        "extraction", "run", "example", "--by", "embedded", "--limit", "16", "--fail-under", "key_f1=0.99"
    )
    assert floor.returncode == 1
    for arguments, status, message in (
        (("example", "--by", "nonsense"), 2, b"is no SPEC"),
        (("absent.jsonl", "--by", "embedded"), 3, b"no such file"),
        (("example", "--by", "embedded", "--tokenizer", "x"), 2, b"no tokenizer 'x'"),
    ):
        failed = schemaproof("extraction", "run", *arguments)
        assert failed.returncode == status, failed.stderr
        assert message in failed.stderr


@pytest.mark.slow
def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    def peak(rows: int) -> float:
        file = tmp_path / f"{rows}.jsonl"
        text = "".join(
            json.dumps({**GOOD, "id": n, "response": json.dumps({"a": n, "b": "x y"})}) + "\n" for n in range(1000)
        )
        with file.open("w") as stream:
            for _ in range(math.ceil(rows / 1000)):
                stream.write(text)
        with (tmp_path / "out").open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "schemaproof", "extraction", "score", str(file), "--workers", "1"], stdout=out
            )
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        return usage.ru_maxrss / 1024

    small, large = peak(10_000), peak(200_000)
    assert large < small + 15, (small, large)


def test_odd_columns_stop_no_other_row(schemaproof: Call, tmp_path: Path) -> None:
    import duckdb

    good = {"id": 9, "response": '{"a": 1}', "gold": {"a": 1}, "schema": {}}
    odd = [
        {**good, "id": 1, "response": '{"a": "http://a.b/\\ud800"}', "gold": {"a": "http://a.b/c"}},
        {**good, "id": 2, "schema_depth": 10**400},
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in [*odd, good]))
    for profile in ("reference", "card", "aligned"):
        ran = schemaproof("extraction", "score", "a.jsonl", "--profile", profile, "--json")
        assert (ran.returncode, json.loads(ran.stdout)["totals"]["rows"]) == (0, 3)
    answer = """'{"a": 1}'"""
    for name, select in {
        "blob": f"1 AS id, {answer}::BLOB AS response, {answer}::BLOB AS gold, '{{}}' AS schema",
        "struct": '1.5::DECIMAL(5, 1) AS id, \'{"d": "2024-01-01"}\' AS response,'
        " {'d': DATE '2024-01-01'} AS gold, '{}' AS schema",
        "date": "1::DECIMAL(5, 1) AS id, '\"2024-01-01\"' AS response, DATE '2024-01-01' AS gold, '{}' AS schema,"
        " DATE '2024-01-01' AS model",
    }.items():
        duckdb.sql(f"COPY (SELECT {select}) TO '{tmp_path / name}.parquet' (FORMAT parquet)")
        ran = schemaproof("extraction", "score", f"{name}.parquet", "--rows", "--profile", "aligned")
        (row,) = [json.loads(line) for line in ran.stdout.splitlines()]
        assert (ran.returncode, row["id"]) == (0, 1.5 if name == "struct" else 1)
        if name != "date":  # a gold value that is no object nor list is told as one that cannot be scored
            assert row["value_score"] == 1


def test_a_data_set_without_a_row_to_answer_is_unusable(schemaproof: Call, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "bare.jsonl").write_text('{"id": 1, "gold": {"a": 1}, "schema": {}}\n' * 3)
    for name, words in (("empty.jsonl", b"no rows"), ("bare.jsonl", b"bare.jsonl:1: holds no row to answer")):
        ran = schemaproof("extraction", "run", name, "--by", "embedded", "-o", "r.db")
        assert ran.returncode == 2
        assert words in ran.stderr
    (tmp_path / "p.txt").write_bytes(b"\xff")
    ran = schemaproof("extraction", "run", "bare.jsonl", "--by", "embedded", "--prompt", "p.txt", "-o", "r.db")
    assert (ran.returncode, b"not UTF-8" in ran.stderr) == (2, True)


def test_answers_are_not_scored_against_another_data_set(schemaproof: Call, tmp_path: Path) -> None:
    def rows(name: str, value: int) -> str:
        row = {"content": f"a is {value}", "gold": {"a": value}, "schema": {"type": "object"}, "page": "\ud800"}
        lines = [json.dumps({**row, "id": f"{name}{number}"}) + "\n" for number in range(3)]
        (tmp_path / f"{name}.jsonl").write_text("".join(lines))
        return f"{name}.jsonl"

    first, second = rows("a", 1), rows("b", 2)
    assert schemaproof("extraction", "run", first, "--by", "embedded", "-o", "r.db").returncode == 0
    ran = schemaproof("extraction", "run", second, "--by", "embedded", "-o", "r.db")
    assert (ran.returncode, b"another data set" in ran.stderr) == (3, True)
    assert schemaproof("extraction", "run", first, "--by", "embedded", "-o", "r.db").returncode == 0


@pytest.mark.parametrize("floor", ["key_f1=nan", "missing_keys=1", "extra_keys=0"])
def test_a_floor_that_says_nothing_is_refused(schemaproof: Call, tmp_path: Path, floor: str) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": 1, "response": "{}", "gold": {}, "schema": {}}\n')
    assert schemaproof("extraction", "score", "a.jsonl", "--fail-under", floor).returncode == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    row = '{"id": 1, "response": "{}", "gold": {}, "schema": {}}\n'
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "schemaproof", "extraction", "score", str(pipe), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    pipe.write_text(row)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "data:" not in json.loads(said)["signature"]
