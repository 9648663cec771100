"""Members of enumerations by the words that pages print for them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files

from schemaproof.generation.keys import level
from schemaproof.vocabulary import Vocabulary
from schemaproof.vocabulary.model import SCHEMA_ORG

_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@lru_cache(maxsize=1)
def _words() -> dict[str, tuple[str, ...]]:
    """Member → levelled phrases, any language."""
    found: dict[str, tuple[str, ...]] = {}
    name = ""
    text = files("schemaproof.generation").joinpath("data/members.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line or line[0] == "#":
            continue
        if line[0] == "[":
            name = line.strip("[]")
            found[name] = ()
        else:
            found[name] = (*found[name], *(level(phrase) for phrase in line.split("|")))
    return found


@lru_cache(maxsize=1)
def _by_phrase() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, phrases in _words().items():
        for key in phrases:
            found[key] = (*found.get(key, ()), name)
    return found


@lru_cache(maxsize=64)
def _of_enumeration(vocabulary: Vocabulary, enumeration: str) -> dict[str, str]:
    """Phrase → member, from the names of the members themselves."""
    found: dict[str, str] = {}
    for name in vocabulary.members(enumeration):
        found.setdefault(" ".join(word.lower() for word in _CAMEL.findall(name)), name)
    return found


def member(vocabulary: Vocabulary, enumerations: Iterable[str], text: str) -> str:
    """The IRI of the member that a printed text means, or "".

    Arguments:
        vocabulary: whose members.
        enumerations: the enumerations that the property takes.
        text: as printed; the whole of it must mean the member.
    """
    if len(text) > 60:
        return ""
    key = level(text)
    if not key:
        return ""
    allowed = list(enumerations)
    for name in _by_phrase().get(key, ()):
        if any(vocabulary.is_a(own, each) for own in vocabulary.member_types(name) for each in allowed):
            return SCHEMA_ORG + name if vocabulary.iri(name).startswith(SCHEMA_ORG) else vocabulary.iri(name)
    for each in allowed:
        named = _of_enumeration(vocabulary, each).get(key)
        if named:
            return vocabulary.iri(named)
    return ""


@lru_cache(maxsize=8)
def _phrases_of(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    listed = [(phrase, name) for name in names for phrase in _words()[name]]
    listed.sort(key=lambda each: -len(each[0]))
    return tuple(listed)


def mentioned(key: str, names: tuple[str, ...]) -> str:
    """Which of these members a levelled line mentions, longest phrase first; "" for none.

    Arguments:
        key: a levelled line.
        names: members that have words here.
    """
    padded = f" {key} "
    for phrase, name in _phrases_of(names):
        if f" {phrase} " in padded:
            return name
    return ""
