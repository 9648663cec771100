"""The assessment page in a real browser, and its server's answers."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schemaproof.assessment.ballot import Ballot
from schemaproof.assessment.plan import Item, Plan, Task, Wish, make_plan
from schemaproof.assessment.server import page
from schemaproof.pipeline.store import Store

pytest.importorskip("starlette", reason="needs the extra assess")
pytest.importorskip("uvicorn", reason="needs the extra assess")


def planned(run: Path, file: Path, wish: Wish, tokens: dict[str, str] | None = None) -> Plan:
    with Store(run, must_exist=True) as store:
        plan = make_plan(store, wish)
    if tokens:
        plan.assessors = tokens
    Ballot.create(file, plan).close()
    return plan


class Server:
    """`schemaproof assess serve` as a process that can be killed and started again."""

    def __init__(self, file: Path, port: int) -> None:
        self.file, self.port = file, port
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "schemaproof", "assess", "serve", str(self.file), "--port", str(self.port)]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=5)
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server does not start")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def ask(self, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        data = None if body is None else json.dumps(body).encode()
        kind = {} if body is None else {"Content-Type": "application/json"}
        url = f"http://127.0.0.1:{self.port}{path}"
        request = urllib.request.Request(url, data, {**kind, **(headers or {})})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read()


def test_what_the_browser_gets_does_not_depend_on_the_origin(
    run_of: Callable[..., Path], tmp_path: Path, free_port: int
) -> None:
    sent = []
    for exchanged in (False, True):
        file = tmp_path / f"a-{exchanged}.db"
        planned(
            run_of(12, exchanged=exchanged),
            file,
            Wish(("ann", "bob"), repeats=0.2, seed=3),
            {"ann": "t" * 16, "bob": "u" * 16},
        )
        answers = []
        with Server(file, free_port) as server:
            for token in ("t" * 16, "u" * 16):
                answers.append(server.ask(f"/a/{token}"))
                status, body = server.ask(f"/a/{token}/task")
                while not json.loads(body)["done"]:
                    answers.append((status, body))
                    place = json.loads(body)["position"]
                    vote = {"position": place, "choice": "left", "attempt": f"attempt-{place}"}
                    status, body = server.ask(f"/a/{token}/vote", vote)
                answers.append((status, body))
        sent.append(answers)
    assert len(sent[0]) == 2 * (1 + 1 + 12 + 2 + 1)
    assert sent[0] == sent[1]
    shown = b"".join(body for _, body in sent[0][1:])
    assert b"human" not in shown
    assert b"model" not in shown


def test_a_vote_is_taken_once_and_only_for_the_next_task(
    run_of: Callable[..., Path], tmp_path: Path, free_port: int
) -> None:
    file = tmp_path / "a.db"
    planned(run_of(6), file, Wish(("ann",), training=False, repeats=0), {"ann": "t" * 16})
    with Server(file, free_port) as server:
        vote = {"position": 0, "choice": "left", "attempt": "attempt-0", "seconds": 1.5, "comment": "clear"}
        assert server.ask("/a/" + "t" * 16 + "/vote", vote)[0] == 200
        assert server.ask("/a/" + "t" * 16 + "/vote", vote)[0] == 200  # a repeated request
        status, body = server.ask("/a/" + "t" * 16 + "/vote", {**vote, "attempt": "attempt-other-tab"})
        assert status == 409
        assert json.loads(body)["position"] == 1
        assert server.ask("/a/" + "t" * 16 + "/vote", {**vote, "attempt": "attempt-9", "choice": "human"})[0] == 400
        assert server.ask("/a/nobody/vote", vote)[0] == 404
        assert server.ask("/a/" + "t" * 16 + "/task", headers={"Host": "evil.example"})[0] == 421
        form = urllib.request.Request(f"http://127.0.0.1:{free_port}/a/{'t' * 16}/vote", b"position=1")
        with pytest.raises(urllib.error.HTTPError, match="400"):
            urllib.request.urlopen(form)
        undo = {"position": 0, "choice": "undo", "attempt": "attempt-undo"}
        assert json.loads(server.ask("/a/" + "t" * 16 + "/vote", undo)[1])["position"] == 0
    with Ballot(file) as ballot:
        assert ballot.votes() == []
        kept = ballot.connection.execute("SELECT choice, comment FROM events ORDER BY id").fetchall()
        assert kept == [("left", "clear"), ("undo", "")]


def test_the_page_lets_nothing_else_run() -> None:
    html, policy = page()
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert "style=" not in html
    assert "onclick" not in html


KEYS = {"1": "left", "2": "right", "0": "tie", "9": "both-bad", "ArrowLeft": "left", "ArrowRight": "right"}


@pytest.mark.browser
def test_five_assessors_vote_in_parallel_while_the_server_is_killed(
    run_of: Callable[..., Path], tmp_path: Path, free_port: int, browser: Any
) -> None:
    names = ("ann", "bob", "cid", "dee", "eva")
    file = tmp_path / "a.db"
    plan = planned(run_of(40), file, Wish(names, items=40, repeats=0.05, seed=5))
    server = Server(file, free_port)
    pressed: dict[str, list[str]] = {name: [] for name in names}
    progress = {"votes": 0, "killed": False}

    async def opened(context: Any, name: str) -> Any:
        """The assessor's page; tried again as a person would while the killed server is not back."""
        tab = await context.new_page()
        for _ in range(300):
            try:
                await tab.goto(f"http://127.0.0.1:{free_port}/a/{plan.assessors[name]}")
                return tab
            except Exception as error:  # playwright's own class is only there with the extra
                if "net::ERR_" not in str(error):
                    raise
                await asyncio.sleep(0.2)
        raise AssertionError("the server does not come back")

    async def vote(context: Any, name: str) -> None:
        tab = await opened(context, name)
        total = len(plan.tasks[name])
        keys = list(KEYS)
        for place in range(total):
            await tab.wait_for_selector(f'html[data-position="{place}"]', timeout=60_000)
            if place == 20:  # closes the page and comes back by the link
                await tab.close()
                tab = await opened(context, name)
                await tab.wait_for_selector('html[data-position="20"]', timeout=60_000)
            key = keys[(place + len(name) + names.index(name)) % len(keys)]
            if place == 5:  # changes its mind
                await tab.keyboard.press("2")
                await tab.wait_for_selector('html[data-position="6"]', timeout=60_000)
                await tab.keyboard.press("u")
                await tab.wait_for_selector('html[data-position="5"]', timeout=60_000)
            await tab.keyboard.press(key)
            pressed[name].append(KEYS[key])
            progress["votes"] += 1
        await tab.wait_for_selector(f'html[data-position="{total}"]', timeout=60_000)
        assert await tab.locator("#finished").is_visible()

    async def restart() -> None:
        while progress["votes"] < 60:
            await asyncio.sleep(0.05)
        await asyncio.to_thread(server.kill)
        await asyncio.sleep(0.5)
        await asyncio.to_thread(server.start)
        progress["killed"] = True

    async def everything() -> None:
        async with browser() as chromium:
            contexts = [await chromium.new_context() for _ in names]
            await asyncio.gather(restart(), *map(vote, contexts, names))

    with server:
        asyncio.run(everything())
    assert progress["killed"]
    with Ballot(file) as ballot:
        votes = ballot.votes()
        for name in names:
            assert [each.choice for each in votes if each.assessor == name] == pressed[name]
        events = ballot.connection.execute("SELECT choice, count(*) FROM events GROUP BY 1").fetchall()
        assert dict(events)["undo"] == 5
        assert sum(number for _, number in events) == len(votes) + 10
        assert {(each.assessor, each.item) for each in votes if each.kind == "item"} == {
            (name, item) for name in names for item in range(40)
        }
        assert all(each.seconds is not None for each in votes)


