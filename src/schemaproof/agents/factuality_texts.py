"""Names, descriptions and other texts: found whole, in parts or with changes, and bound by roles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from schemaproof.agents.grounding.addresses import host_of
from schemaproof.agents.grounding.alignment import Alignment, align
from schemaproof.agents.grounding.binding import Binding, bind, negated
from schemaproof.agents.grounding.claim import Claim
from schemaproof.agents.grounding.folding import fold
from schemaproof.agents.grounding.lexicon import labels
from schemaproof.agents.grounding.locales import level
from schemaproof.agents.grounding.numbers import key, number_of
from schemaproof.agents.grounding.outcome import Outcome, Span
from schemaproof.agents.grounding.prepared import Prepared
from schemaproof.agents.grounding.spelling import canonical, respelled
from schemaproof.agents.grounding.words import words_of
from schemaproof.agents.verdict import Evidence
from schemaproof.page.model import Kind

_GAPS = re.compile(r"[\s.\-‐‑]")
_PARTS = re.compile(r"\s*[,;|/•·>＞\n]\s*|\s+(?:and|und|et|y|e|en|&)\s+")
# Roles whose labels exclude each other for the name of a person or an organization.
_ROLES = frozenset(
    [
        "author",
        "publisher",
        "editor",
        "translator",
        "illustrator",
        "director",
        "producer",
        "organizer",
        "teacher",
        "actor",
        "seller",
        "brand",
        "sender",
        "recipient",
        "spouse",
        "parent",
        "children",
        "sibling",
        "grandchildren",
        "kin",
    ]
)
_STRICT_ROLES = frozenset(["spouse", "parent", "children", "sibling", "grandchildren", "kin"])


def judge_text(claim: Claim, prepared: Prepared) -> Outcome:
    """A text: exact first, then its parts, then word by word."""
    words = claim.words
    if not words:
        return _judge_signs(claim, prepared)
    phrase = " ".join(words)
    hits = list(prepared.words.find(phrase, limit=40))
    if not hits and claim.cut and len(words) > 2:
        shorter = " ".join(words[:-1])
        hits = list(prepared.words.find(shorter, limit=10))
    if not hits and (_FRACTIONAL.search(claim.folded) or (len(words) <= 12 and not _COUNTED.isdisjoint(words))):
        for other in (*respelled(claim.folded), *_recounted(words)):
            hits = list(prepared.words.find(" ".join(words_of(other)), limit=10))
            if hits:
                break
    if hits:
        return _bound(claim, prepared, [_span(prepared, *hit) for hit in hits])
    grouped = _regrouped(claim, prepared) if len(words) <= 6 else []
    if grouped:
        return _bound(claim, prepared, grouped)
    amount = _AMOUNT.fullmatch(claim.folded.strip()) if len(words) <= 6 else None
    if amount is not None:
        outcome = _judge_amount(claim, prepared, amount)
        if outcome is not None:
            return outcome
    return _in_pieces(claim, prepared)


def _regrouped(claim: Claim, prepared: Prepared) -> list[Span]:
    """A number of the kind that is printed in groups (ISBN, GTIN, account, postal code), grouped otherwise."""
    compact = "".join(char for char in claim.folded if char.isalnum())
    digits = sum(char.isdigit() for char in compact)
    shortest = 5 if claim.name == "postalCode" else 8
    if not shortest <= len(compact) <= 34 or digits < 0.6 * len(compact) or not compact.isascii():
        return []
    if len(compact) != len(_GAPS.sub("", claim.folded.strip())):
        return []  # other signs between ("1.5/2024-7"): no plain code
    pattern = r"(?<![^\W_])" + r"[ \u00a0\u2009\u202f.\-\u2010\u2011]?".join(compact) + r"(?![^\W_])"
    return [match.span() for match in islice(re.finditer(pattern, prepared.text), 20)]


_NUMERALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_COUNTED = frozenset((*_NUMERALS, *map(str, range(1, 13))))


def _recounted(words: tuple[str, ...]) -> list[str]:
    """A short text with its small numbers in figures, and in words."""
    figures = [str(_NUMERALS.index(word) + 1) if word in _NUMERALS else word for word in words]
    spelled = [_NUMERALS[int(word) - 1] if word in _COUNTED and word.isdigit() else word for word in words]
    return [" ".join(each) for each in (figures, spelled) if tuple(each) != words]


def _judge_amount(claim: Claim, prepared: Prepared, amount: re.Match[str]) -> Outcome | None:
    """A number with its unit ("6 grams fat", "602 kcal"): spelled otherwise, or the unit in the label."""
    value = number_of(amount["number"])
    if value is None:
        return None
    unit = canonical(amount["unit"] or "")
    rest = {canonical(word) for word in words_of(amount["rest"] or "")}
    best: tuple[float, Span] | None = None
    for start, end in prepared.numbers.get(key(value), [])[:40]:
        following = words_of(prepared.text[end : end + 24])[:2]
        same = bool(unit) and bool(following) and canonical(following[0]) == unit
        around = words_of(prepared.text[max(0, start - 60) : start] + " " + prepared.text[end : end + 40])
        named = not rest or bool(rest & {canonical(word) for word in around})
        own = bind(prepared, claim.concepts, start, end, lone=True).own if claim.concepts else 0.0
        other = bool(following) and not same and canonical(following[0]) in _UNIT_WORDS
        loose = 0.4 if claim.name == "recipeIngredient" else 0.6
        score = 0.0 if other else (0.85 if own >= 0.5 or named else loose) if same else own if own >= 0.7 else 0.0
        if score and (best is None or score > best[0]):
            best = (score, (start, end))
    if best is None:
        return None
    return Outcome(
        best[0], "amount-in-text", f"the page gives {prepared.text[slice(*best[1])]!r} for it", spans=(best[1],)
    )


_FRACTIONAL = re.compile(r"[½¼¾⅓⅔⅛⅜⅝⅞]|\d/\d|\d[.,]\d")
_AMOUNT = re.compile(
    r"(?:about|approx\.?|ca\.?|~|≈)? ?(?P<number>\d[\d.,]*(?<![.,])) ?(?P<unit>[^\W\d_]+|%|°[cf]?)?"
    r"(?P<rest>(?: [^\W\d_]+){0,3})"
)
_UNIT_WORDS = frozenset(
    [
        "gram",
        "kilogram",
        "ounce",
        "pound",
        "milliliter",
        "liter",
        "calories",
        "cup",
        "teaspoon",
        "tablespoon",
        "minute",
        "hour",
        "centimeter",
        "mg",
        "kj",
    ]
)


def _span(prepared: Prepared, first: int, last: int) -> Span:
    return prepared.words.starts[first], prepared.words.ends[last - 1]


def _judge_signs(claim: Claim, prepared: Prepared) -> Outcome:
    """A value without a word in it ("$$", "★★★")."""
    signs = claim.folded.strip()
    if not signs:
        return Outcome(0.3, "empty-value", "the value is empty, there is nothing to look for")
    place = prepared.text.find(signs)
    if place >= 0:
        return Outcome(0.8, "text-in-text", "it stands on the page", spans=((place, place + len(signs)),))
    return Outcome(0.05, "text-not-in-text", f"{claim.text!r} does not stand on the page")


def _bound(claim: Claim, prepared: Prepared, spans: list[Span]) -> Outcome:
    """A text that stands verbatim: whose is it?"""
    count = len(claim.words)
    base = 0.9 if count >= 3 else 0.82 if count == 2 else 0.74
    if count == 1 and len(claim.words[0]) < 4 and claim.folded.strip().isdigit():
        base = 0.45  # a short number stands on any page
    elif count == 1 and len(claim.text) <= 3 and claim.text.isupper() and claim.text.isascii():
        # "ON" is a province, "on" is not.
        cased = [span for span in spans if prepared.written(*span).isupper()]
        if not cased:
            return Outcome(0.3, "word-not-in-capitals", f"{claim.text!r} stands on the page as a common word only")
        spans = cased
    if count <= 4 and all(negated(prepared, *span) for span in spans) and claim.name not in ("name", "headline"):
        return Outcome(
            0.15, "text-negated", f"the page denies it: {_excerpt(prepared, spans[0])!r}", contradicted=True,
            spans=(spans[0],),
        )  # fmt: skip
    concept = claim.role or (claim.concepts[0] if claim.concepts else "")
    if count <= 12 and concept:
        best: tuple[float, Span, Binding] | None = None
        excluding = concept in _ROLES
        for span in spans[: 25 if excluding else 6]:
            binding = bind(prepared, claim.concepts, *span, rivals=excluding)
            if best is None or binding.own - binding.rival > best[0]:
                best = (binding.own - binding.rival, span, binding)
                if best[0] >= 0.9:
                    break
        if best is not None:
            _, span, binding = best
            ordered = (span, *(each for each in spans[:4] if each != span))
            field = _field_of_another(claim, prepared, concept, spans) if claim.role or claim.name != "name" else None
            if field is not None:
                return Outcome(
                    0.2, "text-of-another",
                    f"{claim.text!r} stands on the page at another label; for {concept} the page has "
                    f"{prepared.written(*field)!r}",
                    contradicted=True, spans=(field, *ordered[:3]),
                )  # fmt: skip
            if concept == "author" and claim.role and binding.label and binding.label == binding.rival_label:
                byline = _byline_of_another(claim, prepared)
                if byline is not None:
                    return Outcome(
                        0.2, "text-of-another",
                        f"{claim.text!r} stands on the page as {binding.label!r}; "
                        f"the byline is {prepared.written(*byline)!r}",
                        contradicted=True, spans=(span, byline),
                    )  # fmt: skip
            if binding.own >= 0.5 and binding.own >= binding.rival:
                words = f" by {binding.label!r}"
                return Outcome(max(base, 0.92), "text-at-label", f"it stands on the page{words}", spans=ordered)
            if concept in _ROLES:
                other = _someone_else(claim, prepared, concept, spans)
                limit = 0.55 if concept in _STRICT_ROLES else 0.78
                if binding.rival >= limit and (other is not None or concept in _STRICT_ROLES):
                    return Outcome(
                        0.2, "text-of-another",
                        f"{claim.text!r} stands on the page as {binding.rival_label!r}, "
                        f"not as {claim.role or claim.name}",
                        contradicted=True, spans=ordered,
                    )  # fmt: skip
            if concept == "publisher" and claim.role and _is_subject(claim, prepared, spans):
                return Outcome(
                    0.35, "name-of-subject",
                    f"{claim.text!r} is what the page is about; nothing says that it publishes the page",
                    contradicted=True, spans=ordered,
                )  # fmt: skip
            return Outcome(base, "text-in-text", "it stands on the page", spans=ordered)
    if claim.name == "alternativeHeadline" and _is_heading(claim, prepared, spans):
        return Outcome(
            0.35,
            "headline-itself",
            "it is the headline itself, not another one",
            contradicted=True,
            spans=tuple(spans[:2]),
        )
    return Outcome(base, "text-in-text", "it stands on the page word for word", spans=tuple(spans[:4]))


_AFTER_LABEL = re.compile(r"(?:^|[.;|·\t] ?)([^\W\d_][\w '&/-]{0,28}) ?: ?$")
_LABELLED = re.compile(r"(?m)(?:^|[.;|·\t] ?)([^\W\d_][\w '&/-]{0,28}) ?: ?(?=[^\W\d_])")


def _field_of_another(claim: Claim, prepared: Prepared, concept: str, spans: list[Span]) -> Span | None:
    """The page's own field for this ("Employer: Ann Bo"), where the value only stands in fields of other labels."""
    known = labels(concept, prepared.language)
    if known is None or len(spans) > 8:
        return None

    def own(label: str) -> bool:
        return known.search(label) is not None or known.weak_before(f"{label}: ") is not None

    for start, _ in spans:
        low = prepared.line(prepared.line_number(start))[0]
        before = _AFTER_LABEL.search(prepared.text[max(low, start - 34) : start])
        if before is None or own(before[1]):
            return None
    for match in _LABELLED.finditer(prepared.text):
        end = prepared.line(prepared.line_number(match.start(1)))[1]
        if own(match[1]) and not any(match.end() <= start < end for start, _ in spans):
            return match.start(1), min(match.end() + 25, end)
    return None


