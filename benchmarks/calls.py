"""How many questions a judge puts to a model: the paper's protocol and the cascade, over the paper's human markups.

    python benchmarks/calls.py [--shared FOLDER] [--calibration FILE]

A server on loopback replays the recorded verdicts of the paper's judge over HTTP: to a question about one statement
its recorded answer for the chunk that is asked about, to a question about many their verdicts, with a quote where the
page shown holds the value. Calls and prompt tokens are counted by the server.

One-pair is given the recorded statements themselves: (property, value, type), once for each type of a node with
several, as the paper's protocol has it. The cascade is given our own statements of the same markups (after the paper's
validity step), where a node with several types makes one statement. The number of chunks is the recorded one, because
the chunk size that the authors used does not follow from the texts. What batching does to the quality of
a real model cannot be told from recorded answers: `schemaproof bench judges --judge SPEC --mode one-pair|batched`.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from schemaproof.agents.llm_questions import described
from schemaproof.markup import build_graph
from schemaproof.markup.model import Graph, Node, Statement, Step
from schemaproof.models.building import Limits
from schemaproof.models.openai_compatible import OpenAICompatible
from schemaproof.models.session import Patience, Session
from schemaproof.page import read_page
from schemaproof.page.model import Page
from schemaproof.pipeline.model_judges import judges_of
from schemaproof.pipeline.specs import parse_spec
from schemaproof.vocabulary import Vocabulary, load

ROOT = Path(__file__).resolve().parent.parent
DELIMITER = "[TOK_Q_DELIM]"
Question = tuple[str, str, str]


def _loopback() -> Any:
    path = ROOT / "tests" / "models" / "loopback.py"
    spec = importlib.util.spec_from_file_location("loopback", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["loopback"] = module
    spec.loader.exec_module(module)
    return module


@dataclass
class Unit:
    """A human markup with what was recorded of it."""

    name: str
    page: Page
    graph: Graph
    chunks: list[dict[Question, bool]]

    @property
    def questions(self) -> dict[Question, bool]:
        """Each question with whether any chunk was answered yes."""
        found: dict[Question, bool] = {}
        for chunk in self.chunks:
            for key, yes in chunk.items():
                found[key] = found.get(key, False) or yes
        return found

    def key(self, statement: Statement) -> Question:
        """The recorded question about a statement of ours."""
        known = self.questions
        keys = [(statement.property, str(statement.value), each) for each in statement.types or ("None",)]
        return next((key for key in keys if key in known), keys[0])


@dataclass
class Replay:
    """Answers for the unit that is judged now."""

    said: Any
    unit: Unit | None = None
    asked: Counter[Question] = field(default_factory=Counter)
    unknown: int = 0
    by_line: dict[str, Question] = field(default_factory=dict)

    def take(self, unit: Unit, by_line: dict[str, Question]) -> None:
        """Answer for this unit from now on; by_line: a statement in words to its question."""
        self.unit = unit
        self.asked.clear()
        self.by_line = by_line

    def __call__(self, body: dict[str, Any], number: int) -> Any:
        """The answer to a request."""
        assert self.unit is not None
        text = body["messages"][-1]["content"]
        if "response_format" in body:
            return self.said(self._many(text))
        line = next(each for each in text.rsplit("\n", 3) if each.startswith("a ") and " has the " in each)
        key = self.by_line[line]
        chunk = self.asked[key]
        self.asked[key] += 1
        recorded = self.unit.chunks[chunk].get(key) if chunk < len(self.unit.chunks) else None
        if recorded is None:
            self.unknown += 1
        return self.said("Yes" if recorded else "No")

    def _many(self, text: str) -> str:
        assert self.unit is not None
        shown, _, listed = text.rpartition("\n\nStatements:\n")
        folded = shown.casefold()
        known = self.unit.questions
        answers = []
        for found in re.finditer(r"^(\d+)\. (.*) > ([^>=]+) = (\".*\")$", listed, re.MULTILINE):
            value = json.loads(found[4])
            types = found[2].rpartition(" > ")[2].split("+")
            yes = any(known.get((found[3], value, each), False) for each in types)
            place = folded.find(value.casefold())
            quote = shown[place : place + len(value)] if place >= 0 else ""
            answers.append({"n": int(found[1]), "verdict": "supported" if yes else "unsupported", "quote": quote})
        return json.dumps({"answers": answers})


def read_units(folder: Path, vocabulary: Vocabulary) -> list[Unit]:
    """The recorded units."""
    import duckdb

    connection = duckdb.connect()
    pages = {
        row[0]: read_page(row[2], url=row[1])
        for row in connection.execute(
            "SELECT id, url, html FROM read_parquet(?)", [str(folder / "pages.parquet")]
        ).fetchall()
    }
    rows = connection.execute(
        "SELECT unit, id, human_shacl, human_factual_log FROM read_parquet(?) ORDER BY unit",
        [str(folder / "units.parquet")],
    ).fetchall()
    units = []
    for name, page_id, markup, log in rows:
        page = pages[page_id]
        documents = json.loads(markup) if markup else []
        documents = documents if isinstance(documents, list) else [documents]
        graph = build_graph(documents, base=page.base, vocabulary=vocabulary, assume_schema_org=True)
        chunks = []
        for key, entries in json.loads(log or "{}").items():
            if key.startswith("chunk"):
                questions = {}
                for question, answer in entries.items():
                    if DELIMITER in question:
                        prop, value, kind = question.split(DELIMITER)
                        questions[prop, value, kind] = answer == "TOKPOS"
                chunks.append(questions)
        units.append(Unit(name, page, graph, chunks))
    return units


def recorded_graph(unit: Unit) -> Graph:
    """The recorded questions of a unit as statements, each of a node of its own."""
    statements, nodes = [], []
    for number, (name, value, kind) in enumerate(unit.questions):
        types = () if kind == "None" else (kind,)
        step = Step(types, name)
        statements.append(Statement(f"/{number}/{name}", types, name, value, None, number, chain=(step,)))
        nodes.append(Node(number, f"_:b{number}", types, f"/{number}", (number,)))
    return Graph((), tuple(nodes), tuple(statements), roots=tuple(range(len(nodes))))


def recorded_questions(unit: Unit) -> tuple[int, int]:
    """What the paper's protocol asks of a unit by its log: questions, and yeses that are not asked again."""
    asked = carried = 0
    yes: set[Question] = set()
    for chunk in unit.chunks:
        for key, answer in chunk.items():
            if key in yes:
                carried += 1
            else:
                asked += 1
            if answer:
                yes.add(key)
    return asked, carried


