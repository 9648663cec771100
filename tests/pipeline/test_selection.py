from __future__ import annotations

from pathlib import Path

import pytest

from schemaproof.agents.verdict import Finding
from schemaproof.errors import InputError
from schemaproof.pipeline.selection import (
    PathRule,
    Selection,
    as_errors,
    matches,
    read_baseline,
    write_baseline,
)

TYPO = Finding("unknown-property", "error", "/prise", "no property prise")
LOOSE = Finding("missing-type", "warning", "/item", "no type", agent="markup")


@pytest.mark.parametrize(
    ("selection", "taken"),
    [
        (Selection(), [True, True]),
        (Selection(select=("unknown-property",)), [True, False]),
        (Selection(select=("markup",)), [False, True]),
        (Selection(ignore=("validity",)), [False, True]),
        (Selection(paths=(PathRule("blog/**", ignore=("missing-type",)),)), [True, False]),
        (Selection(paths=(PathRule("shop/*", ignore=("missing-type",)),)), [True, True]),
    ],
)
def test_selection(selection: Selection, taken: list[bool]) -> None:
    assert [selection.takes(finding, "blog/2026/a.html") for finding in (TYPO, LOOSE)] == taken


@pytest.mark.parametrize(
    ("pattern", "page", "expected"),
    [
        ("*.html", "a/b.html", True),
        ("blog/**", "blog/a/b.html", True),
        ("blog/*", "blog/a/b.html", False),
        ("https://a.example/*", "https://a.example/x", True),
        ("https://a.example/*", "https://b.example/x", False),
    ],
)
def test_patterns(pattern: str, page: str, expected: bool) -> None:
    assert matches(pattern, page) is expected


def test_known_findings_do_not_fail_but_new_ones_do(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    assert write_baseline(file, [("a", TYPO), ("a", TYPO)]) == 1
    known = read_baseline(file)
    assert known.new("a", [TYPO, TYPO, TYPO, LOOSE]) == [TYPO, LOOSE]
    assert known.new("b", [TYPO]) == [TYPO]


@pytest.mark.parametrize("text", ["", "[]", '{"findings": [{}]}', "{"])
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(InputError):
        read_baseline(tmp_path / "b.json")
    with pytest.raises(InputError, match="no such"):
        read_baseline(tmp_path / "absent.json")


def test_levels() -> None:
    assert as_errors([TYPO, LOOSE], "error") == [TYPO]
    assert as_errors([TYPO, LOOSE], "warning") == [TYPO, LOOSE]
    assert as_errors([TYPO, LOOSE], "never") == []
