"""A run: contenders and agents over many pages, into a run file, resumable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from schemaproof.pipeline.plan import Plan
from schemaproof.pipeline.pool import Job, Task, execute
from schemaproof.pipeline.result import PageResult
from schemaproof.pipeline.store import Store
from schemaproof.pipeline.totals import page_dict, totals
from schemaproof.pipeline.work import lost, worker
from schemaproof.sources.model import PageSource


@dataclass(slots=True)
class Progress:
    """How far a run is; handed to the caller after every page.

    Attributes:
        reused: pages taken from the run file.
        worked: pages worked on now.
        failed: pages that failed, reused ones included.
        last: the page that came last.
    """

    reused: int = 0
    worked: int = 0
    failed: int = 0
    last: PageResult | None = None


@dataclass(slots=True)
class RunReport:
    """What a run did.

    Attributes:
        signature: of everything that its numbers depend on but the pages.
        names: the contenders, the human first.
        order: names of this run's pages in the order given.
        progress: counts of pages.
        seconds: CPU seconds by stage over the pages worked on now.
    """

    signature: str
    names: tuple[str, ...]
    order: list[str] = field(default_factory=list)
    progress: Progress = field(default_factory=Progress)
    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, result: PageResult) -> None:
        """Count a page that was worked on."""
        self.progress.worked += 1
        self.progress.failed += result.error is not None
        self.progress.last = result
        for stage, seconds in result.seconds.items():
            self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds


def in_shard(number: int, shard: tuple[int, int] | None) -> bool:
    """Whether the page of that number (from 0) belongs to shard (I, N), I from 1."""
    return shard is None or number % shard[1] == shard[0] - 1


def run(
    sources: Iterable[PageSource],
    plan: Plan,
    store: Store,
    *,
    workers: int = 0,
    shard: tuple[int, int] | None = None,
    retry: bool = False,
    told: Callable[[Progress], None] = lambda _: None,
) -> RunReport:
    """Work on pages and save each in a transaction of its own as soon as it is done.

    A page that is in the run file with the same bytes under the same signature is not worked on again. A page that
    failed before, or for which a contender did, is tried again if `retry` says so, or where its bytes could not be had
    at all.

    Arguments:
        sources: the pages.
        plan: what is done with each.
        store: the run file.
        workers: see `pool.execute`.
        shard: (I, N): only every Nth page, from the Ith.
        retry: work again on pages that failed, or for which a contender did.
        told: called after every page, and after those that are taken from the run file.

    Returns: what was done. Interrupted or failing runs raise; what was done is saved.

    Raises: ModelError where a model's provider stays down, StoreError, and what `make_bench` raises.
    """
    line = plan.signature()
    report = RunReport(line, ("human", *(name for name, _ in plan.contenders)))
    known = store.done(line)
    taken: dict[str, int] = {}
    lacking = store.lacking(line) if retry else frozenset[str]()
    progress = report.progress

    def pending() -> Iterator[Job]:
        for number, given in enumerate(sources):
            # Named before they are dealt out: shards must not call different pages the same.
            source = _renamed(given, taken)
            if not in_shard(number, shard):
                continue
            report.order.append(source.name)
            digest = plan.digest(source.data, source.id) if source.data is not None else ""
            before = known.get(source.name)
            if (
                before is not None
                and digest
                and before[0] == digest
                and not (retry and (before[1] or source.name in lacking))
            ):
                progress.reused += 1
                progress.failed += before[1]
                told(progress)
                continue
            yield source, digest

    task = Task(partial(worker, plan), lost, plan.page_seconds, plan.uses_model)
    begun = False
    covered = 0
    try:
        for result in execute(pending(), task, workers):
            if not begun:
                # Not before the contenders could be opened: a run that is refused must not hide the one before it.
                store.begin(line, report.names)
                begun = True
            store.save(result, line)
            # Page by page, so that who reads the file meanwhile sees how far it came.
            store.cover(report.order[covered:])
            covered = len(report.order)
            report.add(result)
            told(progress)
        if not begun:
            store.begin(line, report.names)
            begun = True
    finally:
        if begun:
            store.cover(report.order[covered:])
    return report


def _renamed(source: PageSource, taken: dict[str, int]) -> PageSource:
    """Pages of the same name get a number behind it, so that none hides another."""
    from dataclasses import replace

    name = source.name
    count = taken.get(name, 0)
    while name in taken:
        count += 1
        name = f"{source.name}#{count}"
    taken[source.name] = max(count, 1)
    taken.setdefault(name, 1)
    return source if name == source.name else replace(source, name=name)


def answer(
    store: Store,
    report: RunReport,
    *,
    weights: Mapping[str, float] | None = None,
    every: bool = False,
    seed: int = 0,
    markup: bool = True,
) -> dict[str, Any]:
    """What `run --json` prints: pages in the order given, then the totals.

    Arguments:
        store: the run file.
        report: of the run.
        weights: property to weight in MeMR.
        every: compare every pair of contenders.
        seed: of the bootstrap.
        markup: include the markups.
    """
    wanted = dict.fromkeys(report.order)
    found = {
        page.name: page_dict(page, weights, every=every, order=report.names)
        for page in store.pages(report.signature, statements=markup)
        if page.name in wanted
    }
    pages = [found[name] for name in wanted if name in found]
    line = report.signature if weights is None else f"{report.signature}|weights:{_weights_mark(weights)}"
    return {
        "schema_version": 1,
        "signature": line,
        "pages": pages,
        "totals": totals(pages, report.names, every=every, seed=seed),
    }


def _weights_mark(weights: Mapping[str, float]) -> str:
    from hashlib import sha256

    text = "\n".join(f"{name} {weights[name]!r}" for name in sorted(weights))
    return sha256(text.encode()).hexdigest()[:12]


def report_of(store: Store, *, whole: bool = True) -> RunReport:
    """The report of a run file that is only read: its last signature and its pages.

    Arguments:
        store: the run file.
        whole: all its pages of that signature; else those that the last run covered (see `Store.numbers`).

    Raises: StoreError for a run file without a run.
    """
    from schemaproof.errors import StoreError

    line, names = store.meta("signature"), store.meta("contenders")
    if line is None or names is None:
        raise StoreError(f"{store.path}: there is no run in it yet")
    report = RunReport(line, tuple(names.split("\n")))
    report.order = list(store.numbers(line, whole=whole))
    return report


def merge(paths: Iterable[Path], target: Store) -> int:
    """Join run files; returns how many pages were copied. Raises StoreError for a file that is none."""
    copied = 0
    for path in paths:
        with Store(path, must_exist=True) as other:
            copied += target.absorb(other)
    return copied
