"""Lines of N-Quads by the block: expressions that take a block apart, far quicker than line by line.

Each match gives sixteen groups: subject; type (a space in front) or predicate; page; up to eleven predicates of lines
that follow, of the same subject and page; or else the line itself, where it is of no form that the expression knows.
What is not there is empty. Lines of one subject stand together in nearly all files, so that they cost one match, one
subject and one page: that, and the engine's quickest forms of repeat, is why the expressions look as they do.
"""

from __future__ import annotations

import re

from schemaproof.sampling.names import RDF_TYPE

# Classes say what they take, not what they leave: the engine then asks one table instead of several questions.
_IRI = rb"<[!#-;=?-\[\]_a-z~-\xff]*+>"  # without escapes
_BLANK = rb"_:[A-Za-z0-9]++"
_PLAIN = rb"[\x00-\x09\x0b\x0c\x0e-!#-\[\]-\xff]*+"
_LITERAL = (
    rb'"' + _PLAIN + rb"(?:\\(?:[tbnrf\"'\\]|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})" + _PLAIN + rb')*+"'
    + rb"(?:@[A-Za-z]++(?:-[A-Za-z0-9]++)*+|\^\^" + _IRI + rb")?+"
)  # fmt: skip
_OBJECT = rb"(?:" + _LITERAL + rb"|" + _IRI + rb"|" + _BLANK + rb")"


_NODE = rb"(?:" + _BLANK + rb"|" + _IRI + rb")"
MORE = 11  # lines of a match after its first


def _lines(iri: bytes, page: bytes, more: int) -> re.Pattern[bytes]:
    kind = re.escape(RDF_TYPE)
    first = (
        rb"(" + _NODE + rb") (?:" + kind + rb"( " + iri + rb")|(" + iri + rb") " + _OBJECT + rb") (" + page + rb") \.\n"
    )
    # A type further down begins a match of its own: only a first line gives its object.
    another = rb"\1 (?!" + kind + rb")(" + iri + rb") " + _OBJECT + rb" \4 \.\n"
    rest = rb"()" * (MORE - more)
    for _ in range(more):
        rest = rb"(?>" + another + rest + rb"|)"
    return re.compile(rb"(?m)^(?:" + first + rest + rb"|(.*)\n)")


NODE = re.compile(_NODE)
# Predicates, types and pages are whatever has no space, be it of two lines: the caller looks at each once.
QUICK = _lines(rb"<[^ ]++", rb"[^ ]++", MORE)
# Looks at all of them, line by line: also the quicker one where lines come in no order.
STRICT = _lines(_IRI, _NODE, 0)
# Takes no line apart: for blocks that are not UTF-8.
EACH = re.compile(rb"(?m)^" + rb"()" * (MORE + 4) + rb"(.*)\n")
