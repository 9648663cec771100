"""Progress of a run on a terminal; nothing where standard error is none."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from schemaproof.pipeline.run import Progress


@contextmanager
def progress_of(*, quiet: bool = False) -> Iterator[Callable[[Progress], None]]:
    """A function to tell progress to; draws a live line while open, if a person can see it."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.completed} pages"),
        BarColumn(pulse_style="cyan"),
        TextColumn("{task.fields[speed]}  {task.fields[note]}"),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("run", total=None, speed="", note="")

        def told(progress: Progress) -> None:
            notes = []
            if progress.reused:
                notes.append(f"{progress.reused} from the run file")
            if progress.failed:
                notes.append(f"{progress.failed} failed")
            elapsed = bar.tasks[0].elapsed or 0.0
            speed = f"{progress.worked / elapsed:.1f} pages/s" if elapsed > 0.5 else ""
            bar.update(task, completed=progress.reused + progress.worked, speed=speed, note=", ".join(notes))

        yield told
