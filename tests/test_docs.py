"""The documents hold what they promise."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_architecture_names_every_part() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    parts = {path.name for path in (ROOT / "src" / "schemaproof").iterdir() if path.is_dir() and path.name[0] != "_"}
    assert not {part for part in parts if part not in text}
