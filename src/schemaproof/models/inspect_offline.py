"""Inspect without a network: its mock model and its estimates count tokens with a vocabulary that tiktoken downloads.

The package bpe-openai (extra `inspect`) carries the same file. It is laid where tiktoken looks first, its documented
cache folder; tiktoken checks the file's hash itself.
"""

from __future__ import annotations

import gzip
import hashlib
import os
from importlib import resources
from pathlib import Path

# tiktoken names a cached file by the sha1 of the address that it would be fetched from.
_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
_CACHES = ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")


def prepare() -> None:
    """Give tiktoken the vocabulary o200k_base from bpe-openai, unless the user has a cache folder of their own.

    Does nothing where bpe-openai is not installed or the cache cannot be written: then tiktoken downloads.
    """
    if any(name in os.environ for name in _CACHES):
        return
    base = os.environ.get("SCHEMAPROOF_CACHE")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = (Path(base) if base else home / "schemaproof") / "tiktoken"
    file = folder / hashlib.sha1(_ADDRESS.encode(), usedforsecurity=False).hexdigest()
    if not file.is_file():
        try:
            data = resources.files("bpe_openai").joinpath("data", "o200k_base.tiktoken.gz").read_bytes()
            folder.mkdir(parents=True, exist_ok=True)
            partial = file.with_suffix(f".{os.getpid()}")
            partial.write_bytes(gzip.decompress(data))
            partial.replace(file)
        except (ModuleNotFoundError, OSError):
            return
    os.environ[_CACHES[0]] = str(folder)
