"""Finding the name that a mistyped one most likely means."""

from __future__ import annotations

from collections.abc import Iterable

_REMEMBERED = 2048
_LONGEST = 64


def edit_distance(a: str, b: str, limit: int) -> int:
    """Number of letters to insert, delete, replace or swap with their neighbour to make a of b.

    Arguments:
        a, b: two words.
        limit: a distance above it is returned as limit + 1, sooner.

    Optimal string alignment, in a band of the limit's width.
    """
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    far = limit + 1
    for i, letter in enumerate(a, 1):
        last, before, row = before, row, [i] + [far] * len(b)
        for j in range(max(1, i - limit), min(len(b), i + limit) + 1):
            cost = 0 if letter == b[j - 1] else 1
            best = min(before[j - 1] + cost, before[j] + 1, row[j - 1] + 1)
            if cost and i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == b[j - 1]:
                best = min(best, last[j - 2] + 1)
            row[j] = best
        if min(row) > limit:
            return far
    return min(row[-1], far)


def _letters(word: str) -> int:
    """The set of the word's letters as bits; one edit changes at most two of them."""
    mask = 0
    for letter in word:
        mask |= 1 << (ord(letter) & 31)
    return mask


class Names:
    """A set of names that can be searched for the nearest one.

    Arguments:
        names: the names.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._by_lower: dict[str, list[str]] = {}
        for name in sorted(names):
            self._by_lower.setdefault(name.lower(), []).append(name)
        # What scanning needs, by first letter; and words by all that follows it, for a wrong first letter.
        self._by_first: dict[str, list[tuple[str, int, int]]] = {}
        self._by_tail: dict[str, list[str]] = {}
        for lower in self._by_lower:
            self._by_first.setdefault(lower[:1], []).append((lower, _letters(lower), len(lower)))
            self._by_tail.setdefault(lower[1:], []).append(lower)
        self._remembered: dict[tuple[str, frozenset[str], bool], str | None] = {}

    def nearest(self, name: str, preferred: frozenset[str] = frozenset(), *, only: bool = False) -> str | None:
        """The nearest name: equal but for letter case, spaces and hyphens, else one or two edits away, else None.

        Two edits count only in names of six letters and more that start with the same letter.

        Arguments:
            name: the mistyped name; long ones have no nearest name.
            preferred: where there are any, others count only if they are equal but for letter case, or long and one
                edit away.
            only: other names do not count at all.
        """
        if not 2 <= len(name) <= _LONGEST:
            return None
        key = (name, preferred, only)
        if key not in self._remembered:
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[key] = self._search(name, preferred, only)
        return self._remembered[key]

    def _search(self, name: str, preferred: frozenset[str], only: bool) -> str | None:
        for spelling in (name.lower(), "".join(letter for letter in name.lower() if letter.isalnum())):
            same = [each for each in self._by_lower.get(spelling, ()) if not only or each in preferred]
            if same:
                return min(same, key=lambda each: (each not in preferred, each))
        lower = name.lower()
        found = self._within(lower, 1 if len(lower) < 6 else 2, preferred if preferred or only else None)
        if found is None and preferred and not only and len(lower) > 6:
            found = self._within(lower, 1, None)
        return found

    def _within(self, lower: str, limit: int, allowed: frozenset[str] | None) -> str | None:
        """The nearest name at most so many edits away, of those allowed (None: all)."""
        letters, length = _letters(lower), len(lower)
        near = [
            (edit_distance(lower, word, limit), False, word)
            for word, mask, size in self._by_first.get(lower[0], ())
            if -limit <= size - length <= limit and (mask ^ letters).bit_count() <= 2 * limit
        ]
        near += [(1, True, word) for word in self._wrong_at_first(lower)]
        ranked = [
            (distance, at_first, each)
            for distance, at_first, word in near
            if distance <= limit
            for each in self._by_lower[word]
            if allowed is None or each in allowed
        ]
        return min(ranked)[2] if ranked else None

    def _wrong_at_first(self, lower: str) -> list[str]:
        """Words one edit of the first letter away: replaced, left out, put before, or swapped with the next."""
        found = [*self._by_tail.get(lower[1:], ()), *self._by_tail.get(lower, ())]
        found += [word for word in (lower[1:], lower[1] + lower[0] + lower[2:]) if word in self._by_lower]
        return [word for word in found if word[:1] != lower[0]]
