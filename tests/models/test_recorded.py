from __future__ import annotations

import json
from pathlib import Path

import pytest

from schemaproof.errors import InputError, SourceError
from schemaproof.groundtruth.reading import read_rows
from schemaproof.groundtruth.row import markup_of
from schemaproof.models import build_model
from schemaproof.models.protocol import Ask, Message
from schemaproof.models.recorded import NOT_RECORDED, RecordedModel
from schemaproof.page import page_from_text
from schemaproof.pipeline.judges import build_judges
from schemaproof.pipeline.specs import parse_spec
from schemaproof.vocabulary import load

ROWS = [
    {"text": text, "property": name, "value": value, "type": "Recipe", "label": label, "mixtral": said}
    for text, name, value, label, said in (
        ("Pea soup, for 4", "name", "Pea soup", "positive", "TOKPOS"),
        ("Pea soup, for 4", "recipeYield", "6", "negative", "TOKNEG"),
        ("Bean soup", "name", "Pea soup", "negative", "TOKNEG"),
    )
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps({"id": str(n), **row}) + "\n" for n, row in enumerate(ROWS)))
    return path


def test_statements_get_their_recorded_answers(file: Path) -> None:
    judge = build_judges(load(), ("factuality",), "schema.org", f"recorded/{file}").factuality
    assert judge is not None
    said = []
    for row in read_rows(file):
        graph, index = markup_of(row)
        verdict = judge.judge(graph, judge.prepare(page_from_text(row.text)), [index])[index]
        assert verdict is not None
        said.append(str(verdict.decision))
    assert said == ["keep", "reject", "reject"]


def test_what_was_not_recorded_is_unclear(file: Path) -> None:
    judge = build_judges(load(), ("factuality",), "schema.org", f"recorded/{file}").factuality
    assert judge is not None
    graph, index = markup_of(read_rows(file)[0])
    verdict = judge.judge(graph, judge.prepare(page_from_text("Another text")), [index])[index]
    assert verdict is not None
    assert (verdict.decision, verdict.rule) == ("unclear", "model-no-answer")
    assert NOT_RECORDED


def test_answers_are_found_by_their_key(tmp_path: Path) -> None:
    path = tmp_path / "keyed.jsonl"
    ask = Ask((Message("user", "hello"),), "generation")
    path.write_text(json.dumps({"key": ask.key(f"recorded/{path}"), "text": "{}"}) + "\n")
    assert build_model(parse_spec(f"recorded/{path}")).ask(ask).text == "{}"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no recorded answer"),
        ("[1]\n", "lacks the field"),
        ('{"a": \n', "not JSON"),
        ('{"property":"p"}\n', "no recorded"),
    ],
)
def test_unusable_files_are_told(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        RecordedModel(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        RecordedModel(tmp_path / "none.jsonl")
