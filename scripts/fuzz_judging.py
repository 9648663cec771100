"""Fuzz the whole way of a page: mutated pages and markups through graph, agents, extractor, cleaning and counting.

python scripts/fuzz_judging.py [--minutes 10] [--seed N] [--keep FOLDER]

Every input must be judged without an exception, in time in proportion to its length, and every rejected statement must
have a reason. What fails is written to FOLDER with its traceback, and the exit status is 1. Inputs are those of
fuzz_reading.py.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

from schemaproof.pipeline.checking import Checker, CheckOptions
from schemaproof.pipeline.cleaning import clean
from schemaproof.pipeline.curation import AGENTS
from schemaproof.pipeline.plan import make_plan
from schemaproof.pipeline.work import make_bench, work
from schemaproof.sources import to_page
from schemaproof.sources.model import PageSource

SLOW = 5.0  # CPU seconds for one input that are too many


def main() -> int:
    """Fuzz until the time is over; exit status 1 where anything failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"))
    options = parser.parse_args()
    reading = importlib.import_module("fuzz_reading")
    corpus = reading.seeds()
    rng = random.Random(options.seed)
    bench = make_bench(make_plan())
    # Every agent also for markup without a page, so that the judges see odd values and not only odd pages.
    checker = Checker(CheckOptions(agents=AGENTS))
    failures: Counter[str] = Counter()
    count = 0
    end = time.monotonic() + 60 * options.minutes
    while time.monotonic() < end:
        count += 1
        text = reading.mutate(rng, corpus)
        source = PageSource(f"input {count}", text.encode("utf-8", "replace"), "https://example.com/page", str(count))
        started = time.process_time()
        kind = ""
        report = ""
        try:
            result = work(source, "", bench)
            if result.error is not None:
                kind = f"run: {result.error[:80]}"
            page = to_page(source)
            checked = checker.check(page)
            assert checked.answer is not None
            for row in checked.answer["statements"]:
                said = row["verdicts"].values()
                if any(verdict["verdict"] == "reject" and not verdict["reason"].strip() for verdict in said):
                    kind = "a rejection without a reason"
            clean(page, checker, fix=True)
        except Exception as problem:  # the whole point is to see what is raised
            kind, report = f"{type(problem).__name__}: {str(problem)[:80]}", traceback.format_exc()
        seconds = time.process_time() - started
        if not kind and seconds > SLOW:
            kind = f"slow: more than {SLOW:g} s"
        if kind:
            failures[kind] += 1
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"{count}.html").write_bytes(source.data or b"")
            (options.keep / f"{count}.txt").write_text(f"{kind}\n{seconds:.2f} s\n{report}", encoding="utf-8")
    print(f"{count} inputs in {options.minutes:g} minutes, {sum(failures.values())} failures")
    for kind, number in failures.most_common():
        print(f"  {number}  {kind}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
