"""Taking values out of a markup by their pointers, in the author's order and spelling."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from schemaproof.markup.iri import resolve
from schemaproof.markup.official import ALIASES

# What may remain of an object that says nothing any more.
_SAYS_NOTHING = frozenset({"@type", "@id", "@context", "@index", "@language", "@direction", "@version"})


class _Gone:
    """Stands where a value was taken out."""


_GONE: Any = _Gone()


def prune(documents: Sequence[Any], paths: Iterable[str], *, base: str = "", pointer_root: bool = True) -> list[Any]:
    """Copies of the documents without exactly the values at these pointers, and without what is left empty.

    See `prune_each`, of which this leaves out the documents that nothing is left of.
    """
    return [each for each in prune_each(documents, paths, base=base, pointer_root=pointer_root) if each is not None]


def prune_each(
    documents: Sequence[Any], paths: Iterable[str], *, base: str = "", pointer_root: bool = True
) -> list[Any | None]:
    """Copies of the documents without the values at these pointers; None for one that nothing is left of.

    Order and spelling stay the author's. An array that lost its last element goes; one that shrinks to one
    element stays an array. An entity that lost something and keeps nothing but its type, its identifier and
    its context goes too, unless another place still refers to it by its identifier.

    Arguments:
        documents: JSON-LD objects (or microdata items), as given to `build_graph`.
        paths: JSON Pointers as in `Statement.path`; those that point nowhere are passed over.
        base: what identifiers are resolved against to tell whether something refers to an entity.
        pointer_root: false where the pointers start at the only document.
    """
    return _Pruning(documents, base).run([path if pointer_root else f"/0{path}" for path in paths])


class _Pruning:
    def __init__(self, documents: Sequence[Any], base: str) -> None:
        self.base = base
        self.root: list[Any] = []
        self.parents: dict[int, tuple[Any, Any, int]] = {}  # id of a container → its container, key and depth
        self.objects: dict[str, int] = {}  # identifier → how many objects have it
        # Identifier → objects of it that say nothing any more, but that another object may still refer to.
        self.waiting: dict[str, dict[int, Any]] = {}
        self.names: dict[str, str] = dict.fromkeys(_SAYS_NOTHING, "")
        self.id_keys: tuple[str, ...] = ("@id", "id")
        self.touched: dict[int, Any] = {}
        self._copy(documents)

    def _copy(self, documents: Sequence[Any]) -> None:
        self.parents[id(self.root)] = (None, None, 0)
        pending: list[tuple[Any, Any, int]] = [(list(documents), self.root, 0)]
        contexts: list[Any] = []
        while pending:
            source, target, depth = pending.pop()
            entries = source.items() if isinstance(source, dict) else enumerate(source)
            for key, value in entries:
                made: Any = value
                if isinstance(value, dict):
                    made = {}
                elif isinstance(value, list):
                    made = []
                if made is not value:
                    self.parents[id(made)] = (target, key, depth + 1)
                    pending.append((value, made, depth + 1))
                if isinstance(target, list):
                    target.append(made)
                else:
                    target[key] = made
                    if key == "@context":
                        contexts.append(value)
        self._aliases(contexts)

    def _aliases(self, contexts: list[Any]) -> None:
        self.names.update(dict.fromkeys(ALIASES, ""))
        while contexts:
            each = contexts.pop()
            if isinstance(each, list):
                contexts.extend(each)
            elif isinstance(each, dict):
                for name, value in each.items():
                    target = value.get("@id") if isinstance(value, dict) else value
                    if isinstance(target, str) and target in _SAYS_NOTHING:
                        self.names[name] = target
                        if target == "@id":
                            self.id_keys = (*self.id_keys, name)

    def run(self, paths: list[str]) -> list[Any | None]:
        for path in paths:
            self._take_out(path)
        if self.touched:
            self._collect_objects()
        self._clean()
        return [None if each is _GONE else each for each in self.root]

    def _take_out(self, path: str) -> None:
        if not path.startswith("/"):
            return
        *way, last = [part.replace("~1", "/").replace("~0", "~") for part in path[1:].split("/")]
        container: Any = self.root
        for part in way:
            container = _at(container, part)
            if container is _GONE:
                return
        if _at(container, last) is _GONE:
            return
        container[int(last) if isinstance(container, list) else last] = _GONE
        self.touched[id(container)] = container

    def _identifier(self, value: dict[str, Any]) -> str:
        for key in self.id_keys:
            found = value.get(key)
            if isinstance(found, str):
                return resolve(found, self.base)
        return ""

    def _collect_objects(self) -> None:
        pending: list[Any] = [self.root]
        while pending:
            each = pending.pop()
            if isinstance(each, dict):
                name = self._identifier(each)
                if name:
                    self.objects[name] = self.objects.get(name, 0) + 1
                pending.extend(value for key, value in each.items() if key != "@context" and _holds(value))
            else:
                pending.extend(filter(_holds, each))

    def _forget(self, value: Any) -> set[str]:
        """Take the objects of what was just taken out off the count; identifiers that lost one."""
        lost: set[str] = set()
        pending = [value]
        while pending:
            each = pending.pop()
            if isinstance(each, dict):
                name = self._identifier(each)
                if name:
                    self.objects[name] -= 1
                    self.waiting.get(name, {}).pop(id(each), None)
                    lost.add(name)
                pending.extend(value for key, value in each.items() if key != "@context" and _holds(value))
            elif isinstance(each, list):
                pending.extend(filter(_holds, each))
        return lost

    def _referred(self, name: str) -> bool:
        """Whether an object that is not itself waiting to go has this identifier."""
        return self.objects.get(name, 0) > len(self.waiting.get(name, ()))

    def _clean(self) -> None:
        # Depth → containers that lost something; the deepest first, each once however much it lost.
        buckets: dict[int, dict[int, Any]] = {}
        for container in self.touched.values():
            buckets.setdefault(self.parents[id(container)][2], {})[id(container)] = container
        while buckets:
            for container in buckets.pop(max(buckets)).values():
                if container is self.root or not self._emptied(container):
                    continue
                name = self._identifier(container) if isinstance(container, dict) else ""
                gone = [container]
                if name:
                    self.waiting.setdefault(name, {})[id(container)] = container
                    gone = [] if self._referred(name) else list(self.waiting.pop(name).values())
                while gone:
                    each = gone.pop()
                    parent, key, depth = self.parents[id(each)]
                    if not _has(parent, key, each):
                        continue
                    parent[key] = _GONE
                    buckets.setdefault(depth - 1, {})[id(parent)] = parent
                    for lost in self._forget(each):
                        if lost in self.waiting and not self._referred(lost):
                            gone.extend(self.waiting.pop(lost).values())

    def _emptied(self, container: Any) -> bool:
        """Close the gaps in a container; whether nothing is left that says something."""
        if isinstance(container, list):
            container[:] = [each for each in container if each is not _GONE]
            self._renumber(container)
            return not container
        for key in [key for key, value in container.items() if value is _GONE]:
            del container[key]
        return all(key in self.names for key in container)

    def _renumber(self, container: list[Any]) -> None:
        for place, each in enumerate(container):
            if isinstance(each, dict | list):
                parent, _, depth = self.parents[id(each)]
                self.parents[id(each)] = (parent, place, depth)


def _has(container: Any, key: Any, value: Any) -> bool:
    if isinstance(container, list):
        return isinstance(key, int) and key < len(container) and container[key] is value
    return container.get(key) is value


def _holds(value: Any) -> bool:
    return isinstance(value, dict | list)


def _at(container: Any, part: str) -> Any:
    """The member of a container that a segment of a pointer names; _GONE where there is none."""
    if isinstance(container, dict):
        return container.get(part, _GONE)
    if isinstance(container, list) and part.isdecimal() and int(part) < len(container):
        return container[int(part)]
    return _GONE
