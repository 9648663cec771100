"""The tables of a report, from what was collected: stages, pairs, strata, types, rules, properties, chunks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from schemaproof.agents.verdict import Decision
from schemaproof.pipeline.result import STAGES
from schemaproof.pipeline.totals import RESAMPLES, rejection_rate
from schemaproof.reporting.collection import CHUNK_TOKENS, Collection, UnitRow
from schemaproof.reporting.table import Column, Table
from schemaproof.scoring.bootstrap import paired_test_of_sums, ratio
from schemaproof.scoring.correlation import spearman, t_test
from schemaproof.wording import counted

FATES = ("kept", "unclear", "validity", "contradicted", "unsupported", "compliance", "below")
FATE_LABELS = {
    "kept": "kept", "unclear": "unclear", "validity": "not valid", "contradicted": "contradicted (intrinsic)",
    "unsupported": "unsupported (extrinsic)", "compliance": "not compliant", "below": "below a rejected entity",
}  # fmt: skip
Pair = tuple[str, str]


def stages(found: Collection) -> Table:
    """Statements by stage for each contender (paper, Table 7)."""
    rows = [
        [
            name,
            *(entry[stage] for stage in STAGES),
            entry["rejection_rate"],
            entry["rejection_interval"],
            found.totals["share"].get(name),
            entry["errors"],
        ]
        for name, entry in found.totals["contenders"].items()
    ]
    columns = [
        Column("contender"),
        *(Column(label, "count") for label in ("input", "valid", "factual", "compliant", "unclear")),
        Column("rejected", "share"),
        Column("95% interval", "shares"),
        Column("mean share", "score"),
        Column("units without markup", "count"),
    ]
    note = (
        "Each agent judges what the ones before it left; compliant statements are kept. Intervals: bootstrap over "
        "pages. Share: MeMR against the largest count over all contenders."
    )
    return Table("stages", "Statements by stage", columns, rows, note)


def pairs(found: Collection) -> Table:
    """MeMR of each pair, with intervals and the test of the difference."""
    rows = []
    for pair in found.totals["memr"]:
        scores = [unit.scores[pair["a"], pair["b"]] for unit in found.units if (pair["a"], pair["b"]) in unit.scores]
        wins = [sum(a > b for a, b in scores), sum(a == b for a, b in scores), sum(a < b for a, b in scores)]
        difference = None if pair["a_score"] is None else pair["a_score"] - pair["b_score"]
        rows.append(
            [f"{pair['a']} : {pair['b']}", pair["a_score"], pair["a_interval"], pair["b_score"], pair["b_interval"],
             difference, pair["interval"], pair["p"], pair["units"], *wins]
        )  # fmt: skip
    columns = [
        Column("a : b"), Column("MeMR a", "score"), Column("95% interval", "interval"), Column("MeMR b", "score"),
        Column("95% interval", "interval"), Column("a − b", "signed"), Column("95% interval", "interval"),
        Column("p", "p"), Column("units", "count"), Column("a more", "count"), Column("equal", "count"),
        Column("b more", "count"),
    ]  # fmt: skip
    note = (
        "MeMR: the part of the merged markup that a contender covers, mean over units. p: permutation test over pages, "
        "two-sided."
    )
    return Table("memr", "Who covers more", columns, rows, note)


def grouped(
    found: Collection, name: str, title: str, key: Callable[[UnitRow], str | None], order: Sequence[str] = (),
    note: str = "",
) -> Table:  # fmt: skip
    """Stage counts, rejection rates and MeMR by groups of units (paper, Table 8).

    Arguments:
        found: what was collected.
        name, title, note: of the table.
        key: unit to its group, None to leave it out.
        order: the groups in order; else by number of units.
    """
    groups: dict[str, list[UnitRow]] = {}
    for unit in found.units:
        group = key(unit)
        if group is not None:
            groups.setdefault(group, []).append(unit)
    names = [each for each in order if each in groups] or sorted(groups, key=lambda each: (-len(groups[each]), each))
    columns = [Column("group"), Column("pages", "count"), Column("units", "count")]
    for contender in found.names:
        columns += [Column(f"{contender} input", "count"), Column(f"{contender} kept", "count")]
        columns += [Column(f"{contender} rejected", "share")]
    for a, b in found.pairs:
        columns += [Column(f"MeMR {a}", "score"), Column(f"MeMR {b}", "score"), Column("difference", "interval")]
        columns += [Column("p", "p")]
    rows = []
    for group in names:
        units = groups[group]
        row: list[object] = [group, len({unit.page for unit in units}), len(units)]
        for contender in found.names:
            counts = [unit.counts[contender] for unit in units if contender in unit.counts]
            sums = {stage: sum(each[stage] for each in counts) for stage in STAGES}
            row += [sums["input"], sums["compliant"], rejection_rate(sums)]
        for pair in found.pairs:
            row += _pair_cells(units, pair)
        rows.append(row)
    return Table(name, title, columns, rows, note)


def _pair_cells(units: Iterable[UnitRow], pair: Pair) -> list[object]:
    left, right = by_page(units, pair)
    if not left:
        return [None, None, None, None]
    means = [ratio([math.fsum(row[place] for row in side.values()) for place in (0, 1)]) for side in (left, right)]
    test = paired_test_of_sums(left, right, n=RESAMPLES) if len(left) > 1 else None
    return [*means, None if test is None else (test.low, test.high), None if test is None else test.p]


def by_page(units: Iterable[UnitRow], pair: Pair) -> tuple[dict[int, list[float]], dict[int, list[float]]]:
    """Page to (sum of scores, number of units), for both sides of a pair."""
    left: dict[int, list[float]] = {}
    right: dict[int, list[float]] = {}
    for unit in units:
        if pair in unit.scores:
            for side, score in zip((left, right), unit.scores[pair], strict=True):
                sums = side.setdefault(unit.page, [0.0, 0.0])
                sums[0] += score
                sums[1] += 1
    return left, right


def terciles(values: Sequence[float]) -> Callable[[float], str]:
    """Low, medium or high: a third of the values each, equal values together."""
    ordered = sorted(values)
    first = ordered[(len(ordered) - 1) // 3] if ordered else 0
    second = ordered[2 * (len(ordered) - 1) // 3] if ordered else 0
    return lambda value: "low" if value <= first else "medium" if value <= second else "high"


LEVELS = ("low", "medium", "high")


def strata(found: Collection, given: Mapping[str, str] | None = None) -> list[Table]:
    """By stratum: those given for pages, and thirds by the paper's two features.

    Arguments:
        found: what was collected.
        given: page name, URL or id to its stratum.
    """
    tables = []
    if given:

        def stratum(unit: UnitRow) -> str | None:
            page = found.pages[unit.page]
            return next((given[key] for key in (page.id, page.url, page.name) if key in given), None)

        groups = sorted(set(given.values()))
        order = LEVELS if set(groups) <= set(LEVELS) else groups
        tables.append(grouped(found, "strata", "By stratum", stratum, order))
    for name, title, values in (
        ("instances", "By number of instances in the markup", [unit.instances for unit in found.units]),
        ("properties-of-page", "By number of properties in the markup", [unit.properties for unit in found.units]),
    ):
        counted = [value for value in values if value]
        if len(set(counted)) < 3:
            continue
        level = terciles(counted)
        ends = {group: [value for value in counted if level(value) == group] for group in LEVELS}
        told = "; ".join(f"{group} {min(each)} to {max(each)}" for group, each in ends.items() if each)
        groups_of = {id(unit): level(value) for unit, value in zip(found.units, values, strict=True) if value}
        note = f"Thirds of the units by the human markup (the paper's Table 8): {told}."
        tables.append(grouped(found, name, title, _looked_up(groups_of), LEVELS, note))
    return tables


def _looked_up(groups: Mapping[int, str]) -> Callable[[UnitRow], str | None]:
    return lambda unit: groups.get(id(unit))


def languages(found: Collection) -> Table:
    """By language of the page."""
    return grouped(found, "languages", "By language", lambda unit: found.pages[unit.page].language or "unknown")


def root_types(found: Collection) -> Table:
    """By root types."""
    return grouped(found, "types", "By root type", lambda unit: ", ".join(unit.types) or "none")


def chunks_of(tokens: int) -> int:
    """Number of chunks of a text of so many tokens (paper, Appendix H)."""
    return max(1, -(-tokens // CHUNK_TOKENS))


def sizes(found: Collection) -> list[Table]:
    """By length of the page's text and by number of chunks, with the t-test of Appendix H."""
    values = [found.pages[unit.page].tokens for unit in found.units]
    tables = []
    if len(set(values)) >= 3:
        level = terciles(values)
        tables.append(
            grouped(found, "sizes", "By length of the page's text", lambda u: level(found.pages[u.page].tokens), LEVELS)
        )
    order = sorted({chunks_of(value) for value in values})
    table = grouped(
        found,
        "chunks",
        "By number of chunks",
        lambda unit: str(chunks_of(found.pages[unit.page].tokens)),
        [str(each) for each in order],
    )
    told = [f"A chunk holds {counted(CHUNK_TOKENS, 'token')} ({found.tokenizer})."]
    for pair in found.pairs:
        for side, name in enumerate(pair):
            one, more = ([], [])  # type: tuple[list[float], list[float]]
            for unit in found.units:
                if pair in unit.scores:
                    short = chunks_of(found.pages[unit.page].tokens) == 1
                    (one if short else more).append(unit.scores[pair][side])
            test = t_test(one, more)
            if test is not None:
                told.append(
                    f"{name} (against {pair[1 - side]}), one chunk against more: n = {len(one)} and {len(more)}, "
                    f"t = {test.t:.3f}, p = {test.p_two_sided:.3f} (two-sided)."
                )
    table.note = " ".join(told)
    tables.append(table)
    return tables


