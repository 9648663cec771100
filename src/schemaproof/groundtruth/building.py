"""Builds ground truth for the agents from official examples, so that a judge that does not read cannot tell.

Factuality, extrinsic: every statement that its own text says (right) comes again with the text of an unrelated example
(wrong). Factuality, intrinsic: it comes again with a figure changed in its own text, or two values of the same text
whose properties lie far apart are exchanged, both ways. Compliance: two text values of an example whose properties lie
far apart are exchanged, both ways. So a statement, a property or a value is as often right as wrong, and types are
given on both sides. What pairs of property and value still tell is measured (`blind`), and the groups that give most
away are left out until no blind judge is better than 0.58, or it is said that this cannot be reached.

The published ground truth (paper, sections 4.1.1 and 4.2.1) gave types to right rows only, and took its wrong ones from
the same text; see docs/decisions/051-ground-truth.md.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from schemaproof.groundtruth.blind import BASELINES, CHANCE, blind_accuracies, telling_groups, value_shape
from schemaproof.groundtruth.distance import Distance
from schemaproof.groundtruth.examples import Example, fold, stands
from schemaproof.groundtruth.row import COMPLIANCE, FACTUALITY, Row, split_of
from schemaproof.markup.model import Statement
from schemaproof.vocabulary import Vocabulary

EXTRINSIC = "factuality_extrinsic"
INTRINSIC = "factuality_intrinsic"
FAR = 0.85
# Share of the values with a figure that are edited; the others are exchanged.
EDITED = 0.6
_FIGURE = re.compile(r"\d+")
_SOURCE = "Schema.org {release}, official example {id}, CC BY-SA 3.0"


@dataclass(slots=True)
class Built:
    """What was built.

    Attributes:
        sets: rows by name of the set, right and wrong ones in equal number.
        warnings: what could not be balanced, in words.
        dropped: groups left out of each set because they gave the answer away.
    """

    sets: dict[str, list[Row]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    dropped: dict[str, int] = field(default_factory=dict)


class Builder:
    """Builds the sets.

    Arguments:
        examples: official examples.
        vocabulary: of their terms.
        distance: between properties.
        seed: of the random numbers; the same seed and file give the same rows.
    """

    def __init__(self, examples: Sequence[Example], vocabulary: Vocabulary, distance: Distance, seed: int = 0) -> None:
        self.examples = list(examples)
        self.vocabulary = vocabulary
        self.distance = distance
        self.seed = seed
        self._said: dict[str, list[Statement]] = {}
        self._literals: dict[str, list[Statement]] = {}
        for example in self.examples:
            literals = [each for each in example.graph(vocabulary).statements if self._usable(each)]
            self._literals[example.id] = literals
            self._said[example.id] = _distinct(each for each in literals if example.states(each))
        self._by_group: dict[str, list[Example]] = defaultdict(list)
        for example in self.examples:
            self._by_group[example.group].append(example)

    def build(self) -> Built:
        """All sets, balanced."""
        built = Built()
        for name, rows in (
            (EXTRINSIC, self.extrinsic()),
            (INTRINSIC, self.intrinsic()),
            (COMPLIANCE, self.compliance()),
        ):
            kept, dropped, warning = balance(_numbered(rows))
            built.sets[name] = kept
            built.dropped[name] = dropped
            if warning:
                built.warnings.append(f"{name}: {warning}")
        return built

    def extrinsic(self) -> Iterator[Row]:
        """Statements with their own text and with the text of an unrelated example of the same split."""
        rng = random.Random(self.seed)
        by_split: dict[str, list[Example]] = defaultdict(list)
        for example in self.examples:
            by_split[split_of(example.group, self.seed)].append(example)
        for example in self.examples:
            others = list(by_split[split_of(example.group, self.seed)])
            rng.shuffle(others)
            for statement in self._said[example.id]:
                value = fold(str(statement.value))
                other = next((each for each in others if self._unrelated(example, each, value)), None)
                if other is not None:
                    right = self._row(EXTRINSIC, FACTUALITY, example, statement)
                    yield right
                    yield replace(right, text=other.text, label=False, kind="other-text")

    def intrinsic(self) -> Iterator[Row]:
        """Statements with their own text and with a figure of it changed, and exchanged values."""
        rng = random.Random(self.seed + 1)
        for example in self.examples:
            said = self._said[example.id]
            edited = {}
            for statement in said:
                text = _edited(example.text, str(statement.value), rng)
                if text is not None and rng.random() < EDITED:
                    edited[statement.path] = text
                    right = self._row(INTRINSIC, FACTUALITY, example, statement)
                    yield right
                    yield replace(right, text=text, label=False, kind="numeric-edit")
            rest = [each for each in said if each.path not in edited]
            for first, second in self._exchanges(example, rest, rng):
                for one, other in ((first, second), (second, first)):
                    right = self._row(INTRINSIC, FACTUALITY, example, one)
                    yield right
                    yield replace(right, value=_value(other), label=False, kind="swap")

    def compliance(self) -> Iterator[Row]:
        """Text values with their own property and with a distant one of the same example."""
        rng = random.Random(self.seed + 2)
        for example in self.examples:
            texts = _distinct(
                each
                for each in self._literals[example.id]
                if self.vocabulary.text_range(each.property) and not self._general(each.property)
            )
            for first, second in self._exchanges(example, texts, rng):
                for one, other in ((first, second), (second, first)):
                    right = self._row(COMPLIANCE, COMPLIANCE, example, one)
                    yield right
                    yield replace(right, value=_value(other), label=False, kind="swap")

    def long(self, rows: Sequence[Row], pages: Sequence[tuple[str, str, str]]) -> list[Row]:
        """Factuality rows with their text in the middle of a real page that says nothing of the kind.

        Arguments:
            rows: of one set.
            pages: id, visible text and language of real pages.
        """
        rng = random.Random(self.seed + 3)
        folded = {key: fold(text) for key, text, _ in pages}
        chosen = {group: rng.choice(list(pages)) for group in sorted({row.group for row in rows})}
        # Right and wrong rows of a property go together, or the property would tell.
        spoilt = {
            (row.group, row.property) for row in rows if stands(fold(str(row.value)), folded[chosen[row.group][0]])
        }
        found = []
        for row in rows:
            key, text, language = chosen[row.group]
            if (row.group, row.property) not in spoilt:
                lines = text.split("\n")
                middle = len(lines) // 2
                whole = "\n".join([*lines[:middle], row.text, *lines[middle:]])
                name = row.set + "_long"
                found.append(replace(row, id=f"{row.id}:{key[:8]}", set=name, text=whole, language=language or "en"))
        return found

    def _usable(self, statement: Statement) -> bool:
        value = statement.value
        if value is None or statement.entity is not None or statement.reference or isinstance(value, bool):
            return False
        text = str(value).strip()
        return statement.property in self.vocabulary.properties and bool(text) and "://" not in text

    def _general(self, name: str) -> bool:
        """Properties of every thing (name, description) may hold nearly any text; exchanging shows nothing."""
        return "Thing" in self.vocabulary.properties[name].domains

    def _unrelated(self, example: Example, other: Example, value: str) -> bool:
        if other.group == example.group or stands(value, other.folded):
            return False
        if set(other.terms) & set(example.terms):
            return False
        return not any(word in other.folded for word in re.findall(r"\w{4,}", value))

    def _exchanges(
        self, example: Example, statements: Sequence[Statement], rng: random.Random
    ) -> Iterator[tuple[Statement, Statement]]:
        """Pairs of statements of far properties, each statement once; those of like shape first."""
        own = defaultdict(set)
        for each in self._literals[example.id]:
            own[each.property].add(fold(str(each.value)))
        pairs = []
        for place, first in enumerate(statements):
            for second in statements[place + 1 :]:
                if self.distance(first.property, second.property) < FAR:
                    continue
                if fold(str(second.value)) in own[first.property] or fold(str(first.value)) in own[second.property]:
                    continue
                alike = value_shape(first.value) == value_shape(second.value)
                pairs.append((not alike, rng.random(), first, second))
        used: set[str] = set()
        for _, _, first, second in sorted(pairs, key=lambda pair: pair[:2]):
            if first.path not in used and second.path not in used:
                used |= {first.path, second.path}
                yield first, second

    def _row(self, name: str, agent: str, example: Example, statement: Statement) -> Row:
        return Row(
            "",
            name,
            agent,
            example.group,
            statement.types,
            statement.property,
            _value(statement),
            True,
            example.text,
            language="en",
            split=split_of(example.group, self.seed),
            source=_SOURCE.format(release=self.vocabulary.release, id=example.id),
        )


def _value(statement: Statement) -> str | int | float | bool:
    assert statement.value is not None
    return statement.value


def _distinct(statements: Iterator[Statement]) -> list[Statement]:
    """One statement of each property, value and types."""
    seen = set()
    found = []
    for each in statements:
        key = (each.property, str(each.value), each.types)
        if key not in seen:
            seen.add(key)
            found.append(each)
    return found


def _edited(text: str, value: str, rng: random.Random) -> str | None:
    """The text with the value's first figure changed wherever the value stands; None where it has no figure there."""
    figure = _FIGURE.search(value)
    if figure is None or value not in text:
        return None
    old = figure[0]
    for _ in range(20):
        new = "".join(str(rng.randint(1 if place == 0 and len(old) > 1 else 0, 9)) for place in range(len(old)))
        changed = value[: figure.start()] + new + value[figure.end() :]
        if new != old and changed not in text:
            return text.replace(value, changed)
    return None


