"""Whether what stands around a span says that it is the value of a property, or of another."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from schemaproof.agents.grounding.lexicon import Labels, labels, rivals_of
from schemaproof.agents.grounding.prepared import Prepared, Surroundings

# Concepts whose label stands behind its number ("250 reviews"), and a label that has one.
_BEHIND = frozenset(("reviewcount", "views", "rooms", "tracks", "yield", "rating"))
_TAKEN = re.compile(r"\d ?$")
_ENDS = re.compile(r"[.!?;|•·] ")
_ENDS_OR_NAMES = re.compile(r"[.!?;|•·:] ")
_OWN_NUMBER = re.compile(r"\d")
_NUMBER_NEXT = re.compile(r"[^\d\n]{0,12}\d")
_FILLED = re.compile(r"\s?:\s?\w")
_NEGATION = re.compile(
    r"(?:\b(?:not|no|non|never|without|isn't|aren't|cannot|don't|doesn't|didn't|won't|can't|wasn't|n'est plus|"
    r"ne sont plus|n'est pas|nicht|kein|keine|keinen|keiner|ohne|pas|sans|ni|sin|nunca|"
    r"senza|mai|nao|sem|niet|geen|zonder|inte|utan|ikke|uden|uten|neni|bez|nie|не|нет|без|degil)\b|ない|不|无|لا|غير|بدون)"
    r"(?:\W+\w+){0,3}\W*$"
)


@dataclass(frozen=True, slots=True)
class Binding:
    """How clearly labels bind a span.

    Attributes:
        own: 0 (no label of the property near) to 1 (right beside it).
        rival: likewise for the labels of properties that exclude it.
        label, rival_label: the words found.
        concept: the rival's concept.
    """

    own: float
    rival: float
    label: str = ""
    rival_label: str = ""
    concept: str = ""


def _nearness(known: Labels, around: Surroundings, lone: bool, dated: bool = False) -> tuple[float, str]:
    best, word = 0.0, ""
    before = around.before
    if before:
        last = known.last(before)
        if last is not None:
            gap = before[last.end() :]
            distance = len(gap)
            score = 0.98 if distance <= 3 else 0.9 if distance <= 16 else 0.75 if distance <= 40 else 0.55
            # A sentence or another item ends in between.
            if _ENDS.search(gap):
                score *= 0.6
            # The label has a number of its own already.
            if lone and (
                _OWN_NUMBER.search(gap) or (known.concept in _BEHIND and _TAKEN.search(before[: last.start()]))
            ):
                score *= 0.5
            best, word = score, last.group()
    after = around.after
    if after:
        match = known.search(after)
        if match is not None:
            distance = match.start()
            score = 0.93 if distance <= 2 else 0.75 if distance <= 14 else 0.5 if distance <= 40 else 0.3
            if _ENDS_OR_NAMES.search(after[:distance]):
                score *= 0.6
            if lone and _OWN_NUMBER.search(after[:distance]):
                score *= 0.5
            # "born 1901, died 1988": the label behind the first has a value of its own.
            if dated and _NUMBER_NEXT.match(after, match.end()):
                score *= 0.5
            if score > best:
                best, word = score, match.group()
    if best < 0.85:
        for text, score in ((around.above, 0.9), (around.column, 0.88), (around.below, 0.8), (around.heading, 0.6)):
            if score > best and text:
                match = known.search(text)
                if match is not None:
                    # A label is most of its line, not a word somewhere in it.
                    share = len(match.group()) / max(len(text), 1)
                    weight = score if share > 0.3 or score == 0.6 else score * 0.7
                    # "Director: Ann Bo" in a line of its own has its value already.
                    if score != 0.6 and _FILLED.match(text, match.end()):
                        weight *= 0.4
                    if weight > best:
                        best, word = weight, match.group()
    if best < 0.8:
        match = known.weak_before(around.before)
        if match is not None:
            best, word = 0.8, match.group().strip(" :")
    return best, word


def bind(
    prepared: Prepared,
    concepts: Iterable[str],
    start: int,
    end: int,
    *,
    lone: bool = False,
    rivals: bool = True,
    dated: bool = False,
) -> Binding:
    """How labels bind a span to any of the concepts, or to a rival of the first of them.

    Arguments:
        prepared: the page.
        concepts: of the property, see `lexicon.concepts_of`.
        start, end: the span, in folded text.
        lone: a label counts less where another number stands between it and the span.
        rivals: whether to look for labels of other properties at all.
        dated: the span is a date: a label behind it that has a number behind itself counts less.
    """
    listed = tuple(concepts)
    key = (start, end, listed, lone, rivals, dated)
    known = prepared.bindings.get(key)
    if known is None:
        known = prepared.bindings[key] = _bind(prepared, listed, start, end, lone, rivals, dated)
    assert isinstance(known, Binding)
    return known


def _bind(
    prepared: Prepared, listed: tuple[str, ...], start: int, end: int, lone: bool, rivals: bool, dated: bool
) -> Binding:
    around = prepared.surroundings(start, end)
    language = prepared.language
    own, label = 0.0, ""
    others: set[str] = set()
    for concept in listed:
        known = labels(concept, language)
        if known is not None:
            score, word = _nearness(known, around, lone, dated)
            if score > own:
                own, label = score, word
        if rivals:
            others |= rivals_of(concept)
    best, rival_label, name = 0.0, "", ""
    for concept in others.difference(listed):
        known = labels(concept, language)
        if known is not None:
            score, word = _nearness(known, around, lone, dated)
            # The longer label is the more telling one ("birth date" against "date").
            if score > best or (score == best and len(word) > len(rival_label)):
                best, rival_label, name = score, word, concept
    return Binding(own, best, label, rival_label, name)


def negated(prepared: Prepared, start: int, end: int) -> bool:
    """Whether a word of negation stands right before the span."""
    low = prepared.line(prepared.line_number(start))[0]
    before = prepared.text[max(low, start - 40) : start]
    sentence = re.split(r"[.!?;:,(]\s|\n", before)[-1]
    return bool(_NEGATION.search(sentence))
