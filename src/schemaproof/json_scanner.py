"""A JSON scanner that forgives what can be read in one way only, and says where each value stands.

It accepts RFC 8259 and, each with a warning: comments, trailing commas, CDATA and HTML comment wrappers, byte order
marks, Unicode spaces and control characters between tokens, raw control characters and unknown escapes in strings,
duplicate keys (the last wins), several values, and text after the last value. Whatever would need a guess is an error.
Linear in the length of the text; it keeps its own stack and never recurses.
"""

from __future__ import annotations

import re
from typing import Any

from schemaproof.json_refusal import Refusal, Remark, no_colon, no_end, no_key, no_value

DEPTH_LIMIT = 512
"""How many objects and arrays may stand inside each other."""

KEYS_NAMED = 20
"""How many different duplicate keys are named before the rest are only counted."""

Spot = tuple[int, int, Any]
"""Where a value starts, where its key starts (or its own start), and its children: a dict, a list or None."""

_SPACE = re.compile(r"[ \t\n\r]*")
_ODD_SPACE = re.compile("[\u0085\u00a0\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]+")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+")
_PLAIN = re.compile(r'[^"\\\x00-\x1f\ud800-\udfff]*')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?(?![0-9A-Za-z_.+-])")
_WORD = re.compile(r"[a-z]+(?![\w$.+-])")
_HEX4 = re.compile(r"[0-9a-fA-F]{4}")
_HEX2 = re.compile(r"x([0-9a-fA-F]{2})")
_BRACED = re.compile(r"u\{([0-9a-fA-F]{1,6})\}")
_WRAPPERS = re.compile(
    r"//[ \t]*<!\[CDATA\[|/\*[ \t]*<!\[CDATA\[[ \t]*\*/|<!\[CDATA\[|//[ \t]*\]\]>|/\*[ \t]*\]\]>[ \t]*\*/|<?!?\]\]>|"
    r"<!--//--><!\[CDATA\[//><!--|//--><!\]\]>"
)
_AFTER_COMMENT = re.compile(r"(?:[\s;\ufeff\u00a0]|//|\]\]>)*\Z")
# Bounded and atomic: a hostile text must not make it look twice at the same stretch.
_STARTS_VALUE = re.compile(
    r"(?>[\s\ufeff]+|(?:/\*|//)?[ \t]*<!\[CDATA\[(?:[ \t]*\*/)?|//[^\n]*\n|/\*.{0,500}?\*/)*+[\[{]", re.DOTALL
)
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LITERALS = {"true": True, "false": False, "null": None}


