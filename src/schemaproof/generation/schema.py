"""A JSON Schema for a model's markup, from the vocabulary: the subset that providers accept, of bounded depth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from schemaproof.vocabulary import Vocabulary

# Most properties of a nested thing, and kinds of things that one property's value may be.
_NESTED = 40
_KINDS = 3
_USUAL = ("name", "url", "description", "image")
_NUMBERS = frozenset({"Number", "Integer", "Float"})


def answer_schema(types: Sequence[str], vocabulary: Vocabulary) -> dict[str, Any]:
    """The schema of an answer: one object of the type, or a graph of one for each of several types.

    Things inside of a root have literals only: what stands deeper is rare, and schemas of providers are bounded.

    Arguments:
        types: root types, bare names.
        vocabulary: whose properties are allowed.

    Returns: a JSON Schema with type, properties, required, enum, items, anyOf, additionalProperties, $ref, $defs only.
    """
    nested: set[str] = set()
    roots = [_thing(name, vocabulary, nested) for name in types]
    context = {"type": "string", "enum": ["https://schema.org"]}
    definitions = {name: _thing(name, vocabulary, None) for name in sorted(nested)}
    if len(roots) == 1:
        root = roots[0]
        root["properties"] = {"@context": context, **root["properties"]}
        root["required"] = ["@context", "@type"]
        return {**root, "$defs": definitions} if definitions else root
    return {
        "type": "object",
        "properties": {"@context": context, "@graph": {"type": "array", "items": {"anyOf": roots}}},
        "required": ["@context", "@graph"],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _thing(name: str, vocabulary: Vocabulary, nested: set[str] | None) -> dict[str, Any]:
    """The schema of a thing; types of what may stand inside are put into `nested`, None for nothing inside."""
    fields: dict[str, Any] = {"@type": {"type": "string", "enum": [name]}}
    for each in _properties(name, vocabulary, literal=nested is None)[: _NESTED if nested is None else None]:
        fields[each] = _literal(each, vocabulary) if nested is None else _value(each, vocabulary, nested)
    return {"type": "object", "properties": fields, "required": ["@type"], "additionalProperties": False}


def _literal(name: str, vocabulary: Vocabulary) -> dict[str, Any]:
    """The schema of a value inside of a nested thing."""
    if _NUMBERS.isdisjoint(vocabulary.properties[name].ranges):
        return {"type": "string"}
    return {"anyOf": [{"type": "number"}, {"type": "string"}]}


def _properties(name: str, vocabulary: Vocabulary, *, literal: bool = False) -> list[str]:
    """The properties of a type, its name first, then its own, then the inherited ones; only those with literals?"""
    allowed = [
        each
        for each in vocabulary.properties_of(name)
        if not vocabulary.properties[each].superseded_by and vocabulary.properties[each].layer in ("core", "")
    ]
    if literal:
        allowed = [
            each
            for each in allowed
            if any(vocabulary.is_data_type(kind) for kind in vocabulary.properties[each].ranges)
        ]
    own = vocabulary.own_properties(name)
    return sorted(allowed, key=lambda each: (each != "name", each not in own, each not in _USUAL, each))


def _value(name: str, vocabulary: Vocabulary, nested: set[str]) -> dict[str, Any]:
    ranges = vocabulary.properties[name].ranges
    kinds: list[dict[str, Any]] = []
    if not _NUMBERS.isdisjoint(ranges):
        kinds.append({"type": "number"})
    if "Boolean" in ranges:
        kinds.append({"type": "boolean"})
    things = [each for each in vocabulary.entity_ranges(name) if not vocabulary.is_enumeration(each)]
    if len(things) < len(ranges) or not ranges:
        kinds.append({"type": "string"})
    for each in things[:_KINDS]:
        nested.add(each)
        kinds.append({"$ref": f"#/$defs/{each}"})
    one = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return {"anyOf": [*kinds, {"type": "array", "items": one}]}


def faults(answer: Any, types: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """What is wrong with the shape of an answer, for the repair turn; at most six. Statements are the agents' affair.

    Arguments:
        answer: the JSON value.
        types: the wanted root types.
        vocabulary: what tells a type below a wanted one.
    """
    roots = roots_of(answer)
    if not roots:
        return ["the answer is not a JSON object"]
    said: list[str] = []
    found: set[str] = set()
    for root in roots:
        kinds = root.get("@type")
        names = [kinds] if isinstance(kinds, str) else kinds if isinstance(kinds, list) else []
        bare = {vocabulary.local_name(each) or each for each in names if isinstance(each, str)}
        if not bare:
            said.append("an object at the top has no @type")
        found |= {want for want in types for each in bare if each == want or vocabulary.is_a(each, want)}
    missing = [name for name in types if name not in found]
    if missing:
        said.append(f"no object at the top has the @type {' or '.join(missing)}")
    if all(len(root) <= 2 and not set(root) - {"@context", "@type"} for root in roots):
        said.append("nothing is said of it: there are no properties")
    return said[:6]


def roots_of(answer: Any) -> list[dict[str, Any]]:
    """The top-level objects of an answer; those of an @graph in its place."""
    listed = answer if isinstance(answer, list) else [answer]
    found: list[dict[str, Any]] = []
    for each in listed:
        if isinstance(each, dict):
            graph = each.get("@graph")
            found += [one for one in graph if isinstance(one, dict)] if isinstance(graph, list) else [each]
    return found
