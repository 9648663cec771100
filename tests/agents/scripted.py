"""Models for tests that answer by a function."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from schemaproof.models.protocol import Ask, Reply


class Scripted:
    """A chat model that answers by a function, and keeps what it was asked."""

    name = "scripted"

    def __init__(self, answer: Callable[[Ask], str], context_tokens: int = 16_000) -> None:
        self.answer = answer
        self.context_tokens = context_tokens
        self.asked: list[Ask] = []

    def ask(self, ask: Ask) -> Reply:
        self.asked.append(ask)
        return Reply(self.answer(ask))

    def ask_all(self, asks: Sequence[Ask]) -> list[Reply]:
        return [self.ask(each) for each in asks]

    def count(self, text: str) -> int:
        return len(text.split())


def numbers(ask: Ask) -> list[int]:
    """Numbers of the statements in a batched question, in the order shown."""
    return [int(each) for each in re.findall(r"^(\d+)\. ", ask.messages[-1].text.rpartition("Statements:")[2], re.M)]


def verdicts(ask: Ask, verdict: str, quote: Callable[[int], str] = lambda _: "") -> str:
    """One verdict on all statements of a batched question."""
    return json.dumps({"answers": [{"n": n, "verdict": verdict, "quote": quote(n)} for n in numbers(ask)]})
