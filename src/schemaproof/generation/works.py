"""Creative works: who wrote them and when, who published them, what they are about; pages and sites among them."""

from __future__ import annotations

import re

from schemaproof.agents.compliance_names import is_language_code
from schemaproof.generation.keys import level
from schemaproof.agents.verdict import Evidence
from schemaproof.generation import facts
from schemaproof.generation.breadcrumbs import breadcrumb_list, breadcrumbs
from schemaproof.generation.draft import Draft, span, target
from schemaproof.generation.outline import Line
from schemaproof.generation.reading import Reading, is_prose
from schemaproof.generation.things import profiles
from schemaproof.generation.typed import looks_like_name, people, person_or_organization
from schemaproof.page.model import Kind, Link

_BYLINE = re.compile(
    r"^\W{0,3}(?:(?:written|posted|published|created|reviewed|story|words|text|article|report(?:ed)?)\s+)?"
    r"(?:by|von|par|por|di|door|av|af|от|автор|przez|yazan|scritto da|escrito por|écrit par|geschrieben von|ein artikel von|"
    r"文|著者|作者|筆者|執筆|بقلم|كتب|الكاتب)\s*[:：／/]?\s+(?P<name>\S.{1,70})",
    re.I,
)
_BYLINE_WIDE = re.compile(r"^\W{0,3}(?:文|著者|作者|筆者|執筆|取材)\s*[:：／/＝=]\s*(?P<name>\S.{1,30})")
_NAME_END = re.compile(
    r"\s*(?:[|·•–—,;/(\n\t]|\s-\s|\bon\b|\bam\b|\ble\b|\bel\b|\bil\b|\bop\b|\bin\b|\bem\b|\bupdated\b|\bpublished\b|\d|\bfor\b|"
    r"\blast\b|\bfollow\b|@)",
    re.I,
)
_AUTHOR_LINK = re.compile(
    r"/(?:authors?|autor(?:en|es|i)?|auteurs?|people|person|profile|contributors?|writers?|redakt\w+|staff|by|columnist\w*)/",
    re.I,
)
_NEAR = 14


def near_title(reading: Reading) -> list[Line]:
    """Short lines around the main heading, where bylines and dates stand: those after it first.

    After it they may go on until the running text has begun.
    """
    after: list[Line] = []
    paragraphs = 0
    for at, line in enumerate(reading.outline.body[:45]):
        if len(line.text) <= 220:
            after.append(line)
        if at >= _NEAR and is_prose(line):
            break
        if is_prose(line) and len(line.text) > 150:
            paragraphs += 1
            if paragraphs == 3:
                break
    before = [line for line in reading.outline.before[-5:] if len(line.text) <= 160 and not line.rank]
    return after + before


def write_work(reading: Reading, draft: Draft) -> None:
    """Write what creative works have in common."""
    authorship(reading, draft)
    publication(reading, draft)
    if draft.is_a("Article", "WebPage", "WebSite", "Course", "Recipe", "HowTo", "SocialMediaPosting"):
        publisher(reading, draft)
    if draft.is_a("Article", "SocialMediaPosting"):
        subtitle(reading, draft)
        body(reading, draft)
        section(reading, draft)
    if draft.is_a("WebPage", "WebSite", "Article"):
        language(reading, draft)
    if draft.is_a("Article", "SocialMediaPosting", "Recipe", "HowTo", "Course", "Event", "Product") and reading.address:
        draft.add("mainEntityOfPage", *reading.address)
    if draft.is_a("WebPage"):
        draft.add("breadcrumb", breadcrumb_list(reading, draft))
        draft.add("isPartOf", site_node(reading, draft))
    if draft.is_a("MediaObject"):
        medium(reading, draft)
    quoted(reading, draft)
    comments(reading, draft)


