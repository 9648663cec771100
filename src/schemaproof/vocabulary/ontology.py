"""Reading an ontology (Turtle, JSON-LD, N-Triples, RDF/XML) into a vocabulary.

Facts are taken in Schema.org's own terms (domainIncludes, rangeIncludes, supersededBy, inverseOf, isPartOf) and in
those of RDFS and OWL (subClassOf, domain, range, unionOf, oneOf, inverseOf, deprecated). Several domains or ranges
mean "any of them", as Schema.org means it: the vocabulary says what may stand where, and nothing is inferred.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from schemaproof.errors import VocabularyError
from schemaproof.vocabulary.model import SCHEMA_ORG, Member, Property, Type, Vocabulary

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
DCTERMS = "http://purl.org/dc/terms/"
SKOS = "http://www.w3.org/2004/02/skos/core#"

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
_ANYTHING = {OWL + "Thing", RDFS + "Resource", RDFS + "Class"}
_DATA_TYPES = {
    "string": "Text",
    "normalizedString": "Text",
    "token": "Text",
    "language": "Text",
    "Name": "Text",
    "NCName": "Text",
    "anyURI": "URL",
    "boolean": "Boolean",
    "integer": "Integer",
    "int": "Integer",
    "long": "Integer",
    "short": "Integer",
    "byte": "Integer",
    "nonNegativeInteger": "Integer",
    "positiveInteger": "Integer",
    "nonPositiveInteger": "Integer",
    "negativeInteger": "Integer",
    "unsignedInt": "Integer",
    "unsignedLong": "Integer",
    "unsignedShort": "Integer",
    "unsignedByte": "Integer",
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
_STANDARD = (RDF, RDFS, OWL, XSD, SKOS)
_SCHEMA_IRI = re.compile(r"(?i:https?://(?:www\.)?schema\.org)/+")
_LAYER = re.compile(r"https?://([\w-]+)\.schema\.org/?$")
_SUFFIXES = {
    ".ttl": "TURTLE",
    ".jsonld": "JSON_LD",
    ".json": "JSON_LD",
    ".nt": "N_TRIPLES",
    ".nq": "N_QUADS",
    ".trig": "TRIG",
    ".rdf": "RDF_XML",
    ".owl": "RDF_XML",
    ".xml": "RDF_XML",
}


class Literal(NamedTuple):
    """A literal of the ontology: its text and language tag."""

    text: str
    language: str


class Ontology(NamedTuple):
    """What a file says: the vocabulary, and the prose beside it.

    Attributes:
        vocabulary: the facts.
        definitions: name of a term -> its definition (rdfs:comment, skos:definition), English first.
        missing: schema.org terms that the file refers to and does not declare; not empty for an extension.
    """

    vocabulary: Vocabulary
    definitions: dict[str, str]
    missing: frozenset[str]


Facts = dict[str, dict[str, list[Any]]]


def read_ontology(file: str | Path, *, release: str = "", base: Vocabulary | None = None) -> Ontology:
    """Read an ontology from a file.

    Arguments:
        file: Turtle (.ttl), JSON-LD (.jsonld, .json), N-Triples, TriG or RDF/XML.
        release: its release, where the file does not say (owl:versionInfo).
        base: the vocabulary that an extension builds on; its terms are taken in where the file names some of them.

    Raises:
        VocabularyError: the file cannot be read, with line and column, or declares no class and no property.
    """
    path = Path(file)
    return build(_facts(path), release=release, source=str(path), base=base)


def _facts(path: Path) -> Facts:
    import pyoxigraph

    name = _SUFFIXES.get(path.suffix.lower())
    if name is None:
        raise VocabularyError(
            f"cannot tell the format by the name; known endings are {', '.join(_SUFFIXES)}", source=str(path)
        )
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise VocabularyError(f"cannot be opened: {problem.strerror or problem}", source=str(path)) from problem
    facts: Facts = {}
    try:
        quads = pyoxigraph.parse(
            data, format=getattr(pyoxigraph.RdfFormat, name), base_iri=path.absolute().as_uri(), lenient=True
        )
        for quad in quads:
            subject, predicate, value = str(quad.subject), quad.predicate.value, quad.object
            if isinstance(value, pyoxigraph.Literal):
                node: Any = Literal(value.value, value.language or "")
            else:
                node = str(value)
                node = _same(node[1:-1]) if node.startswith("<") else node
            key = _same(subject[1:-1]) if subject.startswith("<") else subject
            facts.setdefault(key, {}).setdefault(_same(predicate), []).append(node)
    except SyntaxError as problem:
        raise VocabularyError(
            str(problem.msg).removesuffix(f" (line {problem.lineno})"),
            source=str(path),
            line=problem.lineno,
            column=problem.offset,
        ) from problem
    return facts


def _same(iri: str) -> str:
    """The IRI, Schema.org's in the one spelling used here."""
    found = _SCHEMA_IRI.match(iri)
    return SCHEMA_ORG + iri[found.end() :] if found else iri


