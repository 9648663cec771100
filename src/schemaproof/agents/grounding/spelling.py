"""Words that are one word though they are spelled in two ways: street and st, teaspoon and tsp, ½ and 1/2."""

from __future__ import annotations

import re

_GROUPS = (
    "street st str strasse straße", "avenue ave av", "road rd", "boulevard blvd bd", "suite ste", "drive dr",
    "lane ln", "court ct", "square sq", "place pl", "highway hwy", "parkway pkwy", "building bldg", "floor fl",
    "apartment apt", "north n", "south s", "east e", "west w", "northwest nw", "northeast ne", "southwest sw",
    "southeast se", "mount mt", "fort ft", "teaspoon teaspoons tsp tsps", "tablespoon tablespoons tbsp tbsps tbs",
    "ounce ounces oz", "gram grams g gr", "kilogram kilograms kg kgs", "pound pounds lb lbs",
    "milliliter milliliters millilitre ml", "liter liters litre litres l", "cup cups", "minute minutes min mins",
    "hour hours hr hrs h", "inch inches in", "foot feet", "centimeter centimeters cm", "millimeter millimeters mm",
    "kilometer kilometers km", "calories calorie kcal cal", "and und et y e en", "incorporated inc", "limited ltd",
    "company co", "corporation corp", "doctor", "professor prof", "number no nr num", "department dept",
    "university univ", "january jan", "february feb", "march mar", "april apr", "june jun", "july jul",
    "august aug", "september sep sept", "october oct", "november nov", "december dec", "monday mon", "tuesday tue",
    "wednesday wed", "thursday thu", "friday fri", "saturday sat", "sunday sun", "esslöffel el", "teelöffel tl",
    "stück stk", "international intl", "junior jr", "senior sr", "versus vs", "saint", "el al", "1 one", "2 two",
    "3 three", "4 four", "5 five", "6 six", "7 seven", "8 eight", "9 nine", "10 ten",
)  # fmt: skip
# Units that are never another spelling of each other, in the spelling of `canonical`.
UNITS = frozenset(
    (
        "teaspoon", "tablespoon", "ounce", "gram", "kilogram", "pound", "milliliter", "liter", "cup", "minute", "hour",
        "second", "inch", "foot", "centimeter", "millimeter", "kilometer", "mile", "meter", "day", "week",
        "month", "year",
    )
)  # fmt: skip
_CANONICAL = {word: group.split()[0] for group in _GROUPS for word in group.split()}
_GLYPHS = {
    "½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8",
}  # fmt: skip
_DECIMALS = {
    "5": "½", "50": "½", "25": "¼", "75": "¾", "33": "⅓", "333": "⅓", "3333": "⅓", "67": "⅔", "66": "⅔", "666": "⅔",
    "125": "⅛",
}  # fmt: skip
_FRACTION = re.compile(r"(?:(\d+)[ -])?(\d)/(\d)(?!\d)")
_DECIMAL = re.compile(r"(?<![\d.,])(\d+)[.,](5|50|25|75|3{2,}|6?67|6{2,3}|125)0*(?!\d)")
_TO_GLYPH = {written: glyph for glyph, written in _GLYPHS.items()}


def canonical(word: str) -> str:
    """The one spelling of a word; a plural s is left out."""
    known = _CANONICAL.get(word)
    if known is not None:
        return known
    return word[:-1] if len(word) > 4 and word[-1] == "s" and not word.endswith("ss") else word


def _as_glyph(match: re.Match[str]) -> str:
    """0.5 → ½, 1.25 → 1¼."""
    whole = "" if match[1] == "0" else match[1]
    return whole + _DECIMALS.get(match[2].rstrip("0") or match[2], match[2])


def respelled(folded: str) -> list[str]:
    """Other ways to write the fractions of a folded text, the text itself left out."""
    found: list[str] = []
    glyphs = _FRACTION.sub(lambda match: (match[1] or "") + _TO_GLYPH.get(f"{match[2]}/{match[3]}", match[0]), folded)
    glyphs = _DECIMAL.sub(_as_glyph, glyphs)
    if glyphs != folded:
        found += [glyphs, re.sub(r"(\d)([½¼¾⅓⅔⅛])", r"\1 \2", glyphs)]
    plain = glyphs
    for glyph, written in _GLYPHS.items():
        if glyph in plain:
            plain = re.sub(rf"(\d){glyph}", rf"\1 {written}", plain).replace(glyph, written)
    if plain not in (folded, glyphs):
        found.append(plain)
    return list(dict.fromkeys(each for each in found if each != folded))