def _numbered(rows: Iterator[Row]) -> list[Row]:
    """Rows with ids, each right or wrong once."""
    found: dict[tuple[str, str, str, tuple[str, ...], str, bool], Row] = {}
    for row in rows:
        found.setdefault((row.group, row.property, str(row.value), row.types, row.text, row.label), row)
    return [replace(row, id=f"{row.set}:{number}") for number, row in enumerate(found.values())]


def balance(rows: list[Row], chance: float = CHANCE) -> tuple[list[Row], int, str]:
    """Leave out groups that give most away until no blind judge is better than chance allows.

    Arguments:
        rows: of one set.
        chance: highest balanced accuracy of a blind judge.

    Returns:
        The rows kept, how many groups were left out, and a warning ("" if none) that names what stays above.
    """
    groups = {row.group for row in rows}
    dropped: set[str] = set()
    while True:
        kept = [row for row in rows if row.group not in dropped]
        found = blind_accuracies(kept)
        worst, accuracy = max(found.items(), key=lambda item: item[1], default=("", 0.0))
        if accuracy <= chance:
            return kept, len(dropped), ""
        telling = telling_groups(kept, BASELINES[worst])
        ranked = sorted(telling, key=lambda group: (-telling[group], group))
        step = [group for group in ranked if telling[group] > 0][: max(1, len(groups) // 50)]
        if not step or len(dropped) + len(step) > len(groups) // 2:
            above = ", ".join(f"{name} {value:.2f}" for name, value in found.items() if value > chance)
            return kept, len(dropped), f"a judge that does not read still tells right from wrong ({above})"
        dropped.update(step)
