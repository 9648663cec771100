"""The outline: main heading, own content, sections, site, breadcrumbs."""

from __future__ import annotations

from schemaproof.generation.breadcrumbs import breadcrumbs
from schemaproof.generation.outline import Outline
from schemaproof.generation.reading import Reading
from schemaproof.page import Page, read_page
from schemaproof.vocabulary import load


def read(body: str, *, title: str = "", url: str = "https://www.larkfield.example/pies/leek") -> Page:
    return read_page(f"<html lang=en><head><title>{title}</title></head><body>{body}", url=url)


def test_the_heading_that_the_title_names_wins() -> None:
    page = read("<h1>Larkfield</h1><h2>News</h2><h1>Leek pie</h1><p>x</p>", title="Leek pie | Larkfield")
    heading = Outline(page).title
    assert heading is not None
    assert heading.text == "Leek pie"


def test_without_headings_the_line_of_the_title_is_taken() -> None:
    page = read("<div>Menu</div><div>Leek pie for six</div><p>x</p>", title="Leek pie for six - Larkfield")
    heading = Outline(page).title
    assert heading is not None
    assert heading.text == "Leek pie for six"


def test_the_content_has_no_menus_and_no_other_pages() -> None:
    page = read(
        "<nav><a href=/>Home</a></nav><main><h1>Leek pie</h1><p>A pie.</p><h2>Related recipes</h2><p>Fish pie</p>"
        "<h2>Method</h2><p>Bake.</p></main><aside>Letter</aside><footer>Contact</footer>"
    )
    assert [line.text for line in Outline(page).body] == ["A pie.", "Method", "Bake."]


def test_sections_follow_headings_and_known_words() -> None:
    page = read(
        "<h1>Leek pie</h1><p>A pie.</p><h2>What you need</h2><ul><li>Leeks</li></ul><div>Method</div><p>Bake.</p>"
    )
    sections = Outline(page).sections
    assert [(section.key, [line.text for line in section.lines]) for section in sections] == [
        ("", ["A pie."]),
        ("what you need", ["Leeks"]),
        ("method", ["Bake."]),
    ]


def test_alternative_texts_are_no_lines() -> None:
    page = read("<h1>Pie</h1><p><img src=a.jpg alt='A pie'> Eat it</p><p><img src=b.jpg alt='Only a picture'></p>")
    assert [line.text for line in Outline(page).body] == ["Eat it"]


def test_the_name_of_the_site() -> None:
    reading = Reading(
        read("<a href=/><img src=/logo.png alt='Larkfield Kitchen logo'></a><h1>Leek pie</h1><footer>© 2020-2026 "
             "Larkfield Kitchen. All rights reserved</footer>", title="Leek pie | Larkfield Kitchen"), load()
    )  # fmt: skip
    assert reading.site is not None
    assert reading.site[0] == "Larkfield Kitchen"
    assert reading.home is not None
    assert reading.absolute(reading.home) == "https://www.larkfield.example/"
    assert reading.logo is not None
    assert reading.logo.url == "https://www.larkfield.example/logo.png"


def way(body: str) -> list[str]:
    return [crumb.text for crumb in breadcrumbs(Reading(read(body), load()))]


def test_breadcrumbs_in_a_list_and_in_a_line() -> None:
    assert way("<ol><li><a href=/>Home</a><li><a href=/pies>Pies</a><li>Leek pie</ol><h1>Leek pie</h1>") == [
        "Home",
        "Pies",
        "Leek pie",
    ]
    assert way("<p>You are here: <a href=/>Home</a> › <a href=/pies>Pies</a> › Leek pie</p><h1>Leek pie</h1>") == [
        "Home", "Pies", "Leek pie",
    ]  # fmt: skip


def test_a_menu_is_no_breadcrumb() -> None:
    assert (
        way("<ul><li><a href=/>Home</a><li><a href=/pies>Pies</a><li><a href=/about>About</a></ul><h1>Leek pie</h1>")
        == []
    )
