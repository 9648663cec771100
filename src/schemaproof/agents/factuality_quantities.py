"""Numbers, dates, times and durations: found in any spelling, believed only where something says what they are."""

from __future__ import annotations

import re

from schemaproof.agents.grounding.binding import Binding, bind
from schemaproof.agents.grounding.claim import Claim
from schemaproof.agents.grounding.dates import Moment, Printed, clock_of, moment_of
from schemaproof.agents.grounding.durations import seconds_of
from schemaproof.agents.grounding.numbers import key, number_of
from schemaproof.agents.grounding.outcome import Outcome, Span
from schemaproof.agents.grounding.prepared import Prepared

_CODES = (
    "aed|afn|all|amd|ars|aud|azn|bam|bdt|bgn|bhd|bob|brl|byn|cad|chf|clp|cny|cop|crc|czk|dkk|dop|dzd|egp|eur|gbp|gel|ghs|hkd|hrk|"
    "huf|idr|ils|inr|irr|isk|jod|jpy|kes|krw|kwd|kzt|lbp|lkr|mad|mdl|mkd|mxn|myr|ngn|nok|nzd|omr|pen|php|pkr|pln|qar|ron|rsd|rub|"
    "sar|sek|sgd|thb|tnd|try|twd|uah|usd|uyu|vnd|zar"
)
_SIGNS = "$€£¥₹₽₩₺₫₴฿₪₱₦₸৳"
_MONEY_BEFORE = re.compile(
    rf"(?:[{_SIGNS}]|(?<![^\W\d_])(?:{_CODES}|[a-z]{{1,2}}\$|rs|kr|kc|zl|fr|r|rp|rm|lei|euro))\.? ?$"
)
_MONEY_AFTER = re.compile(
    rf"^(?:[.,]?[-–]{{1,2}})?\s?(?:[{_SIGNS}円元원]|(?:{_CODES}|kr|kc|zl|руб|лв|грн|tl|euros?|dollars?|pounds?|dkr|р|đ|ft|lei|"
    r"تومان|ريال|درهم|جنيه|บาท)(?![^\W\d_]))|^[.,]-"
)
_STARS_AFTER = re.compile(
    r"^ ?(?:/ ?(?:5|10|100|6|20)\b|out of|von \d|sur \d|su \d|de \d|van \d|av \d|из \d|stars?\b|-star|sterne|etoiles|"
    r"estrellas|stelle|sterren|★|⭐|☆)"
)
_SCALE_AFTER = re.compile(r"^ ?/ ?\d|^ (?:out of|von|sur|su|de|van|av|из) \d")
_SCALE_BEFORE = re.compile(r"(?:\d ?/ ?|out of |von |sur |su |de |van |av |из )$")
_RANGE = re.compile(r"^[^\d\n]{0,14}(?:\\?-|–|and|to|until|till|through|bis|au|a|al|hasta|tot|до|~|〜|to the)\s*$")

_LOOSE = frozenset(
    (
        "to",
        "by",
        "on",
        "from",
        "date",
        "von",
        "le",
        "il",
        "el",
        "al",
        "de",
        "di",
        "op",
        "van",
        "den",
        "am",
        "vom",
        "stand",
    )
)
_NUMBERED = frozenset(("episodeNumber", "trackNumber", "seasonNumber", "issueNumber", "volumeNumber"))
_UNLABELLED_DATE = {
    "published": 0.72,
    "start": 0.66,
    "end": 0.48,
    "birth": 0.6,
    "death": 0.6,
    "release": 0.62,
    "founded": 0.6,
    "modified": 0.52,
}


