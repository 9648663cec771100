"""The walk over JSON-LD objects: keys and types resolved through their contexts, one fact for every value."""

from __future__ import annotations

from typing import Any

from schemaproof.markup.context import UNSET
from schemaproof.markup.iri import is_absolute
from schemaproof.markup.model import Source
from schemaproof.markup.official import context_spelling
from schemaproof.markup.records import DEPTH_LIMIT, TYPE_LIMIT, Fact, escape
from schemaproof.markup.scope import FOREIGN, KEYWORD, PROPERTY, Key, Scope
from schemaproof.markup.values import BENEATH_A_REFERENCE, Values

_NO_NODE = BENEATH_A_REFERENCE | {"@graph"}


class Walk(Values):
    """Walks JSON-LD objects and notes nodes and facts down. Nothing recurses: depth costs no stack."""

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


def _has_context(value: Any) -> bool:
    """Whether an object or one of the members of its @graph has a context."""
    if isinstance(value, list):
        return any(isinstance(each, dict) and "@context" in each for each in value)
    if not isinstance(value, dict) or "@context" in value:
        return True
    graph = value.get("@graph")
    return isinstance(graph, list) and any(isinstance(each, dict) and "@context" in each for each in graph)
