"""A model file in this process, through xllamacpp (extra `gguf`)."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

from schemaproof.errors import InputError, MissingExtraError, ModelError, SourceError
from schemaproof.models.openai_compatible import read_completion
from schemaproof.models.protocol import Ask, Reply
from schemaproof.models.session import TransientError

CONTEXT = 2048
# Grammars without bounds let a small model go on for ever.
_LONGEST_TEXT = 120
_MOST_ITEMS = 4
_MOST_PROPERTIES = 12


class GGUFModel:
    """A GGUF file. Answers are kept to a JSON Schema by a grammar, bounded so that they end.

    Arguments:
        path: the file.
        context_tokens: most tokens of prompt and answer.

    Raises: SourceError where there is no such file; MissingExtraError, ModelError at the first question.
    """

    def __init__(self, path: str, *, context_tokens: int | None = None) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise SourceError(path, "there is no such model file")
        self.context_tokens = context_tokens or CONTEXT
        # The size tells files of one name apart in the memory without reading them through.
        self.name = f"gguf/{self.path.name}:{self.path.stat().st_size}"
        self._server: Any = None
        self._lock = threading.Lock()

    def _loaded(self) -> Any:
        if self._server is None:
            try:
                import xllamacpp
            except ImportError:
                raise MissingExtraError("xllamacpp", "gguf", "a model file") from None
            parameters = xllamacpp.CommonParams()
            parameters.model.path = str(self.path)
            parameters.n_ctx = self.context_tokens
            parameters.n_parallel = 1
            parameters.verbosity = -1
            parameters.warmup = False
            try:
                self._server = xllamacpp.Server(parameters)
            except Exception as problem:
                raise ModelError(f"{self.path}: the model cannot be loaded ({problem})") from problem
        return self._server

    def complete(self, ask: Ask) -> Reply:
        """See `Provider.complete`."""
        request: dict[str, Any] = {
            "messages": [
                {"role": each.role, "content": each.text.encode("utf-8", "replace").decode()} for each in ask.messages
            ],
            "temperature": ask.temperature,
            "max_tokens": ask.max_tokens,
            "seed": ask.sample + 1,
        }
        if ask.schema:
            schema = bounded(json.loads(ask.schema))
            request["response_format"] = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
        if ask.yes_no:
            request |= {"logprobs": True, "top_logprobs": 20}
        with self._lock:
            server = self._loaded()
            try:
                answer = server.handle_chat_completions(request)
            except RuntimeError as problem:
                raise InputError(f"{self.name} refuses the question: {problem}"[:400]) from None
        if not isinstance(answer, dict) or "choices" not in answer:
            error = answer.get("error") if isinstance(answer, dict) else answer
            raise InputError(f"{self.name} refuses the question: {error}"[:400])
        try:
            return read_completion(_Attributes(answer), ask)
        except TransientError:
            return Reply("", None, 0, 0, "stop")


class _Attributes:
    """A dictionary read as the SDK's objects are."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    def __getattr__(self, name: str) -> Any:
        value = self._values.get(name)
        if isinstance(value, dict):
            return _Attributes(value)
        if isinstance(value, list):
            return [_Attributes(each) if isinstance(each, dict) else each for each in value]
        return value


def bounded(schema: Any) -> Any:
    """A schema whose answers end: strings, arrays and the number of properties limited, nesting of two at most.

    Arguments:
        schema: of `generation.schema` or of a judge's answers. It is not changed.
    """
    if not isinstance(schema, dict):
        return schema
    if "enum" in schema:
        return schema
    if "anyOf" in schema:
        kinds = [bounded(each) for each in schema["anyOf"][:4]]
        return {"anyOf": kinds}
    found = dict(schema)
    if found.get("type") == "string":
        found["maxLength"] = min(int(found.get("maxLength", _LONGEST_TEXT)), _LONGEST_TEXT)
    elif found.get("type") == "array":
        found["items"] = bounded(found.get("items", {}))
        found["maxItems"] = min(int(found.get("maxItems", 64)), 64 if _is_answers(found) else _MOST_ITEMS)
    elif found.get("type") == "object":
        needed = set(found.get("required", ()))
        kept = [name for name in found.get("properties", {}) if name in needed]
        kept += [name for name in found.get("properties", {}) if name not in needed]
        kept = kept[: max(_MOST_PROPERTIES, len(needed))]
        found["properties"] = {name: bounded(found["properties"][name]) for name in kept}
        if "$defs" in found:
            found["$defs"] = {name: bounded(each) for name, each in found["$defs"].items()}
    return found


def _is_answers(schema: dict[str, Any]) -> bool:
    items = schema.get("items")
    return isinstance(items, dict) and "verdict" in items.get("properties", {})
