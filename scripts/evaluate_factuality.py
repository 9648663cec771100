"""Measure the embedded factuality judge: ground truth of the paper's agents, and statements of real pages.

    python scripts/evaluate_factuality.py [--shared FOLDER] [--errors] [--half 0|1] [--context chain|markup]

Prints, per set and half (texts or pages split by a hash), precision, recall, F1 and balanced accuracy with 95%
bootstrap intervals by text or page. Half 0 was looked at while the judge was built, half 1 was not. A row of
the ground truth is judged alone: one node of its type with one statement. A statement of a real page is judged
with the chain of nodes that leads to it, or (`--context markup`) within the whole markup that it was drawn
from. "swapped" is the same judge with every text exchanged for another's: what it knows without reading. For
the real pages the number of supported statements kept with evidence that overlaps the reader's, or stands
beside it, is printed too. With --errors the mistakes of half 0 are listed (never those of half 1).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemaproof.agents.factuality import EmbeddedFactuality, Prepared
from schemaproof.agents.grounding.alignment import align
from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.grounding.locales import level
from schemaproof.agents.verdict import Decision, Verdict
from schemaproof.markup import build_graph
from schemaproof.markup.model import Graph, Node, Statement, Step
from schemaproof.page import page_from_text, read_page
from schemaproof.page.model import Page
from schemaproof.scoring.bootstrap import interval_of_sums
from schemaproof.vocabulary import Vocabulary, load


@dataclass(frozen=True, slots=True)
class Row:
    """One decision.

    Attributes:
        group: text or page id; the unit of splitting and resampling.
        graph, index: the markup and the statement to judge.
        label: whether the page says so.
        evidence: what a reader gave as evidence, or "".
        note: for the list of mistakes.
    """

    group: str
    graph: Graph
    index: int
    label: bool
    evidence: str = ""
    note: str = ""


def half(group: str) -> int:
    """0 (looked at) or 1 (kept apart), by a hash of the text or page id."""
    return int(hashlib.md5(group.encode()).hexdigest(), 16) % 2


def alone(types: tuple[str, ...], name: str, value: Any) -> Graph:
    """A markup of one node with one statement."""
    statement = Statement(f"/{name}", types, name, value, None, 0, chain=(Step(types, name),))
    return Graph((), (Node(0, "_:b0", types, "", (0,)),), (statement,), roots=(0,))


def chain_graph(path: str, value: Any) -> tuple[Graph, int]:
    """The chain of nodes of a path "Article > publisher > Organization > name", and the index of its last statement."""
    parts = path.split(" > ")
    steps = [
        Step(() if parts[at] == "{}" else tuple(each.strip() for each in parts[at].split(",")), parts[at + 1])
        for at in range(0, len(parts) - 1, 2)
    ]
    statements, nodes = [], []
    for number, step in enumerate(steps):
        last = number == len(steps) - 1
        statements.append(
            Statement(
                "".join(f"/{each.property}" for each in steps[: number + 1]),
                step.types,
                step.property,
                value if last else None,
                None if last else steps[number + 1].types,
                number,
                None if last else number + 1,
                chain=tuple(steps[: number + 1]),
            )
        )
        nodes.append(Node(number, f"_:b{number}", step.types, "", (number,)))
    return Graph((), tuple(nodes), tuple(statements), roots=(0,)), len(steps) - 1


def paper_rows(file: Path) -> Iterator[Row]:
    """Rows of the agents' ground truth, first occurrences only."""
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["first"]:
            graph = alone((row["type"],) if row["type"] else (), row["property"], row["value"])
            note = f"{row['type']} {row['property']} {str(row['value'])[:80]!r}"
            yield Row(row["text"], graph, 0, row["label"] == "positive", note=note)


