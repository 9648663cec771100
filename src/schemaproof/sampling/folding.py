"""The fold: quads that come page by page to characteristic sets, in one pass.

A line costs as little as it can: the lines of one page all end alike, so they are parted by that ending at once; the
predicates of a subject are joined as they come, and what set that is gets looked up once a subject. Whatever is not of
the plain form is read again, line by line, by `quads.parse_line`: the fast way accepts only what that accepts too.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b

from schemaproof.sampling.names import RDF_TYPE, Names
from schemaproof.sampling.quads import LITERAL, PREDICATE, SUBJECT, page_of, parse_line
from schemaproof.sampling.soundness import sound_blanks, sound_iris

SHOWN = 10
MEMORY = 6 << 20  # bytes of joined predicates that are remembered
NAMES = 20_000  # tokens whose names are remembered
LONG = 4096  # a subject's joined predicates, from where repeated ones are taken out

Counts = list[tuple[bytes, "Entry"]]


@dataclass(slots=True)
class Tally:
    """What was read of one file, or of several.

    Attributes:
        quads: lines that are quads.
        malformed: lines that are none; blank lines and comments do not count.
        pages: runs of quads of one page.
        instances: subjects of pages, those with an empty set left out.
        emptied: subjects of pages without any name of the vocabulary.
        examples: the first malformed lines: (file, line from 1, reason).
        broken: files that break off: (file, reason).
    """

    quads: int = 0
    malformed: int = 0
    pages: int = 0
    instances: int = 0
    emptied: int = 0
    examples: list[tuple[str, int, str]] = field(default_factory=list)
    broken: list[tuple[str, str]] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add another tally to this one."""
        self.quads += other.quads
        self.malformed += other.malformed
        self.pages += other.pages
        self.instances += other.instances
        self.emptied += other.emptied
        self.examples = [*self.examples, *other.examples][:SHOWN]
        self.broken += other.broken


class Entry:
    """The count of one characteristic set.

    Attributes:
        instances: subjects of pages that have it.
        pages: pages with such a subject.
        last: number of the page that was counted last.
        sample: the smallest keys, see `sample_key`; sorted.
        limit: a hash above it has no place in the sample.
    """

    __slots__ = ("instances", "last", "limit", "pages", "sample")

    def __init__(self) -> None:
        self.instances = 0
        self.pages = 0
        self.last = -1
        self.sample: list[bytes] = []
        self.limit = b"\xff" * 8


def sample_key(page: bytes, subject: bytes) -> bytes:
    """What decides which instances are kept as a sample: 8 bytes of BLAKE2b over page, space and subject, then both.

    The smallest keys of two parts together are the smallest of all, whatever the order: samples can be merged.
    """
    name = page + b" " + subject
    return blake2b(name, digest_size=8).digest() + name


def keep_key(sample: list[bytes], key: bytes, size: int) -> None:
    """Put a key into a sorted sample of at most so many."""
    place = bisect_left(sample, key)
    if place < size and (place == len(sample) or sample[place] != key):
        sample.insert(place, key)
        del sample[size:]


def page_digest(page: bytes) -> int:
    """64 bits that stand for a page."""
    return int.from_bytes(blake2b(page, digest_size=8).digest(), "big")


