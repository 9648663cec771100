"""The agents' ground truth with recorded answers: figures by snippet, as published, and by statement."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from schemaproof.published.protocol import NO, YES
from schemaproof.scoring.bootstrap import Interval, interval_of_sums
from schemaproof.scoring.classification import Binary

SETS = ("factuality_intrinsic", "factuality_extrinsic", "compliance")
# Judges that read neither text nor definition: what they reach shows what a set gives away.
BLIND = ("always yes", "yes if it has a type")
THRESHOLD = 0.5  # section 4.1.2: a snippet is valid from this share of yes on


@dataclass(frozen=True, slots=True)
class Row:
    """One statement of the ground truth.

    Attributes:
        snippet: id of the snippet it belongs to.
        text: the text it is judged against.
        positive: its label.
        typed: whether its node has a type.
        first: false for a statement that stands in an earlier snippet of the same text too.
        said: who answered to whether yes.
    """

    snippet: str
    text: str
    positive: bool
    typed: bool
    first: bool
    said: dict[str, bool]


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """One of the three sets.

    Attributes:
        name: one of `SETS`.
        rows: its statements.
        problems: lines that could not be used, one sentence each.
    """

    name: str
    rows: tuple[Row, ...]
    problems: tuple[str, ...] = ()

    @property
    def judges(self) -> tuple[str, ...]:
        """Who answered on every row, in the order of the file."""
        named = Counter(name for row in self.rows for name in row.said)
        return tuple(name for name, number in named.items() if number == len(self.rows))

    def sizes(self, *, distinct: bool = False) -> dict[str, int]:
        """Positive, negative and all statements; each only once with `distinct`."""
        counted = [row.positive for row in self.rows if row.first or not distinct]
        return {"Positive": sum(counted), "Negative": len(counted) - sum(counted), "Total": len(counted)}


@dataclass(frozen=True, slots=True)
class Score:
    """Figures of one judge on one set.

    Attributes:
        unit: "snippet" (as published), "statement" (each once) or "row" (duplicates too).
        figures: counts and figures.
        interval: of F1, by text; None for rows and for blind judges.
    """

    unit: str
    figures: Binary
    interval: Interval | None = field(default=None)


def read_truth(path: Path) -> GroundTruth:
    """Read a set from JSON Lines: `snippet_id`, `text`, `label` ("positive" or "negative") and recorded answers.

    Any key whose values are `TOKPOS` or `TOKNEG` is a judge. A line that cannot be used is told and left out.
    """
    rows: list[Row] = []
    problems: list[str] = []
    seen: set[tuple[str, str, str, str]] = set()
    try:
        lines = path.read_bytes().splitlines()
    except OSError as problem:
        return GroundTruth(path.stem, (), (f"{path}: cannot be read: {problem}",))
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as problem:
            problems.append(f"{path}:{number}: not JSON: {problem}")
            continue
        if not isinstance(data, dict) or data.get("label") not in ("positive", "negative"):
            problems.append(f"{path}:{number}: no label positive or negative")
            continue
        snippet = data.get("snippet_id") or str(data.get("id", "")).rsplit(":", 1)[0]
        said = {name: value == YES for name, value in data.items() if value in (YES, NO)}
        if not snippet or not said:
            problems.append(f"{path}:{number}: no snippet_id, or no answer {YES} or {NO}")
            continue
        text = str(data.get("text", ""))
        key = (text, str(data.get("property")), str(data.get("value")), str(data.get("type")))
        first = data["first"] if isinstance(data.get("first"), bool) else key not in seen
        seen.add(key)
        rows.append(Row(str(snippet), text, data["label"] == "positive", bool(data.get("type")), first, said))
    return GroundTruth(path.stem, tuple(rows), tuple(problems))


def find_truth(folders: Iterable[Path]) -> dict[str, GroundTruth]:
    """The sets that stand in the first of some folders that has them, by name of the file."""
    found: dict[str, GroundTruth] = {}
    for folder in folders:
        for name in SETS:
            path = folder / f"{name}.jsonl"
            if name not in found and path.is_file():
                found[name] = read_truth(path)
    return found


def _f1(totals: Sequence[float]) -> float | None:
    tp, fp, _, fn = totals
    return 2 * tp / (2 * tp + fp + fn) if tp or fp or fn else None


def _scored(unit: str, decisions: Iterable[tuple[str, bool, bool]], *, resampled: bool = True) -> Score:
    """From (text, label, decision) to figures, with an interval if `resampled`."""
    by_text: dict[str, list[int]] = {}
    for text, label, decision in decisions:
        cell = (0 if decision else 3) if label else (1 if decision else 2)
        by_text.setdefault(text, [0, 0, 0, 0])[cell] += 1
    tp, fp, tn, fn = (sum(counts[place] for counts in by_text.values()) for place in range(4))
    return Score(unit, Binary(tp, fp, tn, fn), interval_of_sums(by_text, _f1) if resampled else None)


def score(truth: GroundTruth, judge: str) -> list[Score]:
    """Figures of a judge by snippet, by statement and by row.

    Arguments:
        truth: the set.
        judge: whose answers, one of `truth.judges`; or one of `BLIND`.

    Returns:
        Three scores. A snippet is accepted if at least half of its rows were answered yes; its label is that of
        its rows.
    """
    snippets: dict[str, list[Row]] = {}
    for row in truth.rows:
        snippets.setdefault(row.snippet, []).append(row)

    def yes(row: Row) -> bool:
        if judge in BLIND:
            return row.typed or judge == BLIND[0]
        return row.said[judge]

    return [
        _scored(
            "snippet",
            (
                (rows[0].text, rows[0].positive, sum(map(yes, rows)) / len(rows) >= THRESHOLD)
                for rows in snippets.values()
            ),
            resampled=judge not in BLIND,
        ),
        _scored(
            "statement",
            ((row.text, row.positive, yes(row)) for row in truth.rows if row.first),
            resampled=judge not in BLIND,
        ),
        _scored("row", ((row.text, row.positive, yes(row)) for row in truth.rows), resampled=False),
    ]


def read_summaries(folder: Path) -> dict[str, Mapping[str, float]]:
    """The figures that the artefact itself keeps of a benchmark (`data/WDC/SchemaOrg/*.json`), by set.

    Only those of the single vote of Mixtral, which is what the paper's tables show.
    """
    found: dict[str, Mapping[str, float]] = {}
    for place in (folder, folder / "SchemaOrg", folder.parent / "SchemaOrg", folder / "data" / "WDC" / "SchemaOrg"):
        for path in sorted(place.glob("*mixtral*.json")) if place.is_dir() else ():
            name = next((each for each in SETS if each.removeprefix("factuality_") in path.stem), None)
            try:
                data: Any = json.loads(path.read_bytes())
            except (OSError, ValueError, RecursionError):
                continue
            keys = {"Precision": "precision", "Recall": "recall", "F1": "f1-score"}
            if name and isinstance(data, dict) and all(isinstance(data.get(key), float) for key in keys.values()):
                found.setdefault(name, {figure: data[key] for figure, key in keys.items()})
    return found
