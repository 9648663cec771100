from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.agents.compliance import EmbeddedCompliance
from schemaproof.agents.verdict import Decision, Verdict
from schemaproof.markup import build_graph
from schemaproof.markup.model import Graph, Statement
from schemaproof.vocabulary import load

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "compliance"
JUDGE = EmbeddedCompliance(load())


def rows(name: str) -> list[tuple[str, str, str]]:
    found = []
    for line in (FIXTURES / f"{name}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            head, _, values = line.partition("=")
            kind, prop = head.split()
            found += [(kind, prop, value) for value in values.split("|")]
    return found


def graph(markup: Any) -> Graph:
    return build_graph([markup], base="https://site.example/page", vocabulary=load())


def one(kind: str, prop: str, value: Any, language: str = "") -> Verdict:
    verdict = JUDGE.judge_statement(Statement("/x", (kind,) if kind else (), prop, value, None, 0), language)[0]
    assert verdict is not None
    return verdict


def rejected(markup: Any, language: str = "") -> dict[str, str]:
    """Pointer to rule of what is rejected."""
    read = graph(markup)
    verdicts, _ = JUDGE.judge(read, None, language)
    return {
        statement.path: verdict.rule
        for statement, verdict in zip(read.statements, verdicts, strict=True)
        if verdict is not None and verdict.decision is Decision.REJECT
    }


@pytest.mark.parametrize(("kind", "prop", "value"), rows("good"))
def test_fitting_values_are_kept(kind: str, prop: str, value: str) -> None:
    verdict = one(kind, prop, value)
    assert verdict.decision is Decision.KEEP, verdict.reason
    assert verdict.probability is not None
    assert verdict.probability >= 0.5


@pytest.mark.parametrize(("kind", "prop", "value"), rows("bad"))
def test_values_of_another_kind_are_rejected_with_a_reason(kind: str, prop: str, value: str) -> None:
    verdict = one(kind, prop, value)
    assert verdict.decision is Decision.REJECT
    assert verdict.rule
    assert prop in verdict.reason
    assert verdict.reason.endswith(".")
    assert verdict.probability is not None
    assert verdict.probability < 0.5


@pytest.mark.parametrize(("kind", "prop", "value"), rows("bad"))
def test_what_is_suggested_fits(kind: str, prop: str, value: str) -> None:
    suggestion = one(kind, prop, value).suggestion
    if suggestion:
        assert one(kind, prop, suggestion).decision is Decision.KEEP, suggestion


@pytest.mark.parametrize(
    ("kind", "prop", "value", "suggestion"),
    [
        ("Offer", "priceCurrency", "Euros", "EUR"),
        ("Offer", "priceCurrency", "£", "GBP"),
        ("Offer", "price", "2,499.50", "2499.50"),
        ("Offer", "price", "7,5", "7.5"),
        ("Offer", "price", "٧٫٥", "7.5"),
        ("Offer", "price", "CHF 12.–", "12"),
        ("HowTo", "totalTime", "2 hours 15 minutes", "PT2H15M"),
        ("HowTo", "totalTime", "anderthalb Stunden", ""),
        ("Event", "startDate", "3 March 2031", "2031-03-03"),
        ("Event", "startDate", "04/05/2031", ""),
        ("ContactPoint", "availableLanguage", "Dutch", "nl"),
        ("Rating", "ratingValue", "3.5 out of 5", "3.5"),
        ("GeoCoordinates", "latitude", "47,25", "47.25"),
        ("QuantitativeValue", "unitCode", "centimeter", "CMT"),
        ("OpeningHoursSpecification", "opens", "8.30 am", "08:30"),
        ("LocalBusiness", "openingHours", "Sat + Sun 10am-4pm", ""),
        ("LocalBusiness", "openingHours", "weekdays 8:00 - 16:30", "Mo-Fr 08:00-16:30"),
        ("Organization", "email", "Write to office@site.example", "office@site.example"),
        ("PostalAddress", "postalCode", "8001 Zürich", "8001"),
    ],
)
def test_repairs(kind: str, prop: str, value: str, suggestion: str) -> None:
    verdict = one(kind, prop, value)
    assert verdict.decision is Decision.REJECT
    assert verdict.suggestion == suggestion


def test_months_are_read_in_the_language_of_the_page() -> None:
    assert one("Event", "startDate", "12 lutego 2031", "pl").suggestion == "2031-02-12"
    assert one("Event", "startDate", "12 lutego 2031").suggestion == ""


def test_countries_and_languages_are_known_in_the_language_of_the_page() -> None:
    assert one("PostalAddress", "addressCountry", "Frankreich", "de").decision is Decision.KEEP
    assert one("PostalAddress", "addressCountry", "Austrija", "hr").decision is Decision.KEEP
    assert one("Article", "inLanguage", "Französisch", "de").suggestion == "fr"


def test_each_place_is_judged_by_itself() -> None:
    markup = {
        "@context": "https://schema.org",
        "@type": "Store",
        "name": "Corner shop",
        "openingHours": ["Mo-Fr 08:00-17:00", "all day long"],
        "sameAs": ["https://social.example/corner", "our page"],
        "email": "+44 20 7946 0000",
        "telephone": "mail@corner.example",
    }
    assert rejected(markup) == {
        "/0/openingHours/1": "not-opening-hours",
        "/0/sameAs/1": "not-a-url",
        "/0/email": "not-an-email",
        "/0/telephone": "not-a-telephone",
    }


def test_entities_and_what_was_not_asked_have_no_verdict() -> None:
    read = graph({"@context": "https://schema.org", "@type": "Product", "name": "Lamp", "offers": {"@type": "Offer"}})
    verdicts, _ = JUDGE.judge(read)
    assert [verdict is None for verdict in verdicts] == [s.entity is not None for s in read.statements]
    assert JUDGE.judge(read, [])[0] == [None] * len(read.statements)
    literal = next(index for index, s in enumerate(read.statements) if s.entity is None)
    assert [index for index, verdict in enumerate(JUDGE.judge(read, [literal])[0]) if verdict] == [literal]


def test_untidy_values_are_kept_and_reported() -> None:
    markup = {
        "@context": "https://schema.org",
        "@type": "Article",
        "headline": "News",
        "description": "<p>All &amp; sundry</p>",
        "dateModified": "2031-05-06 07:08:09",
        "inLanguage": "en_GB",
        "image": "/pictures/news.png",
    }
    read = graph(markup)
    verdicts, findings = JUDGE.judge(read)
    assert all(verdict is None or verdict.decision is Decision.KEEP for verdict in verdicts)
    assert {finding.rule for finding in findings} == {"html-in-text", "date-untidy", "language-untidy", "relative-url"}
    assert {finding.severity for finding in findings} == {"warning"}
    assert {finding.agent for finding in findings} == {"compliance"}
    assert {f.path: f.suggestion for f in findings}["/0/dateModified"] == "2031-05-06T07:08:09"


def test_braces_are_right_in_uri_templates_only() -> None:
    search = {"@type": "SearchAction", "target": "https://site.example/?q={search_term_string}"}
    assert rejected({"@context": "https://schema.org", "@type": "WebSite", "potentialAction": search}) == {}
    assert rejected({"@context": "https://schema.org", "@type": "WebSite", "name": "{site.name}"}) == {
        "/0/name": "placeholder"
    }


@pytest.mark.parametrize(
    ("siblings", "wrong"),
    [
        ({"ratingValue": 9, "bestRating": 5}, {"ratingValue"}),
        ({"ratingValue": 9, "bestRating": 10}, set()),
        ({"ratingValue": "0.5", "worstRating": "1", "bestRating": "5"}, {"ratingValue"}),
        ({"ratingValue": 87}, set()),
    ],
)
def test_ratings_lie_within_their_scale(siblings: dict[str, Any], wrong: set[str]) -> None:
    markup = {"@context": "https://schema.org", "@type": "Rating", **siblings}
    assert {path.rsplit("/", 1)[1] for path in rejected(markup)} == wrong


def test_a_rating_above_five_without_a_scale_is_reported() -> None:
    read = graph({"@context": "https://schema.org", "@type": "Rating", "ratingValue": 87})
    assert [finding.rule for finding in JUDGE.judge(read)[1]] == ["rating-scale-unstated"]


def test_ends_do_not_lie_before_starts() -> None:
    event = {"@context": "https://schema.org", "@type": "Event", "startDate": "2031-02-03", "endDate": "2031-02-01"}
    assert set(rejected(event).values()) == {"out-of-order"}
    assert rejected({**event, "endDate": "2031-02-03T23:00"}) == {}


def test_enumerations() -> None:
    assert one("Offer", "availability", "http://schema.org/InStock").decision is Decision.KEEP
    wrong = one("Offer", "availability", "https://schema.org/UsedCondition")
    assert (wrong.decision, wrong.rule) == (Decision.REJECT, "other-enumeration")
    assert one("InteractionCounter", "interactionType", "https://schema.org/Review").suggestion.endswith("ReviewAction")
    assert one("OpeningHoursSpecification", "dayOfWeek", "Freitag").suggestion in ("", "https://schema.org/Friday")


def test_properties_that_the_entity_cannot_have() -> None:
    wrong = one("WebPage", "telephone", "+44 20 7946 0000")
    assert wrong.rule == "property-of-other-types"
    assert one("", "telephone", "+44 20 7946 0000").decision is Decision.KEEP
    assert one("Product", "colour", "red").suggestion == "color"


@settings(deadline=None, max_examples=300)
@given(
    st.sampled_from(sorted(load().properties)),
    st.one_of(st.text(max_size=60), st.integers(), st.floats(allow_nan=True), st.booleans()),
    st.sampled_from(["", "en", "de", "ja", "xx", "not a language"]),
)
def test_no_value_breaks_the_judge(prop: str, value: Any, language: str) -> None:
    verdict, findings = JUDGE.judge_statement(Statement("/x", (), prop, value, None, 0), language)
    assert verdict is not None
    assert verdict.decision in (Decision.KEEP, Decision.REJECT)
    assert verdict.probability is not None
    assert (verdict.probability >= 0.5) == (verdict.decision is Decision.KEEP)
    assert all(finding.message for finding in findings)


@pytest.mark.parametrize(
    "text", ["a" * 200_000, "1" * 200_000, "({[" * 60_000, "a@" * 60_000, " - " * 60_000, "P1" * 9_000]
)
def test_long_hostile_texts_take_linear_time(text: str) -> None:
    import time

    started = time.process_time()
    for prop in (
        "name",
        "telephone",
        "email",
        "price",
        "openingHours",
        "url",
        "cookTime",
        "startDate",
        "weight",
        "isbn",
    ):
        one("", prop, text)
    assert time.process_time() - started < 2.0
