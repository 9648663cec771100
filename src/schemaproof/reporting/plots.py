"""The report's plots as inline SVG: no style attribute (the Content-Security-Policy forbids them), colours by class."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from schemaproof.pipeline.result import STAGES
from schemaproof.reporting.collection import Collection
from schemaproof.reporting.summaries import chunks_of
from schemaproof.reporting.table import inert, show

Pair = tuple[str, str]


def plots(found: Collection) -> dict[str, list[str]]:
    """Figures by the part of the report they stand in; one that has nothing to show is left out."""
    drawn = {
        "summary": [funnel(found), *(draw(found, pair) for pair in found.pairs for draw in (scatter, lead))],
        "groups": [part for pair in found.pairs for part in (lengths(found, pair), chunk_lines(found, pair))],
        "objections": [objections(found), fates(found)],
        "judges": [certainty(found, agent) for agent in ("factuality", "compliance")],
    }
    return {key: [each for each in figures if each] for key, figures in drawn.items()}


def _figure(svg: str, width: int, height: int, title: str, caption: str, key: str = "", kind: str = "") -> str:
    shown = f' class="{kind}"' if kind else ""
    return (
        f"<figure{shown}><h3>{inert(title)}</h3>{key}"
        f'<svg class="plot" viewBox="0 0 {width} {height}" role="group" aria-label="{inert(title)}">{svg}</svg>'
        f"<figcaption>{inert(caption)}</figcaption></figure>"
    )


def _key(entries: Iterable[tuple[str, str]]) -> str:
    return (
        '<ul class="key">'
        + "".join(f'<li><i class="{name}"></i>{inert(label)}</li>' for name, label in entries)
        + "</ul>"
    )


def _contender_key(found: Collection, names: Sequence[str]) -> str:
    return _key((f"b{found.names.index(name) % 6}", name) for name in names)


def _text(x: float, y: float, text: str, name: str = "", anchor: str = "start") -> str:
    shown = f' class="{name}"' if name else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{shown}>{inert(text)}</text>'


def _bar(x: float, y: float, width: float, height: float, name: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}" class="{name}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, name: str = "axis") -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{name}"/>'


def shortened(text: str, length: int) -> str:
    """Text of at most so many characters."""
    return text if len(text) <= length else text[: length - 1] + "…"


def funnel(found: Collection) -> str:
    """Statements left after each agent, a bar each."""
    entries = found.totals["contenders"]
    most = max((entry["input"] for entry in entries.values()), default=0)
    if not most:
        return ""
    out, y, left, wide = [], 6.0, 92, 330
    for number, (name, entry) in enumerate(entries.items()):
        out.append(_text(0, y + 10, shortened(name, 40), "soft"))
        y += 18
        for stage in STAGES[:4]:
            out.append(_text(left - 8, y + 12, stage, "", "end"))
            out.append(_bar(left, y, wide, 16, "ground"))
            out.append(_bar(left, y, wide * entry[stage] / most, 16, f"f{number % 6}"))
            out.append(_text(left + wide + 8, y + 12, show(entry[stage], "count")))
            y += 20
        y += 10
    title = "What each agent left"
    return _figure("".join(out), 480, int(y), title, "Statements of each contender after each of the three agents.")


def scatter(found: Collection, pair: Pair) -> str:
    """Both scores of a pair, a dot a unit that leads to its page."""
    a, b = pair
    rows = [(unit.page, *unit.scores[pair]) for unit in found.units if pair in unit.scores]
    if not rows:
        return ""
    side, left, top = 370.0, 54.0, 8.0
    out = [f'<rect x="{left}" y="{top}" width="{side}" height="{side}" class="ground"/>']
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y = left + tick * side, top + side - tick * side
        out += [_line(x, top, x, top + side, "grid"), _line(left, y, left + side, y, "grid")]
        out += [
            _text(x, top + side + 16, f"{tick:g}", "soft", "middle"),
            _text(left - 7, y + 4, f"{tick:g}", "soft", "end"),
        ]
    out.append(_line(left, top + side, left + side, top, "diagonal"))
    out.append(_text(left + side / 2, top + side + 34, f"MeMR of {shortened(a, 30)}", "", "middle"))
    middle = top + side / 2
    out.append(
        f'<text transform="translate(12 {middle:.1f}) rotate(-90)" text-anchor="middle">'
        f"{inert('MeMR of ' + shortened(b, 30))}</text>"
    )
    stacked = Counter((round(x, 3), round(y, 3)) for _, x, y in rows)
    seen: Counter[tuple[float, float]] = Counter()
    ahead = found.names.index(b) % 6
    behind = found.names.index(a) % 6
    for page, x, y in rows:
        place = (round(x, 3), round(y, 3))
        seen[place] += 1
        # Dots on one place are set around it, so that each can be seen and chosen.
        turn = 2.399963 * seen[place]
        radius = 0.0 if stacked[place] == 1 else min(14.0, 1.7 * math.sqrt(seen[place]))
        cx = min(left + side, max(left, left + x * side + radius * math.cos(turn)))
        cy = min(top + side, max(top, top + side - y * side + radius * math.sin(turn)))
        name = f"f{behind}" if x > y else f"f{ahead}" if y > x else "below"
        label = f"{shortened(found.pages[page].title or found.pages[page].name, 60)}: {x:.2f} to {y:.2f}"
        out.append(
            f'<a href="#page-{page}"><circle cx="{cx:.1f}" cy="{cy:.1f}" r="4" class="dot {name}"/>'
            f"<title>{inert(label)}</title></a>"
        )
    caption = f"Each dot is one unit and leads to its page. Above the diagonal {b} covers more, below it {a}."
    key = _contender_key(found, pair)
    return _figure("".join(out), 470, 418, f"Unit by unit: {a} and {b}", caption, key, "tall")


def lead(found: Collection, pair: Pair) -> str:
    """By how much each side leads, unit by unit in order."""
    gaps = sorted(
        (unit.scores[pair][0] - unit.scores[pair][1] for unit in found.units if pair in unit.scores), reverse=True
    )
    if len(gaps) < 2:
        return ""
    left, top, wide, tall = 40.0, 8.0, 420.0, 150.0
    middle = top + tall / 2
    out = [f'<rect x="{left}" y="{top}" width="{wide}" height="{tall}" class="ground"/>']
    for tick in (1, 0, -1):
        y = middle - tick * tall / 2
        out += [
            _line(left, y, left + wide, y, "grid"),
            _text(left - 7, y + 4, f"{tick:+d}" if tick else "0", "soft", "end"),
        ]
    step = wide / len(gaps)
    for number, gap in enumerate(gaps):
        high = abs(gap) * tall / 2
        name = f"f{found.names.index(pair[0] if gap > 0 else pair[1]) % 6}"
        if high:
            out.append(_bar(left + number * step, middle - high if gap > 0 else middle, step * 0.82, high, name))
    out.append(_line(left, middle, left + wide, middle, "axis"))
    more, less = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    caption = (
        f"MeMR of {pair[0]} less that of {pair[1]}, one bar a unit, in order: {pair[0]} leads on {more}, "
        f"{pair[1]} on {less}, {len(gaps) - more - less} are even."
    )
    return _figure("".join(out), 470, 166, "By how much one leads", caption, _contender_key(found, pair))


def length_ticks(least: int, most: int) -> list[int]:
    """Round numbers for a logarithmic axis: powers of ten, where those are few 1, 2 and 5 of each, else even steps.

    Arguments:
        least, most: ends of the axis, 1 <= least < most.

    Returns: three to eight numbers from least to most, both ends where only these two are there.
    """
    powers = [10**power for power in range(len(str(least)) - 1, len(str(most)) + 1)]
    for listed in (powers, [digit * power for power in powers for digit in (1, 2, 5)]):
        within = [tick for tick in listed if least <= tick <= most]
        if 3 <= len(within) <= 8:
            return within
    # Narrower than the 1, 2 and 5 of one power: the widest even steps that fit three times.
    for power in (10**place for place in reversed(range(len(str(most))))):
        for digit in (5, 2, 1):
            step = digit * power
            within = list(range(-(-least // step) * step, most + 1, step))
            if len(within) >= 3:
                return within
    return list(range(least, most + 1))


def lengths(found: Collection, pair: Pair) -> str:
    """Scores against the length of the page's text."""
    rows = [
        (max(1, found.pages[unit.page].tokens), side, score)
        for unit in found.units
        if pair in unit.scores
        for side, score in enumerate(unit.scores[pair])
    ]
    if len({row[0] for row in rows}) < 2:
        return ""
    least, most = min(row[0] for row in rows), max(row[0] for row in rows)
    low, high = math.log10(least), math.log10(most)
    left, top, wide, tall = 40.0, 8.0, 420.0, 220.0
    out = [f'<rect x="{left}" y="{top}" width="{wide}" height="{tall}" class="ground"/>']
    for tick in (0.0, 0.5, 1.0):
        y = top + tall * (1 - tick)
        out += [_line(left, y, left + wide, y, "grid"), _text(left - 7, y + 4, f"{tick:g}", "soft", "end")]
    for tick in length_ticks(least, most):
        x = left + wide * (math.log10(tick) - low) / (high - low)
        out += [
            _line(x, top, x, top + tall, "grid"),
            _text(x, top + tall + 16, show(tick, "count"), "soft", "middle"),
        ]
    for tokens, side, score in rows:
        x = left + wide * (math.log10(tokens) - low) / (high - low)
        name = f"f{found.names.index(pair[side]) % 6}"
        out.append(f'<circle cx="{x:.1f}" cy="{top + tall * (1 - score):.1f}" r="3" class="dot {name}"/>')
    out.append(_text(left + wide / 2, top + tall + 34, "tokens of the page’s text", "", "middle"))
    caption = "MeMR of each unit by length of its page, on a logarithmic scale."
    return _figure("".join(out), 470, 268, "Score against page length", caption, _contender_key(found, pair))


