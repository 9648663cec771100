from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from schemaproof.markup.model import Graph, Node, Statement
from schemaproof.scoring.memr import MeMR, counts, memr, share, unit_groups


def graph(
    types: list[tuple[str, ...]],
    facts: list[tuple[int, str, Any]],
    roots: tuple[int, ...] = (0,),
    lists: tuple[int, ...] = (),
) -> Graph:
    """A graph from the nodes' types and facts (subject, property, literal or ("node", index))."""
    statements: list[Statement] = []
    for number, (holder, name, value) in enumerate(facts):
        subject, target = holder, None
        backward = False
        if isinstance(value, tuple):
            backward = value[0] == "from"
            subject, target = (value[1], holder) if backward else (holder, value[1])
        statements.append(
            Statement(
                path=f"/{number}",
                types=types[subject],
                property=name,
                value=value if target is None else None,
                entity=None if target is None else types[target],
                subject=subject,
                object=target,
                reversed=backward,
            )
        )
    nodes = tuple(
        Node(
            index,
            f"_:b{index}",
            kinds,
            "",
            tuple(number for number, each in enumerate(statements) if each.subject == index),
            list_like=index in lists,
        )
        for index, kinds in enumerate(types)
    )
    return Graph((), nodes, tuple(statements), roots=roots)


def test_worked_example_of_the_paper() -> None:
    """Section 3.6: scores (0.8, 0.33) = (12/15, 5/15)."""
    human = {"name": 1, "recipeCategory": 1, "recipeCuisine": 1, "recipeIngredient": 9}
    model = {"name": 1, "recipeCategory": 1, "recipeInstructions": 3}
    assert memr(human, model) == MeMR(12 / 15, 5 / 15, 12.0, 5.0, 15.0)


def test_both_empty_is_nothing_to_compare() -> None:
    assert memr({}, {}) is None
    assert share([{}, {}]) is None
    assert share([]) is None


def test_an_empty_markup_covers_nothing() -> None:
    result = memr({}, {"name": 2})
    assert result is not None
    assert (result.a_score, result.b_score) == (0.0, 1.0)


def test_weights_change_what_counts() -> None:
    a, b = {"name": 1, "price": 1}, {"name": 1, "description": 4}
    plain = memr(a, b)
    weighted = memr(a, b, {"description": 0, "price": 3})
    assert plain is not None
    assert weighted is not None
    assert plain.a_score == pytest.approx(2 / 6)
    assert (weighted.a_score, weighted.b_score) == (1.0, 0.25)
    assert memr(a, b, {"*": 0}) is None
    only_price = memr(a, b, {"*": 0, "price": 1})
    assert only_price is not None
    assert (only_price.a_score, only_price.b_score) == (1.0, 0.0)


def test_counts_distinct_values_of_a_node() -> None:
    given_ = graph(
        [("Product",)],
        [
            (0, "@type", "Product"),
            (0, "price", 5),
            (0, "price", "5"),
            (0, "price", "5.00"),
            (0, "name", "a  b"),
            (0, "name", " a b\n"),
            (0, "availability", "https://schema.org/InStock"),
            (0, "availability", "http://schema.org/InStock"),
            (0, "availability", "InStock"),
            (0, "free", True),
            (0, "free", "True"),
            (0, "telephone", "00336123456789012345"),
            (0, "telephone", "00336123456789012346"),
        ],
    )
    assert counts(given_, None) == {"price": 1, "name": 1, "availability": 1, "free": 1, "telephone": 2}


def test_same_value_on_two_nodes_counts_twice() -> None:
    given_ = graph(
        [("Recipe",), ("HowToStep",), ("HowToStep",)],
        [(0, "step", ("node", 1)), (0, "step", ("node", 2)), (1, "name", "x"), (2, "name", "x")],
    )
    assert counts(given_, None) == {"step": 2, "name": 2}


def test_what_stands_below_a_rejected_link_does_not_count() -> None:
    given_ = graph([("A",), ("B",)], [(0, "about", ("node", 1)), (1, "name", "x"), (0, "name", "y")])
    assert counts(given_, {1, 2}) == {"name": 1}
    assert counts(given_, [0, 1, 2]) == {"about": 1, "name": 2}
    assert counts(given_, None, roots=[1]) == {"name": 1}


def test_references_in_a_circle_end() -> None:
    given_ = graph([("A",), ("B",)], [(0, "about", ("node", 1)), (1, "subjectOf", ("node", 0))])
    assert counts(given_, None) == {"about": 1, "subjectOf": 1}


