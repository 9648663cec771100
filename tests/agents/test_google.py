"""Google's rich results: what is eligible, what is missing, what is retired."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest

from schemaproof.agents.google import rich_result_findings, rich_results, said
from schemaproof.agents.google_features import FEATURES
from schemaproof.agents.policies import policy
from schemaproof.agents.validity import judge_validity
from schemaproof.markup.graph import build_graph
from schemaproof.markup.model import Graph
from schemaproof.vocabulary import load

PERSON = {"@type": "Person", "name": "Ann"}


def graph_of(*documents: dict[str, Any]) -> Graph:
    return build_graph([{"@context": "https://schema.org", **each} for each in documents], vocabulary=load())


def missing(*documents: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Feature -> what is missing, for features that are still shown."""
    results = rich_results(graph_of(*documents), load())
    return {each.feature: each.missing for each in results if not each.retired}


def test_the_table_names_only_terms_of_the_vocabulary() -> None:
    vocabulary = load()
    for feature in FEATURES:
        assert {*feature.types, *feature.without} <= set(vocabulary.types), feature.name
        for requirement in (*feature.required, *feature.recommended, *feature.alone, feature.when):
            for name in re.findall(r"[a-z][\w-]*", requirement.replace("= false", "")):
                assert name.removesuffix("-input") in vocabulary.properties, (feature.name, name)


def test_the_table_holds_features_with_their_pages() -> None:
    assert len({feature.name for feature in FEATURES if not feature.retired}) >= 20
    for feature in FEATURES:
        assert feature.source.startswith("https://developers.google.com/search/")
        assert feature.required or feature.recommended
        if feature.retired:
            assert datetime.date.fromisoformat(feature.retired) < datetime.date(2026, 11, 1)


def test_a_product_needs_an_offer_a_review_or_a_rating() -> None:
    lamp = {"@type": "Product", "name": "Lamp"}
    assert missing(lamp) == {"Product snippet": ("review | aggregateRating | offers",)}
    rated = {**lamp, "aggregateRating": {"@type": "AggregateRating", "ratingValue": 4, "reviewCount": 3}}
    assert missing(rated) == {"Product snippet": (), "Review snippet": ()}


def test_every_offer_needs_a_price() -> None:
    offers = [
        {"@type": "Offer", "price": 5, "priceCurrency": "EUR"},
        {"@type": "Offer", "priceSpecification": {"@type": "PriceSpecification", "price": 5, "priceCurrency": "EUR"}},
    ]
    lamp = {"@type": "Product", "name": "Lamp", "image": "lamp.jpg", "offers": offers}
    assert missing(lamp) == {"Product snippet": (), "Merchant listing": ()}
    offers.append({"@type": "Offer", "priceCurrency": "EUR"})
    assert missing(lamp)["Merchant listing"] == ("offers.price | priceSpecification.price",)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"@type": "Recipe", "name": "Pie"}, {"Recipe": ("image",)}),
        ({"@type": "NewsArticle", "headline": "H"}, {"Article": ()}),
        ({"@type": "BlogPosting", "headline": "H"}, {"Article": ()}),
        (
            {"@type": "JobPosting", "title": "Cook", "description": "d", "datePosted": "2026-05-01"},
            {"Job posting": ("hiringOrganization", "jobLocation | applicantLocationRequirements")},
        ),
        (
            {"@type": "Event", "name": "Fair", "startDate": "2026-05-01", "location": {"@type": "Place", "name": "x"}},
            {"Event": ("location.address | url",)},
        ),
        ({"@type": "Bakery", "name": "Bread"}, {"Local business": ("address",)}),
        ({"@type": "Organization", "name": "Shop"}, {"Organization": ()}),
        ({"@type": "VideoObject", "name": "V"}, {"Video": ("thumbnailUrl", "uploadDate")}),
        ({"@type": "Review", "author": PERSON}, {"Review snippet": ("reviewRating", "itemReviewed")}),
        ({"@type": "DiscussionForumPosting", "text": "Hi"}, {"Discussion forum": ("author", "datePublished")}),
        ({"@type": "Movie", "name": "M", "image": ""}, {"Movie": ("image",)}),
        ({"@type": "EmployerAggregateRating", "ratingValue": 4}, {
            "Employer aggregate rating": ("itemReviewed", "ratingCount | reviewCount")
        }),
        ({"@type": "Thing", "name": "x"}, {}),
        ({"@type": "Unheard", "name": "x"}, {}),
    ],
)  # fmt: skip
def test_what_is_missing(document: dict[str, Any], expected: dict[str, tuple[str, ...]]) -> None:
    assert missing(document) == expected


