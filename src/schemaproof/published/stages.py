"""A contender's markup after each step of the published pipeline."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from schemaproof.agents.validity import POLICIES, judge_validity
from schemaproof.agents.verdict import Decision
from schemaproof.markup import build_graph
from schemaproof.published.layout import Side
from schemaproof.published.protocol import STEPS, Answer, answers, filtered
from schemaproof.vocabulary import Vocabulary

# What the authors' run resolved relative addresses against; its rejections of them hit nothing in the markup.
_BASE = "file:///"

Judge = Callable[[Any], list[Answer]]


@dataclass(frozen=True, slots=True)
class Stages:
    """What is left of a markup after each step.

    Attributes:
        trees: four JSON values: the input, then after validity, factuality and compliance.
        differing: steps whose recorded markup is not what the filter makes of the recorded verdicts; the recorded
            one is used, since the paper's numbers come from it.
        judged: steps whose verdicts were missing and were made anew (validity only).
        missing: steps without verdicts and without a recorded markup: nothing is rejected there.
    """

    trees: tuple[Any, Any, Any, Any]
    differing: tuple[str, ...] = ()
    judged: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def stages(side: Side, judge: Judge | None = None) -> Stages:
    """Run the published pipeline on one markup from its recorded verdicts.

    Arguments:
        side: the markup, its verdict logs and its recorded filtered markups.
        judge: the validity agent under the policy `paper`, for a markup whose validity log is missing.
    """
    tree = side.markup
    trees = [tree]
    differing, judged, missing = [], [], []
    for step in STEPS:
        recorded = side.filtered.get(step)
        if step in side.logs:
            tree = filtered(tree, step, answers(step, side.logs[step]))
            if step in side.filtered and tree != recorded:
                differing.append(step)
                tree = recorded
        elif step in side.filtered:
            tree = recorded
        elif step == "shacl" and judge is not None:
            tree = filtered(tree, step, judge(tree))
            judged.append(step)
        else:
            missing.append(step)
        trees.append(tree)
    return Stages((trees[0], trees[1], trees[2], trees[3]), tuple(differing), tuple(judged), tuple(missing))


def paper_validity(vocabulary: Vocabulary) -> Judge:
    """The validity agent under the policy `paper`, answering in the published logs' form."""

    def judge(tree: Any) -> list[Answer]:
        documents = tree if isinstance(tree, list) else [tree]
        graph = build_graph(documents, base=_BASE, vocabulary=vocabulary, assume_schema_org=True)
        verdicts = judge_validity(graph, vocabulary, POLICIES["paper"]).verdicts
        found: dict[tuple[str, str], Answer] = {}
        for statement, verdict in zip(graph.statements, verdicts, strict=True):
            if verdict.decision is not Decision.REJECT:
                continue
            text = str(statement.value)
            if statement.object is not None:  # named by its identifier, else by a blank node's id
                own = graph.nodes[statement.object].id
                digest = hashlib.md5(statement.path.encode(), usedforsecurity=False).hexdigest()
                text = f"N{digest}" if own.startswith("_:") else own
            elif statement.reference:
                text = urljoin(_BASE, text)
            kind = statement.types[0] if statement.types else None
            found.setdefault((statement.property, text), Answer(statement.property, text, kind, False))
        return list(found.values())

    return judge
