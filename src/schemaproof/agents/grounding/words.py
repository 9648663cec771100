"""The words of a folded text, in order, and phrases found among them whatever stands between the words."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate

# Scripts written without spaces: each character is a word of its own. Hangul too, as its endings are glued on.
_ALONE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
# Digits and letters part: "4GB" is written "4 GB" as well.
WORD = re.compile(f"[{_ALONE}]|\\d+|[^\\W\\d_{_ALONE}]+")


class Words:
    """The words of a text and where each stands.

    Arguments:
        text: folded text.
    """

    def __init__(self, text: str) -> None:
        matches = list(WORD.finditer(text))
        self.words: list[str] = [match[0] for match in matches]
        self.starts: list[int] = [match.start() for match in matches]
        self.ends: list[int] = [match.end() for match in matches]
        # Where each word stands in `line`, one after the other with a space between.
        self.places: list[int] = list(accumulate((len(word) + 1 for word in self.words), initial=1))[:-1]
        self.line = f" {' '.join(self.words)} "

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def known(self) -> frozenset[str]:
        """The distinct words."""
        return frozenset(self.words)

    def number(self, place: int) -> int:
        """The index of the word that covers this offset of `line`."""
        return bisect_right(self.places, place) - 1

    def find(self, phrase: str, *, low: int = 0, high: int | None = None, limit: int = 60) -> Iterator[tuple[int, int]]:
        """Occurrences of a phrase as half-open ranges of word indices.

        Arguments:
            phrase: folded words joined by single spaces; whole words are matched.
            low, high: the range of word indices to look in.
            limit: how many at most.
        """
        if not phrase or low >= len(self.words) or phrase.split(" ", 1)[0] not in self.known:
            return
        count = phrase.count(" ") + 1
        needle = f" {phrase} "
        place = self.places[low] - 1
        stop = len(self.line) if high is None or high >= len(self.words) else self.places[high]
        for _ in range(limit):
            place = self.line.find(needle, place, stop)
            if place < 0:
                return
            first = self.number(place + 1)
            yield first, first + count
            place += 1

    def has(self, phrase: str) -> bool:
        """Whether the phrase stands anywhere."""
        return phrase.split(" ", 1)[0] in self.known and f" {phrase} " in self.line

    def at(self, offset: int) -> int:
        """The index of the first word that ends after this offset of the text."""
        return bisect_right(self.ends, offset)


def words_of(text: str) -> list[str]:
    """The words of a folded text."""
    return WORD.findall(text)
