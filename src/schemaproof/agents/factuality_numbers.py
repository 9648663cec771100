"""Numbers: found in any spelling, believed only where something says what they are."""

from __future__ import annotations

import re

from schemaproof.agents.grounding.binding import Binding, bind
from schemaproof.agents.grounding.claim import Claim
from schemaproof.agents.grounding.numbers import key, number_of
from schemaproof.agents.grounding.outcome import Outcome, Span
from schemaproof.agents.grounding.owner import given_to_another
from schemaproof.agents.grounding.prepared import Prepared

_CODES = (
    "aed|afn|all|amd|ars|aud|azn|bam|bdt|bgn|bhd|bob|brl|byn|cad|chf|clp|cny|cop|crc|czk|dkk|dop|dzd|egp|eur|gbp|gel|"
    "ghs|hkd|hrk|huf|idr|ils|inr|irr|isk|jod|jpy|kes|krw|kwd|kzt|lbp|lkr|mad|mdl|mkd|mxn|myr|ngn|nok|nzd|omr|pen|php|pkr|"
    "pln|qar|ron|rsd|rub|sar|sek|sgd|thb|tnd|try|twd|uah|usd|uyu|vnd|zar"
)
_SIGNS = "$€£¥₹₽₩₺₫₴฿₪₱₦₸৳"
_MONEY_BEFORE = re.compile(
    rf"(?:[{_SIGNS}]|(?<![^\W\d_])(?:{_CODES}|[a-z]{{1,2}}\$|rs|kr|kc|zl|fr|r|rp|rm|lei|euro))\.? ?$"
)
_MONEY_AFTER = re.compile(
    rf"^(?:[.,]?[-–]{{1,2}})?\s?(?:[{_SIGNS}円元원]|(?:{_CODES}|kr|kc|zl|руб|лв|грн|tl|euros?|dollars?|pounds?|"
    r"dkr|р|đ|ft|lei|تومان|ريال|درهم|جنيه|บาท)(?![^\W\d_]))|^[.,]-"
)
_STARS_AFTER = re.compile(
    r"^ ?(?:/ ?(?:5|10|100|6|20)\b|out of|von \d|sur \d|su \d|de \d|van \d|av \d|из \d|stars?\b|-star|sterne|etoiles|"
    r"estrellas|stelle|sterren|★|⭐|☆)"
)
_SCALE_AFTER = re.compile(r"^ ?/ ?\d|^ (?:out of|von|sur|su|de|van|av|из) \d")
_SCALE_BEFORE = re.compile(r"(?:\d ?/ ?|(?:\d|stars?|sterne[n]?) (?:out of|of|von|sur|su|de|van|av|из) )$")

_THOUSANDS = re.compile(r"[.,]\d{3}$")
_NUMBERED = frozenset(("episodeNumber", "trackNumber", "seasonNumber", "issueNumber", "volumeNumber"))


def judge_number(claim: Claim, prepared: Prepared) -> Outcome:
    """A number: found as such, never as part of another, and bound by a label or an unmistakable form."""
    value = number_of(claim.value)
    if value is None:
        value = number_of(claim.text)
    if value is None:
        return Outcome(0.1, "number-unreadable", f"{claim.text!r} is no number")
    if claim.name == "position":
        return _judge_position(claim, prepared, value)
    spans = prepared.numbers.get(key(value), [])
    shown = _shown(value)
    if not spans and claim.concepts and claim.concepts[0] in ("release", "founded") and 1000 <= value <= 2999:
        spans = [(one.start, one.end) for one in prepared.dates if one.year == value]
    if not spans:
        return _absent(claim, prepared, shown)
    best, place, found = _best(claim, prepared, spans, value)
    if best >= 0.5 and found.own < 0.5 and {"price", "salary"} & set(claim.concepts):
        money = prepared.amounts(is_money)
        other = given_to_another(prepared, claim.owner, spans, money, ("amount", (value, spans[0])))
        if other is not None:
            given = prepared.written(*other)
            return Outcome(
                0.2, "number-of-another", f"{shown} is given to another; beside the name stands {given!r}",
                contradicted=True, spans=(other, place),
            )  # fmt: skip
    if best >= 0.5:
        words = f" by {found.label!r}" if found.own >= 0.5 and found.label else ""
        return Outcome(best, "number-at-label", f"{shown} stands on the page{words}", spans=(place,))
    if found.rival >= 0.7 and found.rival > found.own:
        return Outcome(
            max(best, 0.1),
            "number-of-another",
            f"{shown} stands on the page as {found.rival_label!r}, not as {claim.name}",
            contradicted=True,
            spans=(place,),
        )
    return Outcome(
        max(best, 0.05),
        "number-without-label",
        f"{shown} stands on the page, but nothing there says that it is the {claim.name}",
        contradicted=_labelled_otherwise(claim, prepared) is not None,
        spans=(place,),
    )


