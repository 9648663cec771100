"""From the facts of an ontology file to a vocabulary.

Facts are taken in Schema.org's own terms (domainIncludes, rangeIncludes, supersededBy, inverseOf, isPartOf) and in
those of RDFS and OWL (subClassOf, domain, range, unionOf, oneOf, inverseOf, deprecated). Several domains or ranges
mean "any of them", as Schema.org means it: the vocabulary says what may stand where, and nothing is inferred.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from schemaproof.errors import VocabularyError
from schemaproof.vocabulary.model import SCHEMA_ORG, Member, Property, Type, Vocabulary
from schemaproof.vocabulary.rdf import DCTERMS, OWL, RDF, RDFS, SKOS, XSD, Facts, read_facts

_CLASS = {RDFS + "Class", OWL + "Class", RDFS + "Datatype"}
_PROPERTY = {
    RDF + "Property",
    OWL + "ObjectProperty",
    OWL + "DatatypeProperty",
    OWL + "AnnotationProperty",
    OWL + "FunctionalProperty",
    OWL + "InverseFunctionalProperty",
    OWL + "SymmetricProperty",
    OWL + "TransitiveProperty",
}
_DOMAIN = (SCHEMA_ORG + "domainIncludes", RDFS + "domain")
_RANGE = (SCHEMA_ORG + "rangeIncludes", RDFS + "range")
_SUPERSEDED = (SCHEMA_ORG + "supersededBy", DCTERMS + "isReplacedBy")
_INVERSE = (SCHEMA_ORG + "inverseOf", OWL + "inverseOf")
_DATA_TYPE = SCHEMA_ORG + "DataType"
_ANYTHING = {OWL + "Thing", RDFS + "Resource", RDFS + "Class"}
_ANY_TEXT = {RDFS + "Literal", RDF + "langString", RDF + "HTML", RDF + "XMLLiteral"}
_XSD_TYPES = {
    "anyURI": "URL",
    "boolean": "Boolean",
    "decimal": "Number",
    "float": "Float",
    "double": "Float",
    "date": "Date",
    "dateTime": "DateTime",
    "dateTimeStamp": "DateTime",
    "time": "Time",
    "duration": "Duration",
    "dayTimeDuration": "Duration",
    "yearMonthDuration": "Duration",
}
_XSD_INTEGERS = re.compile(r"(?i)(?:(?:non)?(?:negative|positive)|unsigned)?(?:integer|int|long|short|byte)")
_STANDARD = (RDF, RDFS, OWL, XSD, SKOS)
_LAYER = re.compile(r"https?://([\w-]+)\.schema\.org/?")


class Ontology(NamedTuple):
    """What a file says: the vocabulary, and the prose beside it.

    Attributes:
        vocabulary: the facts.
        definitions: name of a term -> its definition (skos:definition, rdfs:comment), English first.
    """

    vocabulary: Vocabulary
    definitions: dict[str, str]


def read_ontology(file: str | Path, *, release: str = "", base: Vocabulary | None = None) -> Ontology:
    """Read an ontology from a file.

    Arguments:
        file: Turtle (.ttl), JSON-LD (.jsonld, .json), N-Triples, TriG or RDF/XML.
        release: its release, where the file does not say (owl:versionInfo).
        base: the vocabulary that an extension builds on: where the file refers to schema.org terms without
            declaring them, the base's terms are there as well. Else only the data types it uses are taken from it.

    Raises:
        VocabularyError: the file cannot be read (with line and column), or declares no class and no property.
    """
    path = Path(file)
    return _Builder(read_facts(path), str(path), base).build(release)


def namespace_of(iri: str) -> str:
    """The part of an IRI before its local name: up to the last # or /."""
    return iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]


def _joined(base: Mapping[str, Any], own: list[Any], *fields: str) -> list[Any]:
    """The base's terms and the file's own; a term of both has what either says in these fields."""
    found = dict(base)
    for each in own:
        known = found.get(each.name)
        if known is not None:
            both: dict[str, Any] = {}
            for field in fields:
                both[field] = tuple(sorted({*getattr(known, field), *getattr(each, field)}))
            each = replace(known, **both)
        found[each.name] = each
    return list(found.values())


