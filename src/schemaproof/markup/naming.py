"""What the keys and types of a document stand for in RDF, under one context; remembered, since names repeat."""

from __future__ import annotations

from collections.abc import Callable

from schemaproof.markup.context import KEYWORDS, UNSET, Context, Term
from schemaproof.markup.iri import is_absolute, is_well_formed, resolve
from schemaproof.markup.literals import is_language
from schemaproof.markup.official import VOCAB

# What a key states: texts, texts in a language, IRIs, values of a data type; through it being the other way round;
# or something of JSON-LD's own; or nothing.
TEXT, TAGGED, IRI, TYPED, KEYWORD, REVERSE, NOTHING = range(7)

# (mode, predicate with its brackets or keyword, what the mode needs)
Entry = tuple[int, str, str]

# As many names are remembered, in one context: no page has more, but a page made to cost memory would.
_ROOM = 8192

# What names stand for in the official context alone is the same in every document.
_OFFICIAL_KEYS: dict[str, Entry] = {}
_OFFICIAL_TYPES: dict[str, str] = {}


class Beyond(Exception):  # noqa: N818  (no error: it hands over)
    """The document needs more of JSON-LD than our own walk knows."""


class Names:
    """Keys and types under one context.

    Arguments:
        context: the active context.
        is_term: whether a bare name is a term of Schema.org's official context.
    """

    __slots__ = ("_more", "context", "is_term", "keys", "types")

    def __init__(self, context: Context, is_term: Callable[[str], bool]) -> None:
        self.context = context
        self.is_term = is_term
        plain = context.official and not context.terms and context.vocab == VOCAB and not context.language
        self.keys: dict[str, Entry] = _OFFICIAL_KEYS if plain else {}
        self.types: dict[str, str] = _OFFICIAL_TYPES if plain else {}
        if len(self.keys) >= _ROOM:
            self.keys.clear()
        if len(self.types) >= _ROOM:
            self.types.clear()
        # Names of this document for which there is no more room.
        self._more: dict[str, Entry] = {}

    def key(self, key: str) -> Entry:
        """What a key states. Callers look into `keys` first.

        Raises:
            Beyond: its definition has a container, a context of its own or another thing of JSON-LD 1.1.
        """
        entry = self._more.get(key)
        if entry is None:
            entry = self._entry(key)
            (self.keys if len(self.keys) < _ROOM else self._more)[key] = entry
        return entry

    def _entry(self, key: str) -> Entry:
        if key in KEYWORDS:
            return KEYWORD, key, ""
        context = self.context
        iri = context.expand(key, self.is_term)
        if iri is None:
            return NOTHING, "", ""
        if iri in KEYWORDS:
            return KEYWORD, iri, ""
        term = context.term(key)
        if term is not None and (term.container or term.context is not UNSET or term.nest):
            raise Beyond
        if not is_absolute(iri):
            return NOTHING, "", ""
        predicate = f"<{iri}>" if is_well_formed(iri) else ""
        if term is not None and term.reverse:
            return REVERSE, predicate, term.coercion
        if term is not None and term.coercion:
            if term.coercion == "@id":
                return IRI, predicate, ""
            if term.coercion in ("@vocab", "@json", "@none"):
                raise Beyond
            return TYPED, predicate, term.coercion
        language = self._language(term)
        return (TAGGED, predicate, language) if language else (TEXT, predicate, "")

    def _language(self, term: Term | None) -> str:
        language: object = self.context.language if term is None or term.language is UNSET else term.language
        if not isinstance(language, str) or not language:
            return ""
        # No tag: the values are left out, as those with such a tag of their own are.
        return language if is_language(language) else "-"

    def type(self, name: str) -> str:
        """The IRI of a class (or a blank node label, or a keyword), relative where it cannot be made absolute.

        Raises:
            Beyond: the type has a context of its own.
        """
        context = self.context
        iri = context.expand(name, self.is_term)
        if iri is None:
            return ""
        if not is_absolute(iri) and not iri.startswith("_:") and iri not in KEYWORDS:
            iri = resolve(iri, context.base)
        term = context.terms.get(name)
        if term is not None and term.context is not UNSET:
            raise Beyond
        if is_well_formed(iri) and context.vocab is not None and len(self.types) < _ROOM:
            self.types[name] = f"<{iri}>"
        return iri
