"""The count of one characteristic set, and which instances of it are kept as a sample."""

from __future__ import annotations

from bisect import bisect_left
from hashlib import blake2b

WORD = 0xFFFFFFFF


def page_digest(page: bytes) -> int:
    """64 bits that stand for a page."""
    return int.from_bytes(blake2b(page, digest_size=8).digest(), "big")


class Entry:
    """The count of one characteristic set.

    The sample is the instances with the smallest keys: a hash of page and subject in 8 bytes, then both. The hash is
    the subject's CRC-32, begun with the upper half of the page's digest, then the lower half: as good as random over
    the pages, another one for each subject of a page, at a fraction of what a digest for each would cost. The smallest
    keys of two parts together are the smallest of all, whatever the order: samples can be merged.

    Attributes:
        instances: subjects of pages that have it.
        pages: pages with such a subject.
        last: number of the page that was counted last.
        sample: the smallest keys, sorted.
        limit: a first half of the hash above it has no place in the sample.
    """

    __slots__ = ("instances", "last", "limit", "pages", "sample")

    def __init__(self) -> None:
        self.instances = 0
        self.pages = 0
        self.last = -1
        self.sample: list[bytes] = []
        self.limit = WORD

    def offer(self, first: int, digest: int, page: bytes, subject: bytes, size: int) -> None:
        """Put an instance into the sample where it has a place.

        Arguments:
            first: the subject's CRC-32, begun with the upper half of the page's digest.
            digest: of the page.
            page, subject: their names.
            size: of the sample.
        """
        key = b"%b%b %b" % ((first << 32 | digest & WORD).to_bytes(8, "big"), page, subject)
        sample = self.sample
        place = bisect_left(sample, key)
        if place < size and (place == len(sample) or sample[place] != key):
            sample.insert(place, key)
            del sample[size:]
        if len(sample) >= size:
            self.limit = int.from_bytes(sample[-1][:4], "big") if size else -1
