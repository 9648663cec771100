"""Which findings count: rules selected and ignored, settings by path, a baseline of known findings."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from schemaproof.agents.verdict import Finding
from schemaproof.errors import InputError

Fingerprint = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class PathRule:
    """Settings for the pages whose name matches a pattern.

    Attributes:
        pattern: glob over the page's name or path ("blog/**", "https://shop.example/*").
        select, ignore: rules or agents, as in `Selection`.
    """

    pattern: str
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """Which rules count.

    Attributes:
        select: rule ids or names of agents; () for all.
        ignore: rule ids or names of agents that do not count.
        paths: settings by path, in order; all that match are applied.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    paths: tuple[PathRule, ...] = ()

    def takes(self, finding: Finding, page: str) -> bool:
        """Whether a finding of a page counts."""
        select, ignore = list(self.select), list(self.ignore)
        for rule in self.paths:
            if matches(rule.pattern, page):
                select = [*rule.select] or select
                ignore += rule.ignore
        names = {finding.rule, finding.agent}
        return not names & set(ignore) and (not select or bool(names & set(select)))


def matches(pattern: str, page: str) -> bool:
    """Whether a page's name matches a glob; `**` crosses slashes, `*` does not in paths."""
    from fnmatch import fnmatch

    if "://" in pattern:
        return fnmatch(page, pattern)
    path = PurePath(page)
    if "**" in pattern:
        return fnmatch(path.as_posix(), pattern.replace("**/", "*").replace("**", "*"))
    return path.match(pattern)


def fingerprint(page: str, finding: Finding) -> Fingerprint:
    """What makes a finding the same one next time: places move, what is said of a value does not."""
    return page, finding.rule, finding.message


class Baseline:
    """Findings that are known and do not fail.

    Arguments:
        known: how often each may occur.
    """

    def __init__(self, known: Iterable[tuple[Fingerprint, int]] = ()) -> None:
        self._left = Counter(dict(known))

    def new(self, page: str, findings: Sequence[Finding]) -> list[Finding]:
        """The findings of a page that are not in the baseline, each known one used up once."""
        answer = []
        for finding in findings:
            mark = fingerprint(page, finding)
            if self._left[mark] > 0:
                self._left[mark] -= 1
            else:
                answer.append(finding)
        return answer


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file.

    Raises: InputError for a file that does not exist or is none.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        rows = [((row["page"], row["rule"], row["message"]), int(row["count"])) for row in data["findings"]]
    except FileNotFoundError:
        raise InputError("there is no such baseline; write one with --write-baseline", source=str(path)) from None
    except json.JSONDecodeError as problem:
        raise InputError(f"not JSON ({problem.msg})", source=str(path), line=problem.lineno) from None
    except (KeyError, TypeError, ValueError):
        raise InputError("not a baseline; write one with --write-baseline", source=str(path)) from None
    return Baseline(rows)


def write_baseline(path: Path, found: Iterable[tuple[str, Finding]]) -> int:
    """Write all findings as the baseline; returns how many different ones there are."""
    counts = Counter(fingerprint(page, finding) for page, finding in found)
    rows = [
        {"page": page, "rule": rule, "message": message, "count": count}
        for (page, rule, message), count in sorted(counts.items())
    ]
    text = json.dumps({"schema_version": 1, "findings": rows}, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")
    return len(rows)


def as_errors(findings: Iterable[Finding], level: str) -> list[Finding]:
    """The findings that fail a check at a level ("error" or "warning")."""
    severities = {"error": ("error",), "warning": ("error", "warning")}.get(level, ())
    return [finding for finding in findings if finding.severity in severities]
