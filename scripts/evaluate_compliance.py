"""Measure the embedded compliance judge: ground truth of the paper's agents, and statements of real pages.

    python scripts/evaluate_compliance.py [--shared FOLDER] [--errors] [--half 0|1] [--exchanges]

Prints, per set and half (texts or pages split by a hash), precision, recall, F1 and balanced accuracy with 95%
bootstrap intervals by text or page, and always-yes beside. Half 0 was looked at while the judge was built, half 1 was
not. Every row is judged alone. With --errors the mistakes of half 0 are listed (never those of half 1).

With --exchanges: in the human markups of the recorded pages, two literal values of one entity are exchanged (at most
three pairs an entity, seeded) and the share that is accepted all the same is printed, apart for properties of other
ranges and of the same ranges; and how many of the values that stand in the visible text are accepted as they are. Half
1 are the pages that were not looked at.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from schemaproof.agents.compliance import EmbeddedCompliance
from schemaproof.agents.verdict import Decision, Verdict
from schemaproof.markup import build_graph
from schemaproof.markup.model import Graph, Node, Statement
from schemaproof.page import read_page
from schemaproof.scoring.bootstrap import interval_of_sums
from schemaproof.vocabulary import Vocabulary, load

EXTRA = {"paper": "", "gold": "2"}


@dataclass(frozen=True, slots=True)
class Row:
    """One decision: its group (text or page), what is judged, and the label."""

    group: str
    types: tuple[str, ...]
    property: str
    value: Any
    language: str
    label: bool
    note: str = ""


def half(group: str, extra: str = "") -> int:
    """0 (looked at) or 1 (kept apart), by a hash of the text or page id.

    Arguments:
        group: text or page id.
        extra: groups whose hash (hexadecimal) is below this were looked at too; "2" for the gold pages makes
            12 of 24.
    """
    digest = hashlib.sha256(f"half:{group}".encode()).hexdigest()
    return 0 if digest < extra else int(digest, 16) % 2


def alone(row: Row) -> Graph:
    """The row's statement as a markup of its own."""
    statement = Statement("/value", row.types, row.property, row.value, None, 0)
    return Graph((), (Node(0, "_:b0", row.types, "", (0,)),), (statement,), roots=(0,))


