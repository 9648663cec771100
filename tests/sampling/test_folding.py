"""The fold against a slow and plain one that reads line by line."""

from __future__ import annotations

import shutil
import sysconfig
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schemaproof.sampling.folding import Fold, token_of, tokens_of
from schemaproof.sampling.lines import COMPILED, Reader, plain_runs, runs
from schemaproof.sampling.names import RDF_TYPE, Names
from schemaproof.sampling.quads import parse_line
from schemaproof.vocabulary import load

SCHEMA = "http://schema.org/"
TYPE = RDF_TYPE.decode()
NAMES = Names(load())
# Where nothing is compiled the first is the second.
READERS = pytest.mark.parametrize("reader", [runs, plain_runs], ids=["runs", "plain"])

PIECES = st.sampled_from(
    [
        *["_:a", "_:b.", "_:b.c", "_:a:b", "<https://a.example/>", "<a\\u00e9>", "<a\\q>", "<>", "<_:x>"],
        *[
            '"x"',
            '"x',
            'x"',
            '"x"y"',
            '"x\\"y"',
            '"x\\\\"',
            '"x\\\\\\"',
            '"\\u00e"',
            '"\\u00e9"',
            '"\\U0001F600"',
            '"\U0001f600\u20ac"',
            '""',
            '"',
        ],
        *['"x"@en', '"x"@en-GB', '"x"@en-', '"x"@', '"x"^^<a>', '"x"^^a', '"x"^^<a', '"x" ^^<a>', '"a . b"', "# no"],
        *[
            ".",
            "<a",
            "a>",
            "é",
            "<é>",
            '"é"',
            "_:",
            "_:é",
            "_:\u00a0",
            "_:a-b",
            "_:-",
            "",
            "\t",
            "\r",
            "<https://a example/>",
            "`",
            "\\",
        ],
        *[f"<{SCHEMA}name>", f"<{SCHEMA}url>", f"<{SCHEMA}Product>", TYPE, "<http://p.example/>", "_:a"],
    ]
)
GLUE = st.sampled_from([" ", " ", " ", " ", "", "\n", "\t", "  ", "\r\n", " .\n"])
GOOD = st.tuples(
    st.sampled_from(["_:a", "_:b", "<http://p.example/#a>", "<a\\u0041>", "_:é", "\t_:a", "\n_:a", "_:a\nb"]),
    st.sampled_from([f"{TYPE} <{SCHEMA}Product>", f'{TYPE} "x"', f"{TYPE} <x>", f'<{SCHEMA}name> "a \\"b\\""@en'])
    | st.sampled_from(
        [f"<{SCHEMA}url> <x>", f"<{SCHEMA}url> _:x", f"<{SCHEMA}ab>\n<{SCHEMA}url> _:x", "<x> <y\\u0041>"]
    ),
    st.sampled_from(["<http://p.example/>", "<http://q.example/>", "_:p", "<p\\u0041>", "<pA>", "<p>\n<q>", ""]),
    st.sampled_from([" .\n", " .\r\n", " . # c\n", ".\n", " .", "\n"]),
).map(lambda parts: " ".join(parts[:3]) + parts[3])
TEXTS = st.lists(
    GOOD | st.lists(st.tuples(PIECES, GLUE), max_size=6).map(lambda x: "".join(a + b for a, b in x)), max_size=9
)

Line = tuple[bytes, bytes, bytes]
Result = tuple[int, list[tuple[str, int, str]], dict[bytes, tuple[int, int]], list[Line]]


def plain(data: bytes) -> Result:
    """How many quads, malformed lines, sets with instances and pages, and (page, subject, token) of each quad."""
    each: list[Line] = []
    runs: list[tuple[bytes, dict[bytes, set[str]]]] = []
    wrong = []
    count = 0
    lines = data.split(b"\n")
    for number, line in enumerate(lines if lines[-1] else lines[:-1], 1):
        quad = parse_line(line)
        if isinstance(quad, str):
            wrong.append(("a", number, quad))
        elif quad is not None:
            count += 1
            if not runs or runs[-1][0] != quad.page:
                runs.append((quad.page, {}))
            token = token_of(quad.predicate, quad.object)
            each.append((quad.page, quad.subject, token))
            name = NAMES.of_type(token[1:]) if token.startswith(b"a") else NAMES.of_property(token)
            runs[-1][1].setdefault(quad.subject, set()).add(name or "")
    instances: Counter[bytes] = Counter()
    pages: Counter[bytes] = Counter()
    for _, subjects in runs:
        sets = [" ".join(sorted(names - {""})).encode() for names in subjects.values()]
        instances.update(sets)
        pages.update(set(sets))
    return count, wrong, {cset: (instances[cset], pages[cset]) for cset in instances if cset}, each


def folded(blocks: list[bytes], *, loose: bool = False, reader: Reader = runs) -> Result:
    each: list[Line] = []
    fold = Fold(NAMES, loose=loose, diverted=each.extend, reader=reader)
    line = 1
    for block in blocks:
        line += fold.feed(block, "a", line)
    fold.end_page()
    tally = fold.tally
    wrong = tally.examples if tally.malformed <= 10 else [*tally.examples, *[("", 0, "")] * (tally.malformed - 10)]
    sets = {cset: (entry.instances, entry.pages) for cset, entry in fold.take()}
    return tally.quads, wrong, sets, [(page, subject, token) for page, subject, key in each for token in tokens_of(key)]


def once(each: list[Line]) -> list[Line]:
    """Without what only repeats the one before it."""
    return [line for number, line in enumerate(each) if not number or line != each[number - 1]]


