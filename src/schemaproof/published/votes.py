"""The human assessments: Table 9 of the paper, and recorded votes as in its Appendix E."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemaproof.errors import InputError, SourceError
from schemaproof.published import paper
from schemaproof.published.cells import Cell, Status, Table, cell
from schemaproof.scoring.agreement import (
    TIE_RULES,
    Kappa,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    plurality,
    ties_for_both,
)

A, B, TIE = "A", "B", "T"
_PUBLISHED_RULE = "tie-agrees"
_SIDES = {"markup a": A, "markup b": B, "tie": TIE, "a": A, "b": B, "t": TIE}


@dataclass(frozen=True, slots=True)
class Item:
    """One page that people voted on.

    Attributes:
        page: its id.
        votes: "A" (human), "B" (model) and "T" (tie) to number of votes.
        memr: what MeMR prefers, as recorded, or None.
    """

    page: str
    votes: dict[str, int]
    memr: str | None = None


# How the votes on a page become one: the published kappa of Appendix E comes from the first, though section 4.5
# describes the second.
VOTE_RULES: dict[str, Callable[[Mapping[str, int]], str]] = {
    "plurality": lambda votes: plurality(votes, tie=TIE),
    "ties-for-both": lambda votes: ties_for_both(votes, tie=TIE),
}


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far people and MeMR agree, and people among themselves.

    Attributes:
        kappas: Cohen's kappa by rule of the votes and tie rule, for the tie rules that leave an item.
        items: number of pages with a preference of MeMR.
        votes: number of votes of a page, least and most.
        fleiss: agreement of the people, where every page has equally many votes; else None.
        alpha: Krippendorff's alpha of the people.
    """

    kappas: dict[str, dict[str, Kappa]]
    items: int
    votes: tuple[int, int]
    fleiss: float | None
    alpha: float | None


def preference(h: float, l: float) -> str:  # noqa: E741  (the paper's names)
    """What MeMR prefers: A for the human, B for the model, T where equal."""
    return A if h > l else B if l > h else TIE


def kappas(people: Sequence[str], memr: Sequence[str]) -> dict[str, Kappa]:
    """Cohen's kappa of people and MeMR by each tie rule."""
    found = {rule: cohen_kappa(people, memr, rule=rule, tie=TIE) for rule in TIE_RULES}
    return {rule: kappa for rule, kappa in found.items() if kappa is not None}


def agreement(items: Sequence[Item], memr: Mapping[str, str] | None = None) -> Agreement:
    """Agreement of recorded votes with MeMR.

    Arguments:
        items: the pages.
        memr: page to what MeMR prefers, in place of what is recorded with the votes.
    """
    sides = [item.memr if memr is None else memr.get(item.page) for item in items]
    judged = [(item.votes, side) for item, side in zip(items, sides, strict=True) if side is not None]
    totals = [sum(item.votes.values()) for item in items]
    table = [[item.votes.get(side, 0) for side in (A, B, TIE)] for item in items]
    return Agreement(
        {
            name: kappas([rule(votes) for votes, _ in judged], [side for _, side in judged])
            for name, rule in VOTE_RULES.items()
        },
        len(judged),
        (min(totals, default=0), max(totals, default=0)),
        fleiss_kappa(table) if len(set(totals)) == 1 else None,
        krippendorff_alpha(item.votes for item in items),
    )


def _side(value: Any) -> str | None:
    return _SIDES.get(value.strip().lower()) if isinstance(value, str) else None


def read_votes(path: Path) -> tuple[list[Item], list[str]]:
    """Read recorded votes: a JSON list of {"id", "votes": {"Markup A": n, "Markup B": n, "Tie": n}, "memr"}.

    Returns:
        The items, and what could not be used, one sentence each.

    Raises:
        SourceError: the file cannot be opened.
        InputError: it is not JSON or no list.
    """
    try:
        data = json.loads(path.read_bytes())
    except OSError as problem:
        raise SourceError(str(path), f"cannot be read: {problem.strerror or problem}") from None
    except (ValueError, RecursionError) as problem:
        raise InputError(f"not JSON: {problem}.", source=str(path)) from None
    if not isinstance(data, list):
        raise InputError("not a list of pages with their votes.", source=str(path))
    items: list[Item] = []
    problems: list[str] = []
    for number, entry in enumerate(data, 1):
        votes = entry.get("votes") if isinstance(entry, dict) else None
        if not isinstance(votes, dict):
            problems.append(f"{path}: entry {number} has no votes")
            continue
        counted: dict[str, int] = {}
        wrong = None
        for name, count in votes.items():
            side = _side(name)
            if side is None or isinstance(count, bool) or not isinstance(count, int) or count < 0:
                wrong = (
                    f"{path}: entry {number}: {name!r}: {count!r} is no number of votes for Markup A, Markup B or Tie"
                )
                break
            counted[side] = counted.get(side, 0) + count
        if wrong is not None:
            problems.append(wrong)
            continue
        items.append(Item(str(entry.get("id", number)), counted, _side(entry.get("memr"))))
    return items, problems


