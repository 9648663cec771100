"""Lines of N-Quads by the block: taken apart to runs, far quicker than line by line.

A run is lines of one subject on one page that stand together: `(subject, page, key, lines)`, with the page's name as
`quads.page_of` has it, and the key joined of what the lines say of the subject's set: their predicates, of a line with
a type the type with `a` in front; spaces part them and may follow. A token that comes several times on end may stand
there once. A line that is no quad of the usual form is given as it stands, without a key: `(line, b"", b"", 1)`;
`quads.parse_line` says what it is. Whatever is given as a quad is one by that too.

`runs` is the compiled one (`_runs.c`) where the package was installed with a compiler at hand, and else the expressions
here, which give the same counts in about three times the time.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from schemaproof.sampling.names import RDF_TYPE
from schemaproof.sampling.quads import page_of

Run = tuple[bytes, bytes, bytes, int]
Reader = Callable[[bytes], list[Run]]

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
_MORE = 11  # lines of a match after its first


def _lines() -> re.Pattern[bytes]:
    """Sixteen groups: subject; type (a space in front) or predicate, the other empty; page; up to eleven predicates of
    lines that follow, of the same subject and page; or else the line itself, where it is of another form.
    """
    kind = re.escape(RDF_TYPE)
    first = (
        rb"(" + _NODE + rb") (?:" + kind + rb"( " + _IRI + rb")|(" + _IRI + rb") " + _OBJECT + rb")"
        + rb" (" + _NODE + rb") \.\n"
    )  # fmt: skip
    # A type further down begins a match of its own: only a first line gives its object.
    another = rb"\1 (?!" + kind + rb")(" + _IRI + rb") " + _OBJECT + rb" \4 \.\n"
    rest = b""
    for _ in range(_MORE):
        rest = rb"(?>" + another + rest + rb"|)"
    return re.compile(rb"(?m)^(?:" + first + rest + rb"|(.*)\n)")


_LINES = _lines()


def plain_runs(block: bytes) -> list[Run]:
    """The runs of a block, by regular expressions.

    Arguments:
        block: whole lines; its last byte is a line feed.

    Raises: ValueError where the block does not end with a line feed.
    """
    if block[-1:] != b"\n":
        raise ValueError("a block ends with a line feed")
    if not block.isascii():
        try:
            block.decode()
        except UnicodeDecodeError:
            return [(line, b"", b"", 1) for line in block[:-1].split(b"\n")]
    join = b" ".join
    return [
        (
            subject,
            page_of(page),
            key := join((first or b"a" + kind[1:], b, c, d, e, f, g, h, i, j, k, m)),
            key.count(b"<"),
        )
        if page
        else (odd, b"", b"", 1)
        for subject, kind, first, page, b, c, d, e, f, g, h, i, j, k, m, odd in _LINES.findall(block)
    ]


try:
    from schemaproof.sampling._runs import runs as _compiled
except ImportError:
    COMPILED = False
    runs: Reader = plain_runs
else:
    COMPILED = True

    def runs(block: bytes) -> list[Run]:
        """The runs of a block: see `plain_runs`."""
        return _compiled(block, RDF_TYPE)