def length_correlation(found: Collection) -> Table:
    """Rank correlation of MeMR with the length of the page."""
    rows: list[list[object]] = []
    for pair in found.pairs:
        chosen = [unit for unit in found.units if pair in unit.scores]
        lengths = [float(found.pages[unit.page].tokens) for unit in chosen]
        for side, name in enumerate(pair):
            got = spearman(lengths, [unit.scores[pair][side] for unit in chosen]) if chosen else None
            if got is not None:
                rows.append([f"{name} (against {pair[1 - side]})", got.rho, got.p, got.n])
    columns = [Column("MeMR of"), Column("Spearman's rho", "signed"), Column("p", "p"), Column("units", "count")]
    return Table("length", "Score against page length", columns, rows)


def rules(found: Collection) -> Table:
    """What was rejected or left unclear, by agent and rule."""
    groups: dict[tuple[str, str, str, str], Counter[str]] = {}
    for (name, agent, decision, rule, kind), number in found.decisions.items():
        if decision in (Decision.REJECT, Decision.UNCLEAR) and agent:
            groups.setdefault((agent, rule, kind, decision), Counter())[name] += number
    rows = [
        [rule or "(none)", agent, kind or "–", str(decision), *(numbers[name] for name in found.names)]
        for (agent, rule, kind, decision), numbers in sorted(
            groups.items(), key=lambda item: (-item[1].total(), item[0])
        )
    ]
    columns = [Column("rule"), Column("agent"), Column("kind"), Column("decision")]
    columns += [Column(name, "count") for name in found.names]
    return Table("rules", "Objections by agent and rule", columns, rows)


