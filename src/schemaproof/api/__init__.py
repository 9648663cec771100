"""The Python API: a few functions over the parts, with results that show well in a notebook.

    from schemaproof import check, clean, memr, read_page, run, score_extraction

A page is given as a path, a URL, the HTML itself (text with a `<` in it, or bytes), or a `Page`; a markup also as the
JSON-LD object. Every result shows itself as a table in a notebook (`_repr_html_`), gives its rows as dictionaries
(`rows`), and goes to Arrow, pandas and polars where they are installed.
"""

from __future__ import annotations

from schemaproof.api.answers import Answers, score_extraction
from schemaproof.api.checking import Checked, Cleaned, check, clean
from schemaproof.api.comparison import Comparison, memr
from schemaproof.api.frame import Frame
from schemaproof.api.reading import Markup, PageLike, read_page
from schemaproof.api.runs import Run, run
from schemaproof.page.model import Page

__all__ = [
    "Answers", "Checked", "Cleaned", "Comparison", "Frame", "Markup", "Page", "PageLike", "Run", "check", "clean",
    "memr", "read_page", "run", "score_extraction",
]  # fmt: skip
