"""Drawing an assessment: balance, repeats, seeds, blindness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from schemaproof.assessment.ballot import Ballot
from schemaproof.assessment.plan import Plan, Wish, make_plan, pairs_of_names
from schemaproof.errors import InputError, StoreError
from schemaproof.pipeline.store import Store


def drawn(run: Path, wish: Wish, strata: dict[str, str] | None = None) -> Plan:
    with Store(run, must_exist=True) as store:
        return make_plan(store, wish, strata)


def test_every_item_gets_its_votes_and_work_is_shared_evenly(run_of: Callable[..., Path]) -> None:
    plan = drawn(run_of(40), Wish(tuple("abcde"), items=30, votes=3, repeats=0))
    voted = Counter(task.item for tasks in plan.tasks.values() for task in tasks if task.kind == "item")
    assert voted == dict.fromkeys(range(30), 3)
    sizes = [sum(task.kind == "item" for task in tasks) for tasks in plan.tasks.values()]
    assert max(sizes) - min(sizes) <= 1
    assert all(
        len({t.item for t in tasks if t.kind == "item"}) == size
        for tasks, size in zip(plan.tasks.values(), sizes, strict=True)
    )


def test_repeats_come_later_with_sides_exchanged(run_of: Callable[..., Path]) -> None:
    plan = drawn(run_of(40), Wish(tuple("abc"), repeats=0.1))
    for tasks in plan.tasks.values():
        repeats = [place for place, task in enumerate(tasks) if task.kind == "repeat"]
        assert len(repeats) == 4
        for place in repeats:
            first = next(p for p, task in enumerate(tasks) if task.kind == "item" and task.item == tasks[place].item)
            assert place - first >= 20
            assert tasks[first].swapped != tasks[place].swapped


def test_sides_are_balanced_and_differ_between_assessors(run_of: Callable[..., Path]) -> None:
    plan = drawn(run_of(40), Wish(("ann", "bob"), repeats=0))
    sides = {name: {t.item: t.swapped for t in tasks if t.kind == "item"} for name, tasks in plan.tasks.items()}
    assert all(sum(each.values()) == 20 for each in sides.values())
    assert sides["ann"] != sides["bob"]
    assert [t.item for t in plan.tasks["ann"]] != [t.item for t in plan.tasks["bob"]]


def test_the_same_seed_draws_the_same_and_links_are_secrets(run_of: Callable[..., Path]) -> None:
    run = run_of(40)
    first, second = (drawn(run, Wish(("ann", "bob"), items=10, seed=4)) for _ in range(2))
    other = drawn(run, Wish(("ann", "bob"), items=10, seed=5))
    assert first.items == second.items
    assert first.tasks == second.tasks
    assert [item.key for item in first.items] != [item.key for item in other.items]
    assert first.assessors != second.assessors
    assert all(len(token) >= 20 for token in first.assessors.values())


def test_origins_change_nothing_that_is_drawn(run_of: Callable[..., Path]) -> None:
    wish = Wish(("ann", "bob"), items=15, seed=7)
    one, other = drawn(run_of(40), wish), drawn(run_of(40, exchanged=True), wish)
    assert one.tasks == other.tasks
    assert [item.key for item in one.items] == [item.key for item in other.items]
    assert [item.origins for item in one.items] == [item.origins[::-1] for item in other.items]


def test_items_are_drawn_evenly_over_strata(run_of: Callable[..., Path]) -> None:
    strata = {f"page-{number:03}": "rare" if number < 4 else "frequent" for number in range(39)}
    plan = drawn(run_of(40), Wish(("ann",), items=8), strata)
    assert Counter(item.stratum for item in plan.items) == {"rare": 4, "frequent": 4}
    assert plan.left_out == {"page without a stratum": 1}


def test_an_assessment_is_never_overwritten(run_of: Callable[..., Path], tmp_path: Path) -> None:
    plan = drawn(run_of(4), Wish(("ann",)))
    file = tmp_path / "a.db"
    with Ballot.create(file, plan) as ballot:
        assert [item.key for item in ballot.items()] == [item.key for item in plan.items]
        assert ballot.settings()["items"] == 4
    with pytest.raises(StoreError, match="never overwritten"):
        Ballot.create(file, plan)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (Wish(()), "needs assessors"),
        (Wish(("a", "a")), "another name"),
        (Wish(("a",), votes=2), "2 votes"),
        (Wish(("a",), pairs=(("human", "nobody"),)), "no contender 'nobody'"),
    ],
)
def test_wishes_that_cannot_be_met(run_of: Callable[..., Path], wish: Wish, words: str) -> None:
    with pytest.raises(InputError, match=words):
        drawn(run_of(2), wish)


def test_pairs_by_name() -> None:
    names = ("human", "a:b", "c")
    assert pairs_of_names(("human:a:b",), names) == (("human", "a:b"),)
    assert len(pairs_of_names(("all",), names)) == 3
    with pytest.raises(InputError, match="no pair"):
        pairs_of_names(("human-c",), names)
