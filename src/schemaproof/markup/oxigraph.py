"""JSON-LD to RDF by pyoxigraph, for the contexts that our own walk leaves alone. Contexts are written out first."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from schemaproof.markup.iri import is_absolute, is_well_formed
from schemaproof.markup.literals import escaped, is_language
from schemaproof.markup.model import Diagnostic
from schemaproof.markup.official import (
    ALIASES,
    DATE,
    DATE_TERMS,
    IRI_TERMS,
    PREFIXES,
    RENAMED,
    VOCAB,
    context_spelling,
)
from schemaproof.markup.records import DEPTH_LIMIT

if TYPE_CHECKING:
    from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode
    from pyoxigraph import Triple as StarTriple

# Scoped contexts within scoped contexts: no one writes more than two or three.
_CONTEXT_DEPTH = 32


def read_document(
    document: Any,
    pointer: str,
    base: str,
    found: dict[tuple[str, str, str, str], None],
    diagnostics: list[Diagnostic],
    labels: dict[str, str],
    issue: Callable[[], str],
) -> None:
    """Convert one document.

    Arguments:
        document: a JSON-LD object.
        pointer: JSON Pointer of it, for the diagnostics.
        base: address of the page, "" if unknown.
        found: triples; those of the document are added.
        diagnostics: what there is to say is added.
        labels: blank node labels of the source → labels of ours, for documents of one scope.
        issue: gives a new label.
    """
    import pyoxigraph

    written = _Inlining(pointer, diagnostics).run(document)
    # The parser's stack grows with the depth of its input, so that is bounded before it sees it.
    text = json.dumps(written, ensure_ascii=False).encode("utf-8", "replace")
    try:
        quads = list(
            pyoxigraph.parse(
                text,
                pyoxigraph.RdfFormat.JSON_LD,
                base_iri=base if is_well_formed(base) else None,
                lenient=True,
            )
        )
    except (SyntaxError, ValueError) as problem:
        diagnostics.append(
            Diagnostic("invalid-json-ld", f"This is no JSON-LD: {_one_line(problem)}.", pointer, "error")
        )
        return
    terms = _Terms(pointer, diagnostics, labels, issue)
    for quad in quads:
        subject, predicate, value = terms.term(quad.subject), terms.term(quad.predicate), terms.term(quad.object)
        graph = "" if isinstance(quad.graph_name, pyoxigraph.DefaultGraph) else terms.term(quad.graph_name)
        if subject and predicate and value and graph is not None:
            found[subject, predicate, value, graph] = None


class _Terms:
    """Terms of the library as ours; None for one that is not well formed."""

    def __init__(
        self, pointer: str, diagnostics: list[Diagnostic], labels: dict[str, str], issue: Callable[[], str]
    ) -> None:
        self.pointer = pointer
        self.diagnostics = diagnostics
        self.labels = labels
        self.issue = issue
        self.told: set[str] = set()

    def term(self, term: NamedNode | BlankNode | Literal | DefaultGraph | StarTriple) -> str | None:
        """The term in N-Quads spelling."""
        import pyoxigraph

        if isinstance(term, pyoxigraph.NamedNode):
            if is_well_formed(term.value):
                return f"<{term.value}>"
            self._tell(term.value)
            return None
        if isinstance(term, pyoxigraph.BlankNode):
            name = f"_:{term.value}"
            label = self.labels.get(name)
            if label is None:
                label = self.labels[name] = self.issue()
            return label
        if isinstance(term, pyoxigraph.Literal):
            text = f'"{escaped(term.value)}"'
            if term.language:
                return f"{text}@{term.language}" if is_language(term.language) else None
            datatype = term.datatype.value
            if datatype == "http://www.w3.org/2001/XMLSchema#string":
                return text
            return f"{text}^^<{datatype}>" if is_well_formed(datatype) else None
        return None

    def _tell(self, iri: str) -> None:
        if iri in self.told:
            return
        self.told.add(iri)
        shown = iri if len(iri) <= 80 else f"{iri[:77]}..."
        if is_absolute(iri):
            self.diagnostics.append(
                Diagnostic("invalid-url", f"{shown} is no valid URL: left out.", self.pointer, "warning")
            )
        else:
            self.diagnostics.append(
                Diagnostic("relative-iri", f"{shown} is relative and stays so: left out.", self.pointer, "warning")
            )


class _Inlining:
    """Copies a document with every context written out, none deeper than the limit."""

    def __init__(self, pointer: str, diagnostics: list[Diagnostic]) -> None:
        self.pointer = pointer
        self.diagnostics = diagnostics
        self.told: set[str] = set()

    def run(self, document: Any) -> Any:
        """The copy."""
        self.full = _changes_vocab(document)
        holder: list[Any] = []
        pending: list[tuple[Any, Any, Any, int]] = [(document, holder, None, 0)]
        while pending:
            value, parent, key, depth = pending.pop()
            made: Any = value
            if isinstance(value, dict | list):
                if depth >= DEPTH_LIMIT:
                    self._report("too-deep", f"Nested deeper than {DEPTH_LIMIT} levels: left out.", "error")
                    made = None
                elif isinstance(value, dict):
                    made = dict.fromkeys(value)
                    for name, each in value.items():
                        if name == "@context":
                            made[name] = self._context(each, 0)
                        elif isinstance(each, dict | list):
                            pending.append((each, made, name, depth + 1))
                        else:
                            made[name] = each
                else:
                    made = [None] * len(value)
                    for place, each in enumerate(value):
                        if isinstance(each, dict | list):
                            pending.append((each, made, place, depth + 1))
                        else:
                            made[place] = each
            if key is None:
                parent.append(made)
            else:
                parent[key] = made
        return holder[0]

    def _context(self, local: Any, depth: int) -> Any:
        if depth > _CONTEXT_DEPTH:
            self._report("invalid-context", "Contexts within contexts are too many: the innermost is ignored.", "error")
            return {}
        if isinstance(local, list):
            return [self._context(each, depth + 1) for each in local]
        if isinstance(local, str):
            return self._named(local)
        if not isinstance(local, dict):
            return local
        made: dict[str, Any] = {}
        if isinstance(local.get("@import"), str):
            made.update(self._named(local["@import"]))
        for name, value in local.items():
            if name == "@import":
                continue
            if isinstance(value, dict) and "@context" in value:
                value = {**value, "@context": self._context(value["@context"], depth + 1)}
            made[name] = value
        return made

    def _named(self, reference: str) -> dict[str, Any]:
        spelling = context_spelling(reference)
        if spelling:
            if spelling == "other":
                self._report(
                    "non-canonical-context",
                    f"The context {reference!r} is not an address that Schema.org documents: write https://schema.org.",
                    "warning",
                )
            return official_context(self.full)
        self._report(
            "unknown-context",
            f"The context {reference[:80]!r} is not known here and is never fetched: names that only it defines are "
            "left out.",
            "warning",
        )
        return {}

    def _report(self, code: str, message: str, severity: str) -> None:
        if message not in self.told:
            self.told.add(message)
            self.diagnostics.append(Diagnostic(code, message, self.pointer, severity))


@lru_cache(maxsize=2)
def official_context(full: bool) -> dict[str, Any]:
    """Schema.org's official context written out.

    Arguments:
        full: true to name every term; otherwise those that @vocab gives the same meaning are left out.
    """
    context: dict[str, Any] = {"@vocab": VOCAB, **ALIASES, **PREFIXES}
    if full:
        from schemaproof.vocabulary import load

        vocabulary = load()
        for name in (*vocabulary.types, *vocabulary.properties, *vocabulary.individuals):
            context[name] = {"@id": VOCAB + name}
    context.update({name: {"@id": iri} for name, iri in RENAMED.items()})
    context.update({name: {"@id": VOCAB + name, "@type": "@id"} for name in IRI_TERMS})
    context.update({name: {"@id": VOCAB + name, "@type": DATE} for name in DATE_TERMS})
    return context


def _changes_vocab(document: Any) -> bool:
    """Whether some context sets @vocab, so that bare names are no longer Schema.org's by it."""
    pending = [document]
    while pending:
        each = pending.pop()
        if isinstance(each, dict):
            if "@vocab" in each:
                return True
            pending.extend(value for value in each.values() if isinstance(value, dict | list))
        elif isinstance(each, list):
            pending.extend(value for value in each if isinstance(value, dict | list))
    return False


def _one_line(problem: Exception) -> str:
    return " ".join(str(problem).split()).rstrip(".")[:200]