def paper_table() -> Table:
    """Table 9: kappa of people and MeMR from the paper's own votes, by each tie rule."""
    rows = []
    for model, label in (("gpt3", "GPT-3.5"), ("gpt4", "GPT-4")):
        pairs = [row[model] for row in paper.ASSESSMENT.values()]
        found = kappas([pair[0] for pair in pairs], [pair[1] for pair in pairs])
        rows.append(
            (
                label,
                tuple(
                    cell(f"kappa, {rule}", paper.KAPPA[model] if rule == _PUBLISHED_RULE else None, kappa.kappa)
                    for rule, kappa in found.items()
                ),
            )
        )
    note = "the printed kappas come from the rule tie-agrees; the others show what the rule does"
    return Table("9", "People against MeMR, 18 pages", tuple(rows), (note,))


def preference_table(memr: Mapping[str, Mapping[str, tuple[float, float]]]) -> Table | None:
    """Table 9's MeMR columns against the artefact.

    Arguments:
        memr: model to page to (h, l) at the end of the pipeline.

    Returns:
        One row for each page of Table 9 that is here; None without any.
    """
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for start, printed in paper.ASSESSMENT.items():
        cells = []
        for model, sides in printed.items():
            scores = [score for page, score in memr.get(model, {}).items() if page.startswith(start)]
            if len(scores) == 1:
                side = preference(*scores[0])
                status = Status.EQUAL if side == sides[1] else Status.DIFFERS
                h, l = scores[0]  # noqa: E741  (the paper's names)
                why = "" if status is Status.EQUAL else f"the artefact's MeMR is h = {h:.4f}, l = {l:.4f}"
                cells.append(Cell(model, sides[1], side, status, why))
        if cells:
            rows.append((f"{start}…", tuple(cells)))
    title = "What MeMR prefers (A human, B model, T tie), by the artefact"
    return Table("9 (MeMR)", title, tuple(rows)) if rows else None


def votes_table(items: Sequence[Item], memr: Mapping[str, str]) -> Table:
    """Appendix E: kappa of recorded votes and MeMR, by rule of the votes and tie rule.

    Arguments:
        items: pages with votes.
        memr: page to what MeMR prefers by the artefact, for the pages that are in it.
    """
    found = agreement(items)
    rows: list[tuple[str, tuple[Cell, ...]]] = [
        (
            f"{name}, recorded MeMR",
            tuple(cell(f"kappa, {rule}", None, kappa.kappa) for rule, kappa in by_rule.items()),
        )
        for name, by_rule in found.kappas.items()
    ]
    here = [item for item in items if item.page in memr]
    if here:
        own = agreement(here, memr)
        rows += [
            (
                f"{name}, the artefact's MeMR on {own.items} pages",
                tuple(cell(f"kappa, {rule}", None, kappa.kappa) for rule, kappa in by_rule.items()),
            )
            for name, by_rule in own.kappas.items()
        ]
    people = [cell("Krippendorff's alpha", None, found.alpha), cell("Fleiss' kappa", None, found.fleiss)]
    rows.append(("people among themselves", tuple(each for each in people if each.replayed is not None)))
    least, most = found.votes
    told = [
        "the paper says that kappa stays nearly the same as Table 9's; what it means is plurality with tie-agrees, "
        "though its section 4.5 describes ties-for-both",
        f"{least if least == most else f'{least} to {most}'} votes a page; the paper speaks of "
        f"{paper.SECOND_ASSESSMENT_PEOPLE} people",
    ]
    wrong = sum(item.memr is not None and item.memr != memr[item.page] for item in here)
    if wrong:
        told.append(f"on {wrong} of {len(here)} pages the recorded MeMR preference is not the artefact's")
    return Table("E", f"People against MeMR, {len(items)} pages", tuple(rows), tuple(told))
