"""The embedded judges on real pages and human markups: what they let through that they must not, and what they cost.

    python benchmarks/judges.py [--shared FOLDER] [--seed 1] [--json] [--list a|b|c]

Needs the recorded pages beside the checkout (pages.parquet, units.parquet). Three tests, seeded:

(a) foreign   a statement of another page's markup, its value not on this page in any spelling it is written in:
              at most 4% may be accepted by the factuality judge, of numbers, dates and durations at most 8%.
(b) exchanged two statements of one entity, their values exchanged: at most 25% may pass both judges.
(c) verbatim  text values that stand word for word in the visible text, under their own property: at least 95% must
              be accepted by the factuality judge.

Beside them the share that each judge accepts, the same statements' recorded answers of the paper's model where there
are any (agreement), CPU per page of preparation and per statement, and both as multiples of the bare parse. Exit
status 1 where a floor is missed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from schemaproof.agents.compliance import EmbeddedCompliance
from schemaproof.agents.factuality import EmbeddedFactuality, Prepared
from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.grounding.shapes import Shape, shape_of
from schemaproof.agents.verdict import Decision, Verdict
from schemaproof.markup import build_graph
from schemaproof.markup.model import Graph, Node, Statement
from schemaproof.page import read_page
from schemaproof.page.model import Page
from schemaproof.vocabulary import Vocabulary, load

MEASURED = frozenset((Shape.NUMBER, Shape.DATE, Shape.DURATION, Shape.TIME))
FLOORS = {"foreign": 0.04, "foreign measures": 0.08, "exchanged": 0.25, "verbatim": 0.95}
PER_PAGE = 40  # foreign statements a page
PER_NODE = 3  # exchanged pairs an entity


@dataclass(slots=True)
class Corpus:
    """Pages, their human markups and the recorded answers of the paper's factuality agent.

    Attributes:
        pages: by id.
        markups: (page id, graph), one a unit.
        answers: page id → (property, value, type) → whether any chunk's answer was yes.
    """

    pages: dict[str, Page]
    markups: list[tuple[str, Graph]]
    answers: dict[str, dict[tuple[str, str, str], bool]]


def read_corpus(shared: Path, vocabulary: Vocabulary) -> Corpus:
    """The recorded pages and human markups; permutations of a unit's types are left out."""
    import duckdb

    with duckdb.connect() as connection:
        pages = connection.execute(
            "select id, url, html from read_parquet(?) order by id", [str(shared / "paper" / "pages.parquet")]
        ).fetchall()
        units = connection.execute(
            "select id, coalesce(human_input_original, human_input), human_factual_log from read_parquet(?) "
            "where canonical order by id, unit",
            [str(shared / "paper" / "units.parquet")],
        ).fetchall()
    addresses = {page: url for page, url, _ in pages}
    markups: list[tuple[str, Graph]] = []
    answers: dict[str, dict[tuple[str, str, str], bool]] = defaultdict(dict)
    for page, text, log in units:
        if text:
            document = json.loads(text)
            documents = document if isinstance(document, list) else [document]
            markups.append((page, build_graph(documents, base=addresses.get(page) or "", vocabulary=vocabulary)))
        for chunk in json.loads(log or "{}").values():
            for asked, answer in chunk.items() if isinstance(chunk, dict) else ():
                parts = asked.split("[TOK_Q_DELIM]")
                if len(parts) == 3:
                    key = (parts[0], parts[1], parts[2])
                    answers[page][key] = answers[page].get(key, False) or answer == "TOKPOS"
    return Corpus({page: read_page(html, url=url) for page, url, html in pages}, markups, dict(answers))


def literals(graph: Graph) -> list[int]:
    """Indices of the statements with a literal that says something."""
    return [
        index
        for index, statement in enumerate(graph.statements)
        if statement.value is not None and statement.property != "@type" and str(statement.value).strip()
    ]


def alone(statement: Statement) -> Graph:
    """A markup of this statement only; the chain that leads to it stays known."""
    own = replace(statement, subject=0, object=None)
    return Graph((), (Node(0, "_:b0", statement.types, "", (0,)),), (own,), roots=(0,))


@dataclass(slots=True)
class Tally:
    """How many statements of a test each judge accepts.

    Attributes:
        asked: number of statements.
        factual, compliant, both: accepted by the judges, and by both.
        model, agreeing: statements with a recorded answer, and how many answers are the factuality judge's.
        accepted: descriptions of those that both accept, or in test (c) of those that factuality does not.
    """

    asked: int = 0
    factual: int = 0
    compliant: int = 0
    both: int = 0
    model: int = 0
    agreeing: int = 0
    accepted: list[str] = field(default_factory=list)

    def share(self, name: str) -> float:
        """Share of the statements that `name` ("factual", "compliant", "both") accepts."""
        return float(getattr(self, name) / self.asked) if self.asked else 0.0


