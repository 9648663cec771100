"""Comparing contenders over many pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemaproof.api.frame import Frame, html_table
from schemaproof.wording import counted


@dataclass(slots=True, repr=False)
class Run(Frame):
    """A run over many pages.

    Attributes:
        file: the run file, for `schemaproof report` and to go on from.
        signature: all that the numbers depend on but the pages.
        pages, totals: as in `run --json`.
    """

    file: Path
    signature: str
    pages: list[dict[str, Any]]
    totals: dict[str, Any]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row a unit and contender: page, types, language, contender, the stages, rejected, share, error."""
        found = []
        for page in self.pages:
            for unit in page["units"]:
                for name, entry in unit["contenders"].items():
                    stages = {key: entry[key] for key in ("input", "valid", "factual", "compliant", "unclear")}
                    lost = entry["input"] - entry["compliant"] - entry["unclear"]
                    found.append(
                        {
                            "page": page["page"], "types": list(unit["types"]), "language": page["language"],
                            "contender": name, **stages, "rejected": lost, "share": unit["share"].get(name),
                            "error": entry.get("error"),
                        }
                    )  # fmt: skip
        return found

    def report(self, output: str | Path = "report.html") -> Path:
        """Write the report as one HTML file; returns its path. Raises SourceError."""
        from schemaproof.reporting.writing import Wanted, write_report

        return write_report(str(self.file), str(output), Wanted()).files[0]

    def __repr__(self) -> str:
        return f"<Run of {counted(self.totals['pages'], 'page')}, {counted(self.totals['units'], 'unit')}: {self.file}>"

    def _repr_html_(self) -> str:
        from schemaproof.reporting.table import show

        stages = [
            [name, *(entry[key] for key in ("input", "valid", "factual", "compliant", "unclear")),
             show(entry["rejection_rate"], "share")]
            for name, entry in self.totals["contenders"].items()
        ]  # fmt: skip
        head = ["contender", "input", "valid", "factual", "compliant", "unclear", "rejected"]
        pairs = [
            [f"{pair['a']} : {pair['b']}", show(pair["a_score"], "score"), show(pair["b_score"], "score"),
             show(pair["interval"], "interval"), show(pair["p"], "p")]
            for pair in self.totals["memr"]
        ]  # fmt: skip
        return html_table(counted(self.totals["pages"], "page"), head, stages) + html_table(
            "MeMR", ["a : b", "a", "b", "difference, 95%", "p"], pairs
        )


def run(
    pages: str | Path | Iterable[str | Path],
    *,
    file: str | Path = "schemaproof-run.db",
    contenders: Mapping[str, str] | None = None,
    judge: str = "embedded",
    agents: Sequence[str] | None = None,
    policy: str = "schema.org",
    types: Sequence[str] = (),
    jobs: int = 0,
    all_pairs: bool = False,
    told: Callable[[Any], None] = lambda _: None,
) -> Run:
    """Compare contenders over many pages; a run that was stopped goes on from its file.

    Arguments:
        pages: files, folders, URLs, Parquet or WARC files.
        file: the run file.
        contenders: name to SPEC of those beside the human; the embedded extractor by default.
        judge, agents, policy: as `check`.
        types: root types to describe instead of those of the human markup.
        jobs: pages worked on at once; 0 for the number of processors.
        all_pairs: compare every pair of contenders, not only with the human.
        told: called with the progress after every page.

    Raises: SpecError, InputError, StoreError; ModelError where a model's provider fails (what was done is saved).
    """
    from schemaproof.pipeline.judges import parse_agents
    from schemaproof.pipeline.plan import make_plan
    from schemaproof.pipeline.run import answer
    from schemaproof.pipeline.run import run as execute
    from schemaproof.pipeline.store import Store
    from schemaproof.sources import open_sources

    given = [pages] if isinstance(pages, str | Path) else list(pages)
    plan = make_plan(
        tuple(f"{name}={spec}" for name, spec in (contenders or {}).items()),
        judge=judge,
        agents=parse_agents(None if agents is None else ",".join(agents)),
        policy=policy,
        types=tuple(types),
    )
    with Store(file) as store:
        report = execute(open_sources([str(each) for each in given]), plan, store, workers=jobs, told=told)
        result = answer(store, report, every=all_pairs)
    return Run(Path(file), result["signature"], result["pages"], result["totals"])
