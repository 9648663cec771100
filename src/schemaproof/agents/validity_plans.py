"""What the validity agent does with each property of each set of types, worked out once and remembered."""

from __future__ import annotations

from collections.abc import Callable

from schemaproof.agents.policies import Policy
from schemaproof.agents.validity_ranges import KEEP, Advice, Range, listed
from schemaproof.agents.verdict import Decision, Verdict
from schemaproof.markup.model import Graph, Statement, Step
from schemaproof.vocabulary import Vocabulary

# Distinct (types, property) pairs remembered; pages full of made-up names must not fill the memory.
REMEMBERED = 20_000


class Plan:
    """What is to be done with statements of one property on one set of types.

    Attributes:
        verdict: the verdict where the value does not matter, else None.
        silent: true where another finding says already what is wrong.
        range: what values must fit; None for anything.
        quick: true where any plain text is kept, and nothing is to be told.
        guard: decides by the surroundings first, for Role and action annotations.
        notes: advice on every use of the property.
    """

    __slots__ = ("guard", "notes", "quick", "range", "silent", "verdict")

    def __init__(
        self,
        *,
        verdict: Verdict | None = None,
        silent: bool = False,
        fitting: Range | None = None,
        guard: Callable[[Surroundings, Statement], Verdict | None] | None = None,
        notes: tuple[Advice, ...] = (),
    ) -> None:
        self.verdict = verdict
        self.silent = silent
        self.range = fitting
        self.quick = verdict is None and guard is None and not notes and (fitting is None or fitting.takes_text)
        self.guard = guard
        self.notes = notes