def authorship(reading: Reading, draft: Draft) -> None:
    """Write the author from the byline near the main heading."""
    if "author" in draft or not draft.allows("author") or draft.is_a("WebSite"):
        return
    for pair in reading.pairs:
        if pair.names[:1] == ("author",) and pair.strong and people(reading, draft, "author", pair.value, pair.start):
            return
    lines = near_title(reading)
    for line in lines:
        match = _BYLINE.match(line.text) or _BYLINE_WIDE.match(line.text)
        if match is None:
            continue
        start = match.start("name")
        name = match["name"]
        end = _NAME_END.search(name)
        link = next(reading.outline.links_in(line.start + start, line.start + start + 2), None)
        if link is not None and 2 <= link.end - link.start <= 60:
            name = reading.page.text[link.start : link.end].strip()
        elif end is not None:
            name = name[: end.start()]
        name = name.strip(" .")
        if name and looks_like_name(name) and name.count(" ") < 5 and _author(reading, draft, line.start + start, name):
            return
    for line in lines:
        for link in reading.outline.links_in(line.start, line.end):
            name = reading.page.text[link.start : link.end].strip()
            by_link = "author" in link.rel.split() or _AUTHOR_LINK.search(link.url)
            if by_link and looks_like_name(name) and " " in name and _author(reading, draft, link.start, name):
                return
    if draft.is_a("Article", "SocialMediaPosting", "Recipe", "HowTo"):
        _above_date(reading, draft, lines)


def _above_date(reading: Reading, draft: Draft, lines: list[Line]) -> None:
    """A line that is nothing but a person's name, right above a date of publication, is a byline."""
    for line, following in zip(lines, lines[1:], strict=False):
        if following.index != line.index + 1 or line.rank or not 1 <= line.text.count(" ") <= 3 or len(line.text) > 40:
            continue
        found = facts.dates(following.text, reading.language)
        words = line.text.split()
        named = all(word[0].isupper() and word[1:2].islower() for word in words if len(word) > 2)
        if found and _only_date(following, found[0]) and named and looks_like_name(line.text):
            _author(reading, draft, line.start, line.text)
            return


def _author(reading: Reading, draft: Draft, start: int, name: str) -> bool:
    start = reading.page.text.find(name, start)
    if start < 0:
        return False
    node = draft.new(person_or_organization(name))
    node.add("name", name, span(reading.page, start, start + len(name)))
    link = link_of(reading, start, start + len(name))
    if link is not None:
        node.add("url", reading.absolute(link), target(link))
    return draft.add("author", node)


def label_before(reading: Reading, text: str, end: int) -> tuple[str, ...]:
    """What the words right before an offset of a line name."""
    words = level(text[max(0, end - 40) : end]).split()
    for count in range(min(4, len(words)), 0, -1):
        names = reading.outline.lexicon.names(" ".join(words[-count:]))
        if names:
            return names
    return ()


def publication(reading: Reading, draft: Draft) -> None:
    """Write the dates of publication and change that stand near the main heading."""
    if draft.is_a(
        "WebSite", "Movie", "Book", "MusicRecording", "MusicAlbum", "TVSeries", "TVSeason", "Course", "Quotation"
    ):
        return
    published = (
        draft.first_allowed(("uploadDate",)) if draft.is_a("VideoObject") else draft.first_allowed(("datePublished",))
    )
    bare: tuple[str, Evidence] | None = None
    for line in near_title(reading):
        if line.rank and line is not reading.outline.title:
            continue
        for fact in facts.dates(line.text, reading.language):
            if len(str(fact.value)) < 10:
                continue
            names = label_before(reading, line.text, fact.start)
            evidence = span(reading.page, line.start + fact.start, line.start + fact.end)
            if "dateModified" in names:
                if "dateModified" not in draft:
                    draft.add("dateModified", fact.value, evidence)
            elif names and "datePublished" in names and published and published not in draft:
                draft.add(published, fact.value, evidence)
            elif (bare is None and _only_date(line, fact) and not names) or (bare is None and "author" in names):
                bare = str(fact.value), evidence
    if (
        bare is not None
        and published
        and published not in draft
        and draft.is_a("Article", "SocialMediaPosting", "Recipe", "HowTo", "VideoObject", "Review")
    ):
        modified = draft.literal("dateModified")
        if modified is None or str(modified)[:10] >= bare[0][:10]:
            draft.add(published, *bare)


def _only_date(line: Line, fact: facts.Fact) -> bool:
    """Whether a line is a date, or a date among the few words of a byline."""
    return len(line.text) - (fact.end - fact.start) <= 60


def publisher(reading: Reading, draft: Draft) -> None:
    """Write the site as the publisher."""
    if "publisher" in draft or reading.site is None:
        return
    node = draft.new("Organization")
    node.add("name", *reading.site)
    home, logo = reading.home, reading.logo
    if home is not None:
        node.add("url", reading.absolute(home), target(home))
    outer_profiles(reading, node)
    if logo is not None:
        image = draft.new("ImageObject")
        image.add("url", reading.absolute(logo), target(logo, Kind.IMAGE))
        node.add("logo", image)
    draft.add("publisher", node)


