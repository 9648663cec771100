"""One line of N-Quads, read by hand and beside a parser of others."""

from __future__ import annotations

import pyoxigraph
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schemaproof.sampling.quads import name_of, page_of, parse_line, readable

# What the other one refuses and is read here: IRIs without a scheme, escapes of what is no character, byte order marks;
# and a colon in a label, which N-Quads 1.1 has and later drafts have not.
TERMS = st.sampled_from(
    [
        *[
            "_:a",
            "_:a.b",
            "_:a.",
            "_:a-b",
            "_:-a",
            "_:é",
            "_:\u00a0",
            "_:a\u00a0b",
            "_:\u00b7",
            "_:a\u00b7",
            "_:a\u0300",
        ],
        *["_:a\u203f", "_:\x7f", "_:a\x7f", "_:\U0001f600", "_:\U000f0000", "_:\ufdd0", "_:\u2028", "_:", "_:a\ufffe"],
        *["<http://a/>", "<http://a/é>", "<http://a/\\u00e9>", "<http://a b>", "<http://a/\\n>", "<http://a/{>"],
        *['"x"', '""', '"\\u00e9"', '"\\q"', '"\\t"', '"x\ty"', '"x"@en', '"x"@en-GB', '"x"@en-', '"x"@', '"x"@e1'],
        *['"x"^^<http://t/>', '"x" ^^<http://t/>', '"x"^^ <http://t/>', '"x" @en', '"x"^^_:a', "'x'", "x", "1", "#"],
        *[".", ";", '"x"@en--a', '"x"@en-Latn-GB', '"', "<", "\\", "\ufeffa"],
    ]
)
SPACES = st.sampled_from([" ", " ", " ", " ", "", "\t", "  ", "\u00a0"])
PREDICATES = st.just("<http://p/>") | TERMS
ENDS = st.sampled_from([".", ".", ".", ". # c", ".#", "..", "", "# ."])
LINES = st.tuples(TERMS, SPACES, PREDICATES, SPACES, TERMS, SPACES, st.just("<http://g/>") | TERMS, SPACES, ENDS)


@settings(deadline=None, max_examples=1500)
@given(LINES.map("".join))
@example("# <s> <p> <o> <g> .")
@example("<http://s/> <http://p/> <http://o/> .")
def test_a_line_is_a_quad_exactly_where_another_parser_says_so(line: str) -> None:
    mine = parse_line(line.encode())
    try:
        read = list(pyoxigraph.parse(line.encode() + b"\n", format=pyoxigraph.RdfFormat.N_QUADS))
    except SyntaxError:
        assert isinstance(mine, str)
        return
    if not read:
        assert mine is None
    elif isinstance(read[0].graph_name, pyoxigraph.DefaultGraph):
        assert isinstance(mine, str)
        assert mine.startswith("a triple without the page")
    else:
        assert mine is not None
        assert not isinstance(mine, str)
        (quad,) = read
        page = quad.graph_name
        assert mine.page.decode() == (page.value if isinstance(page, pyoxigraph.NamedNode) else str(page))
        assert mine.predicate.decode() == str(quad.predicate)
        assert mine.subject.decode() == str(quad.subject)


@pytest.mark.parametrize(
    ("line", "subject"),
    [
        (b"_:a.b <p> _:c<g>.", b"_:a.b"),
        (b"_:a.b <p> _:c.<g>.", None),
        (b"_:a-<p> _:c- <g> .", b"_:a-"),
        (b"_:a..b <p> <o> <g>.# more", b"_:a..b"),
        (b"_:a. <p> <o> <g> .", None),
        (b"_:.a <p> <o> <g> .", None),
        (b"_:-a <p> <o> <g> .", None),
    ],
)
def test_full_stops_end_no_label(line: bytes, subject: bytes | None) -> None:
    quad = parse_line(line)
    assert (None if isinstance(quad, str) or quad is None else quad.subject) == subject


@pytest.mark.parametrize(
    ("label", "good"),
    [
        ("_::a", True),
        ("_:a:b", True),
        ("_:7", True),
        ("_:é", True),
        ("_:\u00a0", False),
        ("_:a\u00d7", False),
        ("_:\u00b7", False),
        ("_:a\u00b7", True),
        ("_:a\x7f", False),
        ("_:a\u2028", False),
    ],
)
@pytest.mark.parametrize("form", ["%s <p> <o> <g> .", "<s> <p> %s <g> .", "<s> <p> <o> %s ."])
def test_a_label_has_the_characters_of_the_grammar(label: str, good: bool, form: str) -> None:
    assert isinstance(parse_line((form % label).encode()), str) is not good


def test_one_iri_is_one_whatever_way_it_is_written() -> None:
    plain = parse_line("<http://s/é> <http://p/é> <http://o/é> <http://g/é> .".encode())
    assert plain == parse_line(rb"<http://s/\u00e9> <http://p/\u00E9> <http://o/\U000000e9> <http://g/\u00e9> .")
    # What no IRI may have stays escaped, in one form.
    quad = parse_line(rb"<http://s/\u003e> <http://p/> <o> <http://g/\U0000000a> .")
    assert quad == parse_line(rb"<http://s/\U0000003E> <http://p/> <o> <http://g/\u000A> .")
    assert quad is not None
    assert not isinstance(quad, str)
    assert (quad.subject, quad.page) == (rb"<http://s/\u003E>", rb"http://g/\u000A")
    literal = parse_line(rb'<s> <p> "\u00e9" <g> .')
    assert literal is not None
    assert not isinstance(literal, str)
    assert literal.object == rb'"\u00e9"'


def test_a_page_that_only_looks_like_a_blank_node_is_another() -> None:
    assert page_of(b"_:g") == b"_:g"
    assert readable(page_of(b"<_:g>")) == "<_:g>"
    assert page_of(b"<http://g/>") == b"http://g/"


@pytest.mark.parametrize(
    ("token", "name"),
    [
        (b"<my\\u0020pages/a.html>", "my pages/a.html"),
        (b"<http://g/\\u005Cu0020>", "http://g/\\u0020"),
        (b"<http://g/\\u000a>", "http://g/\n"),
        (b"<http://g/\\uD800>", "http://g/\\uD800"),
        (b"<http://g/\\U00110000>", "http://g/\\U00110000"),
        (b"<_:g>", "<_:g>"),
        (b"_:g", "_:g"),
        ("<http://g/é>".encode(), "http://g/é"),
    ],
)
def test_a_page_is_known_by_its_readable_name(token: bytes, name: str) -> None:
    assert readable(page_of(token)) == name
    assert name_of(name) == page_of(token)
