"""The profile `reference`: what the published numbers of ScrapeGraphAI-100k come from, bit for bit.

Its weaknesses are kept on purpose (rows scrambled across fields score 1, invented rows cost nothing, one wrong item
costs a whole list); the profile `aligned` mends them.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

from schemaproof.errors import InputError
from schemaproof.extraction.bleu import compensated_sum, json_bleu, sentence_bleu
from schemaproof.extraction.flattening import EMPTY, ROOT, flatten
from schemaproof.extraction.schema_check import SchemaCheck

Metrics = dict[str, float]

METRICS = (
    "is_valid_json",
    "is_schema_compliant",
    "key_precision",
    "key_recall",
    "key_f1",
    "missing_keys",
    "extra_keys",
    "value_score",
    "overall_bleu",
)

_KINDS = {str: "a string", bool: "true or false", int: "a number", float: "a number", type(None): "null"}


def without_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of its members, less every key that occurs more than once (hook of `json.loads`)."""
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    times = Counter(key for key, _ in pairs)
    return {key: inner for key, inner in value.items() if times[key] == 1}


def rooted(value: Any, what: str) -> dict[str, Any]:
    """The value as an object: a list is wrapped under the key `[root]`.

    Raises:
        InputError: for a scalar, which has no keys to score.
    """
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        return {ROOT: value}
    raise InputError(f"{what} is {_KINDS.get(type(value), 'a value')}; only an object or an array can be scored")


def serialised(value: dict[str, Any], what: str) -> str:
    """Compact JSON with sorted keys.

    Raises:
        InputError: for what has no such form: integers beyond 64 bits, lone surrogates, more than 254 levels.
    """
    import orjson

    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except (TypeError, RecursionError) as problem:
        raise InputError(f"{what} cannot be serialised: {problem}") from None


def compare(answer: Any, gold: Any, bleu: Callable[[str, str], float] = sentence_bleu) -> float:
    """How well a flattened value meets the gold value, 0 to 1; the gold value's type chooses how.

    Arguments:
        answer, gold: values of `flatten`.
        bleu: sentence BLEU of two texts.

    Returns:
        1 or 0; for a gold text the BLEU of the answer, written as Python writes it if it is no text.
    """
    if gold is EMPTY or gold is None:
        return 1.0 if answer is gold else 0.0
    if isinstance(gold, bool):
        return 1.0 if answer == gold else 0.0
    if isinstance(gold, int | float):
        if isinstance(gold, float) or isinstance(answer, float):
            try:
                return 1.0 if math.isclose(answer, gold, rel_tol=1e-9, abs_tol=1e-12) else 0.0
            except (TypeError, OverflowError):
                return 0.0
        return 1.0 if answer == gold else 0.0
    if isinstance(gold, list):
        return 1.0 if isinstance(answer, list) and _same_items(answer, gold) else 0.0
    text = answer if isinstance(answer, str) else str(answer)
    if not text or not gold:
        return 1.0 if text == gold else 0.0
    return bleu(text, gold)


def _same_items(answer: list[Any], gold: list[Any]) -> bool:
    """Equality as multisets; where items have no hash, equality after sorting by their text."""
    if len(answer) != len(gold):
        return False
    try:
        return Counter(answer) == Counter(gold)
    except TypeError:
        return sorted(answer, key=str) == sorted(gold, key=str)


def structure(answer: dict[str, Any], gold: dict[str, Any]) -> tuple[Metrics, list[str]]:
    """The key metrics of two flattened values, and the paths that both have, in gold's order."""
    shared = [path for path in gold if path in answer]
    precision = len(shared) / len(answer) if answer else (0.0 if gold else 1.0)
    recall = len(shared) / len(gold) if gold else (0.0 if answer else 1.0)
    return {
        "key_precision": precision,
        "key_recall": recall,
        "key_f1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        "missing_keys": float(len(gold) - len(shared)),
        "extra_keys": float(len(answer) - len(shared)),
    }, shared


def measure(answer: Any, gold: Any) -> Metrics:
    """The seven metrics of two parsed values.

    Arguments:
        answer: what the model answered, repeated keys removed.
        gold: what it should have answered.

    Raises:
        InputError: where a root is a scalar or a value cannot be serialised.
    """
    answer, gold = rooted(answer, "the answer"), rooted(gold, "the gold value")
    answer_text, gold_text = serialised(answer, "the answer"), serialised(gold, "the gold value")
    answer_paths, gold_paths = flatten(answer), flatten(gold)
    metrics, shared = structure(answer_paths, gold_paths)
    if gold_paths:
        # Missing paths count 0.
        scores = [compare(answer_paths[path], gold_paths[path]) for path in shared]
        metrics["value_score"] = compensated_sum(scores) / len(gold_paths)
    else:
        metrics["value_score"] = 0.0 if answer_paths else 1.0
    metrics["overall_bleu"] = json_bleu(answer_text, gold_text)
    return metrics


def score(response: str, gold: Any, check: SchemaCheck) -> Metrics:
    """The nine metrics of one response, taken as it stands.

    Arguments:
        response: the text of the model, or the JSON taken out of it.
        gold: the value it should hold.
        check: the JSON Schema it should keep to.

    Returns:
        `METRICS` to floats.

    Raises:
        InputError: for a row that the published code cannot score either: a scalar at a root, integers beyond
            64 bits, lone surrogates in gold, too deep.

    Source: modelling/metrics.py of ScrapeGraphAI/scrapegraph-100k-paper, by its behaviour.
    """
    import orjson

    try:
        parsed = orjson.loads(response)
    except orjson.JSONDecodeError:
        answer: Any = {} if isinstance(gold, dict) else []
        return {"is_valid_json": 0.0, "is_schema_compliant": 0.0, **measure(answer, gold)}
    try:
        answer = json.loads(response, object_pairs_hook=without_repeated_keys)
    except json.JSONDecodeError:
        answer = {}
    except (ValueError, RecursionError) as problem:
        raise InputError(f"the answer cannot be read: {problem}") from None
    return {
        "is_valid_json": 1.0,
        "is_schema_compliant": float(check.complies(parsed)),
        **measure(answer, gold),
    }
