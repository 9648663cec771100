"""The example pages: every planted mistake is rejected by the agent that it is meant for, and little else is."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from schemaproof.agents.verdict import Decision
from schemaproof.generation.extractor import extract
from schemaproof.generation.guessing import guess_types
from schemaproof.markup import build_graph, page_graph
from schemaproof.page import Page, read_page
from schemaproof.pipeline.curation import AGENTS, Curation, Judges, curate
from schemaproof.pipeline.judges import build_judges
from schemaproof.vocabulary import Vocabulary, load

EXAMPLES = Path(__file__).parent.parent / "examples"
PAGES = sorted((EXAMPLES / "pages").glob("*.html"))
MISTAKES: list[dict[str, str]] = json.loads((EXAMPLES / "mistakes.json").read_text(encoding="utf-8"))

# Rejections on all twelve pages beside the planted ones and what stands below them.
FEW = 8


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return load()


@pytest.fixture(scope="module")
def judges(vocabulary: Vocabulary) -> Judges:
    return build_judges(vocabulary, AGENTS, "schema.org")


def read(path: Path) -> Page:
    return read_page(path.read_bytes(), name=path.name)


def rejections(curation: Curation) -> dict[str, str]:
    """Pointer → agent of every rejected statement."""
    return {
        statement.path: agent
        for statement, verdicts in zip(curation.graph.statements, curation.verdicts, strict=True)
        for agent, verdict in verdicts.items()
        if verdict.decision is Decision.REJECT
    }


@pytest.fixture(scope="module")
def rejected(vocabulary: Vocabulary, judges: Judges) -> dict[str, dict[str, str]]:
    return {
        path.name: rejections(curate(page_graph(page, vocabulary), judges, page))
        for path in PAGES
        if (page := read(path))
    }


def test_there_are_twelve_pages_in_six_languages() -> None:
    pages = [read(path) for path in PAGES]
    assert len(pages) == 12
    assert {page.language for page in pages} == {"ar", "de", "en", "es", "fr", "ja"}
    assert all(page.scripts and page.items for page in pages)
    assert sum(bool(page.microdata) for page in pages) == 2


@pytest.mark.parametrize("mistake", [m for m in MISTAKES if m["pointer"]], ids=lambda m: f"{m['page']}{m['pointer']}")
def test_every_planted_mistake_is_rejected_by_its_agent(
    mistake: dict[str, str], rejected: dict[str, dict[str, str]]
) -> None:
    assert rejected[mistake["page"]].get(mistake["pointer"]) == mistake["agent"], mistake["why"]


def test_a_mistake_of_writing_is_noticed_and_loses_no_statement() -> None:
    (mistake,) = [m for m in MISTAKES if not m["pointer"]]
    page = read(EXAMPLES / "pages" / mistake["page"])
    assert [notice.code for notice in (*page.errors, *page.warnings)] == ["trailing-comma"]
    assert page.items[0]["keywords"][-1] == "Punta Arcilla"


def test_little_else_is_rejected(rejected: dict[str, dict[str, str]]) -> None:
    planted: dict[str, list[str]] = defaultdict(list)
    for mistake in MISTAKES:
        planted[mistake["page"]].append(mistake["pointer"].removesuffix("/@type"))
    others = [
        (name, path)
        for name, paths in rejected.items()
        for path in paths
        if not any(pointer and (path + "/").startswith(pointer + "/") for pointer in planted[name])
    ]
    assert len(others) <= FEW, others


def test_pointers_of_the_mistakes_point_to_something() -> None:
    for mistake in MISTAKES:
        value: Any = list(read(EXAMPLES / "pages" / mistake["page"]).items)
        for step in mistake["pointer"].split("/")[1:]:
            value = value[int(step)] if isinstance(value, list) else value[step]
        assert value


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_what_the_extractor_writes_survives_the_agents(path: Path, vocabulary: Vocabulary, judges: Judges) -> None:
    page = read(path)
    graph = page_graph(page, vocabulary)
    types = graph.nodes[graph.roots[0]].types
    documents = extract(page, types, vocabulary).documents
    written = build_graph(tuple(documents), base=page.base, vocabulary=vocabulary)
    curation = curate(written, judges, page)
    assert len(written.statements) >= 15
    assert len(curation.kept) >= 0.9 * len(written.statements), rejections(curation)


@pytest.mark.parametrize(
    ("name", "guessed"),
    {
        "book": "Book", "business": "LocalBusiness", "course": "Course", "event": "Event", "faq": "FAQPage",
        "how-to": "HowTo", "job": "JobPosting", "movie": "Movie", "news": "Article", "product": "Product",
        "recipe": "Recipe",
    }.items(),
)  # fmt: skip
def test_the_type_of_a_page_is_guessed_from_what_it_shows(name: str, guessed: str, vocabulary: Vocabulary) -> None:
    assert guess_types(read(EXAMPLES / "pages" / f"{name}.html"), vocabulary) == (guessed,)
