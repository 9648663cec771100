"""Every provider of inspect-ai (extra `inspect`): `inspect/PROVIDER/NAME`."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

from schemaproof.errors import MissingExtraError, ModelError
from schemaproof.models.openai_compatible import CONTEXT, read_completion
from schemaproof.models.protocol import Ask, Reply
from schemaproof.models.session import TransientError
from schemaproof.models.tokens import counter


class InspectModel:
    """A model of inspect-ai. Its own retries and cache are off: ours count and remember.

    Arguments:
        model: as inspect-ai names it ("anthropic/claude-sonnet-4-0", "mockllm/model").
        context_tokens: most tokens of prompt and answer.
        seconds: time limit of one attempt.
    """

    def __init__(self, model: str, *, context_tokens: int | None = None, seconds: float = 120.0) -> None:
        self.model = model
        self.name = f"inspect/{model}"
        self.context_tokens = context_tokens or CONTEXT
        self._seconds = seconds
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._made: Any = None

    def _running(self) -> asyncio.AbstractEventLoop:
        """A loop in a thread of its own: clients of providers belong to one loop."""
        with self._lock:
            if self._loop is None:
                loop = self._loop = asyncio.new_event_loop()
                threading.Thread(target=loop.run_forever, name="inspect", daemon=True).start()
            return self._loop

    async def _generate(self, ask: Ask) -> Any:
        try:
            from inspect_ai.model import (
                ChatMessageAssistant,
                ChatMessageSystem,
                ChatMessageUser,
                GenerateConfig,
                ResponseSchema,
                get_model,
            )
            from inspect_ai.util import JSONSchema
        except ImportError:
            raise MissingExtraError("inspect-ai", "inspect", "a model of inspect-ai") from None
        if self._made is None:
            try:
                self._made = get_model(self.model, memoize=False)
            except Exception as problem:
                raise ModelError(f"{self.name}: {problem}") from problem
            _count_offline(self._made, self.model)
        kinds = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
        config: dict[str, Any] = {
            "temperature": ask.temperature,
            "max_tokens": ask.max_tokens,
            "max_retries": 0,
            "timeout": int(self._seconds) or None,
        }
        if ask.yes_no:
            config |= {"logprobs": True, "top_logprobs": 10}
        if ask.schema:
            schema = JSONSchema.model_validate(json.loads(ask.schema))
            config["response_schema"] = ResponseSchema(name="answer", json_schema=schema, strict=False)
        if ask.temperature > 0:
            config["seed"] = ask.sample
        messages = [kinds[each.role](content=each.text) for each in ask.messages]
        return await self._made.generate(messages, config=GenerateConfig(**config), cache=False)

    def complete(self, ask: Ask) -> Reply:
        """See `Provider.complete`."""
        future = asyncio.run_coroutine_threadsafe(self._generate(ask), self._running())
        try:
            output = future.result(self._seconds * 2 if self._seconds else None)
        except (MissingExtraError, ModelError):
            raise
        except TimeoutError:
            future.cancel()
            raise TransientError(f"no answer within {self._seconds:g} s") from None
        except Exception as problem:
            raise TransientError(f"fails ({type(problem).__name__}: {problem})"[:300]) from problem
        return read_completion(_Output(output), ask)


def _count_offline(model: Any, name: str) -> None:
    """Have inspect-ai count tokens as we do where it would download a tokenizer for an estimate."""
    from inspect_ai.model import ModelAPI

    if type(model.api).count_text_tokens is ModelAPI.count_text_tokens:
        count = counter(name)[1]

        async def count_text_tokens(text: str) -> int:
            return count(text)

        model.api.count_text_tokens = count_text_tokens


class _Output:
    """An answer of inspect-ai read as one of OpenAI's SDK."""

    def __init__(self, output: Any) -> None:
        usage = output.usage
        self.choices = [_Choice(each) for each in output.choices]
        self.usage = None if usage is None else _Usage(usage.input_tokens, usage.output_tokens)


class _Usage:
    def __init__(self, prompt: int, completion: int) -> None:
        self.prompt_tokens = prompt
        self.completion_tokens = completion


class _Message:
    def __init__(self, content: str) -> None:
        self.content = content


class _Choice:
    def __init__(self, choice: Any) -> None:
        self.message = _Message(choice.message.text)
        self.finish_reason = "length" if choice.stop_reason == "max_tokens" else choice.stop_reason
        self.logprobs = choice.logprobs
