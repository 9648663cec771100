"""RDF terms of the values of a document, and the state of one conversion."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import count
from typing import Any

from schemaproof.markup.context import Context
from schemaproof.markup.iri import is_absolute, is_damaged, is_doubtful, is_well_formed, lacks_scheme
from schemaproof.markup.literals import FIRST, NIL, REST, TO_ESCAPE, escaped, is_language, typed
from schemaproof.markup.naming import IRI, KEYWORD, TEXT, TYPED, Beyond, Names
from schemaproof.markup.processing import Contexts
from schemaproof.markup.records import Diagnostics, escape

# The addresses of the web that need no resolving, no prefix and no repair.
_PLAIN_ADDRESS = re.compile(r"https?://(?!/|https?:?/)[^\x00-\x20\x7f<>\"\\^`{}|\ud800-\udfff]+")

# A triple as the walk collects it: subject, predicate, object, graph.
Row = tuple[str, str, str, str]

# A place is (place of what is around it, key): a pointer is only made where something is to be said.
Place = tuple[Any, Any]

# What is still to be stated: names, object, its term, graph, place, depth.
Task = tuple[Names, dict[str, Any], str, str, Place, int]

_NAMES_ONLY = frozenset({"@id", "@index", "@context"})


class Terms:
    """The half of the quick walk that turns values into terms; `QuickWalk` turns objects into triples.

    Arguments:
        base: address of the page, "" if unknown.
        known: address of a remote context → its document.
    """

    def __init__(self, base: str, known: Mapping[str, Any] | None = None) -> None:
        self.found: dict[Row, None] = {}
        self.diagnostics = Diagnostics()
        self.contexts = Contexts(self.is_term, base, lambda _: False, known)
        self._names: dict[int, Names] = {}
        self._labels: dict[int, dict[str, str]] = {}
        self._label: dict[str, str] = {}
        self._numbers = count()
        self._stack: list[tuple[Names, dict[str, Any], str, str, Place, int]] = []
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

    def report(self, code: str, message: str, place: Place, severity: str = "warning") -> None:
        """Add a diagnostic."""
        self.diagnostics.report(code, message, pointer(place), severity)

    def _inside(self, names: Names, value: dict[str, Any], place: Place) -> Names:
        """The names that hold in an object with a context of its own."""

        def report(code: str, message: str, severity: str) -> None:
            self.report(code, message, (place, "@context"), severity)

        context = self.contexts.extend(names.context, value["@context"], report)
        if context.previous is not None:
            raise Beyond
        return self.names(context)

    def _subject(self, names: Names, value: dict[str, Any], key: str | None, place: Place) -> str:
        """The term for a node object; "" where its identifier cannot be one."""
        if key is None:
            return self.issue()
        identifier = value[key]
        if not isinstance(identifier, str):
            self.report("invalid-id", "An @id is a string: this one is ignored.", (place, key))
            return self.issue()
        return self._resource(names, identifier, (place, key))

    def _resource(self, names: Names, reference: str, place: Place) -> str:
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
            self._doubt(reference, iri, place)
            return f"<{iri}>"
        if is_absolute(iri):
            self.report("invalid-url", f"{short(reference)} is no valid URL: left out.", place)
        else:
            self.report("relative-iri", f"{short(reference)} is relative, and there is no base: left out.", place)
        return ""

    def _doubt(self, reference: str, iri: str, place: Place) -> None:
        """Say what is strange about an address that is an IRI nevertheless."""
        shown = short(reference)
        if not reference:
            self.report("empty-url", "An empty address means the page itself: leave it out or write it.", place)
        elif is_damaged(reference):
            self.report("damaged-url", f'{shown} has a damaged beginning: it should be "https://".', place)
        elif not is_absolute(reference) and lacks_scheme(reference):
            self.report(
                "url-without-scheme", f"{shown} has no scheme, so it means {short(iri)}: write https://{shown}.", place
            )
        if is_doubtful(iri):
            message = f"{shown} has braces or bars, which strict readers of RDF refuse."
            self.report("doubtful-url", message, place, "info")

    def _scalar(self, names: Names, mode: int, extra: str, value: Any, place: Place) -> str:
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
        place: Place,
        depth: int,
        below: list[Task],
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

    def _value_object(self, names: Names, value: dict[str, Any], keywords: dict[str, str], place: Place) -> str:
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
        place: Place,
        depth: int,
        below: list[Task],
    ) -> str:
        if isinstance(value, list) and any(isinstance(each, list) for each in value):
            raise Beyond  # a list of lists
        terms = []
        for each, where in flat(value, place):
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
        place: Place,
        depth: int,
        below: list[Task],
    ) -> None:
        for each, where in flat(value, place):
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


def flat(value: Any, place: Place) -> list[tuple[Any, Place]]:
    """The values of a property one by one, arrays in arrays and plain sets taken apart, nulls left out."""
    flat: list[tuple[Any, Place]] = []
    pending: list[tuple[Any, Place]] = [(value, place)]
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


def pointer(place: Place | None) -> str:
    """The JSON Pointer of a place."""
    parts: list[str] = []
    while place is not None:
        place, key = place
        parts.append(escape(str(key)))
    return "/" + "/".join(reversed(parts)) if parts else ""


def short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
