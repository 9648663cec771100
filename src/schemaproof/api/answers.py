"""Scoring answers that should be JSON under a JSON Schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemaproof.api.frame import Frame, html_table
from schemaproof.errors import InputError
from schemaproof.wording import counted

if TYPE_CHECKING:
    from schemaproof.extraction.scorer import Score


@dataclass(slots=True, repr=False)
class Answers(Frame):
    """Scored answers under JSON Schemas.

    Attributes:
        profile: "reference", "card" or "aligned".
        scores: one a row, in order.
        means: metric to (mean, low, high) over the rows that have scores; 95% intervals.
        refused, failed: numbers of rows without an answer, and that could not be scored.
    """

    profile: str
    scores: list[Score]
    means: dict[str, tuple[float, float, float]]
    refused: int = 0
    failed: int = 0

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row an answer: id, model, error, and its metrics (None where it has no scores)."""
        return [
            {"id": str(score.id), "model": score.model, "error": score.error or score.refusal}
            | {name: score.metrics.get(name) for name in self.means}
            for score in self.scores
        ]

    def __repr__(self) -> str:
        return f"<Answers: {counted(len(self.scores), 'row')}, profile {self.profile}>"

    def _repr_html_(self) -> str:
        rows = [[name, f"{mean:.4f}", f"{low:.4f} to {high:.4f}"] for name, (mean, low, high) in self.means.items()]
        return html_table(
            f"{counted(len(self.scores), 'answer')}, profile {self.profile}", ["metric", "mean", "95%"], rows
        )


def score_extraction(
    rows: str | Path | Iterable[Mapping[str, Any]],
    *,
    profile: str = "reference",
    columns: Mapping[str, str] | None = None,
    jobs: int = 0,
) -> Answers:
    """Score answers that should be JSON under a JSON Schema.

    Arguments:
        rows: a file (JSON Lines, Parquet, `example` for the packaged data set), or mappings with `response`, `gold`
            and `schema` (each text or parsed; `id` and `model` if there are).
        profile: "reference", "card" or "aligned".
        columns: our name of a column to its name in the data, where they differ.
        jobs: processes for a file; 0 to decide by its size.

    Raises: InputError for an unknown profile or a file without rows, SourceError. Rows never raise: see `Score.error`.
    """
    from schemaproof.extraction.scorer import PROFILES, Settings
    from schemaproof.extraction.totals import totals_of
    from schemaproof.pipeline.extraction_score import score_file, score_item

    if profile not in PROFILES:
        raise InputError(f"there is no profile {profile!r}; there are {', '.join(PROFILES)}")
    settings = Settings(profile)
    if isinstance(rows, str | Path):
        scored: Iterable[Score] = score_file(str(rows), settings, columns=columns, workers=jobs)
    else:
        scored = (score_item((number, dict(row)), settings, columns) for number, row in enumerate(rows, 1))
    scores: list[Score] = []
    whole = totals_of(scored, profile, scores.append).whole
    means = {name: (mean.mean, mean.low, mean.high) for name, mean in whole.means.means().items()}
    return Answers(profile, scores, means, whole.refused, whole.failed)
