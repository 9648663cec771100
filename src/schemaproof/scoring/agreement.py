"""How far raters agree beyond chance: Cohen's kappa with its tie rules, Fleiss' kappa, Krippendorff's alpha."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

TIE = "tie"
TIE_RULES = ("third-class", "tie-agrees", "drop")


@dataclass(frozen=True, slots=True)
class Kappa:
    """Agreement of two raters.

    Attributes:
        kappa: (observed - expected) / (1 - expected); 1 where both raters always say the same one thing.
        observed: share of items on which both agree.
        expected: share on which they would by chance, from each rater's own frequencies.
        n: number of items counted.
        rule: the tie rule, one of `TIE_RULES`.
    """

    kappa: float
    observed: float
    expected: float
    n: int
    rule: str


def _chance_corrected(observed: float, expected: float) -> float:
    if expected == 1:
        return 1.0 if observed == 1 else 0.0
    return (observed - expected) / (1 - expected)


def cohen_kappa(
    a: Sequence[Hashable], b: Sequence[Hashable], *, rule: str = "third-class", tie: Hashable = TIE
) -> Kappa | None:
    """Cohen's kappa of two raters, with a rule for ties.

    Arguments:
        a, b: each rater's class, item by item.
        rule: what a vote of `tie` means. "third-class": a class like any other. "tie-agrees": where exactly one
            rater has a tie, the other's vote takes its place (the paper's section 4.5: a tie is a vote for both).
            "drop": items with a tie of either rater are left out.
        tie: the class that stands for a tie.

    Returns:
        Kappa with its parts; None where no item is left.

    Raises:
        ValueError: for sequences of different lengths or an unknown rule.

    Source: Cohen 1960.
    """
    if rule not in TIE_RULES:
        raise ValueError(f"no tie rule {rule!r}; there are {', '.join(TIE_RULES)}")
    pairs = list(zip(a, b, strict=True))
    if rule == "drop":
        pairs = [(x, y) for x, y in pairs if tie not in (x, y)]
    elif rule == "tie-agrees":
        pairs = [(y if x == tie else x, x if y == tie else y) for x, y in pairs]
    n = len(pairs)
    if not n:
        return None
    left, right = Counter(x for x, _ in pairs), Counter(y for _, y in pairs)
    agreed = sum(x == y for x, y in pairs)
    by_chance = sum(number * right[kind] for kind, number in left.items())
    observed, expected = agreed / n, by_chance / (n * n)
    # Whole numbers, so that full chance agreement is told exactly.
    kappa = (agreed * n - by_chance) / (n * n - by_chance) if by_chance != n * n else float(agreed == n)
    return Kappa(kappa, observed, expected, n, rule)


def plurality(votes: Mapping[str, int], *, tie: str = TIE) -> str:
    """The class of most votes, a tie being a class like the others; `tie` where two classes lead together.

    Arguments:
        votes: class to number of votes.
        tie: the class that stands for a tie.
    """
    lead = max(votes.values(), default=0)
    leaders = [side for side, number in votes.items() if number == lead]
    return leaders[0] if lead and len(leaders) == 1 else tie


def ties_for_both(votes: Mapping[str, int], *, tie: str = TIE) -> str:
    """The side of most votes when a vote of `tie` is one for every side; `tie` where two sides lead together.

    Arguments:
        votes: class to number of votes.
        tie: the class whose votes count for all others.

    Source: paper, section 4.5 ("added one vote to both").
    """
    return plurality({side: number for side, number in votes.items() if side != tie}, tie=tie)


def fleiss_kappa(table: Iterable[Sequence[int]]) -> float | None:
    """Fleiss' kappa of many raters, each item rated by equally many.

    Arguments:
        table: one row an item, one column a class: how many raters chose it.

    Returns:
        Kappa; 1 where all raters always chose one class; None without items or with a single rater.

    Raises:
        ValueError: for rows of different lengths or sums, or negative numbers.

    Source: Fleiss 1971.
    """
    rows = [tuple(row) for row in table]
    if not rows:
        return None
    raters = sum(rows[0])
    if any(len(row) != len(rows[0]) or sum(row) != raters for row in rows):
        raise ValueError("Fleiss' kappa needs the same classes and number of raters on every item")
    if any(number < 0 for row in rows for number in row):
        raise ValueError("a number of votes is 0 or more")
    if raters < 2:
        return None
    agreement = sum(number * (number - 1) for row in rows for number in row) / (len(rows) * raters * (raters - 1))
    total = len(rows) * raters
    expected = sum(sum(column) ** 2 for column in zip(*rows, strict=True)) / (total * total)
    return _chance_corrected(agreement, expected)


def krippendorff_alpha(items: Iterable[Mapping[Hashable, int] | Iterable[Hashable | None]]) -> float | None:
    """Krippendorff's alpha for nominal classes; raters may skip items. Time is linear in the votes.

    Arguments:
        items: one an item: its votes (None is a gap), or class to number of votes.

    Returns:
        Alpha, 1 where all that can be compared agree on more than one class; None where nothing can be compared
        (no item with two votes) or all votes fell on one class, which leaves no variation to agree on.

    Source: Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", sections C and D.
    """
    totals: Counter[Hashable] = Counter()
    disagreement = 0.0
    for item in items:
        votes = Counter(item) if isinstance(item, Mapping) else Counter(vote for vote in item if vote is not None)
        size = votes.total()
        if size < 2:
            continue
        totals.update(votes)
        disagreement += (size * size - sum(number * number for number in votes.values())) / (size - 1)
    n = totals.total()
    if not n:
        return None
    expected = n * n - sum(number * number for number in totals.values())
    if not expected:
        return None
    return 1 - (n - 1) * disagreement / expected
