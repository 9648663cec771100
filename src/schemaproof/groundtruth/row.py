"""One decision of a benchmark, whatever file it came from, and the markup it is judged as."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from schemaproof.markup.model import Graph, Node, Scalar, Statement, Step

FACTUALITY = "factuality"
COMPLIANCE = "compliance"
SPLITS = ("fit", "tune", "test")


@dataclass(frozen=True, slots=True)
class Row:
    """One decision.

    Attributes:
        id: unique within its set.
        set: name of the set.
        agent: "factuality" or "compliance": who decides.
        group: what is split and resampled as one: the id of a text, an example or a page.
        types: types of the entity; empty where not given.
        property, value: the statement.
        label: whether it is right.
        text: the text it is judged against (factuality); "" where `page` names a page.
        page: id of a page, see `bench judges --pages`.
        language: BCP 47 primary subtag, or "".
        path: the way from the root, "Article > author > Person > name", or "".
        split: "fit", "tune", "test", or "".
        kind: how a wrong one was made ("numeric-edit", "swap", "other-text"...), or what a reader called it.
        evidence: what a reader gave as evidence, or "".
        reason: why a reader judged so, or "".
        snippet: what the paper counts as one: the id of a snippet, or "".
        recorded: recorded answers by judge ("mixtral").
        snippet_recorded: recorded answers by judge for the whole snippet.
        source: where it comes from and under which licence.
        first: false for a duplicate, which is judged no second time.
    """

    id: str
    set: str
    agent: str
    group: str
    types: tuple[str, ...]
    property: str
    value: Scalar
    label: bool
    text: str = ""
    page: str = ""
    language: str = ""
    path: str = ""
    split: str = ""
    kind: str = ""
    evidence: str = ""
    reason: str = ""
    snippet: str = ""
    recorded: Mapping[str, bool] = field(default_factory=dict)
    snippet_recorded: Mapping[str, bool] = field(default_factory=dict)
    source: str = ""
    first: bool = True

    def as_dict(self) -> dict[str, Any]:
        """The row as `bench build` writes it."""
        return {
            "id": self.id,
            "set": self.set,
            "agent": self.agent,
            "split": self.split,
            "group": self.group,
            "types": list(self.types),
            "property": self.property,
            "value": self.value,
            "label": "positive" if self.label else "negative",
            "kind": self.kind,
            "language": self.language,
            "text": self.text,
            "path": self.path,
            "source": self.source,
        }


def digest(text: str, length: int = 16) -> str:
    """A short stable id of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def split_of(group: str, seed: int = 0) -> str:
    """The split of a group: of ten, six are for fitting, two for tuning, two for the test."""
    return SPLITS[(0, 0, 0, 0, 0, 0, 1, 1, 2, 2)[int(digest(f"split:{seed}:{group}"), 16) % 10]]


def markup_of(row: Row) -> tuple[Graph, int]:
    """The row's statement as a markup of its own, and its index: the nodes of its path, each with one statement."""
    parts = row.path.split(" > ") if row.path else []
    steps = [
        Step(() if parts[at] == "{}" else tuple(each.strip() for each in parts[at].split(",")), parts[at + 1])
        for at in range(0, len(parts) - 1, 2)
    ]
    if not steps or steps[-1].property != row.property:
        steps = [Step(row.types, row.property)]
    statements, nodes = [], []
    for number, step in enumerate(steps):
        last = number == len(steps) - 1
        statements.append(
            Statement(
                "".join(f"/{each.property}" for each in steps[: number + 1]),
                row.types if last else step.types,
                step.property,
                row.value if last else None,
                None if last else steps[number + 1].types,
                number,
                None if last else number + 1,
                chain=tuple(steps[: number + 1]),
            )
        )
        nodes.append(Node(number, f"_:b{number}", row.types if last else step.types, "", (number,)))
    return Graph((), tuple(nodes), tuple(statements), roots=(0,)), len(steps) - 1