class Fold:
    """Folds lines into characteristic sets, page after page.

    Arguments:
        names: which names count.
        size: how many instances of each set are kept as a sample.
        spill: called with the counts in order when more than `limit` sets are held; they are then let go.
        limit: see `spill`.
        arrived: called with a page's name before it is begun; the quads of a page for which it says no are handed to
            `diverted` one by one and not counted.
        diverted: see `arrived`; called with page, subject and the token of `token_of`.
        loose: read line by line at once, for lines that are known to come in no order.
    """

    def __init__(
        self,
        names: Names,
        *,
        size: int = 5,
        spill: Callable[[Counts], None] | None = None,
        limit: int = 30_000,
        arrived: Callable[[bytes], bool] | None = None,
        diverted: Callable[[bytes, bytes, bytes], None] | None = None,
        loose: bool = False,
    ) -> None:
        self.names = names
        self.size = size
        self.spill = spill
        self.limit = limit
        self.arrived = arrived
        self.diverted = diverted
        self.loose = loose
        self.tally = Tally()
        self.digests = array("Q")
        self.entries: dict[bytes, Entry] = {}
        self._nothing = Entry()
        self._known: dict[bytes, Entry] = {}
        self._known_bytes = 0
        self._named: dict[bytes, str] = {}
        self._page: bytes | None = None
        self._skipping = False
        self._tail = b""
        # Subject to its predicates and types, joined by spaces.
        self._subjects: dict[bytes, bytes] = {}
        self._suffixes: set[bytes] = set()

    # Reading

    def feed(self, block: bytes, file: str, line: int) -> int:
        """Fold a block of whole lines.

        Arguments:
            block: the lines, parted by line feeds.
            file, line: where its first line stands, for messages.

        Returns: the number of lines in it.
        """
        if not block.isascii():
            try:
                block.decode()
            except UnicodeDecodeError:
                return self._lines(block, file, line)
        if self.loose:
            return self._lines(block, file, line)
        start, size, first = 0, len(block), line
        while start < size:
            end, tail = _region(block, start)
            pieces = block[start:end].split(tail) if tail else []
            # As many line feeds as endings: then every line has that ending.
            if pieces and not pieces[-1] and block.count(b"\n", start, end) == len(pieces) - 1:
                pieces.pop()
                if self._whole(pieces, tail, block, start, end):
                    self.tally.quads += len(pieces)
                    line += len(pieces)
                    start = end
                    continue
            line += self._lines(block[start:end], file, line)
            start = end
        return line - first

    def _whole(self, pieces: list[bytes], tail: bytes, block: bytes, start: int, end: int) -> bool:
        """Fold the lines of one page, their common ending taken off; false, and nothing done, for other forms."""
        page = tail[1:-3]
        if tail != self._tail and not SUBJECT.fullmatch(page):
            return False
        escaped = block.find(b"\\", start, end) >= 0
        extra = types = 0
        iris: list[bytes] = []
        blanks: list[bytes] = []
        fresh: dict[bytes, list[bytes]] = {}
        suffixes = self._suffixes
        last: bytes | None = None
        tokens: list[bytes] = []
        try:
            for piece in pieces:
                subject, predicate, value = piece.split(b" ", 2)
                if subject != last:
                    last = subject
                    if subject in fresh:
                        tokens = fresh[subject]
                    else:
                        tokens = fresh[subject] = []
                kind = value[0]
                if kind == 34:  # a literal
                    tokens.append(predicate)
                    if escaped and b"\\" in value:
                        if not LITERAL.fullmatch(value):
                            return False
                        extra += value.count(b'"') - 2
                    elif value[-1] != 34:
                        suffix = value[value.rfind(b'"') :]
                        if suffix not in suffixes and not self._is_suffix(suffix):
                            return False
                    elif len(value) < 2:
                        return False
                elif kind == 60:
                    if predicate == RDF_TYPE:
                        tokens.append(b"a" + value)
                        types += 1
                    else:
                        tokens.append(predicate)
                        iris.append(value)
                else:
                    tokens.append(predicate)
                    blanks.append(value)
        except (ValueError, IndexError):
            return False
        # Every literal has two quotes at least; no more in all means no more in any.
        literals = len(pieces) - len(iris) - len(blanks) - types
        if block.count(b'"', start, end) != 2 * literals + extra:
            return False
        for subject in fresh:
            (iris if subject[:1] == b"<" else blanks).append(subject)
        if not (sound_iris(iris) and sound_blanks(blanks)):
            return False
        joined = {subject: b" ".join(tokens) for subject, tokens in fresh.items()}
        known = self._known
        for key in joined.values():
            if key not in known and self._learn(key) is None:
                return False
        # Only now is it certain that the page has quads.
        if tail != self._tail:
            self._begin(page_of(page))
            self._tail = tail
        if self._skipping:
            return False
        self._absorb(joined)
        return True

    def _is_suffix(self, suffix: bytes) -> bool:
        """Whether this, from its quote on, can end a literal; remembered."""
        if not LITERAL.fullmatch(b'"' + suffix):
            return False
        if len(self._suffixes) < 1000:
            self._suffixes.add(suffix)
        return True

    def _absorb(self, joined: dict[bytes, bytes]) -> None:
        """Add joined tokens to the page's subjects."""
        subjects = self._subjects
        for subject in subjects.keys() & joined.keys():
            key = b"%b %b" % (subjects[subject], joined[subject])
            joined[subject] = key if len(key) < LONG else b" ".join(dict.fromkeys(key.split(b" ")))
        subjects.update(joined)

    def _learn(self, key: bytes) -> Entry | None:
        """The count that joined tokens belong to, remembered; None where one of them is no token."""
        named = self._named
        names = set()
        for token in set(key.split(b" ")) if key else ():
            name = named.get(token)
            if name is None:
                name = self._name(token)
                if name is None:
                    return None
            names.add(name)
        names.discard("")
        entry = self._nothing
        if names:
            cset = " ".join(sorted(names)).encode("utf-8", "surrogatepass")
            entry = self.entries.get(cset) or self.entries.setdefault(cset, Entry())
        if self._known_bytes > MEMORY:
            self._known.clear()
            self._known_bytes = 0
        self._known[key] = entry
        self._known_bytes += len(key) + 100
        return entry

    def _name(self, token: bytes) -> str | None:
        """The name of a token, remembered; "" where it is left out, None where it is no token."""
        bare = token[1:] if token.startswith(b"a") else token
        if not PREDICATE.fullmatch(bare):
            return None
        name = (self.names.of_type(bare) if bare is not token else self.names.of_property(bare)) or ""
        if len(self._named) >= NAMES:
            self._named.clear()
        self._named[token] = name
        return name

    def _lines(self, block: bytes, file: str, line: int) -> int:
        """Fold lines of any form, one by one; returns how many there are."""
        lines = block.split(b"\n")
        if not lines[-1]:
            lines.pop()
        fresh: dict[bytes, list[bytes]] = {}
        for number, text in enumerate(lines, line):
            quad = parse_line(text)
            if quad is None:
                continue
            if isinstance(quad, str):
                self.tally.malformed += 1
                if len(self.tally.examples) < SHOWN:
                    self.tally.examples.append((file, number, quad))
                continue
            self.tally.quads += 1
            if quad.page != self._page:
                self._absorb({subject: b" ".join(tokens) for subject, tokens in fresh.items()})
                fresh = {}
                self._begin(quad.page)
            token = token_of(quad.predicate, quad.object)
            if not self._skipping:
                fresh.setdefault(quad.subject, []).append(token)
            elif self.diverted is not None:
                self.diverted(quad.page, quad.subject, token)
        self._absorb({subject: b" ".join(tokens) for subject, tokens in fresh.items()})
        return len(lines)

    # Pages

    def _begin(self, page: bytes) -> None:
        if page == self._page:
            return
        self.end_page()
        self._page = page
        self._tail = b""
        self._skipping = self.arrived is not None and not self.arrived(page)

    def end_page(self) -> None:
        """Count the page that was read last."""
        page = self._page
        if page is None:
            return
        self._page, self._tail = None, b""
        if self._skipping:
            return
        subjects = self._subjects
        self._subjects = {}
        self.digests.append(page_digest(page))
        self.count_page(page, subjects)
        self.make_room()

    def make_room(self) -> None:
        """Hand the counts over where they have become too many."""
        if len(self.entries) >= self.limit and self.spill is not None:
            self.spill(self.take())

    def count_page(self, page: bytes, subjects: dict[bytes, bytes]) -> None:
        """Count the subjects of one whole page: each with its tokens joined by spaces."""
        tally = self.tally
        number = tally.pages
        tally.pages += 1
        base = blake2b(page + b" ", digest_size=8)
        known = self._known.get
        keep = self.size
        nothing = self._nothing
        for subject, key in subjects.items():
            entry = known(key) or self._learn(key) or nothing
            if entry is nothing:
                tally.emptied += 1
                continue
            tally.instances += 1
            entry.instances += 1
            if entry.last != number:
                entry.last = number
                entry.pages += 1
            hashed = base.copy()
            hashed.update(subject)
            digest = hashed.digest()
            if digest <= entry.limit:
                keep_key(entry.sample, b"%b%b %b" % (digest, page, subject), keep)
                if len(entry.sample) >= keep:
                    entry.limit = entry.sample[-1][:8] if keep else b""

    def take(self) -> Counts:
        """All counts so far in the order of their sets; they are let go."""
        # A subject that grew over several blocks leaves the sets behind that it had on its way.
        found = sorted((pair for pair in self.entries.items() if pair[1].instances), key=lambda pair: pair[0])
        self.entries = {}
        self._known = {}
        self._known_bytes = 0
        return found


