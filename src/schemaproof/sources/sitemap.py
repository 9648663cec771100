"""Sitemaps: the addresses of a site's pages (https://www.sitemaps.org/protocol.html).

A sitemap is read by the incremental parser of the standard library, so that what stands before a fault is had, and is
read once, in time that grows with its length alone. Nothing that a document type declares is ever looked at.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit
from xml.parsers import expat

from schemaproof.sources.model import PageSource, identifier
from schemaproof.sources.visiting import Visit
from schemaproof.sources.web import is_url
from schemaproof.wording import counted

MAXIMUM_SITEMAPS = 50_000  # the protocol's own limit for one index; here for all sitemaps of one call
MAXIMUM_DEPTH = 5  # the protocol knows no index of indexes; a chain of them must end somewhere
MAXIMUM_BYTES = 50 * 1024 * 1024  # the protocol's own limit for one sitemap
MAXIMUM_ADDRESS = 8000  # characters; what servers should take at least (RFC 9110, 4.1)
MAXIMUM_NAMED = 10  # unusable addresses of one sitemap that are told one by one; the others are counted
# A tag is in memory as a whole, and is looked at from its start for each piece that arrives of it.
MAXIMUM_TAG = 1 << 20
MAXIMUM_NESTING = 100
# An exception in a handler takes effect at the end of a piece. Where a document type may come, pieces are harmless.
_FIRST_PIECE = 1 << 12
_PIECE = 1 << 16

# The elements in which an address stands, from the root. RSS 2.0 and Atom are sitemaps too ("Other Sitemap formats").
_SHAPES = {
    "urlset": ("url", "loc"),
    "sitemapindex": ("sitemap", "loc"),
    "rss": ("channel", "item", "link"),
    "feed": ("entry", "link"),
}
_SPACE = " \t\r\n"  # XML 1.0, 2.3; nothing else may be taken off an address
# White space, controls, marks of direction (RFC 3987, 4.1), and what stands for bytes that were no UTF-8.
_UNFIT = re.compile("[\\s\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]")
_DECLARED_UTF_16 = re.compile(rb"<\?xml[^>]{1,100}?encoding\s{0,9}=\s{0,9}[\"']utf-?16", re.IGNORECASE)


class _Unreadable(Exception):  # noqa: N818  (it says what is the matter with the sitemap)
    """Where reading a sitemap ends before its end; the message says why."""


def read_sitemap(url: str, visit: Callable[[str], Visit]) -> Iterator[str | PageSource]:
    """The addresses that a sitemap (or an index of sitemaps) names, each once.

    Arguments:
        url: address of the sitemap: XML, an RSS or Atom feed, or text with one address a line; plain or gzip.
        visit: fetches a sitemap, as `Visitor.visit` does: by the rules of robots.txt and from public addresses only.

    Returns: addresses; a source with its error for a sitemap that cannot be had or read to its end (after what could be
        read), and for what it names but cannot be fetched: relative addresses (the protocol forbids them), such with
        spaces or control characters. No sitemap stops the others.
    """
    waiting, seen, pages = deque([(url, 0)]), {url}, set[str]()
    while waiting:
        current, depth = waiting.popleft()
        visited = visit(current)
        if visited.error or visited.answer is None:
            yield _failed(current, visited.error or "cannot be read")
            continue
        notes: list[str] = []
        unusable = left = 0
        for nested, address in _addresses(visited.answer.body, notes):
            if reason := _fault(address):
                unusable += 1
                if unusable <= MAXIMUM_NAMED:
                    yield _failed(address[:200], f"{reason}; named by the sitemap {current}")
            elif not nested:
                if address not in pages:
                    pages.add(address)
                    yield address
            elif (child := address.partition("#")[0]) not in seen:
                if depth == MAXIMUM_DEPTH or len(seen) >= MAXIMUM_SITEMAPS:
                    left += 1
                else:
                    seen.add(child)
                    waiting.append((child, depth + 1))
        if unusable > MAXIMUM_NAMED:
            notes.append(f"{counted(unusable - MAXIMUM_NAMED, 'more address', 'more addresses')} cannot be fetched")
        if left:
            notes.append(
                f"{counted(left, 'sitemap')} that it names not read: "
                f"at most {MAXIMUM_SITEMAPS:,} are, {MAXIMUM_DEPTH} levels deep"
            )
        if notes:
            yield _failed(current, "; ".join(notes))


def _failed(name: str, reason: str) -> PageSource:
    return PageSource(name, None, name, identifier(name), None, reason)


def _fault(address: str) -> str:
    """Why an address cannot be fetched, or ""."""
    if not is_url(address):
        return "not an absolute http or https address"
    if _UNFIT.search(address):
        return "an address with a space, a control character or another that none may have"
    if len(address) > MAXIMUM_ADDRESS:
        return f"an address of more than {MAXIMUM_ADDRESS:,} characters"
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port  # a port that is none raises too
    except ValueError as problem:
        return f"not an address ({problem})"
    return "" if host else "an address without a host"


def _addresses(data: bytes, notes: list[str]) -> Iterator[tuple[bool, str]]:
    """The addresses in the body of a sitemap.

    Arguments:
        data: the body.
        notes: takes up what is wrong with it.

    Returns: (whether it is the address of a sitemap, the address without white space around it).
    """
    data = _unpacked(data, notes)
    encoding = _encoding(data)
    whole = not notes
    try:
        if _begins_with_tag(data, encoding):
            yield from _marked_up(data, encoding, whole)
        else:
            yield from ((False, line) for line in _lines(data, encoding or "utf-8-sig"))
    except _Unreadable as problem:
        notes.append(str(problem))


def _unpacked(data: bytes, notes: list[str]) -> bytes:
    """The body without gzip: as much as can be unpacked, and no more than the protocol allows."""
    if data[:2] != b"\x1f\x8b":
        return data
    out = bytearray()
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            while len(out) <= MAXIMUM_BYTES and (piece := stream.read1(_PIECE)):
                out += piece
    except (OSError, EOFError, zlib.error) as problem:
        notes.append(f"broken gzip ({problem}), read up to there")
    if len(out) > MAXIMUM_BYTES:
        notes.append(f"larger than {MAXIMUM_BYTES >> 20} MB unpacked, read up to there")
        del out[MAXIMUM_BYTES:]
    return bytes(out)


def _encoding(data: bytes) -> str | None:
    """The encoding, where the first bytes know it better than the declaration (XML 1.0, appendix F)."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if data.startswith((b"<\0", b"\0<")):
        return "utf-16le" if data[0] else "utf-16be"
    # Programs that write to a string declare the UTF-16 it had in memory, and then send UTF-8.
    return "utf-8" if _DECLARED_UTF_16.match(data.removeprefix(codecs.BOM_UTF8).lstrip()[:200]) else None


