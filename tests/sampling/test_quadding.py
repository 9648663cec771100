"""The JSON-LD of pages as quads."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemaproof.errors import InputError
from schemaproof.markup import to_triples
from schemaproof.sampling.quadding import write_quads
from schemaproof.sources import open_sources, to_page
from schemaproof.sources.model import PageSource

EXAMPLES = Path(__file__).parents[2] / "examples" / "pages"
LD = '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Thing", "url": "x"}</script>'


def written(path: Path) -> list[str]:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode().splitlines()


def of_whole_pages(sources: list[PageSource]) -> list[str]:
    expected: list[str] = []
    for source in sources:
        page = to_page(source)
        triples, _ = to_triples(list(page.items), base=page.base)
        name = source.url or source.name
        expected += dict.fromkeys(f"{one.subject} {one.predicate} {one.object} <{name}> ." for one in triples)
    return expected


def test_quads_are_those_of_the_whole_pages(tmp_path: Path) -> None:
    sources = list(open_sources([str(EXAMPLES)]))
    done = write_quads(sources, tmp_path / "a.nq.gz")
    lines = written(tmp_path / "a.nq.gz")
    assert lines == of_whole_pages(sources)
    assert (done.pages, done.quads, done.failed) == (12, len(lines), {})
    assert len(lines) > 200


def test_bases_bare_documents_and_pages_that_cannot_be_read(tmp_path: Path) -> None:
    sources = [
        PageSource("a", f"<base href=/b/>{LD}".encode(), "https://p.example/d/", "a"),
        PageSource("b.jsonld", b'{"@context": "https://schema.org", "@type": "Thing", "url": "y"}', None, "b"),
        PageSource("c", None, None, "c", None, "no such file"),
        # Of these a tree has to say which scripts they have.
        PageSource("d", f"<template>{LD}</template>{LD}".encode(), "https://p.example/e/", "d"),
        PageSource("e", f"<table><tr>{LD}</table>".encode(), "https://p.example/f/", "e"),
    ]
    done = write_quads(sources, tmp_path / "a.nq")
    lines = written(tmp_path / "a.nq")
    assert (done.pages, done.failed) == (4, {"c": "no such file"})
    assert lines == of_whole_pages([source for source in sources if source.data is not None])
    assert "<https://p.example/b/x> <https://p.example/d/> ." in lines[1]
    assert "<https://p.example/f/x> <https://p.example/f/> ." in lines[-1]


def test_two_captures_of_a_page_are_not_mixed(tmp_path: Path) -> None:
    def capture(kind: str, url: str) -> PageSource:
        ld = f'{{"@context": "https://schema.org", "@type": "{kind}", "name": "x"}}'
        return PageSource(url, f'<script type="application/ld+json">{ld}</script>'.encode(), url, url)

    broken = PageSource("http://b/", None, "http://b/", "b", None, "cut off")
    sources = [capture("Person", "http://a/"), broken, capture("Product", "http://a/"), capture("Recipe", "http://b/")]
    done = write_quads(sources, tmp_path / "a.nq")
    assert (done.pages, done.repeated, done.failed) == (2, 1, {"http://b/": "cut off"})
    assert [line.split()[2] for line in written(tmp_path / "a.nq") if "#type" in line] == [
        "<http://schema.org/Person>",
        "<http://schema.org/Recipe>",
    ]


def test_a_failure_leaves_what_stood_there(tmp_path: Path) -> None:
    def fail() -> Iterator[PageSource]:
        yield PageSource("a", LD.encode(), "https://p.example/", "a")
        raise InputError("no page in here", source="x")

    (tmp_path / "a.nq").write_text("before")
    with pytest.raises(InputError):
        write_quads(fail(), tmp_path / "a.nq")
    assert (tmp_path / "a.nq").read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["a.nq"]
