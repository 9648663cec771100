"""The lists of labels, cues, codes and expectations that come with the package."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from schemaproof.agents.grounding.codes import codes
from schemaproof.agents.grounding.fitting import _expected
from schemaproof.agents.grounding.lexicon import concepts_of, labels, name_words, rivals_of
from schemaproof.agents.grounding.phrases import cues
from schemaproof.vocabulary import load


def text_of(file: str) -> str:
    return (files("schemaproof.agents.grounding") / file).read_text(encoding="utf-8")


def test_every_property_of_the_lists_is_a_name() -> None:
    names = [
        name
        for line in text_of("labels.txt").splitlines()
        if line.startswith("@")
        for name in line.split(":")[1].split()
    ]
    assert len(names) > 200
    assert all(re.fullmatch(r"[a-z]\w+", name) for name in names)
    known = load().properties
    assert sum(name in known for name in names) > 0.9 * len(names)


def test_every_concept_has_labels_in_english_and_compiles_in_every_language() -> None:
    text = text_of("labels.txt")
    concepts = re.findall(r"(?m)^@(\w+):", text)
    languages = set(re.findall(r"(?m)^([a-z]{2}): ", text))
    assert len(languages) >= 15
    assert len(concepts) == len(set(concepts))
    for concept in concepts:
        assert labels(concept, "en") is not None, concept
        for language in languages:
            known = labels(concept, language)
            assert known is not None
            assert not known.search("")


def test_families_name_concepts() -> None:
    concepts = set(re.findall(r"(?m)^@(\w+):", text_of("labels.txt")))
    listed = text_of("labels.txt").partition("[families]")[2].partition("[")[0].split()
    assert set(listed) <= concepts
    assert "end" in rivals_of("start")
    assert "start" not in rivals_of("start")


@pytest.mark.parametrize(
    ("concept", "language", "text"),
    [
        ("price", "de", "Preis:"),
        ("author", "tr", "yazar:"),
        ("published", "ja", "公開日"),
        ("color", "en", "Colour"),
        ("weight", "xx", "Weight"),
    ],
)
def test_labels(concept: str, language: str, text: str) -> None:
    known = labels(concept, language)
    assert known is not None
    assert known.search(text.lower())


def test_a_label_is_a_whole_word() -> None:
    known = labels("price", "en")
    assert known is not None
    assert not known.search("caprice")
    assert known.search("prices")


def test_words_of_a_name() -> None:
    assert name_words("numberOfPages") == ["pages"]
    assert name_words("hasPOS") == ["pos"]
    assert concepts_of("somethingNew") == ("somethingNew",)


def test_cues() -> None:
    for file in ("members.txt", "truths.txt"):
        for name, (said, denied) in cues(file).items():
            assert said, name
            assert not set(said) & set(denied), name


def test_codes() -> None:
    assert codes("signs")["EUR"] == "€"
    assert all(re.fullmatch(r"[A-Z]{3}", code) for code in (*codes("signs"), *codes("money"), *codes("iso3")))
    assert all(re.fullmatch(r"[A-Z]{2}", code) for code in (*codes("prefixes"), *codes("countries")))
    assert all(re.fullmatch(r"[\w.+-]+/[\w.+-]+", code) for code in codes("media"))


def test_expectations() -> None:
    limits, stocks = _expected()
    assert limits["postalCode"][1]
    assert all(words >= 1 for words, _ in limits.values())
    assert stocks["videoFormat"].search("1080p")
