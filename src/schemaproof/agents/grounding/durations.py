"""Durations: ISO 8601 in the markup, "1 h 20 min", "half an hour" or "12:30" on the page."""

from __future__ import annotations

import re

_ISO = re.compile(
    r"\s*-?P(?:(?P<y>\d+(?:[.,]\d+)?)Y)?(?:(?P<mo>\d+(?:[.,]\d+)?)M)?(?:(?P<w>\d+(?:[.,]\d+)?)W)?"
    r"(?:(?P<d>\d+(?:[.,]\d+)?)D)?"
    r"(?:T(?:(?P<h>\d+(?:[.,]\d+)?)H)?(?:(?P<m>\d+(?:[.,]\d+)?)M)?(?:(?P<s>\d+(?:[.,]\d+)?)S)?)?\s*",
    re.IGNORECASE,
)
_SECONDS = {"y": 31536000.0, "mo": 2592000.0, "w": 604800.0, "d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}

# Unit words of many languages, folded (no accents).
_UNITS = {
    "y": (
        "years? yrs? jahre?n? jahr ans? annees? anos? anni anno jaar jaren ar год года лет rok roky let yil 年間? 년"
    ),
    "mo": (
        "months? monate?n? monat mois mes meses mesi mese maanden maand manader manad месяц месяца месяцев "
        "mesic mesice mesicu ay ヶ月 か月 个月 個月 개월 شهر اشهر"
    ),
    "w": (
        "weeks? wks? wochen? semaines? semanas? settimane settimana weken week veckor vecka uger uge недели? "
        "недель tydny tyden hafta 週間 周 주"
    ),
    "d": (
        "days? tage?n? tag jours? dias? giorni giorno dagen dagar dage dag день дня дней dny den dni gun 日間 天 "
        "일 يوم ايام"
    ),
    "h": (
        "hours? hrs? h std stunden? stunde heures? horas? ore ora uren uur timmar timme timer time час часа "
        "часов hodiny hodin hodina saat 時間 小时 小時 시간 ساعات ساعه godziny godzin godz"
    ),
    "m": (
        "minutes? minuten? mins? min m minutos? minuti minuto minuten minuut minuter minutter минуты? минут "
        "minuty minut minuta dakika dk 分間? 分钟 分鐘 분 دقيقه دقائق"
    ),
    "s": (
        "seconds? secs? s sek sekunden? secondes? segundos? secondi secondo seconden sekunder секунды? секунд "
        "sekundy sekund saniye 秒 초 ثانيه"
    ),
}
_HALVES = re.compile(
    r"\b(?:half an hour|half hour|halbe stunde|halben stunde|une demi-heure|demi-heure|media hora|mezz'ora|mezzora|"
    r"half uur|meia hora|пол ?часа)\b"
)
_AN_HOUR = re.compile(
    r"\b(?:an?|one|eine|einer|une|una|um|uma|un|een|en) (hour|stunde|heure|hora|ora|uur|minute|minuto|minut|day|tag|"
    r"jour|dia|giorno|dag|week|woche|semaine|semana|settimana|month|monat|mois|mes|mese|maand|year|jahr|an|ano|anno|jaar)\b"
)
_SINGULAR = {
    **dict.fromkeys(("hour", "stunde", "heure", "hora", "ora", "uur"), "h"),
    **dict.fromkeys(("minute", "minuto", "minut"), "m"),
    **dict.fromkeys(("day", "tag", "jour", "dia", "giorno", "dag"), "d"),
    **dict.fromkeys(("week", "woche", "semaine", "semana", "settimana"), "w"),
    **dict.fromkeys(("month", "monat", "mois", "mes", "mese", "maand"), "mo"),
    **dict.fromkeys(("year", "jahr", "an", "ano", "anno", "jaar"), "y"),
}
_QUANTITY = r"(?P<n>\d+(?:[.,]\d+)?(?: ?[½¼¾])?|[½¼¾]|{words})"
_CLOCK = re.compile(r"(?<![\d:])(?:(?P<h>\d{1,2}):)?(?P<m>\d{1,3}):(?P<s>[0-5]\d)(?![\d:])")
# "1 h 10", "1h05": the minutes carry no unit.
_SHORT = re.compile(r"(?<![\w.,])(?P<h>\d{1,2}) ?h ?(?P<m>[0-5]\d)(?![\w:])")
_PERIODS = {
    **dict.fromkeys(["daily", "taglich", "quotidien", "diario", "giornaliero", "dagelijks"], "d"),
    **dict.fromkeys(
        ("every day", "each day", "jeden tag", "tous les jours", "cada dia", "ogni giorno", "elke dag"), "d"
    ),
    **dict.fromkeys(["weekly", "wochentlich", "hebdomadaire", "semanal", "settimanale", "wekelijks"], "w"),
    **dict.fromkeys(("every week", "each week", "jede woche", "chaque semaine", "cada semana", "ogni settimana"), "w"),
    **dict.fromkeys(["monthly", "monatlich", "mensuel", "mensual", "mensile", "maandelijks"], "mo"),
    **dict.fromkeys(["yearly", "annually", "jahrlich", "annuel", "anual", "annuale", "jaarlijks"], "y"),
}
_REGULAR = re.compile(rf"\b(?:{'|'.join(_PERIODS)})\b")
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_SMALL = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
    "zwei": 2, "drei": 3, "vier": 4, "funf": 5, "sechs": 6, "deux": 2, "trois": 3, "quatre": 4, "dos": 2, "tres": 3,
    "cuatro": 4, "due": 2, "tre": 3, "quattro": 4, "twee": 2, "drie": 3, "vijf": 5, "dois": 2, "duas": 2, "twenty": 20,
    "thirty": 30, "fifteen": 15, "forty": 40, "sixty": 60,
}  # fmt: skip