class Bench:
    """The three tests.

    Arguments:
        corpus: what they are made of.
        seed: of the draws.
    """

    def __init__(self, corpus: Corpus, vocabulary: Vocabulary, seed: int = 1) -> None:
        self.corpus = corpus
        self.vocabulary = vocabulary
        self.factuality = EmbeddedFactuality(vocabulary)
        self.compliance = EmbeddedCompliance(vocabulary)
        self.random = random.Random(seed)
        self._prepared: dict[str, Prepared] = {}

    def prepared(self, page: str) -> Prepared:
        """The page made ready, once."""
        if page not in self._prepared:
            self._prepared[page] = self.factuality.prepare(self.corpus.pages[page])
        return self._prepared[page]

    def ask(
        self, tally: Tally, page: str, statement: Statement, *, wanted: bool = False, graph: Graph | None = None
    ) -> None:
        """Judge one statement on a page and count what comes of it."""
        index = 0 if graph is None else next(i for i, each in enumerate(graph.statements) if each is statement)
        markup = alone(statement) if graph is None else graph
        found = self.factuality.judge(markup, self.prepared(page), [index])[index]
        other = self.compliance.judge(markup, [index], self.corpus.pages[page].language)[0][index]
        factual, compliant = _kept(found), other is None or _kept(other)
        tally.asked += 1
        tally.factual += factual
        tally.compliant += compliant
        tally.both += factual and compliant
        if (not factual) if wanted else (factual and compliant):
            why = f"{found.rule}: {found.reason}" if found else ""
            tally.accepted.append(f"{page[:6]} {statement.property} {str(statement.value)[:70]!r} {why}")
        for name in statement.types:
            recorded = self.corpus.answers.get(page, {}).get((statement.property, str(statement.value), name))
            if recorded is not None:
                tally.model += 1
                tally.agreeing += recorded == factual
                break

    def foreign(self) -> tuple[Tally, Tally]:
        """Test (a): texts, codes and addresses; and numbers, dates, times and durations."""
        texts, measures = Tally(), Tally()
        every = [(page, graph.statements[index]) for page, graph in self.corpus.markups for index in literals(graph)]
        own: dict[str, set[str]] = defaultdict(set)
        for page, statement in every:
            own[page].add(fold(str(statement.value)).text)
        for page in sorted(own):
            prepared = self.prepared(page)
            if prepared.empty:
                continue
            source = fold(self.corpus.pages[page].html).text
            others = [statement for other, statement in every if other != page]
            for statement in self.random.sample(others, min(PER_PAGE, len(others))):
                written = fold(str(statement.value)).text.strip()
                if written in prepared.text or written in source or written in own[page]:
                    continue
                shape = shape_of(self.vocabulary, statement.property, statement.value or "")
                self.ask(measures if shape in MEASURED else texts, page, statement)
        return texts, measures

    def exchanged(self) -> Tally:
        """Test (b)."""
        tally = Tally()
        for page, graph in self.corpus.markups:
            if self.prepared(page).empty:
                continue
            for pair in self._pairs(graph):
                for statement, other in (pair, pair[::-1]):
                    self.ask(tally, page, replace(statement, value=other.value))
        return tally

    def _pairs(self, graph: Graph) -> Iterator[tuple[Statement, Statement]]:
        """Statements of one entity with other properties of another range or definition, and other values."""
        for node in graph.nodes:
            listed = [graph.statements[index] for index in node.statements if graph.statements[index].value is not None]
            listed = [each for each in listed if each.property != "@type" and str(each.value).strip()]
            held: dict[str, set[str]] = defaultdict(set)
            for each in listed:
                held[each.property].add(str(each.value))
            pairs = [
                (one, other)
                for number, one in enumerate(listed)
                for other in listed[number + 1 :]
                if one.property != other.property
                and str(other.value) not in held[one.property]
                and str(one.value) not in held[other.property]
            ]
            self.random.shuffle(pairs)
            yield from pairs[:PER_NODE]

    def verbatim(self) -> Tally:
        """Test (c)."""
        tally = Tally()
        for page, graph in self.corpus.markups:
            text = " ".join(self.corpus.pages[page].text.split())
            for index in literals(graph):
                statement = graph.statements[index]
                value = statement.value
                if not isinstance(value, str) or len(value) < 3 or " ".join(value.split()) not in text:
                    continue
                if shape_of(self.vocabulary, statement.property, value) is Shape.TEXT:
                    self.ask(tally, page, statement, wanted=True, graph=graph)
        return tally

    def cost(self) -> dict[str, float]:
        """CPU milliseconds per page and statement, the second round of two, and multiples of the bare parse."""
        from selectolax.lexbor import LexborHTMLParser

        sums = {"preparation": 0.0, "factuality": 0.0, "compliance": 0.0, "parse": 0.0}
        count = 0
        for timed in (False, True):
            for page, graph in self.corpus.markups:
                read = self.corpus.pages[page]
                moments = [time.process_time()]
                LexborHTMLParser(read.html)
                moments.append(time.process_time())
                prepared = self.factuality.prepare(read)
                moments.append(time.process_time())
                verdicts = self.factuality.judge(graph, prepared)
                moments.append(time.process_time())
                self.compliance.judge(graph, None, read.language)
                moments.append(time.process_time())
                if timed:
                    for name, start in zip(("parse", "preparation", "factuality", "compliance"), range(4), strict=True):
                        sums[name] += moments[start + 1] - moments[start]
                    count += sum(verdict is not None for verdict in verdicts)
        pages = len(self.corpus.markups)
        per_page = sums["preparation"] + sums["factuality"] + sums["compliance"]
        return {
            "parse_ms_page": sums["parse"] / pages * 1e3,
            "preparation_ms_page": sums["preparation"] / pages * 1e3,
            "factuality_ms_statement": sums["factuality"] / count * 1e3,
            "compliance_ms_statement": sums["compliance"] / count * 1e3,
            "times_parse": per_page / sums["parse"],
        }


