"""Every exception of the package. Each subclasses the nearest builtin, so that old habits of catching work.

SchemaproofError
├── InputError (ValueError)              what was given cannot be used as it is
│   ├── JSONReadError                    text that is not JSON and cannot be recovered
│   ├── VocabularyError                  a vocabulary file that cannot be read, or a term it does not have
│   ├── PageError                        bytes that are no page
│   ├── MarkupError                      a markup that is not JSON-LD
│   └── SpecError                        a SPEC of the command line that names nothing known
├── MissingExtraError (ImportError)      an optional package is needed; the message says which extra brings it
├── DefinitionsMissingError (LookupError)  the vocabulary's prose was never fetched; the message says how to
├── SourceError (OSError)                a page, a file or an address cannot be opened
├── StoreError (RuntimeError)            the run file or the memory is broken, locked or of another version
└── ModelError (RuntimeError)            a model's provider failed, after retries
    └── BudgetError                      the token budget given by the user is used up
"""

from __future__ import annotations


class SchemaproofError(Exception):
    """The root of all exceptions that this package raises on purpose."""


class InputError(SchemaproofError, ValueError):
    """What was given cannot be used.

    Arguments:
        message: what is wrong and what to do about it, one sentence each.
        source: the file or page it was found in, if any.
        line: its line, counted from 1, if known.
        column: its column, counted from 1, if known.
    """

    def __init__(
        self, message: str, *, source: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.source, self.line, self.column) if part is not None)
        return f"{place}: {self.message}" if place else self.message


class JSONReadError(InputError):
    """Text that is not JSON and cannot be recovered without guessing."""


class VocabularyError(InputError):
    """A vocabulary file that cannot be read, or a term that the vocabulary does not have."""


class PageError(InputError):
    """Bytes that cannot be read as a page."""


class MarkupError(InputError):
    """A markup that is not JSON-LD."""


class SpecError(InputError):
    """A SPEC of the command line (contender, judge, model) that names nothing known."""


class MissingExtraError(SchemaproofError, ImportError):
    """An optional package is not installed.

    Arguments:
        package: the package that is missing.
        extra: the extra of schemaproof that brings it.
        purpose: what it is needed for, a noun phrase.
    """

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs the package {package}: pip install 'schemaproof[{extra}]'")
        self.package = package
        self.extra = extra


class DefinitionsMissingError(SchemaproofError, LookupError):
    """The vocabulary's definitions (its prose) are not on this machine."""


class SourceError(SchemaproofError, OSError):
    """A page, a file or an address cannot be opened.

    Arguments:
        source: what was to be opened.
        reason: why it failed and what to do.
    """

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}: {reason}")
        self.source = source
        self.reason = reason


class StoreError(SchemaproofError, RuntimeError):
    """The run file or the memory cannot be used."""


class ModelError(SchemaproofError, RuntimeError):
    """A model's provider failed, after retries."""


class BudgetError(ModelError):
    """The token budget given by the user is used up; what was done is saved."""
