"""The rules of the validity agent and of the policy `google`: stable ids, and what each says.

`docs/rules.md` has a bad and a good example of each; the tests run them.
"""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    """A rule.

    Attributes:
        agent: "validity" or "google".
        severity: of its findings: "error", "warning" or "info".
        rejects: whether a statement that breaks it is rejected.
        says: what it asks, one sentence.
    """

    agent: str
    severity: str
    rejects: bool
    says: str


RULES: dict[str, Rule] = {
    "unknown-type": Rule("validity", "error", True, "A type is one of the vocabulary."),
    "unknown-property": Rule("validity", "error", True, "A property is one of the vocabulary."),
    "wrong-domain": Rule("validity", "warning", True, "A property stands on a type that has or inherits it."),
    "annotation-outside-action": Rule(
        "validity", "error", True, "PROPERTY-input and PROPERTY-output stand in an action."
    ),
    "wrong-value-type": Rule("validity", "error", True, "A value is of a class in the property's range."),
    "value-of-unknown-type": Rule("validity", "error", True, "A value's type is one of the vocabulary."),
    "wrong-enumeration": Rule("validity", "error", True, "A member is of the enumeration that the property expects."),
    "unknown-member": Rule("validity", "error", True, "A member of an enumeration is one that exists."),
    "not-a-boolean": Rule("validity", "error", True, "A Boolean is true or false."),
    "not-a-number": Rule("validity", "error", True, "A number is written in digits, with a point."),
    "not-a-date": Rule("validity", "error", True, "A date is an ISO 8601 date, a date-time one joined by T."),
    "not-a-time": Rule("validity", "error", True, "A time of day is written hh:mm or hh:mm:ss."),
    "not-a-duration": Rule("validity", "error", True, "A duration is an ISO 8601 duration."),
    "not-a-quantity": Rule("validity", "error", True, "A mass, distance or energy is a number and a unit."),
    "not-a-url": Rule("validity", "error", True, "A URL is an address, not prose."),
    "text-for-entity": Rule("validity", "warning", False, "An entity says more than its name as text."),
    "date-precision": Rule("validity", "warning", False, "A Date is a day, a DateTime an instant."),
    "superseded-term": Rule("validity", "warning", False, "A term that has a successor is replaced by it."),
    "retired-term": Rule("validity", "warning", False, "A term is not a retired one."),
    "pending-term": Rule("validity", "info", False, "A term that is pending may still change."),
    "google-required": Rule("google", "error", False, "An entity has what the rich result needs."),
    "google-recommended": Rule("google", "info", False, "An entity has what makes the rich result better."),
    "google-retired": Rule("google", "info", False, "A rich result is one that is still shown."),
    "google-eligible": Rule("google", "info", False, "Nothing is missing for a rich result."),
}
