"""Pages as a real browser shows them (extra `render`).

The browser itself never goes to the network: every request that a page makes is answered by our own guarded fetching,
so that nothing on a page can lead it to a private address, and all limits hold.
"""

from __future__ import annotations

import os
import shutil
import threading
from typing import Any

from schemaproof.errors import MissingExtraError, SourceError
from schemaproof.sources.visiting import Visit, Visitor
from schemaproof.sources.web import Answer, FetchLimits, request

REQUESTS = 300  # of one page
SETTLE = 2.0  # seconds without a request, after which a page counts as filled
_KEPT = ("content-type", "content-language", "access-control-allow-origin", "access-control-allow-headers")


class Browser:
    """Visits pages with Chromium and keeps the document as it is after its scripts ran.

    Arguments:
        limits: see `FetchLimits`; they hold for the page and for each thing it loads.
        executable: path of Chromium; None for $SCHEMAPROOF_CHROMIUM, Playwright's own or the system's.
        visitor: fetches the pages; one that is shared knows the rules of the hosts, and when they were asked last.

    Raises: MissingExtraError without Playwright.
    """

    def __init__(
        self, limits: FetchLimits | None = None, executable: str | None = None, visitor: Visitor | None = None
    ) -> None:
        try:
            import playwright.sync_api  # noqa: F401
        except ImportError:
            raise MissingExtraError("playwright", "render", "opening pages in a browser") from None
        self.limits = limits or FetchLimits()
        self.visitor = visitor or Visitor(self.limits)
        self.executable = executable or os.environ.get("SCHEMAPROOF_CHROMIUM")
        self._lock = threading.Lock()

    def visit(self, url: str) -> Visit:
        """Visit a page; never raises for what goes wrong on the way. One page at a time, a browser each."""
        found = self.visitor.visit(url)
        if found.error or found.answer is None:
            return found
        kind = found.answer.headers.get("content-type", "text/html").lower()
        if not kind.startswith(("text/html", "application/xhtml")):
            return found
        with self._lock:
            try:
                found.answer = self._render(found.answer)
            except Exception as problem:  # the browser names its failures in its own ways
                found.error = f"cannot be rendered: {str(problem).splitlines()[0] if str(problem) else problem!r}"
        return found

    def _render(self, answer: Answer) -> Answer:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as driver:
            browser = self._launch(driver)
            try:
                context = browser.new_context(service_workers="block", accept_downloads=False)
                context.set_default_timeout(self.limits.seconds * 1000)
                page = context.new_page()
                count = 0

                def serve(route: Any) -> None:
                    nonlocal count
                    asked = route.request
                    count += 1
                    if asked.url.split("#")[0] == answer.url and asked.is_navigation_request():
                        headers = {name: answer.headers[name] for name in _KEPT if name in answer.headers}
                        route.fulfill(status=answer.status, headers=headers, body=answer.body)
                    elif asked.method != "GET" or asked.is_navigation_request() or count > REQUESTS:
                        route.abort()
                    elif asked.resource_type in ("image", "media", "font"):
                        route.abort()  # nothing of them is read
                    else:
                        self._pass_on(route, asked.url)

                context.route("**/*", serve)
                context.route_web_socket("**/*", lambda socket: socket.close())
                page.goto(answer.url, wait_until="load")
                try:
                    page.wait_for_load_state("networkidle", timeout=min(self.limits.seconds, 5 * SETTLE) * 1000)
                except Exception as problem:  # a page that never rests is taken as it is
                    if "imeout" not in type(problem).__name__:
                        raise
                html = page.content().encode("utf-8", "replace")
            finally:
                browser.close()
        if len(html) > self.limits.maximum_bytes:
            raise SourceError(answer.url, "the rendered page is larger than the limit")
        headers = {**answer.headers, "content-type": "text/html; charset=utf-8", "x-rendered": "chromium"}
        return Answer(answer.url, answer.status, answer.reason, headers, html)

    def _pass_on(self, route: Any, url: str) -> None:
        try:
            for _ in range(self.limits.redirects + 1):
                got = request(url, self.limits, {"Accept": "*/*"})
                if not got.location:
                    headers = {name: got.headers[name] for name in _KEPT if name in got.headers}
                    route.fulfill(status=got.status, headers=headers, body=got.body)
                    return
                url = got.location
        except SourceError:
            pass
        route.abort()

    def _launch(self, driver: Any) -> Any:
        options: dict[str, Any] = {"headless": True, "args": ["--disable-gpu"]}
        path = self.executable or shutil.which("chromium") or shutil.which("google-chrome")
        if path:
            options["executable_path"] = path
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            options["args"].append("--no-sandbox")  # Chromium's sandbox does not start for root
        return driver.chromium.launch(**options)
