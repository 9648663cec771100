"""`schemaproof read`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from schemaproof.cli.output import print_json, say, styled, table
from schemaproof.wording import counted

if TYPE_CHECKING:
    from schemaproof.markup.model import Diagnostic, Graph
    from schemaproof.page.model import Notice, Page


@click.command()
@click.argument("page", metavar="PAGE")
@click.option("--base", metavar="URL", help="Address of the page, where its own is not known.")
@click.option("--json", "form", flag_value="json", help="Print all of it as JSON.")
@click.option("--text", "form", flag_value="text", help="Print the visible text only.")
@click.option(
    "--triples", "form", flag_value="triples", help="Print JSON-LD and RDFa as N-Triples (N-Quads where named)."
)
def read(page: str, base: str | None, form: str | None) -> None:
    """Show what the tool sees in a page.

    PAGE is an HTML or JSON-LD file, a URL or - for standard input. What cannot be read is said (on standard error with
    --text and --triples) and does not change the exit status.
    """
    from schemaproof.reporting.terminal import safe_lines
    from schemaproof.sources import open_page

    opened = open_page(page, base=base)
    if form == "text":
        _say(opened, ())
        if opened.text:
            click.echo(safe_lines(opened.text) if sys.stdout.isatty() else opened.text)
    elif form == "triples":
        _triples(opened)
    else:
        from schemaproof.markup import page_graph
        from schemaproof.vocabulary import load

        graph = page_graph(opened, load())
        if form == "json":
            print_json(_answer(opened, graph))
        else:
            _summary(opened, graph)


def _triples(page: Page) -> None:
    from schemaproof.markup import to_nquads, to_triples

    blocks = [
        script.index
        for script in page.scripts
        for value in script.values
        for item in (value if isinstance(value, list) else [value])
        if isinstance(item, dict)
    ]
    blocks += [len(page.scripts)] * len(page.rdfa)
    triples, diagnostics = to_triples([*page.items, *page.rdfa], base=page.base, blocks=blocks)
    click.echo(to_nquads(triples), nl=False)
    _say(page, tuple(diagnostics))


def _say(page: Page, diagnostics: tuple[Diagnostic, ...]) -> None:
    """Notices and diagnostics, a line each, on standard error."""
    for level, notices in (("error", page.errors), ("warning", page.warnings), ("hint", page.hints)):
        for notice in notices:
            say(f"{_place(page, notice)}: {level}: {notice.message} [{notice.code}]")
    for diagnostic in diagnostics:
        where = f" at {diagnostic.path}" if diagnostic.path else ""
        say(f"{page.name}: {diagnostic.severity}: {diagnostic.message}{where} [{diagnostic.code}]")


def _place(page: Page, notice: Notice) -> str:
    return f"{page.name}:{notice.line}:{notice.column}" if notice.line else page.name


def _row(notice: Notice) -> dict[str, Any]:
    return {
        "code": notice.code,
        "block": notice.block,
        "line": notice.line,
        "column": notice.column,
        "message": notice.message,
    }


def _answer(page: Page, graph: Graph) -> dict[str, Any]:
    """What --json prints."""
    warnings = [_row(notice) for notice in page.warnings]
    warnings += [
        {"code": diagnostic.code, "path": diagnostic.path, "message": diagnostic.message}
        for diagnostic in graph.diagnostics
        if diagnostic.severity != "info"
    ]
    return {
        "schema_version": 1,
        "page": page.name,
        "base": page.base,
        "encoding": page.encoding,
        "title": page.title,
        "description": page.description,
        "language": page.language,
        "language_source": page.language_source,
        "text_chars": len(page.text),
        "needs_rendering": page.needs_rendering,
        "blocks": len(page.scripts),
        "items": list(page.items),
        "microdata": list(page.microdata),
        "rdfa": list(page.rdfa),
        "nodes": [{"id": node.id, "types": list(node.types)} for node in graph.nodes if not node.list_like],
        "links": len(page.links),
        "images": len(page.images),
        "errors": [_row(notice) for notice in page.errors],
        "warnings": warnings,
        "hints": [_row(notice) for notice in page.hints],
    }


def _summary(page: Page, graph: Graph) -> None:
    """What is printed for people."""
    from schemaproof.reporting.terminal import safe

    sources = {"html": "declared", "detected": "detected", "": ""}
    language = page.language or "unknown"
    if page.language:
        language += f" ({sources[page.language_source]})"
    click.echo(styled(page.name, bold=True))
    if page.metadata.get("bare"):
        click.echo("JSON-LD document, no page around it")
    else:
        if page.title:
            click.echo(safe(page.title))
        click.echo(
            f"{counted(len(page.text), 'character')} of visible text in {counted(len(page.blocks), 'block')}, "
            f"language {safe(language)}, {page.encoding}"
        )
        click.echo(f"{counted(len(page.links), 'link')}, {counted(len(page.images), 'image')}")
    click.echo()
    rows = [["Block", "Place", "Types"]]
    for script in page.scripts:
        place = f"{script.line}:{script.column}" if script.line else ""
        rows.append([str(script.index), place, ", ".join(_types(script.values)) or "(nothing readable)"])
    rows += [["microdata", "", ", ".join(map(_bare, item["type"])) or "(no type)"] for item in page.microdata]
    if page.rdfa:
        rows.append(["rdfa", "", counted(len(page.rdfa), "node")])
    if len(rows) > 1:
        click.echo(table(rows))
        real = sum(not node.list_like for node in graph.nodes)
        click.echo(f"\n{counted(real, 'node')}, {counted(len(graph.statements), 'statement')}")
    else:
        click.echo("No structured data.")
    said = [
        (styled(level, fg=colour), f"{notice.line}:{notice.column}" if notice.line else "", notice.message, notice.code)
        for level, colour, notices in (
            ("error", "red", page.errors),
            ("warning", "yellow", page.warnings),
            ("hint", "cyan", page.hints),
        )
        for notice in notices
    ]
    said += [
        (styled(diagnostic.severity, fg="yellow"), diagnostic.path, diagnostic.message, diagnostic.code)
        for diagnostic in graph.diagnostics
        if diagnostic.severity != "info"
    ]
    if said:
        click.echo()
    for level, place, message, code in said:
        click.echo(f"{level} {safe(place) + ' ' if place else ''}{safe(message)} [{code}]")


def _types(values: tuple[Any, ...]) -> list[str]:
    """Types of the top-level objects of a block, those of an @graph in place of the graph."""
    found: list[str] = []
    for value in values:
        for item in value if isinstance(value, list) else [value]:
            if not isinstance(item, dict):
                continue
            members = item.get("@graph")
            for member in members if isinstance(members, list) else [item]:
                kinds = member.get("@type") if isinstance(member, dict) else None
                names = kinds if isinstance(kinds, list) else [kinds]
                found.append(" + ".join(_bare(name) for name in names if isinstance(name, str)) or "(no type)")
    return found


def _bare(name: str) -> str:
    for start in ("http://schema.org/", "https://schema.org/", "http://www.schema.org/", "https://www.schema.org/"):
        if name.startswith(start):
            return name[len(start) :]
    return name
