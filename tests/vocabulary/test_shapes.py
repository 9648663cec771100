"""The exported shapes as RDF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from schemaproof.errors import SpecError
from schemaproof.vocabulary import load
from schemaproof.vocabulary.rdf import SH
from schemaproof.vocabulary.shapes import SHAPES, shapes


def quads(name: str, file: Path | None = None) -> list[Any]:
    import pyoxigraph

    text = "".join(shapes(load(file), name))
    return list(pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TURTLE))


def test_there_is_a_closed_shape_for_every_class_with_properties() -> None:
    vocabulary = load()
    targets = {
        each.subject.value: each.object.value for each in quads("paper") if each.predicate.value == SH + "targetClass"
    }
    assert set(targets.values()) == {
        each.iri for each in vocabulary.types.values() if vocabulary.properties_of(each.name)
    }
    assert targets[SHAPES + "Recipe"] == "https://schema.org/Recipe"


def test_there_is_a_shape_for_every_property() -> None:
    found = {each.object.value for each in quads("schema.org") if each.predicate.value == SH + "targetSubjectsOf"}
    assert found == {each.iri for each in load().properties.values()}


def test_another_ontology_has_shapes(tmp_path: Path) -> None:
    file = tmp_path / "zoo.ttl"
    file.write_text(
        "@prefix : <http://zoo.example/onto#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ":Bird a owl:Class . :lives a owl:ObjectProperty ; rdfs:domain :Bird ; rdfs:range :Bird .\n"
        ":note a owl:AnnotationProperty ."
    )
    for name in ("paper", "schema.org"):
        assert any(each.object == each.object and "zoo.example" in str(each.object) for each in quads(name, file))


def test_a_policy_that_shacl_cannot_say_is_refused() -> None:
    with pytest.raises(SpecError, match=r"paper and schema\.org"):
        list(shapes(load(), "google"))
