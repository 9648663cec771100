"""One graph of nodes and statements for all the markup of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from schemaproof.markup.iri import is_absolute
from schemaproof.markup.items import walk_item
from schemaproof.markup.matching import merge_formats
from schemaproof.markup.model import Graph, Node, Statement, Step
from schemaproof.markup.records import Fact, Records
from schemaproof.markup.walk import Walk
from schemaproof.page.model import Page
from schemaproof.vocabulary import Vocabulary

# A chain holds at most this many steps, the last ones: a chain of references may be as long as the page.
CHAIN_LIMIT = 32


def build_graph(
    documents: Sequence[Any],
    *,
    base: str = "",
    vocabulary: Vocabulary,
    microdata: Sequence[Mapping[str, Any]] = (),
    rdfa: Sequence[Mapping[str, Any]] = (),
    pointer_root: bool = True,
    assume_schema_org: bool = False,
    blocks: Sequence[int] | None = None,
) -> Graph:
    """Read JSON-LD objects, microdata items and RDFa into one graph, references resolved.

    Names are resolved through each object's contexts (JSON-LD 1.1 API, clauses 4 and 5) without fetching any:
    Schema.org's is built in, others that are not written out are reported. Time and memory are linear in the
    size of the markup.

    Arguments:
        documents: JSON-LD objects in page order.
        base: address that relative identifiers are resolved against; "" if unknown.
        vocabulary: what is known; statements of its namespaces are stated, others counted as foreign.
        microdata: items as in `Page.microdata`; their pointers come after those of the documents.
        rdfa: expanded objects as in `Page.rdfa`; their pointers come last.
        pointer_root: true for pointers that start at the list of all objects. False for a single document:
            pointers start at the object itself.
        assume_schema_org: true to read an object without any @context as if it had Schema.org's (answers of
            models often lack it). Otherwise nothing in it is Schema.org's, and a diagnostic says so.
        blocks: number of the script block of each document; blank node labels are the same node within one
            block only. None: all documents are of one block.

    Returns:
        The graph. It never raises on data of any shape: what is no JSON-LD becomes a diagnostic.
    """
    every = (*documents, *microdata, *rdfa)
    rooted = pointer_root or len(every) != 1
    records = Records()
    walk = Walk(records, vocabulary, base, assume_schema_org=assume_schema_org)
    several = blocks is not None and len(set(blocks)) > 1
    for number, document in enumerate(documents):
        block = blocks[number] if blocks is not None else -1
        label_scope = f"-{block}" if several else ""
        walk.document(document, f"/{number}" if rooted else "", "json-ld", block, label_scope)
    number = len(documents)
    parts = [len(records.nodes)]
    for position, item in enumerate(microdata):
        walk_item(records, vocabulary, dict(item), f"/{number + position}" if rooted else "", position, base)
    parts.append(len(records.nodes))
    number += len(microdata)
    for position, item in enumerate(rdfa):
        walk.document(item, f"/{number + position}" if rooted else "", "rdfa", position, "-rdfa")
    if (documents and (microdata or rdfa)) or (microdata and rdfa):
        merge_formats(records, parts, base)
    return _freeze(records, every)


def page_graph(page: Page, vocabulary: Vocabulary, *, assume_schema_org: bool = False) -> Graph:
    """All markup of a page as one graph: JSON-LD, then microdata, then RDFa.

    Arguments:
        page: the page; where it is bare JSON-LD of one object (`metadata["bare"] == "json-ld"`), pointers
            start at that object.
        vocabulary, assume_schema_org: as in `build_graph`.
    """
    documents: list[Any] = []
    blocks: list[int] = []
    for script in page.scripts:
        for value in script.values:
            for item in value if isinstance(value, list) else (value,):
                if isinstance(item, dict):
                    documents.append(item)
                    blocks.append(script.index)
    bare = page.metadata.get("bare") == "json-ld"
    single = bare and len(documents) == 1 and not any(isinstance(v, list) for s in page.scripts for v in s.values)
    return build_graph(
        documents,
        base=page.base,
        vocabulary=vocabulary,
        microdata=page.microdata,
        rdfa=page.rdfa,
        pointer_root=not single,
        assume_schema_org=assume_schema_org,
        blocks=blocks,
    )


def _freeze(records: Records, documents: tuple[Any, ...]) -> Graph:
    """Resolve the references, and make nodes and statements final."""
    nodes, facts = records.nodes, records.facts
    for fact in facts:
        if fact.target and fact.object is None:
            found = records.by_id.get(fact.target)
            if found is not None:
                fact.object = found
                fact.value = None
    types = [tuple(draft.types) for draft in nodes]
    own: list[list[int]] = [[] for _ in nodes]
    for number, fact in enumerate(facts):
        own[fact.subject].append(number)
    roots, chains = _roots(records, own, types)
    memo: dict[tuple[tuple[str, ...], str], Step] = {}
    statements: list[Statement] = []
    for fact in facts:
        subject = fact.subject
        subject_types = types[subject]
        key = (subject_types, fact.property)
        step = memo.get(key)
        if step is None:
            step = memo[key] = Step(subject_types, fact.property)
        target = fact.object
        statements.append(
            Statement(
                fact.path,
                subject_types,
                fact.property,
                fact.value,
                None if target is None else types[target],
                subject,
                target,
                fact.reference,
                fact.language,
                fact.datatype,
                fact.reversed,
                (*chains[subject], step),
                fact.sources,
            )
        )
    labels = _labels(records)
    frozen = tuple(
        Node(number, labels[number], types[number], draft.pointer, tuple(own[number]))
        for number, draft in enumerate(nodes)
    )
    for node in frozen:
        if not node.types and node.statements:
            records.report(
                "missing-type", "The entity has no @type, so it is read as a Thing: say what it is.", node.pointer
            )
    return Graph(documents, frozen, tuple(statements), records.foreign, roots, tuple(records.diagnostics.all()))


def _labels(records: Records) -> list[str]:
    """Identifiers of all nodes: their own, or blank node labels that no author's label equals."""
    taken = {draft.id for draft in records.nodes if draft.id}
    labels = []
    number = 0
    for draft in records.nodes:
        if draft.id:
            labels.append(draft.id)
            continue
        while f"_:b{number}" in taken:
            number += 1
        labels.append(f"_:b{number}")
        number += 1
    return labels


