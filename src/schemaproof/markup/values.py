"""Values of properties as facts: literals, references, nodes, lists and maps."""

from __future__ import annotations

from typing import Any

from schemaproof.markup.context import UNSET, Context
from schemaproof.markup.iri import resolve
from schemaproof.markup.model import Scalar, Source
from schemaproof.markup.processing import Contexts
from schemaproof.markup.records import DEPTH_LIMIT, Fact, Records, escape
from schemaproof.markup.scope import KEYWORD, Key, Known, Scope, without_container
from schemaproof.vocabulary import Vocabulary

BENEATH_A_REFERENCE = frozenset({"@id", "@context", "@index"})


class Values:
    """The half of the walk that reads values; `Walk` reads objects.

    Arguments:
        records: where nodes and facts are noted.
        vocabulary: what is known; its namespaces decide what is foreign.
        base: address of the page.
        assume_schema_org: true to read objects without any context as if they had Schema.org's.
    """

    def __init__(self, records: Records, vocabulary: Vocabulary, base: str, *, assume_schema_org: bool) -> None:
        self.records = records
        self.vocabulary = vocabulary
        self.known = Known(vocabulary)
        self.is_term = self.known.is_term
        self.assume = assume_schema_org
        self.contexts = Contexts(self.known.is_term, base, self.known.is_namespace)
        self._scopes: dict[int, Scope] = {}
        self._stack: list[tuple[Any, ...]] = []
        self._source = ("json-ld", -1)
        self._label_scope = ""
        self._without_context: str | None = None
        self._advice = ""

    def scope(self, context: Context) -> Scope:
        """The scope of a context, the same for the same context."""
        found = self._scopes.get(id(context))
        if found is None:
            found = self._scopes[id(context)] = Scope(context, self.known)
        return found

    def _reporter(self, pointer: str) -> Any:
        def report(code: str, message: str, severity: str) -> None:
            self.records.report(code, message, pointer, severity)

        return report

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

    def _identifier(self, scope: Scope, value: Any, pointer: str) -> str:
        if not isinstance(value, str):
            self.records.report("invalid-id", f"An @id is a string, not {_kind(value)}: ignored.", pointer)
            return ""
        iri = scope.context.expand(value, self.is_term, vocab=False)
        if iri is None:
            return ""
        return f"{iri}{self._label_scope}" if iri.startswith("_:") else iri

    def _top(self, scope: Scope, value: Any, pointer: str, depth: int, in_graph: bool) -> None:
        raise NotImplementedError

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
        raise NotImplementedError

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
                    without_container(key),
                    value[keywords[wrapper]],
                    f"{pointer}/{escape(keywords[wrapper])}",
                    depth + 1,
                    backwards,
                )
                return
        if "@id" in keywords and all(scope.key(each).name in BENEATH_A_REFERENCE for each in value):
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
        plain = without_container(key)
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


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "an array", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value), "null" if value is None else "a string")
