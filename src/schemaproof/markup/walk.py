"""The walk over JSON-LD objects: keys and types resolved through their contexts, one fact for every value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from schemaproof.markup.context import KEYWORDS, UNSET, Context, Contexts, Term
from schemaproof.markup.iri import is_absolute, resolve
from schemaproof.markup.model import Scalar, Source
from schemaproof.markup.official import VOCAB, context_spelling
from schemaproof.markup.records import DEPTH_LIMIT, TYPE_LIMIT, Fact, Records, escape
from schemaproof.vocabulary import Vocabulary

# What a key turns out to be.
PROPERTY, KEYWORD, FOREIGN, DROPPED = range(4)

_BENEATH_A_REFERENCE = frozenset({"@id", "@context", "@index"})
_NO_NODE = _BENEATH_A_REFERENCE | {"@graph"}
_PLAIN = Term("")


@dataclass(frozen=True, slots=True)
class Key:
    """What a key of an object means in one context.

    Attributes:
        kind: PROPERTY, KEYWORD, FOREIGN or DROPPED.
        name: name of the property, or the keyword.
        term: its definition; an empty one where it has none.
        segment: the key as a segment of a JSON Pointer.
        official: true where its coercion is of Schema.org's official context.
        plain: true for a property without a definition, or with an official one only: its scalars need no thought.
        iri: true where such a scalar, if a text, is an IRI.
    """

    kind: int
    name: str
    term: Term
    segment: str
    official: bool = False
    plain: bool = False
    iri: bool = False


# What names mean under the official context alone is the same for every page; so many are remembered.
_ROOM = 8192
_REMEMBERED: WeakKeyDictionary[Vocabulary, tuple[dict[str, Key], dict[str, tuple[str, bool, bool]]]] = (
    WeakKeyDictionary()
)


class Scope:
    """An active context with what its names turned out to mean.

    Arguments:
        context: the active context.
        vocabulary: what is known.
        is_namespace: whether an IRI is a namespace of the vocabulary.
        is_term: whether a bare name is a term of Schema.org's official context.
    """

    __slots__ = ("_own", "_types", "_walk", "context", "keys")

    def __init__(self, context: Context, walk: Walk) -> None:
        self.context = context
        self._walk = walk
        self.keys: dict[str, Key] = {}
        self._types: dict[str, tuple[str, bool, bool]] = {}
        if context.official and not context.terms and context.vocab == VOCAB and not context.unknown:
            self.keys, self._types = _REMEMBERED.setdefault(walk.vocabulary, ({}, {}))
        self._own = context.vocab is not None and walk.is_namespace(context.vocab)

    def key(self, key: str) -> Key:
        """What a key means here."""
        found = self.keys.get(key)
        if found is None:
            found = self._resolve(key)
            if len(self.keys) < _ROOM:
                self.keys[key] = found
        return found

    def type(self, name: str) -> tuple[str, bool, bool]:
        """What a type means here: its name, whether it is of the vocabulary's namespaces, whether it is known."""
        found = self._types.get(name)
        if found is None:
            found = self._resolve_type(name)
            # A name from elsewhere may depend on the address of the page.
            if len(self._types) < _ROOM and found[1]:
                self._types[name] = found
        return found

    def _resolve(self, key: str) -> Key:
        context, vocabulary = self.context, self._walk.vocabulary
        if key in KEYWORDS:
            return Key(KEYWORD, key, _PLAIN, escape(key))
        iri = context.expand(key, self._walk.is_term)
        if iri is None:
            return Key(DROPPED, key, _PLAIN, escape(key))
        if iri in KEYWORDS:
            return Key(KEYWORD, iri, _PLAIN, escape(key))
        term = context.terms.get(key)
        official = False
        if term is None:
            term = context.term(key) or _PLAIN
            official = term is not _PLAIN
        segment = escape(key)
        name = self._local(iri, key)
        if name is not None:
            if name not in vocabulary.properties and not self._certain(key, term, official):
                return Key(FOREIGN, iri, term, segment)
            return Key(
                PROPERTY,
                name if name in vocabulary.properties else key,
                term,
                segment,
                official,
                official or term is _PLAIN,
                term.coercion == "@id",
            )
        if not is_absolute(iri) and not iri.startswith("_:"):
            return Key(DROPPED, key, _PLAIN, segment)
        return Key(FOREIGN, iri, term, segment)

    def _certain(self, key: str, term: Term, official: bool) -> bool:
        # Under a context that is not known here, a bare name that Schema.org does not have may be that context's.
        return not self.context.unknown or ":" in key or (term is not _PLAIN and not official)

    def _local(self, iri: str, written: str) -> str | None:
        name = self._walk.vocabulary.local_name(iri)
        if name is not None:
            return name
        vocab = self.context.vocab
        # A name that no IRI would have (with a space, say) is still a name of that vocabulary.
        return written if self._own and vocab is not None and iri == vocab + written else None

    def _resolve_type(self, name: str) -> tuple[str, bool, bool]:
        context, vocabulary = self.context, self._walk.vocabulary
        iri = context.expand(name, self._walk.is_term)
        if iri is None or iri in KEYWORDS:
            return name, False, False
        local = self._local(iri, name)
        if local is not None:
            if local in vocabulary.types:
                return local, True, True
            if context.unknown and ":" not in name and name not in context.terms:
                return iri, False, False
            return name, True, False
        return resolve(iri, context.base), False, False


