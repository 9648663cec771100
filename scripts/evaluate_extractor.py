"""Measure the extractor on recorded pages: what it writes, what the three agents leave of it, MeMR against the human.

python scripts/evaluate_extractor.py [--folder ../shared/paper] [--half tuned|held-out|all] [--rejected N] [--page ID]

Pages are split in two halves by the md5 of their id: an even first digit is the half that rules were tuned on, an odd
one the half held out. The root types are those of the recorded units.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import md5
from pathlib import Path
from typing import Any

from schemaproof.agents.verdict import Decision
from schemaproof.generation.extractor import extract
from schemaproof.markup import build_graph, page_graph
from schemaproof.page import read_page
from schemaproof.pipeline.curation import Curation, Judges, curate
from schemaproof.pipeline.judges import build_judges
from schemaproof.pipeline.units import statements_of, units
from schemaproof.scoring.memr import counts, memr
from schemaproof.vocabulary import Vocabulary, load

AGENTS = ("validity", "factuality", "compliance")


def tuned(page_id: str) -> bool:
    """Whether a page belongs to the half that rules were tuned on."""
    return int(md5(page_id.encode(), usedforsecurity=False).hexdigest()[0], 16) % 2 == 0


@dataclass
class Tally:
    """Sums over units."""

    units: int = 0
    written: int = 0
    valid: int = 0
    factual: int = 0
    compliant: int = 0
    unclear: int = 0
    human: int = 0
    human_kept: int = 0
    memr: list[tuple[float, float]] = field(default_factory=list)
    seconds: float = 0.0
    slowest: float = 0.0
    rejected: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str, str], list[str]] = field(default_factory=dict)
    properties: Counter[str] = field(default_factory=Counter)

    def line(self, name: str) -> str:
        """The figures as a line."""
        written = max(self.written, 1)
        h = sum(a for a, _ in self.memr) / max(1, len(self.memr))
        e = sum(b for _, b in self.memr) / max(1, len(self.memr))
        return (
            f"{name}: units {self.units}, written {self.written}, valid {self.valid / written:.3f}, "
            f"factual {self.factual / written:.3f}, compliant {self.compliant / written:.3f}, "
            f"unclear {self.unclear / written:.3f}; human {self.human}, kept {self.human_kept}; "
            f"MeMR human {h:.3f} extractor {e:.3f} (n {len(self.memr)}); "
            f"CPU {1000 * self.seconds / max(1, self.units):.2f} ms a unit, most {1000 * self.slowest:.1f} ms"
        )


def rows(folder: Path) -> Iterator[tuple[str, str, str, list[list[str]]]]:
    """Id, address, HTML and root types of every page."""
    import duckdb

    with duckdb.connect() as connection:
        found = connection.execute(
            "select p.id, p.url, p.html, list(u.classes) from read_parquet(?) p join read_parquet(?) u on p.id = u.id "
            "where u.canonical group by 1, 2, 3 order by 1",
            [str(folder / "pages.parquet"), str(folder / "units.parquet")],
        ).fetchall()
    yield from found


def measure(
    html: str, url: str, classes: list[list[str]], vocabulary: Vocabulary, judges: Judges, tally: Tally, *, show: bool
) -> None:
    """Add the units of one page to a tally."""
    page = read_page(html, url=url)
    human = page_graph(page, vocabulary)
    assert judges.factuality is not None
    prepared = judges.factuality.prepare(page)
    own = curate(human, judges, page, prepared)
    for listed in classes:
        known = [name for name in listed if name in vocabulary.types]
        if not known:
            continue
        started = time.process_time()
        extraction = extract(page, known, vocabulary)
        spent = time.process_time() - started
        graph = build_graph(tuple(extraction.documents), base=page.base, vocabulary=vocabulary, assume_schema_org=True)
        answer = curate(graph, judges, page, prepared)
        groups = units(human, known)
        roots = groups[0].roots if groups else ()
        mine = statements_of(human, roots)
        tally.units += 1
        tally.seconds += spent
        tally.slowest = max(tally.slowest, spent)
        total = len(graph.statements)
        tally.written += total
        tally.valid += len(answer.after("validity"))
        tally.factual += len(answer.after("factuality") - answer.unclear)
        tally.compliant += len(answer.kept)
        tally.unclear += len(answer.unclear)
        tally.human += len(mine)
        tally.human_kept += len(own.kept & mine)
        both = memr(counts(human, own.facts(), roots), counts(graph, answer.facts(), graph.roots))
        if both is not None:
            tally.memr.append((both.a_score, both.b_score))
        _explain(answer, url, tally)
        if show:
            print(json.dumps(extraction.documents, ensure_ascii=False, indent=1))
            print(f"human {len(mine)} kept {len(own.kept & mine)}; extractor {total} kept {len(answer.kept)}; {both}")


def _explain(answer: Curation, url: str, tally: Tally) -> None:
    for statement, verdicts in zip(answer.graph.statements, answer.verdicts, strict=True):
        tally.properties[statement.property] += 1
        for agent in AGENTS:
            verdict: Any = verdicts.get(agent)
            if verdict is not None and verdict.decision is not Decision.KEEP:
                key = (f"{agent}/{verdict.decision}", verdict.rule, statement.property)
                tally.rejected[key] += 1
                tally.examples.setdefault(key, []).append(f"{url} {statement.path} {str(statement.value)[:90]!r}")


def main() -> int:
    """Print the figures of the halves asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "paper")
    parser.add_argument("--half", choices=["tuned", "held-out", "all"], default="all")
    parser.add_argument("--rejected", type=int, default=0, help="print so many kinds of rejection (tuned half only)")
    parser.add_argument("--page", help="one page of the tuned half, its markup printed")
    given = parser.parse_args()
    if not (given.folder / "pages.parquet").is_file():
        print(f"no recorded pages in {given.folder}", file=sys.stderr)
        return 2
    vocabulary = load()
    judges = build_judges(vocabulary, AGENTS, "schema.org")
    halves = {"tuned": Tally(), "held-out": Tally()}
    for page_id, url, html, classes in rows(given.folder):
        half = "tuned" if tuned(page_id) else "held-out"
        if (given.half not in (half, "all")) or (given.page and (page_id != given.page or half != "tuned")):
            continue
        measure(html, url, classes, vocabulary, judges, halves[half], show=bool(given.page))
    for name, tally in halves.items():
        if tally.units:
            print(tally.line(name))
    shown = halves["tuned"]
    for key, count in shown.rejected.most_common(given.rejected):
        print(f"{count:4} of {shown.properties[key[2]]:4}  {' '.join(key)}")
        for example in shown.examples[key][:6]:
            print(f"          {example}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
