"""Two markups of one page beside each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from schemaproof.api.frame import Frame, html_table
from schemaproof.api.reading import Markup, read_markup


@dataclass(slots=True, repr=False)
class Comparison(Frame):
    """MeMR of two markups of one page.

    Attributes:
        a_score, b_score: share of the merged markup that each covers; None where nothing is stated on either side.
        a_facts, b_facts: property to number of distinct facts.
    """

    a_score: float | None
    b_score: float | None
    a_facts: dict[str, int]
    b_facts: dict[str, int]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row a property: property, a, b."""
        names = sorted(self.a_facts.keys() | self.b_facts.keys())
        return [{"property": name, "a": self.a_facts.get(name, 0), "b": self.b_facts.get(name, 0)} for name in names]

    def __repr__(self) -> str:
        if self.a_score is None or self.b_score is None:
            return "<Comparison: nothing to compare>"
        return f"<Comparison a {self.a_score:.3f} : {self.b_score:.3f} b>"

    def _repr_html_(self) -> str:
        rows = [[row["property"], row["a"], row["b"]] for row in self.rows]
        return html_table(repr(self).strip("<>"), ["property", "a", "b"], rows)


def memr(a: Markup, b: Markup, *, weights: Mapping[str, float] | None = None) -> Comparison:
    """Whose markup of the same page covers more: each one's share of the merged markup.

    Arguments:
        a, b: the markups, scored as they are; `clean` them first where wrong statements must not count.
        weights: property to weight of 0 or more, "*" for all others.

    Raises: InputError for what is no markup, SourceError.

    Source: paper, section 3.6 and Algorithm 1.
    """
    from schemaproof.markup import page_graph
    from schemaproof.scoring.memr import counts
    from schemaproof.scoring.memr import memr as score
    from schemaproof.vocabulary import load

    vocabulary = load()
    facts = [counts(page_graph(read_markup(each), vocabulary, assume_schema_org=True), None) for each in (a, b)]
    found = score(facts[0], facts[1], weights)
    sides = (None, None) if found is None else (found.a_score, found.b_score)
    return Comparison(*sides, *(dict(sorted(each.items())) for each in facts))
