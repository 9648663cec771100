"""Words of a text, and phrases found among them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.agents.grounding.words import Words, words_of


def test_words_part_digits_and_scripts_without_spaces() -> None:
    assert words_of("4gb of data, mid-size") == ["4", "gb", "of", "data", "mid", "size"]
    assert words_of("東京 tower") == ["東", "京", "tower"]
    assert words_of("snake_case") == ["snake", "case"]


def test_find_gives_whole_words_in_order() -> None:
    words = Words("the cat, the cathedral; the - cat")
    assert [words.words[a:b] for a, b in words.find("the cat")] == [["the", "cat"], ["the", "cat"]]
    assert [a for a, _ in words.find("the cat", low=1)] == [4]
    assert list(words.find("cath")) == []
    assert words.has("cat the")


def test_bounds_and_limit() -> None:
    words = Words("a a a a a")
    assert len(list(words.find("a", limit=3))) == 3
    assert [first for first, _ in words.find("a", low=1, high=3)] == [1, 2]
    assert list(words.find("")) == []
    assert list(Words("").find("a")) == []


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=120))
def test_spans_are_the_words(text: str) -> None:
    words = Words(text)
    assert [text[a:b] for a, b in zip(words.starts, words.ends, strict=True)] == words.words
    for number, word in enumerate(words.words):
        assert number in [first for first, _ in words.find(word, limit=200)]
        assert words.number(words.places[number]) == number
