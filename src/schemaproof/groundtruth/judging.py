"""Judges on benchmarks: every row alone, decisions at probability 0.5, figures with intervals by group."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from schemaproof.agents.verdict import Decision, Verdict
from schemaproof.groundtruth.batching import judge_together
from schemaproof.groundtruth.blind import always_yes, blind_accuracies
from schemaproof.groundtruth.row import COMPLIANCE, Row, digest, markup_of
from schemaproof.page import page_from_text, read_page
from schemaproof.page.model import Page
from schemaproof.pipeline.curation import ComplianceJudge, FactualityJudge, Judges
from schemaproof.scoring.bootstrap import interval_of_sums
from schemaproof.scoring.classification import Binary, binary

FIGURES = ("precision", "recall", "f1", "macro_f1", "balanced_accuracy")
Pages = Mapping[str, tuple[bytes, str | None, str | None]]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A row judged otherwise than its label says."""

    row: Row
    verdict: Verdict | None


@dataclass(slots=True)
class Measured:
    """A judge on one set.

    Attributes:
        name: of the set.
        counted: its decisions against the labels.
        intervals: 95% interval by figure, groups resampled.
        unclear: how many it could not decide (counted as not accepted).
        calls, tokens: of a model; 0 where none was asked.
        seconds: CPU seconds of this process.
        always_yes: figures of who accepts everything.
        blind: balanced accuracy of blind judges by name.
        recorded: figures of recorded answers by judge, over statements and over snippets.
        mistakes: rows judged wrongly.
        groups: number of groups.
        swapped: balanced accuracy of the same judge with every text exchanged for another's; None where not asked.
    """

    name: str
    counted: Binary
    intervals: dict[str, tuple[float, float]]
    unclear: int = 0
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    always_yes: dict[str, float] = field(default_factory=dict)
    blind: dict[str, float] = field(default_factory=dict)
    recorded: dict[str, dict[str, Any]] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    groups: int = 0
    swapped: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        interval = self.intervals.get("balanced_accuracy")
        return {
            **self.counted.as_dict(),
            "interval": None if interval is None else list(interval),
            "intervals": {name: list(ends) for name, ends in self.intervals.items()},
            "groups": self.groups,
            "unclear": self.unclear,
            "calls": self.calls,
            "tokens": self.tokens,
            "seconds": round(self.seconds, 4),
            "always_yes": self.always_yes,
            "blind": self.blind,
            "swapped_texts": self.swapped,
            "recorded": self.recorded,
            "errors": [_mistake(each) for each in self.mistakes],
        }


def _mistake(each: Mistake) -> dict[str, Any]:
    row, verdict = each.row, each.verdict
    return {
        "id": row.id,
        "group": row.group,
        "types": list(row.types),
        "property": row.property,
        "value": row.value,
        "label": row.label,
        "kind": row.kind,
        "note": row.reason,
        "verdict": None if verdict is None else str(verdict.decision),
        "probability": None if verdict is None else verdict.probability,
        "rule": "" if verdict is None else verdict.rule,
        "reason": "" if verdict is None else verdict.reason,
    }


def accepted(verdict: Verdict | None) -> bool:
    """Whether a verdict accepts the statement; what a judge has nothing to say about, it accepts."""
    return verdict is None or verdict.decision is Decision.KEEP


