"""Values that a page says in other words: members of enumerations, codes of currencies, countries, languages and units,
truth values, opening hours, media types."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from schemaproof.agents.factuality_texts import judge_text
from schemaproof.agents.grounding.binding import bind, negated
from schemaproof.agents.grounding.claim import Claim
from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.grounding.lexicon import name_words
from schemaproof.agents.grounding.locales import level, tables
from schemaproof.agents.grounding.outcome import Outcome, Span
from schemaproof.agents.grounding.prepared import Prepared
from schemaproof.agents.grounding.shapes import bare_member
from schemaproof.agents.grounding.words import words_of

_SIGNS = {
    "EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "CNY": "¥", "INR": "₹", "KRW": "₩", "RUB": "₽", "TRY": "₺",
    "UAH": "₴", "VND": "₫", "THB": "฿", "ILS": "₪", "PHP": "₱", "NGN": "₦", "KZT": "₸", "CAD": "$", "AUD": "$",
    "NZD": "$", "MXN": "$", "SGD": "$", "HKD": "$", "ARS": "$", "CLP": "$", "COP": "$", "TWD": "$", "BTC": "₿",
}  # fmt: skip
_MONEY_WORDS = {
    "EUR": "euro euros eur", "USD": "usd dollars dollar us$", "GBP": "gbp pounds pound", "JPY": "円 yen jpy",
    "CNY": "元 rmb yuan cny", "INR": "rs inr rupees rupee", "KRW": "원 won krw", "RUB": "руб рублей рубля rub р",
    "TRY": "tl try lira", "UAH": "грн uah гривень", "VND": "vnd đ d", "PLN": "zl pln zloty", "CZK": "kc czk korun",
    "SEK": "kr sek kronor", "NOK": "kr nok kroner", "DKK": "kr dkk kroner", "CHF": "chf fr franken francs",
    "BRL": "r$ brl reais", "BGN": "лв bgn лева", "HUF": "ft huf forint", "RON": "lei ron", "IDR": "rp idr rupiah",
    "ZAR": "r zar rand", "AED": "aed dhs درهم", "SAR": "sar ريال", "EGP": "egp جنيه", "MYR": "rm myr", "PKR": "rs pkr",
    "ISK": "kr isk", "CAD": "cad c$ ca$", "AUD": "aud a$", "NZD": "nzd nz$", "SGD": "sgd s$", "HKD": "hkd hk$",
    "MXN": "mxn pesos", "ARS": "ars pesos", "IRR": "ريال تومان", "LKR": "rs lkr", "BDT": "৳ bdt taka",
}  # fmt: skip
# UN/CEFACT Recommendation 20 codes and what a page writes for them.
_UNITS = {
    "FTK": "square feet|square foot|sq ft|sqft|ft2|sf", "MTK": "square meters|square metres|square meter|sq m|sqm|m2|qm|m²|quadratmeter",
    "KMT": "km|kilometer|kilometers|kilometre|kilometres|kilometern", "SMI": "miles|mile|mi", "MTR": "m|meter|meters|metre|metres|mètres",
    "CMT": "cm|centimeter|centimeters|centimetre|centimetres|zentimeter", "MMT": "mm|millimeter|millimeters|millimetre|millimetres",
    "INH": "in|inch|inches|zoll", "FOT": "ft|feet|foot", "YRD": "yd|yard|yards", "KGM": "kg|kilogram|kilograms|kilo|kilos",
    "GRM": "g|gr|gram|grams|gramm|grammes", "LBR": "lb|lbs|pound|pounds", "ONZ": "oz|ounce|ounces", "LTR": "l|liter|liters|litre|litres",
    "MLT": "ml|milliliter|milliliters", "CLT": "cl|centiliter", "HUR": "hour|hours|h|hr|hrs|stunde|stunden|heure|heures|uur", "MIN": "minute|minutes|min|mins|minuten",
    "SEC": "second|seconds|sec|s|sekunden", "DAY": "day|days|tag|tage|tagen|jour|jours|dias|giorni|dagen", "WEE": "week|weeks|woche|wochen|semaine",
    "MON": "month|months|monat|monate|monaten|mois|mes|meses|mesi|maand|maanden|月", "ANN": "year|years|yr|yrs|jahr|jahre|jahren|ans|an|ano|anos|anni|jaar|年",
    "BHP": "hp|bhp|horsepower|ps", "KWT": "kw|kilowatt", "CEL": "°c|celsius", "FAH": "°f|fahrenheit", "P1": "%|percent|prozent",
    "KMH": "km/h|kmh|kph", "HM": "mph|miles per hour", "4L": "mb|megabyte", "E34": "gb|gigabyte", "AD": "byte|bytes", "2P": "kb|kilobyte",
    "CMQ": "cc|cm3|ccm", "C62": "piece|pieces|pcs|unit|units|stück|stk|each|one", "NAR": "number|quantity|qty|anzahl|stück|stk|quantité|cantidad|quantità|aantal|pieces|items|antal|множ|количество|数量",
    "H87": "piece|pieces|pcs|stück|stk", "WTT": "w|watt|watts", "VLT": "v|volt|volts", "MHZ": "mhz", "KHZ": "khz", "TNE": "t|tonne|tonnes|ton|tons",
    "MTQ": "m3|cubic meters|m³", "ACR": "acre|acres", "HAR": "ha|hectare|hectares|hektar", "NMP": "packs|pack", "SET": "set|sets", "PR": "pair|pairs|paar",
}  # fmt: skip
_MIMES = {
    "application/pdf": "pdf", "image/jpeg": "jpg jpeg", "image/png": "png", "image/gif": "gif", "video/mp4": "mp4 mpeg-4",
    "audio/mpeg": "mp3", "text/html": "html", "application/zip": "zip", "text/csv": "csv", "application/json": "json",
    "application/xml": "xml", "application/msword": "doc", "application/rss+xml": "rss", "application/vnd.ms-excel": "xls",
    "video/webm": "webm", "audio/ogg": "ogg", "application/epub+zip": "epub", "image/svg+xml": "svg", "text/plain": "txt",
    "application/atom+xml": "atom", "image/webp": "webp", "video/quicktime": "mov", "application/rdf+xml": "rdf", "text/turtle": "ttl turtle",
    "application/ld+json": "json-ld jsonld", "audio/wav": "wav", "text/xml": "xml",
}  # fmt: skip
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT_DAYS = {"mo": 0, "tu": 1, "we": 2, "th": 3, "fr": 4, "sa": 5, "su": 6}
_DAY_RANGE = re.compile(r"^[^\w\n]{0,3}(?:-|to|bis|au|a|al|tot|до|through|thru|~|から)?[^\w\n]{0,3}$")


# Members of enumerations


@lru_cache(maxsize=1)
def _cues() -> dict[str, dict[str, tuple[str, ...]]]:
    """Member → "yes"/"no" → phrases, from `members.txt`."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    text = (files("schemaproof.agents.grounding") / "members.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            names, _, rest = line.partition(":")
            yes, _, no = rest.partition("|")
            entry = {
                "yes": tuple(level(each) for each in yes.split(",") if each.strip()),
                "no": tuple(level(each) for each in no.split(",") if each.strip()),
            }
            for name in names.split():
                found[name] = entry
    return found


