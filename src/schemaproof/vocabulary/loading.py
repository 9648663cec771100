"""Loading a vocabulary: the packaged table of Schema.org, or an ontology from a file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from schemaproof.vocabulary.model import Vocabulary
from schemaproof.vocabulary.table import unpack

TABLE = "schemaorg.table"

# File and time of its last change -> what was read from it.
_FROM_FILES: dict[tuple[str, int], Vocabulary] = {}
_REMEMBERED = 8


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
        key = (str(path), path.stat().st_mtime_ns)
    except OSError:
        key = (str(path), 0)
    known = _FROM_FILES.get(key)
    if known is None:
        from schemaproof.vocabulary.ontology import read_ontology

        known = read_ontology(path, base=_packaged()).vocabulary
        if len(_FROM_FILES) >= _REMEMBERED:
            _FROM_FILES.clear()
        _FROM_FILES[key] = known
    return known


@lru_cache(maxsize=1)
def _packaged() -> Vocabulary:
    return unpack((Path(__file__).parent / "data" / TABLE).read_bytes())
