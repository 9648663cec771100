"""The official release files of Schema.org: where they come from, how they are checked, where they are kept."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from schemaproof.errors import SourceError, VocabularyError

RELEASE = "30.0"
# The folder of the release at the commit that published it, and the same files on schema.org.
ADDRESSES = (
    "https://raw.githubusercontent.com/schemaorg/schemaorg/420231f6bfac8372fc564abb121fae57ccb36a0c/data/releases/30.0/",
    "https://schema.org/version/30.0/",
)
_SECONDS = 60.0
_MOST_BYTES = 16 * 1024 * 1024


class ReleaseFile(NamedTuple):
    """A file of the release.

    Attributes:
        name: its name.
        sha256: of its content, in hexadecimal digits.
        purpose: what it is for, a noun phrase.
        needed: whether `fetch` gets it; other files are only recognised.
    """

    name: str
    sha256: str
    purpose: str
    needed: bool = True


FILES = (
    ReleaseFile(
        "schemaorg-all-https.jsonld",
        "06227db49dd4674227727176c9cd1e5bbd4174c1cef9391c7ed4dfcef865f2a8",
        "definitions of all terms",
    ),
    ReleaseFile(
        "schemaorg-all-examples.txt",
        "1281b1fc85686ae5bf4694b54889ba72908f02d97f0ea0ea8aa28f1d42992532",
        "the official examples",
    ),
    ReleaseFile(
        "schemaorg-all-https.ttl",
        "7784da44bfa147e7c5e3f6eb710cb6e314077e885f3ff28cf954a8c734ee2086",
        "definitions of all terms in Turtle",
        needed=False,
    ),
    ReleaseFile(
        "schemaorgcontext.jsonld",
        "d8167890b056bc7c71eb39b30cbb4816490d5e671371ba50a5a633d1bc36961a",
        "the JSON-LD context",
        needed=False,
    ),
)

Download = Callable[[str], bytes]


def cache_folder() -> Path:
    """The user's cache folder of schemaproof: SCHEMAPROOF_CACHE, else where the platform keeps caches. Not created."""
    chosen = os.environ.get("SCHEMAPROOF_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "schemaproof" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "schemaproof"
    root = os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path.home() / ".cache") / "schemaproof"


def release_folder() -> Path:
    """Where the release's files are kept."""
    return cache_folder() / f"schemaorg-{RELEASE}"


def cached(name: str) -> Path | None:
    """The path of a release file that was fetched before; None if it is not there.

    Arguments:
        name: its name, for instance "schemaorg-all-examples.txt".
    """
    path = release_folder() / name
    return path if path.is_file() else None


def fetch(source: str | Path | None = None, *, download: Download | None = None) -> list[Path]:
    """Put the release's files into the cache, each checked by its sha256.

    Arguments:
        source: None to download them from Schema.org; else one of the files, or a folder with some of them
            (downloaded by other means): only what is there is taken.
        download: gets the bytes of an address; for tests.

    Returns:
        The files put there.

    Raises:
        SourceError: the network or the file system failed.
        VocabularyError: a file is not that of the release.
    """
    if source is not None:
        return _from_files(Path(source))
    stored = []
    for file in FILES:
        if file.needed:
            known = cached(file.name)
            if known is None or _digest(known.read_bytes()) != file.sha256:
                known = _store(file, _from_network(file, download or _download))
            stored.append(known)
    return stored


def _from_files(source: Path) -> list[Path]:
    known = {file.sha256: file for file in FILES}
    if source.is_dir():
        candidates = [source / file.name for file in FILES if (source / file.name).is_file()]
        if not candidates:
            raise VocabularyError(f"has none of the files {', '.join(file.name for file in FILES)}", source=str(source))
    else:
        candidates = [source]
    stored = []
    for path in candidates:
        try:
            data = path.read_bytes()
        except OSError as problem:
            raise SourceError(str(path), f"cannot be opened: {problem.strerror or problem}") from problem
        file = known.get(_digest(data))
        if file is None:
            raise VocabularyError(
                f"is not a file of Schema.org's release {RELEASE} (its sha256 is another); get it from {ADDRESSES[0]}",
                source=str(path),
            )
        stored.append(_store(file, data))
    return stored


def _from_network(file: ReleaseFile, download: Download) -> bytes:
    failures = []
    for address in ADDRESSES:
        try:
            data = download(address + file.name)
        except SourceError as problem:
            failures.append(problem)
            continue
        if _digest(data) == file.sha256:
            return data
        failures.append(SourceError(address + file.name, "what came is not the file of the release (wrong sha256)"))
    reasons = "; ".join(map(str, failures))
    raise SourceError(
        file.name, f"could not be fetched ({reasons}). Download it by other means and use --from FILE"
    ) from failures[0]


def _download(address: str) -> bytes:
    import httpx2

    try:
        with (
            httpx2.Client(timeout=_SECONDS, follow_redirects=True) as client,
            client.stream("GET", address) as response,
        ):
            response.raise_for_status()
            data = bytearray()
            for part in response.iter_bytes():
                data += part
                if len(data) > _MOST_BYTES:
                    raise SourceError(address, f"more than {_MOST_BYTES} bytes")
            return bytes(data)
    except httpx2.HTTPError as problem:
        raise SourceError(address, str(problem) or type(problem).__name__) from problem


def _store(file: ReleaseFile, data: bytes) -> Path:
    path = release_folder() / file.name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Written aside and renamed: another process never sees half a file.
        part = path.with_name(f".{file.name}.{os.getpid()}")
        part.write_bytes(data)
        part.replace(path)
    except OSError as problem:
        raise SourceError(str(path), f"cannot be written: {problem.strerror or problem}") from problem
    return path


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()