def token_of(predicate: bytes, value: bytes) -> bytes:
    """What a quad says of its subject's set: its predicate, or the IRI of its type with `a` in front."""
    return b"a" + value if predicate == RDF_TYPE and value.startswith(b"<") else predicate


def _region(block: bytes, start: int) -> tuple[int, bytes]:
    """Where the lines that end like the first one probably end, and that ending.

    Found by leaps and halving, so that most lines are not looked at; the caller counts whether it is so.
    """
    size = len(block)
    find = block.find
    good = find(b"\n", start) + 1
    if not good:
        return size, b""
    head = block.rfind(b" ", start, good - 3)
    if head < 0 or block[good - 3 : good] != b" .\n":
        return good, b""
    tail = block[head:good]
    length = len(tail)
    step = 2048
    # Leap while the line at the landing place still ends alike.
    while (bad := good + step) < size:
        after = find(b"\n", bad) + 1
        if not after or block[after - length : after] != tail:
            break
        good, step = after, step * 2
    bad = min(bad, size)
    # Between the end of a line that does and a place whose line does not.
    while good < bad:
        middle = (good + bad) >> 1
        after = find(b"\n", middle) + 1
        if after and block[after - length : after] == tail:
            good = after
        else:
            bad = max(block.rfind(b"\n", good, middle) + 1, good)
    return good, tail
