"""A page's text as a model sees it: what tricks the eye taken out, cut into chunks or windows, fenced.

Source: the paper cuts texts into C = tokens / (0.9 x chunk) chunks with 10% overlap (sections 3.2 and 3.4).
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

Span = tuple[int, int]
OVERLAP = 0.1

# Bidirectional controls, zero-width characters that join or part nothing, soft hyphens, tag characters (text that no
# one sees) and control characters: a reader does not see them, a model would read them.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
)
# Text that speaks to a judge in the form of its answers: no evidence of anything that it quotes.
_FORGED = re.compile(
    r"[\"'“”„«](?:verdict|quote|answers?|n)[\"'“”»]\s*:|\bverdict\s*[:=]|"
    r"[\"'“”„«](?:supported|unsupported|contradicted)[\"'“”»]|\[(?:end of )?page\s+[0-9a-fA-F]{6,}\]",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?…。！？])\s+")


def text_digest(text: str) -> str:
    """How questions name a text: the first 16 hexadecimal digits of its sha256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Shown:
    """A text without what no one sees, with the way back to its own offsets.

    Arguments:
        source: the text as on the page.
    """

    def __init__(self, source: str) -> None:
        removed = [found.start() for found in _UNSEEN.finditer(source)]
        self.source = source
        self.text = _UNSEEN.sub("", source) if removed else source
        # Offset in the shown text of each removed character: how many were removed before.
        self._removed = [place - number for number, place in enumerate(removed)]

    def original(self, offset: int) -> int:
        """The offset in the source of a character of the shown text."""
        return offset + bisect_right(self._removed, offset) if self._removed else offset

    def shown(self, offset: int) -> int:
        """The offset in the shown text of an offset of the source."""
        if not self._removed:
            return offset
        low, high = 0, len(self._removed)
        while low < high:
            middle = (low + high) // 2
            if self._removed[middle] + middle < offset:
                low = middle + 1
            else:
                high = middle
        return offset - low

    @cached_property
    def forged(self) -> list[Span]:
        """Lines of the shown text that imitate a judge's answers."""
        spans: list[Span] = []
        for found in _FORGED.finditer(self.text):
            start = self.text.rfind("\n", 0, found.start()) + 1
            end = self.text.find("\n", found.end())
            span = (start, len(self.text) if end < 0 else end)
            if not spans or spans[-1] != span:
                spans.append(span)
        return spans

    def is_forged(self, start: int, end: int) -> bool:
        """Whether a span of the shown text touches a line that imitates answers."""
        return any(start < high and low < end for low, high in self.forged)


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    tokens: int


def _pieces(text: str, longest: int, count: Callable[[str], int]) -> list[_Piece]:
    """A text as lines, those with more than `longest` tokens cut at sentences, then at spaces, then anywhere."""
    pieces: list[_Piece] = []
    place = 0
    for line in text.splitlines(keepends=True):
        end = place + len(line)
        tokens = count(line)
        if tokens <= longest:
            pieces.append(_Piece(place, end, tokens))
        else:
            width = max(1, len(line) * longest // tokens * 3 // 4)
            breaks = [place + found.end() for found in _SENTENCE.finditer(line)]
            start = place
            while start < end:
                stop = min(start + width, end)
                if stop < end:
                    before = breaks[bisect_right(breaks, stop) - 1] if breaks and breaks[0] <= stop else 0
                    if before <= start:
                        before = text.rfind(" ", start + 1, stop) + 1
                    stop = before if before > start else stop
                pieces.append(_Piece(start, stop, count(text[start:stop])))
                start = stop
        place = end
    return pieces


def chunks(text: str, size: int, count: Callable[[str], int], number: int | None = None) -> list[Span]:
    """Cut a text into the fewest chunks after the paper's formula, at line breaks, with 10% overlap.

    Arguments:
        text: the text.
        size: most tokens of a chunk.
        count: counts tokens.
        number: how many chunks, in place of the formula's.

    Returns: half-open character spans, in order; they cover the text. One empty span for an empty text.
    """
    size = max(size, 32)
    total = count(text)
    if number is None and total <= size:
        return [(0, len(text))]
    if number is not None:
        # As many as wanted, whatever their size.
        size = max(32, int(total / (1 - OVERLAP) / number) + 1)
    if number == 1 or not text:
        return [(0, len(text))]
    pieces = _pieces(text, max(8, int(size * OVERLAP / 2)), count)
    ends: list[int] = []
    whole = 0
    for piece in pieces:
        whole += piece.tokens
        ends.append(whole)
    wanted = number or max(2, -(-whole * 10 // (9 * size)))
    spans: list[Span] = []
    first = 0
    for index in range(1, wanted + 1):
        last = len(pieces) if index == wanted else bisect_right(ends, whole * index / wanted)
        last = max(last, min(first + 1, len(pieces)))
        start = first
        if spans:
            # The overlap: pieces before the cut, as long as they have together no more than a tenth of a chunk.
            spare = size * OVERLAP
            while start > 0 and pieces[start - 1].tokens <= spare:
                start -= 1
                spare -= pieces[start].tokens
        if first < last or not spans:
            spans.append((pieces[start].start, pieces[last - 1].end))
        first = last
    return spans


def windows(text: str, spots: Iterable[Span], *, reach: int = 240, lead: int = 300) -> list[Span]:
    """Parts of a text around spots, widened to whole lines where these are short, joined where they touch.

    Arguments:
        text: the text.
        spots: spans of it.
        reach: characters before and after a spot.
        lead: characters from the start of the text that are always shown (what the page is about).
    """
    wanted = [(0, min(lead, len(text)))]
    for start, end in spots:
        low, high = max(0, start - reach), min(len(text), max(start, end) + reach)
        line = text.rfind("\n", max(0, low - reach), low)
        low = line + 1 if line >= 0 else low
        line = text.find("\n", high, high + reach)
        wanted.append((low, line if line >= 0 else high))
    joined: list[Span] = []
    for start, end in sorted(wanted):
        if joined and start <= joined[-1][1] + 40:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def fenced(text: str, mark: str) -> str:
    """A text between two lines with a mark that it cannot know. The mark itself is taken out of the text."""
    return f"[page {mark}]\n{text.replace(mark, '')}\n[end of page {mark}]"


def excerpt(text: str, spans: Sequence[Span]) -> str:
    """Parts of a text one below the other, with a mark of omission between."""
    return "\n[…]\n".join(text[start:end].strip("\n") for start, end in spans)
