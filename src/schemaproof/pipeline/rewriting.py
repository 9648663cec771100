"""Rewriting the scripts of a file in its bytes: all that stands outside of them stays as it is, valid or not."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from schemaproof.errors import MarkupError
from schemaproof.page.model import Page


def rewritten(data: bytes, page: Page, texts: Mapping[int, str]) -> bytes:
    """The bytes of a page with other contents of some scripts.

    Arguments:
        data: the bytes that the page was read from.
        page: the page.
        texts: number of the script → its new content.

    Returns: the new bytes, read again to prove that they say what was meant.

    Raises: MarkupError where a script cannot be found again in the bytes (they are invalid in its encoding).
    """
    from schemaproof.markup.edit import replace_scripts
    from schemaproof.page import read_document

    encoding = _without_mark(page.encoding, data)
    pieces: list[bytes] = []
    done = done_text = 0
    for script in sorted((each for each in page.scripts if each.index in texts), key=lambda each: each.start):
        whole = replace_scripts(page, {script.index: texts[script.index]})
        new = whole[script.start : len(whole) - (len(page.html) - script.end)]
        old = page.html[script.start : script.end]
        try:
            sought = old.encode(encoding)
        except UnicodeError:
            raise _lost(page, script.line, script.column) from None
        place = data.find(sought, done)
        for _ in range(page.html.count(old, done_text, script.start)):
            place = data.find(sought, place + len(sought)) if place >= 0 else place
        if place < 0:
            raise _lost(page, script.line, script.column)
        pieces += (data[done:place], new.encode(encoding))
        done, done_text = place + len(sought), script.end
    pieces.append(data[done:])
    answer = b"".join(pieces)
    # A match at the wrong place would show here; nothing is written then.
    again = read_document(answer, name=page.name)
    if again.html.removeprefix("\ufeff") != replace_scripts(page, texts).removeprefix("\ufeff"):
        raise _lost(page, 0, 0)
    return answer


def write_file(path: Path, data: bytes) -> None:
    """Put new bytes into a file at once, or leave it as it is; links and permissions stay.

    Raises: OSError where the folder cannot be written.
    """
    path = path.resolve()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        shutil.copymode(path, name)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _without_mark(encoding: str, data: bytes) -> str:
    """The name of an encoding that writes no byte order mark."""
    bare = encoding.lower().replace("_", "-") or "utf-8"
    if bare == "utf-16":
        return "utf-16-be" if data.startswith(b"\xfe\xff") else "utf-16-le"
    return "utf-8" if bare == "utf-8-sig" else bare


def _lost(page: Page, line: int, column: int) -> MarkupError:
    return MarkupError(
        "the script cannot be rewritten without changing other bytes (are they all valid in the file's encoding, "
        f"{page.encoding}?); print the markup without --in-place and put it in by hand",
        source=page.name,
        line=line or None,
        column=column or None,
    )
