"""Microdata, read from the tree that is already parsed.

Source: HTML section 5.2 (microdata; the crawl of an item's properties is 5.2.5). Three departures, all as consumers of
Schema.org markup do it: a content attribute is the value on every element (W3C HTML Microdata note), a time element's
datetime counts before its text, and a text value has its white space collapsed and its blocks parted by newlines, so
that it compares with the page's visible text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from schemaproof.page.addresses import Resolver
from schemaproof.page.fragment import element_text
from schemaproof.page.model import Notice

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

DEPTH_LIMIT = 512
"""How deeply items may be nested; what is deeper is left out with a warning."""

WORK_LIMIT = 200_000
"""How many elements are visited, beyond a share of the page's length: itemref and nesting can multiply a page."""

_ADDRESS = {
    **dict.fromkeys(["audio", "embed", "iframe", "img", "source", "track", "video"], "src"),
    **dict.fromkeys(["a", "area", "link"], "href"),
    "object": "data",
}
_PLAIN = {"data": "value", "meter": "value"}


@dataclass(slots=True)
class Microdata:
    """Top-level items in document order, and what is to be said about them."""

    items: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[Notice] = field(default_factory=list)


class _Reader:
    def __init__(
        self,
        tree: LexborHTMLParser,
        resolver: Resolver,
        size: int,
        scopes: list[tuple[LexborNode, dict[str, str | None]]],
    ) -> None:
        self.tree = tree
        # Without itemref, the properties of an item are what stands in it and in no item inside of it.
        refer = any("itemref" in attributes for _, attributes in scopes)
        self.owned = None if refer else self._owned({node.mem_id for node, _ in scopes})
        self.resolver = resolver
        self.work = [WORK_LIMIT + size]  # elements that may still be visited
        self.texts: dict[int, str] = {}
        self.codes: dict[str, str] = {}
        self._ids: dict[str, LexborNode] | None = None
        self._order: dict[int, int] | None = None

    def by_id(self, name: str) -> LexborNode | None:
        if self._ids is None:
            self._ids = {}
            for node in self.tree.css("[id]"):
                self._ids.setdefault(node.attributes["id"] or "", node)
        return self._ids.get(name)

    def order(self, node: LexborNode) -> int:
        if self._order is None:
            self._order = {other.mem_id: index for index, other in enumerate(self.tree.css("[itemprop]"))}
        return self._order.get(node.mem_id, -1)

    def properties(self, root: LexborNode) -> list[LexborNode]:
        """The elements that add properties to an item, in tree order (HTML section 5.2.5)."""
        if self.owned is not None:
            return self.owned.get(root.mem_id, [])
        found: list[LexborNode] = []
        seen: set[int] = set()
        references = (root.attributes.get("itemref") or "").split()
        if references:
            seen.add(root.mem_id)
        self._crawl(root.first_child, root, found, seen if references else None)
        for name in dict.fromkeys(references):
            other = self.by_id(name)
            if other is None:
                self.codes.setdefault("itemref", f"itemref names {name[:40]!r}, an id that no element has")
            elif other.mem_id not in seen:
                self._crawl(other, None, found, seen)
        if references:
            found.sort(key=self.order)
        return found

    def _owned(self, scopes: set[int]) -> dict[int, list[LexborNode]]:
        """The elements that add properties, in tree order, by the item that is their nearest ancestor."""
        found: dict[int, list[LexborNode]] = {}
        nearest = {scope: scope for scope in scopes}  # item that an element is or stands in; 0: none
        for node in self.tree.css("[itemprop]"):
            if not (node.attributes["itemprop"] or "").strip():
                continue
            path: list[int] = []
            owner = 0
            above = node.parent
            while above is not None:
                identity = above.mem_id
                known = nearest.get(identity)
                if known is not None:
                    owner = known
                    break
                path.append(identity)
                above = above.parent
            for identity in path:
                nearest[identity] = owner
            if owner:
                found.setdefault(owner, []).append(node)
        return found

    def _crawl(
        self, start: LexborNode | None, below: LexborNode | None, found: list[LexborNode], seen: set[int] | None
    ) -> None:
        """Collect property elements from `start` on: itself and its following siblings if `below` is their parent."""
        node = start
        stack: list[LexborNode] = []
        work = self.work
        while node is not None:
            child = None
            work[0] -= 1
            if work[0] < 0:
                self.codes.setdefault("work", "itemref or nesting multiplies this page: not all of its items were read")
                return
            if node.is_element_node:
                fresh = True
                if seen is not None:
                    identity = node.mem_id
                    fresh = identity not in seen
                    seen.add(identity)
                if fresh:
                    attributes = node.attributes
                    if (attributes.get("itemprop") or "").strip():
                        found.append(node)
                    if "itemscope" not in attributes:
                        child = node.first_child
            if child is not None:
                stack.append(node)
                node = child
                continue
            while node is not None:
                following = node.next if stack or below is not None else None
                if following is not None:
                    node = following
                    break
                node = stack.pop() if stack else None

    def value(self, node: LexborNode) -> str:
        """The value of a property element that is no item itself (HTML section 5.2.4)."""
        attributes = node.attributes
        if "content" in attributes:
            return attributes["content"] or ""
        tag = node.tag or ""
        name = _ADDRESS.get(tag)
        if name is not None:
            address = attributes.get(name)
            return self.resolver.resolve(address) if address else ""
        if tag == "meta":
            return ""
        name = _PLAIN.get(tag)
        if name is not None and name in attributes:
            return attributes[name] or ""
        if tag == "time" and attributes.get("datetime"):
            return attributes["datetime"] or ""
        identity = node.mem_id
        text = self.texts.get(identity)
        if text is None:
            text = self.texts[identity] = element_text(node, self.work)
        return text

    def item(self, root: LexborNode) -> dict[str, Any]:
        """An item as an object, nested items included; a cycle ends where it would begin again."""
        top: dict[str, Any] = {}
        # One frame an open item: its node, its object, the elements still to read.
        stack: list[tuple[int, dict[str, Any], Any]] = [(root.mem_id, *self._begin(root, top))]
        open_items = {root.mem_id}
        while stack:
            identity, properties, pending = stack[-1]
            node = next(pending, None)
            if node is None:
                open_items.discard(identity)
                stack.pop()
                continue
            attributes = node.attributes
            names = dict.fromkeys((attributes.get("itemprop") or "").split())
            value: Any
            if "itemscope" not in attributes:
                value = self.value(node)
            elif node.mem_id in open_items:
                self.codes.setdefault("itemref-cycle", "an item holds itself through itemref: the cycle was cut")
                continue
            elif len(stack) >= DEPTH_LIMIT:
                self.codes.setdefault("too-deep", f"microdata nested deeper than {DEPTH_LIMIT} items was left out")
                continue
            else:
                value = {}
                open_items.add(node.mem_id)
                stack.append((node.mem_id, *self._begin(node, value)))
            for name in names:
                properties.setdefault(name, []).append(value)
        return top

    def _begin(self, root: LexborNode, item: dict[str, Any]) -> tuple[dict[str, Any], Any]:
        attributes = root.attributes
        item["type"] = list(dict.fromkeys((attributes.get("itemtype") or "").split()))
        if attributes.get("itemid"):
            item["id"] = self.resolver.resolve(attributes["itemid"] or "")
        properties: dict[str, Any] = {}
        item["properties"] = properties
        return properties, iter(self.properties(root))


def read_microdata(tree: LexborHTMLParser, resolver: Resolver, size: int) -> Microdata:
    """Read the microdata of a page.

    Arguments:
        tree: the parsed page.
        resolver: resolves addresses against the page's base.
        size: length of its source, which bounds the work.

    Returns:
        Items as {"type": [...], "id": str, "properties": {name: [text or item]}}, without "id" where none is given.
        Ends on every page: cycles are cut, depth and the work caused by itemref are bounded.
    """
    found = Microdata()
    scopes = [(node, node.attributes) for node in tree.css("[itemscope]")]
    if not scopes:
        return found
    reader = _Reader(tree, resolver, size, scopes)
    for node, attributes in scopes:
        if "itemprop" not in attributes:
            found.items.append(reader.item(node))
    found.warnings += [Notice("microdata-" + code, message) for code, message in reader.codes.items()]
    return found
