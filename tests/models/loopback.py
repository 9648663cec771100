"""A small OpenAI-compatible server on loopback that behaves as badly as it is told to."""

from __future__ import annotations

import json
import math
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


@dataclass
class Said:
    """What the server answers.

    Attributes:
        text: the answer.
        yes: chance of yes for the log-probabilities, where they are asked for.
        fault: "" or "429", "503", "500", "slow", "cut", "invalid", "empty", "no-logprobs", "refuse-schema",
            "refuse-logprobs", "drop"; "400" and "401" have the text as their message.
        wait: seconds of Retry-After, or of slowness.
        finish: the finish reason.
    """

    text: str = "yes"
    yes: float | None = None
    fault: str = ""
    wait: float = 0.0
    finish: str = "stop"


@dataclass
class Log:
    """What the server saw.

    Attributes:
        requests: all requests.
        answered: how often each question was answered with success, by its bytes.
        prompt_tokens: of the answered questions.
        most_at_once: most requests under way together.
        asked: the bodies, in order of arrival.
    """

    requests: int = 0
    answered: Counter[str] = field(default_factory=Counter)
    prompt_tokens: int = 0
    most_at_once: int = 0
    asked: list[dict[str, Any]] = field(default_factory=list)


def count_tokens(messages: list[dict[str, str]]) -> int:
    """Tokens of a prompt as this server counts them: cl100k, as an older model of OpenAI has it."""
    from schemaproof.models.tokens import counter

    count = counter("gpt-4")[1]
    return 3 + sum(3 + count(m["content"]) for m in messages)


class Loopback:
    """The server; use as a context manager.

    Arguments:
        answer: body of a request and number of its arrival (from 0) to what is said.
    """

    def __init__(self, answer: Callable[[dict[str, Any], int], Said]) -> None:
        self.answer = answer
        self.log = Log()
        self._lock = threading.Lock()
        self._now = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                outer._handle(self)

            def log_message(self, *args: Any) -> None:
                """Says nothing."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, request: Any, client_address: Any) -> None:
                """A client that went away is no error here."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def spec(self, options: str = "", model: str = "scripted") -> str:
        return f"{self.url}#{model}" + (f"?{options}" if options else "")

    def __enter__(self) -> Loopback:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handle(self, handler: BaseHTTPRequestHandler) -> None:
        data = handler.rfile.read(int(handler.headers["Content-Length"]))
        body = json.loads(data)
        with self._lock:
            number = self.log.requests
            self.log.requests += 1
            self._now += 1
            self.log.most_at_once = max(self.log.most_at_once, self._now)
            self.log.asked.append(body)
        counted = False

        def leave() -> None:
            nonlocal counted
            if not counted:
                counted = True
                with self._lock:
                    self._now -= 1

        try:
            said = self.answer(body, number)
            if said.fault == "slow":
                time.sleep(said.wait)
            self._send(handler, body, data, said, leave)
        finally:
            leave()

    def _send(
        self,
        handler: BaseHTTPRequestHandler,
        body: dict[str, Any],
        data: bytes,
        said: Said,
        leave: Callable[[], None],
    ) -> None:
        headers: dict[str, str] = {}
        status = 200
        if said.fault == "drop":
            handler.close_connection = True
            leave()
            handler.connection.close()
            return
        if said.fault in ("429", "500", "503"):
            status = int(said.fault)
            if said.wait:
                headers["Retry-After"] = f"{said.wait:g}"
            payload = json.dumps({"error": {"message": "try again", "type": "busy"}}).encode()
        elif said.fault in ("400", "401"):
            status = int(said.fault)
            payload = json.dumps({"error": {"message": said.text}}).encode()
        elif said.fault == "refuse-schema" and "response_format" in body:
            status = 400
            payload = json.dumps({"error": {"message": "response_format is not supported"}}).encode()
        elif said.fault == "refuse-logprobs" and "logprobs" in body:
            status = 400
            payload = json.dumps({"error": {"message": "logprobs are not supported"}}).encode()
        elif said.fault == "invalid":
            payload = b"<html>not what you asked for</html>"
        else:
            payload = json.dumps(self._completion(body, said)).encode()
        if said.fault == "cut":
            headers["Content-Length"] = str(len(payload))
            payload = payload[: len(payload) // 2]
            handler.close_connection = True
        success = status == 200 and said.fault in ("", "slow", "no-logprobs", "refuse-schema", "refuse-logprobs")
        if success:
            with self._lock:
                # The mark that fences pages is random, and another in every process.
                self.log.answered[re.sub(r"\b[0-9a-f]{16}\b", "MARK", data.decode())] += 1
                self.log.prompt_tokens += count_tokens(body["messages"])
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", headers.pop("Content-Length", str(len(payload))))
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        # Before the last byte is out, so that the client cannot begin its next question meanwhile.
        leave()
        handler.wfile.write(payload)

    def _completion(self, body: dict[str, Any], said: Said) -> dict[str, Any]:
        choice: dict[str, Any] = {
            "index": 0,
            "finish_reason": said.finish,
            "message": {"role": "assistant", "content": "" if said.fault == "empty" else said.text},
        }
        if body.get("logprobs") and said.fault != "no-logprobs" and said.yes is not None:
            top = [("Yes", said.yes * 0.9), ("No", (1 - said.yes) * 0.9), ("Perhaps", 0.1)]
            listed = [{"token": t, "logprob": math.log(max(p, 1e-9)), "bytes": None} for t, p in top]
            first = max(listed[:2], key=lambda each: float(str(each["logprob"])))
            choice["logprobs"] = {"content": [{**first, "top_logprobs": listed}], "refusal": None}
        prompt = count_tokens(body["messages"])
        usage = {"prompt_tokens": prompt, "completion_tokens": 1 + len(said.text) // 4}
        usage["total_tokens"] = sum(usage.values())
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [choice],
            "usage": usage,
        }
