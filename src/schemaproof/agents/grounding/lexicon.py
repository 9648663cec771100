"""What pages write beside a value to say what it is: labels by property and language, read from `labels.txt`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files

from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.grounding.words import words_of

_SPACES = re.compile(r"[\s_-]")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Labels:
    """The labels of one concept in one language (English added).

    Arguments:
        concept: its name in `labels.txt`, or the property's name.
        strong: folded labels, longest first.
        weak: those that mean little alone (an article, "by", "date").

    Attributes:
        concept: as given.
        phrases: the strong ones as folded words joined by single spaces, longest first.
    """

    def __init__(self, concept: str, strong: tuple[str, ...], weak: tuple[str, ...]) -> None:
        self.concept = concept
        self.phrases = tuple(words for words in (" ".join(words_of(each)) for each in strong) if words)
        self._strong = strong
        self._weak = weak
        self._stems = tuple(dict.fromkeys(_SPACES.split(each.rstrip("*"))[0] for each in strong))

    def search(self, text: str) -> re.Match[str] | None:
        """The first strong label in folded text, at the borders of words."""
        # Most texts hold no label: looking for the first words is many times quicker than the expression, which is
        # not even made for most labels of a page's language.
        for stem in self._stems:
            if stem in text:
                return self._pattern.search(text)
        return None

    def last(self, text: str) -> re.Match[str] | None:
        """The last strong label in folded text."""
        for stem in self._stems:
            if stem in text:
                found = None
                for found in self._pattern.finditer(text):  # noqa: B007  (the last one is wanted)
                    pass
                return found
        return None

    def weak_before(self, text: str) -> re.Match[str] | None:
        """A weak label at the end of folded text."""
        return self._ending.search(text) if self._weak else None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(_spelled(each) for each in self._strong) or r"(?!)")

    @cached_property
    def _ending(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{'|'.join(_spelled(each) for each in self._weak)})[^\w\n]{{0,3}}$")


@dataclass(frozen=True)
class _Lexicon:
    concepts: dict[str, dict[str, tuple[str, ...]]]
    of_property: dict[str, tuple[str, ...]]
    families: tuple[frozenset[str], ...]
    weak: frozenset[str]
    empty: frozenset[str]


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    concepts: dict[str, dict[str, tuple[str, ...]]] = {}
    of_property: dict[str, tuple[str, ...]] = {}
    families: list[frozenset[str]] = []
    sets: dict[str, list[str]] = {"weak": [], "empty": []}
    name = section = ""
    text = (files("schemaproof.agents.grounding") / "labels.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("["):
            section = line.strip("[] ")
        elif section == "families":
            families.append(frozenset(line.split()))
        elif section:
            sets[section] += line.split()
        elif line.startswith("@"):
            name, _, properties = line[1:].partition(":")
            concepts[name] = {}
            for each in properties.split():
                of_property[each] = (*of_property.get(each, ()), name)
        else:
            language, _, words = line.partition(":")
            listed = tuple(word.strip() for word in words.split(",") if word.strip())
            concepts[name][language] = (*concepts[name].get(language, ()), *listed)
    return _Lexicon(concepts, of_property, tuple(families), frozenset(sets["weak"]), frozenset(sets["empty"]))


def concepts_of(name: str) -> tuple[str, ...]:
    """The concepts of a property; its own name where the lexicon has none."""
    return _lexicon().of_property.get(name, (name,))


def is_listed(name: str) -> bool:
    """Whether the lexicon has labels of its own for a property."""
    return name in _lexicon().of_property


def rivals_of(concept: str) -> frozenset[str]:
    """The concepts that a label can name instead of this one."""
    found: frozenset[str] = frozenset()
    for family in _lexicon().families:
        if concept in family:
            found |= family
    return found - {concept}


def name_words(name: str) -> list[str]:
    """The words of a property's or a type's name that say something: numberOfPages → pages."""
    return [
        word
        for word in (part.lower() for part in _CAMEL.findall(name))
        if word not in _lexicon().empty and len(word) > 2
    ]


@lru_cache(maxsize=4096)
def labels(concept: str, language: str) -> Labels | None:
    """The labels of a concept in a language and in English; None if there are none.

    Arguments:
        concept: of `concepts_of`; for one that is not in the lexicon, the words of its name are its labels.
        language: BCP 47 primary subtag, or "".
    """
    table = _lexicon().concepts.get(concept)
    if table is None:
        words = [part.lower() for part in _CAMEL.findall(concept)]
        telling = name_words(concept)
        listed = list(dict.fromkeys([" ".join(words), *(word for word in telling if len(word) > 3)])) if telling else []
    else:
        listed = [*table.get(language, ()), *(table.get("en", ()) if language != "en" else ())]
    if not listed:
        return None
    return _compile(concept, listed)


def _compile(concept: str, listed: list[str]) -> Labels:
    phrases = sorted({fold(each).text for each in listed}, key=len, reverse=True)
    common = _lexicon().weak
    return Labels(
        concept,
        tuple(each for each in phrases if each not in common),
        tuple(each for each in phrases if each in common),
    )


def _spelled(phrase: str) -> str:
    """The pattern of one label."""
    part = re.escape(phrase.rstrip("*")).replace("\\ ", r"[\s_-]+")
    last = phrase.rstrip("*")[-1]
    alone = last > "\u0e00"
    begin = "" if alone else r"(?<![^\W_])"
    end = "" if phrase.endswith("*") or alone or not (last.isalnum()) else r"(?![^\W_])"
    return f"{begin}{part}{end}"
