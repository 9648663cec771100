"""The same item in two formats: one node, and one statement with two sources for a fact stated in both."""

from __future__ import annotations

from collections.abc import Sequence

from schemaproof.markup.iri import resolve
from schemaproof.markup.records import Draft, Fact, Records

# What two items of the same types must agree on to be the same, the first that both have.
_TELLING = ("url", "name", "headline")


def merge_formats(records: Records, parts: Sequence[int], base: str) -> None:
    """Merge the nodes that later formats say again, and the facts that both state.

    Two nodes of different formats are the same where they have one identifier, or where they have the same
    types and the same url, name or headline and no other node of their format does; and below two such nodes
    the values of one property where each side has exactly one of the same types.

    Arguments:
        records: of all formats; changed in place.
        parts: index of the first node of each format after the first.
        base: what relative addresses are resolved against.
    """
    del parts  # a node's format is its own
    facts_of: dict[int, list[Fact]] = {}
    for fact in records.facts:
        facts_of.setdefault(fact.subject, []).append(fact)
    same = _pairs(records, facts_of, base)
    if same:
        for fact in records.facts:
            fact.subject = same.get(fact.subject, fact.subject)
            if fact.object is not None:
                fact.object = same.get(fact.object, fact.object)
    _merge_facts(records, base)
    if same:
        _drop_nodes(records, same)


def _pairs(records: Records, facts_of: dict[int, list[Fact]], base: str) -> dict[int, int]:
    """Index of a node → index of the earlier format's node that it repeats."""
    order = {"json-ld": 0, "microdata": 1, "rdfa": 2}
    by_key: dict[tuple[frozenset[str], str, object], dict[int, list[int]]] = {}
    for number, draft in enumerate(records.nodes):
        if not draft.types:
            continue
        for fact in facts_of.get(number, ()):
            if fact.property in _TELLING and isinstance(fact.value, str):
                telling = (frozenset(draft.types), fact.property, _comparable(fact, base))
                rank = order.get(draft.format, 0)
                numbers = by_key.setdefault(telling, {}).setdefault(rank, [])
                if number not in numbers[-1:]:
                    numbers.append(number)
    same: dict[int, int] = {}
    pending: list[tuple[int, int]] = []
    for property_ in _TELLING:
        for key, ranks in by_key.items():
            if key[1] != property_ or len(ranks) < 2 or any(len(numbers) > 1 for numbers in ranks.values()):
                continue
            first, *others = (ranks[rank][0] for rank in sorted(ranks))
            for other in others:
                if other not in same and first not in same and _compatible(records.nodes[first], records.nodes[other]):
                    same[other] = first
                    pending.append((first, other))
    while pending:
        first, other = pending.pop()
        left, right = _single_links(records, facts_of.get(first, ())), _single_links(records, facts_of.get(other, ()))
        for link, target in right.items():
            match = left.get(link)
            if match is None or target is None or match == target or target in same or match in same:
                continue
            if _compatible(records.nodes[match], records.nodes[target]):
                same[target] = match
                pending.append((match, target))
    return same


def _compatible(first: Draft, other: Draft) -> bool:
    """Whether nothing speaks against it: formats differ, and not both have an identifier of their own."""
    return first.format != other.format and not (first.id and other.id)


def _single_links(records: Records, facts: Sequence[Fact]) -> dict[tuple[object, ...], int | None]:
    """(property, types) → the only node of these types that the property leads to; None where there are several."""
    found: dict[tuple[object, ...], int | None] = {}
    for fact in facts:
        if fact.object is None or fact.reversed:
            continue
        key = (fact.property, frozenset(records.nodes[fact.object].types))
        found[key] = None if found.get(key, fact.object) != fact.object else fact.object
    return found


def _merge_facts(records: Records, base: str) -> None:
    """Join facts of equal subject, property and value that stand in different formats."""
    first: dict[tuple[object, ...], list[Fact]] = {}
    kept: list[Fact] = []
    for fact in records.facts:
        if fact.reversed:
            kept.append(fact)
            continue
        value: object = ("node", fact.object) if fact.object is not None else _comparable(fact, base)
        key = (fact.subject, fact.property, value)
        known = first.setdefault(key, [])
        for other in known:
            if all(source.format != fact.sources[0].format for source in other.sources):
                other.sources = (*other.sources, *fact.sources)
                break
        else:
            known.append(fact)
            kept.append(fact)
    records.facts = kept


def _drop_nodes(records: Records, same: dict[int, int]) -> None:
    for number, first in same.items():
        draft, kept = records.nodes[number], records.nodes[first]
        kept.top = kept.top or draft.top
        kept.in_graph = kept.in_graph or draft.in_graph
        if draft.id:
            kept.id = draft.id
            records.by_id[draft.id] = first
    places: dict[int, int] = {}
    nodes: list[Draft] = []
    for number, draft in enumerate(records.nodes):
        if number not in same:
            places[number] = len(nodes)
            nodes.append(draft)
    records.nodes = nodes
    records.by_id = {name: places[same.get(number, number)] for name, number in records.by_id.items()}
    for fact in records.facts:
        fact.subject = places[fact.subject]
        if fact.object is not None:
            fact.object = places[fact.object]


def _comparable(fact: Fact, base: str) -> object:
    """A literal as both formats would write it: spaces collapsed, addresses absolute, numbers by value."""
    value = fact.value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return float(value)
    if value is None:
        return None
    text = " ".join(value.split())
    try:
        return float(text)
    except ValueError:
        pass
    if text.startswith(("/", "#", "./", "../")):
        text = resolve(text, base)
    for start in ("https://schema.org/", "http://schema.org/"):
        if text.startswith(start):
            return text[len(start) :]
    return text
