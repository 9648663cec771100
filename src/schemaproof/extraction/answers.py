"""What a model wrote → the JSON in it, and what had to be done to get it.

Nothing is guessed here beyond where the JSON stands. Text that is no JSON stays what it is for the metrics of form
(`is_valid_json`); what a tolerant reader can still make of it is kept apart as `repaired`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from schemaproof.json_reader import read_json

# A text of brackets only would otherwise be scanned once from each of them: tries, and characters per character.
_TRIES = 40
_SCANS = 4
_THINK = re.compile(r"\s*<(think|thinking|reasoning|thought)\b[^>]*>", re.IGNORECASE)
_THINK_END = re.compile(r"</(?:think|thinking|reasoning|thought)>", re.IGNORECASE)
_FENCE = re.compile(r"(```+|~~~+)[^\S\n]*[\w+.-]*[^\S\n]*\n?(.*?)(?:\1|\Z)", re.DOTALL)
# What opens like JSON, in contrast to braces and brackets of prose ("{name}", "[see below]").
_OPENS = re.compile(r"""\{\s*(?:["'}]|[A-Za-z_]\w*\s*:)|\[\s*(?:[\[{"\]\d-]|(?:true|false|null)\b)""")
_PARTS = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|"', re.DOTALL)
_MARKS = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|"', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Answer:
    """The JSON of one response.

    Attributes:
        text: the JSON text to be scored; the whole response where none was found.
        notes: what was done, in order: "byte-order-mark", "thinking", "quoted", "fence", "prose", "value-K-of-N",
            "truncated", "repaired:CODE", "no-json".
        repaired: what the tolerant reader made of a text that is no JSON; None without.
    """

    text: str
    notes: tuple[str, ...] = ()
    repaired: Any = None


def read_answer(response: str, root: str = "") -> Answer:
    """Find the JSON in a response.

    A response that is JSON as it stands is left alone. Otherwise, in this order: a byte-order mark and thinking
    blocks go, a JSON text inside a JSON string is unwrapped, a fenced block that is an object or array is taken,
    then an object or array in the prose; where none parses, the text from the first brace on is given to the
    tolerant reader. Of several values the first one of the wanted kind is taken.

    Arguments:
        response: the text of the model.
        root: "object" or "array" if the JSON Schema says so, else "".

    Returns:
        The answer. Never raises; time is linear in the response.
    """
    if _parses(response):
        return _unquoted(response, [])
    notes: list[str] = []
    text = response
    if text.startswith("\ufeff"):
        text, notes = text[1:], ["byte-order-mark"]
    text = _without_thinking(text, notes)
    if _parses(text):
        return _unquoted(text, notes)

    blocks = [match.group(2).strip() for match in _FENCE.finditer(text)]
    whole = [block for block in blocks if block[:1] in ("{", "[") and _parses(block)]
    if whole:
        notes.append("fence")
        return Answer(_chosen(whole, root, notes), tuple(notes))
    found = list(_values(text))
    if found:
        places = [0, *(place for span in found for place in span), len(text)]
        around = "".join(text[start:end] for start, end in zip(places[::2], places[1::2], strict=True))
        if around.strip(" \t\r\n,;"):
            notes.append("prose")
        return Answer(_chosen([text[start:end] for start, end in found], root, notes), tuple(notes))
    return _tolerant(text, blocks, notes)


def _chosen(values: list[str], root: str, notes: list[str]) -> str:
    """The first value of the wanted kind; without a wish, the first that is more than a list of scalars."""
    place = 0
    if len(values) > 1:
        opening = {"object": "{", "array": "["}.get(root, "")
        fitting = [at for at, value in enumerate(values) if value[0] == opening] if opening else []
        if not fitting:
            fitting = [at for at, value in enumerate(values) if value[0] == "{" or value[1:].lstrip()[:1] in "[{"]
        place = fitting[0] if fitting else 0
        notes.append(f"value-{place + 1}-of-{len(values)}")
    return values[place]


def first_json(response: str) -> str:
    """The first JSON of a response by the published scripts' rule, parseable or not.

    The content of the first fenced block; without one, from the first brace or bracket to where its kind is closed
    again, not counting inside strings; else the response as it is.

    Source: modelling/utils.py of ScrapeGraphAI/scrapegraph-100k-paper, by its behaviour.
    """
    fence = response.find("```")
    if fence >= 0:
        start = fence + 3
        if response.startswith("json", start):
            start += 4
        end = response.find("```", start)
        if end >= 0:
            return response[start:end].strip()
    starts = [place for place in (response.find("{"), response.find("[")) if place >= 0]
    if not starts:
        return response
    start = min(starts)
    opening = response[start]
    closing = "}" if opening == "{" else "]"
    depth, quoted, place = 0, False, start
    marks = re.compile(rf"\\.|[\"{re.escape(opening + closing)}]", re.DOTALL)
    for mark in marks.finditer(response, start):
        token, place = mark.group(), mark.end()
        if token == '"':
            quoted = not quoted
        elif quoted or token[0] == "\\":
            continue
        else:
            depth += 1 if token == opening else -1
            if not depth:
                return response[start:place]
    return response


def _parses(text: str) -> bool:
    import orjson

    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def _unquoted(text: str, notes: list[str]) -> Answer:
    """The JSON inside a JSON string, if that is what it is."""
    import orjson

    if text.lstrip()[:1] == '"':
        inner = orjson.loads(text)
        if isinstance(inner, str) and inner.lstrip()[:1] in ("{", "[") and _parses(inner):
            return Answer(inner, (*notes, "quoted"))
    return Answer(text, tuple(notes))


def _without_thinking(text: str, notes: list[str]) -> str:
    """The text behind the thinking blocks at its beginning.

    Chat templates often hold the opening tag themselves, so that only a closing one is there. A block that is never
    closed used up the room for the answer: what is left is nothing.
    """
    place = 0
    while opening := _THINK.match(text, place):
        closing = _THINK_END.search(text, opening.end())
        if closing is None:
            notes += ["thinking", "truncated"]
            return ""
        place = closing.end()
    if not place:
        closing = _THINK_END.search(text)
        if closing is not None and any(mark in text[closing.end() :] for mark in "{["):
            place = closing.end()
    if place:
        notes.append("thinking")
    return text[place:]


def _values(text: str) -> Iterator[tuple[int, int]]:
    """Places of objects and arrays that parse, from left to right, none inside another.

    Ends at the first text that opens like JSON and is none: what stands inside it is only a part of the answer.
    """
    place, room = 0, _SCANS * len(text)
    for _ in range(_TRIES):
        start = _opening(text, place)
        if start < 0 or room <= 0:
            return
        end = _balanced(text, start)
        room -= (end if end > 0 else len(text)) - start
        if end > 0 and _parses(text[start:end]):
            yield start, end
            place = end
        elif _OPENS.match(text, start):
            return
        else:
            place = start + 1


def _opening(text: str, place: int) -> int:
    """The first brace or bracket from a place on; -1 if there is none."""
    brace, bracket = text.find("{", place), text.find("[", place)
    return max(brace, bracket) if brace < 0 or bracket < 0 else min(brace, bracket)


def _balanced(text: str, start: int) -> int:
    """Where the bracket at `start` is closed, brackets in strings not counted; -1 if never."""
    level = 0
    for mark in _MARKS.finditer(text, start):
        token = mark.group()
        if token in ("{", "["):
            level += 1
        elif token in ("}", "]"):
            level -= 1
            if not level:
                return mark.end()
        elif token == '"':
            return -1  # a string without an end
    return -1


def _tolerant(text: str, blocks: list[str], notes: list[str]) -> Answer:
    """What the tolerant reader makes of a text that holds no JSON that parses."""
    place = text
    for block in blocks:
        if _OPENS.match(block):
            place = block
            notes.append("fence")
            break
    opening = _OPENS.search(place)
    start = opening.start() if opening else _opening(place, 0)
    if start < 0:
        if notes[-1:] != ["truncated"]:
            notes.append("no-json")
        return Answer(text, tuple(notes))
    if place[:start].strip():
        notes.append("prose")
    place = place[start:]
    whole = place
    if _balanced(place, 0) < 0:
        notes.append("truncated")
        whole = _closed(place)
    reading = read_json(whole)
    codes = [warning.code for warning in reading.warnings]
    notes.extend(dict.fromkeys(f"repaired:{code}" for code in codes if code != "truncated"))
    values = [value for value in reading.values if isinstance(value, dict | list)]
    return Answer(place, tuple(notes), values[0] if values else None)


def _closed(text: str) -> str:
    """A text that breaks off, cut behind its last complete value and closed.

    A number, word or string at the very end may have been cut, so it counts only where something follows it; a
    complete string counts.
    """
    stack: list[str] = []
    end, levels, before, after = 0, 0, "", 0
    for mark in _PARTS.finditer(text):
        token = mark.group()
        if token in ("{", "["):
            stack.append("}" if token == "{" else "]")
            end, levels = mark.end(), len(stack)
        elif token in ("}", "]"):
            if not stack or stack.pop() != token:
                break
            end, levels = mark.end(), len(stack)
        elif token == ",":
            if before != ":" or text[after : mark.start()].strip():
                end, levels = mark.start(), len(stack)
        elif len(token) > 1 and stack and (stack[-1] == "]" or before == ":"):
            end, levels = mark.end(), len(stack)
        elif token == '"':
            break
        before, after = token[0], mark.end()
    return text[:end] + "".join(reversed(stack[:levels]))