def judge_number(claim: Claim, prepared: Prepared) -> Outcome:
    """A number: found as such, never as part of another, and bound by a label or an unmistakable form."""
    value = number_of(claim.value)
    if value is None:
        value = number_of(claim.text)
    if value is None:
        return Outcome(0.1, "number-unreadable", f"{claim.text!r} is no number")
    if claim.property == "position":
        return _judge_position(claim, prepared, value)
    spans = prepared.numbers.get(key(value), [])
    shown = _shown(value)
    if not spans and claim.concepts and claim.concepts[0] in ("release", "founded") and 1000 <= value <= 2999:
        spans = [(one.start, one.end) for one in prepared.dates if one.year == value]
    if not spans:
        return _absent(claim, prepared, shown)
    best, place, found = 0.0, spans[0], Binding(0.0, 0.0)
    for start, end in spans[:60]:
        binding = bind(prepared, claim.concepts, start, end, lone=True)
        score = _number_score(claim, prepared, binding, start, end, value)
        if score > best:
            best, place, found = score, (start, end), binding
        if best >= 0.95:
            break
    if best >= 0.5:
        words = f" by {found.label!r}" if found.own >= 0.5 and found.label else ""
        return Outcome(best, "number-at-label", f"{shown} stands on the page{words}", spans=(place,))
    if found.rival >= 0.7 and found.rival > found.own:
        return Outcome(
            max(best, 0.1),
            "number-of-another",
            f"{shown} stands on the page as {found.rival_label!r}, not as {claim.property}",
            contradicted=True,
            spans=(place,),
        )
    return Outcome(
        max(best, 0.05),
        "number-without-label",
        f"{shown} stands on the page, but nothing there says that it is the {claim.property}",
        contradicted=_labelled_otherwise(claim, prepared) is not None,
        spans=(place,),
    )


def _shown(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else str(value)


def _number_score(claim: Claim, prepared: Prepared, binding: Binding, start: int, end: int, value: float) -> float:
    before = prepared.text[max(0, start - 8) : start]
    after = prepared.text[end : end + 14]
    concepts = claim.concepts
    score = binding.own
    if binding.rival > binding.own + 0.1:
        score *= 0.5
    money = bool(_MONEY_BEFORE.search(before) or _MONEY_AFTER.match(after))
    role = _number_role(prepared, start, end)
    if role and claim.property in _LOW:
        score = max(score, 0.85) if role == "from" and (score >= 0.3 or money) else score if role == "from" else 0.2
    elif role and claim.property in _HIGH:
        score = max(score, 0.85) if role == "to" and (score >= 0.3 or money) else score if role == "to" else 0.2
    if "price" in concepts or "salary" in concepts:
        if role and claim.property in _LOW | _HIGH:
            pass
        elif role and claim.property == "value":
            score = 0.45
        elif money:
            score = max(score, 0.9)
        elif score >= 0.5 and re.search(r"[%]", after[:2]):
            score = 0.2
    elif money and score < 0.9:
        score = min(score, 0.3)
    scale = bool(_SCALE_BEFORE.search(before))
    if claim.property == "worstRating":
        score = (
            score
            if value <= 1 and re.search(r"worst|from|von|de |1 ?- ?$|min", before + after[:4])
            else min(score, 0.3)
        )
    elif claim.property == "bestRating":
        # The scale is printed behind the value: "4.5 / 5", "4 out of 5".
        score = max(score, 0.9) if scale else 0.7 if re.search(r"best|max|highest", before) else min(score, 0.3)
    elif "rating" in concepts and claim.property != "contentRating":
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
    if score < 0.5 and claim.property in _NUMBERED and _ordinal(prepared, value) is not None:
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
        lines = prepared.text.split("\n")
        longest = sum(1 for line in lines if re.match(r"\s*(?:[*•-]|\d+[.)])\s", line))
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
    match = re.search(rf"(?m)(?:^|\t)\W{{0,2}}({int(value)})[.):]?(?=\s)", prepared.text)
    return match.span(1) if match else None


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
            f"the page gives {other[1]} as {claim.property}, not {shown}",
            contradicted=True,
            spans=(other[0],),
        )
    return Outcome(0.03, "number-not-in-text", f"the number {shown} does not stand on the page")


