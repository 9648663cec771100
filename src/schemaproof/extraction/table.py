"""Totals as a table for people, to be understood without the paper."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from schemaproof.extraction.complexity import bins
from schemaproof.extraction.records import leaf_figures, over_all
from schemaproof.extraction.scorer import GAP, VERDICTS
from schemaproof.extraction.totals import Report, Totals, metric_names
from schemaproof.wording import counted

_COMMON = {
    "is_valid_json": "share of answers that are JSON, or hold it (with --strict: that are JSON)",
    "is_schema_compliant": "share of answers that keep to their JSON Schema",
    "overall_bleu": "likeness of the whole JSON text (BLEU)",
}
_KEYS = {
    "key_precision": "of the keys answered, share that gold has",
    "key_recall": "of gold's keys, share that was answered",
    "key_f1": "both in one figure (the card's primary metric)",
    "missing_keys": "gold's keys not answered, per row",
    "extra_keys": "keys answered that gold lacks, per row",
    "value_score": "likeness of the values (1 = all right, 0 = all wrong)",
}
_LEAVES = {
    "key_precision": "of the values answered, share at a place where gold has one",
    "key_recall": "of gold's values, share whose place was filled",
    "key_f1": "both in one figure",
    "missing_keys": "gold's values not answered, per row",
    "extra_keys": "values answered that gold lacks (invented), per row",
    "value_score": "likeness of the values to gold's (1 = all right, missing = 0)",
    "leaf_precision": "of the values answered, share that is right",
    "leaf_recall": "of gold's values, share that was answered right",
    "leaf_f1": "both in one figure: the one to compare by",
}
_NOTES = {
    "fence": "in a code fence",
    "prose": "amid prose",
    "thinking": "after thinking",
    "truncated": "cut off",
    "quoted": "inside a string",
    "value-chosen": "one of several",
    "no-json": "without any JSON",
    "byte-order-mark": "after a byte-order mark",
    "first-json": "within more text",
}


def _note(name: str) -> str:
    """A note of `read_answer` in words."""
    return f"mended ({name.removeprefix('repaired:')})" if name.startswith("repaired:") else _NOTES.get(name, name)


_SHORT = ("is_schema_compliant", "key_f1", "value_score")

Sources = Mapping[str, str]


def meanings(profile: str) -> dict[str, str]:
    """What every metric of a profile means, one line each."""
    told = {**_COMMON, **(_LEAVES if profile == "aligned" else _KEYS)}
    return {name: told[name] for name in metric_names(profile)}


def _figure(value: float | None, digits: int = 3) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:.{digits}f}"


def _cell(text: object) -> str:
    """A table's cell: what a file holds must not break the table."""
    flat = " ".join(str(text).split()).replace("|", "\\|")
    return flat if len(flat) <= 120 else flat[:117] + "..."


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    cells = [[_cell(cell) for cell in row] for row in rows]
    widths = [max(len(row[at]) for row in [list(head), *cells]) for at in range(len(head))]
    for row in (list(head), ["-" * width for width in widths], *cells):
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"


def _totals_text(totals: Totals, source: str) -> Iterator[str]:
    told = meanings(totals.profile)
    means = totals.means.means()
    yield f"- {counted(totals.rows, 'row')} in the file"
    yield f"- {totals.answered} answered by the provider ({totals.refused} refused or empty)"
    failed = f" ({totals.failed} could not be scored: listed below)" if totals.failed else ""
    yield f"- {totals.scored} scored{failed}"
    yield f"- {totals.valid} of them JSON, {totals.compliant} of them JSON and compliant with their schema"
    yield ""
    if totals.scored:
        yield (
            f"In short: {totals.compliant / totals.scored:.0%} of the scored answers keep to their schema; the keys "
            f"agree with gold's to {means['key_f1'].mean:.0%}, the values to {means['value_score'].mean:.0%}."
        )
    yield "Gold is what should have been answered; a key is a path in the JSON, such as items[*].price."
    scored = counted(totals.scored, "scored row")
    yield f"Each score is a mean over the {scored}, with its range in 95 of 100 such samples."
    yield ""
    if not totals.scored:
        yield from _problems_text(totals, source)
        return
    yield from _table(
        ("metric", "score", "95% interval", "what it means"),
        (
            (name, _figure(mean.mean), f"{_figure(mean.low)} to {_figure(mean.high)}", told[name])
            for name, mean in means.items()
        ),
    )
    yield ""
    share = f" ({totals.gap / totals.compliant:.1%})" if totals.compliant else ""
    yield (
        f"Looks right, is wrong: {totals.gap:,} of the {counted(totals.compliant, 'compliant answer')}{share} "
        f"{'has' if totals.gap == 1 else 'have'} a value score under {GAP:g}."
    )
    if totals.scored < totals.rows and totals.scored:
        shares = ", ".join(
            f"{name} {_figure(over_all(totals, name))}" for name in told if over_all(totals, name) is not None
        )
        yield f"Over all {counted(totals.rows, 'row')}, those without a score counted as 0: {shares}."
    if totals.broken_schemas:
        broken = counted(totals.broken_schemas, "row")
        yield f"In {broken} the JSON Schema itself cannot be used; no answer complies with it."
    if totals.notes:
        told_notes = (f"{number} {_note(name)}" for name, number in totals.notes.most_common())
        yield "Answers that were not plain JSON: " + ", ".join(told_notes) + "."
    yield from _bins_text(totals)
    if totals.profile == "aligned":
        yield from _leaves_text(totals)
    yield from _problems_text(totals, source)


