"""Codes that a page says in other words: currencies, countries, languages, units, media types."""

from __future__ import annotations

import re

from schemaproof.agents.factuality_texts import judge_text
from schemaproof.agents.grounding.claim import Claim
from schemaproof.agents.grounding.codes import codes
from schemaproof.agents.grounding.locales import level, tables
from schemaproof.agents.grounding.outcome import Outcome, Span
from schemaproof.agents.grounding.phrases import find, first
from schemaproof.agents.grounding.prepared import Prepared

_POSTAL = {
    "US": r",? \b(?:al|ak|az|ar|ca|co|ct|dc|de|fl|ga|hi|id|il|in|ia|ks|ky|la|me|md|ma|mi|mn|ms|mo|mt|ne|nv|nh|nj|nm|ny|"
    r"nc|nd|oh|ok|or|pa|ri|sc|sd|tn|tx|ut|vt|va|wa|wv|wi|wy|[a-z]{5,13}),? \d{5}(?:-\d{4})?\b",
    "GB": r"\b[a-z]{1,2}\d[a-z\d]? \d[a-z]{2}\b",
    "CA": r"\b[a-z]\d[a-z] ?\d[a-z]\d\b",
    "NL": r"\b\d{4} ?[a-z]{2}\b",
}


def judge_currency(claim: Claim, prepared: Prepared) -> Outcome:
    """A currency by its code, sign or name; several may be listed."""
    parts = [part for part in re.split(r"[,;/\s]+", claim.text) if part]
    wanted = [part.upper() for part in parts if re.fullmatch(r"[A-Za-z]{3}", part)]
    if not wanted or len(wanted) != len(parts):
        by_sign = [code for code, sign in codes("signs").items() if claim.text.strip() == sign]
        wanted = by_sign[:1] or wanted
        if not wanted or len(wanted) != len(parts):
            return judge_text(claim, prepared)
    spans = [span for code in wanted if (span := _currency_span(prepared, code)) is not None]
    if len(spans) == len(wanted):
        return Outcome(0.88, "currency-in-text", "the page prints amounts in it", spans=tuple(spans[:3]))
    other = next(
        (
            (code, span)
            for code in codes("signs")
            if code not in wanted and (span := _sign_span(prepared, code)) is not None
        ),
        None,
    )
    if other is not None:
        return Outcome(
            0.05, "currency-differs", f"the page prints {prepared.text[slice(*other[1])]!r}, not {', '.join(wanted)}",
            contradicted=True, spans=(other[1],),
        )  # fmt: skip
    return Outcome(0.05, "currency-not-in-text", f"no amount in {', '.join(wanted)} stands on the page")


def _sign_span(prepared: Prepared, code: str) -> Span | None:
    sign = codes("signs").get(code)
    if sign is None:
        return None
    place = prepared.text.find(sign)
    if place < 0:
        return None
    near = _AMOUNT.search(prepared.text, max(0, place - 14), place + 16)
    return near.span() if near else (place, place + len(sign))


_AMOUNT = re.compile(r"\d[\d.,' ]{0,10}[^\w\s.,:;()-]|[^\w\s.,:;()-] ?\d[\d.,']*")


def _currency_span(prepared: Prepared, code: str) -> Span | None:
    span = _sign_span(prepared, code)
    if span is not None:
        return span
    names = [code.lower(), *codes("money").get(code, "").split("|")]
    words = prepared.words
    for name in dict.fromkeys(names):
        bare = None
        for start, end in words.find(level(name), limit=20):
            bare = bare or (words.starts[start], words.ends[end - 1])
            if start and words.words[start - 1].isdigit():
                return words.starts[start - 1], words.ends[end - 1]
            if end < len(words) and words.words[end].isdigit():
                return words.starts[start], words.ends[end]
        if bare is not None and (len(name) >= 3 or name > "\u3000"):
            return bare
    for language in dict.fromkeys((prepared.language or "en", "en")):
        name = tables(language).currencies.get(code, "")
        if name:
            found = first(prepared, (name, f"{name}s"))
            if found:
                return found
    return None


def judge_country(claim: Claim, prepared: Prepared) -> Outcome:
    """A country by code or name, in the page's language or English."""
    code = claim.text.strip().upper()
    languages = tuple(dict.fromkeys((prepared.language or "en", "en")))
    if not re.fullmatch(r"[A-Z]{2,3}", code) or (len(code) == 3 and code not in codes("iso3")):
        code = next(
            (
                code
                for each in languages
                for code, name in tables(each).territories.items()
                if name == " ".join(claim.words)
            ),
            "",
        )
        if not code:
            return judge_text(claim, prepared)
    code = codes("iso3").get(code, code)
    names = [tables(each).territories.get(code, "") for each in languages]
    names += codes("countries").get(code, "").split("|")
    spans = [span for name in dict.fromkeys(names) if name for span in find(prepared, level(name), 4)]
    if spans:
        return Outcome(
            0.88, "country-in-text", f"the page says {prepared.text[slice(*spans[0])]!r}", spans=tuple(spans[:3])
        )
    printed = re.search(rf"(?<![\w.]){re.escape(code)}(?![\w])", prepared.page.text)
    if printed:
        start = prepared.text.find(code.lower(), max(0, printed.start() - len(prepared.folded.removed)))
        return Outcome(0.78, "country-in-text", f"the page prints the code {code}", spans=((start, start + len(code)),))
    found = _by_address(claim, prepared, code)
    if found is not None:
        return found
    return Outcome(0.12, "country-not-in-text", f"the page does not name the country {code}")