_BYLINE = re.compile(r"(?:^|[\n.!?|•·–—] ?)((?:by|von|par|por|di|door|av|af) [^\W\d_][^\n.,|•·]{2,40})")


def _byline_of_another(claim: Claim, prepared: Prepared) -> Span | None:
    """A byline ("By Ann Bo") that names somebody else, and none that names the value.

    "Published by" names authors on some sites; beside such a byline it names the publisher.
    """
    found: Span | None = None
    for match in _BYLINE.finditer(prepared.text):
        if claim.folded.strip() in match[1]:
            return None
        if found is None and prepared.written(*match.span(1)).split(" ")[1][:1].isupper():
            found = match.span(1)
    return found


def _is_heading(claim: Claim, prepared: Prepared, spans: list[Span]) -> bool:
    """Whether the text is a whole heading of the first rank."""
    for start, _ in spans:
        number = prepared.block_number(start)
        if (
            number >= 0
            and prepared.page.blocks[number].tag == "h1"
            and prepared.block_text(number) == claim.folded.strip()
        ):
            return True
    return False


def _is_subject(claim: Claim, prepared: Prepared, spans: list[Span]) -> bool:
    """Whether a name stands in the main heading and nowhere a site says who it is: address, title's end, head, foot."""
    if not prepared.own_addresses:
        return False
    squeezed = "".join(claim.words)
    hosts = [re.sub(r"[^\w]", "", host_of(each)) for each in prepared.own_addresses]
    if any(squeezed in host or host.partition(".")[0] in squeezed for host in hosts):
        return False
    title = re.split(r"\s[-|–—·•:]\s", fold(prepared.page.title).text)
    if len(title) > 1 and any(" ".join(claim.words) in " ".join(words_of(part)) for part in (title[0], title[-1])[1:]):
        return False
    headed = False
    for start, _ in spans:
        block = prepared.block_at(start)
        if block is None:
            return False
        if block.region in ("header", "footer", "nav"):
            return False
        headed = headed or block.tag == "h1"
    return headed


