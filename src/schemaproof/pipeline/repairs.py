"""Safe repairs: what the agents suggest and what changes the writing of a statement, not what it says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from schemaproof.markup.edit import Fix
from schemaproof.markup.model import Statement
from schemaproof.pipeline.curation import Curation

# Rules whose suggestion is the same value in the form that the data type or the definition asks for.
FORMS = frozenset(
    {
        "currency-case",
        "date-untidy",
        "digits-not-ascii",
        "duration-case",
        "member-case",
        "not-a-boolean",
        "not-a-currency-code",
        "not-a-date",
        "not-a-duration",
        "not-a-number",
        "not-a-quantity",
        "not-a-time",
        "number-separator",
        "number-with-symbol",
        "opening-hours-untidy",
        "time-untidy",
    }
)
NAMES = frozenset({"unknown-property", "unknown-type"})
MEMBERS = frozenset({"unknown-member", "wrong-enumeration"})


def same_letters(a: str, b: str) -> bool:
    """Whether two names differ only in case, spaces and punctuation, and in prefix or address of the vocabulary."""

    def bare(text: str) -> str:
        last = re.split(r"[/#:]", text.rstrip("/"))[-1]
        return "".join(char for char in last.casefold() if char.isalnum())

    return bool(bare(a)) and bare(a) == bare(b)


def repairs(curation: Curation) -> Iterator[Fix]:
    """The safe repairs of a markup, at most one a place; letter case and superseded names, forms of values, members.

    Arguments:
        curation: what the agents said.
    """
    done: set[tuple[str, str]] = set()
    for fix in (*_of_verdicts(curation), *_of_advice(curation)):
        key = (fix.kind, fix.pointer)
        if key not in done:
            done.add(key)
            yield fix


def _of_verdicts(curation: Curation) -> Iterable[Fix]:
    for statement, verdicts in zip(curation.graph.statements, curation.verdicts, strict=True):
        for said in verdicts.values():
            better = said.suggestion
            if not better:
                continue
            if said.rule in NAMES:
                if same_letters(statement.property if statement.property != "@type" else str(statement.value), better):
                    yield _renamed(statement, better)
            elif said.rule in FORMS or (said.rule in MEMBERS and same_letters(str(statement.value), better)):
                yield Fix(statement.path, "replace-value", better)


def _renamed(statement: Statement, better: str) -> Fix:
    kind = "rename-type" if statement.property == "@type" else "rename-key"
    return Fix(statement.path, kind, better)


def _of_advice(curation: Curation) -> Iterable[Fix]:
    for finding in curation.findings:
        if finding.rule == "superseded-term" and finding.suggestion:
            last = finding.path.rsplit("/", 1)[-1]
            before = finding.path.rsplit("/", 2)[-2] if finding.path.count("/") > 1 else ""
            kind = "rename-type" if "@type" in (last, before) else "rename-key"
            yield Fix(finding.path, kind, finding.suggestion)
        elif finding.rule in FORMS and finding.suggestion:
            yield Fix(finding.path, "replace-value", finding.suggestion)
