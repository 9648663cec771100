"""The artefact's pages and recorded verdicts under our protocol: what each mended fault changes.

Each row mends one more fault of the published protocol; the last is ours altogether. Verdicts stay the recorded
ones. A statement that only a mended step lets through was never judged by the steps after it: it is unclear, which
is not kept, and counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from schemaproof.agents.validity import POLICIES, judge_validity
from schemaproof.agents.verdict import Decision
from schemaproof.markup import build_graph, prune
from schemaproof.published.cells import Cell, Status, Table
from schemaproof.published.layout import CONTENDERS, HUMAN, MODELS, PublishedUnit, Side
from schemaproof.published.outcome import UnitResult, counted, rejection_rate
from schemaproof.published.paper import STAGES
from schemaproof.published.protocol import (
    Answer,
    answers,
    memr,
    predicate_counts,
    rejected_in_place,
    stands_at,
    statements,
    types_of,
)
from schemaproof.published.stages import stages
from schemaproof.scoring.bootstrap import Interval, PairedTest, interval, paired_test
from schemaproof.scoring.memr import counts
from schemaproof.scoring.memr import memr as our_memr
from schemaproof.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Mending:
    """Which faults of the published protocol are mended.

    Attributes:
        permutations: a page's list of types counts once, whatever its order.
        in_place: a rejected value goes only where it was judged, not wherever it occurs.
        entities: a rejected entity takes no literals of its property with it.
        any_type: a node of several types satisfies one of them, not all.
        validity: our validity agent in place of the recorded one.
        merging: answers on chunks are merged deeply.
        facts: MeMR over facts, without types and plumbing; a pair of empty markups is left out.
    """

    permutations: bool = False
    in_place: bool = False
    entities: bool = False
    any_type: bool = False
    validity: bool = False
    merging: bool = False
    facts: bool = False


_LADDER = (
    ("published", ""),
    ("permutations of a type list counted once", "permutations"),
    ("values rejected only where they were judged", "in_place"),
    ("a rejected entity takes no literals with it", "entities"),
    ("any type of a node is enough", "any_type"),
    ("our validity agent", "validity"),
    ("answers on chunks merged deeply", "merging"),
    ("facts counted, types and empty pairs left out: ours", "facts"),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One contender in one unit under some mending.

    Attributes:
        numbers: statements (with `facts`: facts) at the input and after each step.
        unclear: statements left out because no verdict on them was recorded.
        final: facts by property, or RDF triples by predicate, of what is left.
    """

    numbers: tuple[int, ...]
    unclear: int
    final: dict[str, int]


def deeply_merged(chunks: Iterable[Any]) -> Any:
    """The answers on the chunks of one text as one markup that keeps what each of them says.

    Objects of the same types are merged property by property; values of a property are joined, each once.
    """
    merged: dict[tuple[str, ...], dict[str, Any]] = {}
    for chunk in chunks:
        for part in chunk if isinstance(chunk, list) else [chunk]:
            if isinstance(part, dict):
                key = tuple(sorted(types_of(part)))
                merged[key] = _merged(merged[key], part) if key in merged else part
    return next(iter(merged.values())) if len(merged) == 1 else list(merged.values())


