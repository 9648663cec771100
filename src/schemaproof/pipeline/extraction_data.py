"""The public data sets of extraction, from a file, a folder or the hub."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from schemaproof.errors import InputError, SourceError
from schemaproof.pipeline.extraction_score import Item, is_example, read_items

OWNER = "scrapegraphai"
NAMES = ("scrapegraphai-100k", "scrapegraph-100k-finetuning")
SPLITS = ("train", "test", "human_eval")
_HUB = "https://huggingface.co"
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+\Z")
_SUFFIXES = (".parquet", ".jsonl", ".jsonl.gz", ".json")


def dataset_items(name: str, split: str) -> Iterator[Item]:
    """The rows of a data set, unparsed, numbered from 1 over all its files.

    Arguments:
        name: a Parquet or JSON Lines file; a folder of such files, of which those of the split are taken; `example`;
            one of `NAMES`, or OWNER/NAME on the hub.
        split: of a folder or the hub: "train", "test", "human_eval".

    Raises:
        SourceError: for what cannot be opened or fetched.
        InputError: for a name that is none.
    """
    number = 0
    for file in dataset_files(name, split):
        for _, data in read_items(file):
            number += 1
            yield number, data


def dataset_files(name: str, split: str) -> list[str]:
    """The files of a data set, see `dataset_items`; fetched from the hub if need be and kept in the cache folder."""
    path = Path(name)
    if is_example(name) or path.is_file():
        return [name]
    if path.is_dir():
        files = sorted(each for each in path.rglob("*") if each.is_file() and each.name.endswith(_SUFFIXES))
        wanted = [each for each in files if re.match(rf"{re.escape(split)}(?![a-z_])", each.name)]
        wanted = wanted or [each for each in files if each.parent.name == split]
        if not wanted:
            raise SourceError(name, f"the folder has no {split}-*.parquet or .jsonl; it has {len(files)} other files")
        return [str(each) for each in wanted]
    repository = f"{OWNER}/{name}" if name in NAMES else name
    if _REPOSITORY.match(repository) is None or name.endswith(_SUFFIXES):
        raise SourceError(name, f"there is no such file or folder, and it is none of {', '.join(NAMES)}")
    return [str(each) for each in _fetched(repository, split)]


def cache_folder() -> Path:
    """Where fetched data sets are kept: `SCHEMAPROOF_CACHE`, else the user's cache folder."""
    base = os.environ.get("SCHEMAPROOF_CACHE")
    if base:
        return Path(base) / "datasets"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "schemaproof" / "datasets"


def _fetched(repository: str, split: str) -> list[Path]:
    import httpx2

    folder = cache_folder() / repository.replace("/", "--") / split
    done = folder / "complete"
    if done.is_file():
        return [folder / line for line in done.read_text(encoding="utf-8").split()]
    hub = os.environ.get("HF_ENDPOINT", _HUB).rstrip("/")
    offline = f"give a local Parquet or JSON Lines file instead, or the folder of a clone of {repository}"
    try:
        with httpx2.Client(timeout=60.0, follow_redirects=True) as client:
            reply = client.get(f"{hub}/api/datasets/{repository}/parquet")
            reply.raise_for_status()
            addresses = _addresses(reply.json(), split)
            if not addresses:
                raise InputError(f"{repository} has no split {split!r} on the hub")
            folder.mkdir(parents=True, exist_ok=True)
            names = []
            for number, address in enumerate(addresses):
                names.append(f"{split}-{number:05}.parquet")
                partial = folder / (names[-1] + ".part")
                with client.stream("GET", address) as stream, partial.open("wb") as out:
                    stream.raise_for_status()
                    for chunk in stream.iter_bytes():
                        out.write(chunk)
                partial.replace(folder / names[-1])
    except (httpx2.HTTPError, ValueError) as problem:
        if isinstance(problem, InputError):
            raise
        raise SourceError(repository, f"cannot be fetched from the hub ({problem}); {offline}") from None
    done.write_text("\n".join(names), encoding="utf-8")
    return [folder / name for name in names]


def _addresses(listing: Any, split: str) -> list[str]:
    """Addresses of a split's Parquet files in the hub's listing: {config: {split: [address]}}."""
    for splits in listing.values() if isinstance(listing, dict) else ():
        if isinstance(splits, dict) and isinstance(splits.get(split), list):
            return [str(address) for address in splits[split]]
    return []
