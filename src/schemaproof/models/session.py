"""A provider made dependable: memory, a limit of questions at once, retries, a budget, equal questions asked once."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass, field
from typing import Protocol

from schemaproof.errors import BudgetError, InputError, ModelError
from schemaproof.models.memory import Memory
from schemaproof.models.protocol import Ask, Reply
from schemaproof.models.tokens import counter, prompt_tokens

STOPPED = "interrupted"
# Questions in a row that end without an answer before the provider counts as down.
_EMPTY_IN_A_ROW = 4
# Seconds between looks whether the session was stopped.
_LOOK = 0.2


class TransientError(Exception):
    """A failure that may pass: too many requests, a server's fault, a cut or an unreadable answer.

    Arguments:
        reason: for people.
        wait: seconds that the server asked for, or None.
        answered: the server is there and answered, with nothing in it: that may be this question's fault.
    """

    def __init__(self, reason: str, wait: float | None = None, *, answered: bool = False) -> None:
        super().__init__(reason)
        self.wait = wait
        self.answered = answered


class Provider(Protocol):
    """What answers one question once, without patience."""

    name: str
    context_tokens: int

    def complete(self, ask: Ask) -> Reply:
        """Answer. Raises TransientError, ModelError (down), InputError (this question is refused)."""
        ...


@dataclass
class Usage:
    """What was used so far; counts of questions that went to the provider, and of those that did not have to.

    Attributes:
        calls: answered by the provider.
        remembered: answered by the memory, or by an equal question in flight.
        retries: attempts that failed.
        prompt_tokens, completion_tokens: of the calls.
    """

    calls: int = 0
    remembered: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    by_purpose: dict[str, int] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """Tokens of prompts and answers."""
        return self.prompt_tokens + self.completion_tokens


class Budget:
    """Tokens that may still be used, shared by all models of a run.

    Arguments:
        tokens: most tokens of prompts and answers; None for no limit.
    """

    def __init__(self, tokens: int | None = None) -> None:
        self.limit = tokens
        self.used = 0
        self._held = 0
        self._lock = threading.Lock()

    def hold(self, tokens: int) -> None:
        """Set tokens aside for a question. Raises BudgetError where they are not left."""
        with self._lock:
            if self.limit is not None and self.used + self._held + tokens > self.limit:
                raise BudgetError(
                    f"the budget of {self.limit} tokens does not suffice for another question ({self.used} are used, "
                    f"the next may take {tokens}); raise --max-tokens to go on"
                )
            self._held += tokens

    def settle(self, held: int, used: int) -> None:
        """Give back what was set aside and count what was used."""
        with self._lock:
            self._held -= held
            self.used += used


@dataclass(frozen=True, slots=True)
class Patience:
    """How failures are met.

    Attributes:
        attempts: most attempts at one question.
        pause: seconds before the second attempt; doubled each time, with chance in it.
        longest: longest pause; a server that asks for more is taken for down.
    """

    attempts: int = 6
    pause: float = 0.5
    longest: float = 120.0


class Session:
    """A chat model for any number of threads.

    Arguments:
        provider: what answers.
        memory: where answers are kept; None for nowhere.
        at_once: most questions at the provider at a time.
        budget: tokens that may be used.
        patience: how failures are met.
        sleep: for tests.
        encoding: tokenizer to count with, see `tokens.counter`.
    """

    def __init__(
        self,
        provider: Provider,
        memory: Memory | None = None,
        *,
        at_once: int = 8,
        budget: Budget | None = None,
        patience: Patience | None = None,
        sleep: Callable[[float], None] = time.sleep,
        encoding: str | None = None,
    ) -> None:
        self.provider = provider
        self.name = provider.name
        self.context_tokens = provider.context_tokens
        self.at_once = at_once
        self.usage = Usage()
        self.tokenizer, self.count = counter(provider.name, encoding)
        self._memory = memory
        self._budget = budget or Budget()
        self._patience = patience or Patience()
        self._sleep = sleep
        self._slots = threading.BoundedSemaphore(at_once)
        self._lock = threading.Lock()
        self._flying: dict[str, Future[Reply]] = {}
        self._down: str | None = None
        self._empty = 0
        self._stopped = threading.Event()
        self._executor: ThreadPoolExecutor | None = None

    def remembers(self, ask: Ask) -> Reply | None:
        """The remembered answer, without asking."""
        return self._memory.get(ask.key(self.name)) if self._memory is not None else None

    def ask_all(self, asks: Sequence[Ask]) -> list[Reply]:
        """See `ChatModel.ask_all`. All answers that come are remembered even where another question fails."""
        if len(asks) <= 1 or self.at_once == 1:
            return [self.ask(each) for each in asks]
        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(self.at_once, thread_name_prefix="ask")
            executor = self._executor
        futures = [executor.submit(self.ask, each) for each in asks]
        replies: list[Reply] = []
        failure: BaseException | None = None
        for future in futures:
            try:
                replies.append(future.result())
            except Exception as problem:  # the others are waited for, so that their answers are not lost
                failure = failure or problem
            except BaseException:
                self.stop()
                raise
        if failure is not None:
            raise failure
        return replies

    def ask(self, ask: Ask) -> Reply:
        """See `ChatModel.ask`."""
        key = ask.key(self.name)
        if self._memory is not None and (known := self._memory.get(key)) is not None:
            with self._lock:
                self.usage.remembered += 1
            return known
        with self._lock:
            flying = self._flying.get(key)
            mine = flying is None
            if flying is None:
                flying = self._flying[key] = Future()
        if not mine:
            reply = flying.result()
            with self._lock:
                self.usage.remembered += 1
            return reply
        try:
            # An equal question may have been answered between the two looks.
            earlier = self._memory.get(key) if self._memory is not None else None
            reply = earlier or self._answered(ask)
            if earlier is None and self._memory is not None:
                self._memory.put(key, self.name, ask, reply)
            flying.set_result(reply)
            return reply
        except BaseException as problem:
            flying.set_exception(problem)
            raise
        finally:
            with self._lock:
                del self._flying[key]

    def _answered(self, ask: Ask) -> Reply:
        expected = prompt_tokens(ask, self.count)
        held = expected + ask.max_tokens
        self._budget.hold(held)
        used = 0
        try:
            reply = self._patiently(ask)
            if not reply.prompt_tokens:
                reply = Reply(reply.text, reply.yes, expected, self.count(reply.text), reply.finish, reply.remembered)
            used = reply.prompt_tokens + reply.completion_tokens
        finally:
            self._budget.settle(held, used)
        with self._lock:
            self.usage.calls += 1
            self.usage.prompt_tokens += reply.prompt_tokens
            self.usage.completion_tokens += reply.completion_tokens
            self.usage.by_purpose[ask.purpose] = self.usage.by_purpose.get(ask.purpose, 0) + 1
        return reply

    def _patiently(self, ask: Ask) -> Reply:
        pause = self._patience.pause
        for attempt in range(1, self._patience.attempts + 1):
            if self._down is not None:
                raise ModelError(self._down)
            try:
                with self._slots:
                    reply = self._attempt(ask)
                self._empty = 0
                return reply
            except TransientError as problem:
                with self._lock:
                    self.usage.retries += 1
                wait = problem.wait if problem.wait is not None else pause * random.uniform(0.75, 1.25)
                if problem.answered and attempt == self._patience.attempts and self._empty_so_far() < _EMPTY_IN_A_ROW:
                    raise InputError(f"{self.name} {problem} to this question, {attempt} times") from problem
                if attempt == self._patience.attempts or wait > self._patience.longest:
                    # Whoever asks next in this process is told at once instead of waiting as long again.
                    self._down = f"{self.name}: {problem} ({attempt} attempts)"
                    raise ModelError(self._down) from problem
                self._pause(wait)
                pause = min(2 * pause, self._patience.longest)
        raise AssertionError("unreachable")

    def _empty_so_far(self) -> int:
        """How many questions in a row ended without an answer, this one counted."""
        with self._lock:
            self._empty += 1
            return self._empty

    def _attempt(self, ask: Ask) -> Reply:
        """One attempt, in a thread that nobody waits for once the session is stopped: a provider may take minutes."""
        if self._stopped.is_set():
            raise ModelError(self._down or STOPPED)
        done: Future[Reply] = Future()

        def work() -> None:
            try:
                done.set_result(self.provider.complete(ask))
            except BaseException as problem:
                done.set_exception(problem)

        threading.Thread(target=work, name="attempt", daemon=True).start()
        while True:
            try:
                return done.result(_LOOK)
            except FutureTimeoutError:
                if done.done():
                    return done.result()
                if self._stopped.is_set():
                    raise ModelError(self._down or STOPPED) from None

    def _pause(self, seconds: float) -> None:
        if self._sleep is not time.sleep:
            self._sleep(seconds)
        elif self._stopped.wait(seconds):
            raise ModelError(self._down or STOPPED)

    @property
    def stopped(self) -> bool:
        """Whether it was stopped."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Ask nothing any more: who waits for an answer or for another attempt gets a ModelError at once."""
        self._down = self._down or STOPPED
        self._stopped.set()
