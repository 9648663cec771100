"""Figure 10 of the paper: how many sets have how many instances and properties, as text and as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from schemaproof.sampling.strata import FEATURES, Distribution
from schemaproof.wording import counted

Bar = tuple[str, int, str]


def bars(spread: Distribution, feature: str) -> list[Bar]:
    """The histogram of a feature: (label, number of sets, stratum of the bar's smallest value).

    Instances in powers of two, properties one by one up to 30.
    """
    counts: dict[int, int] = {}
    for value in spread.values(feature):
        key = value.bit_length() - 1 if feature == "instances" else min(value, 31)
        counts[key] = counts.get(key, 0) + 1
    found = []
    for key in range(min(counts, default=0), max(counts, default=-1) + 1):
        low = 1 << key if feature == "instances" else key
        label = (
            f"{low:,}" if feature == "instances" and key < 1 else f"{low:,}+" if feature == "instances" else str(key)
        )
        label = "31+" if feature == "properties" and key == 31 else label
        found.append((label, counts.get(key, 0), spread.stratum(feature, low)))
    return found


def text_chart(found: Sequence[Bar], width: int = 50) -> str:
    """The histogram as lines of text."""
    most = max((count for _, count, _ in found), default=0)
    label = max((len(name) for name, _, _ in found), default=0)
    return "\n".join(
        f"{name:>{label}}  {stratum:6}  {'█' * max(round(width * count / most), 1 if count else 0)} {count:,}"
        for name, count, stratum in found
    )


_COLOURS = {"low": "#9ecae1", "medium": "#4292c6", "high": "#084594"}


def svg(spread: Distribution) -> str:
    """Both histograms in one SVG file; the colour is the stratum."""
    parts = []
    height, bar, top = 220, 18, 40
    left = 60.0
    for feature in FEATURES:
        found = bars(spread, feature)
        most = max((count for _, count, _ in found), default=1)
        parts.append(f'<text x="{left}" y="20" font-weight="bold">Number of {feature} of a set</text>')
        for place, (name, count, stratum) in enumerate(found):
            size = (height - 20) * count / most
            x, y = left + place * (bar + 4), top + height - size
            parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{bar}" height="{size:.1f}" fill="{_COLOURS[stratum]}">'
                f"<title>{escape(name)}: {counted(count, 'set')}, {stratum}</title></rect>"
                f'<text x="{x + bar / 2:.1f}" y="{top + height + 8}" font-size="9" text-anchor="end" '
                f'transform="rotate(-60 {x + bar / 2:.1f} {top + height + 8})">{escape(name)}</text>'
            )
        parts.append(f'<text x="{left - 8}" y="{top + 24}" font-size="9" text-anchor="end">{most:,}</text>')
        left += max(len(found), 10) * (bar + 4) + 80
    for place, (name, colour) in enumerate(_COLOURS.items()):
        x = 60 + 90 * place
        parts.append(
            f'<rect x="{x}" y="{top + height + 55}" width="12" height="12" fill="{colour}"/>'
            f'<text x="{x + 18}" y="{top + height + 65}" font-size="11">{name}</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left:.0f}" height="{top + height + 80}" '
        f'font-family="sans-serif" font-size="13">{"".join(parts)}</svg>\n'
    )
