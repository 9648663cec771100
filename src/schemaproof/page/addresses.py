"""Addresses of a page: resolving relative ones against its base, cheaply and without failing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_STRIPPED = re.compile(r"[\t\n\r]")


class Resolver:
    """Resolves many addresses against one base.

    Arguments:
        base: an absolute URL, or "" to leave relative addresses as they are.
    """

    __slots__ = ("_directory", "_known", "_origin", "_page", "_scheme", "base")

    def __init__(self, base: str) -> None:
        self.base = base
        self._known: dict[str, str] = {}
        self._scheme = self._origin = self._directory = self._page = ""
        try:
            parts = urlsplit(base)
        except ValueError:
            return
        if parts.scheme in ("http", "https") and parts.netloc:
            self._scheme = parts.scheme
            self._origin = f"{parts.scheme}://{parts.netloc}"
            path = parts.path or "/"
            self._page = self._origin + path
            self._directory = self._origin + path[: path.rfind("/") + 1]

    def resolve(self, address: str) -> str:
        """The absolute form of an address as written in HTML (RFC 3986, WHATWG URL's stripping of white space).

        An address that cannot be parsed is returned as it is, stripped.
        """
        known = self._known.get(address)
        if known is None:
            known = self._known[address] = self._resolve(address)
        return known

    def _resolve(self, address: str) -> str:
        target = address.strip()
        if "\n" in target or "\t" in target or "\r" in target:
            target = _STRIPPED.sub("", target)
        if target.startswith(("http://", "https://")) or not self.base:
            return target
        if self._origin and "/." not in target and target[:1] != ".":
            first = target[:1]
            if first == "/":
                return f"{self._scheme}:{target}" if target[:2] == "//" else self._origin + target
            if first and first not in "?#" and not _SCHEME.match(target):
                return self._directory + target if "/." not in self._directory else self._join(target)
        if not target:
            return self.base
        return self._join(target)

    def _join(self, target: str) -> str:
        scheme = _SCHEME.match(target)
        if scheme and scheme.group()[:-1].lower() not in ("http", "https"):
            return target
        try:
            return urljoin(self.base, target)
        except ValueError:
            return target


def base_of(tree: LexborHTMLParser, url: str) -> str:
    """What the addresses of a page are relative to: its base element, else its address, else what it says that is.

    Arguments:
        tree: the parsed page.
        url: its address, or "".
    """
    base = url
    element = tree.css_first("base[href]")
    if element is not None:
        base = Resolver(base).resolve(element.attributes["href"] or "") or base
    # A file on disk: what its author says is its address is the best guess of where its links lead.
    return base or _canonical(tree)


def _canonical(tree: LexborHTMLParser) -> str:
    """The page's address as its canonical link or og:url gives it in full, or ""."""
    for selector, name in (("link[rel~=canonical i][href]", "href"), ('meta[property="og:url"][content]', "content")):
        element = tree.css_first(selector)
        address = (element.attributes[name] or "").strip() if element is not None else ""
        if address.lower().startswith(("http://", "https://")) and len(address) < 2000:
            return address
    return ""


def sources(srcset: str) -> list[str]:
    """The addresses of a srcset attribute (HTML section 4.8.4.2.1), descriptors left out."""
    found = []
    position, end = 0, len(srcset)
    while position < end:
        while position < end and srcset[position] in " \t\n\r\f,":
            position += 1
        start = position
        while position < end and srcset[position] not in " \t\n\r\f":
            position += 1
        address = srcset[start:position]
        if not address:
            break
        if address.endswith(","):
            address = address.rstrip(",")
        else:
            comma = srcset.find(",", position)
            position = end if comma < 0 else comma + 1
        if address:
            found.append(address)
    return found