@pytest.mark.browser
def test_nothing_hostile_runs(tmp_path: Path, free_port: int, browser: Any) -> None:
    """Every hostile string as title, text, type, property and value, and as a comment."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("hostile", Path(__file__).parent.parent / "fixtures" / "hostile.py")
    assert spec is not None
    assert spec.loader is not None
    hostile = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hostile)
    items = [
        Item(f"{number:024}", bad, (bad,), bad, bad, [(0, "", bad, True), (1, bad, bad, False)],
             [(0, "", bad, True), (1, "name", bad, False)], (bad, "model"), None)
        for number, bad in enumerate(hostile.STRINGS)
    ]  # fmt: skip
    for item in items:
        item.origins = tuple(name.encode("utf-8", "replace").decode() for name in item.origins)  # type: ignore[assignment]
    tasks = [Task(number, False, "item") for number in range(len(items))]
    file = tmp_path / "hostile.db"
    token = "t" * 20
    Ballot.create(
        file,
        Plan(
            items,
            {"</script><script>window.pwned=1</script>": token},
            {"</script><script>window.pwned=1</script>": tasks},
        ),
    ).close()
    trouble: list[str] = []

    async def vote() -> None:
        async with browser() as chromium:
            tab = await chromium.new_page()
            tab.on("console", lambda message: trouble.append(f"console {message.text}"))
            tab.on("pageerror", lambda problem: trouble.append(f"error {problem}"))
            tab.on("dialog", lambda _: trouble.append("dialog"))
            start = f"http://127.0.0.1:{free_port}/a/"
            tab.on(
                "request", lambda asked: None if asked.url.startswith((start, "data:,")) else trouble.append(asked.url)
            )
            await tab.goto(start + token)
            for place, bad in enumerate(hostile.STRINGS):
                await tab.wait_for_selector(f'html[data-position="{place}"]')
                await tab.fill("#comment", bad.encode("utf-8", "replace").decode()[:1500])
                await tab.press("#comment", "Escape")
                await tab.keyboard.press("1")
            await tab.wait_for_selector("#finished", state="visible")
            assert await tab.evaluate("window.pwned") is None
            assert await tab.locator("img, iframe, object, embed, base, svg, video").count() == 0

    with Server(file, free_port):
        asyncio.run(vote())
    assert trouble == []
    with Ballot(file) as ballot:
        assert len(ballot.votes()) == len(hostile.STRINGS)


@pytest.mark.browser
@pytest.mark.parametrize("look", ["light", "dark", "phone"])
def test_axe_finds_no_serious_violation(
    run_of: Callable[..., Path], tmp_path: Path, free_port: int, browser: Any, look: str
) -> None:
    import importlib.resources

    pytest.importorskip("axe_playwright_python", reason="needs the package axe-playwright-python")
    script = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    file = tmp_path / "a.db"
    planned(run_of(3), file, Wish(("ann",), repeats=0), {"ann": "t" * 20})
    context = {"viewport": {"width": 390, "height": 844}} if look == "phone" else {"color_scheme": look}

    async def look_at() -> tuple[list[Any], int]:
        async with browser() as chromium:
            tab = await (await chromium.new_context(**context)).new_page()
            await tab.goto(f"http://127.0.0.1:{free_port}/a/" + "t" * 20)
            await tab.wait_for_selector("html[data-position]")
            await tab.evaluate(script)
            found = await tab.evaluate("axe.run(document, {resultTypes: ['violations']})")
            wide = await tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            bad = [
                (e["id"], e["nodes"][0]["html"]) for e in found["violations"] if e["impact"] in ("serious", "critical")
            ]
            return bad, int(wide)

    with Server(file, free_port):
        bad, wide = asyncio.run(look_at())
    assert bad == []
    assert wide <= 0
