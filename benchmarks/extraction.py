"""Scoring extraction answers: this package against plain scoring with sacrebleu, in one run.

python benchmarks/extraction.py [--rows 2000] [--repeats 3] [--memory]

The peer is what anyone would write from the data set's description: `sacrebleu.sentence_bleu` for every text and for
the whole, `jsonschema_rs.validate`, a recursive flattening. Both get the same 2,000 rows (about 3.5 kB of gold each,
answers with typical faults) as lines of a file and must agree bit for bit (on Python 3.12 and newer; before, plain
`sum` in sacrebleu differs in the last bits, so the peer's sum is exchanged).

`--memory` scores 20,000 and 200,000 rows from files and prints the peak memory of either run.
"""

from __future__ import annotations

import argparse
import builtins
import json
import math
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

STARTS, MIDDLES, ENDS = ("ba", "ke", "li", "mo", "tru", "sha"), ("n", "rd", "st", "l"), ("a", "et", "ing", "o", "us")
WORDS = [a + b + c for a in STARTS for b in MIDDLES for c in ENDS]


def make_rows(count: int, items: int = 11, seed: int = 0) -> list[dict[str, Any]]:
    """Rows of about 3.5 kB gold: a shop's list of products, answers with typos, lost and invented items."""
    rng = random.Random(seed)

    def text(low: int, high: int) -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(low, high))).capitalize()

    properties = {
        "name": {"type": "string"}, "price": {"type": "number"}, "currency": {"type": "string"},
        "url": {"type": "string"}, "in_stock": {"type": "boolean"}, "rating": {"type": ["number", "null"]},
        "description": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}},
    }  # fmt: skip
    item = {"type": "object", "properties": properties, "required": ["name", "price"]}
    rows = []
    for number in range(count):
        products = [
            {
                "name": text(2, 4), "price": rng.randint(100, 99999) / 100, "currency": "USD",
                "url": f"https://shop.example/p/{rng.randint(1, 10**6)}", "in_stock": rng.random() < 0.7,
                "rating": round(rng.uniform(1, 5), 1), "description": text(8, 20) + ".",
                "tags": [text(1, 1) for _ in range(3)],
            }
            for _ in range(items)
        ]  # fmt: skip
        gold = {"page": {"title": text(3, 6), "intro": text(20, 40) + "."}, "products": products}
        answer = json.loads(json.dumps(gold))
        for product in answer["products"]:
            for key in list(product):
                chance = rng.random()
                if chance < 0.04:
                    del product[key]
                elif chance < 0.12:
                    product[key] = text(1, 6) if isinstance(product[key], str) else product[key]
        if rng.random() < 0.3:
            answer["products"].pop(rng.randrange(len(products)))
        if rng.random() < 0.2:
            answer["page"]["title"] = text(2, 5)
        schema = {
            "type": "object",
            "properties": {"page": {"type": "object"}, "products": {"type": "array", "items": item}},
            "required": ["products", f"key{number % 40}"] if number % 9 == 0 else ["products"],
        }
        response = json.dumps(answer, indent=rng.choice((None, 2)))
        rows.append(
            {
                "id": number,
                "response": response[:-40] if number % 50 == 0 else response,
                "gold": json.dumps(gold),
                "schema": json.dumps(schema),
            }
        )
    return rows


EMPTY = object()


