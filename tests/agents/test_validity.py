"""The validity agent under its default policy, on markups read by the graph builder."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.agents import validity_plans
from schemaproof.agents.policies import POLICIES, policy
from schemaproof.agents.validity import ValidityResult, judge_validity
from schemaproof.agents.verdict import Decision
from schemaproof.errors import SpecError
from schemaproof.markup.graph import build_graph
from schemaproof.markup.model import Graph
from schemaproof.vocabulary import load

CONTEXT = "https://schema.org"
Row = tuple[str, str, str]


def graph_of(*documents: dict[str, Any]) -> Graph:
    return build_graph(
        [{"@context": CONTEXT, **each} for each in documents], vocabulary=load(), base="https://a.example/"
    )


def judged(*documents: dict[str, Any], by: str = "schema.org") -> tuple[dict[str, str], ValidityResult]:
    """Rejected statements as "property value" -> rule, and the whole result."""
    graph = graph_of(*documents)
    result = judge_validity(graph, load(), policy(by))
    assert len(result.verdicts) == len(graph.statements)
    rejected = {}
    for statement, verdict in zip(graph.statements, result.verdicts, strict=True):
        if verdict.decision is Decision.REJECT:
            value = statement.value if statement.entity is None else "{" + ",".join(statement.entity) + "}"
            rejected[f"{statement.property} {value}"] = verdict.rule
            assert verdict.reason.endswith(".")
        else:
            assert verdict.decision is Decision.KEEP
    return rejected, result


def rules(result: ValidityResult) -> set[str]:
    return {finding.rule for finding in result.findings}


def suggestions(result: ValidityResult) -> set[str]:
    return {finding.suggestion for finding in result.findings if finding.suggestion}


# Types and properties


def test_an_unknown_type_takes_its_statements_with_it() -> None:
    rejected, result = judged({"@type": "Recette", "name": "Tarte"})
    assert rejected == {"@type Recette": "unknown-type", "name Tarte": "unknown-type"}
    assert [finding.path for finding in result.findings] == ["/0/@type"]


def test_one_known_type_is_enough() -> None:
    rejected, _ = judged({"@type": ["Product", "Gadget"], "name": "Lamp", "sku": "1", "isbn": "1"})
    assert rejected == {"@type Gadget": "unknown-type", "isbn 1": "wrong-domain"}


def test_a_type_of_another_vocabulary_is_left_alone() -> None:
    rejected, _ = judged({"@type": "http://xmlns.com/foaf/0.1/Person", "name": "Ann", "nmae": "x"})
    assert rejected == {"nmae x": "unknown-property"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [("Website", "WebSite"), ("localbusiness", "LocalBusiness"), ("Prodcut", "Product"), ("Job Posting", "JobPosting")],
)
def test_a_mistyped_type_gets_a_suggestion(written: str, meant: str) -> None:
    rejected, result = judged({"@type": written, "name": "x"})
    assert set(rejected.values()) == {"unknown-type"}
    assert suggestions(result) == {meant}


@pytest.mark.parametrize(
    ("types", "written", "meant"),
    [
        ("VideoObject", "ContentUrl", "contentUrl"),
        ("Article", "mainentityofpage", "mainEntityOfPage"),
        ("Article", "date_published", "datePublished"),
        ("Offer", "prise", "price"),
        ("Offer", "PriceSpecification", "priceSpecification"),
        ("Recipe", "ingredients_list", ""),
    ],
)
def test_a_mistyped_property_gets_a_suggestion(types: str, written: str, meant: str) -> None:
    rejected, result = judged({"@type": types, written: "https://a.example/x"})
    assert rejected == {f"{written} https://a.example/x": "unknown-property"}
    assert suggestions(result) == ({meant} if meant else set())


def test_a_member_used_as_type_is_told_apart() -> None:
    _, result = judged({"@type": "InStock"})
    assert "member of ItemAvailability" in result.findings[0].message


def test_a_property_of_another_type_is_rejected_and_only_warned_of() -> None:
    rejected, result = judged({"@type": "Product", "name": "Novel", "isbn": "9780000000002"})
    assert rejected == {"isbn 9780000000002": "wrong-domain"}
    assert [finding.severity for finding in result.findings] == ["warning"]
    assert "Book" in result.findings[0].message


def test_several_types_join_their_properties() -> None:
    assert judged({"@type": ["Product", "Book"], "sku": "1", "isbn": "1"})[0] == {}


def test_superseded_and_pending_terms_are_kept_and_told() -> None:
    rejected, result = judged(
        {"@type": "BuyAction", "vendor": {"@type": "Person", "name": "A"}},
        {"@type": "Offer", "gtin": "4006381333931"},
        {"@type": "Offer", "gtin": "4006381333931"},
    )
    assert rejected == {}
    told = [(finding.rule, finding.severity, finding.suggestion) for finding in result.findings]
    assert ("superseded-term", "warning", "seller") in told
    assert told.count(("pending-term", "info", "")) == 1


def test_a_superseded_type_stands_for_its_successor() -> None:
    rejected, result = judged({"@type": "Store", "hasMerchantReturnPolicy": {"@type": "ProductReturnPolicy"}})
    assert rejected == {}
    assert "superseded-term" in rules(result)


# Ranges of entities


@pytest.mark.parametrize(
    ("document", "rejected"),
    [
        ({"@type": "Recipe", "recipeInstructions": {"@type": "HowToSection"}}, {}),
        ({"@type": "Recipe", "recipeInstructions": {"@type": "Dataset"}}, {}),
        (
            {"@type": "Recipe", "recipeInstructions": {"@type": "Event"}},
            {"recipeInstructions {Event}": "wrong-value-type"},
        ),
        (
            {"@type": "Recipe", "totalTime": {"@type": "QuantitativeValue"}},
            {"totalTime {QuantitativeValue}": "wrong-value-type"},
        ),
        ({"@type": "Recipe", "totalTime": {"@type": "Duration"}}, {}),
        ({"@type": "Article", "author": {"@type": ["Thing", "Person"]}}, {}),
        ({"@type": "Article", "author": {"@type": "Thing"}}, {"author {Thing}": "wrong-value-type"}),
        ({"@type": "Article", "headline": {"@type": "Thing"}}, {"headline {Thing}": "wrong-value-type"}),
        ({"@type": "Article", "url": {"@type": "WebPage", "@id": "https://a.example/1"}}, {}),
        ({"@type": "Article", "url": {"@type": "WebPage"}}, {"url {WebPage}": "wrong-value-type"}),
        ({"@type": "Article", "author": {"@type": "http://xmlns.com/foaf/0.1/Person"}}, {}),
        (
            {"@type": "Article", "author": {"@type": "Persn"}},
            {"author {Persn}": "value-of-unknown-type", "@type Persn": "unknown-type"},
        ),
    ],
)
def test_the_class_of_a_value(document: dict[str, Any], rejected: dict[str, str]) -> None:
    assert judged(document)[0] == rejected


def test_references_are_resolved_before_their_range_is_checked() -> None:
    shop, fair = {"@type": "Organization", "@id": "#o"}, {"@type": "Event", "@id": "#e"}
    article = {"@type": "Article", "publisher": {"@id": "#o"}, "author": {"@id": "#e"}}
    assert judged(article, shop, fair)[0] == {"author {Event}": "wrong-value-type"}


def test_a_reference_to_elsewhere_is_kept() -> None:
    assert judged({"@type": "Article", "author": {"@id": "https://example.org/#ann"}})[0] == {}


def test_a_reference_is_no_number_and_no_date() -> None:
    rejected, _ = judged({"@type": "Book", "numberOfPages": {"@id": "https://a.example/n"}})
    assert set(rejected.values()) == {"not-a-number"}


def test_an_untyped_value_is_of_any_class_that_is_expected() -> None:
    document = {
        "@type": "ListItem",
        "position": 1,
        "item": {"@id": "https://a.example/", "name": "Home", "price": 5, "nmae": "x"},
    }
    assert judged(document)[0] == {"nmae x": "unknown-property"}


def test_an_untyped_value_carries_only_what_the_expected_classes_have() -> None:
    document = {"@type": "Product", "aggregateRating": {"ratingValue": 4, "isbn": "1"}}
    assert judged(document)[0] == {"isbn 1": "wrong-domain"}
    assert judged({"@type": "Product", "name": {"name": "x"}})[0] == {"name {}": "wrong-value-type"}


def test_an_untyped_root_may_carry_any_property() -> None:
    assert judged({"name": "x", "isbn": "1", "cookoo": "2"})[0] == {"cookoo 2": "unknown-property"}


def test_reversed_statements_are_checked_on_their_real_subject() -> None:
    document = {
        "@type": "Organization",
        "@id": "#o",
        "@reverse": {"worksFor": {"@type": "Person"}, "publisher": {"@type": "Person"}},
    }
    assert judged(document)[0] == {"publisher {Organization}": "wrong-domain"}


# Text


def test_text_for_an_entity_is_kept_with_a_warning() -> None:
    rejected, result = judged({"@type": "Article", "author": "Ann", "publisher": "https://a.example/"})
    assert rejected == {}
    assert [(finding.rule, finding.path) for finding in result.findings] == [("text-for-entity", "/0/author")]


def test_language_tagged_text_is_text() -> None:
    assert judged({"@type": "Book", "name": {"@value": "La mer", "@language": "fr"}})[0] == {}


def test_numbers_may_stand_for_text_and_booleans_may_not() -> None:
    rejected, _ = judged({"@type": "Product", "sku": 123, "name": True})
    assert rejected == {"name True": "wrong-value-type"}


def test_a_number_is_no_entity() -> None:
    rejected, _ = judged({"@type": "Product", "offers": 5, "weight": 5})
    assert rejected == {"offers 5": "wrong-value-type"}


# Data types


@pytest.mark.parametrize(
    ("types", "name", "value", "rule", "better"),
    [
        ("Article", "isAccessibleForFree", True, "", ""),
        ("Article", "isAccessibleForFree", "true", "", ""),
        ("Article", "isAccessibleForFree", "False", "", ""),
        ("Article", "isAccessibleForFree", "http://schema.org/True", "", ""),
        ("Article", "isAccessibleForFree", "maybe", "not-a-boolean", ""),
        ("Article", "isAccessibleForFree", "yes", "not-a-boolean", "true"),
        ("Article", "isAccessibleForFree", 1, "not-a-boolean", "true"),
        ("Article", "isAccessibleForFree", "https://schema.org/true", "not-a-boolean", "true"),
        ("Book", "numberOfPages", 224, "", ""),
        ("Book", "numberOfPages", 224.0, "", ""),
        ("Book", "numberOfPages", " 224 ", "", ""),
        ("Book", "numberOfPages", 224.5, "not-a-number", ""),
        ("Book", "numberOfPages", "224.5", "not-a-number", ""),
        ("Book", "numberOfPages", "1,224", "not-a-number", "1224"),
        ("Book", "numberOfPages", "many", "not-a-number", ""),
        ("Book", "numberOfPages", "٢٢٤", "not-a-number", "224"),
        ("Book", "numberOfPages", True, "not-a-number", ""),
        ("Book", "numberOfPages", "224 pages", "not-a-number", "224"),
        ("Vehicle", "numberOfDoors", "4", "", ""),
        ("Vehicle", "numberOfDoors", "4 doors", "", ""),
        ("Vehicle", "numberOfDoors", "1,004", "not-a-number", "1004"),
        ("Article", "datePublished", "2026-05-01", "", ""),
        ("Article", "datePublished", "2026-05", "", ""),
        ("Article", "datePublished", "2026", "", ""),
        ("Article", "datePublished", 2026, "", ""),
        ("Article", "datePublished", "2026-W18-5", "", ""),
        ("Article", "datePublished", "2026-121", "", ""),
        ("Article", "datePublished", "20260501", "", ""),
        ("Article", "datePublished", "2026-05-01T04:59:57", "", ""),
        ("Article", "datePublished", "2026-05-01T04:59:57.123+02:00", "", ""),
        ("Article", "datePublished", "20260501T045957Z", "", ""),
        ("Article", "datePublished", "2026-05-01 04:59:57", "not-a-date", "2026-05-01T04:59:57"),
        ("Article", "datePublished", "2026-02-30", "not-a-date", ""),
        ("Article", "datePublished", "2026-13-01", "not-a-date", ""),
        ("Article", "datePublished", "May 1, 2026", "not-a-date", "2026-05-01"),
        ("Article", "datePublished", "01.05.2026", "not-a-date", "2026-05-01"),
        ("Article", "datePublished", "2026-05-01T25:00", "not-a-date", "2026-05-01"),
        ("Article", "datePublished", 1777593600, "not-a-date", "2026-05-01T00:00:00Z"),
        ("Article", "datePublished", "soon", "not-a-date", ""),
        ("OpeningHoursSpecification", "opens", "09:00", "", ""),
        ("OpeningHoursSpecification", "opens", "09:00:00+01:00", "", ""),
        ("OpeningHoursSpecification", "opens", "24:00", "", ""),
        ("OpeningHoursSpecification", "opens", "9am", "not-a-time", "09:00"),
        ("OpeningHoursSpecification", "opens", "25:00", "not-a-time", ""),
        ("Recipe", "cookTime", "PT30M", "", ""),
        ("Recipe", "cookTime", "P1DT2H30M", "", ""),
        ("Recipe", "cookTime", "P2W", "", ""),
        ("Recipe", "cookTime", "PT1.5H", "", ""),
        ("Recipe", "cookTime", "PT", "not-a-duration", ""),
        ("Recipe", "cookTime", "pt30m", "not-a-duration", "PT30M"),
        ("Recipe", "cookTime", "30 minutes", "not-a-duration", "PT30M"),
        ("Recipe", "cookTime", "T0M15S", "not-a-duration", "PT0M15S"),
        ("Recipe", "cookTime", "a while", "not-a-duration", ""),
        ("Recipe", "cookTime", 30, "not-a-duration", ""),
        ("VideoObject", "duration", "2 minutes", "not-a-duration", "PT2M"),
        ("NutritionInformation", "calories", "250 kcal", "", ""),
        ("NutritionInformation", "calories", "6 grams fiber", "", ""),
        ("NutritionInformation", "calories", "low", "not-a-quantity", ""),
        ("Product", "weight", "1.2 kg", "", ""),
        ("Product", "weight", "heavy", "", ""),
        ("Organization", "sameAs", "https://a.example/ann", "", ""),
        ("Organization", "sameAs", "ann.html", "", ""),
        ("Organization", "sameAs", "Shop on social media", "not-a-url", ""),
        ("Organization", "sameAs", "", "not-a-url", ""),
        ("Organization", "logo", "our logo", "", ""),
        ("JobPosting", "baseSalary", "$50,000 a year", "", ""),
        ("SearchAction", "target", "https://a.example/?q={search_term}", "", ""),
    ],
)
def test_the_form_of_a_value(types: str, name: str, value: Any, rule: str, better: str) -> None:
    rejected, result = judged({"@type": types, name: value})
    assert rejected == ({f"{name} {value}": rule} if rule else {})
    assert suggestions(result) == ({better} if better else set())


def test_an_instant_for_a_day_is_kept_with_a_warning() -> None:
    rejected, result = judged({"@type": "Offer", "priceValidUntil": "2026-12-31T23:59:59+01:00"})
    assert rejected == {}
    assert [(finding.rule, finding.suggestion) for finding in result.findings] == [("date-precision", "2026-12-31")]


# Enumerations


@pytest.mark.parametrize(
    "value",
    ["https://schema.org/InStock", "http://schema.org/InStock", "http://www.schema.org/InStock", "InStock"],
)
def test_a_member_in_all_its_spellings(value: str) -> None:
    assert judged({"@type": "Offer", "availability": value})[0] == {}
    if ":" in value:
        assert judged({"@type": "Offer", "availability": {"@id": value}})[0] == {}


@pytest.mark.parametrize(
    ("value", "rule", "better"),
    [
        ("https://schema.org/NewCondition", "wrong-enumeration", ""),
        ("NewCondition", "wrong-enumeration", ""),
        ("https://schema.org/Instok", "unknown-member", "https://schema.org/InStock"),
        ("Instok", "unknown-member", "https://schema.org/InStock"),
        ("in stock", "unknown-member", "https://schema.org/InStock"),
        ("https://schema.org/ItemAvailability", "unknown-member", ""),
        ("http://purl.org/goodrelations/v1#InStock", "", ""),
        ("ships within three days", "", ""),
    ],
)
def test_members_of_an_enumeration(value: str, rule: str, better: str) -> None:
    for written in (value, {"@id": value}):
        if isinstance(written, dict) and ":" not in value:
            continue
        rejected, result = judged({"@type": "Offer", "availability": written})
        assert rejected == ({f"availability {value}": rule} if rule else {})
        assert suggestions(result) == ({better} if better else set())


def test_a_superseded_member_is_kept_and_told() -> None:
    rejected, result = judged({"@type": "Physician", "medicalSpecialty": "https://schema.org/Dermatologic"})
    assert rejected == {}
    assert suggestions(result) == {"https://schema.org/Dermatology"}


def test_a_member_where_an_entity_is_expected() -> None:
    rejected, _ = judged({"@type": "Article", "author": "https://schema.org/InStock"})
    assert rejected == {"author https://schema.org/InStock": "wrong-value-type"}
    assert judged({"@type": "Article", "about": "https://schema.org/InStock"})[0] == {}


# Role and actions


def test_a_role_stands_between_a_property_and_its_value() -> None:
    role = {"@type": "PerformanceRole", "characterName": "Ann", "actor": {"@type": "Person", "name": "B"}}
    assert judged({"@type": "Movie", "actor": role})[0] == {}


def test_the_value_within_a_role_is_checked() -> None:
    role = {"@type": "Role", "roleName": "x", "author": {"@type": "Event"}, "actor": {"@type": "Person"}}
    rejected, _ = judged({"@type": "Article", "author": role})
    assert rejected == {"author {Event}": "wrong-value-type", "actor {Person}": "wrong-domain"}


def test_the_inputs_of_an_action() -> None:
    action = {
        "@type": "SearchAction",
        "target": {"@type": "EntryPoint", "urlTemplate": "https://a.example/?q={q}"},
        "query-input": "required name=q",
        "result": {"@type": "Review", "reviewBody-input": {"@type": "PropertyValueSpecification"}},
    }
    assert judged({"@type": "WebSite", "potentialAction": action})[0] == {}
    action["qery-input"] = "x"
    action["object-input"] = {"@type": "Thing"}
    rejected, _ = judged({"@type": "WebSite", "potentialAction": action})
    assert rejected == {"qery-input x": "unknown-property", "object-input {Thing}": "wrong-value-type"}


def test_the_inputs_of_an_action_without_a_type() -> None:
    action = {"target": "https://a.example/?q={q}", "query-input": "required name=q"}
    assert judged({"@type": "WebSite", "potentialAction": action})[0] == {}


def test_inputs_outside_of_an_action() -> None:
    rejected, _ = judged({"@type": "Product", "sku-input": "required"})
    assert rejected == {"sku-input required": "annotation-outside-action"}


# The whole


def test_an_empty_graph() -> None:
    assert judge_validity(graph_of(), load()) == ValidityResult([], [])


def test_verdicts_without_findings_are_one_object() -> None:
    graph = graph_of({"@type": "Person", "name": ["A", "B"]})
    first, second = judge_validity(graph, load()).verdicts
    assert first is second


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(SpecError, match=r"schema\.org, paper, google"):
        policy("strict")


def test_another_vocabulary_in_its_place(tmp_path: Any) -> None:
    file = tmp_path / "zoo.ttl"
    file.write_text(
        """@prefix : <http://zoo.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        :Bird a owl:Class . :Nest a owl:Class .
        :legs a owl:DatatypeProperty ; rdfs:domain :Bird ; rdfs:range xsd:integer .
        :lives a owl:ObjectProperty ; rdfs:domain :Bird ; rdfs:range :Nest ."""
    )
    zoo = load(file)
    document = {
        "@context": {"@vocab": "http://zoo.example/"},
        "@type": "Bird",
        "legs": ["2", "two"],
        "lives": {"@type": "Nest", "legs": 1},
        "wings": 2,
    }
    graph = build_graph([document], vocabulary=zoo)
    result = judge_validity(graph, zoo)
    found = {
        f"{statement.property} {statement.value}": verdict.rule
        for statement, verdict in zip(graph.statements, result.verdicts, strict=True)
        if verdict.decision is Decision.REJECT
    }
    assert found == {"legs two": "not-a-number", "legs 1": "wrong-domain", "wings 2": "unknown-property"}


def test_made_up_names_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validity_plans, "REMEMBERED", 10)
    plans = validity_plans.Plans(load(), POLICIES["schema.org"])
    graph = graph_of({"@type": "Person", **{f"made{number}Up": "x" for number in range(100)}})
    for statement in graph.statements:
        own = plans.of_types(statement.types)
        assert plans.make(own, statement).verdict is not None
        assert len(own) <= 10


NAMES = st.sampled_from(
    ["name", "author", "offers", "price", "startDate", "availability", "x", "query-input", "item", ""]
)
TYPES = st.sampled_from(["Person", "Offer", "Role", "SearchAction", "Recette", "http://a.example/T", "Duration"])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.just("https://schema.org/InStock"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(NAMES | st.sampled_from(["@type", "@id", "@value"]), inner | TYPES, max_size=4)
    ),
    max_leaves=12,
)


@settings(deadline=None, max_examples=200)
@given(st.dictionaries(NAMES, VALUES, max_size=5), TYPES | st.lists(TYPES, max_size=3))
def test_any_markup_gets_one_verdict_a_statement(body: dict[str, Any], types: Any) -> None:
    graph = graph_of({"@type": types, **body})
    for each in POLICIES.values():
        result = judge_validity(graph, load(), each)
        assert len(result.verdicts) == len(graph.statements)
        for verdict in result.verdicts:
            assert verdict.decision is Decision.KEEP or (verdict.rule and verdict.reason)
