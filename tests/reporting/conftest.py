"""A run of the example pages, run files of hostile pages, and a browser."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from schemaproof.pipeline.plan import make_plan
from schemaproof.pipeline.result import MarkupResult, PageResult, UnitResult
from schemaproof.pipeline.run import run
from schemaproof.pipeline.store import Store
from schemaproof.sources import open_sources

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples" / "pages"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def examples_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run file of the example pages."""
    path = tmp_path_factory.mktemp("run") / "examples.db"
    with Store(path) as store:
        run(open_sources([str(EXAMPLES)]), make_plan(), store, workers=1)
    return path


def hostile_strings() -> tuple[str, ...]:
    file = ROOT / "tests" / "fixtures" / "hostile.py"
    spec = importlib.util.spec_from_file_location("hostile", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: tuple[str, ...] = module.STRINGS
    return found


def hostile_page(number: int, bad: str, name: str) -> PageResult:
    """A page with one string in every field."""
    evidence = [
        {"start": 0, "end": len(bad), "text": bad, "kind": bad},
        {"start": -1, "end": -1, "text": bad, "kind": "url"},
    ]
    said = {"verdict": "reject", "rule": bad, "reason": bad, "probability": 0.2, "kind": bad, "evidence": evidence,
            "suggestion": bad}  # fmt: skip
    rows: list[dict[str, Any]] = [
        {"path": f"/{bad}", "types": [bad], "property": bad, "value": bad, "entity": None, "kept": False,
         "unclear": False, "chain": [[[bad], bad]], "verdicts": {"factuality": said, bad: said}},
        {"path": "/0/a", "types": [bad], "property": bad, "value": None, "entity": [bad], "kept": True,
         "unclear": False, "chain": [[[bad], bad]], "verdicts": {}},
        {"path": "/0/b", "types": ["Thing"], "property": "name", "value": bad, "entity": None, "kept": True,
         "unclear": False, "chain": [[["Thing"], "name"]], "verdicts": {"factuality": {**said, "verdict": "keep"}}},
    ]  # fmt: skip
    counts = {"input": 3, "valid": 3, "factual": 2, "compliant": 2, "unclear": 0}
    page = PageResult(f"{bad} {number}", bad if number % 2 else f"http://e.invalid/{bad}", bad, "0", bad, bad, bad)
    human = MarkupResult("human", counts, {bad: 2, "name": 1}, [{bad: bad}], rows, {}, [bad])
    other = MarkupResult(name, counts, {"name": 2}, [{bad: [bad]}], rows[1:], {}, [bad], None)
    page.units = [UnitResult([bad], [human, other])]
    if number % 10 == 9:
        page.units, page.error = [], bad
    return page


@pytest.fixture
def hostile_run(tmp_path: Path) -> Path:
    """A run file with every hostile string in every field, contender and signature included."""
    name = "<img src=x onerror=window.pwned=1></script>{{7*7}}"
    line = "signature:</script><script>window.pwned=1</script>"
    path = tmp_path / "hostile.db"
    with Store(path) as store:
        store.set_meta("signature", line)
        store.set_meta("contenders", f"human\n{name}")
        for number, bad in enumerate(hostile_strings()):
            # SQLite holds no lone surrogate outside of JSON; the pipeline replaces them on reading a page.
            store.save(hostile_page(number, bad.encode("utf-8", "replace").decode(), name), line)
    return path


@pytest.fixture
def chromium() -> Callable[[], AbstractContextManager[Any]]:
    """Opens the system's Chromium; the test skips where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
    if CHROMIUM is None:
        pytest.skip("needs Chromium (Debian: apt-get install chromium)")

    @contextmanager
    def opened() -> Iterator[Any]:
        with playwright.sync_playwright() as driver:
            chromium = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            try:
                yield chromium
            finally:
                chromium.close()

    return opened
