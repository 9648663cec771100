"""JSON-LD to triples against PyLD with Schema.org's official context, side by side in one run.

    pip install PyLD
    python benchmarks/triples.py [SHARED] [--rounds 7] [--json]

SHARED is the folder of recorded data (its `vocabulary/30.0/schemaorgcontext.jsonld` and `paper/units.parquet`); it may
also be in the environment as SCHEMAPROOF_SHARED. Each round converts all markups with PyLD, whose context is parsed
once and kept, then with schemaproof, and takes each one's CPU time; garbage is collected before each. Printed are the
medians over the rounds with their spread (smallest and largest round), and the ratio of the medians.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

BASE = "https://example.com/page"


def markups(shared: Path) -> list[Any]:
    """The human markups of the recorded units."""
    import duckdb

    query = f"select coalesce(human_input_original, human_input) from '{shared / 'paper' / 'units.parquet'}'"
    return [json.loads(row[0]) for row in duckdb.execute(query).fetchall()]


def pyld(shared: Path) -> Callable[[Any], Any]:
    """PyLD's conversion with the official context at hand."""
    jsonld: Any = importlib.import_module("pyld.jsonld")
    context = json.loads((shared / "vocabulary/30.0/schemaorgcontext.jsonld").read_bytes())

    def load(url: str, options: Any = None) -> dict[str, Any]:
        return {"contentType": "application/ld+json", "contextUrl": None, "documentUrl": url, "document": context}

    options = {"documentLoader": load, "base": BASE}
    return lambda markup: jsonld.to_rdf(markup, options)


def ours(markup: Any) -> Any:
    """Our conversion."""
    from schemaproof.markup import to_triples

    return to_triples(markup if isinstance(markup, list) else [markup], base=BASE)


def seconds(convert: Callable[[Any], Any], found: list[Any]) -> float:
    """CPU seconds for all markups once."""
    gc.collect()
    started = time.process_time()
    for markup in found:
        convert(markup)
    return time.process_time() - started


def main() -> int:
    """Run the comparison; exit status 0 where we are at least 80 times as fast."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", default=os.environ.get("SCHEMAPROOF_SHARED"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not options.shared:
        parser.error("say where the recorded data are: an argument, or SCHEMAPROOF_SHARED")
    shared = Path(options.shared)
    found = markups(shared)
    theirs = pyld(shared)
    triples = sum(len(ours(markup)[0]) for markup in found)
    theirs(found[0])
    rounds = [(seconds(theirs, found), seconds(ours, found)) for _ in range(options.rounds)]
    answer: dict[str, Any] = {"markups": len(found), "triples": triples, "rounds": options.rounds}
    for place, name in enumerate(("pyld", "schemaproof")):
        times = sorted(1000 * each[place] / len(found) for each in rounds)
        answer[name] = {
            "ms_per_markup": round(statistics.median(times), 4),
            "spread": [round(times[0], 4), round(times[-1], 4)],
        }
    ratios = sorted(theirs_ / ours_ for theirs_, ours_ in rounds)
    answer["ratio"] = round(answer["pyld"]["ms_per_markup"] / answer["schemaproof"]["ms_per_markup"], 1)
    answer["ratio_spread"] = [round(ratios[0], 1), round(ratios[-1], 1)]
    if options.json:
        print(json.dumps(answer))
    else:
        print(f"{len(found)} markups, {triples} triples, {options.rounds} rounds; CPU ms a markup, median (spread)")
        for name in ("pyld", "schemaproof"):
            low, high = answer[name]["spread"]
            print(f"  {name:12} {answer[name]['ms_per_markup']:8.3f}  ({low:.3f} to {high:.3f})")
        low, high = answer["ratio_spread"]
        print(f"  {answer['ratio']:.1f} times as fast (single rounds {low:.1f} to {high:.1f})")
    return 0 if answer["ratio"] >= 80 else 1


if __name__ == "__main__":
    sys.exit(main())
