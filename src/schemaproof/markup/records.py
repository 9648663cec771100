"""What the walks over a page's formats note down, before nodes and statements are final."""

from __future__ import annotations

from dataclasses import dataclass, field

from schemaproof.markup.model import Diagnostic, Scalar, Source

# Objects and arrays nested deeper than this are left out, with a diagnostic.
DEPTH_LIMIT = 512
# No node is of more types than this; what is made for each set of types must not cost more than the page.
TYPE_LIMIT = 64
# As many diagnostics of one code are listed; the last one says how many there were.
LISTED = 200


@dataclass(slots=True)
class Fact:
    """A statement while the node table is still growing.

    Attributes:
        path, property, value, reference, language, datatype, reversed: as in `Statement`.
        subject: index in `Records.nodes`.
        object: index of a node given in place, or None.
        target: absolute IRI or blank node label of a reference, to be looked up at the end; "" for none.
        sources: where it was stated.
    """

    path: str
    subject: int
    property: str
    value: Scalar | None
    sources: tuple[Source, ...]
    object: int | None = None
    target: str = ""
    reference: bool = False
    language: str = ""
    datatype: str = ""
    reversed: bool = False


@dataclass(slots=True)
class Draft:
    """A node while it is still growing.

    Attributes:
        id: absolute IRI or blank node label, "" while it has none of its own.
        types: names of its types in order; the values mean nothing.
        pointer: where it first stands.
        format: of the place where it first stands.
        top: true where it stands at the top of a document.
        in_graph: true where it stands in an @graph and nowhere at the top.
    """

    id: str
    pointer: str
    format: str
    types: dict[str, None] = field(default_factory=dict)
    top: bool = False
    in_graph: bool = False


class Diagnostics:
    """What there is to say about a markup: all of it counted, so much of each kind listed."""

    def __init__(self) -> None:
        self._listed: list[Diagnostic] = []
        self._counts: dict[str, int] = {}

    def report(self, code: str, message: str, path: str, severity: str = "warning") -> None:
        """Add a diagnostic."""
        count = self._counts[code] = self._counts.get(code, 0) + 1
        if count <= LISTED:
            self._listed.append(Diagnostic(code, message, path, severity))

    def mark(self) -> tuple[int, dict[str, int]]:
        """The state to come back to with `reset`."""
        return len(self._listed), dict(self._counts)

    def reset(self, mark: tuple[int, dict[str, int]]) -> None:
        """Forget what was reported since the mark."""
        del self._listed[mark[0] :]
        self._counts = mark[1]

    def all(self) -> list[Diagnostic]:
        """Those listed, and for each code with more a last one that says how many."""
        more = [
            Diagnostic(code, f"{count - LISTED} more of the kind {code!r}.", "", "info")
            for code, count in self._counts.items()
            if count > LISTED
        ]
        return self._listed + more


@dataclass(slots=True)
class Records:
    """All that the walks over the documents of a page found."""

    nodes: list[Draft] = field(default_factory=list)
    by_id: dict[str, int] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    foreign: int = 0
    diagnostics: Diagnostics = field(default_factory=Diagnostics)

    def node(self, identifier: str, pointer: str, format: str) -> int:  # noqa: A002  (the model's word)
        """Index of the node with that identifier, a new one where there is none or it has no identifier."""
        if identifier:
            found = self.by_id.get(identifier)
            if found is not None:
                return found
            self.by_id[identifier] = len(self.nodes)
        self.nodes.append(Draft(identifier, pointer, format))
        return len(self.nodes) - 1

    def report(self, code: str, message: str, path: str, severity: str = "warning") -> None:
        """Add a diagnostic."""
        self.diagnostics.report(code, message, path, severity)


def escape(key: str) -> str:
    """A key as a segment of a JSON Pointer (RFC 6901, clause 3)."""
    if "~" in key or "/" in key:
        return key.replace("~", "~0").replace("/", "~1")
    return key
