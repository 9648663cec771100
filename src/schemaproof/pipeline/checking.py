"""Checking one page: its markup, the agents' verdicts, and findings with their places in the source."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from schemaproof import __version__
from schemaproof.agents.policies import policy
from schemaproof.agents.verdict import Finding
from schemaproof.markup.model import Graph
from schemaproof.page.model import Notice, Page
from schemaproof.pipeline.curation import AGENTS, Curation, Judges, curate
from schemaproof.pipeline.judges import build_judges
from schemaproof.pipeline.location import Locator
from schemaproof.pipeline.specs import parse_spec
from schemaproof.pipeline.statements import statement_dicts
from schemaproof.scoring.signature import signature
from schemaproof.sources.model import PageSource

BARE_AGENTS = ("validity", "compliance")
SEVERITIES = ("error", "warning", "info")
EXCERPT = 160
# Rules about a property's name: their place is the key.
NAME_RULES = frozenset({"unknown-property", "wrong-domain", "superseded-term", "retired-term", "pending-term"})


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """How pages are checked.

    Attributes:
        agents: names of the agents, or None for the default: all three where there is a page, validity and
            compliance for bare JSON-LD.
        judge: SPEC of what answers for factuality and compliance.
        policy: "schema.org", "paper" or "google" (schema.org, and which rich results a page is eligible for).
        vocabulary: path of another vocabulary, or None.
        page: name of the page that bare markup describes (`--page`), already opened.
        seconds: time limit of a page.
    """

    agents: tuple[str, ...] | None = None
    judge: str = "embedded"
    policy: str = "schema.org"
    vocabulary: str | None = None
    page: PageSource | None = None
    seconds: float = 300.0


@dataclass(slots=True)
class Checked:
    """What is known of one page after checking.

    Attributes:
        name: of the page.
        answer: the object of `check --json`, findings left out; None where the page failed.
        findings: with line and column.
        excerpts: line number to the part of the source line around the finding, and where the excerpt starts.
        links: path of a finding to the address of the term's documentation.
        error: why it could not be checked, or None.
        nodes: number of entities in its markup.
    """

    name: str
    answer: dict[str, Any] | None = None
    findings: list[Finding] = field(default_factory=list)
    excerpts: dict[tuple[int, int], tuple[str, int]] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    error: str | None = None
    nodes: int = 0


class Checker:
    """Checks pages; made once a process.

    Arguments:
        options: how.

    Raises: SpecError, InputError, MissingExtraError for options that cannot be used.
    """

    def __init__(self, options: CheckOptions) -> None:
        from schemaproof.vocabulary import load

        policy(options.policy)
        parse_spec(options.judge)
        self.options = options
        self.vocabulary = load(options.vocabulary)
        self._judges: dict[tuple[str, ...], Judges] = {}
        self._page = None
        if options.page is not None:
            from schemaproof.sources import to_page

            self._page = to_page(options.page)

    def judges(self, agents: tuple[str, ...]) -> Judges:
        """The judges for these agents, made once."""
        if agents not in self._judges:
            self._judges[agents] = build_judges(self.vocabulary, agents, self.options.policy, self.options.judge)
        return self._judges[agents]

    def __call__(self, source: PageSource, _: str = "") -> Checked:
        """Check the page of a source; whatever goes wrong with it is its `error`."""
        if source.data is None:
            return Checked(source.name, error=source.error or "cannot be opened")
        from schemaproof.errors import ModelError, SchemaproofError
        from schemaproof.sources import to_page

        try:
            return self.check(to_page(source))
        except ModelError:
            raise
        except SchemaproofError as problem:
            return Checked(source.name, error=str(problem))
        except Exception as problem:  # a page must never stop the others; the reason is kept and shown
            return Checked(source.name, error=f"{type(problem).__name__}: {problem}")

    def examine(self, page: Page) -> tuple[Graph, Curation, Page]:
        """The graph of a page's markup, what the agents say of it, and the page that was evidence."""
        from schemaproof.markup import page_graph

        bare = page.metadata.get("bare") == "json-ld"
        evidence = self._page if bare and self._page is not None else page
        if bare and self._page is not None and not page.base:
            page = replace(page, base=self._page.base)
        default = BARE_AGENTS if bare and self._page is None else AGENTS
        agents = self.options.agents or default
        graph = page_graph(page, self.vocabulary)
        return graph, curate(graph, self.judges(agents), evidence), evidence

    def check(self, page: Page) -> Checked:
        """Check one page.

        Raises: SourceError and whatever a judge raises.
        """
        graph, curation, _ = self.examine(page)
        findings = [*_reading(page), *_diagnostics(graph), *curation.findings]
        answer = self.answer(page, graph, curation)
        if policy(self.options.policy).rich_results:
            from schemaproof.agents.google import rich_results

            answer["rich_results"] = [asdict(result) for result in rich_results(graph, self.vocabulary)]
        located = list(self._located(page, findings))
        located.sort(key=lambda finding: (finding.line, finding.column, SEVERITIES.index(finding.severity)))
        checked = Checked(page.name, answer, located, nodes=sum(not node.list_like for node in graph.nodes))
        lines = _source(page).split("\n")
        for finding in located:
            link = self._link(finding.path)
            if link:
                checked.links[finding.path] = link
            if 0 < finding.line <= len(lines):
                place = (finding.line, finding.column)
                checked.excerpts[place] = _excerpt(lines[finding.line - 1], finding.column)
        return checked

    def answer(self, page: Page, graph: Graph, curation: Curation) -> dict[str, Any]:
        """The object of `check --json` without its findings.

        Links between nodes are judged by validity alone. Where an agent ran that judges what values say, the kept
        links stand in a list of their own (`links`), so that `statements` holds what was judged or rejected.
        """
        everything = statement_dicts(curation)
        content = any(agent != "validity" for agent in curation.agents)
        statements: list[dict[str, Any]] = []
        links: list[dict[str, Any]] = []
        for row in everything:
            (links if content and row["kept"] and row["entity"] is not None else statements).append(row)
        parts: dict[str, Any] = {
            "schemaproof": __version__,
            "vocabulary": self.vocabulary.release,
            "policy": self.options.policy,
            "agents": list(curation.agents),
            "judge": self.options.judge,
        }
        return {
            "schema_version": 1,
            "page": page.name,
            "signature": signature(parts),
            "statements": statements,
            "links": links,
            "foreign": graph.foreign,
            "language": page.language,
        }

    def _link(self, path: str) -> str:
        """Address of the documentation of the property at a path; "" where it is none of the vocabulary."""
        for part in reversed(path.split("/")):
            if part and not part.isdigit():
                known = self.vocabulary.properties.get(part.rpartition(":")[2])
                return known.iri if known is not None else ""
        return ""

    def _located(self, page: Page, findings: Iterable[Finding]) -> Iterable[Finding]:
        locator = Locator(page)
        for finding in findings:
            if finding.line:
                yield finding
            elif finding.path:
                line, column = locator.place(finding.path, key=finding.rule in NAME_RULES)
                yield replace(finding, line=line, column=column)
            else:
                yield finding


