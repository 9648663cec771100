"""N-Quads as lines of bytes: the exact reading of one line (W3C RDF 1.1 N-Quads)."""

from __future__ import annotations

import re
from typing import NamedTuple

LINE_LIMIT = 1 << 24  # bytes; a longer line is no quad but a file of another kind
CUT = b"\0"  # stands at the end of the beginning of a longer line, of which the rest was not kept


class Quad(NamedTuple):
    """One quad as tokens of bytes: subject, predicate and object as written, page decoded and without brackets."""

    subject: bytes
    predicate: bytes
    object: bytes
    page: bytes


# Possessive throughout: what one of these has taken it does not give back, so that no line costs more than its length.
_IRI = rb'<(?:[^\x00-\x20<>"{}|^`\\]++|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*+>'
_INNER = rb"[^\x00-\x2c./;<=>?@\[\\\]^`{|}~]"  # of a label, whose last character may be no full stop
_BLANK = rb"_:[^\x00-\x2f:;<=>?@\[\\\]^`{|}~](?:" + _INNER + rb"++|\.++(?=" + _INNER + rb"))*+"
_LITERAL = rb'"(?:[^"\\\r\n]++|\\[tbnrf"\'\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*+"'
_SPACE = rb"[ \t]*+"
_SUFFIX = rb"(?:@[A-Za-z]++(?:-[A-Za-z0-9]++)*+|\^\^" + _SPACE + _IRI + rb")?+"
_LINE = re.compile(
    _SPACE + rb"(" + _IRI + rb"|" + _BLANK + rb")" + _SPACE + rb"(" + _IRI + rb")" + _SPACE
    + rb"(" + _LITERAL + _SUFFIX + rb"|" + _IRI + rb"|" + _BLANK + rb")" + _SPACE
    + rb"(" + _IRI + rb"|" + _BLANK + rb")?+" + _SPACE + rb"\." + _SPACE + rb"(?:#.*+)?"
)  # fmt: skip
OBJECT = re.compile(_LITERAL + _SUFFIX + rb"|" + _IRI + rb"|" + _BLANK)
LITERAL = re.compile(_LITERAL + _SUFFIX)
SUBJECT = re.compile(_IRI + rb"|" + _BLANK)
PREDICATE = re.compile(_IRI)
BLANK = re.compile(_BLANK)
_START = re.compile(_SPACE + rb"(?:" + _IRI + rb"|" + _BLANK + rb")")
_ESCAPE = re.compile(rb"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


def parse_line(line: bytes) -> Quad | str | None:
    """Read one line, without its line feed.

    Returns: the quad; None for a blank line or a comment; for anything else the reason why it is no quad of a page.
    """
    found = _LINE.fullmatch(line)
    if found is None:
        # A byte order mark begins some files, and stands wherever such files were put together.
        stripped = line.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r")
        if not stripped or stripped.startswith(b"#"):
            return None
        if stripped != line:
            return parse_line(stripped)
        return _reason(stripped)
    if not _is_utf8(line):
        return "not UTF-8"
    subject, predicate, value, page = found.groups()
    if page is None:
        return "a triple without the page it stands on (the fourth term)"
    return Quad(subject, predicate, value, page_of(page))


def page_of(token: bytes) -> bytes:
    """The page that a graph's token names: its brackets and escapes taken off."""
    name = token[1:-1] if token[:1] == b"<" else token
    return _ESCAPE.sub(_unescape, name) if b"\\" in name else name


def _unescape(found: re.Match[bytes]) -> bytes:
    number = int(found[1] or found[2], 16)
    # White space and control characters would break the line that a sample is written on.
    if number <= 0x20 or 0xD800 <= number <= 0xDFFF or number > 0x10FFFF:
        return found[0]
    return chr(number).encode()


def _is_utf8(line: bytes) -> bool:
    if line.isascii():
        return True
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _reason(line: bytes) -> str:
    if len(line) > LINE_LIMIT and line.endswith(CUT):
        return f"longer than {LINE_LIMIT >> 20} MB"
    if not line.endswith(b".") and b" ." not in line:
        return "does not end with a full stop"
    start = _START.match(line)
    if start is None:
        return "does not start with <IRI> or _:label"
    rest = line[start.end() :].lstrip(b" \t")
    predicate = PREDICATE.match(rest)
    if predicate is None:
        return "no predicate in angle brackets after the subject"
    rest = rest[predicate.end() :].lstrip(b" \t")
    if OBJECT.match(rest) is None:
        return "a literal that is not closed or escaped as it should" if rest[:1] == b'"' else "an unreadable object"
    return "not of the form: subject predicate object <page> ."
