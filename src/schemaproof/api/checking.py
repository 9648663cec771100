"""Judging the markup of a page, and taking out what is wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from schemaproof.agents.verdict import Finding
from schemaproof.api.frame import Frame, html_table, literal
from schemaproof.api.reading import Markup, PageLike, read_markup, read_page
from schemaproof.wording import counted

if TYPE_CHECKING:
    from schemaproof.pipeline.checking import Checker


@dataclass(slots=True, repr=False)
class Checked(Frame):
    """A page's markup, judged.

    Attributes:
        page: its name.
        language: BCP 47 primary subtag, or "".
        statements: every statement with its verdicts, in the form of `check --json`: path, types, property, value,
            entity, kept, unclear, verdicts.
        findings: what to tell the author, with rule, severity, line and column.
        signature: all that the verdicts depend on.
        foreign: number of statements of other vocabularies, which are not judged.
    """

    page: str
    language: str = ""
    statements: list[dict[str, Any]] = field(default_factory=list)
    findings: tuple[Finding, ...] = ()
    signature: str = ""
    foreign: int = 0

    @property
    def kept(self) -> list[dict[str, Any]]:
        """The statements that no agent rejects and none is unclear about."""
        return [row for row in self.statements if row["kept"]]

    @property
    def rejected(self) -> list[dict[str, Any]]:
        """The statements that are neither kept nor unclear."""
        return [row for row in self.statements if not row["kept"] and not row["unclear"]]

    @property
    def ok(self) -> bool:
        """Whether no finding is an error."""
        return all(finding.severity != "error" for finding in self.findings)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row a statement: path, types, property, value, entity, kept, unclear, agent, rule, kind, reason,
        probability, evidence (texts)."""
        found = []
        for row in self.statements:
            nothing: tuple[str, dict[str, Any]] = ("", {})
            agent, said = next(
                ((name, each) for name, each in row["verdicts"].items() if each["verdict"] != "keep"), nothing
            )
            texts = [e["text"] for each in row["verdicts"].values() for e in each.get("evidence") or ()]
            found.append(
                {
                    "path": row["path"], "types": list(row["types"]), "property": row["property"],
                    "value": literal(row["value"]), "entity": row["entity"], "kept": row["kept"],
                    "unclear": row["unclear"], "agent": agent, "rule": said.get("rule", ""),
                    "kind": said.get("kind") or "", "reason": said.get("reason", ""),
                    "probability": said.get("probability"), "evidence": texts,
                }
            )  # fmt: skip
        return found

    def _outcome(self) -> str:
        return f"{len(self.kept):,} of {counted(len(self.statements), 'statement')} kept"

    def __repr__(self) -> str:
        return f"<Checked {self.page!r}: {self._outcome()}>"

    def _repr_html_(self) -> str:
        rows = [
            [row["path"], row["property"], row["value"] if row["entity"] is None else ", ".join(row["entity"]),
             "kept" if row["kept"] else "unclear" if row["unclear"] else "rejected", row["reason"]]
            for row in self.rows
        ]  # fmt: skip
        return html_table(f"{self.page}: {self._outcome()}", ["path", "property", "value", "outcome", "why"], rows)


@dataclass(slots=True, repr=False)
class Cleaned(Frame):
    """A page's JSON-LD without its rejected statements.

    Attributes:
        page: its name.
        documents: the JSON-LD objects that are left, in order.
        removed: (pointer, property, reason) of what was taken out.
        changes: (pointer, before, after) of what `fix` changed.
        unclear: number of statements that could not be judged and stay.
    """

    page: str
    documents: list[Any] = field(default_factory=list)
    removed: list[tuple[str, str, str]] = field(default_factory=list)
    changes: list[tuple[str, str, str]] = field(default_factory=list)
    unclear: int = 0

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row a statement taken out: path, property, reason."""
        return [{"path": path, "property": name, "reason": reason} for path, name, reason in self.removed]

    def json(self, indent: int | None = 2) -> str:
        """The documents as JSON text: the object where there is one, else a list."""
        whole = self.documents[0] if len(self.documents) == 1 else self.documents
        return json.dumps(whole, ensure_ascii=False, indent=indent)

    def __repr__(self) -> str:
        return f"<Cleaned {self.page!r}: {counted(len(self.removed), 'statement')} taken out>"

    def _repr_html_(self) -> str:
        from html import escape

        rows = [list(each) for each in self.removed]
        title = f"{self.page}: {counted(len(rows), 'statement')} taken out"
        return html_table(title, ["path", "property", "why"], rows) + f"<pre>{escape(self.json())}</pre>"


def _checker(
    agents: Sequence[str] | None, judge: str, policy: str, evidence: PageLike | None, url: str | None
) -> Checker:
    """What checks a page as `check` was asked to."""
    from schemaproof.pipeline.checking import Checker, CheckOptions
    from schemaproof.pipeline.judges import parse_agents
    from schemaproof.sources import PageSource

    source = None
    if evidence is not None:
        page = read_page(evidence, url=url)
        source = PageSource(
            page.name, page.html.encode("utf-8", "replace"), page.url or url, content_type="text/html; charset=utf-8"
        )
    chosen = None if agents is None else parse_agents(",".join(agents))
    return Checker(CheckOptions(chosen, judge, policy, None, source))


def check(
    page: Markup,
    *,
    evidence: PageLike | None = None,
    url: str | None = None,
    agents: Sequence[str] | None = None,
    judge: str = "embedded",
    policy: str = "schema.org",
) -> Checked:
    """Judge every statement of a page's markup.

    Arguments:
        page: the page, or a bare JSON-LD object.
        evidence: the page that a bare markup describes.
        url: the page's address, where it is not known.
        agents: of "validity", "factuality", "compliance"; all three by default, without factuality for bare JSON-LD.
        judge: SPEC of what answers for factuality and compliance.
        policy: of the validity agent: "schema.org", "paper" or "google".

    Raises: InputError, SourceError; ModelError where a judge's model fails.
    """
    read = read_markup(page, url=url)
    found = _checker(agents, judge, policy, evidence, url).check(read)
    answer = found.answer or {}
    statements = [*answer.get("statements", ()), *answer.get("links", ())]
    return Checked(
        found.name, answer.get("language", ""), statements, tuple(found.findings), answer.get("signature", ""),
        answer.get("foreign", 0),
    )  # fmt: skip


def clean(
    page: Markup,
    *,
    evidence: PageLike | None = None,
    url: str | None = None,
    agents: Sequence[str] | None = None,
    judge: str = "embedded",
    policy: str = "schema.org",
    strict: bool = False,
    fix: bool = False,
) -> Cleaned:
    """A page's JSON-LD without its rejected statements, otherwise as its author wrote it.

    Arguments: as `check`;
        strict: also take out what could not be judged.
        fix: first apply the safe repairs.

    Raises: as `check`.
    """
    from schemaproof.pipeline.cleaning import clean as curated

    read = read_markup(page, url=url)
    found = curated(read, _checker(agents, judge, policy, evidence, url), strict=strict, fix=fix)
    left = [document for document in found.documents if document is not None]
    return Cleaned(read.name, left, found.removed, found.changes, found.unclear)
