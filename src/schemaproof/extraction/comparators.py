"""How two leaves are compared: by what they are, not by how they are written.

Every comparator is symmetric: swapping answer and gold never changes its result. Kinds with an exact meaning
(numbers, prices, dates, addresses, phones, truth values, members of an enumeration) are the same or are not; only
texts are more or less alike.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from schemaproof.errors import InputError
from schemaproof.extraction.writings import (
    dates,
    emails,
    normalised,
    numbers,
    phones,
    prices,
    remembered,
    same_moment,
    same_phone,
    urls,
)

COMPARATORS = ("auto", "exact", "text", "number", "price", "date", "url", "email", "phone", "boolean", "enum", "ignore")

SHORT = 40
_LONGEST = 5_000
_RELATIVE, _ABSOLUTE = 1e-6, 1e-9
_EXACT = 2.0**53  # below it a float that is a whole number is that number
_WRITTEN_OUT = re.compile(r"\s*[-+]?[0-9]{1,60}\s*")
_DIGITS = re.compile(r"\d+")
_PLAIN_NUMBER = re.compile(r"[-+]?(?:0|[1-9][\d.,' \u00a0\u202f]*|[.,]\d+|0[.,]\d+)(?:[eE][-+]?\d+)?\s*%?\Z")
_TRUE, _FALSE = {"true", "yes"}, {"false", "no"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """How alike two leaves are.

    Attributes:
        similarity: 0 to 1.
        correct: whether they say the same.
        comparator: name of what compared them.
    """

    similarity: float
    correct: bool
    comparator: str


@dataclass(frozen=True, slots=True)
class Rule:
    """What the user wants of a field.

    Attributes:
        pattern: path of the field, `[*]` for items of a list, `*` for any run of characters.
        comparator: one of `COMPARATORS`.
        tolerance: for numbers and prices: largest relative difference that is still the same.
        threshold: for texts: similarity from which on two texts say the same; 0 for the built-in rule.
    """

    pattern: str
    comparator: str = "auto"
    tolerance: float = _RELATIVE
    threshold: float = 0.0


@dataclass(frozen=True, slots=True)
class Rules:
    """The user's wishes; the first whose pattern meets a path decides."""

    rules: tuple[Rule, ...] = ()
    _found: dict[str, Rule] = field(default_factory=dict, compare=False, repr=False)

    def of(self, path: str) -> Rule:
        """The rule for a path."""
        known = self._found.get(path)
        if known is None:
            known = next((rule for rule in self.rules if _meets(path, rule.pattern)), _ANY)
            if len(self._found) < 10_000:
                self._found[path] = known
        return known


_ANY = Rule("*")
NO_RULES = Rules()


def _meets(path: str, pattern: str) -> bool:
    parts = re.split(r"(\[\*\]|\*)", pattern)
    expression = "".join(".*" if part == "*" else re.escape(part) for part in parts)
    return re.fullmatch(expression, path, re.DOTALL) is not None


def rules_of(data: Any, source: str = "comparators") -> Rules:
    """Rules from the parsed content of a comparators file.

    Arguments:
        data: `{"fields": {PATTERN: COMPARATOR or {"comparator", "tolerance", "threshold"}}}`, or the inner mapping.
        source: name of the file for messages.

    Raises:
        InputError: for anything else, naming the field.
    """
    fields = data.get("fields", data) if isinstance(data, Mapping) else None
    if not isinstance(fields, Mapping):
        raise InputError("a comparators file holds a mapping of fields to comparators", source=source)
    rules = []
    for pattern, wish in fields.items():
        options = {"comparator": wish} if isinstance(wish, str) else wish
        if not isinstance(options, Mapping) or set(options) - {"comparator", "tolerance", "threshold"}:
            raise InputError(f"field {pattern!r}: give a comparator, and maybe tolerance or threshold", source=source)
        name = options.get("comparator", "auto")
        if name not in COMPARATORS:
            raise InputError(
                f"field {pattern!r}: {name!r} is no comparator; there are {', '.join(COMPARATORS)}", source=source
            )
        figures = {key: options[key] for key in ("tolerance", "threshold") if key in options}
        for key, value in figures.items():
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise InputError(f"field {pattern!r}: {key} is a number from 0 to 1", source=source)
        rules.append(Rule(str(pattern), name, **{key: float(value) for key, value in figures.items()}))
    return Rules(tuple(rules))


