"""Working on many pages at once: processes for CPU work, threads where a model is asked."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any

from schemaproof.pipeline.plan import Plan
from schemaproof.pipeline.result import PageResult
from schemaproof.pipeline.work import Bench, make_bench, work
from schemaproof.sources.model import PageSource

Job = tuple[PageSource, str]

# Below this many pages starting processes costs more than it saves.
POOL_FROM = 24
MODEL_THREADS = 8

_bench: Bench | None = None


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in this thread after some seconds; no limit off the main thread, where signals cannot go."""
    usable = seconds > 0 and hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not usable:
        yield
        return

    def stop(number: int, frame: Any) -> None:
        raise TimeoutError(f"took longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def one(source: PageSource, digest: str, bench: Bench) -> PageResult:
    """The work on one page under the plan's time limit."""
    try:
        with time_limit(bench.plan.page_seconds):
            return work(source, digest, bench)
    except TimeoutError as problem:  # the alarm may ring just outside of the guarded part
        return PageResult(source.name, source.url, source.id, digest, error=str(problem))


def _start(plan: Plan) -> None:
    global _bench
    # The parent decides what an interrupt means; a worker that prints its own traceback only confuses.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _bench = make_bench(plan)
    gc.collect()
    gc.freeze()


def _work_in_process(source: PageSource, digest: str) -> PageResult:
    assert _bench is not None
    return one(source, digest, _bench)


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def execute(jobs: Iterable[Job], plan: Plan, workers: int = 0) -> Iterator[PageResult]:
    """Work on pages and yield each result as soon as it is there, in any order.

    Arguments:
        jobs: (source, digest) pairs; taken one by one, so that few pages are in memory at a time.
        plan: what is done with each.
        workers: processes (or threads where a model is asked); 0 for as many as there are processors.

    Raises: what `make_bench` raises, ModelError where a provider stays down.
    """
    ahead = iter(jobs)
    if plan.uses_model:
        bench = make_bench(plan)
        yield from _threads(ahead, bench, workers or MODEL_THREADS)
        return
    count = workers or processors()
    first = list(islice(ahead, POOL_FROM))
    if count == 1 or (not workers and len(first) < POOL_FROM):
        bench = make_bench(plan)
        for source, digest in chain(first, ahead):
            yield one(source, digest, bench)
        return
    yield from _processes(chain(first, ahead), plan, count)


def _threads(jobs: Iterator[Job], bench: Bench, count: int) -> Iterator[PageResult]:
    with ThreadPoolExecutor(count, thread_name_prefix="page") as executor:
        waiting: dict[Future[PageResult], Job] = {}
        failure: BaseException | None = None
        while True:
            while failure is None and len(waiting) < count and (job := next(jobs, None)) is not None:
                waiting[executor.submit(work, *job, bench)] = job
            if not waiting:
                break
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                del waiting[future]
                try:
                    yield future.result()
                except Exception as problem:  # pages under way are finished and saved before it is told
                    failure = failure or problem
        if failure is not None:
            raise failure


def _executor(plan: Plan, count: int) -> ProcessPoolExecutor:
    import multiprocessing

    # A fork of this process could copy locks held by threads of the database or of the progress bar; the fork
    # server is clean, and with the modules loaded there a worker costs next to nothing.
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if "forkserver" in methods:
        context.set_forkserver_preload(["schemaproof.pipeline.preload"])
    return ProcessPoolExecutor(count, mp_context=context, initializer=_start, initargs=(plan,))


def _processes(jobs: Iterator[Job], plan: Plan, count: int) -> Iterator[PageResult]:
    executor: ProcessPoolExecutor = _executor(plan, count)
    waiting: dict[Future[PageResult], Job] = {}
    try:
        while True:
            broken: list[Job] = []
            try:
                while len(waiting) < 2 * count and (job := next(jobs, None)) is not None:
                    try:
                        waiting[executor.submit(_work_in_process, *job)] = job
                    except BrokenProcessPool:
                        broken.append(job)
                        raise
                if not waiting:
                    return
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    result = future.result()
                    del waiting[future]
                    yield result
            except BrokenProcessPool:
                # A worker died (killed, out of memory, a crash in a library). Any page under way may be the cause:
                # each gets a process of its own, so that only the culprit is lost.
                suspects = [*waiting.values(), *broken]
                waiting.clear()
                executor.shutdown(wait=False, cancel_futures=True)
                for job in suspects:
                    yield _alone(job, plan)
                executor = _executor(plan, count)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _alone(job: Job, plan: Plan) -> PageResult:
    single: Executor
    with _executor(plan, 1) as single:
        try:
            return single.submit(_work_in_process, *job).result()
        except BrokenProcessPool:
            source, digest = job
            reason = "the process working on this page died; it may need more memory than there is"
            return PageResult(source.name, source.url, source.id, digest, error=reason)
