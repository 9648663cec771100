from __future__ import annotations

from typing import Any

import pytest

from schemaproof.markup import Graph, build_graph, page_graph
from schemaproof.page.model import Page, ScriptBlock
from schemaproof.vocabulary import load

VOCABULARY = load()
BASE = "https://example.com/page"
SCHEMA = "https://schema.org"


def graph(*documents: Any, **options: Any) -> Graph:
    return build_graph(documents, base=BASE, vocabulary=VOCABULARY, **options)


def facts(found: Graph) -> list[tuple[str, str, Any]]:
    """(pointer, property, value or the entity's types) of all statements."""
    return [(s.path, s.property, s.value if s.entity is None else s.entity) for s in found.statements]


def codes(found: Graph) -> list[str]:
    return [diagnostic.code for diagnostic in found.diagnostics]


def test_statements_in_source_order_with_pointer_types_and_chain() -> None:
    found = graph(
        {
            "@context": SCHEMA,
            "@type": "Product",
            "name": "Lamp",
            "offers": [{"@type": "Offer", "price": 5}, {"@type": "Offer", "price": 7.5}],
            "url": "/lamp",
        }
    )
    assert facts(found) == [
        ("/0/name", "name", "Lamp"),
        ("/0/offers/0", "offers", ("Offer",)),
        ("/0/offers/0/price", "price", 5),
        ("/0/offers/1", "offers", ("Offer",)),
        ("/0/offers/1/price", "price", 7.5),
        ("/0/url", "url", "/lamp"),
    ]
    price = found.statements[2]
    assert [(step.types, step.property) for step in price.chain] == [(("Product",), "offers"), (("Offer",), "price")]
    assert found.nodes[price.subject].types == ("Offer",)
    assert found.statements[5].reference
    assert found.roots == (0,)
    assert found.statements[0].sources[0].format == "json-ld"


def test_pointers_of_a_single_document_start_at_it() -> None:
    assert facts(graph({"@context": SCHEMA, "name": "A"}, pointer_root=False)) == [("/name", "name", "A")]


def test_pointers_escape_slashes_and_tildes() -> None:
    assert facts(graph({"@context": SCHEMA, "a/b~c": 1})) == [("/0/a~1b~0c", "a/b~c", 1)]


@pytest.mark.parametrize(
    "context",
    [
        "http://schema.org",
        "http://schema.org/",
        "https://schema.org",
        "https://schema.org/",
        {"@vocab": "https://schema.org/"},
        ["https://schema.org"],
        [None, "https://schema.org"],
        {"@vocab": "http://schema.org/", "ex": "https://example.com/"},
    ],
)
def test_spellings_of_the_context(context: Any) -> None:
    found = graph({"@context": context, "@type": "Person", "name": "Ann"})
    assert facts(found) == [("/0/name", "name", "Ann")]
    assert found.nodes[0].types == ("Person",)
    assert codes(found) == []


@pytest.mark.parametrize(
    "context",
    ["http://www.schema.org", "schema.org", "//schema.org/", "HTTPS://Schema.org", " https://schema.org ",
     "https://schema.org/docs/jsonldcontext.jsonld", "http://health-lifesci.schema.org/"],
)  # fmt: skip
def test_other_spellings_are_meant_and_warned_of(context: str) -> None:
    found = graph({"@context": context, "@type": "Person", "name": "Ann"})
    assert facts(found) == [("/0/name", "name", "Ann")]
    assert codes(found) == ["non-canonical-context"]


def test_a_vocab_without_its_slash_is_meant_and_warned_of() -> None:
    found = graph({"@context": {"@vocab": "http://schema.org"}, "@type": "Person", "name": "Ann"})
    assert facts(found) == [("/0/name", "name", "Ann")]
    assert codes(found) == ["vocab-without-slash"]


def test_prefixes_aliases_and_full_names() -> None:
    found = graph(
        {
            "@context": [{"s": "https://schema.org/", "label": "s:name", "kind": "@type"}, {"is": "@id"}],
            "kind": "s:Person",
            "is": "#ann",
            "label": "Ann",
            "s:email": "a@example.com",
            "http://schema.org/jobTitle": "Editor",
        }
    )
    assert [s.property for s in found.statements] == ["name", "email", "jobTitle"]
    assert found.nodes[0].id == "https://example.com/page#ann"
    assert found.nodes[0].types == ("Person",)