def outer_profiles(reading: Reading, node: Draft) -> None:
    """Write the links to profiles elsewhere that stand outside of the content: the site's own."""
    body = reading.outline.body
    if body:
        profiles(reading, node, anywhere=True, outside=(body[0].start, body[-1].end))


def site_node(reading: Reading, draft: Draft) -> Draft:
    """The site that a page is part of."""
    node = draft.new("WebSite")
    if reading.site is not None:
        node.add("name", *reading.site)
        if reading.home is not None:
            node.add("url", reading.absolute(reading.home), target(reading.home))
    return node


def subtitle(reading: Reading, draft: Draft) -> None:
    """Write a second heading that follows the main one at once."""
    lines = reading.outline.body
    title = reading.outline.title
    if (
        title is not None
        and lines
        and lines[0].index == title.index + 1
        and lines[0].rank == 2
        and 40 < len(lines[0].text) < 300
    ):
        draft.add("alternativeHeadline", lines[0].text, lines[0].evidence)


def body(reading: Reading, draft: Draft) -> None:
    """Write the running text of an article, from its first to its last paragraph."""
    first = max((line.index for line in near_title(reading) if _of_byline(reading, line)), default=-1)
    paragraphs = [line for line in reading.outline.body if line.index > first and is_prose(line)]
    if len(paragraphs) < 2:
        return
    start, end = paragraphs[0].start, paragraphs[-1].end
    own = sum(len(line.text) for line in paragraphs)
    between = [line for line in reading.outline.body if start <= line.start < end]
    whole = sum(len(line.text) for line in between)
    # Where much else stands between the paragraphs, what is there is no longer the text of the article.
    if own < 400 or own < 0.7 * whole or end - start > 1.25 * whole + 200 or end - start > 30000:
        return
    name = "articleBody" if draft.allows("articleBody") else "text"
    draft.add(name, reading.page.text[start:end], span(reading.page, start, end))


def _of_byline(reading: Reading, line: Line) -> bool:
    """Whether a short line is a byline or a date of publication, after which the text begins."""
    if len(line.text) > 120:
        return False
    return bool(_BYLINE.match(line.text)) or any(
        _only_date(line, fact) for fact in facts.dates(line.text, reading.language)
    )


def section(reading: Reading, draft: Draft) -> None:
    """Write the section: the last step of the breadcrumb before the page, or a linked kicker above the heading."""
    if "articleSection" in draft or not draft.allows("articleSection"):
        return
    title = reading.outline.title
    crumbs = breadcrumbs(reading)
    if len(crumbs) > 1:
        steps = crumbs[1:]
        if title is not None and level(steps[-1].text) == level(title.text):
            steps = steps[:-1]
        if steps and len(steps[-1].text) <= 40:
            draft.add("articleSection", steps[-1].text, steps[-1].evidence)
        return
    before = reading.outline.before
    if title is None or not before:
        return
    kicker = before[-1]
    if (
        kicker.index == title.index - 1
        and len(kicker.text) <= 30
        and kicker.region in ("main", "article", "header")
        and kicker.group < 0
    ):
        links = list(reading.outline.links_in(kicker.start, kicker.end))
        if (
            len(links) == 1
            and links[0].end - links[0].start == len(kicker.text)
            and "BREADCRUMB" not in reading.outline.lexicon.starting(level(kicker.text))
        ):
            draft.add("articleSection", kicker.text, kicker.evidence)


def language(reading: Reading, draft: Draft) -> None:
    """Write the language that the page is in, where it is sure."""
    code = reading.language
    if code and reading.page.language_source == "html" and is_language_code(code):
        draft.add("inLanguage", code, None)


_PLAYER = re.compile(
    r"youtube(?:-nocookie)?\.com/embed/|player\.vimeo\.com/video/|dailymotion\.com/embed|/embed/|player", re.I
)
_FILE = re.compile(r"\.(?:mp4|webm|mov|m4v|mp3|ogg|m4a|wav)(?:$|[?#])", re.I)