def _begins_with_tag(data: bytes, encoding: str | None) -> bool:
    if encoding and encoding.startswith("utf-16"):
        return data[:200].decode(encoding, "replace").lstrip().startswith("<")
    return data.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"<")


def _lines(data: bytes, encoding: str) -> Iterator[str]:
    """The addresses of a sitemap of text, one a line.

    Raises: _Unreadable where the first line is none.
    """
    first = True
    for line in io.TextIOWrapper(io.BytesIO(data), encoding, errors="replace"):
        if address := line.strip(_SPACE):
            if first and not is_url(address):
                raise _Unreadable("no sitemap: neither XML nor a list of addresses")
            first = False
            yield address
    if first:
        raise _Unreadable("no sitemap: it is empty")


def _marked_up(data: bytes, encoding: str | None, whole: bool) -> Iterator[tuple[bool, str]]:
    """The addresses of a sitemap of XML.

    Arguments:
        data: the document.
        encoding: to be taken in place of the declared one.
        whole: it was not cut off, so that its end can be a fault.

    Raises: _Unreadable at a fault, after what stands before it.
    """
    start = 0
    if encoding is None or encoding == "utf-8":  # an empty line before the declaration is a fault that many make
        start = len(data) - len(data.removeprefix(codecs.BOM_UTF8).lstrip())
    skipped = data.count(b"\n", 0, start)
    reader = _Reader(encoding)
    first = start
    while start < len(data):
        end = min(start + (_PIECE if reader.path else _FIRST_PIECE), len(data))
        problem = ""
        try:
            reader.parser.Parse(data[start:end], whole and end == len(data))
        except expat.ExpatError as fault:
            place = f"line {fault.lineno + skipped}, column {fault.offset + 1}"
            problem = f"{place}: {expat.ErrorString(fault.code)}; what follows is not read"
        except (_Unreadable, LookupError, ValueError) as fault:  # the latter two for encodings
            problem = str(fault)
        yield from ((reader.nested, address.strip(_SPACE)) for address in reader.found)
        reader.found.clear()
        reader.parser.intern.clear()  # it would hold every name there was
        if not problem and end - first - reader.parser.CurrentByteIndex > MAXIMUM_TAG:
            problem = "a tag or comment of more than 1 MB; what follows is not read"
        if problem and not reader.path:
            html = re.search(rb"<html|<!doctype html", data[:2000], re.IGNORECASE)
            problem = "an HTML page, no sitemap" if html else f"no sitemap: {problem}"
        if problem:
            raise _Unreadable(problem)
        start = end


