"""Compliance by a model: does a value fit what its property means (paper, section 3.5)?"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from schemaproof.agents.llm_factuality import BATCH, literals
from schemaproof.agents.llm_questions import Wording, ask_meaning, ask_meanings, read_answers
from schemaproof.agents.verdict import Decision, Finding, Verdict
from schemaproof.markup.model import Graph, Statement
from schemaproof.models.protocol import Ask, ChatModel, probability
from schemaproof.vocabulary import Vocabulary


def described_by_ranges(vocabulary: Vocabulary, name: str) -> str:
    """What a property is, from the vocabulary's facts, where its prose is not on this machine."""
    known = vocabulary.properties.get(name)
    if known is None:
        return "It is not in the vocabulary."
    ranges = ", ".join(known.ranges) or "anything"
    return f"It belongs to {', '.join(known.domains[:6]) or 'any type'}; its values are of the kind {ranges}."


class _Compliance:
    def __init__(self, model: ChatModel, vocabulary: Vocabulary, definitions: Mapping[str, str]) -> None:
        self.model = model
        self.vocabulary = vocabulary
        self.definitions = definitions

    @property
    def usage(self) -> object:
        """What the model has used so far."""
        return getattr(self.model, "usage", None)

    def definition(self, name: str) -> str:
        """The definition of a property, else a description from its ranges."""
        return self.definitions.get(name) or described_by_ranges(self.vocabulary, name)

    def siblings(self, graph: Graph, index: int) -> list[Statement]:
        """Other literals of the same node, one a property."""
        statement = graph.statements[index]
        found: dict[str, Statement] = {}
        for other in graph.nodes[statement.subject].statements:
            each = graph.statements[other]
            if other != index and each.value is not None and each.property != statement.property:
                found.setdefault(each.property, each)
        return list(found.values())

    def _distinct(self, graph: Graph, indices: Container[int] | Iterable[int] | None) -> dict[str, list[int]]:
        """Statements by what is asked about them: equal questions once."""
        asked = None if indices is None else [i for i in range(len(graph.statements)) if i in _container(indices)]
        found: dict[str, list[int]] = {}
        for index in literals(graph, asked):
            statement = graph.statements[index]
            others = [(each.property, str(each.value)[:80]) for each in self.siblings(graph, index)[:6]]
            key = repr((statement.property, type(statement.value), statement.value, others))
            found.setdefault(key, []).append(index)
        return found


def _container(indices: Container[int] | Iterable[int]) -> Container[int]:
    return frozenset(indices) if isinstance(indices, Iterable) else indices


def fit_verdict(name: str, chance: float | None) -> Verdict:
    """The verdict from a chance of yes: threshold 0.5; unclear where no answer could be read."""
    if chance is None:
        return Verdict(Decision.UNCLEAR, "model-no-answer", "The model's answer is neither yes nor no.", 0.5)
    if chance >= 0.5:
        return Verdict(Decision.KEEP, "model-fits", f"The model says that it fits what {name} means.", round(chance, 4))
    return Verdict(
        Decision.REJECT,
        "model-does-not-fit",
        f"The model says that it does not fit what {name} means.",
        round(chance, 4),
    )


class OnePairCompliance(_Compliance):
    """One statement a question: property, definition, value, sibling values.

    Arguments:
        model: what is asked.
        vocabulary: for properties without a definition.
        definitions: property to its definition.
        wording: the words.
        samples: as of `OnePairFactuality`.
    """

    def __init__(
        self,
        model: ChatModel,
        vocabulary: Vocabulary,
        definitions: Mapping[str, str],
        wording: Wording,
        *,
        samples: int = 0,
    ) -> None:
        super().__init__(model, vocabulary, definitions)
        self.wording = wording
        self.samples = samples

    def judge(
        self, graph: Graph, indices: Container[int] | Iterable[int] | None = None, language: str = ""
    ) -> tuple[list[Verdict | None], list[Finding]]:
        """See `EmbeddedCompliance.judge`; no findings."""
        verdicts: list[Verdict | None] = [None] * len(graph.statements)
        groups = list(self._distinct(graph, indices).values())
        asks: list[Ask] = []
        for group in groups:
            statement = graph.statements[group[0]]
            for sample in range(self.samples) if self.samples else (-1,):
                asks.append(
                    ask_meaning(
                        statement,
                        self.definition(statement.property),
                        self.siblings(graph, group[0]),
                        self.wording,
                        sample=sample,
                    )
                )
        replies = self.model.ask_all(asks)
        width = self.samples or 1
        for place, group in enumerate(groups):
            votes = [
                chance
                for reply in replies[place * width : (place + 1) * width]
                if (chance := probability(reply)) is not None
            ]
            if self.samples:
                votes = [float(vote >= 0.5) for vote in votes]
            chance = sum(votes) / len(votes) if votes else None
            for index in group:
                verdicts[index] = fit_verdict(graph.statements[index].property, chance)
        return verdicts, []


class BatchedCompliance(_Compliance):
    """Many statements a question, in two orders; where these disagree, one by one.

    Arguments:
        pair: one-pair, which brings model, vocabulary, definitions and words.
        batch: most statements a question.
    """

    def __init__(self, pair: OnePairCompliance, *, batch: int = BATCH) -> None:
        super().__init__(pair.model, pair.vocabulary, pair.definitions)
        self.pair = pair
        self.batch = batch

    def judge(
        self, graph: Graph, indices: Container[int] | Iterable[int] | None = None, language: str = ""
    ) -> tuple[list[Verdict | None], list[Finding]]:
        """See `EmbeddedCompliance.judge`; no findings."""
        verdicts: list[Verdict | None] = [None] * len(graph.statements)
        distinct = list(self._distinct(graph, indices).values())
        if not distinct:
            return verdicts, []
        count = -(-len(distinct) // self.batch)
        size = -(-len(distinct) // count)
        parts = [distinct[place : place + size] for place in range(0, len(distinct), size)]
        asks: list[Ask] = []
        for part in parts:
            statements = [graph.statements[group[0]] for group in part]
            told = [self.definition(each.property) for each in statements]
            others = [self.siblings(graph, group[0]) for group in part]
            for backwards in (False, True) if len(part) > 1 else (False,):
                asks.append(ask_meanings(statements, told, others, backwards=backwards))
        answers = iter(
            read_answers(reply.text, len(ask.subjects))
            for ask, reply in zip(asks, self.model.ask_all(asks), strict=True)
        )
        doubtful: list[list[int]] = []
        for part in parts:
            first = next(answers)
            second = next(answers) if len(part) > 1 else first
            for number, group in enumerate(part, 1):
                one, other = first.get(number), second.get(number)
                if one is None or other is None or one.verdict != other.verdict:
                    doubtful.append(group)
                    continue
                for index in group:
                    chance = 0.9 if one.verdict == "supported" else 0.1
                    verdicts[index] = fit_verdict(graph.statements[index].property, chance)
        if doubtful:
            single, _ = self.pair.judge(graph, [group[0] for group in doubtful])
            for group in doubtful:
                for index in group:
                    verdicts[index] = single[group[0]]
        return verdicts, []