def test_reverse_leads_to_its_subject() -> None:
    given_ = graph([("A",), ("B",)], [(0, "about", ("from", 1)), (1, "name", "x")])
    assert given_.statements[0].subject == 1
    assert counts(given_, None) == {"about": 1, "name": 1}


def test_role_stands_for_the_value_it_holds() -> None:
    plain = graph([("Team",), ("Person",)], [(0, "member", ("node", 1)), (1, "name", "x")])
    role = graph(
        [("Team",), ("OrganizationRole",), ("Person",)],
        [(0, "member", ("node", 1)), (1, "member", ("node", 2)), (1, "startDate", "2020"), (2, "name", "x")],
    )
    assert counts(plain, None) == {"member": 1, "name": 1}
    assert counts(role, None) == {"member": 1, "name": 1, "startDate": 1}
    # The value it holds was rejected: nothing is said of members.
    assert counts(role, {0, 2}) == {"startDate": 1}
    bare = graph([("Team",), ("Role",)], [(0, "member", ("node", 1)), (1, "startDate", "2020")])
    assert counts(bare, None) == {"member": 1, "startDate": 1}


def test_role_with_literal_and_with_a_circle() -> None:
    literal = graph([("Movie",), ("Role",)], [(0, "actor", ("node", 1)), (1, "actor", "A"), (0, "actor", "A")])
    assert counts(literal, None) == {"actor": 1}
    circle = graph(
        [("Movie",), ("Role",), ("Role",)],
        [(0, "actor", ("node", 1)), (1, "actor", ("node", 2)), (2, "actor", ("node", 1))],
    )
    assert counts(circle, None) == {}


def test_list_wrapper_counts_as_its_members() -> None:
    given_ = graph(
        [("Recipe",), (), ("HowToStep",)],
        [(0, "step", ("node", 1)), (1, "first", "x"), (1, "first", "y"), (1, "first", ("node", 2)), (2, "text", "z")],
        lists=(1,),
    )
    assert counts(given_, None) == {"step": 3, "text": 1}


def test_long_chain_needs_no_recursion() -> None:
    size = 20_000
    facts: list[tuple[int, str, Any]] = [(index, "hasPart", ("node", index + 1)) for index in range(size)]
    assert counts(_chain(size, facts), None) == {"hasPart": size}


def _chain(size: int, facts: list[tuple[int, str, Any]]) -> Graph:
    statements = tuple(
        Statement("", ("A",), name, None, ("A",), subject, value[1] if isinstance(value, tuple) else None)
        for subject, name, value in facts
    )
    nodes = tuple(Node(index, "", ("A",), "", (index,) if index < size else ()) for index in range(size + 1))
    return Graph((), nodes, statements, roots=(0,))


def test_units_are_sets_of_types() -> None:
    given_ = graph([("B", "A"), ("A", "B"), ("A",), ()], [], roots=(0, 1, 2, 3))
    assert [(unit.types, unit.roots) for unit in unit_groups(given_)] == [(("A", "B"), (0, 1)), (("A",), (2,))]
    assert unit_groups(given_, untyped=True)[-1].roots == (3,)


COUNTS = st.dictionaries(st.sampled_from("abcdefg"), st.integers(0, 9), max_size=7)


@settings(deadline=None)
@given(COUNTS, COUNTS)
def test_laws_of_memr(a: dict[str, int], b: dict[str, int]) -> None:
    here, there = memr(a, b), memr(b, a)
    if not any(a.values()) and not any(b.values()):
        assert here is there is None
        return
    assert here is not None
    assert there is not None
    assert (here.a_score, here.b_score) == (there.b_score, there.a_score)
    assert 0 <= here.a_score <= 1
    assert here.a_score + here.b_score >= 1 - 1e-12
    assert (here.a_score == 1) == all(a.get(name, 0) >= number for name, number in b.items())
    if any(a.values()):
        assert memr(a, a) == MeMR(1.0, 1.0, sum(a.values()), sum(a.values()), sum(a.values()))


@settings(deadline=None)
@given(st.lists(COUNTS, min_size=2, max_size=5), COUNTS)
def test_laws_of_share(contenders: list[dict[str, int]], more: dict[str, int]) -> None:
    pair = share(contenders[:2])
    result = memr(*contenders[:2])
    if pair is None:
        assert result is None
    else:
        assert result is not None
        assert pair == [result.a_score, result.b_score]
    first, wider = share(contenders), share([*contenders, more])
    if first is not None:
        assert wider is not None
        assert all(new <= old for new, old in zip(wider, first, strict=False))
        assert all(0 <= each <= 1 for each in first)
