"""Numbers as pages print them: separators of every locale, scaled ("1.2k"), as fractions and as small words."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable

# Grouped by threes with one and the same separator and maybe decimals; else plain with maybe decimals.
_NUMBER = re.compile(
    r"(?:(?P<grouped>\d{1,3}(?P<mark>[.,' ])\d{3}(?:(?P=mark)\d{3})*)(?P<rest>[.,]\d{1,2})?(?![\d])(?!(?P=mark)\d)"
    r"|(?P<indian>\d{1,2}(?:,\d{2})+,\d{3})(?P<tail>\.\d+)?(?!\d)"
    r"|(?P<plain>\d+(?:[.,]\d+)?))"
    r"(?P<fraction> ?[½¼¾⅓⅔⅛]| ?\d/\d(?!\d|/))?"
    r"(?P<unit> ?(?:k|m|mio|mrd|million|millions|millionen|miljoen|millones|milhões|milioni|billion|milliard|tsd|"
    r"thousand|mille|mil|тыс|млн|万|億|亿|천|만)\b)?"
)
_DIGITS = re.compile(r"\d+")
_FRACTIONS = {"½": 1 / 2, "¼": 1 / 4, "¾": 3 / 4, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 1 / 8}
_GLYPH = re.compile(r"[½¼¾⅓⅔⅛]")
_BARE_FRACTION = re.compile(r"[1-9]/[2-9](?![\d/])")
_BEFORE_FRACTION = frozenset("0123456789/.,")
_SCALES = {
    **dict.fromkeys(("k", "tsd", "thousand", "mil", "тыс", "천"), 1e3),
    **dict.fromkeys(("m", "mio", "million", "millions", "millionen", "miljoen", "millones", "milhões", "млн"), 1e6),
    "milioni": 1e6,
    **dict.fromkeys(("mrd", "billion", "milliard"), 1e9),
    "万": 1e4,
    "만": 1e4,
    "億": 1e8,
    "亿": 1e8,
}
# Only words that are no article or pronoun; "one" and its like say nothing.
_WORDS = {
    "en": "zero two:2 three four five six seven eight nine ten eleven twelve",
    "de": "null zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "fr": "zéro deux trois quatre cinq six sept huit neuf dix onze douze",
    "es": "cero dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "it": "zero due tre quattro cinque sei sette otto nove dieci undici dodici",
    "pt": "zero dois três quatro cinco seis sete oito nove dez onze doze",
    "nl": "nul twee drie vier vijf zes zeven acht negen tien elf twaalf",
    "sv": "noll två tre fyra fem sex sju åtta nio tio elva tolv",
    "da": "nul to tre fire fem seks syv otte ni ti elleve tolv",
    "ru": "ноль два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
}
_EXACT = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")

Span = tuple[int, int]


def number_of(value: object) -> float | None:
    """The number that a value of a markup is, or None. Text counts where it is nothing but a number.

    A comma or a space is read as a separator the way `readings` does it, the first reading first.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return _finite(value)
    if not isinstance(value, str):
        return None
    text = value.strip()
    if _EXACT.fullmatch(text):
        return _finite(text)
    sign = -1 if text[:1] == "-" else 1
    match = _NUMBER.fullmatch(text.lstrip("+-"))
    return _finite(sign * readings(match)[0]) if match and not match["unit"] else None


def _finite(value: float | int | str) -> float | None:
    try:
        number = float(value)
    except (OverflowError, ValueError):
        return None
    return number if math.isfinite(number) else None


def key(value: float) -> float:
    """Equal for values that are the same number."""
    return round(value, 6)


def readings(match: re.Match[str]) -> list[float]:
    """What a printed number may mean, likeliest first: "1.299" is 1299 or 1.299."""
    grouped, plain = match["grouped"], match["plain"]
    values: list[float]
    if match["indian"]:
        values = [float(match["indian"].replace(",", "") + (match["tail"] or ""))]
    elif grouped:
        mark = match["mark"]
        whole = grouped.replace(mark, "")
        rest = (match["rest"] or "").replace(",", ".")
        values = [float(whole + rest)]
        if not rest and mark in ".," and grouped.count(mark) == 1 and not grouped.endswith("000"):
            values.append(float(grouped.replace(mark, ".")))
    else:
        values = [float(plain.replace(",", "."))]
    fraction = match["fraction"]
    if fraction:
        fraction = fraction.strip()
        part = _FRACTIONS.get(fraction)
        if part is None:
            top, bottom = fraction.split("/")
            part = int(top) / int(bottom) if bottom != "0" and int(top) < int(bottom) else 0.0
        values = [value + part for value in values] + values
    unit = match["unit"]
    if unit:
        values += [value * _SCALES.get(unit.strip(), 1.0) for value in values]
    return values


def find_numbers(text: str, language: str = "", taken: Iterable[Span] = ()) -> dict[float, list[Span]]:
    """Every number of a folded text.

    Arguments:
        text: folded text.
        language: for numbers written as words; English ones are always read.
        taken: spans whose digits are no numbers of their own (dates, times).

    Returns:
        number → spans, in order. "4" is not found in "14", "4.5", "B4" or "4,000".
    """
    found: dict[float, list[Span]] = defaultdict(list)
    occupied = {start for start, _ in taken}
    last = -1
    for run in _DIGITS.finditer(text):
        start = run.start()
        if start < last or start in occupied:
            continue
        before = text[start - 1] if start else " "
        if before.isalnum() or before in "_.,":
            continue
        match = _NUMBER.match(text, start)
        if match is None:
            continue
        last = match.end()
        end = match.end("plain") if match["plain"] else start + len(match[0].rstrip())
        # A minus belongs to the number where nothing that it could part stands before it.
        negative = before == "-" and (start < 2 or text[start - 2] in " \n\t(")
        for value in readings(match):
            found[key(-value if negative else value)].append((start, end))
            if negative:
                found[key(value)].append((start, end))
    for match in _GLYPH.finditer(text):
        if not text[match.start() - 1 : match.start()].isdigit():
            found[key(_FRACTIONS[match[0]])].append(match.span())
    for match in _BARE_FRACTION.finditer(text):
        if text[match.start() - 1 : match.start()] not in _BEFORE_FRACTION:
            found[key(int(match[0][0]) / int(match[0][2]))].append(match.span())
    for name in {language, "en"} & _WORDS.keys():
        pattern, values = _word_pattern(name)
        for match in pattern.finditer(text):
            found[float(values[match.group()])].append(match.span())
    return found


def _word_pattern(language: str) -> tuple[re.Pattern[str], dict[str, int]]:
    known = _PATTERNS.get(language)
    if known is None:
        from schemaproof.agents.grounding.folding import fold

        listed = [fold(word.split(":")[0]).text for word in _WORDS[language].split()]
        values = {word: number if number == 0 else number + 1 for number, word in enumerate(listed)}
        known = _PATTERNS[language] = (re.compile(rf"\b(?:{'|'.join(listed)})\b"), values)
    return known


_PATTERNS: dict[str, tuple[re.Pattern[str], dict[str, int]]] = {}
