"""`schemaproof generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from schemaproof.cli.model_options import dry_run_option, limits_options
from schemaproof.cli.output import print_json, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemaproof.page.model import Page
    from schemaproof.vocabulary import Vocabulary


@click.command()
@click.argument("page", metavar="PAGE|-")
@click.option(
    "--type", "types", multiple=True, metavar="T", help="Root type to write; auto: the model names them. Repeatable."
)
@click.option("--by", metavar="SPEC", default="embedded", show_default=True, help="What writes the markup.")
@click.option("--prompt", metavar="NAME", help="Prompt of a model.")
@limits_options
@dry_run_option
@click.option("--base", metavar="URL", help="Address of the page, where its own is not known.")
@click.option("--vocabulary", metavar="FILE", help="Another vocabulary (Turtle or JSON-LD) in Schema.org's place.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: types, documents, and the source of every value.")
def generate(
    page: str,
    types: Sequence[str],
    by: str,
    prompt: str | None,
    base: str | None,
    vocabulary: str | None,
    max_tokens: int | None,
    concurrency: int | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Write markup for a page.

    Prints JSON-LD read from what the page shows, never from the markup in it. Without --type the root types are those
    of the page's own markup, else guessed from what it shows.
    """
    from schemaproof.sources import open_page
    from schemaproof.vocabulary import load

    table = load(vocabulary)
    from schemaproof.cli.model_options import echo_usage, set_limits, with_options
    from schemaproof.pipeline.specs import parse_spec

    set_limits({"max_tokens": max_tokens, "concurrency": concurrency})
    if "auto" in types and parse_spec(by).kind != "embedded":
        by = with_options(by, types="auto")
    chosen = tuple(_known(name, table) for name in types if name != "auto")
    opened = open_page(page, base=base)
    origin = "given"
    if not chosen:
        chosen, origin = _types_of(opened, table)
    if dry_run:
        _forecast(opened, chosen, by, prompt, vocabulary, as_json=as_json)
        return
    documents, sources, notes = _write(opened, chosen, table, by, prompt, vocabulary)
    echo_usage()
    for note in notes:
        say(note)
    if not documents:
        say(f"{opened.name}: nothing on this page says anything of {', '.join(chosen) or 'any type'}")
    if as_json:
        print_json(
            {
                "schema_version": 1,
                "page": opened.name,
                "types": list(chosen),
                "types_from": origin,
                "documents": documents,
                "sources": sources,
            }
        )
        return
    if origin != "given":
        say(f"type {', '.join(chosen)} ({origin}); --type sets another")
    _print(documents)


def _forecast(
    page: Page, types: tuple[str, ...], by: str, prompt: str | None, vocabulary: str | None, *, as_json: bool
) -> None:
    from schemaproof.cli.model_options import echo_forecast, with_options
    from schemaproof.pipeline.forecast import Forecast, forecast_writing
    from schemaproof.pipeline.specs import parse_spec

    spec = parse_spec(with_options(by, prompt=prompt))
    told = Forecast(pages=1) if spec.kind == "embedded" else forecast_writing(page, spec, types, vocabulary)
    echo_forecast(told, as_json=as_json)


def _known(name: str, vocabulary: Vocabulary) -> str:
    """A type as the vocabulary names it, from its bare name or its IRI."""
    bare = vocabulary.local_name(name) or name
    if bare in vocabulary.types and not vocabulary.is_data_type(bare):
        return bare
    near = vocabulary.nearest_type(bare)
    raise click.BadParameter(
        f"no type is called {name}" + (f"; did you mean {near}?" if near else ""), param_hint="--type"
    )


def _types_of(page: Page, vocabulary: Vocabulary) -> tuple[tuple[str, ...], str]:
    """The root types of the page's own markup, else those it looks like, and which of the two it was."""
    from schemaproof.generation.guessing import guess_types
    from schemaproof.markup import page_graph

    graph = page_graph(page, vocabulary)
    found = [name for root in graph.roots for name in graph.nodes[root].types if name in vocabulary.types]
    if found:
        return tuple(dict.fromkeys(found)), "from the page's markup"
    return guess_types(page, vocabulary), "guessed"


def _write(
    page: Page, types: tuple[str, ...], vocabulary: Vocabulary, by: str, prompt: str | None, vocabulary_file: str | None
) -> tuple[list[Any], dict[str, Any], tuple[str, ...]]:
    """Have the markup written by what the SPEC names: documents, sources by JSON Pointer, notes."""
    from schemaproof.errors import SpecError
    from schemaproof.pipeline.specs import parse_spec

    spec = parse_spec(by)
    if spec.kind == "embedded":
        if prompt:
            raise SpecError("--prompt is for models; the embedded extractor has none")
        from schemaproof.generation.extractor import extract

        extraction = extract(page, types, vocabulary)
        sources = {
            pointer: {"start": each.start, "end": each.end, "text": each.text, "kind": str(each.kind)}
            for pointer, each in extraction.sources.items()
        }
        return extraction.documents, sources, ()
    from schemaproof.pipeline.contenders import build_contender
    from schemaproof.pipeline.plan import Plan
    from schemaproof.sources import identifier

    if prompt:
        spec = parse_spec(f"{by}{'&' if '?' in by.rpartition('#')[2] else '?'}prompt={prompt}")
    contender = build_contender(spec, Plan(types=types, vocabulary=vocabulary_file), vocabulary)
    written = contender.write(page, identifier(page.url or page.name), types)
    found = {
        pointer: {"start": start, "end": end, "text": text} for pointer, (start, end, text) in written.sources.items()
    }
    return list(written.documents), found, written.notes


def _print(documents: Sequence[Any]) -> None:
    """JSON-LD to paste into a page: one object, or a list of several."""
    import json

    body = documents[0] if len(documents) == 1 else list(documents)
    click.echo(json.dumps(body, ensure_ascii=False, indent=2))
