"""The published protocol, bug for bug: statements, verdict logs, the filter, MeMR, merging of chunk answers.

What it does wrong is kept on purpose (see docs/decisions/080-published-protocol.md); the product's own protocol is
elsewhere. Trees are JSON values at most `DEPTH_LIMIT` deep, as `published.layout` hands them out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

STEPS = ("shacl", "factual", "semantic")
DELIMITER = "[TOK_Q_DELIM]"
YES, NO = "TOKPOS", "TOKNEG"
DEPTH_LIMIT = 150
SCHEMA_ORG = "http://schema.org/"

_BLANK = re.compile(r"[A-Za-z0-9]{30,}\Z")
_NOT_STATED = frozenset({"@type", "@context", "@id"})
_KEYWORDS = frozenset(
    {"@context", "@id", "@type", "@graph", "@reverse", "@index", "@language", "@value", "@list", "@set", "@base"}
)
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


@dataclass(frozen=True, slots=True)
class Answer:
    """One entry of a verdict log.

    Attributes:
        name: the property of the statement asked about.
        value: its value as text, a blank node's id for an entity.
        type: type of its node, "None" for a node without one, None where the log does not say.
        yes: true for accepted.
    """

    name: str
    value: str
    type: str | None
    yes: bool

    @property
    def entity(self) -> bool:
        """Whether the value looks like the id of a blank node."""
        return _BLANK.match(self.value) is not None


def statements(tree: Any) -> set[tuple[str, str, str | None]]:
    """What Table 7 counts as "triples": the distinct (property, value as text, type) of a markup's leaves.

    A leaf under a node of several types counts once for each. Types, contexts, identifiers and nulls are left out.
    """
    found: set[tuple[str, str, str | None]] = set()
    waiting: list[tuple[Any, str, Sequence[str | None]]] = [(tree, "", (None,))]
    while waiting:
        value, key, types = waiting.pop()
        if isinstance(value, dict):
            given = value.get("@type")
            types = (given if given else [None]) if isinstance(given, list) else [given]
            waiting += ((inner, name, types) for name, inner in value.items() if name not in _NOT_STATED)
        elif isinstance(value, list):
            waiting += ((inner, key, types) for inner in value)
        elif value is not None:
            text = str(value)
            found.update((key, text, each if each is None else str(each)) for each in types)
    return found


def _resolved(name: str, vocabulary: str) -> str:
    return name if "://" in name else vocabulary + name


def _vocabulary_of(context: Any, current: str) -> str:
    """The @vocab of a context; a context given by address means Schema.org with http, whatever its address."""
    for part in context if isinstance(context, list) else [context]:
        if isinstance(part, str):
            current = SCHEMA_ORG
        elif isinstance(part, dict) and isinstance(part.get("@vocab"), str):
            current = part["@vocab"]
    return current


def predicate_counts(tree: Any) -> Counter[str]:
    """Number of distinct RDF triples of the whole markup by predicate, rdf:type included.

    As rdflib reads it with an @vocab: names become IRIs of the vocabulary, nothing is coerced, nodes without an
    @id are blank and always distinct, a key with an @ that is no keyword is a property.
    """
    triples: set[tuple[str, str, object]] = set()
    fresh = iter(range(1 << 62))

    def literal(value: Any) -> object:
        return ("literal", type(value).__name__, repr(value))

    waiting: list[tuple[Any, str, tuple[str, str] | None]] = [(tree, SCHEMA_ORG, None)]
    while waiting:
        value, vocabulary, link = waiting.pop()
        if value is None:
            continue
        if isinstance(value, list):
            waiting += ((inner, vocabulary, link) for inner in reversed(value))
            continue
        if not isinstance(value, dict):
            if link is not None:
                triples.add((*link, literal(value)))
            continue
        if "@context" in value:
            vocabulary = _vocabulary_of(value["@context"], vocabulary)
        if "@value" in value:
            if link is not None and value["@value"] is not None:
                extra = (value.get("@language"), value.get("@type"))
                triples.add((*link, (literal(value["@value"]), *map(str, extra))))
            continue
        if "@set" in value:
            waiting.append((value["@set"], vocabulary, link))
            continue
        if "@list" in value:
            members = value["@list"] if isinstance(value["@list"], list) else [value["@list"]]
            cells = [f"_:{next(fresh)}" for _ in members]
            if link is not None:
                triples.add((*link, cells[0] if cells else _RDF + "nil"))
            for place, (cell, member) in enumerate(zip(cells, members, strict=True)):
                waiting.append((member, vocabulary, (cell, _RDF + "first")))
                triples.add((cell, _RDF + "rest", cells[place + 1] if place + 1 < len(cells) else _RDF + "nil"))
            continue
        own = value.get("@id")
        subject = own if isinstance(own, str) and own else f"_:{next(fresh)}"
        if link is not None:
            triples.add((*link, ("node", subject)))
        kinds = value.get("@type")
        for kind in kinds if isinstance(kinds, list) else [kinds]:
            if isinstance(kind, str):
                triples.add((subject, _RDF + "type", ("node", _resolved(kind, vocabulary))))
        if "@graph" in value:
            waiting.append((value["@graph"], vocabulary, None))
        for name, inner in value.items():
            if name not in _KEYWORDS:
                waiting.append((inner, vocabulary, (subject, _resolved(name, vocabulary))))
    return Counter(predicate for _, predicate, _ in triples)


def memr(human: Mapping[str, int], model: Mapping[str, int]) -> tuple[float, float] | None:
    """MeMR as published: (h, l) over all predicates; None where neither markup has a triple."""
    merged = sum(max(human.get(name, 0), model.get(name, 0)) for name in human.keys() | model.keys())
    return (sum(human.values()) / merged, sum(model.values()) / merged) if merged else None


def _entry(key: str, yes: bool) -> Answer:
    parts = key.split(DELIMITER)
    kind = parts[-1] if len(parts) > 2 else None
    value = DELIMITER.join(parts[1:-1]) if len(parts) > 2 else DELIMITER.join(parts[1:])
    return Answer(parts[0], value, kind, yes)


def answers(step: str, log: Any) -> list[Answer]:
    """The entries of a verdict log in its order.

    Arguments:
        step: "shacl", "factual" or "semantic".
        log: the log's JSON value. A validity log names only what it rejects. Answers of a factuality log on several
            chunks are combined by OR: one yes is enough.

    Returns:
        One answer a statement; none for a log that holds no answers (an empty markup).
    """
    if not isinstance(log, dict):
        return []
    if step == "shacl":
        messages = log.get("msgs")
        return [_entry(key, False) for key in messages] if isinstance(messages, dict) else []
    said: dict[str, bool] = {}
    for name, chunk in log.items():
        if not (isinstance(chunk, dict) and name.startswith("chunk_")):
            continue
        for key, entry in chunk.items():
            if isinstance(entry, dict) and entry.get("response") in (YES, NO):
                said[key] = said.get(key, False) or entry["response"] == YES
    total = log.get("aggregation")
    if isinstance(total, dict):  # the authors' own OR, and its order
        said = {key: value for key, value in total.items() if isinstance(value, bool)} | {
            key: value for key, value in said.items() if key not in total
        }
    return [_entry(key, yes) for key, yes in said.items()]


def has_type(node: Mapping[str, Any], name: str) -> bool:
    """Whether a node has a type; "None" is the log's word for a node without one."""
    given = node.get("@type")
    if isinstance(given, list):
        return name in given
    return given == name or (given is None and name == "None")


