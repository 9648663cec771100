"""Is a quote on the page, and does it hold the value that it is to prove?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from schemaproof.agents.factuality import EmbeddedFactuality
from schemaproof.agents.grounding.alignment import align
from schemaproof.agents.grounding.claim import clean
from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.grounding.prepared import Prepared
from schemaproof.agents.grounding.words import words_of
from schemaproof.agents.llm_text import Shown, Span, text_digest
from schemaproof.agents.verdict import Decision, Evidence, Verdict
from schemaproof.markup.model import Graph
from schemaproof.page.model import Page

_ELLIPSIS = re.compile(r"\s*(?:\[?…\]?|\[?\.\.\.\]?)\s*")
_LEAST_COVERAGE = 0.9
_LONGEST = 2000
# Rules of the embedded judge by which words count that stand apart from each other: likely enough for a judge that no
# page can talk to, but no place to point at.
_LOOSE = frozenset({"words-together", "words-on-page", "truth-by-words"})
_IN_PIECES = frozenset({"text-nearly-in-text", "words-in-text"})


@dataclass
class Reading:
    """A page read for judging by a model; made once a page.

    Attributes:
        page: the page.
        prepared: the same for the embedded judge, which locates values.
        shown: its text as the model sees it.
        digest: names the text in questions.
    """

    page: Page
    prepared: Prepared

    @cached_property
    def shown(self) -> Shown:
        """The text as the model sees it."""
        return Shown(self.page.text)

    @cached_property
    def digest(self) -> str:
        """Names the text in questions."""
        return text_digest(self.page.text)

    def find(self, quote: str) -> list[Span]:
        """Where a quote stands in `Page.text`, exactly or word by word; empty where it does not."""
        spans: list[Span] = []
        for part in _ELLIPSIS.split(quote[:_LONGEST].strip().strip("\"'“”«»")):
            words = words_of(fold(part).text)
            if not words:
                continue
            span = self._part(words)
            if span is None:
                return []
            spans.append(span)
        return spans

    def _part(self, words: tuple[str, ...] | list[str]) -> Span | None:
        known = self.prepared.words
        hit = next(known.find(" ".join(words), limit=1), None)
        if hit is None and len(words) >= 4:
            found = align(known, tuple(words))
            if found.coverage >= _LEAST_COVERAGE and not found.changed and not found.missing and found.runs:
                first, last = found.runs[0], found.runs[-1]
                if last[1] + last[2] - first[1] <= 2 * len(words) + 8:
                    hit = (first[1], last[1] + last[2])
        if hit is None:
            return None
        evidence = self.prepared.evidence(known.starts[hit[0]], known.ends[hit[1] - 1])
        return evidence.start, evidence.end

    def trusted(self, start: int, end: int) -> bool:
        """Whether a span of `Page.text` may be evidence: not in a line that imitates the answers of a judge."""
        shown = self.shown
        return not shown.is_forged(shown.shown(start), shown.shown(end))


class Locator:
    """Tells where the value of a statement stands, with the embedded judge's knowledge of spellings.

    Arguments:
        embedded: the judge.
    """

    def __init__(self, embedded: EmbeddedFactuality) -> None:
        self.embedded = embedded

    def located(self, graph: Graph, index: int, reading: Reading, verdict: Verdict | None) -> list[Evidence]:
        """Where the value, or a spelling of it that a page in this language would use, stands.

        Arguments:
            graph, index: the statement.
            reading: the page.
            verdict: of the embedded judge on this statement.

        Returns: places outside of lines that imitate answers; empty where there is none.
        """
        places: list[Evidence] = []
        if verdict is not None and verdict.kind == "contradicted":
            # The value stands there as something else, or something else in its place: no yes mends that.
            return places
        if verdict is not None and verdict.decision is Decision.KEEP and not _scattered(graph, index, verdict):
            places += [each for each in verdict.evidence if each.start < 0 or reading.trusted(each.start, each.end)]
        value = graph.statements[index].value
        if value is not None and not isinstance(value, bool):
            words = words_of(fold(clean(value)).text)
            if words and not places:
                for first, last in reading.prepared.words.find(" ".join(words), limit=4):
                    known = reading.prepared.words
                    each = reading.prepared.evidence(known.starts[first], known.ends[last - 1])
                    if reading.trusted(each.start, each.end):
                        places.append(each)
        return places

    def proof(
        self,
        graph: Graph,
        index: int,
        reading: Reading,
        quote: str,
        places: list[Evidence],
        verdict: Verdict | None = None,
    ) -> tuple[Evidence, ...]:
        """The evidence that a quote is: it stands on the page, and holds the value or a spelling of it.

        Arguments:
            graph, index: the statement.
            reading: the page.
            quote: what the model quoted.
            places: of `located`.
            verdict: as of `located`.

        Returns: the places of the quote, empty where it proves nothing.
        """
        for each in places:
            if each.start < 0 and each.text and each.text.strip() in quote:
                return (each,)
        if not places and verdict is not None and verdict.kind == "contradicted":
            return ()
        spans = reading.find(quote)
        if not spans or not all(reading.trusted(*span) for span in spans):
            return ()
        text = reading.page.text
        evidence = tuple(Evidence(start, end, text[start:end]) for start, end in spans)
        if any(each.start < end and start < each.end for each in places for start, end in spans):
            return evidence
        if self._holds(graph, index, reading, " ".join(each.text for each in evidence)):
            return evidence
        return ()

    def _holds(self, graph: Graph, index: int, reading: Reading, quoted: str) -> bool:
        from schemaproof.page import page_from_text

        value = graph.statements[index].value
        words = words_of(fold(clean(value)).text) if value is not None and not isinstance(value, bool) else ()
        inside = Prepared(page_from_text(quoted, reading.page.language))
        if words and next(inside.words.find(" ".join(words), limit=1), None) is not None:
            return True
        verdict = self.embedded.judge(graph, inside, [index])[index]
        if verdict is None or verdict.decision is not Decision.KEEP or not verdict.evidence:
            return False
        return not _scattered(graph, index, verdict)


def _scattered(graph: Graph, index: int, verdict: Verdict) -> bool:
    """Whether the words of a value were found apart from each other: no piece holds half of them."""
    if verdict.rule in _LOOSE:
        return True
    if verdict.rule not in _IN_PIECES:
        return False
    value = graph.statements[index].value
    count = len(words_of(fold(clean(value)).text)) if value is not None else 0
    return all(2 * len(words_of(fold(each.text).text)) < count + (count < 4) for each in verdict.evidence)
