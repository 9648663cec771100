"""The validity agent against what the paper's authors recorded, and on the official examples."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from schemaproof.agents.policies import policy
from schemaproof.agents.validity import judge_validity
from schemaproof.agents.validity_violations import CLASS, CLOSED, violations
from schemaproof.agents.verdict import Decision
from schemaproof.markup.graph import build_graph
from schemaproof.vocabulary import load

DELIMITER = "[TOK_Q_DELIM]"
BLANK = re.compile(r"[A-Za-z0-9]{30,}")
# Recorded rejections that the look-up does not have, by unit and contender, with why.
EXPLAINED = {
    ("327717ea48be0c007559e4386150bab9_Organization", "human"): (
        "the keys @telephone and @contactType: their reader took keys that look like keywords for properties; "
        "JSON-LD 1.1 has them ignored, and the graph builder reports them"
    ),
}
# Statements of official examples that are rejected, with why the example is wrong.
WRONG_EXAMPLES = {
    ("duration", "T0M15S"): "a duration begins with P",
    ("duration", "1Y"): "a duration begins with P",
    ("audience", "https://schema.org/Clinician"): "Clinician is a MedicalAudienceType, which is no Audience",
}


def recorded(log: str) -> set[tuple[str, ...]]:
    """The rejected keys of a log, blank nodes alike, addresses relative to the authors' folder made relative."""
    keys = set()
    for key in json.loads(log)["msgs"]:
        parts = key.split(DELIMITER)
        if len(parts) == 3:
            value = "_:" if BLANK.fullmatch(parts[1]) else parts[1]
            parts[1] = "file:///" if value.startswith("file:///Users/") else value
        keys.add(tuple(parts))
    return keys


def looked_up(document: Any) -> set[tuple[str, ...]]:
    """The rejected keys of the look-up under the policy `paper`, in the log's form."""
    vocabulary = load()
    documents = document if isinstance(document, list) else [document]
    graph = build_graph(documents, vocabulary=vocabulary, base="file:///", assume_schema_org=True)
    keys: set[tuple[str, ...]] = set()
    for each in violations(graph, vocabulary):
        statement = graph.statements[each.statement]
        if each.component == CLASS:
            keys.add((each.type,))
            continue
        if statement.object is not None:
            node = graph.nodes[statement.object].id
            value = "_:" if node.startswith("_:") else node
        else:
            value = str(statement.value)
            if statement.reference and ":" not in value:
                value = "file:///" + value.lstrip("/")
        shape = each.type if each.component == CLOSED else f"{each.type}-{statement.property}"
        keys.add((statement.property, value, shape))
    return keys


def test_the_policy_paper_agrees_with_the_recorded_logs(shared: Path) -> None:
    import duckdb

    query = (
        "select unit, coalesce(human_input_original, human_input), human_shacl_log, gpt3_input, gpt3_shacl_log, "
        f"gpt4_input, gpt4_shacl_log from '{shared / 'paper' / 'units.parquet'}'"
    )
    with duckdb.connect() as connection:
        rows = connection.execute(query).fetchall()
    equal = 0
    keys: Counter[str] = Counter()
    differing = set()
    for unit, *pairs in rows:
        for contender, markup, log in zip(("human", "gpt3", "gpt4"), pairs[::2], pairs[1::2], strict=True):
            theirs, own = recorded(log), looked_up(json.loads(markup))
            keys["theirs"] += len(theirs)
            keys["both"] += len(theirs & own)
            keys["own"] += len(own)
            if theirs == own:
                equal += 1
            else:
                differing.add((unit, contender))
    print(f"{equal} of {3 * len(rows)} markups have the same rejected keys; {dict(keys)}")
    assert 3 * len(rows) == 294
    assert equal / 294 >= 0.99
    assert differing == set(EXPLAINED)


def test_official_examples_are_good_markup(shared: Path) -> None:
    text = (shared / "vocabulary" / "30.0" / "schemaorg-all-examples.txt").read_text(encoding="utf-8")
    vocabulary = load()
    kept = total = 0
    rejected = set()
    for block in re.findall(r'<script type="application/ld\+json">(.*?)</script>', text, re.S):
        try:
            document = json.loads(block)
        except ValueError:
            continue
        documents = document if isinstance(document, list) else [document]
        graph = build_graph(documents, vocabulary=vocabulary)
        result = judge_validity(graph, vocabulary, policy("schema.org"))
        for statement, verdict in zip(graph.statements, result.verdicts, strict=True):
            total += 1
            if verdict.decision is Decision.KEEP:
                kept += 1
            else:
                rejected.add((statement.property, str(statement.value)))
    print(f"{kept} of {total} statements of the official examples are kept ({kept / total:.4f})")
    assert total > 5000
    assert kept / total >= 0.98
    assert rejected == set(WRONG_EXAMPLES)
