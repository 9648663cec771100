"""One row of a file of answers: what the model wrote, what it should have written, and the schema."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, time
from decimal import Decimal
from functools import lru_cache
from typing import Any

from schemaproof.errors import InputError

# The columns of a row and the names they are known by, the first one ours.
COLUMNS: dict[str, tuple[str, ...]] = {
    "id": ("id", "row_id", "idx"),
    "response": ("response", "model_response", "prediction", "pred"),
    "gold": ("gold", "ground_truth", "gold_json", "expected"),
    "schema": ("schema", "json_schema"),
    "content": ("content",),
    "prompt": ("prompt",),
    "model": ("model", "llm_model"),
    "page": ("page", "url", "source"),
    "error": ("error", "api_error"),
}
_LARGEST = 1e15
COMPLEXITY = (
    "schema_depth",
    "schema_keys",
    "schema_elements",
    "schema_cyclomatic_complexity",
    "schema_complexity_score",
)

# orjson reads integers beyond 64 bits as floats; a row with so many digits goes to the standard reader.
_LONG = re.compile(rb"\d{19}")


@dataclass(frozen=True, slots=True)
class Row:
    """One answer to be scored.

    Attributes:
        id: as in the file, any JSON scalar; the line number where there is none.
        response: text of the model, None where the provider gave none.
        gold, schema: parsed values.
        gold_text, schema_text: their JSON texts; equal schema texts mean equal schemas.
        model: name of the model, or "".
        page: what the row belongs to for grouping, or "".
        refusal: what the provider said instead of an answer, or "".
        complexity: the data set's columns on the schema, where it has them.
        content: the page's text, or "".
        line: number in the file, from 1; 0 if unknown.
    """

    id: Any
    response: str | None
    gold: Any
    schema: Any
    gold_text: str = ""
    schema_text: str = ""
    model: str = ""
    page: str = ""
    refusal: str = ""
    complexity: Mapping[str, float] = field(default_factory=dict)
    content: str = ""
    line: int = 0


class RowError(InputError):
    """A row that cannot be scored; `row_id` and `model` say which."""

    def __init__(self, message: str, *, row_id: Any, model: str = "", line: int = 0) -> None:
        super().__init__(message, line=line or None)
        self.row_id = row_id
        self.model = model


def parse_line(line: bytes, number: int, columns: Mapping[str, str] | None = None) -> Row:
    """A row of a JSON Lines file.

    Arguments:
        line: one line, UTF-8.
        number: its number in the file, from 1.
        columns: our name of a column to its name in the file, where they differ.

    Raises:
        RowError: for a line that is no JSON object or lacks a column, with what to do.
    """
    import orjson

    try:
        data = orjson.loads(line)
        texts = isinstance(data, dict) and isinstance(data.get("gold"), str) and not isinstance(data.get("id"), float)
        if not texts and _LONG.search(line):
            data = json.loads(line)
    except orjson.JSONDecodeError:
        try:
            data = json.loads(line)
        except UnicodeDecodeError as problem:
            raise RowError(f"the line is not UTF-8 (byte {problem.start + 1})", row_id=number, line=number) from None
        except json.JSONDecodeError as problem:
            raise RowError(
                f"the line is not JSON: {problem.msg} at column {problem.colno}", row_id=number, line=number
            ) from None
        except (ValueError, RecursionError) as problem:
            raise RowError(f"the line cannot be read: {problem}", row_id=number, line=number) from None
    except (ValueError, RecursionError) as problem:
        raise RowError(f"the line cannot be read: {problem}", row_id=number, line=number) from None
    if not isinstance(data, dict):
        raise RowError("the line is no JSON object; a row has response, gold and schema", row_id=number, line=number)
    return row_of(data, number, columns)


def column(data: Mapping[str, Any], name: str, columns: Mapping[str, str] | None = None) -> str | None:
    """The name under which a row has one of our columns; None if it has not."""
    wished = (columns or {}).get(name)
    if wished is not None:
        return wished if wished in data else None
    return next((known for known in COLUMNS[name] if known in data), None)


def row_of(data: Mapping[str, Any], number: int, columns: Mapping[str, str] | None = None) -> Row:
    """A row of its columns.

    Arguments:
        data: column to value; gold and schema as JSON values or as JSON text.
        number: number of the row, from 1.
        columns: our name of a column to its name in the data, where they differ.

    Raises:
        RowError: for a missing column or a value that cannot be used.
    """

    def get(name: str) -> Any:
        found = column(data, name, columns)
        return None if found is None else data[found]

    identity = get("id")
    identity = number if identity is None or isinstance(identity, dict | list) else _plain(identity)
    model = _name(get("model"))

    def fail(message: str) -> RowError:
        return RowError(message, row_id=identity, model=model, line=number)

    missing = [name for name in ("response", "gold", "schema") if column(data, name, columns) is None]
    refusal = _name(get("error"))
    if missing == ["response"] and refusal:
        missing = []
    if missing:
        have = ", ".join(map(str, list(data)[:12])) or "none"
        raise fail(f"no column {' nor '.join(missing)}; the row has {have} (--column NAME=COLUMN renames)")
    response = get("response")
    if response is not None and not isinstance(response, str):
        # Some programs write the parsed answer instead of the model's text.
        response = _text(response)
    gold, gold_text = _parsed(get("gold"), "gold", fail)
    schema, schema_text = _schema(get("schema"), fail)
    content, page = get("content"), get("page")
    return Row(
        id=identity,
        response=response,
        gold=gold,
        schema=schema,
        gold_text=gold_text,
        schema_text=schema_text,
        model=model,
        page=_name(page),
        refusal=refusal or ("" if response is not None else "no response"),
        complexity={name: float(data[name]) for name in COMPLEXITY if _is_figure(data.get(name))},
        content=content if isinstance(content, str) else "",
        line=number,
    )


def _name(value: Any) -> str:
    if value is None or value == "" or value is False:
        return ""
    return value if isinstance(value, str) else _text(value)


def _is_figure(value: Any) -> bool:
    # Nothing beyond counts the parts of a schema, and not all of it fits into a float.
    return isinstance(value, int | float) and not isinstance(value, bool) and -_LARGEST < value < _LARGEST


def _plain(value: Any) -> Any:
    """A value of a column that JSON does not have, as one that it has."""
    if value is None or isinstance(value, str | int | float | dict | list):
        return value
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).decode("utf-8", "replace")
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value.isoformat() if isinstance(value, date | time) else str(value)


def _text(value: Any) -> str:
    value = _plain(value)
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=_plain)
    except (ValueError, TypeError, RecursionError):
        return str(type(value))


@lru_cache(maxsize=512)
def _schema_of(text: str) -> Any:
    return json.loads(text)


def _schema(value: Any, fail: Any) -> tuple[Any, str]:
    """A JSON Schema and its text; a text that is no JSON is a schema that nothing keeps to, not a row to lose."""
    if isinstance(value, str):
        try:
            # Data sets repeat their schemas; nobody changes one.
            return _schema_of(value), value
        except (ValueError, RecursionError):
            return value, f"no schema: {value}"
    return _parsed(value, "schema", fail)


def _parsed(value: Any, name: str, fail: Any) -> tuple[Any, str]:
    """A JSON value and its text, from the value or the text."""
    if isinstance(value, bytes | bytearray | memoryview):
        value = _plain(value)  # JSON text that a file has as bytes
    if not isinstance(value, str):
        try:
            return value, json.dumps(value, ensure_ascii=False)
        except TypeError:
            text = json.dumps(value, ensure_ascii=False, default=_plain)  # dates and decimals, which JSON does not have
            return json.loads(text), text
        except (ValueError, RecursionError) as problem:
            raise fail(f"{name} cannot be read: {problem}") from None
    try:
        return json.loads(value), value
    except json.JSONDecodeError as problem:
        raise fail(f"{name} is not JSON: {problem.msg} at column {problem.colno}") from None
    except (ValueError, RecursionError) as problem:
        raise fail(f"{name} cannot be read: {problem}") from None
