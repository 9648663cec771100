"""JSON-LD to RDF (JSON-LD 1.1 API, clause 8): a walk of our own for the contexts that pages use.

A document whose contexts need more (containers, scoped contexts, `@nest`, JSON literals...) is left to pyoxigraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from schemaproof.markup.context import KEYWORDS, UNSET, Context, Contexts, Term
from schemaproof.markup.iri import is_absolute, is_well_formed, lacks_scheme, resolve
from schemaproof.markup.model import Diagnostic, Triple
from schemaproof.markup.records import DEPTH_LIMIT, escape

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE, FIRST, REST, NIL = (f"<{RDF}{name}>" for name in ("type", "first", "rest", "nil"))
_BOOLEAN, _DOUBLE, _INTEGER, _STRING = (f"{XSD}{name}" for name in ("boolean", "double", "integer", "string"))

# What a key states: texts, IRIs, values of a data type, or something of JSON-LD's own.
_TEXT, _IRI, _TYPED, _KEYWORD, _NOTHING, _REVERSE = range(6)

_TO_ESCAPE = re.compile(r'["\\\x00-\x1f\x7f]')
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}

# (mode, predicate or keyword, what the mode needs)
_Entry = tuple[int, str, str]


class Beyond(Exception):  # noqa: N818  (no error: it hands over)
    """The document needs more of JSON-LD than the walk here knows."""


def to_triples(
    documents: Sequence[Any], *, base: str = "", blocks: Sequence[int] | None = None
) -> tuple[list[Triple], list[Diagnostic]]:
    """JSON-LD objects as RDF (W3C JSON-LD 1.1 toRdf), each triple once, in source order. Nothing is fetched.

    Schema.org's official context is built in, with its coercions to IRIs and to schema:Date. A value that
    should be an IRI and is none ("a b") is left out with a warning; nothing is put in its place.

    Arguments:
        documents: JSON-LD objects.
        base: address of the page; without one, what is relative is left out with a warning.
        blocks: number of the script block of each document; blank node labels are the same node within one
            block only. None: all documents are of one block.

    Returns:
        The triples, and what there is to say about contexts, keywords and values, with JSON Pointers that start
        at the list of documents.
    """
    walk = _Walk(base)
    for number, document in enumerate(documents):
        scope = blocks[number] if blocks is not None else 0
        before = walk.mark()
        try:
            walk.document(document, number, scope)
        except Beyond:
            walk.reset(before)
            _by_library(walk, document, number, base, scope)
    return list(walk.found), walk.diagnostics


def _by_library(walk: _Walk, document: Any, number: int, base: str, scope: int) -> None:
    from schemaproof.markup.oxigraph import read_document

    read_document(document, f"/{number}", base, walk.found, walk.diagnostics, walk.labels(scope), walk.issue)


class _Names:
    """What keys and types stand for in one context."""

    __slots__ = ("context", "keys", "types", "walk")

    def __init__(self, context: Context, walk: _Walk) -> None:
        self.context = context
        self.walk = walk
        self.keys: dict[str, _Entry] = {}
        self.types: dict[str, str] = {}

    def key(self, key: str) -> _Entry:
        """What a key stands for; remembered by the caller's look-up in `keys`."""
        entry = self._entry(key)
        if len(self.keys) < 8192:
            self.keys[key] = entry
        return entry

    def _entry(self, key: str) -> _Entry:
        if key in KEYWORDS:
            return (_KEYWORD, key, "")
        context = self.context
        iri = context.expand(key, self.walk.is_term)
        if iri is None:
            return (_NOTHING, "", "")
        if iri in KEYWORDS:
            return (_KEYWORD, iri, "")
        term = context.term(key)
        if term is not None and (term.container or term.context is not UNSET or term.nest):
            raise Beyond
        if not is_absolute(iri):
            return (_NOTHING, "", "")
        predicate = f"<{iri}>" if is_well_formed(iri) else ""
        if term is not None and term.reverse:
            return (_REVERSE, predicate, "")
        if term is not None and term.coercion:
            if term.coercion == "@id":
                return (_IRI, predicate, "")
            if term.coercion in ("@vocab", "@json", "@none"):
                raise Beyond
            return (_TYPED, predicate, term.coercion)
        language = self._language(term)
        return (_TEXT, predicate, f"@{language}" if language else "")

    def _language(self, term: Term | None) -> str:
        if term is None or term.language is UNSET:
            return self.context.language
        return term.language if isinstance(term.language, str) else ""

    def type(self, name: str) -> str:
        """The IRI of a class, "" for a name that stands for none."""
        found = self.types.get(name)
        if found is None:
            iri = self.context.expand(name, self.walk.is_term)
            if iri is not None and not is_absolute(iri) and not iri.startswith("_:"):
                iri = resolve(iri, self.context.base)
            found = iri or ""
            term = self.context.terms.get(name)
            if term is not None and term.context is not UNSET:
                raise Beyond
            if len(self.types) < 8192:
                self.types[name] = found
        return found


