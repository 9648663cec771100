"""From the results of pages to the figures of a run: the form of `run --json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from schemaproof.pipeline.result import STAGES, MarkupResult, PageResult, UnitResult
from schemaproof.scoring.bootstrap import Interval, interval_of_sums, paired_test_of_sums
from schemaproof.scoring.memr import memr, share
from schemaproof.scoring.signature import signature

RESAMPLES = 2000


def pairs_of(names: Sequence[str], *, every: bool = False) -> list[tuple[str, str]]:
    """The pairs that are compared: the human with each other contender, or every pair."""
    if every:
        return list(combinations(names, 2))
    return [(names[0], other) for other in names[1:]] if names else []


def rejection_rate(counts: Mapping[str, float]) -> float | None:
    """Share of the statements that an agent rejected; None of nothing. Unclear ones are not rejected."""
    total = counts["input"]
    return (total - counts["compliant"] - counts["unclear"]) / total if total else None


def unit_dict(
    unit: UnitResult,
    weights: Mapping[str, float] | None = None,
    *,
    every: bool = False,
    order: Sequence[str] | None = None,
) -> dict[str, Any]:
    """One unit: stage counts and MeMR of its contenders; null scores where a pair has nothing to compare.

    Arguments:
        unit: the unit.
        weights: property to weight in MeMR.
        every: compare every pair.
        order: of the contenders in this run; the file may hold them in that of an earlier one.
    """
    usable = {markup.contender: markup for markup in unit.markups if markup.error is None}
    names = [markup.contender for markup in unit.markups]
    if order is not None:
        names.sort(key=lambda name: order.index(name) if name in order else len(order))
    scores = []
    for a, b in pairs_of(names, every=every):
        score = memr(usable[a].facts, usable[b].facts, weights) if a in usable and b in usable else None
        scores.append(
            {
                "a": a,
                "b": b,
                "a_score": None if score is None else score.a_score,
                "b_score": None if score is None else score.b_score,
            }
        )
    shares = share([markup.facts for markup in usable.values()], weights)
    return {
        "types": list(unit.types),
        "contenders": {markup.contender: markup_dict(markup) for markup in unit.markups},
        "memr": scores,
        "share": {} if shares is None else dict(zip(usable, shares, strict=True)),
    }


def markup_dict(markup: MarkupResult) -> dict[str, Any]:
    """Stage counts of one markup, with the number of facts that MeMR counts, and its error where there is one."""
    answer: dict[str, Any] = dict(markup.counts)
    answer["facts"] = sum(markup.facts.values())
    answer["markup"] = markup.documents
    if markup.error is not None:
        answer["error"] = markup.error
    if markup.notes:
        answer["notes"] = markup.notes
    return answer


def page_dict(
    page: PageResult,
    weights: Mapping[str, float] | None = None,
    *,
    every: bool = False,
    order: Sequence[str] | None = None,
) -> dict[str, Any]:
    """One page in the contract's form; arguments as of `unit_dict`."""
    return {
        "page": page.name,
        "language": page.language,
        "error": page.error,
        "units": [unit_dict(unit, weights, every=every, order=order) for unit in page.units],
    }


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None or interval.low != interval.low else [interval.low, interval.high]


def totals(
    pages: Iterable[Mapping[str, Any]], names: Sequence[str], *, every: bool = False, seed: int = 0
) -> dict[str, Any]:
    """Totals over pages.

    Arguments:
        pages: in the form of `page_dict`.
        names: the contenders, the human first.
        every: compare every pair.
        seed: of the bootstrap.

    Returns: the `totals` of `run --json`. For each contender the sums by stage and the rejection rate with its
        interval; for each pair the means over units of both scores with intervals (`a_interval`, `b_interval`), the
        interval of their difference a - b (`interval`) and its two-sided p; mean shares; the number of units, of units
        left out of a pair (both sides empty, or one has no markup: `errors` of the contender), of pages, of pages that
        failed and of pages without a unit. Intervals are 95%, by page.
    """
    stages: dict[str, list[list[float]]] = {name: [] for name in names}
    chosen = pairs_of(names, every=every)
    sums: dict[tuple[str, str], tuple[list[list[float]], list[list[float]]]] = {pair: ([], []) for pair in chosen}
    shares: dict[str, list[list[float]]] = {name: [] for name in names}
    errors = dict.fromkeys(names, 0)
    units = left_out = failed = without = count = 0
    # By name, so that the bootstrap draws the same pages in whatever order they were worked on.
    for page in sorted(pages, key=lambda page: str(page["page"])):
        count += 1
        failed += page["error"] is not None
        without += page["error"] is None and not page["units"]
        units += len(page["units"])
        for name in names:
            rows = [unit["contenders"][name] for unit in page["units"] if name in unit["contenders"]]
            stages[name].append([float(sum(row[stage] for row in rows)) for stage in STAGES])
            errors[name] += sum("error" in row for row in rows)
            values = [unit["share"][name] for unit in page["units"] if name in unit["share"]]
            shares[name].append([sum(values), float(len(values))])
        left_out += sum(any(score["a_score"] is None for score in unit["memr"]) for unit in page["units"])
        for pair, (left, right) in sums.items():
            scores = [
                score
                for unit in page["units"]
                for score in unit["memr"]
                if (score["a"], score["b"]) == pair and score["a_score"] is not None
            ]
            left.append([sum(score["a_score"] for score in scores), float(len(scores))])
            right.append([sum(score["b_score"] for score in scores), float(len(scores))])
    return {
        "contenders": {name: {**_stage_totals(rows, seed), "errors": errors[name]} for name, rows in stages.items()},
        "memr": [_pair_totals(pair, *rows, seed) for pair, rows in sums.items()],
        "share": {name: _mean(rows) for name, rows in shares.items()},
        "units": units,
        "left_out": left_out,
        "pages": count,
        "failed": failed,
        "without_units": without,
        "statistics": signature({"interval": "bootstrap", "by": "page", "n": RESAMPLES, "level": 0.95, "seed": seed}),
    }


def _mean(rows: Sequence[Sequence[float]]) -> float | None:
    number = sum(row[1] for row in rows)
    return sum(row[0] for row in rows) / number if number else None


def _rate(sums: Sequence[float]) -> float | None:
    return rejection_rate(dict(zip(STAGES, sums, strict=True)))


def _stage_totals(rows: list[list[float]], seed: int) -> dict[str, Any]:
    answer: dict[str, Any] = {stage: int(sum(row[place] for row in rows)) for place, stage in enumerate(STAGES)}
    answer["rejection_rate"] = rejection_rate(answer)
    answer["rejection_interval"] = _ends(interval_of_sums(rows, _rate, n=RESAMPLES, seed=seed))
    return answer


def _pair_totals(pair: tuple[str, str], left: list[list[float]], right: list[list[float]], seed: int) -> dict[str, Any]:
    test = paired_test_of_sums(left, right, n=RESAMPLES, seed=seed)
    usable = test is not None and test.low == test.low
    return {
        "a": pair[0],
        "b": pair[1],
        "a_score": _mean(left),
        "b_score": _mean(right),
        "interval": [test.low, test.high] if usable and test is not None else None,
        "p": test.p if test is not None else None,
        "a_interval": _ends(interval_of_sums(left, n=RESAMPLES, seed=seed)),
        "b_interval": _ends(interval_of_sums(right, n=RESAMPLES, seed=seed)),
        "units": int(sum(row[1] for row in left)),
    }
