from __future__ import annotations

import datetime

from hypothesis import given
from hypothesis import strategies as st

from schemaproof.agents import compliance_repair as repair
from schemaproof.agents.compliance_times import DURATION


@given(st.integers(0, 10**9), st.integers(0, 99))
def test_numbers_survive_the_habits_of_languages(whole: int, cents: int) -> None:
    expected = f"{whole}.{cents:02}"
    english = f"{whole:,}.{cents:02}"
    for written in (
        english,
        english.replace(",", " ").replace(".", ","),
        english.replace(",", "'"),
        english.translate(str.maketrans(",.", ".,")),
        f"€ {english}",
        english.translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")),
    ):
        assert repair.number(written) == expected


@given(st.dates(datetime.date(1500, 1, 1), datetime.date(2099, 12, 31)))
def test_dates_survive_being_spoken(day: datetime.date) -> None:
    month = day.strftime("%B")
    for written in (
        f"{month} {day.day}, {day.year}",
        f"{day.day} {month} {day.year}",
        f"{day.day}.{day.month}.{day.year}",
        f"{day.year}/{day.month}/{day.day}",
        f"{day.year}年{day.month}月{day.day}日",
    ):
        assert repair.date(written, "en") == day.isoformat()


def test_dates_that_could_be_two_days_are_not_guessed() -> None:
    assert repair.date("03/04/2020") == ""
    assert repair.date("13/04/2020") == "2020-04-13"
    assert repair.date("04/13/2020") == "2020-04-13"
    assert repair.date("31 February 2020") == ""


@given(st.integers(1, 48), st.integers(1, 59))
def test_durations_become_iso_8601(hours: int, minutes: int) -> None:
    for written in (f"{hours} h {minutes} min", f"{hours} Stunden und {minutes} Minuten", f"{hours}h{minutes}"):
        assert repair.duration(written) == f"PT{hours}H{minutes}M"
    assert DURATION.fullmatch(repair.duration(f"{minutes} minutes"))


def test_what_is_no_duration_stays_without_a_guess() -> None:
    for written in ("", "30", "soon", "three hours", "5 apples", "1 h 2 h"):
        assert repair.duration(written) == ""


@given(st.integers(0, 23), st.integers(0, 59))
def test_clock_times_of_both_kinds(hour: int, minute: int) -> None:
    expected = f"{hour:02}:{minute:02}"
    half = "am" if hour < 12 else "pm"
    assert repair.clock(f"{hour % 12 or 12}:{minute:02} {half}") == expected
    assert repair.clock(f"{hour}:{minute:02}") == expected


def test_opening_hours_as_people_write_them() -> None:
    assert repair.opening_hours("Monday - Friday: 8am-6pm") == "Mo-Fr 08:00-18:00"
    assert repair.opening_hours("Lundi au vendredi 9h00 - 18h30") == "Mo-Fr 09:00-18:30"
    assert repair.opening_hours("Sa & So 10-16 Uhr") == "Sa,Su 10:00-16:00"
    assert repair.opening_hours("Mon, Wed, Fri 1-5pm") == "Mo,We,Fr 13:00-17:00"
    assert repair.opening_hours("open 24 hours") == "Mo-Su"
    assert repair.opening_hours("by appointment") == ""


@given(st.text(max_size=100))
def test_no_text_breaks_a_repair(text: str) -> None:
    for function in (repair.number, repair.duration, repair.date, repair.clock, repair.opening_hours, repair.day_name):
        assert isinstance(function(text), str)


def test_thousands_and_directions() -> None:
    from schemaproof.agents.compliance_numbers import count, latitude

    assert repair.number("1.2K") == "1200"
    assert repair.number("3M") == "3000000"
    assert repair.number("12 kg") == ""
    fault = count("4.5k", "")
    assert fault is not None
    assert fault.suggestion == "4500"
    south = latitude("33.8688 S", "")
    assert south is not None
    assert south.suggestion == "-33.8688"
