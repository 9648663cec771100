"""How complex a JSON Schema is: five figures, and the bins the published tables use.

The data set has them as columns; where a file lacks them they are computed by the formulas below. The data set's
authors do not publish theirs, so a computed figure is an approximation of the column and is marked as computed.

- depth: objects and lists on the longest way from the root to a leaf, the root's object being 1; references are
  followed once each.
- keys: members of all `properties`, at all depths.
- elements: places of the schema that say what a value may be (the root, every member, every `items`, every
  alternative).
- cyclomatic: 1 + decisions: optional members, alternatives beyond the first of `anyOf`, `oneOf` and lists of types,
  every `allOf` part beyond the first, members of an `enum` beyond the first, `if`, `not`.
- composite: keys + 2·depth + elements/2 + cyclomatic/2.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from schemaproof.extraction.schema_walk import inside

BINS = (0.0, 50.0, 100.0, 200.0, 500.0, 1000.0)
_STEPS = 20_000


@dataclass(frozen=True, slots=True)
class Complexity:
    """The complexity of one schema.

    Attributes:
        depth, keys, elements, cyclomatic, composite: see the module.
        computed: false where all of them are the data set's columns.
    """

    depth: float
    keys: float
    elements: float
    cyclomatic: float
    composite: float
    computed: bool = True

    @property
    def bin(self) -> str:
        """The bin of the composite figure: "0-50", "50-100", "100-200", "200-500", "500-1000", "1000+"."""
        return bin_of(self.composite)


def bin_of(composite: float) -> str:
    """The published bin of a composite figure."""
    for low, high in pairwise(BINS):
        if composite < high:
            return f"{low:.0f}-{high:.0f}"
    return f"{BINS[-1]:.0f}+"


def bins() -> list[str]:
    """All bins in order."""
    return [bin_of(low) for low in BINS]


def measured(schema: Any) -> Complexity:
    """The five figures of a JSON Schema by the formulas of this module; any shape, bounded in time."""
    depth = keys = elements = 0
    decisions = 0
    waiting: list[tuple[Any, int, frozenset[str]]] = [(schema, 0, frozenset())]
    while waiting and elements < _STEPS:
        node, level, seen = waiting.pop()
        if not isinstance(node, Mapping):
            continue
        elements += 1
        target = node.get("$ref")
        if isinstance(target, str) and target not in seen:
            found = inside(schema, target)
            if found is not None:
                waiting.append((found, level, seen | {target}))
        properties, items = node.get("properties"), node.get("items")
        if isinstance(properties, Mapping):
            level += 1
            required = node.get("required")
            needed = set(map(str, required)) if isinstance(required, list) else set()
            keys += len(properties)
            decisions += sum(name not in needed for name in properties)
            waiting.extend((inner, level, seen) for inner in properties.values())
        if isinstance(items, Mapping | list):
            level += 1
            waiting.extend((inner, level, seen) for inner in (items if isinstance(items, list) else [items]))
        depth = max(depth, level)
        for word in ("anyOf", "oneOf", "allOf"):
            parts = node.get(word)
            if isinstance(parts, list):
                decisions += max(0, len(parts) - 1)
                waiting.extend((part, level, seen) for part in parts)
        for word in ("type", "enum"):
            if isinstance(node.get(word), list):
                decisions += max(0, len(node[word]) - 1)
        decisions += sum(word in node for word in ("if", "not"))
    cyclomatic = 1 + decisions
    return Complexity(depth, keys, elements, cyclomatic, keys + 2 * depth + elements / 2 + cyclomatic / 2)


_known: OrderedDict[str, Complexity] = OrderedDict()


def complexity_of(schema: Any, columns: Mapping[str, float], text: str) -> Complexity:
    """The complexity of a row's schema: the data set's columns where it has them all, else computed.

    Arguments:
        schema: the JSON Schema.
        columns: `COMPLEXITY` of `rows`, as far as the row has them.
        text: the schema's text, by which a computed figure is remembered.
    """
    if len(columns) == 5:
        return Complexity(
            columns["schema_depth"],
            columns["schema_keys"],
            columns["schema_elements"],
            columns["schema_cyclomatic_complexity"],
            columns["schema_complexity_score"],
            computed=False,
        )
    known = _known.get(text)
    if known is None:
        known = _known[text] = measured(schema)
        if len(_known) > 2048:
            _known.popitem(last=False)
    if "schema_complexity_score" in columns:
        return Complexity(
            columns.get("schema_depth", known.depth), columns.get("schema_keys", known.keys),
            columns.get("schema_elements", known.elements),
            columns.get("schema_cyclomatic_complexity", known.cyclomatic), columns["schema_complexity_score"],
        )  # fmt: skip
    return known
