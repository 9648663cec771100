"""Levelled texts, remembered: a page's short lines are asked for many times."""

from __future__ import annotations

from functools import lru_cache

from schemaproof.agents.grounding.locales import level as levelled

_LONGEST = 300
_remembered = lru_cache(maxsize=4096)(levelled)


def level(text: str) -> str:
    """A text as folded words joined by single spaces, see `schemaproof.agents.grounding.locales.level`."""
    return _remembered(text) if len(text) <= _LONGEST else levelled(text)
