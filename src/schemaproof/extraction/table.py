"""Totals as a table for people, as JSON and as CSV."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from schemaproof.extraction.complexity import bins
from schemaproof.extraction.scorer import GAP, VERDICTS, Score
from schemaproof.extraction.totals import Difference, Mean, Report, Totals, metric_names

SCHEMA_VERSION = 1

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


_COUNTS = ("missing_keys", "extra_keys")
_SHORT = ("is_schema_compliant", "key_f1", "value_score")

Sources = Mapping[str, str]


def meanings(profile: str) -> dict[str, str]:
    """What every metric of a profile means, one line each."""
    told = {**_COMMON, **(_LEAVES if profile == "aligned" else _KEYS)}
    return {name: told[name] for name in metric_names(profile)}


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _mean(mean: Mean) -> dict[str, Any]:
    return {"mean": _number(mean.mean), "low": _number(mean.low), "high": _number(mean.high), "rows": mean.rows}


def _over_all(totals: Totals, name: str) -> float | None:
    """A share over all rows, those without scores counted as nothing; none for counts."""
    return None if name in _COUNTS or not totals.rows else totals.means.sum(name) / totals.rows


def totals_json(totals: Totals) -> dict[str, Any]:
    """Totals as plain data."""
    means = totals.means.means()
    found: dict[str, Any] = {
        "rows": totals.rows,
        "answered": totals.answered,
        "scored": totals.scored,
        "refused": totals.refused,
        "errors": totals.failed,
        "valid": totals.valid,
        "valid_and_compliant": totals.compliant,
        "gap": {
            "rows": totals.gap,
            "of": totals.compliant,
            "share": totals.gap / totals.compliant if totals.compliant else None,
            "value_score_below": GAP,
        },
        "metrics": {name: {**_mean(mean), "over_all_rows": _over_all(totals, name)} for name, mean in means.items()},
        "bins": [
            {
                "bin": name,
                "rows": totals.bin_rows[name],
                "scored": totals.by_bin[name].rows,
                "metrics": {key: _mean(mean) for key, mean in totals.by_bin[name].means(500).items()},
            }
            for name in bins()
            if totals.bin_rows[name]
        ],
        "complexity_computed": totals.computed,
        "broken_schemas": totals.broken_schemas,
        "reading": dict(totals.notes.most_common()),
    }
    if totals.profile == "aligned":
        found["leaves"] = {
            **_leaves(totals.verdicts),
            "fields": {name: _leaves(numbers) for name, numbers in totals.by_field.items()},
            "kinds": {name: _leaves(numbers) for name, numbers in totals.by_kind.items()},
            "depths": {str(name): _leaves(numbers) for name, numbers in sorted(totals.by_depth.items())},
        }
    return found


def _leaves(numbers: Sequence[int]) -> dict[str, Any]:
    correct, wrong, missing, invented = numbers
    answered, wanted = correct + wrong + invented, correct + wrong + missing
    return {
        **dict(zip(VERDICTS, numbers, strict=True)),
        "precision": correct / answered if answered else None,
        "recall": correct / wanted if wanted else None,
        "f1": 2 * correct / (answered + wanted) if answered + wanted else None,
    }


def report_json(
    report: Report, source: str, signature: str, comparison: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The whole report as plain data."""
    found: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "signature": signature,
        "file": source,
        "profile": report.profile,
        "totals": totals_json(report.whole),
        "errors": [
            {"file": source, "line": problem.line, "id": problem.id, "model": problem.model, "error": problem.message}
            for problem in report.whole.problems
        ],
    }
    if len(report.models) > 1:
        found["models"] = {name: totals_json(totals) for name, totals in report.models.items()}
    if comparison is not None:
        found["compare"] = dict(comparison)
    return found


def comparison_json(
    names: tuple[str, str], numbers: tuple[int, int, int], found: Iterable[Difference]
) -> dict[str, Any]:
    """A paired comparison as plain data."""
    return {
        "first": names[0],
        "second": names[1],
        "rows_first": numbers[0],
        "rows_second": numbers[1],
        "rows_in_both": numbers[2],
        "metrics": {
            each.metric: {
                "first": each.first,
                "second": each.second,
                "difference": each.difference,
                "low": _number(each.low),
                "high": _number(each.high),
                "p": each.p,
            }
            for each in found
        },
    }