def judge_member(claim: Claim, prepared: Prepared) -> Outcome:
    """An enumeration member: its name as words, or what pages write for it."""
    member = bare_member(claim.text)
    cues = _cues().get(member)
    denied = _first(prepared, cues["no"]) if cues else None
    found = _stated(prepared, cues["yes"]) if cues else None
    if cues and denied is not None and (found is None or _inside(found, denied) or cues["no"]):
        if found is None or denied[0] <= found[0] <= denied[1] or member in ("InStock", "InStoreOnly", "OnlineOnly"):
            return Outcome(
                0.12, "member-contradicted", f"the page says {prepared.text[slice(*denied)]!r}, which is not {member}",
                contradicted=True, spans=(denied,),
            )  # fmt: skip
    if found is not None:
        if negated(prepared, *found):
            return Outcome(
                0.12, "member-negated", f"the page denies it by a word before {prepared.text[slice(*found)]!r}",
                contradicted=True, spans=(found,),
            )  # fmt: skip
        return Outcome(0.85, "member-in-words", f"the page says {prepared.text[slice(*found)]!r}", spans=(found,))
    words = name_words(member) or [member.lower()]
    phrases = list(dict.fromkeys([" ".join(_camel(member)), " ".join(words)]))
    spans = [span for phrase in phrases for span in _find(prepared, phrase)]
    if not spans and len(words) >= 1:
        spans = _stems(prepared, words)
    if spans:
        affirmed = [span for span in spans if not negated(prepared, *span)]
        if not affirmed:
            return Outcome(
                0.12, "member-negated", f"the page denies it by a word before {prepared.text[slice(*spans[0])]!r}",
                contradicted=True, spans=(spans[0],),
            )  # fmt: skip
        return Outcome(
            0.8, "member-in-words", f"the page says {prepared.text[slice(*affirmed[0])]!r}", spans=tuple(affirmed[:3])
        )
    return Outcome(0.15, "member-not-in-text", f"nothing on the page says {' '.join(_camel(member))!r}")


