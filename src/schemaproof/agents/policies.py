"""Policies of the validity agent: small, named sets of switches."""

from __future__ import annotations

from dataclasses import dataclass

from schemaproof.errors import SpecError


@dataclass(frozen=True, slots=True)
class Policy:
    """What the validity agent accepts.

    Attributes:
        name: its name on the command line.
        every_type: a property must belong to every known type of its node; else to any of them.
        closed_unknown: nothing about a node whose types are all unknown is accepted; else only its @type is
            rejected, and only where the node holds a literal.
        any_text: a plain string fits every range; else data types have their form, enumerations their members.
        tagged_text: text with a language tag is text.
        open_references: a reference to a node that is not on the page cannot be checked and is accepted; else it
            fits only ranges with URL.
        open_untyped: a node without a type fits every range that has a class, and its own properties are checked
            against the ranges that lead to it; else it fits none and nothing about it is checked.
        roles: a Role may stand between a property and its value.
        annotations: PROPERTY-input and PROPERTY-output are properties of actions.
        advice: findings beside the verdicts are wanted (superseded, pending, text for an entity).
        rich_results: findings about Google's rich results are wanted.
    """

    name: str
    every_type: bool = False
    closed_unknown: bool = True
    any_text: bool = False
    tagged_text: bool = True
    open_references: bool = True
    open_untyped: bool = True
    roles: bool = True
    annotations: bool = True
    advice: bool = True
    rich_results: bool = False


POLICIES = {
    each.name: each
    for each in (
        Policy("schema.org"),
        # Section 3.3 of the paper: closed SHACL shapes, one for each class.
        Policy(
            "paper",
            every_type=True,
            closed_unknown=False,
            any_text=True,
            tagged_text=False,
            open_references=False,
            open_untyped=False,
            roles=False,
            annotations=False,
            advice=False,
        ),
        Policy("google", rich_results=True),
    )
}


def policy(name: str) -> Policy:
    """The policy of that name: "schema.org", "paper" or "google".

    Raises:
        SpecError: there is no such policy.
    """
    found = POLICIES.get(name)
    if found is None:
        raise SpecError(f"there is no policy {name!r}; known are {', '.join(POLICIES)}")
    return found
