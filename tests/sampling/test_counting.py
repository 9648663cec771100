"""Counting characteristic sets: against a plain fold in the test, in every order and packing."""

from __future__ import annotations

import csv
import gzip
import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import IO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.errors import InputError
from schemaproof.sampling.counting import count
from schemaproof.sampling.folding import Fold
from schemaproof.sampling.names import Names
from schemaproof.sampling.quads import parse_line
from schemaproof.sampling.table import Row, merge_rows, merge_tables, read_table, write_table
from schemaproof.vocabulary import load

TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
SCHEMA = "http://schema.org/"


def quad(subject: str, name: str, value: str, page: str) -> str:
    predicate = TYPE if name == "isa" else f"<{SCHEMA}{name}>"
    return f"{subject} {predicate} {value} <{page}> ."


def pages(count: int, seed: int = 0) -> list[str]:
    """Lines of generated pages, page by page."""
    rng = random.Random(seed)
    values = [
        '"plain words"',
        '"say \\"hi\\""',
        '"hé"@fr',
        f'"2024-01-01"^^<{SCHEMA}Date>',
        "<https://a.example/b>",
        "_:n1",
    ]
    lines = []
    for number in range(count):
        page = f"https://site{rng.randrange(9)}.example/{seed}/{number}"
        for subject in range(rng.randint(1, 6)):
            name = f"_:b{subject}" if rng.random() < 0.7 else f"<{page}#{subject}>"
            kind = rng.choice(["Product", "Recipe", "Person", "NoSuchType"])
            lines.append(quad(name, "isa", f"<{SCHEMA}{kind}>", page))
            for each in rng.sample(["name", "url", "image", "price", "noSuchProperty"], rng.randint(0, 4)):
                lines.append(quad(name, each, rng.choice(values), page))
    return lines


def plain(lines: list[str]) -> dict[str, tuple[int, int]]:
    """Set to (instances, pages), the simple way."""
    vocabulary = load()
    sets: dict[tuple[bytes, bytes], set[str]] = defaultdict(set)
    names = Names(vocabulary)
    for line in lines:
        read = parse_line(line.encode())
        if read is None or isinstance(read, str):
            continue
        own = sets[read.page, read.subject]
        if read.predicate.decode() == TYPE:
            name = names.of_type(read.object)
        else:
            name = names.of_property(read.predicate)
        if name:
            own.add(name)
    found: dict[str, list[tuple[bytes, bytes]]] = defaultdict(list)
    for key, own in sets.items():
        if own:
            found[" ".join(sorted(own))].append(key)
    return {cset: (len(keys), len({page for page, _ in keys})) for cset, keys in found.items()}


def counted(files: list[Path], **options: object) -> tuple[list[Row], str]:
    with count([str(file) for file in files], **options) as found:  # type: ignore[arg-type]
        return list(found.rows), found.way


def numbers(rows: list[Row]) -> dict[str, tuple[int, int]]:
    return {row.cset: (row.instances, row.pages) for row in rows}


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return pages(400)