def _by_address(claim: Claim, prepared: Prepared, code: str) -> Outcome | None:
    """A country that the page tells by a telephone prefix, or by the form of its postal codes."""
    prefix = codes("prefixes").get(code)
    if prefix:
        match = re.search(rf"(?<!\d)(?:\+|00){prefix}(?!\d{{12}})[ (\d]", prepared.text)
        if match:
            return Outcome(
                0.62, "country-by-telephone", f"the page prints a telephone number of {code}", spans=(match.span(),)
            )
    form = _POSTAL.get(code)
    if form:
        match = re.search(form, prepared.text)
        if match:
            return Outcome(
                0.6, "country-by-postal-code", f"the page prints a postal code of {code}", spans=(match.span(),)
            )
    return None


def judge_region(claim: Claim, prepared: Prepared) -> Outcome:
    """A state or province by its name, or by the short form that addresses print in capitals."""
    outcome = judge_text(claim, prepared)
    if outcome.probability >= 0.5:
        return outcome
    regions = codes("regions")
    code = claim.text.strip().upper()
    if code in regions:
        spans = find(prepared, regions[code], 3)
    else:
        code = next((short for short, name in regions.items() if name == " ".join(claim.words)), "")
        spans = [span for span in find(prepared, code.lower(), 40) if prepared.written(*span) == code] if code else []
    if spans:
        shown = prepared.written(*spans[0])
        return Outcome(0.8, "region-in-text", f"the page says {shown!r}", spans=tuple(spans[:3]))
    return outcome


def judge_language(claim: Claim, prepared: Prepared) -> Outcome:
    """A language by code or name; the language that the page is in counts."""
    text = claim.text.strip()
    code = re.split(r"[-_]", text)[0].lower()
    languages = tuple(dict.fromkeys((prepared.language or "en", "en")))
    if not re.fullmatch(r"[a-z]{2,3}", code) or code not in tables("en").languages:
        wanted = " ".join(claim.words)
        code = next((code for each in languages for code, name in tables(each).languages.items() if name == wanted), "")
        if not code:
            return judge_text(claim, prepared)
    names = [tables(each).languages.get(code, "") for each in (*languages, code)]
    spans = [span for name in dict.fromkeys(names) if name for span in find(prepared, name, 3)]
    if spans:
        return Outcome(
            0.85, "language-in-text", f"the page says {prepared.text[slice(*spans[0])]!r}", spans=tuple(spans[:3])
        )
    if code == prepared.language:
        first = prepared.page.blocks[0] if prepared.page.blocks else None
        end = prepared.words.ends[min(7, len(prepared.words) - 1)]
        del first
        return Outcome(
            0.75, "language-of-page", "the page is in this language", spans=((prepared.words.starts[0], end),)
        )
    return Outcome(0.12, "language-not-in-text", f"the page neither names the language {text!r} nor is in it")


def judge_unit(claim: Claim, prepared: Prepared) -> Outcome:
    """A unit by its UN/CEFACT code or as text, after a number where it is short."""
    code = claim.text.strip().upper()
    listed = codes("units").get(code)
    if listed is None:
        outcome = judge_text(claim, prepared)
        if outcome.probability >= 0.5 or len(claim.words) != 1:
            return outcome
        listed = "|".join(names for names in codes("units").values() if claim.words[0] in names.split("|")) or codes(
            "periods"
        ).get(claim.words[0], "")
        if not listed:
            return outcome
    words = prepared.words
    for name in listed.split("|"):
        phrase = level(name)
        if not phrase:
            place = prepared.text.find(name)
            if place >= 0:
                return Outcome(0.82, "unit-in-text", f"the page says {name!r}", spans=((place, place + len(name)),))
            continue
        for start, end in words.find(phrase, limit=60):
            # A short unit is only told from other words by the number before it.
            if len(phrase) > 2 or (start and words.words[start - 1].isdigit()):
                span = (words.starts[start], words.ends[end - 1])
                return Outcome(0.82, "unit-in-text", f"the page says {prepared.text[slice(*span)]!r}", spans=(span,))
    return Outcome(0.1, "unit-not-in-text", f"nothing on the page is given in {claim.text!r}")


def judge_mime(claim: Claim, prepared: Prepared) -> Outcome:
    """A media type by the names of its files: in the text, or as the ending of a link or medium."""
    text = claim.text.strip().lower().partition(";")[0]
    names = codes("media").get(text)
    if names is None:
        if "/" not in text:
            return judge_text(claim, prepared)
        names = re.sub(r"^x-|^vnd\.", "", text.partition("/")[2])
    endings = names.split("|")
    for ending in endings:
        spans = find(prepared, level(ending), 3)
        if spans:
            return Outcome(
                0.72, "media-type-in-text", f"the page says {prepared.text[slice(*spans[0])]!r}", spans=tuple(spans)
            )
    pattern = re.compile(rf"\.(?:{'|'.join(map(re.escape, endings))})(?:$|[?#])")
    for targets in prepared.targets.values():
        if pattern.search(targets[0].normal):
            return Outcome(
                0.62,
                "media-type-linked",
                "the page links to such a file",
                evidence=prepared.target_evidence(targets[:1]),
            )
    return Outcome(0.1, "media-type-not-on-page", f"the page neither names nor links to a file of type {text}")
