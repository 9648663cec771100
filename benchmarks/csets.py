"""Characteristic sets: quads a second and memory, beside bare gunzip, DuckDB and PySpark, in one run.

    python benchmarks/csets.py [--quads 1500000] [--folder FOLDER] [--ways ours,any,duckdb,spark] [--runs 3]

Makes two skewed synthetic files in the form of WebDataCommons' (page after page, gzip) and counts them in every way;
each way runs in a process tree of its own and is timed whole, start included: wall seconds, CPU seconds and the peak of
the tree's memory (Pss: shared pages once). All ways must give the same sets with the same counts; where one does not,
the exit status is 1. pip install 'schemaproof[spark]' and Java 17 for the way "spark".
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


def write_quads(path: Path, quads: int, seed: int) -> int:
    """Write a file of at least so many quads; returns how many.

    Types, templates and sites are drawn from power laws; subjects have 1 to about 30 properties, one page in some has
    names that the vocabulary does not have.
    """
    from isal import igzip

    from schemaproof.vocabulary import load

    vocabulary = load()
    rng = random.Random(seed)
    types = sorted(vocabulary.types)
    rng.shuffle(types)
    templates = []
    for _ in range(6000):
        kind = types[min(int(rng.paretovariate(0.7)) - 1, len(types) - 1)]
        names = sorted(vocabulary.properties_of(kind))
        templates.append((kind, rng.sample(names, min(len(names), 1 + int(rng.expovariate(1 / 5))))))
    written = page = 0
    with igzip.open(path, "wb", compresslevel=1) as stream:  # type: ignore[no-untyped-call]
        while written < quads:
            page += 1
            site = int(rng.paretovariate(0.8)) % 20000
            url = f"https://www.site-{site}.example/{rng.choice(['product', 'news', 'recipe'])}/{seed}-{page:07d}.html"
            lines = []
            for number in range(1 + int(rng.expovariate(1 / 5))):
                kind, names = templates[int(rng.paretovariate(0.55)) % len(templates)]
                if rng.random() < 0.15:
                    names = [name for name in names if rng.random() < 0.8]
                if rng.random() < 0.02:
                    names = [*names, "notInTheVocabulary"]
                blank = rng.random() < 0.85
                subject = f"_:n{rng.getrandbits(96):024x}x{number}" if blank else f"<{url}#{number}>"
                lines.append(f"{subject} {TYPE} <http://schema.org/{kind}> <{url}> .\n")
                for name in names:
                    lines.append(f"{subject} <http://schema.org/{name}> {_value(rng)} <{url}> .\n")
            written += len(lines)
            stream.write("".join(lines).encode())
    return written


def _value(rng: random.Random) -> str:
    chance = rng.random()
    if chance < 0.2:
        return f"<https://www.example.org/{rng.getrandbits(40):x}>"
    if chance < 0.35:
        return f"_:n{rng.getrandbits(64):x}"
    if chance < 0.38:
        return '"say \\"hello\\" to all"'
    suffix = "@en" if chance < 0.45 else "^^<http://schema.org/Date>" if chance < 0.48 else ""
    return f'"{"some words of a value " * (1 + int(rng.expovariate(0.5)))}"{suffix}'


def shuffle(paths: list[Path], target: Path) -> None:
    """All lines of the files in one, in no order."""
    import gzip

    lines = [line for path in paths for line in gzip.decompress(path.read_bytes()).splitlines(keepends=True)]
    random.Random(0).shuffle(lines)
    target.write_bytes(b"".join(lines))


GUNZIP = """
import sys
from concurrent.futures import ThreadPoolExecutor
from isal import igzip
def read(path):
    with igzip.open(path) as stream:
        while stream.read(1 << 18): pass
with ThreadPoolExecutor(2) as threads: list(threads.map(read, sys.argv[1:]))
"""

# The quickest of several forms: lines as CSV of one column, taken apart by one regular expression; pages and subjects
# as 64-bit hashes, names as numbers from a table, so that filtering is a join; one row a (page, subject), then one a
# set.
DUCKDB = """
import csv, json, sys
import duckdb
from schemaproof.vocabulary import load
target, limit, *paths = sys.argv[1:]
vocabulary = load()
connection = duckdb.connect(config={"threads": "2", "memory_limit": limit, "preserve_insertion_order": "false"})
connection.execute("CREATE TABLE names (iri VARCHAR, id USMALLINT)")
shown = sorted([*vocabulary.properties, *(f"isa:{name}" for name in vocabulary.types)])
number = {name: place for place, name in enumerate(shown)}
# A type's token has its brackets, a predicate's has not: one table serves both.
names = [(f"http://schema.org/{name}", number[name]) for name in vocabulary.properties]
names += [(f"<http://schema.org/{name}>", number[f"isa:{name}"]) for name in vocabulary.types]
connection.executemany("INSERT INTO names VALUES (?, ?)", names)
rows = connection.execute('''
WITH lines AS (
    SELECT regexp_extract(line, '^(\\\\S+) <([^>]*)> (.*) <([^>]*)> \\\\.$', ['s', 'p', 'o', 'g']) AS q
    FROM read_csv(?, columns = {'line': 'VARCHAR'}, delim = '\\x01', quote = '', escape = '', header = false,
        auto_detect = false)
), named AS (
    SELECT hash(q.g) AS g, hash(q.s) AS s, id
    FROM lines JOIN names
        ON iri = CASE WHEN q.p = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type' THEN q.o ELSE q.p END
), sets AS (
    SELECT g, s, list_sort(list_distinct(list(id))) AS cset FROM named GROUP BY g, s
)
SELECT cset, count(*) AS instances, count(DISTINCT g) AS pages FROM sets GROUP BY cset
''', [paths]).fetchall()
with open(target, "w", newline="") as stream:
    writer = csv.writer(stream)
    writer.writerow(("cset", "instances", "properties", "pages"))
    for ids, instances, pages in rows:
        writer.writerow((" ".join(shown[each] for each in ids), instances, len(ids), pages))
