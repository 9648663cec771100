"""One walk over a run file: everything that the report counts, and each page packed for its reader."""

from __future__ import annotations

import json
import math
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from schemaproof.pipeline.result import MarkupResult, PageResult, UnitResult
from schemaproof.pipeline.run import report_of
from schemaproof.pipeline.store import Store
from schemaproof.pipeline.totals import page_dict, totals

CHUNK_TOKENS = 4096
# Raw markup longer than this is left out of the report's page view; the run file has it.
MARKUP_CHARS = 60_000


@dataclass(slots=True)
class PageRow:
    """One page.

    Attributes:
        name, title, language, error: as in the run file.
        url: its address if it is one of http or https, else "".
        id: as in the run file.
        chars, tokens: length of its visible text.
        packed: what the page's view needs, compressed.
        facets: (contender, outcome, rule, property) to number of statements, for the page view's filters.
    """

    name: str
    title: str
    language: str
    error: str | None
    url: str
    id: str
    chars: int = 0
    tokens: int = 0
    packed: bytes = b""
    facets: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)


@dataclass(slots=True)
class UnitRow:
    """One unit.

    Attributes:
        page: index of its page in `Collection.pages`.
        types: its root types.
        counts: contender to statements by stage.
        scores: (a, b) to both scores; left out where there is none.
        share: contender to share.
        instances, properties: nodes with a type and distinct properties of the human markup (the paper's two features
            of a page), of the first markup that has any where the human has none.
    """

    page: int
    types: tuple[str, ...]
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    scores: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    share: dict[str, float] = field(default_factory=dict)
    instances: int = 0
    properties: int = 0


