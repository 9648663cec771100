"""The whole of JSON-LD expansion (JSON-LD 1.1 API, clauses 5.1 to 5.3), for documents that our quick walk leaves alone.

It follows the recommendation step by step, but what the recommendation calls an error is reported and left out, so
that one bad value does not hide a document. Nothing recurses: a step that needs another one yields it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from schemaproof.markup.context import KEYWORDS, UNSET, Context, Report, Term
from schemaproof.markup.iri import is_absolute
from schemaproof.markup.processing import Contexts
from schemaproof.markup.records import DEPTH_LIMIT

# A step of the work: yields the steps it needs, is sent what they return.
Step = Generator["Step", Any, Any]

_VALUE_KEYS = frozenset({"@value", "@type", "@language", "@direction", "@index"})
# What says nothing where it belongs to no property.
_FLOATING = frozenset({"@value", "@list"})
_NO_TERM = Term("")


def run(step: Step) -> Any:
    """Carry a step out, with all that it yields."""
    stack = [step]
    result: Any = None
    while stack:
        try:
            stack.append(stack[-1].send(result))
            result = None
        except StopIteration as done:
            stack.pop()
            result = done.value
    return result


class Expander:
    """Expands documents.

    Arguments:
        contexts: processes their contexts.
        report: told of what is left out.
    """

    def __init__(self, contexts: Contexts, report: Report) -> None:
        self.contexts = contexts
        self.is_term = contexts.is_term
        self.report = report
        self._depth = 0

    def document(self, document: Any) -> list[Any]:
        """A document as a list of expanded node objects."""
        expanded = run(self._element(self.contexts.initial, None, document))
        while isinstance(expanded, dict) and expanded.keys() == {"@graph"}:
            expanded = expanded["@graph"]
        return _many(expanded)

    # 5.1 Expansion

    def _element(self, active: Context, prop: str | None, element: Any, from_map: bool = False) -> Step:
        if element is None:
            return None
        term = _term(active, prop)
        if isinstance(element, list):
            return (yield self._array(active, prop, element, from_map))
        if not isinstance(element, dict):
            if prop is None or prop == "@graph":
                return None
            if term.context is not UNSET:
                active = self.contexts.extend(active, term.context, self.report)
            return self._value(active, prop, element)
        if self._depth >= DEPTH_LIMIT:
            self.report("too-deep", f"Nested deeper than {DEPTH_LIMIT} levels: left out.", "error")
            return None
        self._depth += 1
        try:
            return (yield self._map(active, prop, element, from_map))
        finally:
            self._depth -= 1

    def _array(self, active: Context, prop: str | None, element: list[Any], from_map: bool) -> Step:
        if self._depth >= DEPTH_LIMIT:
            self.report("too-deep", f"Nested deeper than {DEPTH_LIMIT} levels: left out.", "error")
            return None
        as_list = "@list" in _term(active, prop).container
        result: list[Any] = []
        self._depth += 1
        for item in element:
            expanded = yield self._element(active, prop, item, from_map)
            if as_list and isinstance(expanded, list):
                expanded = {"@list": expanded}
            if isinstance(expanded, list):
                result.extend(expanded)
            elif expanded is not None:
                result.append(expanded)
        self._depth -= 1
        return result

    def _map(self, active: Context, prop: str | None, element: dict[str, Any], from_map: bool) -> Step:
        scoped = _term(active, prop).context
        if active.previous is not None and not from_map:
            meanings = [active.expand(key, self.is_term) for key in element]
            if "@value" not in meanings and meanings != ["@id"]:
                active = active.previous
        if scoped is not UNSET:
            active = self.contexts.extend(active, scoped, self.report)
        if "@context" in element:
            active = self.contexts.extend(active, element["@context"], self.report)
        of_types = active
        kind: str | None = None
        for key in sorted(element):
            if active.expand(key, self.is_term) != "@type":
                continue
            names = sorted(each for each in _many(element[key]) if isinstance(each, str))
            for name in names:
                local = _term(of_types, name).context
                if local is not UNSET:
                    active = self.contexts.extend(active, local, self.report, propagate=False)
            if names and kind is None:
                kind = active.expand(names[-1], self.is_term, relative=True)
        result: dict[str, Any] = {}
        yield self._entries(active, of_types, prop, element, result, kind)
        return self._finished(prop, result)

    def _entries(
        self,
        active: Context,
        of_types: Context,
        prop: str | None,
        element: dict[str, Any],
        result: dict[str, Any],
        kind: str | None,
    ) -> Step:
        nests: list[str] = []
        for key, value in element.items():
            if key == "@context":
                continue
            name = active.expand(key, self.is_term)
            if name is None or not (name in KEYWORDS or is_absolute(name) or name.startswith("_:")):
                continue
            if name in KEYWORDS:
                if prop == "@reverse":
                    self._wrong("invalid-reverse", f"{key} has no place in an @reverse")
                elif name in result and name not in ("@included", "@type"):
                    self._wrong("invalid-json-ld", f"{name} stands twice in one object")
                elif name == "@nest":
                    nests.append(key)
                else:
                    yield self._keyword(active, of_types, prop, name, value, result, kind)
                continue
            yield self._property(active, key, name, value, result)
        for key in nests:
            for nested in _many(element[key]):
                inner = active
                scoped = _term(active, key).context
                if scoped is not UNSET:
                    inner = self.contexts.extend(active, scoped, self.report)
                if isinstance(nested, dict) and all(inner.expand(each, self.is_term) != "@value" for each in nested):
                    yield self._entries(inner, of_types, prop, nested, result, kind)
                else:
                    self._wrong("invalid-nest", "an @nest holds objects")

    def _keyword(
        self,
        active: Context,
        of_types: Context,
        prop: str | None,
        name: str,
        value: Any,
        result: dict[str, Any],
        kind: str | None,
    ) -> Step:
        if name == "@id":
            if isinstance(value, str):
                result[name] = active.expand(value, self.is_term, vocab=False)
            else:
                self._wrong("invalid-id", "an @id is a string")
        elif name == "@type":
            types = [
                of_types.expand(each, self.is_term, relative=True) for each in _many(value) if isinstance(each, str)
            ]
            if len(types) < len(_many(value)):
                self._wrong("invalid-type", "an @type is a string or an array of strings")
            result[name] = [*result.get(name, []), *(each for each in types if each is not None)]
        elif name == "@graph":
            result[name] = _many((yield self._element(active, "@graph", value)))
        elif name == "@included":
            nodes = _many((yield self._element(active, None, value)))
            result[name] = [*result.get(name, []), *nodes]
        elif name == "@value":
            if kind == "@json" or value is None or not isinstance(value, dict | list):
                result[name] = value
            else:
                self._wrong("invalid-value", "an @value is a text, a number or a boolean")
                result[name] = None
        elif name == "@language":
            if isinstance(value, str):
                result[name] = value
            else:
                self._wrong("invalid-language", "an @language is a string")
        elif name == "@index":
            if isinstance(value, str):
                result[name] = value
        elif name == "@list":
            if prop is not None and prop != "@graph":
                result[name] = _many((yield self._element(active, prop, value)))
        elif name == "@set":
            result[name] = yield self._element(active, prop, value)
        elif name == "@reverse":
            if isinstance(value, dict):
                yield self._reverse(active, value, result)
            else:
                self._wrong("invalid-reverse", "an @reverse is an object")

    def _reverse(self, active: Context, value: dict[str, Any], result: dict[str, Any]) -> Step:
        expanded = yield self._element(active, "@reverse", value)
        if not isinstance(expanded, dict):
            return
        for name, items in expanded.items():
            if name == "@reverse":
                for again, nodes in items.items():
                    result.setdefault(again, []).extend(nodes)
            else:
                self._reversed(result, name, _many(items))

    def _reversed(self, result: dict[str, Any], name: str, items: list[Any]) -> None:
        nodes = [each for each in items if isinstance(each, dict) and "@value" not in each and "@list" not in each]
        if len(nodes) < len(items):
            self._wrong("invalid-reverse", "a value of @reverse is a node, not a literal")
        result.setdefault("@reverse", {}).setdefault(name, []).extend(nodes)

    def _property(self, active: Context, key: str, name: str, value: Any, result: dict[str, Any]) -> Step:
        term = _term(active, key)
        container = term.container
        expanded: Any
        if term.coercion == "@json":
            expanded = {"@value": value, "@type": ["@json"]}
        elif "@language" in container and isinstance(value, dict):
            expanded = self._language_map(active, value)
        elif container & {"@index", "@type", "@id"} and isinstance(value, dict):
            expanded = yield self._index_map(active, key, term, value)
        else:
            expanded = yield self._element(active, key, value)
        if expanded is None:
            return
        if "@list" in container and not (isinstance(expanded, dict) and "@list" in expanded):
            expanded = {"@list": _many(expanded)}
        if "@graph" in container and not container & {"@id", "@index"}:
            expanded = [{"@graph": _many(each)} for each in _many(expanded)]
        if term.reverse:
            self._reversed(result, name, _many(expanded))
        else:
            result.setdefault(name, []).extend(_many(expanded))

    def _language_map(self, active: Context, value: dict[str, Any]) -> list[Any]:
        result = []
        for tag, texts in value.items():
            for text in _many(texts):
                if text is None:
                    continue
                if not isinstance(text, str):
                    self._wrong("invalid-language-map", "a language map holds texts")
                    continue
                item = {"@value": text}
                if active.expand(tag, self.is_term) != "@none":
                    item["@language"] = tag
                result.append(item)
        return result

    def _index_map(self, active: Context, key: str, term: Term, value: dict[str, Any]) -> Step:
        container = term.container
        index_key = term.index or "@index"
        result: list[Any] = []
        for index in sorted(value):
            inner = active
            if container & {"@id", "@type"} and active.previous is not None:
                inner = active.previous
            if "@type" in container:
                local = _term(inner, index).context
                if local is not UNSET:
                    inner = self.contexts.extend(inner, local, self.report)
            expanded_index = active.expand(index, self.is_term)
            items = yield self._element(inner, key, _many(value[index]), True)
            for item in _many(items):
                if "@graph" in container and "@graph" not in item:
                    item = {"@graph": _many(item)}
                if expanded_index != "@none":
                    self._indexed(active, container, index_key, index, item)
                result.append(item)
        return result

    def _indexed(
        self, active: Context, container: frozenset[str], index_key: str, index: str, item: dict[str, Any]
    ) -> None:
        """What the key of a map says of one of its items."""
        if "@index" in container and index_key != "@index":
            if "@value" in item:
                self._wrong("invalid-value", "the key of this index map cannot be a property of a value")
                return
            name = active.expand(index_key, self.is_term)
            if name is not None:
                item[name] = [self._value(active, index_key, index), *_many(item.get(name))]
        elif "@index" in container:
            item.setdefault("@index", index)
        elif "@id" in container:
            item.setdefault("@id", active.expand(index, self.is_term, vocab=False))
        elif "@type" in container:
            name = active.expand(index, self.is_term, relative=True)
            item["@type"] = [each for each in (name, *_many(item.get("@type"))) if each is not None]

    def _finished(self, prop: str | None, result: dict[str, Any]) -> Any:
        """An object with its entries expanded, or None where it says nothing (steps 15 to 20)."""
        expanded: Any = result
        if "@value" in result:
            expanded = self._value_object(result)
        elif "@set" in result or "@list" in result:
            key = "@set" if "@set" in result else "@list"
            if result.keys() - {key, "@index"}:
                self._wrong("invalid-json-ld", f"nothing may stand beside {key}")
                return None
            if key == "@set":
                return result["@set"]
        if isinstance(expanded, dict) and expanded.keys() == {"@language"}:
            return None
        at_top = prop is None or prop == "@graph"
        if at_top and isinstance(expanded, dict) and (not expanded.keys() - {"@id"} or expanded.keys() & _FLOATING):
            return None
        return expanded

    def _value_object(self, result: dict[str, Any]) -> Any:
        types = result.get("@type", [])
        if result.keys() - _VALUE_KEYS or ("@type" in result and "@language" in result):
            self._wrong("invalid-value", "beside an @value stands its type or its language, and no more")
            return None
        if types == ["@json"]:
            return result
        if result["@value"] is None:
            return None
        if "@language" in result and not isinstance(result["@value"], str):
            self._wrong("invalid-value", "only a text has a language")
            return None
        if "@type" in result and (len(types) != 1 or not is_absolute(types[0])):
            self._wrong("invalid-value", "the @type of a value is one IRI")
            return None
        return result

    # 5.3 Value expansion

    def _value(self, active: Context, prop: str, value: Any) -> dict[str, Any]:
        term = _term(active, prop)
        if isinstance(value, str) and term.coercion == "@id":
            return {"@id": active.expand(value, self.is_term, vocab=False)}
        if isinstance(value, str) and term.coercion == "@vocab":
            return {"@id": active.expand(value, self.is_term, relative=True)}
        result: dict[str, Any] = {"@value": value}
        if term.coercion not in ("", "@id", "@vocab", "@none"):
            result["@type"] = [term.coercion]
        elif isinstance(value, str):
            language: Any = active.language if term.language is UNSET else term.language
            if language:
                result["@language"] = language
        return result

    def _wrong(self, code: str, what: str) -> None:
        self.report(code, f"{what[0].upper()}{what[1:]}: left out.", "warning")


def _term(active: Context, name: str | None) -> Term:
    return (active.term(name) or _NO_TERM) if name is not None else _NO_TERM


def _many(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
