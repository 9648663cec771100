"""The Python API: a few functions over the parts, with results that show well in a notebook.

    from schemaproof import check, clean, memr, read_page, run, score_extraction

A page is given as a path, a URL, the HTML itself (text with a `<` in it, or bytes), or a `Page`; a markup also as the
JSON-LD object. Every result shows itself as a table in a notebook (`_repr_html_`), gives its rows as dictionaries
(`rows`), and goes to Arrow, pandas and polars where they are installed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from schemaproof.agents.verdict import Finding
from schemaproof.errors import InputError, MissingExtraError, PageError
from schemaproof.page.model import Page as Page
from schemaproof.wording import counted

if TYPE_CHECKING:
    from schemaproof.extraction.scorer import Score

PageLike: TypeAlias = Page | str | bytes | Path
Markup: TypeAlias = PageLike | Mapping[str, Any] | Sequence[Any]


class Frame:
    """What has rows: to Arrow, pandas and polars where they are installed."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows as dictionaries of plain values, all with the same keys."""
        raise NotImplementedError

    def to_arrow(self) -> Any:
        """A `pyarrow.Table` of the rows. Raises MissingExtraError without pyarrow."""
        try:
            import pyarrow
        except ImportError:
            raise MissingExtraError("pyarrow", "frames", "a table in Arrow") from None
        return pyarrow.Table.from_pylist([{key: _plain(value) for key, value in row.items()} for row in self.rows])

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` of the rows. Raises MissingExtraError without pandas or pyarrow."""
        try:
            import pandas  # noqa: F401
        except ImportError:
            raise MissingExtraError("pandas", "frames", "a data frame of pandas") from None
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """A `polars.DataFrame` of the rows. Raises MissingExtraError without polars or pyarrow."""
        try:
            import polars
        except ImportError:
            raise MissingExtraError("polars", "frames", "a data frame of polars") from None
        return polars.from_arrow(self.to_arrow())


def _plain(value: Any) -> Any:
    """A cell that fits a column of one type: text, number, truth value or list of texts."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return value if value is None or isinstance(value, bool | int | float | list) else str(value)


def _literal(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value)


@dataclass(slots=True, repr=False)
class Checked(Frame):
    """A page's markup, judged.

    Attributes:
        page: its name.
        language: BCP 47 primary subtag, or "".
        statements: every statement with its verdicts, in the form of `check --json`: path, types, property, value,
            entity, kept, unclear, verdicts.
        findings: what to tell the author, with rule, severity, line and column.
        signature: all that the verdicts depend on.
        foreign: number of statements of other vocabularies, which are not judged.
    """

    page: str
    language: str = ""
    statements: list[dict[str, Any]] = field(default_factory=list)
    findings: tuple[Finding, ...] = ()
    signature: str = ""
    foreign: int = 0

    @property
    def kept(self) -> list[dict[str, Any]]:
        """The statements that no agent rejects and none is unclear about."""
        return [row for row in self.statements if row["kept"]]

    @property
    def rejected(self) -> list[dict[str, Any]]:
        """The statements that are neither kept nor unclear."""
        return [row for row in self.statements if not row["kept"] and not row["unclear"]]

    @property
    def ok(self) -> bool:
        """Whether no finding is an error."""
        return all(finding.severity != "error" for finding in self.findings)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row a statement: path, types, property, value, entity, kept, unclear, agent, rule, kind, reason,
        probability, evidence (texts)."""
        found = []
        for row in self.statements:
            nothing: tuple[str, dict[str, Any]] = ("", {})
            agent, said = next(
                ((name, each) for name, each in row["verdicts"].items() if each["verdict"] != "keep"), nothing
            )
            texts = [e["text"] for each in row["verdicts"].values() for e in each.get("evidence") or ()]
            found.append(
                {
                    "path": row["path"], "types": list(row["types"]), "property": row["property"],
                    "value": _literal(row["value"]), "entity": row["entity"], "kept": row["kept"],
                    "unclear": row["unclear"], "agent": agent, "rule": said.get("rule", ""),
                    "kind": said.get("kind") or "", "reason": said.get("reason", ""),
                    "probability": said.get("probability"), "evidence": texts,
                }
            )  # fmt: skip
        return found

    def _outcome(self) -> str:
        return f"{len(self.kept):,} of {counted(len(self.statements), 'statement')} kept"

    def __repr__(self) -> str:
        return f"<Checked {self.page!r}: {self._outcome()}>"

    def _repr_html_(self) -> str:
        rows = [
            [row["path"], row["property"], row["value"] if row["entity"] is None else ", ".join(row["entity"]),
             "kept" if row["kept"] else "unclear" if row["unclear"] else "rejected", row["reason"]]
            for row in self.rows
        ]  # fmt: skip
        return _html(f"{self.page}: {self._outcome()}", ["path", "property", "value", "outcome", "why"], rows)


@dataclass(slots=True, repr=False)
class Cleaned(Frame):
    """A page's JSON-LD without its rejected statements.

    Attributes:
        page: its name.
        documents: the JSON-LD objects that are left, in order.
        removed: (pointer, property, reason) of what was taken out.
        changes: (pointer, before, after) of what `fix` changed.
        unclear: number of statements that could not be judged and stay.
    """

    page: str
    documents: list[Any] = field(default_factory=list)
    removed: list[tuple[str, str, str]] = field(default_factory=list)
    changes: list[tuple[str, str, str]] = field(default_factory=list)
    unclear: int = 0

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row a statement taken out: path, property, reason."""
        return [{"path": path, "property": name, "reason": reason} for path, name, reason in self.removed]

    def json(self, indent: int | None = 2) -> str:
        """The documents as JSON text: the object where there is one, else a list."""
        whole = self.documents[0] if len(self.documents) == 1 else self.documents
        return json.dumps(whole, ensure_ascii=False, indent=indent)

    def __repr__(self) -> str:
        return f"<Cleaned {self.page!r}: {counted(len(self.removed), 'statement')} taken out>"

    def _repr_html_(self) -> str:
        from html import escape

        rows = [list(each) for each in self.removed]
        title = f"{self.page}: {counted(len(rows), 'statement')} taken out"
        return _html(title, ["path", "property", "why"], rows) + f"<pre>{escape(self.json())}</pre>"


@dataclass(slots=True, repr=False)
class Comparison(Frame):
    """MeMR of two markups of one page.

    Attributes:
        a_score, b_score: share of the merged markup that each covers; None where nothing is stated on either side.
        a_facts, b_facts: property to number of distinct facts.
    """

    a_score: float | None
    b_score: float | None
    a_facts: dict[str, int]
    b_facts: dict[str, int]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row a property: property, a, b."""
        names = sorted(self.a_facts.keys() | self.b_facts.keys())
        return [{"property": name, "a": self.a_facts.get(name, 0), "b": self.b_facts.get(name, 0)} for name in names]

    def __repr__(self) -> str:
        if self.a_score is None or self.b_score is None:
            return "<Comparison: nothing to compare>"
        return f"<Comparison a {self.a_score:.3f} : {self.b_score:.3f} b>"

    def _repr_html_(self) -> str:
        rows = [[row["property"], row["a"], row["b"]] for row in self.rows]
        return _html(repr(self).strip("<>"), ["property", "a", "b"], rows)


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
        return _html(counted(self.totals["pages"], "page"), head, stages) + _html(
            "MeMR", ["a : b", "a", "b", "difference, 95%", "p"], pairs
        )


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
        return _html(f"{counted(len(self.scores), 'answer')}, profile {self.profile}", ["metric", "mean", "95%"], rows)


def _html(title: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A plain table of escaped text."""
    from schemaproof.reporting.table import inert

    names = "".join(f"<th>{inert(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{inert('' if cell is None else str(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    caption = f"<caption>{inert(title)}</caption>"
    return f"<table>{caption}<thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"


def read_page(page: PageLike, *, url: str | None = None) -> Page:
    """Read a page.

    Arguments:
        page: a path, a URL, HTML (text with a `<` in it, or bytes), JSON-LD text (that opens with a brace or bracket),
            or a `Page`, which comes back.
        url: its address, where it is given as HTML or file.

    Raises: InputError where it names no page or several, SourceError where it cannot be opened.
    """
    from schemaproof.page import read_document
    from schemaproof.sources import open_page

    if isinstance(page, Page):
        return page
    if isinstance(page, bytes) or (isinstance(page, str) and ("<" in page or page.lstrip()[:1] in ("{", "["))):
        return read_document(page, url=url, name=url)
    if isinstance(page, str | Path):
        return open_page(str(page), base=url)
    raise PageError(f"a page is a path, a URL, HTML or a Page, not {type(page).__name__}")


def _marked_up(markup: Markup) -> Page:
    if isinstance(markup, Page | str | bytes | Path):
        return read_page(markup)
    if not isinstance(markup, Mapping | Sequence):
        raise PageError(f"a markup is a JSON-LD object or a page, not {type(markup).__name__}")
    try:
        text = json.dumps(markup)
    except (TypeError, ValueError, RecursionError) as problem:
        raise InputError(f"a markup is a JSON-LD object: {problem}") from None
    return read_page(text)


def _checker(agents: Sequence[str] | None, judge: str, policy: str, evidence: PageLike | None, url: str | None) -> Any:
    from schemaproof.pipeline.checking import Checker, CheckOptions
    from schemaproof.pipeline.judges import parse_agents
    from schemaproof.sources import PageSource

    source = None
    if evidence is not None:
        page = read_page(evidence, url=url)
        source = PageSource(
            page.name, page.html.encode("utf-8", "replace"), page.url or url, content_type="text/html; charset=utf-8"
        )
    chosen = None if agents is None else parse_agents(",".join(agents))
    return Checker(CheckOptions(chosen, judge, policy, None, source))


def check(
    page: Markup,
    *,
    evidence: PageLike | None = None,
    url: str | None = None,
    agents: Sequence[str] | None = None,
    judge: str = "embedded",
    policy: str = "schema.org",
) -> Checked:
    """Judge every statement of a page's markup.

    Arguments:
        page: the page, or a bare JSON-LD object.
        evidence: the page that a bare markup describes.
        url: the page's address, where it is not known.
        agents: of "validity", "factuality", "compliance"; all three by default, without factuality for bare JSON-LD.
        judge: SPEC of what answers for factuality and compliance.
        policy: of the validity agent: "schema.org", "paper" or "google".

    Raises: InputError, SourceError; ModelError where a judge's model fails.
    """
    read = read_page(page, url=url) if isinstance(page, Page | str | bytes | Path) else _marked_up(page)
    found = _checker(agents, judge, policy, evidence, url).check(read)
    answer = found.answer or {}
    statements = [*answer.get("statements", ()), *answer.get("links", ())]
    return Checked(
        found.name, answer.get("language", ""), statements, tuple(found.findings), answer.get("signature", ""),
        answer.get("foreign", 0),
    )  # fmt: skip


def clean(
    page: Markup,
    *,
    evidence: PageLike | None = None,
    url: str | None = None,
    agents: Sequence[str] | None = None,
    judge: str = "embedded",
    policy: str = "schema.org",
    strict: bool = False,
    fix: bool = False,
) -> Cleaned:
    """A page's JSON-LD without its rejected statements, otherwise as its author wrote it.

    Arguments: as `check`;
        strict: also take out what could not be judged.
        fix: first apply the safe repairs.

    Raises: as `check`.
    """
    from schemaproof.pipeline.cleaning import clean as curated

    read = read_page(page, url=url) if isinstance(page, Page | str | bytes | Path) else _marked_up(page)
    found = curated(read, _checker(agents, judge, policy, evidence, url), strict=strict, fix=fix)
    left = [document for document in found.documents if document is not None]
    return Cleaned(read.name, left, found.removed, found.changes, found.unclear)


def memr(a: Markup, b: Markup, *, weights: Mapping[str, float] | None = None) -> Comparison:
    """Whose markup of the same page covers more: each one's share of the merged markup.

    Arguments:
        a, b: the markups, scored as they are; `clean` them first where wrong statements must not count.
        weights: property to weight of 0 or more, "*" for all others.

    Raises: InputError for what is no markup, SourceError.

    Source: paper, section 3.6 and Algorithm 1.
    """
    from schemaproof.markup import page_graph
    from schemaproof.scoring.memr import counts
    from schemaproof.scoring.memr import memr as score
    from schemaproof.vocabulary import load

    vocabulary = load()
    facts = [counts(page_graph(_marked_up(each), vocabulary, assume_schema_org=True), None) for each in (a, b)]
    found = score(facts[0], facts[1], weights)
    sides = (None, None) if found is None else (found.a_score, found.b_score)
    return Comparison(*sides, *(dict(sorted(each.items())) for each in facts))


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
