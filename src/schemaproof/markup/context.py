"""JSON-LD contexts: what the names of a markup mean (JSON-LD 1.1 API, clauses 4 and 5). Nothing is ever fetched."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
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
    context_spelling,
)

_KEYWORDS = """
    @base @container @context @default @direction @embed @explicit @graph @id @import @included @index @json @language
    @list @nest @none @omitDefault @prefix @preserve @propagate @protected @requireAll @reverse @set @type @value
    @version @vocab
    """
KEYWORDS = frozenset(_KEYWORDS.split())
_LIKE_A_KEYWORD = re.compile(r"@[A-Za-z]+")
_GEN_DELIMS = frozenset(":/?#[]@")

# Every inline context copies the terms around it. Real pages stay under a few thousand copies; a page made to cost
# much is stopped here, so that time stays linear.
COPY_LIMIT = 5_000_000
# Remote contexts that include each other: no one goes deeper.
CONTEXT_DEPTH = 16

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
        if value[:1] == "@" and _LIKE_A_KEYWORD.fullmatch(value):
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


class Contexts:
    """Processes local contexts (JSON-LD 1.1 API 4.1 to 4.2); faults become reports, never exceptions.

    Arguments:
        is_term: whether a bare name is a term of Schema.org's official context.
        base: address of the document.
        is_namespace: whether an IRI is a namespace of the vocabulary, for a hint at a forgotten slash.
        known: address of a remote context → its document, for those that someone has at hand.
    """

    def __init__(
        self,
        is_term: Callable[[str], bool],
        base: str,
        is_namespace: Callable[[str], bool],
        known: Mapping[str, Any] | None = None,
    ) -> None:
        self.is_term = is_term
        self.is_namespace = is_namespace
        self.initial = Context(base=base or None)
        self._plain: dict[tuple[int, str], tuple[Context, tuple[str, str, str] | None]] = {}
        self._kept: list[Context] = []
        self._spent = 0
        self._known = known or {}
        self._nesting = 0

    def extend(self, active: Context, local: Any, report: Report, *, propagate: bool = True) -> Context:
        """The context that holds where `local` stands in `active`.

        Arguments:
            active: the context around.
            local: the value of an `@context`.
            report: told of contexts that are not known and of definitions that are no JSON-LD.
            propagate: false for the context of a type, which does not hold for the nodes below, unless it says so.
        """
        if self._spent > COPY_LIMIT:
            report("too-many-contexts", "The contexts of this markup add up to too much: the rest is ignored.", "error")
            return active
        if isinstance(local, dict) and isinstance(local.get("@propagate"), bool):
            propagate = local["@propagate"]
        result = active
        for each in local if isinstance(local, list) else (local,):
            if self._spent > COPY_LIMIT:
                break
            if each is None:
                result = self.initial
            elif isinstance(each, str):
                result = self._remote(result, each, report)
            elif isinstance(each, dict):
                result = self._inline(result, each, report)
            else:
                report("invalid-context", "A context is an address or an object: anything else is ignored.", "error")
        if not propagate and result.previous is None:
            result = replace(result, previous=active)
        return result

    def _spend(self, copies: int) -> None:
        self._spent += copies

    def _remote(self, active: Context, reference: str, report: Report) -> Context:
        local = self._known.get(resolve(reference, self.initial.base)) if self._known else None
        if local is not None:
            return self._at_hand(active, reference, local, report)
        key = (id(active), reference)
        found = self._plain.get(key)
        if found is None:
            found = self._named(active, reference)
            if len(self._plain) < 1024:
                self._plain[key] = found
                self._kept.append(active)  # so that its id is not given to another
        if found[1] is not None:
            report(*found[1])
        return found[0]

    def _at_hand(self, active: Context, reference: str, document: Any, report: Report) -> Context:
        if self._nesting >= CONTEXT_DEPTH:
            report("invalid-context", f"The context {reference!r} includes itself; ignored.", "error")
            return active
        self._nesting += 1
        try:
            return self.extend(active, document.get("@context") if isinstance(document, dict) else {}, report)
        finally:
            self._nesting -= 1

    def _named(self, active: Context, reference: str) -> tuple[Context, tuple[str, str, str] | None]:
        spelling = context_spelling(reference)
        if spelling:
            terms = {
                name: term
                for name, term in active.terms.items()
                if not (name in ALIASES or name in PREFIXES or name in RENAMED or self.is_term(name))
            }
            self._spend(len(active.terms))
            context = replace(active, vocab=VOCAB, terms=terms, official=True, empty=False)
            if spelling == "canonical":
                return context, None
            return context, (
                "non-canonical-context",
                f"The context {reference!r} is not an address that Schema.org documents: write https://schema.org.",
                "warning",
            )
        context = replace(active, unknown=True, empty=False)
        return context, (
            "unknown-context",
            f"The context {reference!r} is not known here and is never fetched: names that only it defines are "
            "left out.",
            "warning",
        )

    def _inline(self, active: Context, local: dict[str, Any], report: Report) -> Context:
        base, vocab, language = active.base, active.vocab, active.language
        unknown = active.unknown
        if isinstance(local.get("@import"), str):
            reference = local["@import"]
            imported = self._remote(active, reference, report)
            active, vocab, unknown = imported, imported.vocab, imported.unknown
        if "@base" in local:
            value = local["@base"]
            if value is None:
                base = None
            elif isinstance(value, str):
                base = resolve(value, base)
            else:
                report("invalid-context", "@base is an IRI or null; ignored.", "error")
        if "@vocab" in local:
            value = local["@vocab"]
            if value is None:
                vocab = None
            elif isinstance(value, str):
                vocab = self._vocab(replace(active, base=base), value, report)
            else:
                report("invalid-context", "@vocab is an IRI or null; ignored.", "error")
        if "@language" in local:
            value = local["@language"]
            if value is None or isinstance(value, str):
                language = value or ""
            else:
                report("invalid-context", "@language is a language tag or null; ignored.", "error")
        self._spend(len(active.terms))
        result = replace(
            active,
            base=base,
            vocab=vocab,
            language=language,
            terms=dict(active.terms),
            unknown=unknown,
            empty=False,
        )
        _Definitions(self, result, local, report).define_all()
        return result

    def _vocab(self, active: Context, value: str, report: Report) -> str | None:
        iri = active.expand(value, self.is_term, relative=True)
        if iri is not None and not self.is_namespace(iri) and self.is_namespace(iri + "/"):
            report(
                "vocab-without-slash",
                f"@vocab {value!r} lacks the slash at its end, so no name is Schema.org's: write {value + '/'!r}.",
                "warning",
            )
            return iri + "/"
        return iri


class _Definitions:
    """Create Term Definition (JSON-LD 1.1 API 4.2) for all terms of one inline context."""

    def __init__(self, contexts: Contexts, context: Context, local: dict[str, Any], report: Report) -> None:
        self.contexts = contexts
        self.context = context
        self.local = local
        self.report = report
        self.done: dict[str, bool] = {}

    def define_all(self) -> None:
        for name in self.local:
            if name not in _CONTEXT_KEYWORDS:
                self.define(name)

    def define(self, name: str, depth: int = 0) -> None:
        """Define one term, those that it is written with first."""
        if name in self.done or name not in self.local:
            return
        self.done[name] = False
        value = self.local[name]
        self.context.terms.pop(name, None)
        if name in KEYWORDS and name != "@type":
            self.report("invalid-context", f"The keyword {name} cannot be redefined; ignored.", "error")
        elif name != "@type" and not (name[:1] == "@" and _LIKE_A_KEYWORD.fullmatch(name)):
            term = self._term(name, value, depth)
            if term is not None:
                self.context.terms[name] = term
        self.done[name] = True

    def _expand(self, value: str, depth: int) -> str | None:
        # Names written with other terms of the same context: these come first. A cycle leaves the name as it is,
        # and so does a way that no one would write by hand.
        if depth < 64:
            for name in {value, value.partition(":")[0]}:
                if self.done.get(name, True) and name in self.local and name not in _CONTEXT_KEYWORDS:
                    self.define(name, depth + 1)
        return self.context.expand(value, self.contexts.is_term)

    def _term(self, name: str, value: Any, depth: int) -> Term | None:
        if value is None:
            return IGNORED
        simple = isinstance(value, str)
        if simple:
            value = {"@id": value}
        if not isinstance(value, dict):
            self.report("invalid-context", f"The term {name!r} is defined by neither a name nor an object.", "error")
            return None
        reverse = "@reverse" in value
        target = value.get("@reverse") if reverse else value.get("@id", UNSET)
        iri: str | None
        if target is None:
            return IGNORED
        if isinstance(target, str) and target != name:
            if target not in KEYWORDS and _LIKE_A_KEYWORD.fullmatch(target):
                self.report("invalid-context", f"The term {name!r} stands for no IRI: {target!r}.", "warning")
                return None
            iri = self._expand(target, depth)
            if iri is None:
                return IGNORED
            if iri not in KEYWORDS and not is_absolute(iri) and not iri.startswith("_:"):
                self.report("invalid-context", f"The term {name!r} stands for no IRI: {target!r}.", "error")
                return None
        elif isinstance(target, str | Unset):
            iri = self._own_iri(name, depth)
            if iri is None:
                self.report("invalid-context", f"The term {name!r} is given no IRI.", "error")
                return None
        else:
            self.report("invalid-context", f"The @id of the term {name!r} is not a string.", "error")
            return None
        container = value.get("@container")
        names = [container] if isinstance(container, str) else container if isinstance(container, list) else []
        coercion = self._coercion(name, value.get("@type"), depth)
        if "@type" in names and not coercion:
            coercion = "@id"
        language = value.get("@language", UNSET)
        prefix = value.get("@prefix")
        if not isinstance(prefix, bool):
            prefix = simple and ":" not in name and "/" not in name and iri[-1:] in _GEN_DELIMS
        nest, index = value.get("@nest"), value.get("@index")
        return Term(
            iri,
            coercion=coercion,
            container=frozenset(each for each in names if isinstance(each, str)),
            language=language if isinstance(language, str) or language is None else UNSET,
            reverse=reverse,
            context=value.get("@context", UNSET),
            prefix=prefix,
            nest=nest if isinstance(nest, str) else "",
            index=index if isinstance(index, str) else "",
        )

    def _own_iri(self, name: str, depth: int) -> str | None:
        if ":" in name[1:]:
            return self._expand_without_itself(name, depth)
        if self.context.official and (name in ALIASES or name in PREFIXES or name in RENAMED):
            return self.context.expand(name, self.contexts.is_term)
        if self.context.official and self.contexts.is_term(name):
            return VOCAB + name
        if "/" in name:
            iri = resolve(name, self.context.base)
            return iri if is_absolute(iri) else None
        return None if self.context.vocab is None else self.context.vocab + name

    def _expand_without_itself(self, name: str, depth: int) -> str | None:
        prefix = name.partition(":")[0]
        if depth < 64 and self.done.get(prefix, True) and prefix in self.local:
            self.define(prefix, depth + 1)
        term = self.context.terms.get(prefix)
        if term is not None and term.iri and not name.partition(":")[2].startswith("//"):
            # What is written as a term of its own takes its prefix from any term (4.2.2, step 14).
            return term.iri + name.partition(":")[2]
        return self.context.expand(name, self.contexts.is_term)

    def _coercion(self, name: str, value: Any, depth: int) -> str:
        if value is None:
            return ""
        if isinstance(value, str):
            iri = self._expand(value, depth)
            if iri in ("@id", "@vocab", "@json", "@none"):
                return iri
            if iri is not None and is_absolute(iri):
                return iri
        self.report("invalid-context", f"The @type of the term {name!r} is no IRI: {value!r}.", "error")
        return ""


_CONTEXT_KEYWORDS = frozenset(
    {"@base", "@direction", "@import", "@language", "@propagate", "@protected", "@version", "@vocab"}
)
