from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

from schemaproof.agents.compliance import EmbeddedCompliance
from schemaproof.agents.llm_cascade import CascadeCompliance, Thresholds
from schemaproof.agents.llm_compliance import BatchedCompliance, OnePairCompliance
from schemaproof.agents.llm_questions import WORDINGS
from schemaproof.markup import build_graph
from schemaproof.markup.model import Graph
from schemaproof.models.protocol import Ask
from schemaproof.vocabulary import load

if "schemaproof_scripted" not in sys.modules:
    spec = importlib.util.spec_from_file_location("schemaproof_scripted", Path(__file__).parent / "scripted.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["schemaproof_scripted"] = module
    spec.loader.exec_module(module)
Scripted: Any = sys.modules["schemaproof_scripted"].Scripted
MARKUP = {
    "@context": "https://schema.org",
    "@type": "Recipe",
    "name": "Pea soup",
    "recipeYield": "4 servings",
    "recipeIngredient": ["500 g peas", "The Eiffel Tower"],
}


def graph() -> Graph:
    return build_graph([MARKUP], base="https://food.example/", vocabulary=load())


def pair(model: Any, **options: Any) -> OnePairCompliance:
    told = {"recipeIngredient": "One thing that goes into the dish."}
    return OnePairCompliance(model, load(), told, WORDINGS["plain"], **options)


def said(judge: Any) -> dict[str, str]:
    markup = graph()
    verdicts, _ = judge.judge(markup)
    return {
        statement.path.removeprefix("/0").strip("/"): str(verdict.decision)
        for statement, verdict in zip(markup.statements, verdicts, strict=True)
        if verdict is not None
    }


def tower(ask: Ask) -> str:
    text = ask.messages[-1].text
    if ask.yes_no:
        return "No" if 'value "The Eiffel Tower"' in text else "Yes"
    lines = [line for line in text.splitlines() if line[:1].isdigit()]
    return json.dumps(
        {
            "answers": [
                {"n": int(line.split(".")[0]), "verdict": "does not fit" if '= "The Eiffel' in line else "fits"}
                for line in lines
            ]
        }
    )


EXPECTED = {"name": "keep", "recipeYield": "keep", "recipeIngredient/0": "keep", "recipeIngredient/1": "reject"}


def test_one_pair_asks_with_definition_value_and_siblings() -> None:
    model = Scripted(tower)
    assert said(pair(model)) == EXPECTED
    assert len(model.asked) == 4
    text = next(ask.messages[-1].text for ask in model.asked if "Eiffel" in ask.messages[-1].text)
    assert "One thing that goes into the dish." in text
    assert "Pea soup" in text


def test_properties_without_a_definition_are_described_by_their_ranges() -> None:
    model = Scripted(tower)
    said(pair(model))
    text = next(ask.messages[-1].text for ask in model.asked if 'value "4 servings"' in ask.messages[-1].text)
    assert "QuantitativeValue" in text


def test_batched_asks_all_in_two_orders() -> None:
    model = Scripted(tower)
    assert said(BatchedCompliance(pair(model))) == EXPECTED
    assert len(model.asked) == 2


def test_where_the_orders_disagree_one_pair_decides() -> None:
    def answer(ask: Ask) -> str:
        if ask.yes_no:
            return tower(ask)
        forward = ask.messages[-1].text.startswith("1.")
        verdict = "fits" if forward else "does not fit"
        return json.dumps({"answers": [{"n": n, "verdict": verdict} for n in range(1, 5)]})

    model = Scripted(answer)
    assert said(BatchedCompliance(pair(model))) == EXPECTED
    assert len(model.asked) == 6


def test_samples_vote() -> None:
    model = Scripted(lambda ask: "Yes" if ask.sample % 2 else "No")
    assert set(said(pair(model, samples=3)).values()) == {"reject"}
    assert len(model.asked) == 12


def test_the_cascade_asks_only_between_its_thresholds() -> None:
    model = Scripted(lambda _: "No")
    embedded = EmbeddedCompliance(load())
    nothing = CascadeCompliance(embedded, pair(model), Thresholds(0.5, 0.5))
    assert said(nothing) == said(embedded)
    assert model.asked == []
    everything = CascadeCompliance(embedded, pair(model), Thresholds(0.0, 1.01))
    assert set(said(everything).values()) == {"reject"}
    assert everything.asked == everything.judged == 4
