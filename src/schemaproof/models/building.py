"""From a SPEC to a chat model, made once a process so that all who use it share memory, limit and budget."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from schemaproof.errors import SpecError
from schemaproof.models.memory import Memory, memory_path
from schemaproof.models.session import Budget, Patience, Provider, Session
from schemaproof.models.tokens import ENCODINGS


class SpecLike(Protocol):
    """A SPEC taken apart; see `pipeline.specs.Spec`."""

    @property
    def kind(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def text(self) -> str: ...
    def option(self, name: str) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """What the user allows.

    Attributes:
        at_once: most questions at a provider at a time.
        max_tokens: budget of tokens over all models; None for none.
        attempts: most attempts at one question.
        seconds: time limit of one attempt.
        pause: seconds before the second attempt.
    """

    at_once: int = 8
    max_tokens: int | None = None
    attempts: int = 6
    seconds: float = 120.0
    pause: float = 0.5


_lock = threading.RLock()
_limits: Limits | None = None
_budget = Budget()
_memories: dict[Path, Memory] = {}
_sessions: dict[tuple[str, str, str, Path], Session] = {}


def limits() -> Limits:
    """The limits in force: those set, else from SCHEMAPROOF_MODEL_{CONCURRENCY,ATTEMPTS,TIMEOUT,PAUSE}.

    Raises: SpecError for a variable that is no number.
    """
    if _limits is not None:
        return _limits
    default = Limits()

    def number(name: str, otherwise: float) -> float:
        text = os.environ.get(f"SCHEMAPROOF_MODEL_{name}")
        try:
            value = otherwise if text is None else float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value < 1e6:
            raise SpecError(f"SCHEMAPROOF_MODEL_{name} is a number of at least 0, not {text!r}")
        return value

    return Limits(
        max(1, int(number("CONCURRENCY", default.at_once))),
        None,
        max(1, int(number("ATTEMPTS", default.attempts))),
        number("TIMEOUT", default.seconds),
        number("PAUSE", default.pause),
    )


def set_limits(*, at_once: int | None = None, max_tokens: int | None = None) -> None:
    """Set what the user allows, for models made from now on in this process."""
    global _limits, _budget
    with _lock:
        found = limits()
        _limits = replace(found, at_once=at_once or found.at_once, max_tokens=max_tokens)
        _budget = Budget(max_tokens)
        _sessions.clear()


def forget_models() -> None:
    """Let go of all models and memories made in this process (for tests)."""
    global _limits, _budget
    with _lock:
        _limits, _budget = None, Budget()
        _sessions.clear()
        for memory in _memories.values():
            memory.close()
        _memories.clear()


def stop_models() -> None:
    """Stop all models made in this process, so that an interrupt need not wait for answers under way."""
    with _lock:
        for session in _sessions.values():
            session.stop()


def sessions() -> list[Session]:
    """All models made so far in this process."""
    with _lock:
        return list(_sessions.values())


def memory() -> Memory:
    """The user's memory, opened once a process."""
    with _lock:
        path = memory_path()
        if path not in _memories:
            _memories[path] = Memory(path)
        return _memories[path]


def build_model(spec: SpecLike, *, remember: bool = True) -> Session:
    """The chat model that a SPEC names.

    Arguments:
        spec: `openai/NAME`, `ollama/NAME`, `http://HOST/v1#NAME`, `gguf/FILE`, `inspect/PROVIDER/NAME` or
            `recorded/FILE`; with the options context (tokens), tokenizer (to count with) and, for recorded, answers
            (the judge's field).
        remember: keep answers in the user's memory.

    Raises:
        SpecError: it names no model, or lacks a key.
        MissingExtraError: its package is not installed.
        SourceError, InputError: its file cannot be used.
    """
    context = spec.option("context")
    if context is not None and not (context.isdigit() and int(context) >= 256):
        raise SpecError(f"{spec.text!r}: context is a number of tokens of at least 256")
    encoding = spec.option("tokenizer")
    if encoding is not None and encoding not in ENCODINGS:
        raise SpecError(f"{spec.text!r}: tokenizer is one of {', '.join(ENCODINGS)}, not {encoding!r}")
    options = f"{context}|{encoding}|{spec.option('answers')}"
    with _lock:
        path = memory_path()
        key = (spec.kind, spec.target, f"{options}|{remember}", path)
        found = _sessions.get(key)
        if found is None or found.stopped:
            allowed = limits()
            provider = _provider(spec, int(context) if context else None, allowed)
            # What is at hand for nothing (records) need not be remembered.
            kept = memory() if remember and spec.kind != "recorded" else None
            found = _sessions[key] = Session(
                provider,
                kept,
                at_once=1 if spec.kind == "gguf" else allowed.at_once,
                budget=_budget,
                patience=Patience(allowed.attempts, allowed.pause),
                encoding=encoding,
            )
        return found


def _provider(spec: SpecLike, context: int | None, allowed: Limits) -> Provider:
    if spec.kind in ("openai", "ollama", "http"):
        from schemaproof.models.openai_compatible import from_environment

        return from_environment(spec.kind, spec.target, context_tokens=context, seconds=allowed.seconds)
    if spec.kind == "recorded":
        from schemaproof.models.recorded import RecordedModel

        return RecordedModel(spec.target, spec.option("answers"))
    if spec.kind == "gguf":
        from schemaproof.models.gguf import GGUFModel

        return GGUFModel(spec.target, context_tokens=context)
    if spec.kind == "inspect":
        from schemaproof.models.inspect import InspectModel

        return InspectModel(spec.target, context_tokens=context, seconds=allowed.seconds)
    raise SpecError(f"{spec.text!r} names no model")
