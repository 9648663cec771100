"""What changed between two runs: stages, scores, and the statements whose outcome is another."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from schemaproof.pipeline.result import STAGES
from schemaproof.pipeline.run import report_of
from schemaproof.pipeline.store import Store
from schemaproof.pipeline.totals import rejection_rate
from schemaproof.reporting.collection import fate, state_of
from schemaproof.reporting.table import Column, Table
from schemaproof.scoring.memr import memr

# The most statements listed one by one; the counts above the list hold all.
LISTED = 400


def compare(store: Store, other: Store, *, whole: bool = False) -> list[Table]:
    """What changed from another run to this one, on the pages, units and contenders that both have.

    Arguments:
        store: this run.
        other: the run before.
        whole: all pages of the signatures of both, not only those that their last runs covered.

    Returns: tables of the parts of the signature that differ, of pages and units, of stages and MeMR, of outcomes by
        transition, and of the statements that changed. Empty tables are left out.

    Raises: StoreError for a run file without a run.
    """
    mine, theirs = report_of(store, whole=whole), report_of(other, whole=whole)
    tables = [_signatures(mine.signature, theirs.signature)]
    waiting = other.numbers(theirs.signature, whole=whole)
    counts: Counter[str] = Counter()
    sums: dict[str, dict[str, list[int]]] = {}
    gaps: list[list[Any]] = []
    moves: Counter[tuple[str, str, str]] = Counter()
    changed: list[list[Any]] = []
    names = [name for name in mine.names if name in theirs.names]
    for page in store.pages(mine.signature, statements=True, whole=whole):
        if page.name not in waiting:
            counts["pages only here"] += 1
            continue
        counts["pages in both"] += 1
        earlier = other.page(waiting.pop(page.name), True)
        counts["other bytes"] += earlier.digest != page.digest
        old_units = {tuple(unit.types): unit for unit in earlier.units}
        for unit in page.units:
            old = old_units.pop(tuple(unit.types), None)
            if old is None:
                counts["units only here"] += 1
                continue
            new_markups = {each.contender: each for each in unit.markups if each.error is None}
            old_markups = {each.contender: each for each in old.markups if each.error is None}
            both = [name for name in names if name in new_markups and name in old_markups]
            for name in both:
                side = sums.setdefault(name, {"before": [0] * len(STAGES), "now": [0] * len(STAGES)})
                for place, stage in enumerate(STAGES):
                    side["before"][place] += old_markups[name].counts[stage]
                    side["now"][place] += new_markups[name].counts[stage]
                _statements(page.name, name, old_markups[name], new_markups[name], moves, changed)
            for name in both[1:]:
                was = memr(old_markups[both[0]].facts, old_markups[name].facts)
                now = memr(new_markups[both[0]].facts, new_markups[name].facts)
                if was is not None and now is not None:
                    shift = [now.a_score - was.a_score, now.b_score - was.b_score]
                    if any(abs(each) > 1e-12 for each in shift):
                        scores = [was.a_score, now.a_score, was.b_score, now.b_score]
                        gaps.append([page.name, ", ".join(unit.types), f"{both[0]} : {name}", *scores])
        counts["units only before"] += len(old_units)
    counts["pages only before"] = len(waiting)
    order = ("pages in both", "pages only here", "pages only before", "other bytes", "units only here")
    rows: list[list[Any]] = [[name, counts[name]] for name in (*order, "units only before")]
    tables.append(Table("changed-pages", "Pages of the two runs", [Column("pages"), Column("number", "count")], rows))
    tables.append(_stages(sums))
    gaps.sort(key=lambda row: (-abs(row[4] - row[3]) - abs(row[6] - row[5]), row[0]))
    columns = [Column("page"), Column("types"), Column("a : b"), Column("MeMR a before", "score")]
    columns += [Column("a now", "score"), Column("MeMR b before", "score"), Column("b now", "score")]
    tables.append(Table("changed-scores", "Units whose MeMR changed", columns, gaps))
    rows = [[name, was, now, number] for (name, was, now), number in moves.most_common()]
    columns = [Column("contender"), Column("before"), Column("now"), Column("statements", "count")]
    tables.append(Table("changed-outcomes", "Outcomes that changed", columns, rows))
    columns = [Column("page"), Column("contender"), Column("place"), Column("property"), Column("value")]
    columns += [Column("before"), Column("now"), Column("reason now")]
    note = f"The first {LISTED} of {moves.total()}." if moves.total() > LISTED else ""
    tables.append(Table("changed-statements", "Statements that changed", columns, changed, note))
    return [table for table in tables if table.rows]


def _signatures(mine: str, theirs: str) -> Table:
    """Parts of the signature lines that differ; the lines are compared as they are, not parsed back."""
    new, old = mine.split("|"), theirs.split("|")
    rows: list[list[Any]] = [[part, ""] for part in old if part not in new]
    rows += [["", part] for part in new if part not in old]
    return Table("changed-signature", "Settings that differ", [Column("before"), Column("now")], rows)


def _stages(sums: dict[str, dict[str, list[int]]]) -> Table:
    rows: list[list[Any]] = []
    for name, sides in sums.items():
        for when in ("before", "now"):
            figures = sides[when]
            rows.append([name, when, *figures, rejection_rate(dict(zip(STAGES, figures, strict=True)))])
    columns = [Column("contender"), Column("run"), *(Column(stage, "count") for stage in STAGES)]
    return Table(
        "changed-stages", "Statements by stage, units of both runs", [*columns, Column("rejected", "share")], rows
    )


def _key(statement: dict[str, Any]) -> tuple[str, str, str]:
    return statement["path"], statement["property"], json.dumps([statement["value"], statement["entity"]])


def _statements(
    page: str, name: str, old: Any, new: Any, moves: Counter[tuple[str, str, str]], changed: list[list[Any]]
) -> None:
    before = {_key(row): row for row in old.statements}
    now = {_key(row): row for row in new.statements}
    for key in [*before, *(key for key in now if key not in before)]:
        was = fate(before[key]) if key in before else "not there"
        is_now = fate(now[key]) if key in now else "not there"
        if was == is_now:
            continue
        moves[name, was, is_now] += 1
        if len(changed) < LISTED:
            row = now.get(key) or before[key]
            said = row["verdicts"].get(state_of(row)[1], {}) if key in now else {}
            shown = ", ".join(row["entity"]) if row["entity"] is not None else str(row["value"])
            changed.append([page, name, row["path"], row["property"], shown[:200], was, is_now, said.get("reason", "")])
