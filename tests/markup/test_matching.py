"""One item in two formats, and items of microdata by themselves."""

from __future__ import annotations

from typing import Any

from schemaproof.markup import Graph, build_graph
from schemaproof.vocabulary import load

VOCABULARY = load()
SCHEMA = "https://schema.org"
BASE = "https://shop.example/lamp"


def graph(documents: list[Any], microdata: list[Any], rdfa: list[Any] | None = None) -> Graph:
    return build_graph(documents, base=BASE, vocabulary=VOCABULARY, microdata=microdata, rdfa=rdfa or [])


def item(kind: str, **properties: Any) -> dict[str, Any]:
    listed = {key: value if isinstance(value, list) else [value] for key, value in properties.items()}
    return {"type": [f"https://schema.org/{kind}"], "properties": listed}


def sources(found: Graph) -> dict[str, list[str]]:
    return {
        f"{s.property}={s.value if s.entity is None else s.entity}": [x.format for x in s.sources]
        for s in found.statements
    }


def test_the_same_item_is_one_node_and_its_common_facts_have_two_sources() -> None:
    found = graph(
        [
            {
                "@context": SCHEMA,
                "@type": "Product",
                "name": "Lamp",
                "sku": "1",
                "offers": {"@type": "Offer", "price": 5},
            }
        ],
        [item("Product", name=" Lamp ", color="red", offers=item("Offer", price="5.00", priceCurrency="EUR"))],
    )
    assert sources(found) == {
        "name=Lamp": ["json-ld", "microdata"],
        "sku=1": ["json-ld"],
        "offers=('Offer',)": ["json-ld", "microdata"],
        "price=5": ["json-ld", "microdata"],
        "color=red": ["microdata"],
        "priceCurrency=EUR": ["microdata"],
    }
    assert len(found.nodes) == 2
    assert len(found.roots) == 1
    name = found.statements[0]
    assert [s.pointer for s in name.sources] == ["/0/name", "/1/properties/name/0"]
    assert all(found.nodes[s.subject].types == s.types for s in found.statements)


def test_an_identifier_makes_them_one() -> None:
    found = graph(
        [{"@context": SCHEMA, "@type": "Product", "@id": "#lamp", "sku": "1"}],
        [{**item("Product", sku="1"), "id": "https://shop.example/lamp#lamp"}],
    )
    assert sources(found) == {"sku=1": ["json-ld", "microdata"]}
    assert len(found.nodes) == 1


def test_addresses_and_enumerations_are_compared_by_what_they_mean() -> None:
    found = graph(
        [
            {
                "@context": SCHEMA,
                "@type": "Offer",
                "name": "O",
                "url": "/lamp",
                "availability": "http://schema.org/InStock",
            }
        ],
        [item("Offer", name="O", url="https://shop.example/lamp", availability="https://schema.org/InStock")],
    )
    assert [formats for formats in sources(found).values()] == [["json-ld", "microdata"]] * 3  # noqa: C416


def test_what_differs_stays_two_statements() -> None:
    found = graph(
        [{"@context": SCHEMA, "@type": "Product", "name": "Lamp", "sku": "1"}], [item("Product", name="Lamp", sku="2")]
    )
    assert [s.value for s in found.statements if s.property == "sku"] == ["1", "2"]


def test_other_types_other_names_and_doubtful_pairs_stay_apart() -> None:
    person = {"@context": SCHEMA, "@type": "Person", "name": "Lamp"}
    assert len(graph([person], [item("Product", name="Lamp")]).nodes) == 2
    assert len(graph([person], [item("Person", name="Desk")]).nodes) == 2
    assert len(graph([person], [item("Person", name="Lamp"), item("Person", name="Lamp")]).nodes) == 3
    assert len(graph([person, person], [item("Person", name="Lamp")]).nodes) == 3


def test_one_format_alone_is_never_merged() -> None:
    assert len(graph([], [item("Person", name="A"), item("Person", name="A")]).nodes) == 2


def test_three_formats() -> None:
    found = graph(
        [{"@context": SCHEMA, "@type": "Person", "name": "Ann"}],
        [item("Person", name="Ann")],
        [{"@type": ["http://schema.org/Person"], "http://schema.org/name": [{"@value": "Ann"}]}],
    )
    assert sources(found) == {"name=Ann": ["json-ld", "microdata", "rdfa"]}


def test_names_of_items() -> None:
    found = graph(
        [],
        [
            {
                "type": ["http://schema.org/Product", "http://other.example/Thing"],
                "id": "#p",
                "properties": {
                    "name": ["Lamp"],
                    "Name": ["wrong case"],
                    "http://schema.org/sku": ["1"],
                    "http://other.example/size": ["2"],
                    "brand": [{"type": [], "properties": {"name": ["no type of its own"]}}],
                },
            },
            {"type": [], "properties": {"name": ["nothing is known of it"]}},
            {"type": ["http://schema.org/Lampe"], "properties": {"name": ["unknown type"]}},
        ],
    )
    assert [(s.path, s.property, s.value) for s in found.statements] == [
        ("/0/properties/name/0", "name", "Lamp"),
        ("/0/properties/Name/0", "Name", "wrong case"),
        ("/0/properties/http:~1~1schema.org~1sku/0", "sku", "1"),
        ("/0/properties/brand/0", "brand", None),
        ("/0/properties/brand/0/properties/name/0", "name", "no type of its own"),
        ("/2/type/0", "@type", "http://schema.org/Lampe"),
        ("/2/properties/name/0", "name", "unknown type"),
    ]
    assert found.foreign == 3
    assert found.nodes[0].id == "https://shop.example/lamp#p"
    assert found.nodes[0].types == ("Product", "http://other.example/Thing")


def test_very_deep_items_end() -> None:
    outer = inner = item("Thing")
    for _ in range(2000):
        inner["properties"]["about"] = [item("Thing")]
        inner = inner["properties"]["about"][0]
    assert "too-deep" in [d.code for d in graph([], [outer]).diagnostics]
