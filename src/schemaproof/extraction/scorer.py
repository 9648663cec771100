"""One row → its scores, by a profile."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from schemaproof.errors import InputError
from schemaproof.extraction import card, reference
from schemaproof.extraction.aligned import Leaf, align, canonical
from schemaproof.extraction.answers import Answer, first_json, read_answer
from schemaproof.extraction.bleu import bleu_of_tokens, tokens_cjk
from schemaproof.extraction.comparators import NO_RULES, Rules
from schemaproof.extraction.complexity import Complexity, complexity_of
from schemaproof.extraction.reference import METRICS, rooted
from schemaproof.extraction.rows import Row
from schemaproof.extraction.schema_check import SchemaCheck, SchemaError, check_for
from schemaproof.extraction.schema_walk import SchemaWalk

PROFILES = ("reference", "card", "aligned")
READINGS = ("tolerant", "first", "raw")
VERDICTS = ("correct", "wrong", "missing", "invented")
LEAF_METRICS = ("leaf_precision", "leaf_recall", "leaf_f1")
GAP = 0.5


@dataclass(frozen=True, slots=True)
class Settings:
    """How rows are scored.

    Attributes:
        profile: "reference", "card" or "aligned".
        reading: "tolerant" (see `read_answer`), "first" (the published scripts' rule) or "raw" (as it stands).
        rules: the user's comparators, for `aligned`.
        details: keep leaf verdicts and schema errors per row.
    """

    profile: str = "reference"
    reading: str = "tolerant"
    rules: Rules = NO_RULES
    details: bool = False

    def described(self) -> dict[str, Any]:
        """What a signature says of them."""
        about: dict[str, Any] = {"profile": self.profile, "reading": self.reading}
        if self.profile == "aligned" and self.rules.rules:
            about["comparators"] = {rule.pattern: rule.comparator for rule in self.rules.rules}
        return about


@dataclass(frozen=True, slots=True)
class Score:
    """The scores of one row.

    Attributes:
        id, model, line: of the row.
        metrics: `METRICS` and, with `aligned`, `LEAF_METRICS`; empty for an error or a refusal.
        verdicts: with `aligned`, number of leaves by verdict.
        error: why the row could not be scored, or "".
        unreadable: the error is that the line is no row at all: broken, or without the columns.
        refusal: what the provider said instead of an answer, or "".
        notes: how the JSON was found, see `Answer.notes`.
        schema_problem: why the schema cannot be used, or "".
        complexity: of the schema.
        by_field, by_kind, by_depth: with `aligned`, numbers of leaves in the order of `VERDICTS`.
        leaves: with details, the leaves that are not correct.
        schema_errors: with details, breaches of the schema.
    """

    id: Any
    model: str = ""
    line: int = 0
    metrics: Mapping[str, float] = field(default_factory=dict)
    verdicts: tuple[int, ...] = ()
    error: str = ""
    unreadable: bool = False
    refusal: str = ""
    notes: tuple[str, ...] = ()
    schema_problem: str = ""
    complexity: Complexity | None = None
    by_field: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    by_kind: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    by_depth: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    leaves: tuple[Leaf, ...] = ()
    schema_errors: tuple[SchemaError, ...] = ()

    @property
    def gap(self) -> bool:
        """Valid and compliant, and yet most values are wrong: the structural-semantic gap the card warns of."""
        got = self.metrics
        return bool(got) and got["is_valid_json"] == got["is_schema_compliant"] == 1.0 and got["value_score"] < GAP


def score_row(row: Row, settings: Settings) -> Score:
    """Score one row.

    Arguments:
        row: the row.
        settings: profile, reading, comparators.

    Returns:
        Its scores; a row that cannot be scored has `error`. Never raises for what a row holds.
    """
    base: dict[str, Any] = {"id": row.id, "model": row.model, "line": row.line}
    base["complexity"] = complexity_of(row.schema, row.complexity, row.schema_text)
    if row.response is None or (not row.response and row.refusal):
        return Score(**base, refusal=row.refusal or "no response")
    check = check_for(row.schema, row.schema_text)
    base["schema_problem"] = check.broken
    if settings.reading == "raw":
        answer = Answer(row.response)
    elif settings.reading == "first":
        text = first_json(row.response)
        answer = Answer(text, () if text == row.response else ("first-json",))
    else:
        answer = read_answer(row.response, SchemaWalk(row.schema).kind())
    try:
        if settings.profile == "aligned":
            return _aligned(row, answer, check, settings, base)
        if settings.profile == "card":
            metrics = card.score(answer.text, row.gold, row.gold_text, check)
        else:
            metrics = reference.score(answer.text, row.gold, check)
    except InputError as problem:
        return Score(**base, error=problem.message, notes=answer.notes)
    except RecursionError:
        return Score(**base, error="nested too deep to be scored", notes=answer.notes)
    breaches: tuple[SchemaError, ...] = ()
    if settings.details and metrics["is_valid_json"] and not metrics["is_schema_compliant"]:
        breaches = tuple(check.errors(json.loads(answer.text)))
    return Score(**base, metrics=metrics, notes=answer.notes, schema_errors=breaches)


def _aligned(row: Row, answer: Answer, check: SchemaCheck, settings: Settings, base: dict[str, Any]) -> Score:
    try:
        value = json.loads(answer.text)
        valid = True
    except json.JSONDecodeError:
        value, valid = answer.repaired, False
    except (ValueError, RecursionError) as problem:
        raise InputError(f"the answer cannot be read: {problem}") from None
    compliant = valid and check.complies(value)
    if value is None and not valid:
        value = {}
    rooted(value, "the answer")
    rooted(row.gold, "the gold value")
    leaves = align(value, row.gold, row.schema, settings.rules)
    metrics, counts = leaf_metrics(leaves)
    metrics = {
        "is_valid_json": float(valid),
        "is_schema_compliant": float(compliant),
        **metrics,
        "overall_bleu": _canonical_bleu(value, row.gold),
    }
    breaches = tuple(check.errors(value)) if settings.details and valid and not compliant else ()
    return Score(
        **base,
        metrics={name: metrics[name] for name in (*METRICS, *LEAF_METRICS)},
        verdicts=counts,
        notes=answer.notes,
        by_field=_counted((leaf.path, leaf.verdict) for leaf in leaves),
        by_kind=_counted((leaf.comparator, leaf.verdict) for leaf in leaves),
        by_depth=_counted((leaf.depth, leaf.verdict) for leaf in leaves),
        leaves=tuple(leaf for leaf in leaves if leaf.verdict != "correct") if settings.details else (),
        schema_errors=breaches,
    )


def leaf_metrics(leaves: list[Leaf]) -> tuple[dict[str, float], tuple[int, ...]]:
    """The metrics of leaf verdicts, and the number of each verdict.

    `key_*` ask whether a leaf stands where gold has one, whatever it says; `leaf_*` whether it says the same;
    `value_score` is the mean likeness over gold's leaves, missing ones 0. Nothing against nothing is 1.
    """
    counts = tuple(sum(leaf.verdict == verdict for leaf in leaves) for verdict in VERDICTS)
    correct, wrong, missing, invented = counts
    there = correct + wrong
    answered, wanted = there + invented, there + missing
    alike = math.fsum(leaf.similarity for leaf in leaves if leaf.verdict in ("correct", "wrong"))

    def share(part: float, whole: int, other: int) -> float:
        return part / whole if whole else float(not other)

    return {
        "key_precision": share(there, answered, wanted),
        "key_recall": share(there, wanted, answered),
        "key_f1": share(2 * there, answered + wanted, 0),
        "missing_keys": float(missing),
        "extra_keys": float(invented),
        "value_score": share(alike, wanted, answered),
        "leaf_precision": share(correct, answered, wanted),
        "leaf_recall": share(correct, wanted, answered),
        "leaf_f1": share(2 * correct, answered + wanted, 0),
    }, counts


def _counted(pairs: Any) -> dict[Any, tuple[int, ...]]:
    found: dict[Any, list[int]] = {}
    for name, verdict in pairs:
        found.setdefault(name, [0] * len(VERDICTS))[VERDICTS.index(verdict)] += 1
    return {name: tuple(numbers) for name, numbers in found.items()}


def _canonical_bleu(answer: Any, gold: Any) -> float:
    """BLEU of both values in canonical order, every CJK character a token; 1.0 for equal ones."""
    one, other = canonical(answer), canonical(gold)
    if one == other:
        return 1.0
    return min(1.0, bleu_of_tokens(tokens_cjk(one), tokens_cjk(other)))
