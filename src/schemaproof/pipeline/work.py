"""The work on one page: read it, let every contender describe it, curate, count."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from schemaproof.errors import ModelError, SchemaproofError, StoreError
from schemaproof.markup.model import Graph
from schemaproof.page.model import Page
from schemaproof.pipeline.contenders import build_contender
from schemaproof.pipeline.curation import Curation, Judges, curate
from schemaproof.pipeline.judges import build_judges
from schemaproof.pipeline.plan import Plan
from schemaproof.pipeline.result import MarkupResult, PageResult, UnitResult
from schemaproof.pipeline.statements import statement_dicts
from schemaproof.pipeline.units import matching_roots, statements_of, units
from schemaproof.pipeline.written import Contender
from schemaproof.scoring.memr import Unit, counts
from schemaproof.sources.model import PageSource


@dataclass
class Bench:
    """The tools that every page needs, made once a process from the plan."""

    plan: Plan
    vocabulary: Any
    judges: Judges
    contenders: dict[str, Contender]


def make_bench(plan: Plan) -> Bench:
    """Make the tools.

    Raises: SpecError, MissingExtraError, InputError.
    """
    from schemaproof.vocabulary import load

    vocabulary = load(plan.vocabulary)
    judges = build_judges(vocabulary, plan.agents, plan.policy, plan.judge)
    contenders = {name: build_contender(spec, plan, vocabulary) for name, spec in plan.specs}
    return Bench(plan, vocabulary, judges, contenders)


def worker(plan: Plan) -> Callable[[PageSource, str], PageResult]:
    """A function that works on pages after a plan, its tools made once."""
    bench = make_bench(plan)
    return lambda source, digest: work(source, digest, bench)


def lost(job: tuple[PageSource, str], reason: str) -> PageResult:
    """The result of a page that could not be worked on."""
    source, digest = job
    return PageResult(source.name, source.url, source.id, digest, error=reason)


@dataclass
class _Clock:
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Adds the CPU time spent inside to a stage."""
        started = time.process_time()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.process_time() - started


def work(source: PageSource, digest: str, bench: Bench) -> PageResult:
    """Everything about one page.

    Arguments:
        source: the page's bytes.
        digest: see `Plan.digest`.
        bench: the tools.

    Returns: its result; whatever goes wrong with this page is its `error`.

    Raises: ModelError where a model's provider stays down, StoreError where answers cannot be kept (a full disk), so
        that the run can stop and be resumed.
    """
    result = PageResult(source.name, source.url, source.id, digest)
    if source.data is None:
        result.error = source.error or "cannot be opened"
        return result
    clock = _Clock()
    try:
        _work(source, bench, result, clock)
    except (ModelError, StoreError):
        raise
    except MemoryError:
        result.error, result.units = "not enough memory for this page", []
    except Exception as problem:  # a page must never stop the others; the reason is kept and shown
        result.error, result.units = f"{type(problem).__name__}: {problem}", []
    result.seconds = clock.seconds
    return result


def _work(source: PageSource, bench: Bench, result: PageResult, clock: _Clock) -> None:
    from schemaproof.markup import page_graph
    from schemaproof.page import read_document

    assert source.data is not None
    with clock.stage("read"):
        page = read_document(source.data, url=source.url, name=source.name, content_type=source.content_type)
    result.language, result.title, result.text = page.language, page.title, page.text
    with clock.stage("graph"):
        human = page_graph(page, bench.vocabulary)
    groups = units(human, bench.plan.types) or _discovered(page, bench)
    if not groups:
        return
    prepared = None
    if bench.judges.factuality is not None:
        with clock.stage("prepare"):
            prepared = bench.judges.factuality.prepare(page)
    curation = _curate(human, bench, page, prepared, clock)
    for unit in groups:
        with clock.stage("score"):
            own = _markup("human", curation, unit.roots)
        entry = UnitResult(list(unit.types), [own])
        for name, contender in bench.contenders.items():
            entry.markups.append(_contend(name, contender, page, source.id, unit.types, bench, prepared, clock))
        result.units.append(entry)


def _discovered(page: Page, bench: Bench) -> list[Unit]:
    """The unit of a page without typed markup, of the types that the first model to name any names (`--type auto`)."""
    for contender in bench.contenders.values():
        discover = getattr(contender, "discover", None)
        types = discover(page) if discover is not None else ()
        if types:
            return [Unit(tuple(sorted(types)), ())]
    return []


def _curate(graph: Graph, bench: Bench, page: Page, prepared: Any, clock: _Clock) -> Curation:
    before = sum(clock.seconds.values())
    started = time.process_time()
    curation = curate(graph, bench.judges, page, prepared, clock.stage)
    # What curate itself costs, its agents apart.
    inside = sum(clock.seconds.values()) - before
    rest = time.process_time() - started - inside
    clock.seconds["curate"] = clock.seconds.get("curate", 0.0) + max(rest, 0.0)
    return curation


def _contend(
    name: str,
    contender: Contender,
    page: Page,
    page_id: str,
    types: tuple[str, ...],
    bench: Bench,
    prepared: Any,
    clock: _Clock,
) -> MarkupResult:
    from schemaproof.markup import build_graph

    try:
        with clock.stage(f"write {name}"):
            written = contender.write(page, page_id, types)
    except (ModelError, StoreError):
        raise
    except SchemaproofError as problem:
        return MarkupResult(name, error=str(problem))
    with clock.stage("graph"):
        graph = build_graph(written.documents, base=page.base, vocabulary=bench.vocabulary, assume_schema_org=True)
    curation = _curate(graph, bench, page, prepared, clock)
    with clock.stage("score"):
        answer = _markup(name, curation, matching_roots(graph, types, alone=written.alone))
    answer.sources, answer.notes = written.sources, list(written.notes)
    return answer


def _markup(name: str, curation: Curation, roots: tuple[int, ...]) -> MarkupResult:
    """Stage counts, facts and statements of the part of a markup that belongs to some roots."""
    mine = statements_of(curation.graph, roots)
    unclear = curation.unclear & mine
    numbers = {
        "input": len(mine),
        "valid": len(curation.after("validity") & mine),
        "factual": len((curation.after("factuality") & mine) - unclear),
        "compliant": len(curation.kept & mine),
        "unclear": len(unclear),
    }
    facts = counts(curation.graph, curation.facts(), roots)
    documents = _documents(curation.graph, mine, roots)
    return MarkupResult(name, numbers, facts, documents, statement_dicts(curation, mine))


def _documents(graph: Graph, mine: frozenset[int], roots: tuple[int, ...]) -> list[Any]:
    """The documents that hold any of these statements or roots, each once, in order."""
    pointers = [graph.statements[index].path for index in mine] + [graph.nodes[root].pointer for root in roots]
    if len(graph.documents) == 1:
        return list(graph.documents) if pointers else []
    numbers = {int(part) for pointer in pointers if (part := pointer.split("/")[1] if "/" in pointer else "").isdigit()}
    return [document for number, document in enumerate(graph.documents) if number in numbers]
