"""RDFa, through the library pyRdfa3 (extra `rdfa`), on pages that use it only.

The library gets a document of our own making, copied from the tree that is already parsed: elements with RDFa
attributes and the text, nothing else. So the page is parsed once, elements that say nothing cost no recursion, and
nothing can be fetched: vocabulary expansion, the only thing that fetches, is off. Open Graph's `property` alone is not
RDFa that anyone meant as such: without `typeof` or `vocab` on the page nothing is read.

Source: RDFa Core 1.1, HTML+RDFa 1.1.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from schemaproof.page.fragment import is_apart, is_never_text
from schemaproof.page.model import Notice

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

DEPTH_LIMIT = 150
"""How many RDFa elements may stand inside each other: the library recurses, two calls an element."""

SIZE_LIMIT = 20_000
"""How many RDFa elements of a page are read."""

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFA = "http://www.w3.org/ns/rdfa#"
_XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"
_LEFT_OUT = ("http://www.w3.org/1999/xhtml/vocab#", _RDFA)
_ATTRIBUTES = (
    "about", "resource", "property", "rel", "rev", "typeof", "vocab", "prefix", "href", "src", "content", "datatype",
    "inlist", "lang", "xml:lang", "datetime", "value",
)  # fmt: skip
_TELLING = frozenset(_ATTRIBUTES) - {"lang", "xml:lang", "datetime", "value"}
# Link types of HTML and of its registry. Inside of a vocab they would turn into properties that nobody meant; those
# that are properties of Schema.org too ("author", "license") stay.
_LINK_TYPES = frozenset(
    ("alternate", "amphtml", "apple-touch-icon", "apple-touch-icon-precomposed", "archives", "bookmark",
     "canonical", "dns-prefetch", "edituri", "external", "first", "help", "home", "icon", "index", "last",
     "lightbox", "manifest", "mask-icon", "me", "modulepreload", "next", "nofollow", "noopener", "noreferrer",
     "opener", "pingback", "preconnect", "prefetch", "preload", "prerender", "prev", "privacy-policy",
     "profile", "search", "shortcut", "shortlink", "sponsored", "start", "stylesheet", "tag",
     "terms-of-service", "ugc", "up", "wlwmanifest")
)  # fmt: skip


@dataclass(slots=True)
class Rdfa:
    """Expanded JSON-LD objects, and what is to be said about them."""

    items: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[Notice] = field(default_factory=list)
    hints: list[Notice] = field(default_factory=list)


def read_rdfa(tree: LexborHTMLParser, base: str) -> Rdfa:
    """Read the RDFa of a page.

    Arguments:
        tree: the parsed page.
        base: address that relative ones are resolved against.

    Returns:
        One expanded JSON-LD object for each node that no other refers to, the others inside, in document order.
        Without the extra `rdfa` there are none, and a hint where the page has RDFa.
    """
    found = Rdfa()
    if tree.css_first("[typeof], [vocab]") is None or tree.css_first("[typeof], [property]") is None:
        return found
    try:
        importlib.import_module("pyRdfa")
    except ImportError:
        message = "the page has RDFa, which is not read: pip install 'schemaproof[rdfa]'"
        found.hints.append(Notice("rdfa-extra", message))
        return found
    root = tree.root
    assert root is not None
    document, whole = _copied(root)
    if not whole:
        message = f"RDFa beyond {SIZE_LIMIT:,} elements, or nested deeper than {DEPTH_LIMIT}, was left out"
        found.warnings.append(Notice("rdfa-too-large", message))
    try:
        triples = _triples(document, base or "about:blank")
        found.items += _objects(triples)
    except (Exception, RecursionError) as problem:  # whatever the library trips over costs the page its RDFa only
        found.warnings.append(Notice("rdfa-failed", f"the RDFa could not be read: {type(problem).__name__}"))
    return found


class _Record(list[tuple[Any, Any, Any]]):
    """What the library takes for a graph. Its own, of rdflib, gives triples back in an order that changes by run."""

    def add(self, triple: tuple[Any, Any, Any]) -> None:
        """Keep a triple."""
        self.append(triple)

    def bind(self, prefix: str, namespace: Any) -> None:
        """Prefixes are not kept."""


def _triples(document: Any, base: str) -> list[tuple[Any, Any, Any]]:
    """The triples of a document in document order; what `pyRdfa.graph_from_DOM` does, less the graph."""
    import warnings

    # Imported by name: the library has no types, and need not be there when types are checked.
    transformers = importlib.import_module("pyRdfa").builtInTransformers
    make_options = importlib.import_module("pyRdfa.options").Options
    parse_one_node = importlib.import_module("pyRdfa.parse").parse_one_node
    make_state = importlib.import_module("pyRdfa.state").ExecutionContext

    record = _Record()
    # It logs every odd IRI as a warning, with the page's text in it: no business of whoever reads a page.
    log = logging.getLogger("rdflib.term")
    log.addFilter(_silent)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            options = make_options(embedded_rdf=False, vocab_expansion=False)
            options.set_host_language("text/html")
            top = document.documentElement
            state = make_state(top, record, base=base, options=options, rdfa_version="1.1")
            for transform in transformers:
                transform(top, options, state)
            parse_one_node(top, record, None, state, [])
    finally:
        log.removeFilter(_silent)
    return _with_patterns(list(dict.fromkeys(record)))


def _silent(record: logging.LogRecord) -> bool:
    return False


def _with_patterns(triples: list[tuple[Any, Any, Any]]) -> list[tuple[Any, Any, Any]]:
    """Property copying (HTML+RDFa 1.1 section 3.5): what a rdfa:Pattern states goes to who copies it."""
    patterns = {s for s, p, o in triples if str(p) == _RDF + "type" and str(o) == _RDFA + "Pattern"}
    if not patterns:
        return triples
    stated: dict[Any, list[tuple[Any, Any]]] = {}
    for s, p, o in triples:
        if s in patterns and str(o) != _RDFA + "Pattern":
            stated.setdefault(s, []).append((p, o))
    found: list[tuple[Any, Any, Any]] = []
    for s, p, o in triples:
        if s in patterns:
            continue
        if str(p) != _RDFA + "copy" or o not in patterns:
            found.append((s, p, o))
        elif len(found) < SIZE_LIMIT * 10:
            found += [(s, prop, value) for prop, value in stated.get(o, ())]
    return list(dict.fromkeys(found))


def _copied(root: LexborNode) -> tuple[Any, bool]:
    """The document that the library reads, and whether all RDFa is in it."""
    from xml.dom.minidom import Document

    document = Document()
    whole = True
    left = SIZE_LIMIT
    top = document.createElement("html")
    document.appendChild(top)
    _copy_attributes(root.attributes, top)
    parents = [top]
    stack: list[tuple[LexborNode, bool]] = [(root, False)]
    node = root.first_child
    while node is not None or stack:
        if node is None:
            closed, copied = stack.pop()
            if copied:
                parents.pop()
            node = closed.next if stack else None
            continue
        tag = node.tag or ""
        child = None
        if tag == "-text":
            content = node.text_content
            if content:
                parents[-1].appendChild(document.createTextNode(content))
        elif not is_never_text(tag) or tag in ("head", "link", "meta", "title"):
            if is_apart(tag):
                parents[-1].appendChild(document.createTextNode(" "))
            attributes = node.attributes
            copied = False
            if tag in ("head", "body") or not _TELLING.isdisjoint(attributes) or _declares(attributes):
                if left > 0 and len(parents) < DEPTH_LIMIT:
                    left -= 1
                    element = document.createElement(tag)
                    _copy_attributes(attributes, element)
                    parents[-1].appendChild(element)
                    copied = True
                else:
                    whole = False
            if copied:
                parents.append(element)
            stack.append((node, copied))
            child = node.first_child
            node = child
            continue
        node = node.next
    return document, whole


def _declares(attributes: dict[str, str | None]) -> bool:
    return any(name.startswith("xmlns:") for name in attributes)


def _copy_attributes(attributes: dict[str, str | None], element: Any) -> None:
    for name in _ATTRIBUTES:
        if name not in attributes:
            continue
        value = attributes[name] or ""
        if name == "rel":
            value = " ".join(part for part in value.split() if part.lower() not in _LINK_TYPES)
            if not value:
                continue
        elif name == "prefix":
            value = value[:4000]
        element.setAttribute(name, value)
    for name, declared in attributes.items():
        if name.startswith("xmlns:") and len(name) < 60 and declared:
            element.setAttribute(name, declared)


def _objects(graph: Iterable[tuple[Any, Any, Any]]) -> list[dict[str, Any]]:
    """An RDF graph as expanded JSON-LD: each node stands inside the first that refers to it, lists as @list."""
    terms = importlib.import_module("rdflib.term")
    blank, literal = terms.BNode, terms.Literal

    labels: dict[Any, str] = {}

    def name(term: Any) -> str:
        if isinstance(term, blank):
            return labels.setdefault(term, f"_:r{len(labels)}")
        return str(term)

    nodes: dict[str, dict[str, list[Any]]] = {}
    for subject, predicate, value in graph:
        prop = str(predicate)
        if prop.startswith(_LEFT_OUT):
            continue
        stated: Any
        if isinstance(value, literal):
            stated = {"@value": " ".join(str(value).split())}
            if value.language:
                stated["@language"] = value.language
            elif value.datatype is not None and str(value.datatype) != _XSD_STRING:
                stated["@type"] = str(value.datatype)
        else:
            stated = {"@id": name(value)}
        nodes.setdefault(name(subject), {}).setdefault(prop, []).append(stated)
    lists = {node: _list_of(node, nodes) for node in nodes if _RDF + "first" in nodes[node]}
    referred: dict[str, int] = {}
    for node, properties in nodes.items():
        for prop, values in properties.items():
            for stated in values:
                target = stated.get("@id")
                if target in nodes and target != node and prop != _RDF + "type":
                    referred[target] = referred.get(target, 0) + 1
    built: dict[str, dict[str, Any]] = {}
    tops: list[dict[str, Any]] = []
    # Roots first; what only a cycle refers to follows in document order.
    for node in [*(node for node in nodes if node not in referred), *nodes]:
        if node in built or node in lists:
            continue
        tops.append(_build(node, nodes, lists, built))
    return [item for item in tops if len(item) > 1]


def _build(
    start: str, nodes: dict[str, dict[str, list[Any]]], lists: dict[str, list[Any]], built: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    top: dict[str, Any] = {"@id": start}
    built[start] = top
    pending = [(start, top)]
    while pending:
        node, item = pending.pop()

        def placed(stated: dict[str, Any]) -> dict[str, Any]:
            target = stated.get("@id")
            if target in lists:
                return {"@list": [placed(member) for member in lists[target] if member.get("@id") not in lists]}
            if target in nodes and target not in built:
                inner: dict[str, Any] = {"@id": target}
                built[target] = inner
                pending.append((target, inner))
                return inner
            return stated

        properties = nodes[node]
        if _RDF + "type" in properties:
            item["@type"] = [stated["@id"] for stated in properties[_RDF + "type"] if "@id" in stated]
        for prop, values in properties.items():
            if prop != _RDF + "type":
                item[prop] = [placed(stated) for stated in values]
    return top


def _list_of(start: str, nodes: dict[str, dict[str, list[Any]]]) -> list[Any]:
    """Members of an RDF list."""
    members: list[Any] = []
    seen: set[str] = set()
    node: str | None = start
    while node in nodes and node not in seen:
        seen.add(node)
        members += nodes[node].get(_RDF + "first", [])[:1]
        rest = nodes[node].get(_RDF + "rest", [])
        node = rest[0].get("@id") if rest else None
    return members
