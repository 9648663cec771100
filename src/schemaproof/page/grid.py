"""Lists and tables while they are read: which row and column an item or a cell stands in.

Source: HTML section 4.9.12 (forming a table), for the cells that rowspan and colspan cover.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemaproof.page.elements import number_of


@dataclass(slots=True)
class Grid:
    """A list, definition list or table that is open.

    Attributes:
        group: its number on the page.
        row, column: where its last item or cell stands; -1 before the first.
        spans: columns that cells of earlier rows still cover, with the number of rows.
    """

    group: int
    row: int = -1
    column: int = -1
    spans: dict[int, int] | None = None

    def place(self, tag: str, attributes: dict[str, str | None], row: int, column: int) -> tuple[int, int]:
        """Row and column of an element that opens inside.

        Arguments:
            tag: its name.
            attributes: its attributes.
            row, column: of the element around it, kept where this one has no place of its own.
        """
        if tag == "td" or tag == "th":
            return self._cell(attributes)
        if tag == "tr":
            if self.spans:
                self.spans = {at: left - 1 for at, left in self.spans.items() if left > 1}
            self.row += 1
            self.column = -1
        elif tag == "li":
            self.row += 1
            return self.row, -1
        elif tag == "dt":
            if self.column != 0:
                self.row += 1
            self.column = 0
            return self.row, 0
        elif tag == "dd":
            self.column = 1
            self.row = max(self.row, 0)
            return self.row, 1
        return row, column

    def _cell(self, attributes: dict[str, str | None]) -> tuple[int, int]:
        self.column += 1
        if self.spans:
            while self.spans.get(self.column, 0) > 0:
                self.column += 1
        column = self.column
        wide = number_of(attributes.get("colspan"), 1000) if "colspan" in attributes else 1
        if "rowspan" in attributes:
            tall = number_of(attributes.get("rowspan"), 65534)
            if tall > 1:
                self.spans = self.spans or {}
                for covered in range(column, column + wide):
                    self.spans[covered] = tall
        self.column += wide - 1
        return max(self.row, 0), column
