"""The walk over microdata items: the same facts as a JSON-LD object would state."""

from __future__ import annotations

from typing import Any

from schemaproof.markup.iri import is_absolute, resolve
from schemaproof.markup.model import Source
from schemaproof.markup.records import DEPTH_LIMIT, TYPE_LIMIT, Fact, Records, escape
from schemaproof.vocabulary import Vocabulary

FORMAT = "microdata"


def walk_item(
    records: Records, vocabulary: Vocabulary, item: dict[str, Any], pointer: str, number: int, base: str
) -> None:
    """Note the nodes and facts of one top-level item down.

    Names are resolved as in "Microdata to RDF" (W3C, clause 3): an absolute one as it is, another behind the
    namespace of the item's first type; an item without types takes the namespace of the item around it.

    Arguments:
        records: where they are noted.
        vocabulary: what is known.
        item: {"type": [...], "id": str?, "properties": {name: [text or item]}}.
        pointer: JSON Pointer of the item.
        number: its number among the page's items.
        base: what identifiers are resolved against.
    """
    index = _open(records, vocabulary, item, pointer, number, base)
    records.nodes[index].top = True
    stack = [(item, index, pointer, _namespace(vocabulary, item, ""), 0)]
    tasks: list[tuple[Any, ...]] = []
    while stack or tasks:
        if stack:
            current, subject, place, namespace, depth = stack.pop()
            properties = current.get("properties")
            if isinstance(properties, dict):
                for name in reversed(properties):
                    values = properties[name]
                    values = values if isinstance(values, list) else [values]
                    for position in range(len(values) - 1, -1, -1):
                        where = f"{place}/properties/{escape(name)}/{position}"
                        tasks.append((subject, name, values[position], where, namespace, depth + 1))
            continue
        subject, name, value, where, namespace, depth = tasks.pop()
        resolved = _property(vocabulary, namespace, name)
        if resolved is None:
            records.foreign += 1
        if isinstance(value, dict):
            if depth >= DEPTH_LIMIT:
                records.report("too-deep", f"Nested deeper than {DEPTH_LIMIT} levels: left out.", where, "error")
                continue
            if resolved is not None:
                fact = Fact(where, subject, resolved, None, (Source(FORMAT, number, where),))
                records.facts.append(fact)
            below = _open(records, vocabulary, value, where, number, base)
            if resolved is not None:
                fact.object = below
            stack.append((value, below, where, _namespace(vocabulary, value, namespace), depth + 1))
        elif isinstance(value, str | int | float) and resolved is not None:
            records.facts.append(Fact(where, subject, resolved, value, (Source(FORMAT, number, where),)))


def _open(records: Records, vocabulary: Vocabulary, item: dict[str, Any], pointer: str, number: int, base: str) -> int:
    identifier = item.get("id")
    iri = resolve(identifier, base) if isinstance(identifier, str) and identifier else ""
    index = records.node(iri, pointer, FORMAT)
    for place, name in enumerate(_names(item)):
        if len(records.nodes[index].types) >= TYPE_LIMIT:
            records.report("too-many-types", f"No entity is of more than {TYPE_LIMIT} types.", pointer)
            break
        local = vocabulary.local_name(name)
        where = f"{pointer}/type/{place}"
        if local is None:
            records.foreign += 1
            if is_absolute(name):
                records.nodes[index].types[name] = None
        elif local in vocabulary.types:
            records.nodes[index].types[local] = None
        else:
            records.nodes[index].types[name] = None
            records.facts.append(Fact(where, index, "@type", name, (Source(FORMAT, number, where),)))
    return index


def _names(item: dict[str, Any]) -> list[str]:
    """The types of an item as written."""
    types = item.get("type")
    given = types if isinstance(types, list | tuple) else [types]
    return [name for name in given if isinstance(name, str) and name]


def _namespace(vocabulary: Vocabulary, item: dict[str, Any], around: str) -> str:
    """What the item's bare names are put behind: the first type up to its last slash or number sign."""
    for name in _names(item):
        if is_absolute(name):
            if vocabulary.local_name(name) is not None:
                return name[: name.rstrip("/").rfind("/") + 1]
            return name[: max(name.rfind("/"), name.rfind("#")) + 1]
    return around


def _property(vocabulary: Vocabulary, namespace: str, name: str) -> str | None:
    """Name of the property, or None for one of another vocabulary."""
    if is_absolute(name):
        local = vocabulary.local_name(name)
        if local is None:
            return None
        return local if local in vocabulary.properties else name
    if not namespace:
        return None
    local = vocabulary.local_name(namespace + name)
    if local is not None and local in vocabulary.properties:
        return local
    return name if vocabulary.local_name(namespace + "x") == "x" else None
