"""From a statement's JSON Pointer back to line and column of the source that was given."""

from __future__ import annotations

from typing import Any

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
        self._items: list[tuple[ScriptBlock, str]] = []
        self._readings: dict[int, Reading] = {}
        for script in page.scripts:
            several = len(script.values) > 1
            for number, value in enumerate(script.values):
                prefix = f"/{number}" if several else ""
                items: list[Any] = value if isinstance(value, list) else [value]
                for place, item in enumerate(items):
                    if isinstance(item, dict):
                        self._items.append((script, f"{prefix}/{place}" if isinstance(value, list) else prefix))

    def place(self, path: str) -> tuple[int, int]:
        """Line and column of the value at a path, from 1; (0, 0) where it has no place (microdata, derived values)."""
        if self._rooted:
            head, _, rest = path[1:].partition("/")
            if not head.isdigit() or int(head) >= len(self._items):
                return 0, 0
            script, prefix = self._items[int(head)]
            pointer = prefix + (f"/{rest}" if rest else "")
        elif self._items:
            script, prefix = self._items[0]
            pointer = prefix + path
        else:
            return 0, 0
        reading = self._readings.get(script.index)
        if reading is None:
            reading = self._readings[script.index] = read_json(script.source)
        line, column = reading.locate(pointer)
        if line <= 0:
            return script.line, script.column
        # The first line of a script starts somewhere on a line of the file.
        return script.line + line - 1, column + script.column - 1 if line == 1 else column
