"""Pages from Common Crawl: looked up in its index, read from its WARC files by range.

See https://index.commoncrawl.org/ (the CDX server's interface) and https://commoncrawl.org/get-started.
"""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from typing import Any
from urllib.parse import quote, urljoin

from schemaproof.errors import SourceError
from schemaproof.sources.visiting import Visit
from schemaproof.sources.warc import body_of
from schemaproof.sources.web import Answer, FetchLimits, Unavailable, request

INDEX = "https://index.commoncrawl.org/"
DATA = "https://data.commoncrawl.org/"


class CommonCrawl:
    """One crawl of Common Crawl as a place to get pages from.

    Arguments:
        crawl: its name, "CC-MAIN-2022-40".
        limits: see `FetchLimits`; the pause holds between two requests to Common Crawl.
        index, data: where its index and its files are.
    """

    def __init__(self, crawl: str, limits: FetchLimits | None = None, *, index: str = INDEX, data: str = DATA) -> None:
        self.crawl = crawl
        self.limits = limits or FetchLimits()
        self.index = index
        self.data = data

    def locate(self, url: str) -> dict[str, Any] | None:
        """The newest good record of a page in the index: filename, offset, length; None where it has none."""
        ask = f"{urljoin(self.index, quote(self.crawl) + '-index')}?url={quote(url.split('#')[0], safe='')}"
        answer = self._ask(f"{ask}&output=json&filter=%3Dstatus%3A200", {})
        if answer.status == 404:
            return None
        if answer.status >= 400:
            raise SourceError(url, f"the index answered {answer.status} {answer.reason}")
        found = None
        for line in answer.body.splitlines():
            try:
                entry = json.loads(line)
                entry = {
                    "filename": str(entry["filename"]),
                    "offset": int(entry["offset"]),
                    "length": int(entry["length"]),
                }
            except (ValueError, KeyError, TypeError):
                continue
            found = entry
        return found

    def visit(self, url: str) -> Visit:
        """Get a page; never raises for what goes wrong on the way."""
        try:
            place = self.locate(url)
            if place is None:
                return Visit(url, error=f"not in {self.crawl}")
            start, size = place["offset"], place["length"]
            if not 0 < size <= self.limits.maximum_bytes or start < 0:
                raise SourceError(url, "its record is larger than the limit")
            answer = self._ask(
                urljoin(self.data, quote(place["filename"])), {"Range": f"bytes={start}-{start + size - 1}"}
            )
            body = answer.body
            if answer.status == 200:
                body = body[start : start + size]  # a server that knows no ranges
            elif answer.status != 206:
                raise SourceError(url, f"its file cannot be read: {answer.status} {answer.reason}")
            if len(body) < size:
                raise SourceError(url, f"its file gave {len(body)} of the {size} bytes of its record")
            return Visit(url, _page_in(body, url, self.limits.maximum_bytes))
        except SourceError as problem:
            return Visit(url, error=problem.reason)

    def _ask(self, url: str, headers: dict[str, str]) -> Answer:
        import time

        # What is stored packed is asked for as it is: packing it once more would only hide its ranges.
        sent = {"Accept": "*/*", "Accept-Encoding": "identity", **headers}
        for attempt in range(self.limits.retries + 1):
            time.sleep(self.limits.delay)
            try:
                return request(url, replace(self.limits, redirects=0), sent)
            except Unavailable as problem:
                if attempt == self.limits.retries:
                    raise
                time.sleep(min(problem.after or self.limits.delay * 2**attempt, 60.0))
        raise AssertionError("unreachable")


def _page_in(data: bytes, url: str, limit: int) -> Answer:
    from warcio.archiveiterator import ArchiveIterator

    try:
        for record in ArchiveIterator(BytesIO(data)):
            if record.rec_type == "response" and record.http_headers is not None:
                body = body_of(record, limit)
                if len(body) > limit:
                    raise SourceError(url, "the page is larger than the limit")
                headers = {name.lower(): value for name, value in record.http_headers.headers}
                for name in ("content-encoding", "transfer-encoding"):
                    headers.pop(name, None)
                status = record.http_headers.get_statuscode() or "200"
                return Answer(url, int(status) if status.isdigit() else 200, "OK", headers, body)
    except SourceError:
        raise
    except Exception as problem:  # the library passes on whatever its decoders raise
        raise SourceError(url, f"its record is broken ({problem})") from None
    raise SourceError(url, "no page in its record")
