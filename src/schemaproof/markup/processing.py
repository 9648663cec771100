"""Local contexts become active ones (JSON-LD 1.1 API, clause 4.1). Nothing is ever fetched."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from schemaproof.markup.context import Context, Report
from schemaproof.markup.definitions import Definitions
from schemaproof.markup.iri import resolve
from schemaproof.markup.official import ALIASES, PREFIXES, RENAMED, VOCAB, context_spelling

# Every inline context copies the terms around it. Real pages stay under a few thousand copies; a page made to cost
# much is stopped here, so that time stays linear.
COPY_LIMIT = 5_000_000
# Remote contexts that include each other: no one goes deeper.
CONTEXT_DEPTH = 16


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
        if isinstance(local, dict) and isinstance(local.get("@propagate"), bool):
            propagate = local["@propagate"]
        result = active
        ours = False  # whether the terms of the result were copied here, so that the next object may add to them
        for each in local if isinstance(local, list) else (local,):
            if self._spent > COPY_LIMIT:
                report("too-many-contexts", "The contexts here add up to too much: the rest is ignored.", "error")
                break
            own, ours = ours, isinstance(each, dict)
            if each is None:
                result = self.initial
            elif isinstance(each, str):
                result = self._remote(result, each, report)
            elif isinstance(each, dict):
                result = self._inline(result, each, report, own)
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
            terms = active.terms
            if terms:
                terms = {
                    name: term
                    for name, term in terms.items()
                    if not (name in ALIASES or name in PREFIXES or name in RENAMED or self.is_term(name))
                }
                self._spend(len(active.terms))
            # Not `replace`, which costs as much as a small document.
            context = Context(active.base, VOCAB, active.language, terms, True, active.unknown, False, active.previous)
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

    def _inline(self, active: Context, local: dict[str, Any], report: Report, own: bool) -> Context:
        base, vocab, language = active.base, active.vocab, active.language
        unknown = active.unknown
        if isinstance(local.get("@import"), str):
            reference = local["@import"]
            imported = self._remote(active, reference, report)
            active, vocab, unknown, own = imported, imported.vocab, imported.unknown, False
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
        if not own:
            self._spend(len(active.terms))
        result = replace(
            active,
            base=base,
            vocab=vocab,
            language=language,
            terms=active.terms if own else dict(active.terms),
            unknown=unknown,
            empty=False,
        )
        Definitions(self.is_term, result, local, report).define_all()
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
