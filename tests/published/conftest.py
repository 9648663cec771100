"""A tiny artefact in the authors' layout, of our own content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

D = "[TOK_Q_DELIM]"
STEPS = ("shacl", "factual", "semantic")
FOLDERS = {
    "human": "baseline",
    "gpt3": "GPT_3_Turbo_16K/text2kg_prompt3",
    "gpt4": "GPT_4_Turbo_Preview/text2kg_prompt3",
}


def verdicts(step: str, entries: Mapping[str, bool] | Sequence[Mapping[str, bool]]) -> dict[str, Any]:
    """A verdict log: "property|value|type" to yes; several mappings are several chunks."""
    if step == "shacl":
        assert isinstance(entries, Mapping)
        messages = {key.replace("|", D): ["no"] for key, yes in entries.items() if not yes}
        return {"msgs": messages, "score": 1.0, "n_infos": 1, "valid": not messages}
    chunks = [entries] if isinstance(entries, Mapping) else entries
    return {
        f"chunk_{number}": {
            "status": "success",
            **{
                key.replace("|", D): {"query": "q", "response": "TOKPOS" if yes else "TOKNEG"}
                for key, yes in chunk.items()
            },
            "score": 0.5,
        }
        for number, chunk in enumerate(chunks)
    }


class Builder:
    """Writes units into a folder as the authors' pipeline would."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def page(self, url: str) -> str:
        return hashlib.md5(url.encode(), usedforsecurity=False).hexdigest()

    def corpus(self, feature: str = "count_sum", stratum: int = 0) -> Path:
        return self.root / feature / f"stratum_{stratum}" / "corpus"

    def add(
        self,
        url: str,
        types: str,
        markups: Mapping[str, Any],
        logs: Mapping[str, Mapping[str, Any]] | None = None,
        *,
        feature: str = "count_sum",
        stratum: int = 0,
        text: str = "some text",
        filtered: Mapping[str, Mapping[str, Any]] | None = None,
        chunks: Mapping[str, Sequence[Any]] | None = None,
        complete: bool = True,
    ) -> str:
        """Write one unit; with `complete`, steps without a log get one that rejects nothing."""
        corpus = self.corpus(feature, stratum)
        page = self.page(url)
        name = f"{page}_{types}"
        for folder in FOLDERS.values():
            (corpus / folder).mkdir(parents=True, exist_ok=True)
        (corpus / f"{page}.txt").write_text(text, encoding="utf-8")
        (corpus / f"{page}.html").write_text("<html></html>", encoding="utf-8")
        (corpus / f"{page}_class.json").write_text(json.dumps({"markup_classes": [types.split("_")]}))
        for who, markup in markups.items():
            place = corpus / FOLDERS[who]
            kind = "expected" if who == "human" else "pred"
            self.write(place / f"{name}.jsonld", markup)
            for step in STEPS:
                entries = (logs or {}).get(who, {}).get(step)
                if entries is None and complete:
                    entries = {}
                if entries is not None:
                    raw = isinstance(entries, dict) and entries.keys() & {"chunk_0", "msgs"}
                    self.write(place / f"{name}_{step}_{kind}.json", entries if raw else verdicts(step, entries))
                if step in (filtered or {}).get(who, {}):
                    self.write(place / f"{name}_{step}_{kind}_filtered.jsonld", (filtered or {})[who][step])
            for number, chunk in enumerate((chunks or {}).get(who, ())):
                self.write(place / f"{name}_chunk{number}.jsonld", chunk)
                (place / f"{name}_chunk{number}.txt").write_text("a chunk", encoding="utf-8")
        return name

    @staticmethod
    def write(path: Path, value: Any) -> None:
        path.write_text(json.dumps(value), encoding="utf-8")


@pytest.fixture
def artefact(tmp_path: Path) -> Builder:
    """An empty artefact to add units to."""
    return Builder(tmp_path / "Pset")


@pytest.fixture
def log() -> Callable[[str, Any], dict[str, Any]]:
    """Builds a verdict log."""
    return verdicts


@pytest.fixture(scope="session")
def unpacked(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recorded half of the authors' artefact, unpacked."""
    import subprocess

    folder = tmp_path_factory.mktemp("published")
    archive = shared / "paper" / "published-count_sum.tar.zst"
    done = subprocess.run(["tar", "--zstd", "-xf", str(archive), "-C", str(folder)], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("unpacking needs tar with zstd")
    return folder
