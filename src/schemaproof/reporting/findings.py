"""Findings of `check` for people and for CI: text, SARIF, GitHub annotations, JUnit."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any
from urllib.parse import quote

from schemaproof import __version__
from schemaproof.agents.verdict import Finding
from schemaproof.pipeline.checking import Checked
from schemaproof.reporting.terminal import safe
from schemaproof.wording import counted

Style = Callable[..., str]
COLOURS = {"error": "red", "warning": "yellow", "info": "blue"}
SARIF_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
# From this many pages on, findings are grouped by rule instead of by page.
GROUP_FROM = 20


def plain(text: str, **_: Any) -> str:
    """Text without style."""
    return text


def summary_counts(findings: Iterable[Finding]) -> str:
    """ "2 errors, 1 warning" of some findings; "nothing to report" of none."""
    counts = Counter(finding.severity for finding in findings)
    nouns = (("error", "errors"), ("warning", "warnings"), ("info", "info"))
    parts = [counted(counts[name], name, many) for name, many in nouns if counts[name]]
    return ", ".join(parts) or "nothing to report"


def as_text(checked: Checked, findings: Sequence[Finding], style: Style = plain) -> str:
    """One page's findings for people, with the source line and a caret.

    Arguments:
        checked: the page.
        findings: those that are shown.
        style: colours text (click.style), or leaves it.
    """
    lines = [style(safe(checked.name), bold=True)]
    if checked.error is not None:
        lines.append(f"  {style('failed', fg='red', bold=True)}  {safe(checked.error)}")
        return "\n".join(lines)
    for finding in findings:
        place = f"{finding.line}:{finding.column}" if finding.line else "-"
        severity = style(finding.severity, fg=COLOURS[finding.severity], bold=True)
        where = f"  {safe(finding.path)}" if finding.path else ""
        lines.append(f"  {place:>7}  {severity}  {finding.rule}{style(where, dim=True)}")
        lines.append(f"           {safe(finding.message)}")
        if finding.suggestion:
            lines.append(f"           {style('instead:', bold=True)} {safe(finding.suggestion)}")
        if finding.path in checked.links and finding.severity != "info":
            lines.append(style(f"           see {safe(checked.links[finding.path])}", dim=True))
        excerpt = checked.excerpts.get((finding.line, finding.column))
        if excerpt is not None and finding.line and finding.severity != "info":
            text, start = excerpt
            before = text[: max(0, finding.column - start)].replace("\t", " ")
            lines.append(style(f"           | {safe(text).replace(chr(9), ' ')}", dim=True))
            lines.append(style("           | " + " " * _width(before) + "^", dim=True))
    lines.append(f"  {_outcome(checked)}; {summary_counts(findings)}")
    return "\n".join(lines)


def has_nothing(checked: Checked) -> bool:
    """Whether a page was read and there is no structured data on it: nothing to judge, to leave alone or to mend."""
    answer = checked.answer
    return answer is not None and not (
        checked.nodes or answer["statements"] or answer.get("foreign") or checked.findings
    )


def _outcome(checked: Checked) -> str:
    """How many statements of a page are kept, or why there are none."""
    if has_nothing(checked):
        return "no structured data on this page"
    answer = checked.answer or {}
    statements, links = answer.get("statements", ()), len(answer.get("links", ()))
    if not statements and not links and not checked.findings:
        foreign = answer.get("foreign", 0)
        return "no statement to judge" + (f", {counted(foreign, 'statement')} of other vocabularies" if foreign else "")
    kept = sum(row["kept"] for row in statements) + links
    return f"{kept:,} of {counted(len(statements) + links, 'statement')} kept"


def _width(text: str) -> int:
    import unicodedata

    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


class RuleTable:
    """Findings of many pages grouped by rule: "1 rule on 12,000 pages". Memory grows with rules, not with pages."""

    def __init__(self) -> None:
        self.pages = 0
        self.empty = 0
        self.failed: list[tuple[str, str]] = []
        self.counts: Counter[tuple[str, str]] = Counter()
        self.on_pages: Counter[tuple[str, str]] = Counter()
        self.examples: dict[tuple[str, str], list[tuple[str, Finding]]] = defaultdict(list)

    def add(self, checked: Checked, findings: Sequence[Finding]) -> None:
        """Count one page."""
        self.pages += 1
        self.empty += has_nothing(checked)
        if checked.error is not None:
            self.failed.append((checked.name, checked.error))
        seen = set()
        for finding in findings:
            key = (finding.severity, finding.rule)
            self.counts[key] += 1
            if key not in seen:
                seen.add(key)
                self.on_pages[key] += 1
                if len(self.examples[key]) < 3:
                    self.examples[key].append((checked.name, finding))

    def text(self, style: Style = plain) -> str:
        """The table, commonest rules first, three example places each."""
        order = {"error": 0, "warning": 1, "info": 2}
        lines = []
        for key in sorted(self.counts, key=lambda key: (order[key[0]], -self.on_pages[key], key[1])):
            severity, rule = key
            shown = style(severity, fg=COLOURS[severity], bold=True)
            lines.append(
                f"{shown}  {style(rule, bold=True)}  {self.counts[key]:,} on {counted(self.on_pages[key], 'page')}"
            )
            for name, finding in self.examples[key]:
                place = f":{finding.line}:{finding.column}" if finding.line else ""
                lines.append(f"    {safe(name)}{place}  {safe(finding.message)}")
        for name, reason in self.failed[:10]:
            lines.append(f"{style('failed', fg='red', bold=True)}  {safe(name)}: {safe(reason)}")
        if len(self.failed) > 10:
            lines.append(f"... and {counted(len(self.failed) - 10, 'more page')} failed")
        told = [counted(self.pages, "page"), counted(len(self.counts), "rule"), counted(self.counts.total(), "finding")]
        if self.empty:
            told.append(f"{counted(self.empty, 'page')} without structured data")
        lines.append(", ".join(told))
        return "\n".join(lines)


def as_sarif(checked: Iterable[tuple[Checked, Sequence[Finding]]], help_of: Callable[[str], str]) -> dict[str, Any]:
    """SARIF 2.1.0 (OASIS) of all findings, as code scanning services read it.

    Arguments:
        checked: pages with the findings that are shown.
        help_of: from a rule id to the address of its documentation.
    """
    rules: dict[str, dict[str, Any]] = {}
    results = []
    notifications = []
    for page, findings in checked:
        uri = _uri(page.name)
        if page.error is not None:
            notifications.append({"level": "error", "message": {"text": f"{page.name}: {page.error}"}})
        for finding in findings:
            rules.setdefault(
                finding.rule,
                {"id": finding.rule, "helpUri": help_of(finding.rule), "properties": {"agent": finding.agent}},
            )
            message = finding.message + (f" Instead: {finding.suggestion}" if finding.suggestion else "")
            location: dict[str, Any] = {"artifactLocation": {"uri": uri}}
            if finding.line:
                location["region"] = {"startLine": finding.line, "startColumn": max(finding.column, 1)}
            entry: dict[str, Any] = {"physicalLocation": location}
            if finding.path:
                entry["logicalLocations"] = [{"fullyQualifiedName": finding.path}]
            results.append(
                {
                    "ruleId": finding.rule,
                    "level": SARIF_LEVELS[finding.severity],
                    "message": {"text": message},
                    "locations": [entry],
                }
            )
    driver = {"name": "schemaproof", "version": __version__, "rules": list(rules.values())}
    run: dict[str, Any] = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    run["invocations"] = [{"executionSuccessful": not notifications, "toolExecutionNotifications": notifications}]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }


def _uri(name: str) -> str:
    """A page's name as a URI reference (RFC 3986): names of files may hold any byte, addresses any character."""
    address = "://" in name
    # A file's bytes that are no UTF-8 are lone surrogates here (PEP 383); other lone surrogates are no bytes at all.
    try:
        data = name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = name.encode("utf-8", "replace")
    return quote(data, safe="/%:?#[]@!$&'()*+,;=~" if address else "/~")


