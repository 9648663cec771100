"""A page from its source: decoding, one parse, then everything that the rest of the package needs of it."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from schemaproof.json_reader import read_json
from schemaproof.page.addresses import Resolver
from schemaproof.page.decoding import decode
from schemaproof.page.model import Block, Link, Notice, Page, ScriptBlock
from schemaproof.page.text import read_text

_LANGUAGE = re.compile(r"\s*([A-Za-z]{2,3})(?:[-_].*)?\s*", re.DOTALL)


def page_from_text(text: str, language: str | None = None) -> Page:
    """A page of plain text: every line that is not blank is a block."""
    blocks = []
    start = 0
    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        if stripped:
            at = start + line.index(stripped)
            blocks.append(Block(at, at + len(stripped), "p"))
        start += len(line)
    return Page(
        "-", None, "", "", "str", text, tuple(blocks), language=language or "",
        language_source="html" if language else "",
    )  # fmt: skip


def read_page(
    data: bytes | str, *, url: str | None = None, name: str | None = None, content_type: str | None = None
) -> Page:
    """Read a page."""
    decoded = decode(data, content_type)
    html = decoded.text
    tree = LexborHTMLParser(html)
    root = tree.root
    assert root is not None
    base = url or ""
    base_element = tree.css_first("base[href]")
    if base_element is not None:
        base = Resolver(base).resolve(base_element.attributes["href"] or "")
    resolver = Resolver(base)
    found = read_text(root, resolver)
    title, description, language = "", "", ""
    addresses = [url] if url else []
    links: list[Link] = []
    match = _LANGUAGE.fullmatch(root.attributes.get("lang") or root.attributes.get("xml:lang") or "")
    if match:
        language = match.group(1).lower()
    node: LexborNode
    for node in tree.css("title, meta, link[href]"):
        attributes = node.attributes
        if node.tag == "title":
            if not title:
                title = " ".join(node.text().split())
        elif node.tag == "meta":
            key = (attributes.get("name") or attributes.get("property") or "").lower()
            content = attributes.get("content") or ""
            if key == "description" and not description:
                description = " ".join(content.split())
            elif key == "og:url" and content:
                addresses.append(resolver.resolve(content))
        else:
            href, rel = attributes.get("href") or "", (attributes.get("rel") or "").lower()
            links.append(Link(href, resolver.resolve(href), 0, 0, rel))
            if "canonical" in rel.split():
                addresses.append(links[-1].url)
    scripts: list[ScriptBlock] = []
    errors: list[Notice] = []
    for node in tree.css("script[type]"):
        kind = (node.attributes.get("type") or "").partition(";")[0].strip().lower()
        if kind != "application/ld+json":
            continue
        source = node.text()
        reading = read_json(source)
        index = len(scripts)
        values = tuple(value for value in reading.values if isinstance(value, dict | list))
        scripts.append(ScriptBlock(index, 0, 0, 1, 1, source, values))
        if reading.error:
            errors.append(Notice(reading.error.code, reading.error.message, index))
    return Page(
        name=name or url or "-",
        url=url,
        base=base,
        html=html,
        encoding=decoded.encoding,
        text=found.text,
        blocks=tuple(found.blocks),
        marks=tuple(found.marks),
        title=title,
        description=description,
        links=tuple(links + found.links),
        images=tuple(found.images),
        addresses=tuple(dict.fromkeys(addresses)),
        language=language,
        language_source="html" if language else "",
        scripts=tuple(scripts),
        errors=tuple(errors),
    )
