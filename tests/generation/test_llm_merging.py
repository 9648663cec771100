from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.generation.merging import merge_deep, merge_shallow
from schemaproof.generation.schema import answer_schema, faults
from schemaproof.vocabulary import load


def test_one_thing_of_two_chunks_is_one() -> None:
    a = {"@context": "https://schema.org", "@type": "Recipe", "name": "Pea soup", "recipeIngredient": ["peas", "salt"]}
    b = {"@context": "https://schema.org", "@type": "Recipe", "name": "pea  Soup", "recipeIngredient": ["salt", "mint"]}
    merged = merge_deep([a, b])
    (document,) = merged.documents
    assert document["recipeIngredient"] == ["peas", "salt", "mint"]
    assert document["name"] == "Pea soup"
    assert merged.conflicts == []
    assert a["recipeIngredient"] == ["peas", "salt"]


def test_things_of_other_names_stay_apart() -> None:
    merged = merge_deep([{"@type": "Product", "name": "A"}, {"@type": "Product", "name": "B"}])
    assert [each["name"] for each in merged.documents] == ["A", "B"]


def test_conflicts_keep_both_values_and_say_whose_they_are() -> None:
    parts = [
        {"@type": "Product", "name": "A", "offers": {"@type": "Offer", "price": "1"}},
        {"@type": "Product", "name": "A"},
        {"@type": "Product", "name": "A", "offers": {"@type": "Offer", "price": "2"}},
    ]
    merged = merge_deep(parts)
    assert merged.documents[0]["offers"]["price"] == ["1", "2"]
    assert merged.conflicts == [("Product/offers/price", [(1, "1"), (3, "2")])]


ADA = {"@type": "Person", "name": "Ada"}


def test_nested_things_are_recognised_in_lists() -> None:
    parts = [
        {"@type": "Recipe", "author": [{"@type": "Person", "name": "Ada"}]},
        {"@type": "Recipe", "author": [{**ADA, "url": "https://a.example"}, {"@type": "Person", "name": "Bo"}]},
    ]
    (document,) = merge_deep(parts).documents
    assert document["author"] == [
        {"@type": "Person", "name": "Ada", "url": "https://a.example"},
        {"@type": "Person", "name": "Bo"},
    ]


def test_the_papers_merge_loses_what_ours_keeps() -> None:
    parts = [{"@type": "Recipe", "keywords": ["a", "b"]}, {"@type": "Recipe", "keywords": ["c"]}]
    assert merge_shallow(parts).documents == [{"@type": "Recipe", "keywords": ["c"]}]
    assert merge_deep(parts).documents[0]["keywords"] == ["a", "b", "c"]


NODES = st.fixed_dictionaries(
    {"@type": st.sampled_from(["Recipe", "Product"])},
    optional={
        "name": st.sampled_from(["a", "b"]),
        "keywords": st.lists(st.sampled_from(["x", "y", "z"]), max_size=3),
        "price": st.integers(0, 2),
    },
)


@settings(deadline=None)
@given(st.lists(NODES, max_size=5))
def test_no_value_is_lost_and_merging_twice_changes_nothing(parts: list[dict[str, Any]]) -> None:
    merged = merge_deep(parts).documents
    text = json.dumps(merged)
    for part in parts:
        for key, value in part.items():
            for each in value if isinstance(value, list) else [value]:
                assert json.dumps(each) in text, (key, each)
    assert merge_deep([*parts, *parts]).documents == merged


@pytest.mark.parametrize("types", [["Recipe"], ["Product"], ["Event", "BreadcrumbList"], ["Thing"]])
def test_schemas_are_small_and_accept_good_markup(types: list[str]) -> None:
    schema = answer_schema(types, load())
    text = json.dumps(schema, separators=(",", ":"))
    assert len(text) < 80_000
    allowed = {"type", "properties", "required", "enum", "items", "anyOf", "additionalProperties", "$ref", "$defs"}
    assert not {'"maxLength"', '"pattern"', '"format"', '"oneOf"'} & set(text.split(":"))
    assert allowed >= set(schema)
    roots = [{"@type": name, "name": "x"} for name in types]
    answer = (
        {"@context": "https://schema.org", **roots[0]}
        if len(roots) == 1
        else {"@context": "https://schema.org", "@graph": roots}
    )
    validator = jsonschema_rs.validator_for(schema)
    assert validator.is_valid(answer)
    assert not validator.is_valid({"@type": "Nothing"})
    assert faults(answer, types, load()) == []


def test_things_inside_are_of_the_range() -> None:
    validator = jsonschema_rs.validator_for(answer_schema(["Product"], load()))
    base = {"@context": "https://schema.org", "@type": "Product", "name": "x"}
    assert validator.is_valid({**base, "offers": {"@type": "Offer", "price": "3"}})
    assert validator.is_valid({**base, "offers": [{"@type": "Offer", "price": 3}]})
    assert not validator.is_valid({**base, "offers": {"@type": "Person"}})


def test_a_subtype_of_a_wanted_type_will_do() -> None:
    assert faults({"@type": "NewsArticle", "headline": "x"}, ["Article"], load()) == []