def _best(claim: Claim, prepared: Prepared, spans: list[Span], value: float) -> tuple[float, Span, Binding]:
    """The best score of the places where the number stands, the place and its labels; the same question once a page."""
    known = ("number", claim.name, tuple(claim.concepts), value, tuple(spans[:1]), bool(_THOUSANDS.search(claim.text)))
    answer = prepared.bindings.get(known)
    if isinstance(answer, tuple):
        return answer
    best, place, found = 0.0, spans[0], Binding(0.0, 0.0)
    for number, (start, end) in enumerate(spans[:60]):
        binding = bind(prepared, claim.concepts, start, end, lone=True, rivals=not number)
        if binding.own >= 0.5 and number:
            binding = bind(prepared, claim.concepts, start, end, lone=True)
        score = _number_score(claim, prepared, binding, start, end, value)
        if score > best:
            best, place, found = score, (start, end), binding
        if best >= 0.95:
            break
    prepared.bindings[known] = best, place, found
    return best, place, found


def is_money(text: str, start: int, end: int) -> bool:
    """Whether the number at this span of a folded text has a currency beside it."""
    return bool(_MONEY_BEFORE.search(text[max(0, start - 16) : start]) or _MONEY_AFTER.match(text[end : end + 14]))


def _shown(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else str(value)


def _number_score(claim: Claim, prepared: Prepared, binding: Binding, start: int, end: int, value: float) -> float:
    before = prepared.text[max(0, start - 16) : start]
    after = prepared.text[end : end + 14]
    concepts = claim.concepts
    score = binding.own
    if binding.rival > binding.own + 0.1:
        score *= 0.5
    money = is_money(prepared.text, start, end)
    role = _number_role(prepared, start, end)
    if role and claim.name in _LOW:
        score = max(score, 0.85) if role == "from" and (score >= 0.3 or money) else score if role == "from" else 0.2
    elif role and claim.name in _HIGH:
        score = max(score, 0.85) if role == "to" and (score >= 0.3 or money) else score if role == "to" else 0.2
    if "price" in concepts or "salary" in concepts:
        if (
            value != int(value)
            and re.fullmatch(r"\d{1,3}[.,]\d{3}", prepared.text[start:end])
            and not _THOUSANDS.search(claim.text)
        ):
            return min(score, 0.2)  # "1.290 €" is a thousand and more
        if role and claim.name in _LOW | _HIGH:
            pass
        elif role and claim.name == "value":
            score = 0.45
        elif claim.name in _PRICES and _OF_DELIVERY.search(prepared.text[max(0, start - 32) : start]):
            score = min(score, 0.3)
        elif money:
            score = max(score, 0.9)
        elif score >= 0.5 and re.search(r"[%]", after[:2]):
            score = 0.2
    elif money and score < 0.9:
        score = min(score, 0.3)
    scale = bool(_SCALE_BEFORE.search(before))
    if claim.name == "worstRating":
        score = (
            score
            if value <= 1 and re.search(r"worst|from|von|de |1 ?- ?$|min", before + after[:4])
            else min(score, 0.3)
        )
    elif claim.name == "bestRating":
        # The scale is printed behind the value: "4.5 / 5", "4 out of 5".
        score = max(score, 0.9) if scale else 0.7 if re.search(r"best|max|highest", before) else min(score, 0.3)
    elif "rating" in concepts and claim.name != "contentRating":
        if scale and not _SCALE_AFTER.match(after):
            score = min(score, 0.3)
        elif _STARS_AFTER.match(after):
            score = max(score, 0.93)
        elif 0 <= value <= 10 and value != int(value):
            score = max(score, 0.55)
        elif binding.rival >= 0.75:
            score = min(score, 0.3)
    elif "reviewcount" in concepts:
        if _STARS_AFTER.match(after) or scale:
            score = min(score, 0.3)
        elif before.endswith("(") and after[:1] == ")":
            score = max(score, 0.6)
    if not concepts and not money:
        # A bare "value": all that can be asked is that the number counts or measures something.
        score = max(score, 0.55 if re.match(r"[ -]?[^\W\d_]|%|°", after) else 0.4)
    if score < 0.5 and claim.name in _NUMBERED and _ordinal(prepared, value) is not None:
        score = 0.6
    if score < 0.5 and not money:
        digits = len(_shown(abs(value)).replace(".", "").strip("0"))
        listed = len(prepared.numbers)
        # A long number hits by chance only on a page full of numbers.
        if digits >= 5 and listed < 4000:
            score = max(score, 0.45)
        if digits >= 6:
            score = max(score, 0.6)
    return score


_PRICES = frozenset(("price", "lowPrice", "highPrice", "totalPrice"))
# A label of what delivery costs right before the number.
_OF_DELIVERY = re.compile(
    r"(?<!free )(?:shipping|delivery|postage|handling|versand(?:kosten)?|lieferung|porto|livraison|frais de port|envio|"
    r"gastos de envio|spedizione|frete|verzendkosten|verzending|frakt|fragt|送料|配送料|运费)"
    r"(?: costs?| fees?| charges?| cost)? ?:? ?(?:[$€£¥]|[a-z]{3})? ?$"
)
_LOW = frozenset(("minValue", "lowPrice", "minPrice"))
_HIGH = frozenset(("maxValue", "highPrice", "maxPrice"))
_TO_NEXT = re.compile(r"^[^\d\n]{0,8}?(?:-|~|〜|–|\bto\b|\bbis\b|\ba\b|\btot\b|\bdo\b|\bau\b)[^\d\n]{0,6}\d")
_FROM_LAST = re.compile(r"\d[^\d\n]{0,8}?(?:-|~|〜|–|\bto\b|\bbis\b|\ba\b|\btot\b|\bdo\b|\bau\b)[^\d\n]{0,6}$")


def _number_role(prepared: Prepared, start: int, end: int) -> str:
    """ "from" or "to" where the number stands in a range of two."""
    if _TO_NEXT.match(prepared.text[end : end + 18]):
        return "from"
    return "to" if _FROM_LAST.search(prepared.text[max(0, start - 18) : start]) else ""


def _judge_position(claim: Claim, prepared: Prepared, value: float) -> Outcome:
    lengths = prepared.list_lengths
    longest = max(lengths.values(), default=0)
    if not longest:
        longest = prepared.marked_lines
    if value > max(longest, 1) and "itemListElement" in claim.path:
        # A trail of links: "Home › Shelves › Oak".
        longest = prepared.longest_trail
    if 0 <= value <= max(longest, 1):
        return Outcome(
            0.8, "position-in-list", f"the page has a list of {longest} items, so there is a place {_shown(value)}"
        )
    ordinal = _ordinal(prepared, value)
    if ordinal is not None:
        return Outcome(0.75, "position-printed", f"an item of the page is numbered {_shown(value)}", spans=(ordinal,))
    spans = prepared.numbers.get(key(value), [])
    if spans:
        return Outcome(0.55, "position-printed", f"{_shown(value)} stands on the page", spans=tuple(spans[:1]))
    return Outcome(0.2, "position-beyond-list", f"no list on the page has {_shown(value)} items")


def _ordinal(prepared: Prepared, value: float) -> Span | None:
    """A line that starts with the number as items of a list do: "3. Knead"."""
    if value != int(value) or value < 0:
        return None
    return prepared.ordinals.get(str(int(value)))


def _labelled_otherwise(claim: Claim, prepared: Prepared) -> tuple[Span, str] | None:
    """Another number right beside a label of the property, if there is one: its span and text."""
    for concept in claim.concepts[:1]:
        for first, last in prepared.labels_of(concept)[:20]:
            end = prepared.words.ends[last - 1]
            match = re.match(r" ?[:=]? ?[$€£]?\s?(\d[\d.,]*)", prepared.text[end : end + 16])
            if match:
                return (end + match.start(1), end + match.end(1)), match[1]
            del first
    return None


def _absent(claim: Claim, prepared: Prepared, shown: str) -> Outcome:
    other = _labelled_otherwise(claim, prepared)
    if other is not None:
        return Outcome(
            0.03,
            "number-differs",
            f"the page gives {other[1]} as {claim.name}, not {shown}",
            contradicted=True,
            spans=(other[0],),
        )
    return Outcome(0.03, "number-not-in-text", f"the number {shown} does not stand on the page")
