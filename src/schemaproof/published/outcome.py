"""Tables 7 and 8 and Appendix H: what the published pipeline leaves, and MeMR."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from schemaproof.published import paper
from schemaproof.published.cells import Cell, Table, cell
from schemaproof.published.layout import CONTENDERS, FEATURES, HUMAN, MODELS, STRATA, PublishedUnit
from schemaproof.published.protocol import memr, predicate_counts, statements
from schemaproof.published.stages import Judge, Stages, stages
from schemaproof.scoring.correlation import t_test

# Units of the whole artefact: Table 8's columns for count_sum, and pset_length in all.
_COUNT_SUM_UNITS = (36, 32, 30)
_PSET_LENGTH_UNITS = 100
_CHUNK_TOKENS = 4096
# Nothing on either side: the generalised Jaccard of two empty multisets.
_BOTH_EMPTY = (1.0, 1.0)
_LABELS = {"human": "Human", "gpt3": "GPT-3.5", "gpt4": "GPT-4"}


@dataclass(frozen=True, slots=True)
class UnitResult:
    """A unit under the published protocol.

    Attributes:
        unit: the unit.
        stages: contender to its markup after each step.
        counts: contender to its number of statements at the input and after each step.
        memr: model to (h, l) at the input and after each step.
    """

    unit: PublishedUnit
    stages: dict[str, Stages]
    counts: dict[str, tuple[int, ...]]
    memr: dict[str, tuple[tuple[float, float], ...]]


def counted(done: Stages) -> tuple[int, ...]:
    """Number of statements at the input and after each step."""
    found = [statements(tree) for tree in done.trees]
    if "shacl" in done.differing:
        # What passed a step was in its input: the file on disk was changed after the agents had read it.
        found[0] = found[0] | found[1]
    return tuple(map(len, found))


def evaluate(unit: PublishedUnit, judge: Judge | None = None) -> UnitResult:
    """Run the published protocol on one unit; `judge` as in `stages`."""
    done = {who: stages(side, judge) for who, side in unit.sides.items()}
    counts = {who: counted(each) for who, each in done.items()}
    triples = {who: [predicate_counts(tree) for tree in each.trees] for who, each in done.items()}
    scores = {
        model: tuple(memr(*pair) or _BOTH_EMPTY for pair in zip(triples[HUMAN], triples[model], strict=True))
        for model in MODELS
    }
    return UnitResult(unit, done, counts, scores)


def rejection_rate(given: int, left: int) -> float | None:
    """Percent of statements that did not pass; None without any."""
    return 100 * (given - left) / given if given else None


def figures(results: Sequence[UnitResult], who: str) -> dict[str, float | int | None]:
    """Statements after each stage, rejection rate, and for a model the mean h and l over units."""
    sums = [sum(result.counts[who][place] for result in results) for place in range(4)]
    found: dict[str, float | int | None] = dict(zip(paper.STAGES, sums, strict=True))
    found["RR"] = rejection_rate(sums[0], sums[-1])
    if who != HUMAN:
        for place, side in enumerate("hl"):
            found[side] = fmean(result.memr[who][-1][place] for result in results) if results else None
    return found


def _is_whole(results: Sequence[UnitResult], feature: str) -> bool:
    sizes = [sum(result.unit.stratum == stratum for result in results) for stratum in range(3)]
    return tuple(sizes) == _COUNT_SUM_UNITS if feature == "count_sum" else sum(sizes) == _PSET_LENGTH_UNITS


def pipeline_table(results: Sequence[UnitResult]) -> Table:
    """Table 7: all units."""
    by_feature = {feature: [each for each in results if each.unit.feature == feature] for feature in FEATURES}
    whole = all(_is_whole(of, feature) for feature, of in by_feature.items())
    partial = "" if whole else f"over {len(results)} units, the paper's is over 198"
    rows = []
    for who in CONTENDERS:
        found = figures(results, who)
        printed = paper.PIPELINE[who]
        rows.append(
            (_LABELS[who], tuple(cell(name, printed.get(name), found[name], partial=partial) for name in found))
        )
    return Table("7", "Results throughout the pipeline", tuple(rows))


def _repeated(feature: str, who: str, stratum: str, column: str) -> str:
    """The reason of a cell that prints the human column's number again."""
    table = paper.STRATA[feature]
    mine, human = table[who, stratum], table["human", stratum]
    stages_equal = all(mine[stage] == human[stage] for stage in paper.STAGES)
    return "the paper prints the human column again" if who != HUMAN and stages_equal and column in human else ""


