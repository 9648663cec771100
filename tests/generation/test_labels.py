"""Label-value pairs in every layout, and the lexicon of labels."""

from __future__ import annotations

import pytest

from schemaproof.generation.labels import named_property, pairs
from schemaproof.generation.lexicon import languages, lexicon
from schemaproof.generation.outline import Outline
from schemaproof.page import read_page
from schemaproof.vocabulary import load


def found(html: str, language: str = "en") -> list[tuple[str, str]]:
    page = read_page(f"<html lang={language}><body><h1>Thing</h1>{html}")
    outline = Outline(page)
    listed = pairs(outline, outline.body)
    assert all(page.text[pair.start : pair.end] == pair.value for pair in listed)
    return [(pair.label, pair.value) for pair in listed]


@pytest.mark.parametrize(
    "html",
    [
        "<dl><dt>Director</dt><dd>A. Person</dd><dt>Genre</dt><dd>Drama</dd></dl>",
        "<table><tr><th>Director</th><td>A. Person</td></tr><tr><th>Genre</th><td>Drama</td></tr></table>",
        "<table><tr><td>Director:</td><td>A. Person</td><td>Genre:</td><td>Drama</td></tr></table>",
        "<ul><li>Director: A. Person</li><li>Genre: Drama</li></ul>",
        "<p><b>Director:</b> A. Person <b>Genre:</b> Drama</p>",
        "<div><div>Director</div><div>A. Person</div></div><div><div>Genre</div><div>Drama</div></div>",
        "<p>Director:</p><p>A. Person</p><p>Genre:</p><p>Drama</p>",
        "<p>Director: A. Person<br>Genre: Drama</p>",
    ],
)
def test_layouts(html: str) -> None:
    assert found(html) == [("Director", "A. Person"), ("Genre", "Drama")]


def test_several_values_of_one_label() -> None:
    assert found("<dl><dt>Starring</dt><dd>One</dd><dd>Two</dd></dl>") == [("Starring", "One"), ("Starring", "Two")]


@pytest.mark.parametrize(
    "html",
    [
        "<p>Doors at 10:30</p>",
        "<p>See https://shop.example/x</p>",
        "<p>It was a long day and everybody said the same: go home now.</p>",
        "<table><tr><th>Cinema</th><th>Day</th><th>Time</th></tr><tr><td>Orrery</td><td>Friday</td><td>18:15</td></tr></table>",
    ],
)
def test_what_is_no_pair(html: str) -> None:
    assert found(html) == []


@pytest.mark.parametrize(
    ("language", "phrase", "name"),
    [
        ("de", "erschienen am", "datePublished"), ("fr", "temps de cuisson", "cookTime"),
        ("es", "dirección", "address"),
        ("it", "regia", "director"), ("nl", "aantal pagina's", "numberOfPages"), ("pt", "duração", "duration"),
        ("ja", "電話番号", "telephone"), ("ar", "المؤلف", "author"), ("ru", "издательство", "publisher"),
        ("pl", "data wydania", "datePublished"), ("tr", "yayınevi", "publisher"), ("zh", "页数", "numberOfPages"),
        ("en", "prep time", "prepTime"),
    ],
)  # fmt: skip
def test_labels_by_language(language: str, phrase: str, name: str) -> None:
    from schemaproof.agents.grounding.locales import level

    assert name in lexicon(language).names(level(phrase))


def test_the_lexicon_speaks_thirteen_languages_and_falls_back_to_english() -> None:
    assert {"en", "fr", "de", "es", "it", "nl", "pt", "ja", "ar", "ru", "pl", "tr", "zh"} <= set(languages())
    assert lexicon("so").names("author")
    assert lexicon("").names("erschienen")


def test_every_name_in_the_lexicon_is_a_property_or_a_meaning() -> None:
    vocabulary = load()
    for language in languages():
        table = lexicon(language)
        for phrase, names in table._own.items():
            assert phrase
            for name in names:
                assert name.isupper() or name in vocabulary.properties, name


def test_names_of_properties_read_as_words() -> None:
    vocabulary = load()
    assert named_property(vocabulary, "number of rooms") == "numberOfRooms"
    assert named_property(vocabulary, "rooms") == "numberOfRooms"
    assert named_property(vocabulary, "vehicle identification number") == "vehicleIdentificationNumber"
    assert named_property(vocabulary, "name") == ""