def _someone_else(claim: Claim, prepared: Prepared, concept: str, spans: list[Span]) -> Span | None:
    """A label of the role that is followed by somebody else's name."""
    known = labels(concept, prepared.language)
    if known is None:
        return None
    for first, last in prepared.labels_of(concept)[:20]:
        end = prepared.words.ends[last - 1]
        if any(start - 3 <= end <= start for start, _ in spans):
            continue
        following = prepared.text[end : end + 40]
        if re.match(r"\s?:?\s?[^\W\d_]", following):
            return prepared.words.starts[first], min(end + 25, len(prepared.text))
    # "To: Ann Bo": a common word, but with a colon at the head of a line it is a label.
    fields = prepared.fields.get(concept)
    if fields is None:
        fields = prepared.fields[concept] = [
            match.span() for match in _FIELD.finditer(prepared.text) if known.weak_before(match[0])
        ]
    for start, end in fields:
        if not any(start < place < end + 40 for place, _ in spans):
            return start, min(end + 25, len(prepared.text))
    return None


_FIELD = re.compile(r"(?m)^[^\W\d_]{1,12} ?: ?(?=[^\W\d_])")


def _excerpt(prepared: Prepared, span: Span) -> str:
    low, high = prepared.line(prepared.line_number(span[0]))
    return prepared.text[max(low, span[0] - 40) : min(high, span[1] + 20)].strip()


