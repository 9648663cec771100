"""The authors' artefact on disk: which units there are, who wrote what, what each step answered.

Layout: `{count_sum,pset_length}/stratum_{0,1,2}/corpus/` with `ID.html`, `ID.txt`, `ID_class.json`; markups as
`baseline/ID_T1_T2.jsonld` (the human) and `MODEL/PROMPT/ID_T1_T2.jsonld`; for each step verdicts in
`…_STEP_{expected|pred}.json` and the filtered markup in `…_STEP_{expected|pred}_filtered.jsonld`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from schemaproof.errors import InputError, SourceError
from schemaproof.published.protocol import DEPTH_LIMIT, STEPS, depth_of

FEATURES = ("count_sum", "pset_length")
STRATA = ("Low", "Medium", "High")
HUMAN = "human"
MODELS = {"gpt3": "GPT_3_Turbo_16K", "gpt4": "GPT_4_Turbo_Preview"}
CONTENDERS = (HUMAN, *MODELS)
PROMPT = "text2kg_prompt3"

_UNIT = re.compile(r"(?P<unit>(?P<id>[0-9a-f]{32})(?:_[A-Za-z0-9]+)+)\.jsonld\Z")
_SUFFIX = re.compile(r"_(?:(?:shacl|factual|semantic)_(?:expected|pred)(?:_filtered)?|chunk\d+)\Z")
_CHUNK = re.compile(r"_chunk(\d+)\.jsonld\Z")
# No clone is that deep: a folder given by mistake (a home folder) is not searched through.
_SEARCH_DEPTH = 5


@dataclass(frozen=True, slots=True)
class Side:
    """What one contender has in a unit.

    Attributes:
        markup: the input markup, a JSON value.
        logs: step to its verdict log, for the steps that have one.
        filtered: step to the recorded markup after it, for the steps that have one.
        chunks: answers on the chunks of the text, for a generation in chunks.
    """

    markup: Any
    logs: dict[str, Any] = field(default_factory=dict)
    filtered: dict[str, Any] = field(default_factory=dict)
    chunks: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class PublishedUnit:
    """One page with one list of root types.

    Attributes:
        page: id of the page, the MD5 of its address.
        types: root types in the order of the file's name.
        feature: "count_sum" or "pset_length".
        stratum: 0, 1, 2: low, medium, high.
        sides: contender ("human", "gpt3", "gpt4") to what it has.
        text: path of the page's text, or None.
        canonical: false for a permutation of another unit's types, which counts twice in the paper.
    """

    page: str
    types: tuple[str, ...]
    feature: str
    stratum: int
    sides: dict[str, Side]
    text: Path | None = None
    canonical: bool = True

    @property
    def name(self) -> str:
        """Name of the unit in the artefact."""
        return "_".join((self.page, *self.types))


@dataclass(frozen=True, slots=True)
class Artefact:
    """All units that could be read, and what could not.

    Attributes:
        root: the folder that holds the features' folders.
        units: units of which all three contenders have a markup.
        features: the features present.
        problems: what could not be used and why, one sentence each.
    """

    root: Path
    units: tuple[PublishedUnit, ...]
    features: tuple[str, ...]
    problems: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether it holds everything that the paper's averages are over: 198 units."""
        return len(self.units) == 198 and set(self.features) == set(FEATURES)


def find_root(folder: Path) -> Path:
    """The folder that holds `count_sum` or `pset_length`, at or below the one given.

    Arguments:
        folder: a clone, its `data/WDC/Pset`, or one feature's folder.

    Raises:
        SourceError: the folder cannot be opened.
        InputError: nothing in it has the layout. Of several, one under a folder `Pset` is taken; else it is told.
    """
    if not folder.is_dir():
        raise SourceError(str(folder), "no such folder; give a clone of the authors' artefact or a part of it")
    if _is_feature(folder):
        return folder.parent
    found = sorted({feature.parent for feature in _features_below(folder)})
    if len(found) > 1:
        found = [each for each in found if each.name == "Pset"] or found
    if not found:
        raise InputError(
            "nothing here has the authors' layout (count_sum/stratum_0/corpus); give a clone or its data/WDC/Pset.",
            source=str(folder),
        )
    if len(found) > 1:
        names = ", ".join(str(each.relative_to(folder)) for each in found)
        raise InputError(f"several artefacts are here ({names}); give one of them.", source=str(folder))
    return found[0]


def _is_feature(folder: Path) -> bool:
    return folder.name in FEATURES and any((folder / f"stratum_{number}" / "corpus").is_dir() for number in range(3))


