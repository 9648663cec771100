"""A real Spark session on two cores: the same numbers as on one machine."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schemaproof.pipeline.plan import make_plan
from schemaproof.pipeline.run import answer
from schemaproof.pipeline.run import run as run_locally
from schemaproof.pipeline.store import Store
from schemaproof.sampling.counting import count
from schemaproof.sources import open_sources
from schemaproof.sources.archive import Archive
from schemaproof.sources.visiting import Visit
from schemaproof.sources.web import Answer

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    pytest.importorskip("pyspark")
    if not shutil.which("java"):
        pytest.skip("Spark needs Java 17, which is not here")
    from schemaproof.sampling.spark import session_of

    with session_of("local[2]") as session:
        yield session


def page(number: int) -> bytes:
    rng = random.Random(number)
    price = f"{rng.randint(1, 99)}.{rng.randint(10, 99)}"
    name = f"Chair number {number}"
    wrong = "11.11" if number % 3 == 0 else price
    return (
        f'<html lang=en><title>{name}</title><script type="application/ld+json">{{"@context":"https://schema.org",'
        f'"@type":"Product","name":"{name}","color":"red","offers":{{"@type":"Offer","price":"{wrong}",'
        f'"priceCurrency":"EUR"}}}}</script><h1>{name}</h1><p>Price: {price} EUR. It is a good red chair.</p>'
    ).encode()


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("pages")
    for part in range(4):
        with Archive(folder / f"{part}.warc.gz") as archive:
            for number in range(50 * part, 50 * part + 50):
                url = f"https://shop{number % 7}.example/{number}"
                archive.add(Visit(url, Answer(url, 200, "OK", {"content-type": "text/html"}, page(number))))
    return [str(path) for path in sorted(folder.iterdir())]


def totals(result: dict[str, Any]) -> Any:
    return {each["page"]: each for each in result["pages"]}, result["totals"]


def test_a_run_gives_the_same_numbers(session: Any, archives: list[str], tmp_path: Path) -> None:
    from schemaproof.sampling import spark

    plan = make_plan(())
    with Store(tmp_path / "local.db") as store:
        report = run_locally(open_sources(archives), plan, store)
        local = answer(store, report)
    with Store(tmp_path / "spark.db") as store:
        report = spark.run(session, archives, plan, store)
        assert (report.progress.worked, report.progress.failed) == (200, 0)
        there = answer(store, report)
        again = spark.run(session, archives, plan, store)
        assert (again.progress.reused, again.progress.worked) == (200, 0)
    assert totals(there)[0] == totals(local)[0]
    for key in ("contenders", "units", "pages", "failed", "left_out"):
        if key != "contenders":
            assert there["totals"][key] == local["totals"][key]
    for name, entry in local["totals"]["contenders"].items():
        for stage in ("input", "valid", "factual", "compliant", "unclear"):
            assert there["totals"]["contenders"][name][stage] == entry[stage]
    assert len(local["pages"]) == 200


def _poisoned(plan: Any) -> Any:
    import os
    import signal

    from schemaproof.pipeline.work import worker

    work = worker(plan)

    def poisoned(source: Any, digest: str) -> Any:
        if source.name.endswith("/57"):
            os.kill(os.getpid(), signal.SIGKILL)
        return work(source, digest)

    return poisoned


def test_a_page_that_kills_its_process_loses_nothing_else(archives: list[str]) -> None:
    """What a Spark task does with its pages, a poison page among them."""
    from functools import partial

    from schemaproof.pipeline.pool import Task, execute
    from schemaproof.pipeline.work import lost

    plan = make_plan(())
    jobs = ((source, "") for source in open_sources(archives[1:2]))
    results = list(execute(jobs, Task(partial(_poisoned, plan), lost), 1, isolated=True))
    assert len(results) == 50
    assert [result.name for result in results if result.error] == ["https://shop1.example/57"]


def lines(seed: int) -> list[str]:
    rng = random.Random(seed)
    found = []
    for number in range(200):
        url = f"https://site{number % 5}.example/{seed}/{number}"
        for subject in range(rng.randint(1, 5)):
            kind = rng.choice(["Product", "Recipe", "NoType"])
            kind_of = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
            found.append(f"_:b{subject} {kind_of} <http://schema.org/{kind}> <{url}> .")
            for name in rng.sample(["name", "url", "image", "nothing"], rng.randint(0, 3)):
                found.append(f'_:b{subject} <http://schema.org/{name}> "é {number}" <{url}> .')
    return found


@pytest.mark.parametrize("shuffled", [False, True])
def test_a_count_gives_the_same_sets_however_files_are_split(session: Any, tmp_path: Path, shuffled: bool) -> None:
    import gzip

    from schemaproof.sampling import spark

    first, second = lines(1), lines(2)
    both = [*first, "no quad at all", *second]
    if shuffled:
        random.Random(0).shuffle(both)
    whole = tmp_path / "whole.nq"
    whole.write_text("".join(f"{line}\n" for line in both))
    packed = tmp_path / "half.nq.gz"
    cut = len(both) // 2
    packed.write_bytes(gzip.compress("".join(f"{line}\n" for line in both[:cut]).encode()))
    rest = tmp_path / "rest.nq"
    rest.write_text("".join(f"{line}\n" for line in both[cut:]))
    with count([str(whole)]) as local:
        expected, tally = list(local.rows), local.tally
    for files in ([str(whole)], [str(packed), str(rest)]):
        found = spark.count(session, files, partitions=5)
        assert list(found.rows) == expected
        for name in ("quads", "malformed", "pages", "instances", "emptied"):
            assert getattr(found.tally, name) == getattr(tally, name)
