"""The command line against a server that misbehaves: nothing is lost, nothing answered is asked again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from schemaproof.models.memory import Memory

loopback: Any = sys.modules["schemaproof_loopback"]
Said: Any = loopback.Said
FAULTS = ["429", "500", "503", "cut", "invalid", "empty", "drop"]


def pages(folder: Path, count: int) -> Path:
    target = folder / "pages"
    target.mkdir()
    for number in range(count):
        markup = {
            "@context": "https://schema.org",
            "@type": "Product",
            "name": f"Lantern No. {number}",
            "sku": f"L-{number}",
            "color": f"red {number}",
        }
        (target / f"p{number:03}.html").write_text(
            f"<html lang=en><title>Lantern</title><h1>Lantern No. {number}</h1><p>Number L-{number}, red {number}."
            f'<script type="application/ld+json">{json.dumps(markup)}</script>'
        )
    return target


def answer(body: dict[str, Any]) -> Any:
    text = body["messages"][-1]["content"]
    if body["messages"][0]["content"].startswith("You write"):
        return Said('{"@context": "https://schema.org", "@type": "Product", "name": "Lantern"}')
    if "Statements:" in text or "meaning:" in text:
        return Said('{"answers": []}')
    return Said("Yes", yes=0.9)


def command(folder: Path, spec: str, *more: str) -> list[str]:
    return [
        sys.executable, "-m", "schemaproof", "run", str(folder / "pages"), "--contender", f"m={spec}?prompt=bare",
        "--judge", spec, "-o", str(folder / "run.db"), "--json", "--concurrency", "4", "--quiet", *more,
    ]  # fmt: skip


def environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "SCHEMAPROOF_CACHE": str(folder / "cache"),
        "SCHEMAPROOF_MODEL_PAUSE": "0.01",
        "SCHEMAPROOF_MODEL_ATTEMPTS": "8",
    }


def run(folder: Path, spec: str, *more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command(folder, spec, *more), env=environment(folder), capture_output=True, check=False, timeout=240
    )


@pytest.mark.slow
def test_two_hundred_pages_survive_every_fault(tmp_path: Path) -> None:
    pages(tmp_path, 200)

    def said(body: dict[str, Any], number: int) -> Any:
        if number % 5 == 3:
            return Said(fault=FAULTS[number // 5 % len(FAULTS)], wait=0.01)
        found = answer(body)
        if number % 5 == 1:
            found.fault, found.wait = "slow", 0.01
        elif number % 5 == 2:
            found.fault = "no-logprobs"
        elif "response_format" in body:
            found.fault = "refuse-schema"
        return found

    with loopback.Loopback(said) as server:
        done = run(tmp_path, server.spec())
        assert done.returncode == 0, done.stderr
        result = json.loads(done.stdout)
        assert len(result["pages"]) == 200
        assert [page["page"] for page in result["pages"] if page["error"] is not None or not page["units"]] == []
        assert max(server.log.answered.values()) == 1
        assert server.log.most_at_once <= 4
        # Three statements to two agents, the contender's and its judging.
        assert len(server.log.answered) >= 200 * 7


def test_a_provider_that_stays_down_stops_the_run_which_goes_on_later(tmp_path: Path) -> None:
    pages(tmp_path, 12)
    down = True

    def said(body: dict[str, Any], number: int) -> Any:
        return Said(fault="503") if down and number >= 30 else answer(body)

    with loopback.Loopback(said) as server:
        first = run(tmp_path, server.spec())
        assert first.returncode == 3
        assert b"the same command goes on from there" in first.stderr
        assert b"answers 503" in first.stderr
        answered = len(server.log.answered)
        assert answered >= 26
        down = False
        second = run(tmp_path, server.spec())
        assert second.returncode == 0, second.stderr
        assert max(server.log.answered.values()) == 1
        assert len(json.loads(second.stdout)["pages"]) == 12
        asked = server.log.requests
        third = run(tmp_path, server.spec())
        assert third.returncode == 0
        assert server.log.requests == asked


def test_after_a_kill_nothing_remembered_is_asked_again(tmp_path: Path) -> None:
    pages(tmp_path, 12)

    def said(body: dict[str, Any], number: int) -> Any:
        found = answer(body)
        found.fault, found.wait = "slow", 0.02
        return found

    with loopback.Loopback(said) as server:
        process = subprocess.Popen(
            command(tmp_path, server.spec()),
            env=environment(tmp_path),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 60
        while server.log.requests < 25 and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        time.sleep(0.2)
        with Memory(tmp_path / "cache" / "answers.db") as memory:
            remembered = sum(each.answers for each in memory.summary())
        assert remembered >= 15
        before = server.log.requests
        done = run(tmp_path, server.spec())
        assert done.returncode == 0, done.stderr
        # Every question is asked once, but for those that were under way when the process died.
        assert server.log.requests - before == len(server.log.answered) - remembered


@pytest.mark.parametrize("fault", ["slow", "429"])
def test_an_interrupt_waits_for_no_answer(fault: str, tmp_path: Path) -> None:
    pages(tmp_path, 6)
    with loopback.Loopback(lambda body, n: Said(fault=fault, wait=20) if n > 8 else answer(body)) as server:
        process = subprocess.Popen(
            command(tmp_path, server.spec()),
            env=environment(tmp_path),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        deadline = time.monotonic() + 60
        while server.log.requests < 11 and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=15)
        assert process.returncode == 130
        assert b"the same command goes on from there" in said


def test_the_budget_stops_the_run_cleanly(tmp_path: Path) -> None:
    pages(tmp_path, 4)
    with loopback.Loopback(lambda body, _: answer(body)) as server:
        first = run(tmp_path, server.spec(), "--max-tokens", "9000")
        assert first.returncode == 3
        assert b"--max-tokens" in first.stderr
        second = run(tmp_path, server.spec())
        assert second.returncode == 0
        assert max(server.log.answered.values()) == 1


def test_bounds_of_a_dry_run_hold(tmp_path: Path) -> None:
    pages(tmp_path, 3)
    with loopback.Loopback(lambda body, _: answer(body)) as server:
        told = json.loads(run(tmp_path, server.spec(), "--dry-run").stdout)
        assert server.log.requests == 0
        assert run(tmp_path, server.spec()).returncode == 0
        assert told["calls"][0] <= server.log.requests <= told["calls"][1]
        assert told["prompt_tokens"][0] * 0.95 <= server.log.prompt_tokens <= told["prompt_tokens"][1] * 1.05
        again = json.loads(run(tmp_path, server.spec(), "--dry-run").stdout)
        assert again["calls"][0] == 0
