"""SPEC of the command line: what writes a markup, or what judges one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl

from schemaproof.errors import SpecError

FORMS = (
    "embedded, openai/NAME, ollama/NAME, http://HOST/v1#NAME, gguf/FILE, inspect/PROVIDER/NAME, cascade:SPEC, "
    "recorded/FILE or files/FOLDER"
)
_PREFIXES = ("openai", "ollama", "gguf", "inspect", "recorded", "files")
_NAME = re.compile(r"[\w.-]+")


@dataclass(frozen=True, slots=True)
class Spec:
    """A SPEC taken apart.

    Attributes:
        kind: "embedded", "openai", "ollama", "http", "gguf", "inspect", "cascade", "recorded" or "files".
        target: what stands behind the kind: model name, file, folder, address, or the SPEC inside a cascade.
        options: what stands behind the question mark, as pairs in order (`prompt`).
        text: the SPEC as given.
    """

    kind: str
    target: str
    options: tuple[tuple[str, str], ...]
    text: str

    def option(self, name: str) -> str | None:
        """The value of an option, the last one given; None if it was not."""
        return dict(self.options).get(name)


def parse_spec(text: str) -> Spec:
    """Take a SPEC apart.

    Raises: SpecError for a form that is not known.
    """
    given = text.strip()
    if given.startswith("cascade:"):
        inner = parse_spec(given.removeprefix("cascade:"))
        if inner.kind in ("embedded", "files", "cascade"):
            raise SpecError(f"a cascade needs a model behind it, not {inner.text!r}")
        return Spec("cascade", inner.text, inner.options, given)
    body, _, query = given.partition("?")
    if body.startswith(("http://", "https://")):
        # The model's name stands behind '#', options behind the name: http://HOST/v1#NAME?prompt=short
        address, _, rest = given.partition("#")
        name, _, query = rest.partition("?")
        if not name:
            raise SpecError(f"{given!r} lacks the model's name: {address}#NAME")
        return Spec("http", f"{address}#{name}", _options(query, given), given)
    if body == "embedded":
        return Spec("embedded", "", _options(query, given), given)
    kind, _, target = body.partition("/")
    if kind not in _PREFIXES or not target:
        raise SpecError(f"{given!r} is no SPEC; it should be {FORMS}")
    return Spec(kind, target, _options(query, given), given)


def _options(query: str, given: str) -> tuple[tuple[str, str], ...]:
    pairs = tuple(parse_qsl(query, keep_blank_values=True))
    for name, _ in pairs:
        if not _NAME.fullmatch(name):
            raise SpecError(f"{given!r}: {name!r} is no option's name")
    return pairs


def parse_contender(text: str) -> tuple[str, Spec]:
    """Take NAME=SPEC apart; a SPEC alone is named after itself.

    Raises: SpecError, also for a name that cannot be one.
    """
    head, sign, tail = text.partition("=")
    if sign and _NAME.fullmatch(head.strip()):
        name, spec = head.strip(), parse_spec(tail)
    else:
        spec = parse_spec(text)
        name = "extractor" if spec.kind == "embedded" else re.sub(r"[^\w.-]+", "-", spec.target).strip("-") or spec.kind
    if name == "human":
        raise SpecError("'human' is the name of the page's own markup; give the contender another")
    return name, spec
