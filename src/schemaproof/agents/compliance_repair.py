"""What an untidy value was meant to be: numbers, dates, times, durations and opening hours as people type them."""

from __future__ import annotations

import datetime
import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

_MONTHS = {
    "jan": 1, "january": 1, "januar": 1, "janvier": 1, "enero": 1, "gennaio": 1, "janeiro": 1, "januari": 1,
    "feb": 2, "february": 2, "februar": 2, "février": 2, "fevrier": 2, "febrero": 2, "febbraio": 2, "fevereiro": 2,
    "februari": 2, "mar": 3, "march": 3, "märz": 3, "mars": 3, "marzo": 3, "março": 3, "maart": 3, "apr": 4,
    "april": 4, "avril": 4, "abril": 4, "aprile": 4, "may": 5, "mai": 5, "mayo": 5, "maggio": 5, "maio": 5, "mei": 5,
    "jun": 6, "june": 6, "juni": 6, "juin": 6, "junio": 6, "giugno": 6, "junho": 6, "jul": 7, "july": 7, "juli": 7,
    "juillet": 7, "julio": 7, "luglio": 7, "julho": 7, "aug": 8, "august": 8, "août": 8, "aout": 8, "agosto": 8,
    "augustus": 8, "sep": 9, "sept": 9, "september": 9, "septembre": 9, "septiembre": 9, "settembre": 9,
    "setembro": 9, "oct": 10, "october": 10, "oktober": 10, "octobre": 10, "octubre": 10, "ottobre": 10,
    "outubro": 10, "okt": 10, "nov": 11, "november": 11, "novembre": 11, "noviembre": 11, "novembro": 11, "dec": 12,
    "december": 12, "dezember": 12, "décembre": 12, "decembre": 12, "diciembre": 12, "dicembre": 12, "dezembro": 12,
    "dez": 12,
}  # fmt: skip

# Unit words of spoken durations and the ISO 8601 designator they stand for; T marks the time part.
_SPANS = {
    "TS": ("s", "sec", "secs", "second", "seconds", "sek", "sekunde", "sekunden", "seconde", "secondes", "segundo",
           "segundos", "secondo", "secondi", "秒", "сек", "секунд"),
    "TM": ("m", "min", "mins", "minute", "minutes", "minuten", "minuto", "minutos", "minuti", "minuut", "dakika",
           "dk", "мин", "минут", "минуты", "хв", "хвилин", "minut", "minuter", "分", "分間", "分钟", "分鐘", "دقيقة",
           "دقائق"),
    "TH": ("h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "heure", "heures", "hora", "horas", "ora",
           "ore", "uur", "saat", "час", "часа", "часов", "годин", "godzin", "godziny", "timmar", "timer", "時間",
           "小时", "小時", "ساعة", "ساعات"),
    "D": ("d", "day", "days", "tag", "tage", "tagen", "jour", "jours", "día", "días", "dia", "dias", "giorno",
          "giorni", "dag", "dagen", "gün", "день", "дня", "дней", "днів", "dni", "日", "日間", "天", "يوم", "أيام"),
    "W": ("w", "wk", "week", "weeks", "woche", "wochen", "semaine", "semaines", "semana", "semanas", "settimana",
          "settimane", "weken", "hafta", "неделя", "недели", "недель", "週間", "周", "أسبوع", "أسابيع"),
    "M": ("month", "months", "monat", "monate", "monaten", "mois", "mes", "meses", "mese", "mesi", "maand", "maanden",
          "ay", "месяц", "месяца", "месяцев", "か月", "ヶ月", "个月", "شهر", "أشهر"),
    "Y": ("y", "yr", "yrs", "year", "years", "jahr", "jahre", "jahren", "an", "ans", "année", "années", "año", "años",
          "anno", "anni", "ano", "anos", "jaar", "yıl", "год", "года", "лет", "年", "سنة", "سنوات"),
}  # fmt: skip
_SPAN_OF = {word: code for code, words in _SPANS.items() for word in words}
_SPAN_PART = re.compile(r"(\d+(?:[.,]\d+)?|½|¼|¾)\s*([^\W\d_]+)\.?", re.UNICODE)
_SPAN_REST = re.compile(r"^(?:[\s,;:&+~.-]|\b(?:and|und|et|y|e|en|about|approx|ca|circa|environ|etwa)\b)*$", re.I)
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75}

_DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
_DAY_WORDS = {
    word: _DAYS[index]
    for index, words in enumerate(
        (
            "mo mon monday mondays montag montags lundi lunes lunedì lunedi maandag segunda pondělí poniedziałek",
            "tu tue tues tuesday tuesdays dienstag dienstags di mardi martes martedì dinsdag terça úterý wtorek",
            "we wed weds wednesday wednesdays mittwoch mi mercredi miércoles mercoledì woensdag quarta středa środa",
            "th thu thur thurs thursday thursdays donnerstag do jeudi jueves giovedì donderdag quinta čtvrtek czwartek",
            "fr fri friday fridays freitag freitags vendredi viernes venerdì vrijdag sexta pátek piątek",
            "sa sat saturday saturdays samstag sonnabend samedi sábado sabato zaterdag sobota",
            "su sun sunday sundays sonntag so dimanche domingo domenica zondag neděle niedziela",
        )
    )
    for word in words.split()
}
_DAY_GROUPS = {
    "daily": "Mo-Su", "every day": "Mo-Su", "everyday": "Mo-Su", "7 days a week": "Mo-Su", "täglich": "Mo-Su",
    "tous les jours": "Mo-Su", "todos los días": "Mo-Su", "tutti i giorni": "Mo-Su", "dagelijks": "Mo-Su",
    "weekdays": "Mo-Fr", "weekends": "Sa-Su", "weekend": "Sa-Su",
}  # fmt: skip
_CLOCK = re.compile(
    r"(?<![\d:.])(\d{1,2})(?:\s?[:.hH]\s?(\d{2}))?(?::\d{2})?\s*([ap]\.?\s?m\b\.?|uhr\b|h\b|hrs?\b)?", re.I
)
_ALWAYS = re.compile(r"^(?:open\s+)?(?:24\s*/\s*7|24\s*h(?:ours?|rs?)?(?:\s*(?:a day|daily))?|always open)\.?$", re.I)


def ascii_digits(text: str) -> str:
    """The text with every decimal digit of another script (Arabic-Indic, full-width...) as 0 to 9."""
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)


def number(text: str) -> str:
    """A typed number ("1,299.00", "19,99", "1 299", "١٩", "€ 5") in ASCII digits with a point, or ""."""
    plain = ascii_digits(text).replace("٫", ".").replace("٬", ",")
    plain = re.sub(r"[\s  '’_]|,-+$|,–$|\.-+$", "", plain)
    found = re.fullmatch(r"([^\w.,+-]{0,4})([+-]?\d[\d.,]*)([^\w.,]{0,4}|[kKM])", plain)
    if not found:
        return ""
    if found[3] and found[3] in "kKM":
        return _thousands(found[2].replace(",", "."), 6 if found[3] == "M" else 3)
    plain = found[2].rstrip(".,")
    last = max(plain.rfind("."), plain.rfind(","))
    if last < 0:
        return plain
    mark = plain[last]
    other = "," if mark == "." else "."
    if other in plain or (plain.count(mark) == 1 and not (mark == "," and re.fullmatch(r"[+-]?\d{1,3},\d{3}", plain))):
        whole, fraction = plain[:last], plain[last + 1 :]
        return whole.replace(".", "").replace(",", "") + "." + fraction
    return plain.replace(mark, "") if re.fullmatch(r"[+-]?\d{1,3}(?:[.,]\d{3})+", plain) else ""


def _thousands(text: str, zeros: int) -> str:
    """A number of thousands or millions ("1.2" and 3 → "1200"), or "" where it is no whole number."""
    whole, _, fraction = text.partition(".")
    if not whole.lstrip("+-").isdecimal() or len(fraction) > zeros or (fraction and not fraction.isdecimal()):
        return ""
    return whole + fraction + "0" * (zeros - len(fraction))


def duration(text: str) -> str:
    """A spoken duration ("30 minutes", "1 h 20 min", "PT30", "1 Stunde") as ISO 8601, or ""."""
    plain = ascii_digits(text).strip()
    if found := re.fullmatch(r"T((?:\d+[HMS])+)", plain):
        return "PT" + re.sub(r"(?<=\D)0[HMS]", "", found[1])
    if found := re.fullmatch(r"[Pp]?[Tt]?\s*(\d+)\s*([HhMmSs])?", plain):
        if plain[:1] in "PpTt" and plain[:1]:
            return f"PT{found[1]}{(found[2] or 'M').upper()}"
        if not found[2]:
            return ""
    plain = re.sub(r"^(\d+)\s?[hH]\s?(\d{1,2})$", r"\1 h \2 min", plain)
    parts: dict[str, float] = {}
    last = 0
    rest = []
    for found in _SPAN_PART.finditer(plain):
        rest.append(plain[last : found.start()])
        last = found.end()
        code = _SPAN_OF.get(found[2].casefold())
        if code is None or code in parts:
            return ""
        parts[code] = _FRACTIONS.get(found[1]) or float(found[1].replace(",", "."))
    rest.append(plain[last:])
    if not parts or any(not _SPAN_REST.match(piece) for piece in rest):
        return ""
    dated = "".join(f"{parts[code]:g}{code}" for code in ("Y", "M", "W", "D") if code in parts)
    timed = "".join(f"{parts['T' + code]:g}{code}" for code in ("H", "M", "S") if "T" + code in parts)
    return "P" + dated + ("T" + timed if timed else "")


