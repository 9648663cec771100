"""Counts with their nouns, and that no part words them by hand."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from schemaproof.wording import counted

PRINTING = ("cli", "reporting", "api")
ROOT = Path(__file__).parent.parent / "src" / "schemaproof"
NOUNS = (
    "answer|block|byte|cell|character|chunk|comparison|document|example|finding|image|instance|item|line|link|node|page|"
    "quad|question|record|row|rule|sample|set|statement|token|unit|vote"
)
PLURAL = re.compile(rf"^ (?:(?!of|in|on|by)[a-z]+ )?(?:{NOUNS})s\b(?!/)")


@pytest.mark.parametrize(
    ("number", "noun", "many", "text"),
    [
        (0, "page", "", "0 pages"),
        (1, "page", "", "1 page"),
        (2, "more page", "", "2 more pages"),
        (1, "cell differs", "cells differ", "1 cell differs"),
        (12345, "cell differs", "cells differ", "12,345 cells differ"),
    ],
)
def test_counted(number: int, noun: str, many: str, text: str) -> None:
    assert counted(number, noun, many) == text


def by_hand(source: str) -> list[int]:
    """Lines where a formatted number stands before a plural that is written out."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            for before, after in zip(node.values, node.values[1:], strict=False):
                text = after.value if isinstance(after, ast.Constant) else ""
                if isinstance(before, ast.FormattedValue) and isinstance(text, str) and PLURAL.match(text):
                    found.append(node.lineno)
    return found


def test_no_plural_is_written_by_hand() -> None:
    files = [path for part in PRINTING for path in (ROOT / part).rglob("*.py")]
    own = {f"{path.relative_to(ROOT)}:{line}" for path in files for line in by_hand(path.read_text(encoding="utf-8"))}
    assert own == set()


def test_a_plural_by_hand_is_found() -> None:
    assert by_hand('f"{n} pages"\nf"{n} more pages failed"\nf"{n} page"\nf"{name} stands"') == [1, 2]
