from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemaproof.groundtruth.blind import CHANCE, blind_accuracies
from schemaproof.groundtruth.building import EXTRINSIC, INTRINSIC, Builder, Built, balance
from schemaproof.groundtruth.distance import Distance
from schemaproof.groundtruth.examples import fold, read_examples, stands
from schemaproof.groundtruth.row import COMPLIANCE, Row, split_of
from schemaproof.vocabulary import load

FILE = Path(__file__).resolve().parent.parent / "fixtures" / "groundtruth" / "examples.txt"
EXAMPLES = read_examples(FILE.read_text("utf-8"))[0]


def builder(seed: int = 0) -> Builder:
    return Builder(EXAMPLES, load(), Distance(load(), {}), seed)


def same_split() -> Builder:
    """With all examples in one split, so that few of them are enough for unrelated texts."""
    seed = next(seed for seed in range(20000) if len({split_of(each.group, seed) for each in EXAMPLES}) == 1)
    return builder(seed)


def test_extrinsic_rows_come_with_their_own_and_an_unrelated_text() -> None:
    rows = list(same_split().extrinsic())
    assert len(rows) > 20
    by_statement = Counter((row.group, row.property, str(row.value), row.types) for row in rows)
    assert set(by_statement.values()) == {2}
    texts = {each.group: each.text for each in EXAMPLES}
    for row in rows:
        assert (row.text == texts[row.group]) == row.label
        assert stands(fold(str(row.value)), fold(row.text)) == row.label or row.property == "openingHours"
        assert row.types, "types are given on both sides"


def test_intrinsic_rows_change_a_figure_or_exchange_two_values() -> None:
    rows = list(builder().intrinsic())
    assert {row.kind for row in rows} == {"", "swap", "numeric-edit"}
    assert sum(row.label for row in rows) * 2 == len(rows)
    for row in rows:
        if row.kind == "numeric-edit":
            assert not stands(fold(str(row.value)), fold(row.text))
        if row.kind == "swap":
            assert stands(fold(str(row.value)), fold(row.text)) or "openingHours" in {
                each.property for each in rows if each.value == row.value
            }


def test_exchanged_values_keep_every_property_and_value_as_often_right_as_wrong() -> None:
    rows = list(builder().compliance())
    assert rows
    for what in (lambda row: row.property, lambda row: str(row.value), lambda row: row.types):
        right = Counter(what(row) for row in rows if row.label)
        assert right == Counter(what(row) for row in rows if not row.label)


def test_exchanged_values_are_of_distant_properties() -> None:
    distance = Distance(load(), {})
    rows = list(builder().compliance())
    own = {(row.group, str(row.value)): row.property for row in rows if row.label}
    for row in rows:
        if not row.label:
            assert distance(row.property, own[row.group, str(row.value)]) >= 0.85


def test_the_same_seed_gives_the_same_rows() -> None:
    assert builder(4).build() == builder(4).build()


def test_a_build_is_balanced_and_split_by_example() -> None:
    built = builder().build()
    assert set(built.sets) == {EXTRINSIC, INTRINSIC, COMPLIANCE}
    for name, rows in built.sets.items():
        assert len({row.id for row in rows}) == len(rows)
        splits: dict[str, set[str]] = {}
        for row in rows:
            assert row.set == name
            assert "CC BY-SA" in row.source
            splits.setdefault(row.group, set()).add(row.split)
        assert all(len(each) == 1 for each in splits.values())


def test_long_rows_stand_in_a_page_that_does_not_say_the_value() -> None:
    made = builder()
    rows = list(made.intrinsic())
    pages = [
        ("p1", "A page about trains.\nThey run.\nAnd stop.", "fr"),
        ("p2", "Bread is baked in Hexham.\nDaily.", "en"),
    ]
    long = made.long(rows, pages)
    assert long
    for row in long:
        short = next(each for each in rows if row.text.find(each.text) >= 0 and each.property == row.property)
        assert short.text in row.text
        assert row.language in ("fr", "en")
        assert row.set.endswith("_long")
    assert sum(row.label for row in long) * 2 == len(long)


def leaky(groups: int = 60) -> list[Row]:
    rows = []
    for number in range(groups):
        for label in (True, False):
            types = ("Thing",) if label else ()
            rows.append(
                Row(f"{number}{label}", "s", "factuality", f"g{number}", types, "name", f"v{number}", label, "t")
            )
    return rows


def test_a_set_whose_types_tell_is_found_out() -> None:
    assert blind_accuracies(leaky())["type"] == 1.0
    kept, dropped, warning = balance(leaky())
    assert "type 1.00" in warning
    assert len(kept) >= len(leaky()) // 2
    assert dropped <= 30


def test_groups_that_tell_are_left_out() -> None:
    fair = [replace(row, types=("Thing",)) for row in leaky(200)]
    rows = fair + leaky(40)[:80]
    rows = [replace(row, group=f"h{place}") if place >= 400 else row for place, row in enumerate(rows)]
    assert blind_accuracies(rows)["type"] > CHANCE or blind_accuracies(rows)["type"] > 0.5
    kept, _, warning = balance(rows, 0.52)
    assert warning == ""
    assert max(blind_accuracies(kept).values()) <= 0.52


@given(st.sampled_from(sorted(load().properties)), st.sampled_from(sorted(load().properties)))
def test_distance_is_symmetric_and_zero_only_for_equals(first: str, second: str) -> None:
    distance = Distance(load(), {"name": "What a thing is called.", "sku": "A code of the seller for a thing."})
    assert distance(first, second) == distance(second, first)
    assert 0 <= distance(first, second) <= 1
    assert distance(first, first) == 0


def test_definitions_bring_meanings_nearer() -> None:
    told = {"author": "Who wrote the work.", "creator": "Who wrote the work or made it."}
    assert Distance(load(), told)("author", "creator") < Distance(load(), {})("author", "creator")


@pytest.mark.slow
def test_the_official_examples_give_nothing_away(shared: Path) -> None:
    file = next((shared / "vocabulary").glob("*/schemaorg-all-examples.txt"))
    examples, _ = read_examples(file.read_text("utf-8"))
    built: Built = Builder(examples, load(), Distance(load(), {})).build()
    assert built.warnings == []
    for name, rows in built.sets.items():
        assert len(rows) > 700, name
        assert max(blind_accuracies(rows).values()) <= CHANCE, name
        assert abs(2 * sum(row.label for row in rows) - len(rows)) <= len(rows) // 50, name
