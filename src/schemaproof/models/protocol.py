"""What a chat model is asked and what it answers. Pure data: agents and generation know nothing else of models.

Source: the paper asks at temperature 0 and reads yes or no (section 3.4); a chance of yes from the probabilities of the
first token is ours.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

FACTUALITY = "factuality"
COMPLIANCE = "compliance"
GENERATION = "generation"
TYPES = "types"
# What stands in a remembered question where the random mark of its fence stood.
MARK = "\0mark\0"

_WORD = re.compile(r"[^\W_]+")
_YES = frozenset({"yes", "true", "y"})
_NO = frozenset({"no", "false", "n"})


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation.

    Attributes:
        role: "system", "user" or "assistant".
        text: what is said.
    """

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Subject:
    """What a question is about, for models that answer from records and for accounting; never sent.

    Attributes:
        agent: "factuality" or "compliance".
        types: types of the statement's node.
        property, value: the statement; the value as text.
        text: digest of the whole text that it is judged against, "" for compliance.
        chunk: number of the chunk of the text in the question; -1 where windows were chosen.
    """

    agent: str
    types: tuple[str, ...]
    property: str
    value: str
    text: str = ""
    chunk: int = -1


@dataclass(frozen=True, slots=True)
class Ask:
    """One question. Everything but `mark`, `subjects` and `purpose` decides the answer.

    Attributes:
        messages: the conversation; what many questions share comes first, for the sake of prefix caches.
        purpose: "factuality", "compliance", "generation" or "types".
        temperature: 0 for the likeliest answer.
        max_tokens: most tokens of the answer.
        schema: JSON Schema of the answer as canonical JSON text; "" where any text will do.
        yes_no: whether a yes or a no is wanted, with the probabilities of the first token.
        sample: number of the sample, for several answers to one question.
        mark: the random mark that fences hostile text inside of the messages; "" for none.
        subjects: what is asked about, in order.
    """

    messages: tuple[Message, ...]
    purpose: str
    temperature: float = 0.0
    max_tokens: int = 512
    schema: str = ""
    yes_no: bool = False
    sample: int = 0
    mark: str = ""
    subjects: tuple[Subject, ...] = ()

    def key(self, model: str) -> str:
        """sha256 of all that decides the answer, the model's name included and the random mark left out."""
        parts = [
            model,
            [[each.role, self._unmarked(each.text)] for each in self.messages],
            self.temperature,
            self.max_tokens,
            self.schema,
            self.yes_no,
            self.sample,
        ]
        text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def _unmarked(self, text: str) -> str:
        return text.replace(self.mark, MARK) if self.mark else text


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer.

    Attributes:
        text: what the model said.
        yes: chance of yes from the log-probabilities of the first token, renormalised over yes and no; None where
            the server gave none or neither word was among them.
        prompt_tokens, completion_tokens: as the server counted, else as estimated.
        finish: why it ended: "stop", "length", or what the server said.
        remembered: whether it came from the memory.
    """

    text: str
    yes: float | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    finish: str = "stop"
    remembered: bool = False


class ChatModel(Protocol):
    """Something that answers questions."""

    @property
    def name(self) -> str:
        """Names the model in signatures and in the memory."""
        ...

    @property
    def context_tokens(self) -> int:
        """Most tokens of prompt and answer together."""
        ...

    def ask(self, ask: Ask) -> Reply:
        """The answer. Raises ModelError where there is none after retries, BudgetError where tokens are used up."""
        ...

    def ask_all(self, asks: Sequence[Ask]) -> list[Reply]:
        """The answers to several questions, asked at once as far as the limit allows, in the order given."""
        ...

    def count(self, text: str) -> int:
        """How many tokens a text has for this model."""
        ...


def said_yes(text: str) -> bool | None:
    """Whether an answer begins with yes or no (or is such a value in JSON); None for anything else."""
    for found in _WORD.finditer(text[:200]):
        word = found.group().casefold()
        if word in _YES:
            return True
        if word in _NO:
            return False
        if word not in ("answer", "the", "is", "verdict", "json", "my"):
            return None
    return None


def chance_of_yes(candidates: Mapping[str, float]) -> float | None:
    """Chance of yes from candidates for the first token.

    Arguments:
        candidates: token to natural log-probability; spellings are levelled ("Yes", " yes").

    Returns: 0 to 1, renormalised over yes and no; None where neither is among them.
    """
    yes = no = 0.0
    for token, value in candidates.items():
        word = token.strip(" \t\n\"'*▁Ġ.").casefold()
        if value is None or math.isnan(value) or word not in _YES | _NO:
            continue
        chance = math.exp(min(value, 0.0))
        if word in _YES:
            yes += chance
        else:
            no += chance
    return yes / (yes + no) if yes + no > 0 else None


def probability(reply: Reply) -> float | None:
    """Chance of yes of an answer: from its log-probabilities, else 1 or 0 from its words, else None."""
    if reply.yes is not None:
        return reply.yes
    said = said_yes(reply.text)
    return None if said is None else float(said)
