from __future__ import annotations

import pytest

from schemaproof.errors import SpecError
from schemaproof.pipeline.specs import parse_contender, parse_spec


@pytest.mark.parametrize(
    ("text", "kind", "target"),
    [
        ("embedded", "embedded", ""),
        ("openai/gpt-4o", "openai", "gpt-4o"),
        ("ollama/qwen3:4b", "ollama", "qwen3:4b"),
        ("http://localhost:8000/v1#small", "http", "http://localhost:8000/v1#small"),
        ("gguf/models/a.gguf", "gguf", "models/a.gguf"),
        ("inspect/mockllm/model", "inspect", "mockllm/model"),
        ("recorded/answers.jsonl", "recorded", "answers.jsonl"),
        ("files/out", "files", "out"),
    ],
)
def test_every_form_is_read(text: str, kind: str, target: str) -> None:
    spec = parse_spec(text)
    assert (spec.kind, spec.target, spec.text) == (kind, target, text)


def test_a_cascade_holds_the_spec_behind_it() -> None:
    assert parse_spec("cascade:openai/gpt-4o").target == "openai/gpt-4o"


def test_options_stand_behind_a_question_mark() -> None:
    assert parse_spec("openai/gpt-4o?prompt=plain").option("prompt") == "plain"
    spec = parse_spec("http://host/v1#model?prompt=plain")
    assert (spec.target, spec.option("prompt")) == ("http://host/v1#model", "plain")
    assert parse_spec("embedded").option("prompt") is None


@pytest.mark.parametrize(
    "text", ["", "gpt-4o", "openai/", "http://host/v1", "cascade:embedded", "cascade:files/x", "ftp://a#b"]
)
def test_what_is_no_spec_is_refused(text: str) -> None:
    with pytest.raises(SpecError):
        parse_spec(text)


def test_a_contender_has_a_name() -> None:
    assert parse_contender("mine=files/out")[0] == "mine"
    assert parse_contender("embedded")[0] == "extractor"
    assert parse_contender("openai/gpt-4o?prompt=a")[0] == "gpt-4o"
    with pytest.raises(SpecError, match="human"):
        parse_contender("human=embedded")
