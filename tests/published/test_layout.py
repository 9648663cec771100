from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from schemaproof.errors import InputError, SourceError
from schemaproof.published.layout import find_root, read_artefact

THREE = {"human": [{"@type": "A", "p": 1}], "gpt3": {"@type": "A", "p": 1}, "gpt4": {"@type": "A", "p": 2}}


def test_units_are_found_from_a_clone_down_to_a_feature(artefact: Any, tmp_path: Path) -> None:
    artefact.root = tmp_path / "clone" / "data" / "WDC" / "Pset"
    artefact.add("https://a.example/", "A_B", THREE, stratum=2)
    artefact.add("https://b.example/", "A", THREE, feature="pset_length")
    root = artefact.root
    for folder in (tmp_path / "clone", tmp_path / "clone" / "data", root.parent, root):
        found = read_artefact(folder)
        assert found.root == root
        assert found.features == ("count_sum", "pset_length")
        assert [(unit.types, unit.feature, unit.stratum) for unit in found.units] == [
            (("A", "B"), "count_sum", 2),
            (("A",), "pset_length", 0),
        ]
    only = read_artefact(root / "pset_length")
    assert only.features == ("pset_length",)
    assert len(only.units) == 1
    assert not only.complete


def test_a_clone_with_other_experiments_gives_pset(artefact: Any, tmp_path: Path) -> None:
    artefact.root = tmp_path / "WDC" / "GenPromptXP"
    artefact.add("https://a.example/", "A", THREE)
    assert find_root(tmp_path) == tmp_path / "WDC" / "GenPromptXP"
    artefact.root = tmp_path / "WDC" / "Pset"
    artefact.add("https://a.example/", "A", THREE)
    assert find_root(tmp_path) == tmp_path / "WDC" / "Pset"
    artefact.root = tmp_path / "WDC" / "deeper" / "Pset"
    artefact.add("https://a.example/", "A", THREE)
    with pytest.raises(InputError, match="several artefacts"):
        find_root(tmp_path)


def test_files_of_a_side(artefact: Any) -> None:
    name = artefact.add(
        "https://a.example/",
        "A",
        THREE,
        {"gpt3": {"factual": {"p|1|A": False}}},
        chunks={"gpt3": [{"@type": "A", "n": number} for number in range(12)]},
        filtered={"human": {"shacl": None, "factual": [{"@type": "A"}]}},
    )
    folder = artefact.corpus() / "GPT_3_Turbo_16K" / "text2kg_prompt3"
    (folder / f"{name}_factual_pred_explain.json").write_text("{}")
    (folder / f"{name}_shacl_pred.report").write_text("x")
    (folder / f"{name}_jaccardms.csv").write_text("a,b\n1,2\n")
    (folder / f"{name}_text2kg_prompt3.txt").write_text("the prompt")
    (unit,) = read_artefact(artefact.root).units
    side = unit.sides["gpt3"]
    assert set(side.logs) == {"shacl", "factual", "semantic"}
    assert [chunk["n"] for chunk in side.chunks] == list(range(12))
    assert unit.sides["human"].filtered == {"factual": [{"@type": "A"}]}
    assert unit.sides["human"].chunks == ()
    assert unit.text is not None
    assert unit.text.name == f"{unit.page}.txt"
    assert unit.name == name


def test_types_that_begin_alike_do_not_mix(artefact: Any) -> None:
    artefact.add("https://a.example/", "Product", THREE, chunks={"gpt3": [{"n": 0}]})
    artefact.add("https://a.example/", "Product_Offer", THREE, chunks={"gpt3": [{"n": 1}, {"n": 2}]})
    found = {unit.types: unit for unit in read_artefact(artefact.root).units}
    assert [chunk["n"] for chunk in found["Product",].sides["gpt3"].chunks] == [0]
    assert [chunk["n"] for chunk in found["Product", "Offer"].sides["gpt3"].chunks] == [1, 2]


def test_permutations_are_marked(artefact: Any) -> None:
    for types in ("B_A", "A_B", "A"):
        artefact.add("https://a.example/", types, THREE)
    artefact.add("https://b.example/", "B_A", THREE)
    found = read_artefact(artefact.root).units
    assert sum(unit.canonical for unit in found) == 3
    assert [unit.types for unit in found if not unit.canonical] == [("B", "A")]


def test_what_cannot_be_used_is_told_and_the_rest_goes_on(artefact: Any) -> None:
    artefact.add("https://good.example/", "A", THREE)
    artefact.add("https://orphan.example/", "A", {"gpt3": THREE["gpt3"]})
    broken = artefact.add("https://broken.example/", "A", THREE)
    (artefact.corpus() / "baseline" / f"{broken}.jsonld").write_text('{"a": ')
    deep = artefact.add("https://deep.example/", "A", THREE)
    (artefact.corpus() / "baseline" / f"{deep}.jsonld").write_text("[" * 100_000 + "]" * 100_000)
    log = artefact.add("https://log.example/", "A", THREE)
    (artefact.corpus() / "baseline" / f"{log}_shacl_expected.json").write_text("no")
    found = read_artefact(artefact.root)
    assert {unit.page for unit in found.units} == {
        artefact.page("https://good.example/"),
        artefact.page("https://log.example/"),
    }
    told = "\n".join(found.problems)
    assert told.count("left out") == 3
    assert "no markup of human and gpt4" in told
    without = next(unit for unit in found.units if unit.page == artefact.page("https://log.example/"))
    assert set(without.sides["human"].logs) == {"factual", "semantic"}
    assert "shacl_expected.json: cannot be read" in told


def test_nothing_to_read(tmp_path: Path, artefact: Any) -> None:
    with pytest.raises(SourceError, match="no such folder"):
        read_artefact(tmp_path / "none")
    with pytest.raises(InputError, match="layout"):
        read_artefact(tmp_path)
    artefact.add("https://a.example/", "A", {"human": []})
    with pytest.raises(InputError, match="nothing to replay"):
        read_artefact(artefact.root)
    artefact.add("https://b.example/", "A", THREE)
    with pytest.raises(InputError, match="text2kg_prompt9"):
        read_artefact(artefact.root, prompt="text2kg_prompt9")