def _inside(one: Span, other: Span) -> bool:
    return other[0] <= one[0] and one[1] <= other[1]


def _camel(name: str) -> list[str]:
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


def _find(prepared: Prepared, phrase: str, limit: int = 10) -> list[Span]:
    return [
        (prepared.words.starts[first], prepared.words.ends[last - 1])
        for first, last in prepared.words.find(phrase, limit=limit)
    ]


def _first(prepared: Prepared, phrases: tuple[str, ...]) -> Span | None:
    for phrase in phrases:
        found = _find(prepared, phrase, 1)
        if found:
            return found[0]
    return None


def _stated(prepared: Prepared, phrases: tuple[str, ...]) -> Span | None:
    """The first phrase that stands there and is not denied; else a denied one."""
    denied = None
    for phrase in phrases:
        for span in _find(prepared, phrase, 6):
            if not negated(prepared, *span):
                return span
            denied = denied or span
    return denied


def _stems(prepared: Prepared, words: list[str]) -> list[Span]:
    """All telling words of a member's name, in any form, within one line."""
    telling = [word for word in words if word not in _KINDS]
    if not telling:
        return []
    stem = telling[0][: max(4, len(telling[0]) - 1)] if len(telling[0]) > 4 else telling[0]
    found: list[Span] = []
    place = prepared.words.line.find(f" {stem}")
    while place >= 0 and len(found) < 8:
        number = prepared.words.number(place + 1)
        start, end = prepared.words.starts[number], prepared.words.ends[number]
        if len(prepared.words.words[number]) <= len(telling[0]) + 3:
            low, high = prepared.line(prepared.line_number(start))
            line = prepared.text[low:high]
            if all(word[: max(4, len(word) - 1)] in line for word in telling[1:]):
                found.append((start, end))
        place = prepared.words.line.find(f" {stem}", place + 1)
    return found


_KINDS = frozenset(
    [
        "diet",
        "condition",
        "type",
        "status",
        "mode",
        "category",
        "action",
        "event",
        "format",
        "online",
        "offline",
        "page",
        "book",
        "size",
    ]
)


# Truth values


