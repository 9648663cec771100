"""`schemaproof check`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from schemaproof.cli.model_options import dry_run_option, limits_options, mode_option
from schemaproof.cli.output import colour, judging_options, print_json
from schemaproof.wording import counted

if TYPE_CHECKING:
    from schemaproof.agents.verdict import Finding
    from schemaproof.pipeline.checking import Checked
    from schemaproof.pipeline.selection import Selection

RULES_PAGE = "https://schemaproof.example/docs/rules"


@click.command()
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option("--base", metavar="URL", help="Address of the page, where its own is not known.")
@click.option("--page", "evidence", metavar="FILE", help="The page that bare JSON-LD describes.")
@judging_options
@mode_option
@limits_options
@dry_run_option
@click.option(
    "--select", multiple=True, metavar="RULES", help="Only these rules or agents count. Repeatable, or by commas."
)
@click.option(
    "--ignore", multiple=True, metavar="RULES", help="These rules or agents do not count. Repeatable, or by commas."
)
@click.option("--baseline", type=click.Path(path_type=Path), metavar="FILE", help="Known findings, which do not fail.")
@click.option(
    "--write-baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write all findings as the baseline and exit with 0.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "never"]),
    default="error",
    show_default=True,
    help="Exit with 1 from this severity on.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github", "junit"]),
    default="text",
    show_default=True,
    help="How findings are printed.",
)
@click.option(
    "--group",
    type=click.Choice(["auto", "page", "rule"]),
    default="auto",
    show_default=True,
    help="Text by page, or by rule (auto: by rule from 20 pages on).",
)
@click.option(
    "--jobs", type=click.IntRange(min=0), default=0, show_default="processors", help="Pages worked on at once."
)
@click.option(
    "--page-seconds",
    type=click.FloatRange(min=0),
    default=300.0,
    show_default=True,
    help="Give a page up after this long; 0 for never.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON: one object for one page, JSON Lines for several.")
@click.pass_context
def check(context: click.Context, /, **options: Any) -> None:
    """Judge every statement of a page's markup.

    PAGE is an HTML or JSON-LD file, a folder, a pattern, a URL, the URL of a sitemap, - for standard input, a .warc.gz
    or a Parquet file. Exit status 1 when there are findings of the severity given by --fail-on.
    """
    from schemaproof.cli.model_options import echo_usage, set_limits, with_options
    from schemaproof.errors import ModelError

    options["judge"] = with_options(options["judge"], mode=options["mode"])
    set_limits(options)
    if options["dry_run"]:
        _forecast(options)
        return
    form = "json" if options["as_json"] else options["form"]
    selection = _selection(context, options)
    known = None
    if options["baseline"] is not None:
        from schemaproof.pipeline.selection import read_baseline

        known = read_baseline(options["baseline"])
    printer = _Printer(form, options["group"])
    failing = failed_pages = 0
    written: list[tuple[str, Finding]] = []
    try:
        for checked in _checked(options):
            findings = [finding for finding in checked.findings if selection.takes(finding, checked.name)]
            if options["write_baseline"] is not None:
                written += [(checked.name, finding) for finding in findings]
            fresh = known.new(checked.name, findings) if known is not None else findings
            failing += _failing(fresh, options["fail_on"])
            failed_pages += checked.error is not None
            printer.add(checked, fresh)
    except ModelError as problem:
        printer.close()
        click.echo(f"schemaproof: a model failed: {problem}", err=True)
        echo_usage()
        click.echo("What was answered is remembered; the same command asks only the rest.", err=True)
        sys.exit(3)
    printer.close()
    echo_usage()
    if options["write_baseline"] is not None:
        from schemaproof.pipeline.selection import write_baseline

        count = write_baseline(options["write_baseline"], written)
        click.echo(f"{counted(count, 'finding')} written to {options['write_baseline']}", err=True)
        return
    if not printer.count:
        raise click.UsageError(f"no page in {', '.join(options['pages'])}")
    if failed_pages == printer.count:
        # Nothing could be opened at all: that is no clean page, and no finding either.
        sys.exit(3)
    if failing or failed_pages:
        sys.exit(1)


def _forecast(options: dict[str, Any]) -> None:
    from schemaproof.cli.model_options import echo_forecast
    from schemaproof.pipeline.curation import AGENTS
    from schemaproof.pipeline.forecast import forecast
    from schemaproof.pipeline.judges import parse_agents
    from schemaproof.pipeline.plan import Plan
    from schemaproof.sources import open_sources

    agents = AGENTS if options["agents"] is None else parse_agents(options["agents"])
    plan = Plan((), options["judge"], agents, options["policy"], (), options["vocabulary"])
    sources = open_sources(options["pages"], base=options["base"], markup=True, sitemaps=True)
    echo_forecast(forecast(sources, plan), as_json=options["as_json"])


def _failing(findings: list[Finding], level: str) -> int:
    from schemaproof.pipeline.selection import as_errors

    return len(as_errors(findings, level))


def _selection(context: click.Context, options: dict[str, Any]) -> Selection:
    from schemaproof.cli.settings import path_rules
    from schemaproof.pipeline.selection import Selection

    def names(values: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(part.strip() for value in values for part in value.split(",") if part.strip())

    return Selection(names(options["select"]), names(options["ignore"]), path_rules(context))


def _checked(options: dict[str, Any]) -> Iterator[Checked]:
    from functools import partial

    from schemaproof.pipeline.checking import Checker, CheckOptions, checker, lost
    from schemaproof.pipeline.judges import parse_agents
    from schemaproof.pipeline.plan import EMBEDDED_KINDS
    from schemaproof.pipeline.pool import Task, execute
    from schemaproof.pipeline.specs import parse_spec
    from schemaproof.sources import open_sources

    evidence = None
    if options["evidence"] is not None:
        evidence = next(open_sources([options["evidence"]], base=options["base"]), None)
    settings = CheckOptions(
        None if options["agents"] is None else parse_agents(options["agents"]),
        options["judge"],
        options["policy"],
        options["vocabulary"],
        evidence,
        options["page_seconds"],
    )
    Checker(settings)  # unusable options are told before the first page is opened
    threads = parse_spec(settings.judge).kind not in EMBEDDED_KINDS
    task = Task(partial(checker, settings), lost, settings.seconds, threads)
    jobs = ((source, "") for source in open_sources(options["pages"], base=options["base"], markup=True, sitemaps=True))
    yield from execute(jobs, task, options["jobs"])


class _Printer:
    """Prints pages as they come, in the format asked for."""

    def __init__(self, form: str, group: str) -> None:
        from schemaproof.reporting.findings import GROUP_FROM, RuleTable

        self.form = form
        self.count = 0
        self.waiting: list[tuple[Checked, list[Finding]]] = []
        self.limit = {"page": sys.maxsize, "rule": 0, "auto": GROUP_FROM}[group]
        self.rules = RuleTable()

    def add(self, checked: Checked, findings: list[Finding]) -> None:
        """Print or keep one page."""
        from schemaproof.reporting.findings import as_github, as_text

        self.count += 1
        if self.form == "github":
            text = as_github(checked, findings)
            if text:
                click.echo(text)
        elif self.form == "json":
            if self.count == 2:
                self._flush_json()
            if self.count == 1:
                self.waiting = [(checked, findings)]
            else:
                print_json(_answer(checked, findings))
        elif self.form == "text":
            self.rules.add(checked, findings)
            if self.limit == sys.maxsize:
                click.echo(as_text(checked, findings, _style()) + "\n")
            elif self.count <= self.limit:
                self.waiting.append((checked, findings))
            else:
                self.waiting.clear()
        else:
            self.waiting.append((checked, findings))

    def _flush_json(self) -> None:
        for checked, findings in self.waiting:
            print_json(_answer(checked, findings))
        self.waiting.clear()

    def close(self) -> None:
        """Print what was kept."""
        from schemaproof.reporting.findings import as_junit, as_sarif, as_text

        if self.form == "json":
            self._flush_json()
        elif self.form == "sarif":
            print_json(as_sarif(self.waiting, lambda rule: f"{RULES_PAGE}#{rule}"))
        elif self.form == "junit":
            click.echo(as_junit(self.waiting))
        elif self.form == "text" and self.limit != sys.maxsize:
            if self.waiting:
                click.echo("\n\n".join(as_text(checked, findings, _style()) for checked, findings in self.waiting))
            else:
                click.echo(self.rules.text(_style()))


def _style() -> Any:
    from schemaproof.reporting.findings import plain

    return click.style if colour() else plain


def _answer(checked: Checked, findings: list[Finding]) -> dict[str, Any]:
    from schemaproof.pipeline.checking import finding_dict

    if checked.answer is None:
        return {"schema_version": 1, "page": checked.name, "error": checked.error, "statements": [], "findings": []}
    return {
        **checked.answer,
        "findings": [finding_dict(finding, checked.links.get(finding.path, "")) for finding in findings],
    }