def test_official_aliases() -> None:
    found = graph({"@context": SCHEMA, "type": "Person", "id": "#a", "name": "Ann"})
    assert (found.nodes[0].id, found.nodes[0].types) == ("https://example.com/page#a", ("Person",))


def test_contexts_of_terms_and_of_types() -> None:
    found = graph(
        {
            "@context": [
                SCHEMA,
                {
                    "Shop": {"@id": "schema:Store", "@context": {"called": "schema:name"}},
                    "boss": {"@id": "schema:founder", "@context": {"called": "schema:alternateName"}},
                },
            ],
            "@type": "Shop",
            "called": "Lights",
            "boss": {"@type": "Person", "called": "Ann"},
            "address": {"@type": "PostalAddress", "called": "no term any more", "addressLocality": "Ulm"},
        }
    )
    properties = [(s.types, s.property) for s in found.statements]
    assert (("Store",), "name") in properties
    assert (("Person",), "alternateName") in properties
    # A type's context does not reach the nodes below, so the name is an unknown one of Schema.org's there.
    assert (("PostalAddress",), "called") in properties


def test_foreign_names_are_left_out_and_counted() -> None:
    found = graph(
        {
            "@context": [SCHEMA, {"gr": "http://purl.org/goodrelations/v1#"}],
            "@type": ["Offer", "gr:Offering"],
            "price": "5",
            "gr:name": ["Deal", "Bargain"],
            "gr:includes": {"@type": "Product", "name": "Lamp"},
            "og:title": "x",
        }
    )
    assert [s.property for s in found.statements] == ["price", "name"]
    assert found.statements[0].types == ("Offer", "http://purl.org/goodrelations/v1#Offering")
    assert found.foreign == 5


def test_a_foreign_type_leaves_schema_orgs_properties_stated() -> None:
    found = graph({"@context": [SCHEMA, {"ex": "https://example.com/"}], "@type": "ex:Thing", "name": "A"})
    assert facts(found) == [("/0/name", "name", "A")]
    assert found.foreign == 1


def test_without_a_context_nothing_is_schema_orgs() -> None:
    found = graph({"@type": "Person", "name": "Ann", "knows": {"name": "Bob"}})
    assert not found.statements
    assert codes(found) == ["no-context"]
    assert found.diagnostics[0].severity == "error"
    assert found.foreign == 3
    assert codes(graph({"context": SCHEMA, "type": "Person", "name": "Ann"})) == ["no-context"]


def test_expanded_markup_needs_no_context() -> None:
    found = graph({"@type": ["https://schema.org/Person"], "http://schema.org/name": [{"@value": "Ann"}]})
    assert facts(found) == [("/0/http:~1~1schema.org~1name/0", "name", "Ann")]
    assert codes(found) == []


def test_a_context_can_be_assumed() -> None:
    found = graph({"type": "Person", "name": "Ann"}, assume_schema_org=True)
    assert facts(found) == [("/0/name", "name", "Ann")]
    assert codes(found) == ["assumed-context"]


def test_an_assumed_context_passes_over_one_without_its_sign() -> None:
    found = graph({"context": SCHEMA, "type": "Person", "name": "Ann"}, assume_schema_org=True)
    assert facts(found) == [("/0/name", "name", "Ann")]


def test_unknown_contexts_are_never_fetched() -> None:
    context = "https://w3id.example/crate/context"
    found = graph({"@context": context, "@type": "Person", "name": "Ann"})
    assert not found.statements
    assert codes(found) == ["unknown-context"]
    both = graph({"@context": [SCHEMA, context], "@type": "Person", "name": "Ann", "conformsTo": "x"})
    # What Schema.org does not have may be a term of the other.
    assert [s.property for s in both.statements] == ["name"]
    assert both.foreign == 1


def test_keywords_that_are_none() -> None:
    found = graph({"@context": SCHEMA, "@type": "Person", "@name": "X", "name": "Ann"})
    assert codes(found) == ["unknown-keyword"]
    assert "name" in found.diagnostics[0].message


def test_names_outside_the_vocabulary_stay_as_written() -> None:
    found = graph({"@context": SCHEMA, "@type": ["product", "Local Business"], "Name": "Lamp", "schema:Colour": "red"})
    assert facts(found) == [
        ("/0/@type/0", "@type", "product"),
        ("/0/@type/1", "@type", "Local Business"),
        ("/0/Name", "Name", "Lamp"),
        ("/0/schema:Colour", "schema:Colour", "red"),
    ]
    assert found.nodes[0].types == ("product", "Local Business")


