"""Folding: text brought to a form in which the same words are the same characters, one for one.

Quotes, dashes, spaces, letter case, full-width forms, digits of other scripts and the accents of Latin and Greek
letters are levelled. Every character is replaced by exactly one, so that an offset into the folded text is an offset
into the page; the few characters that nobody sees (soft hyphens, joiners, direction marks, combining accents) are
taken out, and `Folded.original` gives the way back.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache

# Soft hyphen, combining accents, Arabic vowel signs and tatweel, zero-width and direction marks, byte order mark.
_UNSEEN = re.compile(
    "[\u00ad\u0300-\u036f\u0640\u064b-\u065f\u0670\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]"
)
_OTHER = re.compile(r"[^\x00-\x7f]")

_SINGLE = {
    **dict.fromkeys("‘’‚‛′´`ʼʻ＇", "'"),
    **dict.fromkeys("“”„‟″«»‹›〝〞＂", '"'),
    **dict.fromkeys("‐‑‒–—―−﹣－⁃", "-"),
    **dict.fromkeys("ıİ", "i"),
    "ł": "l",
    "đ": "d",
    "ø": "o",
    "ς": "σ",
    "ё": "е",
    "×": "x",
    "⁄": "/",
    "أ": "ا",
    "إ": "ا",
    "آ": "ا",
    "ة": "ه",
    "ى": "ي",
    "ی": "ي",
    "ک": "ك",
    "‧": "·",
    "・": " ",
    "　": " ",
}


@cache
def _fold_character(character: str) -> str:
    """The one character that stands for this (already lowered) one."""
    if character in _SINGLE:
        return _SINGLE[character]
    if character.isspace():
        return "\n" if character in "\u2028\u2029\x85" else " "
    if character.isdigit():
        return str(unicodedata.digit(character)) if character.isdecimal() else character
    compatible = unicodedata.normalize("NFKC", character).lower()
    if len(compatible) != 1:
        return character
    parts = unicodedata.normalize("NFD", compatible)
    # Only where an accent is an ornament: taking the mark off a kana or a Cyrillic short i makes another letter.
    if len(parts) > 1 and ("a" <= parts[0] <= "z" or "\u0370" <= parts[0] <= "\u03ff"):
        return parts[0]
    return _SINGLE.get(compatible, compatible)


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded text with the way back to where it came from.

    Attributes:
        text: the folded text.
        removed: for each character taken out, the offset in `text` at which it stood; ascending.
    """

    text: str
    removed: tuple[int, ...] = ()

    def original(self, offset: int) -> int:
        """The offset in the source of the character at `offset` of the folded text."""
        return offset + bisect_right(self.removed, offset) if self.removed else offset


def fold(text: str) -> Folded:
    """Folds a text (see the module).

    Arguments:
        text: any text.

    Returns:
        The folded text; `Folded.text` is as long as `text` less what nobody sees.
    """
    removed: tuple[int, ...] = ()
    if text.isascii():
        return Folded(text.lower())
    if _UNSEEN.search(text):
        removed = tuple(match.start() - number for number, match in enumerate(_UNSEEN.finditer(text)))
        text = _UNSEEN.sub("", text)
    if "İ" in text:  # the one letter whose lower case is two characters
        text = text.replace("İ", "i")
    text = text.lower()
    for character in set(_OTHER.findall(text)):
        other = _fold_character(character)
        if other != character:
            text = text.replace(character, other)
    return Folded(text, removed)
