"""The report as one HTML file that asks nothing of the network and runs nothing that a page or a model wrote.

Tables and plots are written here, escaped. What the page view shows travels compressed and becomes text nodes in the
reader's browser. A Content-Security-Policy names the one script and the one style sheet by their hashes and forbids
everything else.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Sequence
from importlib.resources import files

from schemaproof.reporting.collection import Collection
from schemaproof.reporting.plots import plots
from schemaproof.reporting.table import Table, as_html, inert, show
from schemaproof.wording import counted

# Rows of a table that are shown at once; the rest opens on demand.
ROWS = 12


def asset(name: str) -> str:
    """A file of the folder `assets`."""
    return (files("schemaproof.reporting") / "assets" / name).read_text(encoding="utf-8")


def hashed(text: str) -> str:
    """The hash of an inline script or style sheet as a Content-Security-Policy names it (W3C CSP 3, section 2.3.1)."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def policy(script: str, style: str) -> str:
    """A Content-Security-Policy that lets this one script and this one style sheet run, and nothing be fetched."""
    return (
        f"default-src 'none'; script-src '{hashed(script)}'; style-src '{hashed(style)}'; base-uri 'none'; "
        "form-action 'none'"
    )


def packed(data: bytes) -> str:
    """Bytes as text that cannot end a script element."""
    return base64.b64encode(data).decode()


def index_of(found: Collection) -> dict[str, object]:
    """What the list of pages and the filters need, names told once and pointed at by number."""
    names: dict[str, dict[str, int]] = {key: {} for key in ("outcomes", "rules", "properties")}

    def number(kind: str, name: str) -> int:
        return names[kind].setdefault(name, len(names[kind]))

    contenders = list(found.names)
    lines: dict[int, str] = {}
    for unit in found.units:
        for (a, b), (first, second) in unit.scores.items():
            lines.setdefault(unit.page, f"{a} {show(first, 'score')} : {show(second, 'score')} {b}")
    pages = []
    for place, page in enumerate(found.pages):
        facets = [
            [contenders.index(name), number("outcomes", outcome), number("rules", rule), number("properties", key), n]
            for (name, outcome, rule, key), n in sorted(page.facets.items())
            if name in contenders
        ]
        pages.append(
            {
                "name": page.name,
                "title": page.title,
                "url": page.url,
                "language": page.language,
                "tokens": page.tokens,
                "error": page.error,
                "line": lines.get(place, "nothing to compare"),
                "facets": facets,
            }
        )
    return {"contenders": contenders, **{key: list(value) for key, value in names.items()}, "pages": pages}


def lede(found: Collection) -> str:
    """The result in two or three sentences."""
    totals = found.totals
    parts = [f"<strong>{counted(totals['pages'], 'page')}</strong>, {counted(totals['units'], 'unit')}."]
    for pair in totals["memr"]:
        if pair["a_score"] is None:
            continue
        first, second = (pair["a"], pair["b"]) if pair["a_score"] >= pair["b_score"] else (pair["b"], pair["a"])
        high, low = sorted((pair["a_score"], pair["b_score"]), reverse=True)
        apart = pair["interval"] is not None and (pair["interval"][0] > 0 or pair["interval"][1] < 0)
        # The interval of very few pages is narrow by accident; the exchange of pages knows how few they are.
        clear = apart and pair["p"] is not None and pair["p"] < 0.05
        if high == low:
            parts.append(f"{inert(first)} and {inert(second)} cover equally much ({show(high, 'score')}).")
        elif clear:
            parts.append(
                f"<strong>{inert(first)}</strong> covers more than {inert(second)}: MeMR {show(high, 'score')} against "
                f"{show(low, 'score')}."
            )
        else:
            parts.append(
                f"No clear difference between {inert(first)} ({show(high, 'score')}) and {inert(second)} "
                f"({show(low, 'score')}) in what they cover."
            )
    rates = [
        f"{show(entry['rejection_rate'], 'share')} of {inert(name)}"
        for name, entry in totals["contenders"].items()
        if entry["rejection_rate"] is not None
    ]
    if rates:
        parts.append(f"Rejected: {', '.join(rates)}.")
    return " ".join(parts)


def _options(label: str, name: str, extra: str = "") -> str:
    return f'<label>{label}<select id="f-{name}"><option value="">all</option>{extra}</select></label>'


OUTCOMES = (
    ("keep", "kept"), ("reject", "rejected"), ("reject validity", "rejected by validity"),
    ("reject factuality", "rejected by factuality"), ("reject compliance", "rejected by compliance"),
    ("unclear", "unclear"), ("below", "gone with a rejected entity"),
)  # fmt: skip