def gold_rows(shared: Path, vocabulary: Vocabulary, context: str = "chain") -> Iterator[Row]:
    """Statements of real pages that a reader could decide."""
    markups = _markups(shared, vocabulary) if context == "markup" else {}
    for line in (shared / "gold" / "statements.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["factual"] == "unclear":
            continue
        graph, index = chain_graph(row["path"], row["value"])
        for other in markups.get((row["page"], row["contender"]), ()):
            found = _find(other, row)
            if found is not None:
                graph, index = other, found
                break
        note = f"{row['page'][:6]} {row['path']} {str(row['value'])[:80]!r} ({row['reason']})"
        yield Row(row["page"], graph, index, row["factual"] == "supported", row["evidence"] or "", note)


def _find(graph: Graph, row: dict[str, Any]) -> int | None:
    """The statement of a markup that a row was drawn from."""
    properties = row["path"].split(" > ")[1::2]
    for index, statement in enumerate(graph.statements):
        same = statement.value is not None and str(statement.value) == str(row["value"])
        if same and [step.property for step in statement.chain] == properties:
            return index
    return None


def _markups(shared: Path, vocabulary: Vocabulary) -> dict[tuple[str, str], list[Graph]]:
    import duckdb

    found: dict[tuple[str, str], list[Graph]] = defaultdict(list)
    with duckdb.connect() as connection:
        rows = connection.execute(
            "select id, coalesce(human_input_original, human_input), gpt3_input, gpt4_input from read_parquet(?)",
            [str(shared / "paper" / "units.parquet")],
        ).fetchall()
    for page, *inputs in rows:
        for contender, text in zip(("human", "gpt3", "gpt4"), inputs, strict=True):
            if text:
                document = json.loads(text)
                documents = document if isinstance(document, list) else [document]
                found[page, contender].append(build_graph(documents, vocabulary=vocabulary))
    return found


def pages_of(shared: Path, wanted: Iterable[str] | None = None) -> dict[str, Page]:
    """The recorded pages by id."""
    import duckdb

    with duckdb.connect() as connection:
        rows = connection.execute(
            "select id, url, html from read_parquet(?)", [str(shared / "paper" / "pages.parquet")]
        ).fetchall()
    keep = None if wanted is None else set(wanted)
    return {page: read_page(html, url=url) for page, url, html in rows if keep is None or page in keep}


def exchanged(groups: Iterable[str], seed: int = 0) -> dict[str, str]:
    """Each text's partner: another one, drawn at random."""
    listed = sorted(set(groups))
    mixed = list(listed)
    random.Random(seed).shuffle(mixed)
    return {one: mixed[(mixed.index(one) + 1) % len(mixed)] for one in listed}


def says(verdict: Verdict | None) -> bool:
    """Whether a verdict keeps the statement at probability 0.5."""
    return verdict is not None and verdict.decision is Decision.KEEP


def overlaps(verdict: Verdict, evidence: str, prepared: Prepared) -> bool:
    """Whether the verdict's evidence overlaps the reader's, or stands within a line's length of it.

    The reader's is a piece of the text or of the HTML; where it is text, its words are laid along the page's.
    """
    wanted = level(evidence)
    for each in verdict.evidence:
        shown = level(each.text) or fold(each.text).text.strip()
        if shown and (f" {shown} " in f" {wanted} " or f" {wanted} " in f" {shown} "):
            return True
    runs = align(prepared.words, tuple(wanted.split())).runs
    for _, spot, length in runs:
        start = prepared.folded.original(prepared.words.starts[spot])
        end = prepared.folded.original(prepared.words.ends[spot + length - 1] - 1) + 1
        if any(0 <= each.start <= end + 80 and each.end >= start - 80 for each in verdict.evidence):
            return True
    return False


@dataclass(slots=True)
class Measured:
    """Counts by group (true and false positives, true and false negatives), mistakes, and overlapping evidence."""

    sums: dict[str, list[float]]
    errors: list[str]
    shown: int = 0
    overlapping: int = 0

    @staticmethod
    def precision(s: Any) -> float:
        """Share of the kept that are right."""
        return float(s[0] / (s[0] + s[1]))

    @staticmethod
    def recall(s: Any) -> float:
        """Share of the right that are kept."""
        return float(s[0] / (s[0] + s[3]))

    @staticmethod
    def f1(s: Any) -> float:
        """Harmonic mean of precision and recall."""
        return float(2 * s[0] / (2 * s[0] + s[1] + s[3]))

    @staticmethod
    def balanced(s: Any) -> float:
        """Mean of the shares of right ones kept and wrong ones rejected."""
        return float((s[0] / (s[0] + s[3]) + s[2] / (s[1] + s[2])) / 2)

    @property
    def total(self) -> list[float]:
        """Counts of all groups."""
        return [sum(column) for column in zip(*self.sums.values(), strict=True)]

    def line(self) -> str:
        """The figures with their intervals."""
        total = self.total
        parts = [f"n {int(sum(total)):4} (no {int(total[1] + total[2]):3})"]
        for name, statistic in (("P", self.precision), ("R", self.recall), ("F1", self.f1), ("BA", self.balanced)):
            found = interval_of_sums(self.sums, statistic)
            if found is not None:
                parts.append(f"{name} {found.estimate:.3f} [{found.low:.3f}, {found.high:.3f}]")
        return "  ".join(parts)


def measure(judge: EmbeddedFactuality, rows: Iterable[Row], prepared: dict[str, Prepared]) -> Measured:
    """Judge rows on their texts or pages.

    Arguments:
        judge: the judge.
        rows: what to judge.
        prepared: by group.
    """
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0] * 4)
    found = Measured(sums, [])
    for row in rows:
        ready = prepared[row.group]
        verdict = judge.judge(row.graph, ready, [row.index])[row.index]
        said = says(verdict)
        sums[row.group][(0 if said else 3) if row.label else (1 if said else 2)] += 1
        if row.label and row.evidence:
            found.shown += 1
        if verdict is not None and row.label and row.evidence and said:
            found.overlapping += overlaps(verdict, row.evidence, ready)
        if said != row.label and verdict is not None:
            mark = "wrongly rejected" if row.label else "wrongly kept"
            found.errors.append(f"{mark}: {row.note} {verdict.probability} {verdict.rule}: {verdict.reason}")
    return found