def paper_rows(folder: Path) -> Iterator[Row]:
    """Rows of the agents' ground truth, first occurrences only."""
    for line in (folder / "compliance.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["first"]:
            types = (row["type"],) if row["type"] else ()
            yield Row(row["text"], types, row["property"], row["value"], "en", row["label"] == "positive")


def gold_rows(folder: Path, languages: dict[str, str]) -> Iterator[Row]:
    """Statements of real pages with a clear label; debatable ones are left out."""
    for line in (folder / "statements.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["compliant"] in ("yes", "no"):
            yield Row(
                row["page"],
                tuple(row["types"]),
                row["property"],
                row["value"],
                languages.get(row["page"], ""),
                row["compliant"] == "yes",
                row["reason"],
            )


def languages_of(folder: Path) -> dict[str, str]:
    """Language of every page."""
    import duckdb

    with duckdb.connect() as connection:
        rows = connection.execute("select id, lang from read_parquet(?)", [str(folder / "pages.parquet")]).fetchall()
    return {page: str(lang or "").split("-")[0] for page, lang in rows}


def measure(judge: EmbeddedCompliance, rows: Iterable[Row]) -> tuple[str, list[tuple[Row, str]]]:
    """The line of figures, and the mistakes."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0] * 4)
    errors: list[tuple[Row, str]] = []
    for row in rows:
        verdict = judge.judge(alone(row), None, row.language)[0][0]
        said = kept(verdict)
        sums[row.group][(0 if said else 3) if row.label else (1 if said else 2)] += 1
        if said != row.label:
            errors.append((row, "" if verdict is None else f"{verdict.rule}: {verdict.reason}"))

    def precision(s: Any) -> float:
        return float(s[0] / (s[0] + s[1]))

    def recall(s: Any) -> float:
        return float(s[0] / (s[0] + s[3]))

    def f1(s: Any) -> float:
        return float(2 * s[0] / (2 * s[0] + s[1] + s[3]))

    def balanced(s: Any) -> float:
        return float((recall(s) + s[2] / (s[1] + s[2])) / 2)

    total = [sum(column) for column in zip(*sums.values(), strict=True)]
    yes, no = total[0] + total[3], total[1] + total[2]
    parts = [f"n {int(yes + no):4} (no {int(no):3})"]
    for name, statistic in (("P", precision), ("R", recall), ("F1", f1), ("BA", balanced)):
        found = interval_of_sums(sums, statistic)
        if found is not None:
            parts.append(f"{name} {found.estimate:.3f} [{found.low:.3f}, {found.high:.3f}]")
    parts.append(f"rejected {int(total[2])} of {int(no)} no; always-yes F1 {2 * yes / (2 * yes + no):.3f}")
    return "  ".join(parts), errors


def human_markups(folder: Path, vocabulary: Vocabulary) -> Iterator[tuple[str, Graph]]:
    """Page id and markup as its author wrote it."""
    import duckdb

    with duckdb.connect() as connection:
        rows = connection.execute(
            "select id, coalesce(human_input_original, human_input) from read_parquet(?) where canonical order by id",
            [str(folder / "units.parquet")],
        ).fetchall()
    for page, text in rows:
        document = json.loads(text)
        documents = document if isinstance(document, list) else [document]
        yield page, build_graph(documents, base="https://site.example/", vocabulary=vocabulary)


def exchanged(graph: Graph, first: int, second: int) -> Graph:
    """The markup with the values of two statements exchanged."""
    statements = list(graph.statements)
    one, other = statements[first], statements[second]
    statements[first], statements[second] = replace(one, value=other.value), replace(other, value=one.value)
    return replace(graph, statements=tuple(statements))


def pairs(graph: Graph, vocabulary: Vocabulary, rng: random.Random, most: int = 3) -> Iterator[tuple[int, int, bool]]:
    """Pairs of literal statements of one entity, and whether their properties' ranges differ."""
    for node in graph.nodes:
        literal = [
            index
            for index in node.statements
            if graph.statements[index].value is not None
            and graph.statements[index].property in vocabulary.properties
            and str(graph.statements[index].value).strip()
        ]
        found = []
        for place, first in enumerate(literal):
            for second in literal[place + 1 :]:
                one, other = graph.statements[first], graph.statements[second]
                if one.property != other.property and str(one.value) != str(other.value):
                    ranges = [frozenset(vocabulary.properties[each.property].ranges) for each in (one, other)]
                    found.append((first, second, ranges[0] != ranges[1]))
        rng.shuffle(found)
        yield from found[:most]


def exchanges(judge: EmbeddedCompliance, shared: Path) -> None:
    """Print how many exchanged values, and how many good ones, are accepted."""
    languages = languages_of(shared / "paper")
    gold = {row.group for row in gold_rows(shared / "gold", languages)}
    texts = visible_texts(shared / "paper")
    rng = random.Random(0)
    accepted: dict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0])
    for page, graph in human_markups(shared / "paper", judge.vocabulary):
        which = half(page, EXTRA["gold"]) if page in gold else 0
        language = languages.get(page, "")
        for first, second, differ in pairs(graph, judge.vocabulary, rng):
            verdicts, _ = judge.judge(exchanged(graph, first, second), [first, second], language)
            said = [kept(verdicts[index]) for index in (first, second)]
            name = "other ranges" if differ else "same ranges"
            accepted[which, f"exchanged, {name}, statements"][0] += sum(said)
            accepted[which, f"exchanged, {name}, statements"][1] += 2
            accepted[which, f"exchanged, {name}, both of the pair"][0] += all(said)
            accepted[which, f"exchanged, {name}, both of the pair"][1] += 1
        verdicts, _ = judge.judge(graph, None, language)
        for statement, verdict in zip(graph.statements, verdicts, strict=True):
            if isinstance(statement.value, str) and verdict is not None and len(statement.value.strip()) > 1:
                known = statement.property in judge.vocabulary.properties
                if known and verdict.rule != "property-of-other-types" and folded(statement.value) in texts[page]:
                    accepted[which, "good, verbatim in the text"][0] += kept(verdict)
                    accepted[which, "good, verbatim in the text"][1] += 1
    for (which, name), (yes, n) in sorted(accepted.items()):
        print(f"half {which}  {name:45} accepted {yes:5} of {n:5}  {yes / n:.3f}")


def kept(verdict: Verdict | None) -> bool:
    """Whether the judge accepts."""
    return verdict is None or verdict.decision is Decision.KEEP


def folded(text: str) -> str:
    """White space and letter case taken away, character references resolved."""
    return " ".join(html.unescape(text).split()).casefold()


def visible_texts(folder: Path) -> dict[str, str]:
    """What a reader sees of every recorded page, folded."""
    import duckdb

    with duckdb.connect() as connection:
        rows = connection.execute(
            "select id, url, html from read_parquet(?)", [str(folder / "pages.parquet")]
        ).fetchall()
    return {page: folded(read_page(source, url=url).text) for page, url, source in rows}


def main() -> None:
    """Run the measurement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[2] / "shared")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--half", type=int, choices=(0, 1), default=None)
    parser.add_argument("--exchanges", action="store_true")
    options = parser.parse_args()
    judge = EmbeddedCompliance(load())
    if options.exchanges:
        exchanges(judge, options.shared)
        return
    sets = {
        "paper": list(paper_rows(options.shared / "paper")),
        "gold": list(gold_rows(options.shared / "gold", languages_of(options.shared / "paper"))),
    }
    for name, rows in sets.items():
        for which in (0, 1, None):
            if options.half is not None and which != options.half:
                continue
            line, errors = measure(
                judge, [row for row in rows if which is None or half(row.group, EXTRA[name]) == which]
            )
            print(f"{name:5} {'all ' if which is None else f'half {which}'}  {line}")
            if options.errors and which == 0:
                for row, said in errors:
                    mark = "wrongly rejected" if row.label else "wrongly kept"
                    print(f"    {mark}: {row.types} {row.property} {str(row.value)[:80]!r} {said} {row.note}")


if __name__ == "__main__":
    main()