# Dates


def judge_date(claim: Claim, prepared: Prepared) -> Outcome:
    """A date in any spelling; the time of day need not be printed."""
    moment = moment_of(claim.value)
    if moment is None:
        moment = moment_of(claim.text)
    if moment is None:
        return Outcome(0.1, "date-unreadable", f"{claim.text!r} is no date")
    if not moment.month:
        return _judge_year(claim, prepared, moment.year)
    exact: list[tuple[Printed, float]] = []
    for one in (*prepared.dates, *(prepared.year_months if not moment.day else ())):
        weight = _same(one, moment)
        if weight:
            exact.append((one, weight))
    if not exact:
        return _date_absent(claim, prepared)
    best, place, found = -1.0, exact[0][0], Binding(0.0, 0.0)
    for one, weight in exact[:40]:
        binding = bind(prepared, claim.concepts, one.start, one.end)
        score = _date_score(claim, prepared, binding, one) * weight
        if score > best:
            best, place, found = score, one, binding
    span = (place.start, place.end)
    printed = prepared.text[place.start : place.end]
    if best >= 0.5:
        words = f" by {found.label!r}" if found.own >= 0.5 and found.label else ""
        return Outcome(best, "date-in-text", f"the page prints the date as {printed!r}{words}", spans=(span,))
    return Outcome(
        max(best, 0.05),
        "date-of-another",
        f"{printed!r} stands on the page, but "
        + (f"as {found.rival_label!r}, " if found.rival > 0.4 else "")
        + f"not as {claim.property}",
        contradicted=True,
        spans=(span,),
    )


def _same(one: Printed, moment: Moment) -> float:
    """How well a printed date is the one stated, 0 to 1."""
    if one.year and one.year != moment.year:
        return 0.0
    if moment.day:
        if one.day:
            if (one.month, one.day) == (moment.month, moment.day):
                return 1.0 if one.year else 0.8
            if one.also and (one.day, one.month) == (moment.month, moment.day):
                return 0.9
            return 0.0
        # Only the month is printed: it says less than the markup.
        return 0.75 if one.month == moment.month and moment.day == 1 and one.year else 0.0
    return 0.95 if one.month == moment.month and one.year else 0.0


def _date_score(claim: Claim, prepared: Prepared, binding: Binding, one: Printed) -> float:
    concept = claim.concepts[0] if claim.concepts else ""
    role = _range_role(prepared, one)
    own, rival = binding.own, binding.rival
    if role:
        first = concept in ("start", "birth", "published", "founded", "release")
        last = concept in ("end", "death")
        if first or last:
            return 0.9 if (role == "from") == first else 0.2
    if own and own + 0.06 >= rival:
        return max(own, 0.7)
    if rival > own and rival >= 0.55:
        related = {concept, binding.concept}
        if related <= {"published", "release", "start"} and concept != "start":
            return 0.6
        if rival <= 0.8 and binding.rival_label in _LOOSE:
            return _UNLABELLED_DATE.get(concept, 0.6) * 0.9
        return 0.25
    base = _UNLABELLED_DATE.get(concept, 0.6)
    if own:
        return max(own, base)
    if rival:
        return base * 0.8
    return base


def _range_role(prepared: Prepared, one: Printed) -> str:
    """ "from" or "to" where the date stands in "A - B"."""
    text = prepared.text
    dates = prepared.dates
    from bisect import bisect_left

    index = bisect_left(dates, one.start, key=lambda each: each.start)
    if (index < len(dates) and dates[index] is one) or (index < len(dates) and dates[index].start == one.start):
        if index + 1 < len(dates) and 0 < dates[index + 1].start - one.end <= 18:
            if _RANGE.match(text[one.end : dates[index + 1].start]):
                return "from"
        if index > 0 and 0 < one.start - dates[index - 1].end <= 18:
            if _RANGE.match(text[dates[index - 1].end : one.start]):
                return "to"
    return ""


