"""Each mended fault has its row and its effect."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schemaproof.published.layout import PublishedUnit, Side, read_artefact
from schemaproof.published.ours import Step, deeply_merged, ladder, lost_in_merging
from schemaproof.published.protocol import merged_chunks, statements
from schemaproof.vocabulary import load

BLANK = "N0123456789abcdef0123456789abcdef"
SAME = {"@context": "https://schema.org", "@type": "Recipe", "name": "Pie"}


def steps(units: list[PublishedUnit]) -> list[Step]:
    return ladder(units, load())


@pytest.fixture
def make(log: Callable[[str, Any], dict[str, Any]]) -> Callable[..., PublishedUnit]:
    def build(
        human: Any, logs: dict[str, Any] | None = None, *, canonical: bool = True, gpt3: Side | None = None
    ) -> PublishedUnit:
        sides = {
            "human": Side(human, {step: log(step, entries) for step, entries in (logs or {}).items()}),
            "gpt3": gpt3 or Side(SAME),
            "gpt4": Side(SAME),
        }
        return PublishedUnit("0" * 32, ("Recipe",), "count_sum", 0, sides, canonical=canonical)

    return build


def numbers(rows: list[Step]) -> list[tuple[int, ...]]:
    return [row.numbers["human"] for row in rows]


def test_rows_are_the_faults(make: Callable[..., PublishedUnit]) -> None:
    rows = steps([make(SAME), make(SAME, canonical=False)])
    assert len(rows) == 8
    assert [row.units for row in rows] == [2, 1, 1, 1, 1, 1, 1, 1]
    assert rows[0].label == "published"


def test_values_stay_where_they_were_not_judged(make: Callable[..., PublishedUnit]) -> None:
    tree = {**SAME, "author": {"@type": "Person", "name": "Pie"}}
    rows = steps([make(tree, {"factual": {"name|Pie|Person": False, "name|Pie|Recipe": True}})])
    assert [row[2] for row in numbers(rows)] == [0, 0, 1, 1, 1, 1, 1, 2]  # facts: name and the author link


def test_a_rejected_entity_takes_no_literals(make: Callable[..., PublishedUnit]) -> None:
    tree = {**SAME, "author": [{"@type": "Offer", "price": 1}, "Ann"]}
    rows = steps([make(tree, {"shacl": {f"author|{BLANK}|Recipe": False}})])
    assert [row[1] for row in numbers(rows)][:4] == [1, 1, 1, 2]


def test_any_type_of_a_node_is_enough(make: Callable[..., PublishedUnit]) -> None:
    tree = {"@context": "https://schema.org", "@type": ["Recipe", "Person"], "name": "Pie", "cookTime": "PT1M"}
    logs = {
        "shacl": {"cookTime|PT1M|Person": False},
        "factual": {"name|Pie|Recipe": True, "name|Pie|Person": False, "cookTime|PT1M|Recipe": True},
    }
    rows = steps([make(tree, logs)])
    assert [row[1] for row in numbers(rows)][2:5] == [2, 2, 4]
    assert [row[2] for row in numbers(rows)][2:5] == [0, 0, 4]


def test_what_only_our_validity_lets_through_is_unclear(make: Callable[..., PublishedUnit]) -> None:
    # Published: a Role fits no range of author, so the entity goes; ours accepts it, no one judged what is in it.
    role = {"@type": "Role", "roleName": "cook", "author": {"@type": "Person", "name": "Ann"}}
    tree = {**SAME, "author": role}
    logs = {"shacl": {f"author|{BLANK}|CreativeWork-author": False}, "factual": {"name|Pie|Recipe": True}}
    rows = steps([make(tree, logs)])
    assert [row.unclear["human"] for row in rows] == [0, 0, 0, 0, 0, 2, 2, 2]
    assert numbers(rows)[4] == (3, 1, 1, 1)
    assert numbers(rows)[5] == (3, 3, 1, 1)


def test_what_only_a_mended_filter_lets_through_is_unclear(make: Callable[..., PublishedUnit]) -> None:
    # "Pie" is judged wrong of the person; the published filter drops the recipe's too, so compliance never saw it.
    tree = {**SAME, "recipeYield": "4", "author": {"@type": "Person", "name": "Pie"}}
    logs = {
        "factual": {"name|Pie|Person": False, "name|Pie|Recipe": True, "recipeYield|4|Recipe": True},
        "semantic": {"recipeYield|4|Recipe": True},
    }
    rows = steps([make(tree, logs)])
    assert numbers(rows)[0] == (3, 3, 1, 1)
    assert numbers(rows)[2] == (3, 3, 2, 1)
    assert [row.unclear["human"] for row in rows] == [0, 0, 1, 1, 1, 1, 1, 1]


def test_chunk_answers_are_kept(make: Callable[..., PublishedUnit]) -> None:
    chunks = (
        {"@type": "Recipe", "name": "Pie", "recipeIngredient": ["a", "b"]},
        {"@type": "Recipe", "name": "Pie", "recipeIngredient": ["b", "c"], "author": {"@type": "Person", "name": "X"}},
    )
    side = Side(merged_chunks(chunks), chunks=chunks)
    assert lost_in_merging(side) == 1
    assert lost_in_merging(Side(SAME)) == 0
    merged = deeply_merged(chunks)
    assert merged["recipeIngredient"] == ["a", "b", "c"]
    assert statements(merged) == statements(list(chunks))
    rows = steps([make(SAME, gpt3=side)])
    assert [row.numbers["gpt3"][0] for row in rows][4:7] == [4, 4, 5]


def test_deep_merge_joins_entities_of_one_type_and_keeps_others_apart() -> None:
    first = {"@type": "A", "x": {"@type": "B", "p": 1}, "y": {"@type": "B", "p": 1}, "z": None, "s": 1}
    other = {"@type": "A", "x": {"@type": "B", "q": 2}, "y": {"@type": "C", "q": 2}, "z": 3, "s": 1}
    assert deeply_merged([first, other]) == {
        "@type": "A",
        "x": {"@type": "B", "p": 1, "q": 2},
        "y": [{"@type": "B", "p": 1}, {"@type": "C", "q": 2}],
        "z": 3,
        "s": 1,
    }
    assert deeply_merged([[{"@type": "A"}, {"@type": "B"}], {"@type": "A", "n": 1}, "text"]) == [
        {"@type": "A", "n": 1},
        {"@type": "B"},
    ]
    assert first["x"] == {"@type": "B", "p": 1}


def test_our_memr_pays_nothing_for_a_type(make: Callable[..., PublishedUnit]) -> None:
    only_type = {"@context": "https://schema.org", "@type": "Recipe"}
    both = make(only_type, gpt3=Side(only_type))
    rows = steps([both])
    assert rows[0].scores["gpt3"] == (1.0, 1.0)
    assert "gpt3" not in rows[-1].scores
    assert rows[-1].left_out == {"gpt3": 1, "gpt4": 0}
    assert rows[0].scores["gpt4"][0] == 0.5
    assert rows[-1].scores["gpt4"] == (0.0, 1.0)


@pytest.mark.slow
def test_the_ladder_on_the_recorded_half(unpacked: Path) -> None:
    rows = steps(list(read_artefact(unpacked).units))
    assert [row.units for row in rows] == [98] + [92] * 7
    published, ours = rows[0], rows[-1]
    assert published.scores["gpt4"] == pytest.approx((0.568521, 0.707175), abs=1e-5)
    for row in rows:
        for who, found in row.numbers.items():
            assert found[0] >= found[1] >= found[2] >= found[3], (row.label, who)
    for model, (h, other) in ours.scores.items():
        low, high = ours.intervals[model]
        assert low is not None
        assert high is not None
        assert low.low <= h <= low.high
        assert high.low <= other <= high.high
