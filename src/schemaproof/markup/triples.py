"""JSON-LD to RDF (JSON-LD 1.1 API, clause 8).

A walk of our own converts what pages hold in a hundredth of the time that the whole algorithms take; a document that
needs more of JSON-LD (containers, scoped contexts, `@nest`, JSON literals...) goes through these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from schemaproof.markup.model import Diagnostic, Triple
from schemaproof.markup.naming import Beyond
from schemaproof.markup.quick import QuickWalk

_TRIPLE = partial(tuple.__new__, Triple)


def to_triples(
    documents: Sequence[Any],
    *,
    base: str = "",
    blocks: Sequence[int] | None = None,
    contexts: Mapping[str, Any] | None = None,
) -> tuple[list[Triple], list[Diagnostic]]:
    """JSON-LD objects as RDF (W3C JSON-LD 1.1 toRdf), each triple once, in source order. Nothing is fetched.

    Schema.org's official context is built in, with its coercions to IRIs and to schema:Date. A value that
    should be an IRI and is none ("a b") is left out with a warning; nothing is put in its place. What the
    recommendation calls an error becomes a diagnostic, and only the value that is wrong is left out.

    Arguments:
        documents: JSON-LD objects.
        base: address of the page; without one, what is relative is left out with a warning.
        blocks: number of the script block of each document; blank node labels are the same node within one
            block only. None: all documents are of one block.
        contexts: address of a remote context → its document, for those that are at hand. Others are reported.

    Returns:
        The triples, and what there is to say about contexts, keywords and values, with JSON Pointers that start
        at the list of documents.
    """
    walk = QuickWalk(base, contexts)
    for number, document in enumerate(documents):
        scope = blocks[number] if blocks is not None else 0
        before = walk.mark()
        try:
            walk.document(document, number, scope)
        except Beyond:
            walk.reset(before)
            walk.whole(document, number, scope)
    return list(map(_TRIPLE, walk.found)), walk.diagnostics.all()
