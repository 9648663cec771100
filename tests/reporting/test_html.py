"""The report in a real browser: nothing asked, nothing run, evidence shown, filters, accessibility, size."""

from __future__ import annotations

import importlib.resources
import re
from pathlib import Path
from typing import Any

import pytest

from schemaproof.reporting.html import asset, hashed
from schemaproof.reporting.writing import Wanted, write_report


def written(run_file: Path, folder: Path, **wanted: Any) -> Path:
    target = folder / "report.html"
    write_report(str(run_file), str(target), Wanted(**wanted))
    return target


class Watched:
    """A tab that notes all that must not happen."""

    def __init__(self, browser: Any, file: Path, **context: Any) -> None:
        self.trouble: list[str] = []
        self.tab = browser.new_context(**context).new_page()
        self.tab.on("console", lambda message: self.trouble.append(f"console {message.type}: {message.text}"))
        self.tab.on("pageerror", lambda problem: self.trouble.append(f"error: {problem}"))
        self.tab.on("dialog", lambda _: self.trouble.append("dialog"))
        self.tab.on("popup", lambda _: self.trouble.append("popup"))
        self.tab.on("request", self._asked)
        self.file = file.as_uri()
        self.tab.goto(self.file)
        self.tab.wait_for_selector("html[data-ready]", timeout=60_000)

    def _asked(self, request: Any) -> None:
        if request.url.split("#")[0] != self.file:
            self.trouble.append(f"request: {request.url}")


def test_the_policy_names_the_only_script_and_style(examples_run: Path, tmp_path: Path) -> None:
    html = written(examples_run, tmp_path).read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    assert [hashed(text) for text in scripts] == [hashed(asset("report.js"))]
    assert f"script-src '{hashed(scripts[0])}'" in policy[1]
    assert "default-src 'none'" in policy[1]
    assert "unsafe" not in policy[1]
    assert " style=" not in html.replace(asset("report.js"), "")
    assert not re.search(r"<(link|img|iframe|object|embed)\b", html)
    assert not re.search(r"\son[a-z]+=", html.replace(asset("report.js"), ""))


def test_the_same_run_gives_the_same_bytes(examples_run: Path, tmp_path: Path) -> None:
    first = written(examples_run, tmp_path).read_bytes()
    assert first == written(examples_run, tmp_path).read_bytes()


@pytest.mark.browser
def test_evidence_of_a_chosen_statement_is_highlighted(examples_run: Path, tmp_path: Path, chromium: Any) -> None:
    with chromium() as browser:
        seen = Watched(browser, written(examples_run, tmp_path))
        tab = seen.tab
        tab.locator("#list button", has_text="Sourdough").or_(tab.locator("#list button")).first.click()
        tab.wait_for_selector(".keep .st")
        checked = 0
        for button in tab.locator(".keep .st").all()[:25]:
            button.focus()
            value = button.locator(".v")
            marks = [mark.strip() for mark in tab.locator("#page-text mark").all_inner_texts()]
            if value.count() and marks and value.inner_text() in marks:
                checked += 1
        assert checked >= 3
        button.click()
        assert button.get_attribute("aria-expanded") == "true"
        assert "validity: keep" in tab.locator(".why").first.inner_text()
        assert seen.trouble == []


@pytest.mark.browser
def test_filters_leave_what_fits(examples_run: Path, tmp_path: Path, chromium: Any) -> None:
    with chromium() as browser:
        seen = Watched(browser, written(examples_run, tmp_path))
        tab = seen.tab
        tab.wait_for_selector(".st")
        everything = tab.locator("#list button").count()
        assert everything == 12
        tab.select_option("#f-outcome", "reject factuality")
        tab.select_option("#f-contender", "human")
        tab.wait_for_selector(".reject .st")
        pages = tab.locator("#list button").count()
        assert 0 < pages <= everything
        assert tab.locator(".keep .st").count() == 0
        assert tab.locator(".markup h5", has_text="extractor").count() == 0
        told = tab.locator("#f-told").inner_text()
        assert told.startswith(f"{pages} of 12 pages")
        rules = tab.locator("#f-rule option").all_inner_texts()
        assert "number-differs" in rules
        tab.select_option("#f-rule", "number-differs")
        tab.wait_for_selector(".reject .st")
        tab.locator(".reject .st").first.click()
        assert "number-differs" in tab.locator(".why").first.inner_text()
        tab.click("#f-clear")
        tab.wait_for_selector(".keep .st")
        assert tab.locator("#list button").count() == everything
        tab.fill("#f-words", "zzz no such page")
        assert tab.locator("#list button").count() == 0
        assert "No page fits" in tab.locator("#view").inner_text()
        assert seen.trouble == []


