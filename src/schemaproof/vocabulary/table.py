"""The vocabulary's facts as a compact table: one line a term, compressed.

Line format, fields parted by tabs, names inside a field by spaces, trailing empty fields left out:

    V  format  release  namespaces
    T  name  parents  layer  superseded_by  data_type ("1" or "")
    P  name  domains  ranges  layer  superseded_by  inverse_of  parents
    M  name  types  layer  superseded_by

An empty layer is "core". IRIs are made of the main namespace and the name. No prose is kept.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from schemaproof.errors import VocabularyError
from schemaproof.vocabulary.model import Member, Property, Type, Vocabulary

FORMAT = "1"


def pack(vocabulary: Vocabulary) -> bytes:
    """The table of a vocabulary whose terms are all of its main namespace.

    Raises:
        VocabularyError: a term's IRI is not its namespace and name.
    """
    return zlib.compress("\n".join(_lines(vocabulary)).encode(), 9)


def _lines(vocabulary: Vocabulary) -> Iterator[str]:
    def line(*fields: str) -> str:
        return "\t".join(fields).rstrip("\t")

    def layer(name: str) -> str:
        return "" if name == "core" else name

    for table in (vocabulary.types, vocabulary.properties, vocabulary.individuals):
        for term in table.values():
            if term.iri != vocabulary.namespaces[0] + term.name:
                raise VocabularyError(f"{term.iri} is not of {vocabulary.namespaces[0]}; filter foreign terms first")
    join = " ".join
    yield line("V", FORMAT, vocabulary.release, join(vocabulary.namespaces))
    # Neighbours in the hierarchy stand together: their lines share most of their text.
    for each in sorted(vocabulary.types.values(), key=lambda each: (each.parents, each.name)):
        roots = "1" if each.data_type and not any(map(vocabulary.is_data_type, each.parents)) else ""
        yield line("T", each.name, join(each.parents), layer(each.layer), join(each.superseded_by), roots)
    for prop in sorted(vocabulary.properties.values(), key=lambda each: (each.domains, each.ranges, each.name)):
        yield line(
            "P",
            prop.name,
            join(prop.domains),
            join(prop.ranges),
            layer(prop.layer),
            join(prop.superseded_by),
            join(prop.inverse_of),
            join(prop.parents),
        )
    for member in sorted(vocabulary.individuals.values(), key=lambda each: (each.types, each.name)):
        yield line("M", member.name, join(member.types), layer(member.layer), join(member.superseded_by))


def unpack(data: bytes, source: str = "") -> Vocabulary:
    """The vocabulary of a table.

    Raises:
        VocabularyError: the bytes are no table of this format.
    """
    try:
        lines = zlib.decompress(data).decode().split("\n")
    except (zlib.error, UnicodeDecodeError) as problem:
        raise VocabularyError("not a packed vocabulary; build it anew", source=source or None) from problem
    head = lines[0].split("\t")
    if head[:2] != ["V", FORMAT]:
        raise VocabularyError("a packed vocabulary of another format; build it anew", source=source or None)
    namespaces = head[3].split(" ")
    base = namespaces[0]
    types: list[Type] = []
    properties: list[Property] = []
    members: list[Member] = []
    tuples: dict[str, tuple[str, ...]] = {"": ()}

    def names(field: str) -> tuple[str, ...]:
        found = tuples.get(field)
        if found is None:
            found = tuples[field] = tuple(field.split(" "))
        return found

    for text in lines[1:]:
        kind, name, *rest = text.split("\t")
        rest += [""] * (6 - len(rest))
        if kind == "T":
            parents, layer, successors, root = rest[:4]
            types.append(
                Type(
                    name,
                    base + name,
                    names(parents),
                    layer=layer or "core",
                    superseded_by=names(successors),
                    data_type=root == "1",
                )
            )
        elif kind == "P":
            domains, ranges, layer, successors, inverses, above = rest
            properties.append(
                Property(
                    name,
                    base + name,
                    names(domains),
                    names(ranges),
                    layer or "core",
                    names(successors),
                    names(inverses),
                    names(above),
                )
            )
        else:
            of, layer, successors = rest[:3]
            members.append(Member(name, base + name, names(of), layer or "core", names(successors)))
    return Vocabulary(
        release=head[2], namespaces=namespaces, types=types, properties=properties, members=members, source=source
    )