def _fates(found: Collection, name: str, title: str, counts: Counter[tuple[str, str, str]], label: str) -> Table:
    groups: dict[tuple[str, str], Counter[str]] = {}
    for (contender, key, outcome), number in counts.items():
        groups.setdefault((key, contender), Counter())[outcome] += number
    columns = [Column(label), Column("contender"), Column("statements", "count")]
    columns += [Column(FATE_LABELS[outcome], "count") for outcome in FATES] + [Column("rejected", "share")]
    rows: list[list[object]] = []
    rejected = {key: numbers.total() - numbers["kept"] - numbers["unclear"] for key, numbers in groups.items()}
    for (key, contender), numbers in sorted(
        groups.items(), key=lambda item: (-rejected[item[0]], -item[1].total(), item[0])
    ):
        total = numbers.total()
        rows.append([key, contender, total, *(numbers[outcome] for outcome in FATES), rejected[key, contender] / total])
    note = "Factuality apart: what the page contradicts (intrinsic) and what it does not say (extrinsic)."
    return Table(name, title, columns, rows, note)


def properties(found: Collection) -> Table:
    """What became of the statements of each property."""
    return _fates(found, "properties", "By property", found.properties, "property")


def subject_types(found: Collection) -> Table:
    """What became of the statements about each type."""
    return _fates(found, "subject-types", "By type of the subject", found.types, "type")