def _source(page: Page) -> str:
    return page.html


def _excerpt(line: str, column: int) -> tuple[str, int]:
    """The part of a line around a column, and the column it starts at (from 1)."""
    start = max(0, min(column - 1 - EXCERPT // 2, len(line) - EXCERPT))
    return line[start : start + EXCERPT].rstrip("\r"), start + 1


def _reading(page: Page) -> Iterable[Finding]:
    """Findings about how the markup could be read."""
    for severity, notices in (("error", page.errors), ("warning", page.warnings), ("info", page.hints)):
        for notice in notices:
            yield _from_notice(notice, severity)


def _from_notice(notice: Notice, severity: str) -> Finding:
    return Finding(notice.code, severity, "", notice.message, agent="markup", line=notice.line, column=notice.column)


def _diagnostics(graph: Graph) -> Iterable[Finding]:
    for diagnostic in graph.diagnostics:
        yield Finding(diagnostic.code, diagnostic.severity, diagnostic.path, diagnostic.message, agent="markup")


def finding_dict(finding: Finding, link: str = "") -> dict[str, Any]:
    """A finding in the contract's form, with the address of the term's documentation where there is one."""
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "path": finding.path,
        "line": finding.line or None,
        "column": finding.column or None,
        "message": finding.message,
        "suggestion": finding.suggestion or None,
        "agent": finding.agent,
        "link": link or None,
    }


def checker(options: CheckOptions) -> Callable[[PageSource, str], Checked]:
    """A function that checks pages, for the pool."""
    return Checker(options)


def lost(job: tuple[PageSource, str], reason: str) -> Checked:
    """The result of a page that could not be checked."""
    return Checked(job[0].name, error=reason)