class Walk:
    """Walks JSON-LD objects and notes nodes and facts down. Nothing recurses: depth costs no stack.

    Arguments:
        records: where they are noted.
        vocabulary: what is known; its namespaces decide what is foreign.
        base: address of the page.
        assume_schema_org: true to read objects without any context as if they had Schema.org's.
    """

    def __init__(self, records: Records, vocabulary: Vocabulary, base: str, *, assume_schema_org: bool) -> None:
        self.records = records
        self.vocabulary = vocabulary
        self.assume = assume_schema_org
        self.contexts = Contexts(self.is_term, base, self.is_namespace)
        self._scopes: dict[int, Scope] = {}
        self._stack: list[tuple[Any, ...]] = []
        self._source = ("json-ld", -1)
        self._label_scope = ""
        self._without_context: str | None = None
        self._advice = ""

    def is_term(self, name: str) -> bool:
        """Whether a bare name is a term of Schema.org's official context."""
        vocabulary = self.vocabulary
        return name in vocabulary.properties or name in vocabulary.types or name in vocabulary.individuals

    def is_namespace(self, iri: str) -> bool:
        """Whether names behind this IRI are the vocabulary's."""
        return self.vocabulary.local_name(iri + "x") == "x"

    def scope(self, context: Context) -> Scope:
        """The scope of a context, the same for the same context."""
        found = self._scopes.get(id(context))
        if found is None:
            found = self._scopes[id(context)] = Scope(context, self)
        return found

    def document(self, value: Any, pointer: str, format: str, block: int, label_scope: str) -> None:  # noqa: A002
        """Walk one document (an object, or an array of them).

        Arguments:
            value: the object.
            pointer: JSON Pointer of it.
            format: "json-ld" or "rdfa".
            block: number of its script block or item, -1 if unknown.
            label_scope: blank node labels are the same node within equal scopes only.
        """
        self._source = (format, block)
        self._label_scope = label_scope
        self._without_context = None if format == "json-ld" else ""
        context = self.contexts.initial
        without_sign = isinstance(value, dict) and isinstance(value.get("context"), str) and "@context" not in value
        self._advice = 'write "@context" for "context"' if without_sign else 'add "@context": "https://schema.org"'
        if self.assume and format == "json-ld" and not _has_context(value):
            if without_sign and context_spelling(value["context"]):
                value = {key: each for key, each in value.items() if key != "context"}
            self.records.report(
                "assumed-context", "There is no @context; read as if it were https://schema.org.", pointer, "info"
            )
            context = self.contexts.extend(context, "https://schema.org", self._reporter(pointer))
        self._stack.append((self._top, self.scope(context), value, pointer, 0, False))
        while self._stack:
            step, *arguments = self._stack.pop()
            step(*arguments)

    def _reporter(self, pointer: str) -> Any:
        def report(code: str, message: str, severity: str) -> None:
            self.records.report(code, message, pointer, severity)

        return report

    # Objects

    def _top(self, scope: Scope, value: Any, pointer: str, depth: int, in_graph: bool) -> None:
        if isinstance(value, list):
            if depth >= DEPTH_LIMIT:
                self._too_deep(pointer)
                return
            junk = sum(not isinstance(each, dict | list) for each in value)
            if junk:
                where = "@graph" if in_graph else "the array"
                self.records.report(
                    "member-not-an-object",
                    f"{junk} member{'s' if junk > 1 else ''} of {where} {'are' if junk > 1 else 'is'} no object: "
                    "left out.",
                    pointer,
                )
            self._stack.extend(
                (self._top, scope, value[index], f"{pointer}/{index}", depth + 1, in_graph)
                for index in range(len(value) - 1, -1, -1)
                if isinstance(value[index], dict | list)
            )
        elif isinstance(value, dict):
            self._object(scope, value, pointer, depth, in_graph=in_graph, top=not in_graph)
        else:
            where = "@graph" if in_graph else "The document"
            self.records.report("member-not-an-object", f"{where} is no object: left out.", pointer)

    def _open(self, scope: Scope, value: dict[str, Any], pointer: str) -> tuple[Scope, dict[str, str]]:
        """The scope inside an object, and its keywords with the keys that stand for them."""
        if "@context" in value:
            context = self.contexts.extend(scope.context, value["@context"], self._reporter(f"{pointer}/@context"))
            scope = self.scope(context)
        keywords: dict[str, str] = {}
        known = scope.keys
        for key in value:
            found = known.get(key) or scope.key(key)
            if found.kind == KEYWORD and found.name not in keywords:
                keywords[found.name] = key
        return scope, keywords

    def _object(
        self,
        scope: Scope,
        value: dict[str, Any],
        pointer: str,
        depth: int,
        *,
        in_graph: bool = False,
        top: bool = False,
    ) -> int | None:
        """Note a node object down; its index, or None where it is no node (only an @graph, or only an @id)."""
        if depth >= DEPTH_LIMIT:
            self._too_deep(pointer)
            return None
        scope, keywords = self._open(scope, value, pointer)
        return self._node(scope, keywords, value, pointer, depth, in_graph=in_graph, top=top)

    def _node(
        self,
        scope: Scope,
        keywords: dict[str, str],
        value: dict[str, Any],
        pointer: str,
        depth: int,
        *,
        in_graph: bool = False,
        top: bool = False,
    ) -> int | None:
        if top or in_graph:
            if "@value" in keywords or "@list" in keywords or "@set" in keywords:
                if "@set" in keywords:
                    key = keywords["@set"]
                    self._stack.append((self._top, scope, value[key], f"{pointer}/{escape(key)}", depth + 1, in_graph))
                return None
            names = {scope.key(key).name for key in value}
            if names <= _NO_NODE:
                if "@graph" in names:
                    key = keywords["@graph"]
                    self._stack.append((self._top, scope, value[key], f"{pointer}/{escape(key)}", depth + 1, True))
                return None
        records = self.records
        identifier = ""
        if "@id" in keywords:
            identifier = self._identifier(scope, value[keywords["@id"]], f"{pointer}/{escape(keywords['@id'])}")
        index = records.node(identifier, pointer, self._source[0])
        draft = records.nodes[index]
        if top:
            draft.top = True
        if in_graph:
            draft.in_graph = True
        own = scope
        if "@type" in keywords:
            own = self._types(scope, keywords, value, pointer, index)
        entry, push = self._entry, self._stack.append
        for key, each in reversed(value.items()):
            if key != "@type" and key != "@context":
                push((entry, own, index, key, each, pointer, depth, False))
        return index

    def _identifier(self, scope: Scope, value: Any, pointer: str) -> str:
        if not isinstance(value, str):
            self.records.report("invalid-id", f"An @id is a string, not {_kind(value)}: ignored.", pointer)
            return ""
        iri = scope.context.expand(value, self.is_term, vocab=False)
        if iri is None:
            return ""
        return f"{iri}{self._label_scope}" if iri.startswith("_:") else iri

    def _types(self, scope: Scope, keywords: dict[str, str], value: dict[str, Any], pointer: str, index: int) -> Scope:
        """Note the types of a node down; the scope for its own keys (type-scoped contexts)."""
        records = self.records
        draft = records.nodes[index]
        key = keywords["@type"]
        given = value[key]
        path = f"{pointer}/{escape(key)}"
        names: list[tuple[str, str]] = []
        if isinstance(given, list):
            names = [(each, f"{path}/{place}") for place, each in enumerate(given) if isinstance(each, str)]
            wrong = len(given) - len(names)
        else:
            if isinstance(given, str):
                names = [(given, path)]
            wrong = given is not None and not names
        if wrong:
            records.report("invalid-type", "An @type is a string or an array of strings: the rest is ignored.", path)
        own = scope
        for name, place in names:
            if not name.strip():
                records.report("empty-type", "The @type is empty: the node is read as if it had none.", place)
                continue
            if len(draft.types) >= TYPE_LIMIT:
                records.report(
                    "too-many-types", f"No entity is of more than {TYPE_LIMIT} types: the rest is ignored.", path
                )
                break
            resolved, ours, known = scope.type(name)
            if ours or is_absolute(resolved) or resolved.startswith("_:"):
                draft.types[resolved] = None
            if not ours:
                records.foreign += 1
                if scope.context.empty and not is_absolute(name):
                    self._no_context(pointer)
            elif not known:
                source = Source(self._source[0], self._source[1], place)
                records.facts.append(Fact(place, index, "@type", name, (source,)))
        for name, _ in sorted(names[:TYPE_LIMIT]):
            term = scope.context.terms.get(name)
            if term is not None and term.context is not UNSET:
                own = self.scope(self.contexts.extend(own.context, term.context, self._reporter(path), propagate=False))
        return own

    # Entries of objects

    def _entry(
        self, scope: Scope, index: int, written: str, value: Any, pointer: str, depth: int, backwards: bool
    ) -> None:
        key = scope.keys.get(written) or scope.key(written)
        if key.kind == PROPERTY:
            if value is None:
                return
            kind = type(value)
            if key.plain and not backwards and kind is not dict and kind is not list:
                place = f"{pointer}/{key.segment}"
                text = kind is str
                self.records.facts.append(
                    Fact(
                        place,
                        index,
                        key.name,
                        value,
                        (Source(*self._source, place),),
                        None,
                        "",
                        text and key.iri,
                        scope.context.language if text and not key.term.coercion else "",
                    )
                )
                return
            here = scope
            if key.term.context is not UNSET:
                outer = self._outward(scope)
                here = self.scope(self.contexts.extend(outer.context, key.term.context, self._reporter(pointer)))
            self._value(here, index, key, value, f"{pointer}/{key.segment}", depth + 1, backwards != key.term.reverse)
        elif key.kind == KEYWORD:
            self._keyword(scope, index, key, written, value, pointer, depth)
        elif key.kind == FOREIGN:
            self._foreign(scope, value, f"{pointer}/{key.segment}", depth)
        elif value is not None:
            self._dropped(scope, written, value, pointer)

    def _keyword(self, scope: Scope, index: int, key: Key, written: str, value: Any, pointer: str, depth: int) -> None:
        place = f"{pointer}/{key.segment}"
        if key.name == "@graph":
            self._stack.append((self._top, scope, value, place, depth + 1, True))
        elif key.name == "@reverse":
            if isinstance(value, dict):
                for name in reversed(value):
                    self._stack.append((self._entry, scope, index, name, value[name], place, depth + 1, True))
            else:
                self.records.report("invalid-reverse", "An @reverse is an object: ignored.", place)
        elif key.name == "@nest":
            for number, each in enumerate(value if isinstance(value, list) else [value]):
                within = f"{place}/{number}" if isinstance(value, list) else place
                if isinstance(each, dict):
                    for name in reversed(each):
                        self._stack.append((self._entry, scope, index, name, each[name], within, depth + 1, False))
        elif key.name == "@included":
            self._stack.append((self._top, self._outward(scope), value, place, depth + 1, True))
        elif key.name not in ("@id", "@type", "@context", "@index"):
            self.records.report(
                "misplaced-keyword", f"{written} has no meaning in an object that describes something: ignored.", place
            )

    def _dropped(self, scope: Scope, written: str, value: Any, pointer: str) -> None:
        place = f"{pointer}/{escape(written)}"
        if written[:1] == "@":
            better = written.lstrip("@")
            self.records.report(
                "unknown-keyword",
                f"{written} is no keyword of JSON-LD, so what it says is lost: write {better}.",
                place,
            )
            return
        self.records.foreign += len(value) if isinstance(value, list) else 1
        if scope.context.empty:
            self._no_context(pointer)
        elif not scope.context.unknown and written not in scope.context.terms:
            self.records.report(
                "undefined-term", f"The context gives {written!r} no meaning, so what it says is lost.", place
            )

    def _no_context(self, pointer: str) -> None:
        if self._without_context is None:
            self._without_context = pointer
            self.records.report(
                "no-context",
                f"There is no @context, so nothing here is Schema.org: {self._advice}.",
                pointer,
                "error",
            )

    def _foreign(self, scope: Scope, value: Any, pointer: str, depth: int) -> None:
        """Count the values of a foreign property; nodes below it are still nodes of the page."""
        outer = self._outward(scope)
        pending = [(value, pointer, depth + 1)]
        found: list[tuple[Any, ...]] = []
        while pending:
            each, place, level = pending.pop()
            if level >= DEPTH_LIMIT:
                self._too_deep(place)
            elif isinstance(each, list):
                pending.extend((each[i], f"{place}/{i}", level + 1) for i in range(len(each) - 1, -1, -1))
            elif each is not None:
                self.records.foreign += 1
                if isinstance(each, dict):
                    found.append((self._below_foreign, outer, each, place, level))
        self._stack.extend(reversed(found))

    def _below_foreign(self, scope: Scope, value: dict[str, Any], pointer: str, depth: int) -> None:
        scope, keywords = self._open(scope, value, pointer)
        for wrapper in ("@list", "@set"):
            if wrapper in keywords:
                self._foreign(scope, value[keywords[wrapper]], f"{pointer}/{escape(keywords[wrapper])}", depth)
                return
        if "@value" not in keywords and value.keys() - {keywords.get("@id"), "@context", "@index"}:
            self._node(scope, keywords, value, pointer, depth)

    # Values

    def _outward(self, scope: Scope) -> Scope:
        previous = scope.context.previous
        return scope if previous is None else self.scope(previous)

    def _value(
        self, scope: Scope, subject: int, key: Key, value: Any, pointer: str, depth: int, backwards: bool
    ) -> None:
        if isinstance(value, str | int | float):
            if backwards:
                self._turned_literal(scope, subject, key, value, pointer)
            else:
                self._literal(scope, subject, key, value, pointer)
        elif value is None:
            return
        elif depth >= DEPTH_LIMIT:
            self._too_deep(pointer)
        elif isinstance(value, list):
            # An element that is an array again is flattened on its turn.
            self._stack.extend(
                (self._value, scope, subject, key, value[place], f"{pointer}/{place}", depth + 1, backwards)
                for place in range(len(value) - 1, -1, -1)
            )
        elif isinstance(value, dict):
            if key.term.container and self._container(scope, subject, key, value, pointer, depth, backwards):
                return
            if key.term.coercion == "@json":
                self._json(subject, key, pointer)
                return
            self._object_value(scope, subject, key, value, pointer, depth, backwards)

    def _literal(
        self,
        scope: Scope,
        subject: int,
        key: Key,
        value: Scalar,
        pointer: str,
        language: str | None = None,
        datatype: str = "",
    ) -> None:
        term = key.term
        reference, target = False, ""
        if datatype or language is not None:
            pass
        elif isinstance(value, str):
            if term.coercion in ("@id", "@vocab"):
                reference = True
                if not key.official:
                    iri = scope.context.expand(value, self.is_term, vocab=term.coercion == "@vocab")
                    target = resolve(iri or "", scope.context.base)
            elif term.coercion:
                datatype = "" if key.official else self._datatype(term.coercion)
            elif term.language is UNSET:
                language = scope.context.language
            elif isinstance(term.language, str):
                language = term.language
        elif term.coercion not in ("", "@id", "@vocab", "@none") and not key.official:
            datatype = self._datatype(term.coercion)
        self.records.facts.append(
            Fact(
                pointer,
                subject,
                key.name,
                value,
                (Source(*self._source, pointer),),
                target=target,
                reference=reference,
                language=language or "",
                datatype=datatype,
            )
        )

    def _datatype(self, iri: str) -> str:
        return self.vocabulary.local_name(iri) or iri

    def _turned_literal(self, scope: Scope, subject: int, key: Key, value: Scalar, pointer: str) -> None:
        if isinstance(value, str) and key.term.coercion in ("@id", "@vocab"):
            iri = self._identifier(scope, value, pointer)
            if iri:
                other = self.records.node(iri, pointer, self._source[0])
                self._link(other, key, subject, pointer, reversed_=True)
                return
        self.records.report("invalid-reverse", "A value of @reverse is a node, not a literal: ignored.", pointer)

    def _link(self, subject: int, key: Key, target: int, pointer: str, *, reversed_: bool = False) -> None:
        source = Source(*self._source, pointer)
        self.records.facts.append(Fact(pointer, subject, key.name, None, (source,), object=target, reversed=reversed_))

    def _json(self, subject: int, key: Key, pointer: str) -> None:
        self.records.report("json-literal", "A JSON literal is no fact of the vocabulary: left out.", pointer)

    def _object_value(
        self, scope: Scope, subject: int, key: Key, value: dict[str, Any], pointer: str, depth: int, backwards: bool
    ) -> None:
        if scope.context.previous is not None and "@value" not in value and key.term.context is UNSET:
            scope = self._outward(scope)
        scope, keywords = self._open(scope, value, pointer)
        if "@value" in keywords:
            self._value_object(scope, subject, key, value, keywords, pointer)
            return
        for wrapper in ("@list", "@set"):
            if wrapper in keywords:
                self._value(
                    scope,
                    subject,
                    _without_container(key),
                    value[keywords[wrapper]],
                    f"{pointer}/{escape(keywords[wrapper])}",
                    depth + 1,
                    backwards,
                )
                return
        if "@id" in keywords and all(scope.key(each).name in _BENEATH_A_REFERENCE for each in value):
            self._reference(scope, subject, key, value[keywords["@id"]], pointer, backwards)
            return
        place = len(self.records.facts)
        source = Source(*self._source, pointer)
        self.records.facts.append(Fact(pointer, subject, key.name, None, (source,), reversed=backwards))
        index = self._node(scope, keywords, value, pointer, depth)
        fact = self.records.facts[place]
        if index is None:  # cannot be: only nodes at the top may be no nodes
            del self.records.facts[place]
        elif backwards:
            fact.subject, fact.object = index, subject
        else:
            fact.object = index

    def _value_object(
        self,
        scope: Scope,
        subject: int,
        key: Key,
        value: dict[str, Any],
        keywords: dict[str, str],
        pointer: str,
    ) -> None:
        literal = value[keywords["@value"]]
        if literal is None:
            return
        given = value.get(keywords.get("@type", ""))
        if given == "@json" or not isinstance(literal, str | int | float):
            self._json(subject, key, pointer)
            return
        datatype = ""
        if isinstance(given, str) and given:
            name, ours, _ = scope.type(given)
            datatype = (self.vocabulary.local_name(name) or name) if ours else name
        language = value.get(keywords.get("@language", ""))
        self._literal(scope, subject, key, literal, pointer, language if isinstance(language, str) else "", datatype)

    def _reference(self, scope: Scope, subject: int, key: Key, value: Any, pointer: str, backwards: bool) -> None:
        target = self._identifier(scope, value, pointer)
        if not isinstance(value, str):
            return
        if backwards:
            if target:
                other = self.records.node(target, pointer, self._source[0])
                self._link(other, key, subject, pointer, reversed_=True)
            return
        self.records.facts.append(
            Fact(pointer, subject, key.name, value, (Source(*self._source, pointer),), target=target, reference=True)
        )

    def _container(
        self, scope: Scope, subject: int, key: Key, value: dict[str, Any], pointer: str, depth: int, backwards: bool
    ) -> bool:
        """Values of a term with a container; false where the object is an ordinary value of it."""
        container = key.term.container
        plain = _without_container(key)
        if "@graph" in container:
            self._stack.append((self._top, scope, value, pointer, depth + 1, True))
            return True
        if "@language" in container:
            for tag in value:
                texts = value[tag]
                many = isinstance(texts, list)
                for place, text in enumerate(texts if many else [texts]):
                    where = f"{pointer}/{escape(tag)}" + (f"/{place}" if many else "")
                    if isinstance(text, str):
                        language = "" if scope.context.expand(tag, self.is_term) == "@none" else tag
                        self._literal(scope, subject, plain, text, where, language)
                    elif text is not None:
                        self.records.report("invalid-language-map", "A language map holds texts: ignored.", where)
            return True
        if container & {"@index", "@id", "@type"}:
            by = next(iter(container & {"@index", "@id", "@type"}))
            for name in reversed(value):
                self._stack.append(
                    (self._mapped, scope, subject, plain, value[name], f"{pointer}/{escape(name)}", depth + 1,
                     backwards, by, name)
                )  # fmt: skip
            return True
        return False

    def _mapped(
        self,
        scope: Scope,
        subject: int,
        key: Key,
        value: Any,
        pointer: str,
        depth: int,
        backwards: bool,
        by: str,
        name: str,
    ) -> None:
        """One entry of an index, id or type map: the name says what the value leaves unsaid."""
        if isinstance(value, list):
            for place in range(len(value) - 1, -1, -1):
                self._stack.append(
                    (self._mapped, scope, subject, key, value[place], f"{pointer}/{place}", depth + 1, backwards,
                     by, name)
                )  # fmt: skip
            return
        nothing = scope.context.expand(name, self.is_term) == "@none"
        if by != "@index" and not nothing:
            if isinstance(value, str) and by == "@type":
                value = {"@id": value}
            if isinstance(value, dict):
                if by == "@id" and "@id" not in value:
                    value = {"@id": name, **value}
                elif by == "@type":
                    given = value.get("@type", [])
                    value = {**value, "@type": [name, *(given if isinstance(given, list) else [given])]}
        self._value(scope, subject, key, value, pointer, depth, backwards)

    def _too_deep(self, pointer: str) -> None:
        self.records.report(
            "too-deep", f"Nested deeper than {DEPTH_LIMIT} levels: what stands below is left out.", pointer, "error"
        )


def _without_container(key: Key) -> Key:
    if not key.term.container:
        return key
    term = key.term
    plain = Term(term.iri, term.coercion, frozenset(), term.language, term.reverse, term.context, term.prefix)
    return Key(key.kind, key.name, plain, key.segment, key.official)


def _has_context(value: Any) -> bool:
    """Whether an object or one of the members of its @graph has a context."""
    if isinstance(value, list):
        return any(isinstance(each, dict) and "@context" in each for each in value)
    if not isinstance(value, dict) or "@context" in value:
        return True
    graph = value.get("@graph")
    return isinstance(graph, list) and any(isinstance(each, dict) and "@context" in each for each in graph)


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "an array", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value), "null" if value is None else "a string")
