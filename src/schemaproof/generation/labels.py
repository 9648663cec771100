"""Label-value pairs: definition lists, tables of two columns, "Label: value" lines, a label above its value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from schemaproof.generation.keys import level
from schemaproof.generation.outline import Line, Outline
from schemaproof.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Pair:
    """A label and one value of it.

    Attributes:
        label: as printed, without its colon.
        key: the label levelled.
        names: what the label names by the lexicon, likeliest first; empty where it is not in it.
        value: the value as printed.
        start, end: span of the value in `Page.text`.
        line: the line that the value stands in.
        strong: true where the layout says that this is a label (definition list, table, colon).
    """

    label: str
    key: str
    names: tuple[str, ...]
    value: str
    start: int
    end: int
    line: Line
    strong: bool = True


_COLON = re.compile(r"\s?[:：]\s*(?!//)")
_TRAILING = re.compile(r"\s*[:：]\s*$")
_BRACKETS = re.compile(r"\s*[(（\[][^()（）\[\]]{0,40}[)）\]]\s*$")
_LONGEST_LABEL = 48
_LONGEST_VALUE = 600
_WORD_START = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*", re.UNICODE)


def pairs(outline: Outline, lines: Iterable[Line]) -> list[Pair]:
    """The label-value pairs in some lines of the page, in order.

    Arguments:
        outline: of the page.
        lines: where to look, in order of the page.
    """
    listed = list(lines)
    found: list[Pair] = []
    tables: dict[int, list[Line]] = {}
    for line in listed:
        if line.group >= 0 and line.column >= 0:
            tables.setdefault(line.group, []).append(line)
    in_grid: set[int] = set()
    for cells in tables.values():
        for pair in _grid(outline, cells):
            found.append(pair)
            in_grid.add(pair.line.number)
    at = 0
    while at < len(listed):
        line = listed[at]
        at += 1
        if line.number in in_grid or line.rank:
            continue
        inline = _inline(outline, line)
        if inline:
            found.extend(inline)
            continue
        following = listed[at] if at < len(listed) else None
        if following is not None and following.number == line.number + 1 and following.number not in in_grid:
            stacked = _stacked(outline, line, following)
            if stacked is not None:
                found.append(stacked)
                at += 1
    found.sort(key=lambda pair: pair.start)
    return found


def _make(outline: Outline, label: str, line: Line, start: int, end: int, *, strong: bool = True) -> Pair | None:
    value = outline.page.text[start:end]
    stripped = value.strip().lstrip("|·•").strip()
    if not stripped or len(stripped) > _LONGEST_VALUE:
        return None
    start += value.find(stripped)
    label = _TRAILING.sub("", label).strip()
    key = level(label)
    names = outline.lexicon.names(key)
    if not names and _BRACKETS.search(label):
        key = level(_BRACKETS.sub("", label))
        names = outline.lexicon.names(key)
    if not key:
        return None
    return Pair(label, key, names, stripped, start, start + len(stripped), line, strong)


def _grid(outline: Outline, cells: list[Line]) -> Iterator[Pair]:
    """Pairs of a definition list, or of a table whose rows are a label and a value (two of each in a row, too)."""
    rows: dict[int, dict[int, list[Line]]] = {}
    for cell in cells:
        rows.setdefault(cell.row, {}).setdefault(cell.column, []).append(cell)
    definitions = any(cell.tag in ("dt", "dd") for cell in cells)
    widest = max(max(columns) for columns in rows.values())
    if not definitions and widest not in (1, 3):
        return
    for columns in rows.values():
        for first in (0, 2):
            labels, values = columns.get(first), columns.get(first + 1)
            if not labels or not values:
                continue
            label = " ".join(line.text for line in labels)
            if len(label) > _LONGEST_LABEL or (
                widest == 3 and not definitions and not outline.lexicon.names(level(label))
            ):
                continue
            for value in values:
                pair = _make(outline, label, value, value.start, value.end)
                if pair is not None:
                    yield pair


def _inline(outline: Outline, line: Line) -> list[Pair]:
    """Pairs of a line such as "Director: A. Person" or "Prep time: 5 min Cook time: 10 min"."""
    text = line.text
    if ":" not in text and "：" not in text:
        return []
    colons = [match for match in _COLON.finditer(text) if match.start() > 0 and not _clock(text, match)]
    if not colons:
        return []
    marks: list[tuple[int, int, str]] = []  # start of the label, start of the value, label
    for number, colon in enumerate(colons[:12]):
        low = marks[-1][1] if marks else 0
        start = _label_before(outline, text, low, colon.start(), first=number == 0)
        if start is not None:
            marks.append((start, colon.end(), text[start : colon.start()]))
    found = []
    for number, (_, value_start, label) in enumerate(marks):
        value_end = marks[number + 1][0] if number + 1 < len(marks) else len(text)
        made = _make(outline, label, line, line.start + value_start, line.start + value_end)
        if made is not None:
            found.append(made)
    return found


def _clock(text: str, colon: re.Match[str]) -> bool:
    """Whether the colon stands within a time of day, a ratio or an address."""
    return (
        text[colon.start() - 1].isdigit() and text[colon.end() : colon.end() + 1].isdigit() and len(colon.group()) == 1
    )


def _label_before(outline: Outline, text: str, low: int, colon: int, *, first: bool) -> int | None:
    """Where the label that ends at a colon starts, or None. At the start of a line any short phrase is a label."""
    part = text[low:colon]
    words = [match.start() for match in _WORD_START.finditer(part)]
    if not words:
        return None
    # At the start of a line the whole of a short phrase is the label: "Air date" is no "Date".
    if first and low == 0 and len(words) <= 5 and len(part) <= _LONGEST_LABEL:
        return words[0]
    for start in words[-6:]:
        if len(part) - start <= _LONGEST_LABEL and outline.lexicon.names(level(part[start:])):
            return low + start
    return None


def _stacked(outline: Outline, label: Line, value: Line) -> Pair | None:
    """A label in a line of its own with its value in the next."""
    if len(label.text) > 40 or value.rank or len(value.text) > 300:
        return None
    if label.column >= 0 and (label.group, label.row, label.column) != (value.group, value.row, value.column):
        return None  # cells of a table are no labels for the cells of the next row
    colon = bool(_TRAILING.search(label.text))
    key = level(_TRAILING.sub("", label.text))
    names = outline.lexicon.names(key)
    if not names and not (colon and key.count(" ") < 4):
        return None
    if not colon and (outline.lexicon.names(level(_TRAILING.sub("", value.text))) or value.tag in ("th", "dt")):
        return None
    return _make(outline, label.text, value, value.start, value.end, strong=colon)


# Labels that are not in the lexicon: names of properties, read as words.

_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# Too general, or structural, to be a label on a page.
_NEVER = frozenset(
    (
        "name", "title", "description", "url", "image", "text", "value", "identifier", "item", "position",
        "about", "mentions", "main", "entity", "subject", "of", "action", "potential", "additional", "type",
        "same", "as", "part", "has", "result", "object", "target", "step", "review", "offers", "comment",
        "media", "content", "video", "audio", "error", "query", "owner", "parent", "service", "photo", "map",
        "actions", "members", "member", "event", "events", "contact", "point", "author", "creator",
    )
)  # fmt: skip


@lru_cache(maxsize=8)
def _property_words(vocabulary: Vocabulary) -> dict[str, str]:
    table: dict[str, str] = {}
    for name, each in vocabulary.properties.items():
        if each.superseded_by or ":" in name:
            continue
        words = [word.lower() for word in _CAMEL.findall(name)]
        phrase = " ".join(words)
        if phrase in _NEVER:
            continue
        table.setdefault(phrase, name)
        if words[:2] == ["number", "of"] and len(words) > 2:
            table.setdefault(" ".join(words[2:]), name)
            table.setdefault("no of " + " ".join(words[2:]), name)
        if words[0] in ("date", "is", "has") and len(words) > 1 and words[0] == "date":
            table.setdefault(" ".join((*words[1:], "date")), name)
    return table


def named_property(vocabulary: Vocabulary, key: str) -> str:
    """The property whose name, read as words, is this levelled label ("number of pages"), or ""."""
    return _property_words(vocabulary).get(key, "") if 1 < len(key) < 40 else ""
