"""What a run or a check would ask of its models: bounds of calls, tokens and cost, without asking.

The pipeline itself is run twice a page with a stand-in for the model: one that answers so that as little as possible
is asked next, one so that as much as possible. What is remembered is answered from the memory in both. Where no answer
decides what is asked next, the bounds meet.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from schemaproof.agents.verdict import Decision, Verdict
from schemaproof.markup.model import Graph
from schemaproof.models.prices import Price, price_of
from schemaproof.models.protocol import GENERATION, TYPES, Ask, Reply
from schemaproof.models.session import Session
from schemaproof.models.tokens import prompt_tokens
from schemaproof.page.model import Page
from schemaproof.pipeline.curation import below
from schemaproof.pipeline.judges import build_judges
from schemaproof.pipeline.plan import Plan
from schemaproof.pipeline.specs import Spec, parse_spec
from schemaproof.sources.model import PageSource

# Most tokens of a question's own words, definitions and siblings included.
_WORDS = 800


@dataclass
class Tally:
    """What was counted in one direction."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    remembered: int = 0

    def add(self, other: Tally) -> None:
        """Count the other as well."""
        self.calls += other.calls
        self.prompt_tokens += other.prompt_tokens
        self.completion_tokens += other.completion_tokens
        self.remembered += other.remembered


@dataclass
class Forecast:
    """Bounds over all pages.

    Attributes:
        pages: how many were looked at.
        failed: how many could not be opened.
        low, high: counts.
        models: names of the models.
        tokenizer: how tokens were counted.
        prices: of the models that have one.
    """

    pages: int = 0
    failed: int = 0
    low: Tally = field(default_factory=Tally)
    high: Tally = field(default_factory=Tally)
    models: tuple[str, ...] = ()
    tokenizer: str = ""
    prices: dict[str, Price] = field(default_factory=dict)

    def cost(self) -> tuple[float, float] | None:
        """Dollars, lower and upper; None where the price of a model is not known."""
        if not self.models or any(name not in self.prices for name in self.models):
            return None
        cheap = min(self.prices.values(), key=lambda each: (each.input, each.output))
        dear = Price(
            max(each.input for each in self.prices.values()), max(each.output for each in self.prices.values())
        )
        return (
            cheap.of(self.low.prompt_tokens, self.low.completion_tokens),
            dear.of(self.high.prompt_tokens, self.high.completion_tokens),
        )

    def as_dict(self) -> dict[str, Any]:
        """For `--dry-run --json`."""
        cost = self.cost()
        asked = self.high.calls + self.high.remembered
        return {
            "schema_version": 1,
            "dry_run": True,
            "pages": self.pages,
            "failed": self.failed,
            "models": list(self.models),
            "tokenizer": self.tokenizer,
            "calls": [self.low.calls, self.high.calls],
            "prompt_tokens": [self.low.prompt_tokens, self.high.prompt_tokens],
            "completion_tokens": [self.low.completion_tokens, self.high.completion_tokens],
            "remembered": [self.low.remembered, self.high.remembered],
            "remembered_share": self.high.remembered / asked if asked else 0.0,
            "cost": None if cost is None else list(cost),
        }


class StandIn:
    """Stands in for a model; see the module.

    Arguments:
        real: the model; only its memory is asked.
        most: whether as much as possible is asked next.
        seen: keys of questions counted so far, which are remembered when they come again.
    """

    def __init__(self, real: Session, *, most: bool, seen: set[str] | None = None) -> None:
        self.name = real.name
        self.context_tokens = real.context_tokens
        self.most = most
        self.tally = Tally()
        self._real = real
        self._seen: set[str] = set() if seen is None else seen

    def count(self, text: str) -> int:
        """As the model counts."""
        return self._real.count(text)

    def ask(self, ask: Ask) -> Reply:
        """The remembered answer, else the one that leads to least or most."""
        return self.ask_all([ask])[0]

    def ask_all(self, asks: Sequence[Ask]) -> list[Reply]:
        """See `ask`. Of two orders of one question, what is remembered of one is answered to the other."""
        known = [self._real.remembers(ask) for ask in asks]
        agreed = {ask.subjects: reply for ask, reply in zip(asks, known, strict=True) if reply and not ask.yes_no}
        replies = []
        for ask, reply in zip(asks, known, strict=True):
            key = ask.key(self.name)
            if reply is not None or key in self._seen:
                self.tally.remembered += key not in self._seen
                self._seen.add(key)
                replies.append(reply or self._reply(ask, agreed))
                continue
            self._seen.add(key)
            tokens = prompt_tokens(ask, self.count)
            if any(each.role == "assistant" for each in ask.messages):
                # A repair repeats an answer that is not known yet.
                tokens += ask.max_tokens
                if not self.most:
                    tokens = 0
            self.tally.calls += 1
            self.tally.prompt_tokens += tokens
            self.tally.completion_tokens += ask.max_tokens if self.most else 1
            replies.append(self._reply(ask, agreed))
        return replies

    def _reply(self, ask: Ask, agreed: dict[Any, Reply]) -> Reply:
        if ask.purpose == GENERATION:
            return Reply(
                "" if self.most else '{"@context": "https://schema.org"}', finish="stop" if self.most else "length"
            )
        if ask.purpose == TYPES:
            return Reply('{"types": []}')
        if ask.yes_no:
            return Reply("no" if self.most else "yes")
        if self.most:
            return Reply("{}")
        if ask.subjects in agreed:
            return agreed[ask.subjects]
        verdict = "does not fit" if ask.subjects and ask.subjects[0].agent == "compliance" else "unsupported"
        return Reply(json.dumps({"answers": [{"n": n + 1, "verdict": verdict} for n in range(len(ask.subjects))]}))


