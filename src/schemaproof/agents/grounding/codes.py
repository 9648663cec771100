"""Codes of currencies, units, media types and countries, and what pages write for them, read from `codes.txt`."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def _sections() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    current: dict[str, str] = {}
    text = (files("schemaproof.agents.grounding") / "codes.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("["):
            current = found[line.strip("[] ")] = {}
        elif line and not line.startswith("#"):
            key, _, forms = line.partition(": ")
            current[key] = forms.strip()
    return found


def codes(section: str) -> dict[str, str]:
    """A section: code → forms, parted by bars.

    Arguments:
        section: "signs", "money", "units", "periods", "media", "prefixes", "countries", "iso3" or "regions".
    """
    return _sections()[section]