@lru_cache(maxsize=1)
def _truths() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Property → phrases that say yes, phrases that say no, from `truths.txt`."""
    found: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    text = (files("schemaproof.agents.grounding") / "truths.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            names, _, rest = line.partition(":")
            yes, _, no = rest.partition("|")
            for name in names.split():
                before = found.get(name, ((), ()))
                found[name] = (
                    before[0] + tuple(level(each) for each in yes.split(",") if each.strip()),
                    before[1] + tuple(level(each) for each in no.split(",") if each.strip()),
                )
    return found


_YES = re.compile(r"^\W{0,4}(?:yes|ja|oui|si|sim|true|da|tak|ano|evet|да|はい|是|نعم|✓|✔|available|allowed|included)\b")
_NO = re.compile(r"^\W{0,4}(?:no|nein|non|nao|false|nee|nej|nie|ne|hayir|нет|いいえ|否|لا|✗|✘|not)\b")


def judge_truth(claim: Claim, prepared: Prepared) -> Outcome:
    """True or false: said by cue words, or by yes and no after the property's words."""
    value = claim.value if isinstance(claim.value, bool) else str(claim.value).strip().lower() in ("true", "yes", "1")
    cues = _truths().get(claim.property)
    if cues is not None:
        said, denied = cues if value else (cues[1], cues[0])
        yes, no = _stated(prepared, said), _stated(prepared, denied)
        if yes is not None and negated(prepared, *yes):
            yes, no = None, no or yes
        if yes is not None:
            return Outcome(0.78, "truth-said", f"the page says {prepared.text[slice(*yes)]!r}", spans=(yes,))
        if no is not None:
            return Outcome(
                0.2, "truth-denied", f"the page says {prepared.text[slice(*no)]!r}", contradicted=True, spans=(no,)
            )
    words = name_words(claim.property)
    for phrase in dict.fromkeys(
        (" ".join(_camel(claim.property)), " ".join(words), *(word for word in words if len(word) > 4))
    ):
        for start, end in _find(prepared, phrase, 6) if phrase else ():
            after = prepared.text[end : end + 16]
            no_said = bool(_NO.match(after)) or negated(prepared, start, end)
            if _YES.match(after) or no_said or " " in phrase:
                fits = no_said != value
                return Outcome(
                    0.72 if fits else 0.15, "truth-by-words", f"the page says {prepared.text[start:end + 10].strip()!r}",
                    contradicted=not fits, spans=((start, end),),
                )  # fmt: skip
    return Outcome(0.2, "truth-not-said", f"nothing on the page says whether it is {str(value).lower()}")


# Codes


def judge_currency(claim: Claim, prepared: Prepared) -> Outcome:
    """A currency by its code, sign or name; several may be listed."""
    parts = [part for part in re.split(r"[,;/\s]+", claim.text) if part]
    codes = [part.upper() for part in parts if re.fullmatch(r"[A-Za-z]{3}", part)]
    if not codes or len(codes) != len(parts):
        for code, sign in _SIGNS.items():
            if claim.text.strip() == sign:
                codes = [code]
        if not codes or len(codes) != len(parts):
            return judge_text(claim, prepared)
    spans = [span for code in codes if (span := _currency_span(prepared, code)) is not None]
    if len(spans) == len(codes):
        return Outcome(0.88, "currency-in-text", "the page prints amounts in it", spans=tuple(spans[:3]))
    other = next(
        ((code, span) for code in _SIGNS if code not in codes and (span := _sign_span(prepared, code)) is not None),
        None,
    )
    if other is not None:
        return Outcome(
            0.05, "currency-differs", f"the page prints {prepared.text[slice(*other[1])]!r}, not {', '.join(codes)}",
            contradicted=True, spans=(other[1],),
        )  # fmt: skip
    return Outcome(0.05, "currency-not-in-text", f"no amount in {', '.join(codes)} stands on the page")


def _sign_span(prepared: Prepared, code: str) -> Span | None:
    sign = _SIGNS.get(code)
    if sign is None:
        return None
    match = re.search(rf"\d ?{re.escape(sign)}|{re.escape(sign)} ?\d|{re.escape(sign)}", prepared.text)
    return match.span() if match else None


