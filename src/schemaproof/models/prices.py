"""What models cost: a table that the user keeps, as prices change and differ by contract."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

from schemaproof.errors import InputError
from schemaproof.vocabulary.release import cache_folder

FREE = ("ollama/", "gguf/", "recorded/", "inspect/mockllm/")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens of prompts and of answers."""

    input: float
    output: float

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Dollars for so many tokens."""
        return (self.input * prompt_tokens + self.output * completion_tokens) / 1e6


def prices_path() -> Path:
    """The table: SCHEMAPROOF_PRICES, else prices.toml in the cache folder."""
    chosen = os.environ.get("SCHEMAPROOF_PRICES")
    return Path(chosen) if chosen else cache_folder() / "prices.toml"


def price_of(model: str) -> Price | None:
    """The price of a model by its name in SPECs; None where the table does not have it.

    The table is TOML: a table a model, ["openai/NAME"], with input and output, dollars for a million tokens. Models on
    this machine cost nothing.

    Raises: InputError for a table that cannot be read.
    """
    if model.startswith(FREE):
        return Price(0.0, 0.0)
    path = prices_path()
    if not path.is_file():
        return None
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        entry = table.get(model)
        return None if entry is None else Price(float(entry["input"]), float(entry["output"]))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as problem:
        raise InputError(f"is no table of prices ({problem})", source=str(path)) from None
