"""Shared by all tests: the folder of recorded data, and the command line as a user calls it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recorded data beside the checkout; the test skips where it is absent."""
    if not (SHARED / "README.md").exists():
        pytest.skip("the folder of recorded data is not beside this checkout")
    return SHARED


@pytest.fixture
def schemaproof(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Runs the command line in an empty folder: schemaproof("read", "-", stdin=b"...")."""

    def call(*arguments: str, stdin: bytes = b"", cwd: Path = tmp_path) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "schemaproof", *arguments],
            input=stdin,
            capture_output=True,
            cwd=cwd,
            check=False,
        )

    return call