def _merged(first: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    out = dict(first)
    for key, value in other.items():
        mine = out.get(key)
        if mine is None:
            out[key] = value
        elif key.startswith("@") or value is None or value == mine:
            continue
        elif isinstance(mine, dict) and isinstance(value, dict) and types_of(mine) == types_of(value):
            out[key] = _merged(mine, value)
        else:
            both = (*(mine if isinstance(mine, list) else [mine]), *(value if isinstance(value, list) else [value]))
            joined = list({json.dumps(each, sort_keys=True): each for each in both}.values())
            out[key] = joined[0] if len(joined) == 1 else joined
    return out


def lost_in_merging(side: Side) -> int:
    """Statements that the answers on the chunks have and the merged generation has not."""
    if not side.chunks:
        return 0
    said = set().union(*(statements(chunk) for chunk in side.chunks))
    return len(said - statements(side.markup))


class Protocol:
    """The published pipeline with some faults mended.

    Arguments:
        mending: which.
        vocabulary: what types and properties are known.
    """

    def __init__(self, mending: Mending, vocabulary: Vocabulary) -> None:
        self.mending = mending
        self.vocabulary = vocabulary

    def outcome(self, side: Side) -> Outcome:
        """Run it on one contender's markup."""
        mending = self.mending
        if not mending.in_place:
            done = stages(side)
            return Outcome(counted(done), 0, dict(predicate_counts(done.trees[-1])))
        trees, unclear = self._stages(side)
        if mending.facts:
            found = [self._facts(tree) for tree in trees]
            return Outcome(tuple(sum(each.values()) for each in found), unclear, found[-1])
        return Outcome(tuple(len(statements(tree)) for tree in trees), unclear, dict(predicate_counts(trees[-1])))

    def _stages(self, side: Side) -> tuple[list[Any], int]:
        mending = self.mending
        tree = deeply_merged(side.chunks) if mending.merging and side.chunks else side.markup
        trees = [tree]
        unclear = 0
        if mending.validity:
            tree = self._valid(tree)
        elif "shacl" in side.logs:
            log = answers("shacl", side.logs["shacl"])
            tree = rejected_in_place(tree, log, entities_only=mending.entities, stands=self._is_invalid)
        trees.append(tree)
        for step in ("factual", "semantic"):
            if step in side.logs:
                log = answers(step, side.logs[step])
                before = len(statements(tree))
                tree = _judged(tree, {(entry.name, entry.value) for entry in log})
                unclear += before - len(statements(tree))
                tree = rejected_in_place(tree, log, entities_only=mending.entities, stands=self._stands(log))
            trees.append(tree)
        return trees, unclear

    def _is_invalid(self, entry: Answer, types: Sequence[str]) -> bool:
        """Whether a recorded rejection by validity holds at a node of these types.

        A rejection for the range names the class that declares the property, joined to the property.
        """
        declared = (entry.type or "").removesuffix(f"-{entry.name}")
        if entry.type is not None and declared != entry.type:
            return any(self.vocabulary.is_a(kind, declared) for kind in types)
        if not stands_at(entry, types):
            return False
        return not (self.mending.any_type and entry.name in self.vocabulary.properties_of(types))

    def _stands(self, log: Sequence[Answer]) -> Callable[[Answer, Sequence[str]], bool]:
        if not self.mending.any_type:
            return stands_at
        accepted = {(entry.name, entry.value, entry.type) for entry in log if entry.yes}

        def stands(entry: Answer, types: Sequence[str]) -> bool:
            return stands_at(entry, types) and not any((entry.name, entry.value, kind) in accepted for kind in types)

        return stands

    def _graph_documents(self, tree: Any) -> list[Any]:
        return [each for each in (tree if isinstance(tree, list) else [tree]) if isinstance(each, dict)]

    def _valid(self, tree: Any) -> Any:
        documents = self._graph_documents(tree)
        graph = build_graph(documents, vocabulary=self.vocabulary, assume_schema_org=True)
        verdicts = judge_validity(graph, self.vocabulary, POLICIES["schema.org"]).verdicts
        rejected = [
            statement.path
            for statement, verdict in zip(graph.statements, verdicts, strict=True)
            if verdict.decision is Decision.REJECT
        ]
        return prune(documents, rejected)

    def _facts(self, tree: Any) -> dict[str, int]:
        graph = build_graph(self._graph_documents(tree), vocabulary=self.vocabulary, assume_schema_org=True)
        return counts(graph, None)


def _judged(tree: Any, asked: set[tuple[str, str]]) -> Any:
    """A markup without the leaves that were never asked about."""
    if isinstance(tree, list):
        return [_judged(inner, asked) for inner in tree]
    if not isinstance(tree, dict):
        return tree
    out: dict[str, Any] = {}
    for key, inner in tree.items():
        members = inner if isinstance(inner, list) else [inner]
        kept = [
            _judged(member, asked)
            for member in members
            if key.startswith("@") or isinstance(member, dict | list) or (key, str(member)) in asked
        ]
        if kept or not members:
            out[key] = kept if isinstance(inner, list) else kept[0]
    return out


@dataclass(frozen=True, slots=True)
class Step:
    """One row of the ladder.

    Attributes:
        label: what it mends beyond the row before.
        units: number of units counted.
        numbers: contender to statements at the input and after each step.
        unclear: contender to statements left out for want of a verdict.
        scores: model to (h, l), means over the units with a score.
        left_out: model to units without a score, nothing being left on either side.
        intervals: model to the 95% intervals of h and l by page.
        tests: model to the paired test of h against l by page.
    """

    label: str
    units: int
    numbers: dict[str, tuple[int, ...]]
    unclear: dict[str, int]
    scores: dict[str, tuple[float, float]]
    left_out: dict[str, int]
    intervals: dict[str, tuple[Interval | None, Interval | None]]
    tests: dict[str, PairedTest | None]


def _step(label: str, mending: Mending, units: Sequence[PublishedUnit], vocabulary: Vocabulary) -> Step:
    protocol = Protocol(mending, vocabulary)
    own = [unit for unit in units if unit.canonical or not mending.permutations]
    outcomes = [{who: protocol.outcome(side) for who, side in unit.sides.items()} for unit in own]
    scores: dict[str, tuple[float, float]] = {}
    left_out: dict[str, int] = {}
    intervals = {}
    tests = {}
    for model in MODELS:
        by_page: tuple[dict[str, list[float]], dict[str, list[float]]] = ({}, {})
        left_out[model] = 0
        for unit, done in zip(own, outcomes, strict=True):
            human, other = done[HUMAN].final, done[model].final
            if mending.facts:
                ours = our_memr(human, other)
                pair = None if ours is None else (ours.a_score, ours.b_score)
            else:
                pair = memr(human, other) or (1.0, 1.0)
            if pair is None:
                left_out[model] += 1
                continue
            for side, value in zip(by_page, pair, strict=True):
                side.setdefault(unit.page, []).append(value)
        flat = [[value for values in side.values() for value in values] for side in by_page]
        if flat[0]:
            scores[model] = (fmean(flat[0]), fmean(flat[1]))
        intervals[model] = (interval(by_page[0]), interval(by_page[1]))
        tests[model] = paired_test(by_page[0], by_page[1])
    return Step(
        label,
        len(own),
        {who: tuple(sum(done[who].numbers[place] for done in outcomes) for place in range(4)) for who in CONTENDERS},
        {who: sum(done[who].unclear for done in outcomes) for who in CONTENDERS},
        scores,
        left_out,
        intervals,
        tests,
    )


def ladder(units: Sequence[PublishedUnit], vocabulary: Vocabulary) -> list[Step]:
    """The published protocol and, row by row, one more of its faults mended; the last row is ours."""
    mending = Mending()
    rows = []
    for label, name in _LADDER:
        if name:
            mending = replace(mending, **{name: True})
        rows.append(_step(label, mending, units, vocabulary))
    return rows


def ours_table(rows: Sequence[Step], results: Sequence[UnitResult]) -> Table:
    """The ladder as a table: three lines a row, one for each contender."""
    labels = {"human": "Human", "gpt3": "GPT-3.5", "gpt4": "GPT-4"}
    lines: list[tuple[str, tuple[Cell, ...]]] = []
    for step in rows:
        for who in CONTENDERS:
            numbers = step.numbers[who]
            shown: dict[str, float | int | None] = dict(zip(STAGES, numbers, strict=True))
            shown["RR"] = rejection_rate(numbers[0], numbers[-1])
            shown["Unclear"] = step.unclear[who]
            if who in step.scores:
                shown["h"], shown["l"] = step.scores[who]
                for side, found in zip("hl", step.intervals[who], strict=True):
                    if found is not None:
                        shown[f"{side} low"], shown[f"{side} high"] = found.low, found.high
                test = step.tests[who]
                shown["p"] = None if test is None else test.p
                shown["Left out"] = step.left_out[who]
            cells = tuple(
                Cell(column, None, value, Status.MISSING if value is None else Status.EXTRA)
                for column, value in shown.items()
            )
            lines.append((f"{step.label} ({step.units} units): {labels[who]}", cells))
    lost = [lost_in_merging(side) for result in results for side in result.unit.sides.values()]
    generations = sum(bool(side.chunks) for result in results for side in result.unit.sides.values())
    notes = [
        "each row mends one more fault; verdicts are the recorded ones",
        "intervals and p (h against l) by page",
        "unclear: let through by a mended step and never judged by the next, so not kept",
        f"the published merging of chunks loses {sum(lost)} statements of {generations} generations",
    ]
    return Table("ours", "The same pages and verdicts, fault by fault mended", tuple(lines), tuple(notes))