def _currency_span(prepared: Prepared, code: str) -> Span | None:
    span = _sign_span(prepared, code)
    if span is not None:
        return span
    names = [code.lower(), *_MONEY_WORDS.get(code, "").split()]
    for name in dict.fromkeys(names):
        word = re.escape(fold(name).text)
        match = re.search(rf"\d ?{word}(?![^\W\d_])|(?<![^\W_]){word}\.? ?\d", prepared.text)
        if match is None and (len(name) >= 3 or name > "\u3000"):
            match = re.search(rf"(?<![^\W_]){word}(?![^\W_])", prepared.text)
        if match:
            return match.span()
    for language in dict.fromkeys((prepared.language or "en", "en")):
        name = tables(language).currencies.get(code, "")
        if name:
            found = _first(prepared, (name, f"{name}s"))
            if found:
                return found
    return None


def judge_country(claim: Claim, prepared: Prepared) -> Outcome:
    """A country by code or name, in the page's language or English."""
    code = claim.text.strip().upper()
    languages = tuple(dict.fromkeys((prepared.language or "en", "en")))
    if not re.fullmatch(r"[A-Z]{2,3}", code) or (len(code) == 3 and code not in _ISO3):
        code = next(
            (
                code
                for each in languages
                for code, name in tables(each).territories.items()
                if name == " ".join(claim.words)
            ),
            "",
        )
        if not code:
            return judge_text(claim, prepared)
    code = _ISO3.get(code, code)
    names = [tables(each).territories.get(code, "") for each in languages]
    names += _COUNTRY_NAMES.get(code, "").split("|")
    spans = [span for name in dict.fromkeys(names) if name for span in _find(prepared, level(name), 4)]
    if spans:
        return Outcome(
            0.88, "country-in-text", f"the page says {prepared.text[slice(*spans[0])]!r}", spans=tuple(spans[:3])
        )
    printed = re.search(rf"(?<![\w.]){re.escape(code)}(?![\w])", prepared.page.text)
    if printed:
        start = prepared.text.find(code.lower(), max(0, printed.start() - len(prepared.folded.removed)))
        return Outcome(0.78, "country-in-text", f"the page prints the code {code}", spans=((start, start + len(code)),))
    found = _by_address(claim, prepared, code)
    if found is not None:
        return found
    return Outcome(0.12, "country-not-in-text", f"the page does not name the country {code}")


def _by_address(claim: Claim, prepared: Prepared, code: str) -> Outcome | None:
    """A country that the page tells by a telephone prefix, or by the form of its postal codes."""
    prefix = _PREFIXES.get(code)
    if prefix:
        match = re.search(rf"(?<!\d)(?:\+|00){prefix}(?!\d{{12}})[ (\d]", prepared.text)
        if match:
            return Outcome(
                0.62, "country-by-telephone", f"the page prints a telephone number of {code}", spans=(match.span(),)
            )
    form = _POSTAL.get(code)
    if form:
        match = re.search(form, prepared.text)
        if match:
            return Outcome(
                0.6, "country-by-postal-code", f"the page prints a postal code of {code}", spans=(match.span(),)
            )
    return None


