"""A statement as something to look for: its value cleaned, its shape, and what its place in the markup says of it."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.grounding.lexicon import concepts_of, is_listed
from schemaproof.agents.grounding.locales import level
from schemaproof.agents.grounding.shapes import Shape, shape_of
from schemaproof.agents.grounding.words import words_of
from schemaproof.markup.model import Graph, Scalar, Statement
from schemaproof.vocabulary import Vocabulary

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,2000}>|<!--.*?-->", re.DOTALL)
_LOCAL = re.compile(r"[^/#:]+$")

# Properties whose name alone does not say what the value is: the property that leads to their node does.
GENERIC = frozenset(
    [
        "name",
        "value",
        "text",
        "url",
        "description",
        "minValue",
        "maxValue",
        "unitCode",
        "unitText",
        "item",
        "identifier",
        "alternateName",
        "title",
        "image",
        "legalName",
        "givenName",
        "familyName",
        "sameAs",
        "id",
        "propertyID",
    ]
)
# Properties that lead from a thing to a part of its description, not to another thing.
_PASSING = frozenset(
    ["value", "valueReference", "item", "itemListElement", "offers", "itemOffered", "mainEntity", "hasPart"]
)


class Owners:
    """Names of a markup's entities, looked up when they are asked for.

    Arguments:
        graph: the markup.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._names: dict[int, list[str]] = {}

    @cached_property
    def above(self) -> dict[int, int]:
        """Node → the node that leads to it."""
        found: dict[int, int] = {}
        for statement in self.graph.statements:
            if statement.object is not None and statement.object != statement.subject:
                found.setdefault(statement.object, statement.subject)
        return found

    def name_of(self, index: int, but: str = "") -> str:
        """Name of a node, or of the nearest of the four above it; another text than `but`."""
        for _ in range(5):
            if not 0 <= index < len(self.graph.nodes):
                break
            for value in self._names_of(index):
                if value != but:
                    return level(clean(value)) if len(value) < 120 else ""
            index = self.above.get(index, -1)
        return ""

    def _names_of(self, index: int) -> list[str]:
        """The first name of a node and the first that differs from it: one of them is another text than any given."""
        names = self._names.get(index)
        if names is None:
            names = self._names[index] = []
            for each in self.graph.nodes[index].statements:
                other = self.graph.statements[each]
                value = other.value
                if other.property in ("name", "headline") and isinstance(value, str) and value.strip():
                    if value not in names:
                        names.append(value)
                    if len(names) == 2:
                        break
        return names


@dataclass(frozen=True, slots=True)
class Claim:
    """What one statement claims.

    Attributes:
        statement: the statement.
        name: its property, bare.
        text: its value as text: entities resolved, HTML tags taken out, outer space trimmed.
        folded: `text` folded; `words` its words.
        cut: true where the text ends in an ellipsis.
        shape: how it is looked for.
        path: properties from the root, the statement's own last.
        concepts: what labels to look for, the property's own first.
        role: concept of the property that leads to the statement's node where the property itself is generic.
        depth: number of properties above.
        owners: names the entities of the markup.
    """

    statement: Statement
    name: str
    text: str
    folded: str
    words: tuple[str, ...]
    cut: bool
    shape: Shape
    path: tuple[str, ...]
    concepts: tuple[str, ...]
    role: str
    depth: int
    owners: Owners

    @property
    def owner(self) -> str:
        """Name of the entity that it is stated of, or of the one above, as folded words; "" if there is none."""
        return self.owners.name_of(self.statement.subject, self.text)

    @property
    def value(self) -> Scalar:
        """The literal as in the source."""
        value = self.statement.value
        return "" if value is None else value

    @property
    def types(self) -> tuple[str, ...]:
        """Types of the statement's node."""
        return self.statement.types


def bare_name(name: str) -> str:
    """The last part of a property's IRI; bare names stay."""
    if ":" not in name and "/" not in name:
        return name
    match = _LOCAL.search(name)
    return match.group() if match else name


def clean(value: Scalar) -> str:
    """A value as the text a reader would see of it."""
    text = str(value)
    for _ in range(2):
        if "&" not in text:
            break
        text = html.unescape(text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    return text.strip()


@lru_cache(maxsize=4096)
def _concepts(name: str, path: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """The concepts whose labels bind a statement, and the role that its node plays."""
    concepts = list(concepts_of(name)) if name not in GENERIC or is_listed(name) else []
    role = ""
    if name in GENERIC or name in ("minValue", "maxValue"):
        for above in reversed(path[:-1]):
            if above in _PASSING:
                continue
            role = concepts_of(above)[0]
            concepts += [each for each in concepts_of(above) if each not in concepts]
            if above not in GENERIC:
                break
    return tuple(concepts), role


def claim_of(owners: Owners, statement: Statement, vocabulary: Vocabulary) -> Claim:
    """The claim that a literal statement makes; `owners` are those of its markup."""
    name = bare_name(statement.property)
    if (
        name not in vocabulary.properties
        and name[:1].isupper()
        and name[:1].lower() + name[1:] in vocabulary.properties
    ):
        name = name[:1].lower() + name[1:]
    value = "" if statement.value is None else statement.value
    text = clean(value)
    folded = fold(text).text
    cut = folded.rstrip().endswith(("…", "...", "[...]"))
    path = tuple(bare_name(step.property) for step in statement.chain) or (name,)
    concepts, role = _concepts(name, path)
    return Claim(
        statement=statement,
        name=name,
        text=text,
        folded=folded,
        words=tuple(words_of(folded)),
        cut=cut,
        shape=shape_of(vocabulary, name, value if isinstance(value, (bool, int, float)) else text),
        path=path,
        concepts=concepts,
        role=role,
        depth=len(path) - 1,
        owners=owners,
    )
