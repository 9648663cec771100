"""Edits of a markup: safe repairs by pointer, and rewriting the scripts of a page with every other byte as it was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schemaproof.errors import MarkupError
from schemaproof.markup.pruning import prune_each
from schemaproof.markup.rendering import render
from schemaproof.page.model import Page

__all__ = ["Change", "Fix", "apply_fixes", "render", "replace_scripts"]

KINDS = ("rename-key", "rename-type", "replace-value")

_IN_SCRIPT = re.compile(r"</|<!--|<(?=script)", re.IGNORECASE)
_LAST_NAME = re.compile(r"(.*[/#:])[^/#:]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair at one place.

    Attributes:
        pointer: JSON Pointer of the statement, as in `Statement.path`: of the value, whose key is renamed; of
            the @type, or one of several; of the value that is replaced.
        kind: "rename-key", "rename-type" or "replace-value".
        new: bare name of the property or the type, or the value. The author's prefix is kept ("schema:Name"
            becomes "schema:name").
    """

    pointer: str
    kind: str
    new: str


@dataclass(frozen=True, slots=True)
class Change:
    """What a repair changed: the place in the old documents, the spelling before and after."""

    pointer: str
    kind: str
    before: str
    after: str


def apply_fixes(
    documents: Sequence[Any], fixes: Iterable[Fix], *, pointer_root: bool = True
) -> tuple[list[Any], list[Change]]:
    """Copies of the documents with repairs, keys in their order.

    All pointers are those of the documents as given. A key renamed to one that the object has already adds its
    values to that one's. A repair that points nowhere, or changes nothing, is passed over.

    Arguments:
        documents: JSON-LD objects.
        fixes: the repairs.
        pointer_root: false where pointers start at the only document.

    Returns:
        The copies, and what was changed, each key once.

    Raises:
        MarkupError: a repair of a kind that there is not.
    """
    copies: list[Any] = prune_each(documents, ())
    changes: list[Change] = []
    renames: dict[tuple[int, str], tuple[dict[str, Any], str]] = {}
    for fix in fixes:
        if fix.kind not in KINDS:
            raise MarkupError(f"{fix.kind!r} is no kind of repair: use {', '.join(KINDS)}.")
        path = fix.pointer if pointer_root else f"/0{fix.pointer}"
        way = _way(copies, path)
        if way is None:
            continue
        if fix.kind == "rename-key":
            place = _key_of(way, fix.new)
            if place is None:
                continue
            container, key = place
            new = _respelled(key, fix.new)
            if new != key and (id(container), key) not in renames:
                renames[id(container), key] = (container, new)
                changes.append(Change(fix.pointer, fix.kind, key, new))
        else:
            change = _replace(*way[-1], fix)
            if change is not None:
                changes.append(change)
    _rename(renames)
    return copies, changes


# A container and the key or index that leads on.
_Stop = tuple[Any, Any]


