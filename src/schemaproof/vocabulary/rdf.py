"""Reading an RDF file into plain facts: subject, predicate, objects."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from schemaproof.errors import VocabularyError
from schemaproof.vocabulary.model import SCHEMA_ORG

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
DCTERMS = "http://purl.org/dc/terms/"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SH = "http://www.w3.org/ns/shacl#"

SUFFIXES = {
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
_SCHEMA_IRI = re.compile(r"(?i:https?://(?:www\.)?schema\.org)/+")


class Text(NamedTuple):
    """A literal: its text and language tag."""

    text: str
    language: str


class Facts:
    """What a file says of each subject. IRIs are bare, blank nodes start with "_:".

    Attributes:
        by_subject: subject -> predicate -> objects, in source order; Schema.org's IRIs all under https.
    """

    def __init__(self) -> None:
        self.by_subject: dict[str, dict[str, list[str | Text]]] = {}

    def iris(self, subject: str, *predicates: str) -> list[str]:
        """The objects of these predicates that are IRIs or blank nodes."""
        known = self.by_subject.get(subject, {})
        return [value for each in predicates for value in known.get(each, ()) if isinstance(value, str)]

    def texts(self, subject: str, *predicates: str) -> list[Text]:
        """The objects of these predicates that are literals."""
        known = self.by_subject.get(subject, {})
        return [value for each in predicates for value in known.get(each, ()) if isinstance(value, Text)]

    def items(self, head: str) -> list[str]:
        """The members of an RDF list that are IRIs or blank nodes; a list that bites its tail ends there."""
        found: list[str] = []
        seen: set[str] = set()
        while head != RDF + "nil" and head not in seen:
            seen.add(head)
            found += self.iris(head, RDF + "first")
            head = next(iter(self.iris(head, RDF + "rest")), RDF + "nil")
        return found


def read_facts(path: Path) -> Facts:
    """Read a file by the format that its name tells.

    Raises:
        VocabularyError: it cannot be opened, its format is not known, or it is not well formed (with its line).
    """
    import pyoxigraph

    name = SUFFIXES.get(path.suffix.lower())
    if name is None:
        raise VocabularyError(
            f"the name does not tell the format; endings known are {' '.join(SUFFIXES)}", source=str(path)
        )
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise VocabularyError(f"cannot be opened: {problem.strerror or problem}", source=str(path)) from problem

    def plain(term: object) -> str | Text:
        if isinstance(term, pyoxigraph.Literal):
            return Text(term.value, term.language or "")
        return _one_spelling(term.value) if isinstance(term, pyoxigraph.NamedNode) else str(term)

    facts = Facts()
    try:
        base = path.absolute().as_uri()
        for quad in pyoxigraph.parse(data, format=getattr(pyoxigraph.RdfFormat, name), base_iri=base, lenient=True):
            known = facts.by_subject.setdefault(str(plain(quad.subject)), {})
            known.setdefault(_one_spelling(quad.predicate.value), []).append(plain(quad.object))
    except SyntaxError as problem:
        message = problem.msg.removesuffix(f" (line {problem.lineno})")
        raise VocabularyError(message, source=str(path), line=problem.lineno, column=problem.offset) from problem
    return facts


def _one_spelling(iri: str) -> str:
    found = _SCHEMA_IRI.match(iri)
    return SCHEMA_ORG + iri[found.end() :] if found else iri
