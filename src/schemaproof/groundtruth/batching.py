"""Rows of one text judged together, as a batched judge gets them on a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from schemaproof.agents.verdict import Verdict
from schemaproof.groundtruth.row import COMPLIANCE, Row, digest, markup_of
from schemaproof.markup.model import Graph, Node, Statement
from schemaproof.page import page_from_text, read_page
from schemaproof.pipeline.curation import Judges

Pages = Mapping[str, tuple[bytes, str | None, str | None]]


def join(graphs: Sequence[tuple[Graph, int]]) -> tuple[Graph, list[int]]:
    """Markups side by side as one graph, and where the statement of each stands in it."""
    nodes: list[Node] = []
    statements: list[Statement] = []
    roots: list[int] = []
    places: list[int] = []
    for number, (graph, index) in enumerate(graphs):
        at, first = len(nodes), len(statements)
        places.append(first + index)
        roots += [root + at for root in graph.roots]
        for node in graph.nodes:
            known = tuple(each + first for each in node.statements)
            nodes.append(replace(node, index=node.index + at, id=f"_:r{number}b{node.index}", statements=known))
        for each in graph.statements:
            target = None if each.object is None else each.object + at
            statements.append(replace(each, path=f"/{number}{each.path}", subject=each.subject + at, object=target))
    return Graph((), tuple(nodes), tuple(statements), roots=tuple(roots)), places


def judge_together(rows: Sequence[Row], judges: Judges, pages: Pages | None = None) -> list[Verdict | None]:
    """Verdicts on rows, those of one text and agent in one markup; see `judging.judge_rows`."""
    verdicts: list[Verdict | None] = [None] * len(rows)
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        groups[row.agent, row.page or digest(row.text) + row.language].append(index)
    for (agent, _), indices in groups.items():
        graph, places = join([markup_of(rows[index]) for index in indices])
        first = rows[indices[0]]
        page: Any = None
        if agent != COMPLIANCE or first.page:
            if first.page:
                html, url, kind = (pages or {}).get(first.page, (b"", None, None))
                page = read_page(html, url=url, content_type=kind)
            else:
                page = page_from_text(first.text, language=first.language or None)
        said: Sequence[Verdict | None] = ()
        if agent == COMPLIANCE and judges.compliance is not None:
            language = first.language or (page.language if page is not None else "")
            said, _findings = judges.compliance.judge(graph, places, language)
        elif agent != COMPLIANCE and judges.factuality is not None:
            said = judges.factuality.judge(graph, judges.factuality.prepare(page), places)
        for index, place in zip(indices, places, strict=True):
            verdicts[index] = said[place] if said else None
    return verdicts
