"""Fetching the pages of a sample: many hosts at once, each politely, into a WARC file that can be gone on with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from schemaproof.errors import InputError, SourceError
from schemaproof.sources.archive import Archive
from schemaproof.sources.model import PageSource, is_page_type
from schemaproof.sources.visiting import Visit
from schemaproof.sources.web import Answer, is_url, read_address

HOSTS = 8


@dataclass(slots=True)
class Fetched:
    """What was done.

    Attributes:
        fetched: pages that are in the archive now and were not before.
        known: pages that were there, or were refused or failed before.
        refused, failed: addresses without a page, with the reason.
    """

    fetched: int
    known: int
    refused: dict[str, str]
    failed: dict[str, str]


def addresses(arguments: Iterable[str], sitemap: Callable[[str], Iterator[str | PageSource]]) -> Iterator[str | Visit]:
    """The addresses that the arguments name: URLs, sitemaps, files of a sample or of addresses.

    Arguments:
        arguments: of the command line.
        sitemap: reads a sitemap.

    Returns: addresses; a visit for a sitemap that cannot be had.
    """
    from schemaproof.sampling.sample import read_urls

    for argument in arguments:
        if not is_url(argument):
            yield from read_urls(Path(argument))
        elif argument.split("?")[0].lower().endswith((".xml", ".xml.gz")):
            for found in sitemap(argument):
                yield found if isinstance(found, str) else Visit(found.name, error=found.error or "cannot be read")
        else:
            yield argument


def fetch_pages(
    urls: Iterable[str | Visit],
    visit: Callable[[str], Visit],
    archive: Archive,
    *,
    hosts: int = HOSTS,
    retry: bool = False,
    told: Callable[[Visit], None] = lambda _: None,
    call_off: Callable[[], None] = lambda: None,
) -> Fetched:
    """Visit every address once and keep what comes.

    Arguments:
        urls: the addresses.
        visit: visits one; called from threads, for one host never at the same time.
        archive: where pages are kept; those in it are not visited again.
        hosts: how many hosts are asked at the same time.
        retry: visit again what failed (not what was refused).
        told: called after every visit.
        call_off: called where all ends early: makes visits that wait for their turn end at once.
    """
    report = Fetched(0, 0, {}, {})
    waiting: dict[str, list[str]] = {}
    seen: set[str] = set()
    for given in urls:
        if isinstance(given, Visit):
            report.failed[given.url] = given.error
            continue
        if given in seen:
            continue
        seen.add(given)
        if not archive.wants(given, again=retry):
            report.known += 1
            continue
        waiting.setdefault(_host(given), []).append(given)
    for each in waiting.values():
        each.reverse()
    stop = threading.Event()
    running: dict[Future[Visit], str] = {}
    ready = list(waiting)
    with ThreadPoolExecutor(hosts, thread_name_prefix="host") as threads:
        try:
            while ready or running:
                while ready and len(running) < hosts and not stop.is_set():
                    host = ready.pop(0)
                    running[threads.submit(visit, waiting[host].pop())] = host
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    host = running.pop(future)
                    if waiting[host]:
                        ready.append(host)
                    found = future.result()
                    _check_type(found)
                    archive.add(found)
                    if not found.error:
                        report.fetched += 1
                    elif found.refused:
                        report.refused[found.url] = found.error
                    else:
                        report.failed[found.url] = found.error
                    told(found)
        except BaseException:
            stop.set()
            call_off()
            threads.shutdown(wait=False, cancel_futures=True)
            raise
    return report


def _check_type(visit: Visit) -> None:
    """Make an answer that is no page a failure: it could not be read back as one."""
    if visit.answer is not None and not visit.error:
        kind = visit.answer.headers.get("content-type", "")
        if not is_page_type(kind):
            visit.error = f"no page but {kind[:80]}"


def _host(url: str) -> str:
    """What pages that are asked for one after the other have in common: host and port, however they are written."""
    try:
        address = read_address(url)
    except SourceError:
        return url
    return f"{address.host}:{address.port}"


def copied(sources: Iterable[PageSource], wanted: set[str]) -> Iterator[Visit]:
    """Pages at hand as visits: those of the wanted addresses.

    Arguments:
        sources: the pages.
        wanted: their addresses; those that were found are taken out.
    """
    for source in sources:
        url = source.url or source.name
        if url not in wanted:
            continue
        wanted.discard(url)
        if source.data is None:
            yield Visit(url, error=source.error or "cannot be opened")
        else:
            kind = source.content_type or "text/html"
            yield Visit(url, Answer(url, 200, "OK", {"content-type": kind}, source.data))


def check_output(path: Path) -> None:
    """Raises: InputError for a name that pages cannot be kept under."""
    if not path.name.lower().endswith(".warc.gz"):
        raise InputError("pages are kept in a file that ends in .warc.gz", source=str(path))