def test_types_that_are_none() -> None:
    found = graph({"@context": SCHEMA, "@type": "", "name": "A"}, {"@context": SCHEMA, "@type": [5], "name": "B"})
    assert codes(found) == ["empty-type", "invalid-type", "missing-type", "missing-type"]


def test_values_of_all_shapes() -> None:
    found = graph(
        {
            "@context": SCHEMA,
            "@type": "Event",
            "name": [["A", ["B"]], None, {"@set": ["C", {"@list": ["D"]}]}],
            "startDate": {"@value": "2026-05-01", "@type": "Date"},
            "description": {"@value": "x", "@language": "en"},
            "eventStatus": {"@value": None},
            "isAccessibleForFree": False,
        }
    )
    assert facts(found) == [
        ("/0/name/0/0", "name", "A"),
        ("/0/name/0/1/0", "name", "B"),
        ("/0/name/2/@set/0", "name", "C"),
        ("/0/name/2/@set/1/@list/0", "name", "D"),
        ("/0/startDate", "startDate", "2026-05-01"),
        ("/0/description", "description", "x"),
        ("/0/isAccessibleForFree", "isAccessibleForFree", False),
    ]
    assert found.statements[4].datatype == "Date"
    assert found.statements[5].language == "en"


def test_language_of_the_context_and_of_a_map() -> None:
    found = graph(
        {
            "@context": [
                SCHEMA,
                {
                    "@language": "de",
                    "name": {"@id": "schema:name", "@container": "@language"},
                    "sku": {"@language": None, "@id": "schema:sku"},
                },
            ],
            "@type": "Product",
            "name": {"en": ["Sea", "Ocean"], "@none": "Mer"},
            "description": "Meer",
            "sku": "1",
            "url": "https://example.com/",
        }
    )  # fmt: skip
    assert [(s.value, s.language) for s in found.statements] == [
        ("Sea", "en"), ("Ocean", "en"), ("Mer", ""), ("Meer", "de"), ("1", ""), ("https://example.com/", ""),
    ]  # fmt: skip
    assert found.statements[1].path == "/0/name/en/1"


def test_other_containers() -> None:
    found = graph(
        {
            "@context": [
                SCHEMA,
                {
                    "by": {"@id": "schema:author", "@container": "@id"},
                    "of": {"@id": "schema:about", "@container": "@type"},
                    "in": {"@id": "schema:keywords", "@container": "@index"},
                    "data": "@nest",
                },
            ],
            "@type": "Article",
            "by": {"#ann": {"@type": "Person", "name": "Ann"}},
            "of": {"Place": {"name": "Ulm"}},
            "in": {"a": "one", "b": ["two"]},
            "data": {"headline": "H"},
        }
    )
    assert [s.property for s in found.statements] == [
        "author",
        "name",
        "about",
        "name",
        "keywords",
        "keywords",
        "headline",
    ]
    assert found.nodes[1].id == "https://example.com/page#ann"
    assert found.statements[2].entity == ("Place",)
    assert found.statements[6].path == "/0/data/headline"


def test_references_resolve_in_any_block_and_nodes_merge() -> None:
    found = graph(
        {"@context": SCHEMA, "@type": "Article", "@id": "#a", "publisher": {"@id": "#o"}, "author": {"@id": "#gone"}},
        {"@context": SCHEMA, "@type": "Organization", "@id": "#o", "name": "Shop"},
        {"@context": SCHEMA, "@type": "Brand", "@id": "https://example.com/page#o", "logo": "l.png"},
    )
    publisher, author = found.statements[:2]
    assert publisher.entity == ("Organization", "Brand")
    assert publisher.reference
    assert publisher.object == 1
    assert (author.value, author.entity, author.object) == ("#gone", None, None)
    assert len(found.nodes) == 2
    assert [found.statements[i].property for i in found.nodes[1].statements] == ["name", "logo"]


def test_an_official_coercion_does_not_make_an_address_an_entity() -> None:
    # "url" is coerced to an IRI, and the page's own address is often the identifier of an entity too.
    found = graph({"@context": SCHEMA, "@type": "WebPage", "@id": BASE, "url": BASE})
    assert facts(found) == [("/0/url", "url", BASE)]