def medium(reading: Reading, draft: Draft) -> None:
    """Write where a recording is embedded, and its picture."""
    for image in reading.page.images:
        if image.rel == "iframe" and _PLAYER.search(image.url):
            draft.add("embedUrl", image.url, target(image, Kind.IMAGE))
            break
    for image in reading.page.images:
        if image.rel in ("video", "audio", "source") and _FILE.search(image.url):
            draft.add("contentUrl", image.url, target(image, Kind.IMAGE))
            break
    files = [link for link in reading.page.links if _FILE.search(link.url) and link.end > link.start]
    if "contentUrl" not in draft and len(files) == 1:
        draft.add("contentUrl", reading.absolute(files[0]), target(files[0]))
    if draft.is_a("VideoObject", "AudioObject"):
        for picture in reading.pictures[:1]:
            draft.add("thumbnailUrl", reading.absolute(picture), target(picture, Kind.IMAGE))


def quoted(reading: Reading, draft: Draft) -> None:
    """Write the text of a quotation and who said it."""
    if not draft.is_a("Quotation"):
        return
    said: Line | None = None
    title = reading.outline.title
    if title is not None and len(title.text) > 30:
        said = title
    else:
        for line in reading.outline.own:
            if line.tag == "blockquote" or (line.text[:1] in '«“„"”「' and len(line.text) > 15):
                said = line
                break
    if said is None:
        return
    draft.add("text", said.text, said.evidence)
    for line in reading.outline.lines[said.index + 1 : said.index + 4]:
        name = line.text.lstrip("-–—― ").strip()
        if len(name) < len(line.text) and looks_like_name(name):
            start = line.start + line.text.find(name)
            draft.add("creator", draft.named("Person", name, span(reading.page, start, start + len(name))))
            return


_COMMENT_COUNT = re.compile(
    r"^\W*(?P<count>\d[\d.,]*)\s+(?:comments?|kommentare?|commentaires?|comentarios?|commenti|commento|reacties|reactie|comentários?|"
    r"комментари\w+|komentarz\w*|yorum|kommentarer|komentář\w*|thoughts|replies|responses)\b|^コメント\s?[（(]?(?P<count2>\d+)",
    re.I,
)


def comments(reading: Reading, draft: Draft) -> None:
    """Write how many comments the page says there are."""
    if not draft.allows("commentCount") or not draft.is_a("Article", "SocialMediaPosting", "Recipe", "VideoObject"):
        return
    for line in reading.outline.body:
        match = _COMMENT_COUNT.match(line.text) if len(line.text) < 60 else None
        if match:
            group = "count" if match["count"] else "count2"
            digits = re.sub(r"\D", "", match[group])
            draft.add(
                "commentCount",
                int(digits),
                span(reading.page, line.start + match.start(group), line.start + match.end(group)),
            )
            return


_TAG_LINK = re.compile(
    r"/(?:tags?|etiquetas?|temas?|topics?|keywords?|thema|themen|schlagwort|sujet|mot-cle|labels?|etiket|tagi?|onderwerp)/",
    re.I,
)


def tags(reading: Reading, draft: Draft) -> None:
    """Write the keywords: links below or beside a label that says so, else links that are marked as tags."""
    if "keywords" in draft or not draft.allows("keywords"):
        return
    body = reading.outline.body
    for at, line in enumerate(body):
        if len(line.text) > 30 or "keywords" not in reading.outline.lexicon.names(level(line.text)):
            continue
        for following in body[at + 1 : at + 21]:
            link = next(reading.outline.links_in(following.start, following.start + 1), None)
            if link is None or link.end < following.end or len(following.text) > 50:
                break
            _keyword(reading, draft, following.start, following.text)
        if "keywords" in draft:
            return
    if not body:
        return
    found = [
        link
        for link in reading.outline.links_in(body[0].start, body[-1].end + 1)
        if "tag" in link.rel.split() or _TAG_LINK.search(link.href)
    ]
    for link in found[:20]:
        _keyword(reading, draft, link.start, reading.page.text[link.start : link.end])


def _keyword(reading: Reading, draft: Draft, start: int, text: str) -> None:
    word = text.strip().lstrip("#").strip(" ,")
    if 2 <= len(word) <= 50:
        start += text.find(word)
        draft.add("keywords", word, span(reading.page, start, start + len(word)))


def link_of(reading: Reading, start: int, end: int) -> Link | None:
    """The first web link in a span."""
    return next(
        (
            link
            for link in reading.outline.links_in(start, end)
            if link.href[:1] != "#" and reading.absolute(link).startswith(("http://", "https://"))
        ),
        None,
    )