_LAID = 600


def _in_pieces(claim: Claim, prepared: Prepared) -> Outcome:
    words = claim.words
    count = len(words)
    parts = [part for part in _PARTS.split(claim.folded) if part and part.strip()]
    if 2 <= len(parts) <= 40:
        found: list[Span] = []
        listed = [" ".join(words_of(part)) for part in parts]
        listed = [each for each in listed if each]
        for each in listed:
            hit = next(prepared.words.find(each, limit=1), None)
            if hit is not None:
                found.append(_span(prepared, *hit))
        if listed and len(found) == len(listed):
            return Outcome(0.8, "parts-in-text", "all its parts stand on the page", spans=tuple(found[:6]))
        if len(listed) >= 3 and len(found) / len(listed) >= 0.75 and count <= 3 * len(listed):
            return Outcome(0.55, "parts-in-text", "most of its parts stand on the page", spans=tuple(found[:6]))
    if count == 1:
        return _one_word(claim, prepared)
    # The beginning of a very long text stands for all of it.
    aligned = align(prepared.words, words[:_LAID])
    spans = tuple(_span(prepared, start, start + length) for _, start, length in aligned.runs[:6])
    if aligned.changed and aligned.coverage >= 0.4:
        stated, printed = aligned.changed[0]
        return Outcome(
            0.08, "number-in-text-differs", f"the page says {printed!r} where the value says {stated!r}",
            contradicted=True, spans=spans,
        )  # fmt: skip
    denied = _denied_between(claim, prepared, aligned)
    if denied is not None:
        return Outcome(
            0.15, "text-negated", f"the page denies it: {_excerpt(prepared, denied)!r}", contradicted=True,
            spans=(denied, *spans[:3]),
        )  # fmt: skip
    coverage = aligned.coverage
    if aligned.missing:
        coverage -= 0.25
    if count >= 5:
        probability = (
            0.9 if coverage >= 0.9 else 0.72 if coverage >= 0.75 else 0.55 if coverage >= 0.62 else coverage * 0.6
        )
        if probability >= 0.5:
            return Outcome(
                probability, "text-nearly-in-text", f"{round(coverage * 100)}% of its words stand on the page in order",
                spans=spans,
            )  # fmt: skip
    elif coverage >= 0.99 and not aligned.changed:
        return Outcome(
            0.75, "text-nearly-in-text", "its words stand on the page, spelled a little differently", spans=spans
        )
    else:
        together = _together(claim, prepared)
        if together is not None:
            return together
    if f" {' '.join(words)} " in prepared.head:
        return Outcome(
            0.2, "text-in-head-only", "it stands only in the title or the meta description, which readers do not see",
            spans=spans if coverage > 0.3 else (), evidence=(_head_evidence(claim, prepared),),
        )  # fmt: skip
    if count >= 6 and not aligned.changed:
        share = _share_of_words(claim, prepared)
        if share >= 0.85:
            return Outcome(
                0.58, "words-on-page", f"{round(share * 100)}% of its longer words stand on the page, elsewhere",
                spans=spans,
            )  # fmt: skip
    return Outcome(
        min(0.3, max(0.05, coverage * 0.4)), "text-not-in-text", f"{_short(claim.text)!r} does not stand on the page",
        spans=spans if coverage > 0.3 else (),
    )  # fmt: skip


