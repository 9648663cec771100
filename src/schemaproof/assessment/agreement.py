"""What the votes say: how far people agree with each other, with themselves and with MeMR."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any

from schemaproof.assessment.ballot import Ballot, Vote
from schemaproof.scoring.agreement import (
    TIE,
    TIE_RULES,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    plurality,
    ties_for_both,
)
from schemaproof.scoring.bootstrap import interval

RESAMPLES = 1000
BOTH_BAD = "both-bad"
# Two by two, more people than this give more kappas than anyone reads: they come without intervals.
WITH_INTERVALS = 8
VOTE_RULES: dict[str, Callable[[Mapping[str, int]], str]] = {"plurality": plurality, "ties-for-both": ties_for_both}
"""How the votes on an item become one; the paper's section 4.5 describes the second, Appendix E counts the first."""


@dataclass(slots=True)
class Judged:
    """One item with its votes.

    Attributes:
        page, key: of the item.
        sides: the two contenders, in the order of MeMR's scores.
        votes: assessor to the contender chosen, "tie" or "both-bad".
        scores: MeMR of both sides, or None.
    """

    page: str
    key: str
    sides: tuple[str, str]
    votes: dict[str, str] = field(default_factory=dict)
    scores: tuple[float, float] | None = None

    @property
    def memr(self) -> str | None:
        """What MeMR prefers: a contender or "tie"; None where it has no score."""
        if self.scores is None:
            return None
        a, b = self.scores
        return self.sides[0] if a > b else self.sides[1] if b > a else TIE

    def counted(self) -> Counter[str]:
        """Class to number of votes; "both bad" prefers neither side and counts as a tie here."""
        return Counter(TIE if choice == BOTH_BAD else choice for choice in self.votes.values())


def judged_items(ballot: Ballot) -> list[Judged]:
    """Items with at least one vote; training, repeats and skips are no votes."""
    items = [Judged(item.page, item.key, item.origins, {}, item.scores) for item in ballot.items()]
    for vote in ballot.votes():
        if vote.kind == "item" and vote.choice != "skip":
            items[vote.item].votes[vote.assessor] = vote.origin
    return [item for item in items if item.votes]


def _ends(found: Any) -> list[float] | None:
    return None if found is None or math.isnan(found.low) else [found.low, found.high]


def _bootstrap(
    rows: Sequence[Any], statistic: Callable[[Sequence[Any]], float | None], seed: int
) -> list[float] | None:
    return _ends(interval([[row] for row in rows], statistic, n=RESAMPLES, seed=seed)) if len(rows) > 1 else None


def _cohen(rule: str, pairs: Sequence[tuple[str, str]]) -> float | None:
    found = cohen_kappa([a for a, _ in pairs], [b for _, b in pairs], rule=rule)
    return None if found is None else found.kappa


def _alpha(rows: Sequence[Judged]) -> float | None:
    return krippendorff_alpha(list(row.votes.values()) for row in rows)


def _raw(rows: Sequence[Judged]) -> float | None:
    same = all_pairs = 0
    for row in rows:
        counts = Counter(row.votes.values())
        size = counts.total()
        same += sum(number * (number - 1) for number in counts.values())
        all_pairs += size * (size - 1)
    return same / all_pairs if all_pairs else None


def _fleiss(classes: Sequence[str], rows: Sequence[Judged]) -> float | None:
    return fleiss_kappa([[Counter(row.votes.values())[name] for name in classes] for row in rows])


def binomial_p(hits: int, n: int) -> float | None:
    """Two-sided exact p of so many hits of n at one half; None of nothing."""
    if not n:
        return None
    far = abs(2 * hits - n)
    ways = sum(math.comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= far)
    return float(ways / 2**n)


def people(items: Sequence[Judged], seed: int = 0) -> dict[str, Any]:
    """How far people agree: raw, Cohen of each two by each tie rule and their mean, Fleiss, Krippendorff.

    Arguments:
        items: with votes.
        seed: of the bootstrap over items.
    """
    names = sorted({name for item in items for name in item.votes})
    classes = sorted({choice for item in items for choice in item.votes.values()})
    sizes = Counter(len(item.votes) for item in items)
    most = max((size for size in sizes if size > 1), key=lambda size: (sizes[size], size), default=0)
    even = [item for item in items if len(item.votes) == most] if most else []
    cohen: list[dict[str, Any]] = []
    for a, b in combinations(names, 2):
        pairs = [(item.votes[a], item.votes[b]) for item in items if a in item.votes and b in item.votes]
        for rule in TIE_RULES:
            found = cohen_kappa([x for x, _ in pairs], [y for _, y in pairs], rule=rule) if pairs else None
            if found is not None:
                ends = _bootstrap(pairs, partial(_cohen, rule), seed) if len(names) <= WITH_INTERVALS else None
                cohen.append({"a": a, "b": b, "rule": rule, "kappa": found.kappa, "n": found.n, "interval": ends})
    return {
        "raw": {"value": _raw(items), "interval": _bootstrap(items, _raw, seed)},
        "cohen": cohen,
        "cohen_mean": {
            rule: math.fsum(row["kappa"] for row in cohen if row["rule"] == rule) / number
            for rule in TIE_RULES
            if (number := sum(row["rule"] == rule for row in cohen))
        },
        "fleiss": {
            "value": _fleiss(classes, even) if even else None,
            "interval": _bootstrap(even, partial(_fleiss, classes), seed),
            "items": len(even),
            "votes": most,
        },
        "krippendorff": {"value": _alpha(items), "interval": _bootstrap(items, _alpha, seed)},
    }