def chunk_lines(found: Collection, pair: Pair) -> str:
    """Mean score by number of chunks (paper, Figure 11)."""
    groups: dict[int, list[tuple[float, float]]] = {}
    for unit in found.units:
        if pair in unit.scores:
            groups.setdefault(chunks_of(found.pages[unit.page].tokens), []).append(unit.scores[pair])
    if len(groups) < 2:
        return ""
    left, top, wide, tall = 40.0, 8.0, 420.0, 220.0
    last = max(groups)
    out = [f'<rect x="{left}" y="{top}" width="{wide}" height="{tall}" class="ground"/>']
    for tick in (0.0, 0.5, 1.0):
        y = top + tall * (1 - tick)
        out += [_line(left, y, left + wide, y, "grid"), _text(left - 7, y + 4, f"{tick:g}", "soft", "end")]

    def place(number: int) -> float:
        return left + 20 + (wide - 40) * (number - 1) / max(1, last - 1)

    for number in sorted(groups):
        out.append(_text(place(number), top + tall + 16, f"{number} ({len(groups[number])})", "soft", "middle"))
    for side, name in enumerate(pair):
        colour = found.names.index(name) % 6
        points = []
        for number in sorted(groups):
            scores = [row[side] for row in groups[number]]
            points.append((place(number), top + tall * (1 - math.fsum(scores) / len(scores))))
        out.append(f'<polyline class="line s{colour}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" class="f{colour}"/>' for x, y in points]
    out.append(_text(left + wide / 2, top + tall + 34, "chunks of the page’s text (units)", "", "middle"))
    caption = "Mean MeMR by number of chunks; the t-test stands under the table."
    return _figure("".join(out), 470, 268, "Score by number of chunks", caption, _contender_key(found, pair))


