"""The embedded factuality judge on small pages of our own: kinds of values, languages, roles, what is no evidence."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.agents.factuality import EmbeddedFactuality
from schemaproof.agents.verdict import Decision, Verdict
from schemaproof.markup import build_graph
from schemaproof.markup.model import Graph
from schemaproof.page import page_from_text, read_page
from schemaproof.page.model import Kind
from schemaproof.vocabulary import load


@pytest.fixture(scope="module")
def judge() -> EmbeddedFactuality:
    return EmbeddedFactuality(load())


def verdicts(judge: EmbeddedFactuality, body: str, markup: dict[str, Any], language: str = "en") -> dict[str, Verdict]:
    """Verdicts by path of the statement, for a page with this body."""
    html = f"<!doctype html><html lang={language}><head><title>T</title></head><body>{body}</body></html>"
    page = read_page(html, url="https://shop.example/lamp")
    graph = graph_of(judge, markup)
    found = judge.judge(graph, judge.prepare(page))
    return {
        statement.path.removeprefix("/0"): verdict
        for statement, verdict in zip(graph.statements, found, strict=True)
        if verdict is not None
    }


def one(judge: EmbeddedFactuality, body: str, markup: dict[str, Any], language: str = "en") -> Verdict:
    """The verdict on the last literal of a markup."""
    return list(verdicts(judge, body, markup, language).values())[-1]


def graph_of(judge: EmbeddedFactuality, markup: dict[str, Any]) -> Graph:
    return build_graph([{"@context": "https://schema.org", **markup}], vocabulary=judge.vocabulary)


def product(name: str, value: Any, **more: Any) -> dict[str, Any]:
    return {"@type": "Product", name: value, **more}


def typed(kind: str, name: str, value: Any) -> dict[str, Any]:
    return {"@type": kind, name: value}


SUPPORTED: list[tuple[str, str, str, dict[str, Any]]] = [
    # Money, by locale.
    ("price-german", "de", "<p>Preis: 1.299,00 €</p>", typed("Offer", "price", "1299.00")),
    ("price-swiss", "de", "<p>CHF 1'299.–</p>", typed("Offer", "price", 1299)),
    ("price-french", "fr", "<p>Prix : 1 299,50 €</p>", typed("Offer", "price", 1299.5)),
    ("price-english", "en", "<p>$1,299.99</p>", typed("Offer", "price", "1299.99")),
    ("price-indian", "en", "<p>₹1,29,900</p>", typed("Offer", "price", "129900")),
    ("price-japanese", "ja", "<p>価格 12,800円</p>", typed("Offer", "price", 12800)),
    ("price-dutch", "nl", "<p>679,-</p>", typed("Offer", "price", 679)),
    ("price-low", "en", "<p>$20 - $35</p>", typed("AggregateOffer", "lowPrice", 20)),
    ("price-high", "en", "<p>$20 - $35</p>", typed("AggregateOffer", "highPrice", 35)),
    ("currency-sign", "en", "<p>£12.50</p>", typed("Offer", "priceCurrency", "GBP")),
    ("currency-word", "cs", "<p>Cena: 350 Kč</p>", typed("Offer", "priceCurrency", "CZK")),
    # Dates and times.
    ("date-german", "de", "<p>Veröffentlicht am 3. März 2021</p>", typed("Article", "datePublished", "2021-03-03")),
    ("date-french", "fr", "<p>Publié le 14 juillet 2022</p>", typed("Article", "datePublished", "2022-07-14")),
    ("date-spanish", "es", "<p>Publicado el 5 de mayo de 2020</p>", typed("Article", "datePublished", "2020-05-05")),
    (
        "date-japanese",
        "ja",
        "<p>公開日 2021年4月9日</p>",
        typed("Article", "datePublished", "2021-04-09T10:00:00+09:00"),
    ),
    ("date-arabic", "ar", "<p>نشر في ٥ مايو ٢٠٢١</p>", typed("Article", "datePublished", "2021-05-05")),
    ("date-american", "en", "<p>Posted 04/15/2022</p>", typed("Article", "datePublished", "2022-04-15")),
    (
        "date-ordinal",
        "en",
        "<p>Starts: 21st of June, 2024 at 7:30 pm</p>",
        typed("Event", "startDate", "2024-06-21T19:30"),
    ),
    ("date-days", "en", "<p>7-10 June 2024</p>", typed("Event", "startDate", "2024-06-07")),
    ("date-days-end", "en", "<p>June 7-10, 2024</p>", typed("Event", "endDate", "2024-06-10")),
    (
        "date-life",
        "en",
        "<h1>Ida Holm</h1><p>May 2, 1931 - June 8, 2020</p>",
        typed("Person", "deathDate", "2020-06-08"),
    ),
    ("time-german", "de", "<p>Öffnungszeiten: 9 bis 18 Uhr</p>", typed("OpeningHoursSpecification", "closes", "18:00")),
    ("hours", "en", "<p>Open Monday - Friday 10am-7pm</p>", typed("Store", "openingHours", "Mo-Fr 10:00-19:00")),
    (
        "day-in-range",
        "de",
        "<p>Montag – Freitag geöffnet</p>",
        typed("OpeningHoursSpecification", "dayOfWeek", "Wednesday"),
    ),
    # Durations.
    ("duration-minutes", "en", "<p>Prep: 30 minutes</p>", typed("Recipe", "prepTime", "PT30M")),
    ("duration-half", "en", "<p>Cooking takes half an hour</p>", typed("Recipe", "cookTime", "PT30M")),
    ("duration-mixed", "fr", "<p>Durée : 1 h 20 min</p>", typed("Movie", "duration", "PT80M")),
    ("duration-clock", "en", "<p>Length 3:45</p>", typed("MusicRecording", "duration", "PT3M45S")),
    # Counts and ratings.
    ("rating-stars", "en", "<p>4.5 out of 5 stars</p>", typed("AggregateRating", "ratingValue", "4.5")),
    ("rating-best", "en", "<p>4.5 out of 5 stars</p>", typed("AggregateRating", "bestRating", "5")),
    ("review-count", "de", "<p>128 Bewertungen</p>", typed("AggregateRating", "reviewCount", 128)),
    ("count-card", "en", "<div>128</div><div>Reviews</div>", typed("AggregateRating", "reviewCount", 128)),
    (
        "table-head",
        "en",
        "<table><tr><th>Width</th><th>Height</th></tr><tr><td>60 cm</td><td>85 cm</td></tr></table>",
        product("height", "85 cm"),
    ),
    ("definition", "fr", "<dl><dt>Nombre de pages</dt><dd>312</dd></dl>", typed("Book", "numberOfPages", 312)),
    ("position", "en", "<ol><li>a</li><li>b</li><li>c</li></ol>", typed("ListItem", "position", 3)),
    ("amount", "en", "<p>Fat 6g</p>", typed("NutritionInformation", "fatContent", "6 grams fat")),
    # Texts.
    (
        "typography",
        "en",
        "<h1>Bob’s “Salt &amp; Pepper”&nbsp;set</h1>",
        product("name", 'Bob\'s "Salt &amp; Pepper" set'),
    ),
    ("tags-in-value", "en", "<p>Made of solid oak.</p>", product("description", "<p>Made of <b>solid</b> oak.</p>")),
    ("accents", "fr", "<h1>Loué Décor</h1>", typed("Organization", "name", "Loue Decor")),
    (
        "cut",
        "en",
        "<h1>How we built a very long bridge over the river</h1>",
        typed("Article", "headline", "How we built a very long bridge..."),
    ),
    ("fraction", "en", "<li>½ cup sugar</li>", typed("Recipe", "recipeIngredient", "1/2 cup sugar")),
    ("abbreviation", "en", "<p>12 Oak St, Springfield</p>", typed("PostalAddress", "streetAddress", "12 Oak Street")),
    (
        "parts",
        "en",
        "<p>Tags: <a>travel</a> <a>food</a> <a>sea</a></p>",
        typed("Article", "keywords", "sea, travel, food"),
    ),
    ("alternative-text", "en", "<h1>Lamp</h1><img src=l.jpg alt='Teal desk lamp'>", product("color", "Teal")),
    ("inline", "en", "<h1>Ap<b>ple</b> juice</h1>", product("name", "Apple juice")),
    ("glued-unit", "en", "<p>Tariff with 4 GB data</p>", typed("Offer", "name", "Tariff with 4GB data")),
    # Words for codes.
    (
        "in-stock-button",
        "de",
        "<button>In den Warenkorb</button>",
        typed("Offer", "availability", "https://schema.org/InStock"),
    ),
    ("sold-out", "fr", "<p>Article épuisé</p>", typed("Offer", "availability", "SoldOut")),
    ("diet", "it", "<p>Senza glutine</p>", typed("Recipe", "suitableForDiet", "https://schema.org/GlutenFreeDiet")),
    ("country", "it", "<p>Muzzano, Svizzera</p>", typed("PostalAddress", "addressCountry", "CH")),
    ("language-name", "en", "<p>Languages: English, German</p>", typed("ContactPoint", "availableLanguage", "de")),
    ("language-of-page", "nl", "<p>Wij zijn open</p>", typed("WebPage", "inLanguage", "nl-NL")),
    ("unit", "en", "<p>2500 square feet</p>", typed("QuantitativeValue", "unitCode", "FTK")),
    ("free", "es", "<p>Entrada gratuita</p>", typed("Museum", "isAccessibleForFree", True)),
    ("ticket", "fr", "<p>Billets à la caisse : tarif 9 €</p>", typed("Museum", "isAccessibleForFree", False)),
    ("pets", "de", "<p>Haustiere nicht erlaubt</p>", typed("Hotel", "petsAllowed", False)),
    # Addresses.
    ("own-url", "en", "<h1>Lamp</h1>", product("url", "http://www.shop.example/lamp/")),
    ("site-root", "en", "<h1>Lamp</h1>", typed("Organization", "url", "https://shop.example")),
    ("relative-image", "en", "<h1>L</h1><img src='/i/l.jpg'>", product("image", "https://shop.example/i/l.jpg")),
    (
        "image-size",
        "en",
        "<h1>L</h1><img src='/i/desk-lamp-300x200.jpg'>",
        product("image", "https://shop.example/i/desk-lamp.jpg"),
    ),
    (
        "same-as",
        "en",
        "<p>x</p><a href='https://facebook.com/lampco'>f</a>",
        typed("Organization", "sameAs", "https://www.facebook.com/lampco/"),
    ),
    (
        "mail-link",
        "en",
        "<p>x</p><a href='mailto:hi@lamp.example?subject=a'>write</a>",
        typed("Organization", "email", "hi@lamp.example"),
    ),
    ("mail-disguised", "de", "<p>info (at) lampe.example</p>", typed("Organization", "email", "info@lampe.example")),
    ("phone", "de", "<p>Tel. (030) 123 45-67</p>", typed("Organization", "telephone", "+49 30 1234567")),
    (
        "phone-link",
        "en",
        "<p>x</p><a href='tel:+15551234567'>Call</a>",
        typed("Organization", "telephone", "+1 555-123-4567"),
    ),
]

REFUTED: list[tuple[str, str, str, dict[str, Any], str]] = [
    ("price-other", "en", "<p>Price: $20.22 incl. VAT</p>", typed("Offer", "price", "16.99"), "contradicted"),
    ("price-inside", "en", "<p>Price: $149.00</p>", typed("Offer", "price", "49"), "contradicted"),
    ("price-roles", "en", "<p>$20 - $35</p>", typed("AggregateOffer", "lowPrice", 35), ""),
    ("currency-other", "en", "<p>$20</p>", typed("Offer", "priceCurrency", "EUR"), "contradicted"),
    (
        "date-swapped",
        "en",
        "<p>Published 1 May 2026</p>",
        typed("Article", "datePublished", "2026-01-05"),
        "contradicted",
    ),
    (
        "date-of-update",
        "de",
        "<p>Zuletzt aktualisiert: 3.4.2021</p><p>Text</p>",
        typed("Article", "datePublished", "2021-04-03"),
        "contradicted",
    ),
    (
        "birth-for-death",
        "en",
        "<p>May 2, 1931 - June 8, 2020</p>",
        typed("Person", "deathDate", "1931-05-02"),
        "contradicted",
    ),
    (
        "cook-for-prep",
        "en",
        "<p>Prep time: 10 minutes</p><p>Cook time: 45 minutes</p>",
        typed("Recipe", "prepTime", "PT45M"),
        "contradicted",
    ),
    ("rating-from-count", "en", "<p>14 ratings</p>", typed("AggregateRating", "ratingValue", "4"), ""),
    (
        "rating-in-prose",
        "en",
        "<p>We sell 5 lamps. 5 of them glow.</p>",
        typed("AggregateRating", "ratingValue", "5"),
        "",
    ),
    ("width-nowhere", "en", "<p>Room for 500 guests</p>", typed("ImageObject", "width", 500), ""),
    (
        "numbers-in-text",
        "en",
        "<p>Bake in a 9-inch pan for an hour.</p>",
        typed("HowToStep", "text", "Bake in a 10-inch pan for an hour."),
        "contradicted",
    ),
    (
        "not-vegan",
        "en",
        "<p>Not suitable for vegans.</p>",
        typed("Recipe", "suitableForDiet", "https://schema.org/VeganDiet"),
        "contradicted",
    ),
    (
        "nicht-vegan",
        "de",
        "<p>Dieses Gericht ist nicht vegan.</p>",
        typed("Recipe", "suitableForDiet", "https://schema.org/VeganDiet"),
        "contradicted",
    ),
    (
        "sold-out",
        "es",
        "<p>Agotado</p><button>Comprar</button>",
        typed("Offer", "availability", "https://schema.org/InStock"),
        "contradicted",
    ),
    ("no-smoking", "fr", "<p>Chambres non-fumeurs</p>", typed("Hotel", "smokingAllowed", True), "contradicted"),
    (
        "fax-for-phone",
        "en",
        "<p>Phone: 555-123-4567</p><p>Fax: 555-987-6543</p>",
        typed("Organization", "telephone", "555-987-6543"),
        "contradicted",
    ),
    (
        "hidden",
        "en",
        "<p>Lamp</p><p style='display:none'>Teal</p><p hidden>Teal</p>",
        product("color", "Teal"),
        "unsupported",
    ),
    ("script", "en", "<p>Lamp</p><script>var color = 'Teal'</script>", product("color", "Teal"), "unsupported"),
    ("nowhere", "en", "<h1>Lamp</h1><p>It glows.</p>", typed("Person", "name", "Pete Carroll"), "unsupported"),
    (
        "prose-for-date",
        "en",
        "<p>A course for all who cook.</p>",
        typed("Course", "startDate", "A course for all who cook."),
        "contradicted",
    ),
    (
        "address-for-name",
        "en",
        "<p>See https://lamp.example/x</p>",
        typed("Person", "name", "https://lamp.example/x"),
        "contradicted",
    ),
    ("name-for-address", "en", "<h1>Desk Lamp</h1>", product("image", "Desk Lamp"), "contradicted"),
    (
        "document-for-film",
        "en",
        "<p>x</p><a href='/a/report.pdf'>Report</a>",
        typed("VideoObject", "contentUrl", "https://shop.example/a/report.pdf"),
        "contradicted",
    ),
    (
        "contact-for-policy",
        "en",
        "<p>x</p><a href='/contact'>Contact</a>",
        typed("NewsMediaOrganization", "diversityPolicy", "https://shop.example/contact"),
        "contradicted",
    ),
    ("link-nowhere", "en", "<p>x</p><a href='/a'>a</a>", product("url", "https://elsewhere.example/b"), "unsupported"),
    ("coordinate", "en", "<p>Call 13303301888</p>", typed("GeoCoordinates", "latitude", "13303301888"), ""),
    (
        "day-outside",
        "de",
        "<p>Montag – Freitag geöffnet</p>",
        typed("OpeningHoursSpecification", "dayOfWeek", "Sunday"),
        "unsupported",
    ),
]


@pytest.mark.parametrize(
    ("language", "body", "markup"), [row[1:] for row in SUPPORTED], ids=[row[0] for row in SUPPORTED]
)
def test_supported(judge: EmbeddedFactuality, language: str, body: str, markup: dict[str, Any]) -> None:
    verdict = one(judge, body, markup, language)
    assert verdict.decision is Decision.KEEP, verdict.reason
    assert verdict.kind == ""
    assert verdict.probability is not None
    assert verdict.probability >= 0.5


@pytest.mark.parametrize(
    ("language", "body", "markup", "kind"), [row[1:] for row in REFUTED], ids=[row[0] for row in REFUTED]
)
def test_refuted(judge: EmbeddedFactuality, language: str, body: str, markup: dict[str, Any], kind: str) -> None:
    verdict = one(judge, body, markup, language)
    assert verdict.decision is Decision.REJECT, verdict.reason
    assert verdict.kind == kind or not kind
    assert verdict.kind in ("contradicted", "unsupported")
    assert verdict.reason.endswith(".")
    assert len(verdict.reason) > 20


def test_roles_of_one_name(judge: EmbeddedFactuality) -> None:
    body = "<h1>Bread</h1><p>By Ann Bo. Published by Crumb Press.</p>"
    markup = {
        "@type": "Article",
        "author": {"@type": "Person", "name": "Ann Bo"},
        "publisher": {"@type": "Organization", "name": "Ann Bo"},
    }
    found = verdicts(judge, body, markup)
    assert found["/author/name"].decision is Decision.KEEP
    assert found["/publisher/name"].decision is Decision.REJECT
    assert found["/publisher/name"].kind == "contradicted"


def test_roles_in_other_languages(judge: EmbeddedFactuality) -> None:
    body = "<h1>Brot</h1><p>Regie: Ida Holm</p><p>Übersetzt von Jan Ott</p>"
    markup = {
        "@type": "Movie",
        "director": {"@type": "Person", "name": "Ida Holm"},
        "translator": {"@type": "Person", "name": "Ida Holm"},
    }
    found = verdicts(judge, body, markup, "de")
    assert found["/director/name"].decision is Decision.KEEP
    assert found["/translator/name"].kind == "contradicted"


def test_kinship(judge: EmbeddedFactuality) -> None:
    body = "<h1>Otto Holm</h1><p>Lee Holm</p><p>Son</p><p>Mia Holm</p><p>Granddaughter</p>"
    markup = {
        "@type": "Person",
        "children": {"@type": "Person", "name": "Lee Holm"},
        "parent": {"@type": "Person", "name": "Mia Holm"},
    }
    found = verdicts(judge, body, markup)
    assert found["/children/name"].decision is Decision.KEEP
    assert found["/parent/name"].kind == "contradicted"


def test_prices_of_two_products(judge: EmbeddedFactuality) -> None:
    body = "<ul><li>Desk lamp €20</li><li>Oak chair €45</li></ul>"
    markup = {"@type": "Product", "name": "Desk lamp", "offers": {"@type": "Offer", "price": "45"}}
    assert verdicts(judge, body, markup)["/offers/price"].kind == "contradicted"
    assert verdicts(judge, body, {**markup, "name": "Oak chair"})["/offers/price"].decision is Decision.KEEP
    apart = "<h1>Desk lamp</h1><p>€45</p><ul><li>Desk lamp, used: €20</li></ul>"
    assert verdicts(judge, apart, markup)["/offers/price"].decision is Decision.KEEP


def test_days_of_two_events(judge: EmbeddedFactuality) -> None:
    body = (
        "<table><tr><td>Jazz night</td><td>3 May 2024</td></tr><tr><td>Folk night</td><td>5 May 2024</td></tr></table>"
    )
    markup = {"@type": "Event", "name": "Jazz night", "startDate": "2024-05-05"}
    assert verdicts(judge, body, markup)["/startDate"].kind == "contradicted"
    assert verdicts(judge, body, {**markup, "startDate": "2024-05-03"})["/startDate"].decision is Decision.KEEP


def test_only_in_the_head(judge: EmbeddedFactuality) -> None:
    head = "<title>Lamp shop</title><meta name=description content='All lamps of the north'>"
    html = f"<html lang=en><head>{head}</head><p>Hi"
    graph = graph_of(judge, product("description", "All lamps of the north"))
    verdict = judge.judge(graph, judge.prepare(read_page(html)))[0]
    assert verdict is not None
    assert verdict.decision is Decision.REJECT
    assert verdict.rule == "text-in-head-only"
    assert verdict.evidence[0].kind is Kind.META


def test_page_without_text_cannot_be_checked(judge: EmbeddedFactuality) -> None:
    verdict = one(judge, "<div id=root></div><script src=app.js></script>", product("name", "Lamp"))
    assert verdict.decision is Decision.UNCLEAR
    assert "Cannot check" in verdict.reason


def test_evidence_is_the_page_itself(judge: EmbeddedFactuality) -> None:
    text = "Soft\u00adware  “Ünit”\nPreis: 1.299,00 € nur heute"
    page = page_from_text(text, "de")
    graph = graph_of(judge, typed("Offer", "price", 1299))
    verdict = judge.judge(graph, judge.prepare(page))[0]
    assert verdict is not None
    evidence = verdict.evidence[0]
    assert evidence.text == text[evidence.start : evidence.end] == "1.299,00"
    assert evidence.kind is Kind.TEXT


def test_kinds_of_evidence(judge: EmbeddedFactuality) -> None:
    body = "<h1>Lamp</h1><img src='/l.jpg' alt='Teal lamp'><a href='/more'>more</a>"
    assert one(judge, body, product("color", "Teal")).evidence[0].kind is Kind.ALT
    assert one(judge, body, product("image", "/l.jpg")).evidence[0].kind is Kind.IMAGE
    assert one(judge, body, product("url", "/more")).evidence[0].kind is Kind.LINK
    assert one(judge, body, product("url", "https://shop.example/lamp")).evidence[0].kind is Kind.URL


def test_only_what_was_asked_and_only_literals(judge: EmbeddedFactuality) -> None:
    graph = graph_of(judge, product("name", "Lamp", brand={"@type": "Brand", "name": "Lux"}))
    prepared = judge.prepare(page_from_text("Lamp by Lux", "en"))
    every = judge.judge(graph, prepared)
    assert len(every) == len(graph.statements)
    for statement, verdict in zip(graph.statements, every, strict=True):
        assert (verdict is None) == (statement.value is None)
    asked = judge.judge(graph, prepared, [0])
    assert [verdict is None for verdict in asked] == [index != 0 for index in range(len(asked))]


def test_markup_is_no_evidence(judge: EmbeddedFactuality) -> None:
    script = json.dumps({"@type": "Product", "color": "Teal"})
    body = f"<h1>Lamp</h1><script type='application/ld+json'>{script}</script>"
    assert one(judge, body, product("color", "Teal")).kind == "unsupported"


VALUES = st.one_of(
    st.text(max_size=60),
    st.integers(),
    st.floats(allow_nan=True),
    st.booleans(),
    st.sampled_from(
        ["", " ", "P", "PT", "http://", "mailto:", "tel:", "9" * 400, "1e999", "-", "½", "\x00", "https://[::1"]
    ),
)


@settings(max_examples=150, deadline=None)
@given(
    text=st.text(max_size=200),
    name=st.sampled_from(
        [
            "name",
            "price",
            "datePublished",
            "duration",
            "url",
            "image",
            "email",
            "telephone",
            "addressCountry",
            "inLanguage",
            "unitCode",
            "openingHours",
            "dayOfWeek",
            "availability",
            "isAccessibleForFree",
            "encodingFormat",
            "position",
            "ratingValue",
            "latitude",
            "opens",
            "unknownThing",
        ]
    ),
    value=VALUES,
    language=st.sampled_from(["", "en", "de", "ja", "ar", "xx", "zz-ZZ"]),
)
def test_never_fails(text: str, name: str, value: Any, language: str) -> None:
    judge = EmbeddedFactuality(load())
    page = page_from_text(text, language)
    graph = graph_of(judge, {"@type": "Thing", name: value})
    for verdict in judge.judge(graph, judge.prepare(page)):
        if verdict is not None:
            assert verdict.probability is not None
            assert 0 <= verdict.probability <= 1
            for evidence in verdict.evidence:
                if evidence.start >= 0:
                    assert evidence.text == page.text[evidence.start : evidence.end]


@pytest.mark.parametrize(
    "piece",
    [
        "1.",
        "a@",
        " at ",
        "(at) ",
        "1-",
        "jan 1 ",
        "+1 ",
        "a",
        "1/2 ",
        "1:2",
        "a.b",
        "http://a.b/c ",
        "\n1",
        "|1",
        "月",
        "1,",
        "<a",
        "(1) ",
    ],
)
def test_hostile_pages_and_values_take_bounded_time(judge: EmbeddedFactuality, piece: str) -> None:
    """Twice as long a page takes about twice the time; a quadratic pattern would take minutes here."""
    text = piece * (60_000 // len(piece))
    prepared = judge.prepare(page_from_text(text, "en"))
    started = time.process_time()
    for name, value in (
        ("price", "12"),
        ("datePublished", "2020-01-01"),
        ("duration", "PT1M"),
        ("url", "http://a.b/c"),
        ("email", "a@b.cc"),
        ("telephone", "123 456 7890"),
        ("description", "lorem ipsum " * 500),
        ("name", text[:20_000]),
        ("url", f"http://{text}"),
        ("openingHours", "Mo-Fr 10:00-12:00"),
        ("dayOfWeek", "Monday"),
        ("opens", "10:00"),
        ("telephone", text[:5_000]),
    ):
        judge.judge(graph_of(judge, product(name, value)), prepared)
    assert time.process_time() - started < 5


@settings(max_examples=60, deadline=None)
@given(words=st.lists(st.from_regex(r"[a-z]{4,9}", fullmatch=True), min_size=3, max_size=12))
def test_a_text_that_stands_verbatim_is_found(words: list[str]) -> None:
    judge = EmbeddedFactuality(load())
    sentence = " ".join(words)
    page = page_from_text(f"Before it.\n{sentence}\nAfter it.", "en")
    graph = graph_of(judge, {"@type": "Article", "articleBody": sentence})
    verdict = judge.judge(graph, judge.prepare(page))[0]
    assert verdict is not None
    assert verdict.decision is Decision.KEEP
    assert any(sentence in evidence.text for evidence in verdict.evidence)
