"""Running text: what a reader would take for a paragraph of the content."""

from __future__ import annotations

import re

from schemaproof.generation.outline import Line

_TAG = re.compile(r"</?[a-z]+[ />]", re.I)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
TRADE = re.compile(
    r"in stock|delivery|shipping|auf lager|lieferung|lieferzeit|versand|livraison|en stock|envío|spedizione|"
    r"levertijd|verzend|"
    r"доставк|送料|配送|returns?\b|add to|our price|inkl\. mwst|vat\b",
    re.I,
)
_NO_PROSE = (
    "cookie", "javascript", "abbonat", "abonn", "suscríb", "подписк", "newsletter", "copyright", "©", "log in", "login",
    "sign up", "signup", "subscribe", "add to cart", "add to basket", "browser", "privacy policy", "datenschutz",
    "publicité", "advertisement", "anmelden", "captcha",
)  # fmt: skip
_STOP = re.compile(r"[.!?…。！？؟:]")


def is_prose(line: Line) -> bool:
    """Whether a line is running text that a reader would take for a paragraph of the content."""
    text = line.text
    if line.tag in (
        "li",
        "td",
        "th",
        "dt",
        "dd",
        "figcaption",
        "caption",
        "button",
        "label",
        "nav",
        "footer",
        "summary",
    ):
        return False
    if "<" in text and _TAG.search(text):
        return False  # somebody's markup shown as text
    wide = bool(_WIDE.search(text))
    if len(text) < (24 if wide else 60):
        return False
    if text.count(" ") < 7 and not wide:
        return False
    if _STOP.search(text) is None:
        return False
    # Looking for each word is many times quicker than one expression with all of them.
    low = text[:200].lower()
    return not any(word in low for word in _NO_PROSE)
