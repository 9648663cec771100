"""Fuzz the reading of pages: mutated fixtures through decoding, text, formats, places, graph and triples.

python scripts/fuzz_reading.py [--minutes 10] [--seed N] [--keep FOLDER]

Every input must be read without an exception, in time in proportion to its length, and give a page that obeys the laws
of tests/page/test_text.py. What fails is written to FOLDER (with its traceback), counted by kind, and the exit status
is 1. The same seed gives the same inputs.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from schemaproof.json_reader import read_json
from schemaproof.page import Page, read_document, read_page
from schemaproof.page.offsets import SourceMap

ROOT = Path(__file__).parent.parent
SEEDS = (ROOT / "tests" / "fixtures" / "pages-read", ROOT / "examples" / "pages")
SLOW = 1.5  # CPU seconds for a short input that are too many

TOKENS = [
    "<", ">", "</", "/>", "<!--", "-->", "<![CDATA[", "]]>", '"', "'", "=", "&", "&quot;", "&#0;", "&#xD800;",
    "&nbsp;", "{", "}", "[", "]", ",", ":", "\\", "\\u", "\\ud83d", "\\x2", "//", "/*", "*/", "\n", "\r\n", "\r",
    "\t", "\x00", "\ufeff", "\xa0", "\u2028", "\U0001f600", "null", "NaN", "1e999", "-", "0", "99999999999999999999",
    "true", '"@id":', '"@type":', '"@context":', '"@graph":[', '"@list":', '"@set":', '"@reverse":{', '"@value":',
    '"@language":', '"@vocab":', "_:b0", "https://schema.org/", "http://[", "../", "#",
    "<script type=application/ld+json>", "</script>", "<template>", "<table>", "<tr>", "<td rowspan=9 colspan=9>",
    "</table>", "<select>", "<option selected>", "<svg>", "<math>", "<title>", "<textarea>", "<plaintext>", "<pre>",
    "<noscript>", "<iframe>", "<a href=x>", "<b>", "</p>", "<body>", "</body>", "<head>", "<base href='//[x'>",
    "<meta charset=utf-16>", "<meta charset=gbk>", " hidden", " itemscope", " itemprop=a", " itemref=a",
    " itemtype=https://schema.org/Thing", " itemid=x", " id=a", " typeof=Thing", " property=name",
    " vocab=https://schema.org/", " resource=#x", " rel=author", " inlist", " prefix='a: b'",
    " style='display:none'", " style='visibility:visible'", " aria-hidden=true", " role=img", " alt=x",
    " srcset='a 1x, b'", " colspan=99999", " lang=ja", " content=x",
]  # fmt: skip


def seeds() -> list[str]:
    """Every fixture page, and what their scripts hold as documents of their own."""
    found = []
    for folder in SEEDS:
        for path in sorted(folder.glob("*.html")):
            source = path.read_text(encoding="utf-8")
            found.append(source)
            found += [script.source for script in read_page(source).scripts]
    return found


def mutate(rng: random.Random, corpus: list[str]) -> str:
    """A mutated seed: cut, doubled, spliced, with tokens put in."""
    source = rng.choice(corpus)
    if len(source) > 3000 and rng.random() < 0.7:
        start = rng.randrange(len(source) - 1000)
        source = source[start : start + rng.randrange(200, 3000)]
    for _ in range(rng.choice((1, 2, 4, 8, 16, 32))):
        at = rng.randrange(len(source) + 1)
        kind = rng.random()
        if kind < 0.45:
            source = source[:at] + rng.choice(TOKENS) + source[at:]
        elif kind < 0.6:
            source = source[:at] + source[at + rng.choice((1, 1, 2, 5, 40)) :]
        elif kind < 0.7:
            end = at + rng.randrange(1, 80)
            source = source[:end] + source[at:end] * rng.choice((1, 2, 5)) + source[end:]
        elif kind < 0.78:
            other = rng.choice(corpus)
            start = rng.randrange(len(other) + 1)
            source = source[:at] + other[start : start + rng.randrange(300)] + source[at:]
        elif kind < 0.86:
            source = (
                source[:at] + chr(rng.choice((rng.randrange(128), rng.randrange(0x3000), 0xD800, 0xFFFF))) + source[at:]
            )
        elif kind < 0.92:
            source = source[:at]
        elif kind < 0.96:
            token = rng.choice(TOKENS)
            source = source[:at] + token * rng.randrange(2, 400) + source[at:]
        else:
            source = source.replace(rng.choice(TOKENS[:40]), rng.choice(TOKENS[:40]), 3)
        if len(source) > 40_000:
            source = source[:40_000]
    return source


def check_page(page: Page) -> None:
    """The laws of a page, and that every answer can be written down."""
    last = 0
    for block in page.blocks:
        assert last <= block.start < block.end <= len(page.text), block
        assert page.text[block.start : block.end].strip(), block
        assert not page.text[last : block.start].strip("\n\t"), "text between blocks"
        last = block.end
    assert last == len(page.text)
    for link in (*page.links, *page.images):
        assert 0 <= link.start <= link.end <= len(page.text)
    for script in page.scripts:
        assert page.html[script.start : script.end] == script.source or not script.line
    lines = page.html.count("\n") + 1
    for notice in (*page.errors, *page.warnings, *page.hints):
        assert 0 <= notice.line <= lines, notice
    json.dumps([page.items, page.microdata, page.rdfa, page.text, page.title]).encode()
    page.text.encode()


def check_spans(page: Page, rng: random.Random) -> None:
    """Spans of the text lead into the source."""
    spans = SourceMap(page)
    for block in rng.sample(page.blocks, min(5, len(page.blocks))):
        span = spans.span(block.start, block.end)
        assert span is None or 0 <= span[0] < span[1] <= len(page.html)


def check_markup(page: Page) -> None:
    """Graph and triples of the page's markup."""
    from schemaproof.markup import page_graph, to_nquads, to_triples
    from schemaproof.vocabulary import load

    graph = page_graph(page, load())
    for statement in graph.statements:
        assert statement.path.startswith("/") or not statement.path
    to_nquads(to_triples(page.items, base=page.base)[0]).encode()


