"""`schemaproof score`."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import click

from schemaproof.cli.output import print_json, say, table


@click.command()
@click.argument("markups", nargs=-1, required=True, metavar="A.jsonld B.jsonld...")
@click.option("--type", "types", multiple=True, metavar="T", help="Only roots of this type. Repeatable.")
@click.option("--weights", metavar="FILE", help="Weights of properties (JSON, TOML or CSV; * for all others).")
@click.option("--properties", is_flag=True, help="Show the facts by property too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def score(
    markups: tuple[str, ...], types: tuple[str, ...], weights: str | None, properties: bool, as_json: bool
) -> None:
    """MeMR of given markups.

    Each file is the markup of one contender for the same page: JSON-LD, or HTML with markup in it. They are
    scored as they are; clean them first where wrong statements must not count.
    """
    from schemaproof.scoring.memr import counts, memr, read_weights, share
    from schemaproof.sources import open_page
    from schemaproof.vocabulary import load

    if len(markups) < 2:
        raise click.UsageError("give at least two markups: schemaproof score A.jsonld B.jsonld")
    weighted = read_weights(weights) if weights else None
    vocabulary = load()
    names = _unique(markups)
    found: dict[str, dict[str, int]] = {}
    for name, argument in zip(names, markups, strict=True):
        found[name] = _facts(open_page(argument), vocabulary, types, name, counts)
    pairs = [(a, b, memr(found[a], found[b], weighted)) for a, b in combinations(names, 2)]
    shares = share(found.values(), weighted)
    if as_json:
        answer: dict[str, Any] = {
            "schema_version": 1,
            "types": list(types),
            "markups": {name: {"facts": sum(each.values()), "properties": each} for name, each in found.items()},
            "memr": [
                {"a": a, "b": b, "a_score": each and each.a_score, "b_score": each and each.b_score}
                for a, b, each in pairs
            ],
            "share": None if shares is None else dict(zip(names, shares, strict=True)),
            "weights": weighted,
        }
        print_json(answer)
        return
    rows = [["markup", "facts", "share"]]
    for place, name in enumerate(names):
        rows.append([name, str(sum(found[name].values())), "-" if shares is None else f"{shares[place]:.3f}"])
    click.echo(table(rows, right={1, 2}))
    click.echo()
    rows = [["MeMR", "", "a", "b"]]
    for a, b, each in pairs:
        rows.append([a, b, *(("-", "-") if each is None else (f"{each.a_score:.3f}", f"{each.b_score:.3f}"))])
    click.echo(table(rows, right={2, 3}))
    if properties:
        click.echo()
        rows = [["property", *names]]
        for name in sorted({name for each in found.values() for name in each}):
            rows.append([name, *(str(each.get(name, 0)) for each in found.values())])
        click.echo(table(rows, right=set(range(1, len(names) + 1))))


def _unique(names: tuple[str, ...]) -> list[str]:
    """The names, a number after those given again."""
    seen: dict[str, int] = {}
    out = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return out


def _facts(page: Any, vocabulary: Any, types: tuple[str, ...], name: str, counts: Any) -> dict[str, int]:
    """Facts of one markup by property; what could not be read is said on standard error."""
    from schemaproof.errors import MarkupError
    from schemaproof.markup import page_graph

    if page.errors and not (page.items or page.microdata or page.rdfa):
        first = page.errors[0]
        raise MarkupError(
            f"no markup can be read: {first.message}.",
            source=name,
            line=first.line or None,
            column=first.column or None,
        )
    graph = page_graph(page, vocabulary, assume_schema_org=True)
    for notice in page.errors:
        say(f"{name}:{notice.line}:{notice.column}: {notice.message}")
    for diagnostic in graph.diagnostics:
        if diagnostic.severity != "info":
            say(f"{name}: {diagnostic.path or '/'}: {diagnostic.message}")
    roots = None
    if types:
        wanted = set(types)
        roots = [root for root in graph.roots if wanted & set(graph.nodes[root].types)]
        if not roots:
            say(f"{name}: no root of type {', '.join(types)}")
    found: dict[str, int] = counts(graph, None, roots)
    return dict(sorted(found.items()))
