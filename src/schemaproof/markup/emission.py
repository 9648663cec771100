"""Expanded JSON-LD to RDF (JSON-LD 1.1 API, clauses 7.1 and 8.1)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from schemaproof.markup.context import Report
from schemaproof.markup.iri import is_absolute, is_well_formed
from schemaproof.markup.literals import FIRST, JSON, NIL, REST, TYPE, escaped, is_language, typed


class Emitter:
    """States what expanded node objects say.

    Arguments:
        found: triples as (subject, predicate, object, graph); new ones are added.
        labels: the author's blank node labels → ours.
        issue: gives a new label.
        report: told of what is no RDF.
    """

    def __init__(
        self,
        found: dict[tuple[str, str, str, str], None],
        labels: dict[str, str],
        issue: Callable[[], str],
        report: Report,
    ) -> None:
        self.found = found
        self.labels = labels
        self.issue = issue
        self.report = report
        # Nodes still to be stated: (object, its term, graph).
        self._stack: list[tuple[dict[str, Any], str, str]] = []

    def document(self, nodes: list[Any]) -> None:
        """State all nodes of a document, those within them included."""
        self._nodes(nodes, "")
        while self._stack:
            node, subject, graph = self._stack.pop()
            self._node(node, subject, graph)

    def _nodes(self, nodes: list[Any], graph: str) -> None:
        for node in reversed(nodes):
            if isinstance(node, dict):
                self._stack.append((node, self._subject(node), graph))

    def _subject(self, node: dict[str, Any]) -> str:
        name = node.get("@id")
        return self._resource(name) if isinstance(name, str) else "" if "@id" in node else self.issue()

    def _resource(self, iri: str) -> str:
        if iri.startswith("_:"):
            label = self.labels.get(iri)
            if label is None:
                label = self.labels[iri] = self.issue()
            return label
        if is_well_formed(iri):
            return f"<{iri}>"
        shown = iri if len(iri) <= 80 else f"{iri[:77]}..."
        if is_absolute(iri):
            self.report("invalid-url", f"{shown} is no valid URL: left out.", "warning")
        else:
            self.report("relative-iri", f"{shown} is relative and stays so: left out.", "warning")
        return ""

    def _state(self, subject: str, predicate: str, value: str, graph: str) -> None:
        if subject and predicate and value:
            self.found[subject, predicate, value, graph] = None

    def _node(self, node: dict[str, Any], subject: str, graph: str) -> None:
        below: list[tuple[dict[str, Any], str, str]] = []
        for name in node.get("@type", ()):
            self._state(subject, TYPE, self._resource(name), graph)
        for name, values in node.items():
            if name == "@graph":
                if subject:
                    below += [(each, self._subject(each), subject) for each in values if isinstance(each, dict)]
            elif name == "@included":
                below += [(each, self._subject(each), graph) for each in values if isinstance(each, dict)]
            elif name == "@reverse":
                for back, sources in values.items():
                    predicate = self._predicate(back)
                    for source in sources:
                        term = self._object(source, graph, below)
                        self._state(term, predicate, subject, graph)
            elif name[:1] != "@":
                predicate = self._predicate(name)
                for value in values:
                    self._state(subject, predicate, self._object(value, graph, below), graph)
        self._stack.extend(reversed(below))

    def _predicate(self, iri: str) -> str:
        # A blank node is no predicate in RDF.
        return "" if iri.startswith("_:") else self._resource(iri)

    def _object(self, value: dict[str, Any], graph: str, below: list[tuple[dict[str, Any], str, str]]) -> str:
        if "@value" in value:
            return self._literal(value)
        if "@list" in value:
            return self._list(value["@list"], graph, below)
        subject = self._subject(value)
        if value.keys() - {"@id", "@index"}:
            below.append((value, subject, graph))
        return subject

    def _list(self, members: list[Any], graph: str, below: list[tuple[dict[str, Any], str, str]]) -> str:
        # A list in a list is stated on its turn: its head is known as soon as it is seen.
        first = ""
        pending: list[tuple[str, list[Any]]] = []

        def head(values: list[Any]) -> str:
            if not values:
                return NIL
            cell = self.issue()
            pending.append((cell, values))
            return cell

        first = head(members)
        while pending:
            cell, values = pending.pop()
            for number, value in enumerate(values):
                term = head(value["@list"]) if "@list" in value else self._object(value, graph, below)
                self._state(cell, FIRST, term, graph)
                rest = self.issue() if number < len(values) - 1 else NIL
                self._state(cell, REST, rest, graph)
                cell = rest
        return first

    def _literal(self, value: dict[str, Any]) -> str:
        literal = value["@value"]
        types = value.get("@type", ())
        if "@json" in types:
            return f'"{escaped(canonical_json(literal))}"^^<{JSON}>'
        if types:
            if not is_well_formed(types[0]):
                self.report("invalid-url", "The @type of a value is no valid URL: left out.", "warning")
                return ""
            return typed(literal, types[0])
        language = value.get("@language")
        if isinstance(language, str):
            if not is_language(language):
                self.report("invalid-language", f"{language[:80]} is no language tag: left out.", "warning")
                return ""
            return f'"{escaped(literal)}"@{language}'
        return typed(literal, "")


def canonical_json(value: Any) -> str:
    """JSON in canonical form (RFC 8785): keys sorted by UTF-16, numbers as ECMAScript prints them."""
    parts: list[str] = []
    pending: list[Any] = [(value,)]
    while pending:
        task = pending.pop()
        if isinstance(task, str):
            parts.append(task)
            continue
        each = task[0]
        if isinstance(each, dict):
            pieces: list[Any] = ["{"]
            for number, key in enumerate(sorted(each, key=lambda name: name.encode("utf-16-be", "surrogatepass"))):
                pieces.append(("," if number else "") + json.dumps(key, ensure_ascii=False) + ":")
                pieces.append((each[key],))
            pending.extend(reversed([*pieces, "}"]))
        elif isinstance(each, list):
            pieces = ["["]
            for number, member in enumerate(each):
                if number:
                    pieces.append(",")
                pieces.append((member,))
            pending.extend(reversed([*pieces, "]"]))
        elif isinstance(each, float):
            parts.append(_number(each))
        else:
            parts.append(json.dumps(each, ensure_ascii=False))
    return "".join(parts)


def _number(value: float) -> str:
    """A number as ECMAScript prints it (ECMA-262, Number::toString)."""
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    digits, _, exponent = repr(value).partition("e")
    if not exponent:
        return digits
    power = int(exponent)
    if -6 <= power < 0:
        plain = digits.lstrip("-").replace(".", "")
        return f"{'-' if value < 0 else ''}0.{'0' * (-power - 1)}{plain}"
    return f"{digits.removesuffix('.0')}e{'+' if power > 0 else ''}{power}"