@lru_cache(maxsize=64)
def _months(language: str) -> dict[str, int]:
    """Month names of a language, by CLDR; English and its neighbours where it is unknown."""
    table = dict(_MONTHS)
    if not language:
        return table
    from babel import Locale
    from babel.core import UnknownLocaleError

    try:
        locale = Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return table
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for month, word in locale.months[context][width].items():
                if not word.isdecimal():
                    table.setdefault(word.casefold().strip("."), int(month))
    return table


def date(text: str, language: str = "") -> str:
    """A typed date ("Feb 26, 2016", "26.02.2016", "2016/02/26") as ISO 8601, or "" where it could be two dates."""
    plain = ascii_digits(text).strip()
    if len(plain) > 60:
        return ""
    if found := re.match(r"(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})日?(?!\d)", plain):
        return _iso(int(found[1]), int(found[2]), int(found[3]))
    if found := re.match(r"(\d{1,2})\s?[-/.]\s?(\d{1,2})\s?[-/.]\s?(\d{4})(?!\d)", plain):
        first, second, year = int(found[1]), int(found[2]), int(found[3])
        if first > 12 or "." in found[0] or first == second:
            return _iso(year, second, first)
        return _iso(year, first, second) if second > 12 else ""
    years = re.findall(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)", plain)
    if len(years) != 1:
        return ""
    rest = plain.replace(years[0], " ", 1)
    days = [int(day) for day in re.findall(r"(?<!\d)\d{1,2}(?!\d)", re.sub(r"\d{1,2}:\d{2}(?::\d{2})?", " ", rest))]
    table = _months(language)
    months = [table[word] for word in re.findall(r"[^\W\d_]+", rest.casefold()) if word in table]
    if len(months) != 1:
        return ""
    return _iso(int(years[0]), months[0], days[0]) if days else f"{years[0]}-{months[0]:02}"


def _iso(year: int, month: int, day: int) -> str:
    try:
        return datetime.date(year, month, day).isoformat()
    except ValueError:
        return ""


def clock(text: str) -> str:
    """A typed time of day ("9am", "7.30 pm", "18 Uhr", "9:00") as hh:mm, or ""."""
    found = _CLOCK.fullmatch(ascii_digits(text).strip())
    return _hhmm(found) if found and (found[2] or found[3]) else ""


def _hhmm(found: re.Match[str]) -> str:
    hour, minute = int(found[1]), int(found[2] or 0)
    half = (found[3] or "").lower()
    if half.startswith(("a", "p")):
        if not 1 <= hour <= 12:
            return ""
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    return f"{hour:02}:{minute:02}" if hour <= 24 and minute <= 59 else ""


def opening_hours(text: str) -> str:
    """Spoken opening hours ("9am to 5pm daily", "Mon-Fri 9:00-17:00", "24/7") in Schema.org's syntax, or ""."""
    plain = ascii_digits(text).strip().casefold()
    if len(plain) > 80:
        return ""
    if _ALWAYS.match(plain):
        return "Mo-Su"
    days = ""
    for words, group in _DAY_GROUPS.items():
        if words in plain:
            days, plain = group, plain.replace(words, " ", 1)
            break
    named = [(found, _DAY_WORDS[found[0]]) for found in re.finditer(r"[^\W\d_]+", plain) if found[0] in _DAY_WORDS]
    if not days and named:
        days = named[0][1]
        for (before, _), (after, day) in pairwise(named):
            between = plain[before.end() : after.start()].strip(" .")
            if between in ("-", "–", "—", "to", "bis", "au", "à", "al", "a", "tot", "until", "through", "thru"):
                days += "-" + day
            elif between in (",", "&", "and", "und", "et", "y", "e", "/"):
                days += "," + day
            else:
                return ""
    times = [found for found in _CLOCK.finditer(re.sub(r"\b24\s*/\s*7\b", "", plain)) if found[0].strip()]
    if len(times) == 2 and times[1][3] and not times[0][3] and int(times[0][1]) <= 12 and times[1][3][0] in "ap":
        # "9-5pm" is nine in the morning, "1-5pm" one in the afternoon
        opened, closed = int(times[0][1]) % 12, int(times[1][1]) % 12
        half = 12 if times[1][3][0] == "p" and opened <= closed else 0
        first = f"{opened + half:02}:{times[0][2] or '00'}"
    else:
        first = _hhmm(times[0]) if times else ""
    if len(times) != 2 or not days:
        return ""
    last = _hhmm(times[1])
    return f"{days} {first}-{last}" if first and last else ""


def day_name(text: str) -> str:
    """A weekday in some language or abbreviation as the name of Schema.org's member ("Montag" → "Monday"), or ""."""
    code = _DAY_WORDS.get(text.strip(" .").casefold())
    names = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    return names[_DAYS.index(code)] if code else ""
