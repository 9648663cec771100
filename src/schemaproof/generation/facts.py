"""Facts of known form in a piece of text: dates, times, durations, numbers, prices, ratings, with their spans.

How pages print them is read by the same functions that the factuality agent locates them with
(`schemaproof.agents.grounding`); here the way is from the text to the form that Schema.org asks for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from schemaproof.agents.compliance_names import currency_code
from schemaproof.agents.grounding.dates import find_dates, find_times
from schemaproof.agents.grounding.durations import find_durations
from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.grounding.numbers import find_numbers


@dataclass(frozen=True, slots=True)
class Fact:
    """A value found in a text.

    Attributes:
        value: in the form that Schema.org asks for.
        start, end: half-open offsets into the text that was given.
    """

    value: str | int | float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Price:
    """An amount of money. `high` is the upper end of a range, else None; `currency` an ISO 4217 code or ""."""

    amount: Fact
    high: Fact | None
    currency: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RatingFact:
    """A rating printed with its scale, and how many gave it."""

    value: Fact
    best: Fact | None
    count: Fact | None = None
    reviews: bool = False


_DIGIT = re.compile(r"\d")
_BETWEEN = re.compile(
    r"(?: ?г(?:ода|\.)?)?[\s,;|·•@(–-]{0,4}(?:at|um|a las|a|alle ore|alle|om|as|в|o godz\.?|o|saat|ab|from|de|"
    r"kl\.?|،|الساعه)?"
    r"[\s:]{0,2}"
)


def dates(text: str, language: str) -> list[Fact]:
    """Dates with a year, as ISO 8601; with a time of day where it follows at once. Ambiguous ones are left out."""
    if not _DIGIT.search(text):
        return []
    folded = fold(text)
    found: list[Fact] = []
    last = -1
    printed = find_dates(folded.text, language)
    printed.sort(key=lambda one: (one.start, -one.end))
    for one in printed:
        if one.start < last or not 1000 <= one.year <= 2199 or not one.month:
            continue
        if one.also and one.day <= 12 and one.day != one.month and language in ("en", ""):
            continue
        value = f"{one.year:04}-{one.month:02}" + (f"-{one.day:02}" if one.day else "")
        end = one.end
        if one.day:
            between = _BETWEEN.match(folded.text, end)
            at = between.end() if between else end
            times = find_times(folded.text[at : at + 12])
            for minutes, spans in times.items():
                if spans[0][0] == 0 and 0 <= minutes < 1440:
                    value += f"T{minutes // 60:02}:{minutes % 60:02}"
                    end = at + spans[0][1]
                    break
        found.append(Fact(value, folded.original(one.start), folded.original(end - 1) + 1))
        last = end
    return found


_YEAR = re.compile(r"(?<![\d.,/-])(1[0-9]\d\d|20\d\d)(?![\d.,]?\d|[-/]\d| ?[%€$£])")


def years(text: str) -> list[Fact]:
    """Years that stand alone."""
    return [Fact(match[1], match.start(), match.end()) for match in _YEAR.finditer(fold_digits(text))]


def times(text: str) -> list[Fact]:
    """Times of day as hh:mm, in order."""
    folded = fold(text)
    found: dict[int, Fact] = {}
    for minutes, spans in find_times(folded.text).items():
        for start, end in spans:
            # Two readings of "7:30": the first is the plain one.
            if start not in found and 0 <= minutes <= 1440:
                value = f"{minutes // 60:02}:{minutes % 60:02}"
                found[start] = Fact(value, folded.original(start), folded.original(end - 1) + 1)
    return [found[start] for start in sorted(found)]


_HOURS_MINUTES = re.compile(
    r"(?<![\d:.,])(\d{1,2}) ?(?:h|godz\.?|год|ч|時間|小时|小時|시간) ?(\d{1,2})(?: ?(?:m|min|mn)\b|分|분)?(?![\d:])"
)
_CLOCK = re.compile(r"(?:(\d{1,2}):)?(\d{1,2}):([0-5]\d)")


def iso_duration(seconds: float) -> str:
    """Seconds as an ISO 8601 duration."""
    rest = round(seconds)
    days, rest = divmod(rest, 86400)
    hours, rest = divmod(rest, 3600)
    minutes, rest = divmod(rest, 60)
    time = (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "") + (f"{rest}S" if rest else "")
    return "P" + (f"{days}D" if days else "") + (f"T{time}" if time else "") if days or time else "PT0S"


def durations(text: str, *, clock: bool = False) -> list[Fact]:
    """Durations as ISO 8601, longest reading first taken; of a range the first end.

    Arguments:
        text: any text.
        clock: read "3:45" as minutes and seconds (recordings), "1:02:03" as hours, minutes, seconds.
    """
    if not _DIGIT.search(text) and len(text) > 200:
        return []
    folded = fold(text)
    spans: list[tuple[int, int, float]] = []
    for match in _HOURS_MINUTES.finditer(folded.text):
        spans.append((match.start(), match.end(), int(match[1]) * 3600.0 + int(match[2]) * 60))
    for seconds, places in find_durations(folded.text).items():
        for start, end in places:
            if ":" not in folded.text[start:end] and seconds > 0:
                spans.append((start, end, seconds))
    if clock and not spans:
        for match in _CLOCK.finditer(folded.text):
            spans.append((*match.span(), int(match[1] or 0) * 3600.0 + int(match[2]) * 60 + int(match[3])))
    # The longest span wins; of readings of one span the first end of a range.
    spans.sort(key=lambda span: (span[0], -span[1]))
    found: list[Fact] = []
    last = -1
    for start, end, seconds in spans:
        if start >= last:
            found.append(Fact(iso_duration(seconds), folded.original(start), folded.original(end - 1) + 1))
            last = end
    return found


def fold_digits(text: str) -> str:
    """The text with digits of any script as 0 to 9, every character in its place."""
    if text.isascii():
        return text
    return "".join(
        str(int(character)) if character.isdecimal() and not character.isascii() else character for character in text
    )


def tidy(value: float) -> int | float:
    """A whole number as int."""
    return int(value) if value == int(value) else value


def numbers(text: str) -> list[Fact]:
    """Numbers in order; the likeliest reading of each."""
    if not _DIGIT.search(text):
        return []
    folded = fold(text)
    first: dict[int, tuple[float, int]] = {}
    for value, spans in find_numbers(folded.text).items():
        for start, end in spans:
            if folded.text[start].isdigit() or folded.text[start] in "+-":
                first.setdefault(start, (value, end))
    return [
        Fact(tidy(value), folded.original(start), folded.original(end - 1) + 1)
        for start, (value, end) in sorted(first.items())
    ]


_AMOUNT = (
    r"\d+(?:\.\d+)?\s?[万萬]|"
    r"\d{1,3}(?:[.,\u00a0\u202f' ’]\d{3})+(?:[.,]\d{1,2})?(?!\d)|"
    r"\d+(?:[.,]\d{1,2})(?!\d)|\d+(?:[.,](?:-{1,2}|–|—))?"
)
_SIGN = (
    r"US\$|A\$|AU\$|CA\$|C\$|NZ\$|HK\$|R\$|S\$|NT\$|MX\$|\$|€|£|¥|￥|₹|₽|₴|₺|₩|₫|₪|₱|฿|₦|zł|Kč|\bEUR\b|\bUSD\b|\bGBP\b|"
    r"\bCHF\b|\bSEK\b|\bNOK\b|\bDKK\b|\bPLN\b|\bCZK\b|\bHUF\b|\bRON\b|\bTRY\b|\bJPY\b|\bCNY\b|\bINR\b|\bAUD\b|\bCAD\b|"
    r"\bNZD\b|\bBRL\b|\bMXN\b|\bZAR\b|\bAED\b|\bSAR\b|\bEGP\b|\bRUB\b|\bUAH\b|\bBGN\b|\bRs\.?|\bkr\b\.?|"
    r"\bруб(?:\.|лей\b)?|"
    r"\bр\.|\bгрн\b\.?|\bлв\b\.?|\bTL\b|\bFt\b|\blei\b|円|元|원|\beuros?\b|\bEuro\b|\bRM\b|\bRp\b\.?|ريال|درهم|جنيه|دينار"
)
_THROUGH = r"\s?(?:-|–|—|to|bis|à|a|до|～|~|〜)\s?"
_PRICE = re.compile(
    rf"(?P<sign1>{_SIGN})\s?(?P<low1>{_AMOUNT})(?:{_THROUGH}(?:{_SIGN})?\s?(?P<high1>{_AMOUNT}))?"
    rf"|(?<![\d.,])(?P<low2>{_AMOUNT})(?:\s?(?:{_SIGN})?{_THROUGH}(?P<high2>{_AMOUNT}))?"
    rf"\s?(?P<sign2>{_SIGN})(?![\w$])",
)
_SIGNS = {
    "US$": "USD", "A$": "AUD", "AU$": "AUD", "CA$": "CAD", "C$": "CAD", "NZ$": "NZD", "HK$": "HKD", "R$": "BRL",
    "S$": "SGD", "NT$": "TWD", "MX$": "MXN", "€": "EUR", "£": "GBP", "₹": "INR", "₽": "RUB", "₴": "UAH", "₺": "TRY",
    "₩": "KRW", "₫": "VND", "₪": "ILS", "₱": "PHP", "฿": "THB", "₦": "NGN", "zł": "PLN", "Kč": "CZK", "Rs": "INR",
    "Rs.": "INR", "р.": "RUB", "грн": "UAH", "грн.": "UAH", "лв": "BGN", "лв.": "BGN", "TL": "TRY", "Ft": "HUF",
    "lei": "RON", "円": "JPY", "元": "CNY", "원": "KRW", "euro": "EUR", "euros": "EUR", "Euro": "EUR", "RM": "MYR",
    "Rp": "IDR", "Rp.": "IDR",
}  # fmt: skip
_BY_LANGUAGE = {
    "kr": {"sv": "SEK", "da": "DKK", "nb": "NOK", "no": "NOK", "nn": "NOK", "is": "ISK"},
    "¥": {"ja": "JPY", "zh": "CNY"},
    "￥": {"ja": "JPY", "zh": "CNY"},
    "руб": {"ru": "RUB"},
}
_DOLLARS = {"au": "AUD", "ca": "CAD", "nz": "NZD", "mx": "MXN", "sg": "SGD", "hk": "HKD", "tw": "TWD", "ar": "ARS",
            "cl": "CLP", "co": "COP"}  # fmt: skip
_TOP_LEVEL = re.compile(r"^[a-z]+://[^/?#:]*\.([a-z]{2,})(?:[/?#:]|$)", re.I)


def currency(sign: str, language: str, address: str = "") -> str:
    """The ISO 4217 code of a sign as printed, or "" where it names no one currency here.

    Arguments:
        sign: as printed ("€", "zł", "$").
        language: of the page.
        address: of the page; its top-level domain tells dollars apart.
    """
    sign = sign.strip()
    if sign in _SIGNS:
        return _SIGNS[sign]
    plain = sign.rstrip(".")
    if plain == "$":
        found = _TOP_LEVEL.match(address)
        country = found[1].lower() if found else ""
        return _DOLLARS.get(country) or ("USD" if language == "en" else "")
    for start, table in _BY_LANGUAGE.items():
        if plain.startswith(start):
            return table.get(language, "")
    return plain if len(plain) == 3 and plain.isascii() and plain.isupper() else currency_code(plain, language)


def amount(text: str) -> float:
    """A printed amount as a number; the last separator is the decimal mark where one or two digits follow it."""
    if text[-1] in "万萬":
        return float(text[:-1]) * 10000
    plain = re.sub(r"[\s'’\u00a0\u202f]", "", text.rstrip("-–—,."))
    last = max(plain.rfind("."), plain.rfind(","))
    if last >= 0 and len(plain) - last - 1 in (1, 2):
        return float(plain[:last].replace(".", "").replace(",", "") + "." + plain[last + 1 :])
    return float(plain.replace(".", "").replace(",", ""))


def prices(text: str, language: str, address: str = "") -> list[Price]:
    """Amounts of money with their currency, in order."""
    plain = fold_digits(text)
    if not _DIGIT.search(plain):
        return []
    found = []
    for match in _PRICE.finditer(plain):
        which = "1" if match["low1"] else "2"
        sign = match[f"sign{which}"]
        low = Fact(tidy(amount(match[f"low{which}"])), *match.span(f"low{which}"))
        high = None
        if match[f"high{which}"]:
            high = Fact(tidy(amount(match[f"high{which}"])), *match.span(f"high{which}"))
        found.append(Price(low, high, currency(sign, language, address), match.start(), match.end()))
    return found


@lru_cache(maxsize=1)
def _ratings() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    value = r"(?<![\d.,/])(?P<value>\d{1,2}(?:[.,]\d{1,2})?)"
    stars = (
        r"(?:stars?|sternen?|etoiles?|estrellas?|stelle|sterren|estrelas|звезд[ыа]?|gwiazd\w*|yildiz|stjarnor|"
        r"stjerner|hvezd\w*)"
    )
    scale = (
        rf"{value}\s?(?:{stars}\s)?(?:/|out of|von|sur|de|su|van(?: de)?|z|из|من|av|af|of|sobre|em|na)\s?"
        r"(?P<best>5|10|100|20)(?![\d.,]\d|\d|%)(?:[.,]0)?"
    )
    word = (
        r"reviews?|ratings?|votes?|bewertungen?|rezensionen?|stimmen|avis|evaluations?|notes|opiniones|opinion|"
        r"resenas?|"
        r"valoraciones|votos?|recensioni|valutazioni|voti|beoordelingen|recensies|avaliacoes|opinioes|отзыв(?:ов|а)?|"
        r"оцен(?:ок|ки|ка)|голос(?:ов|а)?|opinii|opinie|ocen|recenzji|yorum|degerlendirme|oy|件の(?:レビュー|口コミ|クチコミ)|"
        r"レビュー|口コミ|条评论|条评价|个评分|人评分|تقييمات?|مراجعات?|تقييم|omdomen|anmeldelser|recenzi|hodnoceni|"
        r"відгук(?:ів|и)?|리뷰|customers|readers|users"
    )
    many = (
        r"\(?(?P<count>\d{1,3}(?:[.,\u00a0 ]\d{3})+|\d+)\)?\s?(?:global |customer |user |reader |verified |kunden|"
        rf"customers' |total |google )?(?P<word>{word})(?![a-zа-я])"
    )
    starred = rf"{value}\s?{stars}|(?<![\d.,/])(?P<value2>[0-5][.,]\d)\s?\((?P<many>\d[\d.,]*)\s?(?:{word})?\)"
    return re.compile(scale), re.compile(many), re.compile(starred)


_REVIEW_WORDS = re.compile(
    r"review|rezension|avis|resen|recension|recensi|отзыв|opini|yorum|レビュー|口コミ|クチコミ|评论|مراجع|omdomen|anmeld|"
    r"відгук|리뷰|bewertung|beoordeling|avaliac"
)


def rating_in(text: str, *, stars: bool = False) -> RatingFact | None:
    """The rating that a short text states with its scale ("4.7 out of 5 (128 reviews)"), or None.

    Arguments:
        text: a line or two.
        stars: take "4.5 stars" without a scale too.
    """
    if not _DIGIT.search(text):
        return None
    folded = fold(text)
    scale, _, starred = _ratings()
    match = scale.search(folded.text)
    best: Fact | None = None
    if match:
        best = Fact(int(match["best"]), *_span(folded, match, "best"))
    elif stars:
        match = starred.search(folded.text)
    if match is None:
        return None
    group = "value" if match["value"] else "value2"
    value = float(match[group].replace(",", "."))
    if value > (best.value if best else 5):  # type: ignore[operator]
        return None
    count, reviews = counted(text)
    if group == "value2" and count is None:
        digits = re.sub(r"\D", "", match["many"])
        count = Fact(int(digits), *_span(folded, match, "many")) if digits else None
    return RatingFact(Fact(tidy(value), *_span(folded, match, group)), best, count, reviews)


def counted(text: str) -> tuple[Fact | None, bool]:
    """How many reviews or ratings a short text counts, and whether it calls them reviews."""
    folded = fold(text)
    match = _ratings()[1].search(folded.text)
    if match is None:
        return None, False
    number = int(re.sub(r"\D", "", match["count"]))
    return Fact(number, *_span(folded, match, "count")), bool(_REVIEW_WORDS.search(match["word"]))


def _span(folded: object, match: re.Match[str], group: str) -> tuple[int, int]:
    start, end = match.span(group)
    return folded.original(start), folded.original(end - 1) + 1  # type: ignore[attr-defined]