def namespace_of(iri: str) -> str:
    """The part of an IRI before its local name: up to the last # or /."""
    return iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]


def build(facts: Facts, *, release: str, source: str, base: Vocabulary | None) -> Ontology:
    """The vocabulary of an ontology's facts (subject -> predicate -> objects).

    Raises:
        VocabularyError: it declares no class and no property.
    """
    return _Builder(facts, source, base).build(release)


class _Builder:
    def __init__(self, facts: Facts, source: str, base: Vocabulary | None) -> None:
        self.facts = facts
        self.source = source
        self.base = base
        self.classes = self._declared(
            _CLASS, (RDFS + "subClassOf",), (RDFS + "subClassOf", RDFS + "domain", SCHEMA_ORG + "domainIncludes")
        )
        self.data_types = {iri for iri in self.classes if SCHEMA_ORG + "DataType" in self._get(iri, RDF + "type")} | {
            SCHEMA_ORG + "DataType"
        }
        self.properties = self._declared(
            _PROPERTY,
            (
                SCHEMA_ORG + "domainIncludes",
                SCHEMA_ORG + "rangeIncludes",
                RDFS + "domain",
                RDFS + "range",
                RDFS + "subPropertyOf",
            ),
            (),
        )
        if not self.classes and not self.properties:
            raise VocabularyError(
                "declares no class (rdfs:Class, owl:Class) and no property (rdf:Property)", source=source
            )
        self.main = self._main_namespace()
        self.names: dict[str, str] = {}
        self.missing: set[str] = set()

    def _get(self, iri: str, *predicates: str) -> list[str]:
        known = self.facts.get(iri, {})
        return [value for predicate in predicates for value in known.get(predicate, ()) if isinstance(value, str)]

    def _declared(self, types: set[str], subject_of: tuple[str, ...], object_of: tuple[str, ...]) -> list[str]:
        """IRIs declared of one of the types, or told by the predicates that they stand with, in source order."""
        found: dict[str, None] = {}
        for iri, known in self.facts.items():
            if iri.startswith("_:") or iri.startswith(_STANDARD):
                continue
            if not types.isdisjoint(value for value in known.get(RDF + "type", ()) if isinstance(value, str)) or any(
                predicate in known for predicate in subject_of
            ):
                found[iri] = None
        if object_of:
            for known in list(self.facts.values()):
                for predicate in object_of:
                    for value in known.get(predicate, ()):
                        # A class that is only referred to counts when the file says something about it.
                        if isinstance(value, str) and value in self.facts and ":" in value and value[0] != "_":
                            if not value.startswith(_STANDARD):
                                found.setdefault(value)
        return list(found)

    def _main_namespace(self) -> str:
        counted = Counter(namespace_of(iri) for iri in (*self.classes, *self.properties) if self._says_something(iri))
        counted = counted or Counter(namespace_of(iri) for iri in (*self.classes, *self.properties))
        return min(counted, key=lambda each: (-counted[each], each))

    def _says_something(self, iri: str) -> bool:
        """Whether the file has more than the bare declaration: else it only mentions someone else's term."""
        return len(self.facts.get(iri, {})) > 1

    def _kept(self, iris: Iterable[str]) -> list[str]:
        return [iri for iri in iris if namespace_of(iri) == self.main or self._says_something(iri)]

    def _members_of_list(self, head: str) -> Iterator[str]:
        seen: set[str] = set()
        while head != RDF + "nil" and head not in seen and head in self.facts:
            seen.add(head)
            yield from self._get(head, RDF + "first")
            rest = self._get(head, RDF + "rest")
            head = rest[0] if rest else RDF + "nil"

    def _classes_named(self, iris: Iterable[str]) -> tuple[tuple[str, ...], bool]:
        """Names of the classes that domains or ranges mean, unions taken apart; true if one means anything."""
        found: dict[str, None] = {}
        anything = False
        pending = list(iris)
        seen: set[str] = set()
        while pending:
            iri = pending.pop(0)
            if iri in seen:
                continue
            seen.add(iri)
            if iri in _ANYTHING:
                anything = True
            elif iri.startswith("_:"):
                heads = self._get(iri, OWL + "unionOf", OWL + "intersectionOf")
                pending.extend(member for head in heads for member in self._members_of_list(head))
            elif iri in (RDFS + "Literal", RDF + "langString", RDF + "HTML", RDF + "XMLLiteral"):
                found.setdefault("Text")
            elif iri.startswith(XSD):
                found.setdefault(_DATA_TYPES.get(iri.removeprefix(XSD), "Text"))
            else:
                found.setdefault(self._name(iri))
        return tuple(sorted(found)), anything

    def _name(self, iri: str) -> str:
        known = self.names.get(iri)
        if known is not None:
            return known
        if iri.startswith(SCHEMA_ORG):
            # A schema.org term that is not declared here: an extension refers to it.
            self.missing.add(iri.removeprefix(SCHEMA_ORG))
            return iri.removeprefix(SCHEMA_ORG)
        return iri

    def _name_terms(self, iris: Iterable[str]) -> None:
        """Give each term its bare name; where two namespaces share one, all but the main namespace's keep the IRI."""
        taken: dict[str, str] = {}
        known = set(self.base.types) | set(self.base.properties) | set(self.base.individuals) if self.base else set()
        ordered = sorted(
            dict.fromkeys(iris), key=lambda iri: (not iri.startswith(SCHEMA_ORG), namespace_of(iri) != self.main)
        )
        for iri in ordered:
            name = iri[len(namespace_of(iri)) :]
            clash = taken.get(name, iri) != iri or (
                name in known and not iri.startswith(SCHEMA_ORG) and self._extends()
            )
            self.names[iri] = iri if clash or not name else name
            taken.setdefault(name, iri)

    def _extends(self) -> bool:
        """Whether the file refers to schema.org classes or properties that it does not declare."""
        declared = {*self.classes, *self.properties}
        predicates = (
            RDFS + "subClassOf",
            RDFS + "subPropertyOf",
            RDFS + "domain",
            RDFS + "range",
            SCHEMA_ORG + "domainIncludes",
            SCHEMA_ORG + "rangeIncludes",
        )
        return any(
            value.startswith(SCHEMA_ORG) and value not in declared
            for iri in self.facts
            for value in self._get(iri, *predicates)
        )

    def _layer(self, iri: str) -> str:
        if any(
            isinstance(value, Literal) and value.text == "true" for value in self.facts[iri].get(OWL + "deprecated", ())
        ):
            return "deprecated"
        for part in self._get(iri, SCHEMA_ORG + "isPartOf"):
            found = _LAYER.match(part)
            if found:
                return found[1]
        return "core" if iri.startswith(SCHEMA_ORG) else ""

    def _names_of(self, iri: str, *predicates: str) -> tuple[str, ...]:
        """Names of the terms of the vocabulary that stand there; foreign ones are left out."""
        return tuple(
            sorted(
                {
                    self._name(value)
                    for value in self._get(iri, *predicates)
                    if value in self.names or value.startswith(SCHEMA_ORG)
                }
            )
        )

    def build(self, release: str) -> Ontology:
        classes = [iri for iri in self._kept(self.classes) if not iri.startswith(_STANDARD)]
        properties = self._kept(self.properties)
        declared = set(classes)
        members: dict[str, list[str]] = {}
        for iri, known in self.facts.items():
            if iri.startswith("_:") or iri.startswith(_STANDARD):
                continue
            of = [
                t
                for t in known.get(RDF + "type", ())
                if t in declared and t not in self.data_types - {SCHEMA_ORG + "Boolean"}
            ]
            if of and iri not in properties:
                members.setdefault(iri, []).extend(of)
        for iri in classes:
            for head in self._get(iri, OWL + "oneOf"):
                for member in self._members_of_list(head):
                    members.setdefault(member, []).append(iri)
        self._name_terms((*classes, *properties, *members))
        superseded = (SCHEMA_ORG + "supersededBy", DCTERMS + "isReplacedBy")
        types = [
            Type(
                self.names[iri],
                iri,
                self._names_of(iri, RDFS + "subClassOf"),
                layer=self._layer(iri),
                superseded_by=self._names_of(iri, *superseded),
                data_type=iri in self.data_types,
            )
            for iri in classes
        ]
        built = []
        for iri in properties:
            domains, any_domain = self._classes_named(self._get(iri, SCHEMA_ORG + "domainIncludes", RDFS + "domain"))
            ranges, any_range = self._classes_named(self._get(iri, SCHEMA_ORG + "rangeIncludes", RDFS + "range"))
            built.append(
                Property(
                    self.names[iri],
                    iri,
                    () if any_domain else domains,
                    () if any_range else ranges,
                    self._layer(iri),
                    self._names_of(iri, *superseded),
                    self._names_of(iri, SCHEMA_ORG + "inverseOf", OWL + "inverseOf"),
                    self._names_of(iri, RDFS + "subPropertyOf"),
                )
            )
        individuals = [
            Member(
                self.names[iri],
                iri,
                tuple(sorted({self.names[each] for each in of})),
                self._layer(iri) if iri in self.facts else "",
                self._names_of(iri, *superseded),
            )
            for iri, of in members.items()
        ]
        definitions = {self.names[iri]: text for iri in self.names if (text := self._definition(iri))}
        return Ontology(self._assemble(release, types, built, individuals), definitions, frozenset(self.missing))

    def _assemble(
        self, release: str, types: list[Type], properties: list[Property], individuals: list[Member]
    ) -> Vocabulary:
        """The vocabulary, with the base vocabulary's terms where the file builds on them."""
        namespaces = [self.main, *dict.fromkeys(namespace_of(each.iri) for each in (*types, *properties))]
        wanted = {name for each in properties for name in (*each.domains, *each.ranges)} | self.missing
        base = self.base
        if base is not None:
            if self._extends():
                own_types = {each.name for each in types}
                own_properties = {each.name for each in properties}
                own_individuals = {each.name for each in individuals}
                types += [each for each in base.types.values() if each.name not in own_types]
                properties += [each for each in base.properties.values() if each.name not in own_properties]
                individuals += [each for each in base.individuals.values() if each.name not in own_individuals]
                namespaces += base.namespaces
            else:
                own_types = {each.name for each in types}
                types += [
                    each
                    for each in base.types.values()
                    if each.data_type and each.name not in own_types and wanted & base.below(each.name)
                ]
        release = release or next(
            (
                value.text
                for known in self.facts.values()
                for value in known.get(OWL + "versionInfo", ())
                if isinstance(value, Literal) and OWL + "Ontology" in known.get(RDF + "type", ())
            ),
            "",
        )
        return Vocabulary(
            release=release,
            namespaces=dict.fromkeys(namespaces),
            types=types,
            properties=properties,
            members=individuals,
            source=self.source,
        )

    def _definition(self, iri: str) -> str:
        known = self.facts.get(iri, {})
        texts = [
            value
            for predicate in (SKOS + "definition", RDFS + "comment", DCTERMS + "description")
            for value in known.get(predicate, ())
            if isinstance(value, Literal)
        ]
        texts.sort(key=lambda each: each.language not in ("", "en") and not each.language.startswith("en-"))
        return texts[0].text if texts else ""
