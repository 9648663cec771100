from __future__ import annotations

import os
import signal
import time
from functools import partial

import pytest

from schemaproof.errors import ModelError
from schemaproof.pipeline.pool import Job, Task, execute, time_limit
from schemaproof.sources.model import PageSource


def jobs(count: int) -> list[Job]:
    return [(PageSource(str(number), b""), "") for number in range(count)]


def lost(job: Job, reason: str) -> str:
    return f"{job[0].name} lost: {reason}"


class Worker:
    """Answers with the page's name; dies, hangs or fails where the name says so."""

    def __init__(self, poison: str = "", slow: str = "", failing: str = "") -> None:
        self.poison, self.slow, self.failing = poison, slow, failing

    def __call__(self, source: PageSource, _: str) -> str:
        if source.name == self.poison:
            os.kill(os.getpid(), signal.SIGKILL)
        if source.name == self.slow:
            time.sleep(60)
        if source.name == self.failing:
            raise ModelError("down")
        return source.name


@pytest.mark.parametrize("workers", [1, 2])
def test_every_page_gives_one_result(workers: int) -> None:
    found = list(execute(jobs(30), Task(Worker, lost), workers))
    assert sorted(found) == sorted(str(number) for number in range(30))


def test_a_page_that_kills_its_process_is_the_only_one_lost() -> None:
    found = list(execute(jobs(30), Task(partial(Worker, poison="7"), lost), 2))
    assert [name for name in found if "lost" in name] == [
        "7 lost: the process working on this page died; it may need more memory than there is"
    ]
    assert len(found) == 30


@pytest.mark.parametrize("workers", [1, 2])
def test_a_page_that_hangs_is_given_up(workers: int) -> None:
    found = list(execute(jobs(5), Task(partial(Worker, slow="3"), lost, seconds=0.5), workers))
    assert "3 lost: took longer than 0.5 s" in found
    assert len(found) == 5


def test_threads_finish_what_is_under_way_before_a_failure_is_told() -> None:
    found: list[str] = []
    with pytest.raises(ModelError):
        found.extend(execute(jobs(10), Task(partial(Worker, failing="2"), lost, threads=True), 2))
    assert "0" in found
    assert "2" not in found


def test_the_time_limit_ends_with_its_block() -> None:
    with time_limit(0.05):
        pass
    time.sleep(0.1)