class Surroundings:
    """A graph seen from its nodes: which properties lead to a node. Worked out when first asked for."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._incoming: dict[int, list[Statement]] | None = None

    def incoming(self, node: int) -> list[Statement]:
        """The statements whose value the node is."""
        if self._incoming is None:
            self._incoming = {}
            for statement in self.graph.statements:
                if statement.object is not None:
                    self._incoming.setdefault(statement.object, []).append(statement)
        return self._incoming.get(node, [])


class Plans:
    """A vocabulary and a policy, with what was worked out for them.

    Arguments:
        vocabulary: the vocabulary.
        policy: what is accepted.
    """

    def __init__(self, vocabulary: Vocabulary, policy: Policy) -> None:
        self.vocabulary = vocabulary
        self.policy = policy
        self._plans: dict[tuple[str, ...], dict[str, Plan]] = {}
        self._remembered = 0
        self._ranges: dict[str, Range] = {}
        self._type_notes: dict[tuple[str, ...], tuple[Advice, ...]] = {}

    def of_types(self, types: tuple[str, ...]) -> dict[str, Plan]:
        """The plans for the properties of a set of types that were met before."""
        if self._remembered >= REMEMBERED:
            self._plans.clear()
            self._remembered = 0
        return self._plans.setdefault(types, {})

    def make(self, plans: dict[str, Plan], statement: Statement) -> Plan:
        """The plan for a statement's property on its types, remembered among those of the types."""
        if statement.property == "@type":
            # The value decides, not the property: not remembered.
            return self._type_plan(statement)
        plan = self._property_plan(statement.types, statement.property)
        if self._remembered < REMEMBERED:
            self._remembered += 1
            plans[statement.property] = plan
        return plan

    # Types

    def _type_plan(self, statement: Statement) -> Plan:
        vocabulary = self.vocabulary
        written = str(statement.value)
        name = vocabulary.local_name(written) or written
        if not self.policy.closed_unknown:
            return Plan(guard=_unless_it_holds_a_literal(name))
        member_of = vocabulary.member_types(name)
        if member_of:
            reason = f"{name} is a member of {listed(member_of)}, not a type: refer to it by its address."
            better = ""
        elif name in vocabulary.properties:
            reason = f"{name} is a property, not a type."
            better = vocabulary.nearest_type(name) or ""
        else:
            better = vocabulary.nearest_type(_bare(name)) or ""
            reason = f"{name or 'An empty text'} is no type of the vocabulary{_release(vocabulary)}."
            if better:
                reason = f"{reason[:-1]}; {better} is."
        return Plan(verdict=Verdict(Decision.REJECT, "unknown-type", reason, suggestion=better))

    # Properties

    def _range(self, name: str) -> Range:
        found = self._ranges.get(name)
        if found is None:
            found = self._ranges[name] = Range(name, self.vocabulary, self.policy)
        return found

    def _property_plan(self, types: tuple[str, ...], name: str) -> Plan:
        vocabulary, policy = self.vocabulary, self.policy
        known = tuple(each for each in types if each in vocabulary.types)
        if types and not known:
            if not policy.closed_unknown:
                return Plan()
            if not any(":" in each for each in types):
                return Plan(
                    verdict=Verdict(
                        Decision.REJECT,
                        "unknown-type",
                        f"It says something about {' and '.join(types)}, which is no type of the vocabulary.",
                    ),
                    silent=True,
                )
        if name not in vocabulary.properties:
            if policy.annotations and name.endswith(("-input", "-output")):
                plan = self._annotation_plan(known, name)
                if plan is not None:
                    return plan
            if policy.every_type and not self._closed(known):
                return Plan()
            return self._unknown_property(known, name)
        if not types and not policy.open_untyped:
            return Plan()
        fitting = self._range(name)
        notes = self._notes(name, is_property=True)
        if not known:
            guard = self._guard_of_untyped(name) if not types else None
            return Plan(fitting=fitting, notes=notes, guard=guard)
        if policy.every_type:
            failing = [each for each in self._closed(known) if name not in vocabulary.properties_of(each)]
            if failing:
                return self._wrong_domain(tuple(failing), name)
            return Plan(fitting=fitting)
        if name in vocabulary.properties_of(known):
            return Plan(fitting=fitting, notes=notes)
        refused = self._wrong_domain(known, name)
        if policy.roles and any(vocabulary.is_a(each, "Role") for each in known):
            return Plan(fitting=fitting, notes=notes, guard=_only_within_its_own_role(name, refused.verdict))
        return refused

    def _closed(self, known: tuple[str, ...]) -> list[str]:
        """The types that have properties at all; the others allow everything (closed SHACL shapes, `paper`)."""
        return [each for each in known if self.vocabulary.properties_of(each)]

    def _unknown_property(self, known: tuple[str, ...], name: str) -> Plan:
        vocabulary = self.vocabulary
        better = vocabulary.nearest_property(_bare(name), known) or ""
        reason = f"{name or 'An empty name'} is no property of the vocabulary{_release(vocabulary)}."
        if better:
            reason = f"{reason[:-1]}; {better} is."
        elif name in vocabulary.types:
            reason = f"{name} is a type, not a property."
        verdict = Verdict(Decision.REJECT, "unknown-property", reason, suggestion=better)
        return Plan(verdict=verdict)

    def _wrong_domain(self, known: tuple[str, ...], name: str) -> Plan:
        vocabulary = self.vocabulary
        domains = vocabulary.properties[name].domains
        better = vocabulary.nearest_property(name, known) or ""
        if better == name or better not in vocabulary.properties_of(known):
            better = next(
                (each for each in vocabulary.properties[name].superseded_by if each in vocabulary.properties_of(known)),
                "",
            )
        reason = f"{name} is a property of {listed(domains)}, not of {' and '.join(known)}."
        verdict = Verdict(Decision.REJECT, "wrong-domain", reason, suggestion=better)
        return Plan(verdict=verdict)

    def _annotation_plan(self, known: tuple[str, ...], name: str) -> Plan | None:
        """PROPERTY-input and PROPERTY-output within actions; None for a name that is none of them."""
        vocabulary = self.vocabulary
        base = name.rpartition("-")[0]
        if base not in vocabulary.properties:
            return None
        if known and base not in vocabulary.properties_of(known):
            return None
        unknown = self._unknown_property(known, name).verdict
        assert unknown is not None
        refused = Verdict(
            Decision.REJECT,
            "annotation-outside-action",
            f"{name} describes the {'input' if name.endswith('-input') else 'output'} of an action, "
            f"and there is no Action here.",
        )

        def within_an_action(_: Surroundings, statement: Statement) -> Verdict | None:
            if not any(self._in_action(step) for step in statement.chain):
                return refused
            if statement.entity and "PropertyValueSpecification" not in statement.entity:
                return Verdict(
                    Decision.REJECT,
                    "wrong-value-type",
                    f"{name} expects a PropertyValueSpecification or its shorthand as text, but the value is "
                    f"{' and '.join(statement.entity)}.",
                )
            return KEEP

        return Plan(guard=within_an_action)

    def _in_action(self, step: Step) -> bool:
        """Whether a step starts from an action, or leads to one by the range of its property."""
        vocabulary = self.vocabulary
        known = vocabulary.properties.get(step.property)
        return any(vocabulary.is_a(each, "Action") for each in (*step.types, *(known.ranges if known else ())))

    def _guard_of_untyped(self, name: str) -> Callable[[Surroundings, Statement], Verdict | None]:
        """A node without a type may be of any class in the ranges that lead to it."""
        vocabulary = self.vocabulary
        domains = vocabulary.properties[name].domains
        able = frozenset().union(*(vocabulary.below(each) for each in domains))

        def possible(surroundings: Surroundings, statement: Statement) -> Verdict | None:
            incoming = surroundings.incoming(statement.subject)
            if not incoming or not domains:
                return None
            expected: list[str] = []
            for each in incoming:
                if each.property not in vocabulary.properties:
                    return None
                fitting = self._range(each.property)
                classes = (*fitting.entities, *fitting.enumerations)
                if not classes or not able.isdisjoint(fitting.accepted):
                    return None
                expected += classes
            return Verdict(
                Decision.REJECT,
                "wrong-domain",
                f"{name} is a property of {listed(domains)}; the entity has no type, and where it stands "
                f"{listed(sorted({*expected}))} is expected.",
            )

        return possible

    # Advice

    def type_notes(self, types: tuple[str, ...]) -> tuple[Advice, ...]:
        """What is to be told about every node of these types."""
        notes = self._type_notes.get(types)
        if notes is None:
            notes = tuple(note for each in types for note in self._notes(each))
            if len(self._type_notes) < REMEMBERED:
                self._type_notes[types] = notes
        return notes

    def _notes(self, name: str, *, is_property: bool = False) -> tuple[Advice, ...]:
        """What is to be told about every use of a type or property."""
        vocabulary = self.vocabulary
        term = vocabulary.properties.get(name) if is_property else vocabulary.types.get(name)
        if term is None or not self.policy.advice:
            return ()
        if term.superseded_by:
            successors = listed(term.superseded_by)
            message = f"{name} is superseded by {successors}."
            return (Advice("superseded-term", "warning", message, term.superseded_by[0]),)
        if term.layer in ("attic", "deprecated"):
            return (Advice("retired-term", "warning", f"{name} is retired from the vocabulary."),)
        if term.layer == "pending":
            return (Advice("pending-term", "info", f"{name} is pending: its meaning may still change."),)
        return ()


def _unless_it_holds_a_literal(name: str) -> Callable[[Surroundings, Statement], Verdict | None]:
    """`paper`: an unknown type is rejected where its node holds a literal itself."""

    def guard(surroundings: Surroundings, statement: Statement) -> Verdict | None:
        graph = surroundings.graph
        for index in graph.nodes[statement.subject].statements:
            each = graph.statements[index]
            if each.property != "@type" and each.entity is None:
                return Verdict(Decision.REJECT, "unknown-type", f"{name} is no type of the vocabulary.")
        return KEEP

    return guard


def _only_within_its_own_role(
    name: str, refused: Verdict | None
) -> Callable[[Surroundings, Statement], Verdict | None]:
    """A Role repeats the property that leads to it; any other property must be a Role's."""

    def guard(surroundings: Surroundings, statement: Statement) -> Verdict | None:
        if any(each.property == name for each in surroundings.incoming(statement.subject)):
            return None
        return refused

    return guard


def _release(vocabulary: Vocabulary) -> str:
    return f" ({vocabulary.release})" if vocabulary.release else ""


def _bare(name: str) -> str:
    """A name without the prefix or the namespace that it is written with."""
    return name.replace("#", "/").replace(":", "/").rpartition("/")[2]
