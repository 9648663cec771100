"""What is asked of one process of a count, and what it read: apart from the fold, which only those processes need."""

from __future__ import annotations

from dataclasses import dataclass, field

SHOWN = 10


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


@dataclass(slots=True)
class Job:
    """A task of one process.

    Attributes:
        folder: where it writes its parts.
        files: quads to read.
        size: instances kept of each set.
        keep_unknown: keep names outside the vocabulary.
        vocabulary: path of another vocabulary.
        divert: "" to stream all; "all" to write all pages to buckets; else a file of digests: those pages only.
        buckets: instead of files, buckets to fold, each the list of its files.
        watch: tell shuffled files early.
    """

    folder: str
    files: list[str]
    size: int = 5
    keep_unknown: bool = False
    vocabulary: str | None = None
    divert: str = ""
    buckets: list[list[str]] = field(default_factory=list)
    watch: bool = True


@dataclass(slots=True)
class Done:
    """What a process did.

    Attributes:
        tally: what it read.
        parts: its part files.
        digests: its files of sorted digests of page runs.
        shuffled: it stopped since the lines do not come page by page.
    """

    tally: Tally = field(default_factory=Tally)
    parts: list[str] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)
    shuffled: bool = False
