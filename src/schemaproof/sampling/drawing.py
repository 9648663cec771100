"""The draw of pages from the strata of characteristic sets (paper, section 4.3)."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from schemaproof.sampling.languages import GROUPS, resource_group
from schemaproof.sampling.strata import FEATURES, STRATA, Distribution, Stratum, site_of
from schemaproof.sampling.table import Instance, Row, instance_of

SPARE = 40  # sets held for each page wanted: some have no page, or only one of a site that is full
Place = tuple[str, str]  # feature and stratum


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
        rows: opens the table; read once as a rule, again where sites are full before a stratum is.
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
    taken: set[str] = set()
    strata_of = {place: _Filling(place, number, seed, per_site, languages or {}, taken) for place in wanted}
    # As a rule once. Where sites are full before a stratum is, the sets behind those that were held are looked at too.
    waiting = dict.fromkeys(wanted, -1)
    while waiting:
        held, left_over = _smallest(rows(), spread, strata_of, waiting, size, languages)
        for place in wanted:
            if place in waiting:
                ordered = sorted(held[place], key=lambda item: (-item[0], item[2].cset))
                filling = strata_of[place]
                filling.first([row for _, _, row in ordered])
                if place in left_over and not filling.is_full():
                    waiting[place] = -ordered[-1][0]
                else:
                    del waiting[place]
    pages: list[Drawn] = []
    short: dict[tuple[str, str], int] = {}
    for place in wanted:
        found = strata_of[place].further()
        pages += found
        if len(found) < number:
            short[place] = number - len(found)
    strata = spread.strata()
    if by_language and languages is not None:
        sizes = Counter(resource_group(language) for language in languages.values())
        strata += [Stratum("language", group, None, None, sizes[group]) for group in GROUPS]
    return Draw(pages, strata, short)


def _smallest(
    rows: Iterable[Row],
    spread: Distribution,
    fillings: Mapping[Place, _Filling],
    waiting: Mapping[Place, int],
    size: int,
    languages: Mapping[str, str] | None,
) -> tuple[dict[Place, list[tuple[int, int, Row]]], set[Place]]:
    """Of each stratum that waits the sets with the smallest numbers, as heaps; and which strata have more.

    Arguments:
        rows: the table.
        spread: see `distribution`.
        fillings: what was drawn so far: only sets count that have a page which may still be drawn.
        waiting: strata to the number behind which they go on.
        size: how many sets are held of each.
        languages: see `draw`.
    """
    held: dict[Place, list[tuple[int, int, Row]]] = {place: [] for place in waiting}
    left_over: set[Place] = set()
    count = 0
    for row in rows:
        if languages is not None:
            row = row._replace(sample=tuple(key for key in row.sample if instance_of(key).url in languages))
        if not row.sample:
            continue
        count += 1
        places = [(feature, spread.stratum(feature, value)) for feature, value in _features(row)]
        if languages is not None and any(feature == "language" for feature, _ in waiting):
            groups = {resource_group(languages[instance_of(key).url]) for key in row.sample}
            places += [("language", group) for group in sorted(group for group in groups if group)]
        for place in places:
            if place not in waiting:
                continue
            filling = fillings[place]
            number = _number(filling.seed, *place, row.cset)
            if number <= waiting[place] or not filling.takes(row):
                continue
            heap = held[place]
            if len(heap) < size:
                heapq.heappush(heap, (-number, count, row))
            else:
                left_over.add(place)
                if -number > heap[0][0]:
                    heapq.heapreplace(heap, (-number, count, row))
    return held, left_over


class _Filling:
    """One stratum as it is filled: a page of each set in turn, further ones of the same sets only where sets run out.

    Arguments:
        place: its feature and name.
        number, seed, per_site, languages: see `draw`.
        taken: addresses of all pages drawn.
    """

    def __init__(
        self,
        place: Place,
        number: int,
        seed: int,
        per_site: int,
        languages: Mapping[str, str],
        taken: set[str],
    ) -> None:
        self.place = place
        self.seed = seed
        self._number = number
        self._per_site = per_site
        self._languages = languages
        self._taken = taken
        self._sites: Counter[str] = Counter()
        self._found: list[Drawn] = []
        self._left: list[tuple[Row, Iterator[Instance]]] = []

    def is_full(self) -> bool:
        """Whether no more pages are wanted."""
        return len(self._found) >= self._number

    def takes(self, row: Row) -> bool:
        """Whether a set has a page that may be drawn."""
        # Before anything is drawn every page may be; to look at its site takes longer than all else.
        return not self._found or any(self._may(instance) for instance in self._instances(row))

    def first(self, rows: Iterable[Row]) -> None:
        """Draw a page of each of these sets, as long as some are wanted."""
        for row in rows:
            if self.is_full():
                return
            instances = self._instances(row)
            instances.sort(key=lambda each: _number(self.seed, *self.place, each.url, each.subject))
            self._draw(row, iter(instances), self._left)

    def further(self) -> list[Drawn]:
        """Draw further pages of the same sets, as long as some are wanted and there; returns all that was drawn."""
        while self._left and not self.is_full():
            waiting, self._left = self._left, []
            for row, ahead in waiting:
                if self.is_full():
                    break
                self._draw(row, ahead, self._left)
        return self._found

    def _instances(self, row: Row) -> list[Instance]:
        instances = [instance_of(key) for key in row.sample]
        if self.place[0] == "language":
            instances = [each for each in instances if resource_group(self._languages[each.url]) == self.place[1]]
        return instances

    def _may(self, instance: Instance) -> bool:
        if instance.url in self._taken:
            return False
        return not self._per_site or self._sites[site_of(instance.url)] < self._per_site

    def _draw(self, row: Row, ahead: Iterator[Instance], left: list[tuple[Row, Iterator[Instance]]]) -> None:
        for instance in ahead:
            if self._may(instance):
                self._taken.add(instance.url)
                self._sites[site_of(instance.url)] += 1
                self._found.append(Drawn(*self.place, row, instance, self._languages.get(instance.url, "")))
                left.append((row, ahead))
                return


def _features(row: Row) -> tuple[tuple[str, int], tuple[str, int]]:
    return ("instances", row.instances), ("properties", row.properties)


def _number(seed: int, *parts: str) -> int:
    text = "\n".join((str(seed), *parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
