"""The profile `card`: the recipe printed on the data set's card, made total.

Where it differs from `reference`: repeated keys count once (the last wins), an answer that is no JSON has no keys,
empty against empty is 0, values are averaged over the keys that both have, lists are sets, numbers must be equal,
and the overall BLEU is that of the two texts as they were given. What the recipe leaves open is as in `reference`;
a scalar at a root has no keys.
"""

from __future__ import annotations

import json
import math
from typing import Any

from schemaproof.errors import InputError
from schemaproof.extraction.bleu import compensated_sum, sentence_bleu
from schemaproof.extraction.flattening import ROOT, flatten
from schemaproof.extraction.reference import Metrics, compare
from schemaproof.extraction.schema_check import SchemaCheck


def _paths(value: Any) -> dict[str, Any]:
    if isinstance(value, list):
        value = {ROOT: value}
    return flatten(value) if isinstance(value, dict) else {}


def _item(value: Any) -> Any:
    """A list's item as a member of a set; objects and lists by their text, as Python sets cannot hold them."""
    return json.dumps(value, sort_keys=True, default=repr) if isinstance(value, dict | list) else value


def _value(answer: Any, gold: Any) -> float:
    if isinstance(gold, list):
        same = isinstance(answer, list) and {_item(each) for each in answer} == {_item(each) for each in gold}
        return float(same)
    if isinstance(gold, int | float) and not isinstance(gold, bool):
        return float(answer == gold or _both_nan(answer, gold))
    return compare(answer, gold)


def _both_nan(one: Any, other: Any) -> bool:
    return isinstance(one, float) and isinstance(other, float) and math.isnan(one) and math.isnan(other)


def score(response: str, gold: Any, gold_text: str, check: SchemaCheck) -> Metrics:
    """The nine metrics of one response by the card's recipe.

    Arguments:
        response: the text of the model, or the JSON taken out of it.
        gold, gold_text: the value it should hold, parsed and as text.
        check: the JSON Schema it should keep to.

    Returns:
        Names of the card's code to floats.

    Raises:
        InputError: nested deeper than 254 levels, or integers that Python refuses to read.

    Source: "Scoring recipe" on the card of ScrapeGraphAI-100k (arXiv:2602.15189).
    """
    try:
        answer = json.loads(response)
    except json.JSONDecodeError:
        answer = None
    except (ValueError, RecursionError) as problem:
        raise InputError(f"the answer cannot be read: {problem}") from None
    valid = answer is not None
    answer_paths, gold_paths = _paths(answer), _paths(gold)
    shared = [path for path in gold_paths if path in answer_paths]
    precision = len(shared) / len(answer_paths) if answer_paths else 0.0
    recall = len(shared) / len(gold_paths) if gold_paths else 0.0
    values = [_value(answer_paths[path], gold_paths[path]) for path in shared]
    return {
        "is_valid_json": float(valid),
        "is_schema_compliant": float(valid and check.complies(answer)),
        "key_precision": precision,
        "key_recall": recall,
        "key_f1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        "missing_keys": float(len(gold_paths) - len(shared)),
        "extra_keys": float(len(answer_paths) - len(shared)),
        "value_score": compensated_sum(values) / len(values) if values else 0.0,
        "overall_bleu": sentence_bleu(response, gold_text),
    }
