"""Totals, rows and comparisons as plain data for JSON, and as CSV."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from schemaproof.extraction.complexity import bins
from schemaproof.extraction.scorer import GAP, VERDICTS, Score
from schemaproof.extraction.totals import Difference, Mean, Report, Totals

SCHEMA_VERSION = 1
_COUNTS = ("missing_keys", "extra_keys")


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _mean(mean: Mean) -> dict[str, Any]:
    return {"mean": _number(mean.mean), "low": _number(mean.low), "high": _number(mean.high), "rows": mean.rows}


def over_all(totals: Totals, name: str) -> float | None:
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
        "metrics": {name: {**_mean(mean), "over_all_rows": over_all(totals, name)} for name, mean in means.items()},
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
            **leaf_figures(totals.verdicts),
            "fields": {name: leaf_figures(numbers) for name, numbers in totals.by_field.items()},
            "kinds": {name: leaf_figures(numbers) for name, numbers in totals.by_kind.items()},
            "depths": {str(name): leaf_figures(numbers) for name, numbers in sorted(totals.by_depth.items())},
        }
    return found


def leaf_figures(numbers: Sequence[int]) -> dict[str, Any]:
    """Numbers of leaves in the order of `VERDICTS`, with precision, recall and F1; None over nothing."""
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
