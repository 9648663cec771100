"""Every rule is documented, with a bad example that breaks it and a good one that does not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import pytest

from schemaproof.agents.rules import RULES
from schemaproof.pipeline.checking import Checked, Checker, CheckOptions
from schemaproof.sources.model import PageSource

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "schemaproof"
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"^(Bad|Good)(?: \(made by Python\))?:\n+```(\w+)\n(.*?)```", re.M | re.S)
WORDS = re.compile(r"[a-z]+(?:-[a-z]+)*")
HYPHENATED = re.compile(r"[a-z]+(?:-[a-z]+)+")


def chapters() -> dict[str, str]:
    """First word of each chapter of the page -> its text."""
    parts = re.split(r"^## ", PAGE, flags=re.M)[1:]
    return {re.split(r"\W", part, maxsplit=1)[0]: part for part in parts}


def sections(chapter: str) -> dict[str, str]:
    return dict(re.findall(r"^### `([a-z-]+)`\n(.*?)(?=^##|\Z)", chapters()[chapter], re.M | re.S))


def tabled() -> set[str]:
    """Rules that stand in a table, without an example."""
    return set(re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.M))


# Agents and policy that the examples of a chapter are judged by.
JUDGED_BY = {
    "Validity": CheckOptions(agents=("validity",)),
    "Google": CheckOptions(agents=("validity",), policy="google"),
    "Reading": CheckOptions(agents=("validity",)),
    "Markup": CheckOptions(agents=("validity",)),
    "Compliance": CheckOptions(agents=("compliance",)),
    "Factuality": CheckOptions(agents=("factuality",)),
}
CASES = [(chapter, rule) for chapter in JUDGED_BY for rule in sections(chapter)]


@lru_cache(maxsize=8)
def checker(chapter: str) -> Checker:
    return Checker(JUDGED_BY[chapter])


def example(chapter: str, rule: str, kind: str) -> Checked:
    """What is found in an example."""
    (language, text) = {name: (language, text) for name, language, text in EXAMPLE.findall(sections(chapter)[rule])}[
        kind
    ]
    made = ast.literal_eval(text) if language == "python" and text.startswith("b'") else text
    if language == "python" and isinstance(made, str):
        made = eval(text, {"__builtins__": {"range": range}})
    data = made if isinstance(made, bytes) else made.encode()
    url = "https://shop.example/page" if chapter == "Factuality" else None
    checked = checker(chapter)(PageSource("-", data, url=url))
    assert checked.error is None
    return checked


def rejecting(checked: Checked) -> set[str]:
    """Ids of the rules that reject a statement."""
    assert checked.answer is not None
    verdicts = [verdict for row in checked.answer["statements"] for verdict in row["verdicts"].values()]
    return {verdict["rule"] for verdict in verdicts if verdict["verdict"] == "reject"}


@pytest.mark.parametrize(("chapter", "rule"), CASES)
def test_a_bad_example_breaks_its_rule_and_a_good_one_does_not(chapter: str, rule: str) -> None:
    assert {kind for kind, _, _ in EXAMPLE.findall(sections(chapter)[rule])} == {"Bad", "Good"}
    bad, good = example(chapter, rule, "Bad"), example(chapter, rule, "Good")
    if chapter == "Factuality":
        # Evidence is weighed: a near rule may be the one that decides.
        assert rejecting(bad)
        assert not rejecting(good)
        return
    assert rule in {finding.rule for finding in bad.findings}
    assert rule not in {finding.rule for finding in good.findings}
    if rule in RULES:
        own = [finding for finding in bad.findings if finding.rule == rule]
        assert {(finding.severity, finding.agent) for finding in own} == {(RULES[rule].severity, RULES[rule].agent)}
        assert bool(rejecting(bad)) == RULES[rule].rejects
        assert not rejecting(good)


def calls(patterns: Iterable[str], functions: set[str]) -> set[str]:
    """The first text that looks like an id in each call of these functions."""
    found: set[str] = set()
    for path in (path for pattern in patterns for path in SOURCE.glob(pattern)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                texts = [each.value for each in node.args[:3] if isinstance(each, ast.Constant)]
                ids = [text for text in texts if isinstance(text, str) and WORDS.fullmatch(text)]
                if name in functions and ids:
                    found.add(ids[0])
    return found


def missing(rules: set[str]) -> set[str]:
    return rules - {rule for _, rule in CASES} - tabled()


def test_every_rule_of_validity_is_in_its_table_and_documented() -> None:
    written: set[str] = set()
    for name in ("validity.py", "validity_plans.py", "validity_ranges.py", "google.py"):
        tree = ast.parse((SOURCE / "agents" / name).read_text(encoding="utf-8"))
        texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        written.update(text for text in texts if isinstance(text, str) and HYPHENATED.fullmatch(text))
    assert written == set(RULES)
    assert set(RULES) <= {rule for _, rule in CASES}


def test_every_rule_of_reading_is_documented() -> None:
    assert not missing(calls(["json_*.py"], {"Refusal", "Remark", "_remark"}))
    assert not missing(calls(["page/reader.py", "page/scripts.py", "page/rdfa.py"], {"Notice", "notice"}))


def test_every_rule_of_markup_is_documented() -> None:
    # What only the conversion to triples tells is no finding of `check`.
    names = ("walk", "context", "graph", "items", "records", "naming", "matching")
    assert not missing(calls([f"markup/{name}.py" for name in names], {"report", "Diagnostic"}))


def test_every_rule_of_compliance_is_documented() -> None:
    found = calls(["agents/compliance*.py"], {"Fault"})
    assert len(found) > 50
    assert not missing(found)


def test_every_rule_of_factuality_is_documented() -> None:
    found = calls(["agents/factuality*.py"], {"Outcome"})
    assert len(found) > 50
    assert not missing(found)


def test_an_undocumented_rule_is_noticed() -> None:
    assert missing({"unknown-type", "no-such-rule", "own-address"}) == {"no-such-rule"}
