"""SHACL shapes of a vocabulary, as Turtle (section 3.3 and figures 6 and 7 of the paper; W3C SHACL).

Two kinds, after the validity agent's policies:

- `paper`: a closed node shape for every class, with the properties of the class and of all classes above it. A node
  breaks the shape of each of its types. The look-up and these shapes find the same violations.
- `schema.org`: a node may have several types and a property needs one of them only. That cannot be said by closed
  shapes, so there is one shape for every property: which classes its subject may be of and which its values. What
  SHACL cannot say is left out (names that no schema.org term has, the calendar, members of enumerations as text,
  -input and -output): these shapes find nothing that the look-up accepts, but not all that it rejects.

The classes below each class are written out, so that the data graph needs no rdfs:subClassOf; it must have none, or
sh:targetClass would reach the shapes of the classes above, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from schemaproof.errors import SpecError
from schemaproof.vocabulary.model import Property, Vocabulary
from schemaproof.vocabulary.rdf import OWL, RDF, SH, XSD

SHAPES = "urn:schemaproof:shapes:"
# Data types of literals that are plain text to these shapes: the official context types dates that are written as text.
_TEXT_DATATYPES = ("xsd:string",)
_COERCED = ("Date", "DateTime", "Time", "Number", "Integer", "Float", "Boolean", "Duration", "URL")
_NUMBERS = ("xsd:integer", "xsd:double", "xsd:decimal", "xsd:float")
_PAPER_NUMBERS = frozenset({"Number", "Float", "Integer", "QuantitativeValue", "QualitativeValue"})
_SAFE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def shapes(vocabulary: Vocabulary, policy: str = "paper") -> Iterator[str]:
    """The shapes of a vocabulary, as pieces of a Turtle document.

    Arguments:
        vocabulary: the vocabulary.
        policy: "paper" or "schema.org".

    Raises:
        SpecError: SHACL cannot express the policy.
    """
    if policy not in ("paper", "schema.org"):
        raise SpecError(f"the policy {policy!r} cannot be written as SHACL; those that can are paper and schema.org")
    writer = _Writer(vocabulary)
    yield from writer.head(policy)
    yield from writer.closed() if policy == "paper" else writer.by_property()
    yield from writer.kinds()


class _Writer:
    """Writes shapes; remembers which classes the ranges and domains asked for."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.asked: dict[str, None] = {}

    def head(self, policy: str) -> Iterator[str]:
        vocabulary = self.vocabulary
        yield f"# SHACL shapes of {vocabulary.namespaces[0]} {vocabulary.release}, policy {policy}.\n"
        yield "# Validate without rdfs:subClassOf in the data graph.\n"
        prefixes = {"sh": SH, "rdf": RDF, "owl": OWL, "xsd": XSD, "shape": SHAPES, "v": vocabulary.namespaces[0]}
        for prefix, iri in prefixes.items():
            yield f"@prefix {prefix}: <{iri}> .\n"

    def term(self, name: str) -> str:
        """A term of the vocabulary in Turtle."""
        iri = self.vocabulary.iri(name)
        local = iri.removeprefix(self.vocabulary.namespaces[0])
        return f"v:{local}" if local != iri and _SAFE.fullmatch(local) else f"<{iri}>"

    @staticmethod
    def shape(name: str) -> str:
        """The IRI of a shape in Turtle."""
        return f"shape:{name}" if _SAFE.fullmatch(name) else f"<{SHAPES}{quote(name, safe='')}>"

    def kind(self, name: str) -> str:
        """The shape of being of a class or of one below it."""
        self.asked.setdefault(name)
        return self.shape(f"kind-{name}")

    # One closed shape for every class

    def closed(self) -> Iterator[str]:
        vocabulary = self.vocabulary
        for each in vocabulary.types.values():
            own = sorted(vocabulary.properties_of(each.name))
            if not own:
                continue
            yield f"\n{self.shape(each.name)} a sh:NodeShape ; sh:targetClass {self.term(each.name)} ;\n"
            yield "  sh:closed true ; sh:ignoredProperties ( rdf:type owl:sameAs ) ;\n"
            references = [
                self.shape(f"{domain}-{name}")
                for name in own
                for domain in vocabulary.properties[name].domains or ("",)
                if not domain or domain in each.ancestors
            ]
            yield f"  sh:property {', '.join(references)} .\n"
        for prop in vocabulary.properties.values():
            body = self._paper_range(prop)
            for domain in prop.domains or ("",):
                yield f"\n{self.shape(f'{domain}-{prop.name}')} a sh:PropertyShape ; sh:path {self.term(prop.name)}"
                yield f" ;\n  sh:or ( {body} ) .\n" if body else " .\n"

    def _datatypes(self, names: Iterable[str]) -> list[str]:
        return [f"[ sh:datatype {name} ]" for name in names]

    def _paper_range(self, prop: Property) -> str:
        if not prop.ranges:
            return ""
        ranges = set(prop.ranges)
        choices = self._datatypes((*_TEXT_DATATYPES, *(self.term(name) for name in _COERCED)))
        if ranges & _PAPER_NUMBERS:
            choices += self._datatypes(_NUMBERS)
        if "Boolean" in ranges:
            choices += self._datatypes(("xsd:boolean",))
        if any(self.vocabulary.is_a(name, "URL") for name in ranges):
            choices.append("[ sh:nodeKind sh:IRI ]")
        choices += [f"[ sh:node {self.kind(name)} ]" for name in prop.ranges]
        return " ".join(choices)

    # One shape for every property

    def by_property(self) -> Iterator[str]:
        vocabulary = self.vocabulary
        yield "\nshape:untyped a sh:NodeShape ; sh:property [ sh:path rdf:type ; sh:maxCount 0 ] .\n"
        # A type of another vocabulary: nothing is known about it.
        yield "\nshape:foreign a sh:NodeShape ; sh:property [ sh:path rdf:type ;\n"
        pattern = "|".join(re.escape(each).replace("\\", "\\\\") for each in vocabulary.namespaces)
        yield f'  sh:qualifiedValueShape [ sh:not [ sh:pattern "^({pattern})" ] ] ; sh:qualifiedMinCount 1 ] .\n'
        roles = [self.kind("Role")] if "Role" in vocabulary.types else []
        for prop in vocabulary.properties.values():
            open_ends = ["shape:untyped", "shape:foreign", *roles]
            able = [*open_ends, *(self.kind(name) for name in prop.domains)]
            yield f"\n{self.shape(prop.name)} a sh:NodeShape ; sh:targetSubjectsOf {self.term(prop.name)}"
            if prop.domains:
                yield f" ;\n  sh:or ( {' '.join(f'[ sh:node {name} ]' for name in able)} )"
            if prop.ranges:
                yield f" ;\n  sh:property {self.shape(f'values-{prop.name}')}"
            yield " .\n"
            if prop.ranges:
                # Literals and bare references are looked up: only the class of an entity is told here.
                fits = [*open_ends, *(self.kind(name) for name in prop.ranges)]
                superseding = {
                    each.name
                    for each in vocabulary.types.values()
                    if any(vocabulary.is_a(successor, name) for successor in each.superseded_by for name in prop.ranges)
                }
                fits += [self.kind(name) for name in sorted(superseding - {*prop.ranges})]
                url = any(vocabulary.is_a(name, "URL") for name in prop.ranges)
                choices = ["[ sh:nodeKind sh:Literal ]", *(["[ sh:nodeKind sh:IRI ]"] if url else [])]
                choices += [f"[ sh:node {name} ]" for name in dict.fromkeys(fits)]
                yield f"\n{self.shape(f'values-{prop.name}')} a sh:PropertyShape ; sh:path {self.term(prop.name)} ;\n"
                yield f"  sh:or ( {' '.join(choices)} ) .\n"

    # Classes with all that are below them

    def kinds(self) -> Iterator[str]:
        for name in self.asked:
            below = sorted(self.vocabulary.below(name) | {name})
            yield f"\n{self.shape(f'kind-{name}')} a sh:NodeShape ; sh:property [ sh:path rdf:type ;\n"
            terms = " ".join(map(self.term, below))
            yield f"  sh:qualifiedValueShape [ sh:in ( {terms} ) ] ; sh:qualifiedMinCount 1 ] .\n"
