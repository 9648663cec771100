"""Finding the JSON in what a model wrote."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.extraction.answers import first_json, read_answer


@pytest.mark.parametrize(
    ("response", "text", "notes"),
    [
        ('{"a":1}', '{"a":1}', ()),
        (' {"a":1}\n', ' {"a":1}\n', ()),
        ('\ufeff{"a":1}', '{"a":1}', ("byte-order-mark",)),
        ('```json\n{"a":1}\n```', '{"a":1}', ("fence",)),
        ("```\n[1]\n```\nDone.", "[1]", ("fence",)),
        ('~~~json\n{"a":1}\n~~~', '{"a":1}', ("fence",)),
        ('Sure! {"a":{"b":"}"}} Bye.', '{"a":{"b":"}"}}', ("prose",)),
        ('<think>{maybe} [1]</think>{"a":1}', '{"a":1}', ("thinking",)),
        ('<think>a</think><think>b</think>\n{"a":1}', '\n{"a":1}', ("thinking",)),
        ('I ponder {x}</think>\n```json\n{"a":1}\n```', '{"a":1}', ("thinking", "fence")),
        ('{"a":1}\n{"a":2}', '{"a":1}', ("value-1-of-2",)),
        ('As in [1]: {"a":1}', '{"a":1}', ("prose", "value-2-of-2")),
        ('"{\\"a\\":1}"', '{"a":1}', ("quoted",)),
        ("Use {name} here: [2, 3]", "[2, 3]", ("prose",)),
        ("```py\nrun()\n```\n```json\n[1]\n```", "[1]", ("fence",)),
        ('{"a":"```json\\n{}\\n```"}', '{"a":"```json\\n{}\\n```"}', ()),
        ("No data on this page.", "No data on this page.", ("no-json",)),
        ("", "", ("no-json",)),
        ("<think>never ends {", "", ("thinking", "truncated")),
        ("5", "5", ()),
    ],
)
def test_where_the_json_stands(response: str, text: str, notes: tuple[str, ...]) -> None:
    answer = read_answer(response)
    assert (answer.text, answer.notes) == (text, notes)
    assert answer.repaired is None


def test_the_wanted_kind_is_taken() -> None:
    response = 'Items: ["x"] and then {"a": 1}'
    assert read_answer(response, "array").text == '["x"]'
    assert read_answer(response, "object").text == '{"a": 1}'


@pytest.mark.parametrize(
    ("response", "value", "note"),
    [
        ('{"a": 1, "b": [1, 2', {"a": 1, "b": [1]}, "truncated"),
        ('{"a": 1, "b": ["x", "y"', {"a": 1, "b": ["x", "y"]}, "truncated"),
        ('{"a": {"b": 1}, "c": {"d": tr', {"a": {"b": 1}, "c": {}}, "truncated"),
        ('{"a": 1, "b": 25, "c', {"a": 1, "b": 25}, "truncated"),
        ('{"a": {"b": 2, "key": ', {"a": {"b": 2}}, "truncated"),
        ('```json\n{"a": 1, "b": {"c": "x"}, "d": "cut o', {"a": 1, "b": {"c": "x"}}, "truncated"),
        ('{"a": [{"b": 1}, {"b": 2},], }', {"a": [{"b": 1}, {"b": 2}]}, "repaired:trailing-comma"),
        ('Here: {"a": 1,\n}', {"a": 1}, "repaired:trailing-comma"),
    ],
)
def test_what_is_no_json_stays_so_and_is_repaired_apart(response: str, value: dict[str, object], note: str) -> None:
    answer = read_answer(response)
    assert note in answer.notes
    with pytest.raises(json.JSONDecodeError):
        json.loads(answer.text)
    assert isinstance(answer.repaired, dict)
    assert {key: answer.repaired.get(key) for key in value} == value


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ('{"a":1}', '{"a":1}'),
        ('```json\n{"a":1}\n```', '{"a":1}'),
        ('x ``` [1] ``` {"a":1}', "[1]"),
        ('a {"b": {"c": "}"}} d {"e": 1}', '{"b": {"c": "}"}}'),
        ('[{"a": "]"}] x', '[{"a": "]"}]'),
        ('{"a": 1', '{"a": 1'),
        ("none", "none"),
        ('<think>{no}</think>{"a":1}', "{no}"),
        ('a \\" {"b": "x\\"}y"} c', '{"b": "x\\"}y"}'),
    ],
)
def test_the_published_rule(response: str, text: str) -> None:
    assert first_json(response) == text


@given(st.text('{}[]",:`\\ \nab1<think>/', max_size=80))
@settings(deadline=None, max_examples=300)
def test_no_text_raises(response: str) -> None:
    answer = read_answer(response)
    assert answer.text in response or '"' in response
    assert first_json(response) in response


@given(st.recursive(st.text(max_size=8), lambda inner: st.dictionaries(st.text(max_size=5), inner, min_size=1)))
@settings(deadline=None, max_examples=50)
def test_any_object_is_found_in_a_fence_and_in_prose(value: object) -> None:
    text = json.dumps({"value": value})
    assert json.loads(read_answer(f"```json\n{text}\n```").text) == {"value": value}
    assert json.loads(read_answer(f"Here you are:\n{text}\nThat is all.").text) == {"value": value}


def test_time_is_linear_in_hostile_text() -> None:
    start = time.process_time()
    for text in (
        "[" * 200_000,
        '{"' * 100_000,
        "```" * 60_000,
        "<think>" * 50_000,
        "<think></think>" * 20_000,
        "{[" * 90_000,
    ):
        read_answer(text)
        first_json(text)
    assert time.process_time() - start < 3.0
