"""`schemaproof sample pages` and `sample quads`: fetching the pages of a sample, and what they state as quads."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from schemaproof.cli.output import check_other, print_json, say
from schemaproof.wording import counted

_FILE = click.Path(path_type=Path)


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", required=True, type=_FILE, metavar="PAGES.warc.gz", help="Where the pages are kept.")
@click.option(
    "--from", "copies", multiple=True, metavar="PAGE", help="Copy from pages at hand (WARC, Parquet, folder)."
)
@click.option("--crawl", metavar="NAME", help="Get them from this crawl of Common Crawl, as CC-MAIN-2022-40.")
@click.option("--render", is_flag=True, help="Open each page in a browser and keep what it shows (extra render).")
@click.option(
    "--delay", type=click.FloatRange(min=0), default=1.0, show_default=True, help="Seconds between requests to a host."
)
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=30.0, show_default=True, help="Longest time for a page."
)
@click.option("--megabytes", type=click.FloatRange(min=0.001), default=32.0, show_default=True, help="Largest page.")
@click.option(
    "--retries",
    type=click.IntRange(min=0),
    default=2,
    show_default=True,
    help="Further attempts where a server is busy.",
)
@click.option("--hosts", type=click.IntRange(min=1), default=8, show_default=True, help="Hosts asked at once.")
@click.option("--retry", is_flag=True, help="Try again what failed before.")
@click.option("--allow-private", is_flag=True, help="Also fetch from private and loopback addresses.")
@click.option(
    "--allow-host",
    "allow_hosts",
    multiple=True,
    metavar="HOST[:PORT]",
    help="This host's address may be private. Repeatable.",
)
@click.option("--crawl-index", hidden=True)
@click.option("--crawl-data", hidden=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def pages(**options: Any) -> None:
    """Fetch the pages of a sample and keep them as WARC.

    INPUT is a sample of `sample draw`, a list of addresses (column url of CSV, JSON Lines or Parquet, or one a line),
    a URL or a sitemap. Rules of robots.txt are obeyed; the same command goes on after it was stopped.
    """
    from schemaproof.sampling.pages import addresses, check_output, copied, fetch_pages
    from schemaproof.sources import open_sources
    from schemaproof.sources.archive import Archive
    from schemaproof.sources.sitemap import read_sitemap
    from schemaproof.sources.visiting import Visit, Visitor
    from schemaproof.sources.web import FetchLimits

    check_output(options["output"])
    limits = FetchLimits(
        seconds=options["seconds"],
        maximum_bytes=int(options["megabytes"] * (1 << 20)),
        allow_private=options["allow_private"],
        allow_hosts=options["allow_hosts"],
        delay=options["delay"],
        retries=options["retries"],
    )
    visitor = Visitor(limits)
    urls = addresses(options["inputs"], lambda url: read_sitemap(url, visitor.visit))
    with Archive(options["output"]) as archive:
        if options["copies"]:
            wanted = list(urls)
            named = {url for url in wanted if isinstance(url, str)}
            left = {url for url in named if archive.wants(url, again=options["retry"])}
            known = len(named) - len(left)
            at_hand = {visit.url: visit for visit in _kept(archive, copied(open_sources(options["copies"]), left))}
            missing = dict.fromkeys(left, "not among the pages at hand")
            report = fetch_pages((url for url in wanted if isinstance(url, Visit)), visitor.visit, archive)
            report.fetched = sum(not visit.error for visit in at_hand.values())
            report.known = known
            report.failed |= missing | {visit.url: visit.error for visit in at_hand.values() if visit.error}
        else:
            if options["crawl"]:
                from schemaproof.sources.commoncrawl import DATA, INDEX, CommonCrawl

                crawl = CommonCrawl(
                    options["crawl"],
                    limits,
                    index=options["crawl_index"] or INDEX,
                    data=options["crawl_data"] or DATA,
                )
                visit, hosts = crawl.visit, 1
            elif options["render"]:
                from schemaproof.sources.browser import Browser

                visit, hosts = Browser(limits, visitor=visitor).visit, 1
            else:
                visit, hosts = visitor.visit, options["hosts"]
            try:
                report = fetch_pages(urls, visit, archive, hosts=hosts, retry=options["retry"], call_off=visitor.stop)
            except KeyboardInterrupt:
                click.echo(f"What was fetched is in {options['output']}; the same command goes on.", err=True)
                raise
    for url, reason in [*report.refused.items(), *report.failed.items()]:
        say(f"{url}: {reason}")
    if options["as_json"]:
        print_json(
            {
                "schema_version": 1,
                "output": str(options["output"]),
                "fetched": report.fetched,
                "known": report.known,
                "refused": [{"url": url, "reason": reason} for url, reason in report.refused.items()],
                "failed": [{"url": url, "reason": reason} for url, reason in report.failed.items()],
            }
        )
    else:
        click.echo(
            f"{counted(report.fetched, 'page')} fetched, {report.known} known before, {len(report.refused)} refused, "
            f"{len(report.failed)} failed"
        )
    if report.failed and "" not in archive.done.values():
        sys.exit(3)


def _kept(archive: Any, visits: Any) -> Any:
    """Visits, each kept before it is passed on without its page."""
    for visit in visits:
        archive.add(visit)
        visit.answer = None
        yield visit


@click.command()
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option("-o", "--output", required=True, type=_FILE, metavar="QUADS.nq.gz", help="The file to write.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def quads(pages: tuple[str, ...], output: Path, as_json: bool) -> None:
    """Write the JSON-LD of pages as N-Quads for `sample count`.

    PAGE is a WARC or Parquet file, a folder, an HTML file or a URL. The fourth term is the page.
    """
    from schemaproof.sampling.quadding import write_quads
    from schemaproof.sources import open_sources

    check_other(output, pages)
    done = write_quads(open_sources(pages), output)
    for name, reason in done.failed.items():
        say(f"{name}: {reason}")
    if as_json:
        print_json(
            {
                "schema_version": 1,
                "output": str(output),
                "pages": done.pages,
                "quads": done.quads,
                "repeated": done.repeated,
                "failed": [{"page": name, "reason": reason} for name, reason in done.failed.items()],
            }
        )
    else:
        text = f"{counted(done.quads, 'quad')} of {counted(done.pages, 'page')}"
        if done.repeated:
            text += f"; {counted(done.repeated, 'further capture')} of pages that were read left out"
        click.echo(text)
    if done.failed and not done.pages:
        sys.exit(3)
