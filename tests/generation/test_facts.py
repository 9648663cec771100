"""Facts in printed text: from the ways pages print them to the forms that Schema.org asks for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.generation import facts


@pytest.mark.parametrize(
    ("text", "language", "wanted"),
    [
        ("14 February 2026", "en", ["2026-02-14"]),
        ("March 3, 2026", "en", ["2026-03-03"]),
        ("Samedi 13 juin 2026 à 19h30", "fr", ["2026-06-13T19:30"]),
        ("2. März 2026", "de", ["2026-03-02"]),
        ("Publicado el 22 de abril de 2026 a las 23:15", "es", ["2026-04-22T23:15"]),
        ("12 marzo 2024", "it", ["2024-03-12"]),
        ("7 maart 2023", "nl", ["2023-03-07"]),
        ("5 de maio de 2022", "pt", ["2022-05-05"]),
        ("2026年4月1日", "ja", ["2026-04-01"]),
        ("2024年5月1日 10:30", "zh", ["2024-05-01T10:30"]),
        ("5 يناير 2026", "ar", ["2026-01-05"]),
        ("12 мая 2024 г., 18:30", "ru", ["2024-05-12T18:30"]),
        ("3 stycznia 2025", "pl", ["2025-01-03"]),
        ("12 Mart 2024", "tr", ["2024-03-12"]),
        ("31/12/2024", "en", ["2024-12-31"]),
        ("12/03/2024", "fr", ["2024-03-12"]),
        ("no date, 12 eggs", "en", []),
    ],
)
def test_dates(text: str, language: str, wanted: list[str]) -> None:
    assert [fact.value for fact in facts.dates(text, language)] == wanted


def test_a_date_that_could_be_two_is_left_out() -> None:
    assert facts.dates("11/03/2024", "en") == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1 hour 15 minutes", "PT1H15M"),
        ("1h15", "PT1H15M"),
        ("134 min", "PT2H14M"),
        ("1 Std. 20 Min.", "PT1H20M"),
        ("30-40 minutes", "PT30M"),
        ("1 час 20 минут", "PT1H20M"),
        ("1時間30分", "PT1H30M"),
        ("2 saat 10 dk", "PT2H10M"),
        ("3 days", "P3D"),
    ],
)
def test_durations(text: str, wanted: str) -> None:
    assert facts.durations(text)[0].value == wanted


def test_a_clock_is_a_duration_only_where_it_is_one() -> None:
    assert facts.durations("3:45") == []
    assert facts.durations("3:45", clock=True)[0].value == "PT3M45S"
    assert facts.durations("1:02:03", clock=True)[0].value == "PT1H2M3S"


@pytest.mark.parametrize(
    ("text", "amount", "high", "currency"),
    [
        ("129,95 €", 129.95, None, "EUR"),
        ("£42,000 to £48,500 per year", 42000, 48500, "GBP"),
        ("1.299,00 EUR", 1299, None, "EUR"),
        ("$35", 35, None, "USD"),
        ("R$ 1.200,50", 1200.5, None, "BRL"),
        ("CHF 25.-", 25, None, "CHF"),
        ("600円～1,500円", 600, 1500, "JPY"),
        ("61万円〜77万円", 610000, 770000, "JPY"),
        ("10 zł", 10, None, "PLN"),
        ("₹ 2,499", 2499, None, "INR"),
    ],
)
def test_prices(text: str, amount: float, high: float | None, currency: str) -> None:
    (price,) = facts.prices(text, "en")
    assert (price.amount.value, price.high.value if price.high else None, price.currency) == (amount, high, currency)


def test_signs_that_several_currencies_share_are_told_by_language_and_domain() -> None:
    assert facts.currency("kr", "sv") == "SEK"
    assert facts.currency("kr", "da") == "DKK"
    assert facts.currency("¥", "ja") == "JPY"
    assert facts.currency("¥", "fr") == ""
    assert facts.currency("$", "es") == ""
    assert facts.currency("$", "en", "https://shop.example.ca/x") == "CAD"


@pytest.mark.parametrize(
    ("text", "value", "best", "count", "reviews"),
    [
        ("4.7 out of 5 (128 reviews)", 4.7, 5, 128, True),
        ("4,6 von 5 Sternen (87 Bewertungen)", 4.6, 5, 87, True),
        ("7.9/10 from 3,412 ratings", 7.9, 10, 3412, False),
        ("4,8 / 5 - 1 234 avis", 4.8, 5, 1234, True),
        ("4.6 (22 ratings)", 4.6, None, 22, False),
    ],
)
def test_ratings(text: str, value: float, best: int | None, count: int, reviews: bool) -> None:
    rating = facts.rating_in(text, stars=True)
    assert rating is not None
    assert (rating.value.value, rating.best.value if rating.best else None) == (value, best)
    assert rating.count is not None
    assert (rating.count.value, rating.reviews) == (count, reviews)


@pytest.mark.parametrize("text", ["24/7 support", "11/5/2024", "size 8 of 5", "page 2 of 10 pages"])
def test_what_is_no_rating(text: str) -> None:
    rating = facts.rating_in(text)
    assert rating is None or rating.count is None


def test_the_span_of_a_fact_is_what_was_printed() -> None:
    text = "Neu: 1.299,00 € statt 1.499,00 €, ab 2. März 2026"
    price = facts.prices(text, "de")[0]
    assert text[price.amount.start : price.amount.end] == "1.299,00"
    date = facts.dates(text, "de")[0]
    assert text[date.start : date.end] == "2. März 2026"


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=80), st.sampled_from(["en", "de", "ja", "ar", ""]))
def test_any_text_is_read_without_an_error_and_spans_stay_inside(text: str, language: str) -> None:
    for found in (
        facts.dates(text, language), facts.times(text), facts.durations(text, clock=True), facts.numbers(text),
        facts.years(text),
    ):  # fmt: skip
        assert all(0 <= fact.start < fact.end <= len(text) for fact in found)
    for price in facts.prices(text, language):
        assert 0 <= price.start < price.end <= len(text)
    facts.rating_in(text, stars=True)


@settings(deadline=None)
@given(st.integers(1, 10**7))
def test_iso_durations_add_up(seconds: int) -> None:
    match = re.fullmatch(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?", facts.iso_duration(seconds))
    assert match
    days, hours, minutes, rest = (int(part or 0) for part in match.groups())
    assert days * 86400 + hours * 3600 + minutes * 60 + rest == seconds


@settings(deadline=None)
@given(st.decimals(min_value=1, max_value=99999, places=2))
def test_an_amount_is_the_same_in_every_spelling(value: object) -> None:
    plain = f"{value}"
    whole, _, cents = plain.partition(".")
    grouped = re.sub(r"(?<=\d)(?=(\d{3})+$)", ",", whole)
    wanted = float(plain)
    assert facts.amount(f"{grouped}.{cents}") == wanted
    assert facts.amount(f"{grouped.replace(',', '.')},{cents}") == wanted
    assert facts.amount(f"{grouped.replace(',', ' ')},{cents}") == wanted
