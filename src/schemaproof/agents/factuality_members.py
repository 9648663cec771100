"""Members of enumerations and truth values: said in other words on the page, or denied there."""

from __future__ import annotations

import re

from schemaproof.agents.grounding.binding import negated
from schemaproof.agents.grounding.claim import Claim
from schemaproof.agents.grounding.lexicon import name_words
from schemaproof.agents.grounding.outcome import Outcome, Span
from schemaproof.agents.grounding.phrases import camel_words, cues, find, first, stated
from schemaproof.agents.grounding.prepared import Prepared
from schemaproof.agents.grounding.shapes import bare_member

_OUTSPOKEN = frozenset(("InStock", "InStoreOnly", "OnlineOnly"))


def judge_member(claim: Claim, prepared: Prepared) -> Outcome:
    """An enumeration member: its name as words, or what pages write for it."""
    member = bare_member(claim.text)
    known = cues("members.txt").get(member)
    denied = first(prepared, known[1]) if known else None
    found = stated(prepared, known[0]) if known else None
    # "Sold out" beside a cart button of another article still means sold out.
    if denied is not None and (found is None or _inside(found, denied) or member in _OUTSPOKEN):
        return Outcome(
            0.12, "member-contradicted", f"the page says {prepared.text[slice(*denied)]!r}, which is not {member}",
            contradicted=True, spans=(denied,),
        )  # fmt: skip
    if found is not None:
        if negated(prepared, *found):
            return Outcome(
                0.12, "member-negated", f"the page denies it by a word before {prepared.text[slice(*found)]!r}",
                contradicted=True, spans=(found,),
            )  # fmt: skip
        return Outcome(0.85, "member-in-words", f"the page says {prepared.text[slice(*found)]!r}", spans=(found,))
    words = name_words(member) or [member.lower()]
    phrases = list(dict.fromkeys([" ".join(camel_words(member)), " ".join(words)]))
    spans = [span for phrase in phrases for span in find(prepared, phrase)]
    if not spans and len(words) >= 1:
        spans = _stems(prepared, words)
    if spans:
        affirmed = [span for span in spans if not negated(prepared, *span)]
        if not affirmed:
            return Outcome(
                0.12, "member-negated", f"the page denies it by a word before {prepared.text[slice(*spans[0])]!r}",
                contradicted=True, spans=(spans[0],),
            )  # fmt: skip
        return Outcome(
            0.8, "member-in-words", f"the page says {prepared.text[slice(*affirmed[0])]!r}", spans=tuple(affirmed[:3])
        )
    return Outcome(0.15, "member-not-in-text", f"nothing on the page says {' '.join(camel_words(member))!r}")


def _inside(one: Span, other: Span) -> bool:
    return other[0] <= one[0] and one[1] <= other[1]


def _stems(prepared: Prepared, words: list[str]) -> list[Span]:
    """All telling words of a member's name, in any form, within one line."""
    telling = [word for word in words if word not in _KINDS]
    if not telling or len(telling[0]) < 5:
        return [span for word in telling[:1] for span in find(prepared, word)]
    stem = telling[0][: max(4, len(telling[0]) - 1)] if len(telling[0]) > 4 else telling[0]
    found: list[Span] = []
    place = prepared.words.line.find(f" {stem}")
    while place >= 0 and len(found) < 8:
        number = prepared.words.number(place + 1)
        start, end = prepared.words.starts[number], prepared.words.ends[number]
        if len(prepared.words.words[number]) <= len(telling[0]) + 3:
            low, high = prepared.line(prepared.line_number(start))
            line = prepared.text[low:high]
            if all(word[: max(4, len(word) - 1)] in line for word in telling[1:]):
                found.append((start, end))
        place = prepared.words.line.find(f" {stem}", place + 1)
    return found


_KINDS = frozenset(
    [
        "diet",
        "condition",
        "type",
        "status",
        "mode",
        "category",
        "action",
        "event",
        "format",
        "online",
        "offline",
        "page",
        "book",
        "size",
    ]
)


# Truth values


_YES = re.compile(r"^\W{0,4}(?:yes|ja|oui|si|sim|true|da|tak|ano|evet|да|はい|是|نعم|✓|✔|available|allowed|included)\b")
_NO = re.compile(r"^\W{0,4}(?:no|nein|non|nao|false|nee|nej|nie|ne|hayir|нет|いいえ|否|لا|✗|✘|not)\b")


