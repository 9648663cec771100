"""Contenders that ask a model to write markup."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING

from schemaproof.errors import DefinitionsMissingError, SpecError
from schemaproof.page.model import Page
from schemaproof.pipeline.model_judges import fence_mark
from schemaproof.pipeline.plan import Plan
from schemaproof.pipeline.specs import Spec
from schemaproof.pipeline.written import Written

if TYPE_CHECKING:
    from schemaproof.generation.llm import Example, Generator, Prompt
    from schemaproof.vocabulary import Vocabulary

DEFAULT_PROMPT = "paper"
_FOLDER = "schemaproof.generation.prompts"


class ModelContender:
    """A model that writes markup for a unit.

    Arguments:
        generator: asks it.
        vocabulary: types that it does not have are passed over.
        auto: whether the model names the root types first, whatever those of the unit.
    """

    def __init__(self, generator: Generator, vocabulary: Vocabulary, *, auto: bool = False) -> None:
        self.generator = generator
        self.vocabulary = vocabulary
        self.auto = auto

    @property
    def usage(self) -> object:
        """What the model has used so far."""
        return getattr(self.generator.model, "usage", None)

    def discover(self, page: Page) -> tuple[str, ...]:
        """The root types that the model names for a page without typed markup; none unless it is to name them."""
        return self.generator.name_types(page) if self.auto and page.text.strip() else ()

    def write(self, page: Page, page_id: str, types: Sequence[str]) -> Written:
        """Markup by the model. Raises ModelError where the provider is down, BudgetError."""
        known = tuple(name for name in types if name in self.vocabulary.types)
        notes: list[str] = []
        if self.auto:
            named = self.generator.name_types(page)
            notes += compared(named, known)
            known = named or known
        if not known:
            return Written((), notes=tuple(notes))
        if not page.text.strip():
            return Written((), notes=("the page shows no text",))
        generated = self.generator.write(page, known)
        return Written(tuple(generated.documents), True, {}, (*notes, *generated.notes))


def compared(named: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Which root types one side has and the other missed, for people."""
    notes = [f"types named by the model: {', '.join(named) or 'none'}"]
    if extra := [name for name in named if name not in wanted]:
        notes.append(f"types that the page's own markup does not have: {', '.join(extra)}")
    if missed := [name for name in wanted if name not in named]:
        notes.append(f"types that the model missed: {', '.join(missed)}")
    return notes


@lru_cache(maxsize=1)
def prompts() -> Mapping[str, Prompt]:
    """The strategies by name, from their files."""
    from schemaproof.generation.llm import parse_prompt

    found = {}
    for entry in sorted(resources.files(_FOLDER).iterdir(), key=lambda each: each.name):
        if entry.name.endswith(".txt"):
            name = entry.name.removesuffix(".txt")
            found[name] = parse_prompt(name, entry.read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=1)
def examples() -> tuple[Example, ...]:
    """Official examples where they were fetched, and ours: the official ones first, which win where both fit alike."""
    from schemaproof.generation.llm import Example
    from schemaproof.vocabulary.release import cached

    own = [
        Example(record["type"], record["text"], record["markup"])
        for line in resources.files(_FOLDER).joinpath("examples.jsonl").read_text(encoding="utf-8").splitlines()
        if line.strip() and (record := json.loads(line))
    ]
    path = cached("schemaorg-all-examples.txt")
    official = _official(path.read_text(encoding="utf-8", errors="replace")) if path is not None else []
    return (*official, *own)


def _official(text: str) -> list[Example]:
    """The examples of the official file that have a text and JSON-LD, by their first type."""
    import re

    from schemaproof.generation.llm import Example, read_markup

    found = []
    for block in re.split(r"(?m)^TYPES:", text)[1:]:
        parts = re.split(r"(?m)^(PRE-MARKUP|MICRODATA|RDFA|JSON):[ \t]*$", block)
        sections = dict(zip(parts[1::2], parts[2::2], strict=False))
        plain, body = sections.get("PRE-MARKUP", "").strip(), sections.get("JSON", "")
        script = re.search(r"<script[^>]*>(.*?)</script>", body, re.DOTALL)
        value, _ = read_markup(script[1] if script else body)
        types = [each.strip() for each in parts[0].split("\n", 1)[0].split(",")]
        names = [each.split()[-1] for each in types if each and not each.split()[-1].startswith("#")]
        if plain and isinstance(value, dict) and names and len(plain) < 2000:
            found.append(Example(names[0], plain, value))
    return found


def build_model_contender(spec: Spec, plan: Plan, vocabulary: Vocabulary) -> ModelContender:
    """The contender that a SPEC names.

    Options: prompt (a file of generation/prompts), merge (deep or shallow), types (auto: the model names them first),
    schema (off: no constraint), and those of `models.build_model`.

    Raises: SpecError, MissingExtraError, SourceError, InputError.
    """
    from schemaproof.generation.llm import Generator
    from schemaproof.models import build_model

    def choice(name: str, known: Sequence[str], default: str) -> str:
        given = spec.option(name) or default
        if given not in known:
            raise SpecError(f"{spec.text!r}: {name} is one of {', '.join(known)}, not {given!r}")
        return given

    prompt = prompts()[choice("prompt", tuple(prompts()), DEFAULT_PROMPT)]
    shallow = choice("merge", ("deep", "shallow"), "deep") == "shallow"
    auto = choice("types", ("unit", "auto"), "unit") == "auto" or "auto" in plan.types
    constrain = choice("schema", ("on", "off"), "on") == "on"
    try:
        from schemaproof.vocabulary.prose import definitions

        told: Mapping[str, str] = definitions(vocabulary)
    except DefinitionsMissingError:
        told = {}
    generator = Generator(
        build_model(spec),
        vocabulary,
        prompt,
        fence_mark(),
        examples=[each for each in examples() if each.type in vocabulary.types],
        definitions=told,
        shallow=shallow,
        constrain=constrain,
    )
    return ModelContender(generator, vocabulary, auto=auto)