def write(path: Path, lines: list[str]) -> Path:
    data = "".join(f"{line}\n" for line in lines).encode()
    if path.suffix == ".gz":
        half = data.rfind(b"\n", 0, len(data) // 2) + 1
        data = gzip.compress(data[:half]) + gzip.compress(data[half:])  # two members, as concatenated files have
    elif path.suffix == ".zst":
        zstandard = pytest.importorskip("zstandard")
        half = len(data) // 3
        data = zstandard.compress(data[:half]) + zstandard.compress(data[half:])
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", ["a.nq", "a.nq.gz", "a.nq.zst"])
def test_every_packing_gives_the_same_sets(tmp_path: Path, lines: list[str], name: str) -> None:
    rows, way = counted([write(tmp_path / name, lines)])
    assert way == "pages"
    assert numbers(rows) == plain(lines)
    assert [row.cset for row in rows] == sorted(row.cset for row in rows)


def test_files_cut_within_a_page_are_found_out(tmp_path: Path, lines: list[str]) -> None:
    whole, _ = counted([write(tmp_path / "whole.nq", lines)])
    cut = next(place for place in range(300, 400) if lines[place].split()[-2] == lines[place - 1].split()[-2])
    parts = [write(tmp_path / "a.nq", lines[:cut]), write(tmp_path / "b.nq", lines[cut:])]
    rows, way = counted(parts)
    assert way == "mixed"
    assert rows == whole
    with pytest.raises(InputError, match="do not stand together"):
        counted(parts, order="pages")


def test_shuffled_lines_give_the_same_sets_and_samples(tmp_path: Path, lines: list[str]) -> None:
    whole, _ = counted([write(tmp_path / "whole.nq", lines)])
    shuffled = list(lines)
    random.Random(5).shuffle(shuffled)
    rows, way = counted([write(tmp_path / "a.nq", shuffled[:900]), write(tmp_path / "b.nq", shuffled[900:])])
    assert way in ("any", "mixed")
    assert rows == whole
    rows, way = counted([write(tmp_path / "c.nq", lines)], order="any")
    assert (rows, way) == (whole, "any")


def test_buckets_beyond_the_limit_are_spread_again(
    tmp_path: Path, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from schemaproof.sampling import spilling

    whole, _ = counted([write(tmp_path / "whole.nq", lines)])
    monkeypatch.setattr(spilling, "BUCKET_LIMIT", 500)
    fold = Fold(Names(load()))
    buckets = spilling.Buckets(tmp_path / "buckets")
    fold.arrived, fold.diverted = (lambda _: False), buckets.add
    fold.feed("".join(f"{line}\n" for line in lines).encode(), "a", 1)
    fold.end_page()
    buckets.close()
    for path in sorted((tmp_path / "buckets").iterdir()):
        spilling.fold_bucket([path], fold, tmp_path / "more")
    found = [(cset.decode(), entry.instances, entry.pages, tuple(entry.sample)) for cset, entry in fold.take()]
    assert found == [(row.cset, row.instances, row.pages, row.sample) for row in whole]


MALFORMED = [
    ("garbage", "full stop"),
    ("garbage .", "start"),
    ('_:a <http://schema.org/name> "open <https://p.example/> .', "literal"),
    ('_:a <http://schema.org/name> "bad \\q escape" <https://p.example/> .', "literal"),
    ('_:a <http://schema.org/name> "one" two" <https://p.example/> .', "form"),
    ("_:a <http://schema.org/url> <https://a.example/ b> <https://p.example/> .", "object"),
    ('_:a <http://schema.org/name> "a" <https://p.example/>', "full stop"),
    ('_:a <http://schema.org/name> "a" .', "page"),
    ('_:a name "a" <https://p.example/> .', "predicate"),
    ('a <http://schema.org/name> "a" <https://p.example/> .', "start"),
    ('_:a <http://schema.org/name> "a" <https://p.exa', "full stop"),
]


@pytest.mark.parametrize(("bad", "reason"), MALFORMED)
def test_a_malformed_line_is_counted_told_and_skipped(tmp_path: Path, bad: str, reason: str) -> None:
    before, after = pages(3), pages(3, seed=1)
    file = write(tmp_path / "a.nq", [*before, bad, *after])
    with count([str(file)]) as found:
        assert numbers(list(found.rows)) == plain([*before, *after])
        assert found.tally.malformed == 1
        ((name, line, message),) = found.tally.examples
    assert (name, line) == (str(file), len(before) + 1)
    assert reason in message


def test_bytes_that_are_not_utf8_cost_their_line_only(tmp_path: Path) -> None:
    lines = pages(5)
    file = tmp_path / "a.nq"
    bad = b'_:a <http://schema.org/name> "\xff" <https://p.example/> .\n'
    file.write_bytes(b"".join(f"{line}\n".encode() for line in lines[:4]) + bad + "\n".join(lines[4:]).encode())
    with count([str(file)]) as found:
        assert numbers(list(found.rows)) == plain(lines)
        assert found.tally.examples == [(str(file), 5, "not UTF-8")]


def test_other_forms_of_n_quads_are_read(tmp_path: Path) -> None:
    page = "https://p.example/é"
    forms = [
        "# a comment",
        "",
        f'_:a\t<{SCHEMA}name>\t"x"\t<{page}>\t.',
        f"  _:a <https://schema.org/url> <https://a.example/> <{page}>. # more",
        f"_:a{TYPE}<{SCHEMA}Product><https://p.example/\\u00e9>.\r",
        f'_:a <{SCHEMA}image> "x"@en-GB <{page}> .\r',
        f'_:b <{SCHEMA}Product/price> "1"^^<http://www.w3.org/2001/XMLSchema#integer> <{page}> .',
    ]
    with count([str(write(tmp_path / "a.nq", forms))]) as found:
        assert numbers(list(found.rows)) == {"image isa:Product name url": (1, 1), "price": (1, 1)}
        assert (found.tally.malformed, found.tally.quads) == (0, 5)


def test_unknown_names_are_kept_on_request(tmp_path: Path) -> None:
    lines = [
        quad("_:a", "isa", f"<{SCHEMA}Produkt>", "https://p.example/"),
        quad("_:a", "nome", '"x"', "https://p.example/"),
        '_:a <http://purl.org/dc/terms/title> "x" <https://p.example/> .',
    ]
    file = write(tmp_path / "a.nq", lines)
    with count([str(file)]) as found:
        assert list(found.rows) == []
        assert found.tally.emptied == 1
    rows, _ = counted([file], keep_unknown=True)
    assert [row.cset for row in rows] == ["http://purl.org/dc/terms/title isa:Produkt nome"]


def test_a_file_that_breaks_off_is_told_and_its_beginning_counted(tmp_path: Path, lines: list[str]) -> None:
    file = write(tmp_path / "a.nq.gz", lines)
    file.write_bytes(file.read_bytes()[:-200])
    with count([str(file)]) as found:
        assert found.tally.quads > 0
        ((name, reason),) = found.tally.broken
    assert name == str(file)
    assert "breaks off" in reason
    with pytest.raises(InputError, match="no such file"):
        counted([tmp_path / "absent.nq"])


def test_more_parts_than_may_be_open_are_joined_in_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from schemaproof.sampling import table

    monkeypatch.setattr(table, "OPEN", 3)
    parts = []
    for number in range(11):
        parts.append(tmp_path / f"part-{number}")
        rows = [(b"a", 1, 1, [b"%08dpage a" % number]), (b"b%02d" % number, 2, 1, [])]
        table.write_part(parts[-1], rows)
    found = list(table.merge_parts(parts, 2, tmp_path))
    assert found[0] == Row("a", 11, 11, (b"00000000page a", b"00000001page a"))
    assert len(found) == 12


@pytest.mark.parametrize("name", ["all.parquet", "all.csv", "al[l]?.parquet", "al[l]*.csv"])
def test_tables_of_parts_join_to_the_table_of_all(tmp_path: Path, name: str) -> None:
    parts = [pages(60, seed) for seed in range(3)]
    whole, _ = counted([write(tmp_path / f"{seed}.nq", lines) for seed, lines in enumerate(parts)])
    tables = []
    for seed in range(3):
        rows, _ = counted([tmp_path / f"{seed}.nq"])
        tables.append(tmp_path / f"{seed}.{name}")
        assert write_table(tables[-1], rows) == len(rows)
    a, b, c = tables
    assert list(merge_tables([c, a, b], 5)) == whole
    write_table(tmp_path / name, merge_tables([b, a], 5))
    assert list(merge_tables([tmp_path / name, c], 5)) == whole
    assert list(read_table(tmp_path / name)) == list(merge_tables([a, b], 5))


@settings(deadline=None, max_examples=200)
@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1), min_size=1, unique=True))
def test_any_name_comes_back_from_a_table(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    """Law: what csv reads is what was written, whatever unknown names hold."""
    path = tmp_path_factory.mktemp("table") / "a.csv"
    rows = [Row(name, 1, 1, (b"12345678page subject",)) for name in names]
    write_table(path, rows)
    with path.open(newline="", encoding="utf-8") as stream:
        assert [row["cset"] for row in csv.DictReader(stream)] == names


def test_a_table_in_any_order_is_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from schemaproof.sampling import table

    monkeypatch.setattr(table, "SORTED", 3)
    rows = [Row(f"isa:T{n:02}", n, 1, (b"12345678http://p.example/%d _:b" % n,)) for n in range(1, 20)]
    mixed = [*rows[7:], *rows[:7]]
    mixed[2], mixed[9] = mixed[9], mixed[2]
    for name in ("a.csv", "a.parquet"):
        write_table(tmp_path / name, mixed)
        assert list(read_table(tmp_path / name)) == mixed
        assert list(merge_tables([tmp_path / name], 5)) == rows
        assert sum(row.instances for row in merge_tables([tmp_path / name] * 2, 5)) == 2 * sum(
            r.instances for r in rows
        )


def test_long_rows_and_large_tables_are_written_and_read(tmp_path: Path) -> None:
    """A hundred megabytes of rows, and one of three: neither may take more memory than there is."""
    key = b"12345678http://p.example/ _:b"
    long = [Row("y" * 3_000_000, 1, 1, (key,))]
    for name, rows in (("long", long), ("large", [Row(f"{n:06}" + "x" * 1000, 1, 1, (key,)) for n in range(110_000)])):
        for kind in ("csv", "parquet"):
            path = tmp_path / f"{name}.{kind}"
            assert write_table(path, rows) == len(rows)
            assert all(a == b for a, b in zip(read_table(path), rows, strict=True))
            path.unlink()


@pytest.mark.parametrize("page", ["my pages/a.html", "http://p.example/a b", 'http://p.example/"<>', "http://é/"])
def test_pages_keep_their_names_through_a_table(tmp_path: Path, page: str) -> None:
    from schemaproof.sampling.quadding import write_quads
    from schemaproof.sampling.table import instance_of
    from schemaproof.sources.model import PageSource

    ld = b'<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Thing"}</script>'
    write_quads([PageSource(page, ld, None, "a")], tmp_path / "a.nq")
    rows, _ = counted([tmp_path / "a.nq"])
    for name in ("a.csv", "a.parquet"):
        write_table(tmp_path / name, rows)
        assert list(read_table(tmp_path / name)) == rows
        (row,) = merge_tables([tmp_path / name], 5)
        assert instance_of(row.sample[0]).url == page


def test_a_row_without_its_counts_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("cset,instances,properties,pages,sample\na,,1,1,[]\n,1,1,1,[]\n")
    with pytest.raises(InputError, match="without its set or its counts"):
        list(read_table(tmp_path / "x.csv"))


def test_a_table_of_something_else_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    (tmp_path / "x.parquet").write_text("no")
    for name in ("x.csv", "x.parquet"):
        with pytest.raises(InputError, match="not a table"):
            list(read_table(tmp_path / name))
    with pytest.raises(InputError, match="ends in"):
        write_table(tmp_path / "x.txt", [])


@settings(deadline=None, max_examples=100)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 50)), max_size=30), st.integers(0, 4), st.randoms())
def test_merging_is_associative_and_commutative(items: list[tuple[str, int]], size: int, rng: random.Random) -> None:
    rows = [Row(cset, 1, 1, (b"%08d" % number,)[:size]) for cset, number in items]
    parts = [[row] for row in rows]
    whole = list(merge_rows(parts, size))
    rng.shuffle(parts)
    cut = rng.randint(0, len(parts))
    halves = [list(merge_rows(parts[:cut], size)), list(merge_rows(parts[cut:], size))]
    assert list(merge_rows(halves, size)) == whole


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_count_that_is_ended_leaves_no_process_and_no_table(tmp_path: Path, number: int) -> None:
    """The quads come by a pipe that stays open, so that the count is in the middle for as long as it takes."""
    pipe, output, folder = tmp_path / "quads", tmp_path / "a.csv", tmp_path / "temporary"
    folder.mkdir()
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "schemaproof", "sample", "count", str(pipe), "-o", str(output)]
    started = subprocess.Popen([*command, "--temporary", str(folder)], stderr=subprocess.DEVNULL)
    with started as process, pipe.open("wb", buffering=0) as stream:  # opens when the worker does
        stream.write(b'_:a <http://schema.org/name> "x" <http://p.example/> .\n')
        process.send_signal(number)
        assert process.wait(20) != 0
        with pytest.raises(BrokenPipeError):  # as soon as the worker is gone
            write_on(stream, 20)
    assert not output.exists()
    assert number == signal.SIGKILL or not list(folder.iterdir())


def write_on(stream: IO[bytes], seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        stream.write(b"\n")
        time.sleep(0.02)
