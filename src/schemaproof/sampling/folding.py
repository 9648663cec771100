"""The fold: quads that come page by page to characteristic sets, in one pass.

A line costs as little as it can: `lines.runs` takes all lines of a block apart, to runs of one subject on one page with
what they say joined to a key; what set a key makes gets looked up once a run. Lines of rarer forms are read one by one,
by `quads.parse_line`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from zlib import crc32

from schemaproof.sampling.entry import Entry, page_digest
from schemaproof.sampling.lines import Reader, Run, runs
from schemaproof.sampling.names import RDF_TYPE, Names
from schemaproof.sampling.quads import Quad, parse_line
from schemaproof.sampling.tally import SHOWN, Tally

MEMORY = 6 << 20  # bytes of joined predicates that are remembered
NAMES = 20_000  # tokens whose names are remembered
FEW = 4  # shapes of a subject, beyond which repeated tokens are taken out

Counts = list[tuple[bytes, Entry]]
Said = tuple[bytes, bytes, bytes]  # page, subject, and tokens joined by spaces


class Shape:
    """What lines of one subject say of its set: remembered, since most subjects are like others.

    Attributes:
        key: their tokens, joined by spaces; spaces may follow.
        entry: the count that they belong to, where they are all there is of a subject.
        parts: of a subject with several shapes, these, each once; what else is here says nothing then.
    """

    __slots__ = ("entry", "key", "parts")

    def __init__(self, key: bytes, entry: Entry, parts: dict[Shape, None] | None = None) -> None:
        self.key = key
        self.entry = entry
        self.parts = parts


class Fold:
    """Folds lines into characteristic sets, page after page.

    Arguments:
        names: which names count.
        size: how many instances of each set are kept as a sample.
        spill: called with the counts in order when more than `limit` sets are held; they are then let go.
        limit: see `spill`.
        arrived: called with a page's name before it is begun; the quads of a page for which it says no are handed to
            `diverted` and not counted.
        diverted: see `arrived`; called with some of what lines say, in their order.
        loose: hand all lines to `diverted`: for lines that are known to come in no order.
        reader: what takes a block apart.
    """

    def __init__(
        self,
        names: Names,
        *,
        size: int = 5,
        spill: Callable[[Counts], None] | None = None,
        limit: int = 30_000,
        arrived: Callable[[bytes], bool] | None = None,
        diverted: Callable[[Iterable[Said]], None] | None = None,
        loose: bool = False,
        reader: Reader = runs,
    ) -> None:
        self.names = names
        self.size = size
        self.spill = spill
        self.limit = limit
        self.arrived = arrived
        self.diverted = diverted
        self.loose = loose
        self.reader = reader
        self.tally = Tally()
        self.digests = array("Q")
        self.entries: dict[bytes, Entry] = {}
        self._nothing = Entry()
        self._known: dict[bytes, Shape] = {}
        self._known_bytes = 0
        self._named: dict[bytes, str] = {}
        self._page: bytes | None = None
        self._skipping = False
        # The subjects of the page that is not at its end.
        self._subjects: dict[bytes, Shape] = {}

    # Reading

    def feed(self, block: bytes, file: str, line: int) -> int:
        """Fold a block of whole lines.

        Arguments:
            block: the lines, parted by line feeds.
            file, line: where its first line stands, for messages.

        Returns: the number of lines in it.
        """
        if block[-1:] != b"\n":
            block += b"\n"
        found = self.reader(block)
        return self._scatter(found, file, line) if self.loose else self._fold(found, file, line)

    def _fold(self, found: list[Run], file: str, line: int) -> int:
        """Fold runs; returns how many lines they are."""
        tally = self.tally
        count = other = 0  # lines; of these no quads
        page = None
        subjects: dict[bytes, Shape] = {}
        known = self._known.get
        for subject, name, key, lines in found:
            if not key:
                quad = self._other(subject, file, line + count)
                if quad is None:
                    other += 1
                    count += 1
                    continue
                subject, name, key = quad.subject, quad.page, token_of(quad.predicate, quad.object)
            if name != page:
                if page is not None:
                    self._add(page, subjects, ended=True)
                page, subjects = name, {}
            count += lines
            shape = known(key) or self._learn(key)
            before = subjects.get(subject)
            subjects[subject] = shape if before is None else self._both(before, shape)
        if page is not None:
            self._add(page, subjects, ended=False)
        tally.quads += count - other
        return count

    def _other(self, text: bytes, file: str, number: int) -> Quad | None:
        """A line of another form: its quad; None for a blank line, a comment, or what is no quad, which is noted."""
        quad = parse_line(text)
        if not isinstance(quad, str):
            return quad
        self.tally.malformed += 1
        if len(self.tally.examples) < SHOWN:
            self.tally.examples.append((file, number, quad))
        return None

    def _scatter(self, found: list[Run], file: str, line: int) -> int:
        """Divert all lines; returns how many they are."""
        assert self.diverted is not None
        count = other = 0
        said: list[Said] = []
        for subject, name, key, lines in found:
            if key:
                said.append((name, subject, key))
            else:
                quad = self._other(subject, file, line + count)
                if quad is None:
                    other += 1
                else:
                    said.append((quad.page, quad.subject, token_of(quad.predicate, quad.object)))
            count += lines
        self.diverted(said)
        self.tally.quads += count - other
        return count

    def _add(self, page: bytes, subjects: dict[bytes, Shape], *, ended: bool) -> None:
        """Add what subjects say to their page.

        Arguments:
            ended: another page follows.
        """
        if page != self._page:
            self.end_page()
            self._skipping = self.arrived is not None and not self.arrived(page)
            if ended and not self._skipping:
                self.finish(page, subjects)
                return
            self._page = page
        if self._skipping:
            if self.diverted is not None:
                self.diverted((page, subject, key_of(shape)) for subject, shape in subjects.items())
            return
        mine = self._subjects
        for subject, shape in subjects.items():
            before = mine.get(subject)
            mine[subject] = shape if before is None else self._both(before, shape)

    def _both(self, before: Shape, shape: Shape) -> Shape:
        """The shape of two together; joined when the page is whole, so that no subject costs more than its lines."""
        more = shape.parts or {shape: None}
        if before.parts is None:
            return Shape(b"", self._nothing, {before: None, **more})
        before.parts.update(more)
        return before

    def _learn(self, key: bytes) -> Shape:
        """The shape of joined tokens, remembered."""
        shape = self._known.get(key)
        if shape is not None:
            return shape
        names = set(map(self._name, tokens_of(key)))
        names.discard("")
        entry = self._nothing
        if names:
            cset = " ".join(sorted(names)).encode("utf-8", "surrogatepass")
            entry = self.entries.get(cset) or self.entries.setdefault(cset, Entry())
        if self._known_bytes > MEMORY:
            self._known.clear()
            self._known_bytes = 0
        shape = self._known[key] = Shape(key, entry)
        self._known_bytes += len(key) + 200
        return shape

    def _name(self, token: bytes) -> str:
        """The name of a token, remembered; "" where it is left out."""
        name = self._named.get(token)
        if name is not None:
            return name
        name = (self.names.of_type(token[1:]) if token.startswith(b"a") else self.names.of_property(token)) or ""
        if len(self._named) >= NAMES:
            self._named.clear()
        self._named[token] = name
        return name

    # Pages

    def end_page(self) -> None:
        """Count the page that was read last."""
        page = self._page
        if page is not None:
            self._page = None
            if not self._skipping:
                subjects, self._subjects = self._subjects, {}
                self.finish(page, subjects)

    def finish(self, page: bytes, subjects: dict[bytes, Shape]) -> None:
        """Count a page that was read whole."""
        digest = page_digest(page)
        self.digests.append(digest)
        self._count(page, digest, subjects)
        self.make_room()

    def make_room(self) -> None:
        """Hand the counts over where they have become too many."""
        if len(self.entries) >= self.limit and self.spill is not None:
            self.spill(self.take())

    def count_page(self, page: bytes, subjects: dict[bytes, bytes]) -> None:
        """Count the subjects of one whole page: each with its tokens joined by spaces."""
        self._count(page, page_digest(page), {subject: self._learn(key) for subject, key in subjects.items()})

    def _count(self, page: bytes, digest: int, subjects: dict[bytes, Shape]) -> None:
        tally = self.tally
        number = tally.pages
        tally.pages += 1
        seed = digest >> 32
        keep = self.size
        nothing = self._nothing
        empty = 0
        for subject, shape in subjects.items():
            entry = shape.entry
            if entry is nothing:
                entry = self._learn(key_of(shape)).entry if shape.parts else nothing
                if entry is nothing:
                    empty += 1
                    continue
            entry.instances += 1
            if entry.last != number:
                entry.last = number
                entry.pages += 1
            first = crc32(subject, seed)
            if first <= entry.limit:
                entry.offer(first, digest, page, subject, keep)
        tally.emptied += empty
        tally.instances += len(subjects) - empty

    def take(self) -> Counts:
        """All counts so far in the order of their sets; they are let go."""
        # A subject that grew over several blocks leaves the sets behind that it had on its way.
        found = sorted((pair for pair in self.entries.items() if pair[1].instances), key=lambda pair: pair[0])
        self.entries = {}
        self._known.clear()
        self._known_bytes = 0
        return found


def token_of(predicate: bytes, value: bytes) -> bytes:
    """What a quad says of its subject's set: its predicate, or the IRI of its type with `a` in front."""
    return b"a" + value if predicate == RDF_TYPE and value.startswith(b"<") else predicate


def key_of(shape: Shape) -> bytes:
    """The joined tokens of a shape, also of one of several parts."""
    if shape.parts is None:
        return shape.key.rstrip(b" ")
    if len(shape.parts) <= FEW:
        return b" ".join([part.key.rstrip(b" ") for part in shape.parts])
    return b" ".join(dict.fromkeys(token for part in shape.parts for token in tokens_of(part.key)))


def tokens_of(key: bytes) -> list[bytes]:
    """The tokens that were joined."""
    return key.split()
