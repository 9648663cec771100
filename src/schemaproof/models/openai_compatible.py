"""Any server that speaks OpenAI's chat completions, through the openai SDK."""

from __future__ import annotations

import json
import os
import threading
from typing import TYPE_CHECKING, Any

from schemaproof.errors import InputError, ModelError, SpecError
from schemaproof.models.protocol import Ask, Reply, chance_of_yes
from schemaproof.models.session import TransientError

if TYPE_CHECKING:
    import openai

CONTEXT = 16_384
# The largest context that is counted with where nothing else is said; a longer page goes in chunks.
CONTEXTS = {"gpt-3.5": 16_385, "gpt-4-": 128_000, "gpt-4o": 128_000, "gpt-4.1": 128_000, "gpt-5": 272_000}
# A server that refused so many schemas and never took one does not know them.
_SCHEMAS_TRIED = 3
_TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})


class OpenAICompatible:
    """One model behind one endpoint.

    Arguments:
        model: its name at the server.
        base_url: the endpoint, ending in /v1; None for OpenAI's own.
        key: of the environment; None where the server needs none.
        name: how it is called in signatures and in the memory; the model's name by default.
        context_tokens: most tokens of prompt and answer.
        seconds: time limit of one attempt.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        *,
        key: str | None = None,
        name: str | None = None,
        context_tokens: int | None = None,
        seconds: float = 120.0,
    ) -> None:
        self.model = model
        self.name = name or model
        self.base_url = base_url
        self.context_tokens = context_tokens or _context_of(model)
        self._key = key
        self._seconds = seconds
        self._client: openai.OpenAI | None = None
        self._lock = threading.Lock()
        # What this server was found to refuse; told by its own answers, once.
        self._refused: set[str] = set()
        self._refused_schemas: set[str] = set()
        self._took_schema = False

    def complete(self, ask: Ask) -> Reply:
        """See `Provider.complete`. What the server refuses of log-probabilities and the like is left out from then on.

        A refused schema is left out for itself alone: the next one may fit. Only a server that refused several and
        never took one is not asked to take any more.
        """
        import openai

        while True:
            extras = [name for name in self._extras(ask) if name not in self._refused]
            if ask.schema in self._refused_schemas:
                extras = [name for name in extras if name != "schema"]
            try:
                reply = self._once(ask, extras)
                self._took_schema = self._took_schema or "schema" in extras
                return reply
            except openai.APITimeoutError:
                raise TransientError(f"no answer within {self._seconds:g} s") from None
            except openai.APIConnectionError as problem:
                raise TransientError(f"cannot be reached ({_cause(problem)})") from None
            except openai.APIStatusError as problem:
                status = problem.status_code
                if status in _TRANSIENT:
                    raise TransientError(f"answers {status}", _retry_after(problem)) from None
                if status in (400, 404, 415, 422) and extras and (guilty := _guilty(problem, extras)):
                    if guilty != "schema":
                        self._refused.add(guilty)
                    else:
                        self._refused_schemas.add(ask.schema)
                        if not self._took_schema and len(self._refused_schemas) >= _SCHEMAS_TRIED:
                            self._refused.add(guilty)
                    continue
                if status in (401, 403, 404):
                    raise ModelError(f"{self.name}: answers {status}: {_message(problem)}") from None
                raise InputError(f"{self.name} refuses the question with {status}: {_message(problem)}") from None
            except openai.OpenAIError as problem:
                raise TransientError(f"sends an answer that cannot be read ({type(problem).__name__})") from None
            except (json.JSONDecodeError, UnicodeDecodeError):
                raise TransientError("sends an answer that is not JSON") from None

    def _extras(self, ask: Ask) -> list[str]:
        wanted = (("schema", bool(ask.schema)), ("logprobs", ask.yes_no), ("temperature", True), ("max_tokens", True))
        return [name for name, is_wanted in wanted if is_wanted]

    def _once(self, ask: Ask, extras: list[str]) -> Reply:
        arguments: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": each.role, "content": _sendable(each.text)} for each in ask.messages],
            "max_tokens" if "max_tokens" in extras else "max_completion_tokens": ask.max_tokens,
        }
        if "temperature" in extras:
            arguments["temperature"] = ask.temperature
        if ask.temperature > 0:
            arguments["seed"] = ask.sample
        if "schema" in extras:
            arguments["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": json.loads(ask.schema), "strict": False},
            }
        if "logprobs" in extras:
            arguments["logprobs"] = True
            arguments["top_logprobs"] = 10
        answer = self._connected().chat.completions.create(**arguments)
        return read_completion(answer, ask)

    def _connected(self) -> openai.OpenAI:
        with self._lock:
            if self._client is None:
                import openai

                self._client = openai.OpenAI(
                    api_key=self._key or "none", base_url=self.base_url, max_retries=0, timeout=self._seconds
                )
            return self._client


def read_completion(answer: Any, ask: Ask) -> Reply:
    """A chat completion of the SDK as a reply.

    Raises: TransientError for an answer without content, which servers send when they break off.
    """
    choices: Any = getattr(answer, "choices", None)
    message = getattr(choices[0], "message", None) if choices else None
    text = getattr(message, "content", None)
    if not isinstance(text, str) or not text.strip():
        raise TransientError("sends an empty answer", answered=True)
    finish = str(getattr(choices[0], "finish_reason", None) or "")
    if not finish:
        raise TransientError("breaks off in its answer")
    yes = None
    if ask.yes_no:
        logprobs = getattr(choices[0], "logprobs", None)
        for token in (getattr(logprobs, "content", None) or [])[:3]:
            listed = {each.token: each.logprob for each in getattr(token, "top_logprobs", None) or []}
            listed.setdefault(token.token, token.logprob)
            yes = chance_of_yes(listed)
            if yes is not None:
                break
    usage = getattr(answer, "usage", None)
    return Reply(
        text,
        yes,
        int(getattr(usage, "prompt_tokens", 0) or 0),
        int(getattr(usage, "completion_tokens", 0) or 0),
        finish,
    )


def _sendable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _context_of(model: str) -> int:
    for start, tokens in CONTEXTS.items():
        if model.startswith(start):
            return tokens
    return CONTEXT


def _retry_after(problem: openai.APIStatusError) -> float | None:
    """Seconds of the header Retry-After, a number or a date (RFC 9110, 10.2.3)."""
    value = problem.response.headers.get("retry-after-ms")
    try:
        if value is not None:
            return max(float(value) / 1000, 0.0)
        value = problem.response.headers.get("retry-after")
        return None if value is None else max(float(value), 0.0)
    except ValueError:
        pass
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        return max((parsedate_to_datetime(str(value)) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return None


def _guilty(problem: openai.APIStatusError, extras: list[str]) -> str:
    """Which of the extras a refusal is about; where it does not say, the first is tried."""
    text = _message(problem).casefold()
    for name in ("max_tokens", "temperature"):  # newer models take neither
        if name in text and name in extras:
            return name
    if "logprob" in text:
        return "logprobs" if "logprobs" in extras else ""
    if any(word in text for word in ("response_format", "schema", "grammar", "json")):
        return "schema" if "schema" in extras else ""
    if any(word in text for word in ("context length", "too long", "maximum context", "content filter")):
        return ""
    return extras[0] if extras[0] in ("schema", "logprobs") else ""


def _message(problem: openai.APIStatusError) -> str:
    return " ".join(str(problem.message).split())[:300]


def _cause(problem: BaseException) -> str:
    inner = problem.__cause__ or problem
    return f"{type(inner).__name__}: {inner}"[:200]


def from_environment(kind: str, target: str, *, context_tokens: int | None, seconds: float) -> OpenAICompatible:
    """The provider of `openai/NAME`, `ollama/NAME` or `http://HOST/v1#NAME`. Keys come from the environment only.

    Arguments:
        kind: "openai", "ollama" or "http".
        target: model name, or address and name.
        context_tokens, seconds: as of `OpenAICompatible`.

    Environment: OPENAI_API_KEY and OPENAI_BASE_URL for `openai/`; OLLAMA_HOST for `ollama/`; SCHEMAPROOF_API_KEY for
    an address.

    Raises: SpecError where a key is needed and not there.
    """
    if kind == "openai":
        key = os.environ.get("OPENAI_API_KEY")
        if not key:
            raise SpecError(f"openai/{target} needs a key: set OPENAI_API_KEY in the environment")
        return OpenAICompatible(
            target,
            os.environ.get("OPENAI_BASE_URL"),
            key=key,
            name=f"openai/{target}",
            context_tokens=context_tokens,
            seconds=seconds,
        )
    if kind == "ollama":
        host = os.environ.get("OLLAMA_HOST", "127.0.0.1:11434")
        base = (host if "://" in host else f"http://{host}").rstrip("/") + "/v1"
        return OpenAICompatible(target, base, name=f"ollama/{target}", context_tokens=context_tokens, seconds=seconds)
    address, _, model = target.partition("#")
    return OpenAICompatible(
        model,
        address,
        key=os.environ.get("SCHEMAPROOF_API_KEY"),
        name=target,
        context_tokens=context_tokens,
        seconds=seconds,
    )
