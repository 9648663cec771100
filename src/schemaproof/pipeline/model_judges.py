"""The judges that ask a model: one-pair, batched, and the cascade, from a SPEC with its options."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from schemaproof.errors import DefinitionsMissingError, SpecError
from schemaproof.pipeline.calibration import Calibration, read_calibration
from schemaproof.pipeline.curation import ComplianceJudge, FactualityJudge
from schemaproof.pipeline.specs import Spec, parse_spec

if TYPE_CHECKING:
    from schemaproof.models.protocol import ChatModel
    from schemaproof.vocabulary import Vocabulary

MODES = ("one-pair", "batched")


@lru_cache(maxsize=1)
def fence_mark() -> str:
    """The mark that fences pages in questions: random, once a process, so that no page can know it."""
    return secrets.token_hex(8)


def build_model_judges(vocabulary: Vocabulary, spec: Spec) -> tuple[FactualityJudge, ComplianceJudge]:
    """The judges that a SPEC names.

    Options behind the SPEC's question mark: mode (one-pair or batched; default one-pair, in a cascade batched), prompt
    (words of the questions), samples (SelfCheck), calibration (file of a cascade), and those of `models.build_model`.

    Arguments:
        vocabulary: for the embedded judges, and for properties without a definition.
        spec: names a model, or a cascade before one.

    Raises: SpecError, MissingExtraError, SourceError, InputError.
    """
    from schemaproof.models import build_model

    inner = parse_spec(spec.target) if spec.kind == "cascade" else spec
    return judges_of(vocabulary, build_model(inner), inner, cascade=spec.kind == "cascade")


def judges_of(
    vocabulary: Vocabulary, model: ChatModel, spec: Spec, *, cascade: bool, definitions: Mapping[str, str] | None = None
) -> tuple[FactualityJudge, ComplianceJudge]:
    """As `build_model_judges`, for a model that is at hand.

    Arguments:
        vocabulary: see there.
        model: what is asked.
        spec: its options.
        cascade: whether the embedded judges decide first.
        definitions: of properties; None for those on this machine, if any.
    """
    from schemaproof.agents.compliance import EmbeddedCompliance
    from schemaproof.agents.factuality import EmbeddedFactuality
    from schemaproof.agents.llm_cascade import CascadeCompliance, CascadeFactuality, Thresholds
    from schemaproof.agents.llm_compliance import BatchedCompliance, OnePairCompliance
    from schemaproof.agents.llm_factuality import BatchedFactuality, GuardedOnePair, OnePairFactuality
    from schemaproof.agents.llm_questions import DEFAULT_WORDING, WORDINGS

    mode = _choice(spec, "mode", MODES, "batched" if cascade else "one-pair")
    wording = WORDINGS[_choice(spec, "prompt", tuple(WORDINGS), DEFAULT_WORDING)]
    samples = _number(spec, "samples")
    if samples and mode == "batched":
        raise SpecError(f"{spec.text!r}: samples are of mode one-pair")
    told = _definitions(vocabulary) if definitions is None else definitions
    embedded = EmbeddedFactuality(vocabulary)
    pair = OnePairFactuality(
        model, embedded, fence_mark(), wording, samples=samples, chunk_count=_number(spec, "chunks") or None
    )
    fitting = OnePairCompliance(model, vocabulary, told, wording, samples=samples)
    many = BatchedFactuality(pair)
    second: Any = BatchedCompliance(fitting) if mode == "batched" else fitting
    if not cascade:
        return (many if mode == "batched" else pair), second
    calibration: Calibration = read_calibration(spec.option("calibration"))
    return (
        CascadeFactuality(
            embedded, many if mode == "batched" else GuardedOnePair(pair), Thresholds(*calibration.factuality)
        ),
        CascadeCompliance(EmbeddedCompliance(vocabulary), second, Thresholds(*calibration.compliance)),
    )


def _choice(spec: Spec, name: str, known: tuple[str, ...], default: str) -> str:
    given = spec.option(name) or default
    if given not in known:
        raise SpecError(f"{spec.text!r}: {name} is one of {', '.join(known)}, not {given!r}")
    return given


def _number(spec: Spec, name: str) -> int:
    given = spec.option(name) or "0"
    if not (given.isascii() and given.isdigit() and len(given) < 4):
        raise SpecError(f"{spec.text!r}: {name} is a number, not {given!r}")
    return int(given)


def _definitions(vocabulary: Vocabulary) -> Mapping[str, str]:
    from schemaproof.vocabulary.prose import definitions

    try:
        return definitions(vocabulary)
    except DefinitionsMissingError:
        # Without the prose the question says what the vocabulary's facts say.
        return {}
