"""`schemaproof vocabulary`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from schemaproof.cli.output import print_json, styled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schemaproof.vocabulary import Member, Property, Type, Vocabulary

_VOCABULARY = click.option(
    "--vocabulary", "file", metavar="FILE", help="Another vocabulary (Turtle or JSON-LD) in Schema.org's place."
)


@click.group()
def vocabulary() -> None:
    """Look terms up, fetch definitions, write shapes."""


@vocabulary.command()
@click.argument("terms", nargs=-1, required=True, metavar="TERM...")
@_VOCABULARY
@click.option("--json", "as_json", is_flag=True, help="Print JSON: one object a term, one a line.")
def show(terms: tuple[str, ...], file: str | None, as_json: bool) -> None:
    """Show what the vocabulary says of types, properties and members of enumerations.

    TERM is a name ("Product", "price", "InStock") or the address of a term.
    """
    from schemaproof.errors import VocabularyError
    from schemaproof.vocabulary import load

    loaded = load(file)
    meanings = _definitions(loaded)
    unknown = []
    for term in terms:
        described = _described(term, loaded, meanings)
        if described is None:
            unknown.append(term)
        elif as_json:
            print_json(described)
        else:
            _print(described, loaded)
    if not meanings and len(unknown) < len(terms):
        click.echo("Hint: with their definitions after schemaproof vocabulary fetch", err=True)
    if unknown:
        raise VocabularyError("; ".join(_not_there(term, loaded) for term in unknown))


def _definitions(loaded: Vocabulary) -> Mapping[str, str]:
    from schemaproof.errors import DefinitionsMissingError
    from schemaproof.vocabulary import definitions

    try:
        return definitions(loaded)
    except DefinitionsMissingError:
        return {}


def _not_there(term: str, loaded: Vocabulary) -> str:
    near = [name for name in (loaded.nearest_type(term), loaded.nearest_property(term)) if name]
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"{term} is no term of {loaded.namespaces[0]} {loaded.release}".rstrip() + hint


def _described(term: str, loaded: Vocabulary, meanings: Mapping[str, str]) -> dict[str, Any] | None:
    """What is known of a term as a JSON object; None where the vocabulary does not have it."""
    name = loaded.local_name(term) or term
    known: list[Type | Property | Member] = [
        table[name] for table in (loaded.types, loaded.properties, loaded.individuals) if name in table
    ]
    if not known:
        return None
    found: dict[str, Any] = {
        "schema_version": 1,
        "term": name,
        "iri": known[0].iri,
        "release": loaded.release,
        "kinds": [type(each).__name__.lower() for each in known],
        "layer": known[0].layer,
        "superseded_by": list(known[0].superseded_by),
        "definition": meanings.get(name),
    }
    if name in loaded.types:
        each = loaded.types[name]
        found |= {
            "parents": list(each.parents),
            "ancestors": sorted(each.ancestors - {name}),
            "children": sorted(other.name for other in loaded.types.values() if name in other.parents),
            "data_type": each.data_type,
            "members": list(loaded.members(name)),
            "properties": {
                ancestor: sorted(own)
                for ancestor in _nearest_first(name, loaded)
                if (own := loaded.own_properties(ancestor))
            },
        }
    if name in loaded.properties:
        prop = loaded.properties[name]
        found |= {
            "domains": list(prop.domains),
            "ranges": list(prop.ranges),
            "inverse_of": list(prop.inverse_of),
            "parent_properties": list(prop.parents),
        }
    if name in loaded.individuals:
        found["member_of"] = list(loaded.individuals[name].types)
    return found


def _nearest_first(name: str, loaded: Vocabulary) -> list[str]:
    """A class and those above it, each before what is above it."""
    found = {name: None}
    queue = [name]
    for each in queue:  # grows while it is walked
        for parent in loaded.types[each].parents:
            if parent in loaded.types and parent not in found:
                found[parent] = None
                queue.append(parent)
    return list(found)


def _print(described: dict[str, Any], loaded: Vocabulary) -> None:
    layer = described["layer"]
    notes = [] if layer in ("", "core") else [layer]
    notes += [f"superseded by {', '.join(described['superseded_by'])}"] if described["superseded_by"] else []
    title = styled(described["term"], bold=True)
    kinds = "data type" if described.get("data_type") else " and ".join(described["kinds"])
    click.echo(f"{title}  {kinds}{''.join(f', {note}' for note in notes)}  {described['iri']}")
    if described["definition"]:
        click.echo("\n".join(f"  {line}" for line in described["definition"].splitlines()))
    labels = {
        "domains": "on",
        "ranges": "expects",
        "parents": "below",
        "children": "above",
        "parent_properties": "below",
        "inverse_of": "inverse of",
        "member_of": "member of",
        "members": "members",
    }
    for key, label in labels.items():
        if described.get(key):
            click.echo(f"  {label}: {', '.join(described[key])}")
    for owner, names in described.get("properties", {}).items():
        click.echo(f"  properties of {owner}: {', '.join(names)}")


@vocabulary.command()
@click.option(
    "--from",
    "source",
    metavar="FILE",
    help="Take the release's file, or a folder of its files, instead of the network.",
)
def fetch(source: str | None) -> None:
    """Fetch the release's definitions and examples into the cache.

    They are Schema.org's (CC BY-SA 3.0) and therefore no part of this package. Every file is checked by its sha256.
    The cache folder is the user's; SCHEMAPROOF_CACHE names another.
    """
    from schemaproof.vocabulary.release import fetch as fetch_release

    for path in fetch_release(source):
        click.echo(path)


@vocabulary.command()
@click.option(
    "--policy",
    "name",
    metavar="NAME",
    default="paper",
    show_default=True,
    help="paper: closed shapes, one for each class. schema.org: one for each property.",
)
@_VOCABULARY
def shapes(name: str, file: str | None) -> None:
    """Write SHACL shapes of the vocabulary, as Turtle."""
    from schemaproof.vocabulary import load
    from schemaproof.vocabulary.shapes import shapes as pieces

    for piece in pieces(load(file), name):
        click.echo(piece, nl=False)
