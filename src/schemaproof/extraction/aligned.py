"""The profile `aligned`: every leaf of answer and gold is correct, wrong, missing or invented.

Lists are matched item by item, whatever their order, by the assignment that makes most leaves correct (then most
alike); leaves are compared by what they are (`comparators`). What says nothing (null, an empty text, list or object)
has no leaf: writing null and leaving the member out are the same.

Laws, each with a test: shuffling items or members changes no figure; swapping answer and gold swaps precision and
recall, missing and invented, and keeps F1; a value against itself is exactly 1.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schemaproof.errors import InputError
from schemaproof.extraction.assignment import FREE, assign
from schemaproof.extraction.comparators import NO_RULES, SHORT, Comparison, Rules, compare, kind_of_leaf
from schemaproof.extraction.schema_check import pointer
from schemaproof.extraction.schema_walk import SchemaWalk

DEPTH_LIMIT = 100
# More pairs of items than this, long items counting more, are first thinned out by the leaves they share.
PAIR_LIMIT = 20_000
# Effort spent on one row, in characters; beyond, items are taken in canonical order. An answer must not cost minutes.
CHARACTERS = 4_000_000
_UNIT = 1 << 20
_CORRECT = 1 << 44

Schema = Mapping[str, Any]
Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """The verdict on one leaf.

    Attributes:
        path: its path, dots for members, `[*]` for items of lists.
        verdict: "correct", "wrong", "missing" (only gold has it) or "invented" (only the answer has it).
        comparator: what compared it, or its kind where there was nothing to compare.
        similarity: 0 to 1.
        depth: members and lists between the root and the leaf.
        answer, gold: the leaf on either side, None where there is none.
        answer_pointer, gold_pointer: JSON Pointers (RFC 6901), None where there is none.
    """

    path: str
    verdict: str
    comparator: str
    similarity: float
    depth: int
    answer: Any = None
    gold: Any = None
    answer_pointer: str | None = None
    gold_pointer: str | None = None


def is_nothing(value: Any) -> bool:
    """Whether a value says nothing: null, a blank text, a list or object without anything in it."""
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict):
            waiting.extend(current.values())
        elif isinstance(current, list):
            waiting.extend(current)
        elif current is not None and not (isinstance(current, str) and not current.strip()):
            return False
    return True


def depth_of(value: Any) -> int:
    """Levels of objects and lists."""
    deepest, waiting = 0, [(value, 0)]
    while waiting:
        current, depth = waiting.pop()
        inner = current.values() if isinstance(current, dict) else current if isinstance(current, list) else ()
        deepest = max(deepest, depth)
        waiting.extend((each, depth + 1) for each in inner)
    return deepest


def canonical(value: Any) -> str:
    """A text that is the same for values that differ only in the order of members and items, or in nothings."""
    if isinstance(value, dict):
        return (
            "{"
            + ",".join(f"{json.dumps(k)}:{canonical(value[k])}" for k in sorted(value) if not is_nothing(value[k]))
            + "}"
        )
    if isinstance(value, list):
        return "[" + ",".join(sorted(canonical(item) for item in value if not is_nothing(item))) + "]"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return json.dumps(value, ensure_ascii=False)


def align(answer: Any, gold: Any, schema: Any = None, rules: Rules = NO_RULES) -> list[Leaf]:
    """The verdict on every leaf of two values.

    Arguments:
        answer, gold: parsed JSON.
        schema: the JSON Schema; its types, formats and enumerations help to choose comparators.
        rules: the user's comparators.

    Returns:
        Leaves in the order of gold's paths; of a list, matched items first.

    Raises:
        InputError: nested deeper than 100 levels.
    """
    for value, name in ((answer, "the answer"), (gold, "the gold value")):
        if depth_of(value) > DEPTH_LIMIT:
            raise InputError(f"{name} is nested deeper than {DEPTH_LIMIT} levels")
    walk = SchemaWalk(schema)
    return list(_Alignment(walk, rules).leaves(answer, gold, walk.root, "", 0, (), ()))


class _Alignment:
    """One comparison of two values; remembers what it compared."""

    def __init__(self, walk: SchemaWalk, rules: Rules) -> None:
        self.walk = walk
        self.rules = rules
        self._weights: dict[tuple[int, int], tuple[int, int, int]] = {}
        self._pairs: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._room = CHARACTERS
        self._leaf_schemas: dict[int, Schema] = {}
        self._members: dict[tuple[int, str], Schema] = {}

    # Schema parts live as long as the schema, so their ids name them.
    def _member(self, node: Schema, key: str) -> Schema:
        name = (id(node), key)
        known = self._members.get(name)
        if known is None:
            known = self._members[name] = self.walk.member(node, key)
        return known

    def _compare(self, answer: Any, gold: Any, node: Schema, path: str) -> Comparison:
        known = self._leaf_schemas.get(id(node))
        if known is None:
            known = self._leaf_schemas[id(node)] = self.walk.leaf(node)
        self._room -= _effort(answer) + _effort(gold)
        return compare(answer, gold, known, self.rules.of(path))

    def leaves(
        self, answer: Any, gold: Any, node: Schema, path: str, depth: int, at: Place, at_gold: Place
    ) -> Iterator[Leaf]:
        """Verdicts on all leaves below two values that stand for the same."""
        if self.rules.of(path).comparator == "ignore":
            return
        no_answer, no_gold = is_nothing(answer), is_nothing(gold)
        if no_answer or no_gold:
            if not no_gold:
                yield from self._alone(gold, node, path, depth, at_gold, "missing")
            if not no_answer:
                yield from self._alone(answer, node, path, depth, at, "invented")
        elif isinstance(answer, dict) and isinstance(gold, dict):
            for key in (*gold, *(key for key in answer if key not in gold)):
                yield from self.leaves(
                    answer.get(key), gold.get(key), self._member(node, key), joined(path, key), depth + 1,
                    (*at, key), (*at_gold, key),
                )  # fmt: skip
        elif isinstance(answer, list) and isinstance(gold, list):
            inner, below = self.walk.items(node), path + "[*]"
            pairs = self.pairs(answer, gold, inner, below)
            for one, other in pairs:
                yield from self.leaves(answer[one], gold[other], inner, below, depth + 1, (*at, one), (*at_gold, other))
            matched, wanted = {one for one, _ in pairs}, {other for _, other in pairs}
            for other, item in enumerate(gold):
                if other not in wanted:
                    yield from self._alone(item, inner, below, depth + 1, (*at_gold, other), "missing")
            for one, item in enumerate(answer):
                if one not in matched:
                    yield from self._alone(item, inner, below, depth + 1, (*at, one), "invented")
        elif isinstance(answer, dict | list) or isinstance(gold, dict | list):
            yield from self._alone(gold, node, path, depth, at_gold, "missing")
            yield from self._alone(answer, node, path, depth, at, "invented")
        else:
            found = self._compare(answer, gold, node, path)
            yield Leaf(
                path, "correct" if found.correct else "wrong", found.comparator, found.similarity, depth,
                answer, gold, pointer(at), pointer(at_gold),
            )  # fmt: skip

    def _alone(self, value: Any, node: Schema, path: str, depth: int, at: Place, verdict: str) -> Iterator[Leaf]:
        """Leaves that only one side has."""
        if is_nothing(value) or self.rules.of(path).comparator == "ignore":
            return
        if isinstance(value, dict):
            for key, inner in value.items():
                below = joined(path, key)
                yield from self._alone(inner, self._member(node, key), below, depth + 1, (*at, key), verdict)
        elif isinstance(value, list):
            part = self.walk.items(node)
            for place, inner in enumerate(value):
                yield from self._alone(inner, part, path + "[*]", depth + 1, (*at, place), verdict)
        else:
            kind = kind_of_leaf(value, self.walk.leaf(node), self.rules.of(path))
            if verdict == "missing":
                yield Leaf(path, verdict, kind, 0.0, depth, None, value, None, pointer(at))
            else:
                yield Leaf(path, verdict, kind, 0.0, depth, value, None, pointer(at), None)

    def weigh(self, answer: Any, gold: Any, node: Schema, path: str) -> tuple[int, int, int]:
        """What matching two values is worth: leaves correct, likeness of all leaves in 2^-20, larger leaf count."""
        name = (id(answer), id(gold))
        simple = not isinstance(answer, dict | list) or not isinstance(gold, dict | list)
        known = None if simple else self._weights.get(name)
        if known is None:
            known = self._weighed(answer, gold, node, path)
            if not simple:
                self._weights[name] = known
        return known

    def _weighed(self, answer: Any, gold: Any, node: Schema, path: str) -> tuple[int, int, int]:
        if self.rules.of(path).comparator == "ignore":
            return 0, 0, 0
        if isinstance(answer, dict) and isinstance(gold, dict):
            correct = soft = size = 0
            for key in (*gold, *(key for key in answer if key not in gold)):
                one, other = answer.get(key), gold.get(key)
                if is_nothing(one) and is_nothing(other):
                    continue
                each = self.weigh(one, other, self._member(node, key), joined(path, key))
                correct, soft, size = correct + each[0], soft + each[1], size + each[2]
            return correct, soft, size
        if isinstance(answer, list) and isinstance(gold, list):
            inner, below = self.walk.items(node), path + "[*]"
            correct = soft = size = 0
            pairs = self.pairs(answer, gold, inner, below)
            for one, other in pairs:
                each = self.weigh(answer[one], gold[other], inner, below)
                correct, soft, size = correct + each[0], soft + each[1], size + each[2]
            return correct, soft, max(size, count_leaves(answer), count_leaves(gold))
        if isinstance(answer, dict | list) or isinstance(gold, dict | list) or is_nothing(answer) or is_nothing(gold):
            return 0, 0, max(count_leaves(answer), count_leaves(gold))
        found = self._compare(answer, gold, node, path)
        return int(found.correct), round(found.similarity * _UNIT), 1

    def pairs(self, answer: list[Any], gold: list[Any], node: Schema, path: str) -> list[tuple[int, int]]:
        """Items that answer to each other, as (place in answer, place in gold), in the order of gold."""
        name = (id(answer), id(gold))
        known = self._pairs.get(name)
        if known is None:
            known = self._pairs[name] = sorted(self._matched(answer, gold, node, path), key=lambda pair: pair[1])
        return known

    def _matched(self, answer: list[Any], gold: list[Any], node: Schema, path: str) -> list[tuple[int, int]]:
        ours = sorted((canonical(item), place) for place, item in enumerate(answer) if not is_nothing(item))
        theirs = sorted((canonical(item), place) for place, item in enumerate(gold) if not is_nothing(item))
        same, ours, theirs = _without_equal(ours, theirs)
        # The smaller side in a fixed order comes first, so that swapping the sides gives the same pairs.
        swapped = (len(ours), [text for text, _ in ours]) > (len(theirs), [text for text, _ in theirs])
        rows, columns = (theirs, ours) if swapped else (ours, theirs)
        if self._room <= 0:
            return same + [(one, other) for (_, one), (_, other) in zip(ours, theirs, strict=False)]
        chosen: list[tuple[int, int]] = []
        for row_block, column_block in self._blocks(
            rows, columns, gold if swapped else answer, answer if swapped else gold
        ):
            weights: list[list[int]] = []
            for at, row in enumerate(row_block):
                line = []
                for to, column in enumerate(column_block):
                    if self._room <= 0:
                        line.append(int(at == to))
                        continue
                    one, other = (column, row) if swapped else (row, column)
                    correct, soft, size = self.weigh(answer[one], gold[other], node, path)
                    # Items without anything in common are not each other's wrong version.
                    line.append(correct * _CORRECT + soft if correct or soft * 2 >= size * _UNIT > 0 else 0)
                weights.append(line)
            for place, column in enumerate(assign(weights)):
                if column != FREE and weights[place][column]:
                    pair = row_block[place], column_block[column]
                    chosen.append((pair[1], pair[0]) if swapped else pair)
        return same + chosen

    def _blocks(
        self, rows: list[tuple[str, int]], columns: list[tuple[str, int]], row_items: list[Any], column_items: list[Any]
    ) -> Iterator[tuple[list[int], list[int]]]:
        """All rows against all columns; where that is too much, items that share most leaves first, then by order."""
        left, right = [place for _, place in rows], [place for _, place in columns]
        sizes = [sum(len(text) + 100 for text, _ in side) / 100 for side in (rows, columns)]
        if len(left) * sizes[1] + len(right) * sizes[0] <= 2 * PAIR_LIMIT:
            if left and right:
                yield left, right
            return
        for one, other in shared_leaves(left, right, row_items, column_items):
            yield [one], [other]
            left.remove(one)
            right.remove(other)
        each = (sizes[0] + sizes[1]) / (len(rows) + len(columns))
        side = max(1, int(math.sqrt(PAIR_LIMIT / each)))
        for start in range(0, max(len(left), len(right)), side):
            block = left[start : start + side], right[start : start + side]
            if block[0] and block[1]:
                yield block


def _effort(leaf: Any) -> int:
    """What comparing a leaf costs, in characters of short text; long texts take n-grams."""
    if not isinstance(leaf, str):
        return 10
    return 10 + (len(leaf) if len(leaf) <= SHORT else 4 * len(leaf))


def _without_equal(
    ours: list[tuple[str, int]], theirs: list[tuple[str, int]]
) -> tuple[list[tuple[int, int]], list[tuple[str, int]], list[tuple[str, int]]]:
    """Take out the pairs with the same text of two sorted lists."""
    pairs, left, right = [], [], []
    at = to = 0
    while at < len(ours) and to < len(theirs):
        if ours[at][0] == theirs[to][0]:
            pairs.append((ours[at][1], theirs[to][1]))
            at, to = at + 1, to + 1
        elif ours[at][0] < theirs[to][0]:
            left.append(ours[at])
            at += 1
        else:
            right.append(theirs[to])
            to += 1
    return pairs, left + ours[at:], right + theirs[to:]


def shared_leaves(
    left: Sequence[int], right: Sequence[int], left_items: Sequence[Any], right_items: Sequence[Any]
) -> list[tuple[int, int]]:
    """Pairs of items that share at least half of their leaves, most shared first, no item twice."""
    index: dict[tuple[str, str], list[int]] = {}
    sizes: dict[int, int] = {}
    for place in right:
        found = _leaf_texts(right_items[place])
        sizes[place] = len(found)
        for leaf in found:
            index.setdefault(leaf, []).append(place)
    ranks = {place: rank for rank, place in enumerate(right)}
    scored: list[tuple[int, int, int, int, int]] = []
    for rank, place in enumerate(left):
        found = _leaf_texts(left_items[place])
        times: dict[int, int] = {}
        for leaf in found:
            others = index.get(leaf, ())
            # What nearly every item has tells none apart.
            if len(others) <= 50:
                for other in others:
                    times[other] = times.get(other, 0) + 1
        scored += [
            (-shared, rank, ranks[other], place, other)
            for other, shared in times.items()
            if 2 * shared >= max(len(found), sizes[other])
        ]
    taken: list[tuple[int, int]] = []
    used: tuple[set[int], set[int]] = set(), set()
    for _, _, _, place, other in sorted(scored):
        if place not in used[0] and other not in used[1]:
            used[0].add(place)
            used[1].add(other)
            taken.append((place, other))
    return taken


def _leaf_texts(value: Any) -> set[tuple[str, str]]:
    found, waiting = set(), [("", value)]
    while waiting:
        path, current = waiting.pop()
        if isinstance(current, dict):
            waiting.extend((joined(path, key), inner) for key, inner in current.items())
        elif isinstance(current, list):
            waiting.extend((path + "[*]", inner) for inner in current)
        elif not is_nothing(current):
            found.add((path, canonical(current)))
    return found


def count_leaves(value: Any) -> int:
    """Leaves that say something."""
    number, waiting = 0, [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict):
            waiting.extend(current.values())
        elif isinstance(current, list):
            waiting.extend(current)
        elif not is_nothing(current):
            number += 1
    return number


def joined(path: str, key: str) -> str:
    """The path of a member."""
    key = key.replace("\\", "\\\\").replace(".", "\\.")
    return f"{path}.{key}" if path else key
