"""The extractor as a whole: what it looks at, what it writes, and that hostile pages do not bring it down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.errors import VocabularyError
from schemaproof.generation.extractor import Extraction, extract, kinds
from schemaproof.page import Page, read_page
from schemaproof.page.model import Kind
from schemaproof.vocabulary import load

VOCABULARY = load()
PAGES = sorted((Path(__file__).parent.parent.parent / "examples" / "pages").glob("*.html"))
TYPES = ["Product", "Recipe", "NewsArticle", "Event", "JobPosting", "LocalBusiness", "FAQPage", "Movie", "Course",
         "Book",
         "Organization",
         "HowTo", "Person", "WebPage", "WebSite", "BreadcrumbList", "Service", "VideoObject",
         "Physician",
         "Quotation", "Dataset", "City"]  # fmt: skip


def at(value: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        value = value[int(step)] if isinstance(value, list) else value[step.replace("~1", "/").replace("~0", "~")]
    return value


def literals(value: Any, pointer: str = "") -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [
            pair
            for key, each in value.items()
            if not key.startswith("@")
            for pair in literals(each, f"{pointer}/{key}")
        ]
    if isinstance(value, list):
        return [pair for index, each in enumerate(value) for pair in literals(each, f"{pointer}/{index}")]
    return [(pointer, value)]


def sound(page: Page, extraction: Extraction) -> None:
    """Every value has a source, every source is exact, every property is allowed."""
    documents = extraction.documents
    json.dumps(documents, allow_nan=False)
    for pointer, value in literals(documents):
        evidence = extraction.sources[pointer]
        assert at(documents, pointer) == value
        if evidence.start >= 0:
            assert page.text[evidence.start : evidence.end] == evidence.text
        else:
            assert evidence.kind in (Kind.LINK, Kind.IMAGE, Kind.URL, Kind.META)
    pending: list[Any] = list(documents)
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            types = node["@type"] if isinstance(node["@type"], list) else [node["@type"]]
            allowed = VOCABULARY.properties_of(types)
            for key, each in node.items():
                if not key.startswith("@"):
                    assert key in allowed, (types, key)
                    pending.extend(each if isinstance(each, list) else [each])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
@pytest.mark.parametrize("name", TYPES)
def test_every_value_has_its_source_whatever_the_type(path: Path, name: str) -> None:
    page = read_page(path.read_bytes(), url=f"https://www.{path.stem}.example/a/b")
    sound(page, extract(page, [name], VOCABULARY))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_embedded_markup_is_never_looked_at(path: Path) -> None:
    page = read_page(path.read_bytes(), name=path.name)
    import re

    bare = re.sub(
        rb"(?s)<script.*?</script>| item(?:prop|type|scope)(?:=\"[^\"]*\")?|<meta itemprop[^>]*>",
        b"",
        path.read_bytes(),
    )
    other = read_page(bare, name=path.name)
    assert not other.scripts
    assert not other.microdata
    for name in ("Product", "Recipe", "NewsArticle", "WebPage"):
        assert extract(page, [name], VOCABULARY).documents == extract(other, [name], VOCABULARY).documents


def page(body: str, *, language: str = "en", title: str = "", url: str = "https://shop.example/things/1") -> Page:
    return read_page(f"<html lang={language}><head><title>{title}</title></head><body>{body}", url=url)


def one(body: str, name: str, **options: str) -> dict[str, Any]:
    read = page(body, **options)
    extraction = extract(read, [name], VOCABULARY)
    sound(read, extraction)
    (document,) = extraction.documents
    assert isinstance(document, dict)
    return document


def test_a_label_of_any_property_is_read() -> None:
    hotel = one(
        "<main><h1>Hotel Heron</h1><dl><dt>Number of rooms</dt><dd>42</dd><dt>Pets allowed</dt><dd>Yes</dd></dl>",
        "Hotel",
    )
    assert hotel["numberOfRooms"] == {"@type": "QuantitativeValue", "value": 42}
    car = one("<main><h1>Roadster</h1><ul><li>Number of doors: 3</li><li>Fuel type: Petrol</li></ul>", "Car")
    assert car["fuelType"] == "Petrol"


def test_an_old_price_is_not_the_price() -> None:
    product = one("<main><h1>Lamp</h1><p><del>£20.00</del> £15.00</p><p>Free delivery over £50.00</p>", "Product")
    assert (product["offers"]["price"], product["offers"]["priceCurrency"]) == (15, "GBP")


def test_a_range_of_prices_is_an_aggregate() -> None:
    offers = one("<main><h1>Banner</h1><p>$89.00 – $119.00</p>", "Product")["offers"]
    assert (offers["@type"], offers["lowPrice"], offers["highPrice"]) == ("AggregateOffer", 89, 119)


def test_prices_of_related_things_are_not_the_price() -> None:
    product = one("<main><h1>Lamp</h1><p>A lamp.</p><h2>Similar products</h2><p>Desk £9.00</p></main>", "Product")
    assert "offers" not in product


@pytest.mark.parametrize(
    ("language", "text", "member"),
    [
        ("en", "In stock", "InStock"), ("de", "Auf Lager", "InStock"), ("fr", "En rupture de stock", "OutOfStock"),
        ("es", "Agotado", "OutOfStock"), ("ja", "在庫あり", "InStock"), ("ru", "Нет в наличии", "OutOfStock"),
        ("it", "Esaurito", "OutOfStock"), ("nl", "Op voorraad", "InStock"), ("zh", "有货", "InStock"),
    ],
)  # fmt: skip
def test_availability_in_many_languages(language: str, text: str, member: str) -> None:
    offer = one(f"<main><h1>Lamp</h1><p>9,00 €</p><p>{text}</p>", "Product", language=language)["offers"]
    assert offer["availability"] == f"https://schema.org/{member}"


def test_an_article_with_byline_and_dates() -> None:
    article = one(
        "<main><article><h1>Lighthouse lit again</h1><p>By <a href=/authors/ines>Ines Calloway</a></p>"
        "<p>Published 8 May 2025, updated 9 May 2025</p>"
        "<p>The lighthouse of Hexley was lit again on Thursday evening, eleven years after the storm broke it.</p>"
        "<p>More than four hundred people came to the quay, and some of them had never seen the light before.</p>"
        "<p>The restoration took three years, two contractors and a great deal of patience, said the master.</p>"
        "<p>The old lens was kept: it was ground in 1911 and bends the light of a bulb over eleven miles.</p>"
        "<p>Visits begin in June; the tower is open on Saturdays, and groups of eight are led up the stairs.</p>"
        "</article></main>",
        "NewsArticle",
    )
    assert article["headline"] == "Lighthouse lit again"
    assert article["author"] == {"@type": "Person", "name": "Ines Calloway", "url": "https://shop.example/authors/ines"}
    assert (article["datePublished"], article["dateModified"]) == ("2025-05-08", "2025-05-09")
    assert article["articleBody"].startswith("The lighthouse of Hexley")
    assert article["articleBody"].endswith("led up the stairs.")


@pytest.mark.parametrize(
    ("language", "ingredients", "method", "time", "value"),
    [
        ("en", "Ingredients", "Method", "Prep time", "25 minutes"),
        ("de", "Zutaten", "Zubereitung", "Vorbereitungszeit", "25 Minuten"),
        ("fr", "Ingrédients", "Préparation", "Temps de préparation", "25 minutes"),
        ("es", "Ingredientes", "Elaboración", "Tiempo de preparación", "25 minutos"),
        ("it", "Ingredienti", "Procedimento", "Tempo di preparazione", "25 minuti"),
        ("nl", "Ingrediënten", "Bereiding", "Voorbereidingstijd", "25 minuten"),
        ("pt", "Ingredientes", "Modo de preparo", "Tempo de preparo", "25 minutos"),
        ("ja", "材料", "作り方", "準備時間", "25分"),
        ("ar", "المقادير", "طريقة التحضير", "وقت التحضير", "25 دقيقة"),
        ("ru", "Ингредиенты", "Приготовление", "Время подготовки", "25 минут"),
        ("pl", "Składniki", "Sposób przygotowania", "Czas przygotowania", "25 minut"),
        ("tr", "Malzemeler", "Yapılışı", "Hazırlık süresi", "25 dakika"),
        ("zh", "食材", "做法", "准备时间", "25分钟"),
    ],
)
def test_a_recipe_in_thirteen_languages(language: str, ingredients: str, method: str, time: str, value: str) -> None:
    recipe = one(
        f"<main><h1>Pie 1</h1><p>{time}: {value}</p><h2>{ingredients}</h2><ul><li>250 g a</li><li>2 b</li></ul>"
        f"<h2>{method}</h2><ol><li>First do this thing</li><li>Then do that thing</li></ol></main>",
        "Recipe",
        language=language,
    )
    assert recipe["prepTime"] == "PT25M"
    assert recipe["recipeIngredient"] == ["250 g a", "2 b"]
    assert [step["text"] for step in recipe["recipeInstructions"]] == ["First do this thing", "Then do that thing"]


def test_comments_by_their_signatures() -> None:
    text = "A thought that is long enough to be taken for what somebody wrote here"
    article = one(
        f"<main><h1>Lamp</h1><h2>Comments</h2><p>Ann Lee</p><p>3 May 2024</p><p>{text} once.</p>"
        f"<p>Bo Ray</p><p>4 May 2024</p><p>{text} twice.</p></main>",
        "BlogPosting",
    )
    assert [(c["author"]["name"], c["datePublished"], c["text"][-6:]) for c in article["comment"]] == [
        ("Ann Lee", "2024-05-03", " once."),
        ("Bo Ray", "2024-05-04", "twice."),
    ]


def test_questions_in_headings_and_in_definition_lists() -> None:
    for body in (
        "<h2>Is it free?</h2><p>Yes, it is.</p><h2>For how long?</h2><p>For ever.</p>",
        "<dl><dt>Is it free?</dt><dd>Yes, it is.</dd><dt>For how long?</dt><dd>For ever.</dd></dl>",
    ):
        faq = one(f"<main><h1>Questions</h1>{body}</main>", "FAQPage")
        assert [(q["name"], q["acceptedAnswer"]["text"]) for q in faq["mainEntity"]] == [
            ("Is it free?", "Yes, it is."),
            ("For how long?", "For ever."),
        ]


def test_an_organization_is_the_site_not_the_headline() -> None:
    organization = one(
        "<header><a href=/><img src=/logo.png alt='Heron Works'></a></header><main><h1>How we saved a bridge</h1>"
        "<p>Text.</p></main><footer>© 2026 Heron Works · Tel. 01632 960 118 · <a href=https://www.facebook.com/heronworks>"
        "Facebook</a></footer>",
        "Organization",
        title="How we saved a bridge | Heron Works",
    )
    assert organization["name"] == "Heron Works"
    assert organization["url"] == "https://shop.example/"
    assert organization["telephone"] == "01632 960 118"
    assert organization["sameAs"] == "https://www.facebook.com/heronworks"
    assert organization["logo"] == "https://shop.example/logo.png"


def test_types_of_one_thing_are_one_node_and_others_are_not() -> None:
    assert kinds(["NewsArticle", "Recipe"], VOCABULARY) == [("NewsArticle", "Recipe")]
    assert kinds(["Product", "BreadcrumbList"], VOCABULARY) == [("Product",), ("BreadcrumbList",)]
    assert kinds(["Event", "WebPage", "Event"], VOCABULARY) == [("Event",), ("WebPage",)]


def test_an_unknown_type_names_the_nearest() -> None:
    with pytest.raises(VocabularyError, match="Product"):
        extract(page("<h1>x</h1>"), ["Prodct"], VOCABULARY)


def test_an_empty_page_gives_nothing() -> None:
    assert extract(read_page(b""), ["Product"], VOCABULARY) == Extraction()


def test_a_large_page_takes_linear_time() -> None:
    import time

    def spent(count: int) -> float:
        body = "<main><h1>Big</h1>" + "".join(
            f"<p>Label {i}: value {i}, 12 May 2024, 3.5 out of 5 (20 reviews) £{i}.00 01632 960 {i:03}</p>"
            for i in range(count)
        )
        read = page(body)
        started = time.process_time()
        for name in ("Product", "LocalBusiness", "NewsArticle"):
            extract(read, [name], VOCABULARY)
        return time.process_time() - started

    spent(50)
    small, large = spent(400), spent(3200)
    assert large < 24 * small + 0.2


PIECE = st.sampled_from(
    ["<h1>", "</h1>", "<h2>Ingredients", "<li>", "</li>", "<dl><dt>", "</dt><dd>", "</dd></dl>", "<table><tr><td>",
     "</td><td>", "</td></tr></table>", "<a href=/>", "<a href=tel:123456789>", "</a>", "<img alt='x' src=/logo.png>",
     "Price: ", "£12.50", "Mon-Fri 9-5pm", "© 2024 ", "12 May 2024", "?", "4.5 out of 5 (3 reviews)", "by ", "\u0000",
     "〒604-0000 京都府", "Reviews", "Comments", ": ", "<main>", "<footer>", "://", "https://[", "<a href='http://[x'>"]
) | st.text(max_size=12)  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(st.lists(PIECE, max_size=25), st.sampled_from(TYPES), st.sampled_from(["en", "de", "ja", "ar", "xx", ""]))
def test_no_page_is_too_strange(pieces: list[str], name: str, language: str) -> None:
    read = page("".join(pieces), language=language or "en")
    sound(read, extract(read, [name], VOCABULARY))
