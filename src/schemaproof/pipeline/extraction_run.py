"""Let a model (or the floor) fill the schemas of a data set, row by row into a run file that can be gone on with."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Protocol

from schemaproof.errors import InputError
from schemaproof.extraction import prompting
from schemaproof.extraction.rows import COMPLEXITY, Row, RowError, row_of
from schemaproof.models.protocol import GENERATION, Ask, ChatModel, Message
from schemaproof.pipeline.extraction_data import dataset_items
from schemaproof.pipeline.extraction_store import ExtractionStore, StoredRow

AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Question:
    """One row to be answered.

    Attributes:
        prompt: what a model is asked.
        content: the page.
        schema: the JSON Schema, parsed.
        max_tokens: most tokens of the answer.
        temperature: of sampling.
        constrained: have the provider keep the answer to the schema.
    """

    prompt: str
    content: str
    schema: Any
    max_tokens: int
    temperature: float
    constrained: bool


@dataclass(frozen=True, slots=True)
class Written:
    """What came back: the text, or why the provider would not answer this row (a schema that it does not take)."""

    text: str | None
    refusal: str = ""


class Writer(Protocol):
    """What answers questions.

    `answer` raises ModelError where the provider is down: the run stops there and can be gone on with.
    """

    name: str
    at_once: int

    def answer(self, question: Question) -> Written:
        """Answer one question."""


class Floor:
    """`embedded`: no model; see `extraction.floor`."""

    name = "embedded"
    at_once = 1

    def answer(self, question: Question) -> Written:
        """Fill the schema by looking its members up in the page."""
        from schemaproof.extraction.floor import extract_under_schema

        return Written(json.dumps(extract_under_schema(question.content, question.schema), ensure_ascii=False))


class Chat:
    """A chat model. A question that it refuses (a prompt too long for it, a content filter) is a refused row.

    Arguments:
        model: anything that keeps to `models.protocol.ChatModel`.
    """

    def __init__(self, model: ChatModel) -> None:
        self.name = model.name
        self.at_once = int(getattr(model, "at_once", AT_ONCE))
        self._model = model

    def answer(self, question: Question) -> Written:
        """Ask for one row. Raises ModelError where the provider is down."""
        ask = Ask(
            messages=(Message("user", question.prompt),),
            purpose=GENERATION,
            temperature=question.temperature,
            max_tokens=question.max_tokens,
            schema=_schema_text(question.schema) if question.constrained else "",
        )
        try:
            return Written(self._model.ask(ask).text)
        except InputError as problem:
            return Written(None, problem.message)


def _schema_text(schema: Any) -> str:
    """A JSON Schema as canonical text; "" for what is none, which no provider could keep an answer to."""
    return (
        json.dumps(schema, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        if isinstance(schema, dict)
        else ""
    )


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How a data set is run.

    Attributes:
        split: of the data set.
        template: of the prompt, with the marks {schema} and {content}.
        tokenizer: name, see `prompting.token_counter`.
        max_prompt_tokens: rows with a longer prompt are left out; 0 for none.
        max_answer_tokens, temperature: of the model.
        constrained: have the provider keep answers to the schema.
        limit: only the first rows; 0 for all.
        at_once: questions under way; 0 for the writer's own number.
    """

    split: str = "test"
    template: str = prompting.PROMPT
    tokenizer: str = ""
    max_prompt_tokens: int = prompting.MAX_PROMPT_TOKENS
    max_answer_tokens: int = prompting.MAX_ANSWER_TOKENS
    temperature: float = prompting.TEMPERATURE
    constrained: bool = False
    limit: int = 0
    at_once: int = 0


@dataclass(slots=True)
class RunReport:
    """What a run did.

    Attributes:
        rows: rows of the data set that were looked at.
        left_out: those whose prompt is too long, by the tokenizer.
        repeated: those that repeat an earlier row's id, page and schema (answers of several models on one page).
        unusable: those that lack a column, with (row number, why) of the first ones in `problems`.
        reused: answers that were in the run file.
        asked: questions asked now.
        refused: of these, those the provider would not answer.
        numbers: of the rows that belong to the run and are not left out.
        tokenizer, signature: what the run's answers depend on.
    """

    tokenizer: str
    signature: str
    rows: int = 0
    left_out: int = 0
    repeated: int = 0
    unusable: int = 0
    reused: int = 0
    asked: int = 0
    refused: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)
    numbers: set[int] = field(default_factory=set)


def _digest(prompt: str) -> str:
    return hashlib.sha256(prompt.encode("utf-8", "replace")).hexdigest()[:16]


def answer_signature(dataset: str, writer: Writer, settings: RunSettings) -> str:
    """One line for all that decides an answer; what only decides which rows are asked is not in it."""
    from schemaproof.scoring.signature import signature

    return signature(
        {
            "task": "extraction-run",
            "dataset": dataset,
            "split": settings.split,
            "by": writer.name,
            "prompt": hashlib.sha256(settings.template.encode()).hexdigest()[:12],
            "max_answer_tokens": settings.max_answer_tokens,
            "temperature": settings.temperature,
            "constrained": settings.constrained,
        }
    )