def plain_flatten(value: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, inner in value.items():
        key = key.replace("\\", "\\\\").replace(".", "\\.")
        name = f"{prefix}.{key}" if prefix else key
        if isinstance(inner, dict):
            found.update(plain_flatten(inner, name) if inner else {name: EMPTY})
        elif isinstance(inner, list):
            found.update(plain_flatten_list(inner, name))
        else:
            found[name] = inner
    return found


def plain_flatten_list(value: list[Any], name: str) -> dict[str, Any]:
    if not any(isinstance(each, dict) for each in value):
        return {name: value}
    merged: dict[str, Any] = {}
    for each in value:
        flat: dict[str, Any] = {}
        if isinstance(each, dict):
            flat = plain_flatten(each, name + "[*]")
        elif isinstance(each, list):
            flat = plain_flatten_list(each, name + "[*]")
        for key, inner in flat.items():
            merged.setdefault(key, []).append(inner)
    return merged


def plain_compare(answer: Any, gold: Any, bleu: Callable[[str, str], float]) -> float:
    if gold is EMPTY or gold is None:
        return float(answer is gold)
    if isinstance(gold, bool):
        return float(answer == gold)
    if isinstance(gold, int | float):
        if isinstance(gold, float) or isinstance(answer, float):
            try:
                return float(math.isclose(answer, gold, rel_tol=1e-9, abs_tol=1e-12))
            except TypeError:
                return 0.0
        return float(answer == gold)
    if isinstance(gold, list):
        if not isinstance(answer, list):
            return 0.0
        try:
            return float(Counter(answer) == Counter(gold))
        except TypeError:
            return float(sorted(answer, key=str) == sorted(gold, key=str))
    answer = answer if isinstance(answer, str) else str(answer)
    if not answer or not gold:
        return float(answer == gold)
    return bleu(answer, gold)


def plain_score(line: bytes) -> dict[str, float]:
    """The metrics of one row, written in the obvious way."""
    import jsonschema_rs
    import orjson
    import sacrebleu

    def bleu(answer: str, gold: str) -> float:
        return float(sacrebleu.sentence_bleu(answer, [gold]).score) / 100.0

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        times = Counter(key for key, _ in pairs)
        return {key: value for key, value in pairs if times[key] == 1}

    row = json.loads(line)
    gold, schema = json.loads(row["gold"]), json.loads(row["schema"])
    valid = compliant = 1.0
    answer: Any = {} if isinstance(gold, dict) else []
    try:
        parsed = orjson.loads(row["response"])
        answer = json.loads(row["response"], object_pairs_hook=unique)
        try:
            jsonschema_rs.validate(schema, parsed)
        except ValueError:
            compliant = 0.0
    except orjson.JSONDecodeError:
        valid = compliant = 0.0
    answer = {"[root]": answer} if isinstance(answer, list) else answer
    gold = {"[root]": gold} if isinstance(gold, list) else gold
    ours, theirs = plain_flatten(answer), plain_flatten(gold)
    shared = ours.keys() & theirs.keys()
    precision = len(shared) / len(ours) if ours else float(not theirs)
    recall = len(shared) / len(theirs) if theirs else float(not ours)
    scores = [plain_compare(ours[key], theirs[key], bleu) if key in ours else 0.0 for key in theirs]
    dumped = [orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode() for value in (answer, gold)]
    return {
        "is_valid_json": valid, "is_schema_compliant": compliant, "key_precision": precision, "key_recall": recall,
        "key_f1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        "missing_keys": float(len(theirs) - len(shared)), "extra_keys": float(len(ours) - len(shared)),
        "value_score": plain_sum(scores) / len(scores) if scores else float(not ours),
        "overall_bleu": bleu(dumped[0], dumped[1]),
    }  # fmt: skip


plain_sum: Callable[[list[float]], float] = builtins.sum


def same_sum_everywhere() -> None:
    """Before Python 3.12 `sum` is not compensated: exchange it, here and in sacrebleu."""
    global plain_sum
    if sys.version_info < (3, 12):
        import sacrebleu.metrics.bleu

        from schemaproof.extraction.bleu import compensated_sum

        plain_sum = compensated_sum
        sacrebleu.metrics.bleu.sum = compensated_sum  # type: ignore[attr-defined]


def timed(work: Callable[[], Any], repeats: int, clock: Callable[[], float]) -> tuple[float, Any]:
    """The best of several times, and the last result."""
    best, result = math.inf, None
    for _ in range(repeats):
        start = clock()
        result = work()
        best = min(best, clock() - start)
    return best, result


def peak_memory(path: Path, workers: int) -> float:
    """Peak memory in MB of a process that scores a file, children included if larger."""
    program = (
        "import resource, sys\n"
        "from schemaproof.extraction.scorer import Settings\n"
        "from schemaproof.extraction.totals import totals_of\n"
        "from schemaproof.pipeline.extraction_score import score_file\n"
        "if __name__ == '__main__':\n"
        f"    report = totals_of(score_file({str(path)!r}, Settings(reading='raw'), workers={workers}), 'reference')\n"
        "    report.whole.means.means()\n"
        "    who = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN\n"
        "    print(report.whole.rows, max(resource.getrusage(each).ru_maxrss for each in who) / 1024)\n"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    return float(out[1])


def main() -> int:
    """Print the ratios; exit status 1 where results differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--memory", action="store_true")
    options = parser.parse_args()
    same_sum_everywhere()

    from schemaproof.extraction.scorer import Settings
    from schemaproof.pipeline.extraction_score import score_file

    rows = make_rows(options.rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        size = sum(len(row["gold"]) for row in rows) / len(rows)
        print(f"{len(rows)} rows, {size:.0f} bytes of gold each, Python {sys.version.split()[0]}")
        settings = Settings(profile="reference", reading="raw")

        def ours(workers: int) -> list[dict[str, float]]:
            return [dict(score.metrics) for score in score_file(str(path), settings, workers=workers)]

        def plain() -> list[dict[str, float]]:
            with path.open("rb") as stream:
                return [plain_score(line) for line in stream]

        ours(1)
        # sacrebleu remembers the last 65,536 texts it tokenized: only its first pass is honest.
        slow_cpu, slow_wall = time.process_time(), time.perf_counter()
        expected = plain()
        slow_cpu, slow_wall = time.process_time() - slow_cpu, time.perf_counter() - slow_wall
        fast_cpu, got = timed(lambda: ours(1), options.repeats, time.process_time)
        fast_wall, got_two = timed(lambda: ours(2), options.repeats, time.perf_counter)
        equal = got == expected and got_two == expected
        print(f"plain sacrebleu-based scoring   {slow_cpu:7.2f} s CPU  {len(rows) / slow_cpu:7.0f} rows/s")
        print(
            f"schemaproof, one process        {fast_cpu:7.2f} s CPU  {len(rows) / fast_cpu:7.0f} rows/s  "
            f"{slow_cpu / fast_cpu:5.2f} times as fast"
        )
        print(
            f"schemaproof, two processes      {fast_wall:7.2f} s wall {len(rows) / fast_wall:7.0f} rows/s  "
            f"{slow_wall / fast_wall:5.2f} times as fast (start of the processes included)"
        )
        print(f"results equal bit for bit: {'yes' if equal else 'NO'}")
        if options.memory:
            # Short rows: memory, not time, is the question here.
            short = "".join(json.dumps(row) + "\n" for row in make_rows(1000, items=1)).encode()
            for times in (20, 200):
                large = Path(folder) / "large.jsonl"
                with large.open("wb") as stream:
                    for _ in range(times):
                        stream.write(short)
                peaks = ", ".join(f"{peak_memory(large, workers):.0f} MB with {workers}" for workers in (1, 2))
                print(f"{times}000 rows ({large.stat().st_size / 1e6:.0f} MB): peak memory {peaks} process(es)")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
