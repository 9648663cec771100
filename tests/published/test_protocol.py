"""Every rule of the published protocol on small cases of our own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from schemaproof.published.protocol import (
    Answer,
    answers,
    depth_of,
    filtered,
    memr,
    merged_chunks,
    predicate_counts,
    rejected_in_place,
    statements,
)

BLANK = "N0123456789abcdef0123456789abcdef"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
S = "http://schema.org/"


def no(name: str, value: str, kind: str | None = None) -> Answer:
    return Answer(name, value, kind, False)


# Statements: Table 7's "triples"


def test_statements_are_leaves_with_their_type() -> None:
    tree = {"@context": "x", "@id": "y", "@type": "A", "p": 1, "q": {"@type": "B", "r": ["s", "t", "s"]}, "n": None}
    assert statements(tree) == {("p", "1", "A"), ("r", "s", "B"), ("r", "t", "B")}


def test_statements_of_several_types_and_of_none() -> None:
    assert statements([{"@type": ["A", "B"], "p": True}]) == {("p", "True", "A"), ("p", "True", "B")}
    assert statements({"p": 1.0, "q": {"r": "x"}}) == {("p", "1.0", None), ("r", "x", None)}
    assert statements({"@type": [], "p": 1}) == {("p", "1", None)}
    assert statements(None) == set()


def test_same_leaf_at_two_places_is_one_statement() -> None:
    assert len(statements([{"@type": "A", "p": 5}, {"@type": "A", "p": "5"}])) == 1


# RDF triples: MeMR's counts


def test_types_links_and_literals_are_triples() -> None:
    tree = {"@context": "https://schema.org", "@type": "A", "p": "x", "q": {"@type": "B", "p": "x"}}
    assert predicate_counts(tree) == {RDF + "type": 2, S + "p": 2, S + "q": 1}


def test_equal_triples_count_once_and_blank_nodes_differ() -> None:
    assert predicate_counts({"p": ["x", "x", 5, "5"]})[S + "p"] == 3
    assert predicate_counts({"p": [{"q": "x"}, {"q": "x"}]}) == {S + "p": 2, S + "q": 2}
    assert predicate_counts({"p": [{"@id": "u", "q": "x"}, {"@id": "u", "q": "x"}]}) == {S + "p": 1, S + "q": 1}
    assert predicate_counts({"@id": None, "p": None, "q": {"@id": None}}) == {S + "q": 1}


def test_context_by_address_is_http_and_an_object_keeps_its_vocabulary() -> None:
    assert predicate_counts({"@context": "https://schema.org/", "p": 1}) == {S + "p": 1}
    assert predicate_counts({"@context": {"@vocab": "https://schema.org/"}, "p": 1}) == {"https://schema.org/p": 1}
    assert predicate_counts({"@context": ["https://schema.org", {"x": "y"}], "p": 1}) == {S + "p": 1}


def test_words_with_an_at_that_are_no_keywords_are_properties() -> None:
    assert predicate_counts({"@telephone": "1", "@language": "en", "@index": "i"}) == {S + "@telephone": 1}


def test_value_objects_lists_sets_and_graphs() -> None:
    tree = {"@graph": [{"p": {"@value": "x", "@language": "en"}}, {"p": {"@set": ["y", None]}}]}
    assert predicate_counts(tree) == {S + "p": 2}
    listed = predicate_counts({"p": {"@list": ["a", "b"]}})
    assert listed == {S + "p": 1, RDF + "first": 2, RDF + "rest": 2}
    assert predicate_counts({"p": {"@value": None}}) == {}


def test_memr_is_pairwise_over_predicates() -> None:
    assert memr({"a": 2, "b": 1}, {"a": 1, "c": 1}) == (3 / 4, 2 / 4)
    assert memr({}, {"a": 1}) == (0.0, 1.0)
    assert memr({}, {}) is None


def test_memr_rewards_a_markup_that_says_nothing_but_its_type() -> None:
    # Fault 7: both have a type only, so both are perfect.
    only_type = predicate_counts({"@type": "A"})
    assert memr(only_type, only_type) == (1.0, 1.0)


# Verdict logs


def test_one_yes_of_a_chunk_is_enough(log: Callable[..., dict[str, Any]]) -> None:
    found = answers("factual", log("factual", [{"p|x|A": False, "q|y|A": False}, {"p|x|A": True, "q|y|A": False}]))
    assert [(entry.name, entry.value, entry.type, entry.yes) for entry in found] == [
        ("p", "x", "A", True),
        ("q", "y", "A", False),
    ]


def test_recorded_aggregation_gives_order_and_answers(log: Callable[..., dict[str, Any]]) -> None:
    data = log("factual", [{"p|x|A": False, "q|y|A": False}])
    data["aggregation"] = {"q[TOK_Q_DELIM]y[TOK_Q_DELIM]A": True, "p[TOK_Q_DELIM]x[TOK_Q_DELIM]A": False, "score": 0.5}
    assert [(entry.name, entry.yes) for entry in answers("factual", data)] == [("q", True), ("p", False)]


def test_logs_of_validity_name_only_rejections(log: Callable[..., dict[str, Any]]) -> None:
    found = answers("shacl", log("shacl", {f"p|{BLANK}|A-p": False, "Nothing": False}))
    assert found[0] == no("p", BLANK, "A-p")
    assert found[0].entity
    assert found[1] == no("Nothing", "")


@pytest.mark.parametrize("data", [None, [], "x", {}, {"chunk_0": {"status": "empty_markup_error", "score": None}}])
def test_logs_without_answers(data: Any) -> None:
    assert answers("semantic", data) == []
    assert answers("shacl", data) == []


def test_value_may_hold_the_delimiter(log: Callable[..., dict[str, Any]]) -> None:
    data = {"chunk_0": {"p[TOK_Q_DELIM]a[TOK_Q_DELIM]b[TOK_Q_DELIM]T": {"response": "TOKNEG"}}}
    assert answers("factual", data) == [no("p", "a[TOK_Q_DELIM]b", "T")]


# The filter, fault for fault


def test_the_rejected_value_goes_everywhere() -> None:
    # Fault 1: judged at A, nulled at B too; there the key stays.
    tree = {"@type": "A", "p": "x", "q": {"@type": "B", "r": "x"}}
    assert filtered(tree, "factual", [no("p", "x", "A")]) == {"@type": "A", "q": {"@type": "B", "r": None}}


def test_the_key_stays_on_nodes_of_another_type_except_for_validity() -> None:
    tree = [{"@type": "A", "p": "x"}, {"@type": "B", "p": "x"}]
    assert filtered(tree, "factual", [no("p", "x", "A")]) == [{"@type": "A"}, {"@type": "B", "p": None}]
    assert filtered(tree, "shacl", [no("p", "x", "A")]) == [{"@type": "A"}, {"@type": "B"}]


def test_a_node_without_a_type_is_none() -> None:
    assert filtered({"p": "x", "q": {"@type": "B", "p": "x"}}, "factual", [no("p", "x", "None")]) == {
        "q": {"@type": "B", "p": None}
    }


def test_a_blank_node_takes_every_value_of_its_key() -> None:
    # Fault 3: literals and other nodes of the key go with it.
    tree = {"@type": "A", "p": [{"@type": "B", "r": 1}, "x"], "q": {"@type": "C", "p": 2}}
    assert filtered(tree, "shacl", [no("p", BLANK, "A-p")]) == {"@type": "A", "q": {"@type": "C"}}
    assert filtered(tree, "factual", [no("p", BLANK, "C")]) == {
        "@type": "A",
        "p": [{"@type": "B", "r": 1}, "x"],
        "q": {"@type": "C"},
    }


def test_lists_drop_nulls_and_empty_lists_go() -> None:
    tree = {"@type": "A", "p": ["x", "y", None], "q": ["x"]}
    assert filtered(tree, "factual", [no("p", "x", "A")]) == {"@type": "A", "p": ["y"], "q": None}


def test_numbers_and_truth_values_are_compared_as_text() -> None:
    tree = {"@type": "A", "p": 5, "q": True, "r": 5.0}
    assert filtered(tree, "factual", [no("p", "5", "A"), no("q", "True", "A")]) == {"@type": "A", "r": 5.0}


def test_a_hit_on_the_type_takes_the_node() -> None:
    tree = {"@type": "A", "p": {"@type": "B", "q": 1}}
    assert filtered(tree, "shacl", [no("@type", "B")]) == {"@type": "A", "p": None}
    assert filtered({"@type": "B"}, "shacl", [no("@type", "B")]) is None


def test_rejections_go_in_the_order_of_the_log() -> None:
    # The first one nulls r's value on B; only then is p empty enough to go.
    tree = {"@type": "A", "p": ["x", "y"]}
    assert filtered(tree, "factual", [no("p", "x", "A"), no("p", "y", "A")]) == {"@type": "A"}
    assert filtered(tree, "factual", [Answer("p", "x", "A", True)]) == tree


# Chunks


def test_chunks_merge_by_top_level_keys_the_last_wins() -> None:
    # Fault 5: the first chunk's offers are lost.
    first = {"@type": "A", "name": "x", "offers": [{"price": 1}]}
    assert merged_chunks([first, {"offers": [{"price": 2}]}]) == {"@type": "A", "name": "x", "offers": [{"price": 2}]}
    assert merged_chunks([]) == {}


# The mended filter


def test_in_place_a_value_goes_only_where_it_was_judged() -> None:
    tree = {"@type": "A", "p": ["x", "y"], "q": {"@type": "B", "p": "x", "r": "x"}}
    assert rejected_in_place(tree, [no("p", "x", "A")], entities_only=False) == {
        "@type": "A",
        "p": ["y"],
        "q": {"@type": "B", "p": "x", "r": "x"},
    }
    assert rejected_in_place({"@type": "A", "p": "x"}, [no("p", "x", "A")], entities_only=True) == {"@type": "A"}


def test_in_place_an_entity_takes_no_literals() -> None:
    tree = {"@type": "A", "p": [{"@type": "B", "r": 1}, "x"]}
    assert rejected_in_place(tree, [no("p", BLANK, "A")], entities_only=True) == {"@type": "A", "p": ["x"]}
    assert rejected_in_place(tree, [no("p", BLANK, "A")], entities_only=False) == {"@type": "A"}


LEAVES = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from("xyz")
NAMES = st.sampled_from(["p", "q", "r", "@id"])
TREES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.builds(
            lambda pairs, kind: {**pairs, **({} if kind is None else {"@type": kind})},
            st.dictionaries(NAMES, inner, max_size=3),
            st.sampled_from([None, "A", "B", ["A", "B"]]),
        )
    ),
    max_leaves=12,
)
VALUES = st.sampled_from(["x", "y", "1", "True", BLANK])
ANSWERS = st.lists(
    st.builds(Answer, st.sampled_from("pqr"), VALUES, st.sampled_from(["A", "B", "None"]), st.booleans()), max_size=4
)


@settings(deadline=None)
@given(TREES, ANSWERS, st.sampled_from(["shacl", "factual"]))
def test_filters_only_take_away(tree: Any, log_entries: list[Answer], step: str) -> None:
    before = statements(tree)
    published = statements(filtered(tree, step, log_entries))
    mended = statements(rejected_in_place(tree, log_entries, entities_only=True))
    assert published <= before
    assert mended <= before
    if step == "factual":
        # What the mended filter takes, the published one takes too.
        assert published <= mended
    if all(entry.yes for entry in log_entries):
        assert mended == published == before


@settings(deadline=None)
@given(TREES, TREES)
def test_memr_is_a_share(one: Any, other: Any) -> None:
    found = memr(predicate_counts(one), predicate_counts(other))
    if found is not None:
        h, model = found
        assert 0 <= h <= 1
        assert 0 <= model <= 1
        assert h + model >= 1 - 1e-12


def test_depth_is_counted_up_to_the_limit() -> None:
    tree: Any = "x"
    for _ in range(5000):
        tree = [tree]
    assert depth_of(tree, 100) == 101
    assert depth_of({"a": [1, {"b": 2}]}) == 3
