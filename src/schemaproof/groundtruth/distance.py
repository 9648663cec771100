"""How far two properties' meanings lie apart: the measure by which values are exchanged.

distance = 1 - (w · words + (1 - w) · ranges), with `words` the overlap (Jaccard) of the two definitions' content words,
property names included, and `ranges` the overlap of the two sets of range types; w = 0.7. Without definitions on the
machine the words are those of the names alone. 0 is the same property, 1 has nothing in common.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from schemaproof.vocabulary import Vocabulary

NAME = "definition-range-distance"
WORDS = 0.7
_STOP_WORDS = (
    "a an the of or and in on to for with by as is are be that this it its from at which such can may e g etc used use "
    "see also any has have not if when where one some other using specific schema org property"
)
_STOP = frozenset(_STOP_WORDS.split())


class Distance:
    """Distances between the properties of a vocabulary.

    Arguments:
        vocabulary: whose ranges count.
        definitions: property to definition; may be empty.
    """

    def __init__(self, vocabulary: Vocabulary, definitions: Mapping[str, str]) -> None:
        self.vocabulary = vocabulary
        self.with_definitions = bool(definitions)
        self._definitions = definitions
        self._words: dict[str, frozenset[str]] = {}

    def words(self, name: str) -> frozenset[str]:
        """The content words of a property: of its name and its definition's first two sentences."""
        found = self._words.get(name)
        if found is None:
            parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)
            told = ". ".join(re.split(r"\.\s", self._definitions.get(name, ""))[:2])
            text = " ".join(parts) + " " + told
            found = frozenset(word for word in re.findall(r"[a-z]{2,}", text.casefold()) if word not in _STOP)
            self._words[name] = found
        return found

    def __call__(self, first: str, second: str) -> float:
        """Distance of two properties, 0 to 1."""
        if first == second:
            return 0.0
        known, other = self.vocabulary.properties.get(first), self.vocabulary.properties.get(second)
        ranges = _overlap(frozenset(known.ranges if known else ()), frozenset(other.ranges if other else ()))
        return 1 - (WORDS * _overlap(self.words(first), self.words(second)) + (1 - WORDS) * ranges)


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    together = first | second
    return len(first & second) / len(together) if together else 0.0
