"""Reading pages: this package against extruct and a bare parse, side by side in one run.

python benchmarks/reading.py [PAGES.parquet] [--repeats 7]        needs: pip install 'schemaproof[bench]'

PAGES.parquet has the columns url and html; without one, the pages of examples/pages are read. Every row of the table is
one way of reading all pages; ways take turns, so that a busy machine is busy for all of them. Figures are CPU
milliseconds a page: median of the repeats, and the smallest and largest.

Both sides get decoded text and give all JSON-LD, and all microdata where it says so, of every page; ours comes with
places in the source and warnings. `whole page` adds what the rest of the package needs: visible text with its blocks,
links and images, language.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from schemaproof.page import read_embedded, read_page

EXAMPLES = Path(__file__).parent.parent / "examples" / "pages"
Reader = Callable[[str, str], Any]


def bare(html: str, url: str) -> None:
    """The parse that everything else stands on."""
    LexborHTMLParser(html)


def json_ld(html: str, url: str) -> int:
    """Our JSON-LD alone, with places and warnings; returns the number of blocks."""
    return len(read_embedded(html, url=url, microdata=False).scripts)


def markup(html: str, url: str) -> int:
    """Our JSON-LD and microdata; returns the number of blocks and items."""
    found = read_embedded(html, url=url)
    return len(found.scripts) + len(found.microdata)


def peers() -> dict[str, Reader]:
    """What extruct does, if it is installed. Pages that it cannot read cost what they cost until it gives up."""
    try:
        extruct = importlib.import_module("extruct")
    except ImportError:
        print("extruct is not installed: pip install 'schemaproof[bench]'", file=sys.stderr)
        return {}

    def read(html: str, url: str, syntaxes: list[str]) -> int:
        try:
            found = extruct.extract(html, base_url=url, syntaxes=syntaxes, errors="log")
        except Exception:  # a page that it trips over as a whole
            return -1
        return sum(map(len, found.values()))

    return {
        "extruct json-ld": lambda html, url: read(html, url, ["json-ld"]),
        "extruct json-ld + microdata": lambda html, url: read(html, url, ["json-ld", "microdata"]),
        "extruct, all it reads": lambda html, url: read(html, url, extruct.SYNTAXES),
    }


def load(file: str | None) -> list[tuple[str, str]]:
    """(html, url) of all pages."""
    if file is None:
        return [
            (path.read_text(encoding="utf-8"), f"https://site.example/{path.name}") for path in EXAMPLES.glob("*.html")
        ]
    import duckdb

    return duckdb.execute("select html, coalesce(url, '') from read_parquet(?)", [file]).fetchall()


def measure(readers: dict[str, Reader], pages: list[tuple[str, str]], repeats: int) -> dict[str, list[float]]:
    """CPU milliseconds a page for each repeat; one round to warm up is not counted."""
    times: dict[str, list[float]] = {name: [] for name in readers}
    for turn in range(repeats + 1):
        for name, reader in readers.items():
            started = time.process_time()
            for html, url in pages:
                reader(html, url)
            if turn:
                times[name].append((time.process_time() - started) * 1000 / len(pages))
    return times


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?")
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    import logging

    logging.disable(logging.CRITICAL)
    pages = load(options.file)
    readers: dict[str, Reader] = {
        "bare parse": bare,
        "json-ld": json_ld,
        "json-ld + microdata": markup,
        "whole page": lambda html, url: read_page(html, url=url),
        **peers(),
    }
    times = measure(readers, pages, options.repeats)
    size = sum(len(html) for html, _ in pages) / len(pages) / 1000
    print(f"{len(pages)} pages, {size:.0f} thousand characters on average")
    print(f"{'':30}{'median':>9}{'min':>9}{'max':>9}   CPU ms a page")
    for name, each in times.items():
        print(f"{name:30}{statistics.median(each):9.3f}{min(each):9.3f}{max(each):9.3f}")
    for ours, theirs in (
        ("json-ld", "extruct json-ld"),
        ("json-ld + microdata", "extruct json-ld + microdata"),
        ("whole page", "extruct json-ld + microdata"),
        ("whole page", "extruct, all it reads"),
    ):
        if theirs in times:
            ratios = [b / a for a, b in zip(times[ours], times[theirs], strict=True)]
            print(
                f"{theirs} takes {statistics.median(ratios):.1f} times as long as {ours} "
                f"({min(ratios):.1f} to {max(ratios):.1f})"
            )
    whole = [b / a for a, b in zip(times["bare parse"], times["whole page"], strict=True)]
    spread = f"({min(whole):.1f} to {max(whole):.1f})"
    print(f"whole page takes {statistics.median(whole):.1f} times as long as a bare parse {spread}")
    missed = {
        name: sum(reader(html, url) == -1 for html, url in pages)
        for name, reader in readers.items()
        if "extruct" in name
    }
    for name, count in missed.items():
        print(f"{name}: {count} pages lost as a whole")


if __name__ == "__main__":
    main()
