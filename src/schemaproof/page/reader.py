"""A page from its source: decoding, one parse, then everything that the rest of the package needs of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemaproof.page.addresses import Resolver, base_of
from schemaproof.page.decoding import Decoded, decode, decode_json, decoding_notices
from schemaproof.page.language import detect
from schemaproof.page.microdata import read_microdata
from schemaproof.page.model import Block, Link, Notice, Page
from schemaproof.page.nesting import FLATTENED, flatten, parse
from schemaproof.page.outline import outline
from schemaproof.page.rdfa import Rdfa, read_rdfa
from schemaproof.page.scripts import Scripts, read_bare, read_outlined, read_scripts
from schemaproof.page.text import read_text

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

NEARLY_EMPTY = 60
"""Visible characters below which a page with scripts is taken for one that scripts fill."""

_LANGUAGE = re.compile(r"\s*([A-Za-z]{2,3})(?:[-_].*)?\s*", re.DOTALL)
_NO_LANGUAGE = frozenset(("und", "zxx", "mul", "mis"))
_BARE = re.compile(r"\ufeff?(?>\s+|//[^\n]*\n|/\*.{0,2000}?\*/)*+(?:\{(?![{%#])|\[)", re.DOTALL)
_MARKUP = re.compile(r"<!doctype|<html|<head|<body", re.IGNORECASE)
_APP_ROOT = "#root, #app, #__next, #__nuxt, #___gatsby, [data-reactroot], [ng-app], app-root, [ng-version]"


def page_from_text(text: str, language: str | None = None) -> Page:
    """A page of plain text.

    Arguments:
        text: the text, kept as it is.
        language: BCP 47 primary subtag if known, else it is detected.

    Returns:
        A page whose blocks are the lines that are not blank; it has no markup, links or address.
    """
    blocks = []
    start = 0
    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        if stripped:
            at = start + line.index(stripped)
            blocks.append(Block(at, at + len(stripped), "p"))
        start += len(line)
    source = "html" if language else ""
    if language is None:
        language, _ = detect(text)
        source = "detected" if language else ""
    return Page("-", None, "", "", "str", text, tuple(blocks), language=language, language_source=source)


def read_document(
    data: bytes | str, *, url: str | None = None, name: str | None = None, content_type: str | None = None
) -> Page:
    """Read a page, or a JSON-LD document that stands alone.

    Arguments:
        as `read_page`. A media type or a name that ends in .jsonld or .json decides; without them, a document that
        starts with a brace or bracket is JSON-LD.

    Returns:
        The page. For a JSON-LD document it has no text, one script block that is all of the source, and
        `metadata["bare"]` is "json-ld".
    """
    if is_bare(data, name or url, content_type):
        return _read_bare(decode_json(data), url, name)
    return read_page(data, url=url, name=name, content_type=content_type)


def is_bare(data: bytes | str, name: str | None, content_type: str | None) -> bool:
    """Whether this is a JSON-LD document that stands alone; see `read_document`."""
    media = (content_type or "").partition(";")[0].strip().lower()
    if media == "application/json" or media.endswith("+json"):
        return True
    if media in ("text/html", "application/xhtml+xml"):
        return False
    ending = (name or "").lower().partition("?")[0]
    if ending.endswith((".html", ".htm", ".xhtml")):
        return False
    if ending.endswith((".jsonld", ".json")):
        return True
    head = decode_json(data[:4096]).text
    return _BARE.match(head) is not None and _MARKUP.search(head, 0, 300) is None


def _read_bare(decoded: Decoded, url: str | None, name: str | None) -> Page:
    scripts = read_bare(decoded.text)
    return Page(
        name=name or url or "-",
        url=url,
        base=url or "",
        html=decoded.text,
        encoding=decoded.encoding,
        text="",
        addresses=(url,) if url else (),
        scripts=tuple(scripts.blocks),
        errors=tuple(scripts.errors),
        warnings=(*decoding_notices(decoded), *scripts.warnings),
        hints=tuple(scripts.hints),
        metadata={"bare": "json-ld"},
    )


def read_page(
    data: bytes | str, *, url: str | None = None, name: str | None = None, content_type: str | None = None
) -> Page:
    """Read a page.

    Arguments:
        data: the HTML, as bytes or already decoded.
        url: its address, if it has one; relative addresses are resolved against it or the base element.
        name: what to call it in reports; its URL if not given, else "-".
        content_type: value of the HTTP header Content-Type, if there was one.

    Returns:
        The page. Never raises on input of any kind; time and memory are linear in its size.
    """
    decoded = decode(data, content_type)
    html = decoded.text
    warnings = decoding_notices(decoded)
    source, flattened = flatten(decoded.encoded())
    if flattened:
        warnings.append(Notice("too-deep", FLATTENED))
    tree = parse(source)
    root = tree.root
    if root is None:
        return Page(name or url or "-", url, url or "", html, decoded.encoding, "")
    base = base_of(tree, url or "")
    resolver = Resolver(base)

    found = read_text(root, resolver)
    head = _Head(tree, resolver)
    outlined = None if flattened else outline(html)
    scripts = read_outlined(outlined.scripts, html) if outlined else None
    if scripts is None:
        scripts = read_scripts(tree.css("script"), html)
    microdata = read_microdata(tree, resolver, len(html))
    rdfa = read_rdfa(tree, base) if "typeof=" in html or "vocab=" in html else Rdfa()

    hints = scripts.hints + rdfa.hints
    visible = len(found.text) - found.text.count("\n")
    needs_rendering = visible < NEARLY_EMPTY and _filled_by_scripts(tree, scripts, visible)
    if needs_rendering:
        what = "empty" if not visible else "nearly empty"
        said = " and scripts mention ld+json" if scripts.mentions else " and scripts fill the page"
        hints.append(Notice("needs-rendering", f"page text is {what}{said}: needs rendering in a browser"))
    elif scripts.mentions and not scripts.blocks and not microdata.items:
        hints.append(Notice("markup-by-script", "a script writes ld+json: rendering in a browser may add markup"))

    declared = _declared_language(root, head)
    language, clear = detect(found.text, declared)
    if declared and clear and language != declared:
        hints.append(
            Notice("language-mismatch", f"the page says that its language is {declared}, its text reads as {language}")
        )
        language_source = "detected"
    elif declared:
        language, language_source = declared, "html"
    else:
        language_source = "detected" if language else ""

    return Page(
        name=name or url or "-",
        url=url,
        base=base,
        html=html,
        encoding=decoded.encoding,
        text=found.text,
        blocks=tuple(found.blocks),
        marks=tuple(found.marks),
        title=head.title,
        description=head.description,
        links=tuple(head.links + found.links),
        images=tuple(found.images + head.images),
        addresses=tuple(dict.fromkeys(([url] if url else []) + head.addresses)),
        language=language,
        language_source=language_source,
        scripts=tuple(scripts.blocks),
        microdata=tuple(microdata.items),
        rdfa=tuple(rdfa.items),
        errors=tuple(scripts.errors),
        warnings=tuple(warnings + scripts.warnings + microdata.warnings + rdfa.warnings),
        hints=tuple(hints),
        needs_rendering=needs_rendering,
    )


class _Head:
    """What title, meta and link elements say."""

    def __init__(self, tree: LexborHTMLParser, resolver: Resolver) -> None:
        self.title = ""
        self.description = ""
        self.language = ""
        self.links: list[Link] = []
        self.images: list[Link] = []
        self.addresses: list[str] = []
        preview = ""
        resolve = resolver.resolve
        for node in tree.css("title, meta, link[href]"):
            attributes = node.attributes
            tag = node.tag
            if tag == "link":
                href, rel = attributes.get("href") or "", (attributes.get("rel") or "").lower()
                link = Link(href, resolve(href), 0, 0, rel)
                self.links.append(link)
                if "canonical" in rel.split():
                    self.addresses.append(link.url)
            elif tag == "meta":
                content = attributes.get("content")
                if not content:
                    continue
                key = (attributes.get("name") or attributes.get("property") or "").strip().lower()
                if key == "description":
                    self.description = self.description or " ".join(content.split())
                elif key == "og:description":
                    preview = preview or " ".join(content.split())
                elif key == "og:url":
                    self.addresses.append(resolve(content))
                elif key in ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"):
                    self.images.append(Link(content, resolve(content), 0, 0, key))
                elif (attributes.get("http-equiv") or "").lower() == "content-language":
                    self.language = self.language or content
            elif not self.title and not _inside_image(node):
                self.title = " ".join(node.text().split())
        self.description = self.description or preview


def _inside_image(node: LexborNode) -> bool:
    parent = node.parent
    return parent is not None and parent.tag in ("svg", "g", "symbol", "a", "use", "path", "defs")


def _declared_language(root: LexborNode, head: _Head) -> str:
    attributes = root.attributes
    for value in (attributes.get("lang"), attributes.get("xml:lang"), head.language.partition(",")[0]):
        match = _LANGUAGE.fullmatch(value or "")
        if match and match.group(1).lower() not in _NO_LANGUAGE:
            return match.group(1).lower()
    return ""


def _filled_by_scripts(tree: LexborHTMLParser, scripts: Scripts, visible: int) -> bool:
    """Whether scripts are there that would fill an empty page."""
    if not scripts.other:
        return False
    return not visible or scripts.mentions or tree.css_first(_APP_ROOT) is not None
