"""The main job on real pages: pages a second, memory of the whole process tree, CPU as a multiple of the bare parse.

    python benchmarks/pages.py [PAGES.parquet | FOLDER] [--runs 3]

Without an argument it takes the recorded pages beside the checkout, else the example pages. One run works with one
process (whole-process CPU, start of the interpreter included), one with as many as there are processors (speed and
memory); the bare parse of the same bytes is timed in the same run, before and after. Stages are CPU seconds as the
run file holds them.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def bare_parse(sources: list[bytes]) -> float:
    """CPU seconds of parsing these pages once with selectolax, best of five."""
    from selectolax.lexbor import LexborHTMLParser

    texts = [source.decode("utf-8", "replace") for source in sources]
    best = float("inf")
    for _ in range(5):
        started = time.process_time()
        for text in texts:
            LexborHTMLParser(text)
        best = min(best, time.process_time() - started)
    return best


def tree(session: int) -> tuple[float, float, dict[int, float]]:
    """Resident and proportional memory (MB) of all processes of a session, and CPU seconds by process."""
    resident = proportional = 0.0
    cpu: dict[int, float] = {}
    ticks = os.sysconf("SC_CLK_TCK")
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            if int(fields[3]) != session:
                continue
            cpu[int(entry.name)] = (int(fields[11]) + int(fields[12])) / ticks
            for line in (entry / "smaps_rollup").read_text().splitlines():
                if line.startswith("Rss:"):
                    resident += int(line.split()[1]) / 1024
                elif line.startswith("Pss:"):
                    proportional += int(line.split()[1]) / 1024
        except (OSError, IndexError, ValueError):
            continue
    return resident, proportional, cpu


def run_once(target: str, jobs: int) -> dict[str, float]:
    """One run in a session of its own: wall and CPU seconds, peak memory, stages."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.db"
        command = [sys.executable, "-m", "schemaproof", "run", target, "-o", str(file), "--json", "--no-markup"]
        started = time.perf_counter()
        process = subprocess.Popen(
            [*command, "--jobs", str(jobs)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
        )
        peak = shared = 0.0
        cpu: dict[int, float] = {}
        while process.poll() is None:
            resident, proportional, seconds = tree(process.pid)
            peak, shared = max(peak, resident), max(shared, proportional)
            cpu.update(seconds)
            time.sleep(0.02)
        wall = time.perf_counter() - started
        if process.returncode != 0:
            sys.exit(process.stderr.read().decode() if process.stderr else "the run failed")
        answer: dict[str, float] = {"wall": wall, "cpu": sum(cpu.values()), "resident": peak, "proportional": shared}
        with sqlite3.connect(file) as connection:
            rows = connection.execute("SELECT seconds FROM pages").fetchall()
        connection.close()
        answer["pages"] = len(rows)
        for (text,) in rows:
            for stage, value in json.loads(text).items():
                answer[f"stage {stage}"] = answer.get(f"stage {stage}", 0.0) + value
        return answer


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    recorded = ROOT.parent / "shared" / "paper" / "pages.parquet"
    default = recorded if recorded.is_file() else ROOT / "examples" / "pages"
    parser.add_argument("target", nargs="?", default=str(default))
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()

    from schemaproof.sources import open_sources

    sources = [source.data for source in open_sources([options.target]) if source.data is not None]
    size = len(sources)
    before = bare_parse(sources)
    ones = [run_once(options.target, 1) for _ in range(options.runs)]
    alls = [run_once(options.target, 0) for _ in range(options.runs)]
    parse = min(before, bare_parse(sources))

    def median(runs: list[dict[str, float]], key: str) -> float:
        return statistics.median(run[key] for run in runs)

    bare = 1000 * parse / size
    whole = 1000 * median(ones, "cpu") / size
    inside = {key: median(ones, key) for key in ones[0] if key.startswith("stage ")}
    working = 1000 * sum(inside.values()) / size
    print(f"{size} pages, bare parse {bare:.3f} ms a page")
    print(f"one process: {whole:.1f} ms CPU a page with start-up, {whole / bare:.1f} times the bare parse")
    print(f"             {working:.1f} ms CPU a page in the stages, {working / bare:.1f} times")
    print(f"             peak {median(ones, 'resident'):.0f} MB resident")
    print(
        f"{os.cpu_count()} processors: {size / median(alls, 'wall'):.1f} pages a second, {median(alls, 'wall'):.2f} s, "
        f"{1000 * median(alls, 'cpu') / size:.1f} ms CPU a page ({1000 * median(alls, 'cpu') / size / bare:.1f} times)"
    )
    print(
        f"             peak of the process tree {max(run['resident'] for run in alls):.0f} MB resident (shared pages "
        f"counted in each), {max(run['proportional'] for run in alls):.0f} MB proportional"
    )
    total = sum(inside.values())
    for key, value in sorted(inside.items(), key=lambda pair: -pair[1]):
        print(f"  {key.removeprefix('stage '):18} {100 * value / total:5.1f}%  {1000 * value / size:6.2f} ms a page")


if __name__ == "__main__":
    main()
