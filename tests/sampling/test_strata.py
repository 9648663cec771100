from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.errors import InputError
from schemaproof.sampling import drawing
from schemaproof.sampling.drawing import draw
from schemaproof.sampling.figures import bars, svg, text_chart
from schemaproof.sampling.languages import resource_group, shares
from schemaproof.sampling.sample import characteristics, facts_of, languages_of, read_urls, roots_with, write_sample
from schemaproof.sampling.strata import STRATA, distribution, quantile, site_of
from schemaproof.sampling.table import Row
from schemaproof.sources.model import PageSource
from schemaproof.vocabulary import load


def rows(count: int = 600) -> list[Row]:
    found = []
    for number in range(count):
        names = " ".join(sorted(f"p{number % 90}x{each}" for each in range(1 + number % 12)))
        keys = tuple(
            b"%08d" % each + f"https://www.site{(number + each) % 50}.example/{number}/{each} _:a".encode()
            for each in range(3)
        )
        found.append(Row(f"{names} isa:T{number}", 1 + (number * number) % 97, 1, keys))
    return found


def test_every_stratum_gets_its_pages_once_and_by_seed() -> None:
    table = rows()
    spread = distribution(table)
    found = draw(lambda: iter(table), spread, number=20, seed=3)
    assert Counter((page.feature, page.stratum) for page in found.pages) == {
        (feature, name): 20 for feature in ("instances", "properties") for name in STRATA
    }
    urls = [page.instance.url for page in found.pages]
    assert len(set(urls)) == len(urls)
    for page in found.pages:
        value = page.row.instances if page.feature == "instances" else page.row.properties
        assert spread.stratum(page.feature, value) == page.stratum
    again = draw(lambda: iter(table[::-1]), spread, number=20, seed=3)
    assert [page.instance for page in again.pages] == [page.instance for page in found.pages]
    other = draw(lambda: iter(table), spread, number=20, seed=4)
    assert [page.instance for page in other.pages] != [page.instance for page in found.pages]
    assert sum(stratum.sets for stratum in found.strata) == 2 * len(table)


def test_the_cap_on_sites_holds_and_shortage_is_told() -> None:
    table = [Row(f"isa:T{n}", n % 7 + 1, 1, (b"%08d" % n + f"https://a.example/{n} _:a".encode(),)) for n in range(90)]
    found = draw(lambda: iter(table), distribution(table), number=10, per_site=2)
    assert max(Counter((p.feature, p.stratum) for p in found.pages).values()) == 2
    assert found.short["instances", "low"] == 8
    free = draw(lambda: iter(table), distribution(table), number=10, per_site=0)
    assert Counter((p.feature, p.stratum) for p in free.pages)["instances", "low"] == 10


def test_full_sites_hide_no_others() -> None:
    """One site has nearly all sets: those of others stand far behind it, and are drawn all the same."""
    table = []
    for n in range(6000):
        site = "big" if n % 30 else f"small{n}"
        table.append(Row(f"isa:T{n}", n % 7 + 1, 1, (b"%08d" % n + f"https://{site}.example/{n} _:a".encode(),)))
    found = draw(lambda: iter(table), distribution(table), number=30, per_site=2)
    assert {place: missing for place, missing in found.short.items() if place[0] == "instances"} == {}
    for feature, name in {(page.feature, page.stratum) for page in found.pages}:
        sites = Counter(site_of(p.instance.url) for p in found.pages if (p.feature, p.stratum) == (feature, name))
        assert max(sites.values()) <= 2
    # As one that holds all sets would have drawn them.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "SPARE", 10_000)
        whole = draw(lambda: iter(table), distribution(table), number=30, per_site=2)
    assert [page.instance for page in whole.pages] == [page.instance for page in found.pages]


def test_language_is_a_third_feature() -> None:
    table = rows()
    languages = {
        key[8:].decode().split(" ")[0]: ("en", "fi", "zu", "")[place % 4]
        for row in table
        for place, key in enumerate(row.sample)
    }
    found = draw(lambda: iter(table), distribution(table), number=5, languages=languages, by_language=True)
    drawn = [page for page in found.pages if page.feature == "language"]
    assert Counter(page.stratum for page in drawn) == {"low": 5, "medium": 5, "high": 5}
    assert {(page.stratum, page.language) for page in drawn} == {("low", "zu"), ("medium", "fi"), ("high", "en")}
    with pytest.raises(ValueError, match="languages"):
        draw(lambda: iter(table), distribution(table), by_language=True)


def test_groups_of_languages() -> None:
    assert [resource_group(tag) for tag in ("en-GB", "nb", "sv", "sw", "xx", "")] == [
        "high", "medium", "medium", "low", "low", None
    ]  # fmt: skip
    assert 95 < sum(shares().values()) < 100


@settings(deadline=None)
@given(st.lists(st.integers(1, 1000), min_size=1, max_size=60))
def test_cuts_are_the_quantiles_of_scipy(values: list[int]) -> None:
    numpy = pytest.importorskip("numpy")
    for share in (1 / 3, 2 / 3):
        assert quantile(sorted(values), share) == pytest.approx(float(numpy.quantile(values, share)), abs=1e-9)