def against_memr(items: Sequence[Judged], seed: int = 0) -> list[dict[str, Any]]:
    """Cohen's kappa of the people's choice and MeMR, by pair of contenders, rule of the votes and tie rule."""
    groups: dict[tuple[str, ...], list[Judged]] = {}
    for item in items:
        if item.memr is not None:
            groups.setdefault(tuple(sorted(item.sides)), []).append(item)
    found = []
    for sides, rows in groups.items():
        for name, choose in VOTE_RULES.items():
            pairs = [(choose(row.counted()), str(row.memr)) for row in rows]
            for rule in TIE_RULES:
                kappa = cohen_kappa([a for a, _ in pairs], [b for _, b in pairs], rule=rule)
                if kappa is not None:
                    ends = _bootstrap(pairs, partial(_cohen, rule), seed)
                    found.append(
                        {"pair": list(sides), "votes": name, "rule": rule, "kappa": kappa.kappa, "n": kappa.n,
                         "observed": kappa.observed, "interval": ends}
                    )  # fmt: skip
    return found


def position_bias(votes: Sequence[Vote]) -> dict[str, Any]:
    """Votes for the left side among those for a side, repeats included."""
    sided = [vote for vote in votes if vote.kind != "training" and vote.choice in ("left", "right")]
    left = sum(vote.choice == "left" for vote in sided)
    return {"left": left, "sided": len(sided), "share": left / len(sided) if sided else None,
            "p": binomial_p(left, len(sided))}  # fmt: skip


def consistency(votes: Sequence[Vote]) -> dict[str, Any]:
    """How often an assessor says the same again when the sides are exchanged."""
    first = {(vote.assessor, vote.item): vote.origin for vote in votes if vote.kind == "item" and vote.choice != "skip"}
    again = [vote for vote in votes if vote.kind == "repeat" and vote.choice != "skip"]
    both = [(first[vote.assessor, vote.item], vote) for vote in again if (vote.assessor, vote.item) in first]
    same = sum(before == vote.origin for before, vote in both)
    by_name: dict[str, list[int]] = {}
    for before, vote in both:
        sums = by_name.setdefault(vote.assessor, [0, 0])
        sums[0] += before == vote.origin
        sums[1] += 1
    return {"same": same, "n": len(both), "share": same / len(both) if both else None, "by_assessor": by_name}


def disagreements(items: Sequence[Judged]) -> list[dict[str, Any]]:
    """Items where the plurality of people and MeMR differ, those of most votes first."""
    found = []
    for item in items:
        choice = plurality(item.counted())
        if item.memr is not None and choice != item.memr:
            found.append(
                {
                    "page": item.page, "item": item.key, "people": choice, "memr": item.memr,
                    "votes": dict(Counter(item.votes.values()).most_common()),
                    "scores": dict(zip(item.sides, item.scores or (), strict=False)),
                }
            )  # fmt: skip
    return sorted(found, key=lambda row: (-sum(row["votes"].values()), row["page"], row["item"]))


def agree(ballot: Ballot, *, seed: int = 0) -> dict[str, Any]:
    """Everything that `assess agree --json` prints.

    Arguments:
        ballot: the assessment.
        seed: of the bootstrap.
    """
    votes = ballot.votes()
    items = judged_items(ballot)
    seconds = sorted(vote.seconds for vote in votes if vote.kind != "training" and vote.seconds is not None)
    chosen = Counter(vote.origin for vote in votes if vote.kind == "item")
    return {
        "schema_version": 1,
        "settings": ballot.settings(),
        "assessors": {
            name: sum(vote.assessor == name and vote.kind != "training" for vote in votes)
            for name, _ in ballot.links()
        },
        "items": len(items),
        "votes": sum(len(item.votes) for item in items),
        "choices": dict(chosen.most_common()),
        "seconds_median": seconds[len(seconds) // 2] if seconds else None,
        "people": people(items, seed),
        "memr": against_memr(items, seed),
        "position": position_bias(votes),
        "consistency": consistency(votes),
        "disagreements": disagreements(items),
    }  # fmt: skip
