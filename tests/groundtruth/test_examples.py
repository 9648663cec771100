from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from schemaproof.groundtruth.examples import fold, read_examples, stands
from schemaproof.vocabulary import load

FILE = Path(__file__).resolve().parent.parent / "fixtures" / "groundtruth" / "examples.txt"


def test_blocks_with_a_text_and_markup_are_examples() -> None:
    examples, left_out = read_examples(FILE.read_text("utf-8"))
    assert [each.id for each in examples] == ["eg-9001", "eg-9002", "eg-9003", "eg-9004"]
    assert left_out == ["eg-9005: no text", "eg-9006: no JSON-LD that can be read"]
    assert examples[0].terms == ("Bakery", "openingHours")
    assert "Mill Lane 14, Hexham" in examples[0].text
    assert "<" not in examples[2].text
    assert "Timber & Sons" in examples[2].text


def test_what_the_text_says_is_told_from_what_only_the_markup_has() -> None:
    example = read_examples(FILE.read_text("utf-8"))[0][0]
    said = {
        statement.property: example.states(statement)
        for statement in example.graph(load()).statements
        if statement.value is not None
    }
    assert said["telephone"]
    assert said["openingHours"], "marked at a visible text in other words"
    assert not said["sameAs"]


def test_values_stand_as_whole_words_and_numbers() -> None:
    text = fold("Price: 19.99 EUR, Größe XL, 12 cats")
    assert stands(fold("19.99"), text)
    assert not stands("9.99", text)
    assert not stands("19", text)
    assert not stands("cat", text)
    assert stands(fold("GROSSE"), fold("Große")) == (fold("GROSSE") in fold("Große"))
    assert not stands("", text)


@given(st.text(max_size=50), st.text(max_size=20))
def test_folding_is_stable_and_a_text_stands_in_itself(text: str, other: str) -> None:
    folded = fold(text)
    assert fold(folded) == folded
    if folded:
        assert stands(folded, folded)
        assert stands(folded, f"{fold(other)} {folded} {fold(other)}".strip()) or folded[-1].isdigit()


def test_a_file_of_something_else_has_no_examples() -> None:
    assert read_examples("") == ([], [])
    assert read_examples("TYPES: nothing here")[0] == []
