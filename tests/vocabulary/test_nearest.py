"""Did you mean."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.vocabulary import load
from schemaproof.vocabulary.nearest import Names, edit_distance

WORDS = st.text(alphabet="abcde", max_size=9)


def plain_distance(a: str, b: str) -> int:
    """Optimal string alignment by the whole matrix."""
    table = [[i + j if i * j == 0 else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


@settings(deadline=None)
@given(WORDS, WORDS, st.integers(0, 3))
def test_the_band_gives_the_true_distance_up_to_its_limit(a: str, b: str, limit: int) -> None:
    assert edit_distance(a, b, limit) == min(plain_distance(a, b), limit + 1)


@pytest.mark.parametrize(
    ("name", "types", "meant"),
    [
        ("ContentUrl", ["VideoObject"], "contentUrl"),
        ("prise", ["Offer"], "price"),
        ("mainentityofpage", ["Article"], "mainEntityOfPage"),
        ("date_published", ["Article"], "datePublished"),
        ("adress", ["Person"], "address"),
        ("nmae", ["Person"], "name"),
        ("cookoo", ["Recipe"], None),
        ("", ["Recipe"], None),
        ("x" * 500, ["Recipe"], None),
    ],
)
def test_nearest_property(name: str, types: list[str], meant: str | None) -> None:
    assert load().nearest_property(name, types) == meant


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Website", "WebSite"),
        ("localBusiness", "LocalBusiness"),
        ("thing", "Thing"),
        ("Prodcut", "Product"),
        ("Blog Posting", "BlogPosting"),
        ("Recette", None),
    ],
)
def test_nearest_type(name: str, meant: str | None) -> None:
    assert load().nearest_type(name) == meant


def test_nearest_member_stays_in_its_enumeration() -> None:
    assert load().nearest_member("Instok", ["ItemAvailability"]) == "InStock"
    assert load().nearest_member("Instok", ["DayOfWeek"]) is None


def test_an_exact_name_in_the_preferred_set_wins() -> None:
    names = Names(["alpha", "Alpha"])
    assert names.nearest("ALPHA", frozenset({"alpha"})) == "alpha"
    assert names.nearest("ALPHA", frozenset({"Alpha"})) == "Alpha"


@settings(deadline=None, max_examples=200)
@given(st.lists(st.text(alphabet="abcde", min_size=3, max_size=9), min_size=1, max_size=12), WORDS)
def test_the_search_finds_the_least_distance(words: list[str], name: str) -> None:
    if len(name) < 2:
        return
    limit = 1 if len(name) < 6 else 2
    reachable = {
        word: distance
        for word in words
        if (distance := plain_distance(name, word)) <= limit and (distance < 2 or word[0] == name[0])
    }
    found = Names(words).nearest(name)
    if reachable:
        assert found is not None
        assert reachable[found] == min(reachable.values())
    else:
        assert found is None
