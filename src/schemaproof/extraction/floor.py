"""Extraction under a JSON Schema without a model: the floor that a model has to beat.

Every member of the schema is looked up in the page by its name, title and description: as a label, a table's head, a
list's heading, or by its kind (the first address, price, date). Nothing is made up: a value stands in the page, or
the member is left out (or is null, an empty text or an empty list where the schema demands it).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from schemaproof.extraction.markdown import Entry, Outline, outline, plain, words
from schemaproof.extraction.schema_walk import SchemaWalk
from schemaproof.extraction.writings import dates, numbers, prices

Schema = Mapping[str, Any]

_DEPTH, _ITEMS, _MEMBERS = 8, 300, 300
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w.])(?:\+|\(?0)[\d\s()./-]{6,18}\d(?!\w)")
_ADDRESS = re.compile(r"https?://[^\s)>\"']+")
_AMOUNT = re.compile(
    r"(?:(?:US|NT|HK|CA|A|C|R)?[$€£¥₹]\s?\d[\d.,]{0,20}|(?<![\d.,])\d[\d.,]{0,20}\s?(?:€|£|USD|EUR|GBP|CHF|zł|kr\b))",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"[-+]?(?<!\d)\d[\d.,]{0,20}(?<![.,])")
_DATE = re.compile(
    r"(?<!\d)\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{4}年\d{1,2}月\d{1,2}日"
    r"|\d{1,2}(?:\.|st|nd|rd|th)?\s+(?:de\s+)?[^\W\d]{3,10}\.?,?\s+(?:de\s+)?\d{4}|[^\W\d]{3,10}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}"
)
_SYMBOLS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}
_TRUE = {"yes", "true", "available", "in stock", "ja", "oui", "sí", "si", "free"}
_FALSE = {"no", "false", "unavailable", "sold out", "out of stock", "nein", "non"}

# Names that say what a value is, whatever its label.
_TITLE = {"name", "title", "headline", "heading"}
_PROSE = {"description", "summary", "about", "abstract", "intro", "introduction", "text", "body", "content"}
_NOISE = {"the", "of", "a", "an", "and", "or", "in", "is", "for", "to", "value", "field", "this", "that", "as", "list"}


def extract_under_schema(content: str, schema: Any) -> Any:
    """Fill a JSON Schema from a page.

    Arguments:
        content: the page in Markdown (plain text will do).
        schema: the JSON Schema, any shape.

    Returns:
        An object, or a list where the schema's root is one. Never raises; bounded in depth and in number of items.
    """
    walk = SchemaWalk(schema)
    filler = _Filler(walk, outline(content), content)
    if walk.kind() == "array":
        return filler.many(walk.root, [], 0)
    return filler.object(walk.root, 0)


class _Filler:
    def __init__(self, walk: SchemaWalk, page: Outline, content: str) -> None:
        self.walk = walk
        self.page = page
        self.content = content
        self.labels = [(set(words(label)), value) for label, value in page.labels]

    def members(self, node: Schema) -> dict[str, Schema]:
        """Members of an object's schema, references and alternatives followed."""
        found: dict[str, Schema] = {}
        for part in self.walk.parts(node):
            properties = part.get("properties")
            if isinstance(properties, Mapping):
                for name, inner in properties.items():
                    if isinstance(inner, Mapping) and len(found) < _MEMBERS:
                        found.setdefault(str(name), inner)
        return found

    def required(self, node: Schema) -> set[str]:
        return {
            str(name)
            for part in self.walk.parts(node)
            for name in (part.get("required") if isinstance(part.get("required"), list) else None) or ()
        }

    def object(self, node: Schema, depth: int) -> dict[str, Any]:
        """An object from the whole page."""
        found: dict[str, Any] = {}
        needed = self.required(node)
        for name, inner in self.members(node).items() if depth < _DEPTH else ():
            value = self.value(name, inner, depth + 1)
            if value is None and name in needed:
                value = self.nothing(inner)
                if value is not None or self.nullable(inner):
                    found[name] = value
            elif value is not None:
                found[name] = value
        return found

    def nullable(self, node: Schema) -> bool:
        kinds = node.get("type")
        if kinds == "null" or (isinstance(kinds, list) and "null" in kinds):
            return True
        return any(
            isinstance(part, Mapping) and part.get("type") == "null"
            for word in ("anyOf", "oneOf")
            for part in (node.get(word) if isinstance(node.get(word), list) else None) or ()
        )

    def nothing(self, node: Schema) -> Any:
        """What says nothing where a value is demanded; None for kinds that have no such value."""
        kind = self.walk.kind(node)
        if self.nullable(node):
            return None
        return {"string": "", "array": [], "object": {}}.get(kind) if "enum" not in self.walk.leaf(node) else None

    def value(self, name: str, node: Schema, depth: int) -> Any:
        kind = self.walk.kind(node)
        if kind == "object" or (not kind and self.members(node)):
            return self.object(node, depth) or None
        if kind == "array":
            return self.many(node, self.wanted(name, node), depth) or None
        return self.scalar(name, node)

    def wanted(self, name: str, node: Schema) -> list[str]:
        """The words of a member: its name first, then title and description."""
        told = words(name)
        for word in ("title", "description"):
            text = node.get(word)
            if isinstance(text, str):
                told += words(text)[:20]
        return list(dict.fromkeys(word for word in told if word not in _NOISE))

    # Scalars
    def scalar(self, name: str, node: Schema) -> Any:
        leaf = self.walk.leaf(node)
        own, kind = words(name), str(leaf.get("type") or "")
        for text in self.labelled(own, self.wanted(name, node)):
            value = self.typed(text, own, kind, leaf)
            if value is not None:
                return value
        return self.by_kind(own, kind, leaf)

    def labelled(self, own: list[str], told: list[str]) -> list[str]:
        """Values whose label shares words with the member, best first."""
        scored = []
        mine, more = set(own), set(told)
        for place, (label, value) in enumerate(self.labels):
            shared = len(label & mine)
            score = (2 * shared / (len(label) + len(mine)) if shared else 0.0) + 0.2 * bool(label & (more - mine))
            if score >= 0.4:
                scored.append((-score, place, value))
        return [value for _, _, value in sorted(scored)[:3]]

    def typed(self, text: str, own: list[str], kind: str, leaf: Schema) -> Any:
        """A text of the page as a value of a kind, None if it is none."""
        options = leaf.get("enum")
        if isinstance(options, list):
            flat = words(text)
            return next((option for option in options if _within(words(str(option)), flat)), None)
        if kind == "boolean":
            flat_text = " ".join(words(text))
            return True if flat_text in _TRUE else False if flat_text in _FALSE else None
        if kind in ("number", "integer"):
            return _number(text, kind)
        if kind not in ("", "string"):
            return None
        form = str(leaf.get("format") or "")
        if form in ("uri", "url", "uri-reference") or {"url", "link", "website"} & set(own):
            match = _ADDRESS.search(text)
            return match[0] if match else None
        if form in ("date", "date-time"):
            return _iso(text)
        if form == "email" or "email" in own:
            match = _EMAIL.search(text)
            return match[0] if match else None
        if "phone" in own or "telephone" in own:
            match = _PHONE.search(text)
            return match[0].strip() if match else text
        if "currency" in own:
            return next((code for sign, code in _SYMBOLS.items() if sign in text), text)
        return text or None

    def by_kind(self, own: list[str], kind: str, leaf: Schema) -> Any:
        """The first value of the page that is of the kind that a member's name promises."""
        named = set(own)
        if isinstance(leaf.get("enum"), list):
            return None
        if kind in ("number", "integer"):
            if named & {"price", "cost", "amount"} and (match := _AMOUNT.search(self.content)):
                return _number(match[0], kind)
            return None
        if kind not in ("", "string"):
            return None
        if named & _TITLE and len(own) <= 2:
            return self.page.titles[0][1] if self.page.titles else None
        if named & _PROSE:
            return next((text for text in self.page.paragraphs if len(text) > 40), None)
        for names, pattern in (
            ({"email", "mail"}, _EMAIL),
            ({"phone", "telephone", "tel"}, _PHONE),
            ({"price", "cost"}, _AMOUNT),
        ):
            if named & names and (match := pattern.search(self.content)):
                return match[0].strip()
        if "currency" in named and (match := _AMOUNT.search(self.content)):
            return next((code for sign, code in _SYMBOLS.items() if sign in match[0]), None)
        if named & {"date", "published", "publication"} or leaf.get("format") in ("date", "date-time"):
            found = _DATE.search(self.content)
            return (_iso(found[0]) if leaf.get("format") else found[0]) if found else None
        if named & {"url", "link", "website", "href"} and len(own) <= 2:
            return next((link.url for link in self.page.links if not link.image), None)
        if named & {"image", "photo", "picture", "thumbnail", "logo"}:
            return next((link.url for link in self.page.links if link.image), None)
        return None

    # Lists
    def many(self, node: Schema, told: list[str], depth: int) -> list[Any]:
        """A list: the table or the list of the page that fits best."""
        inner = self.walk.items(node)
        fields = self.members(inner)
        if depth >= _DEPTH:
            return []
        if fields:
            return self.rows(inner, fields, told)
        best = self.listing(told)
        kind = str(self.walk.leaf(inner).get("type") or "")
        texts = [entry.text for entry in best] if best else []
        if not texts:
            texts = [part.strip() for text in self.labelled(told[:2], told)[:1] for part in re.split(r"[,;、]", text)]
        values = [self.typed(text, [], kind, self.walk.leaf(inner)) for text in texts[:_ITEMS]]
        return [value for value in values if value is not None]

    def listing(self, told: list[str], *, any_title: bool = False) -> list[Entry]:
        """Items of the list whose heading shares most words; with `any_title`, else of the longest one."""
        scored = []
        for place, each in enumerate(self.page.listings):
            label = set(words(each.title))
            shared = len({word.rstrip("s") for word in label} & {word.rstrip("s") for word in told})
            if shared or (any_title and len(each.entries) > 1):
                scored.append((-shared, -len(each.entries), place, each.entries))
        return min(scored, key=lambda entry: entry[:3])[3] if scored else []

    def rows(self, node: Schema, fields: dict[str, Schema], told: list[str]) -> list[Any]:
        best: tuple[float, list[int | None]] = (0.0, [])
        rows: list[list[str]] = []
        names = {name: set(self.wanted(name, inner)) for name, inner in fields.items()}
        for table in self.page.tables:
            heads = [set(words(head)) for head in table.head]
            columns: list[int | None] = []
            for name in fields:
                own = set(words(name))
                shares = [2 * len(head & own) / (len(head) + len(own)) if head and own else 0.0 for head in heads]
                shares = [share or 0.3 * bool(head & names[name]) for share, head in zip(shares, heads, strict=True)]
                top = max(shares, default=0.0)
                columns.append(shares.index(top) if top >= 0.3 else None)
            score = sum(column is not None for column in columns) + 0.5 * bool(set(words(table.title)) & set(told))
            if any(column is not None for column in columns) and score > best[0]:
                best, rows = (score, columns), table.rows
        if rows:
            found = []
            for row in rows[:_ITEMS]:
                made = {}
                for (name, inner), column in zip(fields.items(), best[1], strict=True):
                    if column is not None and column < len(row):
                        leaf = self.walk.leaf(inner)
                        value = self.typed(row[column], words(name), str(leaf.get("type") or ""), leaf)
                        if value is not None:
                            made[name] = value
                if made:
                    found.append(made)
            return found
        entries = self.listing(told, any_title=True)
        return [made for entry in entries[:_ITEMS] if (made := self.entry(entry, fields))]

    def entry(self, entry: Entry, fields: dict[str, Schema]) -> dict[str, Any]:
        """An object from one item of a list."""
        made: dict[str, Any] = {}
        rest = entry.text
        link = next((link for link in entry.links if not link.image), None)
        title = link.text if link and link.text else re.split(r"\s+[—–|-]\s+|[:：]\s|,\s", plain(rest))[0]
        for name, inner in fields.items():
            leaf, own = self.walk.leaf(inner), set(words(name))
            kind = str(leaf.get("type") or "")
            value: Any = None
            if own & {"url", "link", "href"}:
                value = link.url if link else None
            elif own & {"image", "photo", "thumbnail"}:
                value = next((each.url for each in entry.links if each.image), None)
            elif own & {"price", "cost"}:
                match = _AMOUNT.search(rest)
                value = (
                    None if match is None else _number(match[0], kind) if kind in ("number", "integer") else match[0]
                )
            elif own & {"date", "published"}:
                match = _DATE.search(rest)
                value = match[0] if match else None
            elif kind in ("number", "integer"):
                match = _FIGURE.search(rest)
                value = _number(match[0], kind) if match else None
            elif kind in ("", "string") and not any(isinstance(old, str) and old == title for old in made.values()):
                value = title or None
            if value is not None:
                made[name] = value
        return made


def _within(few: list[str], many: list[str]) -> bool:
    return bool(few) and any(many[at : at + len(few)] == few for at in range(len(many) - len(few) + 1))


def _number(text: str, kind: str) -> float | int | None:
    amount = prices(text)
    readings = [value for _, value in amount] or list(numbers(text))
    if not readings:
        match = _FIGURE.search(text)
        readings = list(numbers(match[0].rstrip(".,"))) if match else []
    if not readings:
        return None
    value = readings[0]
    if abs(value) >= 1e15:
        return None
    if kind == "integer":
        return int(value) if value.is_integer() else None
    return int(value) if value.is_integer() and "." not in text else value


def _iso(text: str) -> str | None:
    match = _DATE.search(text)
    found = dates(match[0]) if match else dates(text)
    return found[0][0].isoformat() if found else None
