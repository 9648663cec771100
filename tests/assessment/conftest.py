"""Run files of constructed pages, a browser, and the assessment server as a user starts it."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from schemaproof.pipeline.result import MarkupResult, PageResult, UnitResult
from schemaproof.pipeline.store import Store

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


def statement(path: str, value: Any, types: tuple[str, ...] = ("Recipe",), *, kept: bool = True) -> dict[str, Any]:
    name = path.rsplit("/", 1)[-1]
    verdict: dict[str, Any] = {
        "verdict": "keep" if kept else "reject",
        "rule": "",
        "reason": "",
        "kind": None,
        "evidence": [],
    }
    return {
        "path": path, "types": list(types), "property": name, "value": value, "entity": None, "kept": kept,
        "unclear": False, "chain": [[list(types), name]], "verdicts": {"factuality": verdict},
    }  # fmt: skip


def markup(name: str, values: dict[str, Any]) -> MarkupResult:
    rows = [statement(f"/0/{key}", value) for key, value in values.items()]
    counts = dict.fromkeys(("input", "valid", "factual", "compliant"), len(rows)) | {"unclear": 0}
    documents = [{"@type": "Recipe", **values}]
    return MarkupResult(name, counts, dict.fromkeys(values, 1), documents, rows)


def save_run(path: Path, pages: list[tuple[str, str, list[MarkupResult]]], names: tuple[str, ...]) -> Path:
    """A run file of pages (name, text, markups)."""
    with Store(path) as store:
        store.set_meta("signature", "made:by test")
        store.set_meta("contenders", "\n".join(names))
        for name, text, markups in pages:
            page = PageResult(name, None, name, "0", "en", f"Title of {name}", text)
            page.units = [UnitResult(["Recipe"], markups)]
            store.save(page, "made:by test")
    return path


@pytest.fixture
def run_of(tmp_path: Path) -> Callable[..., Path]:
    """Makes a run file of so many pages; `exchanged` gives each contender the other's markups."""

    def make(count: int = 40, *, exchanged: bool = False, text: str = "A pie.") -> Path:
        pages = []
        for number in range(count):
            rich = {"name": f"Pie {number}", "cookTime": f"PT{number}M", "recipeYield": "4"}
            poor = {"name": f"Pie {number}", "author": f"Ann {number}"}
            sides = (poor, rich) if exchanged else (rich, poor)
            pages.append((f"page-{number:03}", text, [markup("human", sides[0]), markup("model", sides[1])]))
        return save_run(tmp_path / f"run-{count}-{exchanged}.db", pages, ("human", "model"))

    return make


@pytest.fixture
def browser() -> Callable[[], AbstractAsyncContextManager[Any]]:
    """Opens the system's Chromium; the test skips where there is none."""
    playwright = pytest.importorskip("playwright.async_api", reason="needs the package playwright")
    if CHROMIUM is None:
        pytest.skip("needs Chromium (Debian: apt-get install chromium)")

    @asynccontextmanager
    async def opened() -> AsyncIterator[Any]:
        async with playwright.async_playwright() as driver:
            chromium = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            try:
                yield chromium
            finally:
                await chromium.close()

    return opened


@pytest.fixture
def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
