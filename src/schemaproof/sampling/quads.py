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
# Of a label, whose last character may be no full stop; which characters beyond ASCII it may have is asked afterwards.
_INNER = rb"[A-Za-z0-9_:\-\x80-\xff]"
_BLANK = rb"_:[A-Za-z0-9_:\x80-\xff](?:" + _INNER + rb"++|\.++(?=" + _INNER + rb"))*+"
_LITERAL = rb'"(?:[^"\\\r\n]++|\\[tbnrf"\'\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*+"'
_SPACE = rb"[ \t]*+"
_SUFFIX = rb"(?:" + _SPACE + rb"(?:@[A-Za-z]++(?:-[A-Za-z0-9]++)*+|\^\^" + _SPACE + _IRI + rb"))?+"
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
# Escapes of characters, and what stands escaped though it is none: half of a pair, or beyond the last.
_LEFT = re.compile(r"\\u(?!D[89A-F])([0-9A-F]{4})|\\U(000[0-9A-F]{5}|0010[0-9A-F]{4})")
_FORBIDDEN = re.compile(r'[\x00-\x20<>"{}|^`]|\\(?!uD[89A-F][0-9A-F]{2}|U(?!000|0010)[0-9A-F]{8})')
# PN_CHARS_U and PN_CHARS of the grammar, beyond ASCII.
_BASE = (
    "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef"
    "\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_LABEL = re.compile(f"_:[\0-\x7f{_BASE}][\0-\x7f\u00b7\u0300-\u036f\u203f\u2040{_BASE}]*")


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
    if not all(_is_label(term) for term in (subject, value, page) if term is not None):
        return "a blank node's label with a character that none may have"
    if page is None:
        return "a triple without the page it stands on (the fourth term)"
    return Quad(_written_out(subject), _written_out(predicate), _written_out(value), page_of(page))


def page_of(token: bytes) -> bytes:
    """The page that a graph's token names: its brackets and escapes taken off."""
    if token.startswith(b"<_:"):  # not the blank node of that name, which is written as it is
        return b"\\u003C%b\\u003E" % _written_out(token[1:-1])
    return _written_out(token[1:-1] if token.startswith(b"<") else token)


def _written_out(term: bytes) -> bytes:
    """An IRI with its characters instead of escapes, so that one IRI is one whatever way it is written."""
    return _ESCAPE.sub(_unescape, term) if b"\\" in term and term[:1] != b'"' else term


def _unescape(found: re.Match[bytes]) -> bytes:
    number = int(found[1] or found[2], 16)
    # What no IRI may have would end it, or break the line that a sample is written on.
    if number <= 0x20 or chr(min(number, 0x10FFFF)) in '<>"{}|^`\\' or 0xD800 <= number <= 0xDFFF or number > 0x10FFFF:
        return b"\\u%04X" % number if number < 0x10000 else b"\\U%08X" % number
    return chr(number).encode()


def readable(page: bytes) -> str:
    """The name of a page as it is known elsewhere: with the characters that no IRI may have, which `page_of` keeps
    escaped.
    """
    name = page.decode("utf-8", "replace")
    return _LEFT.sub(lambda found: chr(int(found[1] or found[2], 16)), name) if "\\" in name else name


def name_of(page: str) -> bytes:
    """What `readable` came from."""
    escaped = _FORBIDDEN.sub(lambda found: f"\\u{ord(found[0]):04X}", page)
    return escaped.encode("utf-8", "surrogatepass")


def _is_label(term: bytes) -> bool:
    """Whether a term, if it is a blank node, has only characters beyond ASCII that a label may have."""
    return term[:2] != b"_:" or term.isascii() or _LABEL.fullmatch(term.decode()) is not None


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