def _problems_text(totals: Totals, source: str) -> Iterator[str]:
    if totals.problems:
        yield ""
        first = f", the first {len(totals.problems)}" if totals.failed > len(totals.problems) else ""
        yield f"Rows that could not be scored{first}:"
        for problem in totals.problems:
            yield f"- {source}:{problem.line}: id {_cell(problem.id)}: {_cell(problem.message)}"


def _bins_text(totals: Totals) -> Iterator[str]:
    present = [name for name in bins() if totals.bin_rows[name]]
    if not present:
        return
    yield ""
    how = "the file's column" if not totals.computed else "computed by the formula in docs/extraction.md"
    yield f"By complexity of the schema (schema_complexity_score, {how}):"
    yield ""
    names = (*_SHORT, *(("leaf_f1",) if totals.profile == "aligned" else ()))
    rows = []
    for name in present:
        means = totals.by_bin[name].means(500)
        cells = [
            f"{_figure(means[key].mean)} ({_figure(means[key].low, 2)} to {_figure(means[key].high, 2)})"
            for key in names
        ]
        rows.append((name, totals.bin_rows[name], totals.by_bin[name].rows, *cells))
    yield from _table(("complexity", "rows", "scored", *names), rows)


def _leaves_text(totals: Totals) -> Iterator[str]:
    yield ""
    correct, wrong, missing, invented = totals.verdicts
    yield f"Values: {correct} correct, {wrong} wrong, {missing} missing, {invented} invented."
    head = (*VERDICTS, "F1")
    for title, groups in (
        ("kind of value", totals.by_kind),
        ("depth", dict(sorted(totals.by_depth.items()))),
        ("field, those with most faults first", totals.by_field),
    ):
        entries: list[tuple[Any, Sequence[int]]] = list(groups.items())
        if groups is not totals.by_depth and title != "depth":
            entries.sort(key=lambda entry: (-sum(entry[1][1:]), str(entry[0])))
        yield ""
        yield from _table(
            (title, *head),
            ((name, *numbers, _figure(leaf_figures(numbers)["f1"])) for name, numbers in entries[:15]),
        )


def report_text(report: Report, source: str, signature: str, comparison: Mapping[str, Any] | None = None) -> str:
    """The report in Markdown, to be understood without the paper."""
    lines = [f"# Answers in {source}, profile {report.profile}", ""]
    lines += _totals_text(report.whole, source)
    if len(report.models) > 1:
        lines += ["", "By model:", ""]
        names = ("is_valid_json", *_SHORT, *(("leaf_f1",) if report.profile == "aligned" else ()), "overall_bleu")
        rows = []
        for model, totals in report.models.items():
            means = totals.means.means(500)
            cells = [
                f"{_figure(means[key].mean)} ({_figure(means[key].low, 2)} to {_figure(means[key].high, 2)})"
                for key in names
            ]
            rows.append((model or "(none)", totals.rows, totals.scored, *cells))
        lines += _table(("model", "rows", "scored", *names), rows)
    if comparison is not None:
        lines += ["", *_comparison_text(comparison)]
    return "\n".join([*lines, "", f"Signature: {signature}", ""])


def _comparison_text(comparison: Mapping[str, Any]) -> Iterator[str]:
    first, second = comparison["first"], comparison["second"]
    shared = counted(comparison["rows_in_both"], "row")
    yield (
        f"{_cell(first)} against {_cell(second)} on the {shared} that both have scores for "
        f"({comparison['rows_first']} and {comparison['rows_second']} scored):"
    )
    yield ""
    rows = [
        (
            name,
            _figure(each["first"]),
            _figure(each["second"]),
            f"{each['difference']:+.3f}",
            f"{_figure(each['low'])} to {_figure(each['high'])}",
            f"{each['p']:.4f}",
            "yes" if each["low"] is not None and (each["low"] > 0 or each["high"] < 0) else "no",
        )
        for name, each in comparison["metrics"].items()
    ]
    yield from _table(("metric", first, second, "difference", "95% interval", "p", "beyond chance"), rows)