# "don't" is two words.
_CONTRACTED = frozenset(
    ("don", "doesn", "didn", "won", "can", "isn", "aren", "wasn", "weren", "couldn", "shouldn", "mustn")
)
_DENIALS = frozenset(
    (
        "not", "no", "never", "cannot", "without", "nicht",
        "kein", "keine", "keinen", "nie", "ne", "pas", "jamais", "sans", "non", "mai", "senza", "nunca", "sin",
        "jamas", "nao", "niet", "geen", "nooit", "ikke", "inte", "aldrig", "не", "нет",
    )
)  # fmt: skip


def _denies(words: Sequence[str]) -> bool:
    """Whether there is a word of denial among these."""
    return any(
        word in _DENIALS or (word == "t" and number > 0 and words[number - 1] in _CONTRACTED)
        for number, word in enumerate(words)
    )


def _denied_between(claim: Claim, prepared: Prepared, aligned: Alignment) -> Span | None:
    """Where the page has a word of denial between two stretches of the text that has none there, or the other way."""
    if aligned.coverage < 0.6:
        return None
    printed = prepared.words.words
    last = done = 0
    for place, start, length in aligned.runs:
        # Before the first stretch only where the text has words there too, laid singly.
        first = max(0, last or (start - 3 if place else start))
        stated = _denies(claim.words[done:place])
        if start - first <= 3 and stated != _denies(printed[first:start]) and (stated or aligned.coverage >= 0.8):
            return prepared.words.starts[first], prepared.words.ends[start]
        last, done = start + length, place + length
    return None


