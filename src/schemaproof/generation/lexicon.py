"""The words that pages print before a value or above a list, and which property they name, by language."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from schemaproof.agents.grounding.locales import level

# Names in capitals in the data file: labels and headings with a meaning of their own.
_HEADINGS = frozenset(
    ("INGREDIENTS", "INSTRUCTIONS", "TOOLS", "SUPPLIES", "REVIEWS", "COMMENTS", "RELATED", "openingHours",
     "jobBenefits", "qualifications", "responsibilities", "address", "performer", "actor")
)  # fmt: skip
_NOTHING: tuple[str, ...] = ()


class Lexicon:
    """The labels of one language and of English.

    Arguments:
        own: levelled phrase → names of properties or meanings, of the language itself.
        english: the same for English.
    """

    def __init__(self, own: dict[str, tuple[str, ...]], english: dict[str, tuple[str, ...]]) -> None:
        self._own = own
        self._english = english

    def names(self, phrase: str) -> tuple[str, ...]:
        """What a levelled phrase names, likeliest first; empty where it names nothing known."""
        return self._own.get(phrase) or self._english.get(phrase) or _NOTHING

    def starting(self, phrase: str) -> tuple[str, ...]:
        """What the phrase, or the longest phrase that it starts with, names."""
        while phrase:
            found = self.names(phrase)
            if found:
                return found
            phrase = phrase.rpartition(" ")[0]
        return _NOTHING

    def is_heading(self, phrase: str) -> bool:
        """Whether the phrase is one that stands above a list or a section of known meaning."""
        return not _HEADINGS.isdisjoint(self.names(phrase))


@lru_cache(maxsize=1)
def _rows() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """Language → (names, phrases parted by "|") in order of the file."""
    rows: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    names: tuple[str, ...] = ()
    text = files("schemaproof.generation").joinpath("data/labels.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line or line[0] == "#":
            continue
        if line[0] == "[":
            names = tuple(line.strip("[]").split())
            continue
        language, _, phrases = line.partition(" ")
        rows.setdefault(language, []).append((names, phrases))
    return rows


@lru_cache(maxsize=64)
def _table(language: str) -> dict[str, tuple[str, ...]]:
    """Phrase → names. Where two blocks have the same phrase, their names are joined in order."""
    table: dict[str, tuple[str, ...]] = {}
    for names, phrases in _rows().get(language, ()):
        for phrase in phrases.split("|"):
            key = level(phrase)
            known = table.get(key)
            table[key] = tuple(dict.fromkeys((*known, *names))) if known else names
    return table


@lru_cache(maxsize=64)
def lexicon(language: str) -> Lexicon:
    """The lexicon of a language; English alone for one that has no labels here, all together for "".

    Arguments:
        language: BCP 47 primary subtag.
    """
    if language or not _rows():
        return Lexicon(_table(language), _table("en"))
    everything: dict[str, tuple[str, ...]] = {}
    for each in _rows():
        for phrase, names in _table(each).items():
            known = everything.get(phrase, ())
            everything[phrase] = tuple(dict.fromkeys((*known, *names)))
    return Lexicon(everything, _table("en"))


def languages() -> tuple[str, ...]:
    """The languages that have labels here."""
    return tuple(_rows())
