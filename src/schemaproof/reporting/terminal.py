"""Text that others wrote, made fit for a terminal: it must not move the cursor, colour, turn or forge lines."""

from __future__ import annotations

# C0 and C1 controls, the bidirectional overrides, embeddings and isolates (UAX 9), and lone surrogates.
_REPLACED: dict[int, int | str] = dict.fromkeys(
    (*range(32), *range(127, 160), *range(8234, 8239), *range(8294, 8298)), "\ufffd"
)
_REPLACED[9] = 9
SEVERAL_LINES = _REPLACED | {10: 10}
# Workflow services read commands at the start of any line that is printed: a value must not start one.
ONE_LINE = _REPLACED | dict.fromkeys((10, 13, 8232, 8233), " ")


def safe(text: str) -> str:
    """Text on one line, without characters that control a terminal."""
    return text.translate(ONE_LINE)


def safe_lines(text: str) -> str:
    """Text of several lines, without characters that control a terminal."""
    return text.translate(SEVERAL_LINES)
