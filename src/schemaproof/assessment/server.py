"""The assessment page: a small web application that shows the next comparison and stores each vote at once."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from schemaproof.assessment.ballot import CHOICES, Ballot, ConflictError, Seat
from schemaproof.assessment.plan import training_item
from schemaproof.assessment.rendering import marked
from schemaproof.errors import MissingExtraError

BODY_LIMIT = 16_384
COMMENT_LIMIT = 2000


def page() -> tuple[str, str]:
    """The page's HTML, and its Content-Security-Policy: one script, one style sheet, requests to this server only."""
    folder = files("schemaproof.assessment") / "assets"
    style, script = ((folder / name).read_text(encoding="utf-8") for name in ("assess.css", "assess.js"))
    shell = (folder / "assess.html").read_text(encoding="utf-8")

    def hashed(text: str) -> str:
        return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    policy = (
        f"default-src 'none'; script-src '{hashed(script)}'; style-src '{hashed(style)}'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return shell.replace("/*style*/", style).replace("/*script*/", script), policy


def task_view(ballot: Ballot, seat: Seat) -> dict[str, Any]:
    """What the browser is told of the next task: text, two sides, progress; nothing of where a side comes from."""
    answer: dict[str, Any] = {"position": seat.position, "total": seat.total, "done": seat.position >= seat.total}
    task = ballot.task(seat.assessor, seat.position)
    if task is None:
        return answer
    number, swapped, kind = task
    if number < 0:
        title, text, first, second = training_item()
    else:
        item = ballot.item(number)
        title, text, first, second = item.title, item.text, item.first, item.second
    left, right = marked(second, first) if swapped else marked(first, second)
    return {**answer, "training": kind == "training", "title": title, "text": text, "left": left, "right": right}


def build_app(ballot: Ballot, *, hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")) -> Any:
    """The application.

    Arguments:
        ballot: the assessment; this process is the only one that writes it.
        hosts: names in the Host header that are answered ("*" for any), so that no other site's name can be pointed
            at this server.

    Raises: MissingExtraError without Starlette.
    """
    try:
        from starlette.applications import Starlette
        from starlette.requests import Request
        from starlette.responses import Response
        from starlette.routing import Route
    except ImportError:
        raise MissingExtraError("starlette", "assess", "the assessment page") from None

    html, policy = page()
    common = {
        "Content-Security-Policy": policy, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
    }  # fmt: skip

    def answer(value: Any, status: int = 200) -> Response:
        # ASCII only: a lone surrogate of a page stays an escape.
        return Response(json.dumps(value), status, common, "application/json")

    def refused(request: Request) -> Response | None:
        host = request.headers.get("host", "").rsplit(":", 1)[0] if request.headers.get("host") else ""
        if "*" not in hosts and host not in hosts:
            return answer({"error": "this server does not answer to that name"}, 421)
        return None

    async def body(request: Request) -> dict[str, Any] | None:
        if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
            return None
        data = b""
        async for chunk in request.stream():
            data += chunk
            if len(data) > BODY_LIMIT:
                return None
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None

    async def show(request: Request) -> Response:
        problem = refused(request)
        if problem is not None:
            return problem
        if ballot.assessor(request.path_params["token"]) is None:
            return Response("There is no assessment behind this link. Ask for your personal link.", 404, common)
        return Response(html, 200, common, "text/html")

    async def task(request: Request) -> Response:
        problem = refused(request)
        assessor = ballot.assessor(request.path_params["token"])
        if problem is not None or assessor is None:
            return problem or answer({"error": "unknown link"}, 404)
        return answer(task_view(ballot, ballot.seat(assessor)))

    async def act(request: Request) -> Response:
        problem = refused(request)
        assessor = ballot.assessor(request.path_params["token"])
        if problem is not None or assessor is None:
            return problem or answer({"error": "unknown link"}, 404)
        given = await body(request)
        if given is None:
            return answer({"error": "a vote is a JSON object"}, 400)
        position, attempt, choice = given.get("position"), given.get("attempt"), given.get("choice")
        seconds, comment = given.get("seconds"), given.get("comment", "")
        if (
            not isinstance(position, int)
            or not isinstance(attempt, str)
            or not 8 <= len(attempt) <= 64
            or not isinstance(comment, str)
            or not isinstance(choice, str)
            or choice not in (*CHOICES, "undo")
        ):
            return answer({"error": "a vote needs position, attempt and choice"}, 400)
        taken = float(seconds) if isinstance(seconds, int | float) and 0 <= seconds < 1e7 else None
        try:
            if choice == "undo":
                seat = ballot.undo(assessor, position, attempt)
            else:
                seat = ballot.vote(assessor, position, choice, attempt, taken, comment[:COMMENT_LIMIT])
        except ConflictError:
            # Another tab was quicker: the browser is told where the assessor stands.
            return answer(task_view(ballot, ballot.seat(assessor)), 409)
        return answer(task_view(ballot, seat))

    async def front(request: Request) -> Response:
        return Response("This assessment opens by a personal link.", 404, common)

    return Starlette(
        routes=[
            Route("/", front),
            Route("/a/{token}", show),
            Route("/a/{token}/task", task),
            Route("/a/{token}/vote", act, methods=["POST"]),
        ]
    )


def serve(
    ballot: Ballot, host: str, port: int, hosts: tuple[str, ...], ready: Callable[[], None] = lambda: None
) -> None:
    """Serve until interrupted.

    Arguments:
        ballot, hosts: see `build_app`.
        host, port: where to listen.
        ready: called when all that is needed is there, right before listening.

    Raises: MissingExtraError without uvicorn or Starlette.
    """
    try:
        import uvicorn
    except ImportError:
        raise MissingExtraError("uvicorn", "assess", "the assessment page") from None
    app = build_app(ballot, hosts=hosts)
    ready()
    uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False)
