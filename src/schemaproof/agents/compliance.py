"""The compliance agent without a model: does a value fit what its property means, whatever the page says?

Source: section 3.5 of the paper (the agent is given property, value and definition); the definitions on schema.org for
formats, ranges and enumerations. The page's text plays no part.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from functools import lru_cache

from schemaproof.agents import compliance_names as names
from schemaproof.agents.compliance_addresses import address_fault
from schemaproof.agents.compliance_expectations import Expectation, expectation, is_template
from schemaproof.agents.compliance_families import ASKS, WHAT, Weights, fit
from schemaproof.agents.compliance_fault import Fault
from schemaproof.agents.compliance_formats import formats
from schemaproof.agents.compliance_shape import has_html, shape, unrendered
from schemaproof.agents.compliance_siblings import sibling_faults
from schemaproof.agents.compliance_words import BUTTONS, GENERIC
from schemaproof.agents.verdict import Decision, Finding, Verdict
from schemaproof.markup.model import Graph, Scalar, Statement
from schemaproof.vocabulary import Vocabulary

RIGHT = 0.93
# Types whose `value` is a number by its definition.
_MEASURED = frozenset({"QuantitativeValue", "MonetaryAmount"})
THRESHOLD = 0.5
# Families whose values may be the words of the property's own name ("url: url" is told by its format).
_OWN_NAMES = frozenset({"code", "token", "type", "any", "reference"})


class EmbeddedCompliance:
    """Judges literal statements by the formats, ranges and enumerations of their properties and by the values' shape.

    Arguments:
        vocabulary: whose properties are judged.
        weights: in place of those of `compliance_families.FAMILIES`, for experiments (`scripts/train_judges.py`).
    """

    def __init__(self, vocabulary: Vocabulary, weights: Weights | None = None) -> None:
        self.vocabulary = vocabulary
        self._weights = weights
        self._formats = formats()
        self._expectation = lru_cache(maxsize=4096)(lambda name: expectation(vocabulary, name))

    def judge(
        self, graph: Graph, indices: Container[int] | Iterable[int] | None = None, language: str = ""
    ) -> tuple[list[Verdict | None], list[Finding]]:
        """Verdicts on the literal statements of a markup.

        Arguments:
            graph: the markup.
            indices: which statements to judge (indices into `graph.statements`); all where None.
            language: BCP 47 primary subtag of the page, or "": in which language names of countries, languages,
                currencies and months may be given.

        Returns:
            Verdicts parallel to `graph.statements` (None for entities and what was not asked), and findings about
            values that are untidy but right.
        """
        asked = None if indices is None else frozenset(indices) if isinstance(indices, Iterable) else indices
        verdicts: list[Verdict | None] = []
        findings: list[Finding] = []
        for index, statement in enumerate(graph.statements):
            if statement.entity is not None or statement.value is None or (asked is not None and index not in asked):
                verdicts.append(None)
                continue
            verdict, found = self.judge_statement(statement, language)
            verdicts.append(verdict)
            findings.extend(found)
        for index, fault in sibling_faults(graph, self.vocabulary):
            earlier = verdicts[index]
            if earlier is not None and earlier.decision is Decision.KEEP:
                statement = graph.statements[index]
                if fault.untidy:
                    findings.append(_finding(statement, fault))
                else:
                    verdicts[index] = _rejection(statement, fault)
        return verdicts, findings

    def judge_statement(self, statement: Statement, language: str = "") -> tuple[Verdict | None, list[Finding]]:
        """The verdict on one literal statement by itself, and what is untidy about it."""
        name, value = statement.property, statement.value
        if value is None or name.startswith("@"):
            return None, []
        annotated = name.removesuffix("-input").removesuffix("-output")
        if annotated != name and annotated in self.vocabulary.properties:
            # What an action takes or gives back (PropertyValueSpecification): a notation of its own.
            return Verdict(Decision.KEEP, "fits", f"It says what {annotated} an action takes or gives.", RIGHT), []
        if name not in self.vocabulary.properties:
            better = self.vocabulary.nearest_property(name, statement.types) or ""
            return _rejection(statement, Fault("unknown-property", "means nothing: no such property", better, 0.1)), []
        fault = self._fault(statement, value, language)
        if fault is not None and not fault.untidy:
            return _rejection(statement, fault), []
        findings = [] if fault is None else [_finding(statement, fault)]
        if isinstance(value, str) and (html := has_html(value)):
            said = "tags" if html == "tags" else "character references"
            findings.append(
                _finding(statement, Fault("html-in-text", f"holds HTML {said}; plain text reads better", "", 0.9))
            )
        probability = RIGHT if fault is None else fault.probability
        return Verdict(Decision.KEEP, "fits", f"It fits what {name} means.", probability), findings

    def _fault(self, statement: Statement, value: Scalar, language: str) -> Fault | None:
        name = statement.property
        types = [each for each in statement.types if each in self.vocabulary.types]
        if types and len(types) == len(statement.types) and name not in self.vocabulary.properties_of(types):
            kinds = " or ".join(types)
            return Fault(
                "property-of-other-types", f"describes other things: {name} is no property of {kinds}", probability=0.15
            )
        text = _text(value)
        expected = self._expectation(name)
        if not text:
            return Fault("empty-value", "is empty")
        # "none" and "unknown" are terms of some lists of terms (accessibilityHazard)
        listed = expected.family == "token" and text.casefold() in ("none", "unknown")
        listed = listed or (expected.format == "country" and text == "NA")  # Namibia
        if not is_template(name) and not listed and (hole := unrendered(text)):
            return Fault("placeholder", f"is or holds a placeholder ({hole[:40]}) that was never filled in")
        if expected.family in ("prose", "long", "name") and text.casefold().strip(" .…>»›") in BUTTONS:
            return Fault("button-text", "is the label of a button or link", probability=0.2)
        if text.casefold() in GENERIC.get(name, ()) or (
            expected.family not in _OWN_NAMES and re.sub(r"[\s_-]", "", text.casefold()) == name.casefold()
        ):
            return Fault("label-for-value", "is the label of the value, not the value", probability=0.12)
        if expected.enumerations or expected.type_names:
            known, fault = self._member(name, text, expected)
            if known:
                return fault
        if statement.reference and expected.format not in ("url", "image"):
            return None  # the name of an entity, not a text
        if isinstance(value, bool) and not expected.boolean:
            return Fault("boolean-for-text", f"is a boolean; {name} asks for {ASKS[expected.family]}", probability=0.1)
        if expected.boolean and names.bare_term(text).casefold() in ("true", "false"):
            return None
        if name == "value" and not _MEASURED.isdisjoint(statement.types):
            return self._formats["number"](text[:300], language)
        if expected.format:
            return self._formatted(statement, text, expected, language)
        return self._worded(statement, text, expected, language)

    def _formatted(self, statement: Statement, text: str, expected: Expectation, language: str) -> Fault | None:
        name = statement.property
        other = expected.url and expected.format not in ("url", "image")
        if other and len(text) < 8000 and self._formats["url"](text, language) is None:
            return None
        limit = 8000 if expected.format in ("url", "image", "points") else 300
        if len(text) > limit and not text.startswith("data:image/"):
            return Fault("too-long", "is far too long for what is asked", probability=0.05)
        fault = self._formats[expected.format](text[:limit], language)
        if fault is None or fault.untidy:
            if expected.format in ("url", "image"):
                return address_fault(self.vocabulary, name, text, statement.types) or fault
            return fault
        if expected.entity and expected.format == "date":
            return None
        if expected.text:
            fitted = fit("term", shape(text, language))
            return None if fitted.probability >= THRESHOLD else fault
        if expected.format == "image" and expected.entity and name not in ("image", "logo") and "://" not in text:
            return fault
        return fault

    def _worded(self, statement: Statement, text: str, expected: Expectation, language: str) -> Fault | None:
        name = statement.property
        found = shape(text, language)
        extra = set()
        if "camel" in found.kinds and text in self.vocabulary.properties:
            extra.add("property-name")
        if "url" in found.kinds and (other := address_fault(self.vocabulary, name, text, statement.types)):
            return other
        fitted = fit(
            expected.family, found, url=expected.url or expected.entity, extra=frozenset(extra), weights=self._weights
        )
        if fitted.probability >= THRESHOLD:
            return None
        what = WHAT.get(fitted.against, "something else")
        asks = ASKS.get(expected.family, "something else")
        return Fault("value-of-other-kind", f"looks like {what}; {name} asks for {asks}", "", fitted.probability)

    def _member(self, name: str, text: str, expected: Expectation) -> tuple[bool, Fault | None]:
        """Whether the enumerations of the property settle the matter, and what is wrong."""
        local = self.vocabulary.local_name(text) or text
        vocabulary = self.vocabulary
        if expected.type_names and local in vocabulary.types:
            if any(vocabulary.is_a(local, each) for each in expected.type_names):
                return True, None
            better = vocabulary.iri(local + "Action") if local + "Action" in vocabulary.types else ""
            return True, Fault("other-type", f"names a type that {name} does not ask for", better, 0.3)
        for each in expected.enumerations:
            if local in vocabulary.members(each):
                return True, None
            if local in vocabulary.types and vocabulary.is_a(local, each):
                return True, None
        if not expected.enumerations:
            return False, None
        joined = " or ".join(expected.enumerations)
        if local in vocabulary.individuals and (local != text or text[:1].isupper()):
            return True, Fault("other-enumeration", f"is no member of {joined}", probability=0.08)
        nearest = vocabulary.nearest_member(text.replace(" ", ""), expected.enumerations)
        known = vocabulary.properties[name]
        if "Text" in known.ranges:
            return False, None
        if "://" in text:
            if local != text:
                return True, Fault("unknown-member", f"is no member of {joined}")
            if "URL" in known.ranges or re.search(r"#|purl\.|/ns/|vocab|ontolog|wikidata|wikipedia", text):
                return True, None
            return True, Fault("unknown-member", f"is no member of {joined}", probability=0.25)
        if nearest and nearest.casefold() == text.casefold():
            return True, Fault("member-case", f"is spelled otherwise in {joined}", vocabulary.iri(nearest), 0.6)
        if "DayOfWeek" in expected.enumerations:
            from schemaproof.agents.compliance_repair import day_name

            nearest = day_name(text) or nearest
        said = f"is no member of {joined}"
        if nearest:
            return True, Fault("unknown-member", said, vocabulary.iri(nearest), 0.5 if len(text) > 3 else 0.3)
        # long enumerations (medical specialties) name more than they have members for
        many = sum(len(vocabulary.members(each)) for each in expected.enumerations) > 20
        if many and fit("term", shape(text)).probability >= THRESHOLD and len(text) > 3:
            return True, Fault("unknown-member", said, "", 0.5)
        return True, Fault("unknown-member", said, "", 0.15)


def _text(value: Scalar) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return str(value).strip()


def _shown(value: Scalar | None) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def _rejection(statement: Statement, fault: Fault) -> Verdict:
    reason = f"“{_shown(statement.value)}” under {statement.property} {fault.reason}."
    return Verdict(Decision.REJECT, fault.rule, reason, round(fault.probability, 4), suggestion=fault.suggestion)


def _finding(statement: Statement, fault: Fault) -> Finding:
    message = f"“{_shown(statement.value)}” under {statement.property} {fault.reason}."
    return Finding(fault.rule, "warning", statement.path, message, fault.suggestion, "compliance")