@dataclass(slots=True)
class Collection:
    """What a report is made of.

    Attributes:
        signature: of the run.
        names: the contenders, the human first.
        pages, units: see there.
        totals: as in `run --json`.
        decisions: (contender, agent, decision, rule, kind) to number of statements; the deciding verdict of each
            statement, or ("", "keep", "", "") of a kept one and ("", "below", "", "") of one below a rejected entity.
        properties: (contender, property) to number of statements by what became of them: "kept", "unclear",
            "validity", "contradicted", "unsupported", "compliance", "below".
        types: the same by type of the subject.
        probabilities: (agent, decision) to numbers by tenth of probability.
        held: contender to type to indices of pages whose markup has it.
        pairs: the pairs compared.
        seconds: CPU seconds by stage.
        tokenizer: how tokens were counted.
        others: number of pages of earlier runs of the same signature that are in the run file and not in the report.
    """

    signature: str
    names: tuple[str, ...]
    pages: list[PageRow] = field(default_factory=list)
    units: list[UnitRow] = field(default_factory=list)
    totals: dict[str, Any] = field(default_factory=dict)
    decisions: Counter[tuple[str, str, str, str, str]] = field(default_factory=Counter)
    properties: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    types: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    probabilities: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    held: dict[str, dict[str, set[int]]] = field(default_factory=dict)
    pairs: tuple[tuple[str, str], ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    tokenizer: str = ""
    others: int = 0


def state_of(statement: Mapping[str, Any]) -> tuple[str, str]:
    """What became of a statement and which agent decided it.

    Arguments:
        statement: in the form of `check --json`.

    Returns: ("keep" | "unclear" | "reject" | "below", name of the agent or ""). "below" stands below a rejected
        entity, no agent objected to the statement itself.
    """
    if statement["kept"]:
        return "keep", ""
    for wanted in ("reject", "unclear"):
        for agent, said in statement["verdicts"].items():
            if said["verdict"] == wanted:
                return wanted, agent
    return ("unclear", "") if statement["unclear"] else ("below", "")


def fate(statement: Mapping[str, Any]) -> str:
    """The column of a statement in the tables by property and type."""
    state, agent = state_of(statement)
    if state == "keep":
        return "kept"
    if state == "reject":
        said = statement["verdicts"][agent]
        return str(said.get("kind") or "unsupported") if agent == "factuality" else agent
    return state


def collect(
    store: Store,
    *,
    every: bool = False,
    weights: Mapping[str, float] | None = None,
    seed: int = 0,
    pack: bool = True,
    whole: bool = False,
) -> Collection:
    """Walk over a run file once, one page in memory at a time.

    Arguments:
        store: the run file.
        every: compare every pair of contenders, not only with the human.
        weights: property to weight in MeMR.
        seed: of the bootstrap.
        pack: also pack each page for the page view.
        whole: all pages of the run's signature, not only those that the last run covered.

    Raises: StoreError for a run file without a run.
    """
    from schemaproof.models.tokens import counter

    report = report_of(store, whole=whole)
    with warnings.catch_warnings():
        # The tokenizer's package reads its tables in a way that newer Pythons warn of.
        warnings.simplefilter("ignore", DeprecationWarning)
        tokenizer, count = counter("gpt-3.5-turbo")
    found = Collection(report.signature, report.names, tokenizer=tokenizer)
    found.others = 0 if whole else store.others(report.signature)
    rows = []
    for page in store.pages(report.signature, statements=True, whole=whole):
        row = page_dict(page, weights, every=every, order=report.names)
        _page(found, page, row, count, pack)
        for unit in row["units"]:
            for entry in unit["contenders"].values():
                del entry["markup"]
        rows.append(row)
    found.totals = totals(rows, report.names, every=every, seed=seed)
    found.pairs = tuple((pair["a"], pair["b"]) for pair in found.totals["memr"])
    return found


def _page(found: Collection, page: PageResult, row: dict[str, Any], count: Callable[[str], int], pack: bool) -> None:
    number = len(found.pages)
    url = page.url if page.url and page.url.lower().startswith(("http://", "https://")) else ""
    entry = PageRow(page.name, page.title, page.language, page.error, url, page.id, len(page.text))
    entry.tokens = count(page.text)
    found.pages.append(entry)
    for stage, seconds in page.seconds.items():
        found.seconds[stage] = found.seconds.get(stage, 0.0) + seconds
    for unit, shown in zip(page.units, row["units"], strict=True):
        scores = {
            (pair["a"], pair["b"]): (pair["a_score"], pair["b_score"])
            for pair in shown["memr"]
            if pair["a_score"] is not None
        }
        made = UnitRow(number, tuple(unit.types), {}, scores, dict(shown["share"]))
        for markup in unit.markups:
            if markup.error is None:
                made.counts[markup.contender] = dict(markup.counts)
            _markup(found, number, markup)
            if not made.properties and markup.statements:
                made.instances, made.properties = features(markup)
        found.units.append(made)
    if pack:
        entry.packed = zlib.compress(_view(page, row).encode(), 9)


def features(markup: MarkupResult) -> tuple[int, int]:
    """Number of nodes with a type and of distinct properties, type included (paper, section 4.3)."""
    names = {row["property"] for row in markup.statements}
    below = sum(1 for row in markup.statements if row["entity"])
    roots = {row["path"].split("/")[1] for row in markup.statements if len(row["chain"]) == 1 and "/" in row["path"]}
    return below + max(1, len(roots)), len(names | {"@type"})


def _markup(found: Collection, page: int, markup: MarkupResult) -> None:
    name = markup.contender
    held = found.held.setdefault(name, {})
    for statement in markup.statements:
        state, agent = state_of(statement)
        said = statement["verdicts"].get(agent, {})
        rule = said.get("rule") or ""
        found.decisions[name, agent, state, rule, said.get("kind") or ""] += 1
        found.pages[page].facets[name, f"{state} {agent}".strip(), rule, statement["property"]] += 1
        outcome = fate(statement)
        found.properties[name, statement["property"], outcome] += 1
        for kind in statement["types"] or ["(no type)"]:
            found.types[name, kind, outcome] += 1
        if statement["property"] != "@type":
            for kind in (*statement["types"], *(statement["entity"] or ())):
                held.setdefault(kind, set()).add(page)
        for judge, verdict in statement["verdicts"].items():
            chance = verdict.get("probability")
            if isinstance(chance, int | float) and not math.isnan(chance):
                bins = found.probabilities.setdefault((judge, verdict["verdict"]), [0] * 10)
                bins[min(9, max(0, int(chance * 10)))] += 1


def _view(page: PageResult, row: dict[str, Any]) -> str:
    """What the page view shows of a page, as JSON text of ASCII only (no lone surrogate survives the way)."""
    units = [_unit_view(unit, shown) for unit, shown in zip(page.units, row["units"], strict=True)]
    return json.dumps({"text": page.text, "units": units}, separators=(",", ":"))


def _unit_view(unit: UnitResult, shown: dict[str, Any]) -> dict[str, Any]:
    return {
        "types": unit.types,
        "memr": [pair for pair in shown["memr"] if pair["a_score"] is not None],
        "markups": [
            {
                "name": markup.contender,
                "counts": markup.counts,
                "error": markup.error,
                "notes": markup.notes,
                "source": _source(markup),
                "rows": [_statement_view(statement) for statement in markup.statements],
            }
            for markup in unit.markups
        ],
    }


def _source(markup: MarkupResult) -> str:
    text = json.dumps(markup.documents, ensure_ascii=False, indent=1)
    return text if len(text) <= MARKUP_CHARS else text[:MARKUP_CHARS] + "\n…"


def _statement_view(statement: Mapping[str, Any]) -> list[Any]:
    """[depth, types, property, value, entity, state, agent, path, verdicts]; a verdict is [agent, decision, rule,
    reason, probability, kind, suggestion, evidence], evidence [start, end, text, kind]."""
    state, agent = state_of(statement)
    value = statement["value"]
    return [
        max(0, len(statement["chain"]) - 1),
        statement["types"],
        statement["property"],
        # Whole numbers beyond what a browser keeps exactly go as text.
        str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 1 << 53 else value,
        statement["entity"],
        state,
        agent,
        statement["path"],
        [
            [
                name,
                said["verdict"],
                said.get("rule") or "",
                said.get("reason") or "",
                said.get("probability"),
                said.get("kind") or "",
                said.get("suggestion") or "",
                [[each["start"], each["end"], each["text"], each["kind"]] for each in said.get("evidence") or ()],
            ]
            for name, said in statement["verdicts"].items()
        ],
    ]
