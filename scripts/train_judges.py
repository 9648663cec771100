"""Fit the weights of the compliance judge's families of texts, and say whether fitting helps.

    python scripts/train_judges.py [--shared FOLDER] [--strength C]... [--write FILE.json]

The judge's weights (`agents/compliance_families.py`) were set by hand. Here they are the prior means of a logistic
model, fitted on values of the recorded markups (human and models) as their authors put them (right) and exchanged with
another value of the same entity (wrong); the pages of the kept-apart half of the gold statements are left out. Nothing
of the official examples or of the agents' ground truth is read for fitting; what is fitted are weights of kinds of
texts by family, no values. Figures: five folds by page, then the halves of the two benchmarks with weights fitted on
all. What the judge ships are the weights set by hand, see docs/decisions/050-compliance.md for the comparison.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.evaluate_compliance import EXTRA, gold_rows, half, languages_of, measure, pairs, paper_rows

from schemaproof.agents.compliance import EmbeddedCompliance
from schemaproof.agents.compliance_expectations import expectation
from schemaproof.agents.compliance_families import FAMILIES, START, derived
from schemaproof.agents.compliance_shape import shape
from schemaproof.groundtruth.row import digest
from schemaproof.markup import build_graph
from schemaproof.markup.model import Graph
from schemaproof.vocabulary import Vocabulary, load

FOLDS = 5
Weight = tuple[str, str]


class Sample(NamedTuple):
    """One value under one property: page, family, kinds of the text, and whether its author put it there."""

    page: str
    family: str
    kinds: frozenset[str]
    right: bool


def markups(shared: Path, vocabulary: Vocabulary) -> Iterator[tuple[str, Graph]]:
    """Page and markup of every contender, kept-apart pages left out."""
    import duckdb

    gold = {row.group for row in gold_rows(shared / "gold", {})}
    with duckdb.connect() as connection:
        rows = connection.execute(
            "select id, coalesce(human_input_original, human_input), gpt3_input, gpt4_input from read_parquet(?)"
            " where canonical order by id",
            [str(shared / "paper" / "units.parquet")],
        ).fetchall()
    for page, *inputs in rows:
        if page in gold and half(page, EXTRA["gold"]) == 1:
            continue
        for text in filter(None, inputs):
            document = json.loads(text)
            documents = document if isinstance(document, list) else [document]
            yield page, build_graph(documents, base="https://site.example/", vocabulary=vocabulary)


def samples(shared: Path, vocabulary: Vocabulary) -> list[Sample]:
    """Values as they stand and exchanged, of properties that a family judges."""
    rng = random.Random(0)
    languages = languages_of(shared / "paper")
    found: dict[tuple[str, str, str, bool], Sample] = {}
    for page, graph in markups(shared, vocabulary):
        for first, second, _ in pairs(graph, vocabulary, rng):
            for one, other in ((first, second), (second, first)):
                name = graph.statements[one].property
                expected = expectation(vocabulary, name)
                if expected.format:
                    continue
                for index, right in ((one, True), (other, False)):
                    value = str(graph.statements[index].value)
                    seen = shape(value, languages.get(page, ""))
                    if (expected.url or expected.entity) and seen.kinds & {"url", "path"}:
                        continue
                    kinds = seen.kinds | derived(expected.family, seen)
                    found[page, name, value, right] = Sample(page, expected.family, kinds, right)
    return list(found.values())


def by_hand() -> dict[Weight, float]:
    """The weights that the judge ships."""
    return {(family, kind): weight for family, own in FAMILIES.items() for kind, weight in own.items()}


def fitted(data: Sequence[Sample], strength: float, rounds: int = 150, step: float = 0.02) -> dict[Weight, float]:
    """Maximum a posteriori weights: logistic loss, wrong values weighed as a tenth of all, Gaussian prior by hand.

    Arguments:
        data: what to fit on.
        strength: of the prior; large keeps the weights as they are.
        rounds, step: of the gradient descent.
    """
    prior = by_hand()
    weights = dict(prior)
    right = sum(each.right for each in data)
    wrong = max(1, len(data) - right)
    for _ in range(rounds):
        gradient: dict[Weight, float] = defaultdict(float)
        for each in data:
            lost = sum(weights.get((each.family, kind), 0.0) for kind in each.kinds)
            said = 1 / (1 + math.exp(-max(-30.0, min(30.0, START - lost))))
            error = (said - 1) if each.right else said * right / wrong / 9
            for kind in each.kinds:
                gradient[each.family, kind] += error
        for key in set(gradient) | set(weights):
            change = gradient.get(key, 0.0) + strength * (prior.get(key, 0.0) - weights.get(key, 0.0))
            weights[key] = weights.get(key, 0.0) + step * max(-10.0, min(10.0, change))
    return weights


def rates(weights: Mapping[Weight, float], data: Sequence[Sample]) -> tuple[int, int, int, int]:
    """Right ones accepted, right ones, wrong ones rejected, wrong ones."""
    cells = [0, 0, 0, 0]
    for each in data:
        yes = sum(weights.get((each.family, kind), 0.0) for kind in each.kinds) <= START
        cells[0 if each.right else 2] += yes == each.right
        cells[1 if each.right else 3] += 1
    return cells[0], cells[1], cells[2], cells[3]


def cross_validated(data: Sequence[Sample], strength: float | None) -> str:
    """The rates on pages that were not fitted on."""
    total = [0, 0, 0, 0]
    for fold in range(FOLDS):
        kept = [each for each in data if int(digest(each.page), 16) % FOLDS != fold]
        apart = [each for each in data if int(digest(each.page), 16) % FOLDS == fold]
        weights = by_hand() if strength is None else fitted(kept, strength)
        total = [one + more for one, more in zip(total, rates(weights, apart), strict=True)]
    right, wrong = total[0] / total[1], total[2] / total[3]
    return f"right accepted {right:.3f} of {total[1]}  wrong rejected {wrong:.3f} of {total[3]}"


def nested(weights: Mapping[Weight, float]) -> dict[str, dict[str, float]]:
    """Family to kind to weight."""
    table: dict[str, dict[str, float]] = defaultdict(dict)
    for (family, kind), weight in weights.items():
        table[family][kind] = round(weight, 3)
    return dict(table)


def main() -> None:
    """Fit and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[2] / "shared")
    parser.add_argument("--strength", type=float, action="append")
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    vocabulary = load()
    data = samples(options.shared, vocabulary)
    print(f"{len(data)} values, {sum(each.right for each in data)} as their authors put them")
    sets = {
        "paper": list(paper_rows(options.shared / "paper")),
        "gold": list(gold_rows(options.shared / "gold", languages_of(options.shared / "paper"))),
    }
    for strength in (None, *(options.strength or (30.0, 10.0, 3.0, 1.0))):
        weights = by_hand() if strength is None else fitted(data, strength)
        print(f"{'by hand' if strength is None else f'strength {strength:g}'}: {cross_validated(data, strength)}")
        judge = EmbeddedCompliance(vocabulary, nested(weights))
        for name, rows in sets.items():
            for which in (0, 1):
                line, _ = measure(judge, [row for row in rows if half(row.group, EXTRA[name]) == which])
                print(f"    {name:5} half {which}  {line}")
        if options.write and strength is not None:
            options.write.write_text(json.dumps(nested(weights), indent=1, sort_keys=True), encoding="utf-8")


if __name__ == "__main__":
    main()
