"""The signature line: all that a number depends on, in one line for people to compare.

It is built from a mapping and never parsed back; two different mappings give two different lines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from typing import Any

# What a bare text must not look like, lest it read as a number, a truth value or a container.
_TYPED = re.compile(r"(?:[-+]?(?:\d|\.\d|inf|nan).*|true|false|null|[\[{\"].*|)\Z", re.IGNORECASE | re.DOTALL)
_KEY_SPECIAL = "\\|:.,"
_VALUE_SPECIAL = "\\|,]}"


def _escaped(text: str, special: str) -> str:
    out = []
    for char in text:
        if char in special:
            out.append("\\" + char)
        elif char != " " and not char.isprintable():
            code = ord(char)
            out.append(f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
        else:
            out.append(char)
    return "".join(out)


def _scalar(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        quoted = _escaped(value, _VALUE_SPECIAL)
        return f'"{quoted}' if _TYPED.match(value) or value != value.strip() else quoted
    raise TypeError(f"a signature holds text, numbers, truth values and null, not {type(value).__name__}")


def _rendered(value: object, depth: int = 0) -> str:
    if depth > 20:
        raise ValueError("a signature is at most twenty levels deep")
    if isinstance(value, Mapping):
        inner = ",".join(
            f"{_escaped(str(key), _KEY_SPECIAL)}:{_rendered(value[key], depth + 1)}" for key in sorted(value, key=str)
        )
        return "{" + inner + "}"
    if isinstance(value, Set):
        return "[" + ",".join(sorted(_rendered(item, depth + 1) for item in value)) + "]"
    if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray):
        return "[" + ",".join(_rendered(item, depth + 1) for item in value) + "]"
    return _scalar(value)


def signature(mapping: Mapping[str, Any]) -> str:
    """One line that names everything a number depends on.

    Arguments:
        mapping: names to text, numbers, truth values, None, and lists, sets or mappings of these. An entry's
            place does not depend on the order of insertion: names are sorted.

    Returns:
        `name:value` joined by `|`, names of nested mappings joined by a dot ("judge.name:embedded|seed:0").
        Separators within a text carry a backslash, what cannot be printed is written as its code point, and a
        text that would read as a number, a truth value or null opens with a quotation mark.

    Raises:
        TypeError: for a value of any other kind.
        ValueError: for a mapping nested more than twenty levels deep.

    Source: the idea is sacrebleu's (Post 2018, "A Call for Clarity in Reporting BLEU Scores").
    """
    parts: list[tuple[str, str]] = []
    waiting: list[tuple[str, Mapping[str, Any], int]] = [("", mapping, 0)]
    while waiting:
        prefix, current, depth = waiting.pop()
        if depth > 20:
            raise ValueError("a signature is at most twenty levels deep")
        for key, value in current.items():
            name = prefix + _escaped(str(key), _KEY_SPECIAL)
            if isinstance(value, Mapping) and value:
                waiting.append((name + ".", value, depth + 1))
            else:
                parts.append((name, _rendered(value)))
    return "|".join(f"{name}:{value}" for name, value in sorted(parts))