def compare(answer: Any, gold: Any, schema: Mapping[str, Any], rule: Rule = _ANY) -> Comparison:
    """Compare two leaves (text, number or truth value; never null, object or list).

    Arguments:
        answer, gold: the leaves.
        schema: the part of the JSON Schema that speaks about them, {} if none: its type, format and enum count.
        rule: the user's wish.

    Returns:
        The comparison; symmetric in answer and gold.
    """
    name = rule.comparator
    if name == "auto":
        if "enum" in schema:
            name = "enum"
        elif schema.get("type") == "boolean" or isinstance(answer, bool) or isinstance(gold, bool):
            name = "boolean"
        else:
            name = _kind(answer, gold, schema)
    if name in ("text", "exact", "enum"):
        one, other = _text(answer), _text(gold)
        if name == "exact":
            same = type(answer) is type(gold) and answer == gold
            return Comparison(float(same), same, name)
        if name == "enum":
            same = one == other
            return Comparison(float(same), same, name)
        return _texts(one, other, rule.threshold)
    same = _same(name, answer, gold, rule.tolerance)
    return Comparison(float(same), same, name)


def kind_of_leaf(value: Any, schema: Mapping[str, Any], rule: Rule = _ANY) -> str:
    """The name of the comparator that a leaf without a counterpart would have met."""
    if rule.comparator != "auto":
        return rule.comparator
    if "enum" in schema:
        return "enum"
    if isinstance(value, bool) or schema.get("type") == "boolean":
        return "boolean"
    if not isinstance(value, str):
        return "number"
    kind = _kind_of(value, schema)
    return "long text" if kind == "text" and len(value) > SHORT else kind