def _pattern() -> re.Pattern[str]:
    units = "|".join(
        f"(?P<{name}>{'|'.join(sorted(words.split(), key=len, reverse=True))})" for name, words in _UNITS.items()
    )
    quantity = _QUANTITY.format(words="|".join(_SMALL))
    return re.compile(rf"(?<![\w.,]){quantity}(?:(?: ?- ?| ?bis | to | a )\d+)?[ -]?(?:{units})(?![a-zа-я])\.?")


_PRINTED = _pattern()


def seconds_of(value: object) -> float | None:
    """The length of an ISO 8601 duration in seconds (months of 30 days, years of 365), or None if it is none."""
    match = _ISO.fullmatch(str(value))
    if match is None or not any(match.groupdict().values()):
        return None
    return sum(float((match[name] or "0").replace(",", ".")) * each for name, each in _SECONDS.items())


def find_durations(text: str) -> dict[float, list[tuple[int, int]]]:
    """Every duration of a folded text: seconds → spans.

    Neighbouring parts are joined ("1 hour and 20 minutes" is 4800 and also 3600 and 1200); of a range
    ("20-30 minutes") both ends count. "12:30" is read as minutes and seconds, and as hours and minutes.
    """
    found: dict[float, list[tuple[int, int]]] = {}
    run_end, run_total, run_start, run_unit = -99, 0.0, 0, 0.0
    for match in _PRINTED.finditer(text):
        unit = next(_SECONDS[name] for name in _UNITS if match[name])
        total = _quantity(match["n"]) * unit
        start, end = match.span()
        found.setdefault(total, []).append((start, end))
        between = match.group()[len(match["n"]) :]
        upper = re.match(r" ?(?:-|bis|to|a) ?(\d+)", between)
        if upper:
            found.setdefault(int(upper[1]) * unit, []).append((start, end))
        if start - run_end <= 6 and unit < run_unit and not any(c.isdigit() for c in text[run_end:start]):
            run_total += total
            found.setdefault(run_total, []).append((run_start, end))
        else:
            run_total, run_start = total, start
        run_end, run_unit = end, unit
    for match in _SHORT.finditer(text):
        found.setdefault(int(match["h"]) * 3600.0 + int(match["m"]) * 60, []).append(match.span())
    for match in _REGULAR.finditer(text):
        found.setdefault(_SECONDS[_PERIODS[match[0]]], []).append(match.span())
    for match in _HALVES.finditer(text):
        found.setdefault(1800.0, []).append(match.span())
    for match in _AN_HOUR.finditer(text):
        found.setdefault(_SECONDS[_SINGULAR[match[1]]], []).append(match.span())
    for match in _CLOCK.finditer(text):
        minutes, seconds = int(match["m"]), int(match["s"])
        if match["h"]:
            found.setdefault(int(match["h"]) * 3600.0 + minutes * 60 + seconds, []).append(match.span())
        else:
            found.setdefault(minutes * 60.0 + seconds, []).append(match.span())
            if minutes < 24:
                found.setdefault(minutes * 3600.0 + seconds * 60, []).append(match.span())
    return found


def _quantity(text: str) -> float:
    if text in _SMALL:
        return float(_SMALL[text])
    part = 0.0
    if text[-1] in _FRACTIONS:
        part = _FRACTIONS[text[-1]]
        text = text[:-1].strip()
    return (float(text.replace(",", ".")) if text else 0.0) + part
