"""Weights per property for MeMR, from a JSON, TOML or CSV file."""

from __future__ import annotations

import csv
import io
import math
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

import orjson

from schemaproof.errors import InputError, SourceError

DEFAULT = "*"
_PREFIXES = ("http://schema.org/", "https://schema.org/", "schema:")


def bare(name: str) -> str:
    """A Schema.org name without its namespace or prefix; any other text unchanged."""
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            return name[len(prefix) :]
    return name


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        try:
            value = float(value.strip())
        except ValueError:
            return None
    if isinstance(value, int | float) and math.isfinite(value) and value >= 0:
        return float(value)
    return None


def _checked(rows: Iterable[tuple[str, object, int | None]], source: str | None) -> dict[str, float]:
    weights: dict[str, float] = {}
    for name, value, line in rows:
        key = bare(name.strip())
        number = _number(value)
        if not key:
            raise InputError("a weight has no property; write the property's name before it.", source=source, line=line)
        if number is None:
            raise InputError(
                f"the weight of {key} is {value!r}; write a number of 0 or more.", source=source, line=line
            )
        if key in weights:
            raise InputError(f"{key} has two weights; keep one.", source=source, line=line)
        weights[key] = number
    if not weights:
        raise InputError("no weights in it; write at least one property with its number.", source=source)
    return weights


def _json(text: str, source: str | None) -> list[tuple[str, object, int | None]]:
    try:
        data = orjson.loads(text)
    except orjson.JSONDecodeError as problem:
        raise InputError(
            f"not JSON ({problem.msg}); write an object of property names and numbers.",
            source=source,
            line=problem.lineno,
            column=problem.colno,
        ) from None
    if not isinstance(data, dict):
        raise InputError("not an object; write property names and numbers in braces.", source=source)
    return [(name, value, None) for name, value in data.items()]


def _toml(text: str, source: str | None) -> list[tuple[str, object, int | None]]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"not TOML: {problem}; write lines like name = 2.", source=source) from None
    inner = data.get("weights")
    return [(name, value, None) for name, value in (inner if isinstance(inner, dict) else data).items()]


def _csv(text: str, source: str | None) -> list[tuple[str, object, int | None]]:
    rows: list[tuple[str, object, int | None]] = []
    reader = csv.reader(io.StringIO(text), skipinitialspace=True)
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != 2:
                raise InputError(
                    f"{len(cells)} columns; write the property and its weight, parted by a comma.",
                    source=source,
                    line=reader.line_num,
                )
            if not rows and cells[1].strip().lower() == "weight":  # the header
                continue
            rows.append((cells[0], cells[1], reader.line_num))
    except csv.Error as problem:
        raise InputError(f"not CSV: {problem}.", source=source, line=reader.line_num) from None
    return rows


_READERS = {"json": _json, "toml": _toml, "csv": _csv}


def parse_weights(text: str, form: str, *, source: str | None = None) -> dict[str, float]:
    """Weights from text.

    Arguments:
        text: the file's content.
        form: "json" (one object), "toml" (keys, or a table `weights`) or "csv" (two columns, header optional).
        source: name of the file for messages.

    Returns:
        Property (bare name where Schema.org's) to weight of 0 or more; "*" stands for every property not named,
        whose weight is else 1.

    Raises:
        InputError: for another form, text that is not of that form, and weights that are no numbers of 0 or more.
    """
    if form not in _READERS:
        raise InputError("weights are read from .json, .toml and .csv files.", source=source)
    return _checked(_READERS[form](text.removeprefix("\ufeff"), source), source)


def read_weights(path: str | Path) -> dict[str, float]:
    """Weights per property from a file; its ending says the form. See `parse_weights`.

    Raises:
        SourceError: where the file cannot be opened.
        InputError: where it cannot be used.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise SourceError(str(path), f"cannot be read: {problem.strerror or problem}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("not UTF-8; save it as UTF-8.", source=str(path)) from None
    return parse_weights(text, path.suffix.lower().lstrip("."), source=str(path))


def weight_of(weights: Mapping[str, float] | None, name: str) -> float:
    """The weight of a property: its own, else that of "*", else 1."""
    if weights is None:
        return 1.0
    found = weights.get(name)
    return weights.get(DEFAULT, 1.0) if found is None else found
