from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.generation.llm import Example, Generator, choose_example, parse_prompt, read_markup
from schemaproof.models.protocol import Ask, Reply
from schemaproof.page import page_from_text
from schemaproof.pipeline.model_contender import examples, prompts
from schemaproof.vocabulary import load

SOUP = {"@context": "https://schema.org", "@type": "Recipe", "name": "Pea soup"}


class Scripted:
    """A chat model that answers by a function."""

    name = "scripted"

    def __init__(self, answer: Callable[[Ask], str | Reply], context_tokens: int = 16_000) -> None:
        self.answer = answer
        self.context_tokens = context_tokens
        self.asked: list[Ask] = []

    def ask(self, ask: Ask) -> Reply:
        self.asked.append(ask)
        said = self.answer(ask)
        return said if isinstance(said, Reply) else Reply(said)

    def ask_all(self, asks: Sequence[Ask]) -> list[Reply]:
        return [self.ask(each) for each in asks]

    def count(self, text: str) -> int:
        return len(text.split())


def generator(model: Any, prompt: str = "paper", **options: Any) -> Generator:
    return Generator(model, load(), prompts()[prompt], "5ec2e7", examples=examples(), **options)


def test_the_prompt_holds_page_types_inherited_properties_and_an_example() -> None:
    (ask,) = generator(Scripted(lambda _: "")).asks(page_from_text("Pea soup for 4"), ["Recipe"])
    text = ask.messages[-1].text
    assert "as Recipe" in text
    for name in ("cookTime", "performTime", "author", "name"):  # Recipe, HowTo, CreativeWork, Thing
        assert f"{name}," in text or f", {name}" in text
    assert "An example." in text
    assert text.index("Pea soup for 4") < text.index("as Recipe")
    assert (ask.temperature, ask.purpose) == (0.0, "generation")


def test_five_strategies_differ() -> None:
    page = page_from_text("Pea soup for 4")
    asked = {}
    for name in prompts():
        (ask,) = generator(Scripted(lambda _: ""), name).asks(page, ["Recipe"])
        asked[name] = ask.messages[-1].text
    assert set(asked) == {"paper", "defined", "listed", "shown", "bare"}
    assert len(set(asked.values())) == 5
    assert [name for name, text in asked.items() if "An example." in text] == ["defined", "paper", "shown"]
    assert [name for name, text in asked.items() if "cookTime" in text] == ["defined", "listed", "paper"]


def test_a_good_answer_needs_one_question() -> None:
    model = Scripted(lambda _: json.dumps(SOUP))
    written = generator(model).write(page_from_text("Pea soup"), ["Recipe"])
    assert written.documents == [SOUP]
    assert written.notes == []
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    ("first", "told"),
    [
        ("I cannot do that.", "not JSON"),
        ('{"@type": "Person", "name": "x"}', "no object at the top has the @type Recipe"),
        ('{"@type": "Recipe"}', "there are no properties"),
        ("[]", "not a JSON object"),
    ],
)
def test_one_repair_turn(first: str, told: str) -> None:
    model = Scripted(lambda ask: json.dumps(SOUP) if len(ask.messages) > 2 else first)
    written = generator(model).write(page_from_text("Pea soup"), ["Recipe"])
    assert written.documents == [SOUP]
    assert len(model.asked) == 2
    assert told in model.asked[1].messages[-1].text
    assert model.asked[1].messages[2].text == first
    assert any("repaired" in note for note in written.notes)


def test_an_answer_that_stays_bad_is_read_as_far_as_it_goes() -> None:
    model = Scripted(lambda _: "Here you are:\n```json\n" + json.dumps(SOUP) + ",\n```")
    written = generator(model).write(page_from_text("Pea soup"), ["Recipe"])
    assert written.documents == [SOUP]
    assert len(model.asked) == 2


def test_a_cut_answer_is_closed_and_not_asked_again() -> None:
    cut = '{"@type": "Recipe", "name": "Pea soup", "author": {"@type": "Person", "name": "Ada'
    model = Scripted(lambda _: Reply(cut, finish="length"))
    written = generator(model).write(page_from_text("Pea soup"), ["Recipe"])
    assert written.documents[0]["name"] == "Pea soup"
    assert len(model.asked) == 1
    assert any("cut off" in note for note in written.notes)


def test_a_long_page_is_written_in_chunks_and_joined() -> None:
    text = "\n".join(f"Line {number} of a very long recipe with many words." for number in range(900))

    def answer(ask: Ask) -> str:
        number = next(n for n in range(900) if f"Line {n} " in ask.messages[-1].text)
        return json.dumps({**SOUP, "recipeIngredient": [f"from line {number}"]})

    model = Scripted(answer, context_tokens=4000)
    written = generator(model, "bare").write(page_from_text(text), ["Recipe"])
    count = len(model.asked)
    assert count > 1
    assert len(written.documents) == 1
    assert len(written.documents[0]["recipeIngredient"]) == count
    assert f"{count} chunks" in written.notes


def test_prompts_leave_room_for_the_page() -> None:
    text = "\n".join(f"Line {number} of a long recipe." for number in range(100))
    for name in prompts():
        for ask in generator(Scripted(lambda _: "", 1200), name).asks(page_from_text(text), ["Recipe"]):
            tokens = sum(len(each.text.split()) for each in ask.messages)
            assert tokens + ask.max_tokens <= 1200


def test_the_model_names_types_of_the_vocabulary_only() -> None:
    model = Scripted(lambda _: '{"types": ["https://schema.org/Recipe", "Soup", "Text", "Recipe", "HowTo"]}')
    assert generator(model).name_types(page_from_text("Pea soup")) == ("Recipe", "HowTo")


def test_the_nearest_example_is_chosen() -> None:
    listed = [Example("Thing", "", 1), Example("CreativeWork", "", 2), Example("Recipe", "", 3)]
    for name, expected in (("Recipe", 3), ("Article", 2), ("Person", 1)):
        chosen = choose_example([name], listed, load())
        assert chosen is not None
        assert chosen.markup == expected


def test_own_examples_are_of_the_vocabulary() -> None:
    from schemaproof.agents.validity import judge_validity, policy
    from schemaproof.markup import build_graph

    vocabulary = load()
    for example in examples():
        graph = build_graph([example.markup], base="", vocabulary=vocabulary)
        result = judge_validity(graph, vocabulary, policy("schema.org"))
        assert not [v for v in result.verdicts if str(v.decision) != "keep"], example.type


def test_prompt_files_have_two_turns() -> None:
    prompt = parse_prompt("x", "System.\n---\n{page}\nUser.")
    assert (prompt.system, prompt.user) == ("System.", "{page}\nUser.")
    for each in prompts().values():
        assert "{hostile}" in each.system
        assert each.user.startswith("{page}")


@settings(deadline=None)
@given(st.text(alphabet='{}[]",:\\ a1', max_size=200))
def test_no_answer_breaks_the_reader(text: str) -> None:
    value, _ = read_markup(text)
    assert value is None or isinstance(value, (dict, list))


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 60))
def test_every_cut_of_an_answer_keeps_its_whole_members(length: int) -> None:
    whole = json.dumps({"@type": "Recipe", "name": "Pea soup", "keywords": ["a", "b"]})
    value, _ = read_markup(whole[:length])
    if value is not None:
        for key, each in value.items():
            assert each in (json.loads(whole)[key], ["a"], [])


def test_deep_answers_are_refused_without_recursion() -> None:
    assert read_markup("[" * 100_000)[0] is None or True
    read_markup('{"a":' * 50_000)