class _Builder:
    """One file on its way to a vocabulary."""

    def __init__(self, facts: Facts, source: str, base: Vocabulary | None) -> None:
        self.facts = facts
        self.source = source
        classes = self._declared(_CLASS, RDFS + "subClassOf")
        properties = self._declared(_PROPERTY, *_DOMAIN, *_RANGE, RDFS + "subPropertyOf")
        if not classes and not properties:
            raise VocabularyError(
                "declares no class (rdfs:Class, owl:Class) and no property (rdf:Property)", source=source
            )
        self.main = self._main_namespace((*classes, *properties))
        self.classes = [iri for iri in classes if self._is_own(iri)]
        self.properties = [iri for iri in properties if self._is_own(iri)]
        declared = {*self.classes, *self.properties}
        self.missing = {
            value
            for iri in facts.by_subject
            for value in facts.iris(iri, RDFS + "subClassOf", RDFS + "subPropertyOf", *_DOMAIN, *_RANGE)
            if value.startswith(SCHEMA_ORG) and value not in declared
        }
        self.data_types = {iri for iri in self.classes if _DATA_TYPE in facts.iris(iri, RDF + "type")} | {_DATA_TYPE}
        data_type_names = {SCHEMA_ORG + each.name for each in base.types.values() if each.data_type} if base else set()
        self.extends = base is not None and not self.missing <= data_type_names
        self.base = base
        self.members = self._find_members()
        self.names = self._name_terms()

    def _declared(self, types: set[str], *telling: str) -> list[str]:
        """IRIs that are of one of the types or carry one of the telling predicates, in source order."""
        return [
            iri
            for iri, known in self.facts.by_subject.items()
            if not iri.startswith(("_:", *_STANDARD))
            and (not types.isdisjoint(self.facts.iris(iri, RDF + "type")) or any(each in known for each in telling))
        ]

    def _says_something(self, iri: str) -> bool:
        """Whether the file has more than the bare declaration: else it only mentions someone else's term."""
        return len(self.facts.by_subject[iri]) > 1

    def _main_namespace(self, iris: Iterable[str]) -> str:
        spoken_of = [iri for iri in iris if self._says_something(iri)] or list(iris)
        counted = Counter(map(namespace_of, spoken_of))
        return min(counted, key=lambda each: (-counted[each], each))

    def _is_own(self, iri: str) -> bool:
        return namespace_of(iri) == self.main or self._says_something(iri)

    def _find_members(self) -> dict[str, list[str]]:
        """Individuals -> classes that they are declared of (rdf:type, owl:oneOf)."""
        found: dict[str, list[str]] = {}
        # The instances of DataType are classes, those of Boolean are its two values.
        classes = set(self.classes) - {_DATA_TYPE}
        properties = set(self.properties)
        for iri in self.facts.by_subject:
            of = [each for each in self.facts.iris(iri, RDF + "type") if each in classes]
            if of and iri not in properties and not iri.startswith("_:"):
                found[iri] = of
        for iri in self.classes:
            for head in self.facts.iris(iri, OWL + "oneOf"):
                for member in self.facts.items(head):
                    found.setdefault(member, []).append(iri)
        return found

    def _name_terms(self) -> dict[str, str]:
        """IRI -> bare name; where two namespaces share a name, it goes to Schema.org, then to the main one."""
        names: dict[str, str] = {}
        taken: dict[str, str] = {}
        if self.base is not None and self.extends:
            for table in (self.base.types, self.base.properties, self.base.individuals):
                taken.update((each.name, each.iri) for each in table.values())
        own = dict.fromkeys((*self.classes, *self.properties, *self.members))
        for iri in sorted(own, key=lambda each: (not each.startswith(SCHEMA_ORG), namespace_of(each) != self.main)):
            name = iri[len(namespace_of(iri)) :]
            names[iri] = name if name and taken.setdefault(name, iri) == iri else iri
        return names

    def _name(self, iri: str) -> str:
        """The name of a term that is referred to; a schema.org term not declared here is an extension's base."""
        known = self.names.get(iri)
        return known if known is not None else iri.removeprefix(SCHEMA_ORG)

    def _named(self, iri: str, *predicates: str) -> tuple[str, ...]:
        """Names of the terms of the vocabulary that stand there, sorted; foreign ones are left out."""
        values = self.facts.iris(iri, *predicates)
        return tuple(sorted({self._name(each) for each in values if each in self.names or each.startswith(SCHEMA_ORG)}))

    def _classes_meant(self, iri: str, predicates: tuple[str, ...]) -> tuple[str, ...]:
        """Names of the classes of a domain or range, unions taken apart; empty where it is, or names, anything."""
        found: set[str] = set()
        pending = self.facts.iris(iri, *predicates)
        seen: set[str] = set()
        while pending:
            each = pending.pop()
            if each in seen:
                continue
            seen.add(each)
            if each in _ANYTHING:
                return ()
            if each.startswith("_:"):
                for head in self.facts.iris(each, OWL + "unionOf"):
                    pending += self.facts.items(head)
            elif each in _ANY_TEXT:
                found.add("Text")
            elif each.startswith(XSD):
                name = each.removeprefix(XSD)
                found.add("Integer" if _XSD_INTEGERS.fullmatch(name) else _XSD_TYPES.get(name, "Text"))
            else:
                found.add(self._name(each))
        return tuple(sorted(found))

    def _layer(self, iri: str) -> str:
        if any(each.text == "true" for each in self.facts.texts(iri, OWL + "deprecated")):
            return "deprecated"
        for part in self.facts.iris(iri, SCHEMA_ORG + "isPartOf"):
            found = _LAYER.fullmatch(part)
            if found:
                return found[1]
        return "core" if iri.startswith(SCHEMA_ORG) else ""

    def _definition(self, iri: str) -> str:
        texts = self.facts.texts(iri, SKOS + "definition", RDFS + "comment", DCTERMS + "description")
        texts.sort(key=lambda each: each.language.partition("-")[0] not in ("", "en"))
        return texts[0].text if texts else ""

    def _release(self) -> str:
        for iri in self.facts.by_subject:
            if OWL + "Ontology" in self.facts.iris(iri, RDF + "type"):
                for version in self.facts.texts(iri, OWL + "versionInfo"):
                    return version.text
        return ""

    def build(self, release: str) -> Ontology:
        """The vocabulary; the release is taken from the file where none is given."""
        names = self.names
        types = [
            Type(
                names[iri],
                iri,
                self._named(iri, RDFS + "subClassOf"),
                layer=self._layer(iri),
                superseded_by=self._named(iri, *_SUPERSEDED),
                data_type=iri in self.data_types,
            )
            for iri in self.classes
        ]
        properties = [
            Property(
                names[iri],
                iri,
                self._classes_meant(iri, _DOMAIN),
                self._classes_meant(iri, _RANGE),
                self._layer(iri),
                self._named(iri, *_SUPERSEDED),
                self._named(iri, *_INVERSE),
                self._named(iri, RDFS + "subPropertyOf"),
            )
            for iri in self.properties
        ]
        members = [
            Member(
                names[iri],
                iri,
                tuple(sorted({names[each] for each in of})),
                self._layer(iri),
                self._named(iri, *_SUPERSEDED),
            )
            for iri, of in self.members.items()
        ]
        namespaces = [self.main, *map(namespace_of, (*self.classes, *self.properties))]
        if self.base is not None:
            if self.extends:
                namespaces += self.base.namespaces
                types = _joined(self.base.types, types, "parents")
                properties = _joined(self.base.properties, properties, "domains", "ranges", "parents")
                members = _joined(self.base.individuals, members, "types")
            else:
                used = {name for each in properties for name in each.ranges}
                known = {each.name for each in types}
                types += [
                    each
                    for each in self.base.types.values()
                    if each.data_type and each.name not in known and used & self.base.below(each.name)
                ]
        vocabulary = Vocabulary(
            release=release or self._release(),
            namespaces=dict.fromkeys(namespaces),
            types=types,
            properties=properties,
            members=members,
            source=self.source,
        )
        definitions = {name: text for iri, name in names.items() if (text := self._definition(iri))}
        return Ontology(vocabulary, definitions)
