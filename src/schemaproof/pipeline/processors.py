"""How much of the machine there is to work with; apart from `pool`, whose imports cost more than some commands take."""

from __future__ import annotations

import os


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
