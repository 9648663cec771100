"""Phrases looked for in a page, told from denied ones, and the lists of them that come with the package."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from schemaproof.agents.grounding.binding import negated
from schemaproof.agents.grounding.locales import level
from schemaproof.agents.grounding.prepared import Prepared

Span = tuple[int, int]


@lru_cache(maxsize=8)
def cues(file: str) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Name → phrases that say it, phrases that deny it; read from a list of this package.

    Arguments:
        file: "members.txt" or "truths.txt".
    """
    found: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    text = (files("schemaproof.agents.grounding") / file).read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        names, _, rest = line.partition(":")
        said, _, denied = rest.partition("|")
        entry = _levelled(said), _levelled(denied)
        for name in names.split():
            before = found.get(name, ((), ()))
            found[name] = before[0] + entry[0], before[1] + entry[1]
    return found


def _levelled(listed: str) -> tuple[str, ...]:
    return tuple(phrase for each in listed.split(",") if (phrase := level(each)))


def camel_words(name: str) -> list[str]:
    """The words of a name in camel case, all of them, lowered."""
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


def find(prepared: Prepared, phrase: str, limit: int = 10) -> list[Span]:
    """Spans of a phrase of folded words."""
    return [
        (prepared.words.starts[first], prepared.words.ends[last - 1])
        for first, last in prepared.words.find(phrase, limit=limit)
    ]


def first(prepared: Prepared, phrases: tuple[str, ...]) -> Span | None:
    """The first span of the first phrase that stands there."""
    for phrase in phrases:
        found = find(prepared, phrase, 1)
        if found:
            return found[0]
    return None


def stated(prepared: Prepared, phrases: tuple[str, ...]) -> Span | None:
    """The first phrase that stands there and is not denied; else a denied one."""
    denied = None
    for phrase in phrases:
        for span in find(prepared, phrase, 6):
            if not negated(prepared, *span):
                return span
            denied = denied or span
    return denied
