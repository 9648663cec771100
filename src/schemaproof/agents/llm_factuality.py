"""Factuality by a model: one statement a question as in the paper (section 3.4), or many with quotes that are checked.

The paper's protocol believes a yes. The batched one does not: a yes counts where two askings agree, or one-pair agrees,
and where the value is located on the page; what a model cannot prove is unclear, never kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schemaproof.agents.factuality import EmbeddedFactuality
from schemaproof.agents.llm_questions import Answer, Wording, ask_fact, ask_facts, read_answers
from schemaproof.agents.llm_quotes import Locator, Reading
from schemaproof.agents.llm_text import Span, chunks, excerpt, windows
from schemaproof.agents.verdict import Decision, Evidence, Verdict
from schemaproof.markup.model import Graph, Statement
from schemaproof.models.protocol import Ask, ChatModel, probability
from schemaproof.page.model import Page

BATCH = 16
# A page of at most this many tokens is shown whole.
WHOLE_PAGE = 2500
_ANSWER_TOKENS = 8
_SPARE_TOKENS = 64
_CANNOT = Verdict(
    Decision.UNCLEAR,
    rule="page-without-text",
    reason="Cannot check: the page shows no text without running its scripts.",
    probability=0.5,
)


def literals(graph: Graph, indices: Iterable[int] | None) -> list[int]:
    """The statements with a literal value among those asked for."""
    asked = range(len(graph.statements)) if indices is None else indices
    return [
        each
        for each in asked
        if graph.statements[each].value is not None and not graph.statements[each].property.startswith("@")
    ]


class OnePairFactuality:
    """The paper's protocol: each statement against each chunk, yes or no, chunks joined by OR, a yes never asked again.

    Arguments:
        model: what is asked.
        embedded: reads the page (its verdicts play no part).
        mark: fences the page's text in the questions.
        wording: the words.
        samples: 0 for one answer at temperature 0; else so many at temperature 1, and the majority (SelfCheck,
            Appendix G).
        chunk_count: how many chunks, in place of the paper's formula (for a replay of recorded chunks).
    """

    def __init__(
        self,
        model: ChatModel,
        embedded: EmbeddedFactuality,
        mark: str,
        wording: Wording,
        *,
        samples: int = 0,
        chunk_count: int | None = None,
    ) -> None:
        self.model = model
        self.embedded = embedded
        self.mark = mark
        self.wording = wording
        self.samples = samples
        self.chunk_count = chunk_count

    @property
    def usage(self) -> object:
        """What the model has used so far."""
        return getattr(self.model, "usage", None)

    def prepare(self, page: Page) -> Reading:
        """Read a page once for any number of markups."""
        return Reading(page, self.embedded.prepare(page))

    def judge(self, graph: Graph, prepared: Reading, indices: Iterable[int] | None = None) -> list[Verdict | None]:
        """See `EmbeddedFactuality.judge`.

        Raises: ModelError, BudgetError; what was answered until then is remembered.
        """
        verdicts: list[Verdict | None] = [None] * len(graph.statements)
        asked = literals(graph, indices)
        if prepared.prepared.empty:
            for index in asked:
                verdicts[index] = _CANNOT
            return verdicts
        text = prepared.shown.text
        for index, chance in zip(
            asked,
            self.chances([graph.statements[each] for each in asked], text, self._spans(graph, asked, text), prepared),
            strict=True,
        ):
            verdicts[index] = one_pair_verdict(chance)
        return verdicts

    def _spans(self, graph: Graph, asked: Sequence[int], text: str) -> list[Span]:
        if not asked:
            return []
        count = self.model.count
        overhead = max(
            sum(
                count(each.text) + 4 for each in ask_fact(graph.statements[index], "", self.mark, self.wording).messages
            )
            for index in self._longest(graph, asked)
        )
        size = self.model.context_tokens - overhead - _ANSWER_TOKENS - _SPARE_TOKENS
        return chunks(text, size, count, self.chunk_count)

    def _longest(self, graph: Graph, asked: Sequence[int]) -> list[int]:
        """The statements whose questions may be the longest, without counting every one."""
        return sorted(asked, key=lambda index: -len(str(graph.statements[index].value).encode()))[:3]

    def chances(
        self, statements: Sequence[Statement], text: str, spans: Sequence[Span], reading: Reading
    ) -> list[float | None]:
        """Chance of yes of each statement over the chunks; None where no answer could be read.

        Arguments:
            statements: literals; equal questions are asked once.
            text: the shown text.
            spans: its chunks.
            reading: of the page.
        """
        best: list[float | None] = [None] * len(statements)
        for number, (start, end) in enumerate(spans):
            pending = [place for place, chance in enumerate(best) if chance is None or chance < 0.5]
            asks: dict[str, Ask] = {}
            keys: dict[int, list[str]] = {}
            for place in pending:
                for sample in range(self.samples) if self.samples else (-1,):
                    ask = ask_fact(
                        statements[place],
                        text[start:end],
                        self.mark,
                        self.wording,
                        digest=reading.digest,
                        chunk=number,
                        sample=sample,
                    )
                    # Questions about one chunk differ in their last message and the sample only.
                    key = f"{ask.messages[-1].text[-5000:]}\0{sample}"
                    asks.setdefault(key, ask)
                    keys.setdefault(place, []).append(key)
            replies = dict(zip(asks, self.model.ask_all(list(asks.values())), strict=True))
            for place, listed in keys.items():
                votes = [chance for key in listed if (chance := probability(replies[key])) is not None]
                if self.samples:
                    votes = [float(vote >= 0.5) for vote in votes]
                if votes:
                    mean = sum(votes) / len(votes)
                    best[place] = mean if best[place] is None else max(mean, best[place] or 0.0)
        return best


def one_pair_verdict(chance: float | None) -> Verdict:
    """The verdict of the paper's protocol: threshold 0.5; unclear where no answer could be read."""
    if chance is None:
        return Verdict(Decision.UNCLEAR, "model-no-answer", "The model's answer is neither yes nor no.", 0.5)
    if chance >= 0.5:
        return Verdict(Decision.KEEP, "model-yes", "The model says that the page says so.", round(chance, 4))
    return Verdict(
        Decision.REJECT, "model-no", "The model does not find this on the page.", round(chance, 4), "unsupported"
    )


