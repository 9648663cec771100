"""Running a data set into a run file: resuming, refusals, the prompt rule, data sets from folders and the hub."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from schemaproof.errors import InputError, ModelError, SourceError, SpecError, StoreError
from schemaproof.extraction.prompting import PROMPT, checked_template, fill, token_counter
from schemaproof.extraction.scorer import Settings
from schemaproof.models.protocol import Ask, Reply
from schemaproof.pipeline.extraction_data import dataset_files, dataset_items
from schemaproof.pipeline.extraction_run import (
    Chat,
    Floor,
    Question,
    RunSettings,
    Written,
    build_writer,
    run_extraction,
)
from schemaproof.pipeline.extraction_score import read_items, score_file
from schemaproof.pipeline.extraction_store import ExtractionStore

SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}}


def write(path: Path, count: int, **more: Any) -> str:
    rows = [
        {
            "id": f"r{n}",
            "content": f"# Name {n}\n",
            "schema": SCHEMA,
            "response": json.dumps({"name": f"Name {n}"}),
            **more,
        }
        for n in range(count)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


class Scripted:
    """Answers right; may fail or refuse at given rows."""

    name = "scripted"

    def __init__(self, *, at_once: int = 1, down_at: str = "", refuse: str = "") -> None:
        self.at_once = at_once
        self.down_at, self.refuse = down_at, refuse
        self.asked: list[str] = []

    def answer(self, question: Question) -> Written:
        name = question.content.strip("# \n")
        if name == self.down_at:
            raise ModelError("the provider is down")
        self.asked.append(name)
        if name == self.refuse:
            return Written(None, "the schema is too deep")
        return Written(json.dumps({"name": name}))


def test_every_row_is_asked_once_and_scored(tmp_path: Path) -> None:
    data = write(tmp_path / "rows.jsonl", 30)
    writer = Scripted(at_once=4, refuse="Name 7")
    with ExtractionStore(tmp_path / "run.db") as store:
        report = run_extraction(data, writer, store, RunSettings(tokenizer="chars/4"))
        assert (report.rows, report.asked, report.refused, report.reused) == (30, 30, 1, 0)
        again = run_extraction(data, writer, store, RunSettings(tokenizer="chars/4"))
        assert (again.asked, again.reused) == (0, 30)
    assert len(writer.asked) == 30
    scores = list(score_file(str(tmp_path / "run.db"), Settings()))
    assert [score.id for score in scores] == [f"r{n}" for n in range(30)]
    assert [score.refusal for score in scores if score.refusal] == ["the schema is too deep"]
    assert {score.metrics["key_f1"] for score in scores if score.metrics} == {1.0}


@pytest.mark.parametrize("at_once", [1, 4])
def test_a_provider_that_is_down_stops_the_run_and_nothing_is_lost(tmp_path: Path, at_once: int) -> None:
    data = write(tmp_path / "rows.jsonl", 20)
    broken = Scripted(at_once=at_once, down_at="Name 11")
    with ExtractionStore(tmp_path / "run.db") as store:
        with pytest.raises(ModelError):
            run_extraction(data, broken, store, RunSettings(tokenizer="chars/4"))
        saved = len(store.done(store.connection.execute("SELECT signature FROM answers").fetchone()[0]))
        assert saved == len(broken.asked) >= 11
        mended = Scripted(at_once=at_once)
        report = run_extraction(data, mended, store, RunSettings(tokenizer="chars/4"))
    assert report.reused == saved
    assert not set(broken.asked) & set(mended.asked)
    assert len(broken.asked) + len(mended.asked) == 20


def test_another_question_is_asked_anew(tmp_path: Path) -> None:
    data = write(tmp_path / "rows.jsonl", 5)
    writer = Scripted()
    with ExtractionStore(tmp_path / "run.db") as store:
        run_extraction(data, writer, store, RunSettings(tokenizer="chars/4"))
        other = RunSettings(tokenizer="chars/4", template="{content} {schema}")
        assert run_extraction(data, writer, store, other).asked == 5
        assert run_extraction(data, writer, store, RunSettings(tokenizer="chars/4", constrained=True)).asked == 5
        write(tmp_path / "rows.jsonl", 5, content="# Name changed\n")
        assert run_extraction(data, writer, store, RunSettings(tokenizer="chars/4")).asked == 5


def test_long_prompts_are_left_out_and_counted(tmp_path: Path) -> None:
    data = write(tmp_path / "rows.jsonl", 3)
    with Path(data).open("a") as stream:
        stream.write(json.dumps({"id": "long", "content": "word " * 9000, "schema": SCHEMA, "response": "{}"}) + "\n")
    with ExtractionStore(tmp_path / "run.db") as store:
        report = run_extraction(data, Scripted(), store, RunSettings())
        assert (report.rows, report.left_out, report.asked) == (4, 1, 3)
        (why,) = store.connection.execute("SELECT left_out FROM rows WHERE left_out <> ''").fetchone()
        assert report.tokenizer in why
        assert run_extraction(data, Scripted(), store, RunSettings(max_prompt_tokens=0)).left_out == 0


def test_rows_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    data = write(tmp_path / "rows.jsonl", 2)
    with Path(data).open("a") as stream:
        stream.write('nonsense\n[]\n{"content": "x"}\n{"content": "x", "schema": {}, "gold": "{"}\n')
    with ExtractionStore(tmp_path / "run.db") as store:
        report = run_extraction(data, Scripted(), store, RunSettings(tokenizer="chars/4"))
    assert (report.rows, report.unusable, report.asked) == (6, 4, 2)
    assert [number for number, _ in report.problems] == [3, 4, 5, 6]
    assert "content, schema" in report.problems[2][1]


def test_answers_of_several_models_on_one_page_are_one_row(tmp_path: Path) -> None:
    with ExtractionStore(tmp_path / "run.db") as store:
        report = run_extraction("example", Floor(), store, RunSettings(tokenizer="chars/4"))
    assert (report.rows, report.repeated, report.asked) == (100, 100, 100)


def test_the_run_file_is_checked(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database at all, only text that is long enough")
    with pytest.raises(StoreError):
        ExtractionStore(tmp_path / "text.db")
    with pytest.raises(StoreError, match="no such"):
        ExtractionStore(tmp_path / "none.db", must_exist=True)
    import sqlite3

    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE t (x)")
    other.close()
    with pytest.raises(StoreError, match="another with -o"):
        ExtractionStore(tmp_path / "other.db")
    with pytest.raises(StoreError):
        list(read_items(str(tmp_path / "other.db")))


class Model:
    """A chat model that records what it is asked."""

    name = "model"
    context_tokens = 1000

    def __init__(self) -> None:
        self.asks: list[Ask] = []

    def ask(self, ask: Ask) -> Reply:
        self.asks.append(ask)
        if "refuse" in ask.messages[0].text:
            raise InputError("model refuses the question")
        return Reply("{}")

    def ask_all(self, asks: Any) -> list[Reply]:
        return [self.ask(ask) for ask in asks]

    def count(self, text: str) -> int:
        return len(text)


def test_a_chat_model_is_asked_with_the_settings_of_the_evaluation() -> None:
    model = Model()
    writer = Chat(model)
    assert writer.answer(Question("fill this", "", SCHEMA, 4096, 0.0, False)) == Written("{}")
    assert writer.answer(Question("refuse", "", SCHEMA, 4096, 0.0, True)) == Written(None, "model refuses the question")
    plain, constrained = model.asks
    assert (plain.temperature, plain.max_tokens, plain.schema) == (0.0, 4096, "")
    assert json.loads(constrained.schema) == SCHEMA


def test_specs(tmp_path: Path) -> None:
    assert isinstance(build_writer("embedded"), Floor)
    for spec in ("nonsense", f"files/{tmp_path}", "cascade:openai/x"):
        with pytest.raises(SpecError):
            build_writer(spec)


def test_the_prompt_is_filled_once() -> None:
    assert fill("{schema} + {content}", "S{content}", "C{schema}") == "S{content} + C{schema}"
    assert fill(PROMPT, "SCHEMA", "CONTENT").count("SCHEMA") == 1
    with pytest.raises(InputError, match=r"p\.txt: the prompt lacks the mark {content}"):
        checked_template("{schema}", "p.txt")


def test_tokenizers(tmp_path: Path) -> None:
    assert token_counter("chars/4")("12345") == 2
    with pytest.raises(InputError, match="no tokenizer 'qwen'"):
        token_counter("qwen")
    pytest.importorskip("bpe_openai")
    assert token_counter("o200k_base")("hello world") == 2


# Data sets
def test_a_folder_is_taken_by_split(tmp_path: Path) -> None:
    for name in ("test-00001.jsonl", "test-00000.jsonl", "train-00000.jsonl", "testing.jsonl", "README.md"):
        write(tmp_path / name, 2)
    assert [Path(file).name for file in dataset_files(str(tmp_path), "test")] == [
        "test-00000.jsonl",
        "test-00001.jsonl",
    ]
    assert [number for number, _ in dataset_items(str(tmp_path), "test")] == [1, 2, 3, 4]
    with pytest.raises(SourceError, match="no human_eval-"):
        dataset_files(str(tmp_path), "human_eval")
    with pytest.raises(SourceError, match="no such file or folder"):
        dataset_files(str(tmp_path / "absent.jsonl"), "test")


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, int]]:
    """A hub on loopback that has one data set in two Parquet files, and counts requests by path."""
    import duckdb

    seen: dict[str, int] = {}
    files: dict[str, bytes] = {}
    with duckdb.connect() as database:
        for number in range(2):
            file = tmp_path / f"{number}.parquet"
            gold = "'{\"name\": \"Name ' || (i + ?) || '\"}' AS response"
            query = f"SELECT '# Name ' || (i + ?) AS content, ? AS schema, {gold}"
            database.execute(
                f"CREATE OR REPLACE TABLE t AS {query} FROM range(3) r(i)", [3 * number, json.dumps(SCHEMA), 3 * number]
            )
            database.execute(f"COPY t TO '{file}' (FORMAT parquet)")
            files[f"/files/{number}.parquet"] = file.read_bytes()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen[self.path] = seen.get(self.path, 0) + 1
            body = files.get(self.path)
            if self.path == "/api/datasets/scrapegraphai/scrapegraph-100k-finetuning/parquet":
                address = f"http://{self.headers['Host']}"
                body = json.dumps({"default": {"test": [address + path for path in files]}}).encode()
            self.send_response(404 if body is None else 200)
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_address[1]}")
    monkeypatch.setenv("SCHEMAPROOF_CACHE", str(tmp_path / "cache"))
    yield seen
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_data_set_of_the_hub_is_fetched_once(tmp_path: Path, hub: dict[str, int]) -> None:
    with ExtractionStore(tmp_path / "run.db") as store:
        report = run_extraction("scrapegraph-100k-finetuning", Scripted(), store, RunSettings(tokenizer="chars/4"))
        assert (report.rows, report.asked) == (6, 6)
        again = run_extraction("scrapegraph-100k-finetuning", Scripted(), store, RunSettings(tokenizer="chars/4"))
        assert again.reused == 6
    assert set(hub.values()) == {1}
    with pytest.raises(InputError, match="no split 'human_eval'"):
        dataset_files("scrapegraph-100k-finetuning", "human_eval")
    with pytest.raises(SourceError, match="local Parquet"):
        dataset_files("nobody/nothing", "test")