def forecast(sources: Iterable[PageSource], plan: Plan) -> Forecast:
    """Bounds for a run (or, with no contenders in the plan, for a check).

    Arguments:
        sources: the pages.
        plan: what would be done with each; its contenders and judge.

    Raises: SpecError, MissingExtraError, InputError for SPECs that cannot be used.
    """
    return _Forecaster(plan).over(sources)


def forecast_writing(page: Page, spec: Spec, types: Sequence[str], vocabulary: str | None = None) -> Forecast:
    """Bounds for one markup written by a model.

    Arguments:
        page: the page.
        spec: the model with its options.
        types: root types.
        vocabulary: file of another vocabulary, or None.
    """
    found = _Forecaster(Plan((("m", spec.text),), agents=("validity",), vocabulary=vocabulary))
    found.result.pages = 1
    for contender, session in found.asking.values():
        found._generated(contender, session, page, types)
    return found.finish()


class _Forecaster:
    def __init__(self, plan: Plan) -> None:
        from schemaproof.models import build_model
        from schemaproof.pipeline.contenders import build_contender
        from schemaproof.pipeline.plan import EMBEDDED_KINDS
        from schemaproof.vocabulary import load

        self.plan = plan
        self.vocabulary = load(plan.vocabulary)
        self.result = Forecast()
        self.seen: dict[tuple[str, bool], set[str]] = {}
        self.sessions: dict[str, Session] = {}

        def session(spec: Spec) -> Session:
            found = build_model(spec)
            self.sessions[found.name] = found
            return found

        judge = parse_spec(plan.judge)
        self.judge_spec = None if judge.kind in EMBEDDED_KINDS else judge
        self.judge_model = None
        if self.judge_spec is not None:
            inner = parse_spec(judge.target) if judge.kind == "cascade" else judge
            self.inner = inner
            self.judge_model = session(inner)
        self.embedded = build_judges(self.vocabulary, plan.agents, plan.policy)
        self.known: dict[str, Any] = {}
        self.asking: dict[str, tuple[Any, Session]] = {}
        for name, spec in plan.specs:
            contender = build_contender(spec, plan, self.vocabulary)
            if spec.kind in EMBEDDED_KINDS:
                self.known[name] = contender
            else:
                self.asking[name] = (contender, session(spec))

    def over(self, sources: Iterable[PageSource]) -> Forecast:
        for source in sources:
            self.result.pages += 1
            if source.data is None:
                self.result.failed += 1
                continue
            try:
                self._page(source)
            except (ValueError, LookupError, OSError):
                self.result.failed += 1
        return self.finish()

    def finish(self) -> Forecast:
        """The result with the models, their tokenizers and prices."""
        self.result.models = tuple(sorted(self.sessions))
        self.result.tokenizer = ", ".join(sorted({each.tokenizer for each in self.sessions.values()}))
        for name in self.result.models:
            price = price_of(name)
            if price is not None:
                self.result.prices[name] = price
        return self.result

    def _page(self, source: PageSource) -> None:
        from schemaproof.errors import SchemaproofError
        from schemaproof.markup import build_graph, page_graph
        from schemaproof.page import read_document
        from schemaproof.pipeline.units import units

        assert source.data is not None
        page = read_document(source.data, url=source.url, name=source.name, content_type=source.content_type)
        human = page_graph(page, self.vocabulary)
        groups = units(human, self.plan.types)
        if self.plan.contenders and not groups:
            self._discovered(page)
            return
        self._judged(human, page)
        if not self.plan.contenders:
            return
        for unit in groups:
            for contender in self.known.values():
                try:
                    written = contender.write(page, source.id, unit.types)
                except SchemaproofError:
                    continue
                graph = build_graph(
                    written.documents, base=page.base, vocabulary=self.vocabulary, assume_schema_org=True
                )
                self._judged(graph, page)
            for contender, session in self.asking.values():
                self._generated(contender, session, page, unit.types)

    def _discovered(self, page: Page) -> None:
        """The questions about a page without typed markup, where models are to name its types."""
        naming = [each for each in self.asking.values() if each[0].auto]
        if not naming or not page.text.strip():
            return
        for contender, session in self.asking.values():
            self._generated(contender, session, page, ())
        if self.known and self.judge_model is not None and self.plan.agents != ("validity",):
            # Nor is it known what others write of the types: no more than there is on the page.
            most = self.judge_model.count(page.text) + len(page.links) + len(page.images) + 64
            for _ in self.known:
                self._unwritten(page, most)

    def _stand_in(self, session: Session, *, most: bool) -> StandIn:
        return StandIn(session, most=most, seen=self.seen.setdefault((session.name, most), set()))

    def _generated(self, contender: Any, session: Session, page: Page, types: Sequence[str]) -> None:
        """The questions of a model that writes, and of judging what it may write."""
        from schemaproof.agents.llm_text import chunks

        generator = contender.generator
        real = generator.model
        answers = 0
        try:
            for most in (False, True):
                stand_in = self._stand_in(session, most=most)
                generator.model = stand_in
                written = contender.write(page, "", types if types or not most else ("Thing",))
                if most and contender.auto:
                    # Other types have longer prompts, and so smaller chunks.
                    room = int(0.3 * session.context_tokens)
                    count = 2 * len(chunks(page.text, room, session.count))
                    extra = max(count + 1 - stand_in.tally.calls, 0)
                    stand_in.tally.calls += extra
                    stand_in.tally.prompt_tokens = stand_in.tally.calls * session.context_tokens
                    stand_in.tally.completion_tokens += extra * session.context_tokens // 4
                elif contender.auto and stand_in.tally.calls > 2:
                    stand_in.tally.calls, stand_in.tally.prompt_tokens = 2, 0
                (self.result.high if most else self.result.low).add(stand_in.tally)
                if most:
                    remembered = [s for s in written.documents if len(s) > 1]
                    answers = stand_in.tally.completion_tokens + (4096 if remembered else 0)
        finally:
            generator.model = real
        if self.judge_model is not None and self.plan.agents != ("validity",):
            # What will be written is not known: no more statements than tokens can be.
            self._unwritten(page, answers)

    def _unwritten(self, page: Page, statements: int) -> None:
        from schemaproof.agents.llm_text import chunks

        model = self.judge_model
        assert model is not None
        calls = tokens = 0
        if "factuality" in self.plan.agents:
            size = max(model.context_tokens // 2, 64)
            parts = len(chunks(page.text, size, model.count))
            calls += statements * (1 + parts)
            # A question holds the page (or a part of it), its words, and a value; all values together are no longer
            # than the answers they come from, and each is asked about in two orders and alone.
            shown = min(model.context_tokens, model.count(page.text) * 11 // 10)
            tokens += calls * (shown + _WORDS) + 3 * parts * statements
        if "compliance" in self.plan.agents:
            calls += 2 * statements
            tokens += 2 * statements * 2 * _WORDS + 3 * statements
        self.result.high.add(Tally(calls, tokens, calls * 2048))

    def _judged(self, graph: Graph, page: Page) -> None:
        """The questions about a markup that is known."""
        model = self.judge_model
        if model is None:
            return
        alive = set(range(len(graph.statements)))
        if self.embedded.validity is not None:
            verdicts, _ = self.embedded.validity(graph)
            rejected = [i for i, verdict in enumerate(verdicts) if verdict.decision is Decision.REJECT]
            alive.difference_update(rejected)
            alive.difference_update(below(graph, rejected, alive))
        literals = [index for index in sorted(alive) if graph.statements[index].entity is None]
        surely = possible = literals
        if "factuality" in self.plan.agents:
            runs: list[Sequence[Verdict | None]] = []
            for most in (False, True):
                stand_in = self._stand_in(model, most=most)
                factuality, _ = self._judges(stand_in)
                runs.append(factuality.judge(graph, factuality.prepare(page), literals))
                (self.result.high if most else self.result.low).add(stand_in.tally)
            surely = [index for index in literals if not any(_rejected(run[index]) for run in runs)]
            possible = [
                index
                for index in literals
                if not all(_rejected(run[index]) and not _by_model(run[index]) for run in runs)
            ]
        if "compliance" in self.plan.agents:
            for most, indices in ((False, surely), (True, possible)):
                stand_in = self._stand_in(model, most=most)
                _, compliance = self._judges(stand_in)
                compliance.judge(graph, indices, page.language)
                (self.result.high if most else self.result.low).add(stand_in.tally)

    def _judges(self, model: Any) -> tuple[Any, Any]:
        from schemaproof.pipeline.model_judges import judges_of

        assert self.judge_spec is not None
        return judges_of(self.vocabulary, model, self.inner, cascade=self.judge_spec.kind == "cascade")


def _rejected(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.decision is Decision.REJECT


def _by_model(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.rule.startswith("model-")
