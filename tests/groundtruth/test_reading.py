from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from schemaproof.errors import InputError, SourceError
from schemaproof.groundtruth.reading import read_rows
from schemaproof.groundtruth.row import Row, markup_of

PAPER: dict[str, Any] = {
    "id": "s:0",
    "snippet_id": "s",
    "text": "A text.",
    "property": "name",
    "value": "Text",
    "type": "Thing",
    "label": "positive",
    "mixtral": "TOKNEG",
    "mixtral_snippet_score": 0.5,
}
GOLD: dict[str, Any] = {
    "id": "g1",
    "page": "p",
    "path": "Article > author > Person > name",
    "types": ["Person"],
    "property": "name",
    "value": "Ida",
    "factual": "unsupported",
    "compliant": "yes",
    "mixtral": {"factuality": True, "compliance": None},
}


def write(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records), "utf-8")
    return path


def test_the_ground_truth_of_the_paper(tmp_path: Path) -> None:
    rows = read_rows(write(tmp_path / "factuality_x.jsonl", PAPER, {**PAPER, "first": False}))
    assert [row.first for row in rows] == [True, False]
    assert rows[0].agent == "factuality"
    assert rows[0].set == "factuality_x"
    assert rows[0].recorded == {"mixtral": False}
    assert rows[0].snippet_recorded == {"mixtral": True}
    compliance = read_rows(write(tmp_path / "any.jsonl", {**PAPER, "definition": "What it is called.", "type": None}))
    assert compliance[0].agent == "compliance"
    assert compliance[0].types == ()


def test_statements_of_real_pages_give_rows_to_both_agents(tmp_path: Path) -> None:
    rows = read_rows(
        write(tmp_path / "statements.jsonl", GOLD, {**GOLD, "factual": "unclear", "compliant": "debatable"})
    )
    assert [(row.set, row.agent, row.label) for row in rows] == [
        ("factuality", "factuality", False),
        ("compliance", "compliance", True),
    ]
    assert rows[0].recorded == {"mixtral": True}
    assert rows[1].recorded == {}


def test_what_build_writes_is_read_again(tmp_path: Path) -> None:
    row = Row("x:1", "mine", "compliance", "g", ("Offer",), "price", 5, False, "text", split="tune", kind="swap")
    assert read_rows(write(tmp_path / "any.jsonl", row.as_dict())) == [row]


def test_a_path_becomes_a_chain_of_nodes(tmp_path: Path) -> None:
    row = read_rows(write(tmp_path / "statements.jsonl", GOLD))[0]
    graph, index = markup_of(row)
    assert [node.types for node in graph.nodes] == [("Article",), ("Person",)]
    assert graph.statements[index].value == "Ida"
    assert [step.property for step in graph.statements[index].chain] == ["author", "name"]
    alone, index = markup_of(Row("1", "s", "compliance", "g", (), "price", 5, True))
    assert (len(alone.nodes), index, alone.statements[0].types) == (1, 0, ())


@pytest.mark.parametrize(
    ("line", "said", "number"),
    [
        ("{", "not JSON", 2),
        ("[1]", "lacks the field", 2),
        (json.dumps({**PAPER, "label": "maybe"}), "label is positive or negative", 2),
        (json.dumps({**PAPER, "value": ["a"]}), "value is a literal", 2),
        (json.dumps({key: value for key, value in PAPER.items() if key != "text"}), "lacks the field 'text'", 2),
        (json.dumps({"agent": "taste", "id": 1, "property": "a", "value": 1, "label": "positive"}), "agent is", 2),
    ],
)
def test_broken_lines_are_named(tmp_path: Path, line: str, said: str, number: int) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(PAPER) + "\n" + line + "\n", "utf-8")
    with pytest.raises(InputError, match=said) as caught:
        read_rows(file)
    assert caught.value.line == number
    assert caught.value.source == str(file)


def test_files_that_are_not_there_or_empty(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        read_rows(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="no row"):
        read_rows(write(tmp_path / "empty.jsonl"))