class Scanner:
    """Reads all values of a text.

    Arguments:
        text: the text.
        depth_limit: how many containers may be open at once.
        spots: also keep where every value stands, in `spots` (one for each value).

    Attributes after `read`: values, spots, remarks (in the order in which they were met).
    """

    def __init__(self, text: str, depth_limit: int = DEPTH_LIMIT, *, spots: bool = False) -> None:
        self.text = text
        self.depth_limit = depth_limit
        self.values: list[Any] = []
        self.spots: list[Spot] = []
        self._keep_spots = spots
        self._remarks: dict[str, Remark] = {}
        self._found: dict[str, int] = {}
        self._keys_named = 0

    @property
    def remarks(self) -> list[Remark]:
        """The warnings, one of a kind."""
        return list(self._remarks.values())

    def read(self) -> None:
        """Read everything.

        Raises:
            Refusal: the text, or one of its values, cannot be read without a guess. `values` is then worthless.
        """
        text, end = self.text, len(self.text)
        position = self._skip(0, top=True)
        if position >= end:
            raise Refusal("empty", "there is no JSON here: write an object or leave the script out", 0)
        position = self._value(position)
        while True:
            position = self._skip(position, top=True)
            start = position
            while position < end and text[position] in ",;":
                position = self._skip(position + 1, top=True)
            if position >= end:
                if position > start and start < end:
                    self._remark(
                        "trailing-text", f"trailing text after the value: {text[start:].strip()[:20]!r}", start
                    )
                return
            # Objects and arrays are what scripts and answers are made of: one that breaks off is not passed over.
            if text[position] in "{[":
                self._remark("several-values", "several values in one script: put them into one array", position)
                position = self._value(position)
                continue
            before = dict(self._remarks)
            try:
                after = self._value(position)
            except Refusal:
                self._remarks = before
                rest = " ".join(text[start : start + 60].split())[:40]
                self._remark("trailing-text", f"trailing text after the value is ignored: {rest!r}", start)
                return
            self._remark("several-values", "several values in one script: put them into one array", position)
            position = after

    # Between tokens

    def _remark(self, code: str, message: str, offset: int, key: str = "") -> None:
        known = self._remarks.get(code + key)
        if known is None:
            self._remarks[code + key] = Remark(code, message, offset)
        else:
            known.count += 1

    def _next(self, marker: str, position: int) -> int:
        """Where a marker stands next (its offset, or the text's end); each stretch is searched once only."""
        found = self._found.get(marker, -1)
        if found < position:
            found = self.text.find(marker, position)
            if found < 0:
                found = len(self.text)
            self._found[marker] = found
        return found

    def _skip(self, position: int, top: bool = False) -> int:
        """The offset of the next token; `top` outside of all containers."""
        text = self.text
        while True:
            position = _SPACE.match(text, position).end()  # type: ignore[union-attr]
            first = text[position : position + 1]
            if not first or first in '"{}[,:;0123456789tfn':
                return position
            if first == "-":
                if not text.startswith("-->", position):
                    return position
                self._remark("html-comment", "an HTML comment inside the script: take it out", position)
                position += 3
                continue
            if first in "/<!" or (first == "]" and top):
                wrapper = _WRAPPERS.match(text, position)
                if wrapper:
                    self._remark("cdata", "a CDATA wrapper (cdata) inside the script: take it out", position)
                    position = wrapper.end()
                    continue
            if first == "/":
                after = self._comment(position)
            elif first == "<" and text.startswith("<!--", position):
                after = self._html_comment(position, top)
            elif first == "\ufeff" and position == 0:
                self._remark("bom", "a byte order mark (BOM) before the value: save the file without it", position)
                after = 1
            elif first == "ï" and position == 0 and text.startswith("ï»¿"):
                self._remark("bom", "a byte order mark (BOM), read in a wrong encoding, before the value", position)
                after = 3
            elif odd := _ODD_SPACE.match(text, position):
                name = f"U+{ord(first):04X}"
                self._remark(
                    "invalid-whitespace", f"invalid whitespace between tokens ({name}): use plain spaces", position
                )
                after = odd.end()
            elif control := _CONTROL.match(text, position):
                self._remark("control-character", f"a control character (U+{ord(first):04X}) between tokens", position)
                after = control.end()
            else:
                return position
            if after == position:
                return position
            position = after

    def _comment(self, position: int) -> int:
        text = self.text
        if text.startswith("//", position):
            self._remark("comment", "a comment: JSON has none, take it out", position)
            return self._next("\n", position)
        if text.startswith("/*", position):
            end = self._next("*/", position + 2)
            if end == len(text):
                raise Refusal("truncated", "a comment is opened here and never closed", position)
            self._remark("comment", "a comment: JSON has none, take it out", position)
            return end + 2
        return position

    def _html_comment(self, position: int, top: bool) -> int:
        """Skip a comment with its content, or only its opening mark where the JSON itself stands inside."""
        text = self.text
        close = self._next("-->", position + 4)
        closed = close < len(text)
        if not (closed or top):
            raise Refusal("truncated", "an HTML comment is opened here and never closed", position)
        self._remark("html-comment", "an HTML comment inside the script: take it out", position)
        inside = position + 4
        if top and not self.values and _STARTS_VALUE.match(text, inside):
            # A wrapper, unless real content follows the comment's end: then the comment is what it seems.
            if not closed or _AFTER_COMMENT.match(text, close + 3):
                return inside
            return close + 3
        if closed and (not top or self.values or self._next("\n", position) > close):
            return close + 3
        return self._next("\n", position)  # the old way to hide a script: the rest of the line is no code

    # Values

    def _value(self, position: int) -> int:
        """Read one value with all it holds, append it to `values`, return the offset after it."""
        text = self.text
        keep = self._keep_spots
        stack: list[
            tuple[Any, Any, str, int, int]
        ] = []  # container, its spot's children, pending key, its offset, start
        container: Any = None
        children: Any = None
        key, key_at, opened = "", 0, 0
        while True:
            # A value is due at `position`.
            first = text[position : position + 1]
            value: Any
            below: Any = None
            start = position
            if first == '"':
                value, position = self._string(position)
            elif first == "{" or first == "[":
                if len(stack) >= self.depth_limit:
                    raise Refusal(
                        "too-deep",
                        f"too deep: more than {self.depth_limit} objects and arrays inside each other (depth limit)",
                        position,
                    )
                stack.append((container, children, key, key_at, opened))
                opened = position
                position = self._skip(position + 1)
                if first == "{":
                    container, children = {}, {}
                    if text[position : position + 1] != "}":
                        key, key_at, position = self._key(position, opened)
                        continue
                else:
                    container, children = [], []
                    if text[position : position + 1] != "]":
                        continue
                value, below, start = container, children, opened
                container, children, key, key_at, opened = stack.pop()
                position += 1
            else:
                value, position = self._scalar(position, opened if stack else -1)
            # A value was read: put it where it belongs, and close what ends here.
            while True:
                if container is None:
                    self.values.append(value)
                    if keep:
                        self.spots.append((start, start, below))
                    return position
                if type(container) is dict:
                    if key in container:
                        self._duplicate(key, key_at)
                    container[key] = value
                    if keep:
                        children[key] = (start, key_at, below)
                    closing = "}"
                else:
                    container.append(value)
                    if keep:
                        children.append((start, start, below))
                    closing = "]"
                position = self._skip(position)
                mark = text[position : position + 1]
                if mark == ",":
                    comma = position
                    position = self._skip(position + 1)
                    if text[position : position + 1] != closing:
                        if closing == "}":
                            key, key_at, position = self._key(position, opened)
                        break
                    self._remark("trailing-comma", "a trailing comma: take it out", comma)
                elif mark != closing:
                    raise no_end(text, position, opened, closing)
                value, below, start = container, children, opened
                container, children, key, key_at, opened = stack.pop()
                position += 1

    def _duplicate(self, key: str, offset: int) -> None:
        shown = key if len(key) <= 40 else key[:40] + "…"
        if "duplicate-key " + key in self._remarks:
            self._remark("duplicate-key", "", offset, " " + key)
        elif self._keys_named < KEYS_NAMED:
            self._keys_named += 1
            self._remark(
                "duplicate-key", f"duplicate key {shown}: only its last value counts, use an array", offset, " " + key
            )
        else:
            self._remark("duplicate-key", "more duplicate keys: only the last value of each counts", offset, " …")

    def _key(self, position: int, opened: int) -> tuple[str, int, int]:
        """Read a key and its colon; returns the key, its offset and the offset of the value."""
        text = self.text
        if text[position : position + 1] != '"':
            raise no_key(text, position, opened)
        key, after = self._string(position)
        after = self._skip(after)
        if text[after : after + 1] != ":":
            raise no_colon(text, after, opened, key)
        return key, position, self._skip(after + 1)

    def _string(self, position: int) -> tuple[str, int]:
        """Read a string that starts at `position`; returns it and the offset after it."""
        text = self.text
        opened = position
        position += 1
        match = _PLAIN.match(text, position)
        assert match is not None
        after = match.end()
        if text[after : after + 1] == '"':
            return match.group(), after + 1
        pieces = [match.group()]
        position = after
        while True:
            char = text[position : position + 1]
            if char == '"':
                break
            if not char:
                raise Refusal("truncated", "a text is opened by a quote here and never closed", opened)
            if char == "\\":
                piece, position = self._escape(position)
                pieces.append(piece)
            elif "\ud800" <= char <= "\udfff":
                self._remark("lone-surrogate", "a lone surrogate: read as U+FFFD", position)
                pieces.append("\ufffd")
                position += 1
            elif char in "\n\r":
                self._remark("raw-newline", "a raw newline inside a text: write \\n", position)
                pieces.append(char)
                position += 1
            else:
                self._remark(
                    "control-character", f"a raw control character (U+{ord(char):04X}) inside a text", position
                )
                pieces.append(char)
                position += 1
            match = _PLAIN.match(text, position)
            assert match is not None
            pieces.append(match.group())
            position = match.end()
        return "".join(pieces), position + 1

    def _escape(self, position: int) -> tuple[str, int]:
        """Read an escape whose backslash stands at `position`."""
        text = self.text
        char = text[position + 1 : position + 2]
        known = _ESCAPES.get(char)
        if known is not None:
            return known, position + 2
        if not char:
            return "", position + 1
        if char == "u" and _HEX4.match(text, position + 2):
            code = int(text[position + 2 : position + 6], 16)
            if not 0xD800 <= code <= 0xDFFF:
                return chr(code), position + 6
            if code < 0xDC00 and text.startswith("\\u", position + 6) and _HEX4.match(text, position + 8):
                low = int(text[position + 8 : position + 12], 16)
                if 0xDC00 <= low <= 0xDFFF:
                    return chr(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)), position + 12
            self._remark("lone-surrogate", f"a lone surrogate \\u{code:04x}: read as U+FFFD", position)
            return "\ufffd", position + 6
        if char == "u" and not _BRACED.match(text, position + 1):
            raise Refusal(
                "broken-escape",
                "\\u asks for four hexadecimal digits: which character is meant is not said",
                position,
            )
        self._remark("invalid-escape", f"an invalid escape \\{char if char.isprintable() else '…'}", position)
        if hexadecimal := _HEX2.match(text, position + 1):
            return chr(int(hexadecimal.group(1), 16)), hexadecimal.end()
        if (braced := _BRACED.match(text, position + 1)) and int(braced.group(1), 16) < 0x110000:
            code = int(braced.group(1), 16)
            return ("\ufffd" if 0xD800 <= code <= 0xDFFF else chr(code)), braced.end()
        if char in "\n\r\u2028\u2029":  # JavaScript's line continuation
            return "", position + (3 if text.startswith("\r\n", position + 1) else 2)
        if "\ud800" <= char <= "\udfff":
            char = "\ufffd"
        return char, position + 2

    def _scalar(self, position: int, opened: int) -> tuple[Any, int]:
        """Read a number or a literal; `opened` is the innermost container's offset or -1."""
        text = self.text
        number = _NUMBER.match(text, position)
        if number:
            digits = number.group()
            if number.group(1) is None and number.group(2) is None:
                if len(digits) > 4000:
                    raise Refusal("number-too-long", f"a number of {len(digits)} digits: write it as a text", position)
                return int(digits), number.end()
            value = float(digits)
            if value in (float("inf"), float("-inf")):
                raise Refusal("number-out-of-range", f"the number {digits[:40]} is out of range", position)
            return value, number.end()
        word = _WORD.match(text, position)
        if word and word.group() in _LITERALS:
            return _LITERALS[word.group()], word.end()
        raise no_value(text, position, opened)