_PREFIXES = {
    "DE": "49", "FR": "33", "GB": "44", "IT": "39", "ES": "34", "NL": "31", "BE": "32", "CH": "41", "AT": "43", "SE": "46",
    "NO": "47", "DK": "45", "FI": "358", "PL": "48", "CZ": "420", "RU": "7", "TR": "90", "JP": "81", "KR": "82", "CN": "86",
    "IN": "91", "AU": "61", "NZ": "64", "BR": "55", "MX": "52", "ZA": "27", "AE": "971", "SA": "966", "IE": "353", "PT": "351",
    "GR": "30", "BG": "359", "RO": "40", "HU": "36", "UA": "380", "IL": "972", "SG": "65", "HK": "852", "VN": "84", "ID": "62",
    "TH": "66", "MY": "60", "PH": "63", "NP": "977", "PK": "92", "AR": "54", "CL": "56", "CO": "57", "SK": "421", "HR": "385",
}  # fmt: skip
_POSTAL = {
    "US": r",? \b(?:al|ak|az|ar|ca|co|ct|dc|de|fl|ga|hi|id|il|in|ia|ks|ky|la|me|md|ma|mi|mn|ms|mo|mt|ne|nv|nh|nj|nm|ny|nc|nd|"
    r"oh|ok|or|pa|ri|sc|sd|tn|tx|ut|vt|va|wa|wv|wi|wy|[a-z]{5,13}),? \d{5}(?:-\d{4})?\b",
    "GB": r"\b[a-z]{1,2}\d[a-z\d]? \d[a-z]{2}\b",
    "CA": r"\b[a-z]\d[a-z] ?\d[a-z]\d\b",
    "NL": r"\b\d{4} ?[a-z]{2}\b",
}
_COUNTRY_NAMES = {
    "US": "usa|u s a|united states|u s|america|united states of america", "GB": "uk|u k|united kingdom|england|scotland|wales|great britain",
    "NL": "netherlands|nederland|holland", "DE": "germany|deutschland", "AE": "uae|united arab emirates", "KR": "korea|south korea",
    "RU": "russia|россия", "CZ": "czech republic|ceska republika|ceska", "CH": "switzerland|schweiz|suisse|svizzera", "TR": "turkey|turkiye",
    "AT": "austria|osterreich", "ES": "spain|espana", "IT": "italy|italia", "CN": "china", "VN": "vietnam", "BE": "belgium|belgie|belgique",
    "DK": "denmark|danmark", "SE": "sweden|sverige", "NO": "norway|norge", "JP": "japan|日本", "FR": "france", "BG": "bulgaria|българия",
}  # fmt: skip
_ISO3 = {
    "USA": "US", "GBR": "GB", "DEU": "DE", "FRA": "FR", "ITA": "IT", "ESP": "ES", "NLD": "NL", "BEL": "BE", "CHE": "CH",
    "AUT": "AT", "CAN": "CA", "AUS": "AU", "JPN": "JP", "CHN": "CN", "IND": "IN", "BRA": "BR", "MEX": "MX", "RUS": "RU",
    "POL": "PL", "CZE": "CZ", "SWE": "SE", "NOR": "NO", "DNK": "DK", "FIN": "FI", "PRT": "PT", "IRL": "IE", "GRC": "GR",
    "TUR": "TR", "KOR": "KR", "ZAF": "ZA", "NZL": "NZ", "ARG": "AR", "CHL": "CL", "COL": "CO", "UKR": "UA", "BGR": "BG",
}  # fmt: skip


def judge_language(claim: Claim, prepared: Prepared) -> Outcome:
    """A language by code or name; the language that the page is in counts."""
    text = claim.text.strip()
    code = re.split(r"[-_]", text)[0].lower()
    languages = tuple(dict.fromkeys((prepared.language or "en", "en")))
    if not re.fullmatch(r"[a-z]{2,3}", code) or code not in tables("en").languages:
        wanted = " ".join(claim.words)
        code = next((code for each in languages for code, name in tables(each).languages.items() if name == wanted), "")
        if not code:
            return judge_text(claim, prepared)
    names = [tables(each).languages.get(code, "") for each in (*languages, code)]
    spans = [span for name in dict.fromkeys(names) if name for span in _find(prepared, name, 3)]
    if spans:
        return Outcome(
            0.85, "language-in-text", f"the page says {prepared.text[slice(*spans[0])]!r}", spans=tuple(spans[:3])
        )
    if code == prepared.language:
        first = prepared.page.blocks[0] if prepared.page.blocks else None
        end = prepared.words.ends[min(7, len(prepared.words) - 1)]
        del first
        return Outcome(
            0.75, "language-of-page", "the page is in this language", spans=((prepared.words.starts[0], end),)
        )
    return Outcome(0.12, "language-not-in-text", f"the page neither names the language {text!r} nor is in it")