def one(rng: random.Random, corpus: list[str]) -> tuple[str, Callable[[], None]]:
    """An input, and what is done with it."""
    source = mutate(rng, corpus)
    url = rng.choice((None, "https://e.example/a/b", "http://[", ""))
    content_type = rng.choice(
        (None, None, "text/html; charset=windows-1252", "application/ld+json", "text/html;charset=utf-16")
    )

    def work() -> None:
        data: bytes | str = source
        if rng.random() < 0.5:
            data = source.encode(rng.choice(("utf-8", "utf-8", "utf-16", "latin-1", "gb18030")), "replace")
        page = read_document(data, url=url, content_type=content_type)
        check_page(page)
        check_spans(page, rng)
        check_markup(page)
        reading = read_json(source)
        if reading.values:
            reading.locate("/a/0/b")

    return source, work


def main() -> None:
    """Fuzz until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="folder for inputs that fail, and for the last seed")
    options = parser.parse_args()
    faulthandler.enable()
    corpus = seeds()
    last = (options.keep or Path()) / "last-seed.txt"
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    ends = time.monotonic() + options.minutes * 60
    failed: Counter[str] = Counter()
    count = 0
    while time.monotonic() < ends:
        seed = options.seed * 10_000_000 + count
        rng = random.Random(seed)
        source, work = one(rng, corpus)
        if options.keep:  # what a crash of the whole process leaves behind
            last.write_text(str(seed), encoding="ascii")
        started = time.process_time()
        kind = ""
        try:
            work()
            if count and time.process_time() - started > SLOW:
                kind = "slow"
        except Exception as problem:
            place = traceback.extract_tb(problem.__traceback__)[-1]
            kind = f"{type(problem).__name__} at {Path(place.filename).name}:{place.lineno}"
        if kind:
            failed[kind] += 1
            if failed[kind] == 1:
                print(f"seed {seed}: {kind}\n{traceback.format_exc(limit=-4)}", file=sys.stderr, flush=True)
                if options.keep:
                    (options.keep / f"{seed}.txt").write_bytes(source.encode("utf-8", "surrogatepass"))
        count += 1
    print(f"{count} inputs in {options.minutes:g} minutes, {failed.total()} failed")
    for kind, times in failed.most_common():
        print(f"{times:6} {kind}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