def _way(documents: list[Any], path: str) -> list[_Stop] | None:
    """The containers that a pointer passes, each with the key taken; None where it points nowhere."""
    if not path.startswith("/"):
        return None
    way: list[_Stop] = []
    container: Any = documents
    for part in path[1:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(container, dict) and name in container:
            way.append((container, name))
            container = container[name]
        elif isinstance(container, list) and name.isdecimal() and int(name) < len(container):
            way.append((container, int(name)))
            container = container[int(name)]
        else:
            return None
    return way


def _key_of(way: list[_Stop], new: str) -> tuple[dict[str, Any], str] | None:
    """The key to rename: the property's, above the arrays, lists and language maps that its value stands in."""
    keys = [(container, key) for container, key in reversed(way) if isinstance(key, str) and not key.startswith("@")]
    if not keys:
        return None
    for container, key in keys[:2]:
        if _letters(key) == _letters(new):
            return container, key
    return keys[0]


def _letters(name: str) -> str:
    last = re.split(r"[/#:]", name)[-1]
    return "".join(char for char in last.casefold() if char.isalnum())


def _respelled(old: str, new: str) -> str:
    """A name with the author's prefix or namespace before it, if the new one brings none."""
    bare = re.split(r"[/#:]", new)[-1] if "/" in new else new
    found = _LAST_NAME.fullmatch(old)
    return f"{found[1]}{bare}" if found is not None and ":" in old else bare


def _replace(container: Any, key: Any, fix: Fix) -> Change | None:
    value = container[key]
    if fix.kind == "rename-type":
        if isinstance(value, list) and len(value) == 1:
            container, key, value = value, 0, value[0]
        if not isinstance(value, str):
            return None
        new = _respelled(value, fix.new)
    else:
        if isinstance(value, dict):
            key, container = next((name for name in ("@value", "@id", "id") if name in value), None), value
            if key is None:
                return None
            value = container[key]
        if isinstance(value, dict | list):
            return None
        same = isinstance(value, str) and value.startswith("http") and _letters(value) == _letters(fix.new)
        new = _respelled(str(value), fix.new) if same and "://" not in fix.new else fix.new
    if value == new:
        return None
    container[key] = new
    return Change(fix.pointer, fix.kind, value if isinstance(value, str) else render(value), new)


def _rename(renames: Mapping[tuple[int, str], tuple[dict[str, Any], str]]) -> None:
    """Rename keys in their place; values of two keys that become one are put together."""
    by_container: dict[int, tuple[dict[str, Any], dict[str, str]]] = {}
    for (_, old), (container, new) in renames.items():
        by_container.setdefault(id(container), (container, {}))[1][old] = new
    for container, names in by_container.values():
        entries = list(container.items())
        container.clear()
        for key, value in entries:
            name = names.get(key, key)
            if name in container:
                before, after = container[name], value
                container[name] = [
                    *(before if isinstance(before, list) else [before]),
                    *(after if isinstance(after, list) else [after]),
                ]
            else:
                container[name] = value


def replace_scripts(page: Page, texts: Mapping[int, str]) -> str:
    """The page's source with the content of some of its scripts replaced, and every other character as it was.

    What would end the script, or open a comment in it, is escaped as JSON allows; and so are letters that the
    page's encoding does not have, since a script knows no character references.

    Arguments:
        page: the page, as read.
        texts: number of the script → its new content, a JSON text.

    Returns:
        The HTML; to be encoded in `page.encoding`.

    Raises:
        MarkupError: there is no such script, or its place in the source is not known.
    """
    blocks = {script.index: script for script in page.scripts}
    bare = page.metadata.get("bare") == "json-ld"
    pieces: list[str] = []
    done = 0
    for index, text in sorted(texts.items(), key=lambda item: blocks[item[0]].start if item[0] in blocks else -1):
        script = blocks.get(index)
        if script is None:
            raise MarkupError(f"There is no script {index} in this page: it has {len(blocks)}.", source=page.name)
        if script.start == script.end and script.source:
            raise MarkupError(
                "The place of this script in the source is not known, so it cannot be rewritten: edit it by hand.",
                source=page.name,
                line=script.line,
                column=script.column,
            )
        pieces.append(page.html[done : script.start])
        pieces.append(_encodable(text if bare else _IN_SCRIPT.sub(_safe, text), page.encoding))
        done = script.end
    pieces.append(page.html[done:])
    return "".join(pieces)


def _safe(found: re.Match[str]) -> str:
    return "<\\/" if found[0] == "</" else "\\u003c" + found[0][1:]


def _encodable(text: str, encoding: str) -> str:
    """A JSON text whose letters all exist in an encoding."""
    if text.isascii():
        return text
    try:
        text.encode(encoding or "utf-8")
    except LookupError:
        return text
    except UnicodeEncodeError:
        return "".join(char if _fits(char, encoding) else _escape(char) for char in text)
    return text


def _fits(char: str, encoding: str) -> bool:
    try:
        char.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(units[i : i + 2], 'big'):04x}" for i in range(0, len(units), 2))
