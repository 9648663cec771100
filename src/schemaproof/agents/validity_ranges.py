"""Whether a value fits the range of a property."""

from __future__ import annotations

import re
from typing import NamedTuple

from schemaproof.agents.policies import Policy
from schemaproof.agents.validity_forms import ASKED, FORMS, fits, looks_like_address, repaired
from schemaproof.agents.verdict import Decision, Verdict
from schemaproof.markup.model import Graph, Statement
from schemaproof.vocabulary import Member, Vocabulary

# Meant as an ISO 8601 duration, whatever is wrong with it ("PT1H30").
_BROKEN_DURATION = re.compile(r"P[T0-9YMWDHS.,]*[0-9][T0-9YMWDHS.,]*")
# Data types in the order in which a value is tried and repaired: the more exact first.
_ORDER = ("Boolean", "Integer", "Number", "Float", "DateTime", "Date", "Time", "Duration", "Mass", "Distance", "Energy")
# An instant and its day: one stands for the other, only more or less exactly.
_NEAR = {"Date": "DateTime", "DateTime": "Date"}
_FORM_RULES = {
    "Boolean": "not-a-boolean",
    "Integer": "not-a-number",
    "Number": "not-a-number",
    "Float": "not-a-number",
    "DateTime": "not-a-date",
    "Date": "not-a-date",
    "Time": "not-a-time",
    "Duration": "not-a-duration",
    "Mass": "not-a-quantity",
    "Distance": "not-a-quantity",
    "Energy": "not-a-quantity",
    "Quantity": "not-a-quantity",
}
# Classes that a bare number can stand for.
_NUMERIC_ENTITIES = frozenset({"QuantitativeValue", "QualitativeValue", "MonetaryAmount", "StructuredValue"})
_PAPER_NUMBERS = frozenset({"Number", "Float", "Integer", "QuantitativeValue", "QualitativeValue"})

_WORDS = re.compile(r"[^\W\d_]|[^\w\s.,'’+-]")
_XSD = "http://www.w3.org/2001/XMLSchema#"
_TEXTS = frozenset({_XSD + "string"})
_XSD_NUMBERS = frozenset(_XSD + name for name in ("integer", "double", "decimal", "float"))
_XSD_BOOLEAN = _XSD + "boolean"

KEEP = Verdict(Decision.KEEP)


class Advice(NamedTuple):
    """A value that is kept, with something to tell about it.

    Attributes:
        rule, severity, message, suggestion: as in `Finding`.
    """

    rule: str
    severity: str
    message: str
    suggestion: str = ""


Outcome = Verdict | Advice


def shown(value: object) -> str:
    """A value as a message quotes it, not longer than a line."""
    text = "true" if value is True else "false" if value is False else str(value)
    text = " ".join(text.split())
    return f"“{text[:57]}…”" if len(text) > 60 else f"“{text}”"


def listed(names: tuple[str, ...] | list[str]) -> str:
    """Names as a sentence lists them: "A, B or C", the rest counted where there are many."""
    if len(names) > 6:
        return f"{', '.join(names[:5])} or one of {len(names) - 5} others"
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else "nothing"


def article(word: str) -> str:
    """The word with its indefinite article."""
    return f"{'an' if word[:1] in 'AEIOaeio' else 'a'} {word}"


