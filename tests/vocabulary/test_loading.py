"""The packaged table, and other ontologies in its place."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from schemaproof.errors import VocabularyError
from schemaproof.vocabulary import load
from schemaproof.vocabulary.loading import TABLE

ROOT = Path(__file__).parent.parent.parent
EXTENSION = """
@prefix schema: <https://schema.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix ex: <https://boats.example/terms/> .
ex:Boat a rdfs:Class ; rdfs:subClassOf schema:Vehicle ; rdfs:comment "A vessel." .
ex:draught a rdf:Property ; schema:domainIncludes ex:Boat ; schema:rangeIncludes schema:QuantitativeValue, schema:Text .
ex:name a rdf:Property ; schema:domainIncludes ex:Boat ; schema:rangeIncludes schema:Text .
schema:skill a rdf:Property ; schema:domainIncludes ex:Boat ; schema:rangeIncludes schema:Text .
schema:isbn a rdf:Property ; schema:domainIncludes ex:Boat .
"""
OWL = """
@prefix : <http://zoo.example/onto#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<http://zoo.example/onto> a owl:Ontology ; owl:versionInfo "2.1" .
:Animal a owl:Class ; rdfs:comment "Ein Tier."@de, "An animal."@en .
:Bird a owl:Class ; rdfs:subClassOf :Animal, [ a owl:Restriction ; owl:onProperty :legs ; owl:hasValue 2 ] .
:Fish a owl:Class ; rdfs:subClassOf :Animal .
:Diet a owl:Class ; owl:oneOf ( :Seeds :Meat ) .
:legs a owl:DatatypeProperty ; rdfs:domain [ a owl:Class ; owl:unionOf ( :Bird :Fish ) ] ; rdfs:range xsd:integer .
:eats a owl:ObjectProperty ; rdfs:domain :Animal ; rdfs:range :Diet ; owl:inverseOf :eatenBy .
:eatenBy a owl:ObjectProperty ; rdfs:range :Animal .
:note a owl:AnnotationProperty ; rdfs:range rdfs:Literal ; owl:deprecated true .
"""


def test_the_packaged_table_holds_release_30() -> None:
    vocabulary = load()
    assert vocabulary.release == "30.0"
    assert len(vocabulary.properties) == 1529
    # Twenty medical specialties are classes by rdfs:subClassOf alone, beside the 937 declared rdfs:Class.
    assert len(set(vocabulary.types) - set(vocabulary.individuals)) == 937
    assert len(vocabulary.types) == 957
    assert all(each.iri.startswith("https://schema.org/") for each in vocabulary.types.values())
    assert load() is vocabulary


def test_the_table_is_small_and_has_no_prose() -> None:
    import zlib

    data = (ROOT / "src" / "schemaproof" / "vocabulary" / "data" / TABLE).read_bytes()
    assert len(data) <= 60_000
    assert ". " not in zlib.decompress(data).decode().partition("\n")[2]


def test_loading_takes_less_than_30_ms() -> None:
    code = (
        "import time, schemaproof.vocabulary as v\n"
        "t = time.process_time(); v.load(); print(1000 * (time.process_time() - t))"
    )
    runs = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(5)
    ]
    assert min(runs) < 30, runs


def test_the_table_equals_the_official_release(shared: Path) -> None:
    for file in ("schemaorg-all-https.ttl", "schemaorg-all-https.jsonld"):
        script = [sys.executable, str(ROOT / "scripts" / "build_vocabulary.py")]
        done = subprocess.run([*script, str(shared / "vocabulary" / "30.0" / file), "30.0", "--check"], check=False)
        assert done.returncode == 0, file


def test_types_inherit_along_all_parents() -> None:
    vocabulary = load()
    assert {"CreativeWork", "ItemList", "ListItem", "Thing"} <= vocabulary.types["HowToStep"].ancestors
    assert {"text", "itemListElement", "position", "name"} <= vocabulary.properties_of("HowToStep")
    assert "isbn" in vocabulary.properties_of(["Product", "Book"])
    assert "isbn" not in vocabulary.properties_of("Product")
    assert vocabulary.properties_of("Recette") == frozenset()
    assert vocabulary.is_a("Recipe", "Thing")
    assert not vocabulary.is_a("Thing", "Recipe")
    assert not vocabulary.is_a("Recette", "Thing")


def test_data_types_and_enumerations() -> None:
    vocabulary = load()
    assert all(map(vocabulary.is_data_type, ("Text", "URL", "Integer", "Duration", "Mass", "XPathType")))
    assert not vocabulary.is_data_type("QuantitativeValue")
    assert "InStock" in vocabulary.members("ItemAvailability")
    assert "InStock" in vocabulary.members("Enumeration")
    assert vocabulary.member_types("InStock") == ("ItemAvailability",)
    assert vocabulary.members("Boolean") == ("False", "True")
    assert vocabulary.text_range("name")
    assert not vocabulary.text_range("numberOfPages")
    assert vocabulary.entity_ranges("author") == ("Organization", "Person")
    assert vocabulary.properties["vendor"].superseded_by == ("seller",)
    assert vocabulary.properties["hasPart"].inverse_of == ("isPartOf",)
    assert vocabulary.types["Dentist"].layer == "core"
    assert vocabulary.types["ComicStory"].layer == "bib"


@pytest.mark.parametrize(
    ("iri", "name"),
    [
        ("https://schema.org/Product", "Product"),
        ("http://schema.org/Product", "Product"),
        ("http://www.schema.org/Product", "Product"),
        ("HTTPS://Schema.org//Product/", "Product"),
        ("https://schema.org/Recette", "Recette"),
        ("https://schema.org/", None),
        ("https://schema.org/docs/releases.html", None),
        ("https://schema.example/Product", None),
        ("https://example.org/https://schema.org/Product", None),
        ("Product", None),
    ],
)
def test_local_name(iri: str, name: str | None) -> None:
    assert load().local_name(iri) == name


def test_an_extension_builds_on_schema_org(tmp_path: Path) -> None:
    file = tmp_path / "boats.ttl"
    file.write_text(EXTENSION)
    vocabulary = load(file)
    assert vocabulary.is_a("Boat", "Product")
    assert {"draught", "name", "isbn", "https://boats.example/terms/name"} <= vocabulary.properties_of("Boat")
    assert set(vocabulary.properties["isbn"].domains) == {"Boat", "Book"}
    assert vocabulary.properties["isbn"].ranges == ("Text",)
    assert vocabulary.local_name("https://boats.example/terms/Boat") == "Boat"
    assert vocabulary.local_name("https://boats.example/terms/name") == "https://boats.example/terms/name"
    assert vocabulary.local_name("http://schema.org/name") == "name"
    assert "Boat" not in load().types
    assert load(file) is vocabulary


def test_an_owl_ontology_takes_the_place_of_schema_org(tmp_path: Path) -> None:
    file = tmp_path / "zoo.ttl"
    file.write_text(OWL)
    vocabulary = load(str(file))
    assert vocabulary.release == "2.1"
    assert vocabulary.namespaces == ("http://zoo.example/onto#",)
    assert set(vocabulary.types) - {"Integer", "Number", "Text", "URL"} >= {"Animal", "Bird", "Fish", "Diet"}
    assert "Product" not in vocabulary.types
    assert vocabulary.types["Bird"].ancestors == {"Bird", "Animal"}
    assert vocabulary.properties["legs"].domains == ("Bird", "Fish")
    assert vocabulary.properties["legs"].ranges == ("Integer",)
    assert vocabulary.is_data_type("Integer")
    assert vocabulary.properties["eats"].inverse_of == ("eatenBy",)
    assert "eatenBy" in vocabulary.properties_of("Diet")
    assert vocabulary.members("Diet") == ("Meat", "Seeds")
    assert vocabulary.properties["note"].layer == "deprecated"
    assert vocabulary.local_name("http://zoo.example/onto#Bird") == "Bird"
    assert vocabulary.local_name("https://schema.org/Product") is None


def test_an_ontology_in_json_ld(tmp_path: Path) -> None:
    file = tmp_path / "tiny.jsonld"
    file.write_text(
        '{"@context": {"schema": "http://schema.org/", "rdfs": "http://www.w3.org/2000/01/rdf-schema#"},'
        '"@id": "http://tiny.example/A", "@type": "rdfs:Class", "rdfs:label": "A"}'
    )
    assert set(load(file).types) == {"A"}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("broken.ttl", "@prefix a: <b> .\na:b a:c", "broken.ttl:2:"),
        ("broken.jsonld", '{"@id": "http://x.example/",\n "http://p.example/": }', "broken.jsonld:2:"),
        ("empty.ttl", "", "declares no class"),
        ("what.csv", "a,b", "does not tell the format"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(tmp_path: Path, name: str, text: str, said: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(VocabularyError) as caught:
        load(file)
    assert said in str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VocabularyError, match="cannot be opened"):
        load(tmp_path / "none.ttl")
