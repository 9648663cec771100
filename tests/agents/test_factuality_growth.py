"""Many values of one kind on a large page cost what they are many of, not the square of it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.agents.factuality import EmbeddedFactuality
from schemaproof.agents.grounding.dates import Moment
from schemaproof.agents.grounding.prepared import Prepared
from schemaproof.markup import build_graph
from schemaproof.page import page_from_text, read_page
from schemaproof.vocabulary import load

Shape = Callable[[int], tuple[str, dict[str, Any]]]


def _dates(count: int) -> tuple[str, dict[str, Any]]:
    days = [(1900 + each % 100, each % 9 + 1, each % 28 + 1) for each in range(count)]
    text = "\n".join(f"{day}.{month}.{year}" for year, month, day in days)
    return text, {"@type": "Event", "startDate": [f"{year}-{month:02}-{day:02}" for year, month, day in days]}


def _phones(count: int) -> tuple[str, dict[str, Any]]:
    text = "\n".join(f"Mo-Fr 10:00-18:00 room {each}" for each in range(count))
    return text, {"@type": "Store", "telephone": [f"+49 30 1234{each:05}" for each in range(count)]}


def _hours(count: int) -> tuple[str, dict[str, Any]]:
    text = "Sunday closed\n" + "the shop is open at 10:00 and 18:00 every so often\n" * count
    return text, {"@type": "Store", "openingHours": [f"Mo-Fr 1{each % 10}:00-18:0{each % 7}" for each in range(count)]}


def _people(count: int) -> tuple[str, dict[str, Any]]:
    text = "\n".join(f"by Jane Doe{each}, Editor" for each in range(count))
    return text, {"@type": "Article", "author": [{"@type": "Person", "name": f"Jane Doe{n}"} for n in range(count)]}


def _links(count: int) -> tuple[str, dict[str, Any]]:
    links = "".join(
        f'<a href="tel:+49301234{n:05}">call</a><a href="mailto:a{n}@b.example">write</a>' for n in range(count)
    )
    return links, {
        "@type": "Store",
        "telephone": [f"+49 30 1234{n:05}" for n in range(count // 2)],
        "email": [f"a{n}@b.example" for n in range(count - count // 2)],
    }


def _prices(count: int) -> tuple[str, dict[str, Any]]:
    rows = "".join(f"<tr><td>Great thing {n}<td>{n}.50 EUR" for n in range(count))
    offers = [
        {"@type": "Product", "name": f"Great thing {n}", "offers": {"@type": "Offer", "price": n + 1.5}}
        for n in range(count // 2)
    ]
    return f"<table>{rows}</table>", {"@type": "Thing", "subjectOf": offers}


def _positions(count: int) -> tuple[str, dict[str, Any]]:
    text = "\n".join(f"Great thing {n} for 3.50 EUR" for n in range(count))
    items = [{"@type": "ListItem", "position": n + 1, "name": f"Great thing {n}"} for n in range(count // 2)]
    return text, {"@type": "ItemList", "itemListElement": items}


def _seconds(judge: EmbeddedFactuality, shape: Shape, count: int) -> float:
    text, markup = shape(count)
    page = read_page(f"<html lang=en>{text}") if text[0] == "<" else page_from_text(text, language="en")
    graph = build_graph([{"@context": "https://schema.org", **markup}], vocabulary=judge.vocabulary)
    started = time.process_time()
    said = judge.judge(graph, judge.prepare(page))
    spent = time.process_time() - started
    assert sum(verdict is not None for verdict in said) == count
    return spent


@pytest.mark.slow
@pytest.mark.parametrize("shape", [_dates, _phones, _hours, _people, _links, _prices, _positions])
def test_four_times_the_values_take_about_four_times_as_long(shape: Shape) -> None:
    judge = EmbeddedFactuality(load())
    _seconds(judge, shape, 50)
    small = min(_seconds(judge, shape, 1000) for _ in range(2))
    large = min(_seconds(judge, shape, 4000) for _ in range(2))
    assert large < 9 * small, (small, large)  # the square would be 16


@settings(max_examples=300, deadline=None)
@given(st.text("12 -./()x\n", max_size=60), st.text("12", min_size=1, max_size=4))
def test_rows_of_digits_stand_where_a_search_finds_them(text: str, wanted: str) -> None:
    prepared = Prepared(page_from_text(text))
    found = re.search(r"[\s().\-/]{0,3}".join(wanted) + r"(?!\d)", prepared.text)
    assert prepared.digits(wanted) == (found.span() if found else None)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 14), st.integers(1, 14), st.sampled_from([1999, 2001])), max_size=8),
    st.sampled_from("./-"),
    st.tuples(st.sampled_from([1999, 2001]), st.integers(1, 12), st.integers(0, 14)),
)
def test_dates_by_their_day_are_those_that_a_look_at_every_date_gives(
    printed: list[tuple[int, int, int]], mark: str, stated: tuple[int, int, int]
) -> None:
    from schemaproof.agents.factuality_dates import _printed, _same

    text = "\n".join(f"on {a}{mark}{b}{mark}{year} and May {year}" for a, b, year in printed)
    prepared = Prepared(page_from_text(text, language="en"))
    moment = Moment(*stated)
    every = (*prepared.dates, *(() if moment.day else prepared.year_months))
    expected = [(one, weight) for one in every if (weight := _same(one, moment))]
    assert _printed(prepared, moment) == expected
    assert _printed(prepared, moment) == expected  # as remembered
