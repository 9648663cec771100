"""Planning an assessment: which pages, which pairs, who sees what on which side in which order.

Nothing that is drawn depends on who wrote which of the two markups: a pair is ordered by the content of its renderings
and everything else is seeded by that. Exchanging the origins of two markups changes no side and no order.
"""

from __future__ import annotations

import hashlib
import json
import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from schemaproof.assessment.rendering import rendered
from schemaproof.errors import InputError
from schemaproof.pipeline.result import MarkupResult
from schemaproof.pipeline.run import report_of
from schemaproof.pipeline.store import Store
from schemaproof.scoring.memr import memr

Rows = list[tuple[int, str, str, bool]]


@dataclass(slots=True)
class Item:
    """One comparison: a unit and two markups.

    Attributes:
        key: hash of the page, the types and both renderings; says nothing of the origin.
        page: name of the page.
        types: root types.
        title, text: of the page.
        first, second: the canonical rows, in an order given by their content.
        origins: names of the contenders of first and second.
        scores: MeMR of first and second, or None.
        stratum: what it was drawn by.
    """

    key: str
    page: str
    types: tuple[str, ...]
    title: str
    text: str
    first: Rows
    second: Rows
    origins: tuple[str, str]
    scores: tuple[float, float] | None
    stratum: str = ""


@dataclass(slots=True)
class Task:
    """One item for one assessor.

    Attributes:
        item: index into `Plan.items`, -1 for the training item.
        swapped: whether second stands left.
        kind: "training", "item" or "repeat".
    """

    item: int
    swapped: bool
    kind: str


@dataclass(slots=True)
class Plan:
    """An assessment.

    Attributes:
        items: what is compared.
        assessors: name to secret token.
        tasks: name to tasks in order.
        settings: how it was drawn, for the record.
        left_out: why units were left out, with numbers.
    """

    items: list[Item] = field(default_factory=list)
    assessors: dict[str, str] = field(default_factory=dict)
    tasks: dict[str, list[Task]] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wish:
    """What assessment is wanted.

    Attributes:
        assessors: their names.
        items: how many comparisons are drawn; 0 for all.
        pairs: pairs of contenders; () for the human with each other one.
        votes: votes an item; 0 for one of every assessor.
        repeats: share of each assessor's items shown again with sides exchanged, 0 to 0.5.
        markup: "curated" (kept statements, as in the paper) or "input".
        training: whether a training item comes first.
        seed: of everything drawn.
    """

    assessors: tuple[str, ...]
    items: int = 0
    pairs: tuple[tuple[str, str], ...] = ()
    votes: int = 0
    repeats: float = 0.1
    markup: str = "curated"
    training: bool = True
    seed: int = 0


def _seeded(*parts: object) -> random.Random:
    text = "\x1f".join(str(part) for part in parts)
    return random.Random(int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8], "big"))


def _hash(*parts: object) -> str:
    text = json.dumps(parts, ensure_ascii=True, default=list)
    return hashlib.sha256(text.encode()).hexdigest()


def candidates(store: Store, wish: Wish, strata: Mapping[str, str] | None = None) -> tuple[list[Item], dict[str, int]]:
    """Every comparison that a run holds, and why others were left out.

    Arguments:
        store: the run file.
        wish: see there.
        strata: page name, URL or id to stratum; without it the stratum is the page's language.

    Raises: InputError for a contender that is not in the run.
    """
    report = report_of(store)
    names = report.names
    pairs = wish.pairs or tuple((names[0], other) for other in names[1:])
    for name in {name for pair in pairs for name in pair}:
        if name not in names:
            raise InputError(f"there is no contender {name!r} in {store.path}; there are {', '.join(names)}")
    found: list[Item] = []
    left_out: dict[str, int] = {}
    for page in store.pages(report.signature, statements=True):
        stratum = page.language or "unknown"
        if strata is not None:
            keys = (page.id, page.url or "", page.name)
            stratum = next((strata[key] for key in keys if key in strata), "")
            if not stratum:
                left_out["page without a stratum"] = left_out.get("page without a stratum", 0) + 1
                continue
        for unit in page.units:
            markups = {each.contender: each for each in unit.markups}
            for a, b in pairs:
                item = _item(page, tuple(unit.types), markups.get(a), markups.get(b), wish.markup, stratum)
                if isinstance(item, str):
                    left_out[item] = left_out.get(item, 0) + 1
                else:
                    found.append(item)
    return found, left_out


def _item(
    page: Any, types: tuple[str, ...], a: MarkupResult | None, b: MarkupResult | None, shown: str, stratum: str
) -> Item | str:
    if a is None or b is None or a.error is not None or b.error is not None:
        return "a contender without markup"
    sides = [(rendered(each.statements, kept_only=shown == "curated"), each) for each in (a, b)]
    if not sides[0][0] and not sides[1][0]:
        return "nothing to show on either side"
    if sides[0][0] == sides[1][0]:
        return "both sides alike"
    sides.sort(key=lambda side: _hash(side[0]))
    (first, x), (second, y) = sides
    score = memr(x.facts, y.facts)
    return Item(
        _hash(page.name, types, first, second)[:24], page.name, types, page.title, page.text, first, second,
        (x.contender, y.contender), None if score is None else (score.a_score, score.b_score), stratum,
    )  # fmt: skip


