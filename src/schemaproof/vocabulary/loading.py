"""Loading a vocabulary: the packaged table of Schema.org, or an ontology from a file."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from schemaproof.vocabulary.model import Vocabulary
from schemaproof.vocabulary.table import unpack

TABLE = "schemaorg.table"


def load(file: str | Path | None = None) -> Vocabulary:
    """The vocabulary to judge by; the same object for the same file.

    Arguments:
        file: None for Schema.org as packaged; else an ontology in Turtle, JSON-LD, N-Triples or RDF/XML, in
            Schema.org's own terms (domainIncludes...) or those of RDFS and OWL. A file that refers to schema.org
            terms without declaring them is an extension: Schema.org's terms are then there as well.

    Raises:
        VocabularyError: the file cannot be read; with line and column where it is not well formed.
    """
    if file is None:
        return _packaged()
    path = Path(file).absolute()
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        changed = 0
    return _from_file(path, changed)


@lru_cache(maxsize=1)
def _packaged() -> Vocabulary:
    return unpack(files("schemaproof.vocabulary").joinpath("data", TABLE).read_bytes())


@lru_cache(maxsize=8)
def _from_file(path: Path, changed: int) -> Vocabulary:
    from schemaproof.vocabulary.ontology import read_ontology

    return read_ontology(path, base=_packaged()).vocabulary
