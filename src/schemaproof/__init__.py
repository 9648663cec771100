"""Prove structured data: against its schema, against the page it describes, and against what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from schemaproof.api import (
        Answers,
        Checked,
        Cleaned,
        Comparison,
        Page,
        Run,
        check,
        clean,
        memr,
        read_page,
        run,
        score_extraction,
    )

__version__ = "0.1.0"

__all__ = [
    "Answers", "Checked", "Cleaned", "Comparison", "Page", "Run", "__version__", "check", "clean", "memr", "read_page",
    "run", "score_extraction",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    # Importing the package stays light: what the names stand for is imported when one is asked for.
    if name in __all__:
        from schemaproof import api

        value = getattr(api, name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