def _roots(
    records: Records, own: list[list[int]], types: list[tuple[str, ...]]
) -> tuple[tuple[int, ...], list[tuple[Step, ...]]]:
    """The root nodes, and for every node the steps that lead to it from the root that reaches it first."""
    nodes, facts = records.nodes, records.facts
    referred = bytearray(len(nodes))
    # Where a fact leads on from: a fact stated through @reverse is written at its object.
    written: list[list[tuple[int, Fact]]] = [[] for _ in nodes]
    for fact in facts:
        if fact.object is None:
            continue
        source, target = (fact.object, fact.subject) if fact.reversed else (fact.subject, fact.object)
        written[source].append((target, fact))
        if source != target:
            referred[target] = 1
    # Of a node that says nothing in the vocabulary (Open Graph's, say), nothing can be a unit.
    says = [bool(own[number]) or any(not is_absolute(name) for name in types[number]) for number in range(len(nodes))]
    roots = [
        number
        for number, draft in enumerate(nodes)
        if says[number] and (draft.top or (draft.in_graph and not referred[number]))
    ]
    chains: list[tuple[Step, ...]] = [()] * len(nodes)
    seen = bytearray(len(nodes))

    def reach(starts: list[int]) -> None:
        for start in starts:
            seen[start] = 1
        queue = list(starts)
        for source in queue:  # grows while it is walked
            for target, fact in written[source]:
                if seen[target]:
                    continue
                seen[target] = 1
                if not fact.reversed:
                    chains[target] = (*chains[source], Step(types[source], fact.property))[1 - CHAIN_LIMIT :]
                queue.append(target)

    reach(roots)
    # What is left hangs below a foreign property, or is a cycle within an @graph: its first node stands for it.
    found = len(roots)
    for alone in (True, False):
        for number in range(len(nodes)):
            if says[number] and not seen[number] and not (alone and referred[number]):
                roots.append(number)
                reach([number])
    if len(roots) > found:
        roots.sort()
    return tuple(roots), chains
