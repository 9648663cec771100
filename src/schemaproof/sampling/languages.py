"""Languages as a sampling feature: how much of the web is written in them (paper, Appendix F)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

GROUPS = ("low", "medium", "high")
HIGH = 1.0  # percent of all pages, from where a language is one of high resource
MEDIUM = 0.1


@lru_cache(maxsize=1)
def shares() -> dict[str, float]:
    """Primary language subtag to its share of the web's pages in percent; the source stands in data/languages.csv."""
    lines = (Path(__file__).parent / "data" / "languages.csv").read_text(encoding="ascii").splitlines()
    rows = [line.split(",") for line in lines if line and not line.startswith("#")]
    return {language: float(share) for language, share in rows[1:]}


def resource_group(language: str) -> str | None:
    """The group of a language: "high" from 1% of the web's pages on, "medium" from 0.1%, else "low"; None for "".

    Arguments:
        language: a BCP 47 tag, of which only the primary subtag counts.

    Source: the cuts of Lai et al. 2023, "ChatGPT Beyond English", their two lowest classes as one.
    """
    primary = language.lower().replace("_", "-").split("-")[0]
    if not primary:
        return None
    if primary == "nb":
        primary = "no"
    share = shares().get(primary, 0.0)
    return "high" if share >= HIGH else "medium" if share >= MEDIUM else "low"