def _without(value: Any, rejected: Answer, kind: str | None) -> Any:
    if isinstance(value, dict):
        hit = kind is None or has_type(value, kind)
        out: dict[str, Any] = {}
        for key, inner in value.items():
            rest = _without(inner, rejected, kind)
            if hit and key == rejected.name and (rest is None or rejected.entity):
                if key == "@type":
                    return None
                continue
            out[key] = rest
        return out
    if isinstance(value, list):
        kept = [rest for inner in value if (rest := _without(inner, rejected, kind)) is not None]
        return kept or None
    return None if value is None or str(value) == rejected.value else value


def filtered(tree: Any, step: str, log: Iterable[Answer]) -> Any:
    """A markup without what a step rejected, as the published filter does it.

    Each rejection runs over the whole tree: every leaf whose text is the rejected value becomes null wherever it
    stands; the key goes where it is the rejected property and nothing is left of it, or where the rejected value
    looks like a blank node's id. Validity ignores types; the other steps delete keys only on nodes of the type.
    """
    for entry in log:
        if not entry.yes:
            tree = _without(tree, entry, None if step == "shacl" else entry.type)
    return tree


def stands_at(entry: Answer, types: Sequence[str]) -> bool:
    """Whether an answer is about a node of these types."""
    return entry.type is None or entry.type in types or (entry.type == "None" and not types)


