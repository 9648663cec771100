"""Cleaning: the markup of a page without its rejected statements, in the author's order and spelling."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from schemaproof.page.model import Page
from schemaproof.pipeline.checking import Checker
from schemaproof.pipeline.curation import Curation
from schemaproof.pipeline.location import is_single

# Repairs wait for repairs: a type, then its properties' names, then their values; one round more for what comes of
# those, and an end to any that would undo each other.
ROUNDS = 4


@dataclass(slots=True)
class Cleaned:
    """What cleaning did.

    Attributes:
        documents: the page's JSON-LD objects in order, None for one that nothing is left of.
        removed: (pointer, property, reason) of each statement taken out for itself, not for what stands above it.
        changes: what `--fix` changed: (pointer, before, after).
        unclear: how many statements were left in that could not be judged.
        elsewhere: how many rejected statements stand in microdata or RDFa, which are not rewritten.
    """

    documents: list[Any | None]
    removed: list[tuple[str, str, str]] = field(default_factory=list)
    changes: list[tuple[str, str, str]] = field(default_factory=list)
    unclear: int = 0
    elsewhere: int = 0


def clean(page: Page, checker: Checker, *, strict: bool = False, fix: bool = False) -> Cleaned:
    """Take the rejected statements out of a page's JSON-LD.

    Arguments:
        page: the page; it is not changed.
        checker: how it is judged.
        strict: also take out what no agent could judge.
        fix: first apply the safe repairs that the agents suggest, and judge what comes of it.

    Returns: the documents that are left, and what was done.
    """
    from dataclasses import replace

    from schemaproof.markup import prune_each

    changes: list[tuple[str, str, str]] = []
    _, curation, _ = checker.examine(page)
    if fix:
        page, curation, changes = _fixed(page, curation, checker)
    gone = _gone(curation, strict)
    single = is_single(page)
    items = list(page.items)
    inside, elsewhere = _pointers(curation, gone, len(items), single)
    documents = prune_each(items, inside, base=page.base, pointer_root=not single)
    answer = Cleaned(documents, [], changes, 0 if strict else len(curation.unclear), elsewhere)
    for index in sorted(gone):
        statement = curation.graph.statements[index]
        decisive = [said for said in curation.verdicts[index].values() if said.decision != "keep"]
        if decisive:
            answer.removed.append((statement.path, statement.property, decisive[0].reason))
    return replace(answer, documents=list(documents))


def _gone(curation: Curation, strict: bool) -> frozenset[int]:
    stays = curation.kept if strict else curation.kept | curation.unclear
    return frozenset(range(len(curation.graph.statements))) - stays


def _pointers(curation: Curation, gone: Iterable[int], items: int, single: bool) -> tuple[list[str], int]:
    """Pointers of the statements that stand in JSON-LD, all places of each, and how many stand elsewhere only."""
    inside: list[str] = []
    elsewhere = 0
    for index in gone:
        statement = curation.graph.statements[index]
        places = {statement.path, *(source.pointer for source in statement.sources if source.format == "json-ld")}
        ours = [path for path in places if single or _number(path) < items]
        inside += ours
        elsewhere += not ours
    return inside, elsewhere


def _number(path: str) -> int:
    head = path[1:].partition("/")[0]
    return int(head) if head.isdigit() else 0


def _fixed(page: Page, curation: Curation, checker: Checker) -> tuple[Page, Curation, list[tuple[str, str, str]]]:
    """The page with the safe repairs applied to its JSON-LD, what the agents say of it then, and what was changed.

    One repair can bring the next to light (what a node of a mistyped type says is judged only once the type is
    right), so it goes on until nothing changes, at most `ROUNDS` times.
    """
    changes: list[tuple[str, str, str]] = []
    for _ in range(ROUNDS):
        page, made = _fixed_once(page, curation)
        if not made:
            break
        changes += made
        _, curation, _ = checker.examine(page)
    return page, curation, changes


def _fixed_once(page: Page, curation: Curation) -> tuple[Page, list[tuple[str, str, str]]]:
    from dataclasses import replace

    from schemaproof.markup.edit import apply_fixes
    from schemaproof.pipeline.repairs import repairs

    single = is_single(page)
    items = list(page.items)  # taken apart anew at each access, which costs the length of the page
    fixes = [fix for fix in repairs(curation) if single or _number(fix.pointer) < len(items)]
    documents, changes = apply_fixes(items, fixes, pointer_root=not single)
    left = iter(documents)
    scripts = []
    for script in page.scripts:
        values: list[Any] = []
        for value in script.values:
            if isinstance(value, list):
                values.append([next(left) if isinstance(item, dict) else item for item in value])
            else:
                values.append(next(left) if isinstance(value, dict) else value)
        scripts.append(replace(script, values=tuple(values)))
    return replace(page, scripts=tuple(scripts)), [(c.pointer, c.before, c.after) for c in changes]
