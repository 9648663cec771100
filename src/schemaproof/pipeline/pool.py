"""Working on many pages at once: processes for CPU work, threads where a model is asked."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Generic, TypeVar

from schemaproof.pipeline.processors import processors
from schemaproof.sources.model import PageSource

Job = tuple[PageSource, str]
R = TypeVar("R")
Worker = Callable[[PageSource, str], R]

# Below this many pages starting processes costs more than it saves.
POOL_FROM = 24
# Pages make many small objects and hardly a cycle: looking for cycles less often saves 7% of the time.
GC_THRESHOLD = (20_000, 20, 50)
MODEL_THREADS = 8
PARENT_SECONDS = 1.0  # how often a worker looks whether its parent is still there

_worker: Callable[[PageSource, str], Any] | None = None
_seconds = 0.0


@dataclass(frozen=True, slots=True)
class Task(Generic[R]):
    """What is done with each page.

    Attributes:
        setup: makes the worker, once a process; must be picklable (a function of a module, or a partial of one).
        lost: makes the result of a page that could not be worked on, from its job and the reason.
        seconds: time limit of a page; 0 for none.
        threads: work in threads of this process instead of processes (for work that mostly waits).
    """

    setup: Callable[[], Worker[R]]
    lost: Callable[[Job, str], R]
    seconds: float = 0.0
    threads: bool = False


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


def _follow(parent: int) -> None:
    """End this process when the one that asked for it has ended, whatever it died of."""
    while True:
        time.sleep(PARENT_SECONDS)
        try:
            os.kill(parent, 0)
        except ProcessLookupError:
            os._exit(1)
        except OSError:
            return


def _start(setup: Callable[[], Worker[Any]], seconds: float, parent: int) -> None:
    global _worker, _seconds
    if os.name == "posix":
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()
    # The parent decides what an interrupt means; a worker that prints its own traceback only confuses.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker, _seconds = setup(), seconds
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLD)


def _call(source: PageSource, digest: str) -> Any:
    assert _worker is not None
    with time_limit(_seconds):
        return _worker(source, digest)


def execute(jobs: Iterable[Job], task: Task[R], workers: int = 0, *, isolated: bool = False) -> Iterator[R]:
    """Work on pages and yield each result as soon as it is there, in any order.

    Arguments:
        jobs: (source, digest) pairs; taken one by one, so that few pages are in memory at a time.
        task: what is done with each.
        workers: processes (or threads); 0 for as many as there are processors (or `MODEL_THREADS`).
        isolated: work in another process even where one worker is enough.

    Raises: what the task's setup raises, and what its worker raises on purpose (a model that stays down).
    """
    ahead = iter(jobs)
    if task.threads:
        yield from _threads(ahead, task.setup(), workers or MODEL_THREADS)
        return
    count = workers or processors()
    first = list(islice(ahead, POOL_FROM))
    if not isolated and (count == 1 or (not workers and len(first) < POOL_FROM)):
        worker = task.setup()
        before = gc.get_threshold()
        gc.set_threshold(*GC_THRESHOLD)
        try:
            for job in chain(first, ahead):
                try:
                    with time_limit(task.seconds):
                        result = worker(*job)
                except TimeoutError as problem:
                    result = task.lost(job, str(problem))
                yield result
        finally:
            gc.set_threshold(*before)
        return
    yield from _processes(chain(first, ahead), task, count)


def _threads(jobs: Iterator[Job], worker: Worker[R], count: int) -> Iterator[R]:
    with ThreadPoolExecutor(count, thread_name_prefix="page") as executor:
        waiting: dict[Future[R], Job] = {}
        failure: BaseException | None = None
        try:
            while True:
                while failure is None and len(waiting) < count and (job := next(jobs, None)) is not None:
                    waiting[executor.submit(worker, *job)] = job
                if not waiting:
                    break
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    del waiting[future]
                    try:
                        result = future.result()
                    except Exception as problem:  # pages under way are finished and saved before it is told
                        failure = failure or problem
                        continue
                    yield result
        except (KeyboardInterrupt, GeneratorExit):
            # Nobody waits for answers under way; what was answered is remembered.
            from schemaproof.models.building import stop_models

            stop_models()
            executor.shutdown(wait=False, cancel_futures=True)
            raise
        if failure is not None:
            raise failure


def _executor(task: Task[Any], count: int) -> ProcessPoolExecutor:
    import multiprocessing

    # A fork of this process could copy locks held by threads of the database or of the progress bar; the fork
    # server is clean, and with the modules loaded there a worker costs next to nothing.
    forkserver = "forkserver" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if forkserver else "spawn")
    if forkserver:
        context.set_forkserver_preload(["schemaproof.pipeline.preload"])
    return ProcessPoolExecutor(
        count, mp_context=context, initializer=_start, initargs=(task.setup, task.seconds, os.getpid())
    )


def _processes(jobs: Iterator[Job], task: Task[R], count: int) -> Iterator[R]:
    executor = _executor(task, count)
    waiting: dict[Future[R], Job] = {}
    try:
        while True:
            refused: list[Job] = []
            try:
                while len(waiting) < 2 * count and (job := next(jobs, None)) is not None:
                    try:
                        waiting[executor.submit(_call, *job)] = job
                    except BrokenProcessPool:
                        refused.append(job)
                        raise
                if not waiting:
                    return
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    try:
                        result = future.result()
                    except TimeoutError as problem:
                        result = task.lost(waiting[future], str(problem))
                    del waiting[future]
                    yield result
            except BrokenProcessPool:
                # A worker died (killed, out of memory, a crash in a library). Any page under way may be the cause:
                # each gets a process of its own, so that only the culprit is lost.
                suspects = [*waiting.values(), *refused]
                waiting.clear()
                executor.shutdown(wait=False, cancel_futures=True)
                for job in suspects:
                    yield _alone(job, task)
                executor = _executor(task, count)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _alone(job: Job, task: Task[R]) -> R:
    with _executor(task, 1) as single:
        try:
            result: R = single.submit(_call, *job).result()
        except TimeoutError as problem:
            return task.lost(job, str(problem))
        except BrokenProcessPool:
            return task.lost(job, "the process working on this page died; it may need more memory than there is")
        return result
