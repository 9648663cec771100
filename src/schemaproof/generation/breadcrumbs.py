"""Lists of links: the way from the site's first page to this one (breadcrumb), and what a page of entries lists."""

from __future__ import annotations

import re

from schemaproof.agents.verdict import Evidence
from schemaproof.generation.draft import Draft, span, target
from schemaproof.generation.keys import level
from schemaproof.generation.outline import Line
from schemaproof.generation.reading import Reading
from schemaproof.page.model import Link

_SEPARATOR = re.compile(r"\s*(?:[›»>/→❯▸|]|\s[-–—·•]\s|\s\\\s|\u203a|\u00bb|::)\s*")
_LONGEST = 90


class Crumb:
    """One step: its text, its evidence, its link or None."""

    __slots__ = ("evidence", "link", "text")

    def __init__(self, text: str, evidence: Evidence, link: Link | None) -> None:
        self.text = text
        self.evidence = evidence
        self.link = link


def breadcrumbs(reading: Reading) -> list[Crumb]:
    """The steps of the page's breadcrumb in order, the page itself last where it is shown; empty if there is none."""
    outline = reading.outline
    title = outline.title
    stop = title.number + 12 if title is not None else 60
    lines = [line for line in outline.lines[max(0, stop - 160) : stop] if line.region not in ("footer", "form")]
    groups: dict[int, list[Line]] = {}
    for line in lines:
        if line.group >= 0 and len(line.text) <= _LONGEST * 2:
            groups.setdefault(line.group, []).append(line)
    best: list[Crumb] = []
    for members in groups.values():
        if 2 <= len(members) <= 8:
            crumbs = [crumb for line in members for crumb in _item(reading, line)]
            if _is_way(reading, crumbs, separated=False):
                best = crumbs
    if not best:
        for line in lines:
            crumbs = _line(reading, line)
            if _is_way(reading, crumbs, separated=True):
                best = crumbs
                break
    if not best:
        best = _row(reading, lines)
    return best


def _link_of(reading: Reading, start: int, end: int) -> Link | None:
    return next((link for link in reading.outline.links_in(start, end) if link.end <= end + 1), None)


def _item(reading: Reading, line: Line) -> list[Crumb]:
    if len(list(reading.outline.links_in(line.start, line.end))) > 1:
        return _line(reading, line)
    text = _SEPARATOR.sub("", line.text) if len(line.text) < 3 else line.text.strip("›»>/→❯▸| \u00a0")
    if not text:
        return []
    start = line.start + line.text.find(text)
    link = _link_of(reading, start, start + len(text))
    return [Crumb(text, span(reading.page, start, start + len(text)), link)]


def _line(reading: Reading, line: Line) -> list[Crumb]:
    """The steps of one line, cut at its separators; a label such as "You are here:" is passed over."""
    text = line.text
    if len(text) > 300:
        return []
    at = 0
    colon = text.find(":")
    if 0 < colon < 24 and "BREADCRUMB" in reading.outline.lexicon.names(level(text[:colon])):
        at = colon + 1
    pieces: list[Crumb] = []
    for match in [*_SEPARATOR.finditer(text, at), None]:
        stop = match.start() if match else len(text)
        item = text[at:stop].strip()
        if item:
            start = line.start + at + text[at:stop].find(item)
            pieces.append(
                Crumb(item, span(reading.page, start, start + len(item)), _link_of(reading, start, start + len(item)))
            )
        at = match.end() if match else stop
    return pieces


def _row(reading: Reading, lines: list[Line]) -> list[Crumb]:
    """Steps that stand in neighbouring lines of one depth, home first and the page's title last."""
    title = reading.outline.title
    if title is None:
        return []
    key = level(title.text)
    for at, line in enumerate(lines):
        if line.number >= title.number or not _is_home(reading, line.text, _link_of(reading, line.start, line.end)):
            continue
        crumbs: list[Crumb] = []
        for following in lines[at : at + 12]:
            if following.number >= title.number and following is not title:
                break
            if len(following.text) > _LONGEST or following.rank:
                break
            if _SEPARATOR.fullmatch(following.text):
                continue
            crumbs += _item(reading, following)
            if level(following.text) == key and len(crumbs) > 1:
                return crumbs if _is_way(reading, crumbs, separated=False) else []
    return []


def _is_home(reading: Reading, text: str, link: Link | None) -> bool:
    if link is None:
        return False
    home = reading.home
    return "BREADCRUMB" in reading.outline.lexicon.names(level(text)) or (
        home is not None and link.url.rstrip("/") == home.url.rstrip("/")
    )


def _is_way(reading: Reading, crumbs: list[Crumb], *, separated: bool) -> bool:
    if not 2 <= len(crumbs) <= 8 or any(len(crumb.text) > _LONGEST for crumb in crumbs):
        return False
    linked = [crumb.link is not None for crumb in crumbs]
    if not all(linked[:-1]):
        return False
    title = reading.outline.title
    last = level(crumbs[-1].text)
    names_page = (
        title is not None
        and bool(last)
        and (level(title.text) == last or (len(last) > 8 and last in reading.outline.title_parts))
    )
    home = _is_home(reading, crumbs[0].text, crumbs[0].link)
    # A menu starts at home as well: the way must end at this page, or in plain text, or be drawn with separators.
    if names_page:
        return True
    addresses = {crumb.link.url.split("#")[0] for crumb in crumbs if crumb.link is not None}
    return home and len(addresses) >= len(crumbs) - 1 and (separated or not linked[-1])


def breadcrumb_list(reading: Reading, draft: Draft) -> Draft | None:
    """The page's breadcrumb as a BreadcrumbList, or None."""
    crumbs = breadcrumbs(reading)
    if not crumbs:
        return None
    node = draft.new("BreadcrumbList")
    write_items(reading, node, crumbs)
    return node


def write_items(reading: Reading, node: Draft, crumbs: list[Crumb]) -> None:
    """Write steps as the elements of a list."""
    for position, crumb in enumerate(crumbs, 1):
        item = node.new("ListItem")
        item.add("position", position, crumb.evidence)
        item.add("name", crumb.text, crumb.evidence)
        if crumb.link is not None:
            url = reading.absolute(crumb.link)
            if url.startswith(("http://", "https://")):
                item.add("item", url, target(crumb.link))
        node.add("itemListElement", item)


_FEWEST = 3
_MOST = 50


def listed_items(reading: Reading, draft: Draft) -> Draft | None:
    """What a page of entries lists, as an ItemList: headings that are links, else the longest list of links."""
    body = reading.outline.body
    headings = [line for line in body if line.rank and _whole_link(reading, line) is not None]
    chosen = headings
    if len(headings) < _FEWEST:
        groups: dict[int, list[Line]] = {}
        for line in body:
            if line.group >= 0 and line.tag == "li" and _whole_link(reading, line) is not None:
                groups.setdefault(line.group, []).append(line)
        chosen = max(groups.values(), key=len, default=[])
    if len(chosen) < _FEWEST:
        return None
    node = draft.new("ItemList")
    crumbs = [Crumb(line.text, line.evidence, _whole_link(reading, line)) for line in chosen[:_MOST]]
    write_items(reading, node, crumbs)
    return node


def _whole_link(reading: Reading, line: Line) -> Link | None:
    """The link that covers the whole of a line, or None."""
    for link in reading.outline.links_in(line.start - 1, line.start + 1):
        if link.start <= line.start and link.end >= line.end and link.href[:1] not in ("#", ""):
            return link
    return None