def _head_evidence(claim: Claim, prepared: Prepared) -> Evidence:
    titled = f" {' '.join(claim.words)} " in f" {level(prepared.page.title)} "
    return Evidence(
        -1, -1, prepared.page.title if titled else prepared.page.description, Kind.TITLE if titled else Kind.META
    )


def _share_of_words(claim: Claim, prepared: Prepared) -> float:
    """Share of a text's longer words that the page has in some form; 0 where there are few, or a number is missing."""
    telling = [word for word in claim.words if len(word) >= 4 and not word.isdigit()]
    if len(telling) < 6 or any(word.isdigit() and word not in prepared.words.known for word in claim.words):
        return 0.0
    return sum(word[:5] in prepared.roots for word in telling) / len(telling)


def _together(claim: Claim, prepared: Prepared) -> Outcome | None:
    """All words of a short text close together, in another order or with words in between."""
    words = claim.words
    known = prepared.words.known
    rarest = min((word for word in words), key=lambda word: prepared.words.line.count(f" {word} "))
    if rarest not in known:
        return None
    for first, last in prepared.words.find(rarest, limit=25):
        low, high = max(0, first - 2 * len(words) - 1), last + 2 * len(words) + 1
        window = prepared.words.words[low:high]
        if all(word in window for word in words):
            return Outcome(
                0.62, "words-together", "its words stand together on the page", spans=(_span(prepared, first, last),)
            )
    return None


# Endings that tell one form of a word from another.
_ENDING = re.compile(r"(?:s|es|en|er|ern|em|e|n|a|o|i|as|os|ies|ie|y|и|ы|а|у|ой|ый|ая)$")


def _one_word(claim: Claim, prepared: Prepared) -> Outcome:
    """A single word in another form ("vegan" and "vegans"), or spelled apart."""
    word = claim.words[0]
    apart = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", claim.text)
    if len(apart) > 1:
        hit = next(prepared.words.find(" ".join(apart).lower(), limit=1), None)
        if hit is not None:
            return Outcome(0.75, "words-in-text", "its words stand on the page", spans=(_span(prepared, *hit),))
    root = _ENDING.sub("", word)
    if len(root) >= 4 and not any(map(str.isdigit, word)):
        place = prepared.words.line.find(f" {root}")
        while place >= 0:
            number = prepared.words.number(place + 1)
            other = prepared.words.words[number]
            if _ENDING.sub("", other) == root:
                return Outcome(
                    0.58, "word-in-other-form", f"the page has {other!r}", spans=(_span(prepared, number, number + 1),)
                )
            place = prepared.words.line.find(f" {root}", place + 1)
    squeezed = prepared.text.find(claim.folded.strip())
    if squeezed >= 0 and len(word) >= 5 and not word.isdigit():
        return Outcome(
            0.5, "text-inside-word", "it stands on the page inside a longer word",
            spans=((squeezed, squeezed + len(claim.folded.strip())),),
        )  # fmt: skip
    return Outcome(0.05, "text-not-in-text", f"{_short(claim.text)!r} does not stand on the page")


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
