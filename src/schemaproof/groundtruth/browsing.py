"""The mistakes of a judge as one HTML page to browse: no script, no address fetched."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from schemaproof.groundtruth.judging import Measured, Mistake

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ddd;padding:.35rem .6rem;text-align:left;"
    "vertical-align:top}td.value{max-width:24rem;overflow-wrap:anywhere}.no{color:#a00}.yes{color:#060}"
    "summary{cursor:pointer}pre{white-space:pre-wrap;background:#f6f6f6;padding:.6rem}"
)


def mistakes_page(measured: Sequence[Measured], judge: str) -> str:
    """The page.

    Arguments:
        measured: the sets.
        judge: SPEC of the judge.
    """
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        f"<title>Mistakes of {escape(judge)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>Mistakes of {escape(judge)}</h1>"
    ]
    for each in measured:
        counted = each.counted
        parts.append(
            f"<h2>{escape(each.name)}</h2><p>{len(each.mistakes)} of {counted.n} wrong: {counted.fn} right statements "
            f"rejected, {counted.fp} wrong ones accepted.</p>"
        )
        if each.mistakes:
            parts.append(
                "<table><tr><th>statement</th><th>value</th><th>should be</th><th>the judge</th><th>text</th></tr>"
            )
            parts.extend(_row(mistake) for mistake in each.mistakes)
            parts.append("</table>")
    parts.append("</body></html>\n")
    return "".join(parts)


def _row(mistake: Mistake) -> str:
    row, verdict = mistake.row, mistake.verdict
    wanted = "<span class='yes'>accepted</span>" if row.label else "<span class='no'>rejected</span>"
    note = escape(" · ".join(part for part in (row.kind, row.reason) if part))
    said = (
        "no verdict" if verdict is None else f"{escape(verdict.rule)}: {escape(verdict.reason)} ({verdict.probability})"
    )
    shown = escape(row.text[:4000] or row.source or row.page)
    types = escape(", ".join(row.types) or "(no type)")
    return (
        f"<tr><td>{types}<br>{escape(row.property)}</td><td class='value'>{escape(str(row.value)[:400])}</td>"
        f"<td>{wanted}<br>{note}</td><td>{said}</td>"
        f"<td><details><summary>{escape(row.group[:12])}</summary><pre>{shown}</pre></details></td></tr>"
    )