def run_extraction(
    dataset: str,
    writer: Writer,
    store: ExtractionStore,
    settings: RunSettings,
    told: Callable[[RunReport], None] = lambda _: None,
) -> RunReport:
    """Ask for every row of a data set that the run file has no answer for.

    Arguments:
        dataset: see `extraction_data.dataset_items`; its column response holds gold, as in the public data sets,
            unless it has a column gold.
        writer: who answers.
        store: the run file.
        settings: see there.
        told: called after every row.

    Raises:
        ModelError: the provider is down; what was answered is in the run file.
        SourceError, InputError: for a data set that cannot be read.
    """
    tokenizer = settings.tokenizer or prompting.default_tokenizer()
    report = RunReport(tokenizer, answer_signature(dataset, writer, settings))
    done = store.done(report.signature)
    count = settings.at_once or writer.at_once
    questions = _questions(dataset, store, settings, report, done, told)

    def answer(number: int, question: Question) -> tuple[int, str, Written, float]:
        start = time.monotonic()
        written = writer.answer(question)
        return number, _digest(question.prompt), written, time.monotonic() - start

    def keep(number: int, question: str, written: Written, seconds: float) -> None:
        store.add_answer(report.signature, number, question, writer.name, written.text, written.refusal, seconds)
        report.asked += 1
        report.refused += written.text is None
        told(report)

    if count == 1:
        for number, question in questions:
            keep(*answer(number, question))
        return report
    failure: Exception | None = None
    with ThreadPoolExecutor(count, thread_name_prefix="row") as executor:
        waiting: set[Future[tuple[int, str, Written, float]]] = set()
        while True:
            while failure is None and len(waiting) < count and (item := next(questions, None)) is not None:
                waiting.add(executor.submit(answer, *item))
            if not waiting:
                break
            finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                try:
                    keep(*future.result())
                except Exception as problem:  # rows under way are finished and saved before it is told
                    failure = failure or problem
    if failure is not None:
        raise failure
    return report


def _questions(
    dataset: str,
    store: ExtractionStore,
    settings: RunSettings,
    report: RunReport,
    done: Mapping[int, str],
    told: Callable[[RunReport], None],
) -> Iterator[tuple[int, Question]]:
    """The rows still to be asked; every row goes into the run file first."""
    tokens = prompting.token_counter(report.tokenizer)
    seen: set[bytes] = set()
    for number, data in dataset_items(dataset, settings.split):
        if settings.limit and report.rows >= settings.limit:
            return
        try:
            row = _row(data, number)
        except RowError as problem:
            report.rows += 1
            report.unusable += 1
            if len(report.problems) < 20:
                report.problems.append((number, problem.message))
            continue
        name = hashlib.sha256(f"{row.id!r}\0{row.content}\0{row.schema_text}".encode("utf-8", "replace")).digest()[:16]
        if name in seen:
            report.repeated += 1
            continue
        seen.add(name)
        report.rows += 1
        prompt = prompting.fill(settings.template, row.schema_text, row.content)
        length = tokens(prompt)
        too_long = bool(settings.max_prompt_tokens) and length > settings.max_prompt_tokens
        left_out = f"prompt of {length} tokens by {report.tokenizer}" if too_long else ""
        complexity = dict(row.complexity)
        store.add_row(
            StoredRow(
                number, row.id, row.page, row.gold_text, row.schema_text, row.content, complexity, length, left_out
            )
        )
        if too_long:
            report.left_out += 1
            told(report)
            continue
        report.numbers.add(number)
        if done.get(number) == _digest(prompt):
            report.reused += 1
        else:
            yield (
                number,
                Question(
                    prompt,
                    row.content,
                    row.schema,
                    settings.max_answer_tokens,
                    settings.temperature,
                    settings.constrained,
                ),
            )
        told(report)


def _row(data: bytes | dict[str, Any], number: int) -> Row:
    """A row of a data set: gold stands in the column gold, or in response."""
    if isinstance(data, bytes):
        try:
            data = json.loads(data)
        except (ValueError, RecursionError) as problem:
            raise RowError(f"the line is not JSON: {problem}", row_id=number, line=number) from None
    if not isinstance(data, dict):
        raise RowError("the line is no JSON object", row_id=number, line=number)
    gold = next((name for name in ("gold", "ground_truth", "response") if name in data), None)
    if gold is None or "schema" not in data or not isinstance(data.get("content"), str):
        have = ", ".join(map(str, list(data)[:12])) or "none"
        raise RowError(f"a row needs content, schema, and gold or response; it has {have}", row_id=number, line=number)
    kept = {name: data[name] for name in ("id", "content", "schema", "url", "page", *COMPLEXITY) if name in data}
    return row_of({**kept, "gold": data[gold], "response": ""}, number)


def build_writer(spec: str) -> Writer:
    """What a SPEC of the command line means for an extraction.

    Raises: SpecError for a SPEC that is none, or that cannot answer questions.
    """
    from schemaproof.errors import SpecError
    from schemaproof.pipeline.specs import parse_spec

    parsed = parse_spec(spec)
    if parsed.kind == "embedded":
        return Floor()
    if parsed.kind in ("files", "cascade"):
        raise SpecError(f"{spec!r} cannot answer questions; give a model or embedded")
    from schemaproof.models.building import build_model

    return Chat(build_model(parsed))