class _Reader:
    """Finds addresses in XML: in elements of the root's own namespace, at their place and nowhere else.

    The namespace is the root's, whichever it is: the protocol's, one of its forerunners, or none.

    Attributes:
        parser: to be fed.
        path: names of the elements from the root to an address; empty until the root is known.
        nested: addresses are those of sitemaps.
        found: addresses since it was emptied.
    """

    def __init__(self, encoding: str | None) -> None:
        self.parser = expat.ParserCreate(encoding, " ")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.SkippedEntityHandler = self._entity
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.path: list[str] = []
        self.nested = False
        self.found: list[str] = []
        self._feed = False
        self._depth = self._matched = 0
        self._parts: list[str] = []

    def _doctype(self, name: str, system: str | None, public: str | None, declares: bool) -> None:
        if declares:
            raise _Unreadable("a document type with declarations, which no sitemap has")

    def _entity(self, name: str, parameter: bool) -> None:
        raise _Unreadable(f"an entity that is not XML's own ({name[:40]}); what follows is not read")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == 1:
            self._root(name)
        elif self._matched == len(self.path):
            self._parts.append("\ufffd")  # an element inside of an address: what stands around it is none
        elif self._depth == self._matched + 1 and name == self.path[self._matched]:
            self._matched += 1
            if self._feed and self._matched == len(self.path) and attributes.get("rel", "alternate") == "alternate":
                self.found.append(attributes.get("href", ""))
        if self._depth > MAXIMUM_NESTING:
            raise _Unreadable(f"elements nested more than {MAXIMUM_NESTING} deep; what follows is not read")

    def _root(self, name: str) -> None:
        namespace, space, local = name.rpartition(" ")
        if local not in _SHAPES:
            raise _Unreadable(f"its root element is {local[:40]}")
        self.path = [name, *(f"{namespace}{space}{step}" for step in _SHAPES[local])]
        self.nested, self._feed = local == "sitemapindex", local == "feed"
        self._matched = 1

    def _text(self, text: str) -> None:
        if self._matched == len(self.path):
            self._parts.append(text)

    def _end(self, name: str) -> None:
        if self._depth == self._matched:
            if self._matched == len(self.path) and not self._feed:
                self.found.append("".join(self._parts))
            self._parts.clear()
            self._matched -= 1
        self._depth -= 1