def test_an_inline_coercion_is_a_reference() -> None:
    found = graph(
        {
            "@context": [SCHEMA, {"author": {"@id": "schema:author", "@type": "@id"}}],
            "@type": "Article",
            "author": "#ann",
        },
        {"@context": SCHEMA, "@type": "Person", "@id": "#ann", "name": "Ann"},
    )
    assert found.statements[0].entity == ("Person",)


def test_blank_node_labels_belong_to_their_block() -> None:
    documents = [
        {"@context": SCHEMA, "@type": "Person", "@id": "_:x", "name": "Ann"},
        {"@context": SCHEMA, "@type": "Person", "@id": "_:x", "name": "Bob"},
    ]
    assert len(graph(*documents).nodes) == 1
    assert len(graph(*documents, blocks=[0, 1]).nodes) == 2


def test_reverse_is_stated_of_the_real_subject() -> None:
    found = graph(
        {
            "@context": [SCHEMA, {"staff": {"@reverse": "schema:worksFor"}}],
            "@type": "Organization",
            "@id": "#o",
            "@reverse": {"worksFor": {"@type": "Person", "name": "Ann"}},
            "staff": [{"@type": "Person", "name": "Bob"}, {"@id": "#eve"}],
        },
        {"@context": SCHEMA, "@type": "Person", "@id": "#eve", "name": "Eve"},
    )
    reversed_ = [s for s in found.statements if s.reversed]
    assert [(s.types, s.property, s.entity) for s in reversed_] == [(("Person",), "worksFor", ("Organization",))] * 3
    assert [s.path for s in reversed_] == ["/0/@reverse/worksFor", "/0/staff/0", "/0/staff/1"]
    assert found.roots == (0, 3)


def test_roots_of_an_at_graph_are_what_nothing_else_refers_to() -> None:
    found = graph(
        {
            "@context": SCHEMA,
            "@graph": [
                {"@type": "WebSite", "@id": "#s", "publisher": {"@id": "#o"}, "about": {"@id": "#s"}},
                {"@type": "Organization", "@id": "#o", "name": "Shop"},
                {"@type": "WebPage", "isPartOf": {"@id": "#s"}},
                {"@type": "Person", "name": "Ann"},
            ],
        }
    )
    assert [found.nodes[root].types for root in found.roots] == [("WebPage",), ("Person",)]


def test_a_cycle_has_a_root() -> None:
    found = graph(
        {
            "@context": SCHEMA,
            "@graph": [
                {"@id": "#w", "@type": "WebPage", "about": {"@id": "#o"}},
                {"@id": "#o", "@type": "Organization", "mainEntityOfPage": {"@id": "#w"}},
                {"@id": "#p", "@type": "Person", "knows": {"@id": "#q"}},
                {"@id": "#q", "@type": "Person", "knows": {"@id": "#p"}},
            ],
        }
    )
    assert found.roots == (0, 2)


def test_members_that_are_no_objects() -> None:
    found = graph({"@context": SCHEMA, "@graph": [{"@type": "Product", "name": "Lamp"}, False, None, "x"]})
    assert len(found.nodes) == 1
    assert codes(found) == ["member-not-an-object"]
    assert found.diagnostics[0].message.startswith("3 members")


def test_one_fact_twice_at_two_places_is_two_statements() -> None:
    found = graph({"@context": SCHEMA, "@type": "Recipe", "recipeIngredient": ["1 egg", "1 egg"]})
    assert [s.path for s in found.statements] == ["/0/recipeIngredient/0", "/0/recipeIngredient/1"]


def test_another_vocabulary_has_other_names(tmp_path: Any) -> None:
    file = tmp_path / "shop.ttl"
    file.write_text(
        "@prefix s: <https://shop.example/v#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"
        "s:Lamp a rdfs:Class . s:watt a rdf:Property ; rdfs:domain s:Lamp .\n"
    )
    found = build_graph(
        [
            {
                "@context": {"@vocab": "https://shop.example/v#"},
                "@type": "Lamp",
                "watt": 5,
                "https://schema.org/name": "L",
            }
        ],
        vocabulary=load(file),
    )
    assert facts(found) == [("/0/watt", "watt", 5)]
    assert found.nodes[0].types == ("Lamp",)
    assert found.foreign == 1


def page(*scripts: Any, **fields: Any) -> Page:
    blocks = tuple(ScriptBlock(i, 0, 0, 1, 1, "", (value,)) for i, value in enumerate(scripts))
    return Page("p", BASE, BASE, "", "utf-8", "", scripts=blocks, **fields)


