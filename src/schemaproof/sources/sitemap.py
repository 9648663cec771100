"""Sitemaps: the addresses of a site's pages (https://www.sitemaps.org/protocol.html)."""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Iterator
from html import unescape

from schemaproof.sources.model import PageSource
from schemaproof.sources.web import FetchLimits, fetch, is_url

MAXIMUM_SITEMAPS = 500  # an index of indexes must end somewhere
MAXIMUM_BYTES = 50 * 1024 * 1024  # the protocol's own limit for one sitemap
# A sitemap is a flat list; reading it by pattern cannot be led to expand entities, as an XML parser can.
_LOCATION = re.compile(rb"<(?:\w+:)?loc>\s*(?:<!\[CDATA\[)?\s*([^<\]]+?)\s*(?:\]\]>)?\s*</(?:\w+:)?loc>")
_INDEX = re.compile(rb"<(?:\w+:)?sitemapindex[\s>]")


def read_sitemap(url: str, limits: FetchLimits | None = None) -> Iterator[str | PageSource]:
    """The addresses that a sitemap (or an index of sitemaps) names, each once.

    Arguments:
        url: address of the sitemap, plain or gzip.
        limits: for fetching.

    Returns: addresses; for a sitemap that cannot be had, a source with its error.
    """
    waiting, seen, pages = [url], {url}, set[str]()
    while waiting and len(seen) <= MAXIMUM_SITEMAPS:
        current = waiting.pop(0)
        source = fetch(current, limits)
        if source.data is None:
            yield source
            continue
        data = source.data
        if data[:2] == b"\x1f\x8b":
            try:
                with gzip.open(io.BytesIO(data)) as stream:
                    data = stream.read(MAXIMUM_BYTES)
            except (OSError, EOFError) as problem:
                yield PageSource(current, None, current, error=f"broken gzip: {problem}")
                continue
        index = _INDEX.search(data[:4096]) is not None
        for match in _LOCATION.finditer(data):
            address = unescape(match[1].decode("utf-8", "replace"))
            if not is_url(address):
                continue
            if index and address not in seen:
                seen.add(address)
                waiting.append(address)
            elif not index and address not in pages:
                pages.add(address)
                yield address