def draw(items: Sequence[Item], number: int, seed: int) -> list[Item]:
    """So many items, as even over the strata as they allow, pages before second units of a page; 0 for all."""
    order = sorted(items, key=lambda item: _hash(seed, item.key))
    if not number or number >= len(order):
        return order
    strata: dict[str, list[Item]] = {}
    for item in order:
        strata.setdefault(item.stratum, []).append(item)
    for name, members in strata.items():
        seen: dict[str, int] = {}
        ranked = []
        for item in members:
            seen[item.page] = seen.get(item.page, 0) + 1
            ranked.append((seen[item.page], item))
        strata[name] = [item for _, item in sorted(ranked, key=lambda entry: entry[0])]
    chosen: list[Item] = []
    queues = [strata[name] for name in sorted(strata, key=lambda name: _hash(seed, name))]
    while len(chosen) < number:
        for queue in queues:
            if queue and len(chosen) < number:
                chosen.append(queue.pop(0))
    return chosen


def make_plan(store: Store, wish: Wish, strata: Mapping[str, str] | None = None) -> Plan:
    """Draw an assessment from a run.

    Arguments: see `candidates`.

    Raises: InputError for a wish that cannot be met.
    """
    if not wish.assessors or len(set(wish.assessors)) != len(wish.assessors):
        raise InputError("an assessment needs assessors, each of another name")
    if not 0 <= wish.repeats <= 0.5:
        raise InputError("the share of repeats lies between 0 and 0.5")
    votes = wish.votes or len(wish.assessors)
    if votes > len(wish.assessors):
        raise InputError(f"{votes} votes an item need as many assessors; there are {len(wish.assessors)}")
    everything, left_out = candidates(store, wish, strata)
    if not everything:
        raise InputError(f"{store.path} holds nothing to compare: {', '.join(left_out) or 'no unit'}")
    items = draw(everything, wish.items, wish.seed)
    plan = Plan(items, {name: secrets.token_urlsafe(16) for name in wish.assessors}, {}, {}, left_out)
    own: dict[str, list[int]] = {name: [] for name in wish.assessors}
    for place in range(len(items)):
        for step in range(votes):
            own[wish.assessors[(place * votes + step) % len(wish.assessors)]].append(place)
    for name, places in own.items():
        plan.tasks[name] = _tasks(name, places, items, wish)
    plan.settings = {
        "seed": wish.seed, "items": len(items), "of": len(everything), "votes": votes, "repeats": wish.repeats,
        "markup": wish.markup, "training": wish.training, "run": report_of(store).signature,
        "pairs": sorted({tuple(sorted(item.origins)) for item in items}),
    }  # fmt: skip
    return plan


def _tasks(name: str, places: Sequence[int], items: Sequence[Item], wish: Wish) -> list[Task]:
    """An assessor's tasks: own order, own sides, repeats in the second half and never near their first showing."""
    rng = _seeded("order", wish.seed, name)
    order = sorted(places, key=lambda place: items[place].key)
    rng.shuffle(order)
    # Half of an assessor's items stand one way round, half the other; which is seeded by item.
    by_key = sorted(order, key=lambda place: _hash(wish.seed, name, items[place].key))
    swapped = {place: number % 2 == 1 for number, place in enumerate(by_key)}
    tasks = [Task(place, swapped[place], "item") for place in order]
    number = round(wish.repeats * len(order)) if len(order) < 10 else max(1, round(wish.repeats * len(order)))
    if number and wish.repeats:
        half = max(1, len(order) // 2)
        again = rng.sample(range(half), min(number, half))
        slots = sorted(rng.randint(min(len(order), place + half), len(order)) for place in again)
        for shift, (slot, place) in enumerate(zip(slots, sorted(again), strict=True)):
            tasks.insert(slot + shift, Task(order[place], not swapped[order[place]], "repeat"))
    if wish.training:
        tasks.insert(0, Task(-1, False, "training"))
    return tasks


def training_item() -> tuple[str, str, Rows, Rows]:
    """Title, text and two sides of the item that shows how it works; its vote is not counted."""
    text = (
        "Bakery Halden\nOpen Tuesday to Saturday, 7 am to 2 pm\n12 Mill Lane, Halden\nTelephone 01234 555 010\n"
        "Rye bread from our own sourdough, baked every morning."
    )
    full: Rows = [
        (0, "", "Bakery", True), (1, "address", "PostalAddress", True), (2, "addressLocality", "Halden", False),
        (2, "streetAddress", "12 Mill Lane", False), (1, "name", "Bakery Halden", False),
        (1, "openingHours", "Tu-Sa 07:00-14:00", False), (1, "telephone", "01234 555 010", False),
    ]  # fmt: skip
    poor: Rows = [(0, "", "Bakery", True), (1, "name", "Bakery", False), (1, "url", "https://example.org/", False)]
    return "An example to begin with", text, full, poor


def pairs_of_names(texts: Sequence[str], names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of contenders from "A:B", or every pair for "all".

    Raises: InputError for a text that names no pair.
    """
    if list(texts) == ["all"]:
        return tuple(combinations(names, 2))
    found = []
    for text in texts:
        # A name may itself hold a colon.
        pair = next(((a, b) for a in names for b in names if a != b and text == f"{a}:{b}"), None)
        if pair is None:
            raise InputError(f"{text!r} is no pair A:B of contenders; there are {', '.join(names)}")
        found.append(pair)
    return tuple(found)