def test_a_page_is_one_graph() -> None:
    found = page_graph(
        page(
            [{"@context": SCHEMA, "@type": "Article", "@id": "#a", "headline": "H"}, {"@context": SCHEMA, "name": "x"}],
            {"@context": SCHEMA, "@type": "Person", "name": "Ann"},
            microdata=({"type": ["https://schema.org/Organization"], "properties": {"name": ["Shop"]}},),
            rdfa=({"@type": ["http://schema.org/Place"], "http://schema.org/name": [{"@value": "Ulm"}]},),
        ),
        VOCABULARY,
    )
    assert [(s.path, s.value) for s in found.statements] == [
        ("/0/headline", "H"),
        ("/1/name", "x"),
        ("/2/name", "Ann"),
        ("/3/properties/name/0", "Shop"),
        ("/4/http:~1~1schema.org~1name/0", "Ulm"),
    ]
    assert [s.sources[0].format for s in found.statements] == ["json-ld", "json-ld", "json-ld", "microdata", "rdfa"]
    assert [s.sources[0].block for s in found.statements] == [0, 0, 1, 0, 0]
    assert len(found.documents) == 5


def test_bare_json_ld_of_one_object_has_pointers_from_that_object() -> None:
    bare = {"bare": "json-ld"}
    one = page_graph(page({"@context": SCHEMA, "name": "x"}, metadata=bare), VOCABULARY)
    assert [s.path for s in one.statements] == ["/name"]
    two = page_graph(page([{"@context": SCHEMA, "name": "x"}], metadata=bare), VOCABULARY)
    assert [s.path for s in two.statements] == ["/0/name"]


def test_deep_nesting_is_left_out_with_a_word() -> None:
    document: dict[str, Any] = {"@context": SCHEMA, "@type": "Person"}
    inner = document
    for _ in range(100_000):
        inner["knows"] = {"@type": "Person"}
        inner = inner["knows"]
    found = graph(document)
    assert "too-deep" in codes(found)
    assert 500 < len(found.nodes) <= 513


def test_the_chain_of_a_long_way_is_its_end() -> None:
    members = [{"@id": f"#{i}", "@type": "Person", "name": "x", "knows": {"@id": f"#{i + 1}"}} for i in range(100)]
    found = graph({"@context": SCHEMA, "@graph": members})
    assert max(len(s.chain) for s in found.statements) == 32
    assert found.statements[-1].chain[-1].property == "knows"


def test_a_node_of_very_many_types_is_cut() -> None:
    found = graph({"@context": SCHEMA, "@type": [f"T{i}" for i in range(500)], "name": "x"})
    assert len(found.nodes[0].types) == 64
    assert codes(found) == ["too-many-types"]


def test_many_diagnostics_are_counted_not_listed() -> None:
    found = graph(
        {"@context": SCHEMA, "@type": "Person", **{f"@x{chr(97 + i % 26)}{chr(97 + i // 26)}": 1 for i in range(600)}}
    )
    assert len(found.diagnostics) == 201
    assert "400 more" in found.diagnostics[-1].message


def test_an_array_of_contexts_costs_no_more_than_their_sum() -> None:
    terms = [{f"t{i}": f"schema:name{i}"} for i in range(20_000)]
    found = graph({"@context": [SCHEMA, *terms], "@type": "Person", "t19999": "x"})
    assert [s.property for s in found.statements] == ["t19999"]
    assert codes(found) == []


def test_contexts_that_cost_too_much_are_cut_with_a_word() -> None:
    terms = {f"t{i}": f"http://example.org/{i}" for i in range(6000)}
    members = [{"@context": {"a": "http://example.org/"}, "@type": "Person", "name": "n"} for _ in range(1000)]
    found = graph({"@context": [SCHEMA, terms], "@graph": members})
    assert "too-many-contexts" in codes(found)
    assert len(found.statements) == 1000


def test_nodes_that_say_nothing_of_the_vocabulary_are_no_roots() -> None:
    context = [SCHEMA, {"ex": "https://example.com/"}]
    found = graph(
        {"@context": context, "@type": "ex:Catalog", "ex:items": [{"@type": "Product", "name": "Lamp"}]},
        {"@context": context, "@id": BASE, "og:title": "x"},
        {"@type": "Person"},
    )
    assert [found.nodes[root].types for root in found.roots] == [("Product",)]
