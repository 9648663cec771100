"""The validity agent: each statement against the vocabulary, by table look-up (section 3.3 of the paper)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from schemaproof.agents.policies import POLICIES, Policy, policy
from schemaproof.agents.validity_ranges import KEEP, Advice, Outcome, Range, listed
from schemaproof.agents.verdict import Decision, Finding, Verdict
from schemaproof.markup.model import Graph, Statement
from schemaproof.vocabulary import Vocabulary

__all__ = ["POLICIES", "Policy", "ValidityResult", "judge_validity", "policy"]

# Distinct (types, property) pairs remembered; pages full of made-up names must not fill the memory.
_REMEMBERED = 20_000

# Rejected, but only a hint in a report: Schema.org's conformance allows properties "from several independent types".
_HINTS = frozenset({"wrong-domain"})


@dataclass(frozen=True, slots=True)
class ValidityResult:
    """What the validity agent says of a graph.

    Attributes:
        verdicts: one for each statement of the graph, in its order.
        findings: what to report: each rejection at its place, and advice on what is kept.
    """

    verdicts: list[Verdict]
    findings: list[Finding]


def judge_validity(graph: Graph, vocabulary: Vocabulary, policy: Policy = POLICIES["schema.org"]) -> ValidityResult:
    """Judge every statement of a graph by the vocabulary alone.

    Arguments:
        graph: the markup, references resolved.
        vocabulary: the vocabulary it is judged by.
        policy: what is accepted; see `policies.policy`.

    Returns:
        One verdict for each statement, and findings. Linear in the number of statements.

    Sources: section 3.3 of the paper (its three rules); schema.org/docs/datamodel.html (conformance: any of several
    types, text where an entity is expected); schema.org/docs/actions.html part 4 (-input, -output); the Role pattern
    (blog.schema.org, 16 June 2014).
    """
    result = _judge(vocabulary, policy).graph(graph)
    if policy.rich_results:
        from schemaproof.agents.google import rich_result_findings

        result.findings.extend(rich_result_findings(graph, vocabulary))
    return result


@lru_cache(maxsize=16)
def _judge(vocabulary: Vocabulary, policy: Policy) -> _Judge:
    return _Judge(vocabulary, policy)


class _Plan:
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
        guard: Callable[[_Surroundings, Statement], Verdict | None] | None = None,
        notes: tuple[Advice, ...] = (),
    ) -> None:
        self.verdict = verdict
        self.silent = silent
        self.range = fitting
        self.quick = verdict is None and guard is None and not notes and (fitting is None or fitting.takes_text)
        self.guard = guard
        self.notes = notes


class _Surroundings:
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


class _Judge:
    """A vocabulary and a policy, with what was worked out for them."""

    def __init__(self, vocabulary: Vocabulary, policy: Policy) -> None:
        self.vocabulary = vocabulary
        self.policy = policy
        self._plans: dict[tuple[str, ...], dict[str, _Plan]] = {}
        self._remembered = 0
        self._ranges: dict[str, Range] = {}
        self._type_notes: dict[tuple[str, ...], tuple[Advice, ...]] = {}

    def graph(self, graph: Graph) -> ValidityResult:
        """Judge all statements of a graph."""
        verdicts: list[Verdict] = []
        findings: list[Finding] = []
        surroundings = _Surroundings(graph)
        told: set[Advice] = set()
        strict = self.policy.any_text
        types: tuple[str, ...] | None = None
        plans: dict[str, _Plan] = {}
        for statement in graph.statements:
            if statement.types is not types:
                types = statement.types
                plans = self._plans_of(types)
            plan = plans.get(statement.property) or self._plan(plans, statement)
            if (
                plan.quick
                and type(statement.value) is str
                and not (strict and (statement.reference or statement.language or statement.datatype))
            ):
                verdicts.append(KEEP)
                continue
            outcome: Outcome | None = plan.verdict
            if outcome is None and plan.guard is not None:
                outcome = plan.guard(surroundings, statement)
            if outcome is None:
                fitting = plan.range
                if fitting is None:
                    outcome = KEEP
                elif statement.entity is None:
                    outcome = fitting.literal(statement)
                else:
                    outcome = fitting.entity(statement, graph)
            if isinstance(outcome, Advice):
                if self.policy.advice:
                    findings.append(_finding(outcome, statement.path))
                outcome = KEEP
            verdicts.append(outcome)
            if outcome is not KEEP:
                if not plan.silent:
                    findings.append(_rejection(outcome, statement.path))
            elif plan.notes:
                findings.extend(_finding(note, statement.path) for note in _untold(plan.notes, told))
        if self.policy.advice:
            self._note_types(graph, findings, told)
        return ValidityResult(verdicts, findings)

    def _note_types(self, graph: Graph, findings: list[Finding], told: set[Advice]) -> None:
        for node in graph.nodes:
            notes = self._type_notes.get(node.types)
            if notes is None:
                notes = tuple(note for each in node.types for note in self._notes(each))
                if len(self._type_notes) < _REMEMBERED:
                    self._type_notes[node.types] = notes
            if notes:
                findings.extend(_finding(note, f"{node.pointer}/@type") for note in _untold(notes, told))

    def _plans_of(self, types: tuple[str, ...]) -> dict[str, _Plan]:
        """The plans for the properties of a set of types that were met before."""
        if self._remembered >= _REMEMBERED:
            self._plans.clear()
            self._remembered = 0
        return self._plans.setdefault(types, {})

    def _plan(self, plans: dict[str, _Plan], statement: Statement) -> _Plan:
        if statement.property == "@type":
            # The value decides, not the property: not remembered.
            return self._type_plan(statement)
        plan = self._property_plan(statement.types, statement.property)
        if self._remembered < _REMEMBERED:
            self._remembered += 1
            plans[statement.property] = plan
        return plan

    # Types

    def _type_plan(self, statement: Statement) -> _Plan:
        vocabulary = self.vocabulary
        written = str(statement.value)
        name = vocabulary.local_name(written) or written
        if not self.policy.closed_unknown:
            return _Plan(guard=_unless_it_holds_a_literal(name))
        member_of = vocabulary.member_types(name)
        if member_of:
            reason = f"{name} is a member of {listed(member_of)}, not a type: refer to it by its address."
            better = ""
        elif name in vocabulary.properties:
            reason = f"{name} is a property, not a type."
            better = vocabulary.nearest_type(name) or ""
        else:
            better = vocabulary.nearest_type(name) or ""
            reason = f"{name or 'An empty text'} is no type of the vocabulary{_release(vocabulary)}."
            if better:
                reason = f"{reason[:-1]}; {better} is."
        return _Plan(verdict=Verdict(Decision.REJECT, "unknown-type", reason, suggestion=better))

    # Properties

    def _range(self, name: str) -> Range:
        found = self._ranges.get(name)
        if found is None:
            found = self._ranges[name] = Range(name, self.vocabulary, self.policy)
        return found

    def _property_plan(self, types: tuple[str, ...], name: str) -> _Plan:
        vocabulary, policy = self.vocabulary, self.policy
        known = tuple(each for each in types if each in vocabulary.types)
        if types and not known:
            if not policy.closed_unknown:
                return _Plan()
            if not any(":" in each for each in types):
                return _Plan(
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
                return _Plan()
            return self._unknown_property(known, name)
        if not types and not policy.open_untyped:
            return _Plan()
        fitting = self._range(name)
        notes = self._notes(name, is_property=True)
        if not known:
            guard = self._guard_of_untyped(name) if not types else None
            return _Plan(fitting=fitting, notes=notes, guard=guard)
        if policy.every_type:
            failing = [each for each in self._closed(known) if name not in vocabulary.properties_of(each)]
            if failing:
                return self._wrong_domain(tuple(failing), name)
            return _Plan(fitting=fitting)
        if name in vocabulary.properties_of(known):
            return _Plan(fitting=fitting, notes=notes)
        refused = self._wrong_domain(known, name)
        if policy.roles and any(vocabulary.is_a(each, "Role") for each in known):
            return _Plan(fitting=fitting, notes=notes, guard=_only_within_its_own_role(name, refused.verdict))
        return refused

    def _closed(self, known: tuple[str, ...]) -> list[str]:
        """The types that have properties at all; the others allow everything (closed SHACL shapes, `paper`)."""
        return [each for each in known if self.vocabulary.properties_of(each)]

    def _unknown_property(self, known: tuple[str, ...], name: str) -> _Plan:
        vocabulary = self.vocabulary
        better = vocabulary.nearest_property(name, known) or ""
        reason = f"{name or 'An empty name'} is no property of the vocabulary{_release(vocabulary)}."
        if better:
            reason = f"{reason[:-1]}; {better} is."
        elif name in vocabulary.types:
            reason = f"{name} is a type, not a property."
        verdict = Verdict(Decision.REJECT, "unknown-property", reason, suggestion=better)
        return _Plan(verdict=verdict)

    def _wrong_domain(self, known: tuple[str, ...], name: str) -> _Plan:
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
        return _Plan(verdict=verdict)

    def _annotation_plan(self, known: tuple[str, ...], name: str) -> _Plan | None:
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

        def within_an_action(_: _Surroundings, statement: Statement) -> Verdict | None:
            for step in reversed(statement.chain):
                if any(vocabulary.is_a(each, "Action") for each in step.types):
                    break
            else:
                return refused
            if statement.entity and "PropertyValueSpecification" not in statement.entity:
                return Verdict(
                    Decision.REJECT,
                    "wrong-value-type",
                    f"{name} expects a PropertyValueSpecification or its shorthand as text, but the value is "
                    f"{' and '.join(statement.entity)}.",
                )
            return KEEP

        return _Plan(guard=within_an_action)

    def _guard_of_untyped(self, name: str) -> Callable[[_Surroundings, Statement], Verdict | None]:
        """A node without a type may be of any class in the ranges that lead to it."""
        vocabulary = self.vocabulary
        domains = vocabulary.properties[name].domains
        able = frozenset().union(*(vocabulary.below(each) for each in domains))

        def possible(surroundings: _Surroundings, statement: Statement) -> Verdict | None:
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


def _unless_it_holds_a_literal(name: str) -> Callable[[_Surroundings, Statement], Verdict | None]:
    """`paper`: an unknown type is rejected where its node holds a literal itself."""

    def guard(surroundings: _Surroundings, statement: Statement) -> Verdict | None:
        graph = surroundings.graph
        for index in graph.nodes[statement.subject].statements:
            each = graph.statements[index]
            if each.property != "@type" and each.entity is None:
                return Verdict(Decision.REJECT, "unknown-type", f"{name} is no type of the vocabulary.")
        return KEEP

    return guard


def _only_within_its_own_role(
    name: str, refused: Verdict | None
) -> Callable[[_Surroundings, Statement], Verdict | None]:
    """A Role repeats the property that leads to it; any other property must be a Role's."""

    def guard(surroundings: _Surroundings, statement: Statement) -> Verdict | None:
        if any(each.property == name for each in surroundings.incoming(statement.subject)):
            return None
        return refused

    return guard


def _untold(notes: tuple[Advice, ...], told: set[Advice]) -> Iterator[Advice]:
    """The notes to tell: informations only once a graph."""
    for note in notes:
        if note.severity != "info" or note not in told:
            told.add(note)
            yield note


def _rejection(verdict: Verdict, path: str) -> Finding:
    severity = "warning" if verdict.rule in _HINTS else "error"
    return Finding(verdict.rule, severity, path, verdict.reason, verdict.suggestion)


def _finding(advice: Advice, path: str) -> Finding:
    return Finding(advice.rule, advice.severity, path, advice.message, advice.suggestion)


def _release(vocabulary: Vocabulary) -> str:
    return f" ({vocabulary.release})" if vocabulary.release else ""
