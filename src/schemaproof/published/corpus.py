"""Table 6: the pages and their markup."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from statistics import fmean
from typing import Any

from schemaproof.published import paper
from schemaproof.published.cells import Cell, Table, cell
from schemaproof.published.layout import FEATURES, HUMAN, STRATA, PublishedUnit

_FEATURE_UNITS = {"count_sum": 98, "pset_length": 100}
_PAIRS_WHY = (
    "the paper does not say how it counts pairs; the least agree, means and greatest come out of none of eight ways"
)
_NOTES = (
    "PV counts the values of known properties, links included; DP is over properties that Schema.org has; DT counts "
    "the units' root types; DS is the text file in units of 1000 bytes, over units",
)


def _keys(tree: Any) -> Iterator[tuple[str, int]]:
    """Keys of all objects, with how many values they have."""
    waiting = [tree]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            for name, inner in value.items():
                yield name, len(inner) if isinstance(inner, list) else 1
                waiting.append(inner)


def _figures(units: Sequence[PublishedUnit], known: Collection[str]) -> dict[str, float | int | None]:
    pairs: list[int] = []
    names: set[str] = set()
    for unit in units:
        found = [(name, number) for name, number in _keys(unit.sides[HUMAN].markup) if name in known]
        pairs.append(sum(number for _, number in found))
        names.update(name for name, _ in found)
    sizes = [unit.text.stat().st_size / 1000 for unit in units if unit.text is not None]
    return {
        "PV min": min(pairs, default=None),
        "PV mean": fmean(pairs) if pairs else None,
        "PV max": max(pairs, default=None),
        "DP": len(names) if units else None,
        "DT": len({kind for unit in units for kind in unit.types}) if units else None,
        "DS min": min(sizes, default=None),
        "DS mean": fmean(sizes) if sizes else None,
        "DS max": max(sizes, default=None),
    }


def corpus_table(units: Sequence[PublishedUnit], known: Collection[str]) -> Table:
    """Table 6.

    Arguments:
        units: the artefact's units.
        known: names of the vocabulary's properties.
    """
    whole = {name: sum(unit.feature == name for unit in units) == size for name, size in _FEATURE_UNITS.items()}
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    groups = [(feature, stratum, f"{feature} {stratum}") for feature in FEATURES for stratum in STRATA]
    for feature, stratum, label in [*groups, ("", "Overall", "Overall")]:
        own = [unit for unit in units if not feature or (unit.feature == feature and STRATA[unit.stratum] == stratum)]
        complete = whole[feature] if feature else all(whole.values())
        printed = paper.PAGES[feature, stratum]
        rows.append(
            (
                label,
                tuple(
                    cell(
                        column,
                        printed[column],
                        value,
                        partial="" if complete else f"over {len(own)} units, not all of them",
                        missing=f"{feature or 'the artefact'} is not here",
                        why=_PAIRS_WHY if column.startswith("PV") else "",
                    )
                    for column, value in _figures(own, known).items()
                ),
            )
        )
    return Table("6", "The pages and their markup", tuple(rows), _NOTES)