def as_github(checked: Checked, findings: Sequence[Finding]) -> str:
    """GitHub workflow commands, one a finding: they show beside the line in a pull request."""

    def data(text: str) -> str:
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    def value(text: str) -> str:
        return data(text).replace(":", "%3A").replace(",", "%2C")

    lines = []
    if checked.error is not None:
        lines.append(f"::error file={value(checked.name)}::{data(checked.error)}")
    for finding in findings:
        level = "notice" if finding.severity == "info" else finding.severity
        place = f",line={finding.line},col={max(finding.column, 1)}" if finding.line else ""
        message = finding.message + (f" Instead: {finding.suggestion}" if finding.suggestion else "")
        lines.append(f"::{level} file={value(checked.name)}{place},title={value(finding.rule)}::{data(message)}")
    return "\n".join(lines)


def as_junit(checked: Iterable[tuple[Checked, Sequence[Finding]]]) -> str:
    """JUnit XML: a test suite a page, a test case a rule that was broken, or one that passed."""
    suites = []
    tests = failures = errors = 0
    for page, findings in checked:
        cases = []
        if page.error is not None:
            errors += 1
            cases.append(f'<testcase name="read"><error message={_attribute(page.error)}/></testcase>')
        by_rule: dict[str, list[Finding]] = defaultdict(list)
        for finding in findings:
            by_rule[finding.rule].append(finding)
        for rule, group in by_rule.items():
            worst = [finding for finding in group if finding.severity != "info"]
            text = "\n".join(f"{f.line}:{f.column} {f.path} {f.message} {f.suggestion}".rstrip() for f in group)
            if worst:
                failures += 1
                body = f"<failure message={_attribute(worst[0].message)}>{_content(text)}</failure>"
            else:
                body = f"<system-out>{_content(text)}</system-out>"
            cases.append(f"<testcase name={_attribute(rule)}>{body}</testcase>")
        if not cases:
            cases.append('<testcase name="check"/>')
        tests += len(cases)
        suites.append(f'<testsuite name={_attribute(page.name)} tests="{len(cases)}">{"".join(cases)}</testsuite>')
    head = f'<testsuites name="schemaproof" tests="{tests}" failures="{failures}" errors="{errors}">'
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + head + "".join(suites) + "</testsuites>"


def _allowed(text: str) -> str:
    """Text without the characters that XML 1.0 cannot hold (section 2.2)."""
    return "".join(
        char
        if char in "\t\n\r" or " " <= char <= "\ud7ff" or "\ue000" <= char <= "\ufffd" or char > "\uffff"
        else "\ufffd"
        for char in text
    )


def _attribute(text: str) -> str:
    # A line break in an attribute would be read as a space (XML 1.0, section 3.3.3).
    return '"' + escape(_allowed(text)).replace("\n", "&#10;").replace("\t", "&#9;").replace("\r", "&#13;") + '"'


def _content(text: str) -> str:
    return escape(_allowed(text), quote=False)