def judge_unit(claim: Claim, prepared: Prepared) -> Outcome:
    """A unit by its UN/CEFACT code or as text, after a number where it is short."""
    code = claim.text.strip().upper()
    listed = _UNITS.get(code)
    if listed is None:
        outcome = judge_text(claim, prepared)
        if outcome.probability >= 0.5 or len(claim.words) != 1:
            return outcome
        listed = "|".join(names for names in _UNITS.values() if claim.words[0] in names.split("|")) or _PERIODS.get(
            claim.words[0], ""
        )
        if not listed:
            return outcome
    for name in listed.split("|"):
        folded = fold(name).text
        edge = r"(?![^\W\d_])" if folded[-1:].isalpha() else ""
        lead = r"(?<=\d)[ -]?" if len(folded) <= 2 else r"(?<![^\W\d_])"
        match = re.search(rf"{lead}{re.escape(folded)}{edge}", prepared.text)
        if match:
            return Outcome(0.82, "unit-in-text", f"the page says {match.group().strip()!r}", spans=(match.span(),))
    return Outcome(0.1, "unit-not-in-text", f"nothing on the page is given in {claim.text!r}")


_PERIODS = {
    "hour": "per hour|hourly|an hour|/hr|/hour|/h|stunde|pro stunde|heure|hora|ora|uur|時給|時",
    "day": "per day|daily|a day|/day|tag|jour|dia|giorno|dag|日",
    "week": "per week|weekly|a week|/week|woche|semaine|semana|settimana|week|週",
    "month": "per month|monthly|a month|/month|monat|mois|mes|mese|maand|月",
    "year": "per year|yearly|annual|annually|per annum|a year|/yr|/year|jahr|an|ano|anno|jaar|年",
}


def judge_mime(claim: Claim, prepared: Prepared) -> Outcome:
    """A media type by the names of its files: in the text, or as the ending of a link or medium."""
    text = claim.text.strip().lower().partition(";")[0]
    names = _MIMES.get(text)
    if names is None:
        if "/" not in text:
            return judge_text(claim, prepared)
        names = re.sub(r"^x-|^vnd\.", "", text.partition("/")[2])
    endings = names.split()
    for ending in endings:
        spans = _find(prepared, level(ending), 3)
        if spans:
            return Outcome(
                0.72, "media-type-in-text", f"the page says {prepared.text[slice(*spans[0])]!r}", spans=tuple(spans)
            )
    pattern = re.compile(rf"\.(?:{'|'.join(map(re.escape, endings))})(?:$|[?#])")
    for targets in prepared.targets.values():
        if pattern.search(targets[0].normal):
            return Outcome(
                0.62,
                "media-type-linked",
                "the page links to such a file",
                evidence=(prepared.target_evidence(targets[0]),),
            )
    return Outcome(0.1, "media-type-not-on-page", f"the page neither names nor links to a file of type {text}")


# Days and opening hours


def judge_day(claim: Claim, prepared: Prepared) -> Outcome:
    """A day of the week, named or within a range of days."""
    name = bare_member(claim.text).lower()
    name = name.rpartition("/")[2]
    number = next(
        (index for index, day in enumerate(_DAYS) if day == name or (len(name) >= 2 and day.startswith(name))), None
    )
    if number is None:
        return judge_text(claim, prepared)
    spans = _day_spans(prepared, number)
    if spans:
        return Outcome(0.8, "day-in-text", f"the page says {prepared.text[slice(*spans[0])]!r}", spans=tuple(spans[:3]))
    return Outcome(0.08, "day-not-in-text", f"the page names no {_DAYS[number].capitalize()}")


