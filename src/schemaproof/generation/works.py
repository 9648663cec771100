"""Creative works: who wrote them and when, who published them, what they are about; pages and sites among them."""

from __future__ import annotations

import re

from schemaproof.agents.compliance_names import is_language_code
from schemaproof.agents.verdict import Evidence
from schemaproof.generation.breadcrumbs import breadcrumb_list, breadcrumbs, listed_items
from schemaproof.generation.bylines import authorship, near_title, of_byline, publication
from schemaproof.generation.draft import Draft, span, target
from schemaproof.generation.entities import looks_like_name
from schemaproof.generation.keys import level
from schemaproof.generation.outline import Line
from schemaproof.generation.prose import is_prose
from schemaproof.generation.reading import Reading
from schemaproof.generation.things import profiles
from schemaproof.page.model import Kind

# What the labels of a page may say of the page itself, not of what it shows.
OF_PAGE = frozenset(
    (
        "author", "creator", "contributor", "editor", "datePublished", "dateModified", "dateCreated", "inLanguage",
        "keywords", "publisher", "lastReviewed", "reviewedBy", "copyrightHolder", "license", "version",
    )
)  # fmt: skip


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
    if draft.is_a("WebPage", "WebSite", "Article"):
        rights(reading, draft)
    if draft.is_a("CollectionPage", "SearchResultsPage"):
        items = listed_items(reading, draft)
        if items is not None:
            draft.add("mainEntity", items)
    if draft.is_a("MediaObject"):
        medium(reading, draft)
    quoted(reading, draft)
    comments(reading, draft)


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


def rights(reading: Reading, draft: Draft) -> None:
    """Write what the copyright line at the foot of the page says."""
    year, holder = reading.rights
    if year is not None:
        draft.add("copyrightYear", int(year[0]), year[1])
    if holder is not None:
        draft.add("copyrightHolder", draft.named("Organization", *holder))


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
        and lines[0].number == title.number + 1
        and lines[0].rank == 2
        and 40 < len(lines[0].text) < 300
    ):
        draft.add("alternativeHeadline", lines[0].text, lines[0].evidence)


def body(reading: Reading, draft: Draft) -> None:
    """Write the running text of an article, from its first to its last paragraph."""
    first = max((line.number for line in near_title(reading) if of_byline(reading, line)), default=-1)
    paragraphs = [line for line in reading.outline.body if line.number > first and is_prose(line)]
    if len(paragraphs) < 2:
        return
    while len(paragraphs) > 2 and len(paragraphs[0].text) < 90:
        paragraphs.pop(0)  # captions and hints before the text
    start, end = paragraphs[0].start, paragraphs[-1].end
    own = sum(len(line.text) for line in paragraphs)
    between = [line for line in reading.outline.body if start <= line.start < end]
    whole = sum(len(line.text) for line in between)
    # Where much else stands between the paragraphs, what is there is no longer the text of the article.
    if own < 400 or own < 0.7 * whole or end - start > 1.25 * whole + 200 or end - start > 30000:
        return
    name = "articleBody" if draft.allows("articleBody") else "text"
    draft.add(name, reading.page.text[start:end], span(reading.page, start, end))


def section(reading: Reading, draft: Draft) -> None:
    """Write the section: the last step of the breadcrumb before the page, or a linked kicker above the heading."""
    if "articleSection" in draft or not draft.allows("articleSection"):
        return
    title = reading.outline.title
    crumbs = breadcrumbs(reading)
    if len(crumbs) > 1:
        steps = crumbs[1:]
        if steps[-1].link is None or (title is not None and level(steps[-1].text) == level(title.text)):
            steps = steps[:-1]  # the page itself
        if steps and len(steps[-1].text) <= 40:
            draft.add("articleSection", steps[-1].text, steps[-1].evidence)
        return
    before = reading.outline.before
    if title is None or not before:
        return
    kicker = before[-1]
    if (
        kicker.number == title.number - 1
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
        draft.add("inLanguage", code, Evidence(-1, -1, code, Kind.META))


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
    for line in reading.outline.lines[said.number + 1 : said.number + 4]:
        name = line.text.lstrip("-–—― ").strip()
        if len(name) < len(line.text) and looks_like_name(name):
            start = line.start + line.text.find(name)
            draft.add("creator", draft.named("Person", name, span(reading.page, start, start + len(name))))
            return


_COMMENT_COUNT = re.compile(
    r"^\W*(?P<count>\d[\d.,]*)\s+(?:comments?|kommentare?|commentaires?|comentarios?|commenti|commento|reacties|"
    r"reactie|comentários?|"
    r"комментари\w+|komentarz\w*|yorum|kommentarer|komentář\w*|thoughts|replies|responses)\b|"
    r"^コメント\s?[（(]?(?P<count2>\d+)",
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
    r"/(?:tags?|etiquetas?|temas?|topics?|keywords?|thema|themen|schlagwort|sujet|mot-cle|labels?|etiket|tagi?|"
    r"onderwerp)/",
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