def _forms_of(data_type: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The forms of a data type: its own, else those of the data types above it."""
    if data_type in FORMS:
        return (data_type,)
    return tuple(each for each in vocabulary.types[data_type].ancestors if each in FORMS)


class Range:
    """The range of one property, worked out for quick checks.

    Arguments:
        name: the property.
        vocabulary: the vocabulary.
        policy: what is accepted.
    """

    def __init__(self, name: str, vocabulary: Vocabulary, policy: Policy) -> None:
        ranges = vocabulary.properties[name].ranges
        self.name = name
        self.ranges = ranges
        self._vocabulary = vocabulary
        self._policy = policy
        self.anything = not ranges
        self._expects = f"{name} expects {listed(ranges)}"
        data_types = {each for each in ranges if vocabulary.is_data_type(each)}
        #: Plain text fits: Text itself, or a kind of text that has no form of its own.
        self.text = policy.any_text or any(
            vocabulary.is_a(each, "Text") and each != "URL" and not vocabulary.is_a(each, "URL") for each in data_types
        )
        #: Any plain text fits.
        self.takes_text = self.text or self.anything
        self.url = any(vocabulary.is_a(each, "URL") for each in data_types)
        known_forms = {form for each in data_types for form in _forms_of(each, vocabulary)}
        self.forms = tuple(each for each in (*_ORDER, "Quantity") if each in known_forms)
        classes = [each for each in ranges if each not in data_types]
        #: A bare number can stand for the entity.
        self._counts = not _NUMERIC_ENTITIES.isdisjoint(ranges)
        self._checks = tuple(FORMS[each] for each in self.forms)
        self.enumerations = tuple(each for each in classes if vocabulary.is_enumeration(each))
        self.entities = tuple(each for each in classes if not vocabulary.is_enumeration(each))
        #: Classes whose instances fit.
        self.accepted = frozenset().union(*(vocabulary.below(each) | {each} for each in ranges))
        self.numeric = (
            bool(_PAPER_NUMBERS & {*ranges}) if policy.any_text else bool({"Integer", "Number", "Float"} & known_forms)
        )

    def outcome(self, statement: Statement, graph: Graph) -> Outcome:
        """What is to be said of the value of a statement, whatever its subject: `KEEP`, an advice or a rejection."""
        return self.literal(statement) if statement.entity is None else self.entity(statement, graph)

    def entity(self, statement: Statement, graph: Graph) -> Outcome:
        """Whether the node that is the value fits: by its types, or by its address where one is expected."""
        types = statement.entity or ()
        if self.anything or not self.accepted.isdisjoint(types):
            return KEEP
        if self.url and statement.object is not None and not graph.nodes[statement.object].id.startswith("_:"):
            return KEEP
        policy, vocabulary = self._policy, self._vocabulary
        if policy.open_untyped:
            if not types:
                return KEEP if self.entities or self.enumerations else self._no_entity(types)
            if policy.roles and any(vocabulary.is_a(each, "Role") for each in types):
                return KEEP
            known = [each for each in types if each in vocabulary.types]
            if not known and any(":" in each for each in types):
                return KEEP
            if any(not self.accepted.isdisjoint(vocabulary.types[each].superseded_by) for each in known):
                return KEEP
            if not known:
                better = vocabulary.nearest_type(types[0])
                return Verdict(
                    Decision.REJECT,
                    "value-of-unknown-type",
                    f"The value is of the type {types[0]}, which the vocabulary does not have; {self._expects}.",
                    suggestion=better if better in self.accepted else "",
                )
        return self._no_entity(types)

    def _no_entity(self, types: tuple[str, ...]) -> Verdict:
        given = article(" and ".join(types)) if types else "an entity"
        return Verdict(
            Decision.REJECT,
            "wrong-value-type",
            f"{self._expects}, but the value is {given}.",
        )

    def literal(self, statement: Statement) -> Outcome:
        """Whether the literal, or the reference to a node that is not on the page, fits."""
        if self._policy.any_text:
            return self._loosely(statement)
        value = "" if statement.value is None else statement.value
        if self.takes_text and (self.anything or isinstance(value, str)):
            return KEEP
        if self.url and isinstance(value, str) and looks_like_address(value):
            return KEEP
        for check in self._checks:
            if check(value):
                return KEEP
        if isinstance(value, str):
            return self._text(value, statement)
        # JSON numbers in place of digits ("sku": 123) say the same as text.
        if not isinstance(value, bool) and (self.text or self._counts):
            return KEEP
        return self._misfit(value, statement)

    def _loosely(self, statement: Statement) -> Outcome:
        """The paper's shapes: sh:datatype for literals, an IRI only for URL."""
        value, datatype = statement.value, statement.datatype
        if self.anything:
            return KEEP
        if statement.reference:
            fine = self.url
        elif statement.language:
            fine = False
        elif datatype and datatype not in _TEXTS and not self._vocabulary.is_data_type(datatype):
            # Data types of XML Schema: numbers and Booleans are told by them, all others are no xsd:string.
            fine = (datatype in _XSD_NUMBERS and self.numeric) or (
                datatype == _XSD_BOOLEAN and "Boolean" in self.ranges
            )
        elif isinstance(value, bool):
            fine = "Boolean" in self.ranges
        elif isinstance(value, int | float):
            fine = self.numeric
        else:
            fine = True
        if fine:
            return KEEP
        given = "an IRI" if statement.reference else shown(value)
        return Verdict(Decision.REJECT, "wrong-value-type", f"{self._expects}, but the value is {given}.")

    def _text(self, value: str, statement: Statement) -> Outcome:
        """A text that has none of the forms and is no address."""
        if ":" in value:
            name = self._vocabulary.local_name(value)
            if name is not None:
                outcome = self._term(name, value)
                if outcome is not None:
                    return outcome
        for form in self.forms:
            near = _NEAR.get(form)
            if near and fits(near, value):
                said = "a day only" if near == "Date" else "more than a day"
                better = value.strip().partition("T")[0] if near == "DateTime" else ""
                message = f"{self.name} expects {ASKED[form]}; {shown(value)} says {said}."
                return Advice("date-precision", "warning", message, better)
        if self.enumerations:
            outcome = self._member(value)
            if outcome is not None:
                return outcome
        if statement.reference and statement.value == value and ":" in value and (self.entities or self.enumerations):
            return KEEP
        if "Duration" in self.forms and _BROKEN_DURATION.fullmatch(value.strip()):
            return self._misfit(value, statement)
        if self.entities or (self.enumerations and not self.forms):
            return self._for_entity(value, statement.language)
        return self._misfit(value, statement)

    def _term(self, name: str, value: str) -> Outcome | None:
        """A term of the vocabulary as value; None where other rules decide."""
        vocabulary = self._vocabulary
        member = vocabulary.individuals.get(name)
        if member is not None:
            if self._takes(member):
                return self._taken(member)
            return None if self.url else self._wrong_member(name, member.types)
        if self.url or (self.entities and not self.enumerations):
            return KEEP
        if name in vocabulary.types and self.enumerations and not self.accepted.isdisjoint((name,)):
            return Verdict(
                Decision.REJECT,
                "unknown-member",
                f"{name} is the enumeration itself; {self.name} expects one of its members: "
                f"{listed(vocabulary.members(name))}.",
            )
        if self.enumerations:
            return self._unknown_member(name, value)
        return None

    def _member(self, value: str) -> Outcome | None:
        """A bare name or a text where a member of an enumeration is expected; None where it is plain text."""
        vocabulary = self._vocabulary
        name = value.strip()
        member = vocabulary.individuals.get(name)
        if member is not None:
            if self._takes(member):
                return self._taken(member)
            return None if self.entities else self._wrong_member(name, member.types)
        if ":" in name or self.entities:
            # GoodRelations' and others' members; Schema.org's own were looked up before.
            return KEEP if ":" in name else None
        if vocabulary.nearest_member(name, self.enumerations):
            return self._unknown_member(name, value)
        return None

    def _takes(self, member: Member) -> bool:
        ancestors = (self._vocabulary.types[each].ancestors for each in member.types)
        return any(not self.accepted.isdisjoint(each) for each in ancestors)

    def _taken(self, member: Member) -> Outcome:
        """A member that fits: kept, with a word about its successor if it has one."""
        if not member.superseded_by:
            return KEEP
        message = f"{member.name} is superseded by {listed(member.superseded_by)}."
        return Advice("superseded-term", "warning", message, self._vocabulary.iri(member.superseded_by[0]))

    def _wrong_member(self, name: str, types: tuple[str, ...]) -> Verdict:
        if not self.enumerations:
            return Verdict(
                Decision.REJECT,
                "wrong-value-type",
                f"{self._expects}, but {name} is {article(types[0])}.",
            )
        members = [each for enumeration in self.enumerations for each in self._vocabulary.members(enumeration)]
        return Verdict(
            Decision.REJECT,
            "wrong-enumeration",
            f"{name} is a member of {types[0]}, not of {listed(self.enumerations)}, which {self.name} expects: "
            f"{listed(members)}.",
        )

    def _unknown_member(self, name: str, value: str) -> Verdict:
        vocabulary = self._vocabulary
        better = vocabulary.nearest_member(name, self.enumerations)
        members = [each for enumeration in self.enumerations for each in vocabulary.members(enumeration)]
        return Verdict(
            Decision.REJECT,
            "unknown-member",
            f"{shown(value)} is no member of {listed(self.enumerations)}, which {self.name} expects: "
            f"{listed(members)}.",
            suggestion=vocabulary.iri(better) if better else "",
        )

    def _for_entity(self, value: str, language: str) -> Outcome:
        # Clearly meant as the data type, and out of form. Words beside a number may tell a quantity or an amount.
        if self.forms and not (self._counts and self.numeric and _WORDS.search(value)):
            better = repaired(self.forms, value, language)
            if better:
                return self._misfit(value, None, better)
        if looks_like_address(value) and ("://" in value or value[:1] in "/#"):
            return KEEP
        return Advice(
            "text-for-entity",
            "warning",
            f"{self._expects}; the text {shown(value)} is accepted, but says less.",
        )

    def _misfit(self, value: str | int | float | bool, statement: Statement | None, better: str = "") -> Verdict:
        if not better and self.forms:
            better = repaired(self.forms, value, statement.language if statement else "")
        if self.forms:
            rule = _FORM_RULES[self.forms[0]]
            asked = listed([ASKED[each] for each in self.forms[-2:]] + (["an address"] if self.url else []))
        elif self.url:
            rule, asked = "not-a-url", "an address"
        else:
            rule, asked = "wrong-value-type", listed(self.ranges)
        given = shown(value) if value != "" else "an empty text"
        return Verdict(
            Decision.REJECT, rule, f"{self.name} expects {asked}, but the value is {given}.", suggestion=better
        )