def browser(found: Collection) -> str:
    """The page-by-page view: filters, list, and the compressed data that the script reads."""
    outcomes = "".join(f'<option value="{value}">{label}</option>' for value, label in OUTCOMES)
    scripts = [
        f'<script type="text/plain" id="page-{number}">{packed(page.packed)}</script>'
        for number, page in enumerate(found.pages)
    ]
    index = zlib.compress(json.dumps(index_of(found), separators=(",", ":")).encode(), 9)
    filters = (
        '<label>Find a page<input id="f-words" type="search" autocomplete="off"></label>'
        + _options("Contender", "contender")
        + _options("Outcome", "outcome", outcomes)
        + _options("Rule", "rule")
        + _options("Property", "property")
        + '<button type="button" id="f-clear">Clear</button><output id="f-told" role="status"></output>'
    )
    return (
        '<section class="part" id="pages"><h2>Page by page</h2>'
        "<p>Each contender’s statements as they stand in its markup. Point at one to see its evidence in the page’s "
        "text; choose it for every agent’s verdict and reason.</p>"
        '<p id="failed" class="empty" hidden></p><noscript><p>This part needs JavaScript; all figures above do '
        "not.</p></noscript>"
        f'<div id="browser" hidden><form class="filters" aria-label="Filters">{filters}</form>'
        '<div class="browse"><ul class="list" id="list" aria-label="Pages"></ul>'
        '<article class="page" id="view" aria-busy="true" aria-label="Chosen page"></article></div></div>'
        f'<script type="text/plain" id="index">{packed(index)}</script>{"".join(scripts)}</section>'
    )


PARTS = (
    ("summary", "Summary", "", ("stages", "memr")),
    (
        "groups",
        "Where the difference lies",
        "The same figures for parts of the sample. A difference whose interval spans zero is no difference yet.",
        ("strata", "instances", "properties-of-page", "languages", "types", "sizes", "chunks", "length"),
    ),
    (
        "objections",
        "What was rejected, and why",
        "The first agent that objected to a statement is the one it is counted under.",
        ("rules", "properties", "subject-types", "missed-types"),
    ),
    (
        "judges",
        "How far the judges can be trusted",
        "A verdict is no better than its judge. A judge’s own figures come from `schemaproof bench judges`.",
        ("reliability", "certainty", "failures"),
    ),
)


def report_html(
    found: Collection, tables: Sequence[Table], *, title: str, changes: Sequence[Table] = (), others: str = ""
) -> str:
    """The report.

    Arguments:
        found: what was collected, pages packed.
        tables: see `summaries.all_tables`.
        title: its heading.
        changes: tables of the comparison with another run, or none.
        others: what is said of pages that are not in it, or "".
    """
    style, script = asset("report.css"), asset("report.js")
    drawn = plots(found)
    parts, links = [], []
    groups: list[tuple[str, str, str, Iterable[Table]]] = [
        (key, label, text, [table for name in names for table in tables if table.name == name])
        for key, label, text, names in PARTS
    ]
    if changes:
        groups.insert(1, ("changes", "What changed", "This run against the one it is compared with.", changes))
    for key, label, text, chosen in groups:
        figures = "".join(drawn.get(key, ()))
        body = "".join(as_html(table, limit=ROWS) for table in chosen)
        if not figures and not body:
            continue
        intro = f"<p>{inert(text)}</p>" if text else ""
        shown = f'<div class="figures">{figures}</div>' if figures else ""
        parts.append(f'<section class="part" id="{key}"><h2>{inert(label)}</h2>{intro}{shown}{body}</section>')
        links.append(f'<a href="#{key}">{inert(label)}</a>')
    links.append('<a href="#pages">Page by page</a>')
    left_out = f'<p class="note">{inert(others)}</p>' if others else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(script, style)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">'
        f"<title>{inert(title)}</title><style>{style}</style></head><body>"
        '<a class="skip" href="#pages">Skip to the pages</a>'
        f'<header class="top"><p class="eyebrow">schemaproof report</p><h1>{inert(title)}</h1>'
        f'<p class="lede">{lede(found)}</p>{left_out}</header>'
        f'<div class="bar"><nav aria-label="Parts of the report">{"".join(links)}'
        '<button type="button" id="theme" class="theme">Theme</button></nav></div>'
        f"<main>{''.join(parts)}{browser(found)}</main>"
        f'<footer><p class="signature">{inert(found.signature)}</p>'
        f'<p class="signature">{inert(found.totals["statistics"])}</p></footer>'
        f"<script>{script}</script></body></html>\n"
    )