def test_a_breadcrumb_needs_two_named_items() -> None:
    def crumb(position: int, **more: Any) -> dict[str, Any]:
        return {"@type": "ListItem", "position": position, **more}

    trail = {"@type": "BreadcrumbList", "itemListElement": [crumb(1, name="Home")]}
    page = {"@type": "WebPage", "breadcrumb": trail}
    assert missing(page) == {"Breadcrumb": ("itemListElement >= 2",)}
    trail["itemListElement"].append(crumb(2, item={"@id": "https://a.example/2", "name": "Two"}))  # type: ignore[attr-defined]
    assert missing(page) == {"Breadcrumb": ()}
    trail["itemListElement"].append(crumb(3))  # type: ignore[attr-defined]
    assert missing(page) == {"Breadcrumb": ("itemListElement.name | item.name",)}


def test_an_entity_that_is_only_spoken_of_is_left_alone() -> None:
    spoken_of = {"@type": "Article", "headline": "H", "mentions": {"@type": "Product", "name": "Lamp"}}
    assert set(missing(spoken_of)) == {"Article"}
    contained = {"@type": "WebPage", "mainEntity": {"@type": "Product", "name": "Lamp"}}
    assert set(missing(contained)) == {"Product snippet"}


def test_what_a_review_is_of_is_clear_where_it_is_nested() -> None:
    review = {"@type": "Review", "author": PERSON, "reviewRating": {"@type": "Rating", "ratingValue": 5}}
    book = {"@type": "Book", "name": "B", "review": review}
    assert missing(book) == {"Review snippet": ()}


def test_paywalled_content_is_only_meant_where_it_is_not_free() -> None:
    article: dict[str, Any] = {"@type": "NewsArticle", "isAccessibleForFree": True}
    assert "Subscription and paywalled content" not in missing(article)
    article["isAccessibleForFree"] = "https://schema.org/False"
    assert missing(article)["Subscription and paywalled content"][0] == "hasPart"


def test_retired_features_are_told_and_never_eligible() -> None:
    results = rich_results(graph_of({"@type": "FAQPage", "mainEntity": []}, {"@type": "HowTo", "name": "x"}), load())
    assert {(each.feature, each.retired, each.eligible) for each in results} == {
        ("FAQ", "2026-05-07", False),
        ("How-to", "2023-09-13", False),
    }


def test_the_policy_google_adds_findings_and_changes_no_verdict() -> None:
    graph = graph_of({"@type": "Product", "name": "Lamp", "isbn": "1"})
    plain = judge_validity(graph, load(), policy("schema.org"))
    google = judge_validity(graph, load(), policy("google"))
    assert google.verdicts == plain.verdicts
    extra = google.findings[len(plain.findings) :]
    assert [finding.rule for finding in extra] == ["google-required", "google-recommended"]
    assert "review or aggregateRating or offers is missing" in extra[0].message
    assert list(rich_result_findings(graph, load())) == extra


@pytest.mark.parametrize(
    ("requirement", "words"),
    [
        ("name", "name"),
        ("a | b", "a or b"),
        ("offers.price | priceSpecification.price", "offers: price or priceSpecification.price"),
        ("image >= 8", "image (at least 8)"),
        ("author.name", "author.name"),
    ],
)
def test_requirements_in_words(requirement: str, words: str) -> None:
    assert said(requirement) == words