def _features_below(folder: Path) -> Iterator[Path]:
    level = [folder]
    for _ in range(_SEARCH_DEPTH):
        below: list[Path] = []
        for each in level:
            try:
                inner = sorted(path for path in each.iterdir() if path.is_dir() and not path.name.startswith("."))
            except OSError:
                continue
            for path in inner:
                if _is_feature(path):
                    yield path
                elif not path.name.startswith("stratum_"):
                    below.append(path)
        level = below


def _read(path: Path, problems: list[str]) -> Any:
    """The JSON value of a file; None with a problem noted where there is none."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as problem:
        problems.append(f"{path}: cannot be read: {problem}")
        return None
    if depth_of(value) > DEPTH_LIMIT:
        problems.append(f"{path}: nested more than {DEPTH_LIMIT} levels deep")
        return None
    return value


def _side(stem: Path, kind: str, files: frozenset[str], problems: list[str]) -> Side | None:
    name = stem.name
    if f"{name}.jsonld" not in files:
        return None
    markup = _read(stem.with_name(f"{name}.jsonld"), problems)
    if markup is None:
        return None
    logs, filtered = {}, {}
    for step in STEPS:
        log = f"{name}_{step}_{kind}.json"
        rest = f"{name}_{step}_{kind}_filtered.jsonld"
        if log in files and (value := _read(stem.with_name(log), problems)) is not None:
            logs[step] = value
        if rest in files and (value := _read(stem.with_name(rest), problems)) is not None:
            filtered[step] = value
    numbered = []
    prefix = f"{name}_chunk"
    for file in files:
        match = _CHUNK.search(file) if file.startswith(prefix) else None
        if match and len(file) == len(prefix) + len(match[1]) + len(".jsonld"):
            numbered.append((int(match[1]), file))
    chunks = [_read(stem.with_name(file), problems) for _, file in sorted(numbered)]
    return Side(markup, logs, filtered, tuple(chunk for chunk in chunks if chunk is not None))


def _names(folder: Path) -> frozenset[str]:
    try:
        return frozenset(path.name for path in folder.iterdir())
    except OSError:
        return frozenset()


def _corpus(corpus: Path, feature: str, stratum: int, prompt: str, problems: list[str]) -> Iterator[PublishedUnit]:
    folders = {HUMAN: corpus / "baseline"} | {who: corpus / name / prompt for who, name in MODELS.items()}
    files = {who: _names(folder) for who, folder in folders.items()}
    # Chunk files of other units share a prefix: group once, so that a folder is not searched for each unit.
    by_unit: dict[str, dict[str, set[str]]] = {who: {} for who in folders}
    units: dict[str, str] = {}
    for who, names in files.items():
        for name in names:
            stem = name.rsplit(".", 1)[0]
            unit = _SUFFIX.sub("", stem)
            by_unit[who].setdefault(unit, set()).add(name)
            match = _UNIT.match(name)
            if match and stem == unit:
                units[unit] = match["id"]
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for unit, page in sorted(units.items()):
        sides = {}
        for who, folder in folders.items():
            kind = "expected" if who == HUMAN else "pred"
            side = _side(folder / unit, kind, frozenset(by_unit[who].get(unit, ())), problems)
            if side is not None:
                sides[who] = side
        missing = [who for who in folders if who not in sides]
        if missing:
            problems.append(f"{corpus / unit}: left out, no markup of {' and '.join(missing)}")
            continue
        types = tuple(unit.split("_")[1:])
        same = (page, tuple(sorted(types)))
        text = corpus / f"{page}.txt"
        yield PublishedUnit(page, types, feature, stratum, sides, text if text.is_file() else None, same not in seen)
        seen.add(same)


def read_artefact(folder: Path, *, prompt: str = PROMPT) -> Artefact:
    """Read the artefact at or below a folder.

    Arguments:
        folder: a clone, its `data/WDC/Pset`, or one feature's folder.
        prompt: which of the models' prompts to read.

    Returns:
        The artefact; single files that cannot be read are among its problems.

    Raises:
        SourceError: the folder cannot be opened.
        InputError: nothing in it has the layout, or no unit is complete.
    """
    root = find_root(folder)
    only = folder.name if _is_feature(folder) else None
    problems: list[str] = []
    units: list[PublishedUnit] = []
    features = []
    for feature in FEATURES:
        if (only is not None and feature != only) or not _is_feature(root / feature):
            continue
        features.append(feature)
        for stratum in range(3):
            units += _corpus(root / feature / f"stratum_{stratum}" / "corpus", feature, stratum, prompt, problems)
    if not units:
        raise InputError(
            f"no unit has a markup of all of {', '.join(CONTENDERS)} (prompt {prompt}); nothing to replay.",
            source=str(root),
        )
    return Artefact(root, tuple(units), tuple(features), tuple(problems))
