"""Dates, times and durations: found in any spelling, bound by labels and by their place in a range."""

from __future__ import annotations

import re
from bisect import bisect_left

from schemaproof.agents.grounding.binding import Binding, bind
from schemaproof.agents.grounding.claim import Claim
from schemaproof.agents.grounding.dates import Moment, Printed, clock_of, moment_of
from schemaproof.agents.grounding.durations import seconds_of
from schemaproof.agents.grounding.outcome import Outcome
from schemaproof.agents.grounding.owner import given_to_another
from schemaproof.agents.grounding.prepared import Prepared

_RANGE = re.compile(r"^[^\d\n]{0,14}(?:\\?-|–|and|to|until|till|through|bis|au|a|al|hasta|tot|до|~|〜|to the)\s*$")
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


def judge_date(claim: Claim, prepared: Prepared) -> Outcome:
    """A date in any spelling; the time of day need not be printed."""
    moment = moment_of(claim.value)
    if moment is None:
        moment = moment_of(claim.text)
    if moment is None:
        return Outcome(0.1, "date-unreadable", f"{claim.text!r} is no date")
    if not moment.month:
        return _judge_year(claim, prepared, moment.year)
    exact = _printed(prepared, moment)
    if not exact:
        return _date_absent(claim, prepared)
    best, place, found = -1.0, exact[0][0], Binding(0.0, 0.0)
    for one, weight in exact[:40]:
        binding = bind(prepared, claim.concepts, one.start, one.end, dated=True)
        score = _date_score(claim, prepared, binding, one) * weight
        if score > best:
            best, place, found = score, one, binding
    if best < 0.5 and "end" in claim.concepts[:1] and _ends_same_day(claim, prepared, place):
        best = 0.75
    span = (place.start, place.end)
    printed = prepared.text[place.start : place.end]
    if best >= 0.5:
        spans = [(one.start, one.end) for one, _ in exact]
        dates = ((one.start, one.end) for one in prepared.dates)
        key = "date", (moment.year, moment.month, moment.day)
        other = given_to_another(prepared, claim.owner, spans, dates, key) if found.own < 0.5 else None
        if other is not None:
            return Outcome(
                0.25, "date-of-another",
                f"{printed!r} is given to another; beside the name stands {prepared.written(*other)!r}",
                contradicted=True, spans=(other, span),
            )  # fmt: skip
        hour = _other_hour(claim, prepared, place)
        if hour is not None:
            return Outcome(
                0.2, "hour-differs", f"with the date {printed!r} the page prints the time {prepared.written(*hour)!r}",
                contradicted=True, spans=(span, hour),
            )  # fmt: skip
        words = f" by {found.label!r}" if found.own >= 0.5 and found.label else ""
        return Outcome(best, "date-in-text", f"the page prints the date as {printed!r}{words}", spans=(span,))
    return Outcome(
        max(best, 0.05),
        "date-of-another",
        f"{printed!r} stands on the page, but "
        + (f"as {found.rival_label!r}, " if found.rival > 0.4 else "")
        + f"not as {claim.name}",
        contradicted=True,
        spans=(span,),
    )


_STATED = re.compile(r"\s*\d{4}-\d{2}-\d{2}[T ](\d{2}):(\d{2})")


def _ends_same_day(claim: Claim, prepared: Prepared, one: Printed) -> bool:
    """Whether the hour of an end stands as the second of two behind the date ("12 June, 19:30 - 22:00")."""
    stated = _STATED.match(claim.text)
    if stated is None:
        return False
    end = prepared.line(prepared.line_number(one.start))[1]
    minutes = int(stated[1]) * 60 + int(stated[2])
    spans = prepared.times.get(minutes) or prepared.times.get(minutes - 720) or []
    return any(
        one.end < start <= min(end, one.end + 48) and _TO.search(prepared.text[one.end : start]) for start, _ in spans
    )


_TO = re.compile(
    r"\d[^\d\n]{0,10}(?:-|~|〜|\bto\b|\buntil\b|\btill\b|\bbis\b|\ba\b|\bau\b|\btot\b|\bhasta\b|\balle\b|до)[^\d\n]{0,8}$"
)
_TIMED = frozenset(("startDate", "doorTime", "departureTime", "arrivalTime"))


def _other_hour(claim: Claim, prepared: Prepared, one: Printed) -> tuple[int, int] | None:
    """The time of day printed right behind a date, where the page has the one stated nowhere.

    Only for values without a zone, which are in local time as pages are.
    """
    stated = re.fullmatch(r"\s*\d{4}-\d{2}-\d{2}[T ](\d{2}):(\d{2})(?::\d{2})?\s*", claim.text)
    if stated is None or claim.name not in _TIMED:
        return None
    minutes = int(stated[1]) * 60 + int(stated[2])
    if not minutes or prepared.times.get(minutes) or prepared.times.get(minutes - 720):
        return None
    end = prepared.line(prepared.line_number(one.start))[1]
    near = [span for spans in prepared.times.values() for span in spans if one.end <= span[0] <= min(end, one.end + 24)]
    return min(near, default=None)


def _printed(prepared: Prepared, moment: Moment) -> list[tuple[Printed, float]]:
    """Where a page prints a date, and how well; found once for all that state it."""
    key = moment.year, moment.month, moment.day
    known = prepared.moments.get(key)
    if known is not None:
        return known
    near: list[tuple[int, Printed]] = []
    for year in {moment.year, 0}:
        if moment.day:
            # The day itself, the other way round (03/04), and the month alone.
            for month, day in {(moment.month, moment.day), (moment.day, moment.month), (moment.month, 0)}:
                near += prepared.dates_by_day.get((year, month, day), ())
        else:
            near += prepared.dates_by_month.get((year, moment.month), ())
    near.sort(key=lambda each: each[0])
    months = () if moment.day else prepared.year_months
    both = ((one, _same(one, moment)) for one in (*(each for _, each in near), *months))
    found = prepared.moments[key] = [(one, weight) for one, weight in both if weight]
    return found


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
    text, dates = prepared.text, prepared.dates
    index = bisect_left(dates, one.start, key=lambda each: each.start)
    if index >= len(dates) or dates[index].start != one.start:
        return ""
    following = next((each for each in dates[index + 1 : index + 3] if each.start >= one.end), None)
    if following is not None and following.start - one.end <= 18 and _RANGE.match(text[one.end : following.start]):
        return "from"
    before = dates[index - 1] if index > 0 else None
    if before is not None and 0 < one.start - before.end <= 18 and _RANGE.match(text[before.end : one.start]):
        return "to"
    return ""


def _date_absent(claim: Claim, prepared: Prepared) -> Outcome:
    """No such date: contradicted where a label of the property stands by another one."""
    for one in prepared.dates[:60]:
        binding = bind(prepared, claim.concepts, one.start, one.end, dated=True)
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
            f"{year} stands on the page, but nothing there says that it is the {claim.name}", spans=(place,),
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
        f"{printed!r} stands on the page as {found.rival_label!r}, not as {claim.name}",
        contradicted=True, spans=(place,),
    )  # fmt: skip
