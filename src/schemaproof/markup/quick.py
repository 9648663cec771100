"""The quick walk from JSON-LD objects to triples, for the contexts that pages use."""

from __future__ import annotations

from typing import Any

from schemaproof.markup.context import KEYWORDS
from schemaproof.markup.iri import is_absolute, is_well_formed
from schemaproof.markup.literals import TO_ESCAPE, TYPE, escaped
from schemaproof.markup.naming import IRI, KEYWORD, NOTHING, REVERSE, TEXT, Beyond, Names
from schemaproof.markup.records import DEPTH_LIMIT
from schemaproof.markup.terms import Place, Task, Terms, flat, short

_BESIDE_A_GRAPH = frozenset({"", "@graph", "@context", "@id", "@type"})
_UNSAID = frozenset({KEYWORD, NOTHING})


class QuickWalk(Terms):
    """One conversion: triples in the order found, each once."""

    # Documents and nodes

    def document(self, document: Any, number: int, scope: int) -> None:
        """Convert one document."""
        self._label = self.labels(scope)
        self._warned = False
        self._members(self.names(self.contexts.initial), document, "", (None, number), 0)
        stack, pop = self._stack, self._stack.pop
        while stack:
            names, value, subject, graph, place, depth = pop()
            self._properties(names, value, subject, graph, place, depth)

    def whole(self, document: Any, number: int, scope: int) -> None:
        """Convert one document by the whole of the algorithms, which takes longer."""
        from schemaproof.markup.emission import Emitter
        from schemaproof.markup.expansion import Expander

        told: set[tuple[str, str]] = set()

        def report(code: str, message: str, severity: str) -> None:
            if (code, message) not in told:
                told.add((code, message))
                self.report(code, message, (None, number), severity)

        nodes = Expander(self.contexts, report).document(document)
        Emitter(self.found, self.labels(scope), self.issue, report).document(nodes)

    def _members(self, names: Names, value: Any, graph: str, place: Place, depth: int) -> None:
        """Put the nodes at the top of a document or of a graph on the stack."""
        pending = [(value, place, depth)]
        nodes = []
        junk = 0
        while pending:
            each, where, level = pending.pop()
            if isinstance(each, dict):
                nodes.append((each, where, level))
            elif isinstance(each, list) and level < DEPTH_LIMIT:
                pending.extend((each[i], (where, i), level + 1) for i in range(len(each) - 1, -1, -1))
            else:
                junk += 1
        if junk:
            self.report("member-not-an-object", f"{junk} of the members here are no objects: left out.", place)
        for each, where, level in reversed(nodes):
            self._member(names, each, graph, where, level)

    def _member(self, names: Names, value: dict[str, Any], graph: str, place: Place, depth: int) -> None:
        if "@context" in value:
            names = self._inside(names, value, place)
        keys = {self._keyword(names, key): key for key in value}
        if "@value" in keys or "@list" in keys:
            return
        if "@set" in keys:
            self._members(names, value[keys["@set"]], graph, (place, keys["@set"]), depth + 1)
            return
        if "@graph" in keys and not keys.keys() <= _BESIDE_A_GRAPH:
            raise Beyond
        if "@graph" in keys and "@id" not in keys and "@type" not in keys:
            says = [each for key, each in value.items() if (names.keys.get(key) or names.key(key))[0] not in _UNSAID]
            if any(isinstance(each, dict | list) for each in says):
                raise Beyond  # whether it says something depends on what is in there
            if all(each is None for each in says):
                # Not the name of a graph, but a way to give several nodes one context.
                self._members(names, value[keys["@graph"]], graph, (place, keys["@graph"]), depth + 1)
                return
        self._stack.append((names, value, self._subject(names, value, keys.get("@id"), place), graph, place, depth))

    def _keyword(self, names: Names, key: str) -> str:
        mode, name, _ = names.keys.get(key) or names.key(key)
        return name if mode == KEYWORD else ""

    def _properties(
        self, names: Names, value: dict[str, Any], subject: str, graph: str, place: Place, depth: int
    ) -> None:
        """State what an object says of its node; nodes in it go on the stack."""
        if depth > DEPTH_LIMIT:
            self.report("too-deep", f"Nested deeper than {DEPTH_LIMIT} levels: left out.", place, "error")
            return
        found, keys = self.found, names.keys
        below: list[Task] = []
        for key, given in value.items():
            mode, predicate, extra = keys.get(key) or names.key(key)
            kind = type(given)
            if mode == TEXT and kind is str:
                if predicate and subject:
                    text = given if TO_ESCAPE.search(given) is None else escaped(given)
                    found[subject, predicate, f'"{text}"', graph] = None
            elif mode == KEYWORD:
                self._by_keyword(names, predicate, key, given, subject, graph, place, depth, below)
            elif given is None:
                continue
            elif mode < KEYWORD:
                if kind is dict and "@set" not in given:
                    term = self._object(names, mode, extra, given, graph, (place, key), depth, below)
                    if term and predicate and subject:
                        found[subject, predicate, term, graph] = None
                elif kind is list or kind is dict:
                    for each, where in flat(given, (place, key)):
                        if type(each) is dict:
                            term = self._object(names, mode, extra, each, graph, where, depth, below)
                        else:
                            term = self._scalar(names, mode, extra, each, where)
                        if term and predicate and subject:
                            found[subject, predicate, term, graph] = None
                else:
                    term = self._scalar(names, mode, extra, given, (place, key))
                    if term and predicate and subject:
                        found[subject, predicate, term, graph] = None
            elif mode == REVERSE:
                self._reverse(names, predicate, extra, given, subject, graph, (place, key), depth, below)
            else:
                self._lost(names, key, place)
        if below:
            below.reverse()
            self._stack.extend(below)

    def _by_keyword(
        self,
        names: Names,
        keyword: str,
        key: str,
        value: Any,
        subject: str,
        graph: str,
        place: Place,
        depth: int,
        below: list[Task],
    ) -> None:
        if keyword == "@type":
            self._types(names, key, value, subject, graph, place)
        elif keyword == "@graph":
            if subject:
                self._members(names, value, subject, (place, key), depth + 1)
        elif keyword == "@reverse":
            if not isinstance(value, dict):
                self.report("invalid-reverse", "An @reverse is an object: ignored.", (place, key))
                return
            for name, given in value.items():
                mode, predicate, extra = names.keys.get(name) or names.key(name)
                if mode in (KEYWORD, REVERSE):
                    raise Beyond
                if mode == NOTHING:
                    self._lost(names, name, (place, key))
                else:
                    self._reverse(
                        names,
                        predicate,
                        "@id" if mode == IRI else extra,
                        given,
                        subject,
                        graph,
                        ((place, key), name),
                        depth,
                        below,
                    )
        elif keyword in ("@nest", "@included", "@json"):
            raise Beyond
        elif keyword not in ("@id", "@context", "@index"):
            self.report("misplaced-keyword", f"{short(key)} has no meaning here: ignored.", (place, key))

    def _types(self, names: Names, key: str, value: Any, subject: str, graph: str, place: Place) -> None:
        for name in value if isinstance(value, list) else (value,):
            if not isinstance(name, str):
                self.report("invalid-type", "An @type is a string or an array of strings: ignored.", (place, key))
                continue
            term = names.types.get(name) or self._class(names, name, key, place)
            if not name:
                self.report("empty-type", "The @type is empty: it names no class.", (place, key))
            if term and subject:
                self.found[subject, TYPE, term, graph] = None

    def _class(self, names: Names, name: str, key: str, place: Place) -> str:
        """The term for a type; "" with a word about it where there is none."""
        if names.context.empty and not is_absolute(name):
            self._no_context(place)
        iri = names.type(name)
        if not iri or iri in KEYWORDS:
            return ""
        if iri.startswith("_:"):
            return self._resource(names, iri, (place, key))
        if is_well_formed(iri):
            return f"<{iri}>"
        self.report("invalid-url", f"The @type {short(name)} makes no valid IRI: left out.", (place, key))
        return ""

    def _lost(self, names: Names, key: str, place: Place) -> None:
        if key[:1] == "@":
            self.report(
                "unknown-keyword",
                f"{short(key)} is no keyword of JSON-LD, so what it says is lost: write {short(key.lstrip('@'))}.",
                (place, key),
            )
        elif names.context.empty:
            self._no_context(place)
        elif not names.context.unknown and key not in names.context.terms:
            self.report(
                "undefined-term", f"The context gives {short(key)} no meaning, so what it says is lost.", (place, key)
            )

    def _no_context(self, place: Place) -> None:
        if not self._warned:
            self._warned = True
            self.report(
                "no-context",
                'There is no @context, so nothing here is Schema.org: add "@context": "https://schema.org".',
                place,
                "error",
            )