def _date_absent(claim: Claim, prepared: Prepared) -> Outcome:
    """No such date: contradicted where a label of the property stands by another one."""
    for one in prepared.dates[:60]:
        binding = bind(prepared, claim.concepts, one.start, one.end)
        if binding.own >= 0.7 and binding.own >= binding.rival:
            printed = prepared.text[one.start : one.end]
            return Outcome(
                0.03,
                "date-differs",
                f"by {binding.label!r} the page prints {printed!r}, not {claim.text}",
                contradicted=True,
                spans=((one.start, one.end),),
            )
    return Outcome(0.03, "date-not-in-text", f"the date {claim.text} does not stand on the page in any usual form")


def _judge_year(claim: Claim, prepared: Prepared, year: int) -> Outcome:
    spans = [(one.start, one.end) for one in prepared.dates if one.year == year]
    spans += prepared.numbers.get(float(year), [])
    if not spans:
        return Outcome(0.03, "date-not-in-text", f"the year {year} does not stand on the page")
    best, place = 0.0, spans[0]
    for start, end in spans[:40]:
        binding = bind(prepared, claim.concepts, start, end)
        score = binding.own if binding.own >= binding.rival else binding.own * 0.6
        if score > best:
            best, place = score, (start, end)
    if best < 0.5:
        return Outcome(
            max(best, 0.35), "date-without-label",
            f"{year} stands on the page, but nothing there says that it is the {claim.property}", spans=(place,),
        )  # fmt: skip
    return Outcome(best, "date-in-text", f"the page prints the year {year}", spans=(place,))


# Times and durations


def judge_time(claim: Claim, prepared: Prepared) -> Outcome:
    """A time of day, as "19:00", "7 pm" or "19 Uhr"."""
    minutes = clock_of(claim.text)
    if minutes is None:
        return Outcome(0.1, "time-unreadable", f"{claim.text!r} is no time of day")
    spans = prepared.times.get(minutes, [])
    if not spans and minutes in (1439, 1440, 0):
        spans = [*prepared.times.get(0, []), *prepared.times.get(1440, []), *prepared.times.get(1439, [])]
    if not spans:
        return Outcome(0.05, "time-not-in-text", f"the time {claim.text} does not stand on the page")
    best, place = 0.0, spans[0]
    for start, end in spans[:40]:
        score = max(bind(prepared, claim.concepts, start, end).own, 0.62)
        if score > best:
            best, place = score, (start, end)
    return Outcome(best, "time-in-text", "the time stands on the page", spans=(place,))


def judge_duration(claim: Claim, prepared: Prepared) -> Outcome:
    """A duration, as "1 h 20 min", "80 minutes" or "1:20:00"."""
    seconds = seconds_of(claim.text)
    if seconds is None:
        return Outcome(0.1, "duration-unreadable", f"{claim.text!r} is no duration")
    spans = prepared.durations.get(seconds, []) if seconds else []
    if not spans:
        return Outcome(0.04, "duration-not-in-text", f"no duration of {claim.text} stands on the page")
    best, place, found = 0.0, spans[0], Binding(0.0, 0.0)
    for start, end in spans[:40]:
        binding = bind(prepared, claim.concepts, start, end)
        own = max(binding.own, 0.6) if binding.rival < 0.6 else binding.own
        score = own if own + 0.05 >= binding.rival else own * 0.4
        if score > best or best == 0.0:
            best, place, found = score, (start, end), binding
    printed = prepared.text[place[0] : place[1]]
    if best >= 0.5:
        return Outcome(best, "duration-in-text", f"the page prints the duration as {printed!r}", spans=(place,))
    return Outcome(
        max(best, 0.1), "duration-of-another",
        f"{printed!r} stands on the page as {found.rival_label!r}, not as {claim.property}",
        contradicted=True, spans=(place,),
    )  # fmt: skip