def judge_truth(claim: Claim, prepared: Prepared) -> Outcome:
    """True or false: said by cue words, or by yes and no after the property's words."""
    value = claim.value if isinstance(claim.value, bool) else str(claim.value).strip().lower() in ("true", "yes", "1")
    known = cues("truths.txt").get(claim.name)
    if known is not None:
        said, denied = known if value else (known[1], known[0])
        yes, no = _truly(prepared, said), _truly(prepared, denied)
        paid = _ADMISSION.search(prepared.text) if claim.name == "isAccessibleForFree" else None
        if paid is not None:
            yes, no = (yes, no or paid.span()) if value else (yes or paid.span(), None)
        unsaid = yes is not None and negated(prepared, *yes)
        if yes is not None and not unsaid:
            return Outcome(0.78, "truth-said", f"the page says {prepared.text[slice(*yes)]!r}", spans=(yes,))
        if no is not None and not unsaid and negated(prepared, *no):
            return Outcome(0.72, "truth-said", f"the page denies {prepared.text[slice(*no)]!r}", spans=(no,))
        no = no or yes
        if no is not None:
            return Outcome(
                0.2, "truth-denied", f"the page says {prepared.text[slice(*no)]!r}", contradicted=True, spans=(no,)
            )
    words = name_words(claim.name)
    for phrase in dict.fromkeys(
        (" ".join(camel_words(claim.name)), " ".join(words), *(word for word in words if len(word) > 4))
    ):
        for start, end in find(prepared, phrase, 6) if phrase else ():
            after = prepared.text[end : end + 16]
            no_said = bool(_NO.match(after)) or negated(prepared, start, end)
            if _YES.match(after) or no_said or " " in phrase:
                fits = no_said != value
                return Outcome(
                    0.72 if fits else 0.15, "truth-by-words", f"the page says {_said(prepared, start, end)!r}",
                    contradicted=not fits, spans=((start, end),),
                )  # fmt: skip
    return Outcome(0.2, "truth-not-said", f"nothing on the page says whether it is {str(value).lower()}")


# A price of admission: what has one is not free.
_ADMISSION = re.compile(
    r"(?:admission|entrance|entry|eintritt|entree|entrada|ingresso|toegang|vstupne|wstep|入場料)\b[^\n.!?]{0,16}?"
    r"(?:[$€£¥] ?[1-9]|[1-9]\d*(?:[.,]\d\d?)? ?(?:[$€£¥円]|(?:eur|usd|gbp|chf|euros?|kr|zl|kc)\b))"
)
# Words that say little alone ("free shipping"): they count in a line of their own, or beside what they are said of.
_LOOSE = frozenset(
    ("free", "gratis", "gratuit", "gratuite", "kostenlos", "gratuito", "gratuita", "premium", "tarif", "tarifs")
) | frozenset(("price", "preis", "live", "paid", "ticket", "tickets"))
_SAID_OF = re.compile(
    r"admission|entry|entrance|access|ticket|visit|museum|event|course|attend|[$€£¥] ?\d|\d ?[$€£¥]|eintritt|zugang|"
    r"veranstaltung|kurs|entree|acces|visite|entrada|ingres|acceso|evento|toegang|bezoek|vstup|wstep|вход|giris|入場|料金|broadcast|stream|article|read"
)


def _truly(prepared: Prepared, phrases: tuple[str, ...]) -> Span | None:
    """As `stated`, a loose word only where its line is short or says what it is about."""
    firm = stated(prepared, tuple(each for each in phrases if each not in _LOOSE))
    if firm is not None and not negated(prepared, *firm):
        return firm
    for phrase in phrases:
        if phrase in _LOOSE:
            for start, end in find(prepared, phrase, 12):
                low, high = prepared.line(prepared.line_number(start))
                around = prepared.text[max(low, start - 40) : min(high, end + 40)]
                if high - low <= len(phrase) + 14 or _SAID_OF.search(around):
                    if not negated(prepared, start, end):
                        return start, end
                    firm = firm or (start, end)
    return firm


def _said(prepared: Prepared, start: int, end: int) -> str:
    return prepared.text[start : end + 10].strip()
