"""From a statement's JSON Pointer back to line and column of the source that was given."""

from __future__ import annotations

from schemaproof.json_reader import Reading, read_json
from schemaproof.page.model import Page, ScriptBlock


def is_single(page: Page) -> bool:
    """Whether pointers start at the page's only object (a bare JSON-LD file of one), not at the list of items."""
    values = [value for script in page.scripts for value in script.values]
    return page.metadata.get("bare") == "json-ld" and len(values) == 1 and isinstance(values[0], dict)


class Locator:
    """Places of values in a page's source; scripts are scanned when first asked for.

    Arguments:
        page: the page, or a bare JSON-LD document read as one.
    """

    def __init__(self, page: Page) -> None:
        self._rooted = not is_single(page)
        self._items: list[tuple[ScriptBlock, int, str]] = []
        self._readings: dict[int, Reading] = {}
        for script in page.scripts:
            for number, value in enumerate(script.values):
                if isinstance(value, dict):
                    self._items.append((script, number, ""))
                elif isinstance(value, list):
                    self._items += [
                        (script, number, f"/{place}") for place, item in enumerate(value) if isinstance(item, dict)
                    ]

    def place(self, path: str, *, key: bool = False) -> tuple[int, int]:
        """Line and column, from 1, of the value at a path; (0, 0) where it has no place (microdata, RDFa).

        Arguments:
            path: see `Statement.path`.
            key: the place of the member's key instead.
        """
        head, rest = "0", path
        if self._rooted:
            head, _, rest = path[1:].partition("/")
            rest = f"/{rest}" if rest else ""
        if not head.isdigit() or int(head) >= len(self._items):
            return 0, 0
        script, number, prefix = self._items[int(head)]
        reading = self._readings.get(script.index)
        if reading is None:
            reading = self._readings[script.index] = read_json(script.source)
        try:
            line, column = reading.locate(prefix + rest, value=number, key=key)
        except LookupError:
            return script.line, script.column
        # The first line of a script starts somewhere on a line of the file.
        return script.line + line - 1, column + script.column - 1 if line == 1 else column