def measure(units: list[Unit], vocabulary: Vocabulary, options: str, *, cascade: bool) -> dict[str, Any]:
    """Calls and prompt tokens of a judge over all units, as the server counts them."""
    loopback = _loopback()
    replay = Replay(loopback.Said)
    kept = judged = 0
    rules: Counter[str] = Counter()
    with loopback.Loopback(replay) as server:
        limits = Limits()
        for unit in units:
            graph = unit.graph if cascade else recorded_graph(unit)
            known = unit.questions
            first: dict[Question, int] = {}
            for index, statement in enumerate(graph.statements):
                if statement.value is not None and statement.property != "@type":
                    key = unit.key(statement)
                    if key in known:
                        first.setdefault(key, index)
            indices = list(first.values())
            replay.take(unit, {described(graph.statements[index]): key for key, index in first.items()})
            # No memory: units of one page would share answers, which the paper's protocol did not.
            provider = OpenAICompatible("gpt-4-replay", server.url, name="replay")
            session = Session(provider, None, at_once=limits.at_once, patience=Patience(3, 0.1))
            chunked = f"chunks={max(len(unit.chunks), 1)}" if not cascade else ""
            spec = parse_spec(f"{server.url}#gpt-4-replay?" + "&".join(each for each in (options, chunked) if each))
            factuality, _ = judges_of(vocabulary, session, spec, cascade=cascade)
            verdicts = factuality.judge(graph, factuality.prepare(unit.page), indices)
            judged += len(indices)
            rules.update(str(verdict.rule) for index in indices if (verdict := verdicts[index]) is not None)
            kept += sum((verdict := verdicts[index]) is not None and verdict.decision == "keep" for index in indices)
        return {
            "statements": judged,
            "kept": kept,
            "calls": sum(server.log.answered.values()),
            "prompt_tokens": server.log.prompt_tokens,
            "not_recorded": replay.unknown,
            "model_rules": {name: count for name, count in rules.most_common() if name.startswith("model-")},
            "embedded_decided": sum(count for name, count in rules.items() if not name.startswith("model-")),
        }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--calibration", help="calibration file of the cascade; the packaged one by default")
    arguments = parser.parse_args()
    folder = arguments.shared / "paper"
    if not (folder / "units.parquet").is_file():
        sys.exit(f"{folder} is not there: give the folder of recorded data with --shared")
    vocabulary = load()
    units = read_units(folder, vocabulary)
    logged = [recorded_questions(unit) for unit in units]
    asked, carried = (sum(each[at] for each in logged) for at in (0, 1))
    print(f"{len(units)} units; by the recorded logs {asked} questions, {carried} yeses carried")
    ours = sum(
        len({unit.key(s) for s in unit.graph.statements if s.value is not None} & set(unit.questions)) for unit in units
    )
    distinct = sum(len(unit.questions) for unit in units)
    print(f"{distinct} distinct recorded statements, {ours} of them are statements of ours")
    pair = measure(units, vocabulary, "mode=one-pair", cascade=False)
    print("one-pair", pair)
    option = f"mode=batched&calibration={arguments.calibration}" if arguments.calibration else "mode=batched"
    many = measure(units, vocabulary, option, cascade=True)
    print("cascade, batched", many)
    for name in ("calls", "prompt_tokens"):
        print(f"{name}: {100 * many[name] / pair[name]:.1f}% of one-pair")


if __name__ == "__main__":
    main()