def missed_types(found: Collection) -> Table:
    """Types that one contender has on a page and another has not."""
    rows: list[list[object]] = []
    for a, b in found.pairs:
        left, right = found.held.get(a, {}), found.held.get(b, {})
        for kind in sorted(left.keys() | right.keys()):
            here, there = left.get(kind, set()), right.get(kind, set())
            rows.append([kind, f"{a} : {b}", len(here & there), len(here - there), len(there - here)])
    rows.sort(key=lambda row: (-int(str(row[3])) - int(str(row[4])), str(row[0])))
    columns = [Column("type"), Column("a : b"), Column("both", "count"), Column("only a", "count")]
    columns += [Column("only b", "count")]
    note = "Pages whose markup has a node of the type; only a: the other missed it there."
    return Table("missed-types", "Types that one side has and the other missed", columns, rows, note)


def certainty(found: Collection) -> Table:
    """How sure the judges were, by agent and decision."""
    rows: list[list[object]] = []
    for (agent, decision), bins in sorted(found.probabilities.items()):
        rows.append([agent, decision, sum(bins), *bins])
    columns = [Column("agent"), Column("decision"), Column("statements", "count")]
    columns += [Column(f"{tenth / 10:.1f}", "count") for tenth in range(10)]
    note = "Statements by the judge's probability that they are right, in tenths from the given number on."
    return Table("certainty", "How sure the judges were", columns, rows, note)


def reliability(measured: Mapping[str, object]) -> Table:
    """The judge's own figures, from what `bench judges --json` printed.

    Arguments:
        measured: the object it printed.

    Raises: InputError for any other.
    """
    from schemaproof.errors import InputError

    rows: list[list[object]] = []
    sets = measured.get("sets")
    try:
        assert isinstance(sets, dict)
        for name, figures in sets.items():
            interval = figures.get("interval")
            rows.append(
                [str(name), int(figures["n"]), *(float(figures[key]) for key in ("precision", "recall", "f1")),
                 float(figures["balanced_accuracy"]), None if interval is None else tuple(map(float, interval))]
            )  # fmt: skip
    except (AssertionError, AttributeError, KeyError, TypeError, ValueError):
        raise InputError("not what `schemaproof bench judges --json` prints") from None
    columns = [Column("set"), Column("n", "count"), Column("precision", "score"), Column("recall", "score")]
    columns += [Column("F1", "score"), Column("balanced accuracy", "score"), Column("95% interval", "interval")]
    note = f"Measured on ground truth by `schemaproof bench judges`, judge: {measured.get('judge', 'unknown')}."
    return Table("reliability", "Reliability of the judge", columns, rows, note)


def failures(found: Collection) -> Table:
    """Pages that could not be worked on, and pages without a unit."""
    pages_with = {unit.page for unit in found.units}
    rows: list[list[object]] = [
        [page.name, page.error or "no typed markup: nothing to compare"]
        for number, page in enumerate(found.pages)
        if page.error is not None or number not in pages_with
    ]
    return Table("failures", "Pages without a result", [Column("page"), Column("why")], rows)


def unit_table(found: Collection) -> Table:
    """One row a unit and contender, for the formats that other programs read."""
    columns = [Column("page"), Column("types"), Column("language"), Column("tokens", "count")]
    columns += [Column(f"{name} {stage}", "count") for name in found.names for stage in STAGES]
    for a, b in found.pairs:
        columns += [Column(f"MeMR {a} ({a} : {b})", "score"), Column(f"MeMR {b} ({a} : {b})", "score")]
    columns += [Column(f"share {name}", "score") for name in found.names]
    rows: list[list[object]] = []
    for unit in found.units:
        page = found.pages[unit.page]
        row: list[object] = [page.name, ", ".join(unit.types), page.language, page.tokens]
        row += [unit.counts.get(name, {}).get(stage) for name in found.names for stage in STAGES]
        for pair in found.pairs:
            row += list(unit.scores.get(pair, (None, None)))
        row += [unit.share.get(name) for name in found.names]
        rows.append(row)
    return Table("units", "Units", columns, rows)


def all_tables(
    found: Collection, *, given: Mapping[str, str] | None = None, measured: Mapping[str, object] | None = None
) -> list[Table]:
    """Every table of the report in its order, empty ones left out.

    Arguments:
        found: what was collected.
        given: page to stratum, see `strata`.
        measured: see `reliability`.
    """
    tables = [stages(found), pairs(found), *strata(found, given), languages(found), root_types(found), *sizes(found)]
    tables += [length_correlation(found), missed_types(found), rules(found), properties(found), subject_types(found)]
    tables += [certainty(found)]
    if measured is not None:
        tables.append(reliability(measured))
    tables.append(failures(found))
    return [table for table in tables if table.rows]
