"""Tables 1 to 4: the agents' ground truth and the recorded answers on it."""

from __future__ import annotations

from collections.abc import Mapping

from schemaproof.published import paper
from schemaproof.published.answers import BLIND, SETS, GroundTruth, Score, score
from schemaproof.published.cells import Cell, Table, cell

_PAPER_JUDGE = "mixtral"
_COMPLIANCE_WHY = (
    "the recorded answers give the replayed number on all 440 snippets, and so do the artefact's own summaries: the "
    "printed one is not reproducible"
)
_LABELS = {
    "factuality_intrinsic": "Factual (intrinsic)",
    "factuality_extrinsic": "Factual (extrinsic)",
    "compliance": "Compliance",
}


def _whole(truth: GroundTruth) -> str:
    """How the set's size gives the printed one: "row", "statement", or "" where it is another one."""
    printed = {name: int(value) for name, value in paper.GROUND_TRUTH_SIZES[truth.name].items()}
    if truth.sizes() == printed:
        return "row"
    return "statement" if truth.sizes(distinct=True) == printed else ""


def sizes_table(name: str, sets: tuple[str, ...], truths: Mapping[str, GroundTruth]) -> Table:
    """Table 1 or 3: statements of the ground truth."""
    rows = []
    for each in sets:
        printed = paper.GROUND_TRUTH_SIZES[each]
        truth = truths.get(each)
        missing = f"{each}.jsonl is not here"
        if truth is None:
            rows.append(
                (_LABELS[each], tuple(cell(column, value, None, missing=missing) for column, value in printed.items()))
            )
            continue
        found = truth.sizes(distinct=_whole(truth) == "statement")
        partial = (
            "" if _whole(truth) else f"{len(truth.rows)} statements are here, the paper's set has {printed['Total']}"
        )
        cells = [cell(column, value, found[column], partial=partial) for column, value in printed.items()]
        once = truth.sizes(distinct=True)
        cells += [cell(f"{column} (each once)", None, number) for column, number in once.items()]
        rows.append((_LABELS[each], tuple(cells)))
    return Table(name, f"Statements of the ground truth: {', '.join(_LABELS[each] for each in sets)}", tuple(rows))


def _figures(of: Score) -> tuple[tuple[str, float | int], ...]:
    figures = of.figures
    return (
        ("Precision", figures.precision),
        ("Recall", figures.recall),
        ("F1", figures.f1),
        ("macro-F1", figures.macro_f1),
        ("balanced accuracy", figures.balanced_accuracy),
        ("n", figures.n),
        *((("F1 low", of.interval.low), ("F1 high", of.interval.high)) if of.interval else ()),
    )


def agents_table(
    name: str, sets: tuple[str, ...], truths: Mapping[str, GroundTruth], summaries: Mapping[str, Mapping[str, float]]
) -> Table:
    """Table 2 or 4: precision, recall and F1 of the recorded answers.

    The paper's are those of Mixtral by snippet. Beside them by statement, the other judges of the file, and judges
    that read neither text nor definition.

    Arguments:
        name: "2" or "4".
        sets: names of the sets that it shows.
        truths: the sets that are here.
        summaries: the artefact's own figures, for sets that are not here.
    """
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    notes = ["95% intervals of F1 by bootstrap over texts"] if any(each in truths for each in sets) else []
    for each in sets:
        printed = paper.AGENTS[each]
        why = _COMPLIANCE_WHY if each == "compliance" else ""
        label = _LABELS[each]
        truth = truths.get(each)
        if truth is None:
            summary = summaries.get(each, {})
            cells = (
                cell(column, value, summary.get(column), missing=f"{each}.jsonl is not here", why=why)
                for column, value in printed.items()
            )
            rows.append((label, tuple(cells)))
            if summary:
                notes.append(f"{label}: from the artefact's own summary, not counted from answers")
            continue
        partial = "" if _whole(truth) else "a part of the set is here"
        for judge in (*truth.judges, *BLIND):
            for result in score(truth, judge):
                compared = judge == _PAPER_JUDGE and result.unit == "snippet"
                rows.append(
                    (
                        f"{label}, {judge}, by {result.unit}",
                        tuple(
                            cell(column, printed.get(column) if compared else None, value, partial=partial, why=why)
                            for column, value in _figures(result)
                        ),
                    )
                )
    return Table(
        name,
        f"The agents against their ground truth: {', '.join(_LABELS[each] for each in sets)}",
        tuple(rows),
        tuple(notes),
    )


def reliability_tables(truths: Mapping[str, GroundTruth], summaries: Mapping[str, Mapping[str, float]]) -> list[Table]:
    """Tables 1, 2, 3 and 4."""
    factual, compliance = SETS[:2], SETS[2:]
    return [
        sizes_table("1", factual, truths),
        agents_table("2", factual, truths, summaries),
        sizes_table("3", compliance, truths),
        agents_table("4", compliance, truths, summaries),
    ]
