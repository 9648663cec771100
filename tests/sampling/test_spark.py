"""A real Spark session on two cores: the same numbers as on one machine."""

from __future__ import annotations

import os
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


# Run by every interpreter that Spark starts, so that what dies is a process of a real session: the one that works on a
# page from poison.example, at each attempt; the task that meets the word deadly-once, at its first attempt.
FAULTS = """
import os, signal
from pathlib import Path
from schemaproof.pipeline import work
from schemaproof.pipeline.plan import Plan
from schemaproof.sampling.folding import Fold

def die_once(data):
    mark = Path(os.environ["SCHEMAPROOF_TEST_MARK"])
    if b"deadly-once" in data and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)

def digest(self, data, page_id, before=Plan.digest):
    die_once(data)
    return before(self, data, page_id)

def feed(self, block, file, line, before=Fold.feed):
    die_once(block)
    return before(self, block, file, line)

def working(source, digest, bench, before=work.work):
    if "poison.example" in source.name:
        os.kill(os.getpid(), signal.SIGKILL)
    return before(source, digest, bench)

Plan.digest, Fold.feed, work.work = digest, feed, working
"""


@pytest.fixture(scope="module")
def mark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file that is there once a task has died."""
    folder = tmp_path_factory.mktemp("faults")
    (folder / "sitecustomize.py").write_text(FAULTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        patch.setenv("SCHEMAPROOF_TEST_MARK", str(folder / "died"))
        yield folder / "died"


@pytest.fixture(scope="module")
def session(mark: Path) -> Iterator[Any]:
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


def test_the_example_pages_give_the_same_numbers(session: Any, tmp_path: Path) -> None:
    from schemaproof.sampling import spark

    examples = sorted(map(str, (Path(__file__).parents[2] / "examples" / "pages").glob("*.html")))
    assert len(examples) == 12
    plan = make_plan(())
    with Store(tmp_path / "local.db") as store:
        local = answer(store, run_locally(open_sources(examples), plan, store))
    with Store(tmp_path / "spark.db") as store:
        there = answer(store, spark.run(session, examples, plan, store))
    assert totals(there)[0] == totals(local)[0]
    assert there["totals"]["contenders"].keys() == local["totals"]["contenders"].keys()
    for name, entry in local["totals"]["contenders"].items():
        for stage in ("input", "valid", "factual", "compliant", "unclear"):
            assert there["totals"]["contenders"][name][stage] == entry[stage]


def test_a_failing_task_and_a_poison_page_lose_nothing(
    session: Any, mark: Path, archives: list[str], tmp_path: Path
) -> None:
    """A task is killed in the middle, a page kills its process at each attempt: all other pages have results, once."""
    from schemaproof.sampling import spark

    with Archive(tmp_path / "bad.warc.gz") as archive:
        for number in range(30):
            host = "poison" if number == 11 else "good"
            url = f"https://{host}.example/{number}"
            data = page(number) + (b"<p>deadly-once</p>" if number == 23 else b"")
            archive.add(Visit(url, Answer(url, 200, "OK", {"content-type": "text/html"}, data)))
    mark.unlink(missing_ok=True)
    plan = make_plan(())
    with Store(tmp_path / "spark.db") as store:
        report = spark.run(session, [str(tmp_path / "bad.warc.gz"), *archives], plan, store)
        there = answer(store, report)
    assert mark.exists()
    assert (report.progress.worked, report.progress.failed) == (230, 1)
    names = [each["page"] for each in there["pages"]]
    assert len(set(names)) == len(names) == 230
    assert [each["page"] for each in there["pages"] if each["error"]] == ["https://poison.example/11"]
    # The pages are the same as those of the archives, but for their names.
    with Store(tmp_path / "local.db") as store:
        local = answer(store, run_locally(open_sources(archives), plan, store))
    assert {each["page"]: each for each in local["pages"]}.items() <= {
        each["page"]: each for each in there["pages"]
    }.items()


def test_a_task_of_a_count_that_is_killed_loses_nothing(session: Any, mark: Path, tmp_path: Path) -> None:
    from schemaproof.sampling import spark

    quads = [*lines(3), '_:x <http://schema.org/name> "deadly-once" <https://last.example/> .']
    file = tmp_path / "a.nq"
    file.write_text("".join(f"{line}\n" for line in quads))
    mark.touch()  # the local count is to live
    with count([str(file)]) as local:
        expected, tally = list(local.rows), local.tally
    mark.unlink()
    found = spark.count(session, [str(file)], partitions=3)
    assert mark.exists()
    assert list(found.rows) == expected
    assert (found.tally.quads, found.tally.pages, found.tally.instances) == (tally.quads, tally.pages, tally.instances)


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