def row_json(score: Score, *, details: bool = False, version: bool = False) -> dict[str, Any]:
    """One row as plain data: id and every metric, or id and `error`."""
    found: dict[str, Any] = {"schema_version": SCHEMA_VERSION} if version else {}
    found["id"] = score.id
    if score.model:
        found["model"] = score.model
    if score.refusal:
        found["error"] = f"no answer from the provider: {score.refusal}"
    elif score.error:
        found["error"] = score.error
        if score.line:
            found["line"] = score.line
    else:
        found.update(score.metrics)
    if score.notes:
        found["reading"] = list(score.notes)
    if score.verdicts:
        found["leaves"] = dict(zip(VERDICTS, score.verdicts, strict=True))
    if details and score.leaves:
        found["faults"] = [
            {
                "path": leaf.path,
                "verdict": leaf.verdict,
                "comparator": leaf.comparator,
                "similarity": leaf.similarity,
                **({} if leaf.gold_pointer is None else {"gold": leaf.gold, "gold_pointer": leaf.gold_pointer}),
                **(
                    {}
                    if leaf.answer_pointer is None
                    else {"answer": leaf.answer, "answer_pointer": leaf.answer_pointer}
                ),
            }
            for leaf in score.leaves
        ]
    if details and score.schema_problem:
        found["schema_problem"] = score.schema_problem
    if details and score.schema_errors:
        found["schema_errors"] = [
            {"pointer": each.pointer, "keyword": each.keyword, "message": each.message} for each in score.schema_errors
        ]
    return found


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
    yield f"- {totals.rows} rows in the file"
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
    yield f"Each score is a mean over the {totals.scored} scored rows, with its range in 95 of 100 such samples."
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
        f"Looks right, is wrong: {totals.gap} of the {totals.compliant} compliant answers{share} "
        f"have a value score under {GAP:g}."
    )
    if totals.scored < totals.rows and totals.scored:
        shares = ", ".join(
            f"{name} {_figure(_over_all(totals, name))}" for name in told if _over_all(totals, name) is not None
        )
        yield f"Over all {totals.rows} rows, those without a score counted as 0: {shares}."
    if totals.broken_schemas:
        yield f"In {totals.broken_schemas} rows the JSON Schema itself cannot be used; no answer complies with it."
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
            ((name, *numbers, _figure(_leaves(numbers)["f1"])) for name, numbers in entries[:15]),
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
    yield (
        f"{_cell(first)} against {_cell(second)} on the {comparison['rows_in_both']} rows that both have scores for "
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


def report_csv(report: Report, signature: str, comparison: Mapping[str, Any] | None = None) -> str:
    """The report as CSV: one line a metric, for each model, bin and (with `aligned`) kind of value."""
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("model", "group", "metric", "value", "low", "high", "rows", "signature"))
    models = report.models if len(report.models) > 1 else {}
    for model, totals in [("(all)", report.whole), *models.items()]:
        counts = {
            "rows": totals.rows, "answered": totals.answered, "scored": totals.scored, "errors": totals.failed,
            "valid": totals.valid, "valid_and_compliant": totals.compliant, "gap": totals.gap,
        }  # fmt: skip
        for name, number in counts.items():
            writer.writerow((model, "all", name, number, "", "", totals.rows, signature))
        groups = [("all", totals.means)] + [(f"complexity {name}", totals.by_bin[name]) for name in bins()]
        for group, means in groups:
            if means.rows:
                for name, mean in means.means(500).items():
                    writer.writerow((model, group, name, mean.mean, mean.low, mean.high, mean.rows, signature))
        for kind, numbers in totals.by_kind.items():
            for verdict, number in zip(VERDICTS, numbers, strict=True):
                writer.writerow((model, f"kind {kind}", verdict, number, "", "", totals.scored, signature))
    if comparison is not None:
        versus = f"{comparison['first']} - {comparison['second']}"
        for name, each in comparison["metrics"].items():
            row = (versus, "difference", name, each["difference"], each["low"], each["high"])
            writer.writerow((*row, comparison["rows_in_both"], signature))
    return out.getvalue()
