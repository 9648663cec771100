"""BLEU against sacrebleu itself."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.extraction.bleu import compensated_sum, json_bleu, sentence_bleu, tokens_13a, tokens_cjk

# What the tokenizer treats differently, and some that it does not.
ALPHABET = "aab09.,--'\"{}[]:;!&|~_\\/ <>\n\t\x1c\u00a0\u00e9\u0660\u53f0\u3002"
TEXTS = st.one_of(
    st.text(ALPHABET, max_size=40),
    st.text(max_size=40).filter(lambda text: not any(0xD800 <= ord(char) < 0xE000 for char in text)),
    st.lists(st.sampled_from(["the", "cat", "sat", "on", "mat", "5.5", "a,b", "&amp;", "<skipped>", "-\n", "..."])).map(
        " ".join
    ),
)


@pytest.fixture(scope="module", autouse=True)
def same_sum() -> Iterator[None]:
    """Before Python 3.12 `sum` is not compensated, which moves sacrebleu's last bits: exchange its `sum` there."""
    import sacrebleu.metrics.bleu as module

    patch = pytest.MonkeyPatch()
    if sys.version_info < (3, 12):
        patch.setattr(module, "sum", compensated_sum, raising=False)
    yield
    patch.undo()


def reference(hypothesis: str, reference: str) -> float:
    import sacrebleu

    return float(sacrebleu.sentence_bleu(hypothesis, [reference]).score) / 100


@given(TEXTS)
@settings(deadline=None, max_examples=250)
def test_tokens_are_those_of_13a(text: str) -> None:
    from sacrebleu.metrics.bleu import BLEU

    assert tokens_13a(text) == BLEU(tokenize="13a").tokenizer(text.rstrip()).split()


@given(TEXTS, TEXTS)
@settings(deadline=None, max_examples=120)
def test_bleu_of_any_two_texts(one: str, other: str) -> None:
    assert sentence_bleu(one, other) == reference(one, other)
    assert sentence_bleu(one, one) == reference(one, one)


@given(TEXTS, st.lists(st.tuples(st.integers(0, 60), st.text(ALPHABET, max_size=3)), max_size=5), st.integers(1, 4))
@settings(deadline=None, max_examples=120)
def test_bleu_of_a_changed_text(text: str, changes: list[tuple[int, str]], times: int) -> None:
    text = changed = f"{text} " * times
    for place, new in changes:
        changed = changed[:place] + new + changed[place + 1 :]
    assert sentence_bleu(changed, text) == reference(changed, text)


PIECES = st.sampled_from(
    ["{", ":", ",", "}", "name", "price", "},{", "a b c", "19.99", ":5,", ":[", "]", "", "x. y", "Hello, world...", "é"]
)


@given(
    st.lists(PIECES, min_size=1, max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 12), st.lists(PIECES, max_size=4)), max_size=4),
)
@settings(deadline=None, max_examples=150)
def test_bleu_of_serialised_json(pieces: list[str], changes: list[tuple[int, int, list[str]]]) -> None:
    changed = list(pieces)
    for place, number, new in changes:
        changed[place : place + number] = new
    one, other = '"'.join(changed), '"'.join(pieces)
    if one and other and one != other:
        assert json_bleu(one, other) == reference(one, other)
        assert json_bleu(other, one) == reference(other, one)


def test_long_texts_with_moved_blocks() -> None:
    rows = [f'{{"name":"thing {n}","price":{n * 7 % 13}.5,"text":"one two three {n * n} four"}}' for n in range(40)]
    gold = "[" + ",".join(rows) + "]"
    for answer in (rows[::-1], rows[5:] + rows[:5], rows[:10] + rows[20:], rows + rows, rows[:3] * 9, [rows[7]]):
        text = "[" + ",".join(answer) + "]"
        assert json_bleu(text, gold) == reference(text, gold)
        assert json_bleu(gold, text) == reference(gold, text)


def test_identical_texts_score_a_hair_over_one() -> None:
    for text in ("a", "a b", "a b c", "a b c d", "a b c d e f"):
        assert sentence_bleu(text, text) == 1.0000000000000004
    assert sentence_bleu(" ", " ") == 0.0


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e100, max_value=1e100)))
def test_compensated_sum_is_that_of_python_3_12(values: list[float]) -> None:
    if sys.version_info >= (3, 12):
        assert compensated_sum(values) == builtins.sum(values)
    assert compensated_sum([0.1] * 10) == 1.0


def test_chinese_characters_are_tokens_of_their_own() -> None:
    assert tokens_cjk("台北 abc 市") == ["台", "北", "abc", "市"]
    assert sentence_bleu("台北市信義區路五段7號", "台北市信義區路五段8號") == 0.0
    assert sentence_bleu("台北市信義區路五段7號", "台北市信義區路五段8號", tokens_cjk) > 0.6
