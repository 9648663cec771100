"""What CLDR knows of a language, as small folded tables: months, days, countries, languages, currencies.

Babel is imported at the first use of a language, not with the package.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.grounding.words import words_of

# Short forms that CLDR spells with a dot or not at all.
_EXTRA_MONTHS = {"en": {"sept": 9}, "de": {"jänner": 1, "feber": 2, "mrz": 3, "maerz": 3}, "id": {"agt": 8}}


@dataclass(frozen=True, slots=True)
class Tables:
    """The names of one language, folded.

    Attributes:
        months: name or short form → 1 to 12.
        days: name or short form → 0 (Monday) to 6.
        territories: ISO 3166 code → names.
        languages: BCP 47 code → name.
        currencies: ISO 4217 code → name; `symbols` likewise.
        territory_names, language_names: all names.
    """

    months: dict[str, int] = field(default_factory=dict)
    days: dict[str, int] = field(default_factory=dict)
    territories: dict[str, str] = field(default_factory=dict)
    languages: dict[str, str] = field(default_factory=dict)
    currencies: dict[str, str] = field(default_factory=dict)
    symbols: dict[str, str] = field(default_factory=dict)
    territory_names: frozenset[str] = frozenset()
    language_names: frozenset[str] = frozenset()


def level(text: str) -> str:
    """Folded words joined by single spaces: what `Words.find` looks for."""
    return " ".join(words_of(fold(text).text))


@lru_cache(maxsize=64)
def tables(language: str) -> Tables:
    """The tables of a language; empty ones for a language that CLDR does not have.

    Arguments:
        language: BCP 47 primary subtag, any letter case.
    """
    from babel import Locale, UnknownLocaleError

    try:
        locale = Locale.parse(language.lower().replace("-", "_"))
    except (UnknownLocaleError, ValueError, TypeError):
        return Tables()
    months: dict[str, int] = {}
    days: dict[str, int] = {}
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, name in locale.months[context][width].items():
                folded = fold(str(name)).text.strip(". ")
                if not any(character.isdigit() for character in folded):
                    months.setdefault(folded, int(number))
            for number, name in locale.days[context][width].items():
                days.setdefault(fold(str(name)).text.strip(". "), int(number))
    for number, name in locale.days["format"]["short"].items() if "short" in locale.days["format"] else ():
        days.setdefault(fold(str(name)).text.strip(". "), int(number))
    for name, number in _EXTRA_MONTHS.get(language, {}).items():
        months.setdefault(fold(name).text, number)
    territories = {str(code): level(str(name)) for code, name in locale.territories.items() if len(str(code)) == 2}
    languages = {str(code): level(str(name)) for code, name in locale.languages.items()}
    return Tables(
        months=months,
        days=days,
        territories=territories,
        languages=languages,
        territory_names=frozenset(territories.values()),
        language_names=frozenset(languages.values()),
        currencies={str(code): level(str(name)) for code, name in locale.currencies.items()},
        symbols={str(code): fold(str(name)).text for code, name in locale.currency_symbols.items()},
    )