def _kept(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.decision is Decision.KEEP


def measure(bench: Bench) -> tuple[dict[str, Tally], dict[str, float], list[str]]:
    """All tests: tallies by name, the cost, and the floors that are missed."""
    texts, measures = bench.foreign()
    tallies = {
        "foreign": texts,
        "foreign measures": measures,
        "exchanged": bench.exchanged(),
        "verbatim": bench.verbatim(),
    }
    cost = bench.cost()
    missed = [name for name in ("foreign", "foreign measures") if tallies[name].share("factual") > FLOORS[name]]
    if tallies["exchanged"].share("both") > FLOORS["exchanged"]:
        missed.append("exchanged")
    if tallies["verbatim"].share("factual") < FLOORS["verbatim"]:
        missed.append("verbatim")
    missed += [
        name for name, limit in (("preparation_ms_page", 10.0), ("factuality_ms_statement", 0.5)) if cost[name] > limit
    ]
    return tallies, cost, missed


def main() -> int:
    """Run the tests and print their table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[2] / "shared")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--list", choices=("a", "b", "c"), help="list what a test lets through (c: what it refuses)")
    options = parser.parse_args()
    vocabulary = load()
    bench = Bench(read_corpus(options.shared, vocabulary), vocabulary, options.seed)
    tallies, cost, missed = measure(bench)
    if options.json:
        rows: dict[str, Any] = {
            name: {
                "n": tally.asked,
                "factuality": tally.share("factual"),
                "compliance": tally.share("compliant"),
                "both": tally.share("both"),
                "recorded": tally.model,
                "agreement": tally.agreeing / tally.model if tally.model else None,
            }
            for name, tally in tallies.items()
        }
        print(json.dumps({"schema_version": 1, "seed": options.seed, "tests": rows, "cost": cost, "missed": missed}))
        return 1 if missed else 0
    print(f"{'accepted by':18} {'n':>5} {'factuality':>10} {'compliance':>10} {'both':>7}   recorded model agrees")
    for name, tally in tallies.items():
        shares = " ".join(
            f"{tally.share(each):>{width}.1%}" for each, width in (("factual", 10), ("compliant", 10), ("both", 7))
        )
        agreement = f"{tally.agreeing}/{tally.model}" if tally.model else "-"
        print(f"{name:18} {tally.asked:>5} {shares}   {agreement}")
    print("  ".join(f"{name} {value:.2f}" for name, value in cost.items()))
    wanted = {"a": ("foreign", "foreign measures"), "b": ("exchanged",), "c": ("verbatim",), None: ()}[options.list]
    for name in wanted:
        print("".join(f"    {each}\n" for each in tallies[name].accepted), end="")
    print("missed: " + ", ".join(missed) if missed else "all floors reached")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