def strata_table(results: Sequence[UnitResult], feature: str) -> Table:
    """Table 8: one feature by stratum."""
    own = [each for each in results if each.unit.feature == feature]
    whole = _is_whole(own, feature)
    name = {"count_sum": "8a", "pset_length": "8b"}[feature]
    of = {"count_sum": "instances", "pset_length": "properties"}[feature]
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for who in CONTENDERS:
        for number, stratum in enumerate(STRATA):
            found = figures([each for each in own if each.unit.stratum == number], who)
            printed = paper.STRATA[feature][who, stratum]
            partial = "" if whole else f"over {len(own)} units, not all of {feature}"
            if not own:
                found = dict.fromkeys(found, None)
            rows.append(
                (
                    f"{_LABELS[who]} {stratum}",
                    tuple(
                        cell(
                            column,
                            printed.get(column),
                            value,
                            partial=partial,
                            missing=f"{feature} is not here",
                            why=_repeated(feature, who, stratum, column),
                        )
                        for column, value in found.items()
                    ),
                )
            )
    return Table(name, f"Results by number of {of} of the C-set", tuple(rows))


def token_counts(units: Iterable[PublishedUnit]) -> dict[str, int] | None:
    """Page to number of cl100k tokens of its text; None where the tokenizer is not installed.

    Pages without a text file are left out.
    """
    try:
        from bpe_openai import get_encoding
    except ImportError:
        return None
    encoding = get_encoding("cl100k_base")
    found: dict[str, int] = {}
    for unit in units:
        if unit.page not in found and unit.text is not None:
            text = unit.text.read_bytes().decode("utf-8", "replace")
            found[unit.page] = len(encoding.encode_ordinary(text))
    return found


def chunk_table(results: Sequence[UnitResult], tokens: dict[str, int] | None) -> Table:
    """Appendix H: Student's t over all MeMR values, pages of one chunk of 4,096 tokens against longer ones."""
    title = "Student's t-test of MeMR, pages of one chunk against more"
    if tokens is None:
        missing = "counting tokens needs the package bpe-openai: pip install 'schemaproof[tokens]'"
        cells = tuple(cell(name, paper.CHUNK_TEST[name], None, missing=missing) for name in ("t", "p"))
        return Table("H", title, (("MeMR", cells),))
    short: list[float] = []
    long: list[float] = []
    for result in results:
        if result.unit.page in tokens:
            group = short if math.ceil(tokens[result.unit.page] / _CHUNK_TOKENS) <= 1 else long
            for model in MODELS:
                group.extend(result.memr[model][-1])
    whole = len(short) + len(long) == 792
    partial = "" if whole else f"over {len(short) + len(long)} values, the paper's is over 792"
    test = t_test(short, long)
    t, p = (test.t, test.p_greater) if test else (None, None)
    missing = "one of the groups has fewer than two values"
    cells = (
        cell("t", paper.CHUNK_TEST["t"], t, partial=partial, missing=missing),
        cell("p", paper.CHUNK_TEST["p"], p, partial=partial, missing=missing),
        cell("n short", None, len(short)),
        cell("n long", None, len(long)),
    )
    return Table("H", title, (("MeMR", cells),))


def notes(results: Sequence[UnitResult]) -> list[str]:
    """What a reader must know of how the numbers came about, one sentence each."""
    told = []
    doubled = [result.unit for result in results if not result.unit.canonical]
    if doubled:
        told.append(
            f"{len(doubled)} of {len(results)} units are permutations of another unit's types and count twice, "
            "as in the paper"
        )
    for result in results:
        for who, each in result.stages.items():
            for step in each.differing:
                told.append(
                    f"{result.unit.name}, {who}: the recorded markup after {step} is not what its verdicts leave of "
                    "the input on disk; the recorded one is used, and what it holds counts as input"
                )
            if each.judged:
                told.append(f"{result.unit.name}, {who}: no validity log; judged anew under the policy paper")
            for step in each.missing:
                told.append(f"{result.unit.name}, {who}: no verdicts for {step}; nothing is rejected there")
    return told
