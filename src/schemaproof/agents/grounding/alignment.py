"""A text found word by word in a page that has it in pieces, shortened, or with changes."""

from __future__ import annotations

from dataclasses import dataclass

from schemaproof.agents.grounding.spelling import UNITS, canonical
from schemaproof.agents.grounding.words import Words

_SEED = 3
_PATIENCE = 48


@dataclass(frozen=True, slots=True)
class Alignment:
    """How much of a text stands on a page.

    Attributes:
        coverage: share of its words that stand there in runs, 0 to 1.
        runs: (word of the text, word of the page, number of words) in order.
        changed: pairs (word of the text, word of the page) where a number or its unit differs between two runs.
        missing: words with digits that the page does not have at their place.
    """

    coverage: float
    runs: tuple[tuple[int, int, int], ...] = ()
    changed: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()


def align(page: Words, words: tuple[str, ...]) -> Alignment:
    """Lay the words of a text along those of a page, runs first, then single words in the gaps.

    Arguments:
        page: the words of the page.
        words: the words of the text.

    Runs are at least three words, or two for short texts; a text of which the first words are nowhere is given up.
    """
    count = len(words)
    seed = _SEED if count >= 6 else 2 if count >= 3 else 1
    runs: list[tuple[int, int, int]] = []
    known = page.known
    place, matched, misses, last = 0, 0, 0, 0
    while place + seed <= count:
        if any(word not in known for word in words[place : place + seed]):
            place += 1
            continue
        phrase = " ".join(words[place : place + seed])
        hit = next(page.find(phrase, low=last, limit=1), None) if last else None
        if hit is None or (runs and hit[0] - last > 400):
            hit = next(page.find(phrase, limit=1), hit)
        if hit is None:
            misses += 1
            if misses > _PATIENCE and matched < place * 0.3:
                break
            place += 1
            continue
        start = hit[0]
        length = seed
        limit = min(count - place, len(page) - start)
        while length < limit and page.words[start + length] == words[place + length]:
            length += 1
        runs.append((place, start, length))
        place += length
        matched += length
        last = start + length
    if not runs:
        return Alignment(0.0)
    changed: list[tuple[str, str]] = []
    missing: list[str] = []
    # Single words in the gaps, and numbers that differ there.
    edges = [(0, runs[0][1] - runs[0][0]), *((a + n, b + n) for a, b, n in runs)]
    for number, (start, origin) in enumerate(edges):
        spot = origin
        stop = runs[number][0] if number < len(runs) else count
        if stop <= start:
            continue
        following = runs[number][1] if number < len(runs) else spot + (stop - start) + 2
        if number == 0:
            spot = max(0, runs[0][1] - (stop - start) - 2)
        if not 0 <= following - spot <= (stop - start) + 12:
            following = spot + (stop - start) + 2
        there = page.words[spot:following]
        rest = [canonical(word) for word in there]
        unit = canonical(words[start])
        measured = number > 0 and bool(rest) and words[start - 1].isdigit()
        if measured and ((unit in UNITS and rest[0] in UNITS - {unit}) or {unit, rest[0]} == {"c", "f"}):
            # The same number of something else: "30 cm" and "30 inches".
            changed.append((unit, rest[0]))
        for written in words[start:stop]:
            word = canonical(written)
            if word in rest:
                rest.remove(word)
                matched += 1
            elif any(map(str.isdigit, written)):
                other = next((each for each in rest if any(map(str.isdigit, each))), None)
                if other is not None and _elsewhere(page, words, start, stop, written):
                    matched += 1
                elif other is not None:
                    changed.append((word, other))
                    rest.remove(other)
                else:
                    missing.append(word)
    return Alignment(matched / count, tuple(runs), tuple(changed), tuple(missing))


def _elsewhere(page: Words, words: tuple[str, ...], start: int, stop: int, word: str) -> bool:
    """Whether the number stands with its neighbour somewhere else on the page: the text was put together anew."""
    place = words.index(word, start, stop)
    if place + 1 < len(words) and page.has(f"{word} {words[place + 1]}"):
        return True
    return place > 0 and page.has(f"{words[place - 1]} {word}")
