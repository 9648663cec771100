"""CLDR's names as folded tables."""

from __future__ import annotations

import subprocess
import sys

from schemaproof.agents.grounding.locales import level, tables


def test_names() -> None:
    german = tables("de")
    assert german.months["marz"] == 3
    assert german.days["montag"] == 0
    assert german.territories["CH"] == "schweiz"
    assert german.languages["fr"] == "franzosisch"
    assert "schweiz" in german.territory_names


def test_unknown_languages_are_empty() -> None:
    assert not tables("").months
    assert not tables("xx").months
    assert not tables("no such thing!").days


def test_level() -> None:
    assert level("Côte d’Ivoire") == "cote d ivoire"


def test_babel_is_not_imported_with_the_judge() -> None:
    code = "import sys, schemaproof.agents.factuality; sys.exit('babel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
