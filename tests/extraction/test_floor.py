"""Extraction without a model."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.extraction.floor import extract_under_schema
from schemaproof.extraction.markdown import outline, plain, words
from schemaproof.extraction.rows import row_of
from schemaproof.extraction.schema_check import SchemaCheck
from schemaproof.extraction.scorer import Settings, score_row
from schemaproof.pipeline.extraction_score import example_bytes

PAGE = """\
# Copper kettle

![front](https://shop.example/kettle.jpg)
Boils a litre of water in four minutes, and is quiet about it.

**Price:** $1,049.50 | **Rating:** 4.5 out of 5
Weight: 1.2 kg

| Colour | Stock |
|---|---|
| red | 3 |
| blue | 0 |

## Related

- [Tea pot](https://shop.example/pot) - $20.00
- [Cup](https://shop.example/cup) - $4.50

Published: 3 March 2024
Contact: shop@kettles.example or +44 20 7946 0000
Available: yes
"""


def obj(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


TEXT, NUMBER = {"type": "string"}, {"type": "number"}


def test_members_are_looked_up_by_label_table_list_and_kind() -> None:
    schema = obj(
        name=TEXT,
        price=NUMBER,
        currency={"type": "string"},
        rating=NUMBER,
        description=TEXT,
        image=TEXT,
        email=TEXT,
        published={"type": "string", "format": "date"},
        available={"type": "boolean"},
        variants={"type": "array", "items": obj(colour=TEXT, stock={"type": "integer"})},
        related={"type": "array", "items": obj(title=TEXT, url={"type": "string", "format": "uri"}, price=NUMBER)},
        nowhere=TEXT,
    )
    assert extract_under_schema(PAGE, schema) == {
        "name": "Copper kettle",
        "price": 1049.5,
        "currency": "USD",
        "rating": 4.5,
        "description": "Boils a litre of water in four minutes, and is quiet about it.",
        "image": "https://shop.example/kettle.jpg",
        "email": "shop@kettles.example",
        "published": "2024-03-03",
        "available": True,
        "variants": [{"colour": "red", "stock": 3}, {"colour": "blue", "stock": 0}],
        "related": [
            {"title": "Tea pot", "url": "https://shop.example/pot", "price": 20},
            {"title": "Cup", "url": "https://shop.example/cup", "price": 4.5},
        ],
    }


def test_what_is_demanded_and_not_there_says_nothing() -> None:
    schema = {
        **obj(owner=TEXT, branch={"type": ["string", "null"]}, shelves={"type": "array"}, floor={"type": "integer"}),
        "required": ["owner", "branch", "shelves", "floor"],
    }
    assert extract_under_schema(PAGE, schema) == {"owner": "", "branch": None, "shelves": []}


def test_references_and_a_root_array() -> None:
    schema = {"type": "array", "items": {"$ref": "#/$defs/row"}, "$defs": {"row": obj(colour=TEXT)}}
    assert extract_under_schema(PAGE, schema) == [{"colour": "red"}, {"colour": "blue"}]


def test_enumerations_only_take_their_members() -> None:
    schema = obj(colour={"enum": ["Red", "Green"]})
    assert extract_under_schema("Colour: red\n", schema) == {"colour": "Red"}
    assert extract_under_schema("Colour: yellow\n", schema) == {}


def test_nothing_is_made_up_on_the_example() -> None:
    """A gate: on the made-up pages what it answers is right, even if it answers half."""
    seen: set[str] = set()
    correct = answered = wanted = 0
    for number, line in enumerate(example_bytes().splitlines(), 1):
        row = json.loads(line)
        if row["id"] not in seen:
            seen.add(row["id"])
            response = json.dumps(extract_under_schema(row["content"], row["schema"]))
            kept = {name: row[name] for name in ("id", "gold", "schema")}
            score = score_row(row_of({**kept, "response": response}, number), Settings("aligned"))
            right, wrong, missing, invented = score.verdicts
            correct, answered, wanted = (
                correct + right,
                answered + right + wrong + invented,
                wanted + right + wrong + missing,
            )
    assert correct / answered > 0.85
    assert correct / wanted > 0.5


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["type", "properties", "items", "anyOf", "$ref", "required", "enum", "format", "a"]),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=15,
)


@given(JSON, st.text(max_size=200))
@settings(deadline=None, max_examples=200)
def test_no_schema_and_no_page_raises(schema: Any, content: str) -> None:
    assert isinstance(extract_under_schema(content, schema), dict | list)


@pytest.mark.parametrize("word", ["properties", "items"])
def test_a_recursive_schema_ends(word: str) -> None:
    loop: dict[str, Any] = {"$ref": "#"}
    schema = {"type": "object", "properties": {"a": loop, "b": {"type": "array", "items": loop}}}
    found = extract_under_schema("A: b\n- x\n- y\n", schema)
    assert isinstance(found, dict)
    assert not SchemaCheck(schema).broken


def test_time_is_linear_in_the_page() -> None:
    schema = obj(name=TEXT, price=NUMBER, rows={"type": "array", "items": obj(name=TEXT, url=TEXT)})
    start = time.process_time()
    for content in (
        "| a | b |\n" * 30_000,
        "- x: y\n" * 30_000,
        "[" * 200_000,
        "**" * 100_000,
        "a:" * 100_000,
        "1" * 100_000,
    ):
        extract_under_schema(content, schema)
    assert time.process_time() - start < 12.0


def test_markdown_outline() -> None:
    page = outline(PAGE)
    assert page.titles == [(1, "Copper kettle"), (2, "Related")]
    assert ("Price", "$1,049.50") in page.labels
    assert ("Rating", "4.5 out of 5") in page.labels
    assert page.tables[0].head == ["Colour", "Stock"]
    assert [entry.text for entry in page.listings[0].entries] == ["Tea pot - $20.00", "Cup - $4.50"]
    assert page.listings[0].title == "Related"
    assert page.links[0].image
    assert plain("**a** [b](http://c) `d`") == "a b d"
    assert words("reviewCount") == words("review_count") == words("Review count") == ["review", "count"]
