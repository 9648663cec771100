"""Strata of characteristic sets, and the sites of pages (paper, section 4.3)."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from schemaproof.sampling.table import Row
from schemaproof.scoring.correlation import Correlation, spearman

STRATA = ("low", "medium", "high")
FEATURES = ("instances", "properties")
# What countries part their names by; https://publicsuffix.org has thousands more that few sites of a sample are below.
_SECOND = "ac co com edu gob gouv gov go gv ltd me mil ne net nom or org plc sch web"
SECOND = frozenset(_SECOND.split())


@dataclass(frozen=True, slots=True)
class Stratum:
    """One part of a feature's distribution.

    Attributes:
        feature: "instances", "properties" or "language".
        name: "low", "medium" or "high".
        minimum, maximum: smallest and largest value in it; None where it is empty, or for languages.
        sets: how many sets (for languages: pages at hand) belong to it.
    """

    feature: str
    name: str
    minimum: int | None
    maximum: int | None
    sets: int


@dataclass(slots=True)
class Distribution:
    """Both features of all sets.

    Attributes:
        instances, properties: one number a set.
        cuts: feature to its two cuts: low up to the first, medium up to the second.
    """

    instances: array[int] = field(default_factory=lambda: array("q"))
    properties: array[int] = field(default_factory=lambda: array("q"))
    cuts: dict[str, tuple[float, float]] = field(default_factory=dict)

    def values(self, feature: str) -> array[int]:
        """The numbers of a feature."""
        return self.instances if feature == "instances" else self.properties

    def stratum(self, feature: str, value: int) -> str:
        """The stratum that a value falls into."""
        low, medium = self.cuts[feature]
        return "low" if value <= low else "medium" if value <= medium else "high"

    def correlation(self) -> Correlation | None:
        """Spearman's rank correlation of both features; None where one of them is constant."""
        return spearman(self.instances, self.properties)

    def strata(self) -> list[Stratum]:
        """The strata of both features."""
        found = []
        for feature in FEATURES:
            values = sorted(self.values(feature))
            first, second = (bisect_right(values, cut) for cut in self.cuts[feature])
            for name, start, end in zip(STRATA, (0, first, second), (first, second, len(values)), strict=True):
                low, high = (values[start], values[end - 1]) if end > start else (None, None)
                found.append(Stratum(feature, name, low, high, end - start))
        return found


def quantile(values: list[int], share: float) -> float:
    """The value below which a share of the sorted values lies, by linear interpolation between ranks."""
    place = (len(values) - 1) * share
    lower = int(place)
    upper = min(lower + 1, len(values) - 1)
    return values[lower] + (values[upper] - values[lower]) * (place - lower)


def distribution(rows: Iterable[Row]) -> Distribution:
    """The features of all sets with their cuts at one and two thirds, as the paper's strata have them."""
    found = Distribution()
    for row in rows:
        found.instances.append(row.instances)
        found.properties.append(row.properties)
    for feature in FEATURES:
        values = sorted(found.values(feature))
        found.cuts[feature] = (quantile(values, 1 / 3), quantile(values, 2 / 3)) if values else (0.0, 0.0)
    return found


def site_of(url: str) -> str:
    """The site of a page: the last two labels of its host, three under a country's usual second level (co.uk)."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return url
    labels = host.split(".")
    if host.replace(".", "").isdigit() or ":" in host:
        return host
    short = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in SECOND
    return ".".join(labels[-3:] if short else labels[-2:])