class BatchedFactuality:
    """Many statements a question, asked in two orders, with quotes that are verified.

    Arguments:
        pair: asks where the two orders disagree, and brings model, mark and words.
        batch: most statements a question.
    """

    def __init__(self, pair: OnePairFactuality, *, batch: int = BATCH) -> None:
        self.pair = pair
        self.model = pair.model
        self.embedded = pair.embedded
        self.locator = Locator(pair.embedded)
        self.batch = batch

    @property
    def usage(self) -> object:
        """What the model has used so far."""
        return self.pair.usage

    def prepare(self, page: Page) -> Reading:
        """Read a page once for any number of markups."""
        return self.pair.prepare(page)

    def judge(self, graph: Graph, prepared: Reading, indices: Iterable[int] | None = None) -> list[Verdict | None]:
        """See `EmbeddedFactuality.judge`."""
        asked = literals(graph, indices)
        if prepared.prepared.empty:
            verdicts: list[Verdict | None] = [None] * len(graph.statements)
            for index in asked:
                verdicts[index] = _CANNOT
            return verdicts
        known = self.embedded.judge(graph, prepared.prepared, asked)
        return self.judge_known(graph, prepared, asked, known)

    def judge_known(
        self, graph: Graph, reading: Reading, asked: Sequence[int], known: Sequence[Verdict | None]
    ) -> list[Verdict | None]:
        """As `judge`, where the embedded judge's verdicts are at hand."""
        verdicts: list[Verdict | None] = [None] * len(graph.statements)
        if not asked:
            return verdicts
        places = {index: self.locator.located(graph, index, reading, known[index]) for index in asked}
        groups = self._groups(graph, asked)
        asks: list[Ask] = []
        for group in groups:
            text = self._text(reading, [each for index in group for each in places[index]], known, group)
            statements = [graph.statements[index] for index in group]
            for backwards in (False, True) if len(group) > 1 else (False,):
                asks.append(ask_facts(statements, text, self.pair.mark, digest=reading.digest, backwards=backwards))
        answers = iter(
            read_answers(reply.text, len(ask.subjects))
            for ask, reply in zip(asks, self.model.ask_all(asks), strict=True)
        )
        doubtful: list[int] = []
        for group in groups:
            first = next(answers)
            second = next(answers) if len(group) > 1 else first
            for number, index in enumerate(group, 1):
                verdict = self._agreed(
                    graph, index, reading, places[index], known[index], first.get(number), second.get(number)
                )
                if verdict is None:
                    doubtful.append(index)
                else:
                    verdicts[index] = verdict
        for index, verdict in zip(doubtful, self._one_by_one(graph, doubtful, reading, places, known), strict=True):
            verdicts[index] = verdict
        self._copy_equal(graph, asked, verdicts)
        return verdicts

    def _groups(self, graph: Graph, asked: Sequence[int]) -> list[list[int]]:
        """Statements in groups of like size, equal ones once."""
        distinct: dict[tuple[object, ...], int] = {}
        for index in asked:
            distinct.setdefault(_equal(graph.statements[index]), index)
        chosen = list(distinct.values())
        count = -(-len(chosen) // self.batch)
        size = -(-len(chosen) // count)
        return [chosen[place : place + size] for place in range(0, len(chosen), size)]

    def _copy_equal(self, graph: Graph, asked: Sequence[int], verdicts: list[Verdict | None]) -> None:
        given = {_equal(graph.statements[index]): verdicts[index] for index in asked if verdicts[index] is not None}
        for index in asked:
            if verdicts[index] is None:
                verdicts[index] = given.get(_equal(graph.statements[index]))

    def _text(
        self, reading: Reading, places: Sequence[Evidence], known: Sequence[Verdict | None], group: Sequence[int]
    ) -> str:
        """What is shown of the page: all of it, or the windows around candidates; targets of links behind it."""
        shown = reading.shown
        text = shown.text
        limit = min(WHOLE_PAGE, max(256, self.model.context_tokens // 2))
        if self.model.count(text) > limit:
            spots = [each for each in places if each.start >= 0]
            # What the embedded judge found in the value's place may contradict it, and is shown as well.
            spots += [each for index in group if (verdict := known[index]) for each in verdict.evidence[:2]]
            spans = [(shown.shown(each.start), shown.shown(each.end)) for each in spots if each.start >= 0]
            text = self._fitting(text, spans, limit)
        behind = dict.fromkeys(each.text for each in places if each.start < 0 and each.text)
        if behind:
            text += "\n\nTargets of links and images, title and description:\n" + "\n".join(behind)
        return text

    def _fitting(self, text: str, spots: Sequence[Span], limit: int) -> str:
        most = 2 * min(WHOLE_PAGE, limit)
        for reach in (240, 120, 60):
            found = excerpt(text, windows(text, spots, reach=reach))
            if self.model.count(found) <= most:
                return found
        start, end = chunks(found, most, self.model.count)[0]
        return found[start:end]

    def _agreed(
        self,
        graph: Graph,
        index: int,
        reading: Reading,
        places: list[Evidence],
        known: Verdict | None,
        first: Answer | None,
        second: Answer | None,
    ) -> Verdict | None:
        """The verdict where both orders say the same; None where not."""
        if first is None or second is None:
            return None
        if first.verdict != "supported" and second.verdict != "supported":
            kind = first.verdict if first.verdict == second.verdict else "unsupported"
            reason = (
                "The model finds something else in its place."
                if kind == "contradicted"
                else "The model does not find it."
            )
            return Verdict(Decision.REJECT, f"model-{kind}", reason, 0.1, kind)
        if first.verdict != second.verdict:
            return None
        for answer in (first, second):
            evidence = self.locator.proof(graph, index, reading, answer.quote, places, known) if answer.quote else ()
            if evidence:
                return Verdict(
                    Decision.KEEP, "model-quote", "The model quotes a place that says so.", 0.9, evidence=evidence
                )
        return Verdict(
            Decision.UNCLEAR,
            "model-without-proof",
            "The model accepts it, but quotes no place of the page that holds the value.",
            0.5,
        )

    def _one_by_one(
        self,
        graph: Graph,
        doubtful: Sequence[int],
        reading: Reading,
        places: dict[int, list[Evidence]],
        known: Sequence[Verdict | None],
    ) -> list[Verdict]:
        found: list[Verdict] = []
        for index in doubtful:
            text = self._text(reading, places[index], known, [index])
            (chance,) = self.pair.chances([graph.statements[index]], text, [(0, len(text))], reading)
            found.append(guarded(one_pair_verdict(chance), places[index]))
        return found


def guarded(verdict: Verdict, places: Sequence[Evidence]) -> Verdict:
    """A yes of a model, believed only where the value is located."""
    if verdict.decision is not Decision.KEEP:
        return verdict
    if places:
        return Verdict(
            Decision.KEEP, "model-yes-located", "The model says so, and the value is on the page.", verdict.probability,
            evidence=tuple(places[:4]),
        )  # fmt: skip
    return Verdict(
        Decision.UNCLEAR, "model-without-proof", "The model accepts it, but the value is nowhere on the page.", 0.5
    )


class GuardedOnePair:
    """One-pair as the second stage of a cascade: the paper's question, but a yes counts only where the value is.

    Arguments:
        pair: the paper's protocol.
    """

    def __init__(self, pair: OnePairFactuality) -> None:
        self.pair = pair
        self.locator = Locator(pair.embedded)

    @property
    def usage(self) -> object:
        """What the model has used so far."""
        return self.pair.usage

    def prepare(self, page: Page) -> Reading:
        """Read a page once for any number of markups."""
        return self.pair.prepare(page)

    def judge_known(
        self, graph: Graph, reading: Reading, asked: Sequence[int], known: Sequence[Verdict | None]
    ) -> list[Verdict | None]:
        """See `BatchedFactuality.judge_known`."""
        verdicts = self.pair.judge(graph, reading, asked)
        for index in asked:
            verdict = verdicts[index]
            if verdict is not None:
                verdicts[index] = guarded(verdict, self.locator.located(graph, index, reading, known[index]))
        return verdicts


def _equal(statement: Statement) -> tuple[object, ...]:
    """Equal for statements that a model would be asked the same about."""
    way = tuple((step.types, step.property) for step in statement.chain)
    return (way, statement.types, statement.property, type(statement.value), statement.value)