def judge_rows(
    rows: Sequence[Row],
    judges: Judges,
    pages: Pages | None = None,
    *,
    texts: Mapping[str, str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Verdict | None]:
    """Verdicts on rows, each judged alone: a markup of its own path with this one statement.

    Arguments:
        rows: what to judge, of one or several sets.
        judges: who answers; a judge that is not there says nothing.
        pages: HTML by page id, for rows that name a page.
        texts: group to the text it is judged against instead of its own (to see what a judge knows without reading).
        progress: called with the number of rows done.
    """
    verdicts: list[Verdict | None] = [None] * len(rows)
    by_place: dict[str, list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        by_place[row.page or digest(row.text) + row.language].append(index)
    done = 0
    for indices in by_place.values():
        first = rows[indices[0]]
        page: Page | None = None
        prepared: dict[str, Any] = {}
        for index in indices:
            row = rows[index]
            graph, place = markup_of(row)
            if row.agent == COMPLIANCE:
                if judges.compliance is not None:
                    language = row.language or (_language(first, pages) if row.page else "")
                    verdicts[index] = _compliance(judges.compliance, graph, place, language)
            elif judges.factuality is not None:
                page = page or _page(row, pages)
                other = None if texts is None else texts[row.group]
                key = "" if other is None else row.group
                if key not in prepared:
                    shown = page if other is None else page_from_text(other, language=row.language or None)
                    prepared[key] = judges.factuality.prepare(shown)
                verdicts[index] = _factuality(judges.factuality, graph, place, prepared[key])
            done += 1
        if progress is not None:
            progress(done)
    return verdicts


def _compliance(judge: ComplianceJudge, graph: Any, place: int, language: str) -> Verdict | None:
    return judge.judge(graph, [place], language)[0][place]


def _factuality(judge: FactualityJudge, graph: Any, place: int, prepared: Any) -> Verdict | None:
    return judge.judge(graph, prepared, [place])[place]


def _page(row: Row, pages: Pages | None) -> Page:
    if not row.page:
        return page_from_text(row.text, language=row.language or None)
    html, url, kind = (pages or {}).get(row.page, (b"", None, None))
    return read_page(html, url=url, content_type=kind)


def _language(row: Row, pages: Pages | None) -> str:
    return _page(row, pages).language if pages and row.page in pages else ""


def measure(
    name: str,
    rows: Sequence[Row],
    judges: Judges,
    pages: Pages | None = None,
    *,
    resamples: int = 2000,
    progress: Callable[[int], None] | None = None,
    together: bool = False,
) -> Measured:
    """A judge's figures on one set.

    Arguments:
        name: of the set.
        rows: its rows; duplicates count for recorded snippets only.
        judges, pages, progress: see `judge_rows`.
        resamples: of the bootstrap.
        together: rows of one text in one markup, for judges that ask about many statements at once.
    """
    everything, rows = rows, [row for row in rows if row.first]
    before = _usage(judges)
    started = time.process_time()
    if together:
        verdicts = judge_together(rows, judges, pages)
    else:
        verdicts = judge_rows(rows, judges, pages, progress=progress)
    seconds = time.process_time() - started
    after = _usage(judges)
    said = [accepted(verdict) for verdict in verdicts]
    return Measured(
        name,
        binary([row.label for row in rows], said),
        intervals([(row.group, row.label, yes) for row, yes in zip(rows, said, strict=True)], resamples),
        sum(verdict is not None and verdict.decision is Decision.UNCLEAR for verdict in verdicts),
        after[0] - before[0],
        after[1] - before[1],
        seconds,
        always_yes(rows),
        blind_accuracies(rows),
        recorded_figures(everything),
        [Mistake(row, verdict) for row, verdict, yes in zip(rows, verdicts, said, strict=True) if yes != row.label],
        len({row.group for row in rows}),
    )


def _usage(judges: Judges) -> tuple[int, int]:
    """Calls and tokens so far of the models behind the judges; a model may answer for both agents."""
    calls = tokens = 0
    seen: set[int] = set()
    for judge in (judges.factuality, judges.compliance):
        usage = getattr(judge, "usage", None) or getattr(getattr(judge, "model", None), "usage", None)
        if usage is not None and id(usage) not in seen:
            seen.add(id(usage))
            calls += int(getattr(usage, "calls", 0))
            tokens += int(getattr(usage, "tokens", 0))
    return calls, tokens


def intervals(decisions: Sequence[tuple[str, bool, bool]], resamples: int = 2000) -> dict[str, tuple[float, float]]:
    """95% bootstrap intervals of the figures, groups resampled.

    Arguments:
        decisions: group, label, decision.
        resamples: number of resamples.
    """
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0] * 4)
    for group, label, yes in decisions:
        sums[group][(0 if yes else 3) if label else (1 if yes else 2)] += 1
    found = {}
    for name in FIGURES:
        interval = interval_of_sums(sums, partial(_figure, name), n=resamples)
        if interval is not None:
            found[name] = (interval.low, interval.high)
    return found


def _figure(name: str, sums: Sequence[float]) -> float:
    tp, fp, tn, fn = (int(each) for each in sums)
    return float(getattr(Binary(tp, fp, tn, fn), name))


def recorded_figures(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """Figures of recorded answers: over the statements that have one, and over whole snippets as the paper counts."""
    found: dict[str, dict[str, Any]] = {}
    for name in sorted({name for row in rows for name in row.recorded}):
        answered = [row for row in rows if name in row.recorded]
        single = [row for row in answered if row.first]
        found[name] = binary([row.label for row in single], [row.recorded[name] for row in single]).as_dict()
        if len(single) < len(answered):
            every = binary([row.label for row in answered], [row.recorded[name] for row in answered])
            found[name]["with_duplicates"] = every.as_dict()
        snippets: dict[tuple[str, bool], bool] = {}
        for row in answered:
            if row.snippet and name in row.snippet_recorded:
                snippets[row.snippet, row.label] = row.snippet_recorded[name]
        if snippets:
            by_snippet = binary([label for _, label in snippets], list(snippets.values()))
            found[name]["snippets"] = by_snippet.as_dict()
    return found