def rejected_in_place(
    tree: Any,
    log: Iterable[Answer],
    *,
    entities_only: bool,
    stands: Callable[[Answer, Sequence[str]], bool] = stands_at,
) -> Any:
    """A markup without what a step rejected, each rejection only where the judged statement stands.

    Arguments:
        tree: the markup.
        log: the step's answers.
        entities_only: a rejected entity takes only entities of its property with it, not literals. Which entity
            of a property was meant is not known: the logs' blank nodes are those of another reading.
        stands: from a rejection and the types of a node to whether it is about such a node.

    Returns:
        The rest; a key that lost all its values goes.
    """
    by_property: dict[str, list[Answer]] = {}
    for entry in log:
        if not entry.yes:
            by_property.setdefault(entry.name, []).append(entry)
    return _pruned(tree, by_property, entities_only, stands) if by_property else tree


def types_of(node: Mapping[str, Any]) -> list[str]:
    """The types of a node, as text."""
    given = node.get("@type")
    return [str(kind) for kind in given] if isinstance(given, list) else [] if given is None else [str(given)]


def _pruned(
    value: Any,
    rejections: Mapping[str, list[Answer]],
    entities_only: bool,
    stands: Callable[[Answer, Sequence[str]], bool],
) -> Any:
    if isinstance(value, list):
        return [_pruned(inner, rejections, entities_only, stands) for inner in value]
    if not isinstance(value, dict):
        return value
    types = types_of(value)
    out: dict[str, Any] = {}
    for key, inner in value.items():
        here = [entry for entry in rejections.get(key, ()) if stands(entry, types)]
        texts = {entry.value for entry in here}
        entity = any(entry.entity for entry in here)
        kept = []
        for member in inner if isinstance(inner, list) else [inner]:
            node = isinstance(member, dict)
            gone = (entity and (node or not entities_only)) or (
                not isinstance(member, dict | list) and str(member) in texts
            )
            if not gone:
                kept.append(_pruned(member, rejections, entities_only, stands))
        if kept or not here:
            out[key] = kept if isinstance(inner, list) else kept[0]
    return out


def merged_chunks(chunks: Iterable[Any]) -> Any:
    """The answers on the chunks of one text as one markup: by top-level keys, the last one wins."""
    merged: dict[str, Any] = {}
    for chunk in chunks:
        for part in chunk if isinstance(chunk, list) else [chunk]:
            if isinstance(part, dict):
                merged.update(part)
    return merged


def depth_of(tree: Any, limit: int = DEPTH_LIMIT) -> int:
    """How deeply a JSON value is nested, counted up to the limit."""
    level, depth = [tree], 0
    while level and depth <= limit:
        depth += 1
        level = [
            inner
            for value in level
            if isinstance(value, dict | list)
            for inner in (value.values() if isinstance(value, dict) else value)
            if isinstance(inner, dict | list)
        ]
    return depth