def test_the_correlation_is_that_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    spread = distribution(rows())
    found = spread.correlation()
    expected = stats.spearmanr(spread.instances, spread.properties)
    assert found is not None
    assert found.rho == pytest.approx(expected.statistic)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-6)


def test_sites() -> None:
    sites = [
        "https://www.shop.co.uk/a",
        "https://a.b.example.com/",
        "http://10.0.0.1/",
        "http://[::1",
        "https://x.de:80/",
        "https://www.abc.de/",
        "https://shop.abc.de/",
        "https://www.zoo.com.au/",
    ]
    expected = ["shop.co.uk", "example.com", "10.0.0.1", "http://[::1", "x.de", "abc.de", "abc.de", "zoo.com.au"]
    assert [site_of(url) for url in sites] == expected


def test_the_figure_counts_every_set() -> None:
    spread = distribution(rows())
    for feature in ("instances", "properties"):
        assert sum(count for _, count, _ in bars(spread, feature)) == 600
    assert text_chart(bars(spread, "properties")).count("\n") + 1 == len(bars(spread, "properties"))
    assert svg(spread).count("<rect") >= len(bars(spread, "instances"))


PAGE = """<html lang=de><script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
 {"@type": "Recipe", "name": "Kuchen", "recipeInstructions": [{"@type": "HowToStep", "text": "Backen."}]},
 {"@type": "Organization", "name": "Bäckerei"}]}</script><p>Kuchen. Der Kuchen ist gut.</html>"""


def test_root_types_are_those_of_the_markup_with_the_set() -> None:
    facts = facts_of(PageSource("x", PAGE.encode(), "https://a.example/"), load())
    assert roots_with(facts.graph, "isa:HowToStep text") == [("Recipe",)]
    assert roots_with(facts.graph, "isa:Organization name") == [("Organization",)]
    assert roots_with(facts.graph, "isa:Person name") == []
    assert (facts.language, facts.pairs, facts.size) == ("de", 4, len(PAGE.encode()))
    table = characteristics([("instances", "low", facts), ("instances", "low", facts)])
    entry = table["", "overall"].as_dict()
    assert (entry["pages"], entry["pairs"], entry["properties"], entry["types"]) == (2, [4, 4.0, 4], 3, 3)


@pytest.mark.parametrize("name", ["s.csv", "s.jsonl"])
def test_the_sample_file_gives_its_urls_back(tmp_path: Path, name: str) -> None:
    table = rows(60)
    found = draw(lambda: iter(table), distribution(table), number=4)
    write_sample(tmp_path / name, found.pages, {(found.pages[0].instance.url, found.pages[0].row.cset): [("Recipe",)]})
    assert list(read_urls(tmp_path / name)) == [page.instance.url for page in found.pages]
    if name == "s.jsonl":
        assert json.loads((tmp_path / name).read_text().splitlines()[0])["roots"] == [["Recipe"]]
    (tmp_path / "bad.csv").write_text("a\n1\n")
    with pytest.raises(InputError, match="url"):
        list(read_urls(tmp_path / "bad.csv"))
    (tmp_path / "list.txt").write_text("# pages\nhttps://a.example/\n\nhttps://a.example/\n")
    assert list(read_urls(tmp_path / "list.txt")) == ["https://a.example/"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"http://h/\xff\n", "not UTF-8"),
        ("a.warc.gz", b"\x1f\x8b\x08\x00\xff", "not UTF-8"),
        ("a.csv", b'url\n"a\0b\n', "url"),
        ("a.jsonl", b'{"url": null}\n', "no text"),
        ("a.jsonl", b'{"url": "http://a/"}\n[1]\n', "no JSON object"),
        ("a.jsonl", b"[" * 100_000, "no JSON object"),
    ],
)
def test_a_list_that_is_none_is_told(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(data)
    if name.endswith(".csv"):
        assert list(read_urls(tmp_path / name)) in ([], ["a\0b"])
        return
    with pytest.raises(InputError, match=message):
        list(read_urls(tmp_path / name))


def test_long_fields_of_a_list_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("url,text\nhttp://a/," + "x" * 300_000 + "\n")
    assert list(read_urls(tmp_path / "a.csv")) == ["http://a/"]


def test_of_several_captures_the_first_that_can_be_read_counts() -> None:
    told: list[str] = []
    sources = [
        PageSource("http://a/", None, "http://a/", "a", None, "larger than 64 MB"),
        PageSource("http://a/", b"<html lang=de><p>Guten Tag, wie geht es Ihnen heute?", "http://a/", "a"),
        PageSource("http://a/", b"<html lang=en><p>Hello, how are you today?", "http://a/", "a"),
    ]
    assert languages_of(sources, load(), told.append) == {"http://a/": "de"}
    assert told == ["http://a/: larger than 64 MB"]
