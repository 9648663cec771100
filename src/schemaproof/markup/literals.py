"""RDF literals in N-Triples spelling, numbers and booleans in canonical form (JSON-LD 1.1 API, clause 8.2.2)."""

from __future__ import annotations

import re

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"
_BOOLEAN, _DOUBLE, _INTEGER, _STRING = (f"{XSD}{name}" for name in ("boolean", "double", "integer", "string"))

TYPE, FIRST, REST, NIL = (f"<{RDF}{name}>" for name in ("type", "first", "rest", "nil"))
JSON = f"{RDF}JSON"

TO_ESCAPE = re.compile(r'["\\\x00-\x1f\x7f]')
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")


def is_language(tag: str) -> bool:
    """Whether a string has the form of a language tag (BCP 47)."""
    return _LANGUAGE.fullmatch(tag) is not None


def typed(value: str | float, datatype: str) -> str:
    """A literal with its data type, numbers and booleans in canonical form (JSON-LD 1.1 API 8.2.2)."""
    if isinstance(value, str):
        if not datatype or datatype == _STRING:
            return f'"{escaped(value)}"'
        return f'"{escaped(value)}"^^<{datatype}>'
    if isinstance(value, bool):
        return f'"{"true" if value else "false"}"^^<{datatype or _BOOLEAN}>'
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return f'"{"NaN" if value != value else "INF" if value > 0 else "-INF"}"^^<{datatype or _DOUBLE}>'
    if datatype == _DOUBLE or abs(value) >= 1e21 or value != int(value):
        try:
            value = float(value)
        except OverflowError:  # a whole number that no double holds
            return f'"INF"^^<{datatype or _DOUBLE}>'
        return f'"{double(value)}"^^<{datatype or _DOUBLE}>'
    return f'"{int(value)}"^^<{datatype or _INTEGER}>'


def double(value: float) -> str:
    """A number in the canonical form of xsd:double ("5.5E0")."""
    mantissa, _, exponent = f"{value:1.15E}".partition("E")
    mantissa = mantissa.rstrip("0")
    return f"{mantissa}{'0' if mantissa.endswith('.') else ''}E{int(exponent)}"


def escaped(text: str) -> str:
    """A text as it stands between the quotes of an N-Triples literal (canonical form)."""
    if TO_ESCAPE.search(text) is None:
        return text
    return TO_ESCAPE.sub(lambda found: _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04X}", text)
