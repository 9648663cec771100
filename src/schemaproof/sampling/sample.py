"""The drawn sample as a file, and what its pages are like: Tables 5 and 6 of the paper, and the root types."""

from __future__ import annotations

import csv
import glob
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from schemaproof.errors import InputError, SchemaproofError, SourceError
from schemaproof.markup.model import Graph
from schemaproof.sampling.drawing import Drawn
from schemaproof.sampling.names import TYPE_PREFIX
from schemaproof.sources.model import PageSource, identifier

LONGEST_FIELD = 1 << 26  # characters of a field of CSV
COLUMNS = ("url", "id", "feature", "stratum", "cset", "instances", "properties", "subject", "language", "roots")


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What a page is like.

    Attributes:
        language: of the page.
        pairs: statements of its markup (property-value pairs).
        names: distinct properties.
        types: distinct types.
        size: bytes of its HTML.
        graph: its markup.
    """

    language: str
    pairs: int
    names: frozenset[str]
    types: frozenset[str]
    size: int
    graph: Graph


def facts_of(source: PageSource, vocabulary: Any) -> PageFacts:
    """Read a page and say what it is like.

    Raises: SourceError where the page could not be opened.
    """
    from schemaproof.markup import page_graph
    from schemaproof.sources import to_page

    page = to_page(source)
    graph = page_graph(page, vocabulary)
    stated = [statement for statement in graph.statements if statement.property != "@type"]
    names = frozenset(statement.property for statement in stated)
    types = frozenset(name for node in graph.nodes for name in node.types)
    return PageFacts(page.language, len(stated), names, types, len(source.data or b""), graph)


def roots_with(graph: Graph, cset: str) -> list[tuple[str, ...]]:
    """Types of the roots from which a node with this characteristic set can be reached (paper, section 4.3).

    Arguments:
        graph: the page's markup.
        cset: names with one space between, types as `isa:Name`.

    Returns: types of each such root in the order of the page; nothing where no node has the set.
    """
    wanted = frozenset(cset.split(" "))
    having = set()
    for node in graph.nodes:
        own = {f"{TYPE_PREFIX}{name}" for name in node.types}
        own |= {graph.statements[index].property for index in node.statements}
        # More may stand here than was counted: names outside the vocabulary, and other formats' statements.
        if wanted <= own:
            having.add(node.index)
    found = []
    for root in graph.roots:
        seen, waiting = {root}, [root]
        while waiting:
            for index in graph.nodes[waiting.pop()].statements:
                target = graph.statements[index].object
                if target is not None and target not in seen:
                    seen.add(target)
                    waiting.append(target)
        if seen & having:
            found.append(tuple(graph.nodes[root].types))
    return found


def languages_of(
    sources: Iterable[PageSource], vocabulary: Any, told: Callable[[str], None] = lambda _: None
) -> dict[str, str]:
    """Language of every page that can be read, by its URL (its name where it has none).

    Arguments:
        sources: the pages; of several captures of one the first that can be read counts.
        told: called with what is the matter with those that cannot be read.
    """
    from schemaproof.sources import to_page

    found: dict[str, str] = {}
    for source in sources:
        name = source.url or source.name
        if name not in found:
            try:
                found[name] = to_page(source).language
            except SchemaproofError as problem:
                told(f"{name}: {getattr(problem, 'reason', problem)}")
    return found


def write_sample(
    path: Path, pages: Sequence[Drawn], roots: Mapping[tuple[str, str], list[tuple[str, ...]]] | None = None
) -> None:
    """Write the sample as CSV or, where the name ends in .jsonl, as JSON Lines.

    Arguments:
        path: the file.
        pages: the sample.
        roots: (url, set) to the types of the roots, where pages were at hand.
    """
    with path.open("w", encoding="utf-8", newline="", errors="replace") as stream:
        lines = path.suffix.lower() == ".jsonl"
        writer = None if lines else csv.writer(stream, lineterminator="\n")
        if writer is not None:
            writer.writerow(COLUMNS)
        for page in pages:
            url = page.instance.url
            own: Any = (roots or {}).get((url, page.row.cset))
            values: list[Any] = [url, identifier(url), page.feature, page.stratum, page.row.cset, page.row.instances]
            values += [page.row.properties, page.instance.subject, page.language]
            if writer is not None:
                writer.writerow([*values, "" if own is None else json.dumps(own)])
            else:
                stream.write(json.dumps(dict(zip(COLUMNS, [*values, own], strict=True)), ensure_ascii=False) + "\n")


def read_urls(path: Path) -> Iterator[str]:
    """The addresses in a file: column url of CSV, JSON Lines or Parquet; else one a line. Each once, in order.

    Raises: InputError for a file without them.
    """
    seen: set[str] = set()
    for url in _urls(path):
        if url and url not in seen:
            seen.add(url)
            yield url


def _urls(path: Path) -> Iterator[str]:
    kind = path.suffix.lower()
    if not path.is_file():
        raise InputError("no such file", source=str(path))
    if kind == ".parquet":
        import duckdb

        try:
            query = "SELECT url FROM read_parquet(?, hive_partitioning = false)"
            rows = duckdb.connect(":memory:").execute(query, [glob.escape(str(path))]).fetchall()
        except duckdb.Error as problem:
            raise InputError(f"no column url ({str(problem).splitlines()[0]})", source=str(path)) from None
        yield from (str(row[0]) for row in rows if row[0] is not None)
        return
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            yield from _listed(path, stream)
    except UnicodeDecodeError:
        raise InputError("not a list of addresses: it is not UTF-8 text", source=str(path)) from None
    except OSError as problem:
        raise SourceError(str(path), problem.strerror or str(problem)) from None


def _listed(path: Path, stream: IO[str]) -> Iterator[str]:
    if path.suffix.lower() == ".csv":
        csv.field_size_limit(LONGEST_FIELD)
        reader = csv.DictReader(stream)
        try:
            if "url" not in (reader.fieldnames or ()):
                raise InputError("no column url", source=str(path), line=1)
            yield from (row["url"].strip() for row in reader if row["url"])
        except csv.Error as problem:
            raise InputError(f"not readable as CSV ({problem})", source=str(path), line=reader.line_num) from None
    elif path.suffix.lower() == ".jsonl":
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                url = json.loads(line)["url"]
            except (ValueError, KeyError, TypeError, RecursionError):
                raise InputError("no JSON object with url", source=str(path), line=number) from None
            if not isinstance(url, str):
                raise InputError("its url is no text", source=str(path), line=number)
            yield url
    else:
        yield from (line.strip() for line in stream if line.strip() and not line.startswith("#"))


@dataclass(slots=True)
class Characteristics:
    """A row of Table 6: property-value pairs (minimum, mean, maximum), distinct properties and types, size in KB."""

    pages: int = 0
    pairs: list[int] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)
    sizes: list[float] = field(default_factory=list)

    def add(self, facts: PageFacts) -> None:
        """Add a page."""
        self.pages += 1
        self.pairs.append(facts.pairs)
        self.names |= facts.names
        self.types |= facts.types
        self.sizes.append(facts.size / 1000)

    def as_dict(self) -> dict[str, Any]:
        """As plain data, in the table's columns."""
        return {
            "pages": self.pages,
            "pairs": _three(self.pairs),
            "properties": len(self.names),
            "types": len(self.types),
            "kilobytes": _three(self.sizes),
        }


def _three(values: Sequence[float]) -> list[float] | None:
    return [min(values), sum(values) / len(values), max(values)] if values else None


def characteristics(pages: Iterable[tuple[str, str, PageFacts]]) -> dict[tuple[str, str], Characteristics]:
    """Table 6: (feature, stratum) to what its pages are like, in the order they come; all pages under ("", "overall").

    Arguments:
        pages: feature, stratum and page.
    """
    found: dict[tuple[str, str], Characteristics] = {}
    overall = Characteristics()
    for feature, stratum, facts in pages:
        found.setdefault((feature, stratum), Characteristics()).add(facts)
        overall.add(facts)
    found["", "overall"] = overall
    return found
