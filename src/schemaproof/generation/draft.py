"""A node of markup while it is being written: only what the vocabulary allows, every value with its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from schemaproof.agents.verdict import Evidence
from schemaproof.generation.outline import Line
from schemaproof.page.model import Kind, Link, Page
from schemaproof.vocabulary import Vocabulary

Value = str | int | float | bool


class Draft:
    """One node: its types, and its values in the order they were added.

    Arguments:
        types: names of its types.
        vocabulary: what properties these types may carry.
    """

    def __init__(self, types: Iterable[str], vocabulary: Vocabulary) -> None:
        self.types = tuple(types)
        self.vocabulary = vocabulary
        self._allowed = vocabulary.properties_of(self.types)
        self._values: dict[str, list[tuple[Value | Draft, Evidence | None]]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __bool__(self) -> bool:
        return bool(self._values)

    def is_a(self, *names: str) -> bool:
        """Whether one of its types is, or stands below, one of these classes."""
        return any(self.vocabulary.is_a(own, name) for own in self.types for name in names)

    def allows(self, name: str) -> bool:
        """Whether its types may carry the property, and the property has no successor."""
        known = self.vocabulary.properties.get(name)
        return name in self._allowed and known is not None and not known.superseded_by

    def first_allowed(self, names: Iterable[str]) -> str:
        """The first of the properties that its types may carry, or ""."""
        return next((name for name in names if self.allows(name)), "")

    def accepts(self, name: str, *ranges: str) -> bool:
        """Whether the property takes values of one of these classes (or of classes below its range)."""
        known = self.vocabulary.properties.get(name)
        return known is not None and any(
            each == wanted or self.vocabulary.is_a(wanted, each) for each in known.ranges for wanted in ranges
        )

    def add(self, name: str, value: Value | Draft | None, evidence: Evidence | None = None) -> bool:
        """Add a value; refused where the types do not allow it, where it is empty or there already.

        Arguments:
            name: the property.
            value: a literal, or a node that has at least one value of its own.
            evidence: where a literal stands; a node's evidence is its values'.
        """
        if value is None or value == "" or not self.allows(name):
            return False
        if isinstance(value, Draft) and not value:
            return False
        present = self._values.setdefault(name, [])
        if not isinstance(value, Draft) and any(value == known for known, _ in present):
            return False
        present.append((value, evidence))
        return True

    def take(self, other: Draft, name: str) -> None:
        """Take over the values that another draft has of a property."""
        if self.allows(name) and name in other:
            self._values.setdefault(name, []).extend(other._values[name])

    def literal(self, name: str) -> Value | None:
        """The first literal of a property, or None."""
        for value, _ in self._values.get(name, ()):
            if not isinstance(value, Draft):
                return value
        return None

    def node(self, name: str) -> Draft | None:
        """The first node of a property, or None."""
        for value, _ in self._values.get(name, ()):
            if isinstance(value, Draft):
                return value
        return None

    def new(self, *types: str) -> Draft:
        """An empty node of other types and the same vocabulary."""
        return Draft(types, self.vocabulary)

    def named(self, type_name: str, text: str, evidence: Evidence | None, name: str = "name") -> Draft:
        """A node of which only the name is known."""
        node = self.new(type_name)
        node.add(name, text, evidence)
        return node

    def render(self, pointer: str, sources: dict[str, Evidence]) -> dict[str, Any]:
        """The node as JSON-LD (without @context); fills in the evidence by JSON Pointer."""
        written: dict[str, Any] = {"@type": self.types[0] if len(self.types) == 1 else list(self.types)}
        for name, values in self._values.items():
            several = len(values) > 1
            rendered: list[Any] = []
            for index, (value, evidence) in enumerate(values):
                place = f"{pointer}/{name}/{index}" if several else f"{pointer}/{name}"
                if isinstance(value, Draft):
                    rendered.append(value.render(place, sources))
                else:
                    rendered.append(value)
                    if evidence is not None:
                        sources[place] = evidence
            if rendered:
                written[name] = rendered if several else rendered[0]
        return written


def span(page: Page, start: int, end: int) -> Evidence:
    """A span of the page's text as evidence."""
    return Evidence(start, end, page.text[start:end])


def within(line: Line, start: int, end: int) -> Evidence:
    """A part of a line as evidence; offsets count from the line's start."""
    return Evidence(line.start + start, line.start + end, line.text[start:end])


def target(link: Link, kind: Kind = Kind.LINK) -> Evidence:
    """The target of a link or image as evidence."""
    return Evidence(-1, -1, link.url or link.href, kind)


def address(page: Page) -> tuple[str, Evidence] | None:
    """The page's own address, canonical first, with its evidence; None where it has none."""
    for url in (page.url, *page.addresses):
        if url and url.startswith(("http://", "https://")):
            return url, Evidence(-1, -1, url, Kind.URL)
    return None


def literals(drafts: Iterable[Draft]) -> Iterator[tuple[str, Value]]:
    """Every literal of the drafts, nested ones included, with its property."""
    pending = list(drafts)
    while pending:
        draft = pending.pop()
        for name, values in draft._values.items():
            for value, _ in values:
                if isinstance(value, Draft):
                    pending.append(value)
                else:
                    yield name, value