def objections(found: Collection) -> str:
    """The rules that objected most, a bar a contender."""
    groups: dict[tuple[str, str], Counter[str]] = {}
    for (name, agent, decision, rule, _), number in found.decisions.items():
        if agent and decision in ("reject", "unclear"):
            groups.setdefault((agent, rule), Counter())[name] += number
    top = sorted(groups.items(), key=lambda item: (-item[1].total(), item[0]))[:14]
    if not top:
        return ""
    most = max(max(numbers.values()) for _, numbers in top)
    out, y, left, wide = [], 4.0, 205, 215
    high = max(6, min(14, 26 // max(1, len(found.names))))
    for (agent, rule), numbers in top:
        drawn = [(number, name) for number, name in enumerate(found.names) if numbers[name]]
        out.append(_text(left - 8, y + high * len(drawn) / 2 + 4, shortened(rule or agent, 30), "", "end"))
        for number, name in drawn:
            out.append(_bar(left, y, wide * numbers[name] / most, high - 1, f"f{number % 6}"))
            if numbers[name]:
                out.append(
                    _text(left + wide * numbers[name] / most + 5, y + high - 2, show(numbers[name], "count"), "soft")
                )
            y += high
        y += 8
    key = _contender_key(found, found.names)
    return _figure(
        "".join(out), 470, int(y) + 4, "Rules that objected most", "Statements rejected or left unclear.", key
    )


def fates(found: Collection) -> str:
    """What became of the statements of the most frequent properties, all contenders together."""
    groups: dict[str, Counter[str]] = {}
    for (_, name, outcome), number in found.properties.items():
        groups.setdefault(name, Counter())[outcome] += number
    top = sorted(groups.items(), key=lambda item: (-(item[1].total() - item[1]["kept"]), item[0]))[:16]
    top = [item for item in top if item[1].total() > item[1]["kept"]]
    if not top:
        return ""
    out, y, left, wide = [], 4.0, 205, 215
    shades = (
        ("kept", "kept"), ("contradicted", "reject"), ("unsupported", "reject pale"), ("validity", "f3"),
        ("compliance", "f5"), ("unclear", "unclear"), ("below", "below"),
    )  # fmt: skip
    for name, numbers in top:
        out.append(_text(left - 8, y + 13, shortened(name, 30), "", "end"))
        x, total = float(left), numbers.total()
        for outcome, shade in shades:
            step = wide * numbers[outcome] / total
            if step:
                out.append(_bar(x, y, step, 16, shade))
                x += step
        out.append(_text(left + wide + 6, y + 13, show(total, "count"), "soft"))
        y += 22
    key = _key(
        [("bk", "kept"), ("br", "contradicted"), ("bp", "unsupported"), ("b3", "not valid"), ("b5", "not compliant"),
         ("bb", "with a rejected entity")]
    )  # fmt: skip
    caption = "The properties with most rejected statements; the number is that of all their statements."
    return _figure("".join(out), 470, int(y) + 4, "What became of each property", caption, key)


def certainty(found: Collection, agent: str) -> str:
    """How many statements a judge gave each probability."""
    bins = {name: found.probabilities.get((agent, name), [0] * 10) for name in ("reject", "unclear", "keep")}
    totals = [sum(each[place] for each in bins.values()) for place in range(10)]
    if not sum(totals):
        return ""
    left, top, wide, tall = 46.0, 8.0, 410.0, 170.0
    most = max(totals)
    out = [f'<rect x="{left}" y="{top}" width="{wide}" height="{tall}" class="ground"/>']
    for share in (0.5, 1.0):
        y = top + tall * (1 - share)
        out += [
            _line(left, y, left + wide, y, "grid"),
            _text(left - 7, y + 4, show(round(most * share), "count"), "soft", "end"),
        ]
    for place in range(10):
        x, y = left + wide * place / 10 + 3, top + tall
        for name, shade in (("reject", "reject"), ("unclear", "unclear"), ("keep", "kept")):
            step = tall * bins[name][place] / most
            y -= step
            if step:
                out.append(_bar(x, y, wide / 10 - 6, step, shade))
        out.append(_text(left + wide * place / 10, top + tall + 16, f"{place / 10:g}", "soft", "middle"))
    out.append(_text(left + wide, top + tall + 16, "1", "soft", "middle"))
    out.append(_text(left + wide / 2, top + tall + 34, "probability that the statement is right", "", "middle"))
    key = _key([("bk", "kept"), ("br", "rejected"), ("bu", "unclear")])
    caption = "Statements by the probability that the judge gave; what lies near 0.5 is what it was least sure of."
    return _figure("".join(out), 470, 218, f"How sure the {agent} judge was", caption, key)
