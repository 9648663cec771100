"""Strata of characteristic sets, and the draw of pages from them (paper, section 4.3)."""

from __future__ import annotations

import heapq
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from urllib.parse import urlsplit

from schemaproof.sampling.languages import GROUPS, resource_group
from schemaproof.sampling.table import Instance, Row, instance_of
from schemaproof.scoring.correlation import Correlation, spearman

STRATA = ("low", "medium", "high")
FEATURES = ("instances", "properties")
SPARE = 40  # sets kept for each page wanted: some have no page, or only one of a site that is full


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


@dataclass(frozen=True, slots=True)
class Drawn:
    """One page of the sample.

    Attributes:
        feature, stratum: what it was drawn for.
        row: the set it stands for.
        instance: the page and the subject on it.
        language: of the page where it is known, else "".
    """

    feature: str
    stratum: str
    row: Row
    instance: Instance
    language: str = ""


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
    """The site of a page: the last two labels of its host, three under a country's short second level (co.uk)."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return url
    labels = host.split(".")
    if host.replace(".", "").isdigit() or ":" in host:
        return host
    short = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    return ".".join(labels[-3:] if short else labels[-2:])


@dataclass(slots=True)
class Draw:
    """A sample.

    Attributes:
        pages: what was drawn, by feature and stratum.
        strata: all strata, those of languages too where they were asked for.
        short: (feature, stratum) to the number of pages that could not be found.
    """

    pages: list[Drawn]
    strata: list[Stratum]
    short: dict[tuple[str, str], int]


def draw(
    rows: Callable[[], Iterator[Row]],
    spread: Distribution,
    *,
    number: int = 30,
    seed: int = 0,
    per_site: int = 2,
    languages: Mapping[str, str] | None = None,
    by_language: bool = False,
) -> Draw:
    """Draw pages: from each stratum of each feature sets at random, and of each set one page.

    A set's chance does not depend on its frequency. No page is drawn twice. The order of the table does not matter:
    the same seed gives the same pages.

    Arguments:
        rows: opens the table; read once.
        spread: see `distribution`.
        number: pages of each stratum.
        seed: of the draw.
        per_site: most pages of one site in a stratum; 0 for no limit.
        languages: page to its language; where it is given, only these pages are drawn.
        by_language: draw for the feature "language" too; needs `languages`.

    Raises: ValueError for `by_language` without `languages`.
    """
    if by_language and languages is None:
        raise ValueError("drawing by language needs the pages' languages")
    wanted = [(feature, name) for feature in FEATURES for name in STRATA]
    if by_language:
        wanted += [("language", group) for group in GROUPS]
    size = max(number * SPARE, 200)
    held: dict[tuple[str, str], list[tuple[int, int, Row]]] = {key: [] for key in wanted}
    count = 0
    for row in rows():
        if languages is not None:
            usable = tuple(key for key in row.sample if instance_of(key).url in languages)
            row = row._replace(sample=usable)
        if not row.sample:
            continue
        count += 1
        places = [(feature, spread.stratum(feature, value)) for feature, value in _features(row)]
        if by_language and languages is not None:
            groups = {resource_group(languages[instance_of(key).url]) for key in row.sample}
            places += [("language", group) for group in sorted(group for group in groups if group)]
        for place in places:
            chance = -_number(seed, *place, row.cset)
            if len(held[place]) < size:
                heapq.heappush(held[place], (chance, count, row))
            elif chance > held[place][0][0]:
                heapq.heapreplace(held[place], (chance, count, row))
    pages: list[Drawn] = []
    short: dict[tuple[str, str], int] = {}
    taken: set[str] = set()
    for place in wanted:
        sets = [row for _, _, row in sorted(held[place], key=lambda item: (-item[0], item[2].cset))]
        found = _choose(sets, place, number, seed, per_site, languages or {}, taken)
        pages += found
        if len(found) < number:
            short[place] = number - len(found)
    strata = spread.strata()
    if by_language and languages is not None:
        sizes = Counter(resource_group(language) for language in languages.values())
        strata += [Stratum("language", group, None, None, sizes[group]) for group in GROUPS]
    return Draw(pages, strata, short)


def _features(row: Row) -> tuple[tuple[str, int], tuple[str, int]]:
    return ("instances", row.instances), ("properties", row.properties)


def _number(seed: int, *parts: str) -> int:
    text = "\n".join((str(seed), *parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")


def _choose(
    sets: list[Row],
    place: tuple[str, str],
    number: int,
    seed: int,
    per_site: int,
    languages: Mapping[str, str],
    taken: set[str],
) -> list[Drawn]:
    """Pages for one stratum: one of each set in turn; further ones of the same sets only where sets run out."""
    found: list[Drawn] = []
    sites: Counter[str] = Counter()
    waiting: list[tuple[Row, Iterator[Instance]]] = []
    for row in sets:
        instances = [instance_of(key) for key in row.sample]
        if place[0] == "language":
            instances = [each for each in instances if resource_group(languages[each.url]) == place[1]]
        instances.sort(key=lambda each: _number(seed, *place, each.url, each.subject))
        waiting.append((row, iter(instances)))
    while waiting and len(found) < number:
        left = []
        for row, ahead in waiting:
            if len(found) >= number:
                break
            for instance in ahead:
                site = site_of(instance.url)
                if instance.url in taken or (per_site and sites[site] >= per_site):
                    continue
                taken.add(instance.url)
                sites[site] += 1
                found.append(Drawn(*place, row, instance, languages.get(instance.url, "")))
                left.append((row, ahead))
                break
        waiting = left
    return found
