"""What CLDR knows of a language, as small folded tables: months, days, countries, languages, currencies.

Babel is imported at the first use of a language, not with the package.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.grounding.words import words_of

# Short forms that CLDR spells with a dot or not at all.
_EXTRA_MONTHS = {"en": {"sept": 9}, "de": {"jänner": 1, "feber": 2, "mrz": 3, "maerz": 3}, "id": {"agt": 8}}


class Tables:
    """The names of one language, folded; each table is made when first asked for.

    Arguments:
        language: BCP 47 primary subtag, any letter case; one that CLDR does not have gives empty tables.
    """

    def __init__(self, language: str) -> None:
        from babel import Locale, UnknownLocaleError

        self._language = language
        self._locale: Locale | None
        try:
            self._locale = Locale.parse(language.lower().replace("-", "_"))
        except (UnknownLocaleError, ValueError, TypeError):
            self._locale = None

    @cached_property
    def months(self) -> dict[str, int]:
        """Name or short form → 1 to 12."""
        found: dict[str, int] = {}
        if self._locale is None:
            return found
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in self._locale.months[context][width].items():
                    folded = fold(str(name)).text.strip(". ")
                    if not any(character.isdigit() for character in folded):
                        found.setdefault(folded, int(number))
        for name, number in _EXTRA_MONTHS.get(self._language, {}).items():
            found.setdefault(fold(name).text, number)
        return found

    @cached_property
    def days(self) -> dict[str, int]:
        """Name or short form → 0 (Monday) to 6."""
        found: dict[str, int] = {}
        if self._locale is None:
            return found
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in self._locale.days[context][width].items():
                    found.setdefault(fold(str(name)).text.strip(". "), int(number))
        if "short" in self._locale.days["format"]:
            for number, name in self._locale.days["format"]["short"].items():
                found.setdefault(fold(str(name)).text.strip(". "), int(number))
        return found

    @cached_property
    def territories(self) -> dict[str, str]:
        """ISO 3166 code → name."""
        names = {} if self._locale is None else self._locale.territories
        return {str(code): level(str(name)) for code, name in names.items() if len(str(code)) == 2}

    @cached_property
    def languages(self) -> dict[str, str]:
        """BCP 47 code → name."""
        names = {} if self._locale is None else self._locale.languages
        return {str(code): level(str(name)) for code, name in names.items()}

    @cached_property
    def currencies(self) -> dict[str, str]:
        """ISO 4217 code → name."""
        names = {} if self._locale is None else self._locale.currencies
        return {str(code): level(str(name)) for code, name in names.items()}

    @cached_property
    def symbols(self) -> dict[str, str]:
        """ISO 4217 code → symbol."""
        names = {} if self._locale is None else self._locale.currency_symbols
        return {str(code): fold(str(name)).text for code, name in names.items()}

    @cached_property
    def territory_names(self) -> frozenset[str]:
        """Names of all territories."""
        return frozenset(self.territories.values())

    @cached_property
    def language_names(self) -> frozenset[str]:
        """Names of all languages."""
        return frozenset(self.languages.values())


def level(text: str) -> str:
    """Folded words joined by single spaces: what `Words.find` looks for."""
    return " ".join(words_of(fold(text).text))


@lru_cache(maxsize=64)
def tables(language: str) -> Tables:
    """The tables of a language, made once; see `Tables`."""
    return Tables(language)