def _text(value: Any) -> str:
    if isinstance(value, str):
        return normalised(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def _kind(answer: Any, gold: Any, schema: Mapping[str, Any]) -> str:
    """The most telling kind that both leaves are of."""
    if not isinstance(answer, str) and not isinstance(gold, str):
        return "number"
    if not isinstance(answer, str) or not isinstance(gold, str):
        text: str = answer if isinstance(answer, str) else gold
        return "number" if numbers(text) else "price" if prices(text) else "text"
    if answer == gold:
        return _kind_of(gold, schema)
    one, other = _kind_of(answer, schema), _kind_of(gold, schema)
    if one == other:
        return one
    return "price" if {one, other} == {"price", "number"} else "text"


@remembered
def _kind_of_text(text: str) -> str:
    if urls(text):
        return "url"
    if "@" in text and emails(text):
        return "email"
    if not any(char.isdigit() for char in text):
        return "text"
    if dates(text):
        return "date"
    if prices(text):
        return "price"
    if _PLAIN_NUMBER.match(text.strip()) and numbers(text):
        return "number"
    if phones(text) and (text.lstrip().startswith("+") or re.search(r"\d[\s().\-/]+\d", text)):
        return "phone"
    return "text"


def _kind_of(text: str, schema: Mapping[str, Any]) -> str:
    if schema.get("type") in ("number", "integer") and numbers(text):
        return "number"
    return _kind_of_text(text)


def _same(name: str, answer: Any, gold: Any, tolerance: float) -> bool:
    """Whether two leaves share a reading of one kind; where neither has any, whether they are the same text."""
    if name == "boolean":
        one, other = _truth(answer), _truth(gold)
        return one is not None and one is other if (one, other) != (None, None) else _text(answer) == _text(gold)
    if name == "number" and tolerance == _RELATIVE:
        digits = _digits_of(answer), _digits_of(gold)
        if None not in digits:
            return digits[0] == digits[1]
    left, right = _readings(name, answer), _readings(name, gold)
    if not left and not right:
        return _text(answer) == _text(gold)
    return any(_agree(name, one, other, tolerance) for one in left for other in right)


def _truth(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    text = _text(value)
    return True if text in _TRUE else False if text in _FALSE else None


def _readings(name: str, value: Any) -> tuple[Any, ...]:
    if isinstance(value, bool):
        return ()
    if isinstance(value, int | float):
        if name == "price":
            return (("", value),)
        return (value,) if name == "number" else _readings(name, str(value))
    if name == "number":
        return numbers(value)
    if name == "price":
        return prices(value) or tuple(("", amount) for amount in numbers(value))
    return {"date": dates, "url": urls, "email": emails, "phone": phones}[name](value)


def _agree(name: str, one: Any, other: Any, tolerance: float) -> bool:
    if name == "number":
        return _close(one, other, tolerance)
    if name == "price":
        # A bare number says nothing of the currency.
        return _close(one[1], other[1], tolerance) and (one[0] == other[0] or not one[0] or not other[0])
    if name == "date":
        return same_moment(one, other)
    return same_phone(one, other) if name == "phone" else bool(one == other)


def _close(one: float, other: float, tolerance: float) -> bool:
    if one == other or (one != one and other != other):
        return True
    if tolerance == _RELATIVE and _is_whole(one) and _is_whole(other):
        return False  # a number of pieces or an identifier: its neighbour is another
    try:
        return math.isclose(one, other, rel_tol=tolerance, abs_tol=_ABSOLUTE)
    except OverflowError:
        return False


def _is_whole(value: float) -> bool:
    return abs(value) < _EXACT and float(value).is_integer()


def _digits_of(value: Any) -> int | None:
    """The whole number that a leaf writes out digit by digit, however long; None where it is anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    found = _WRITTEN_OUT.fullmatch(value) if isinstance(value, str) else None
    return int(found[0]) if found else None


def _texts(one: str, other: str, threshold: float) -> Comparison:
    """Short texts by edit distance, long ones by character n-grams.

    Short texts say the same when they are the same. Long ones may differ a little, but never in a number.
    """
    if one == other:
        return Comparison(1.0, True, "text")
    longest = max(len(one), len(other))
    if longest <= SHORT:
        alike = 1 - edit_distance(one, other) / longest
        return Comparison(alike, bool(threshold) and alike >= threshold, "text")
    alike = min(character_f(one, other), 1 - 2**-20)
    enough = alike >= (threshold or 0.9)
    return Comparison(alike, enough and _DIGITS.findall(one) == _DIGITS.findall(other), "long text")


def edit_distance(one: str, other: str) -> int:
    """Levenshtein distance in characters.

    Source: Myers 1999, "A fast bit-vector algorithm for approximate string matching", as put by Hyyrö 2001.
    """
    if len(one) > len(other):
        one, other = other, one
    if not one:
        return len(other)
    where: dict[str, int] = {}
    for place, char in enumerate(one):
        where[char] = where.get(char, 0) | 1 << place
    full, last = (1 << len(one)) - 1, 1 << (len(one) - 1)
    up, down, distance = full, 0, len(one)
    for char in other:
        equal = where.get(char, 0)
        vertical = equal | down
        horizontal = (((equal & up) + up) ^ up) | equal
        plus = down | ~(horizontal | up) & full
        minus = up & horizontal
        distance += bool(plus & last) - bool(minus & last)
        plus = plus << 1 | 1
        up = (minus << 1 | ~(vertical | plus)) & full
        down = plus & vertical & full
    return distance


def character_f(one: str, other: str, orders: int = 6) -> float:
    """Mean F1 of character n-grams of the orders 1 to 6, white space left out.

    chrF with beta 1, which makes it symmetric; an order for which both are too short does not count. It needs no
    words, so Chinese and Japanese are compared as finely as English.

    Source: Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation".
    """
    total, counted = 0.0, 0
    for left, right in zip(_grams(one, orders), _grams(other, orders), strict=True):
        size = left.total() + right.total()
        if size:
            total += 2 * sum((left & right).values()) / size
            counted += 1
    return total / counted if counted else 0.0


@lru_cache(maxsize=64)
def _grams(text: str, orders: int) -> tuple[Counter[str], ...]:
    text = "".join(text.split())[:_LONGEST]
    return tuple(Counter(text[at : at + n] for at in range(len(text) - n + 1)) for n in range(1, orders + 1))
