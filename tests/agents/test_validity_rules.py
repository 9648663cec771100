"""Every rule is documented, with a bad example that breaks it and a good one that does not."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from schemaproof.agents.policies import policy
from schemaproof.agents.rules import RULES
from schemaproof.agents.validity import judge_validity
from schemaproof.agents.verdict import Decision, Finding
from schemaproof.markup.graph import build_graph
from schemaproof.vocabulary import load

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
SECTION = re.compile(r"^### `([a-z-]+)`\n(.*?)(?=^##|\Z)", re.M | re.S)
SECTIONS = dict(SECTION.findall(PAGE))
EXAMPLE = re.compile(r"^(Bad|Good):\n+```json\n(.*?)```", re.M | re.S)


def findings(rule: str, document: Any) -> tuple[list[Finding], bool]:
    """The findings about a document under the rule's policy, and whether a statement is rejected."""
    vocabulary = load()
    graph = build_graph([document], vocabulary=vocabulary)
    result = judge_validity(graph, vocabulary, policy("google" if RULES[rule].agent == "google" else "schema.org"))
    return result.findings, any(verdict.decision is Decision.REJECT for verdict in result.verdicts)


def examples(rule: str) -> dict[str, Any]:
    return {kind: json.loads(text) for kind, text in EXAMPLE.findall(SECTIONS[rule])}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_a_bad_and_a_good_example(rule: str) -> None:
    assert rule in SECTIONS, f"docs/rules.md says nothing of {rule}"
    assert set(examples(rule)) == {"Bad", "Good"}


@pytest.mark.parametrize("rule", RULES)
def test_the_bad_example_breaks_the_rule(rule: str) -> None:
    found, rejected = findings(rule, examples(rule)["Bad"])
    own = [finding for finding in found if finding.rule == rule]
    assert own
    assert {finding.severity for finding in own} == {RULES[rule].severity}
    assert {finding.agent for finding in own} == {RULES[rule].agent}
    assert rejected == RULES[rule].rejects


@pytest.mark.parametrize("rule", RULES)
def test_the_good_example_does_not(rule: str) -> None:
    found, rejected = findings(rule, examples(rule)["Good"])
    assert rule not in {finding.rule for finding in found}
    assert not rejected
    if RULES[rule].agent == "validity":
        assert not [finding for finding in found if finding.severity != "info"]


def test_every_rule_of_the_code_is_in_the_table() -> None:
    written: set[str] = set()
    for name in ("validity.py", "validity_plans.py", "validity_ranges.py", "google.py"):
        tree = ast.parse((ROOT / "src" / "schemaproof" / "agents" / name).read_text(encoding="utf-8"))
        texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        written.update(text for text in texts if isinstance(text, str) and re.fullmatch(r"[a-z]+(?:-[a-z]+)+", text))
    assert written == set(RULES)
