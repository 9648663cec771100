"""Tables as data, and their texts: Markdown, CSV, LaTeX, HTML.

A cell is raw (a number stays a number); how it is shown is decided by its column's kind, at the edge.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from schemaproof.wording import counted

# text: as it is; count: a whole number; score: three decimals; share: percent with one decimal; p: a probability of a
# test; interval: two scores; shares: two shares; signed: a difference.
KINDS = ("text", "count", "score", "share", "p", "interval", "shares", "signed")


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its label, and how its cells are shown (one of `KINDS`)."""

    label: str
    kind: str = "text"


@dataclass(slots=True)
class Table:
    """A table.

    Attributes:
        name: short and stable, the file's name when tables are written apart ("stages").
        title: for people.
        columns: see `Column`.
        rows: raw cells, as many as columns; None for what there is not.
        note: how to read it, one or two sentences, or "".
    """

    name: str
    title: str
    columns: list[Column]
    rows: list[list[Any]] = field(default_factory=list)
    note: str = ""

    def shown(self) -> list[list[str]]:
        """The cells as people read them."""
        return [[show(cell, column.kind) for cell, column in zip(row, self.columns, strict=True)] for row in self.rows]


def show(cell: Any, kind: str) -> str:
    """One cell as people read it; a dash for nothing."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    if kind == "count":
        return f"{cell:,}".replace(",", "\u202f") if abs(cell) >= 10000 else str(cell)
    if kind == "score":
        return f"{cell:.3f}"
    if kind == "share":
        return f"{100 * cell:.1f}%"
    if kind == "signed":
        return f"{cell:+.3f}".replace("-", "\u2212")
    if kind == "interval":
        return f"{show_signed(cell[0])} to {show_signed(cell[1])}"
    if kind == "shares":
        return f"{100 * cell[0]:.1f} to {100 * cell[1]:.1f}%"
    if kind == "p":
        return "< 0.001" if cell < 0.001 else f"{cell:.3f}"
    return str(cell)


def show_signed(value: float) -> str:
    """A score with three decimals and a real minus sign."""
    return f"{value:.3f}".replace("-", "\u2212")


def clean(text: str) -> str:
    """Text of a page in one line, fit for a table in a text file: no control characters, no turning of the line."""
    return "".join(
        " " if char in "\n\r\t\u2028\u2029" else "\ufffd" if not char.isprintable() and char != "\u202f" else char
        for char in text
    )


def as_markdown(tables: Iterable[Table]) -> str:
    """Tables of GitHub-flavoured Markdown under headings."""
    parts = []
    for table in tables:
        lines = [f"## {markdown(table.title)}", ""]
        lines.append("| " + " | ".join(markdown(column.label) for column in table.columns) + " |")
        lines.append("|" + "|".join(" --- " if column.kind == "text" else " ---: " for column in table.columns) + "|")
        lines += ["| " + " | ".join(map(markdown, row)) + " |" for row in table.shown()]
        if table.note:
            lines += ["", markdown(table.note)]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def markdown(text: str) -> str:
    """Inert in Markdown: neither markup nor HTML nor a link comes of a page's text."""
    text = clean(text)
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#|~$!" else "&amp;" if char == "&" else char for char in text)


def as_csv(table: Table) -> str:
    """One table as CSV (RFC 4180) of raw cells; an interval becomes two columns.

    A text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    head: list[str] = []
    for column in table.columns:
        head += [f"{column.label} low", f"{column.label} high"] if _double(column) else [column.label]
    writer.writerow(head)
    for row in table.rows:
        writer.writerow(_flat(row, table.columns))
    return out.getvalue()


def _double(column: Column) -> bool:
    return column.kind in ("interval", "shares")


def _flat(row: Sequence[Any], columns: Sequence[Column]) -> list[Any]:
    cells: list[Any] = []
    for cell, column in zip(row, columns, strict=True):
        if _double(column):
            cells += ["", ""] if cell is None else [cell[0], cell[1]]
        elif isinstance(cell, str):
            cells.append(f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell)
        else:
            cells.append("" if cell is None or (isinstance(cell, float) and math.isnan(cell)) else cell)
    return cells


_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "\u202f": r"\,", "–": "--", "\u2212": "$-$", '"': "''",
}  # fmt: skip


def latex(text: str) -> str:
    """Text that LaTeX prints as it is."""
    return "".join(_LATEX.get(char, char) for char in clean(text))


def as_latex(tables: Iterable[Table]) -> str:
    """Tables with booktabs rules, one float each."""
    parts = []
    for table in tables:
        shape = "".join("l" if column.kind == "text" else "r" for column in table.columns)
        lines = [r"\begin{table}", r"\centering", rf"\caption{{{latex(table.title)}}}", rf"\label{{tab:{table.name}}}"]
        lines += [rf"\begin{{tabular}}{{{shape}}}", r"\toprule"]
        lines.append(" & ".join(latex(column.label) for column in table.columns) + r" \\")
        lines.append(r"\midrule")
        lines += [" & ".join(map(latex, row)) + r" \\" for row in table.shown()]
        lines += [r"\bottomrule", r"\end{tabular}"]
        if table.note:
            lines.append(rf"\par\smallskip{{\footnotesize {latex(table.note)}}}")
        lines.append(r"\end{table}")
        parts.append("\n".join(lines))
    return "% needs \\usepackage{booktabs}\n" + "\n\n".join(parts) + "\n"


def as_html(table: Table, *, limit: int | None = None) -> str:
    """One table as HTML; of page text nothing but escaped text.

    Arguments:
        table: the table.
        limit: rows from this number on stand in a part that opens on demand.
    """
    head = "".join(f'<th scope="col"{_aligned(column)}>{escape(column.label)}</th>' for column in table.columns)
    rows = []
    for shown in table.shown():
        cells = []
        for place, (cell, column) in enumerate(zip(shown, table.columns, strict=True)):
            tag = "th" if place == 0 else "td"
            scope = ' scope="row"' if place == 0 else ""
            cells.append(f"<{tag}{scope}{_aligned(column)}>{inert(cell)}</{tag}>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    first, rest = (rows, []) if limit is None or len(rows) <= limit + 3 else (rows[:limit], rows[limit:])
    body = f"<tbody>{''.join(first)}</tbody>"
    caption = f"<caption>{escape(table.title)}</caption>"
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    label = escape(table.title, quote=True)
    start = f'<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table>'
    out = f"{start}{caption}<thead><tr>{head}</tr></thead>{body}</table></div>"
    if rest:
        out += (
            f"<details><summary>{counted(len(rest), 'more row')}</summary>"
            f'<div class="scroll" tabindex="0" role="region" aria-label="{label}, the rest"><table>'
            f"<thead><tr>{head}</tr></thead><tbody>{''.join(rest)}</tbody></table></div></details>"
        )
    return f'<section class="table" id="t-{escape(table.name, quote=True)}">{out}{note}</section>'


def _aligned(column: Column) -> str:
    return "" if column.kind == "text" else ' class="n"'


def inert(text: str) -> str:
    """Escaped text, kept apart from what surrounds it in writing direction, without invisible turning marks."""
    safe = "".join(char if char.isprintable() or char in "\n\u202f" else "\ufffd" for char in text)
    return escape(safe, quote=True)
