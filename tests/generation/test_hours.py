"""Opening hours as pages print them."""

from __future__ import annotations

import pytest

from schemaproof.generation.hours import day_numbers, openings, time_ranges
from schemaproof.generation.outline import Outline
from schemaproof.page import read_page

WEEK = tuple(range(7))


@pytest.mark.parametrize(
    ("text", "language", "days"),
    [
        ("Mon-Fri", "en", (0, 1, 2, 3, 4)),
        ("Saturday and Sunday", "en", (5, 6)),
        ("daily", "en", WEEK),
        ("Mo, Mi und Fr", "de", (0, 2, 4)),
        ("montags bis freitags", "de", (0, 1, 2, 3, 4)),
        ("du mardi au samedi", "fr", (1, 2, 3, 4, 5)),
        ("lunes a viernes", "es", (0, 1, 2, 3, 4)),
        ("ma t/m vr", "nl", (0, 1, 2, 3, 4)),
        ("月曜日", "ja", (0,)),
        ("Пн-Пт", "ru", (0, 1, 2, 3, 4)),
        ("周一至周五", "zh", (0, 1, 2, 3, 4)),
        ("Fri-Mon", "en", (0, 4, 5, 6)),
    ],
)
def test_days(text: str, language: str, days: tuple[int, ...]) -> None:
    found = day_numbers(text, language)
    assert found is not None
    assert found[0] == days


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("9:00 - 17:30", ("09:00", "17:30")),
        ("9am to 5pm", ("09:00", "17:00")),
        ("1-5pm", ("13:00", "17:00")),
        ("9-5pm", ("09:00", "17:00")),
        ("10h à 18h", ("10:00", "18:00")),
        ("8.00 bis 16.30 Uhr", ("08:00", "16:30")),
        ("8:00～18:00", ("08:00", "18:00")),
        ("8AM – 4:30 PM", ("08:00", "16:30")),
    ],
)
def test_times(text: str, wanted: tuple[str, str]) -> None:
    assert [(opens, closes) for opens, closes, _, _ in time_ranges(text)] == [wanted]


def test_bare_numbers_are_no_times() -> None:
    assert time_ranges("pages 10 - 20") == []


def test_a_table_of_days_and_a_closed_day() -> None:
    page = read_page(
        "<html lang=en><table><tr><th>Monday</th><td>9:00 - 17:00</td></tr><tr><th>Tuesday</th><td>closed</td></tr>"
        "<tr><th>Wednesday</th><td>9:00 - 12:00, 14:00 - 18:00</td></tr></table>"
    )
    found = openings(Outline(page).lines, "en")
    assert [(each.days, each.opens, each.closes) for each in found] == [
        ((0,), "09:00", "17:00"),
        ((2,), "09:00", "12:00"),
        ((2,), "14:00", "18:00"),
    ]
    assert all(
        page.text[each.time_evidence.start : each.time_evidence.end] == each.time_evidence.text for each in found
    )


def test_days_and_times_in_one_line() -> None:
    page = read_page("<html lang=de><p>Mo-Fr 9:00-18:00; Sa 10:00-14:00</p>")
    found = openings(Outline(page).lines, "de")
    assert [(each.days, each.opens, each.closes) for each in found] == [
        ((0, 1, 2, 3, 4), "09:00", "18:00"),
        ((5,), "10:00", "14:00"),
    ]
