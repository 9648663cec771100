"""The fold against a slow and plain one that reads line by line."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schemaproof.sampling.folding import Fold, token_of, tokens_of
from schemaproof.sampling.names import RDF_TYPE, Names
from schemaproof.sampling.quads import parse_line
from schemaproof.vocabulary import load

SCHEMA = "http://schema.org/"
TYPE = RDF_TYPE.decode()
NAMES = Names(load())

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
            '""',
            '"',
        ],
        *['"x"@en', '"x"@en-GB', '"x"@en-', '"x"@', '"x"^^<a>', '"x"^^a', '"x"^^<a', '"x" ^^<a>', '"a . b"', "# no"],
        *[".", "<a", "a>", "é", "<é>", '"é"', "_:", "_:é", "", "\t", "\r", "<https://a example/>", "`", "\\"],
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


def folded(blocks: list[bytes], *, loose: bool = False) -> Result:
    each: list[Line] = []
    fold = Fold(NAMES, loose=loose, diverted=lambda *line: each.append(line))
    line = 1
    for block in blocks:
        line += fold.feed(block, "a", line)
    fold.end_page()
    tally = fold.tally
    wrong = tally.examples if tally.malformed <= 10 else [*tally.examples, *[("", 0, "")] * (tally.malformed - 10)]
    return tally.quads, wrong, {cset: (entry.instances, entry.pages) for cset, entry in fold.take()}, each


@settings(deadline=None, max_examples=1500)
@given(TEXTS, st.booleans(), st.integers(1, 200))
@example([f'_:a <{SCHEMA}ab>\n<{SCHEMA}url> "x" <http://p.example/> .\n'], False, 100)
@example([f'\n_:a <{SCHEMA}url> "x" <http://p.example/> .\n'], False, 100)
@example([f'_:a\nb <{SCHEMA}url> "x" <http://p.example/> .\n'], False, 100)
@example([f'<a\nb> <{SCHEMA}url> "x" <http://p.example/> .\n'], False, 100)
@example([f"_:a {TYPE} <http://schema.org/Product>\n<x> <http://p.example/> .\n"], False, 100)
@example([f"_:a <{SCHEMA}url> _:x _:p .\n_:a <x>\n<x> _:x <q> .\n_:b <{SCHEMA}url> _:x _:p .\n"], False, 1000)
def test_blocks_are_read_exactly_as_line_by_line(texts: list[str], loose: bool, size: int) -> None:
    """Law: whatever stands in a file, however it is cut into blocks: the same quads, faults and sets."""
    data = "".join(texts).encode()
    quads, wrong, sets, each = plain(data)
    expected = (quads, wrong[:10], len(wrong), {} if loose else sets, each if loose else [])
    blocks = []
    start = 0
    while start < len(data):
        end = data.find(b"\n", min(start + size, len(data))) + 1 or len(data)
        blocks.append(data[start:end])
        start = end
    for cut in ([data] if data else [], blocks):
        quads, wrong, sets, each = folded(cut, loose=loose)
        assert (quads, wrong[:10], len(wrong), sets, each) == expected


def test_a_byte_order_mark_costs_no_line() -> None:
    line = f'_:a <{SCHEMA}name> "x" <http://p.example/> .\n'.encode()
    other = line.replace(b"_:a", b"_:b")
    assert folded([b"\xef\xbb\xbf" + line, b"\xef\xbb\xbf" + other])[:3] == (2, [], {b"name": (2, 1)})


def test_lines_that_are_not_utf8_are_told_and_the_rest_counts() -> None:
    good = f'_:a <{SCHEMA}name> "é" <http://p.example/> .\n'.encode()
    bad = good.replace("é".encode(), b"\xe9")
    quads, wrong, sets, _ = folded([good + bad + good.replace(b"_:a", b"_:b")])
    assert quads == 2
    assert wrong == [("a", 2, "not UTF-8")]
    assert sets == {b"name": (2, 1)}


@pytest.mark.parametrize(
    "parts", [[b"<a>"], [b" <T>"], [b"<a>", b" <T>", b"<b>"], [b" <T>", b" <U>"], [b"a<T>", b"<b>"]]
)
def test_joined_tokens_come_apart_again(parts: list[bytes]) -> None:
    assert tokens_of(b" ".join(parts)) == [b"a" + part[1:] if part[:1] in b" a" else part for part in parts]
    assert tokens_of(b"") == []


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