# A place is (place of what is around it, key): a pointer is only made where something is to be said.
_Place = tuple[Any, Any]


class _Walk:
    """One conversion: triples in the order found, each once."""

    def __init__(self, base: str) -> None:
        self.found: dict[Triple, None] = {}
        self.diagnostics: list[Diagnostic] = []
        self.contexts = Contexts(self.is_term, base, lambda _: False)
        self._names: dict[int, _Names] = {}
        self._labels: dict[int, dict[str, str]] = {}
        self._label: dict[str, str] = {}
        self._numbers = count()
        self._stack: list[tuple[_Names, dict[str, Any], str, str, _Place, int]] = []
        self._warned = False

    # State

    def mark(self) -> tuple[int, int]:
        """Where the conversion stands, for `reset`."""
        return len(self.found), len(self.diagnostics)

    def reset(self, mark: tuple[int, int]) -> None:
        """Forget what was found since the mark."""
        while len(self.found) > mark[0]:
            self.found.popitem()
        del self.diagnostics[mark[1] :]
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

    def names(self, context: Context) -> _Names:
        """The names of a context, the same for the same context."""
        found = self._names.get(id(context))
        if found is None:
            found = self._names[id(context)] = _Names(context, self)
        return found

    def report(self, code: str, message: str, place: _Place, severity: str = "warning") -> None:
        """Add a diagnostic."""
        self.diagnostics.append(Diagnostic(code, message, pointer(place), severity))

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

    def _members(self, names: _Names, value: Any, graph: str, place: _Place, depth: int) -> None:
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

    def _member(self, names: _Names, value: dict[str, Any], graph: str, place: _Place, depth: int) -> None:
        if "@context" in value:
            names = self._inside(names, value, place)
        keys = {self._keyword(names, key): key for key in value}
        if "@value" in keys or "@list" in keys:
            return
        if "@set" in keys:
            self._members(names, value[keys["@set"]], graph, (place, keys["@set"]), depth + 1)
            return
        if "@graph" in keys and "@id" not in keys and not keys.keys() - {"@graph", "@context", "@index"}:
            # Not the name of a graph, but a way to give several nodes one context.
            self._members(names, value[keys["@graph"]], graph, (place, keys["@graph"]), depth + 1)
            return
        self._stack.append((names, value, self._subject(names, value, keys.get("@id"), place), graph, place, depth))

    def _keyword(self, names: _Names, key: str) -> str:
        mode, name, _ = names.keys.get(key) or names.key(key)
        return name if mode == _KEYWORD else ""

    def _inside(self, names: _Names, value: dict[str, Any], place: _Place) -> _Names:
        """The names that hold in an object with a context of its own."""

        def report(code: str, message: str, severity: str) -> None:
            self.report(code, message, (place, "@context"), severity)

        context = self.contexts.extend(names.context, value["@context"], report)
        if context.previous is not None:
            raise Beyond
        return self.names(context)

    def _subject(self, names: _Names, value: dict[str, Any], key: str | None, place: _Place) -> str:
        """The term for a node object; "" where its identifier cannot be one."""
        if key is None:
            return self.issue()
        identifier = value[key]
        if not isinstance(identifier, str):
            self.report("invalid-id", "An @id is a string: this one is ignored.", (place, key))
            return self.issue()
        return self._resource(names, identifier, (place, key))

    def _resource(self, names: _Names, reference: str, place: _Place) -> str:
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
            return f"<{iri}>"
        if is_absolute(iri):
            self.report("invalid-url", f"{_short(reference)} is no valid URL: left out.", place)
        else:
            self.report("relative-iri", f"{_short(reference)} is relative, and there is no base: left out.", place)
        return ""

    def _properties(
        self, names: _Names, value: dict[str, Any], subject: str, graph: str, place: _Place, depth: int
    ) -> None:
        """State what an object says of its node; nodes in it go on the stack."""
        if depth > DEPTH_LIMIT:
            self.report("too-deep", f"Nested deeper than {DEPTH_LIMIT} levels: left out.", place, "error")
            return
        found, keys = self.found, names.keys
        below: list[tuple[_Names, dict[str, Any], str, str, _Place, int]] = []
        for key, given in value.items():
            mode, predicate, extra = keys.get(key) or names.key(key)
            if mode == _TEXT and type(given) is str and not extra:
                if predicate and subject:
                    text = given if _TO_ESCAPE.search(given) is None else escaped(given)
                    found[Triple(subject, predicate, f'"{text}"', graph)] = None
            elif given is None and key != "@type":
                continue
            elif mode < _KEYWORD:
                for each, where in _flat(given, (place, key)):
                    term = self._object(names, mode, extra, each, graph, where, depth, below)
                    if term and predicate and subject:
                        found[Triple(subject, predicate, term, graph)] = None
            elif mode == _KEYWORD:
                self._by_keyword(names, predicate, key, given, subject, graph, place, depth, below)
            elif mode == _REVERSE:
                self._reverse(names, predicate, given, subject, graph, (place, key), depth, below)
            else:
                self._lost(names, key, place)
        below.reverse()
        self._stack.extend(below)

    def _by_keyword(
        self,
        names: _Names,
        keyword: str,
        key: str,
        value: Any,
        subject: str,
        graph: str,
        place: _Place,
        depth: int,
        below: list[Any],
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
                mode, predicate, _ = names.keys.get(name) or names.key(name)
                if mode in (_KEYWORD, _REVERSE):
                    raise Beyond
                if mode == _NOTHING:
                    self._lost(names, name, (place, key))
                else:
                    self._reverse(names, predicate, given, subject, graph, ((place, key), name), depth, below)
        elif keyword in ("@nest", "@included", "@json"):
            raise Beyond
        elif keyword not in ("@id", "@context", "@index"):
            self.report("misplaced-keyword", f"{_short(key)} has no meaning here: ignored.", (place, key))

    def _types(self, names: _Names, key: str, value: Any, subject: str, graph: str, place: _Place) -> None:
        for name in value if isinstance(value, list) else (value,):
            if not isinstance(name, str):
                self.report("invalid-type", "An @type is a string or an array of strings: ignored.", (place, key))
                continue
            iri = names.types.get(name) or names.type(name)
            if not name:
                self.report("empty-type", "The @type is empty: it names no class.", (place, key))
            if names.context.empty and not is_absolute(name):
                self._no_context(place)
            if iri in KEYWORDS or not iri:
                continue
            if iri.startswith("_:"):
                iri = self._resource(names, iri, (place, key))
            elif is_well_formed(iri):
                iri = f"<{iri}>"
            else:
                self.report("invalid-url", f"The @type {_short(name)} makes no valid IRI: left out.", (place, key))
                continue
            if subject:
                self.found[Triple(subject, TYPE, iri, graph)] = None

    def _lost(self, names: _Names, key: str, place: _Place) -> None:
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

    def _object(
        self,
        names: _Names,
        mode: int,
        extra: str,
        value: Any,
        graph: str,
        place: _Place,
        depth: int,
        below: list[Any],
    ) -> str:
        """The term for a value that is no array; "" where there is none. A node in it is noted in `below`."""
        if isinstance(value, str):
            if mode == _IRI:
                return self._resource(names, value, place)
            if mode == _TYPED:
                return _typed(value, extra)
            if extra and not _LANGUAGE.fullmatch(extra[1:]):
                self.report("invalid-language", f"{_short(extra[1:])} is no language tag: left out.", place)
                return ""
            return f'"{escaped(value)}"{extra}'
        if isinstance(value, int | float):
            return _typed(value, extra if mode == _TYPED else "")
        if not isinstance(value, dict):
            return ""
        if "@context" in value:
            names = self._inside(names, value, place)
        keywords: dict[str, str] = {}
        only_names = True
        for key in value:
            kind, name, _ = names.keys.get(key) or names.key(key)
            if kind == _KEYWORD:
                keywords[name] = key
                if name != "@id" and name != "@index" and name != "@context":
                    only_names = False
            else:
                only_names = False
        if "@value" in keywords:
            return self._value_object(names, value, keywords, place)
        if "@list" in keywords:
            return self._list(
                names, mode, extra, value[keywords["@list"]], graph, (place, keywords["@list"]), depth, below
            )
        if "@set" in keywords:
            raise Beyond  # several values where one is asked for: `_flat` takes the common ones apart
        subject = self._subject(names, value, keywords.get("@id"), place)
        if not only_names or not subject:
            below.append((names, value, subject, graph, place, depth + 1))
        return subject

    def _value_object(self, names: _Names, value: dict[str, Any], keywords: dict[str, str], place: _Place) -> str:
        literal = value[keywords["@value"]]
        datatype = value.get(keywords.get("@type", ""))
        language = value.get(keywords.get("@language", ""))
        if datatype == "@json" or "@direction" in keywords:
            raise Beyond
        if literal is None:
            return ""
        if not isinstance(literal, str | int | float):
            self.report("invalid-value", "An @value is a text, a number or a boolean: left out.", place)
            return ""
        if datatype is not None:
            iri = names.type(datatype) if isinstance(datatype, str) else ""
            if not is_well_formed(iri) or language is not None:
                self.report("invalid-value", "The @type of a value is one IRI, without a language: left out.", place)
                return ""
            return _typed(literal, iri)
        if language is not None:
            if not isinstance(literal, str) or not isinstance(language, str) or not _LANGUAGE.fullmatch(language):
                self.report("invalid-language", "A language is the tag of a text: left out.", place)
                return ""
            return f'"{escaped(literal)}"@{language}'
        return _typed(literal, "")

    def _list(
        self,
        names: _Names,
        mode: int,
        extra: str,
        value: Any,
        graph: str,
        place: _Place,
        depth: int,
        below: list[Any],
    ) -> str:
        if any(isinstance(each, list) for each in value) if isinstance(value, list) else False:
            raise Beyond  # a list of lists
        terms = []
        for each, where in _flat(value, place):
            if isinstance(each, dict) and "@list" in each:
                raise Beyond
            term = self._object(names, mode, extra, each, graph, where, depth, below)
            if term:
                terms.append(term)
        if not terms:
            return NIL
        head = cell = self.issue()
        for number, term in enumerate(terms):
            self.found[Triple(cell, FIRST, term, graph)] = None
            rest = self.issue() if number < len(terms) - 1 else NIL
            self.found[Triple(cell, REST, rest, graph)] = None
            cell = rest
        return head

    def _reverse(
        self,
        names: _Names,
        predicate: str,
        value: Any,
        subject: str,
        graph: str,
        place: _Place,
        depth: int,
        below: list[Any],
    ) -> None:
        for each, where in _flat(value, place):
            if isinstance(each, dict) and "@value" not in each and "@list" not in each:
                term = self._object(names, _TEXT, "", each, graph, where, depth, below)
                if term and predicate and subject:
                    self.found[Triple(term, predicate, subject, graph)] = None
            else:
                self.report("invalid-reverse", "A value of @reverse is a node, not a literal: ignored.", where)


def _flat(value: Any, place: _Place) -> Iterator[tuple[Any, _Place]]:
    """The values of a property one by one, arrays in arrays and plain sets taken apart, nulls left out."""
    if type(value) is not list and not (type(value) is dict and "@set" in value):
        yield value, place
        return
    pending: list[tuple[Any, _Place]] = [(value, place)]
    while pending:
        each, where = pending.pop()
        if isinstance(each, list):
            pending.extend((each[i], (where, i)) for i in range(len(each) - 1, -1, -1))
        elif isinstance(each, dict) and "@set" in each and not each.keys() - {"@set", "@index"}:
            pending.append((each["@set"], (where, "@set")))
        elif each is not None:
            yield each, where


def _typed(value: str | float, datatype: str) -> str:
    """A literal with its data type, numbers and booleans in canonical form (JSON-LD 1.1 API 8.2.2)."""
    if isinstance(value, str):
        if not datatype or datatype == _STRING:
            return f'"{escaped(value)}"'
        return f'"{escaped(value)}"^^<{datatype}>'
    if isinstance(value, bool):
        return f'"{"true" if value else "false"}"^^<{datatype or _BOOLEAN}>'
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return f'"{"NaN" if value != value else "INF" if value > 0 else "-INF"}"^^<{datatype or _DOUBLE}>'
    if datatype == _DOUBLE or abs(value) >= 1e21 or value != int(value):
        return f'"{double(float(value))}"^^<{datatype or _DOUBLE}>'
    return f'"{int(value)}"^^<{datatype or _INTEGER}>'


def double(value: float) -> str:
    """A number in the canonical form of xsd:double ("5.5E0")."""
    mantissa, _, exponent = f"{value:1.15E}".partition("E")
    mantissa = mantissa.rstrip("0")
    return f"{mantissa}{'0' if mantissa.endswith('.') else ''}E{int(exponent)}"


def escaped(text: str) -> str:
    """A text as it stands between the quotes of an N-Triples literal (canonical form)."""
    if _TO_ESCAPE.search(text) is None:
        return text
    return _TO_ESCAPE.sub(lambda found: _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04X}", text)


def pointer(place: _Place | None) -> str:
    """The JSON Pointer of a place."""
    parts: list[str] = []
    while place is not None:
        place, key = place
        parts.append(escape(str(key)))
    return "/" + "/".join(reversed(parts)) if parts else ""


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
