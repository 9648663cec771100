"""JSON-LD to RDF (JSON-LD 1.1 API, clause 8): a walk of our own for the contexts that pages use.

A document that needs more of JSON-LD (containers, scoped contexts, `@nest`, JSON literals...) is expanded first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any

from schemaproof.markup.context import KEYWORDS, Context, Contexts
from schemaproof.markup.iri import is_absolute, is_doubtful, is_well_formed, lacks_scheme
from schemaproof.markup.literals import FIRST, NIL, REST, TO_ESCAPE, TYPE, escaped, is_language, typed
from schemaproof.markup.model import Diagnostic, Triple
from schemaproof.markup.naming import IRI, KEYWORD, NOTHING, REVERSE, TEXT, TYPED, Beyond, Names
from schemaproof.markup.records import DEPTH_LIMIT, Diagnostics, escape

# The addresses of the web that need no resolving, no prefix and no repair.
_PLAIN_ADDRESS = re.compile(r"https?://[^\x00-\x20\x7f<>\"\\^`{}|\ud800-\udfff]*")

# A triple as the walk collects it: subject, predicate, object, graph.
_Row = tuple[str, str, str, str]

# A place is (place of what is around it, key): a pointer is only made where something is to be said.
_Place = tuple[Any, Any]

# What is still to be stated: names, object, its term, graph, place, depth.
_Task = tuple[Names, dict[str, Any], str, str, _Place, int]

_BESIDE_A_GRAPH = frozenset({"", "@graph", "@context", "@id", "@type"})
_UNSAID = frozenset({KEYWORD, NOTHING})
_NAMES_ONLY = frozenset({"@id", "@index", "@context"})


_TRIPLE = partial(tuple.__new__, Triple)


def to_triples(
    documents: Sequence[Any],
    *,
    base: str = "",
    blocks: Sequence[int] | None = None,
    contexts: Mapping[str, Any] | None = None,
) -> tuple[list[Triple], list[Diagnostic]]:
    """JSON-LD objects as RDF (W3C JSON-LD 1.1 toRdf), each triple once, in source order. Nothing is fetched.

    Schema.org's official context is built in, with its coercions to IRIs and to schema:Date. A value that
    should be an IRI and is none ("a b") is left out with a warning; nothing is put in its place. What the
    recommendation calls an error becomes a diagnostic, and only the value that is wrong is left out.

    Arguments:
        documents: JSON-LD objects.
        base: address of the page; without one, what is relative is left out with a warning.
        blocks: number of the script block of each document; blank node labels are the same node within one
            block only. None: all documents are of one block.
        contexts: address of a remote context → its document, for those that are at hand. Others are reported.

    Returns:
        The triples, and what there is to say about contexts, keywords and values, with JSON Pointers that start
        at the list of documents.
    """
    walk = _Walk(base, contexts)
    for number, document in enumerate(documents):
        scope = blocks[number] if blocks is not None else 0
        before = walk.mark()
        try:
            walk.document(document, number, scope)
        except Beyond:
            walk.reset(before)
            walk.whole(document, number, scope)
    return list(map(_TRIPLE, walk.found)), walk.diagnostics.all()


class _Walk:
    """One conversion: triples in the order found, each once."""

    def __init__(self, base: str, known: Mapping[str, Any] | None = None) -> None:
        self.found: dict[_Row, None] = {}
        self.diagnostics = Diagnostics()
        self.contexts = Contexts(self.is_term, base, lambda _: False, known)
        self._names: dict[int, Names] = {}
        self._labels: dict[int, dict[str, str]] = {}
        self._label: dict[str, str] = {}
        self._numbers = count()
        self._stack: list[tuple[Names, dict[str, Any], str, str, _Place, int]] = []
        self._warned = False

    # State

    def mark(self) -> tuple[int, Any]:
        """Where the conversion stands, for `reset`."""
        return len(self.found), self.diagnostics.mark()

    def reset(self, mark: tuple[int, Any]) -> None:
        """Forget what was found since the mark."""
        while len(self.found) > mark[0]:
            self.found.popitem()
        self.diagnostics.reset(mark[1])
        self._stack.clear()

    def labels(self, scope: int) -> dict[str, str]:
        """The author's blank node labels of one scope → ours."""
        return self._labels.setdefault(scope, {})

    def issue(self) -> str:
        """A new blank node label."""
        return f"_:b{next(self._numbers)}"

    def is_term(self, name: str) -> bool:
        """Whether a bare name is a term of Schema.org's official context."""
        from schemaproof.vocabulary import load

        vocabulary = load()
        return name in vocabulary.properties or name in vocabulary.types or name in vocabulary.individuals

    def names(self, context: Context) -> Names:
        """The names of a context, the same for the same context."""
        found = self._names.get(id(context))
        if found is None:
            found = self._names[id(context)] = Names(context, self.is_term)
        return found

    def report(self, code: str, message: str, place: _Place, severity: str = "warning") -> None:
        """Add a diagnostic."""
        self.diagnostics.report(code, message, pointer(place), severity)

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

    def _members(self, names: Names, value: Any, graph: str, place: _Place, depth: int) -> None:
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

    def _member(self, names: Names, value: dict[str, Any], graph: str, place: _Place, depth: int) -> None:
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

    def _inside(self, names: Names, value: dict[str, Any], place: _Place) -> Names:
        """The names that hold in an object with a context of its own."""

        def report(code: str, message: str, severity: str) -> None:
            self.report(code, message, (place, "@context"), severity)

        context = self.contexts.extend(names.context, value["@context"], report)
        if context.previous is not None:
            raise Beyond
        return self.names(context)

    def _subject(self, names: Names, value: dict[str, Any], key: str | None, place: _Place) -> str:
        """The term for a node object; "" where its identifier cannot be one."""
        if key is None:
            return self.issue()
        identifier = value[key]
        if not isinstance(identifier, str):
            self.report("invalid-id", "An @id is a string: this one is ignored.", (place, key))
            return self.issue()
        return self._resource(names, identifier, (place, key))

    def _resource(self, names: Names, reference: str, place: _Place) -> str:
        """The term for a reference; "" with a warning where it is no IRI."""
        iri = names.context.expand(reference, self.is_term, vocab=False)
        if iri is None:
            return ""
        if iri.startswith("_:"):
            label = self._label.get(iri)
            if label is None:
                label = self._label[iri] = self.issue()
            return label
        if is_well_formed(iri):
            if iri is not reference and not is_absolute(reference) and lacks_scheme(reference):
                self.report(
                    "url-without-scheme",
                    f"{_short(reference)} has no scheme, so it means {_short(iri)}: write https://{_short(reference)}.",
                    place,
                )
            if is_doubtful(iri):
                self.report(
                    "doubtful-url",
                    f"{_short(reference)} has braces or bars, which strict readers of RDF refuse.",
                    place,
                    "info",
                )
            return f"<{iri}>"
        if is_absolute(iri):
            self.report("invalid-url", f"{_short(reference)} is no valid URL: left out.", place)
        else:
            self.report("relative-iri", f"{_short(reference)} is relative, and there is no base: left out.", place)
        return ""

    def _properties(
        self, names: Names, value: dict[str, Any], subject: str, graph: str, place: _Place, depth: int
    ) -> None:
        """State what an object says of its node; nodes in it go on the stack."""
        if depth > DEPTH_LIMIT:
            self.report("too-deep", f"Nested deeper than {DEPTH_LIMIT} levels: left out.", place, "error")
            return
        found, keys = self.found, names.keys
        below: list[_Task] = []
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
                    for each, where in _flat(given, (place, key)):
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
        place: _Place,
        depth: int,
        below: list[_Task],
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
            self.report("misplaced-keyword", f"{_short(key)} has no meaning here: ignored.", (place, key))

    def _types(self, names: Names, key: str, value: Any, subject: str, graph: str, place: _Place) -> None:
        for name in value if isinstance(value, list) else (value,):
            if not isinstance(name, str):
                self.report("invalid-type", "An @type is a string or an array of strings: ignored.", (place, key))
                continue
            term = names.types.get(name) or self._class(names, name, key, place)
            if not name:
                self.report("empty-type", "The @type is empty: it names no class.", (place, key))
            if term and subject:
                self.found[subject, TYPE, term, graph] = None

    def _class(self, names: Names, name: str, key: str, place: _Place) -> str:
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
        self.report("invalid-url", f"The @type {_short(name)} makes no valid IRI: left out.", (place, key))
        return ""

    def _lost(self, names: Names, key: str, place: _Place) -> None:
        if key[:1] == "@":
            self.report(
                "unknown-keyword",
                f"{_short(key)} is no keyword of JSON-LD, so what it says is lost: write {_short(key.lstrip('@'))}.",
                (place, key),
            )
        elif names.context.empty:
            self._no_context(place)
        elif not names.context.unknown and key not in names.context.terms:
            self.report(
                "undefined-term", f"The context gives {_short(key)} no meaning, so what it says is lost.", (place, key)
            )

    def _no_context(self, place: _Place) -> None:
        if not self._warned:
            self._warned = True
            self.report(
                "no-context",
                'There is no @context, so nothing here is Schema.org: add "@context": "https://schema.org".',
                place,
                "error",
            )

    # Values

    def _scalar(self, names: Names, mode: int, extra: str, value: Any, place: _Place) -> str:
        """The term for a text, a number or a boolean; "" where there is none."""
        if type(value) is str:
            if mode == IRI:
                if _PLAIN_ADDRESS.fullmatch(value):
                    return f"<{value}>"
                return self._resource(names, value, place)
            if mode == TYPED:
                return typed(value, extra)
            text = value if TO_ESCAPE.search(value) is None else escaped(value)
            if mode == TEXT:
                return f'"{text}"'
            if extra == "-":
                self.report("invalid-language", "The context's @language is no language tag: left out.", place)
                return ""
            return f'"{text}"@{extra}'
        return typed(value, extra if mode == TYPED else "") if isinstance(value, str | int | float) else ""

    def _object(
        self,
        names: Names,
        mode: int,
        extra: str,
        value: dict[str, Any],
        graph: str,
        place: _Place,
        depth: int,
        below: list[_Task],
    ) -> str:
        """The term for an object as a value; "" where there is none. A node in it is noted in `below`."""
        if "@context" in value:
            names = self._inside(names, value, place)
        keywords: dict[str, str] = {}
        known = names.keys
        says = False
        for key in value:
            kind, name, _ = known.get(key) or names.key(key)
            if kind == KEYWORD:
                keywords[name] = key
            else:
                says = True
        if "@value" in keywords:
            return self._value_object(names, value, keywords, place)
        if "@list" in keywords:
            return self._list(
                names, mode, extra, value[keywords["@list"]], graph, (place, keywords["@list"]), depth, below
            )
        if "@set" in keywords:
            raise Beyond  # several values where one is asked for: `_flat` takes the common ones apart
        if "@language" in keywords:
            raise Beyond  # a value object without its value
        subject = self._subject(names, value, keywords["@id"], place) if "@id" in keywords else self.issue()
        if says or not keywords.keys() <= _NAMES_ONLY:
            below.append((names, value, subject, graph, place, depth + 1))
        return subject

    def _value_object(self, names: Names, value: dict[str, Any], keywords: dict[str, str], place: _Place) -> str:
        literal = value[keywords["@value"]]
        datatype = value.get(keywords.get("@type", ""))
        language = value.get(keywords.get("@language", ""))
        if "@direction" in keywords or isinstance(literal, dict | list):
            raise Beyond
        if literal is None and datatype is None:
            return ""
        if datatype is not None:
            iri = names.type(datatype) if isinstance(datatype, str) else ""
            if iri == "@json":
                raise Beyond
            if literal is None:
                return ""
            if not is_well_formed(iri) or language is not None:
                self.report("invalid-value", "The @type of a value is one IRI, without a language: left out.", place)
                return ""
            return typed(literal, iri)
        if language is not None:
            if not isinstance(literal, str) or not isinstance(language, str) or not is_language(language):
                self.report("invalid-language", "A language is the tag of a text: left out.", place)
                return ""
            return f'"{escaped(literal)}"@{language}'
        return typed(literal, "")

    def _list(
        self,
        names: Names,
        mode: int,
        extra: str,
        value: Any,
        graph: str,
        place: _Place,
        depth: int,
        below: list[_Task],
    ) -> str:
        if isinstance(value, list) and any(isinstance(each, list) for each in value):
            raise Beyond  # a list of lists
        terms = []
        for each, where in _flat(value, place):
            if not isinstance(each, dict):
                term = self._scalar(names, mode, extra, each, where)
            elif "@list" in each:
                raise Beyond
            else:
                term = self._object(names, mode, extra, each, graph, where, depth, below)
            if not term:
                raise Beyond  # whether a cell is left empty or there is none depends on why
            terms.append(term)
        if not terms:
            return NIL
        head = cell = self.issue()
        for number, term in enumerate(terms):
            self.found[cell, FIRST, term, graph] = None
            rest = self.issue() if number < len(terms) - 1 else NIL
            self.found[cell, REST, rest, graph] = None
            cell = rest
        return head

    def _reverse(
        self,
        names: Names,
        predicate: str,
        coercion: str,
        value: Any,
        subject: str,
        graph: str,
        place: _Place,
        depth: int,
        below: list[_Task],
    ) -> None:
        for each, where in _flat(value, place):
            if isinstance(each, dict) and "@value" not in each and "@list" not in each:
                term = self._object(names, TEXT, "", each, graph, where, depth, below)
                if term and predicate and subject:
                    self.found[term, predicate, subject, graph] = None
            elif isinstance(each, str) and coercion:
                term = self._resource(names, each, where) if coercion == "@id" else ""
                if term and predicate and subject:
                    self.found[term, predicate, subject, graph] = None
            else:
                self.report("invalid-reverse", "A value of @reverse is a node, not a literal: ignored.", where)


def _flat(value: Any, place: _Place) -> list[tuple[Any, _Place]]:
    """The values of a property one by one, arrays in arrays and plain sets taken apart, nulls left out."""
    flat: list[tuple[Any, _Place]] = []
    pending: list[tuple[Any, _Place]] = [(value, place)]
    while pending:
        each, where = pending.pop()
        if isinstance(each, list):
            if not any(type(one) is list or (type(one) is dict and "@set" in one) for one in each):
                flat.extend((one, (where, number)) for number, one in enumerate(each) if one is not None)
            else:
                pending.extend((each[i], (where, i)) for i in range(len(each) - 1, -1, -1))
        elif isinstance(each, dict) and "@set" in each and not each.keys() - {"@set", "@index"}:
            pending.append((each["@set"], (where, "@set")))
        elif each is not None:
            flat.append((each, where))
    return flat


def pointer(place: _Place | None) -> str:
    """The JSON Pointer of a place."""
    parts: list[str] = []
    while place is not None:
        place, key = place
        parts.append(escape(str(key)))
    return "/" + "/".join(reversed(parts)) if parts else ""


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
