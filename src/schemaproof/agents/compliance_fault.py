"""What is wrong with a value, as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a value.

    Attributes:
        rule: stable rule id.
        reason: the end of a sentence that starts with the value ("is not an ISO 8601 duration").
        suggestion: what to write instead, or "".
        probability: chance that the value is right all the same; at 0.5 and above it is only untidy.
    """

    rule: str
    reason: str
    suggestion: str = ""
    probability: float = 0.03

    @property
    def untidy(self) -> bool:
        """True where the value may stand but deserves a warning."""
        return self.probability >= 0.5


Check = Callable[[str, str], Fault | None]