"""


def measure(command: list[str], environment: dict[str, str] | None = None) -> dict[str, float]:
    """Run a command in a session of its own: wall and CPU seconds, peak memory (MB) of all its processes."""
    from benchmarks.pages import tree

    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, **(environment or {})},
    )
    peak = resident = 0.0
    cpu: dict[int, float] = {}
    while process.poll() is None:
        now, proportional, seconds = tree(process.pid)
        peak, resident = max(peak, proportional), max(resident, now)
        cpu.update(seconds)
        # Reading what a process tree uses takes a processor from it: not too often.
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
    wall = time.perf_counter() - started
    if process.returncode:
        print(process.stderr.read().decode("utf-8", "replace")[-2000:] if process.stderr else "", file=sys.stderr)
        raise SystemExit(f"{command[:4]} failed")
    return {"wall": wall, "cpu": sum(cpu.values()), "pss": peak, "rss": resident}


def sets_of(path: Path) -> dict[str, tuple[str, str]]:
    """Set to (instances, pages)."""
    csv.field_size_limit(sys.maxsize)
    with path.open(newline="", encoding="utf-8") as stream:
        return {row["cset"]: (row["instances"], row["pages"]) for row in csv.DictReader(stream)}


def main() -> int:
    """Print the figures; exit status 1 where two ways differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quads", type=int, default=1_500_000, help="of each file")
    parser.add_argument("--folder", help="where the files are made and kept")
    parser.add_argument("--ways", default="gunzip,ours,any,duckdb,spark")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.folder or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        paths = [folder / f"{seed}-{options.quads}.nq.gz" for seed in (1, 2)]
        count = 0
        for seed, path in enumerate(paths, 1):
            mark = path.with_suffix(".count")
            if not (path.is_file() and mark.is_file()):
                mark.write_text(str(write_quads(path, options.quads, seed)))
            count += int(mark.read_text())
        shuffled = folder / f"shuffled-{options.quads}.nq"
        ways = options.ways.split(",")
        if "any" in ways and not shuffled.is_file():
            shuffle(paths, shuffled)
        files = [str(path) for path in paths]
        ours = [sys.executable, "-m", "schemaproof", "sample", "count"]
        commands: dict[str, list[str]] = {
            "gunzip": [sys.executable, "-c", GUNZIP, *files],
            "ours": [*ours, *files, "-o", str(folder / "ours.csv")],
            "any": [*ours, str(shuffled), "-o", str(folder / "any.csv")],
            "duckdb": [sys.executable, "-c", DUCKDB, str(folder / "duckdb.csv"), "2GB", *files],
            "spark": [*ours, *files, "--master", "local[2]", "-o", str(folder / "spark.csv")],
        }
        found: dict[str, dict[str, float]] = {}
        for way in ways:
            runs = [measure(commands[way]) for _ in range(1 if way in ("spark", "any") else options.runs)]
            best = min(runs, key=lambda run: run["wall"])
            found[way] = best | {"pss": max(run["pss"] for run in runs)}
        expected = sets_of(folder / "ours.csv") if "ours" in ways else None
        wrong = [
            way
            for way in ways
            if expected is not None and way != "gunzip" and sets_of(folder / f"{way}.csv") != expected
        ]
    if options.json:
        print(json.dumps({"quads": count, "ways": found, "different": wrong}))
    else:
        base = found.get("ours")
        print(f"{count} quads, {len(expected or ())} sets")
        for way, run in found.items():
            line = (
                f"{way:7} {run['wall']:7.2f} s wall {run['cpu']:7.2f} s CPU {count / run['wall'] / 1e6:6.2f} M quads/s"
            )
            line += f" {count / run['cpu'] / 1e6:6.2f} M a CPU second {run['pss']:7.0f} MB Pss {run['rss']:7.0f} MB Rss"
            if base is not None and way != "ours":
                line += f"   ours: {run['wall'] / base['wall']:.2f} times as fast, CPU {run['cpu'] / base['cpu']:.2f},"
                line += f" memory {base['pss'] / run['pss']:.2f}"
            print(line)
        print("all ways give the same sets" if not wrong else f"DIFFERENT SETS: {', '.join(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
