"""A vocabulary as data: types, properties, enumeration members, and the look-ups on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from schemaproof.vocabulary.nearest import Names

SCHEMA_ORG = "https://schema.org/"

# Data types whose lexical space is every string.
TEXT = "Text"


@dataclass(frozen=True, slots=True)
class Type:
    """A class of the vocabulary.

    Attributes:
        name: its bare name, or its IRI where two namespaces share the bare name.
        iri: its absolute IRI.
        parents: names of the classes that it is declared a subclass of.
        ancestors: names of all classes above it, itself included.
        layer: "core", "pending", "bib", "health-lifesci", "auto", "meta" or "attic"; "" in other vocabularies.
        superseded_by: names of its successors.
        data_type: true for DataType, its instances and what stands below them (Text, URL, Integer...).
        members: names of the individuals that are declared of exactly this class.
    """

    name: str
    iri: str
    parents: tuple[str, ...] = ()
    ancestors: frozenset[str] = frozenset()
    layer: str = "core"
    superseded_by: tuple[str, ...] = ()
    data_type: bool = False
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Property:
    """A property of the vocabulary.

    Attributes:
        name: its bare name, or its IRI where two namespaces share the bare name.
        iri: its absolute IRI.
        domains: names of the classes it is declared on (domainIncludes). Empty: it may stand on any class.
        ranges: names of the classes that its values are of (rangeIncludes). Empty: any value.
        layer: as in `Type.layer`.
        superseded_by: names of its successors.
        inverse_of: names of its inverses.
        parents: names of the properties above it (subPropertyOf).
    """

    name: str
    iri: str
    domains: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()
    layer: str = "core"
    superseded_by: tuple[str, ...] = ()
    inverse_of: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Member:
    """An individual of the vocabulary, most often a member of an enumeration.

    Attributes:
        name, iri: as in `Type`.
        types: names of the classes it is declared of.
        layer, superseded_by: as in `Type`.
    """

    name: str
    iri: str
    types: tuple[str, ...] = ()
    layer: str = "core"
    superseded_by: tuple[str, ...] = ()


class Vocabulary:
    """A vocabulary with its look-ups; immutable once made, and shared.

    Arguments:
        release: its release ("30.0"), or "" where it states none.
        namespaces: the IRIs that its terms start with; the first is the main one.
        types, properties, members: its terms. `ancestors` and `members` of the types are worked out here.
        source: where it was read from, "" for the packaged table.
    """

    def __init__(
        self,
        *,
        release: str,
        namespaces: Iterable[str],
        types: Iterable[Type],
        properties: Iterable[Property],
        members: Iterable[Member] = (),
        source: str = "",
    ) -> None:
        self.release = release
        self.namespaces: tuple[str, ...] = tuple(namespaces)
        self.source = source
        self.individuals: Mapping[str, Member] = MappingProxyType({each.name: each for each in members})
        self.types: Mapping[str, Type] = MappingProxyType(_close(types, self.individuals))
        self.properties: Mapping[str, Property] = MappingProxyType({each.name: each for each in properties})
        self._own: dict[str, set[str]] = {}
        for each in self.properties.values():
            for domain in each.domains:
                self._own.setdefault(domain, set()).add(each.name)
        self._anywhere = frozenset(each.name for each in self.properties.values() if not each.domains)
        self._of_type: dict[str, frozenset[str]] = {}
        self._of_types: dict[tuple[str, ...], frozenset[str]] = {}
        self._namespace = _namespace_pattern(self.namespaces)
        self._renamed = {
            each.iri: each.name
            for table in (self.types, self.properties, self.individuals)
            for each in table.values()
            if not each.iri.endswith(each.name) or each.iri == each.name
        }

    def __repr__(self) -> str:
        return f"<Vocabulary {self.namespaces[0] if self.namespaces else ''} {self.release}>"

    # What a class may carry

    def properties_of(self, types: str | Iterable[str]) -> frozenset[str]:
        """Names of the properties that a node of these types may carry, own and inherited.

        Arguments:
            types: one name or several; a property of any of them counts. Names not known add nothing.
        """
        if isinstance(types, str):
            return self._properties_of_type(types)
        key = tuple(types)
        if len(key) == 1:
            return self._properties_of_type(key[0])
        found = self._of_types.get(key)
        if found is None:
            found = frozenset().union(*(self._properties_of_type(name) for name in key))
            if len(self._of_types) < 4096:
                self._of_types[key] = found
        return found

    def _properties_of_type(self, name: str) -> frozenset[str]:
        found = self._of_type.get(name)
        if found is None:
            known = self.types.get(name)
            if known is None:
                return frozenset()
            names: set[str] = set(self._anywhere)
            for ancestor in known.ancestors:
                names |= self._own.get(ancestor, set())
            found = self._of_type[name] = frozenset(names)
        return found

    def own_properties(self, name: str) -> frozenset[str]:
        """Names of the properties declared on exactly this class."""
        return frozenset(self._own.get(name, ()))

    def is_a(self, name: str, ancestor: str) -> bool:
        """Whether the class is the other or stands below it; false for names not known."""
        known = self.types.get(name)
        return known is not None and ancestor in known.ancestors

    def below(self, name: str) -> frozenset[str]:
        """Names of the class and of all classes below it; empty for a name not known."""
        return self._below.get(name, frozenset())

    @cached_property
    def _below(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {name: set() for name in self.types}
        for each in self.types.values():
            for ancestor in each.ancestors:
                if ancestor in found:
                    found[ancestor].add(each.name)
        return {name: frozenset(names) for name, names in found.items()}

    # Enumerations

    def is_enumeration(self, name: str) -> bool:
        """Whether the class is an enumeration (Schema.org: a class below Enumeration)."""
        return self.is_a(name, "Enumeration")

    def members(self, name: str) -> tuple[str, ...]:
        """Names of the individuals of the class and of the classes below it, sorted."""
        return self._members.get(name, ())

    @cached_property
    def _members(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, set[str]] = {}
        for each in self.individuals.values():
            for declared in each.types:
                known = self.types.get(declared)
                for ancestor in known.ancestors if known else (declared,):
                    found.setdefault(ancestor, set()).add(each.name)
        return {name: tuple(sorted(names)) for name, names in found.items()}

    def member_types(self, name: str) -> tuple[str, ...]:
        """Names of the classes that an individual is declared of; empty for a name that is none."""
        known = self.individuals.get(name)
        return known.types if known else ()

    # Data types

    def is_data_type(self, name: str) -> bool:
        """Whether the class is a data type (Text, URL, Number, Date, Duration...)."""
        known = self.types.get(name)
        return known is not None and known.data_type

    def text_range(self, name: str) -> bool:
        """Whether the property's values may be any text: its range has Text itself, or nothing at all."""
        known = self.properties.get(name)
        return known is not None and (not known.ranges or TEXT in known.ranges)

    def entity_ranges(self, name: str) -> tuple[str, ...]:
        """Names of the classes in the property's range that are no data types."""
        known = self.properties.get(name)
        return tuple(each for each in known.ranges if not self.is_data_type(each)) if known else ()

    # Names

    def local_name(self, iri: str) -> str | None:
        """The name of a term from its IRI, or None if the IRI is of another vocabulary.

        Schema.org's IRIs count with http and https, with www and without, whatever the host's letter case,
        and with a slash too many at either end of the name. A name that the vocabulary does not have is
        returned all the same: only the namespace counts.
        """
        renamed = self._renamed.get(iri)
        if renamed is not None:
            return renamed
        found = self._namespace.match(iri)
        if found is None:
            return None
        name = iri[found.end() :].rstrip("/")
        return name if name and _NAME.fullmatch(name) else None

    def iri(self, name: str) -> str:
        """The absolute IRI of a term; for a name that is not known, in the main namespace."""
        known = self.types.get(name) or self.properties.get(name) or self.individuals.get(name)
        if known is not None:
            return known.iri
        return name if ":" in name else f"{self.namespaces[0] if self.namespaces else ''}{name}"

    def nearest_type(self, name: str) -> str | None:
        """The class that a mistyped name most likely means: other letter case first, then one or two letters off."""
        return self._type_names.nearest(name)

    def nearest_property(self, name: str, types: Iterable[str] = ()) -> str | None:
        """The property that a mistyped name most likely means; first of those that the types may carry."""
        return self._property_names.nearest(name, self.properties_of(tuple(types)))

    def nearest_member(self, name: str, enumerations: Iterable[str]) -> str | None:
        """The individual of these enumerations that a mistyped name most likely means."""
        names = frozenset(member for each in enumerations for member in self.members(each))
        return self._member_names.nearest(name, names, only=True)

    @cached_property
    def _type_names(self) -> Names:
        return Names(self.types)

    @cached_property
    def _property_names(self) -> Names:
        return Names(self.properties)

    @cached_property
    def _member_names(self) -> Names:
        return Names(self.individuals)