def prepare_texts(
    judge: EmbeddedFactuality, groups: Iterable[str], partner: dict[str, str] | None = None
) -> dict[str, Prepared]:
    """Texts made ready; with `partner` each under the other's name."""
    return {
        each: judge.prepare(page_from_text(each if partner is None else partner[each], language="en"))
        for each in set(groups)
    }


def main() -> None:
    """Run the measurement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[2] / "shared")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--half", type=int, choices=(0, 1), default=None)
    parser.add_argument("--context", choices=("chain", "markup"), default="chain")
    options = parser.parse_args()
    vocabulary = load()
    judge = EmbeddedFactuality(vocabulary)
    sets: list[tuple[str, list[Row], dict[str, Prepared]]] = []
    for name in ("extrinsic", "intrinsic"):
        rows = list(paper_rows(options.shared / "paper" / f"factuality_{name}.jsonl"))
        groups = [row.group for row in rows]
        sets.append((name, rows, prepare_texts(judge, groups)))
        if name == "intrinsic":
            sets.append(("swapped", rows, prepare_texts(judge, groups, exchanged(groups))))
    rows = list(gold_rows(options.shared, vocabulary, options.context))
    pages = pages_of(options.shared, (row.group for row in rows))
    sets.append(("gold", rows, {group: judge.prepare(page) for group, page in pages.items()}))
    for name, rows, prepared in sets:
        for which in (0, 1, None):
            if options.half is not None and which != options.half:
                continue
            found = measure(judge, (row for row in rows if which is None or half(row.group) == which), prepared)
            extra = f"  evidence overlaps {found.overlapping}/{found.shown}" if name == "gold" else ""
            print(f"{name:9} {'all   ' if which is None else f'half {which}'}  {found.line()}{extra}")
            if options.errors and which == 0 and name != "swapped":
                print("".join(f"    {each}\n" for each in found.errors), end="")


if __name__ == "__main__":
    main()
