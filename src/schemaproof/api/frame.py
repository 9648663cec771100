"""What has rows: as dictionaries, as a table in a notebook, as a data frame."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from schemaproof.errors import MissingExtraError


class Frame(ABC):
    """What has rows: to Arrow, pandas and polars where they are installed."""

    @property
    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """The rows as dictionaries of plain values, all with the same keys."""

    def to_arrow(self) -> Any:
        """A `pyarrow.Table` of the rows. Raises MissingExtraError without pyarrow."""
        try:
            import pyarrow
        except ImportError:
            raise MissingExtraError("pyarrow", "frames", "a table in Arrow") from None
        return pyarrow.Table.from_pylist([{key: plain(value) for key, value in row.items()} for row in self.rows])

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` of the rows. Raises MissingExtraError without pandas or pyarrow."""
        try:
            import pandas  # noqa: F401  (only to say what is missing: pyarrow imports it itself)
        except ImportError:
            raise MissingExtraError("pandas", "frames", "a data frame of pandas") from None
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """A `polars.DataFrame` of the rows. Raises MissingExtraError without polars or pyarrow."""
        try:
            import polars
        except ImportError:
            raise MissingExtraError("polars", "frames", "a data frame of polars") from None
        return polars.from_arrow(self.to_arrow())


def plain(value: Any) -> Any:
    """A cell that fits a column of one type: text, number, truth value or list of texts."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return value if value is None or isinstance(value, bool | int | float | list) else str(value)


def literal(value: Any) -> str | None:
    """A value as text: itself, or its JSON."""
    return value if value is None or isinstance(value, str) else json.dumps(value)


def html_table(title: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A plain table of escaped text."""
    from schemaproof.reporting.table import inert

    names = "".join(f"<th>{inert(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{inert('' if cell is None else str(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    caption = f"<caption>{inert(title)}</caption>"
    return f"<table>{caption}<thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"