_NAME = re.compile(r"[\w.~-]+")


def _namespace_pattern(namespaces: tuple[str, ...]) -> re.Pattern[str]:
    parts = []
    for each in namespaces:
        if re.fullmatch(r"https?://(?:www\.)?schema\.org/", each):
            parts.append(r"(?i:https?://(?:www\.)?schema\.org)/+")
        else:
            parts.append(re.escape(each))
    parts.sort(key=len, reverse=True)
    return re.compile("|".join(parts) if parts else r"(?!)")


def _close(types: Iterable[Type], individuals: Mapping[str, Member]) -> dict[str, Type]:
    """The types with their ancestors, data types and members worked out; cycles of subclasses are harmless."""
    raw = {each.name: each for each in types}
    members: dict[str, list[str]] = {}
    for individual in individuals.values():
        for declared in individual.types:
            members.setdefault(declared, []).append(individual.name)
    closed: dict[str, Type] = {}
    done: dict[str, frozenset[str]] = {}
    for name in raw:
        ancestors = {name}
        pending = [name]
        while pending:
            for parent in raw[pending.pop()].parents:
                if parent in ancestors or parent not in raw:
                    continue
                if parent in done:
                    ancestors |= done[parent]
                else:
                    ancestors.add(parent)
                    pending.append(parent)
        done[name] = frozenset(ancestors)
    data_types = {each.name for each in raw.values() if each.data_type}
    for name, each in raw.items():
        closed[name] = Type(
            name,
            each.iri,
            each.parents,
            done[name],
            each.layer,
            each.superseded_by,
            not data_types.isdisjoint(done[name]),
            tuple(members.get(name, ())),
        )
    return closed
