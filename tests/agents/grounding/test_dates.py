"""Dates and times in many spellings."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.agents.grounding.dates import Moment, clock_of, find_dates, find_times, find_year_months, moment_of
from schemaproof.agents.grounding.folding import fold


@pytest.mark.parametrize(
    ("text", "language", "date"),
    [
        ("3. März 2021", "de", (2021, 3, 3)),
        ("14 juillet 2022", "fr", (2022, 7, 14)),
        ("5 de mayo de 2020", "es", (2020, 5, 5)),
        ("2021年4月9日", "ja", (2021, 4, 9)),
        ("2021년 4월 9일", "ko", (2021, 4, 9)),
        ("9 апреля 2021 г.", "ru", (2021, 4, 9)),
        ("٥ مايو ٢٠٢١", "ar", (2021, 5, 5)),
        ("12 Nisan 2022", "tr", (2022, 4, 12)),
        ("Sep 22, 2021", "de", (2021, 9, 22)),
        ("21st of June, 2024", "en", (2024, 6, 21)),
        ("04/15/2022", "en", (2022, 4, 15)),
        ("15.04.2022", "de", (2022, 4, 15)),
        ("2022-04-15", "en", (2022, 4, 15)),
        ("12-Jan-22", "en", (2022, 1, 12)),
        ("June 7-10, 2024", "en", (2024, 6, 7)),
        ("June 7-10, 2024", "en", (2024, 6, 10)),
        ("7-10 June 2024", "en", (2024, 6, 7)),
        ("May 2022", "en", (2022, 5, 0)),
        ("15 September", "en", (0, 9, 15)),
    ],
)
def test_found(text: str, language: str, date: tuple[int, int, int]) -> None:
    found = {(one.year, one.month, one.day) for one in find_dates(fold(f"Am {text} war es").text, language)}
    assert date in found


@pytest.mark.parametrize("text", ["version 1.2.3", "192.168.1.10", "mayonnaise 12", "13/13/2020", "2020-15-40"])
def test_no_dates(text: str) -> None:
    assert not [one for one in find_dates(text, "en") if one.year and one.day]


def test_day_and_month_may_be_exchanged_only_where_the_page_leaves_it_open() -> None:
    assert [one.also for one in find_dates("05/01/2026", "en")] == [True]
    assert [one.also for one in find_dates("05.01.2026", "de")] == [False]
    assert [one.also for one in find_dates("1 may 2026", "en")] == [False]


def test_months_in_figures() -> None:
    assert [(one.year, one.month) for one in find_year_months("from 2022-05 to 06/2023, not 2022-05-01")] == [
        (2022, 5),
        (2023, 6),
    ]


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2021-05-01", Moment(2021, 5, 1)),
        ("2021-05-01T19:30:00+02:00", Moment(2021, 5, 1, 1170)),
        ("20210501", Moment(2021, 5, 1)),
        ("2021-05", Moment(2021, 5)),
        ("2021", Moment(2021)),
        ("Sep 22, 2021", Moment(2021, 9, 22)),
        ("2021-13-01", None),
        ("soon", None),
        ("", None),
    ],
)
def test_moment_of(value: str, moment: Moment | None) -> None:
    assert moment_of(value) == moment


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("7:30 pm", 1170),
        ("19h30", 1170),
        ("19 uhr", 1140),
        ("9 a.m.", 540),
        ("12 am", 0),
        ("19:30", 1170),
        ("7.30 pm", 1170),
    ],
)
def test_times(text: str, minutes: int) -> None:
    assert minutes in find_times(text)


def test_a_bare_hour_is_no_time() -> None:
    assert not find_times("room 19, price 12.50")


def test_clock() -> None:
    assert clock_of("18:00") == clock_of("T18:00:00Z") == 1080
    assert clock_of("25:00") is None


@settings(max_examples=200, deadline=None)
@given(st.dates(datetime.date(1900, 1, 1), datetime.date(2069, 12, 31)))
def test_every_day_in_every_common_form(day: datetime.date) -> None:
    forms = [day.isoformat(), f"{day.day} {day:%B} {day.year}", f"{day:%B} {day.day}, {day.year}", f"{day:%d.%m.%Y}"]
    for form in forms:
        assert (day.year, day.month, day.day) in {
            (one.year, one.month, one.day) for one in find_dates(form.lower(), "en")
        }
