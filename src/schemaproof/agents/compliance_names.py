"""Names and codes of currencies, countries and languages (CLDR by Babel, loaded when first asked), and small lists."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from schemaproof.agents import compliance_codes as codes

if TYPE_CHECKING:
    from babel import Locale

_SCHEMA = re.compile(r"^(?:https?://(?:www\.)?schema\.org/|schema:)")

# Where a text is not in Latin letters its script tells the languages whose names of countries are worth trying.
_SCRIPTS = (
    ("CYRILLIC", ("ru", "uk", "bg")), ("GREEK", ("el",)), ("ARABIC", ("ar", "fa")), ("HEBREW", ("he",)),
    ("HANGUL", ("ko",)), ("HIRAGANA", ("ja",)), ("KATAKANA", ("ja",)), ("CJK", ("zh", "ja")), ("THAI", ("th",)),
    ("DEVANAGARI", ("hi",)),
)  # fmt: skip
_LATIN = ("de", "fr", "es", "it", "pt", "nl", "pl", "cs", "tr", "sv")


def bare_term(text: str) -> str:
    """A term of Schema.org without its address ("https://schema.org/InStock" → "InStock"); other texts as they are."""
    return _SCHEMA.sub("", text.strip())


@lru_cache(maxsize=64)
def _locale(language: str) -> Locale | None:
    from babel import Locale
    from babel.core import UnknownLocaleError

    try:
        return Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return None


@lru_cache(maxsize=1)
def currency_codes() -> frozenset[str]:
    """Codes of ISO 4217, past ones included."""
    locale = _locale("en")
    return frozenset(str(code) for code in locale.currencies if code != "XXX") if locale else frozenset()


@lru_cache(maxsize=64)
def _currency_table(language: str) -> dict[str, str]:
    locale = _locale(language)
    if locale is None:
        return {}
    return {name.casefold(): code for code, name in locale.currencies.items() if "(" not in name}


def currency_code(text: str, language: str) -> str:
    """The ISO 4217 code that a name or symbol of a currency stands for, or ""."""
    plain = text.strip().casefold()
    for table in (codes.CURRENCY_WORDS, _currency_table("en"), _currency_table(language) if language else {}):
        code = table.get(plain) or table.get(plain.removesuffix("s"))
        if code:
            return code
    found = re.findall(r"[A-Z]{3}", text)
    return found[0] if len(found) == 1 and found[0] in currency_codes() and len(text) <= 12 else ""


def _languages_of(text: str, language: str) -> tuple[str, ...]:
    first = next((char for char in text if char.isalpha()), "")
    if not first:
        return ()
    name = unicodedata.name(first, "")
    for script, languages in _SCRIPTS:
        if name.startswith(script):
            return (language, *languages) if language else languages
    return (language,) if language and language != "en" else (() if text.isascii() and not language else _LATIN)


@lru_cache(maxsize=64)
def _country_table(language: str) -> dict[str, str]:
    locale = _locale(language)
    if locale is None:
        return {}
    return {name.casefold(): code for code, name in locale.territories.items() if code in codes.ALPHA2}


@lru_cache(maxsize=4096)
def country_code(text: str, language: str = "") -> str:
    """The ISO 3166-1 alpha-2 code of a country given by code or name in English, its own or the page's language.

    Alpha-3 codes are returned as they are. "" where the text names no country.
    """
    plain = text.strip()
    if plain in codes.ALPHA2 or plain in codes.ALPHA3:
        return plain
    return country_name(plain, language)


@lru_cache(maxsize=4096)
def country_name(text: str, language: str = "") -> str:
    """As `country_code`, for full names only."""
    plain = text.strip().casefold()
    if len(plain) < 2 or len(plain) > 60:
        return ""
    code = codes.COUNTRY_WORDS.get(plain) or _country_table("en").get(plain)
    if not code and plain.startswith("the "):
        code = _country_table("en").get(plain[4:])
    if code:
        return code
    for tried in _languages_of(text, language):
        if code := _country_table(tried).get(plain, ""):
            return code
    return ""


@lru_cache(maxsize=1)
def _language_codes() -> frozenset[str]:
    locale = _locale("en")
    return frozenset(locale.languages) if locale else frozenset()


def is_language_code(code: str) -> bool:
    """True for a primary language subtag (lower case) that CLDR knows."""
    return code in _language_codes()


@lru_cache(maxsize=64)
def _language_table(language: str) -> dict[str, str]:
    locale = _locale(language)
    return {name.casefold(): code.replace("_", "-") for code, name in locale.languages.items()} if locale else {}


def language_code(text: str, language: str = "") -> str:
    """The BCP 47 code of a language given by its name in English, its own or the page's language, or ""."""
    plain = text.strip().casefold()
    for table in (codes.LANGUAGE_WORDS, _language_table("en"), _language_table(language) if language else {}):
        if code := table.get(plain):
            return code
    return ""


# Countries that are also regions or towns of their own, or lend their name to one.
_ALSO_REGIONS = codes.words(
    """
    HK MO PR GU VI AS MP GP MQ RE GF YT AW CW BM GI GG JE IM FO GL NC PF GE LU SG MC SM VA
    """
)
_ALSO_TOWNS = codes.words(
    """
    SG MC LU SM VA HK MO DJ GT PA KW MX GI TN DZ AD BN ST BM
    """
)


def is_plain_country(text: str, language: str = "", *, town: bool = False) -> bool:
    """True for the name of a country that is nothing else: no region (or, with town, no town) of the same name."""
    if text.casefold() in ("england", "scotland", "wales", "northern ireland"):
        return False
    code = country_name(text, language)
    return bool(code) and code not in (_ALSO_TOWNS if town else _ALSO_REGIONS)
