from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from schemaproof.agents.verdict import Decision, Finding, Verdict
from schemaproof.markup import build_graph
from schemaproof.markup.model import Graph
from schemaproof.page import page_from_text
from schemaproof.page.model import Page
from schemaproof.pipeline.curation import Judges, below, curate
from schemaproof.vocabulary import load

RECIPE = {
    "@context": "https://schema.org",
    "@type": "Recipe",
    "name": "Pie",
    "author": {"@type": "Person", "name": "Ann", "url": "https://a.example/"},
    "nutrition": {"@type": "NutritionInformation", "calories": "9 kcal"},
}


class Says:
    """An agent that rejects or doubts the statements of given paths."""

    def __init__(self, reject: Sequence[str] = (), unclear: Sequence[str] = ()) -> None:
        self.reject, self.doubted = set(reject), set(unclear)
        self.asked: list[str] = []

    def verdict(self, path: str) -> Verdict:
        if path in self.reject:
            return Verdict(Decision.REJECT, "rule", "because")
        return Verdict(Decision.UNCLEAR if path in self.doubted else Decision.KEEP)

    def __call__(self, graph: Graph) -> tuple[Sequence[Verdict], Sequence[Finding]]:
        return [self.verdict(statement.path) for statement in graph.statements], []


class Judges2(Says):
    def prepare(self, page: Page) -> None:
        return None

    def answers(self, graph: Graph, indices: Sequence[int] | None) -> list[Verdict | None]:
        chosen = set(range(len(graph.statements)) if indices is None else indices)
        self.asked += [graph.statements[index].path for index in sorted(chosen)]
        return [self.verdict(s.path) if index in chosen else None for index, s in enumerate(graph.statements)]


class Factual(Judges2):
    def judge(self, graph: Graph, prepared: None, indices: Sequence[int] | None = None) -> list[Verdict | None]:
        return self.answers(graph, indices)


class Compliant(Judges2):
    def judge(
        self, graph: Graph, indices: Sequence[int] | None = None, language: str = ""
    ) -> tuple[list[Verdict | None], list[Finding]]:
        return self.answers(graph, indices), []


def graph() -> Graph:
    return build_graph([RECIPE], vocabulary=load(), pointer_root=False)


def paths(of: Graph, chosen: frozenset[int]) -> set[str]:
    return {of.statements[index].path for index in chosen}


def test_all_is_kept_where_no_agent_objects() -> None:
    made = graph()
    curation = curate(made, Judges(Says(), Factual(), Compliant()), page_from_text("x"))
    assert curation.kept == frozenset(range(len(made.statements)))
    assert curation.agents == ("validity", "factuality", "compliance")


def test_what_stands_below_a_rejected_entity_goes_with_it() -> None:
    made = graph()
    curation = curate(made, Judges(Says(["/author"])))
    assert paths(made, curation.kept) == {"/name", "/nutrition", "/nutrition/calories"}


def test_an_agent_is_asked_only_about_literals_that_are_left() -> None:
    factual, compliant = Factual(["/name"]), Compliant()
    made = graph()
    curation = curate(made, Judges(Says(["/author"]), factual, compliant), page_from_text("x"))
    assert factual.asked == ["/name", "/nutrition/calories"]
    assert compliant.asked == ["/nutrition/calories"]
    assert paths(made, curation.after("validity")) == {"/name", "/nutrition", "/nutrition/calories"}
    assert paths(made, curation.after("factuality")) == {"/nutrition", "/nutrition/calories"}
    assert [(f.rule, f.severity, f.agent) for f in curation.findings] == [("rule", "error", "factuality")]


def test_unclear_is_not_kept_and_told_apart() -> None:
    made = graph()
    curation = curate(made, Judges(None, Factual(unclear=["/name"]), None), page_from_text("x"))
    assert paths(made, curation.unclear) == {"/name"}
    assert "/name" not in paths(made, curation.kept)


def test_unclear_then_rejected_is_rejected() -> None:
    made = graph()
    judges = Judges(None, Factual(unclear=["/name"]), Compliant(["/name"]))
    assert not curate(made, judges, page_from_text("x")).unclear


def test_links_to_emptied_nodes_are_no_facts() -> None:
    made = graph()
    curation = curate(made, Judges(Says(["/nutrition/calories", "/author/name"])))
    assert "/nutrition" in paths(made, curation.kept)
    assert paths(made, curation.facts()) == {"/name", "/author", "/author/url"}


@given(st.sets(st.sampled_from([statement.path for statement in graph().statements])))
def test_curating_is_monotone(rejected: set[str]) -> None:
    made = graph()
    curation = curate(made, Judges(Says(sorted(rejected)), Factual(), Compliant()), page_from_text("x"))
    assert curation.facts() <= curation.kept <= curation.after("validity")
    assert not paths(made, curation.kept) & rejected


def test_below_needs_a_whole_path_part() -> None:
    made = build_graph(
        [{"@context": "https://schema.org", "@type": "Thing", "name": "a", "names": {"@type": "Thing", "name": "b"}}],
        vocabulary=load(),
        pointer_root=False,
    )
    index = {statement.path: number for number, statement in enumerate(made.statements)}
    assert below(made, [index["/names"]], index.values()) == {index["/names/name"]}
    assert below(made, [index["/name"]], index.values()) == set()
