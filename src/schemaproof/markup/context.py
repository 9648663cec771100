"""JSON-LD contexts: what the names of a markup mean (JSON-LD 1.1 API, clauses 4 and 5). Nothing is ever fetched."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from schemaproof.markup.iri import is_absolute, resolve
from schemaproof.markup.official import (
    ALIASES,
    DATE,
    DATE_TERMS,
    IRI_TERMS,
    PREFIXES,
    RENAMED,
    VOCAB,
)

_KEYWORDS = """
    @base @container @context @default @direction @embed @explicit @graph @id @import @included @index @json @language
    @list @nest @none @omitDefault @prefix @preserve @propagate @protected @requireAll @reverse @set @type @value
    @version @vocab
    """
KEYWORDS = frozenset(_KEYWORDS.split())
LIKE_A_KEYWORD = re.compile(r"@[A-Za-z]+")

# report(code, message, severity)
Report = Callable[[str, str, str], None]


class Unset:
    """Marks a setting that a term definition does not make, where None is a setting."""


UNSET = Unset()


@dataclass(frozen=True, slots=True)
class Term:
    """What an inline context says about one term.

    Attributes:
        iri: absolute IRI or keyword; None for a term that is to be ignored.
        coercion: "@id", "@vocab", "@json", "@none", the IRI of a data type, or "".
        container: keywords of `@container`.
        language: language of its strings; UNSET where the context's default holds.
        reverse: true where it states the inverse.
        context: the context that holds below it; UNSET where there is none.
        prefix: whether it may abbreviate IRIs.
        nest: key under which its values stand ("@nest" or an alias), or "".
        index: property that the keys of an index map are values of, or "".
    """

    iri: str | None
    coercion: str = ""
    container: frozenset[str] = frozenset()
    language: str | Unset | None = UNSET
    reverse: bool = False
    context: Any = UNSET
    prefix: bool = False
    nest: str = ""
    index: str = ""


IGNORED = Term(None)


@dataclass(frozen=True, slots=True)
class Context:
    """An active context.

    Attributes:
        base: what relative references are resolved against; None where the context forbids it.
        vocab: what bare names are put behind, or None.
        language: default language, or "".
        terms: what inline contexts define.
        official: true where Schema.org's official context is in force; inline terms win over it.
        unknown: true where a remote context is not known here, so that its terms are missing.
        empty: true where nothing has been defined at all.
        previous: the context to go back to where this one does not propagate.
    """

    base: str | None = ""
    vocab: str | None = None
    language: str = ""
    terms: dict[str, Term] = field(default_factory=dict)
    official: bool = False
    unknown: bool = False
    empty: bool = True
    previous: Context | None = None

    def expand(
        self, value: str, is_term: Callable[[str], bool], *, vocab: bool = True, relative: bool = False
    ) -> str | None:
        """IRI expansion (JSON-LD 1.1 API 5.2): an absolute IRI, a keyword, a blank node label, or a relative rest.

        Arguments:
            value: the name or reference as written.
            is_term: whether a bare name is a term of Schema.org's official context.
            vocab: true for keys, types and values of `@vocab` terms; false for node identifiers.
            relative: true to resolve what is left against the base; node identifiers always are.

        Returns:
            None for a name that is to be ignored (looks like a keyword, or is defined as null).
        """
        if value in KEYWORDS:
            return value
        if value[:1] == "@" and LIKE_A_KEYWORD.fullmatch(value):
            return None
        if vocab:
            term = self.terms.get(value)
            if term is not None:
                return term.iri
            if self.official:
                if value in ALIASES:
                    return ALIASES[value]
                if value in PREFIXES:
                    return PREFIXES[value]
                if value in RENAMED:
                    return RENAMED[value]
                if self.vocab != VOCAB and is_term(value):
                    return VOCAB + value
        colon = value.find(":", 1)
        if colon > 0:
            prefix, suffix = value[:colon], value[colon + 1 :]
            if prefix == "_" or suffix.startswith("//"):
                return value
            term = self.terms.get(prefix)
            if term is not None:
                if term.prefix and term.iri:
                    return term.iri + suffix
            elif self.official and prefix in PREFIXES:
                return PREFIXES[prefix] + suffix
            if is_absolute(value):
                return value
        if vocab and self.vocab is not None:
            return self.vocab + value
        if relative or not vocab:
            return resolve(value, self.base)
        return value

    def term(self, key: str) -> Term | None:
        """The definition of a term with coercions, inline or official; None where the name has none."""
        term = self.terms.get(key)
        if term is None and self.official:
            return official_term(key)
        return term


_OFFICIAL_TERMS = {
    **{name: Term(VOCAB + name, coercion="@id") for name in IRI_TERMS},
    **{name: Term(VOCAB + name, coercion=DATE) for name in DATE_TERMS},
}


def official_term(key: str) -> Term | None:
    """The coercion that Schema.org's official context has for a term, or None."""
    return _OFFICIAL_TERMS.get(key)
