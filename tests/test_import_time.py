"""Start-up stays light: CPU time of a fresh interpreter, best of five, less that of an empty one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


def cpu_seconds(*arguments: str) -> float:
    before = os.times()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


@pytest.mark.parametrize(
    ("arguments", "limit"),
    [(("-c", "import schemaproof"), 0.1), (("-m", "schemaproof", "--help"), 0.25)],
    ids=["import", "help"],
)
def test_start_is_light(arguments: tuple[str, ...], limit: float) -> None:
    assert min(cpu_seconds(*arguments) for _ in range(5)) < limit


def test_import_brings_no_heavy_package() -> None:
    probe = "import sys, schemaproof; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", probe], check=True, capture_output=True, text=True).stdout.split()
    assert not {"duckdb", "openai", "babel", "pyoxigraph", "rich", "httpx2", "numpy"} & set(loaded)
