"""From tokens of quads to the names of a characteristic set."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schemaproof.vocabulary import Vocabulary

RDF_TYPE = b"<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
TYPE_PREFIX = "isa:"


class Names:
    """The names that tokens stand for in a characteristic set.

    Arguments:
        vocabulary: names outside of it are left out.
        keep_unknown: keep them: bare where they are in the vocabulary's namespace, else as IRI.
    """

    def __init__(self, vocabulary: Vocabulary, *, keep_unknown: bool = False) -> None:
        self.vocabulary = vocabulary
        self.keep_unknown = keep_unknown

    def of_property(self, token: bytes) -> str | None:
        """The name of a predicate's token, None where it is left out."""
        iri = _iri(token)
        vocabulary = self.vocabulary
        name = vocabulary.local_name(iri)
        if name is None:
            # Old extracts of microdata have the type in front: http://schema.org/Product/name.
            front, _, last = iri.rpartition("/")
            if last in vocabulary.properties and vocabulary.local_name(front) in vocabulary.types:
                name = last
        if name in vocabulary.properties:
            return name
        return (name or iri or None) if self.keep_unknown else None

    def of_type(self, token: bytes) -> str | None:
        """The name of a type's token with `isa:` in front, None where it is left out."""
        if not token.startswith(b"<"):
            return None  # a literal or a blank node names no type
        iri = _iri(token)
        name = self.vocabulary.local_name(iri)
        if name in self.vocabulary.types:
            return f"{TYPE_PREFIX}{name}"
        return f"{TYPE_PREFIX}{name or iri}" if self.keep_unknown and iri else None


def _iri(token: bytes) -> str:
    from schemaproof.sampling.quads import page_of

    return page_of(token).decode("utf-8", "replace")
