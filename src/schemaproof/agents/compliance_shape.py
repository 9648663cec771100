"""What a text looks like, whatever property it stands under: an address, a code, a sentence, a name..."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from schemaproof.agents import compliance_names as names
from schemaproof.agents import compliance_repair as repair
from schemaproof.agents import compliance_words as words
from schemaproof.agents.compliance_contacts import EMAIL, MIME, WEB
from schemaproof.agents.compliance_numbers import NUMBER
from schemaproof.agents.compliance_times import DURATION, TIME, date

_WORD = re.compile(r"[^\W_]+(?:['’.\-/&][^\W_]+)*\.?")
_TEMPLATE = re.compile(
    r"\{\{.*?\}\}|\{%.*?%\}|<%.*?%>|<\?(?:php|=).*|\$\{[^}]*\}|#\{[^}]*\}|%%\w+%%|%\(\w+\)[sd]|(?<![\w%])%[sd](?!\w)|"
    r"\[object \w+\]|\[\[\w[^\]]*\]\]|\{[a-z][\w.]*\}|\{\d\}|^\$[a-z_]\w+$|__\w+__|@@\w+@@|"
    r"\{\$[a-z_][^{}]*\}|\[%.*?%\]|\*\|[A-Z_:]+\|\*|(?<![\w%])%\d\$[sd]|"
    r"(?<![\w%])%[a-z]{3,}(?:_[a-z]+)*%(?![\w%])|\[[a-z]+(?:_[a-z]+)+\]|"
    r"\[(?:insert|your|enter|add|placeholder|todo)\b[^\]]*\]|<(?:insert|your|enter)\b[^>]*>",
    re.S | re.I,
)
_FILLER = re.compile(
    r"\blorem ipsum\b|\bdolor sit amet\b|"
    r"^(?:insert|enter|type|add) (?:your|the|a)\b.{0,40}(?:here)?$|^your [\w ]{1,30} here\.?$|"
    r"^(?:insert|enter|type|add|put)[ _][\w ]{1,40}[ _]here\.?$|"
    r"^your[ _](?:product|company|business|store|shop|site|website|event|brand|organi[sz]ation|full|first|last)[ _]"
    r"(?:name|title|address|url|description|logo|phone|email)$",
    re.I,
)
_HTML = re.compile(
    r"</?(?:p|br|div|span|b|i|u|em|strong|a|ul|ol|li|h[1-6]|table|tr|td|img|font|script|style|iframe)\b[^<>]*>", re.I
)
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#\d{1,6}|#x[0-9a-f]{1,5});", re.I)
_CODE = re.compile(r"(?=.*\d)[A-Za-z0-9][A-Za-z0-9._/:+#-]*")
_SLUG = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)+")
_CAMEL = re.compile(r"[a-z]+(?:[A-Z0-9][a-z0-9]*)+")
_HASH = re.compile(r"[0-9a-fA-F]{16,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_MONEY = re.compile(
    r"(?:[$€£¥₹₽₴₺₩]|(?:USD|EUR|GBP|CHF|INR|CAD|AUD)\b)\s?\d[\d.,]*|\d[\d.,]*\s?(?:[$€£¥₹₽₴₺₩]|(?:USD|EUR|GBP|CHF|INR|CAD|AUD)\b)"
)
_PERCENT = re.compile(r"[+-]?\d[\d.,]*\s?%")
_COORDINATES = re.compile(r"[+-]?\d{1,3}\.\d{2,}\s*[,; ]\s*[+-]?\d{1,3}\.\d{2,}")
_HOURS = re.compile(
    r"\d{1,2}(?::\d{2})?\s?(?:[ap]\.?m\.?)?\s?(?:-|–|to|bis)\s?\d{1,2}(?::\d{2})?\s?(?:[ap]\.?m\.?|uhr|h)?$", re.I
)
_DAYS_HOURS = re.compile(r"(?:Mo|Tu|We|Th|Fr|Sa|Su)(?:[-,](?:Mo|Tu|We|Th|Fr|Sa|Su))* \d{1,2}:\d\d-")
_INTERNATIONAL = re.compile(r"(?:\+|00|\()\s?\d[\d\s().\-/]{5,}\d(?:\s*(?:ext|x)\.?\s*\d+)?")
_DASHED_PHONE = re.compile(r"\d{2,4}([\s.\-/])\d{2,4}(?:\1\d{2,4})+")
_SPOKEN_DATE = re.compile(
    r"(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?,?\s+)?(?:\d{1,2}(?:st|nd|rd|th)?\.?\s+)?"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(?:\d{1,2}(?:st|nd|rd|th)?,?\s+)?\d{4}(?:[,\s].{0,12})?|"
    r"\d{1,2}[./]\d{1,2}[./]\d{4}",
    re.I,
)
_SPOKEN_DURATION = re.compile(
    r"(?:\d+(?:[.,]\d+)?\s?(?:h|hrs?|hours?|mins?|minutes?|secs?|seconds?|stunden?|std\.?|minuten?|heures?|horas?|minutos?|"
    r"ore|minuti|uur|minuut)\.?(?:[\s,]+(?:and |und |et |y )?)?){1,3}",
    re.I,
)
_MEASURED = re.compile(
    r"\d+(?:[.,]\d+)?(?:\s?[x×]\s?\d+(?:[.,]\d+)?){0,2}"
    r"(?:\s?(?:mm|cm|km|inch(?:es)?|ft|feet|kg|lbs?|oz|ml)|\s(?:m|in|g|l))\.?"
)
_END = re.compile(r"[.!?。！？…][\"'”’)\]]*$")
_FILE = re.compile(r"\S+\.(?:jpe?g|png|gif|webp|svg|pdf|docx?|mp4|mp3|zip)\b(?!\S)", re.I)
_DEBRIS = re.compile(r"[\]}]\s*[\]}]\s*$|\"\s*:\s*[\[{\"]|\);\s*$")
LONG = 2000


@dataclass(frozen=True, slots=True)
class Shape:
    """A text and what it looks like.

    Attributes:
        text: without white space around it.
        words: its words, at most the first 60.
        kinds: what it looks like, see `shape`.
    """

    text: str
    words: tuple[str, ...]
    kinds: frozenset[str]


def unrendered(text: str) -> str:
    """The part of a text that a template engine or a hurried author left unfilled, or ""."""
    if len(text) > LONG:
        text = text[:LONG]
    plain = text.strip().casefold()
    if plain in words.NOTHING or plain.rstrip(".") in words.NOTHING_PHRASES:
        return text.strip()
    found = _TEMPLATE.search(text) or _FILLER.search(text)
    return found[0] if found else ""


def has_html(text: str) -> str:
    """What the HTML in a text is: "tags", "entities" or ""."""
    if "<" in text and _HTML.search(text):
        return "tags"
    return "entities" if "&" in text and _ENTITY.search(text) else ""


def shape(text: str, language: str = "") -> Shape:
    """What a text looks like.

    Arguments:
        text: any text; only its first 2,000 characters are looked at.
        language: BCP 47 primary subtag of the page, or "".

    Kinds: of form "url", "path", "email", "phone", "date", "spoken-date", "duration", "spoken-duration", "measured",
    "time", "number", "decimal", "percent", "money", "coordinates", "hours", "code", "slug", "camel", "media-type",
    "hash", "boolean"; of wording "word" (one), "short" (to three words), "phrase" (to eight), "long" (more than 12),
    "very-long" (more than 40), "sentence",
    "title-case", "acronym", "capitalised", "lower", "digits", "wordless-digits"; of meaning "country", "language",
    "street", "person", "job", "organisation", "landmark", "audience", "service", "food", "measure", "payment",
    "colour", "material", "list". "latin" where it is written in Latin letters.
    """
    text = text.strip()
    head = text[:LONG]
    found = _WORD.findall(head)[:60]
    kinds: set[str] = set()
    add = kinds.add
    if " " not in head:
        _token_kinds(head, add)
    _number_kinds(head, add)
    if _FILE.match(head):
        add("file-name")
    if "```" in head or _DEBRIS.search(head[-200:]):
        add("debris")
    if len(head) < 80 and re.search(r"\bundefined\b|\bNaN\b", head):
        add("hole")
    if kinds & {"url", "email"}:
        return Shape(text, tuple(found), frozenset(kinds))
    if len(head) <= 40 and names.country_name(head, language):
        add("country")
        if names.is_plain_country(head, language):
            add("no-region")
        if names.is_plain_country(head, language, town=True):
            add("no-town")
    _wording(head, found, add)
    lowered = [word.casefold() for word in found[:25]]
    _meaning(head, found, lowered, add)
    return Shape(text, tuple(found), frozenset(kinds))


def _token_kinds(text: str, add: Callable[[str], None]) -> None:
    if WEB.match(text) or text.startswith(("www.", "//")):
        add("url")
    elif EMAIL.fullmatch(text):
        add("email")
    elif MIME.fullmatch(text):
        add("media-type")
    elif text.startswith(("/", "./", "#")) and len(text) > 1:
        add("path")
    elif text.casefold() in ("true", "false"):
        add("boolean")
    elif DURATION.fullmatch(text):
        add("duration")
    elif re.match(r"[12]\d{3}-\d\d", text) and date(text, "") is None:
        add("date")
    elif TIME.fullmatch(text) and ":" in text:
        add("time")
    elif _HASH.fullmatch(text):
        add("hash")
    elif NUMBER.fullmatch(text):
        add("number")
        if "." in text:
            add("decimal")
    elif _CAMEL.fullmatch(text):
        add("camel")
    elif _SLUG.fullmatch(text):
        add("slug")
        if any(char.isdigit() for char in text):
            add("code")
    elif _CODE.fullmatch(text):
        # figures parted by marks, or mostly figures: "15-1132.00", not "1xbet" or "KB-3000X"
        figures = sum(char.isdigit() for char in text)
        letters = sum(char.isalpha() for char in text)
        add("code" if (figures >= 5 and letters <= figures // 2) or not letters else "model")


def _number_kinds(text: str, add: Callable[[str], None]) -> None:
    if not any(char.isdigit() for char in text[:80]):
        return
    add("digits")
    if not any(char.isalpha() for char in text):
        add("wordless-digits")
    if len(text) > 60:
        return
    digits = sum(char.isdigit() for char in text)
    if _COORDINATES.fullmatch(text):
        add("coordinates")
    elif (_INTERNATIONAL.fullmatch(text) and digits >= 7) or (
        _DASHED_PHONE.fullmatch(text) and 7 <= digits <= 15 and not re.match(r"[12]\d{3}-\d\d", text)
    ):
        add("phone")
    elif _MONEY.fullmatch(text):
        add("money")
    elif _PERCENT.fullmatch(text):
        add("percent")
    elif _SPOKEN_DURATION.fullmatch(text):
        add("spoken-duration")
    elif _MEASURED.fullmatch(text):
        add("measured")
    elif _SPOKEN_DATE.fullmatch(text):
        add("spoken-date")
    elif (":" in text and repair.opening_hours(text)) or _HOURS.fullmatch(text) or re.match(_DAYS_HOURS, text):
        add("hours")


def _wording(text: str, found: list[str], add: Callable[[str], None]) -> None:
    count = len(found)
    if text.isascii() or any("a" <= char.casefold() <= "z" for char in text):
        add("latin")
    # languages without spaces write whole sentences as one word
    spaced = not any(ord(char) > 0x0E00 and char.isalpha() for char in text[:40])
    if count <= 1 and (spaced or len(text) <= 4):
        add("word")
    if count <= 3 and spaced:
        add("short")
    if count <= 8:
        add("phrase")
    if count > 12 or len(text) > 120:
        add("long")
    if count > 40 or len(text) > 300:
        add("very-long")
    function = sum(word.casefold() in words.FUNCTION for word in found)
    if (count >= 5 and _END.search(text)) or (count > 9 and function >= 2):
        add("sentence")
    content = [word for word in found if word.casefold() not in words.FUNCTION and word[:1].isalpha()]
    if content and all(word[0].isupper() for word in content):
        add("capitalised")
        if len(content) >= 2:
            add("title-case")
    elif content and all(word.islower() for word in content):
        add("lower")
    if count == 1 and 2 <= len(text) <= 6 and text.isupper() and text.isalnum():
        add("acronym")


def _meaning(text: str, found: list[str], lowered: list[str], add: Callable[[str], None]) -> None:
    known = set(lowered)
    bare = {word.rstrip(".") for word in known}
    if known & words.STREET or any(word.endswith(words.STREET_ENDS) and len(word) > 5 for word in known):
        add("street")
    if bare & words.JOB:
        add("job")
    if known & words.HONORIFIC:
        add("honorific")
    if known & words.ORGANISATION:
        add("organisation")
    if bare & words.LANDMARK:
        add("landmark")
    if bare & words.FOOD:
        add("food")
    if (
        known & words.MEASURE
        or re.search(r"\d\s?(?:g|kg|ml|l|oz|lb)\b", text[:80])
        or any(char in "½¼¾⅓⅔⅛" for char in text[:40])
    ):
        add("measure")
    if bare & words.PAYMENT:
        add("payment")
    if bare & words.SERVICE:
        add("service")
    if (lowered and lowered[-1] in words.AUDIENCE) or (" for " in text and bare & words.AUDIENCE):
        add("audience")
    if bare & words.COLOUR:
        add("colour")
    if bare & words.MATERIAL:
        add("material")
    if names.language_code(text) and len(found) <= 2:
        add("language")
    if re.search(r"[,;|/•·]\s", text):
        add("list")
