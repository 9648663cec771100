"""Which of Google's rich results a markup is eligible for, and what is missing (policy `google`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from schemaproof.agents.google_features import FEATURES, Feature
from schemaproof.agents.verdict import Finding
from schemaproof.markup.model import Graph, Node, Statement
from schemaproof.vocabulary import Vocabulary

# Properties that only lead to what a page is about: their values are looked at like roots.
_CONTAINERS = frozenset(
    {"mainEntity", "itemListElement", "item", "hasPart", "subjectOf", "breadcrumb", "hasVariant", "dataFeedElement"}
)
_COUNT = re.compile(r"(.+?) >= (\d+)")


@dataclass(frozen=True, slots=True)
class RichResult:
    """One feature for one entity.

    Attributes:
        feature: Google's name of it.
        path: JSON Pointer of the entity.
        eligible: nothing that it requires is missing, and it is still shown.
        missing: what is required and not there, in the notation of `google_features`.
        recommended: what is recommended and not there.
        retired: since when it is no longer shown, or "".
        source: address of Google's page about it.
    """

    feature: str
    path: str
    eligible: bool
    missing: tuple[str, ...]
    recommended: tuple[str, ...]
    retired: str
    source: str


def rich_results(graph: Graph, vocabulary: Vocabulary) -> list[RichResult]:
    """The features that the entities of a markup are meant for, in the order of the entities.

    Arguments:
        graph: the markup.
        vocabulary: for the classes above an entity's types.

    Source: Google Search Central's documentation, see `google_features`.
    """
    found: list[RichResult] = []
    look = _Look(graph)
    primary = look.primary()
    table = _features_of_types(vocabulary)
    for node in graph.nodes:
        features = dict.fromkeys(feature for name in node.types for feature in table.get(name, ()))
        for feature in features:
            nested = node.index not in primary
            if nested and not feature.anywhere:
                continue
            if feature.when and not look.applies(node, feature.when):
                continue
            required = feature.required if nested else (*feature.required, *feature.alone)
            missing = tuple(each for each in required if not look.has(node, each))
            recommended = tuple(each for each in feature.recommended if not look.has(node, each, strict=True))
            found.append(
                RichResult(
                    feature.name,
                    node.pointer,
                    not missing and not feature.retired,
                    missing,
                    recommended,
                    feature.retired,
                    feature.source,
                )
            )
    return found


def rich_result_findings(graph: Graph, vocabulary: Vocabulary) -> Iterator[Finding]:
    """The rich results as findings: what is missing is an error, what is retired or recommended an information."""
    for result in rich_results(graph, vocabulary):
        if result.retired:
            yield Finding(
                "google-retired",
                "info",
                result.path,
                f"Google no longer shows {result.feature} rich results, since {result.retired}; see {result.source}",
                agent="google",
            )
            continue
        for each in result.missing:
            yield Finding(
                "google-required",
                "error",
                result.path,
                f"Not eligible for Google's {result.feature} rich result: {said(each)} is missing; see {result.source}",
                agent="google",
            )
        if result.eligible:
            yield Finding(
                "google-eligible",
                "info",
                result.path,
                f"Eligible for Google's {result.feature} rich result.",
                agent="google",
            )
        if result.recommended:
            yield Finding(
                "google-recommended",
                "info",
                result.path,
                f"Recommended for Google's {result.feature} rich result: {', '.join(map(said, result.recommended))}.",
                agent="google",
            )


def said(requirement: str) -> str:
    """A requirement in words: "offers: price or priceSpecification.price"."""
    found = _COUNT.fullmatch(requirement)
    if found:
        return f"{found[1]} (at least {found[2]})"
    choices = requirement.split(" | ")
    head, dot, first = choices[0].partition(".")
    if dot and len(choices) > 1:
        return f"{head}: {' or '.join((first, *choices[1:]))}"
    return " or ".join(choices)


@lru_cache(maxsize=8)
def _features_of_types(vocabulary: Vocabulary) -> dict[str, tuple[Feature, ...]]:
    """Class -> the features that it may be meant for."""
    table: dict[str, tuple[Feature, ...]] = {}
    for name, each in vocabulary.types.items():
        meant = tuple(feature for feature in FEATURES if _is_meant(feature, each.ancestors, vocabulary))
        if meant:
            table[name] = meant
    return table


def _is_meant(feature: Feature, ancestors: frozenset[str], vocabulary: Vocabulary) -> bool:
    """Whether a class with these ancestors is one that the feature is about: not where an exception is nearer."""
    exceptions = ancestors.intersection(feature.without)
    return any(
        each in ancestors and not any(vocabulary.is_a(exception, each) for exception in exceptions)
        for each in feature.types
    )


class _Look:
    """Looks properties of nodes up."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def values(self, node: Node, name: str) -> list[Statement]:
        """The statements of a node with this property that say something."""
        statements = (self._graph.statements[index] for index in node.statements)
        return [each for each in statements if each.property == name and each.value != ""]

    def primary(self) -> set[int]:
        """The roots, and what they only contain."""
        found = set(self._graph.roots)
        queue = list(found)
        for index in queue:  # grows while it is walked
            for number in self._graph.nodes[index].statements:
                each = self._graph.statements[number]
                if each.object is not None and each.property in _CONTAINERS and each.object not in found:
                    found.add(each.object)
                    queue.append(each.object)
        return found

    def applies(self, node: Node, condition: str) -> bool:
        """Whether the property is there; "NAME = false" asks for a value that says no."""
        name, equals, wanted = condition.partition(" = ")
        values = self.values(node, name)
        if not equals:
            return bool(values)
        return any(str(each.value).rpartition("/")[2].lower() == wanted for each in values)

    def has(self, node: Node, requirement: str, *, strict: bool = False) -> bool:
        """Whether a node fulfils a requirement; where the way to it ends early, only if it is not strict."""
        found = _COUNT.fullmatch(requirement)
        if found:
            return len(self.values(node, found[1])) >= int(found[2])
        bar, dot = requirement.find(" | "), requirement.find(".")
        if dot >= 0 and (bar < 0 or dot < bar):
            head, rest = requirement[:dot], requirement[dot + 1 :]
            values = self.values(node, head)
            entities = [self._graph.nodes[each.object] for each in values if each.object is not None]
            if not values:
                return not strict
            return all(self.has(each, rest, strict=" | " in rest) for each in entities)
        if bar >= 0:
            return any(self.has(node, each, strict=True) for each in requirement.split(" | "))
        return bool(self.values(node, requirement))