@READERS
@settings(deadline=None, max_examples=1500)
@given(TEXTS, st.booleans(), st.integers(1, 200))
@example([f'_:a <{SCHEMA}ab>\n<{SCHEMA}url> "x" <http://p.example/> .\n'], False, 100)
@example([f'\n_:a <{SCHEMA}url> "x" <http://p.example/> .\n'], False, 100)
@example([f'_:a\nb <{SCHEMA}url> "x" <http://p.example/> .\n'], False, 100)
@example([f'<a\nb> <{SCHEMA}url> "x" <http://p.example/> .\n'], False, 100)
@example([f"_:a {TYPE} <http://schema.org/Product>\n<x> <http://p.example/> .\n"], False, 100)
@example([f"_:a <{SCHEMA}url> _:x _:p .\n" * 30 + f"_:a {TYPE} <{SCHEMA}url> _:p .\n"], False, 100)
@example([f"_:a <x> <{SCHEMA}Product> _:p .\n_:a {TYPE} <{SCHEMA}Product> _:p .\n"], False, 1000)
@example([f"_:a <{SCHEMA}url> _:x _:p .\n_:a <x>\n<x> _:x <q> .\n_:b <{SCHEMA}url> _:x _:p .\n"], False, 1000)
def test_blocks_are_read_exactly_as_line_by_line(reader: Reader, texts: list[str], loose: bool, size: int) -> None:
    """Law: whatever stands in a file, however it is cut into blocks: the same quads, faults and sets."""
    data = "".join(texts).encode()
    quads, wrong, sets, each = plain(data)
    expected = (quads, wrong[:10], len(wrong), {} if loose else sets, once(each) if loose else [])
    blocks = []
    start = 0
    while start < len(data):
        end = data.find(b"\n", min(start + size, len(data))) + 1 or len(data)
        blocks.append(data[start:end])
        start = end
    for cut in ([data] if data else [], blocks):
        quads, wrong, sets, each = folded(cut, loose=loose, reader=reader)
        assert (quads, wrong[:10], len(wrong), sets, once(each)) == expected


def test_a_byte_order_mark_costs_no_line() -> None:
    line = f'_:a <{SCHEMA}name> "x" <http://p.example/> .\n'.encode()
    other = line.replace(b"_:a", b"_:b")
    assert folded([b"\xef\xbb\xbf" + line, b"\xef\xbb\xbf" + other])[:3] == (2, [], {b"name": (2, 1)})


@READERS
@pytest.mark.parametrize(
    "wrong",
    [
        b"\xe9",
        b"\xc1\xbf",
        b"\xe0\x9f\xbf",
        b"\xed\xa0\x80",
        b"\xf0\x8f\xbf\xbf",
        b"\xf4\x90\x80\x80",
        b"\xf0\x9f\x98",
        b"\x80",
        b"\xff",
    ],
)
def test_lines_that_are_not_utf8_are_told_and_the_rest_counts(reader: Reader, wrong: bytes) -> None:
    good = f'_:a <{SCHEMA}name> "é" <http://p.example/> .\n'.encode()
    bad = good.replace("é".encode(), wrong)
    quads, told, sets, _ = folded([good + bad + good.replace(b"_:a", b"_:b")], reader=reader)
    assert quads == 2
    assert told == [("a", 2, "not UTF-8")]
    assert sets == {b"name": (2, 1)}


@READERS
def test_a_run_says_each_token_of_its_lines(reader: Reader) -> None:
    lines = [f"_:a {TYPE} <T> _:p .", "_:a <q> <T> _:p .", "_:a <q> <T> _:p .", f"_:a {TYPE} <T> _:p ."]
    lines += [f'_:a {TYPE} "T" _:p .', *(f"_:a <p{n}> <o> _:p ." for n in range(30)), "_:b <q> <o> _:p ."]
    block = "".join(line + "\n" for line in lines).encode()
    found = reader(block)
    assert {run[:2] for run in found} == {(b"_:a", b"_:p"), (b"_:b", b"_:p")}
    assert sum(run[3] for run in found) == len(lines)
    own = [token for subject, _, key, _ in found for token in tokens_of(key) if subject == b"_:a"]
    assert set(own) == {b"a<T>", b"<q>", RDF_TYPE, *(b"<p%d>" % n for n in range(30))}


@READERS
def test_a_block_without_an_end_is_refused(reader: Reader) -> None:
    for block in (b"", b"<s> <p> <o> <g> ."):
        with pytest.raises(ValueError, match="line feed"):
            reader(block)


def test_the_compiled_reader_is_there_where_it_can_be_built() -> None:
    """It is optional in an installation; that nothing builds it any more would else not be seen."""
    headers = Path(sysconfig.get_path("include"), "Python.h").is_file()
    compiler = shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0])
    if not (headers and compiler):
        pytest.skip("no C compiler, or no headers of Python")
    assert COMPILED
    assert runs is not plain_runs


def test_hashes_of_a_sample_spread_evenly() -> None:
    """Subjects of one page, one subject on many pages: parts of the range are hit alike (chi-square, 15)."""
    name = f"<{SCHEMA}name>".encode()
    subjects = {b"_:n%d" % number: name for number in range(16_000)}
    for pages in (
        {b"https://p.example/": subjects},
        {b"https://p.example/%d" % n: {b"_:n0": name} for n in range(16_000)},
    ):
        fold = Fold(NAMES, size=16_000)
        for page, found in pages.items():
            fold.count_page(page, found)
        keys = fold.take()[0][1].sample
        assert len(keys) == 16_000
        parts = Counter(key[0] >> 4 for key in keys)
        assert sum((parts[part] - 1000) ** 2 / 1000 for part in range(16)) < 50
        assert len({key[:8] for key in keys}) == len(keys)
