from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schemaproof.errors import SpecError
from schemaproof.models import building
from schemaproof.models.protocol import Ask, Reply
from schemaproof.models.session import Session
from schemaproof.page import page_from_text
from schemaproof.pipeline.model_contender import _official, build_model_contender, compared, prompts
from schemaproof.pipeline.plan import Plan
from schemaproof.pipeline.specs import parse_spec
from schemaproof.vocabulary import load

SPEC = "http://127.0.0.1:9/v1#scripted"


class Provider:
    """Answers a generation with a fixed markup and a question for types with fixed types."""

    name, context_tokens = "scripted", 16_000

    def __init__(self) -> None:
        self.asked: list[Ask] = []

    def complete(self, ask: Ask) -> Reply:
        self.asked.append(ask)
        if ask.purpose == "types":
            return Reply('{"types": ["Recipe", "Person"]}')
        return Reply(json.dumps({"@context": "https://schema.org", "@type": "Recipe", "name": "Pea soup"}))


@pytest.fixture
def provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    monkeypatch.setenv("SCHEMAPROOF_CACHE", str(tmp_path / "cache"))
    building.forget_models()
    found = Provider()
    monkeypatch.setattr("schemaproof.models.building.build_model", lambda _: Session(found))
    yield found
    building.forget_models()


def contender(options: str = "") -> Any:
    return build_model_contender(parse_spec(SPEC + options), Plan(), load())


def test_markup_is_written_for_the_types_of_the_unit(provider: Provider) -> None:
    written = contender().write(page_from_text("Pea soup"), "x", ("Recipe", "NoSuchType"))
    assert written.documents == ({"@context": "https://schema.org", "@type": "Recipe", "name": "Pea soup"},)
    assert written.alone
    assert len(provider.asked) == 1
    assert "as Recipe, in" in provider.asked[0].messages[-1].text


def test_the_prompt_is_chosen_by_the_spec(provider: Provider) -> None:
    texts = set()
    for name in prompts():
        contender(f"?prompt={name}").write(page_from_text("Pea soup"), "x", ("Recipe",))
        texts.add(provider.asked[-1].messages[-1].text)
    assert len(texts) == 5


def test_the_model_may_name_the_types_and_what_differs_is_told(provider: Provider) -> None:
    written = contender("?types=auto").write(page_from_text("Pea soup"), "x", ("Recipe", "WebSite"))
    assert "types that the page's own markup does not have: Person" in written.notes
    assert "types that the model missed: WebSite" in written.notes
    assert "as Recipe and Person" in provider.asked[1].messages[1].text


def test_without_known_types_or_text_nothing_is_asked(provider: Provider) -> None:
    assert contender().write(page_from_text("Pea soup"), "x", ("NoSuchType",)).documents == ()
    assert contender().write(page_from_text("  "), "x", ("Recipe",)).documents == ()
    assert provider.asked == []


def test_the_schema_can_be_left_out(provider: Provider) -> None:
    contender().write(page_from_text("Pea soup"), "x", ("Recipe",))
    assert '"Recipe"' in provider.asked[-1].schema
    contender("?schema=off").write(page_from_text("Pea soup, hot"), "x", ("Recipe",))
    assert provider.asked[-1].schema == ""


@pytest.mark.parametrize("options", ["?prompt=none", "?merge=both", "?types=all", "?schema=maybe"])
def test_unusable_options_are_told(options: str, provider: Provider) -> None:
    with pytest.raises(SpecError, match="is one of"):
        contender(options)


def test_equal_types_have_nothing_to_tell() -> None:
    assert compared(("Recipe",), ("Recipe",)) == ["types named by the model: Recipe"]


def test_official_examples_are_read_by_their_first_type() -> None:
    text = (
        "TYPES: #eg-1 Soup, Recipe\n\nPRE-MARKUP:\n\nPea soup\n\nMICRODATA:\n<i>x</i>\n\nRDFA:\n\nJSON:\n\n"
        '<script type="application/ld+json">\n{"@type": "Recipe", "name": "Pea soup"}\n</script>\n\n'
        "TYPES: #eg-2 Person\n\nPRE-MARKUP:\n\nAda\n\nJSON:\n\nnone\n"
    )
    (example,) = _official(text)
    assert (example.type, example.text, example.markup["name"]) == ("Soup", "Pea soup", "Pea soup")