def _named_days(prepared: Prepared) -> list[tuple[int, int, int]]:
    """Days named on the page in order: number, start, end."""
    names: dict[str, int] = {}
    for language in dict.fromkeys(("en", prepared.language or "en")):
        names.update(tables(language).days)
    names.update(
        {"mo": 0, "tu": 1, "tue": 1, "tues": 1, "thu": 3, "thur": 3, "thurs": 3, "su": 6}
        if prepared.language in ("", "en")
        else {}
    )
    found = []
    for name, number in names.items():
        if len(name) < 2 and not name > "\u3000":
            continue
        if name > "\u3000":
            start = prepared.text.find(name)
            while start >= 0 and len(found) < 200:
                found.append((number, start, start + len(name)))
                start = prepared.text.find(name, start + 1)
        else:
            found += [(number, *span) for span in _find(prepared, " ".join(words_of(name)), 20)]
            found += [(number, *span) for span in _find(prepared, " ".join(words_of(name)) + "s", 5)]
    found.sort(key=lambda one: one[1])
    return found


def _day_spans(prepared: Prepared, number: int) -> list[Span]:
    days = _named_days(prepared)
    exact = [(start, end) for day, start, end in days if day == number]
    if exact:
        return exact
    for (first, start, end), (last, begin, stop) in zip(days, days[1:], strict=False):
        if 0 < begin - end <= 12 and _DAY_RANGE.match(prepared.text[end:begin]) and "," not in prepared.text[end:begin]:
            covered = range(first, last + 1) if first <= last else (*range(first, 7), *range(last + 1))
            if number in covered:
                return [(start, stop)]
    for phrase in (
        "daily",
        "every day",
        "7 days a week",
        "taglich",
        "tous les jours",
        "todos los dias",
        "tutti i giorni",
        "dagelijks",
    ):
        found = _find(prepared, phrase, 1)
        if found:
            return found
    return []


_PERIOD = re.compile(
    r"(?P<days>(?:(?:mo|tu|we|th|fr|sa|su)[a-z]*(?:\s*[-,]\s*)?)+)?\s*(?P<from>\d{1,2}(?::\d{2})?(?:\s*[ap]m)?)\s*-\s*(?P<to>\d{1,2}(?::\d{2})?(?:\s*[ap]m)?)"
)


def judge_hours(claim: Claim, prepared: Prepared) -> Outcome:
    """Opening hours ("Mo-Fr 10:00-19:00"): its days and its times are on the page."""
    text = claim.folded
    periods = list(_PERIOD.finditer(text))
    if not periods:
        return judge_text(claim, prepared)
    asked, found = 0, []
    for period in periods:
        for name in ("from", "to"):
            asked += 1
            minutes = _clock(period[name])
            spans = prepared.times.get(minutes) or (prepared.times.get(minutes - 720) if minutes >= 780 else None)
            if not spans and minutes % 60 == 0:
                hour = minutes // 60
                spans = [
                    span for each in (hour, hour - 12) if each >= 0 for span in prepared.numbers.get(float(each), [])
                ]
            if spans:
                found.append(spans[0])
        for day in re.findall(r"mo|tu|we|th|fr|sa|su", period["days"] or ""):
            asked += 1
            spans = _day_spans(prepared, _SHORT_DAYS[day])
            if spans:
                found.append(spans[0])
    share = len(found) / asked
    if share >= 0.99:
        return Outcome(0.85, "hours-in-text", "its days and times stand on the page", spans=tuple(found[:4]))
    near = bind(prepared, claim.concepts, *found[0]).own if found else 0.0
    if share >= 0.8 and near >= 0.5:
        return Outcome(
            0.55, "hours-mostly-in-text", "most of its days and times stand on the page", spans=tuple(found[:4])
        )
    return Outcome(
        0.12, "hours-not-in-text", f"only {len(found)} of its {asked} days and times stand on the page",
        contradicted=near >= 0.5, spans=tuple(found[:2]),
    )  # fmt: skip


def _clock(text: str) -> int:
    match = re.match(r"(\d{1,2})(?::(\d{2}))?\s*([ap]m)?", text)
    if match is None:
        return -1
    hour = int(match[1]) % 24
    if match[3] == "pm" and hour < 12:
        hour += 12
    return hour * 60 + int(match[2] or 0)
