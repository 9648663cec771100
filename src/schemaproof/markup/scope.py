"""What the keys and types of a markup mean to the graph, under one context; remembered, since names repeat."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from schemaproof.markup.context import KEYWORDS, Context, Term
from schemaproof.markup.iri import is_absolute, resolve
from schemaproof.markup.official import VOCAB
from schemaproof.markup.records import escape
from schemaproof.vocabulary import Vocabulary

# What a key turns out to be.
PROPERTY, KEYWORD, FOREIGN, DROPPED = range(4)

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


# A type's name, whether it is of the vocabulary's namespaces, whether the vocabulary has it.
TypeName = tuple[str, bool, bool]

# What names mean under the official context alone is the same for every page; so many are remembered.
_ROOM = 8192
_REMEMBERED: WeakKeyDictionary[Vocabulary, tuple[dict[str, Key], dict[str, TypeName]]] = WeakKeyDictionary()


class Known:
    """A vocabulary, asked the way names are resolved.

    Arguments:
        vocabulary: what is known; its namespaces decide what is foreign.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def is_term(self, name: str) -> bool:
        """Whether a bare name is a term of Schema.org's official context."""
        vocabulary = self.vocabulary
        return name in vocabulary.properties or name in vocabulary.types or name in vocabulary.individuals

    def is_namespace(self, iri: str) -> bool:
        """Whether names behind this IRI are the vocabulary's."""
        return self.vocabulary.local_name(iri + "x") == "x"


class Scope:
    """An active context with what its names turned out to mean.

    Arguments:
        context: the active context.
        known: the vocabulary.
    """

    __slots__ = ("_known", "_more_keys", "_more_types", "_own", "_types", "context", "keys")

    def __init__(self, context: Context, known: Known) -> None:
        self.context = context
        self._known = known
        self.keys: dict[str, Key] = {}
        self._types: dict[str, TypeName] = {}
        if context.official and not context.terms and context.vocab == VOCAB and not context.unknown:
            self.keys, self._types = _REMEMBERED.setdefault(known.vocabulary, ({}, {}))
            if len(self.keys) + len(self._types) >= _ROOM:
                self.keys.clear()
                self._types.clear()
        # Names of this document for which there is no more room.
        self._more_keys: dict[str, Key] = {}
        self._more_types: dict[str, TypeName] = {}
        self._own = context.vocab is not None and known.is_namespace(context.vocab)

    def key(self, key: str) -> Key:
        """What a key means here."""
        found = self.keys.get(key) or self._more_keys.get(key)
        if found is None:
            found = self._resolve(key)
            (self.keys if len(self.keys) < _ROOM else self._more_keys)[key] = found
        return found

    def type(self, name: str) -> TypeName:
        """What a type means here: its name, whether it is of the vocabulary's namespaces, whether it is known."""
        found = self._types.get(name) or self._more_types.get(name)
        if found is None:
            found = self._resolve_type(name)
            # A name from elsewhere may depend on the address of the page.
            shared = found[1] and len(self._types) < _ROOM
            (self._types if shared else self._more_types)[name] = found
        return found

    def _resolve(self, key: str) -> Key:
        context, vocabulary = self.context, self._known.vocabulary
        if key in KEYWORDS:
            return Key(KEYWORD, key, _PLAIN, escape(key))
        iri = context.expand(key, self._known.is_term)
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
        name = self._known.vocabulary.local_name(iri)
        if name is not None:
            return name
        vocab = self.context.vocab
        # A name that no IRI would have (with a space, say) is still a name of that vocabulary.
        return written if self._own and vocab is not None and iri == vocab + written else None

    def _resolve_type(self, name: str) -> TypeName:
        context, vocabulary = self.context, self._known.vocabulary
        iri = context.expand(name, self._known.is_term)
        if iri is None or iri in KEYWORDS:
            return name, False, False
        local = self._local(iri, name)
        if local is not None:
            if local in vocabulary.types:
                return local, True, True
            if context.unknown and ":" not in name and name not in context.terms:
                return iri, False, False
            return local or name, True, False
        return resolve(iri, context.base), False, False


def without_container(key: Key) -> Key:
    if not key.term.container:
        return key
    term = key.term
    plain = Term(term.iri, term.coercion, frozenset(), term.language, term.reverse, term.context, term.prefix)
    return Key(key.kind, key.name, plain, key.segment, key.official)
