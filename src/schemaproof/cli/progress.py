"""Progress of a run: a live display on a terminal, a line a page with --verbose, else nothing."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from schemaproof.pipeline.run import Progress, in_shard
from schemaproof.wording import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

ERRORS = 3
CONTROL = dict.fromkeys((*range(32), *range(127, 160), *range(8234, 8239), *range(8294, 8298)), "\ufffd")


@dataclass(slots=True)
class Watch:
    """What a person is told of a run.

    Attributes:
        total: number of pages, None where it cannot be told beforehand.
        clock: seconds, for tests.
        started: when it began; what the run file already had is not counted in the speed.
        progress: as told last.
        errors: the last errors.
        seen: number of failed pages that `errors` knows of.
    """

    total: int | None = None
    clock: Callable[[], float] = time.monotonic
    started: float = 0.0
    progress: Progress = field(default_factory=Progress)
    errors: deque[str] = field(default_factory=lambda: deque(maxlen=ERRORS))

    def __post_init__(self) -> None:
        self.started = self.clock()

    def told(self, progress: Progress) -> None:
        """Take note of a page."""
        last, before = progress.last, self.progress.worked
        if last is not None and last.error is not None and progress.worked > before:
            self.errors.append(f"{last.name}: {last.error}".translate(CONTROL))
        self.progress = Progress(progress.reused, progress.worked, progress.failed, last)

    @property
    def done(self) -> int:
        """Pages done, those of the run file included."""
        return self.progress.reused + self.progress.worked

    def speed(self) -> float | None:
        """Pages worked on a second; None in the first half second."""
        passed = self.clock() - self.started
        return self.progress.worked / passed if passed > 0.5 and self.progress.worked else None

    def left(self) -> float | None:
        """Seconds left at this speed; None where they cannot be told."""
        speed = self.speed()
        if self.total is None or speed is None or self.done > self.total:
            return None
        return (self.total - self.done) / speed

    def line(self, usage: str = "") -> str:
        """One line: pages, speed, time left, tokens and cost, what came from the run file, failures."""
        whole = self.done if self.total is None else self.total
        parts = [("" if self.total is None else f"{self.done:,} of ") + counted(whole, "page")]
        speed, left = self.speed(), self.left()
        if speed is not None:
            parts.append(f"{speed:.1f} pages/s" if speed >= 1 else f"{60 * speed:.1f} pages/min")
        if left is not None:
            parts.append(f"{duration(left)} left")
        if usage:
            parts.append(usage)
        if self.progress.reused:
            parts.append(f"{self.progress.reused} from the run file")
        if self.progress.failed:
            parts.append(f"{self.progress.failed} failed")
        return "  ".join(parts)


def duration(seconds: float) -> str:
    """Seconds as people say them: "8 s", "4 min", "2 h 10 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def usage_so_far() -> str:
    """Tokens and cost of this process's models so far, "" where none was asked."""
    models = sys.modules.get("schemaproof.models.building")
    if models is None:
        return ""
    from schemaproof.models.prices import price_of

    tokens, dollars, priced = 0, 0.0, False
    for session in models.sessions():
        tokens += session.usage.tokens
        price = price_of(session.name)
        if price is not None:
            priced = True
            dollars += price.of(session.usage.prompt_tokens, session.usage.completion_tokens)
    if not tokens:
        return ""
    return counted(tokens, "token") + (f", {dollars:.2f} dollars" if priced else "")


def expected_pages(arguments: Sequence[str], shard: tuple[int, int] | None = None) -> int | None:
    """How many pages the arguments name, without reading them; None where that cannot be told.

    Arguments:
        arguments: as for `open_sources`.
        shard: see `pipeline.run`.
    """
    from schemaproof.sources.files import PAGE_SUFFIXES

    total = 0
    for argument in arguments:
        path = Path(argument)
        lower = argument.lower()
        if lower.endswith((".warc", ".warc.gz")):
            return None
        if path.is_dir():
            total += sum(each.suffix.lower() in PAGE_SUFFIXES for each in path.rglob("*"))
        elif lower.endswith(".parquet"):
            rows = _parquet_rows(argument)
            if rows is None:
                return None
            total += rows
        elif "://" not in argument and not path.exists() and argument != "-":
            return None
        else:
            total += 1
    return sum(in_shard(number, shard) for number in range(total)) if shard else total


def _parquet_rows(argument: str) -> int | None:
    import duckdb

    try:
        with duckdb.connect() as connection:
            row = connection.execute("SELECT sum(num_rows) FROM parquet_file_metadata(?)", [argument]).fetchone()
    except duckdb.Error:
        return None  # the run itself says what is wrong with the file
    return None if row is None or row[0] is None else int(row[0])


@contextmanager
def progress_of(
    *, quiet: bool = False, verbose: bool = False, pages: Sequence[str] = (), shard: tuple[int, int] | None = None
) -> Iterator[Callable[[Progress], None]]:
    """A function to tell progress to.

    Arguments:
        quiet: show nothing.
        verbose: a line a page on standard error, with its CPU seconds, whether a person watches or not.
        pages, shard: of the run, for the time left.
    """
    if quiet:
        yield lambda _: None
    elif verbose:
        yield _lines()
    elif not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda _: None
    else:
        with _live(Watch(expected_pages(pages, shard) if pages else None)) as told:
            yield told


def _lines() -> Callable[[Progress], None]:
    before = 0

    def told(progress: Progress) -> None:
        nonlocal before
        last = progress.last
        if last is None or progress.worked == before:
            return
        before = progress.worked
        seconds = sum(last.seconds.values())
        outcome = last.error if last.error is not None else counted(len(last.units), "unit")
        print(f"{last.name.translate(CONTROL)}: {outcome.translate(CONTROL)}, {seconds:.2f} s", file=sys.stderr)

    return told


@contextmanager
def _live(watch: Watch) -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)

    def drawn() -> RenderableType:
        lines = []
        if watch.total:
            width = min(console.width, 60)
            full = min(width, width * watch.done // watch.total)
            lines.append(Text.assemble(("━" * full, "cyan"), ("━" * (width - full), "bright_black")))
        lines += [Text(watch.line(usage_so_far()), overflow="ellipsis", no_wrap=True)]
        lines += [Text(f"  {each}", style="red", overflow="ellipsis", no_wrap=True) for each in watch.errors]
        return Group(*lines)

    # Models can take minutes a page: the display refreshes by itself, so that time and tokens move.
    with Live(get_renderable=drawn, console=console, transient=True, refresh_per_second=4):
        yield watch.told
