"""A server on loopback, a memory of its own for every test, and short pauses between attempts."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from schemaproof.models import building


def _load() -> ModuleType:
    if "schemaproof_loopback" in sys.modules:
        return sys.modules["schemaproof_loopback"]
    spec = importlib.util.spec_from_file_location("schemaproof_loopback", Path(__file__).parent / "loopback.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["schemaproof_loopback"] = module
    spec.loader.exec_module(module)
    return module


_load()


@pytest.fixture(autouse=True)
def own_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test reads or writes the user's memory."""
    monkeypatch.setenv("SCHEMAPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SCHEMAPROOF_MODEL_PAUSE", "0.01")
    building.forget_models()
    yield
    building.forget_models()
