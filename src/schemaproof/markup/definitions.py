"""Term definitions of an inline context (JSON-LD 1.1 API, clause 4.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from schemaproof.markup.context import IGNORED, KEYWORDS, LIKE_A_KEYWORD, UNSET, Context, Report, Term, Unset
from schemaproof.markup.iri import is_absolute, resolve
from schemaproof.markup.official import ALIASES, PREFIXES, RENAMED, VOCAB

_GEN_DELIMS = frozenset(":/?#[]@")
_CONTEXT_KEYWORDS = frozenset(
    {"@base", "@direction", "@import", "@language", "@propagate", "@protected", "@version", "@vocab"}
)


class Definitions:
    """Create Term Definition (JSON-LD 1.1 API 4.2) for all terms of one inline context."""

    def __init__(self, is_term: Callable[[str], bool], context: Context, local: dict[str, Any], report: Report) -> None:
        self.is_term = is_term
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
        elif name != "@type" and not (name[:1] == "@" and LIKE_A_KEYWORD.fullmatch(name)):
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
        return self.context.expand(value, self.is_term)

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
            if target not in KEYWORDS and LIKE_A_KEYWORD.fullmatch(target):
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
            return self.context.expand(name, self.is_term)
        if self.context.official and self.is_term(name):
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
        return self.context.expand(name, self.is_term)

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
