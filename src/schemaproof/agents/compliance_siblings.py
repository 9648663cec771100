"""Faults that only show beside the other statements of the same entity: ratings out of scale, ends before starts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemaproof.agents.compliance_fault import Fault
from schemaproof.agents.compliance_words import JOB
from schemaproof.markup.model import Graph
from schemaproof.vocabulary import Vocabulary

# The first is never after (or above) the second.
_ORDERED = (
    ("startDate", "endDate"),
    ("datePublished", "dateModified"),
    ("dateCreated", "dateModified"),
    ("birthDate", "deathDate"),
    ("foundingDate", "dissolutionDate"),
    ("validFrom", "validThrough"),
    ("validFrom", "validUntil"),
    ("availabilityStarts", "availabilityEnds"),
    ("doorTime", "endDate"),
    ("lowPrice", "highPrice"),
    ("minPrice", "maxPrice"),
    ("minValue", "maxValue"),
    ("worstRating", "bestRating"),
    ("pageStart", "pageEnd"),
    ("departureTime", "arrivalTime"),
)
_NAMES = frozenset(name for pair in _ORDERED for name in pair) | {"ratingValue", "name", "description", "jobTitle"}
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII)


def sibling_faults(graph: Graph, vocabulary: Vocabulary) -> Iterator[tuple[int, Fault]]:
    """Faults of single statements (by index) that their siblings show."""
    for node in graph.nodes:
        found: dict[str, list[int]] = {}
        for index in node.statements:
            statement = graph.statements[index]
            if statement.property in _NAMES and statement.value is not None:
                found.setdefault(statement.property, []).append(index)
        if len(found) < 1:
            continue
        yield from _order(graph, found)
        yield from _scale(graph, found)
        yield from _swapped(graph, found)
        yield from _roles(graph, found)


def _comparable(graph: Graph, index: int) -> float | str | None:
    text = str(graph.statements[index].value).strip()
    if NUMBER.fullmatch(text):
        return float(text)
    day = _DAY.match(text)
    return day[0] if day else None


def _order(graph: Graph, found: dict[str, list[int]]) -> Iterator[tuple[int, Fault]]:
    for first, second in _ORDERED:
        if len(found.get(first, ())) != 1 or len(found.get(second, ())) != 1:
            continue
        a, b = found[first][0], found[second][0]
        low, high = _comparable(graph, a), _comparable(graph, b)
        if type(low) is type(high) and low is not None and high is not None and low > high:  # type: ignore[operator]
            for index, other, said in ((a, b, "after"), (b, a, "before")):
                word = said if isinstance(low, str) else ("above" if said == "after" else "below")
                statement = graph.statements[other]
                reason = f"lies {word} {statement.property} ({statement.value})"
                yield index, Fault("out-of-order", reason, probability=0.2)


def _scale(graph: Graph, found: dict[str, list[int]]) -> Iterator[tuple[int, Fault]]:
    if "ratingValue" not in found:
        return
    best = _comparable(graph, found["bestRating"][0]) if "bestRating" in found else None
    worst = _comparable(graph, found["worstRating"][0]) if "worstRating" in found else None
    for index in found["ratingValue"]:
        value = _comparable(graph, index)
        if not isinstance(value, float):
            continue
        if isinstance(best, float) and value > best:
            yield index, Fault("rating-out-of-scale", f"is above bestRating ({best:g})")
        elif isinstance(worst, float) and value < worst:
            yield index, Fault("rating-out-of-scale", f"is below worstRating ({worst:g})")
        elif best is None and value > 5:
            yield (
                index,
                Fault("rating-scale-unstated", "is above 5, which is assumed where bestRating is missing", "", 0.6),
            )


def _roles(graph: Graph, found: dict[str, list[int]]) -> Iterator[tuple[int, Fault]]:
    """A person's name that is a profession beside a profession that is a name."""
    if len(found.get("name", ())) != 1 or len(found.get("jobTitle", ())) != 1:
        return
    name, title = found["name"][0], found["jobTitle"][0]
    called = {word.casefold() for word in str(graph.statements[name].value).split()}
    role = str(graph.statements[title].value).split()
    capitalised = 2 <= len(role) <= 4 and all(word[:1].isupper() for word in role)
    if called & JOB and capitalised and not {word.casefold() for word in role} & JOB:
        yield name, Fault("swapped", "is a profession; name and jobTitle seem exchanged", " ".join(role), 0.2)
        yield title, Fault("swapped", "is a name; name and jobTitle seem exchanged", probability=0.2)


def _swapped(graph: Graph, found: dict[str, list[int]]) -> Iterator[tuple[int, Fault]]:
    if len(found.get("name", ())) == 1 and len(found.get("description", ())) == 1:
        name, description = found["name"][0], found["description"][0]
        title, prose = str(graph.statements[name].value).strip(), str(graph.statements[description].value).strip()
        if len(title) > 80 and len(prose) * 2 < len(title) and len(prose) <= 80 and not prose.endswith((".", "!", "?")):
            yield name, Fault("swapped", "is longer than the description; the two seem exchanged", prose, 0.25)
            yield description, Fault("swapped", "is shorter than the name; the two seem exchanged", "", 0.25)