@pytest.mark.browser
def test_a_dot_of_the_plot_leads_to_its_page(examples_run: Path, tmp_path: Path, chromium: Any) -> None:
    with chromium() as browser:
        seen = Watched(browser, written(examples_run, tmp_path))
        dot = seen.tab.locator('svg a[href="#page-3"]').first
        dot.focus()
        seen.tab.keyboard.press("Enter")
        seen.tab.wait_for_selector('#list button[data-page="3"][aria-current="true"]')
        assert seen.trouble == []


@pytest.mark.browser
def test_nothing_hostile_runs(hostile_run: Path, tmp_path: Path, chromium: Any) -> None:
    title = "</title><script>window.pwned=1</script>"
    file = written(hostile_run, tmp_path, title=title, compare=str(hostile_run))
    with chromium() as browser:
        seen = Watched(browser, file)
        tab = seen.tab
        pages = tab.locator("#list button").count()
        assert pages >= 100
        for number in range(pages):
            button = tab.locator(f'#list button[data-page="{number}"]')
            button.evaluate("button => button.click()")
            tab.wait_for_function(
                "number => document.querySelector(`[data-page='${number}']`).getAttribute('aria-current') === 'true'"
                " && document.querySelector('#view header')",
                arg=number,
            )
            tab.evaluate(
                """() => {
                  for (const each of document.querySelectorAll('.st')) { each.focus(); each.click(); }
                  for (const each of document.querySelectorAll('#view details')) each.open = true;
                }"""
            )
        for link in tab.locator("#view a").all():
            assert (link.get_attribute("href") or "").startswith(("http://", "https://"))
        assert tab.evaluate("window.pwned") is None
        found = tab.evaluate("[...document.querySelectorAll('*')].map(each => each.localName)")
        assert not {"img", "iframe", "object", "embed", "video", "audio", "base", "link", "marquee"} & set(found)
        handlers = tab.evaluate(
            "[...document.querySelectorAll('*')].flatMap(e => [...e.attributes])"
            ".filter(a => /^on|^style$/.test(a.name)).length"
        )
        assert handlers == 0
        assert seen.trouble == []


def axe() -> str:
    """axe-core (MPL-2.0), from the package axe-playwright-python."""
    pytest.importorskip("axe_playwright_python", reason="needs the package axe-playwright-python")
    return (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


@pytest.mark.browser
@pytest.mark.parametrize(
    "context",
    [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 844}}],
    ids=["light", "dark", "phone"],
)
def test_axe_finds_no_serious_violation(
    examples_run: Path, tmp_path: Path, chromium: Any, context: dict[str, Any]
) -> None:
    script = axe()
    with chromium() as browser:
        seen = Watched(browser, written(examples_run, tmp_path, judges=None), **context)
        tab = seen.tab
        tab.wait_for_selector(".reject .st")
        tab.locator(".reject .st").first.click()
        tab.evaluate(script)
        found = tab.evaluate("axe.run(document, {resultTypes: ['violations']})")
        bad = [
            (each["id"], node["html"][:120])
            for each in found["violations"]
            if each["impact"] in ("serious", "critical")
            for node in each["nodes"][:3]
        ]
        assert bad == []
        wide = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0


@pytest.mark.browser
@pytest.mark.slow
def test_the_report_of_the_recorded_pages(shared: Path, tmp_path: Path, chromium: Any) -> None:
    from schemaproof.pipeline.plan import make_plan
    from schemaproof.pipeline.run import run
    from schemaproof.pipeline.store import Store
    from schemaproof.sources import open_sources

    path = tmp_path / "run.db"
    with Store(path) as store:
        run(open_sources([str(shared / "paper" / "pages.parquet")]), make_plan(), store)
    file = written(path, tmp_path)
    # 8 MB for 200 pages, compressed data and figures in proportion.
    assert file.stat().st_size <= 8_000_000 * 91 / 200
    with chromium() as browser:
        seen = Watched(browser, file)
        assert seen.tab.locator("#list button").count() == 91
        seen.tab.wait_for_selector(".st")
        for number in range(0, 91, 10):
            seen.tab.locator(f'#list button[data-page="{number}"]').click()
            seen.tab.wait_for_selector(f'#list button[data-page="{number}"][aria-current="true"]')
        assert seen.trouble == []
