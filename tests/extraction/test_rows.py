"""Rows of a file of answers, and the score of one row."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schemaproof.extraction.complexity import bin_of, complexity_of, measured
from schemaproof.extraction.reference import METRICS
from schemaproof.extraction.rows import RowError, parse_line, row_of
from schemaproof.extraction.schema_walk import SchemaWalk
from schemaproof.extraction.scorer import LEAF_METRICS, Score, Settings, score_row


def line(**columns: Any) -> bytes:
    return json.dumps({"id": "x", "response": '{"a": 1}', "gold": {"a": 1}, "schema": {}, **columns}).encode()


def scored(profile: str = "reference", reading: str = "tolerant", **columns: Any) -> Score:
    return score_row(parse_line(line(**columns), 7), Settings(profile, reading, details=True))


def test_values_and_texts_are_the_same() -> None:
    for gold, schema in (({"a": 1}, {"type": "object"}), ('{"a": 1}', '{"type": "object"}')):
        row = parse_line(line(gold=gold, schema=schema), 7)
        assert (row.gold, row.schema, row.line, row.id) == ({"a": 1}, {"type": "object"}, 7, "x")


def test_columns_of_other_programs() -> None:
    row = row_of({"idx": 4, "model_response": "{}", "ground_truth": "{}", "json_schema": "{}", "llm_model": "m"}, 1)
    assert (row.id, row.response, row.gold, row.model) == (4, "{}", {}, "m")
    renamed = row_of({"a": "{}", "b": {}, "schema": {}}, 9, {"response": "a", "gold": "b"})
    assert (renamed.id, renamed.response) == (9, "{}")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"nonsense", "not JSON: Expecting value at column 1"),
        (b"[1]", "no JSON object"),
        (b'{"id": 1, "response": "{}", "schema": {}}', "no column gold; the row has id, response, schema"),
        (b'{"id": 1, "response": "{}", "schema": {}, "gold": "{"}', "gold is not JSON"),
        (b'{"id": 1, "response": "\xff"}', "not UTF-8"),
        (b'{"gold": ' + b"9" * 5000 + b"}", "cannot be read"),
        (b'{"gold": ' + b"[" * 100_000, "cannot be read|not JSON"),
    ],
)
def test_a_bad_line_says_what_is_wrong_and_where(data: bytes, message: str) -> None:
    with pytest.raises(RowError, match=message) as caught:
        parse_line(data, 12)
    assert caught.value.line == 12


def test_large_integers_keep_their_digits() -> None:
    row = parse_line(b'{"response": "{}", "gold": {"a": 18446744073709551617}, "schema": {}}', 1)
    assert row.gold == {"a": 18446744073709551617}
    assert "64-bit" in score_row(row, Settings()).error
    assert score_row(row, Settings("aligned")).verdicts == (0, 0, 1, 0)


def test_a_schema_that_is_none_loses_no_row() -> None:
    score = scored(schema="not a schema")
    assert score.metrics["is_schema_compliant"] == 0.0
    assert score.metrics["key_f1"] == 1.0
    assert "object" in score.schema_problem


def test_a_refusal_is_no_error() -> None:
    assert scored(response=None).refusal == "no response"
    assert scored(response="", error="schema refused").refusal == "schema refused"
    assert scored(response='{"a": 1}', error="fell back").metrics["key_f1"] == 1.0
    assert scored(response="").metrics["is_valid_json"] == 0.0


@pytest.mark.parametrize("profile", ["reference", "card", "aligned"])
def test_every_profile_yields_the_names_of_the_card(profile: str) -> None:
    names = (*METRICS, *(LEAF_METRICS if profile == "aligned" else ()))
    assert tuple(scored(profile).metrics) == names


def test_readings_differ_where_they_should() -> None:
    response = '<think>{"a": 2}</think>```json\n{"a": 1}\n```'
    assert scored(response=response).metrics["value_score"] == 1.0
    assert scored(response=response, reading="first").metrics["is_valid_json"] == 1.0
    assert scored(response=response, reading="raw").metrics["is_valid_json"] == 0.0
    assert scored(response=response).notes == ("thinking", "fence")


def test_a_truncated_answer_is_no_json_but_aligned_counts_what_is_there() -> None:
    response = '{"a": 1, "b": {"c": 2}, "d": "cu'
    gold = {"a": 1, "b": {"c": 2}, "d": "cut"}
    assert scored(response=response, gold=gold).metrics["key_recall"] == 0.0
    score = scored("aligned", response=response, gold=gold)
    assert score.metrics["is_valid_json"] == 0.0
    assert score.verdicts == (2, 0, 1, 0)


@pytest.mark.parametrize("profile", ["reference", "aligned"])
@pytest.mark.parametrize("response", ["5", "null", '"text"', "true"])
def test_a_scalar_answer_is_an_error_row(profile: str, response: str) -> None:
    assert "only an object or an array" in scored(profile, response=response).error


def test_the_gap() -> None:
    gold = {"a": "one two three", "b": 5}
    assert scored(response='{"a": "other words", "b": 6}', gold=gold).gap
    assert not scored(response=json.dumps(gold), gold=gold).gap
    assert not scored(response='{"a": "other words", "b": 6}', gold=gold, schema={"required": ["z"]}).gap


def test_details_of_a_row() -> None:
    score = scored("aligned", response='{"a": 2, "c": 1}', schema={"required": ["b"]}, gold={"a": 1, "b": 2})
    assert {(leaf.path, leaf.verdict) for leaf in score.leaves} == {("a", "wrong"), ("b", "missing"), ("c", "invented")}
    assert score.schema_errors[0].keyword == "/required"


# The card's recipe, where it differs from the published code.
@pytest.mark.parametrize(
    ("response", "gold", "expected"),
    [
        ("null", {"a": 1}, {"is_valid_json": 0.0, "key_recall": 0.0, "missing_keys": 1.0}),
        ("oops", {}, {"is_valid_json": 0.0, "key_f1": 0.0, "value_score": 0.0}),
        ("{}", {}, {"is_valid_json": 1.0, "key_precision": 0.0, "key_f1": 0.0, "value_score": 0.0}),
        ('{"a":1,"a":2}', {"a": 2}, {"key_f1": 1.0, "value_score": 1.0}),
        ('{"a":1}', {"a": 1, "b": 2}, {"key_recall": 0.5, "value_score": 1.0}),
        ('{"a":[1,1,2]}', {"a": [2, 1]}, {"value_score": 1.0}),
        ('{"a":[[1],[1]]}', {"a": [[1]]}, {"value_score": 1.0}),
        ('{"a":1.0000000001}', {"a": 1.0}, {"value_score": 0.0}),
        ('{"a":NaN}', {"a": 1}, {"is_valid_json": 1.0}),
        ("5", {"a": 1}, {"is_valid_json": 1.0, "key_precision": 0.0, "extra_keys": 0.0}),
        ("[1,2]", [1, 2], {"key_f1": 1.0, "value_score": 1.0}),
    ],
)
def test_the_card(response: str, gold: Any, expected: dict[str, float]) -> None:
    got = scored("card", "raw", response=response, gold=gold).metrics
    assert {name: got[name] for name in expected} == expected


def test_the_cards_bleu_is_of_the_texts_as_given() -> None:
    assert scored("card", "raw", response='{"b":1,"a":2}', gold='{"b":1,"a":2}').metrics["overall_bleu"] > 1
    assert scored("card", "raw", response='{"a":2,"b":1}', gold='{"b":1,"a":2}').metrics["overall_bleu"] < 1


def test_complexity_by_its_formulas() -> None:
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {
            "a": {"type": ["string", "null"]},
            "b": {"type": "array", "items": {"$ref": "#/$defs/item"}},
            "c": {"anyOf": [{"type": "string"}, {"enum": ["x", "y"]}]},
        },
        "$defs": {"item": {"type": "object", "properties": {"d": {"type": "string"}}, "required": ["d"]}},
    }
    got = measured(schema)
    # Root, a, b, its items, the item referred to, d, c and both alternatives; b and c may be left out.
    assert (got.depth, got.keys, got.elements) == (3, 4, 9)
    assert got.cyclomatic == 1 + 2 + 1 + 1 + 1
    assert got.composite == 4 + 6 + 4.5 + 3
    assert got.computed


def test_complexity_of_a_recursive_or_odd_schema_ends() -> None:
    assert measured({"properties": {"a": {"$ref": "#"}}}).depth == 2
    schemas: list[Any] = [5, None, [], {"properties": 7, "items": 3, "anyOf": {}}, {"$ref": "#/no/where"}]
    for schema in schemas:
        assert measured(schema).keys == 0


def test_columns_of_the_data_set_are_preferred() -> None:
    columns = {
        "schema_depth": 3.0,
        "schema_keys": 9.0,
        "schema_elements": 12.0,
        "schema_cyclomatic_complexity": 4.0,
        "schema_complexity_score": 120.5,
    }
    got = complexity_of({}, columns, "{}")
    assert (got.composite, got.bin, got.computed) == (120.5, "100-200", False)
    assert complexity_of({}, {"schema_complexity_score": 50.0}, "{}").bin == "50-100"
    assert [bin_of(x) for x in (0, 49.9, 999, 1000, 1e9)] == ["0-50", "0-50", "500-1000", "1000+", "1000+"]


def test_walking_a_schema() -> None:
    walk = SchemaWalk(
        {
            "$ref": "#/$defs/root",
            "$defs": {
                "root": {"type": "object", "properties": {"a": {"items": {"format": "date"}}}},
                "loop": {"$ref": "#/$defs/loop"},
            },
        }
    )
    assert walk.kind() == "object"
    assert walk.leaf(walk.items(walk.member(walk.root, "a"))) == {"format": "date"}
    assert walk.member(walk.root, "z") == {}
    assert SchemaWalk({"$ref": "#/$defs/loop", "$defs": {"loop": {"$ref": "#/$defs/loop"}}}).kind() == ""
    assert SchemaWalk({"anyOf": [{"type": "array"}, {"type": "null"}]}).kind() == "array"


def test_references_are_followed_by_anchor_and_by_any_pointer() -> None:
    sku = {"type": "string", "enum": ["1", "01"]}
    for target, defined in (
        ("#sku", {"$defs": {"x": {"$anchor": "sku", **sku}}}),
        ("#sku", {"definitions": {"x": {"$id": "#sku", **sku}}}),
        ("#/$defs/my%20t", {"$defs": {"my t": sku}}),
        ("#/$defs/a~1b", {"$defs": {"a/b": sku}}),
        ("#/anyOf/1", {"anyOf": [{}, sku]}),
    ):
        walk = SchemaWalk({"properties": {"a": {"$ref": target}}, **defined})
        assert walk.leaf(walk.member(walk.root, "a")).get("enum") == ["1", "01"], target
    for target in ("#none", "#/no/thing", "other.json#sku", "#/anyOf/7"):
        walk = SchemaWalk({"properties": {"a": {"$ref": target}}, "anyOf": [{}], "default": {"$anchor": "none", **sku}})
        assert walk.leaf(walk.member(walk.root, "a")) == {}, target
