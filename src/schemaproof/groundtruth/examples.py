"""Schema.org's official examples: a text, and markup that says in three notations what the text says.

The file (`schemaorg-all-examples.txt` of a release, CC BY-SA 3.0) has blocks "TYPES: #eg-0001 Product, Offer" with the
sections PRE-MARKUP (the text, as HTML), MICRODATA, RDFA and JSON.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from schemaproof.groundtruth.row import digest
from schemaproof.markup import build_graph
from schemaproof.markup.model import Graph, Statement
from schemaproof.page import read_page
from schemaproof.vocabulary import Vocabulary

_BLOCK = re.compile(r"^TYPES:", re.M)
_SECTION = re.compile(r"^(PRE-MARKUP|MICRODATA|RDFA|JSON):[ \t]*$", re.M)
_EMPTY = re.compile(r"\s*(?:todo|tbd|n/?a|none|-)?\W*\s*", re.I)


@dataclass(frozen=True)
class Example:
    """One official example.

    Attributes:
        id: its name in the file ("eg-0382"), or a digest where it has none.
        terms: the types and properties that it illustrates.
        text: what a reader sees.
        documents: its JSON-LD.
        said: pairs of property and folded value that the microdata or RDFa mark at a visible piece of text, whatever
            that text is ("Daily from 11am" marked as openingHours).
    """

    id: str
    terms: tuple[str, ...]
    text: str
    documents: tuple[Any, ...]
    said: frozenset[tuple[str, str]]

    @property
    def group(self) -> str:
        """Examples of the same text are one."""
        return digest(fold(self.text))

    @cached_property
    def folded(self) -> str:
        """The text, folded."""
        return fold(self.text)

    def graph(self, vocabulary: Vocabulary) -> Graph:
        """Its markup as one graph."""
        return build_graph(list(self.documents), base="https://example.org/", vocabulary=vocabulary)

    def states(self, statement: Statement) -> bool:
        """Whether the text says this: the value stands there, or the other notations mark where it is said."""
        value = fold(str(statement.value))
        return stands(value, self.folded) or (statement.property, value) in self.said


def fold(text: str) -> str:
    """Letter case, accents, quotes and runs of white space taken away, for comparing."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(plain.replace("’", "'").replace("“", '"').replace("”", '"').split())


def stands(value: str, text: str) -> bool:
    """Whether a folded value stands in a folded text, not inside a longer word or number."""
    if not value:
        return False
    start = text.find(value)
    while start >= 0:
        end = start + len(value)
        before = text[start - 1] if start else " "
        after = text[end] if end < len(text) else " "
        figures = value[-1].isdigit() and re.match(r"[.,]\d", text[end : end + 2])
        if (
            not (before.isalnum() and value[0].isalnum())
            and not (after.isalnum() and value[-1].isalnum())
            and not figures
        ):
            return True
        start = text.find(value, start + 1)
    return False


def read_examples(text: str) -> tuple[list[Example], list[str]]:
    """The examples of the official file.

    Arguments:
        text: its content.

    Returns:
        Examples with a text and markup in order, and one line for each block that has not both.
    """
    examples, left_out = [], []
    starts = [found.start() for found in _BLOCK.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=False):
        example, problem = _example(text[start:end])
        if example is not None:
            examples.append(example)
        else:
            left_out.append(problem)
    return examples, left_out


def _example(block: str) -> tuple[Example | None, str]:
    head, _, rest = block.partition("\n")
    names = head.removeprefix("TYPES:").replace(",", " ").split()
    key = next((name[1:] for name in names if name.startswith("#")), "") or digest(block)
    sections = _sections(rest)
    shown = next((sections[name] for name in ("PRE-MARKUP", "MICRODATA", "RDFA") if not _blank(sections.get(name))), "")
    if not shown:
        return None, f"{key}: no text"
    documents = tuple(_documents(sections.get("JSON", "")))
    if not documents:
        return None, f"{key}: no JSON-LD that can be read"
    text = read_page(f"<html lang='en'><body>{_visible(shown)}</body></html>").text
    if len(text) < 20:
        return None, f"{key}: no text"
    marked = frozenset(
        pair for name in ("MICRODATA", "RDFA") if not _blank(sections.get(name)) for pair in _marked(sections[name])
    )
    return Example(key, tuple(name for name in names if name[0] != "#"), text, documents, marked), ""


def _sections(text: str) -> dict[str, str]:
    found = list(_SECTION.finditer(text))
    ends = [*(each.start() for each in found[1:]), len(text)][: len(found)]
    return {each[1]: text[each.end() : end].strip() for each, end in zip(found, ends, strict=True)}


def _blank(text: str | None) -> bool:
    return text is None or bool(_EMPTY.fullmatch(text))


def _visible(markup: str) -> str:
    """The example as a page would show it: texts without tags keep their lines."""
    return markup if re.search(r"</?[a-z]\w*[^<>]*>", markup, re.I) else f"<pre>{markup}</pre>"


def _documents(section: str) -> Iterator[Any]:
    if "<script" not in section.casefold():
        section = f'<script type="application/ld+json">{section}</script>'
    yield from read_page(f"<html><body>{section}</body></html>").items


def _marked(section: str) -> Iterator[tuple[str, str]]:
    """Property and folded value wherever an element with visible text carries both."""
    from selectolax.lexbor import LexborHTMLParser

    for node in LexborHTMLParser(section).css("[itemprop],[property]"):
        names = (node.attributes.get("itemprop") or node.attributes.get("property") or "").split()
        shown = node.text(strip=True)
        value = node.attributes.get("content") or node.attributes.get("datetime") or shown
        if shown and value:
            yield from ((name.rsplit("/", 1)[-1].rsplit(":", 1)[-1], fold(value)) for name in names)
