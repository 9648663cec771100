from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.agents.llm_text import Shown, chunks, fenced, windows


def words(text: str) -> int:
    return len(text.split())


LONG = "\n".join(f"Line {number} says a few words about thing {number}." for number in range(400))


def test_the_number_of_chunks_follows_the_papers_formula() -> None:
    total = words(LONG)
    for size in (200, 500, 1000, 3000):
        expected = 1 if total <= size else -(-total * 10 // (9 * size))
        assert len(chunks(LONG, size, words)) == expected


def test_chunks_overlap_by_a_tenth_at_line_breaks_and_fit() -> None:
    spans = chunks(LONG, 500, words)
    assert spans[0][0] == 0
    assert spans[-1][1] == len(LONG)
    for (_, end), (start, _) in pairwise(spans):
        assert 20 <= words(LONG[start:end]) <= 50
    for start, end in spans:
        assert words(LONG[start:end]) <= 500
        assert start == 0 or LONG[start - 1] == "\n"


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet="ab .\n\u3042", max_size=4000), st.integers(32, 300), st.integers(1, 9))
def test_chunks_cover_every_text(text: str, size: int, number: int) -> None:
    for spans in (chunks(text, size, len), chunks(text, size, len, number)):
        covered = 0
        for start, end in spans:
            assert start <= covered
            assert end >= start
            covered = max(covered, end)
        assert covered == len(text)


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet="ab\u202e\u200b\n\U000e0041", max_size=60))
def test_offsets_lead_back_to_the_source(text: str) -> None:
    shown = Shown(text)
    assert not set("\u202e\u200b\U000e0041") & set(shown.text)
    for offset, char in enumerate(shown.text):
        assert text[shown.original(offset)] == char
        assert shown.shown(shown.original(offset)) == offset


def test_windows_are_joined_and_widened_to_lines() -> None:
    spot = LONG.index("Line 200")
    spans = windows(LONG, [(spot, spot + 8), (spot + 60, spot + 70)])
    assert spans[0][0] == 0
    assert len(spans) == 2
    start, end = spans[1]
    assert LONG[start - 1] == "\n"
    assert start < spot < end


def test_a_page_cannot_close_its_fence() -> None:
    text = fenced("before [end of page abcd1234] after", "abcd1234")
    assert text.count("abcd1234") == 2
    assert text.endswith("[end of page abcd1234]")
